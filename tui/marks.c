/* tui/marks.c - a sorted list of names. */
#include "tui/marks.h"

#include <stdlib.h>
#include <string.h>

struct mark mark_of_session(const struct bt_session *session) {
  return (struct mark){true, (char *)(uintptr_t)session->id};
}

struct mark mark_of_lock(const struct bt_lock *lock) {
  bool session = lock->kind == BT_LOCK_SESSION;
  return (struct mark){session, (char *)(uintptr_t)(session ? lock->name : lock->path)};
}

static int compare(const struct mark *a, const struct mark *b) {
  return a->session != b->session ? (a->session ? -1 : 1) : strcmp(a->name, b->name);
}

/* Where it is, or where it belongs. */
static size_t place_of(const struct marks *marks, const struct mark *mark, bool *there) {
  size_t low = 0, high = marks->count;
  *there = false;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = compare(mark, &marks->list[middle]);
    if (order == 0) {
      *there = true;
      return middle;
    }
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

bool marks_has(const struct marks *marks, struct mark mark) {
  bool there;
  (void)place_of(marks, &mark, &there);
  return there;
}

static void unfit(struct marks *marks) {
  free(marks->sessions);
  free(marks->locks);
  marks->sessions = marks->locks = NULL;
  marks->fitted = NULL;
}

bool marks_add(struct marks *marks, struct mark mark) {
  bool there;
  size_t at = place_of(marks, &mark, &there);
  if (there)
    return true;
  if (marks->count == marks->room) {
    size_t room = marks->room ? marks->room * 2 : 16;
    struct mark *grown = realloc(marks->list, room * sizeof(*grown));
    if (!grown)
      return false;
    marks->list = grown;
    marks->room = room;
  }
  char *name = strdup(mark.name);
  if (!name)
    return false;
  memmove(&marks->list[at + 1], &marks->list[at], (marks->count - at) * sizeof(*marks->list));
  marks->list[at] = (struct mark){mark.session, name};
  marks->count++;
  unfit(marks);
  return true;
}

void marks_remove(struct marks *marks, struct mark mark) {
  bool there;
  size_t at = place_of(marks, &mark, &there);
  if (!there)
    return;
  free(marks->list[at].name);
  marks->count--;
  memmove(&marks->list[at], &marks->list[at + 1], (marks->count - at) * sizeof(*marks->list));
  unfit(marks);
}

void marks_clear(struct marks *marks) {
  for (size_t i = 0; i < marks->count; i++)
    free(marks->list[i].name);
  marks->count = 0;
  unfit(marks);
}

void marks_dispose(struct marks *marks) {
  marks_clear(marks);
  free(marks->list);
  *marks = (struct marks){.list = NULL};
}

/* Sets the flags of one snapshot; met[i] says that mark i is of something there. */
static void set_flags(struct marks *marks, const struct bt_snapshot *snapshot, bool *met) {
  bool there;
  for (size_t i = 0; i < snapshot->session_count; i++) {
    struct mark mark = mark_of_session(&snapshot->sessions[i]);
    size_t at = mark.name ? place_of(marks, &mark, &there) : 0;
    if (mark.name && there)
      met[at] = marks->sessions[i] = true;
  }
  for (size_t i = 0; i < snapshot->lock_count; i++) {
    struct mark mark = mark_of_lock(&snapshot->locks[i]);
    size_t at = mark.name ? place_of(marks, &mark, &there) : 0;
    if (mark.name && there)
      met[at] = marks->locks[i] = true;
  }
}

static void forget_unmet(struct marks *marks, const bool *met) {
  size_t kept = 0;
  for (size_t i = 0; i < marks->count; i++)
    if (met[i])
      marks->list[kept++] = marks->list[i];
    else
      free(marks->list[i].name);
  marks->count = kept;
}

bool marks_fit(struct marks *marks, const struct bt_snapshot *snapshot) {
  if (!snapshot || marks->fitted == snapshot)
    return true;
  unfit(marks);
  if (marks->count == 0)
    return true;
  bool *met = calloc(marks->count, sizeof(*met));
  marks->sessions = calloc(snapshot->session_count + 1, sizeof(*marks->sessions));
  marks->locks = calloc(snapshot->lock_count + 1, sizeof(*marks->locks));
  bool whole = met && marks->sessions && marks->locks;
  if (whole) {
    set_flags(marks, snapshot, met);
    forget_unmet(marks, met);
    marks->fitted = snapshot;
  } else {
    unfit(marks);
  }
  free(met);
  return whole;
}
