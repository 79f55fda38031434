/* views/records.c - the session records: every one with its verdict, its age and what became of its source, the
 * selected one in full. */
#include "views/frame.h"

#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/str.h"
#include "views/flow.h"
#include "views/parts.h"
#include "views/table.h"

enum column { PROJECT, RECORD, HARNESS, TURNS, REVISION, AGE, VERIFY, SOURCE, COLUMN_COUNT };

/* clang-format off */
static const struct bt_column columns[COLUMN_COUNT] = {
  /*             head        least wished rank grow_to align */
  [PROJECT]  = {"PROJECT",    8,   14,   3,   24, BT_ALIGN_LEFT},
  [RECORD]   = {"RECORD",    10,   22,   0,   48, BT_ALIGN_LEFT},
  [HARNESS]  = {"HARNESS",    7,   11,   1,   14, BT_ALIGN_LEFT},
  [TURNS]    = {"TURNS",      5,    7,   4,    0, BT_ALIGN_RIGHT},
  [REVISION] = {"REV",        3,    4,   2,    0, BT_ALIGN_RIGHT},
  [AGE]      = {"AGE",        4,    5,   5,    0, BT_ALIGN_RIGHT},
  [VERIFY]   = {"VERIFY",     6,    6,   0,    0, BT_ALIGN_LEFT},
  [SOURCE]   = {"SOURCE",     9,    9,   0,    0, BT_ALIGN_LEFT},
};
/* clang-format on */

#define TABLE_AT 2

static enum bt_role verdict_role(enum bt_record_verdict verdict) {
  return verdict == BT_RECORD_PASS ? BT_ROLE_VERIFIED : verdict == BT_RECORD_FAIL ? BT_ROLE_TAMPERED : BT_ROLE_WARNING;
}

static enum bt_role source_role(enum bt_record_source source) {
  return source == BT_RECORD_SAME ? BT_ROLE_DEFAULT : source == BT_RECORD_GROWN ? BT_ROLE_NEXT_STEP : BT_ROLE_WARNING;
}

static void draw_row(const struct bt_row *row, const struct bt_frame *frame, const struct bt_record_item *item) {
  char number[BT_PART_BYTES];
  bt_row_cell(row, PROJECT, BT_ROLE_DEFAULT, item->project);
  bt_row_cell(row, RECORD, BT_ROLE_DEFAULT, item->id);
  bt_row_cell(row, HARNESS, BT_ROLE_DEFAULT, item->harness);
  bt_number_shown(number, item->turns);
  bt_row_cell(row, TURNS, BT_ROLE_DEFAULT, item->turns < 0 ? "?" : number);
  bt_number_shown(number, item->revisions);
  bt_row_cell(row, REVISION, BT_ROLE_DEFAULT, item->revisions < 0 ? "?" : number);
  bt_age_of(number, item->updated_ms, frame->now_ms);
  bt_row_cell(row, AGE, BT_ROLE_DEFAULT, number);
  bt_row_cell(row, VERIFY, verdict_role(item->verdict), bt_record_verdict_word(item->verdict));
  bt_row_cell(row, SOURCE, source_role(item->source_state), bt_record_source_word(item->source_state));
}

static void draw_rows(const struct bt_frame *frame, struct bt_pane list, const struct bt_table *table) {
  const struct bt_records_view *records = frame->scene->records;
  for (int at = 0; at < list.rows; at++) {
    size_t index = frame->scene->records_scroll.top + (size_t)at;
    if (index >= records->count)
      break;
    struct bt_row row = {list, at, table, index == frame->scene->records_scroll.row, false};
    if (row.selected) {
      bt_row_mark(&row);
      *frame->cursor = (struct bt_view_cursor){list.row + at, list.column, false};
    }
    draw_row(&row, frame, &records->items[index]);
  }
}

/* ---- the selected one ---- */

static const char *verdict_words(const struct bt_record_item *item) {
  return item->verdict == BT_RECORD_PASS ? "its manifest, its turns and its payload agree"
         : item->why                     ? item->why
                                         : "could not be looked at";
}

static const char *source_words(const struct bt_record_item *item) {
  static const char *const words[] = {
      [BT_RECORD_SAME] = "unchanged since the record was built",
      [BT_RECORD_GROWN] = "has grown: a refresh adds what is new",
      [BT_RECORD_OTHER] = "holds other bytes now: a refresh adds only turns above the last one",
      [BT_RECORD_GONE] = "is not there any more: the record is what is left",
      [BT_RECORD_UNKNOWN] = "nothing says what it held",
      [BT_RECORD_ELSEWHERE] = "not known from here: its path is relative to the folder it was built in"};
  return words[item->source_state];
}

