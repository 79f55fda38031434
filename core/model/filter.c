/* core/model/filter.c - the words of a filter against the texts of a row. */
#include "core/model/filter.h"

#include <stdint.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/str.h"

struct field {
  const char *name;
  const char *text; /* NULL: nothing there */
};

static char lower(char byte) {
  return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

static bool same_bytes(const char *a, const char *b, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (lower(a[i]) != lower(b[i]))
      return false;
  return true;
}

static bool has(const char *text, struct bt_slice word) {
  size_t length = text ? strlen(text) : 0;
  for (size_t at = 0; at + word.length <= length; at++)
    if (word.length && same_bytes(text + at, word.data, word.length))
      return true;
  return false;
}

static bool same_name(const char *name, struct bt_slice word) {
  return strlen(name) == word.length && same_bytes(word.data, name, word.length);
}

static bool word_passes(struct bt_slice word, const struct field *fields, size_t count) {
  const char *colon = memchr(word.data, ':', word.length);
  if (colon && colon > word.data) {
    struct bt_slice name = {word.data, (size_t)(colon - word.data)};
    struct bt_slice rest = {colon + 1, word.length - name.length - 1};
    for (size_t i = 0; i < count; i++)
      if (same_name(fields[i].name, name))
        return !rest.length || has(fields[i].text, rest);
  }
  for (size_t i = 0; i < count; i++)
    if (has(fields[i].text, word))
      return true;
  return false;
}

/* "age>90m", "age<2d". False when the word is nothing of the kind. */
static bool is_age(struct bt_slice word, bool *older, int64_t *limit_ms) {
  static const char units[] = "smhdw";
  static const int64_t unit_ms[] = {1000, 60000, 3600000, 86400000, 604800000};
  int64_t number = 0;
  size_t at = 4;
  if (word.length < 6 || !same_bytes(word.data, "age", 3) || (word.data[3] != '>' && word.data[3] != '<'))
    return false;
  for (; at < word.length && word.data[at] >= '0' && word.data[at] <= '9' && number < 1000000; at++)
    number = number * 10 + (word.data[at] - '0');
  const char *unit = at > 4 && at + 1 == word.length ? strchr(units, lower(word.data[at])) : NULL;
  if (!unit || !*unit)
    return false;
  *older = word.data[3] == '>';
  *limit_ms = number * unit_ms[unit - units];
  return true;
}

static bool passes_aged(const char *filter, const struct field *fields, size_t count, int64_t since_ms,
                        int64_t now_ms) {
  const char *at = filter ? filter : "";
  for (;;) {
    bool older;
    int64_t limit_ms;
    at += strspn(at, " ");
    struct bt_slice word = {at, strcspn(at, " ")};
    if (!word.length)
      return true;
    if (is_age(word, &older, &limit_ms)) {
      if (since_ms == BT_TIME_UNKNOWN || (older ? now_ms - since_ms <= limit_ms : now_ms - since_ms >= limit_ms))
        return false;
    } else if (!word_passes(word, fields, count)) {
      return false;
    }
    at += word.length;
  }
}

static bool passes(const char *filter, const struct field *fields, size_t count) {
  return passes_aged(filter, fields, count, BT_TIME_UNKNOWN, 0);
}

enum { FIELDS_MAX = 16 };

/* Without a row: the names alone. */
static size_t session_fields(const struct bt_session *session, struct field *fields) {
  static const struct bt_session nobody;
  if (!session)
    session = &nobody;
  const struct bt_deny *deny = session->deny;
  const struct bt_lock *lock = session->lock;
  const struct field all[] = {
      {"state", bt_state_word(session->state)},
      {"id", session->id},
      {"session", session->id},
      {"ticket", session->ticket_id},
      {"harness", session->harness},
      {"band", bt_band_word(session->context.band)},
      {"deny", deny ? bt_deny_class_word(deny->class_) : NULL},
      {"lock", lock ? bt_lock_verdict_word(lock->verdict) : NULL},
      {"brief", session->capture ? bt_brief_word(session->capture->status) : NULL},
      {"host", lock && lock->host ? lock->host
               : deny             ? deny->host
                                  : NULL},
      {"title", session->title},
      {"title", session->ticket_title},
      {"branch", session->branch},
  };
  memcpy(fields, all, sizeof all);
  return sizeof all / sizeof *all;
}

static size_t lock_fields(const struct bt_lock *lock, struct field *fields) {
  static const struct bt_lock nothing;
  if (!lock)
    lock = &nothing;
  const struct field all[] = {
      {"lock", bt_lock_verdict_word(lock->verdict)},
      {"verdict", bt_lock_verdict_word(lock->verdict)},
      {"id", lock->name},
      {"session", lock->name},
      {"host", lock->host},
      {"pid", lock->pid_text},
      {"why", lock->why},
      {"process", lock->process_name},
  };
  memcpy(fields, all, sizeof all);
  return sizeof all / sizeof *all;
}

static size_t log_fields(const struct bt_log_row *row, struct field *fields) {
  static const struct bt_log_row nothing;
  if (!row)
    row = &nothing;
  const struct field all[] = {
      {"gate", row->gate},
      {"session", row->session},
      {"session", row->successor},
      {"ticket", row->ticket},
      {"outcome", row->outcome},
      {"signature", bt_log_signature_word(row->signature)},
      {"chain", row->chain_ok ? "ok" : "broken"},
      {"seq", row->seq},
  };
  memcpy(fields, all, sizeof all);
  return sizeof all / sizeof *all;
}

bool bt_filter_session(const char *filter, const struct bt_session *session, int64_t now_ms) {
  struct field fields[FIELDS_MAX];
  size_t count = session_fields(session, fields);
  int64_t since_ms = session->since_ms != BT_TIME_UNKNOWN ? session->since_ms : session->last_seen_ms;
  return passes_aged(filter, fields, count, since_ms, now_ms);
}

bool bt_filter_lock(const char *filter, const struct bt_lock *lock) {
  struct field fields[FIELDS_MAX];
  size_t count = lock_fields(lock, fields);
  return passes(filter, fields, count);
}

bool bt_filter_log(const char *filter, const struct bt_log_row *row) {
  struct field fields[FIELDS_MAX];
  size_t count = log_fields(row, fields);
  return passes(filter, fields, count);
}

/* Does it read like a condition, and is it searched as plain text all the same? */
static bool is_doubtful(struct bt_slice word, const struct field *fields, size_t count, bool aged) {
  bool older;
  int64_t limit_ms;
  const char *colon = memchr(word.data, ':', word.length);
  if (word.length > 3 && same_bytes(word.data, "age", 3) && strchr("<>=:", word.data[3]))
    return !aged || !is_age(word, &older, &limit_ms);
  if (!colon || colon == word.data)
    return false;
  for (size_t i = 0; i < count; i++)
    if (same_name(fields[i].name, (struct bt_slice){word.data, (size_t)(colon - word.data)}))
      return false;
  return true;
}

struct bt_slice bt_filter_doubt(const char *filter, enum bt_filter_rows rows) {
  struct field fields[FIELDS_MAX];
  size_t count = rows == BT_FILTER_SESSIONS ? session_fields(NULL, fields)
                 : rows == BT_FILTER_LOCKS  ? lock_fields(NULL, fields)
                                            : log_fields(NULL, fields);
  for (const char *at = filter ? filter : ""; *at; at += strcspn(at, " ")) {
    at += strspn(at, " ");
    struct bt_slice word = {at, strcspn(at, " ")};
    if (word.length && is_doubtful(word, fields, count, rows == BT_FILTER_SESSIONS))
      return word;
  }
  return (struct bt_slice){NULL, 0};
}

const char *bt_filter_words(enum bt_filter_rows rows) {
  switch (rows) {
  case BT_FILTER_LOCKS:
    return "words, or verdict: session: host: pid: process:";
  case BT_FILTER_LOG:
    return "words, or gate: session: ticket: outcome: signature: chain:";
  default:
    return "words, or state: band: harness: ticket: host: brief: deny: lock: age>1h";
  }
}
