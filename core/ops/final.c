/* core/ops/final.c - finals, and the marker that must agree with one. */
#include "core/ops/final.h"

#include <string.h>

#include "core/base/clock.h"
#include "core/base/digest.h"
#include "core/model/id.h"
#include "core/ops/document.h"
#include "core/ops/marker.h"

#define TEXT_MAX (1u << 20)

/* A JSON string of the trimmed text, `fallback` (NULL: null) where it is blank. */
static struct bt_json *bind_json(const char *text, const char *fallback) {
  struct bt_slice bind = bt_bind_normalise(text);
  if (bind.data == NULL)
    return bt_json_new_string(fallback);
  struct bt_str copy;
  bt_str_init(&copy, TEXT_MAX);
  bt_str_append(&copy, bind.data, bind.length);
  struct bt_json *json = copy.failed ? NULL : bt_json_new_string(copy.data);
  bt_str_dispose(&copy);
  return json;
}

/* Canonical JSON of the four members that a refresh does not change (4.4). */
static bool body_hash(const struct bt_json *final_, char hash[BT_SHA256_HEX]) {
  struct bt_json *body = bt_json_clone(final_);
  if (body == NULL)
    return false;
  bt_json_remove(body, "written_at");
  struct bt_str text;
  bt_str_init(&text, TEXT_MAX * 4);
  bt_json_print_canonical(&text, body);
  bool done = !text.failed;
  if (done)
    bt_sha256_hex(text.data, text.length, hash);
  bt_str_dispose(&text);
  bt_json_free(body);
  return done;
}

struct bt_json *bt_final_build(const struct bt_final_request *request, int64_t now_ms) {
  char written_at[BT_ISO_MS], hash[BT_SHA256_HEX];
  bt_time_iso(written_at, now_ms);
  struct bt_json *final_ = bt_json_new_object();
  if (final_ == NULL || bt_json_set_number(final_, "schema", 1) != BT_OK ||
      bt_json_set_string(final_, "session_id", request->session) != BT_OK ||
      bt_json_set(final_, "ticket_id", bind_json(request->ticket, NULL)) != BT_OK ||
      bt_json_set_string(final_, "written_at", written_at) != BT_OK ||
      bt_json_set(final_, "host", bind_json(request->host, "local")) != BT_OK || !body_hash(final_, hash) ||
      bt_json_set(final_, "content_hash", bind_json(request->content_hash, hash)) != BT_OK ||
      (bt_bind_is_bound(request->content_kind) &&
       bt_json_set(final_, "content_kind", bind_json(request->content_kind, NULL)) != BT_OK)) {
    bt_json_free(final_);
    return NULL;
  }
  return final_;
}

struct bt_json *bt_final_of_request(const struct bt_request *request, const struct bt_env *env) {
  struct bt_final_request wanted = {.session = request->session,
                                    .ticket = request->ticket,
                                    .host = request->host,
                                    .content_hash = request->content_hash};
  return bt_final_build(&wanted, bt_env_now(env));
}

enum bt_code bt_final_write(struct bt_txn *txn, const struct bt_env *env, struct bt_json *final_,
                            struct bt_error *err) {
  char written_at[BT_ISO_MS];
  bt_time_iso(written_at, bt_env_now(env));
  const char *session = bt_json_get_string(final_, "session_id");
  if (bt_json_set_string(final_, "written_at", written_at) != BT_OK)
    return bt_error_set(err, BT_NOMEM, session, "out of memory");
  return bt_document_replace(txn, BT_FILE_FINAL, session, final_, err);
}

/* A missing member differs from null (8.3 step 5); for content_kind both count as none. */
static bool is_stale(const struct bt_json *record, const struct bt_json *final_) {
  static const char *const binds[] = {"ticket_id", "content_hash"};
  for (size_t i = 0; i < sizeof binds / sizeof *binds; i++) {
    const struct bt_json *stored = bt_json_get(record, binds[i]);
    if (stored == NULL || !bt_json_equals(stored, bt_json_get(final_, binds[i])))
      return true;
  }
  const struct bt_json *kind = bt_json_get(record, "content_kind");
  const struct bt_json *wanted = bt_json_get(final_, "content_kind");
  if (bt_json_is_nullish(kind) || bt_json_is_nullish(wanted))
    return bt_json_is_nullish(kind) != bt_json_is_nullish(wanted);
  return !bt_json_equals(kind, wanted);
}

