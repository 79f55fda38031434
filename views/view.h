/* views/view.h - the one entry: snapshot and scene in, cells out.
 *
 * Pure: draws, cannot fail, allocate, block or know the time (design rule 5). */
#ifndef BATON_VIEWS_VIEW_H
#define BATON_VIEWS_VIEW_H

#include "views/scene.h"
#include "views/surface.h"

#define BT_VIEW_ROWS_MIN 8
#define BT_VIEW_COLUMNS_MIN 36

struct bt_view_cursor { /* where the terminal's own cursor is to be parked */
  int row, column;
  bool typing; /* true in a text field: make it visible as an insertion point */
};

/* Draws the whole scene into `surface` (whose size wins over scene->rows/columns). `snapshot` may be NULL: nothing
 * is loaded yet. */
void bt_view_draw(struct bt_surface *surface, const struct bt_snapshot *snapshot, const struct bt_scene *scene,
                  struct bt_view_cursor *cursor);

/* True where only the "too small" message is drawn; the app then acts on quit, help-free Esc and resizes only. */
bool bt_view_too_small(const struct bt_scene *scene);

/* Puts selections and scroll offsets in range after any change: rows follow selected_id/selected_lock, the
 * selection and the current hit are visible, no text is scrolled past its end. Call after bt_prepared_update.
 * When the selected session or lock is gone, the row number stays and selected_id/selected_lock moves to it. */
void bt_view_settle(struct bt_scene *scene, const struct bt_snapshot *snapshot);

/* Rows of the scrolling part that has the focus now (for page up/down), >= 1. */
size_t bt_view_page_rows(const struct bt_scene *scene, const struct bt_snapshot *snapshot);

/* Borrowed; NULL when there is none. Selected session of the list, or the open one on its page. */
const struct bt_session *bt_view_session(const struct bt_scene *scene, const struct bt_snapshot *snapshot);
const struct bt_lock *bt_view_lock(const struct bt_scene *scene, const struct bt_snapshot *snapshot);

#endif
