/* core/model/explain.c - the lines under a session: what holds it up, worst first. */
#include "core/model/explain.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/base/str.h"
#include "core/model/triage.h"

#define REASON_MAX 16
#define WORDS_MAX 4096

struct reason_list {
  struct bt_arena *arena;
  struct bt_reason items[REASON_MAX];
  size_t count;
  bool failed;
};

static void add(struct reason_list *list, const char *code, const char *fmt, ...) BT_PRINTF(3, 4);

const char *bt_words_vprintf(struct bt_arena *arena, const char *fmt, va_list args) {
  char line[WORDS_MAX];
  int length = vsnprintf(line, sizeof(line), fmt, args);
  if (length < 0)
    return NULL;
  size_t end = strlen(line);
  if ((size_t)length >= sizeof(line)) {
    while (end > 0 && ((unsigned char)line[end - 1] & 0xC0) == 0x80)
      end--;
    if (end > 0 && (unsigned char)line[end - 1] >= 0xC0)
      end--;
  }
  return bt_arena_strndup(arena, line, end);
}

static void add(struct reason_list *list, const char *code, const char *fmt, ...) {
  va_list args;
  if (list->failed || list->count == REASON_MAX)
    return;
  struct bt_reason *reason = &list->items[list->count];
  va_start(args, fmt);
  reason->text = bt_words_vprintf(list->arena, fmt, args);
  va_end(args);
  reason->code = bt_arena_strdup(list->arena, code);
  if (reason->code && reason->text)
    list->count++;
  else
    list->failed = true;
}

void bt_stamp_short(char out[24], int64_t time_ms) {
  char iso[BT_ISO_MS];
  if (time_ms == BT_TIME_UNKNOWN) {
    snprintf(out, 24, "an unknown time");
    return;
  }
  bt_time_iso(iso, time_ms);
  if (strlen(iso) == 24)
    snprintf(out, 24, "%.10s %.5sZ", iso, iso + 11);
  else
    snprintf(out, 24, "%.23s", iso);
}

void bt_size_short(char out[24], int64_t bytes) {
  if (bytes < 1024)
    snprintf(out, 24, "%d bytes", bytes < 0 ? 0 : (int)bytes);
  else if (bytes < 1024 * 1024)
    snprintf(out, 24, "%.1f KiB", (double)bytes / 1024);
  else
    snprintf(out, 24, "%.1f MiB", (double)bytes / (1024 * 1024));
}

void bt_hash_short(char out[32], const char *hash) {
  size_t length = hash ? strlen(hash) : 0;
  if (length == 64)
    snprintf(out, 32, "%.4s..%s", hash, hash + 60);
  else
    snprintf(out, 32, "%.24s", hash ? hash : "none");
}

static void explain_invalid(struct reason_list *list, const struct bt_deny *deny) {
  static const struct {
    const char *reason, *words;
  } table[] = {
      {"missing_registered_marker", "the sentinel lists this session, but its deny record is gone"},
      {"corrupt_json", "its deny record is not valid JSON"},
      {"invalid_shape", "its deny record is not a JSON object"},
      {"session_id_mismatch", "its deny record names another session"},
      {"invalid_status", "its deny record is neither open nor consumed"},
      {"missing_deny_store", "the sentinel lists this session, but the folder of deny records is gone"},
      {"emptied_deny_store", "the sentinel lists this session, but the folder of deny records is empty"},
      {"unreadable_marker", "its deny record is no plain file that can be read"},
  };
  const char *words = bt_starts_with(deny->reason, "readdir_failed")
                          ? "the sentinel lists this session, but the folder of deny records cannot be listed"
                          : "its deny record cannot be used";
  for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
    if (bt_text_equals(deny->reason, table[i].reason))
      words = table[i].words;
  add(list, "D3 invalid_record", "%s (%s): %s", words, deny->reason, deny->path);
}

static void explain_deny(struct reason_list *list, const struct bt_session *session) {
  const struct bt_deny *deny = session->deny;
  char since[24];
  if (deny->status == BT_DENY_INVALID) {
    explain_invalid(list, deny);
    return;
  }
  if (deny->status == BT_DENY_CONSUMED) {
    bt_stamp_short(since, deny->consumed_at_ms);
    add(list, "D2 denier_session", "its record was consumed at %s by %s: it stays denied, the work moved on", since,
        deny->consumed_by ? deny->consumed_by : "nobody named");
    return;
  }
  bt_stamp_short(since, deny->since_ms);
  if (session->successor && session->successor->signature != BT_SIG_INVALID)
    add(list, "D3 unauthorized_open", "its own deny record is open since %s; only %s is authorised to go on (%s)",
        since, session->successor->consumer_session_id, bt_signature_word(session->successor->signature));
  else
    add(list, "D3 unauthorized_open", "its own deny record is open since %s and no resume-auth names it", since);
  if (deny->class_ == BT_DENY_CLASS_ORPHAN)
    add(list, "deny ORPHAN", "open for more than 24 h, not bound, and there is no brief");
  else if (!deny->ticket_bound || !deny->hash_bound)
    add(list, "deny unbound", "it names no %s",
        deny->ticket_bound ? "content hash"
        : deny->hash_bound ? "ticket"
                           : "ticket and no content hash");
  if (!deny->plain_binds)
    add(list, "deny malformed", "its bind fields are absent, padded or not text: only `write` accepts them");
}

