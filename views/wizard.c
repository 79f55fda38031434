/* views/wizard.c - the steps of continuing. */
#include "views/wizard.h"

#include <stdio.h>
#include <string.h>

#include "views/facts.h"
#include "views/parts.h"
#include "views/prepare.h"
#include "views/reader.h"
#include "views/text.h"

static const char *const step_words[BT_STEP_COUNT] = {"check", "brief", "ticket", "successor", "confirm"};

void bt_wizard_bar(struct bt_pane pane, const struct bt_dialog *dialog) {
  int at = 0, gap = pane.columns >= 80 ? 3 : 1;
  char text[BT_PART_BYTES];
  if (pane.columns < 66) {
    snprintf(text, sizeof text, "[>] %s   step %d of %d", step_words[dialog->step], (int)dialog->step + 1,
             BT_STEP_COUNT);
    bt_pane_text(pane, 0, 0, BT_ROLE_BOLD, text);
    return;
  }
  for (int step = 0; step < BT_STEP_COUNT; step++) {
    bool done = step < (int)dialog->step, here = step == (int)dialog->step;
    enum bt_role role = here ? BT_ROLE_BOLD : BT_ROLE_DIM;
    snprintf(text, sizeof text, "%d %s", step + 1, step_words[step]);
    at += bt_pane_text(pane, 0, at, done ? BT_ROLE_VERIFIED : role, done ? "[x] " : here ? "[>] " : "[ ] ");
    at += bt_pane_text(pane, 0, at, role, text) + gap;
  }
}

static void add_read(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_plan_brief *brief) {
  char when[BT_PART_BYTES], text[2 * BT_PART_BYTES];
  if (!brief->text)
    return;
  bt_clock_near(when, frame->scene, brief->reviewed_ms, frame->now_ms);
  snprintf(text, sizeof text, "brief marked as read at %s, exactly this text", when);
  bt_facts_check(flow, brief->reviewed ? BT_CHECK_OK : BT_CHECK_WARN,
                 brief->reviewed ? text : "the brief is not marked as read");
}

static void add_brief(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_plan *plan) {
  const struct bt_text_rows *rows = &frame->scene->prepared->dialog;
  char size[BT_PART_BYTES], hash[BT_PART_BYTES];
  bt_size_shown(size, plan->brief.length);
  bt_hash_shown(hash, plan->brief.hash);
  add_read(flow, frame, &plan->brief);
  bt_flow_printf(flow, 0, BT_ROLE_LABEL, "handed on", BT_FACTS_TEXT_AT, BT_ROLE_DEFAULT,
                 "this text, composed just now: %zu lines, %s, sha256 %s", rows->source_lines, size, hash);
  bt_flow_blank(flow);
  bt_reader_add(flow, rows, &frame->scene->dialog.reading);
}

static void add_ticket(struct bt_flow *flow, const struct bt_frame *frame) {
  const struct bt_dialog *dialog = &frame->scene->dialog;
  const struct bt_session *session = bt_snapshot_session(frame->snapshot, dialog->subject);
  const struct bt_ticket_pointer *active = &frame->snapshot->active_ticket;
  if (dialog->unbound) {
    bt_facts_check(flow, BT_CHECK_BAD, "this deny is bound to no ticket");
    bt_flow_wrap(flow, 0, BT_ROLE_DEFAULT,
                 "Continue hands on what is bound. Repair binds a ticket and a hash first; then continue.");
    return;
  }
  bt_flow_printf(flow, 0, BT_ROLE_LABEL, "bound", BT_FACTS_TEXT_AT, BT_ROLE_DEFAULT, "%s%s%s",
                 session && session->ticket_id ? session->ticket_id : "?",
                 session && session->ticket_title ? "   " : "",
                 session && session->ticket_title ? session->ticket_title : "");
  bt_flow_printf(flow, 0, BT_ROLE_LABEL, "active here", BT_FACTS_TEXT_AT, BT_ROLE_DEFAULT, "%s",
                 active->error ? active->error
                 : active->id  ? active->id
                               : "none");
  bt_flow_wrap(flow, 0, BT_ROLE_DEFAULT,
               dialog->ticket_asked
                   ? "They do not agree, so the ticket has to be told. Only the bound one is accepted: "
                     "another one is bound by repair."
                   : "Nothing to decide: the bound ticket goes on. Another one is bound by repair.");
}

static void add_successor(struct bt_flow *flow) {
  bt_flow_wrap(
      flow, 0, BT_ROLE_DEFAULT,
      "The new session is started with this id, and only it may take the work over. It was made just now; erase "
      "it for another one, or type your own.");
  bt_flow_wrap(flow, 0, BT_ROLE_DEFAULT, "An id that holds an authorization already is refused.");
}

/* What speaks against it first: it is in sight on a small screen too. */
static void add_worst_first(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_plan *plan) {
  if (plan->disabled)
    bt_facts_check(flow, BT_CHECK_BAD, plan->disabled);
  if (!plan->brief.reviewed)
    add_read(flow, frame, &plan->brief);
  if (!plan->brief.reviewed && plan->request.reason)
    bt_flow_labelled(flow, 5, BT_ROLE_LABEL, "reason", BT_FACTS_TEXT_AT, BT_ROLE_DEFAULT, plan->request.reason);
  (void)bt_facts_checks_of(flow, plan, true);
  if (plan->brief.reviewed)
    add_read(flow, frame, &plan->brief);
  (void)bt_facts_checks_of(flow, plan, false);
}

static void add_confirm(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_plan *plan) {
  bt_flow_rule(flow, "before you say yes", NULL);
  add_worst_first(flow, frame, plan);
  bt_flow_rule(flow,
               flow->columns >= 80 ? "what will happen, in this order; any failure puts every earlier step back"
                                   : "what will happen, in this order",
               NULL);
  bt_facts_steps(flow, plan);
  bt_flow_rule(flow, "afterwards", NULL);
  bt_facts_sentences(flow, "will", BT_ROLE_BOLD, plan->will, plan->will_count);
  bt_facts_sentences(flow, "will NOT", BT_ROLE_WARNING, plan->will_not, plan->will_not_count);
  bt_facts_after(flow, plan);
}

void bt_wizard_add(struct bt_flow *flow, const struct bt_frame *frame) {
  const struct bt_dialog *dialog = &frame->scene->dialog;
  const struct bt_plan *plan = dialog->phase == BT_DIALOG_REFUSED ? NULL : dialog->plan;
  if (dialog->step == BT_STEP_TICKET) {
    add_ticket(flow, frame);
  } else if (dialog->step == BT_STEP_SUCCESSOR) {
    add_successor(flow);
  } else if (!plan) {
    bt_flow_wrap(flow, 0, BT_ROLE_DIM, dialog->phase == BT_DIALOG_PLANNING ? "Looking at the ledger ..." : NULL);
  } else if (dialog->step == BT_STEP_BRIEF) {
    add_brief(flow, frame, plan);
  } else if (dialog->step == BT_STEP_CONFIRM) {
    add_confirm(flow, frame, plan);
  } else {
    bt_flow_wrap(flow, 0, BT_ROLE_DEFAULT, plan->summary);
    if (plan->disabled)
      bt_facts_check(flow, BT_CHECK_BAD, plan->disabled);
    bt_flow_blank(flow);
    bt_facts_table(flow, plan);
    bt_flow_blank(flow);
    bt_facts_checks(flow, plan);
  }
}
