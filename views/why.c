/* views/why.c - under the list: why the selected session is stuck, and the safest next step.
 *
 * Screen 6.1 of dashboard.md, lower half; in few rows (6.11) the reasons and the next step only. The words are the
 * snapshot's own: what is drawn here is what `show` prints. */
#include "views/frame.h"

#include <stdio.h>
#include <string.h>

#include "core/base/str.h"
#include "views/flow.h"
#include "views/parts.h"

#define LABEL_AT 2
#define TEXT_AT 26
#define TALL_BELOW 80 /* columns: narrower ones have the words under their labels */

static int text_at(const struct bt_flow *flow) {
  return flow->columns >= TALL_BELOW - 1 ? TEXT_AT : 16;
}

static void draw_rule(const struct bt_frame *frame, struct bt_pane pane, const struct bt_session *session) {
  char left[BT_FIELD_BYTES], right[BT_PART_BYTES];
  const char *name = bt_session_name(session, pane.columns / 2, frame->scene->unicode);
  snprintf(left, sizeof left, "%s %s is %s", session->reason_count ? "why" : "session", name,
           bt_state_word(session->state));
  snprintf(right, sizeof right, "%zu reason%s", session->reason_count, session->reason_count == 1 ? "" : "s");
  bt_pane_rule(pane, 0, left, session->reason_count ? right : NULL);
}

static void add_context(struct bt_flow *flow, const struct bt_context *context) {
  char used[BT_PART_BYTES], window[BT_PART_BYTES], label[BT_PART_BYTES];
  if (context->band == BT_BAND_UNKNOWN || !context->used_known)
    return; /* the row above shows it as unknown */
  bt_number_shown(used, context->used_tokens);
  bt_number_shown(window, context->window_tokens);
  snprintf(label, sizeof label, "Band %s", bt_band_word(context->band));
  bt_flow_printf(flow, LABEL_AT, bt_role_of_band(context->band), label, text_at(flow), BT_ROLE_DEFAULT,
                 "%s of %s tokens used%s%s", used, context->window_known ? window : "?",
                 context->band_by ? "; decided by " : "", context->band_by ? context->band_by : "");
}

static void add_brief(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_capture *capture) {
  char hash[BT_PART_BYTES], size[BT_PART_BYTES], when[BT_PART_BYTES];
  if (!capture || capture->status == BT_BRIEF_NONE) {
    bt_flow_labelled(flow, LABEL_AT, BT_ROLE_LABEL, "Brief", text_at(flow), BT_ROLE_DIM, "none");
    return;
  }
  bt_hash_shown(hash, capture->actual_hash);
  bt_size_shown(size, capture->size_bytes);
  bt_clock_near(when, frame->scene, capture->mtime_ms, frame->now_ms);
  if (capture->actual_hash)
    bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "Brief", text_at(flow), bt_role_of_brief(capture->status),
                   "%s   sha256 %s   %s   written %s%s", bt_brief_shown(capture->status), hash, size, when,
                   capture->reviewed ? "   reviewed" : "");
  else
    bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "Brief", text_at(flow), bt_role_of_brief(capture->status), "%s%s%s",
                   bt_brief_shown(capture->status), capture->error ? ": " : "", capture->error ? capture->error : "");
}

/* What a reason says is not said again. */
static bool is_a_reason(const struct bt_session *session, const char *word) {
  for (size_t i = 0; i < session->reason_count; i++)
    if (session->reasons[i].code && bt_starts_with(session->reasons[i].code, word))
      return true;
  return false;
}

/* What the session is about, where nothing that the ledger holds says more: its name alone tells nobody. */
static void add_title(struct bt_flow *flow, const struct bt_session *session) {
  if (session->title && !session->deny && !session->lock)
    bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "Title", text_at(flow), BT_ROLE_DEFAULT, "%s", session->title);
}

static void add_facts(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_session *session) {
  add_title(flow, session);
  if (!is_a_reason(session, "brief"))
    add_brief(flow, frame, session->capture);
  if (session->lock && !is_a_reason(session, "lock"))
    bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "Lock", text_at(flow), bt_role_of_verdict(session->lock->verdict),
                   "%s   %s", bt_lock_verdict_word(session->lock->verdict),
                   session->lock->why ? session->lock->why : "");
  add_context(flow, &session->context);
}