static void explain_brief(struct reason_list *list, const struct bt_session *session) {
  const struct bt_capture *brief = session->capture;
  char expected[32], actual[32], size[24];
  if (!brief)
    return;
  bt_hash_short(expected, brief->expected_hash);
  bt_hash_short(actual, brief->actual_hash);
  bt_size_short(size, (int64_t)brief->size_bytes);
  bool refuses = bt_session_brief_faulty(session);
  const char *effect = refuses ? "; every gated call is refused until it does" : "";
  switch (brief->status) {
  case BT_BRIEF_TAMPERED:
    add(list, "brief TAMPERED", "%s hashes to %s, recorded is %s%s", brief->path, actual, expected,
        refuses ? "; every gated call is refused while they differ" : "");
    break;
  case BT_BRIEF_MISSING:
    add(list, "brief MISSING", "%s is not there, recorded is %s%s", brief->path, expected,
        refuses ? "; every gated call is refused until it is" : "");
    break;
  case BT_BRIEF_OVERSIZE:
    add(list, "brief OVERSIZE", "%s is %s, 64.0 KiB is the limit%s", brief->path, size, effect);
    break;
  case BT_BRIEF_UNREADABLE:
    add(list, "brief UNREADABLE", "%s cannot be read (%s)%s", brief->path, brief->error ? brief->error : "?", effect);
    break;
  case BT_BRIEF_UNCHECKED:
    add(list, "brief unchecked", "%s, %s: no record says what it should hash to", brief->path, size);
    break;
  case BT_BRIEF_VERIFIED:
    add(list, "brief verified", "%s, %s, sha256 %s is the recorded one%s", brief->path, size, actual,
        brief->reviewed ? "; reviewed" : "; not reviewed yet");
    break;
  default:
    if (refuses)
      add(list, "brief unbound",
          "the record says it has a brief, but not what it hashes to: every gated call is refused");
    break;
  }
}

static void explain_auth(struct reason_list *list, const struct bt_session *session) {
  const struct bt_auth *auth = session->auth;
  if (!auth)
    return;
  const char *effect = "";
  if (auth->signature == BT_SIG_INVALID)
    effect = ": its signature does not verify with this key, so it authorises nothing";
  else if (!session->auth_deny)
    effect = ", but there is no such deny record";
  else if (!bt_session_auth_counts(session))
    effect = ", but that record has moved on: it authorises nothing any more";
  else if (session->auth_deny->status == BT_DENY_OPEN)
    effect = ", whose deny was never consumed (an interrupted resume or continue)";
  char code[48];
  snprintf(code, sizeof(code), "resume-auth %s", bt_signature_word(auth->signature));
  add(list, code, "it may go on with the work of %s (ticket %s)%s", auth->deny_session_id, auth->ticket_id, effect);
}

static void explain_grant(struct reason_list *list, const struct bt_session *session) {
  const struct bt_grant *grant = session->grant;
  char until[24];
  if (!grant)
    return;
  bt_stamp_short(until, grant->expires_at_ms);
  if (grant->state == BT_GRANT_UNREADABLE)
    add(list, "grant unreadable", "%s does not count (%s)", grant->path, grant->error ? grant->error : "?");
  else if (grant->state == BT_GRANT_EXPIRED)
    add(list, "grant expired", "the bypass grant ran out at %s", until);
  else
    add(list, grant->signature == BT_SIG_INVALID ? "grant invalid" : "grant live",
        "one gated call is let through until %s, %s (signature %s)", until,
        grant->unbound_reason ? "unbound and broken records included" : "bound records only",
        bt_signature_word(grant->signature));
}

static void explain_lock(struct reason_list *list, const struct bt_lock *lock) {
  char code[32];
  if (!lock)
    return;
  snprintf(code, sizeof(code), "lock %s", bt_lock_verdict_word(lock->verdict));
  add(list, code, "%s", lock->why);
}

