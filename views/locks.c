/* views/locks.c - every lock with its verdict, for the selected one what proves it, and the supervisors of this host.
 *
 * Screen 6.3 of dashboard.md, rows 18-22: a verdict needs evidence, age never decides, another host is never judged
 * from here. */
#include "views/frame.h"

#include <stdio.h>

#include "core/base/clock.h"
#include "views/carried.h"
#include "views/flow.h"
#include "views/parts.h"
#include "views/prepare.h"
#include "views/record.h"
#include "views/table.h"

enum column { VERDICT, LOCK, HOST, PID, STARTED, AGE, EVIDENCE, COLUMN_COUNT };

/* clang-format off */
static const struct bt_column columns[COLUMN_COUNT] = {
  /*             head          least wished rank grow_to align */
  [VERDICT]  = {"VERDICT",      10,   10,   0,    0, BT_ALIGN_LEFT},
  [LOCK]     = {"LOCK",         12,   14,   0,    0, BT_ALIGN_LEFT},
  [HOST]     = {"HOST",         10,   13,   3,    0, BT_ALIGN_LEFT},
  [PID]      = {"PID",           7,    8,   2,    0, BT_ALIGN_LEFT},
  [STARTED]  = {"STARTED AT",   19,   19,   1,    0, BT_ALIGN_LEFT},
  [AGE]      = {"AGE",           5,    5,   4,    0, BT_ALIGN_RIGHT},
  [EVIDENCE] = {"EVIDENCE",     18,   30,   0,  120, BT_ALIGN_LEFT},
};
/* clang-format on */

#define TABLE_AT 4

static void draw_lock(const struct bt_row *row, const struct bt_frame *frame, const struct bt_lock *lock) {
  char text[512];
  char glyph[2] = {bt_verdict_glyph(lock->verdict), 0};
  enum bt_role verdict = bt_role_of_verdict(lock->verdict);
  int64_t since_ms = lock->started_at_ms != BT_TIME_UNKNOWN ? lock->started_at_ms : lock->mtime_ms;
  bt_pane_text(row->pane, row->row, 2, row->selected ? BT_ROLE_SELECTION : verdict, glyph);
  bt_row_cell(row, VERDICT, verdict, bt_lock_verdict_word(lock->verdict));
  bt_row_tick(row);
  bt_row_cell(row, LOCK, row->marked ? BT_ROLE_MARK : BT_ROLE_DEFAULT, lock->name ? lock->name : lock->path);
  snprintf(text, sizeof text, "%s%s", lock->host ? lock->host : "", bt_lock_is_here(frame->snapshot, lock) ? "*" : "");
  bt_row_cell(row, HOST, BT_ROLE_DEFAULT, text);
  bt_row_cell(row, PID, BT_ROLE_DEFAULT, lock->pid_text);
  bt_clock_full(text, frame->scene, lock->started_at_ms);
  bt_row_cell(row, STARTED, BT_ROLE_DEFAULT, lock->started_at_ms == BT_TIME_UNKNOWN ? NULL : text);
  bt_age_of(text, since_ms, frame->now_ms);
  bt_row_cell(row, AGE, BT_ROLE_DEFAULT, text);
  snprintf(text, sizeof text, "%s%s", lock->why ? lock->why : "?", lock->view_only ? " (view only)" : "");
  bt_row_cell(row, EVIDENCE, BT_ROLE_DEFAULT, text);
}

static void draw_rows(const struct bt_frame *frame, struct bt_pane list, const struct bt_table *table) {
  const struct bt_prepared *prepared = frame->scene->prepared;
  const struct bt_scroll *scroll = &frame->scene->locks;
  for (int at = 0; at < list.rows; at++) {
    size_t index = scroll->top + (size_t)at;
    if (index >= prepared->lock_count || prepared->locks[index] >= frame->snapshot->lock_count)
      break;
    const bool *marked = frame->scene->marked_locks;
    struct bt_row row = {list, at, table, index == scroll->row, marked && marked[prepared->locks[index]]};
    if (row.selected) {
      bt_row_mark(&row);
      *frame->cursor = (struct bt_view_cursor){list.row + at, list.column, false};
    }
    draw_lock(&row, frame, &frame->snapshot->locks[prepared->locks[index]]);
  }
}