static void draw_key(const struct bt_frame *frame, struct bt_pane line, const struct bt_next_step *step) {
  const char *key = step->verb < BT_VERB_COUNT ? frame->scene->verbs[step->verb].keys : NULL;
  if (key)
    bt_pane_field(line, 0, TEXT_AT, 2, BT_ALIGN_LEFT, step->blocked_by ? BT_ROLE_KEY_OFF : BT_ROLE_KEY, key);
}

/* The safest step is said in full, the others on one line each. */
static void add_steps(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_session *session) {
  char text[BT_STEP_BYTES];
  struct bt_flow before = *flow;
  bt_step_shown(text, &session->next);
  bt_flow_labelled(flow, LABEL_AT, BT_ROLE_NEXT_STEP, "SAFEST NEXT STEP", TEXT_AT + 3,
                   session->next.blocked_by ? BT_ROLE_DIM : BT_ROLE_NEXT_STEP, text);
  draw_key(frame, bt_flow_line(&before), &session->next);
  for (size_t i = 0; i < session->other_count && i < sizeof session->others / sizeof *session->others; i++) {
    const struct bt_next_step *step = &session->others[i];
    struct bt_pane line = bt_flow_line(flow);
    bt_step_shown(text, step);
    if (i == 0)
      bt_pane_text(line, 0, LABEL_AT, BT_ROLE_LABEL, "also possible");
    draw_key(frame, line, step);
    bt_pane_field(line, 0, TEXT_AT + 3, flow->columns - TEXT_AT - 3, BT_ALIGN_LEFT,
                  step->blocked_by ? BT_ROLE_DIM : BT_ROLE_DEFAULT, text);
  }
}

static void add_reasons(struct bt_flow *flow, const struct bt_session *session, size_t most) {
  if (!session->reason_count)
    bt_flow_wrap(flow, LABEL_AT, BT_ROLE_DIM, "Nothing holds this session up.");
  for (size_t i = 0; i < session->reason_count && i < most; i++) {
    struct bt_pane line = bt_flow_line(flow);
    bt_pane_field(line, 0, LABEL_AT, TEXT_AT - LABEL_AT - 1, BT_ALIGN_LEFT,
                  i ? BT_ROLE_DEFAULT : bt_role_of_state(session->state), session->reasons[i].code);
    bt_pane_field(line, 0, TEXT_AT, flow->columns - TEXT_AT, BT_ALIGN_LEFT, BT_ROLE_DEFAULT, session->reasons[i].text);
  }
}

static void draw_compact(const struct bt_frame *frame, struct bt_pane pane, const struct bt_session *session) {
  const struct bt_next_step *step = &session->next;
  const char *key = step->verb < BT_VERB_COUNT ? frame->scene->verbs[step->verb].keys : NULL;
  char text[BT_STEP_BYTES];
  int room = pane.columns - LABEL_AT - 1, last = pane.rows - 1, at = LABEL_AT;
  if (!session->reason_count)
    bt_pane_field(pane, 0, LABEL_AT, room, BT_ALIGN_LEFT, BT_ROLE_DIM, "Nothing holds this session up.");
  for (int row = 0; row < last && (size_t)row < session->reason_count; row++)
    bt_pane_field(pane, row, LABEL_AT, room, BT_ALIGN_LEFT, row ? BT_ROLE_DEFAULT : bt_role_of_state(session->state),
                  session->reasons[row].text);
  bt_step_shown(text, step);
  if (key)
    at += bt_pane_text(pane, last, at, step->blocked_by ? BT_ROLE_KEY_OFF : BT_ROLE_KEY, key) + 2;
  bt_pane_field(pane, last, at, pane.columns - at - 1, BT_ALIGN_LEFT,
                step->blocked_by ? BT_ROLE_DIM : BT_ROLE_NEXT_STEP, text);
}

/* ---- beside the list: few columns, many rows ---- */

