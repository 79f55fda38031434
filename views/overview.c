/* views/overview.c - the facts of one session. */
#include "views/carried.h"
#include "views/overview.h"

#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "views/handover.h"
#include "views/parts.h"

#define LABEL_AT 1
#define TEXT_AT 11

static void add(struct bt_flow *flow, const char *label, enum bt_role role, const char *text) {
  if (text && *text)
    bt_flow_labelled(flow, LABEL_AT, BT_ROLE_LABEL, label, TEXT_AT, role, text);
}

static void add_more(struct bt_flow *flow, const char *label, const char *text) {
  if (text && *text)
    bt_flow_labelled(flow, LABEL_AT + 2, BT_ROLE_LABEL, label, TEXT_AT, BT_ROLE_DEFAULT, text);
}

static void add_reason(struct bt_flow *flow, const char *label, const struct bt_reason *reason) {
  bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, label, TEXT_AT, BT_ROLE_DEFAULT, "%s: %s",
                 reason->code ? reason->code : "?", reason->text ? reason->text : "?");
}

/* The first reason stands beside the state; the others come after the facts, which they would push off the screen. */
static void add_reasons(struct bt_flow *flow, const struct bt_session *session) {
  for (size_t i = 1; i < session->reason_count; i++)
    add_reason(flow, i == 1 ? "WHY" : NULL, &session->reasons[i]);
}

static void add_who(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_session *session) {
  char when[BT_PART_BYTES], age[BT_PART_BYTES];
  add(flow, "SESSION", BT_ROLE_BOLD, session->id);
  bt_clock_near(when, frame->scene, session->since_ms, frame->now_ms);
  bt_age_of(age, session->since_ms, frame->now_ms);
  if (session->since_ms == BT_TIME_UNKNOWN)
    bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "STATE", TEXT_AT, bt_role_of_state(session->state), "%c %s",
                   bt_state_glyph(session->state), bt_state_word(session->state));
  else
    bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "STATE", TEXT_AT, bt_role_of_state(session->state),
                   "%c %s since %s (%s)", bt_state_glyph(session->state), bt_state_word(session->state), when, age);
  if (session->reason_count)
    add_reason(flow, NULL, &session->reasons[0]);
  bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "HARNESS", TEXT_AT, BT_ROLE_DEFAULT, "%s%s%s",
                 session->harness ? session->harness : "?", session->model ? "   " : "",
                 session->model ? session->model : "");
  add(flow, "TITLE", BT_ROLE_DEFAULT, session->title);
  add(flow, "CWD", BT_ROLE_DEFAULT, session->cwd);
  bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "TICKET", TEXT_AT, session->ticket_id ? BT_ROLE_DEFAULT : BT_ROLE_DIM,
                 "%s%s%s", session->ticket_id ? session->ticket_id : "none", session->ticket_title ? "  " : "",
                 session->ticket_title ? session->ticket_title : "");
}

static void add_repo(struct bt_flow *flow, const struct bt_snapshot *snapshot, const struct bt_session *session) {
  const struct bt_repo *repo = &snapshot->repo;
  const char *branch = session->branch ? session->branch : repo->known ? repo->branch : NULL;
  if (repo->problem && !branch)
    add(flow, "BRANCH", BT_ROLE_UNKNOWN, repo->problem);
  else if (repo->known && repo->is_repository)
    bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "BRANCH", TEXT_AT, BT_ROLE_DEFAULT, "%s   %zu file%s dirty",
                   branch ? branch : "none", repo->dirty_count, repo->dirty_count == 1 ? "" : "s");
  else
    add(flow, "BRANCH", BT_ROLE_DEFAULT, branch);
}

static void add_tokens(struct bt_flow *flow, const struct bt_context *context) {
  char used[BT_PART_BYTES], window[BT_PART_BYTES];
  if (!context->used_known && !context->window_known)
    return;
  bt_number_shown(used, context->used_tokens);
  bt_number_shown(window, context->window_tokens);
  bt_flow_printf(flow, LABEL_AT + 2, BT_ROLE_LABEL, "tokens", TEXT_AT, BT_ROLE_DEFAULT, "%s / %s%s%s%s%s",
                 context->used_known ? used : "?", context->window_known ? window : "?",
                 context->window_source ? "   (window: " : "", context->window_source ? context->window_source : "",
                 context->window_is_guess ? ", may be larger" : "", context->window_source ? ")" : "");
  if (context->over_window)
    bt_flow_labelled(flow, LABEL_AT, BT_ROLE_WARNING, "", TEXT_AT, BT_ROLE_BOLD,
                     "more than the window holds: it is probably wrong");
  if (context->trend_known)
    bt_flow_printf(flow, LABEL_AT + 2, BT_ROLE_LABEL, "trend", TEXT_AT, BT_ROLE_DEFAULT, "%+.0f tokens a minute",
                   context->trend_tokens);
}

