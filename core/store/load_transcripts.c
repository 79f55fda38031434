/* core/store/load_transcripts.c - the sessions that transcripts know of, joined to those of the ledger.
 *
 * Bands: spec/transcripts.md 4.3 and 6; the shown one is the worse of what the host sees and what the fill says. */
#include <stdio.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/harness/view.h"
#include "core/model/id.h"
#include "core/model/thresholds.h"
#include "core/store/loading.h"

#define FLAGS_MAX 7

static enum bt_band host_band_of(const struct bt_transcript_facts *facts, const char **by) {
  *by = facts->depth_invalid ? "depth(invalid)" : "depth";
  switch (facts->host_band) {
  case BT_HOST_HARD:
    return BT_BAND_HARD;
  case BT_HOST_HANDOFF:
    return BT_BAND_HANDOFF;
  case BT_HOST_INCOMPLETE: /* the gate refuses as at a handoff: what was not scanned may hold more */
    *by = "scan";
    return BT_BAND_HANDOFF;
  case BT_HOST_WARN:
    return BT_BAND_WARN;
  default:
    return facts->depth == BT_COUNT_UNKNOWN ? BT_BAND_UNKNOWN : BT_BAND_OK;
  }
}

static enum bt_band fill_band_of(const struct bt_transcript_facts *facts) {
  if (facts->pct_centi == BT_COUNT_UNKNOWN)
    return BT_BAND_UNKNOWN;
  return facts->pct_centi >= BT_HARD_PCT * 100      ? BT_BAND_HARD
         : facts->pct_centi >= BT_HANDOFF_PCT * 100 ? BT_BAND_HANDOFF
         : facts->pct_centi >= BT_WARN_PCT * 100    ? BT_BAND_WARN
                                                    : BT_BAND_OK;
}

static void set_context(struct bt_context *context, const struct bt_transcript_facts *facts, bool was_read) {
  const char *by;
  enum bt_band host = was_read ? host_band_of(facts, &by) : BT_BAND_UNKNOWN,
               fill = was_read ? fill_band_of(facts) : BT_BAND_UNKNOWN;
  *context = (struct bt_context){.band = host >= fill ? host : fill,
                                 .band_by = host == BT_BAND_UNKNOWN && fill == BT_BAND_UNKNOWN ? NULL
                                            : host >= fill                                     ? by
                                                                                               : "fill"};
  if (!was_read)
    return;
  bool sees_depth = facts->depth != BT_COUNT_UNKNOWN || facts->depth_invalid;
  context->host_band = sees_depth ? bt_host_band_word(facts->host_band) : NULL;
  context->used_known = facts->used != BT_COUNT_UNKNOWN;
  context->window_known = facts->window != BT_COUNT_UNKNOWN;
  context->depth_known = facts->depth != BT_COUNT_UNKNOWN;
  context->used_tokens = context->used_known ? (double)facts->used : 0;
  context->window_tokens = context->window_known ? (double)facts->window : 0;
  context->used_pct = facts->pct_centi != BT_COUNT_UNKNOWN ? (double)facts->pct_centi / 100 : 0;
  context->used_source = context->used_known ? "transcript" : NULL;
  context->window_source = facts->window_source;
  context->window_is_guess = bt_text_equals(facts->window_source, "default");
  context->over_window = context->used_known && context->window_known && facts->used > facts->window;
  context->depth = context->depth_known ? facts->depth : 0;
  context->truncated = facts->truncated;
  context->trend_known = bt_facts_trend(facts, &context->trend_tokens);
}

/* ---- one session ---- */

static bool set_flags(struct bt_arena *arena, struct bt_session *session, const struct bt_harness_row *row) {
  const char **flags = BT_ARENA_ARRAY(arena, const char *, FLAGS_MAX);
  size_t count = 0;
  if (!flags)
    return false;
  if (row->living > 1)
    flags[count++] = "double_writer";
  if (row->stale && !row->living)
    flags[count++] = "registry_stale";
  if (row->problem)
    flags[count++] = row->is_compressed ? "compressed" : "unreadable";
  if (session->context.over_window)
    flags[count++] = "window_exceeded";
  if (row->facts->partial_tail)
    flags[count++] = "partial_tail";
  if (!row->problem && !row->is_pending && row->facts->last_activity_ms == BT_TIME_UNKNOWN)
    flags[count++] = "undated";
  session->flags = flags;
  session->flag_count = count;
  return true;
}

static int64_t activity_of(const struct bt_harness_row *row) {
  int64_t activity = row->facts->last_activity_ms;
  return activity != BT_TIME_UNKNOWN ? activity : row->mtime_ms;
}

static void set_words(struct bt_session *session, const struct bt_harness_row *row) {
  const struct bt_transcript_facts *facts = row->facts;
  session->transcript = facts;
  session->harness = bt_harness_word(facts->harness);
  session->cwd = facts->cwd;
  session->branch = facts->git_branch;
  session->model = facts->model;
  session->title = facts->title ? facts->title : facts->first_prompt;
  session->transcript_path = row->path;
  session->transcript_problem = row->problem;
  session->transcript_pending = row->is_pending;
  session->transcript_unread = row->is_unread;
  session->subagents = row->subagents;
  session->running = row->living > 0 || facts->state == BT_AGENT_RUNNING;
  if (activity_of(row) > session->last_seen_ms)
    session->last_seen_ms = activity_of(row);
}

static enum bt_code join_row(struct bt_loading *load, const struct bt_harness_row *row) {
  if (!bt_id_is_safe(row->session_id))
    return bt_loading_problem(load, row->path, "its session id cannot be used as one");
  struct bt_joint *joint = bt_loading_session(load, row->session_id);
  if (!joint)
    return bt_loading_no_memory(load);
  struct bt_session *session = &joint->session;
  if (session->transcript && (row->problem || !session->transcript_problem))
    return BT_OK; /* an older copy of the same session */
  set_words(session, row);
  set_context(&session->context, session->transcript, !row->is_unread);
  return set_flags(load->arena, session, row) ? BT_OK : bt_loading_no_memory(load);
}

static void release(void *view) {
  bt_harness_view_free(view);
}

enum bt_code bt_load_transcripts(struct bt_loading *load) {
  struct bt_harness_view *view = load->harness;
  enum bt_code code = BT_OK;
  if (!view)
    return BT_OK;
  load->snapshot->kept = bt_harness_view_hold(view); /* what it says is pointed at, not copied */
  load->snapshot->release = release;
  for (size_t i = 0; code == BT_OK && i < view->row_count; i++)
    code = join_row(load, &view->rows[i]);
  for (size_t i = 0; code == BT_OK && i < view->note_count; i++)
    code = bt_loading_problem(load, view->notes[i].path, "%s", view->notes[i].text);
  load->snapshot->transcripts_known = view->known;
  load->snapshot->transcripts_pending = view->pending;
  return code;
}
