/* views/sessions.c - the session list: worst first, one row each, and why the selected one is stuck.
 *
 * Screens 6.1 and 6.11 of dashboard.md. A wide screen shows deny, lock and brief as columns; a narrow one says the
 * same in words (WHY). */
#include "views/frame.h"

#include <stdio.h>
#include <string.h>

#include "views/handover.h"
#include "views/parts.h"
#include "views/prepare.h"
#include "views/table.h"

enum column {
  STATE,
  SESSION,
  HARNESS,
  TICKET,
  BAR,
  USED,
  BAND,
  BY,
  HANDOVER,
  DENY,
  LOCK,
  BRIEF,
  WHY,
  AGE,
  COLUMN_COUNT
};

/* clang-format off */
static const struct bt_column wide_columns[COLUMN_COUNT] = {
  /*            head       least wished rank grow_to align */
  [STATE]   = {"STATE",     10,   10,   0,    0, BT_ALIGN_LEFT},
  [SESSION] = {"SESSION",   14,   14,   0,   36, BT_ALIGN_LEFT},
  [HARNESS] = {"HARNESS",    7,    7,   0,    0, BT_ALIGN_LEFT},
  [TICKET]  = {"TICKET",     6,    8,   3,   14, BT_ALIGN_LEFT},
  [BAR]     = {"CONTEXT",   12,   12,   4,    0, BT_ALIGN_RIGHT},
  [USED]    = {"USED",       5,    5,   0,    0, BT_ALIGN_LEFT},
  [BAND]    = {"BAND",       7,    7,   0,    0, BT_ALIGN_LEFT},
  [BY]      = {"BY",         5,    5,   2,    0, BT_ALIGN_LEFT},
  [HANDOVER] = {"HANDOVER", 14,   14,   5,   20, BT_ALIGN_LEFT},
  [DENY]    = {"DENY",      13,   13,   0,    0, BT_ALIGN_LEFT},
  [LOCK]    = {"LOCK",      10,   10,   0,    0, BT_ALIGN_LEFT},
  [BRIEF]   = {"BRIEF",     10,   10,   0,    0, BT_ALIGN_LEFT},
  [WHY]     = {"WHY",       20,   20,   1,   80, BT_ALIGN_LEFT},
  [AGE]     = {"AGE",        4,    4,   0,    0, BT_ALIGN_RIGHT},
};
static const struct bt_column narrow_columns[COLUMN_COUNT] = {
  [STATE]   = {"STATE",     10,   10,   0,    0, BT_ALIGN_LEFT},
  [SESSION] = {"SESSION",   10,   14,   0,    0, BT_ALIGN_LEFT},
  [HARNESS] = {"HARN",       6,    6,   3,    0, BT_ALIGN_LEFT},
  [TICKET]  = {"TICKET",     6,    8,   1,    0, BT_ALIGN_LEFT},
  [BAR]     = {"CONTEXT",   12,   12,   2,    0, BT_ALIGN_RIGHT},
  [USED]    = {"USED",       5,    5,   5,    0, BT_ALIGN_LEFT},
  [BAND]    = {"BAND",       7,    7,   4,    0, BT_ALIGN_LEFT},
  [BY]      = {"BY",         0,    0,   0,    0, BT_ALIGN_LEFT},
  [HANDOVER] = {"HANDOVER", 14,   14,   7,   20, BT_ALIGN_LEFT},
  [DENY]    = {"DENY",       0,    0,   0,    0, BT_ALIGN_LEFT},
  [LOCK]    = {"LOCK",       0,    0,   0,    0, BT_ALIGN_LEFT},
  [BRIEF]   = {"BRIEF",      0,    0,   0,    0, BT_ALIGN_LEFT},
  [WHY]     = {"WHY",       24,   24,   0,   80, BT_ALIGN_LEFT},
  [AGE]     = {"AGE",        4,    4,   6,    0, BT_ALIGN_RIGHT},
};
/* clang-format on */

