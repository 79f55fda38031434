/* views/log.c - the evidence log: every entry with its verdicts, what files say beside it, and the selected one in full.
 *
 * Screen 6.8 of dashboard.md. Rows in brackets are told by files; nobody signed them. */
#include "views/frame.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "views/flow.h"
#include "views/parts.h"
#include "views/prepare.h"
#include "views/table.h"
#include "views/text.h"

enum column { TIME, SEQ, GATE, SESSION, TICKET, OUTCOME, SIGNATURE, COLUMN_COUNT };

/* clang-format off */
static const struct bt_column columns[COLUMN_COUNT] = {
  /*              head         least wished rank grow_to align */
  [TIME]      = {"TIME",        8,   20,   0,    0, BT_ALIGN_LEFT},
  [SEQ]       = {"SEQ",         3,    5,   2,    0, BT_ALIGN_LEFT},
  [GATE]      = {"GATE",       16,   26,   0,   40, BT_ALIGN_LEFT},
  [SESSION]   = {"SESSION",    10,   14,   3,   36, BT_ALIGN_LEFT},
  [TICKET]    = {"TICKET",      6,    8,   1,    0, BT_ALIGN_LEFT},
  [OUTCOME]   = {"OUTCOME",    10,   13,   0,   24, BT_ALIGN_LEFT},
  [SIGNATURE] = {"SIGNATURE",   9,    9,   0,    0, BT_ALIGN_LEFT},
};
static const struct bt_column few_columns[COLUMN_COUNT] = {
  [TIME]      = {"TIME",        8,    8,   0,    0, BT_ALIGN_LEFT},
  [SEQ]       = {"SEQ",         3,    5,   2,    0, BT_ALIGN_LEFT},
  [GATE]      = {"GATE",       14,   26,   0,    0, BT_ALIGN_LEFT},
  [SESSION]   = {"SESSION",    10,   14,   3,    0, BT_ALIGN_LEFT},
  [TICKET]    = {"TICKET",      6,    8,   1,    0, BT_ALIGN_LEFT},
  [OUTCOME]   = {"OUTCOME",     9,   13,   0,    0, BT_ALIGN_LEFT},
  [SIGNATURE] = {"SIGNATURE",   8,    9,   0,    0, BT_ALIGN_LEFT},
};
/* clang-format on */

#define TABLE_AT 2
#define FEW_BELOW 60

static enum bt_role signature_role(const struct bt_log_row *row) {
  static const enum bt_role roles[] = {
      [BT_LOG_UNSIGNED] = BT_ROLE_WARNING,  [BT_LOG_SIGNED] = BT_ROLE_VERIFIED, [BT_LOG_BAD] = BT_ROLE_TAMPERED,
      [BT_LOG_UNCHECKED] = BT_ROLE_WARNING, [BT_LOG_NO_ENTRY] = BT_ROLE_DIM,    [BT_LOG_OWN] = BT_ROLE_DIM};
  return row->chain_ok ? roles[row->signature] : BT_ROLE_TAMPERED;
}

/* Most gates begin alike: where not all of one fits, that is the part to leave out. */
static const char *gate_shown(char out[BT_PART_BYTES], const struct bt_frame *frame, const char *gate, int width) {
  static const char shared[] = "context-handoff";
  size_t length = sizeof(shared) - 1;
  if ((int)strlen(gate) <= width || strncmp(gate, shared, length) != 0 || gate[length] != '-')
    return gate;
  snprintf(out, BT_PART_BYTES, "%s%.40s", frame->scene->unicode ? "…" : "~", gate + length);
  return out;
}

static void draw_row(const struct bt_row *row, const struct bt_frame *frame, const struct bt_log_row *entry) {
  char when[BT_PART_BYTES], gate[BT_PART_BYTES];
  enum bt_role role = entry->derived ? BT_ROLE_DIM : BT_ROLE_DEFAULT;
  enum { DAY_AND_MINUTE = 16 };
  int width = row->table->width[TIME];
  if (width < DAY_AND_MINUTE + 1)
    bt_clock_minute(when, frame->scene, entry->ts_ms);
  else
    bt_clock_full(when, frame->scene, entry->ts_ms);
  if (width > DAY_AND_MINUTE && (int)strlen(when) > width) /* without the seconds */
    snprintf(when + DAY_AND_MINUTE, sizeof when - DAY_AND_MINUTE, "%s", frame->scene->utc ? "Z" : "");
  bt_row_cell(row, TIME, role, entry->ts_ms == BT_TIME_UNKNOWN ? "?" : when);
  bt_row_cell(row, SEQ, role, entry->seq);
  bt_row_cell(row, GATE, role, gate_shown(gate, frame, entry->gate, row->table->width[GATE]));
  bt_row_cell(row, SESSION, role, entry->session);
  bt_row_cell(row, TICKET, role, entry->ticket);
  bt_row_cell(row, OUTCOME, entry->aborted ? BT_ROLE_WARNING : role, entry->outcome);
  bt_row_cell(row, SIGNATURE, signature_role(entry),
              entry->chain_ok ? bt_log_signature_word(entry->signature) : "BROKEN");
}

