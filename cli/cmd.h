/* cli/cmd.h - the table of commands: one line a command, one cmd_*.c a command.
 *
 * To add a command: write cli/cmd_<word>.c with `int cmd_<word>(struct cli_env *, int, char **)`, and add one line
 * here. The dispatcher, the help and the completions come from this table. Exit statuses: spec/context-handoff.md
 * 8.1 for the verbs shared with the ADLC package, dashboard.md for baton's own. */
#ifndef BATON_CLI_CMD_H
#define BATON_CLI_CMD_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/env.h"

/* X(word, group, line of help). SHARED verbs are also reached as `baton handoff <verb>`. */
/* clang-format off */
#define CMD_TABLE(X)                                                                              \
  X(write,    SHARED, "write a final checkpoint and make sure the session is denied")             \
  X(resume,   SHARED, "let an existing session take over a denied one")                           \
  X(bypass,   SHARED, "let one gated call of a session through")                                  \
  X(repair,   SHARED, "bind a ticket and a hash to an open deny")                                 \
  X(unlock,   SHARED, "remove the lock of a process that is gone")                                \
  X(continue, SHARED, "hand a denied session's work to one new session")                        \
  X(supervise, SHARED, "run a harness and hand its work on, session after session")             \
  X(list,     OWN,    "every session, worst first")                                             \
  X(show,     OWN,    "all that is known about one session")                                    \
  X(brief,    OWN,    "the brief of a session in visible form, and what was changed in it")    \
  X(locks,    OWN,    "every lock, with a verdict from evidence")                               \
  X(denies,   OWN,    "every deny record, and the health of their store")                       \
  X(why,      OWN,    "may a session change files, which record refuses, and what would clear it")     \
  X(log,      OWN,    "the signed evidence, newest first")                                     \
  X(verify,   OWN,    "do the chains and signatures of the evidence hold")                      \
  X(records,  OWN,    "session records: a transcript as a portable folder that can be checked")  \
  X(sample,   OWN,    "write a sample ledger to look around in")                                \
  X(bootstrap, OWN,   "the verified prompt for the successor of a denied session")               \
  X(hook,     OWN,    "the gate inside a harness: judge a tool call, wire it in")               \
  X(delivery, OWN,    "an interrupted delivery: record, show, validate, reconcile, close")      \
  X(ask,      OWN,    "a handover asked for in time: watch, ack, text, install, remove, status") \
  X(undo,     OWN,    "put the lock file that was removed last back")                          \
  X(scan,     OWN,    "everything known right now as one document, for `baton -f FILE`")       \
  X(keys,     OWN,    "what each key does, and whether a keymap file is sound")                \
  X(info,     OWN,    "paths, settings and where they come from, the terminal, versions")      \
  X(ui,       OWN,    "the dashboard (what `baton` alone opens on a terminal)")
/* clang-format on */

enum cmd_group { CMD_SHARED, CMD_OWN };

struct cmd {
  const char *word;
  enum cmd_group group;
  const char *help;
  /* argv[0] is the command's word, the rest its arguments (internal text); argv[argc] is NULL. Returns the exit
   * status. Never calls exit(). */
  int (*run)(struct cli_env *cli, int argc, char **argv);
};

#define CMD_DECLARE(word, group, help) int cmd_##word(struct cli_env *cli, int argc, char **argv);
CMD_TABLE(CMD_DECLARE)
#undef CMD_DECLARE

const struct cmd *cmd_find(const char *word); /* NULL: no such command */
const struct cmd *cmd_table(size_t *count);   /* in the order of the help */

#endif
