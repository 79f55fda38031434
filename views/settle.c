/* views/settle.c - keeps selections and scroll offsets in range, and moves them. */
#include "views/view.h"

#include <string.h>

#include "core/base/str.h"
#include "views/explain.h"
#include "views/frame.h"
#include "views/parts.h"
#include "views/prepare.h"

static struct bt_frame frame_of(const struct bt_scene *scene, const struct bt_snapshot *snapshot) {
  struct bt_frame frame = {{NULL, 0, 0, 0, scene->columns},
                           bt_layout_of(scene, snapshot),
                           snapshot,
                           scene,
                           bt_scene_now(scene, snapshot),
                           NULL};
  return frame;
}

const struct bt_session *bt_view_session(const struct bt_scene *scene, const struct bt_snapshot *snapshot) {
  const struct bt_prepared *prepared = scene->prepared;
  if (!snapshot)
    return NULL;
  if (scene->page == BT_PAGE_SESSION || scene->page == BT_PAGE_WHY)
    return scene->session_id ? bt_snapshot_session(snapshot, scene->session_id) : NULL;
  if (!prepared || scene->list.row >= prepared->session_count ||
      prepared->sessions[scene->list.row] >= snapshot->session_count)
    return NULL;
  return &snapshot->sessions[prepared->sessions[scene->list.row]];
}

const struct bt_log_row *bt_view_log_row(const struct bt_scene *scene) {
  const struct bt_prepared *prepared = scene->prepared;
  if (!scene->log || !prepared || scene->log_scroll.row >= prepared->log_count ||
      prepared->log[scene->log_scroll.row] >= scene->log->count)
    return NULL;
  return &scene->log->rows[prepared->log[scene->log_scroll.row]];
}

const struct bt_record_item *bt_view_record(const struct bt_scene *scene) {
  bool there = scene->records && scene->records_scroll.row < scene->records->count;
  return there ? &scene->records->items[scene->records_scroll.row] : NULL;
}

const struct bt_delivery_row *bt_view_delivery(const struct bt_scene *scene) {
  if (!scene->deliveries || scene->delivery_rows.row >= scene->deliveries->count)
    return NULL;
  return &scene->deliveries->rows[scene->delivery_rows.row];
}

const struct bt_lock *bt_view_lock(const struct bt_scene *scene, const struct bt_snapshot *snapshot) {
  const struct bt_prepared *prepared = scene->prepared;
  if (!snapshot || !prepared || scene->locks.row >= prepared->lock_count ||
      prepared->locks[scene->locks.row] >= snapshot->lock_count)
    return NULL;
  return &snapshot->locks[prepared->locks[scene->locks.row]];
}

/* The selected row inside the window, the window inside the rows. */
static void keep_in_sight(struct bt_scroll *scroll, size_t count, size_t visible) {
  if (!visible)
    visible = 1;
  if (scroll->row >= count)
    scroll->row = count ? count - 1 : 0;
  if (scroll->top > scroll->row)
    scroll->top = scroll->row;
  if (scroll->row - scroll->top >= visible)
    scroll->top = scroll->row - visible + 1;
  if (count <= visible)
    scroll->top = 0;
  else if (scroll->top > count - visible)
    scroll->top = count - visible;
}

static void clamp_top(size_t *top, size_t lines, size_t visible) {
  size_t most = lines > visible ? lines - visible : 0;
  if (*top > most)
    *top = most;
}

/* Where the scrolling part that the keys move keeps its place, how long it is, and how much of it is in sight. */
struct part {
  struct bt_scroll *rows; /* a list with a selection, or */
  size_t *top;            /* a text */
  size_t count, visible;
};

