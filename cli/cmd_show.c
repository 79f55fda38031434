/* cli/cmd_show.c - `baton show SESSION`: all that is known about one session. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/facts.h"
#include "cli/look.h"
#include "cli/out.h"
#include "cli/table.h"
#include "core/base/clock.h"
#include "core/base/utf8.h"
#include "core/model/explain.h"
#include "core/store/load.h"

#define LINE_MAX_BYTES ((size_t)1024 * 1024)

static int print_json(const struct bt_snapshot *snapshot, const struct bt_session *session) {
  struct json_out json;
  json_begin(&json);
  facts_head(&json, snapshot);
  facts_session(&json, snapshot, session);
  return json_end(&json);
}

/* One labelled line in visible form. */
static void line(const char *label, const char *fmt, ...) BT_PRINTF(2, 3);

static void line(const char *label, const char *fmt, ...) {
  char text[8192];
  struct bt_str visible;
  va_list args;
  va_start(args, fmt);
  int length = vsnprintf(text, sizeof(text), fmt, args);
  va_end(args);
  bt_str_init(&visible, LINE_MAX_BYTES);
  bt_text_visible(&visible, text, length < 0 ? 0 : strlen(text));
  printf("%-12s%s\n", label, visible.data);
  bt_str_dispose(&visible);
}

static const char *or_none(const char *text) {
  return text && *text ? text : "none";
}

static void print_context(const struct bt_context *context) {
  char percent[BT_PERCENT_BYTES], used[32] = "?";
  bt_percent_text(percent, context);
  if (context->used_known)
    snprintf(used, sizeof used, "%.0f", context->used_tokens);
  line("CONTEXT", "%s USED, band %s%s%s", percent, bt_band_word(context->band), context->band_by ? " by " : "",
       context->band_by ? context->band_by : "");
  if (context->window_known)
    line("TOKENS", "%s of %.0f (window: %s%s)%s", used, context->window_tokens,
         context->window_source ? context->window_source : "?", context->window_is_guess ? ", may be larger" : "",
         context->over_window ? "   more than it holds: the window is probably wrong" : "");
  else if (context->used_known)
    line("TOKENS", "%s of ?", used);
  if (context->trend_known)
    line("TREND", "%+.0f tokens a minute", context->trend_tokens);
  if (context->depth_known)
    line("DEPTH", "%s%lld tool calls, host band %s", context->truncated ? "at least " : "", (long long)context->depth,
         context->host_band ? context->host_band : "?");
}

static void print_counts(const struct bt_transcript_facts *facts, int64_t now_ms) {
  char stamp[24], age[16];
  line("MESSAGES", "%lld of the user, %lld of the agent, %lld tool calls%s%s%s%s", (long long)facts->user_messages,
       (long long)facts->assistant_messages, (long long)facts->tools, facts->last_tool ? ", the last " : "",
       facts->last_tool ? facts->last_tool : "", facts->last_tool_pending ? " (no result yet) for " : "",
       facts->last_tool_pending ? table_age(age, now_ms, facts->last_activity_ms) : "");
  if (facts->compactions == 0)
    return;
  bt_stamp_short(stamp, facts->last_compaction_ms);
  line("COMPACTED", "%lld time%s, last %s", (long long)facts->compactions, facts->compactions == 1 ? "" : "s", stamp);
}

/* What the file is, and what of it could not be read. */
static void print_file(const struct bt_session *session) {
  const struct bt_transcript_facts *facts = session->transcript;
  char size[24];
  bt_size_short(size, facts->bytes);
  line("TRANSCRIPT", "%s   %s%s%s", session->transcript_path, facts->bytes == BT_COUNT_UNKNOWN ? "?" : size,
       session->transcript_problem ? "   " : "", session->transcript_problem ? session->transcript_problem : "");
  if (!session->transcript_unread && (facts->skipped_lines || facts->partial_tail))
    line("SKIPPED", "%lld line%s%s", (long long)facts->skipped_lines, facts->skipped_lines == 1 ? "" : "s",
         facts->partial_tail ? ", and a last one that is not whole yet" : "");
}

static void print_transcript(const struct bt_snapshot *snapshot, const struct bt_session *session) {
  const struct bt_transcript_facts *facts = session->transcript;
  char age[16];
  if (!facts) {
    line("TRANSCRIPT", "none");
    return;
  }
  print_file(session);
  line("TITLE", "%s", session->title ? session->title : "?");
  const char *dated = facts->last_activity_ms != BT_TIME_UNKNOWN || session->last_seen_ms == BT_TIME_UNKNOWN ? ""
                      : session->transcript_unread ? " (the file's own time)"
                                                   : " (no record has a time: the file's own)";
  line("AGENT", "%s%s, last seen %s ago%s", session->transcript_unread ? "?" : bt_agent_state_word(facts->state),
       facts->error ? " after an error" : "", table_age(age, snapshot->taken_at_ms, session->last_seen_ms), dated);
  line("MODEL", "%s", facts->model ? facts->model : "?");
  line("FOLDER", "%s", session->cwd ? session->cwd : "?");
  line("BRANCH", "%s", session->branch ? session->branch : "?");
  if (session->transcript_unread)
    line("MESSAGES", "?");
  else
    print_counts(facts, snapshot->taken_at_ms);
  if (session->subagents)
    line("SUBAGENTS", "%zu", session->subagents);
}

