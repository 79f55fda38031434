/* views/order.h - puts the rows of the session list in the order that was asked for.
 *
 * Stable: what is equal keeps the triage order, so two readings of the same ledger give the same list. */
#ifndef BATON_VIEWS_ORDER_H
#define BATON_VIEWS_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "views/scene.h"

struct bt_order_item { /* what is small comes first; nothing known comes last, whichever way */
  const char *text;
  double number;
  bool known;
  uint32_t index;
};

/* `rows` are indexes into snapshot->sessions, ascending; `items` is room for as many. */
void bt_order_sessions(uint32_t *rows, struct bt_order_item *items, size_t count, const struct bt_snapshot *snapshot,
                       enum bt_sort sort, bool reversed);

#endif