static const enum column sorted_column[BT_SORT_COUNT] = {
    [BT_SORT_TRIAGE] = STATE, [BT_SORT_SESSION] = SESSION, [BT_SORT_HARNESS] = HARNESS, [BT_SORT_TICKET] = TICKET,
    [BT_SORT_CONTEXT] = USED, [BT_SORT_BAND] = BAND,       [BT_SORT_BY] = BY,           [BT_SORT_DENY] = DENY,
    [BT_SORT_LOCK] = LOCK,    [BT_SORT_BRIEF] = BRIEF,     [BT_SORT_AGE] = AGE};

#define WIDE_FROM 105
#define TABLE_AT 4 /* cursor, blank, glyph, blank */

static enum bt_role deny_role(const struct bt_deny *deny) {
  if (!deny || deny->class_ == BT_DENY_CLASS_CONSUMED)
    return BT_ROLE_DIM;
  return deny->class_ == BT_DENY_CLASS_ORPHAN || deny->class_ == BT_DENY_CLASS_INVALID ? BT_ROLE_BOLD : BT_ROLE_DEFAULT;
}

static void draw_context(const struct bt_row *row, const struct bt_context *context) {
  char percent[BT_PART_BYTES], used[BT_PART_BYTES]; /* figures to the right under a head to the left: CONTEXT USED */
  if (row->table->width[BAR])
    bt_bar_draw(row->pane, row->row, row->table->at[BAR], context, row->selected);
  bt_percent_shown(percent, context);
  snprintf(used, sizeof used, "%5.*s", BT_PART_BYTES - 6, percent);
  bt_row_cell(row, USED, context->used_known ? BT_ROLE_DEFAULT : BT_ROLE_BAND_UNKNOWN, used);
  bt_row_cell(row, BAND, bt_role_of_band(context->band), bt_band_word(context->band));
  bt_row_cell(row, BY, BT_ROLE_DIM, context->band == BT_BAND_UNKNOWN ? NULL : context->band_by);
}

static void draw_session(const struct bt_row *row, const struct bt_frame *frame, const struct bt_session *session) {
  char text[BT_PART_BYTES], why[BT_WHY_BYTES];
  char glyph[2] = {bt_state_glyph(session->state), 0};
  enum bt_role state = row->selected ? BT_ROLE_SELECTION : bt_role_of_state(session->state);
  int name_columns = row->table->width[SESSION];
  bt_pane_text(row->pane, row->row, 2, state, glyph);
  bt_row_cell(row, STATE, state, bt_state_word(session->state));
  bt_row_tick(row);
  bt_row_cell(row, SESSION, row->marked ? BT_ROLE_MARK : BT_ROLE_DEFAULT,
              bt_session_name(session, name_columns, frame->scene->unicode));
  bt_row_cell(row, HARNESS, BT_ROLE_DEFAULT, session->harness);
  bt_row_cell(row, TICKET, BT_ROLE_DEFAULT, session->ticket_id);
  draw_context(row, &session->context);
  const struct bt_handover *handover = bt_snapshot_handover(frame->snapshot, session->id);
  bt_handover_shown(text, handover, frame->now_ms);
  bt_row_cell(row, HANDOVER, bt_role_of_handover(handover), text);
  bt_deny_shown(text, session->deny);
  bt_row_cell(row, DENY, deny_role(session->deny), text);
  bt_row_cell(row, LOCK, session->lock ? bt_role_of_verdict(session->lock->verdict) : BT_ROLE_DIM,
              session->lock ? bt_lock_verdict_word(session->lock->verdict) : NULL);
  enum bt_brief_status brief = session->capture ? session->capture->status : BT_BRIEF_NONE;
  bt_row_cell(row, BRIEF, bt_role_of_brief(brief), bt_brief_shown(brief));
  bt_why_shown(why, session);
  if (handover && handover->state == BT_ASK_STATE_DUE && !row->table->width[HANDOVER]) /* it is said somewhere */
    snprintf(why, sizeof why, "handover due");
  bt_row_cell(row, WHY, BT_ROLE_DEFAULT, why);
  bt_age_of(text, session->since_ms != INT64_MIN ? session->since_ms : session->last_seen_ms, frame->now_ms);
  bt_row_cell(row, AGE, BT_ROLE_DEFAULT, text);
}