static void add_context(struct bt_flow *flow, const struct bt_context *context) {
  char percent[BT_PART_BYTES];
  bt_percent_shown(percent, context);
  struct bt_pane line = bt_flow_line(flow);
  bt_pane_text(line, 0, LABEL_AT, BT_ROLE_LABEL, "CONTEXT");
  bt_bar_draw(line, 0, TEXT_AT, context, false);
  int at = TEXT_AT + 13;
  at += bt_pane_printf(line, 0, at, BT_ROLE_DEFAULT, "%s used", percent) + 2;
  bt_pane_text(line, 0, at, bt_role_of_band(context->band), bt_band_word(context->band));
  add_tokens(flow, context);
  if (context->depth_known)
    bt_flow_printf(flow, LABEL_AT + 2, BT_ROLE_LABEL, "depth", TEXT_AT, BT_ROLE_DEFAULT, "%s%lld tool calls%s%s",
                   context->truncated ? "at least " : "", (long long)context->depth,
                   context->host_band ? "   host band " : "", context->host_band ? context->host_band : "");
  if (context->band != BT_BAND_UNKNOWN)
    add_more(flow, "by", context->band_by);
}

/* What the file is, and what of it could not be read. */
static void add_file(struct bt_flow *flow, const struct bt_session *session) {
  const struct bt_transcript_facts *facts = session->transcript;
  add_more(flow, "file", session->transcript_path);
  if (session->transcript_problem)
    bt_flow_labelled(flow, LABEL_AT, BT_ROLE_WARNING, "", TEXT_AT, BT_ROLE_BOLD, session->transcript_problem);
  else if (!session->transcript_unread && (facts->skipped_lines || facts->partial_tail))
    bt_flow_printf(flow, LABEL_AT + 2, BT_ROLE_LABEL, "skipped", TEXT_AT, BT_ROLE_WARNING, "%lld line%s%s",
                   (long long)facts->skipped_lines, facts->skipped_lines == 1 ? "" : "s",
                   facts->partial_tail ? ", and a last one that is not whole yet" : "");
}

static void add_transcript(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_session *session) {
  const struct bt_transcript_facts *facts = session->transcript;
  char when[BT_PART_BYTES];
  if (!facts)
    return;
  if (session->transcript_unread) {
    bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "AGENT", TEXT_AT, BT_ROLE_DEFAULT, "?");
    add_file(flow, session);
    return;
  }
  bt_clock_near(when, frame->scene, facts->last_activity_ms, frame->now_ms);
  bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "AGENT", TEXT_AT, facts->error ? BT_ROLE_WARNING : BT_ROLE_DEFAULT,
                 "%s%s   last record %s", bt_agent_state_word(facts->state), facts->error ? " after an error" : "",
                 facts->last_activity_ms == BT_TIME_UNKNOWN ? "? (none has a time)" : when);
  bt_flow_printf(flow, LABEL_AT + 2, BT_ROLE_LABEL, "talk", TEXT_AT, BT_ROLE_DEFAULT,
                 "%lld user, %lld agent, %lld tool calls", (long long)facts->user_messages,
                 (long long)facts->assistant_messages, (long long)facts->tools);
  bt_age_of(when, facts->last_activity_ms,
            frame->now_ms); /* it may be waiting for somebody's leave: nothing else says so */
  if (facts->last_tool)
    bt_flow_printf(flow, LABEL_AT + 2, BT_ROLE_LABEL, "tool", TEXT_AT, BT_ROLE_DEFAULT, "%s%s%s", facts->last_tool,
                   facts->last_tool_pending ? " (no result yet) for " : "", facts->last_tool_pending ? when : "");
  if (facts->compactions) {
    bt_clock_near(when, frame->scene, facts->last_compaction_ms, frame->now_ms);
    bt_flow_printf(flow, LABEL_AT + 2, BT_ROLE_LABEL, "compact", TEXT_AT, BT_ROLE_DEFAULT, "%lld time%s, last %s",
                   (long long)facts->compactions, facts->compactions == 1 ? "" : "s", when);
  }
  if (session->subagents)
    bt_flow_printf(flow, LABEL_AT + 2, BT_ROLE_LABEL, "agents", TEXT_AT, BT_ROLE_DEFAULT, "%zu below it",
                   session->subagents);
  add_file(flow, session);
}

