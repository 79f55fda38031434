/* core/store/ticket_check.c - the rules of a ticket store. */
#include "core/store/ticket_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/json.h"

bool bt_json_is_finite(const struct bt_json *value) {
  double number;
  if (bt_json_number(value, &number))
    return isfinite(number);
  enum bt_json_type type = bt_json_type(value);
  if (type != BT_JSON_ARRAY && type != BT_JSON_OBJECT)
    return true;
  for (const struct bt_json *child = bt_json_first(value); child; child = bt_json_next(child))
    if (!bt_json_is_finite(child))
      return false;
  return true;
}

static bool has_text(const struct bt_json *object, const char *key) {
  const char *text = bt_json_get_string(object, key);
  return text && *text;
}

static bool is_text_list(const struct bt_json *value) {
  if (bt_json_type(value) != BT_JSON_ARRAY)
    return false;
  for (const struct bt_json *item = bt_json_first(value); item; item = bt_json_next(item))
    if (bt_json_type(item) != BT_JSON_STRING)
      return false;
  return true;
}

static bool is_edge_list(const struct bt_json *value) {
  if (bt_json_type(value) != BT_JSON_ARRAY)
    return false;
  for (const struct bt_json *item = bt_json_first(value); item; item = bt_json_next(item))
    if (bt_json_type(item) != BT_JSON_OBJECT || !has_text(item, "to"))
      return false;
  return true;
}

/* The first rule that one ticket breaks, or NULL. */
static const char *fault_of(const struct bt_json *ticket) {
  double duration;
  const struct bt_json *value;
  if (bt_json_type(ticket) != BT_JSON_OBJECT)
    return "a ticket is not an object";
  if (!has_text(ticket, "id"))
    return "a ticket has no id";
  if (!has_text(ticket, "title"))
    return "a ticket has no title";
  if ((value = bt_json_get(ticket, "scope")) && !is_text_list(value))
    return "scope is not a list of texts";
  if ((value = bt_json_get(ticket, "rails")) && !is_text_list(value))
    return "rails is not a list of texts";
  if ((value = bt_json_get(ticket, "edges")) && !is_edge_list(value))
    return "edges is not a list of objects with `to`";
  if ((value = bt_json_get(ticket, "duration")) &&
      !(bt_json_number(value, &duration) && isfinite(duration) && duration > 0))
    return "duration is not a number above 0";
  if (bt_json_get(ticket, "_adlcArchive"))
    return "an archived ticket stands in the store";
  return NULL;
}

static bool grow(struct bt_ticket_list *list) {
  if (list->count < list->capacity)
    return true;
  size_t capacity = list->capacity ? list->capacity * 2 : 64;
  struct bt_ticket *items = BT_ARENA_ARRAY(list->arena, struct bt_ticket, capacity);
  if (!items)
    return false;
  if (list->count)
    memcpy(items, list->items, list->count * sizeof(*items));
  list->items = items;
  list->capacity = capacity;
  return true;
}

static bool copy_edges(struct bt_arena *arena, const struct bt_json *edges, struct bt_ticket *ticket) {
  size_t count = bt_json_count(edges);
  if (count == 0)
    return true;
  ticket->edges = BT_ARENA_ARRAY(arena, const char *, count);
  if (!ticket->edges)
    return false;
  for (const struct bt_json *edge = bt_json_first(edges); edge; edge = bt_json_next(edge)) {
    const char *to = bt_arena_strdup(arena, bt_json_get_string(edge, "to"));
    if (!to)
      return false;
    ticket->edges[ticket->edge_count++] = to;
  }
  return true;
}

enum bt_code bt_ticket_add(struct bt_ticket_list *list, const struct bt_json *json, const char *subject,
                           struct bt_error *err) {
  const char *fault = fault_of(json);
  if (fault)
    return bt_error_set(err, BT_CORRUPT, subject, "%s", fault);
  if (!grow(list))
    return bt_error_set(err, BT_NOMEM, subject, "out of memory");
  struct bt_ticket *ticket = &list->items[list->count];
  *ticket = (struct bt_ticket){.id = bt_arena_strdup(list->arena, bt_json_get_string(json, "id")),
                               .title = bt_arena_strdup(list->arena, bt_json_get_string(json, "title"))};
  if (!ticket->id || !ticket->title || !copy_edges(list->arena, bt_json_get(json, "edges"), ticket))
    return bt_error_set(err, BT_NOMEM, subject, "out of memory");
  list->count++;
  return BT_OK;
}

static int by_id(const void *a, const void *b) {
  const struct bt_ticket *x = a, *y = b;
  return strcmp(x->id, y->id);
}

const struct bt_ticket *bt_tickets_find(const struct bt_ticket_list *list, const char *id) {
  struct bt_ticket key = {.id = id};
  return list->count ? bsearch(&key, list->items, list->count, sizeof(*list->items), by_id) : NULL;
}

/* Depth first with a stack of our own: a chain of tickets may be as long as the store. */
static bool has_cycle(const struct bt_ticket_list *list, size_t *stack, size_t *next_edge, unsigned char *colour) {
  enum { WHITE, GREY, BLACK };
  for (size_t root = 0; root < list->count; root++) {
    size_t depth = 0;
    if (colour[root] != WHITE)
      continue;
    stack[depth++] = root;
    colour[root] = GREY;
    while (depth > 0) {
      size_t at = stack[depth - 1];
      if (next_edge[at] == list->items[at].edge_count) {
        colour[at] = BLACK;
        depth--;
        continue;
      }
      size_t to = (size_t)(bt_tickets_find(list, list->items[at].edges[next_edge[at]++]) - list->items);
      if (colour[to] == GREY)
        return true;
      if (colour[to] == WHITE) {
        colour[to] = GREY;
        stack[depth++] = to;
      }
    }
  }
  return false;
}

enum bt_code bt_tickets_check(struct bt_ticket_list *list, struct bt_error *err) {
  if (list->count == 0)
    return BT_OK;
  qsort(list->items, list->count, sizeof(*list->items), by_id);
  for (size_t i = 1; i < list->count; i++)
    if (strcmp(list->items[i - 1].id, list->items[i].id) == 0)
      return bt_error_set(err, BT_CORRUPT, list->items[i].id, "two tickets have this id");
  for (size_t i = 0; i < list->count; i++)
    for (size_t k = 0; k < list->items[i].edge_count; k++)
      if (!bt_tickets_find(list, list->items[i].edges[k]))
        return bt_error_set(err, BT_CORRUPT, list->items[i].id, "an edge leads to no ticket");
  size_t *stack = calloc(list->count, sizeof(*stack)), *next_edge = calloc(list->count, sizeof(*next_edge));
  unsigned char *colour = calloc(list->count, 1);
  enum bt_code code = BT_OK;
  if (!stack || !next_edge || !colour)
    code = bt_error_set(err, BT_NOMEM, "tickets", "out of memory");
  else if (has_cycle(list, stack, next_edge, colour))
    code = bt_error_set(err, BT_CORRUPT, "tickets", "the edges run in a circle");
  free(stack);
  free(next_edge);
  free(colour);
  return code;
}
