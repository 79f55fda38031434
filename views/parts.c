/* views/parts.c - roles, times, numbers and the context bar. */
#include "views/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "views/text.h"

enum bt_role bt_role_of_state(enum bt_state state) {
  static const enum bt_role roles[BT_STATE_COUNT] = {
      [BT_STATE_BLOCKED] = BT_ROLE_STATE_BLOCKED, [BT_STATE_STALE_LOCK] = BT_ROLE_STATE_STALE_LOCK,
      [BT_STATE_FOREIGN] = BT_ROLE_STATE_FOREIGN, [BT_STATE_READY] = BT_ROLE_STATE_READY,
      [BT_STATE_WARN] = BT_ROLE_STATE_WARN,       [BT_STATE_RUN] = BT_ROLE_STATE_RUN,
      [BT_STATE_IDLE] = BT_ROLE_STATE_IDLE,       [BT_STATE_DONE] = BT_ROLE_STATE_DONE};
  return state < BT_STATE_COUNT ? roles[state] : BT_ROLE_DEFAULT;
}

enum bt_role bt_role_of_verdict(enum bt_lock_verdict verdict) {
  static const enum bt_role roles[BT_LOCK_VERDICT_COUNT] = {
      [BT_LOCK_STALE] = BT_ROLE_VERDICT_STALE,     [BT_LOCK_PID_REUSE] = BT_ROLE_VERDICT_PID_REUSE,
      [BT_LOCK_FOREIGN] = BT_ROLE_VERDICT_FOREIGN, [BT_LOCK_UNREADABLE] = BT_ROLE_VERDICT_UNREADABLE,
      [BT_LOCK_UNKNOWN] = BT_ROLE_VERDICT_UNKNOWN, [BT_LOCK_LIVE] = BT_ROLE_VERDICT_LIVE};
  return verdict < BT_LOCK_VERDICT_COUNT ? roles[verdict] : BT_ROLE_DEFAULT;
}

char bt_verdict_glyph(enum bt_lock_verdict verdict) {
  static const char glyphs[BT_LOCK_VERDICT_COUNT] = {
      [BT_LOCK_STALE] = 'x',      [BT_LOCK_PID_REUSE] = 'x', [BT_LOCK_FOREIGN] = '~',
      [BT_LOCK_UNREADABLE] = '?', [BT_LOCK_UNKNOWN] = '?',   [BT_LOCK_LIVE] = ' '};
  return verdict < BT_LOCK_VERDICT_COUNT ? glyphs[verdict] : '?';
}

enum bt_role bt_role_of_band(enum bt_band band) {
  switch (band) {
  case BT_BAND_OK:
    return BT_ROLE_BAND_OK;
  case BT_BAND_WARN:
    return BT_ROLE_BAND_WARN;
  case BT_BAND_HANDOFF:
    return BT_ROLE_BAND_HANDOFF;
  case BT_BAND_HARD:
    return BT_ROLE_BAND_HARD;
  case BT_BAND_UNKNOWN:
    break;
  }
  return BT_ROLE_BAND_UNKNOWN;
}

enum bt_role bt_role_of_brief(enum bt_brief_status status) {
  switch (status) {
  case BT_BRIEF_VERIFIED:
    return BT_ROLE_VERIFIED;
  case BT_BRIEF_TAMPERED:
    return BT_ROLE_TAMPERED;
  case BT_BRIEF_MISSING:
  case BT_BRIEF_OVERSIZE:
  case BT_BRIEF_UNREADABLE:
    return BT_ROLE_WARNING;
  case BT_BRIEF_NONE:
    return BT_ROLE_DIM;
  case BT_BRIEF_UNCHECKED:
  case BT_BRIEF_COUNT:
    break;
  }
  return BT_ROLE_UNKNOWN;
}

enum bt_role bt_role_of_signature(enum bt_signature signature) {
  switch (signature) {
  case BT_SIG_VERIFIED:
    return BT_ROLE_VERIFIED;
  case BT_SIG_INVALID:
    return BT_ROLE_BAD;
  case BT_SIG_UNVERIFIABLE:
    break;
  }
  return BT_ROLE_UNKNOWN;
}

enum bt_role bt_role_of_check(enum bt_check check) {
  switch (check) {
  case BT_CHECK_OK:
    return BT_ROLE_VERIFIED;
  case BT_CHECK_WARN:
    return BT_ROLE_WARNING;
  case BT_CHECK_BAD:
    return BT_ROLE_BAD;
  case BT_CHECK_UNKNOWN:
    break;
  }
  return BT_ROLE_UNKNOWN;
}

const char *bt_check_mark(enum bt_check check) {
  switch (check) {
  case BT_CHECK_OK:
    return "[ok]";
  case BT_CHECK_WARN:
    return "[!!]";
  case BT_CHECK_BAD:
    return "[no]";
  case BT_CHECK_UNKNOWN:
    break;
  }
  return "[??]";
}

