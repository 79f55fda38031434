/* views/layout.c - sharing out the rows. */
#include "views/layout.h"

#include <stdio.h>

#include "views/prepare.h"
#include "views/view.h"

int bt_layout_text_columns(const struct bt_scene *scene) {
  int columns = scene->columns - BT_TEXT_GUTTER - 1;
  return columns < 1 ? 1 : columns;
}

#define DIALOG_COLUMNS_MAX 100

int bt_layout_dialog_columns(const struct bt_scene *scene) {
  if (scene->columns < 90) /* narrower ones have no columns to spare for what is behind */
    return scene->columns;
  return scene->columns - 4 < DIALOG_COLUMNS_MAX ? scene->columns - 4 : DIALOG_COLUMNS_MAX;
}

int bt_layout_dialog_text_columns(const struct bt_scene *scene) {
  int columns = bt_layout_dialog_columns(scene) - 4 - BT_TEXT_GUTTER;
  return columns < 1 ? 1 : columns;
}

bool bt_view_too_small(const struct bt_scene *scene) {
  return scene->rows < BT_VIEW_ROWS_MIN || scene->columns < BT_VIEW_COLUMNS_MIN;
}

bool bt_notice(const struct bt_snapshot *snapshot, char *out, size_t size, bool *bad) {
  *bad = true;
  if (snapshot->ledger_error)
    snprintf(out, size, "the ledger cannot be read: %s", snapshot->ledger_error);
  else if (!snapshot->ledger_present)
    snprintf(out, size, "no .adlc here: the gate is not in force");
  else if (!snapshot->store.ok)
    snprintf(out, size, "deny store: %s - every session here is refused",
             snapshot->store.reason ? snapshot->store.reason : "not readable");
  else if (snapshot->foreign_owner)
    snprintf(out, size, ".adlc belongs to uid %u, not to you: what cannot be proved is shown as unknown",
             snapshot->owner_uid);
  else if (snapshot->ledger_lock_note)
    snprintf(out, size, "%s", snapshot->ledger_lock_note);
  else if (snapshot->evidence.problem)
    snprintf(out, size, "evidence: %s", snapshot->evidence.problem);
  else if (snapshot->store.heal_due)
    *bad = false, snprintf(out, size, "%s", snapshot->store.heal_due);
  else if (snapshot->problem_count)
    snprintf(out, size, "%zu record%s cannot be used: %s: %s", snapshot->problem_count,
             snapshot->problem_count == 1 ? "" : "s",
             snapshot->problems[0].subject ? snapshot->problems[0].subject : "?",
             snapshot->problems[0].text ? snapshot->problems[0].text : "?");
  else if (snapshot->tickets_error)
    snprintf(out, size, "tickets: %s", snapshot->tickets_error);
  else
    return false;
  return true;
}

static int at_least(int value, int least) {
  return value < least ? least : value;
}

#define PREVIEW_FROM 56        /* columns; narrower: none */
#define PREVIEW_RIGHT_FROM 100 /* right of the list where it is asked for */
#define PREVIEW_RIGHT_AUTO 180 /* and by itself: the list keeps its wide columns */

const char *bt_preview_spelling(enum bt_preview preview) {
#define BT_PREVIEW_SPELLING(name, spelling, words) spelling,
  static const char *const spellings[] = {BT_PREVIEWS(BT_PREVIEW_SPELLING)};
  return spellings[preview];
}

const char *bt_preview_words(enum bt_preview preview) {
#define BT_PREVIEW_WORDS(name, spelling, words) words,
  static const char *const words_of[] = {BT_PREVIEWS(BT_PREVIEW_WORDS)};
  return words_of[preview];
}

static bool preview_is_right(const struct bt_layout *layout, enum bt_preview preview) {
  int from = preview == BT_PREVIEW_RIGHT ? PREVIEW_RIGHT_FROM : PREVIEW_RIGHT_AUTO;
  return (preview == BT_PREVIEW_RIGHT || preview == BT_PREVIEW_AUTO) && layout->columns >= from && layout->rows >= 16;
}

static void share_columns(struct bt_layout *layout) {
  int columns = layout->columns * 2 / 5;
  layout->list_columns = layout->columns - (columns > 80 ? 80 : columns) - 1; /* a bar between the two */
  layout->detail_column = layout->list_columns + 1;
  layout->detail_rule = 0;
  layout->detail_top = 1;
  layout->detail_rows = at_least(layout->body_rows - 1, 1);
}

