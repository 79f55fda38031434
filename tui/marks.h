/* tui/marks.h - which rows are marked: by session id, or by path where a lock is no session's.
 *
 * Pure. Owns its strings, so marks outlive the snapshot they were made on: refresh, sorting and filters leave them alone. A
 * mark goes away by itself only when what it names is gone. Rules: dashboard.md row 63. */
#ifndef BATON_TUI_MARKS_H
#define BATON_TUI_MARKS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/model/snapshot.h"

struct mark {
  bool session; /* `name` is a session's id, else the path of a lock */
  char *name;
};
struct marks {       /* starts zeroed */
  struct mark *list; /* sorted */
  size_t count, room;
  /* one flag for each session and lock of the snapshot last fitted */
  bool *sessions, *locks;
  const struct bt_snapshot *fitted;
};

/* The mark a row stands for: both of a session and its lock are one. Borrowed. */
struct mark mark_of_session(const struct bt_session *session);
struct mark mark_of_lock(const struct bt_lock *lock);

bool marks_has(const struct marks *marks, struct mark mark);
bool marks_add(struct marks *marks, struct mark mark); /* false: out of memory, nothing is changed */
void marks_remove(struct marks *marks, struct mark mark);
void marks_clear(struct marks *marks);
void marks_dispose(struct marks *marks); /* leaves it zeroed */

/* Forgets what is not there any more and sets the flags anew, where snapshot or marks have changed since. False when memory
 * is short: then no flags are there. `snapshot` NULL: as if nothing was there, but nothing is forgotten. */
bool marks_fit(struct marks *marks, const struct bt_snapshot *snapshot);

#endif