static struct part moving_part(struct bt_scene *scene, const struct bt_snapshot *snapshot) {
  struct bt_frame frame = frame_of(scene, snapshot);
  struct part part = {NULL, NULL, 0, frame.layout.list_rows > 0 ? (size_t)frame.layout.list_rows : 1};
  if (scene->overlay == BT_OVERLAY_HELP) {
    part.top = &scene->help_scroll.top;
    part.count = bt_help_lines(&frame);
    part.visible = frame.layout.body_rows > 0 ? (size_t)frame.layout.body_rows : 1;
  } else if (scene->overlay == BT_OVERLAY_DIALOG) {
    part.top = &scene->dialog.top;
    part.count = bt_dialog_lines(&frame, &part.visible);
  } else if (scene->overlay == BT_OVERLAY_BULK) {
    part.top = &scene->dialog.top;
    part.count = bt_bulk_lines(&frame, &part.visible);
  } else if (scene->page == BT_PAGE_SESSION) {
    part.top = &scene->tabs[scene->tab].top;
    part.count = snapshot ? bt_session_lines(&frame) : 0;
  } else if (scene->page == BT_PAGE_LOG) {
    part.rows = &scene->log_scroll;
    part.count = scene->prepared ? scene->prepared->log_count : 0;
  } else if (scene->page == BT_PAGE_RECORDS) {
    part.rows = &scene->records_scroll;
    part.count = scene->records ? scene->records->count : 0;
  } else if (scene->page == BT_PAGE_DELIVERIES && scene->delivery_open) {
    part.top = &scene->delivery_top;
    part.count = bt_deliveries_lines(&frame);
  } else if (scene->page == BT_PAGE_DELIVERIES) {
    part.rows = &scene->delivery_rows;
    part.count = scene->deliveries ? scene->deliveries->count : 0;
  } else if (scene->page == BT_PAGE_WHY) {
    part.rows = &scene->why_scroll;
    part.count = bt_explain_parts(scene->why);
  } else if (scene->page == BT_PAGE_LOCKS) {
    part.rows = &scene->locks;
    part.count = scene->prepared ? scene->prepared->lock_count : 0;
  } else {
    part.rows = &scene->list;
    part.count = scene->prepared ? scene->prepared->session_count : 0;
  }
  return part;
}

static void follow_session(struct bt_scene *scene, const struct bt_snapshot *snapshot) {
  const struct bt_prepared *prepared = scene->prepared;
  for (size_t i = 0; scene->selected_id && i < prepared->session_count; i++)
    if (bt_text_equals(snapshot->sessions[prepared->sessions[i]].id, scene->selected_id)) {
      scene->list.row = i;
      break;
    }
}

static void follow_lock(struct bt_scene *scene, const struct bt_snapshot *snapshot) {
  const struct bt_prepared *prepared = scene->prepared;
  for (size_t i = 0; scene->selected_lock && i < prepared->lock_count; i++)
    if (bt_text_equals(snapshot->locks[prepared->locks[i]].path, scene->selected_lock)) {
      scene->locks.row = i;
      break;
    }
}

/* Names of what is at the selected rows now. */
static void name_selected(struct bt_scene *scene, const struct bt_snapshot *snapshot) {
  const struct bt_prepared *prepared = scene->prepared;
  scene->selected_id =
      scene->list.row < prepared->session_count ? snapshot->sessions[prepared->sessions[scene->list.row]].id : NULL;
  scene->selected_lock =
      scene->locks.row < prepared->lock_count ? snapshot->locks[prepared->locks[scene->locks.row]].path : NULL;
}

/* The part under the cursor in sight: its beginning where it is longer than the screen. */
static void settle_why(struct bt_scene *scene, const struct bt_snapshot *snapshot) {
  struct bt_frame frame = frame_of(scene, snapshot);
  struct bt_scroll *scroll = &scene->why_scroll;
  size_t parts = bt_explain_parts(scene->why),
         visible = frame.layout.list_rows > 0 ? (size_t)frame.layout.list_rows : 1;
  if (scroll->row >= parts)
    scroll->row = parts ? parts - 1 : 0;
  struct bt_explain_place place = bt_explain_find(&frame, scroll->row);
  if (place.end > scroll->top + visible)
    scroll->top = place.end - visible;
  if (place.first < scroll->top)
    scroll->top = place.first;
  clamp_top(&scroll->top, place.lines, visible);
}