static void print_deny(const struct bt_session *session) {
  const struct bt_deny *deny = session->deny;
  char since[24];
  if (!deny) {
    line("DENY", "none");
    return;
  }
  bt_stamp_short(since, deny->since_ms);
  line("DENY", "%s since %s   %s%s%s", bt_deny_class_word(deny->class_), since, deny->path,
       deny->status == BT_DENY_INVALID ? "   " : "", deny->status == BT_DENY_INVALID ? deny->reason : "");
}

static void print_brief(const struct bt_capture *brief) {
  char size[24], hash[32];
  if (!brief) {
    line("BRIEF", "none");
    return;
  }
  bt_size_short(size, (int64_t)brief->size_bytes);
  bt_hash_short(hash, brief->actual_hash);
  line("BRIEF", "%s   %s   %s, %u lines, sha256 %s", bt_brief_word(brief->status), brief->path, size, brief->line_count,
       hash);
}

static void print_papers(const struct bt_session *session) {
  const struct bt_final *final_ = session->final_;
  const struct bt_auth *auth = session->auth;
  const struct bt_grant *grant = session->grant;
  char stamp[24];
  if (final_ && final_->error) {
    line("FINAL", "does not count (%s)   %s", final_->error, final_->path);
  } else if (final_) {
    bt_stamp_short(stamp, final_->written_at_ms);
    line("FINAL", "written %s   %s", stamp, final_->path);
  } else {
    line("FINAL", "none");
  }
  if (auth)
    line("RESUME", "%s: it may go on with %s (ticket %s)", bt_signature_word(auth->signature), auth->deny_session_id,
         auth->ticket_id);
  else
    line("RESUME", "none");
  if (grant) {
    bt_stamp_short(stamp, grant->expires_at_ms);
    line("GRANT", "%s until %s, signature %s", bt_grant_state_word(grant->state), stamp,
         bt_signature_word(grant->signature));
  } else {
    line("GRANT", "none");
  }
}

static void print_step(const struct bt_next_step *step) {
  line("", "%s%s%s", step->text, step->blocked_by ? "   - not now: " : "", step->blocked_by ? step->blocked_by : "");
}

static void print_words(const struct bt_session *session) {
  if (session->reason_count)
    puts("\nWHY");
  for (size_t i = 0; i < session->reason_count; i++)
    line("", "%-22s %s", session->reasons[i].code, session->reasons[i].text);
  puts("\nSAFEST NEXT STEP");
  print_step(&session->next);
  if (session->other_count)
    puts("\nALSO POSSIBLE");
  for (size_t i = 0; i < session->other_count; i++)
    print_step(&session->others[i]);
}

/* Who carries it from context to context, and whether anything refuses it on this host. */
static void print_keepers(const struct bt_snapshot *snapshot, const struct bt_session *session) {
  const struct bt_supervised *one = bt_snapshot_supervised(snapshot, session->id);
  if (session->in_force)
    line("GATE", "%s%s%s", session->in_force, session->in_force_why ? ": " : "",
         session->in_force_why ? session->in_force_why : "");
  if (one)
    line("CARRIED", "by supervise, pid %.0f: %s", one->pid, one->state);
  for (size_t i = 0; one && i < one->session_count; i++)
    line("", "%s %s", i > 0 ? ">" : "chain", one->sessions[i]);
}

static int print_text(const struct bt_snapshot *snapshot, const struct bt_session *session) {
  char stamp[24], age[16];
  bt_stamp_short(stamp, session->since_ms);
  line("SESSION", "%s", session->id);
  line("STATE", "%c %s since %s (%s)", bt_state_glyph(session->state), bt_state_word(session->state), stamp,
       table_age(age, snapshot->taken_at_ms, session->since_ms));
  line("HARNESS", "%s", session->harness ? session->harness : "?");
  line("TICKET", "%s%s%s", or_none(session->ticket_id), session->ticket_title ? "  " : "",
       session->ticket_title ? session->ticket_title : "");
  print_context(&session->context);
  print_transcript(snapshot, session);
  print_deny(session);
  print_papers(session);
  print_brief(session->capture);
  line("LOCK", "%s%s%s", session->lock ? bt_lock_verdict_word(session->lock->verdict) : "none",
       session->lock ? "   " : "", session->lock ? session->lock->why : "");
  print_keepers(snapshot, session);
  line("EVIDENCE", "%zu entries of the newest chain name it", session->evidence_count);
  print_words(session);
  return out_flush();
}

int cmd_show(struct cli_env *cli, int argc, char **argv) {
  struct look look;
  struct bt_error err = {0};
  int status;
  if (look_begin(cli, argc, argv, "baton show SESSION [--all] [--json] [--dir PATH]",
                 "All that is known about one session: why it is stuck, and the safest next step.", true,
                 BT_LOAD_TICKETS | LOOK_TRANSCRIPTS, &look, &status) == LOOK_DONE)
    return status;
  const struct bt_session *session = look_session(look.snapshot, look.subject);
  if (!session) {
    (void)bt_error_set(&err, BT_MISSING, look.subject,
                       "no record of the ledger and no transcript of this repository names it (--all: of any)");
    status = out_error(&err);
  } else {
    status = look.json ? print_json(look.snapshot, session) : print_text(look.snapshot, session);
  }
  bt_snapshot_free(look.snapshot);
  return status;
}