static void draw_empty(const struct bt_frame *frame, struct bt_pane list) {
  const struct bt_snapshot *snapshot = frame->snapshot;
  if (snapshot->session_count && frame->scene->only_problems && !frame->scene->filter.length) {
    bt_pane_text(list, list.rows > 2, 2, BT_ROLE_DIM, "No session needs anybody.");
  } else if (snapshot->session_count) {
    bt_frame_no_match(list, "session", frame->scene->filter.text, BT_FILTER_SESSIONS);
  } else if (!snapshot->ledger_present) {
    bt_pane_text(list, list.rows > 2, 2, BT_ROLE_DEFAULT, "There is no .adlc folder here.");
    bt_pane_text(list, (list.rows > 2) + 1, 2, BT_ROLE_DIM, "Nothing is gated and nothing is stuck.");
  } else {
    bt_pane_text(list, list.rows > 2, 2, BT_ROLE_DEFAULT, "No session has left a trace in this ledger.");
    bt_pane_text(list, (list.rows > 2) + 1, 2, BT_ROLE_DIM, "Nothing is stuck. New records appear by themselves.");
  }
  *frame->cursor = (struct bt_view_cursor){list.row, list.column, false};
}

static void draw_rows(const struct bt_frame *frame, struct bt_pane list, const struct bt_table *table) {
  const struct bt_prepared *prepared = frame->scene->prepared;
  const struct bt_scroll *scroll = &frame->scene->list;
  for (int at = 0; at < list.rows; at++) {
    size_t index = scroll->top + (size_t)at;
    if (index >= prepared->session_count || prepared->sessions[index] >= frame->snapshot->session_count)
      break;
    const bool *marked = frame->scene->marked_sessions;
    struct bt_row row = {list, at, table, index == scroll->row, marked && marked[prepared->sessions[index]]};
    if (row.selected) {
      bt_row_mark(&row);
      *frame->cursor = (struct bt_view_cursor){list.row + at, list.column, false};
    }
    draw_session(&row, frame, &frame->snapshot->sessions[prepared->sessions[index]]);
  }
}

static void draw_preview(const struct bt_frame *frame, struct bt_pane body) {
  const struct bt_layout *layout = &frame->layout;
  const struct bt_session *session = bt_view_session(frame->scene, frame->snapshot);
  int columns = body.columns - layout->detail_column;
  if (layout->detail_rows <= 0)
    return;
  for (int row = 0; layout->detail_column > 0 && row < body.rows; row++)
    bt_pane_run(body, row, layout->detail_column - 1, 1, BT_ROLE_RULE, "│", '|');
  if (session)
    bt_why_draw(frame, bt_pane_cut(body, layout->detail_rule, layout->detail_column, layout->detail_rows + 1, columns),
                session);
  else
    bt_pane_rule(bt_pane_cut(body, layout->detail_rule, layout->detail_column, 1, columns), 0, NULL, NULL);
}

void bt_sessions_draw(const struct bt_frame *frame) {
  const struct bt_layout *layout = &frame->layout;
  struct bt_pane whole = bt_frame_body(frame), body = bt_pane_cut(whole, 0, 0, whole.rows, layout->list_columns);
  struct bt_pane list = bt_pane_cut(body, layout->list_top, 0, layout->list_rows, body.columns);
  size_t count = frame->scene->prepared->session_count;
  struct bt_table table;
  struct bt_column shown[COLUMN_COUNT];
  memcpy(shown, body.columns >= WIDE_FROM ? wide_columns : narrow_columns, sizeof shown);
  if (!frame->snapshot->handovers_shown) /* nobody is asked here */
    shown[HANDOVER].least = shown[HANDOVER].wished = shown[HANDOVER].grow_to = 0;
  bt_table_fit(&table, shown, COLUMN_COUNT, TABLE_AT, body.columns - 1);
  char order[BT_PART_BYTES];
  snprintf(order, sizeof order, "%s%s%s", bt_sort_words(frame->scene->sort),
           frame->scene->sort_reversed ? ", reversed" : "", frame->scene->only_problems ? ", problems only" : "");
  bt_frame_caption(frame, order, "session", count, frame->snapshot->session_count);
  if (layout->head_row >= 0)
    bt_table_heads(body, layout->head_row, &table, sorted_column[frame->scene->sort]);
  if (count)
    draw_rows(frame, list, &table);
  else
    draw_empty(frame, list);
  draw_preview(frame, whole);
}