enum bt_role bt_role_of_severity(enum bt_severity severity) {
  switch (severity) {
  case BT_SEVERITY_GOOD:
    return BT_ROLE_MESSAGE_GOOD;
  case BT_SEVERITY_WARN:
    return BT_ROLE_MESSAGE_WARN;
  case BT_SEVERITY_ERROR:
    return BT_ROLE_MESSAGE_ERROR;
  case BT_SEVERITY_INFO:
    break;
  }
  return BT_ROLE_MESSAGE;
}

const char *bt_brief_shown(enum bt_brief_status status) {
  switch (status) {
  case BT_BRIEF_TAMPERED:
    return "TAMPERED";
  case BT_BRIEF_MISSING:
    return "MISSING";
  default:
    return bt_brief_word(status);
  }
}

void bt_deny_shown(char out[BT_PART_BYTES], const struct bt_deny *deny) {
  if (!deny)
    snprintf(out, BT_PART_BYTES, "-");
  else if (deny->class_ == BT_DENY_CLASS_INVALID)
    snprintf(out, BT_PART_BYTES, "INVALID");
  else if (deny->class_ == BT_DENY_CLASS_CONSUMED)
    snprintf(out, BT_PART_BYTES, "consumed");
  else
    snprintf(out, BT_PART_BYTES, "open %s",
             deny->class_ == BT_DENY_CLASS_ORPHAN ? "ORPHAN" : bt_deny_class_word(deny->class_));
}

static void add_words(char *out, const char *words, const char *more) {
  size_t used = strlen(out);
  if (used < BT_WHY_BYTES)
    snprintf(out + used, BT_WHY_BYTES - used, "%s%s%s", used ? ", " : "", words, more);
}

void bt_why_shown(char out[BT_WHY_BYTES], const struct bt_session *session) {
  const struct bt_deny *deny = session->deny;
  char words[BT_PART_BYTES];
  out[0] = 0;
  if (session->capture && session->capture->status > BT_BRIEF_VERIFIED)
    add_words(out, "brief ", bt_brief_shown(session->capture->status));
  if (deny && deny->class_ != BT_DENY_CLASS_CONSUMED) {
    bt_deny_shown(words, deny);
    add_words(out, words, " deny");
  }
  if (session->lock && session->lock->verdict == BT_LOCK_FOREIGN && session->lock->host)
    add_words(out, "lock of ", session->lock->host);
  else if (session->lock)
    add_words(out, "lock ", bt_lock_verdict_word(session->lock->verdict));
  if (session->state == BT_STATE_READY && session->auth && session->auth->deny_session_id)
    add_words(out, "takes over ", session->auth->deny_session_id);
  else if (!out[0] && session->reason_count && session->reasons[0].text)
    add_words(out, session->reasons[0].text, "");
}

void bt_step_shown(char out[BT_STEP_BYTES], const struct bt_next_step *step) {
  const char *text = step->text ? step->text : "";
  if (step->blocked_by)
    snprintf(out, BT_STEP_BYTES, "%s (not now: %s)", text, step->blocked_by);
  else
    snprintf(out, BT_STEP_BYTES, "%s", text);
}

int64_t bt_scene_now(const struct bt_scene *scene, const struct bt_snapshot *snapshot) {
  return scene->now_ms ? scene->now_ms : snapshot ? snapshot->taken_at_ms : 0;
}

/* "2026-10-09T14:22:07.000Z" of the local time; false when the time is not known or out of any calendar. */
static bool local_iso(char iso[BT_ISO_MS], const struct bt_scene *scene, int64_t time_ms) {
  if (time_ms < INT64_C(-62135596800000) || time_ms > INT64_C(253402300799999)) /* years 1 to 9999 */
    return false;
  bt_time_iso(iso, time_ms + (int64_t)scene->utc_offset_s * 1000);
  return strlen(iso) == 24;
}

void bt_clock_minute(char out[BT_PART_BYTES], const struct bt_scene *scene, int64_t time_ms) {
  char iso[BT_ISO_MS];
  snprintf(out, BT_PART_BYTES, "%.5s%s", local_iso(iso, scene, time_ms) ? iso + 11 : "?", scene->utc ? "Z" : "");
}

void bt_clock_full(char out[BT_PART_BYTES], const struct bt_scene *scene, int64_t time_ms) {
  char iso[BT_ISO_MS];
  if (local_iso(iso, scene, time_ms))
    snprintf(out, BT_PART_BYTES, "%.10s %.8s", iso, iso + 11);
  else
    snprintf(out, BT_PART_BYTES, "?");
}