static void draw_detail(const struct bt_frame *frame, struct bt_pane pane, const struct bt_record_item *item) {
  struct bt_flow flow;
  char left[BT_FIELD_BYTES], when[BT_PART_BYTES];
  snprintf(left, sizeof left, "%.160s", item->id);
  bt_clock_full(when, frame->scene, item->updated_ms);
  bt_pane_rule(pane, 0, left, item->updated_ms != BT_TIME_UNKNOWN ? when : NULL);
  bt_flow_start(&flow, bt_pane_cut(pane, 1, 0, pane.rows - 1, pane.columns - 1), 0);
  bt_flow_printf(&flow, 2, BT_ROLE_LABEL, "verify", 13, verdict_role(item->verdict), "%s: %s",
                 bt_record_verdict_word(item->verdict), verdict_words(item));
  bt_flow_printf(&flow, 2, BT_ROLE_LABEL, "source", 13, source_role(item->source_state), "%s",
                 item->source ? source_words(item) : "none is named");
  if (item->source)
    bt_flow_labelled(&flow, 2, BT_ROLE_LABEL, "", 13, BT_ROLE_DIM, item->source);
  bt_flow_labelled(&flow, 2, BT_ROLE_LABEL, "folder", 13, BT_ROLE_DIM, item->folder);
  if (item->session && !bt_text_equals(item->session, item->id))
    bt_flow_labelled(&flow, 2, BT_ROLE_LABEL, "session", 13, BT_ROLE_DEFAULT, item->session);
  if (item->objective)
    bt_flow_labelled(&flow, 2, BT_ROLE_LABEL, "objective", 13, BT_ROLE_QUOTED, item->objective);
}

/* ---- the whole ---- */

static void draw_totals(const struct bt_frame *frame, const struct bt_records_view *records) {
  struct bt_pane row = bt_pane_cut(frame->screen, 1, 0, 1, frame->screen.columns);
  int at = 1;
  at += bt_pane_printf(row, 0, at, BT_ROLE_DEFAULT, "%zu record%s in %zu project%s", records->count,
                       records->count == 1 ? "" : "s", records->projects, records->projects == 1 ? "" : "s");
  at += 2;
  size_t failed = records->verdicts[BT_RECORD_FAIL], unchecked = records->verdicts[BT_RECORD_UNCHECKED];
  if (failed)
    at += bt_pane_printf(row, 0, at, BT_ROLE_BAD, "%zu FAIL", failed) + (unchecked ? 2 : 0);
  if (unchecked)
    at += bt_pane_printf(row, 0, at, BT_ROLE_WARNING, "%zu not checked", unchecked);
  else if (records->count && !failed)
    at += bt_pane_text(row, 0, at, BT_ROLE_VERIFIED, "all verify");
  at += 2;
  const char *busy = frame->scene->records_busy ? "reading again ..." : NULL;
  int end = row.columns - (busy ? (int)strlen(busy) + 3 : 1);
  if (busy)
    bt_pane_text(row, 0, end + 2, BT_ROLE_DIM, busy);
  if (at + 8 < end)
    bt_pane_field(row, 0, at, end - at, BT_ALIGN_LEFT, BT_ROLE_DIM, records->root);
}

static void draw_nothing(const struct bt_frame *frame, struct bt_pane list) {
  const struct bt_scene *scene = frame->scene;
  struct bt_flow flow;
  const char *key = scene->verbs[BT_VERB_RECORD].keys;
  bt_flow_start(&flow, bt_pane_cut(list, list.rows > 2, 0, list.rows - (list.rows > 2), list.columns - 1), 0);
  if (scene->records_error)
    bt_flow_wrap(&flow, 2, BT_ROLE_WARNING, scene->records_error);
  else if (!scene->records || scene->records_busy) /* what an older look did not find may be there by now */
    bt_flow_wrap(&flow, 2, BT_ROLE_DIM, "looking through the records ...");
  else
    bt_flow_printf(&flow, 2, BT_ROLE_DIM, NULL, 2, BT_ROLE_DIM,
                   "No record has been built yet in %s. On a session's row %s builds its record from its transcript.",
                   scene->records->root, key ? key : "the record key");
}

void bt_records_draw(const struct bt_frame *frame) {
  const struct bt_layout *layout = &frame->layout;
  const struct bt_records_view *records = frame->scene->records;
  struct bt_pane body = bt_frame_body(frame);
  struct bt_pane list = bt_pane_cut(body, layout->list_top, 0, layout->list_rows, body.columns);
  struct bt_table table;
  *frame->cursor = (struct bt_view_cursor){list.row, list.column, false};
  if (records)
    draw_totals(frame, records);
  if (layout->caption_row >= 0)
    bt_pane_rule(body, layout->caption_row, "newest first", NULL);
  bt_table_fit(&table, columns, COLUMN_COUNT, TABLE_AT, body.columns - 1);
  if (layout->head_row >= 0)
    bt_table_heads(body, layout->head_row, &table, COLUMN_COUNT);
  if (!records || !records->count) {
    draw_nothing(frame, list);
    return;
  }
  draw_rows(frame, list, &table);
  const struct bt_record_item *item = bt_view_record(frame->scene);
  if (layout->detail_rows > 0 && item)
    draw_detail(frame, bt_pane_cut(body, layout->detail_rule, 0, layout->detail_rows + 1, body.columns), item);
}
