/* views/view.h - the one entry: snapshot and scene in, cells out; and how a scene moves within what is shown.
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

/* True where only the "too small" message is drawn; nothing can be read then, so nothing may be confirmed. */
bool bt_view_too_small(const struct bt_scene *scene);

/* Puts selections and scroll offsets in range after any change. Call after bt_prepared_update, and with a new
 * snapshot before the old one is freed: selected_id, session_id and selected_lock are pointed into `snapshot`. The
 * selection follows the session, not the row; where it is gone the row stays and the session now there is selected.
 * An open session that is gone leaves session_id NULL (the page says so). */
void bt_view_settle(struct bt_scene *scene, const struct bt_snapshot *snapshot);

/* Moves what the keys move now - the selection of the list or the locks, else the text, help or dialog facts - by
 * `delta` rows, or to `row` (SIZE_MAX: the last). In range afterwards. */
void bt_view_move(struct bt_scene *scene, const struct bt_snapshot *snapshot, long delta);
void bt_view_move_to(struct bt_scene *scene, const struct bt_snapshot *snapshot, size_t row);

/* Selects a row of the session list whatever page is open (next/previous session). Clamped. */
void bt_view_select(struct bt_scene *scene, const struct bt_snapshot *snapshot, size_t row);

/* Scrolls the open text so that hit number scene->hit (clamped) is in sight. */
void bt_view_show_hit(struct bt_scene *scene, const struct bt_snapshot *snapshot);
/* First hit at or below the first visible row; 0 when there is none below. For a search just typed. */
size_t bt_view_hit_from_top(const struct bt_scene *scene);

/* What is drawn at a place of the screen: for the mouse. */
enum bt_spot_kind {
  BT_SPOT_NOTHING,
  BT_SPOT_ROW,  /* of the list or the locks; `index` as for bt_view_move_to */
  BT_SPOT_HINT, /* a key hint; `index` into scene->hints */
};
struct bt_spot {
  enum bt_spot_kind kind;
  size_t index;
};
struct bt_spot bt_view_spot(const struct bt_scene *scene, const struct bt_snapshot *snapshot, int row, int column);

/* Rows of the scrolling part that the keys move now (for page up/down), >= 1. */
size_t bt_view_page_rows(const struct bt_scene *scene, const struct bt_snapshot *snapshot);

/* Borrowed; NULL when there is none. The selected session of the list, or the open one on its page. */
const struct bt_session *bt_view_session(const struct bt_scene *scene, const struct bt_snapshot *snapshot);
const struct bt_log_row *bt_view_log_row(const struct bt_scene *scene);
const struct bt_record_item *bt_view_record(const struct bt_scene *scene);
const struct bt_delivery_row *bt_view_delivery(const struct bt_scene *scene);
const struct bt_lock *bt_view_lock(const struct bt_scene *scene, const struct bt_snapshot *snapshot);

#endif