void bt_clock_near(char out[BT_PART_BYTES], const struct bt_scene *scene, int64_t time_ms, int64_t now_ms) {
  char today[BT_PART_BYTES];
  bt_clock_full(today, scene, now_ms);
  bt_clock_full(out, scene, time_ms);
  if (strlen(out) == 19 && strncmp(out, today, 10) == 0)
    memmove(out, out + 11, strlen(out + 11) + 1);
}

void bt_age_of(char out[BT_PART_BYTES], int64_t since_ms, int64_t now_ms) {
  bool known = since_ms != BT_TIME_UNKNOWN && now_ms != BT_TIME_UNKNOWN;
  char age[16];
  /* Far apart times of hostile records must not overflow the difference. */
  if (known && (since_ms < -(INT64_C(1) << 60) || since_ms > (INT64_C(1) << 60)))
    known = false;
  bt_age_short(age, known ? now_ms - since_ms : BT_TIME_UNKNOWN);
  snprintf(out, BT_PART_BYTES, "%s", age);
}

void bt_countdown(char out[BT_PART_BYTES], int64_t left_ms) {
  long long seconds = left_ms > 0 ? (long long)((left_ms + 999) / 1000) : 0;
  snprintf(out, BT_PART_BYTES, "%02lld:%02lld", seconds / 60, seconds % 60);
}

void bt_hash_shown(char out[BT_PART_BYTES], const char *hash) {
  size_t length = hash ? strlen(hash) : 0;
  if (!length)
    snprintf(out, BT_PART_BYTES, "-");
  else if (length < 16)
    snprintf(out, BT_PART_BYTES, "%s", hash);
  else
    snprintf(out, BT_PART_BYTES, "%.4s..%s", hash, hash + length - 4);
}

void bt_size_shown(char out[BT_PART_BYTES], size_t bytes) {
  if (bytes < 1024)
    snprintf(out, BT_PART_BYTES, "%zu byte%s", bytes, bytes == 1 ? "" : "s");
  else if (bytes < 1024 * 1024)
    snprintf(out, BT_PART_BYTES, "%.1f KiB", (double)bytes / 1024);
  else
    snprintf(out, BT_PART_BYTES, "%.1f MiB", (double)bytes / (1024 * 1024));
}

void bt_number_shown(char out[BT_PART_BYTES], double number) {
  char digits[32];
  if (!(fabs(number) < 1e18)) {
    snprintf(out, BT_PART_BYTES, "?");
    return;
  }
  int length = snprintf(digits, sizeof digits, "%.0f", fabs(number));
  size_t at = 0;
  if (number <= -0.5)
    out[at++] = '-';
  for (int i = 0; i < length; i++) {
    if (i && (length - i) % 3 == 0)
      out[at++] = ',';
    out[at++] = digits[i];
  }
  out[at] = 0;
}

const char *bt_session_name(const struct bt_session *session, int columns, bool unicode) {
  const char *id = session->id ? session->id : "";
  if (!session->id_short || bt_text_width(id, strlen(id), unicode, columns) <= columns)
    return id;
  return session->id_short;
}

void bt_bar_draw(struct bt_pane pane, int row, int column, const struct bt_context *context, bool selected) {
  enum bt_role band = selected ? BT_ROLE_SELECTION : bt_role_of_band(context->band);
  enum bt_role rest = selected ? BT_ROLE_SELECTION : BT_ROLE_DIM;
  bt_pane_text(pane, row, column, rest, "[");
  bt_pane_text(pane, row, column + 11, rest, "]");
  if (!context->used_known || !context->window_known || !(context->used_pct >= 0)) {
    bt_pane_text(pane, row, column + 1, selected ? BT_ROLE_SELECTION : BT_ROLE_BAND_UNKNOWN, "??????????");
    return;
  }
  double tenths = context->used_pct / 10;
  int filled = tenths >= 10 ? 10 : (int)(tenths + 0.5);
  bt_pane_run(pane, row, column + 1, filled, band, "▓", '#');
  bt_pane_run(pane, row, column + 1 + filled, 10 - filled, rest, "░", '.');
}

void bt_percent_shown(char out[BT_PART_BYTES], const struct bt_context *context) {
  char percent[BT_PERCENT_BYTES];
  bt_percent_text(percent, context);
  snprintf(out, BT_PART_BYTES, "%s", percent);
}

const struct bt_grant *bt_live_grant(const struct bt_snapshot *snapshot, int64_t now_ms, size_t *count) {
  const struct bt_grant *first = NULL;
  *count = 0;
  for (size_t i = 0; i < snapshot->grant_count; i++) {
    const struct bt_grant *grant = &snapshot->grants[i];
    if (grant->state != BT_GRANT_LIVE || grant->expires_at_ms <= now_ms)
      continue;
    (*count)++;
    if (!first || grant->expires_at_ms < first->expires_at_ms)
      first = grant;
  }
  return first;
}