static void draw_rows(const struct bt_frame *frame, struct bt_pane list, const struct bt_table *table) {
  const struct bt_prepared *prepared = frame->scene->prepared;
  const struct bt_log_view *log = frame->scene->log;
  for (int at = 0; at < list.rows; at++) {
    size_t index = frame->scene->log_scroll.top + (size_t)at;
    if (index >= prepared->log_count || prepared->log[index] >= log->count)
      break;
    struct bt_row row = {list, at, table, index == frame->scene->log_scroll.row, false};
    if (row.selected) {
      bt_row_mark(&row);
      *frame->cursor = (struct bt_view_cursor){list.row + at, list.column, false};
    }
    draw_row(&row, frame, &log->rows[prepared->log[index]]);
  }
}

/* ---- the selected one ---- */

static const char *signature_words(const struct bt_log_row *entry) {
  static const char *const words[] = {[BT_LOG_UNSIGNED] = "none",
                                      [BT_LOG_SIGNED] = "holds with the loaded key",
                                      [BT_LOG_BAD] = "does not verify with this key: writes will be refused",
                                      [BT_LOG_UNCHECKED] = "cannot be checked without the key",
                                      [BT_LOG_NO_ENTRY] = "none: this row is told by a file, no signed entry says it",
                                      [BT_LOG_OWN] = "none: this row is told by baton's own log, which nobody signed"};
  return words[entry->signature];
}

static void draw_detail(struct bt_pane pane, const struct bt_log_row *entry) {
  struct bt_flow flow;
  char left[BT_FIELD_BYTES];
  snprintf(left, sizeof left, "%s%.40s%s%.120s", entry->seq ? "seq " : "", entry->seq ? entry->seq : "",
           entry->seq ? "  " : "", entry->gate);
  bt_pane_rule(pane, 0, left,
               entry->aborted && pane.columns >= 90 ? "ABORTED = authorised, but its deny was never consumed" : NULL);
  bt_flow_start(&flow, bt_pane_cut(pane, 1, 0, pane.rows - 1, pane.columns - 1), 0);
  bt_flow_labelled(&flow, 2, BT_ROLE_NEXT_STEP, entry->read_as ? "READ AS" : NULL, 13, BT_ROLE_BOLD, entry->read_as);
  if (entry->session || entry->successor)
    bt_flow_printf(&flow, 2, BT_ROLE_LABEL, "session", 13, BT_ROLE_DEFAULT, "%s%s%s",
                   entry->session ? entry->session : "-", entry->successor ? "   goes on in " : "",
                   entry->successor ? entry->successor : "");
  bt_flow_labelled(&flow, 2, BT_ROLE_LABEL, "signature", 13, signature_role(entry), signature_words(entry));
  if (!entry->derived)
    bt_flow_printf(&flow, 2, BT_ROLE_LABEL, "chain", 13, entry->chain_ok ? BT_ROLE_DEFAULT : BT_ROLE_BAD, "%s",
                   entry->chain_ok       ? "holds here, and the next line points at this one"
                   : entry->chain_reason ? entry->chain_reason
                                         : "broken");
  if (entry->line)
    bt_flow_printf(&flow, 2, BT_ROLE_LABEL, "line", 13, BT_ROLE_DIM, "%s line %" PRIu64, entry->file, entry->line);
  else
    bt_flow_labelled(&flow, 2, BT_ROLE_LABEL, "file", 13, BT_ROLE_DIM, entry->file);
  if (entry->data)
    bt_flow_labelled(&flow, 2, BT_ROLE_LABEL, "data", 13, BT_ROLE_QUOTED, entry->data);
}

/* ---- the whole ---- */

/* The signatures in one line of words, for which room is kept beside a long reason. */
static int signatures_width(const struct bt_log_view *log) {
  char text[BT_FIELD_BYTES];
  int width = snprintf(text, sizeof text, "signatures %" PRIu64 " ok", log->good);
  if (log->bad)
    width += snprintf(text, sizeof text, ", %" PRIu64 " BAD", log->bad);
  if (log->unchecked)
    width += snprintf(text, sizeof text, ", %" PRIu64 " not checkable", log->unchecked);
  if (log->unsigned_)
    width += snprintf(text, sizeof text, ", %" PRIu64 " unsigned", log->unsigned_);
  return width;
}

