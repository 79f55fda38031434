/* views/session.c - the page of one session: tabs, what is open, and the next step below.
 *
 * Screen 6.2 of dashboard.md. The overview's facts are views/overview.c, texts are views/reader.c. */
#include "views/frame.h"

#include <stdio.h>
#include <string.h>

#include "views/flow.h"
#include "views/overview.h"
#include "views/parts.h"
#include "views/prepare.h"
#include "views/reader.h"

static const char *const tab_names[BT_TAB_COUNT] = {"overview", "brief", "transcript", "evidence", "raw files"};

static void draw_tabs(const struct bt_frame *frame) {
  struct bt_pane pane = bt_pane_cut(frame->screen, 1, 0, 1, frame->screen.columns);
  const struct bt_prepared *prepared = frame->scene->prepared;
  bool narrow = pane.columns < 72;
  int at = 1;
  for (int tab = 0; tab < BT_TAB_COUNT; tab++) {
    char text[BT_PART_BYTES];
    bool current = tab == (int)frame->scene->tab;
    enum bt_role role = current ? BT_ROLE_TAB_CURRENT : BT_ROLE_TAB;
    if (narrow && !current)
      snprintf(text, sizeof text, " %d ", tab + 1);
    else
      snprintf(text, sizeof text, " %d %s ", tab + 1, tab_names[tab]);
    at += bt_pane_text(pane, 0, at, role, text) + (narrow ? 0 : 1);
  }
  if (prepared->session_count && pane.columns >= 60) {
    char place[BT_PART_BYTES];
    snprintf(place, sizeof place, "%zu of %zu", frame->scene->list.row + 1, prepared->session_count);
    int width = (int)strlen(place);
    if (at + width + 1 < pane.columns)
      bt_pane_text(pane, 0, pane.columns - width - 1, BT_ROLE_DIM, place);
  }
}

/* ---- brief ---- */

static void draw_brief(const struct bt_frame *frame, struct bt_pane pane, const struct bt_session *session) {
  const struct bt_capture *capture = session->capture;
  if ((capture && capture->text) || frame->scene->diff) {
    if (frame->scene->prepared->brief.line_count)
      bt_reader_draw(frame, pane, &frame->scene->prepared->brief);
    else
      bt_pane_text(pane, pane.rows > 2, 2, BT_ROLE_DIM, "The brief is empty.");
    return;
  }
  struct bt_flow flow;
  bt_flow_start(&flow, pane, 0);
  bt_flow_blank(&flow);
  if (!capture || capture->status == BT_BRIEF_NONE)
    bt_flow_wrap(&flow, 2, BT_ROLE_DIM, "This session has written no brief.");
  else
    bt_flow_printf(&flow, 2, bt_role_of_brief(capture->status), bt_brief_shown(capture->status), 14, BT_ROLE_DEFAULT,
                   "%s%s%s", capture->path ? capture->path : "the brief", capture->error ? ": " : "",
                   capture->error ? capture->error : "");
  if (capture && capture->text_left_out)
    bt_flow_wrap(&flow, 14, BT_ROLE_DEFAULT,
                 "There are too many briefs to keep them all: the raw files show this one.");
  if (capture && capture->expected_hash)
    bt_flow_printf(&flow, 2, BT_ROLE_LABEL, "expected", 14, BT_ROLE_DIM, "sha256 %s", capture->expected_hash);
}

/* ---- evidence ---- */