static void add_tall_step(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_next_step *step,
                          bool first) {
  const char *key = step->verb < BT_VERB_COUNT ? frame->scene->verbs[step->verb].keys : NULL;
  char text[BT_STEP_BYTES];
  bt_step_shown(text, step);
  bt_flow_labelled(flow, LABEL_AT, step->blocked_by ? BT_ROLE_KEY_OFF : BT_ROLE_KEY, key ? key : " ", LABEL_AT + 3,
                   step->blocked_by ? BT_ROLE_DIM
                   : first          ? BT_ROLE_NEXT_STEP
                                    : BT_ROLE_DEFAULT,
                   text);
}

static void add_tall_steps(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_session *session) {
  bt_flow_wrap(flow, LABEL_AT, BT_ROLE_NEXT_STEP, "SAFEST NEXT STEP");
  add_tall_step(flow, frame, &session->next, true);
  if (session->other_count) {
    bt_flow_blank(flow);
    bt_flow_wrap(flow, LABEL_AT, BT_ROLE_LABEL, "also possible");
  }
  for (size_t i = 0; i < session->other_count && i < sizeof session->others / sizeof *session->others; i++)
    add_tall_step(flow, frame, &session->others[i], false);
}

static void add_tall_facts(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_session *session) {
  if (!session->reason_count)
    bt_flow_wrap(flow, LABEL_AT, BT_ROLE_DIM, "Nothing holds this session up.");
  for (size_t i = 0; i < session->reason_count; i++) {
    bt_flow_wrap(flow, LABEL_AT, i ? BT_ROLE_BOLD : bt_role_of_state(session->state), session->reasons[i].code);
    bt_flow_wrap(flow, LABEL_AT + 3, BT_ROLE_DEFAULT, session->reasons[i].text);
  }
  add_facts(flow, frame, session);
}

/* The steps are never pushed out, as below the list. */
static void draw_tall(const struct bt_frame *frame, struct bt_pane pane, const struct bt_session *session) {
  struct bt_flow flow;
  pane = bt_pane_cut(pane, 0, 0, pane.rows, pane.columns - 1);
  bt_flow_count(&flow, pane.columns, frame->scene->unicode);
  add_tall_steps(&flow, frame, session);
  int steps = (int)flow.line < pane.rows ? (int)flow.line : pane.rows;
  struct bt_pane above = bt_pane_cut(pane, 0, 0, pane.rows - steps - 1, pane.columns);
  bt_flow_start(&flow, above, 0);
  add_tall_facts(&flow, frame, session);
  int used = (int)flow.line < above.rows ? (int)flow.line : above.rows;
  bt_flow_start(&flow, bt_pane_cut(pane, used + (used + steps < pane.rows), 0, steps, pane.columns), 0);
  add_tall_steps(&flow, frame, session);
}

void bt_why_draw(const struct bt_frame *frame, struct bt_pane pane, const struct bt_session *session) {
  struct bt_flow flow;
  draw_rule(frame, pane, session);
  pane = bt_pane_cut(pane, 1, 0, pane.rows - 1, pane.columns);
  if (frame->layout.detail_column > 0) {
    draw_tall(frame, pane, session);
    return;
  }
  if (frame->layout.detail_compact || pane.columns < 80) {
    draw_compact(frame, pane, session);
    return;
  }
  /* The steps are never pushed out: they are counted first, and the facts have the rows above them. */
  bt_flow_count(&flow, pane.columns - 1, frame->scene->unicode);
  add_steps(&flow, frame, session);
  int steps = (int)flow.line < pane.rows ? (int)flow.line : pane.rows;
  struct bt_pane above = bt_pane_cut(pane, 0, 0, pane.rows - steps - 1, pane.columns - 1);
  bt_flow_start(&flow, above, 0);
  int facts = !is_a_reason(session, "brief") + (session->lock && !is_a_reason(session, "lock"));
  add_reasons(&flow, session, above.rows > facts + 2 ? (size_t)(above.rows - facts) : 2);
  add_facts(&flow, frame, session);
  int used = (int)flow.line < above.rows ? (int)flow.line : above.rows;
  bt_flow_start(&flow, bt_pane_cut(pane, used + (used + steps < pane.rows), 0, steps, pane.columns - 1), 0);
  add_steps(&flow, frame, session);
}
