/* tui/notify.h - runs the user's own command when a session becomes BLOCKED (dashboard.md row 102).
 *
 * Once for each transition that is shown, never for what was BLOCKED at the start; without a shell, without a
 * terminal, without waiting. The command finds BATON_SESSION, BATON_STATE, BATON_BEFORE and BATON_LEDGER in its
 * environment. */
#ifndef BATON_TUI_NOTIFY_H
#define BATON_TUI_NOTIFY_H

#include <sys/types.h>

#include "core/base/error.h"
#include "core/model/snapshot.h"

#define NOTIFY_AT_ONCE 8 /* commands of one change of the ledger; the rest is left out, and that is said */
#define NOTIFY_CHILDREN 64

struct notify {
  const char *command; /* NULL or empty: nothing is run */
  pid_t children[NOTIFY_CHILDREN];
  size_t count;
};

/* Starts what is due between two snapshots; `before` NULL: nothing is. The first failure is the answer;
 * BT_STATE where some were left out. */
enum bt_code notify_changes(struct notify *notify, const struct bt_snapshot *before, const struct bt_snapshot *after,
                            struct bt_error *err) BT_NODISCARD;

#endif
