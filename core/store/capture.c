/* core/store/capture.c - captures from disk, held against their recorded hash. */
#include "core/store/capture.h"

#include <string.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/model/id.h"
#include "core/store/doc.h"
#include "core/store/path.h"
#include "core/text/capture.h"
#include "core/text/fence.h"
#include "core/text/redact.h"

#define BODY_MAX (3 * BT_CAPTURE_MAX_BYTES) /* every byte may become U+FFFD */

/* The file as decode8 text; *error instead where it cannot be had. `path` is the caller's, relative to `dir`. */
static enum bt_code read_text(int dir, const char *path, struct bt_str *body, size_t *size, const char **error,
                              struct bt_error *err) {
  struct bt_str bytes;
  struct bt_error why = {0};
  *error = NULL;
  *size = 0;
  if (dir < 0) {
    *error = "missing";
    return BT_OK;
  }
  bt_str_init(&bytes, BT_CAPTURE_MAX_BYTES);
  enum bt_code code = bt_fs_read_at(dir, path, &bytes, &why);
  if (code == BT_OK) {
    *size = bytes.length;
    bt_utf8_decode8(body, bytes.data, bytes.length);
    if (body->failed)
      code = BT_NOMEM;
  }
  bt_str_dispose(&bytes);
  if (code == BT_NOMEM)
    return bt_error_set(err, BT_NOMEM, path, "out of memory");
  if (code != BT_OK)
    *error = bt_doc_error_word(code, why.sys_errno);
  return BT_OK;
}

/* False when no file of that name can exist. */
static bool capture_path(const char *session, struct bt_str *path, enum bt_code *code, struct bt_error *err) {
  *code = BT_OK;
  bt_str_init(path, BT_PATH_MAX_BYTES);
  if (!bt_id_is_safe(session)) {
    *code = bt_error_set(err, BT_UNSAFE, session, "not a safe session id");
    return false;
  }
  if (bt_ledger_path(path, BT_FILE_CAPTURE, session))
    return true;
  if (path->failed)
    *code = bt_error_set(err, BT_NOMEM, session, "out of memory");
  return false;
}

enum bt_code bt_capture_read(int dir, const char *session, struct bt_str *body, char hash[BT_SHA256_HEX],
                             const char **error, struct bt_error *err) {
  struct bt_str path, own;
  enum bt_code code;
  size_t size;
  *error = "missing";
  if (hash)
    hash[0] = '\0';
  bt_str_init(&own, BODY_MAX);
  if (!body)
    body = &own;
  if (capture_path(session, &path, &code, err)) {
    code = read_text(dir, path.data, body, &size, error, err);
    if (code == BT_OK && !*error && hash)
      code = bt_capture_hash(body->data, body->length, hash, err);
  }
  bt_str_dispose(&own);
  bt_str_dispose(&path);
  return code;
}

enum bt_code bt_capture_read_verified(int dir, const char *session, const char *expected, struct bt_str *body,
                                      const char **error, struct bt_error *err) {
  char hash[BT_SHA256_HEX];
  if (!bt_id_is_safe(session))
    return bt_error_set(err, BT_UNSAFE, session, "not a safe session id");
  if (!expected || !*expected) {
    *error = "missing expected content_hash";
    return BT_OK;
  }
  enum bt_code code = bt_capture_read(dir, session, body, hash, error, err);
  if (code == BT_OK && !*error && strcmp(hash, expected) != 0)
    *error = "content_hash mismatch";
  return code;
}

static enum bt_brief_status status_of_error(const char *error, bool required) {
  if (strcmp(error, "missing") == 0)
    return required ? BT_BRIEF_MISSING : BT_BRIEF_NONE;
  return strcmp(error, "oversize") == 0 ? BT_BRIEF_OVERSIZE : BT_BRIEF_UNREADABLE;
}

static bool keep_body(struct bt_arena *arena, const struct bt_str *body, bool keep_text, struct bt_capture *capture) {
  capture->text_length = body->length;
  capture->redaction_count = (unsigned)bt_redact_count_marks(body->data, body->length);
  capture->fence_violations = (unsigned)bt_fence_count_removed(body->data, body->length);
  for (size_t i = 0; i < body->length; i++)
    capture->line_count += body->data[i] == '\n';
  if (body->length > 0 && body->data[body->length - 1] != '\n')
    capture->line_count++;
  capture->text_left_out = !keep_text;
  if (keep_text)
    capture->text = bt_arena_strndup(arena, body->data, body->length);
  return !keep_text || capture->text;
}

static enum bt_code fill(int dir, const char *path, bool required, bool keep_text, struct bt_arena *arena,
                         struct bt_capture *capture, struct bt_error *err) {
  struct bt_str body;
  struct bt_fs_stat st = {0};
  char hash[BT_SHA256_HEX];
  bt_str_init(&body, BODY_MAX);
  enum bt_code code = read_text(dir, path, &body, &capture->size_bytes, &capture->error, err);
  if (code != BT_OK)
    goto out;
  if (capture->error)
    capture->status = status_of_error(capture->error, required);
  if (capture->status != BT_BRIEF_NONE && capture->status != BT_BRIEF_MISSING) {
    bt_fs_stat_at(dir, path, &st);
    capture->mtime_ms = st.mtime_ms;
    if (capture->error)
      capture->size_bytes = (size_t)st.size_bytes;
  }
  if (capture->error)
    goto out;
  code = bt_capture_hash(body.data, body.length, hash, err);
  if (code != BT_OK)
    goto out;
  capture->actual_hash = bt_arena_strdup(arena, hash);
  if (!capture->actual_hash || !keep_body(arena, &body, keep_text, capture)) {
    code = bt_error_set(err, BT_NOMEM, path, "out of memory");
    goto out;
  }
  if (!capture->expected_hash || !*capture->expected_hash) {
    capture->status = BT_BRIEF_UNCHECKED;
    capture->error = required ? "missing expected content_hash" : NULL;
  } else if (strcmp(hash, capture->expected_hash) == 0) {
    capture->status = BT_BRIEF_VERIFIED;
  } else {
    capture->status = BT_BRIEF_TAMPERED;
    capture->error = "content_hash mismatch";
  }
out:
  bt_str_dispose(&body);
  return code;
}

enum bt_code bt_capture_load(int dir, const char *session, const char *expected, bool required, bool keep_text,
                             struct bt_arena *arena, struct bt_capture *capture, struct bt_error *err) {
  struct bt_str path;
  enum bt_code code;
  *capture = (struct bt_capture){.status = BT_BRIEF_UNCHECKED,
                                 .mtime_ms = BT_TIME_UNKNOWN,
                                 .reviewed_ms = BT_TIME_UNKNOWN,
                                 .expected_hash = bt_arena_strdup(arena, expected)};
  bool possible = capture_path(session, &path, &code, err);
  if (code == BT_OK) {
    capture->path = bt_arena_strdup(arena, path.data);
    if (!capture->path || (expected && !capture->expected_hash)) {
      code = bt_error_set(err, BT_NOMEM, session, "out of memory");
    } else if (possible) {
      code = fill(dir, path.data, required, keep_text, arena, capture, err);
    } else {
      capture->error = "missing";
      capture->status = status_of_error("missing", required);
    }
  }
  bt_str_dispose(&path);
  return code;
}