static void add_what_unlock_does(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_lock *lock) {
  const struct bt_verb_key *unlock = &frame->scene->verbs[BT_VERB_UNLOCK];
  bt_flow_blank(flow);
  if (lock->view_only) {
    bt_flow_labelled(flow, 2, BT_ROLE_LABEL, "UNLOCK", 16, BT_ROLE_DEFAULT,
                     "View only: this lock belongs to another program and is never removed from here.");
    return;
  }
  if (unlock->off) {
    bt_flow_printf(flow, 2, BT_ROLE_LABEL, "UNLOCK", 16, BT_ROLE_BOLD, "Not now: %s", unlock->off);
    return;
  }
  struct bt_flow before = *flow;
  bt_flow_labelled(flow, 2, BT_ROLE_LABEL, "UNLOCK", 19, BT_ROLE_DEFAULT,
                   "Removes this one lock file. It does not clear a deny, change a brief or touch the working tree.");
  bt_pane_field(bt_flow_line(&before), 0, 16, 2, BT_ALIGN_LEFT, BT_ROLE_KEY, unlock->keys);
}

static void draw_evidence(const struct bt_frame *frame, struct bt_pane pane, const struct bt_lock *lock) {
  struct bt_flow flow;
  char left[512];
  snprintf(left, sizeof left, "evidence for %s", lock->name ? lock->name : lock->path ? lock->path : "?");
  bt_pane_rule(pane, 0, left, pane.columns >= 80 ? "* = this host" : NULL);
  bt_flow_start(&flow, bt_pane_cut(pane, 1, 0, pane.rows - 1, pane.columns - 1), 0);
  bt_record_add_evidence(&flow, lock);
  if (!lock->evidence_count)
    bt_flow_wrap(&flow, 2, BT_ROLE_DEFAULT, lock->why);
  add_what_unlock_does(&flow, frame, lock);
  bt_flow_blank(&flow);
  bt_record_add(&flow, frame, lock);
  bt_carried_add(&flow, frame, 2, 16);
}

/* The other processes that a ledger's state may be due to; with a lock selected they follow its evidence. */
static void draw_carried(const struct bt_frame *frame, struct bt_pane pane) {
  struct bt_flow flow;
  bt_pane_rule(pane, 0, "supervised on this host", NULL);
  bt_flow_start(&flow, bt_pane_cut(pane, 1, 0, pane.rows - 1, pane.columns - 1), 0);
  bt_carried_add(&flow, frame, 2, 16);
}

void bt_locks_draw(const struct bt_frame *frame) {
  const struct bt_layout *layout = &frame->layout;
  struct bt_pane body = bt_frame_body(frame);
  struct bt_pane list = bt_pane_cut(body, layout->list_top, 0, layout->list_rows, body.columns);
  size_t count = frame->scene->prepared->lock_count;
  struct bt_table table;
  bt_table_fit(&table, columns, COLUMN_COUNT, TABLE_AT, body.columns - 1);
  bt_frame_caption(frame, "by verdict, then age", "lock", count, frame->snapshot->lock_count);
  if (layout->head_row >= 0)
    bt_table_heads(body, layout->head_row, &table, VERDICT);
  *frame->cursor = (struct bt_view_cursor){list.row, list.column, false};
  if (!count && frame->snapshot->lock_count)
    bt_frame_no_match(list, "lock", frame->scene->filter.text, BT_FILTER_LOCKS);
  else if (!count)
    bt_pane_text(list, list.rows > 2, 2, BT_ROLE_DIM, "Nothing is locked.");
  draw_rows(frame, list, &table);
  const struct bt_lock *lock = bt_view_lock(frame->scene, frame->snapshot);
  struct bt_pane detail = bt_pane_cut(body, layout->detail_rule, 0, layout->detail_rows + 1, body.columns);
  if (layout->detail_rows > 0 && lock)
    draw_evidence(frame, detail, lock);
  else if (layout->detail_rows > 0 && frame->snapshot->supervised_count > 0)
    draw_carried(frame, detail);
}