static void settle_rows(struct bt_scene *scene, const struct bt_snapshot *snapshot) {
  struct bt_layout layout = bt_layout_of(scene, snapshot);
  size_t visible = layout.list_rows > 0 ? (size_t)layout.list_rows : 1;
  keep_in_sight(&scene->list, scene->prepared->session_count, visible);
  keep_in_sight(&scene->log_scroll, scene->prepared->log_count, visible);
  keep_in_sight(&scene->delivery_rows, scene->deliveries ? scene->deliveries->count : 0, visible);
  keep_in_sight(&scene->locks, scene->prepared->lock_count, visible);
  keep_in_sight(&scene->records_scroll, scene->records ? scene->records->count : 0, visible);
  name_selected(scene, snapshot);
  if (scene->page == BT_PAGE_WHY)
    settle_why(scene, snapshot);
}

static void settle_text(struct bt_scene *scene, const struct bt_snapshot *snapshot) {
  const struct bt_text_rows *text = bt_prepared_text(scene);
  struct part part = moving_part(scene, snapshot);
  if (part.top)
    clamp_top(part.top, part.count, part.visible);
  if (!text || scene->hit >= text->hit_count)
    scene->hit = text && text->hit_count ? text->hit_count - 1 : 0;
}

void bt_view_settle(struct bt_scene *scene, const struct bt_snapshot *snapshot) {
  if (!snapshot || !scene->prepared || scene->prepared->snapshot != snapshot)
    return;
  if (scene->session_id) {
    const struct bt_session *open = bt_snapshot_session(snapshot, scene->session_id);
    scene->session_id = open ? open->id : NULL;
  }
  follow_session(scene, snapshot);
  follow_lock(scene, snapshot);
  settle_rows(scene, snapshot);
  settle_text(scene, snapshot);
}

void bt_view_move_to(struct bt_scene *scene, const struct bt_snapshot *snapshot, size_t row) {
  struct part part = moving_part(scene, snapshot);
  if (!snapshot || !scene->prepared || scene->prepared->snapshot != snapshot)
    return;
  if (part.top) {
    *part.top = row;
    clamp_top(part.top, part.count, part.visible);
    return;
  }
  part.rows->row = row;
  settle_rows(scene, snapshot);
}

void bt_view_move(struct bt_scene *scene, const struct bt_snapshot *snapshot, long delta) {
  struct part part = moving_part(scene, snapshot);
  size_t at = part.top ? *part.top : part.rows->row, step = delta < 0 ? (size_t) - (delta + 1) + 1 : (size_t)delta;
  if (delta < 0)
    at = at > step ? at - step : 0;
  else
    at = step < SIZE_MAX - at ? at + step : SIZE_MAX;
  bt_view_move_to(scene, snapshot, at);
}

void bt_view_select(struct bt_scene *scene, const struct bt_snapshot *snapshot, size_t row) {
  if (!snapshot || !scene->prepared || scene->prepared->snapshot != snapshot)
    return;
  scene->list.row = row;
  settle_rows(scene, snapshot);
}

void bt_view_show_hit(struct bt_scene *scene, const struct bt_snapshot *snapshot) {
  const struct bt_text_rows *text = bt_prepared_text(scene);
  if (!text || !text->hit_count || scene->overlay != BT_OVERLAY_NONE)
    return;
  if (scene->hit >= text->hit_count)
    scene->hit = text->hit_count - 1;
  struct part part = moving_part(scene, snapshot);
  size_t row = text->hits[scene->hit].row;
  if (row < *part.top || row - *part.top >= part.visible)
    *part.top = row > part.visible / 3 ? row - part.visible / 3 : 0;
  clamp_top(part.top, part.count, part.visible);
}

size_t bt_view_hit_from_top(const struct bt_scene *scene) {
  const struct bt_text_rows *text = bt_prepared_text(scene);
  for (size_t i = 0; text && i < text->hit_count; i++)
    if (text->hits[i].row >= scene->tabs[scene->tab].top)
      return i;
  return 0;
}

size_t bt_view_page_rows(const struct bt_scene *scene, const struct bt_snapshot *snapshot) {
  struct bt_scene copy = *scene;
  struct part part = moving_part(&copy, snapshot);
  return part.visible > 1 ? part.visible - 1 : 1;
}
