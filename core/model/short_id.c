/* core/model/short_id.c - narrow names for sessions, unique inside one snapshot. */
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/utf8.h"
#include "core/model/triage.h"

#define NARROW_COLUMNS 14
#define UUID_LENGTH 36
#define UUID_HEAD 8

static bool is_hex(char byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
}

static bool is_uuid(const char *id) {
  if (strlen(id) != UUID_LENGTH)
    return false;
  for (size_t i = 0; i < UUID_LENGTH; i++) {
    bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? id[i] != '-' : !is_hex(id[i]))
      return false;
  }
  return true;
}

/* Bytes of `id` that a narrow column can show; all of them where they fit. */
static size_t narrow_length(const char *id) {
  size_t length = strlen(id), at = 0;
  if (is_uuid(id))
    return UUID_HEAD;
  int columns = 0;
  while (at < length) {
    struct bt_cluster cluster;
    bt_cluster_next(&cluster, id + at, length - at, false);
    if (columns + cluster.columns > NARROW_COLUMNS)
      break;
    columns += cluster.columns;
    at += cluster.consumed;
  }
  return at ? at : length;
}

static int by_short(const void *a, const void *b) {
  const struct bt_session *const *x = a, *const *y = b;
  return strcmp((*x)->id_short, (*y)->id_short);
}

bool bt_triage_short_ids(struct bt_arena *arena, struct bt_session *sessions, size_t count) {
  if (count == 0)
    return true;
  struct bt_session **order = malloc(count * sizeof(*order));
  if (!order)
    return false;
  bool done = false;
  for (size_t i = 0; i < count; i++) {
    size_t narrow = narrow_length(sessions[i].id);
    sessions[i].id_short = sessions[i].id[narrow] ? bt_arena_strndup(arena, sessions[i].id, narrow) : sessions[i].id;
    if (!sessions[i].id_short)
      goto out;
    order[i] = &sessions[i];
  }
  qsort(order, count, sizeof(*order), by_short);
  for (size_t i = 0; i < count;) {
    size_t next = i + 1;
    while (next < count && strcmp(order[next]->id_short, order[i]->id_short) == 0)
      next++;
    if (next - i > 1)
      for (size_t k = i; k < next; k++)
        order[k]->id_short = order[k]->id;
    i = next;
  }
  done = true;
out:
  free(order);
  return done;
}
