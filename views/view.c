/* views/view.c - puts a scene together, one layer over the other. */
#include "views/view.h"

#include <stdio.h>
#include <string.h>

#include "views/frame.h"
#include "views/parts.h"
#include "views/prepare.h"

static void draw_too_small(struct bt_pane screen, const struct bt_snapshot *snapshot) {
  bt_pane_text(screen, 0, 0, BT_ROLE_TITLE, "baton: too small");
  bt_pane_printf(screen, 1, 0, BT_ROLE_DEFAULT, "%dx%d, needs %dx%d", screen.columns, screen.rows, BT_VIEW_COLUMNS_MIN,
                 BT_VIEW_ROWS_MIN);
  if (snapshot && snapshot->state_counts[BT_STATE_BLOCKED])
    bt_pane_printf(screen, 2, 0, BT_ROLE_STATE_BLOCKED, "! %s %zu", bt_state_word(BT_STATE_BLOCKED),
                   snapshot->state_counts[BT_STATE_BLOCKED]);
  else if (snapshot)
    bt_pane_text(screen, 2, 0, BT_ROLE_DIM, "nothing is blocked");
}

static void draw_loading(struct bt_pane screen) {
  bt_pane_text(screen, 0, 1, BT_ROLE_TITLE, "baton");
  bt_pane_text(screen, 2, 1, BT_ROLE_DIM, "reading the ledger ...");
}

static void draw_page(const struct bt_frame *frame) {
  if (frame->scene->overlay == BT_OVERLAY_HELP)
    bt_help_draw(frame);
  else if (frame->scene->page == BT_PAGE_LOCKS)
    bt_locks_draw(frame);
  else if (frame->scene->page == BT_PAGE_LOG)
    bt_log_draw(frame);
  else if (frame->scene->page == BT_PAGE_RECORDS)
    bt_records_draw(frame);
  else if (frame->scene->page == BT_PAGE_DELIVERIES)
    bt_deliveries_draw(frame);
  else if (frame->scene->page == BT_PAGE_WHY)
    bt_explain_draw(frame);
  else if (frame->scene->page == BT_PAGE_SESSION)
    bt_session_draw(frame);
  else
    bt_sessions_draw(frame);
}

void bt_view_draw(struct bt_surface *surface, const struct bt_snapshot *snapshot, const struct bt_scene *scene,
                  struct bt_view_cursor *cursor) {
  struct bt_pane screen = bt_pane_whole(surface);
  static const struct bt_prepared nothing;
  struct bt_scene shown = *scene;
  shown.rows = surface->rows;
  shown.columns = surface->columns;
  shown.unicode = surface->unicode;
  if (!shown.prepared)
    shown.prepared = &nothing;
  bt_surface_clear(surface);
  *cursor = (struct bt_view_cursor){0, 0, false};
  if (bt_view_too_small(&shown)) {
    draw_too_small(screen, snapshot);
    return;
  }
  if (!snapshot) {
    draw_loading(screen);
    return;
  }
  struct bt_frame frame = {screen, bt_layout_of(&shown, snapshot), snapshot,
                           &shown, bt_scene_now(&shown, snapshot), cursor};
  bt_frame_header(&frame);
  if (shown.page != BT_PAGE_SESSION && shown.page != BT_PAGE_WHY && shown.page != BT_PAGE_LOG &&
      shown.page != BT_PAGE_RECORDS && shown.page != BT_PAGE_DELIVERIES && shown.overlay != BT_OVERLAY_HELP)
    bt_frame_totals(&frame);
  bt_frame_notice(&frame);
  draw_page(&frame);
  if (shown.overlay == BT_OVERLAY_DIALOG || shown.overlay == BT_OVERLAY_BULK) {
    bt_pane_repaint(bt_pane_cut(screen, 1, 0, frame.layout.hints_row - 1, screen.columns), BT_ROLE_BACKDROP);
    bt_frame_footer(&frame);
    if (shown.overlay == BT_OVERLAY_BULK)
      bt_bulk_draw(&frame);
    else
      bt_dialog_draw(&frame);
  } else {
    bt_frame_footer(&frame);
  }
}
