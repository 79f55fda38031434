/* core/supervise/process.h - children, their environment, and the signals that a supervisor waits for.
 *
 * Owns: fork, exec, reaping, the scrubbed environment. Must not know: sessions, ledgers.
 * A child stays in the process group of its parent and gets every word of its command as it is: there is no shell.
 * Rules: spec/context-handoff.md 11.1, 11.4. */
#ifndef BATON_CORE_SUPERVISE_PROCESS_H
#define BATON_CORE_SUPERVISE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/supervise/machine.h"

/* The caller's environment for a supervised session: without the keys and the marks of another session, with
 * ADLC_HANDOFF_SUPERVISED=1. NULL: out of memory. */
char **bt_process_session_environment(void) BT_NODISCARD;
/* The caller's environment with the signing key put back. NULL: out of memory. */
char **bt_process_keyed_environment(const char *key, size_t length) BT_NODISCARD;
void bt_process_free_environment(char **environment); /* wipes it too; NULL is allowed */

struct bt_process_spec {
  const char *const *argv; /* internal text, ended by NULL; argv[0] is looked up in PATH where it has no slash */
  const char *cwd;         /* real bytes are made of it too */
  char **environment;
  int output, complaints; /* descriptors to write to; -1: the caller's own */
  bool no_input;          /* standard input is empty; else the caller's own */
  bool deaf;              /* takes no notice of SIGINT */
};

/* BT_OK with a running child. BT_IO with the errno and `spawn WORD ERRNO` when it could not be started; BT_NOMEM. */
enum bt_code bt_process_start(const struct bt_process_spec *spec, pid_t *child, struct bt_error *err) BT_NODISCARD;

/* Has it ended? Then *end tells how, and the pid is no longer ours. */
bool bt_process_ended(pid_t child, bool wait, struct bt_sup_exit *end);

/* Runs a program to its end and gathers what it prints, each up to the ceiling of its buffer; a program that prints more
 * is killed (BT_TOO_LARGE). Otherwise as bt_process_start. spec->output and spec->complaints are set here. */
enum bt_code bt_process_gather(struct bt_process_spec *spec, struct bt_str *output, struct bt_str *complaints,
                               struct bt_sup_exit *end, struct bt_error *err) BT_NODISCARD;

/* SIGINT and SIGCHLD as something to wait for, instead of handlers. */
struct bt_process_signals;
struct bt_process_signals *bt_process_signals_take(struct bt_error *err) BT_NODISCARD; /* NULL: BT_IO, BT_NOMEM */
void bt_process_signals_give_back(struct bt_process_signals *signals);                 /* NULL is allowed */
/* Waits for one of them, at most `timeout_ms` (< 0: for ever). True when a SIGINT came. */
bool bt_process_signals_wait(struct bt_process_signals *signals, int64_t timeout_ms);

#endif
