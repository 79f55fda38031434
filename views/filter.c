/* views/filter.c - the words of a filter against the texts of a row. */
#include "views/filter.h"

#include <stdint.h>
#include <string.h>

#include "core/base/str.h"
#include "views/text.h"

struct field {
  const char *name;
  const char *text; /* NULL: nothing there */
};

static bool has(const char *text, struct bt_slice word) {
  return text && bt_text_search(text, strlen(text), word.data, word.length) != SIZE_MAX;
}

static bool same_name(const char *name, struct bt_slice word) {
  return strlen(name) == word.length && bt_text_search(word.data, word.length, name, word.length) == 0;
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

static bool passes(const char *filter, const struct field *fields, size_t count) {
  const char *at = filter ? filter : "";
  for (;;) {
    at += strspn(at, " ");
    struct bt_slice word = {at, strcspn(at, " ")};
    if (!word.length)
      return true;
    if (!word_passes(word, fields, count))
      return false;
    at += word.length;
  }
}

bool bt_filter_session(const char *filter, const struct bt_session *session) {
  const struct bt_deny *deny = session->deny;
  const struct bt_lock *lock = session->lock;
  const struct field fields[] = {
      {"state", bt_state_word(session->state)},
      {"id", session->id},
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
  return passes(filter, fields, sizeof fields / sizeof *fields);
}

bool bt_filter_lock(const char *filter, const struct bt_lock *lock) {
  const struct field fields[] = {
      {"lock", bt_lock_verdict_word(lock->verdict)},
      {"id", lock->name},
      {"host", lock->host},
      {"pid", lock->pid_text},
      {"why", lock->why},
      {"process", lock->process_name},
  };
  return passes(filter, fields, sizeof fields / sizeof *fields);
}

bool bt_filter_log(const char *filter, const struct bt_log_row *row) {
  const struct field fields[] = {
      {"gate", row->gate},
      {"session", row->session},
      {"session", row->successor},
      {"ticket", row->ticket},
      {"outcome", row->outcome},
      {"signature", bt_log_signature_word(row->signature)},
      {"chain", row->chain_ok ? "ok" : "broken"},
      {"seq", row->seq},
  };
  return passes(filter, fields, sizeof fields / sizeof *fields);
}
