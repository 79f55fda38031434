/* core/store/tickets.h - titles from the ticket store, and which ticket is active.
 *
 * Titles: spec/context-handoff.md 9.4; the whole store validates or no title is given. Active ticket: 8.9.
 * Must not know: what a ticket's work is. Reads only. */
#ifndef BATON_CORE_STORE_TICKETS_H
#define BATON_CORE_STORE_TICKETS_H

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/env.h"
#include "core/model/record.h"

struct bt_arena;

/* A validated store: ids with their titles. */
struct bt_tickets;

/* Loads and validates `tickets.json` or `tickets/` below the ledger folder `dir` (-1: none), which is env->ledger_dir.
 * BT_OK with *tickets NULL when there is no store. BT_CORRUPT, naming the first fault, when it does not validate (also
 * when the ledger folder is a link: 9.4 wants a real parent). BT_NOMEM. The caller frees. */
enum bt_code bt_tickets_load(const struct bt_env *env, int dir, struct bt_tickets **tickets,
                             struct bt_error *err) BT_NODISCARD;
void bt_tickets_free(struct bt_tickets *tickets); /* NULL is allowed */

/* Borrowed from `tickets` (NULL is allowed); NULL when there is no such ticket. */
const char *bt_tickets_title(const struct bt_tickets *tickets, const char *id);

/* How many tickets the store holds (0 for NULL), and the one at `index`: its id, and its title into *title. Borrowed. */
size_t bt_tickets_count(const struct bt_tickets *tickets);
const char *bt_tickets_at(const struct bt_tickets *tickets, size_t index, const char **title);

/* Fills `pointer` by spec 8.9 from current-ticket.json and env->ticket; strings in `arena`. What is wrong is in
 * pointer->error (INVALID_CURRENT_TICKET, ACTIVE_TICKET_CONFLICT), with pointer->id NULL. Only BT_NOMEM fails. */
enum bt_code bt_ticket_active(const struct bt_env *env, int dir, struct bt_arena *arena,
                              struct bt_ticket_pointer *pointer, struct bt_error *err) BT_NODISCARD;

/* Appends `<slug>--<sha256 of the id>.json`, the name of a ticket's file in a directory store (9.4). */
void bt_ticket_file_name(struct bt_str *out, const char *id);

#endif
