/* core/store/final.c - one final checkpoint. */
#include "core/store/final.h"

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/model/id.h"
#include "core/store/doc.h"
#include "core/store/path.h"

static const char *field(struct bt_arena *arena, const struct bt_json *json, const char *key, bool *failed) {
  const char *text = bt_json_get_string(json, key);
  const char *copy = bt_arena_strdup(arena, text);
  *failed |= text && !copy;
  return copy;
}

/* Accepted only with schema 1 and under its own name (1.2.3). */
static bool is_final_of(const struct bt_json *json, const char *session) {
  double schema = 0;
  return bt_json_number(bt_json_get(json, "schema"), &schema) && schema == 1 &&
         bt_text_equals(bt_json_get_string(json, "session_id"), session);
}

enum bt_code bt_final_read(int dir, const char *session, struct bt_arena *arena, struct bt_final *final_,
                           struct bt_json **document, struct bt_error *err) {
  struct bt_str path;
  struct bt_doc doc = {0};
  bool failed = false;
  enum bt_code code = BT_OK;
  *final_ = (struct bt_final){.written_at_ms = BT_TIME_UNKNOWN};
  if (document)
    *document = NULL;
  if (!bt_id_is_safe(session))
    return bt_error_set(err, BT_UNSAFE, session, "not a safe session id");
  bt_str_init(&path, BT_PATH_MAX_BYTES);
  bool possible = bt_ledger_path(&path, BT_FILE_FINAL, session);
  failed = path.failed || !(final_->path = bt_arena_strdup(arena, path.data));
  if (failed)
    goto out;
  if (!possible) {
    final_->error = "missing";
    goto out;
  }
  code = bt_doc_read(dir, path.data, &doc, err);
  if (code != BT_OK)
    goto out;
  final_->error = doc.error;
  if (doc.error)
    goto out;
  if (!is_final_of(doc.json, session)) {
    final_->error = "invalid_final";
    goto out;
  }
  final_->ticket_id = field(arena, doc.json, "ticket_id", &failed);
  final_->content_hash = field(arena, doc.json, "content_hash", &failed);
  final_->content_kind = field(arena, doc.json, "content_kind", &failed);
  final_->host = field(arena, doc.json, "host", &failed);
  final_->written_at = field(arena, doc.json, "written_at", &failed);
  if (final_->written_at &&
      !bt_time_parse(final_->written_at, bt_slice_of(final_->written_at).length, &final_->written_at_ms))
    final_->written_at_ms = BT_TIME_UNKNOWN;
  if (document && !failed) {
    *document = doc.json;
    doc.json = NULL;
  }
out:
  bt_doc_dispose(&doc);
  bt_str_dispose(&path);
  return failed ? bt_error_set(err, BT_NOMEM, session, "out of memory") : code;
}
