/* tui/steady.h - a state word changes on the screen only after two looks agree (dashboard.md row 88).
 *
 * Pure but for memory: time is handed in. A snapshot whose sessions are in other states than those on show is held
 * until a second one says the same with no sign of change between the two; for at most STEADY_MOST_MS, since a ledger
 * that never comes to rest must not freeze the screen. What else differs is never held up. */
#ifndef BATON_TUI_STEADY_H
#define BATON_TUI_STEADY_H

#include <stdbool.h>
#include <stdint.h>

#include "core/model/snapshot.h"

#define STEADY_QUIET_MS 150 /* from the last sign of change to the second look */
#define STEADY_MOST_MS 2500

struct steady {
  struct bt_snapshot *held; /* owned; NULL: none */
  int64_t since_ms;         /* of the first that was held */
  bool disturbed;           /* something has changed since `held` was read */
  bool at_once;             /* the next one was asked for by the user: it is shown */
};

/* What to show now, or NULL: not yet, look again after STEADY_QUIET_MS. `next` moves in, the result moves out. */
struct bt_snapshot *steady_take(struct steady *steady, const struct bt_snapshot *shown, struct bt_snapshot *next,
                                int64_t now_ms);
void steady_disturb(struct steady *steady); /* the ledger may have changed */
void steady_dispose(struct steady *steady);

#endif
