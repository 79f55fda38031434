/* views/spot.c - from a place on the screen back to what is drawn there. */
#include "views/hint_line.h"
#include "views/prepare.h"

/* The row of the list below which nothing lies over it. */
static struct bt_spot row_at(const struct bt_frame *frame, int row, int column) {
  const struct bt_scene *scene = frame->scene;
  const struct bt_layout *layout = &frame->layout;
  bool locks = scene->page == BT_PAGE_LOCKS;
  bool records = scene->page == BT_PAGE_RECORDS;
  const struct bt_scroll *scroll = locks ? &scene->locks : records ? &scene->records_scroll : &scene->list;
  size_t count = locks     ? scene->prepared->lock_count
                 : records ? (scene->records ? scene->records->count : 0)
                           : scene->prepared->session_count;
  int line = row - layout->body_top - layout->list_top;
  if (column >= layout->list_columns || line < 0 || line >= layout->list_rows || scroll->top + (size_t)line >= count)
    return (struct bt_spot){BT_SPOT_NOTHING, 0};
  return (struct bt_spot){BT_SPOT_ROW, scroll->top + (size_t)line};
}

struct bt_spot bt_view_spot(const struct bt_scene *scene, const struct bt_snapshot *snapshot, int row, int column) {
  struct bt_spot nothing = {BT_SPOT_NOTHING, 0};
  if (!snapshot || !scene->prepared || bt_view_too_small(scene))
    return nothing;
  struct bt_frame frame = {.screen = {.rows = scene->rows, .columns = scene->columns},
                           .layout = bt_layout_of(scene, snapshot),
                           .snapshot = snapshot,
                           .scene = scene};
  if (row == frame.layout.hints_row && !bt_frame_hints_covered(&frame)) {
    int hint = bt_hint_line_at(&frame, column);
    return hint < 0 ? nothing : (struct bt_spot){BT_SPOT_HINT, (size_t)hint};
  }
  bool listed = scene->page == BT_PAGE_LIST || scene->page == BT_PAGE_LOCKS || scene->page == BT_PAGE_RECORDS;
  return listed && scene->overlay == BT_OVERLAY_NONE ? row_at(&frame, row, column) : nothing;
}
