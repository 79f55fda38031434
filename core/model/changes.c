/* core/model/changes.c - two sorted lists side by side. */
#include "core/model/changes.h"

#include <stdlib.h>
#include <string.h>

static int by_id(const void *a, const void *b) {
  const struct bt_session *const *left = a;
  const struct bt_session *const *right = b;
  return strcmp((*left)->id, (*right)->id);
}

/* Pointers to the sessions, by id. NULL when memory is short. */
static const struct bt_session **sorted(const struct bt_snapshot *snapshot, size_t *count) {
  *count = snapshot ? snapshot->session_count : 0;
  const struct bt_session **list = calloc(*count + 1, sizeof(*list));
  for (size_t i = 0; list && i < *count; i++)
    list[i] = &snapshot->sessions[i];
  if (list)
    qsort(list, *count, sizeof(*list), by_id);
  return list;
}

static const struct bt_session *find(const struct bt_session **list, size_t count, const struct bt_session *wanted) {
  const struct bt_session **found = bsearch(&wanted, list, count, sizeof(*list), by_id);
  return found ? *found : NULL;
}

static enum bt_brief_status brief_of(const struct bt_session *session) {
  return session->capture ? session->capture->status : BT_BRIEF_NONE;
}

static void compare(const struct bt_snapshot *before, const struct bt_snapshot *after, const struct bt_session **old,
                    size_t old_count, const struct bt_session **new_, size_t new_count, bool briefs,
                    struct bt_changes *changes) {
  for (size_t i = 0; after && i < after->session_count; i++) {
    const struct bt_session *was = find(old, old_count, &after->sessions[i]);
    if (!was || was->state != after->sessions[i].state || (briefs && brief_of(was) != brief_of(&after->sessions[i])))
      changes->items[changes->count++] = (struct bt_change){was, &after->sessions[i]};
  }
  for (size_t i = 0; before && i < before->session_count; i++)
    if (!find(new_, new_count, &before->sessions[i]))
      changes->items[changes->count++] = (struct bt_change){&before->sessions[i], NULL};
}

static enum bt_code between(const struct bt_snapshot *before, const struct bt_snapshot *after, bool briefs,
                            struct bt_changes *changes, struct bt_error *err) {
  size_t old_count, new_count;
  *changes = (struct bt_changes){NULL, 0};
  const struct bt_session **old = sorted(before, &old_count), **new_ = sorted(after, &new_count);
  changes->items = calloc(old_count + new_count + 1, sizeof(*changes->items));
  bool ready = old && new_ && changes->items;
  if (ready)
    compare(before, after, old, old_count, new_, new_count, briefs, changes);
  free(old);
  free(new_);
  return ready ? BT_OK : bt_error_set(err, BT_NOMEM, "changes", "out of memory");
}

enum bt_code bt_changes_between(const struct bt_snapshot *before, const struct bt_snapshot *after,
                                struct bt_changes *changes, struct bt_error *err) {
  return between(before, after, false, changes, err);
}

enum bt_code bt_changes_with_briefs(const struct bt_snapshot *before, const struct bt_snapshot *after,
                                    struct bt_changes *changes, struct bt_error *err) {
  return between(before, after, true, changes, err);
}

void bt_changes_dispose(struct bt_changes *changes) {
  free(changes->items);
  *changes = (struct bt_changes){NULL, 0};
}

bool bt_change_blocks(const struct bt_change *change) {
  return change->after && change->after->state == BT_STATE_BLOCKED &&
         (!change->before || change->before->state != BT_STATE_BLOCKED);
}
