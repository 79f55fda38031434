/* core/store/load_captures.c - the brief of each session: what it should hash to, and what it does. */
#include <string.h>

#include "core/base/arena.h"
#include "core/base/json.h"
#include "core/store/capture.h"
#include "core/store/loading.h"
#include "core/store/reviewed.h"

/* Room for the texts of all briefs in one snapshot; what does not fit is read again when it is opened. */
#define TEXT_TOTAL_MAX ((size_t)6 * 1024 * 1024)

static bool is_capture(const char *kind) {
  return bt_text_equals(kind, "capture");
}

static bool usable(const struct bt_final *final_) {
  return final_ && !final_->error;
}

/* Does `hash` name a checkpoint body (spec 4.4) rather than a brief? Then a brief that differs is not tampered with. */
static bool is_body_hash(const char *hash, const char *session, const char *ticket, const char *host) {
  struct bt_json *body = bt_json_new_object();
  struct bt_str text;
  char actual[BT_SHA256_HEX];
  bt_str_init(&text, (size_t)1024 * 1024);
  bool built = body && host && bt_json_set_string(body, "host", host) == BT_OK &&
               bt_json_set_number(body, "schema", 1) == BT_OK &&
               bt_json_set_string(body, "session_id", session) == BT_OK &&
               bt_json_set_string(body, "ticket_id", ticket) == BT_OK;
  if (built)
    bt_json_print_canonical(&text, body);
  if (built && !text.failed)
    bt_sha256_hex(text.data, text.length, actual);
  bool same = built && !text.failed && strcmp(actual, hash) == 0;
  bt_json_free(body);
  bt_str_dispose(&text);
  return same;
}

static bool names_no_brief(const struct bt_session *session, const char *hash) {
  const struct bt_final *final_ = session->final_;
  const struct bt_deny *deny = session->deny;
  return (usable(final_) && is_body_hash(hash, session->id, final_->ticket_id, final_->host)) ||
         (deny && is_body_hash(hash, session->id, deny->ticket_id, deny->host));
}

/* What the deny says it should hash to; without a deny that counts, what the final says. */
static const char *expected_of(const struct bt_session *session, bool *required) {
  const struct bt_deny *deny = session->deny;
  const struct bt_final *final_ = usable(session->final_) ? session->final_ : NULL;
  bool counts = deny && deny->status != BT_DENY_INVALID;
  *required = counts ? is_capture(deny->content_kind) : final_ && is_capture(final_->content_kind);
  if (counts && (deny->hash_bound || *required))
    return deny->content_hash;
  return final_ ? final_->content_hash : NULL;
}

static enum bt_code load_one(struct bt_loading *load, struct bt_joint *joint) {
  struct bt_session *session = &joint->session;
  bool required = false;
  const char *expected = expected_of(session, &required);
  if (!joint->has_content && !required)
    return BT_OK;
  struct bt_capture *capture = BT_ARENA_NEW(load->arena, struct bt_capture);
  if (!capture)
    return bt_loading_no_memory(load);
  bool keep = load->text_bytes < TEXT_TOTAL_MAX;
  enum bt_code code =
      bt_capture_load(load->dir, session->id, expected, required, keep, load->arena, capture, load->err);
  if (code != BT_OK)
    return code;
  capture->reviewed =
      capture->actual_hash && bt_reviewed(load->env, session->id, capture->actual_hash, &capture->reviewed_ms);
  if (capture->text)
    load->text_bytes += capture->text_length;
  if (capture->status == BT_BRIEF_TAMPERED && !required && names_no_brief(session, expected)) {
    capture->status = BT_BRIEF_UNCHECKED;
    capture->expected_hash = NULL;
    capture->error = NULL;
  }
  session->capture = capture;
  bool unusable = capture->status == BT_BRIEF_UNREADABLE || capture->status == BT_BRIEF_OVERSIZE;
  return unusable ? bt_loading_problem(load, capture->path, "brief cannot be read: %s", capture->error) : BT_OK;
}

static bool is_open(const struct bt_session *session) {
  return session->deny && session->deny->status == BT_DENY_OPEN;
}

enum bt_code bt_load_captures(struct bt_loading *load) {
  struct bt_joint *joints = load->sessions.items;
  enum bt_code code = BT_OK;
  for (int pass = 0; pass < 2; pass++) /* open denies first: their texts are the ones that are wanted */
    for (size_t i = 0; i < load->sessions.count && code == BT_OK; i++)
      if (is_open(&joints[i].session) == (pass == 0))
        code = load_one(load, &joints[i]);
  return code;
}