static void add_evidence(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_session *session) {
  struct bt_pane line = bt_flow_line(flow);
  int wide = flow->columns >= 100;
  bt_pane_text(line, 0, 2, BT_ROLE_HEAD, "TIME");
  bt_pane_text(line, 0, 23, BT_ROLE_HEAD, "SEQ");
  bt_pane_text(line, 0, 30, BT_ROLE_HEAD, "GATE");
  if (wide)
    bt_pane_text(line, 0, 58, BT_ROLE_HEAD, "TICKET");
  bt_pane_text(line, 0, wide ? 70 : 58, BT_ROLE_HEAD, "SIGNATURE");
  for (size_t i = session->evidence_count; i-- > 0;) {
    const struct bt_evidence *entry = &session->evidence[i];
    char when[BT_PART_BYTES], seq[BT_PART_BYTES];
    bt_clock_full(when, frame->scene, entry->ts_ms);
    if (entry->seq >= 0)
      snprintf(seq, sizeof seq, "%lld", (long long)entry->seq);
    else
      snprintf(seq, sizeof seq, "?");
    line = bt_flow_line(flow);
    bt_pane_field(line, 0, 2, 20, BT_ALIGN_LEFT, BT_ROLE_DEFAULT, when);
    bt_pane_field(line, 0, 23, 6, BT_ALIGN_LEFT, BT_ROLE_DEFAULT, seq);
    bt_pane_field(line, 0, 30, 27, BT_ALIGN_LEFT, BT_ROLE_DEFAULT, entry->gate);
    if (wide)
      bt_pane_field(line, 0, 58, 11, BT_ALIGN_LEFT, BT_ROLE_DIM, entry->ticket ? entry->ticket : "-");
    bt_pane_text(line, 0, wide ? 70 : 58, entry->is_signed ? bt_role_of_signature(entry->signature) : BT_ROLE_DIM,
                 entry->is_signed ? bt_signature_word(entry->signature) : "unsigned");
  }
  if (!session->evidence_count)
    bt_flow_wrap(flow, 2, BT_ROLE_DIM, "No entry of the newest evidence names this session.");
  bt_flow_blank(flow);
  bt_flow_printf(flow, 2, BT_ROLE_LABEL, "newest file", 16, BT_ROLE_DIM, "%s",
                 frame->snapshot->evidence.newest_chain ? frame->snapshot->evidence.newest_chain : "none");
  if (frame->snapshot->evidence.problem)
    bt_flow_labelled(flow, 2, BT_ROLE_WARNING, "[!!]", 16, BT_ROLE_BOLD, frame->snapshot->evidence.problem);
}

/* ---- transcript ---- */

static void draw_transcript(const struct bt_frame *frame, struct bt_pane pane, const struct bt_session *session) {
  int row = pane.rows > 2;
  if (frame->scene->prepared->raw.line_count)
    bt_reader_draw(frame, pane, &frame->scene->prepared->raw);
  else if (!session->transcript)
    bt_pane_text(pane, row, 2, BT_ROLE_DIM, "No transcript of this session is known.");
  else if (session->transcript_problem)
    bt_pane_text(pane, row, 2, BT_ROLE_BOLD, session->transcript_problem);
  else
    bt_pane_text(pane, row, 2, BT_ROLE_DIM, "Nothing was said yet.");
}

/* ---- the page ---- */

static void add_page(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_session *session) {
  if (frame->scene->tab == BT_TAB_EVIDENCE)
    add_evidence(flow, frame, session);
  else
    bt_overview_add(flow, frame, session);
}

#define SPLIT_FROM 100 /* columns from which the overview shows the brief beside it */

static int facts_columns(int columns) {
  return columns >= SPLIT_FROM ? columns * 48 / 100 : columns;
}

size_t bt_session_lines(const struct bt_frame *frame) {
  const struct bt_session *session = bt_view_session(frame->scene, frame->snapshot);
  const struct bt_text_rows *text = bt_prepared_text(frame->scene);
  struct bt_flow flow;
  if (!session)
    return 0;
  if (text)
    return text->line_count;
  int columns = frame->scene->tab == BT_TAB_OVERVIEW ? facts_columns(frame->scene->columns) : frame->scene->columns;
  bt_flow_count(&flow, columns - 1, frame->scene->unicode);
  add_page(&flow, frame, session);
  return flow.line;
}

static void draw_overview(const struct bt_frame *frame, struct bt_pane pane, const struct bt_session *session) {
  struct bt_flow flow;
  const struct bt_capture *capture = session->capture;
  int columns = facts_columns(pane.columns);
  bt_flow_start(&flow, bt_pane_cut(pane, 0, 0, pane.rows, columns - 1), frame->scene->tabs[BT_TAB_OVERVIEW].top);
  add_page(&flow, frame, session);
  if (columns == pane.columns)
    return;
  struct bt_pane right = bt_pane_cut(pane, 0, columns, pane.rows, pane.columns - columns);
  char size[BT_PART_BYTES];
  int at = 1 + bt_pane_text(right, 0, 1, BT_ROLE_LABEL, "BRIEF") + 2;
  enum bt_brief_status status = capture ? capture->status : BT_BRIEF_NONE;
  at += bt_pane_text(right, 0, at, bt_role_of_brief(status), bt_brief_shown(status)) + 2;
  if (!capture || !capture->text)
    return;
  bt_size_shown(size, capture->size_bytes);
  bt_pane_printf(right, 0, at, BT_ROLE_DIM, "%s  %u lines", size, capture->line_count);
  bt_reader_preview(bt_pane_cut(right, 2, 0, right.rows - 2, right.columns - 1), capture->text, capture->text_length);
}

