/* core/store/ticket_check.h - do these tickets make a valid store? (spec/context-handoff.md 9.4)
 *
 * Owns: the rules for one ticket and for all of them together. Must not know: files. */
#ifndef BATON_CORE_STORE_TICKET_CHECK_H
#define BATON_CORE_STORE_TICKET_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

struct bt_arena;
struct bt_json;

struct bt_ticket {
  const char *id, *title;
  const char **edges; /* ids that it points at */
  size_t edge_count;
};

struct bt_ticket_list {
  struct bt_arena *arena;
  struct bt_ticket *items; /* sorted by id once bt_tickets_check has passed */
  size_t count, capacity;
};

/* Adds one ticket; BT_CORRUPT when a field breaks a rule, BT_NOMEM. `subject` names it in the error. */
enum bt_code bt_ticket_add(struct bt_ticket_list *list, const struct bt_json *ticket, const char *subject,
                           struct bt_error *err) BT_NODISCARD;

/* Ids are unique, edges lead somewhere, and not in a circle. BT_CORRUPT, BT_NOMEM. */
enum bt_code bt_tickets_check(struct bt_ticket_list *list, struct bt_error *err) BT_NODISCARD;

/* No number in the tree has overflowed. */
bool bt_json_is_finite(const struct bt_json *value);

const struct bt_ticket *bt_tickets_find(const struct bt_ticket_list *list, const char *id); /* sorted lists only */

#endif