static int draw_chain(struct bt_pane row, const struct bt_log_view *log) {
  char text[BT_FIELD_BYTES];
  if (!log->chain_broken)
    return bt_pane_printf(row, 0, 1, BT_ROLE_VERIFIED, "chain ok%s%s", log->last_seq ? " to seq " : "",
                          log->last_seq ? log->last_seq : "");
  snprintf(text, sizeof text, "chain BROKEN: %s", log->chain_broken);
  int room = row.columns - signatures_width(log) - 4, least = 13; /* the two words are never left out */
  int width = bt_text_width(text, strlen(text), row.surface->unicode, row.columns);
  if (room < least)
    room = row.columns - 2;
  return bt_pane_field(row, 0, 1, width < room ? width : room, BT_ALIGN_LEFT, BT_ROLE_BAD, text);
}

static void draw_totals(const struct bt_frame *frame, const struct bt_log_view *log) {
  struct bt_pane row = bt_pane_cut(frame->screen, 1, 0, 1, frame->screen.columns);
  int at = 1 + draw_chain(row, log);
  at += 2;
  at += bt_pane_printf(row, 0, at, BT_ROLE_DEFAULT, "signatures %" PRIu64 " ok", log->good);
  if (log->bad)
    at += bt_pane_printf(row, 0, at, BT_ROLE_BAD, ", %" PRIu64 " BAD", log->bad);
  if (log->unchecked)
    at += bt_pane_printf(row, 0, at, BT_ROLE_WARNING, ", %" PRIu64 " not checkable", log->unchecked);
  if (log->unsigned_)
    at += bt_pane_printf(row, 0, at, BT_ROLE_WARNING, ", %" PRIu64 " unsigned", log->unsigned_);
  const char *right = frame->scene->log_fixed ? "not following" : "following";
  if (at + (int)strlen(right) + 3 < row.columns)
    bt_pane_text(row, 0, row.columns - (int)strlen(right) - 1, BT_ROLE_DIM, right);
}

static void draw_caption(const struct bt_frame *frame, const struct bt_log_view *log) {
  const struct bt_field *filter = &frame->scene->log_filter;
  char right[BT_FIELD_BYTES + BT_PART_BYTES], derived[40] = ""; /* rows in brackets, which a filter counts as well */
  if (frame->layout.caption_row < 0)
    return;
  if (!log->cut && log->count > log->entries)
    snprintf(derived, sizeof derived, ", %zu derived", log->count - log->entries);
  if (filter->length)
    snprintf(right, sizeof right, "%zu of %s%zu   filter: %s", frame->scene->prepared->log_count,
             log->cut ? "the newest " : "", log->count, filter->text);
  else
    snprintf(right, sizeof right, "%zu entr%s%s%s", log->entries, log->entries == 1 ? "y" : "ies", derived,
             log->cut ? ", the oldest not shown" : "");
  bt_pane_rule(bt_frame_body(frame), frame->layout.caption_row, "newest first", right);
}

static void draw_nothing(const struct bt_frame *frame, struct bt_pane list) {
  const struct bt_scene *scene = frame->scene;
  const char *text = scene->log_error ? scene->log_error
                     : !scene->log    ? "reading the evidence ..."
                                      : "Nothing has been recorded here yet.";
  if (!scene->log_error && scene->log && scene->log_filter.length) {
    bt_frame_no_match(list, scene->log->cut ? "entry among the newest" : "entry", scene->log_filter.text,
                      BT_FILTER_LOG);
    return;
  }
  bt_pane_field(list, list.rows > 2, 2, list.columns - 3, BT_ALIGN_LEFT,
                scene->log_error ? BT_ROLE_WARNING : BT_ROLE_DIM, text);
}

void bt_log_draw(const struct bt_frame *frame) {
  const struct bt_layout *layout = &frame->layout;
  const struct bt_log_view *log = frame->scene->log;
  struct bt_pane body = bt_frame_body(frame);
  struct bt_pane list = bt_pane_cut(body, layout->list_top, 0, layout->list_rows, body.columns);
  struct bt_table table;
  *frame->cursor = (struct bt_view_cursor){list.row, list.column, false};
  if (log) {
    draw_totals(frame, log);
    draw_caption(frame, log);
  }
  bt_table_fit(&table, body.columns < FEW_BELOW ? few_columns : columns, COLUMN_COUNT, TABLE_AT, body.columns - 1);
  if (layout->head_row >= 0)
    bt_table_heads(body, layout->head_row, &table, TIME);
  if (!log || !frame->scene->prepared->log_count) {
    draw_nothing(frame, list);
    return;
  }
  draw_rows(frame, list, &table);
  const struct bt_log_row *entry = bt_view_log_row(frame->scene);
  if (layout->detail_rows > 0 && entry)
    draw_detail(bt_pane_cut(body, layout->detail_rule, 0, layout->detail_rows + 1, body.columns), entry);
}