static void share_list(struct bt_layout *layout, enum bt_preview wanted, bool any) {
  bool preview = wanted != BT_PREVIEW_OFF && any && layout->columns >= PREVIEW_FROM;
  int used = (layout->caption_row >= 0) + (layout->head_row >= 0);
  int free_rows = at_least(layout->body_rows - used, 1);
  int detail = !preview || layout->rows < 20 ? 0
               : layout->rows >= 48          ? 15
               : layout->rows >= 32          ? 11
               : layout->rows >= 28          ? 7
                                             : 4;
  layout->list_top = used;
  layout->list_rows = free_rows;
  if (preview && preview_is_right(layout, wanted)) {
    share_columns(layout);
    return;
  }
  if (!detail)
    return;
  layout->detail_compact = detail < 7;
  layout->list_rows = free_rows - detail - 1;
  layout->detail_rule = layout->list_top + layout->list_rows;
  layout->detail_top = layout->detail_rule + 1;
  layout->detail_rows = detail;
}

/* The locks take what they need, up to half; their evidence has the rest. */
static void share_locks(struct bt_layout *layout, size_t count) {
  int used = (layout->caption_row >= 0) + (layout->head_row >= 0);
  int free_rows = at_least(layout->body_rows - used, 1);
  layout->list_top = used;
  layout->list_rows = free_rows;
  if (layout->rows < 16)
    return;
  int list = count < (size_t)(free_rows / 2) ? (int)count : free_rows / 2;
  layout->list_rows = at_least(list, 3);
  layout->detail_rule = layout->list_top + layout->list_rows;
  layout->detail_top = layout->detail_rule + 1;
  layout->detail_rows = at_least(layout->body_rows - layout->detail_top, 0);
}

/* The entries first; what one of them says below, where there is room for both. */
static void share_log(struct bt_layout *layout) {
  int used = (layout->caption_row >= 0) + (layout->head_row >= 0);
  layout->list_top = used;
  layout->list_rows = at_least(layout->body_rows - used, 1);
  if (layout->rows < 16)
    return;
  layout->detail_rows = layout->rows >= 32 ? 9 : 6;
  layout->list_rows = at_least(layout->list_rows - layout->detail_rows - 1, 3);
  layout->detail_rule = layout->list_top + layout->list_rows;
  layout->detail_top = layout->detail_rule + 1;
}

static void share_session(struct bt_layout *layout, const struct bt_session *session) {
  int used = layout->caption_row >= 0;
  layout->head_row = -1;
  layout->list_top = used;
  layout->list_rows = at_least(layout->body_rows - used, 1);
  if (layout->rows < 20 || !session)
    return;
  int most = layout->rows >= 32 ? 4 : 2;
  layout->detail_rows = session->other_count + 1 < (size_t)most ? (int)session->other_count + 1 : most;
  layout->list_rows -= layout->detail_rows + 1;
  layout->detail_rule = layout->list_top + layout->list_rows;
  layout->detail_top = layout->detail_rule + 1;
}

struct bt_layout bt_layout_of(const struct bt_scene *scene, const struct bt_snapshot *snapshot) {
  struct bt_layout layout = {.rows = scene->rows,
                             .columns = scene->columns,
                             .list_columns = scene->columns,
                             .notice_row = -1,
                             .rule_row = -1,
                             .caption_row = -1,
                             .head_row = -1,
                             .detail_rule = -1,
                             .detail_top = -1};
  char text[8];
  bool bad;
  layout.too_small = bt_view_too_small(scene);
  int top = 2, bottom = layout.rows;
  layout.message_row = --bottom;
  layout.hints_row = layout.rows >= 14 ? --bottom : layout.message_row;
  if (layout.rows >= 11)
    layout.rule_row = --bottom;
  if (snapshot && layout.rows >= 10 && bt_notice(snapshot, text, sizeof text, &bad))
    layout.notice_row = top++;
  layout.body_top = top;
  layout.body_rows = at_least(bottom - top, 0);
  if (layout.rows >= 11)
    layout.caption_row = 0;
  if (layout.rows >= 12)
    layout.head_row = layout.caption_row + 1;
  if (scene->page == BT_PAGE_LIST)
    share_list(&layout, scene->preview, scene->prepared && scene->prepared->session_count);
  else if (scene->page == BT_PAGE_LOCKS)
    share_locks(&layout, scene->prepared ? scene->prepared->lock_count : 0);
  else if (scene->page == BT_PAGE_LOG || scene->page == BT_PAGE_RECORDS)
    share_log(&layout);
  else if (scene->page == BT_PAGE_DELIVERIES && !scene->delivery_open)
    share_locks(&layout, scene->deliveries ? scene->deliveries->count : 0);
  else if (scene->page == BT_PAGE_WHY || scene->page == BT_PAGE_DELIVERIES)
    layout.list_rows = at_least(layout.body_rows, 1);
  else
    share_session(&layout, bt_view_session(scene, snapshot));
  return layout;
}