/* What the session's own lines say already is not said twice. */
static bool is_other(const char *said, const char *known) {
  return said && (!known || strcmp(said, known) != 0);
}

static void add_deny(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_session *session) {
  const struct bt_deny *deny = session->deny;
  char shown[BT_PART_BYTES], when[BT_PART_BYTES];
  if (!deny) {
    add(flow, "DENY", BT_ROLE_DIM, "none");
    if (session->in_force)
      bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "GATE", TEXT_AT, BT_ROLE_DEFAULT, "%s: %s", session->in_force,
                     session->in_force_why ? session->in_force_why : "?");
    return;
  }
  bt_deny_shown(shown, deny);
  bt_clock_near(when, frame->scene, deny->since_ms, frame->now_ms);
  bool open = deny->status == BT_DENY_OPEN;
  bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "DENY", TEXT_AT, open ? BT_ROLE_BOLD : BT_ROLE_DEFAULT, "%s since %s",
                 shown, when);
  add_more(flow, "", deny->path);
  if (deny->class_ == BT_DENY_CLASS_INVALID)
    add_more(flow, "reason", deny->reason);
  if (is_other(deny->ticket_id, session->ticket_id))
    add_more(flow, "ticket", deny->ticket_id);
  if (deny->content_hash) {
    bt_hash_shown(shown, deny->content_hash);
    bt_flow_printf(flow, LABEL_AT + 2, BT_ROLE_LABEL, "hash", TEXT_AT, BT_ROLE_DEFAULT, "%s%s%s%s", shown,
                   deny->content_kind ? " (" : "", deny->content_kind ? deny->content_kind : "",
                   deny->content_kind ? ")" : "");
  } else {
    add_more(flow, "kind", deny->content_kind);
  }
  if (is_other(deny->host, session->harness))
    add_more(flow, "host", deny->host);
  if (deny->consumed_by)
    bt_flow_printf(flow, LABEL_AT + 2, BT_ROLE_LABEL, "by", TEXT_AT, BT_ROLE_DEFAULT, "consumed by %s",
                   deny->consumed_by);
  if (deny->class_ != BT_DENY_CLASS_CONSUMED && session->in_force)
    bt_flow_printf(flow, LABEL_AT + 2, BT_ROLE_LABEL, "force", TEXT_AT, BT_ROLE_DEFAULT, "%s%s%s", session->in_force,
                   session->in_force_why ? ": " : "", session->in_force_why ? session->in_force_why : "");
  if (!deny->registered)
    add_more(flow, "", "not registered in the sentinel");
}

static void add_final(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_final *final_) {
  char when[BT_PART_BYTES];
  if (!final_) {
    add(flow, "FINAL", BT_ROLE_DIM, "none");
    return;
  }
  if (final_->error) {
    bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "FINAL", TEXT_AT, BT_ROLE_WARNING, "%s", final_->error);
  } else {
    bt_clock_near(when, frame->scene, final_->written_at_ms, frame->now_ms);
    bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "FINAL", TEXT_AT, BT_ROLE_DEFAULT, "written %s", when);
  }
  add_more(flow, "", final_->path);
}

static void add_brief(struct bt_flow *flow, const struct bt_capture *capture) {
  char shown[BT_PART_BYTES];
  if (!capture || capture->status == BT_BRIEF_NONE) {
    add(flow, "BRIEF", BT_ROLE_DIM, "none");
    return;
  }
  bt_size_shown(shown, capture->size_bytes);
  if (capture->actual_hash)
    bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "BRIEF", TEXT_AT, bt_role_of_brief(capture->status),
                   "%s  %s, %u line%s", bt_brief_shown(capture->status), shown, capture->line_count,
                   capture->line_count == 1 ? "" : "s");
  else
    bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "BRIEF", TEXT_AT, bt_role_of_brief(capture->status), "%s%s%s",
                   bt_brief_shown(capture->status), capture->error ? ": " : "", capture->error ? capture->error : "");
  add_more(flow, "", capture->path);
  bt_hash_shown(shown, capture->actual_hash);
  if (capture->actual_hash)
    add_more(flow, "sha256", shown);
  bt_hash_shown(shown, capture->expected_hash);
  if (capture->status == BT_BRIEF_TAMPERED)
    add_more(flow, "wanted", shown);
  if (capture->redaction_count || capture->fence_violations)
    bt_flow_printf(flow, 0, BT_ROLE_LABEL, NULL, TEXT_AT, BT_ROLE_DEFAULT, "%u redaction%s, %u fence violation%s",
                   capture->redaction_count, capture->redaction_count == 1 ? "" : "s", capture->fence_violations,
                   capture->fence_violations == 1 ? "" : "s");
  if (capture->actual_hash)
    bt_flow_labelled(flow, LABEL_AT + 2, BT_ROLE_LABEL, "read", TEXT_AT,
                     capture->reviewed ? BT_ROLE_VERIFIED : BT_ROLE_BOLD,
                     capture->reviewed ? "reviewed by you" : "not reviewed yet");
}

