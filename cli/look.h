/* cli/look.h - what list, show, locks and denies have in common: their flags, and a snapshot to look at.
 *
 * Looking never writes and never heals (spec/context-handoff.md 15.1 item 7). */
#ifndef BATON_CLI_LOOK_H
#define BATON_CLI_LOOK_H

#include <stdbool.h>

#include "cli/env.h"
#include "core/model/snapshot.h"

struct look {
  const char *dir, *colour_word, *import;
  bool json, help, colour, all;
  const char *filter;  /* words and fields as in the dashboard; NULL: none */
  const char *subject; /* first positional, NULL: none */
  struct bt_snapshot *snapshot;
};

/* Beside the flags of core/store/load.h: join the sessions that transcripts know of, and take --all for every one of
 * them. Then a missing ledger is no failure as long as there is a session to show. */
#define LOOK_TRANSCRIPTS (1u << 16)
#define LOOK_SCAN_THREADS 2

enum look_outcome { LOOK_GO_ON, LOOK_DONE };

/* The snapshot alone; BT_MISSING where there is neither a ledger nor a session, nor a store that cannot be read. */
enum bt_code look_load(struct cli_env *cli, unsigned flags, bool all, struct bt_snapshot **snapshot,
                       struct bt_error *err) BT_NODISCARD;

/* A snapshot from a file that `baton scan --json` made; "-": from standard input, to its end. */
enum bt_code look_import(const char *path, struct bt_snapshot **snapshot, struct bt_error *err) BT_NODISCARD;

/* The session of that id, or the only one whose short name in the list it is. NULL: none. Borrowed. */
const struct bt_session *look_session(const struct bt_snapshot *snapshot, const char *id);

/* Reads the flags, prints the help when asked for, loads the snapshot with `flags` of core/store/load.h. LOOK_DONE:
 * *status is the exit status and there is nothing more to do. Otherwise free look->snapshot. `usage` and `about` are
 * for
 * --help; `wants_subject`: the one positional argument must be there. */
enum look_outcome look_begin(struct cli_env *cli, int argc, char **argv, const char *usage, const char *about,
                             bool wants_subject, unsigned flags, struct look *look, int *status);

/* The same with flags of the command's own, of which there are at most LOOK_EXTRA_MAX. */
struct option_spec;
#define LOOK_EXTRA_MAX 8
enum look_outcome look_begin_with(struct cli_env *cli, int argc, char **argv, const char *usage, const char *about,
                                  bool wants_subject, unsigned flags, const struct option_spec *extra,
                                  size_t extra_count, struct look *look, int *status);

#endif