static void draw_caption(const struct bt_frame *frame, struct bt_pane body, const struct bt_session *session) {
  char right[4 * BT_PART_BYTES] = "";
  const struct bt_text_rows *text = bt_prepared_text(frame->scene);
  const struct bt_layout *layout = &frame->layout;
  if (layout->caption_row < 0)
    return;
  if (text && text->line_count) {
    char place[BT_PART_BYTES], hash[BT_PART_BYTES];
    bt_reader_position(place, sizeof place, text, frame->scene->tabs[frame->scene->tab].top, layout->list_rows);
    const struct bt_brief_diff *diff = frame->scene->tab == BT_TAB_BRIEF ? frame->scene->diff : NULL;
    bt_hash_shown(hash, session->capture ? session->capture->actual_hash : NULL);
    if (diff)
      snprintf(right, sizeof right, "difference: %zu line%s added, %zu removed   %s", diff->added,
               diff->added == 1 ? "" : "s", diff->removed, body.columns >= 72 ? place : "");
    else if (frame->scene->tab == BT_TAB_BRIEF && session->capture && body.columns >= 72)
      snprintf(right, sizeof right, "%s   sha256 %s   %s", bt_brief_shown(session->capture->status), hash, place);
    else
      snprintf(right, sizeof right, "%s", place);
  } else if (frame->scene->tab == BT_TAB_OVERVIEW && body.columns >= SPLIT_FROM)
    snprintf(right, sizeof right, "%s marks text written by the session: data, not instructions",
             frame->scene->unicode ? "│" : "|");
  bt_pane_rule(body, layout->caption_row, session->id, right);
}

static void draw_steps(const struct bt_frame *frame, struct bt_pane pane, const struct bt_session *session) {
  char text[BT_STEP_BYTES];
  for (int row = 0; row < pane.rows && (size_t)row <= session->other_count; row++) {
    const struct bt_next_step *step = row ? &session->others[row - 1] : &session->next;
    const char *key = step->verb < BT_VERB_COUNT ? frame->scene->verbs[step->verb].keys : NULL;
    bt_step_shown(text, step);
    bt_pane_field(pane, row, 2, 2, BT_ALIGN_LEFT, step->blocked_by ? BT_ROLE_KEY_OFF : BT_ROLE_KEY, key);
    bt_pane_field(pane, row, 5, pane.columns - 6, BT_ALIGN_LEFT,
                  step->blocked_by ? BT_ROLE_DIM
                  : row            ? BT_ROLE_DEFAULT
                                   : BT_ROLE_NEXT_STEP,
                  text);
  }
}

void bt_session_draw(const struct bt_frame *frame) {
  const struct bt_layout *layout = &frame->layout;
  const struct bt_session *session = bt_view_session(frame->scene, frame->snapshot);
  struct bt_pane body = bt_frame_body(frame);
  struct bt_pane pane = bt_pane_cut(body, layout->list_top, 0, layout->list_rows, body.columns);
  struct bt_flow flow;
  draw_tabs(frame);
  *frame->cursor = (struct bt_view_cursor){pane.row, pane.column, false};
  if (!session) {
    bt_pane_text(pane, pane.rows > 2, 2, BT_ROLE_DIM, "This session is not there any more. Esc goes back.");
    return;
  }
  draw_caption(frame, body, session);
  if (frame->scene->tab == BT_TAB_OVERVIEW) {
    draw_overview(frame, pane, session);
  } else if (frame->scene->tab == BT_TAB_BRIEF) {
    draw_brief(frame, pane, session);
  } else if (frame->scene->tab == BT_TAB_TRANSCRIPT) {
    draw_transcript(frame, pane, session);
  } else if (frame->scene->tab == BT_TAB_RAW && frame->scene->prepared->raw.line_count) {
    bt_reader_draw(frame, pane, &frame->scene->prepared->raw);
  } else if (frame->scene->tab == BT_TAB_RAW) {
    bt_pane_text(pane, pane.rows > 2, 2, BT_ROLE_DIM, "No file of this session is there.");
  } else {
    bt_flow_start(&flow, bt_pane_cut(pane, 0, 0, pane.rows, pane.columns - 1),
                  frame->scene->tabs[frame->scene->tab].top);
    add_page(&flow, frame, session);
  }
  if (layout->detail_rows > 0) {
    size_t lines = bt_session_lines(frame), end = frame->scene->tabs[frame->scene->tab].top + (size_t)pane.rows;
    char more[BT_PART_BYTES] = "";
    if (lines > end)
      snprintf(more, sizeof more, "%zu more line%s below", lines - end, lines - end == 1 ? "" : "s");
    bt_pane_rule(bt_pane_cut(body, layout->detail_rule, 0, 1, body.columns), 0, "safest next step", more);
    draw_steps(frame, bt_pane_cut(body, layout->detail_top, 0, layout->detail_rows, body.columns), session);
  }
}