/* Who carries the session from context to context, and through which ones. */
static void add_supervisor(struct bt_flow *flow, const struct bt_snapshot *snapshot, const struct bt_session *session) {
  const struct bt_supervised *one = bt_snapshot_supervised(snapshot, session->id);
  if (!one)
    return;
  bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "CARRIED", TEXT_AT, BT_ROLE_DEFAULT, "by supervise, pid %.0f: %s",
                 one->pid, one->state);
  bt_carried_chain(flow, LABEL_AT + 2, TEXT_AT, one, session->id);
}

static void add_lock(struct bt_flow *flow, const struct bt_lock *lock) {
  if (!lock) {
    add(flow, "LOCK", BT_ROLE_DIM, "none");
    return;
  }
  bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "LOCK", TEXT_AT, bt_role_of_verdict(lock->verdict), "%s  %s",
                 bt_lock_verdict_word(lock->verdict), lock->why ? lock->why : "");
}

static void add_passes(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_session *session) {
  char left[BT_PART_BYTES];
  if (session->auth)
    bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "RESUME", TEXT_AT, bt_role_of_signature(session->auth->signature),
                   "may take over %s (%s)", session->auth->deny_session_id ? session->auth->deny_session_id : "?",
                   bt_signature_word(session->auth->signature));
  if (session->successor)
    bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "TAKEN BY", TEXT_AT,
                   bt_role_of_signature(session->successor->signature), "%s (%s)",
                   session->successor->consumer_session_id ? session->successor->consumer_session_id : "?",
                   bt_signature_word(session->successor->signature));
  if (!session->auth && !session->successor)
    add(flow, "RESUME", BT_ROLE_DIM, "none");
  const struct bt_grant *grant = session->grant;
  if (!grant) {
    add(flow, "GRANT", BT_ROLE_DIM, "none");
  } else if (grant->state == BT_GRANT_LIVE && grant->expires_at_ms > frame->now_ms) {
    bt_countdown(left, grant->expires_at_ms - frame->now_ms);
    bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "GRANT", TEXT_AT, BT_ROLE_WARNING, "live, %s left (%s)", left,
                   bt_signature_word(grant->signature));
    add_more(flow, "reason", grant->unbound_reason);
  } else {
    bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "GRANT", TEXT_AT, BT_ROLE_DIM, "%s%s%s",
                   grant->state == BT_GRANT_UNREADABLE ? "unreadable" : "expired", grant->error ? ": " : "",
                   grant->error ? grant->error : "");
  }
}

void bt_overview_add(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_session *session) {
  add_who(flow, frame, session);
  bt_handover_add(flow, frame, session, LABEL_AT, TEXT_AT);
  add_repo(flow, frame->snapshot, session);
  bt_flow_blank(flow);
  add_context(flow, &session->context);
  bt_flow_blank(flow);
  add_deny(flow, frame, session);
  add_final(flow, frame, session->final_);
  add_brief(flow, session->capture);
  add_passes(flow, frame, session);
  add_lock(flow, session->lock);
  add_supervisor(flow, frame->snapshot, session);
  add_reasons(flow, session);
  bt_flow_blank(flow);
  add_transcript(flow, frame, session);
  bt_flow_printf(flow, LABEL_AT, BT_ROLE_LABEL, "EVIDENCE", TEXT_AT, BT_ROLE_DEFAULT, "%zu entr%s name%s it",
                 session->evidence_count, session->evidence_count == 1 ? "y" : "ies",
                 session->evidence_count == 1 ? "s" : "");
}