/* Without a ticket there is nothing to repair to: the record is written as it is, with the new hash. */
static enum bt_code write_unbound(struct bt_txn *txn, const struct bt_json *record, const struct bt_json *final_,
                                  struct bt_error *err) {
  struct bt_json *bound = bt_json_clone(record);
  const char *kind = bt_json_get_string(final_, "content_kind");
  enum bt_code code = bound != NULL ? BT_OK : BT_NOMEM;
  if (code == BT_OK)
    code = bt_json_set_null(bound, "ticket_id");
  if (code == BT_OK)
    code = bt_json_set_string(bound, "content_hash", bt_json_get_string(final_, "content_hash"));
  if (code == BT_OK)
    code = bt_json_set_string(bound, "host", bt_json_get_string(final_, "host"));
  if (code == BT_OK)
    code = bt_json_set_string(bound, "status", "open");
  if (code == BT_OK && kind != NULL)
    code = bt_json_set_string(bound, "content_kind", kind);
  if (code == BT_OK && kind == NULL)
    bt_json_remove(bound, "content_kind");
  if (code != BT_OK)
    code = bt_error_set(err, BT_NOMEM, "deny marker", "out of memory");
  else
    code = bt_marker_write(txn, bound, NULL, err);
  bt_json_free(bound);
  return code;
}

static enum bt_code rebind(struct bt_txn *txn, const struct bt_json *record, const struct bt_json *final_,
                           struct bt_error *err) {
  const char *session = bt_json_get_string(final_, "session_id");
  const char *ticket = bt_json_get_string(final_, "ticket_id");
  enum bt_code code = bt_document_watch(txn, BT_ARTIFACT_DENY, BT_FILE_DENY, session, err);
  if (code != BT_OK)
    return code;
  if (ticket == NULL)
    return write_unbound(txn, record, final_, err);
  return bt_marker_repair(txn, session, ticket, bt_json_get_string(final_, "content_hash"),
                          bt_json_get_string(final_, "content_kind"), bt_json_get_string(final_, "host"), NULL, err);
}

static enum bt_code ensure(struct bt_txn *txn, const struct bt_env *env, const struct bt_json *final_,
                           struct bt_checkpoint *out, struct bt_error *err) {
  struct bt_ensure_request request = {.session_id = bt_json_get_string(final_, "session_id"),
                                      .ticket_id = bt_json_get_string(final_, "ticket_id"),
                                      .content_hash = bt_json_get_string(final_, "content_hash"),
                                      .host = bt_json_get_string(final_, "host")};
  struct bt_ensure verdict;
  enum bt_code code = bt_marker_ensure(txn, &request, bt_env_now(env), &verdict, err);
  if (code != BT_OK)
    return code;
  if (!verdict.ok)
    return bt_error_set(err, BT_STATE, request.session_id, "the deny marker cannot be ensured (%s): %s", verdict.reason,
                        request.session_id);
  out->deny_reason = strcmp(verdict.reason, "ok") == 0 ? "ok" : "already_present";
  return BT_OK;
}

enum bt_code bt_checkpoint_write(struct bt_txn *txn, const struct bt_env *env, struct bt_json *final_,
                                 const struct bt_json *claim, struct bt_checkpoint *out, struct bt_error *err) {
  const char *session = bt_json_get_string(final_, "session_id");
  *out = (struct bt_checkpoint){0};
  enum bt_code code = bt_document_watch(txn, BT_ARTIFACT_FINAL, BT_FILE_FINAL, session, err);
  if (code == BT_OK)
    code = bt_final_write(txn, env, final_, err);
  if (code == BT_OK)
    code = ensure(txn, env, final_, out, err);
  if (code != BT_OK)
    return code;
  struct bt_marker marker;
  code = bt_marker_read(bt_txn_dir(txn), session, &marker, err);
  if (code == BT_OK && !marker.ok)
    code = bt_error_set(err, BT_STATE, session, "the deny marker cannot be read back (%s): %s", marker.reason, session);
  if (code == BT_OK && is_stale(marker.record, final_)) {
    out->rebound = true;
    if (claim != NULL)
      code = bt_marker_unchanged(bt_txn_dir(txn), session, claim, err);
    if (code == BT_OK)
      code = rebind(txn, marker.record, final_, err);
  }
  bt_marker_dispose(&marker);
  return code;
}
