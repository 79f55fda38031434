/* core/ops/marks.c - small files of the state folder, each replaced whole. */
#include "core/ops/marks.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/ops/txn.h"
#include "core/store/reviewed.h"

#define ORDER_NAME "order"
#define PREVIEW_NAME "preview"
#define REVERSED " reversed"
#define LINE_MAX_BYTES 64
#define BRIEF_MAX ((size_t)4 * 1024 * 1024)

static enum bt_code replace(const struct bt_env *env, const char *path, const char *bytes, size_t length,
                            struct bt_error *err) {
  if (env->readonly)
    return bt_error_set(err, BT_READONLY, path, "read-only: nothing is kept");
  struct bt_error failed = {.code = BT_OK};
  int root = bt_txn_make_root(env->state_dir, &failed);
  enum bt_code code =
      root < 0 ? failed.code : bt_fs_replace_as_at(root, path, bytes, length, BT_FS_MODE_PRIVATE, &failed);
  if (root >= 0)
    close(root);
  if (code != BT_OK && err)
    *err = failed;
  return code;
}

/* ---- how they like to look: one line a file ---- */

static enum bt_code keep_line(const struct bt_env *env, const char *name, const char *word, const char *more,
                              struct bt_error *err) {
  struct bt_str line;
  bt_str_init(&line, LINE_MAX_BYTES);
  bt_str_printf(&line, "%s%s\n", word, more);
  enum bt_code code = line.failed ? bt_error_set(err, BT_NOMEM, name, "out of memory")
                                  : replace(env, name, line.data, line.length, err);
  bt_str_dispose(&line);
  return code;
}

/* Its first word into `word`; true when `more` follows it. */
static bool read_line(const struct bt_env *env, const char *name, struct bt_str *word, const char *more) {
  struct bt_str bytes;
  bool follows = false;
  bt_str_clear(word);
  bt_str_init(&bytes, LINE_MAX_BYTES);
  int root = bt_fs_open_root(env->state_dir, NULL);
  if (root >= 0 && bt_fs_read_at(root, name, &bytes, NULL) == BT_OK) {
    size_t length = strcspn(bytes.data, " \n");
    bt_str_append(word, bytes.data, length);
    follows = bt_starts_with(bytes.data + length, more);
  }
  if (root >= 0)
    close(root);
  bt_str_dispose(&bytes);
  return follows;
}

enum bt_code bt_marks_keep_order(const struct bt_env *env, const char *order, bool reversed, struct bt_error *err) {
  return keep_line(env, ORDER_NAME, order, reversed ? REVERSED : "", err);
}

void bt_marks_order(const struct bt_env *env, struct bt_str *order, bool *reversed) {
  *reversed = read_line(env, ORDER_NAME, order, REVERSED);
}

enum bt_code bt_marks_keep_preview(const struct bt_env *env, const char *preview, struct bt_error *err) {
  return keep_line(env, PREVIEW_NAME, preview, "", err);
}

void bt_marks_preview(const struct bt_env *env, struct bt_str *preview) {
  (void)read_line(env, PREVIEW_NAME, preview, REVERSED);
}

/* ---- briefs ---- */

/* When it was kept is when the file changed: by the clock that everything else is shown by. */
static enum bt_code stamp(const struct bt_env *env, const char *path, struct bt_error *err) {
  int root = bt_fs_open_root(env->state_dir, err);
  if (root < 0)
    return err ? err->code : BT_IO;
  enum bt_code code = bt_fs_set_mtime_at(root, path, bt_env_now(env), err);
  close(root);
  return code;
}

/* Real bytes of internal text, kept under the hash. */
static enum bt_code keep(const struct bt_env *env, const char *folder, const char *session,
                         const struct bt_plan_brief *brief, struct bt_error *err) {
  char path[BT_REVIEWED_PATH];
  struct bt_str bytes;
  bt_reviewed_path(path, folder, session, brief->hash);
  bt_str_init(&bytes, BRIEF_MAX);
  bt_utf8_encode8(&bytes, brief->text, brief->length);
  enum bt_code code = bytes.failed ? bt_error_set(err, BT_NOMEM, session, "out of memory")
                                   : replace(env, path, bytes.data, bytes.length, err);
  bt_str_dispose(&bytes);
  if (code == BT_OK)
    code = stamp(env, path, err);
  return code;
}

static enum bt_code forget(const struct bt_env *env, const char *path, struct bt_error *err) {
  if (env->readonly)
    return bt_error_set(err, BT_READONLY, path, "read-only: nothing is kept");
  int root = bt_fs_open_root(env->state_dir, err);
  if (root < 0)
    return err ? err->code : BT_IO;
  enum bt_code code = bt_fs_unlink_at(root, path, err);
  close(root);
  return code;
}

enum bt_code bt_marks_review_brief(const struct bt_env *env, const char *session, const struct bt_plan_brief *brief,
                                   bool reviewed, struct bt_error *err) {
  char path[BT_REVIEWED_PATH];
  if (reviewed)
    return keep(env, BT_REVIEWED_FOLDER, session, brief, err);
  bt_reviewed_path(path, BT_REVIEWED_FOLDER, session, brief->hash);
  return forget(env, path, err);
}

/* One copy a session: the last is the one that is compared with. */
static void drop_older(const struct bt_env *env, const char *session, const char *kept) {
  struct bt_fs_listing names = {0};
  char path[BT_REVIEWED_PATH];
  int root = bt_fs_open_root(env->state_dir, NULL);
  if (root >= 0 && bt_fs_list_at(root, BT_VERIFIED_FOLDER, &names, NULL) == BT_OK)
    for (size_t i = 0; i < names.count; i++) {
      snprintf(path, sizeof path, BT_VERIFIED_FOLDER "/%.100s", names.names[i]);
      if (bt_reviewed_is_of(names.names[i], session) && strcmp(path, kept) != 0 &&
          bt_fs_unlink_at(root, path, NULL) != BT_OK)
        continue; /* one copy more does no harm */
    }
  bt_fs_listing_dispose(&names);
  if (root >= 0)
    close(root);
}

enum bt_code bt_marks_keep_verified(const struct bt_env *env, const char *session, const struct bt_plan_brief *brief,
                                    struct bt_error *err) {
  char path[BT_REVIEWED_PATH];
  enum bt_code code = keep(env, BT_VERIFIED_FOLDER, session, brief, err);
  bt_reviewed_path(path, BT_VERIFIED_FOLDER, session, brief->hash);
  if (code == BT_OK)
    drop_older(env, session, path);
  return code;
}

enum bt_code bt_marks_review(const struct bt_env *env, const struct bt_session *session, bool reviewed,
                             struct bt_error *err) {
  const struct bt_capture *capture = session->capture;
  if (!capture || !capture->text || !capture->actual_hash)
    return bt_error_set(err, BT_MISSING, session->id, "there is no brief that could be marked as read");
  const struct bt_plan_brief brief = {
      .text = capture->text, .length = capture->text_length, .hash = capture->actual_hash};
  enum bt_code code = bt_marks_review_brief(env, session->id, &brief, reviewed, err);
  if (code == BT_OK && reviewed && capture->status == BT_BRIEF_VERIFIED)
    code = bt_marks_keep_verified(env, session->id, &brief, err);
  return code;
}