static void explain_band(struct reason_list *list, const struct bt_context *context) {
  char code[48];
  if (context->band < BT_BAND_WARN)
    return;
  snprintf(code, sizeof(code), "band %s by %s", bt_band_word(context->band), context->band_by ? context->band_by : "?");
  bool by_fill = bt_text_equals(context->band_by, "fill");
  char percent[BT_PERCENT_BYTES];
  bt_percent_text(percent, context);
  if (context->used_known && context->window_known && (by_fill || !context->depth_known))
    add(list, code, "%.0f of %.0f tokens used (%s)%s", context->used_tokens, context->window_tokens, percent,
        context->window_is_guess ? "; the window is a default and may be larger" : "");
  else if (context->depth_known)
    add(list, code, "%s%lld tool calls%s", context->truncated ? "at least " : "", (long long)context->depth,
        bt_text_equals(context->band_by, "scan") ? ": the transcript is too long to be scanned whole" : "");
  else
    add(list, code, "no usage is known");
}

/* What the processes and the file itself say against each other. */
static void explain_transcript(struct reason_list *list, const struct bt_session *session) {
  for (size_t i = 0; i < session->flag_count; i++) {
    if (bt_text_equals(session->flags[i], "double_writer"))
      add(list, "double writer", "more than one living process says that it has this session open");
    else if (bt_text_equals(session->flags[i], "registry_stale"))
      add(list, "registry stale", "the harness still lists a process for it that is gone");
    else if (bt_text_equals(session->flags[i], "window_exceeded"))
      add(list, "window exceeded", "more tokens are used than the window holds: the window is probably wrong");
    else if (bt_text_equals(session->flags[i], "undated"))
      add(list, "undated", "no record of its transcript has a time: it is dated by the file's own");
  }
  if (session->transcript_problem)
    add(list, "transcript", "%s: %s", session->transcript_problem, session->transcript_path);
  else if (session->transcript && session->transcript->skipped_lines > 0)
    add(list, "transcript", "%lld line%s passed over: no record", (long long)session->transcript->skipped_lines,
        session->transcript->skipped_lines == 1 ? "" : "s");
}

/* What `continue` would say about the ticket (spec 8.9). */
static void explain_ticket(struct reason_list *list, const struct bt_snapshot *snapshot,
                           const struct bt_session *session) {
  const struct bt_deny *deny = session->deny;
  if (!deny || deny->status != BT_DENY_OPEN || !deny->ticket_bound)
    return;
  const struct bt_ticket_pointer *active = &snapshot->active_ticket;
  if (active->error)
    add(list, "ticket unresolved", "the active ticket cannot be told (%s): continue needs --ticket %s", active->error,
        session->ticket_id);
  else if (active->id && !bt_text_equals(active->id, session->ticket_id))
    add(list, "ticket differs", "the active ticket is %s, this deny is bound to %s: continue needs --ticket %s",
        active->id, session->ticket_id, session->ticket_id);
}

static void explain_blocks(struct reason_list *list, const struct bt_snapshot *snapshot,
                           const struct bt_session *session) {
  if (!bt_session_refuses(session))
    return;
  add(list, "blocks", "every session of this checkout, new ones too (%zu other%s known here)", session->blocks,
      session->blocks == 1 ? " is" : "s are");
  if (snapshot->refusing_count == 2)
    add(list, "not alone", "1 other record refuses as well: a successor is refused until it is cleared too");
  else if (snapshot->refusing_count > 2)
    add(list, "not alone", "%zu other records refuse as well: a successor is refused until they are cleared too",
        snapshot->refusing_count - 1);
}

bool bt_explain_session(struct bt_arena *arena, const struct bt_snapshot *snapshot, struct bt_session *session) {
  struct reason_list list = {.arena = arena};
  if (session->deny)
    explain_deny(&list, session);
  bool brief_first = session->capture && session->capture->status != BT_BRIEF_VERIFIED;
  if (brief_first)
    explain_brief(&list, session);
  explain_band(&list, &session->context);
  explain_blocks(&list, snapshot, session);
  if (!brief_first)
    explain_brief(&list, session);
  explain_lock(&list, session->lock);
  explain_ticket(&list, snapshot, session);
  explain_auth(&list, session);
  explain_grant(&list, session);
  explain_transcript(&list, session);
  if (session->in_force && bt_session_refuses(session))
    add(&list, "in force", "%s: %s", session->in_force, session->in_force_why);
  if (list.failed)
    return false;
  if (list.count == 0)
    return true;
  struct bt_reason *reasons = BT_ARENA_ARRAY(arena, struct bt_reason, list.count);
  if (!reasons)
    return false;
  memcpy(reasons, list.items, list.count * sizeof(*reasons));
  session->reasons = reasons;
  session->reason_count = list.count;
  return true;
}
