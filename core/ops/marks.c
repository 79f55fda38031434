/* core/ops/marks.c - the text of each brief that was read, kept under its hash. */
#include "core/ops/marks.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/ops/state_file.h"
#include "core/store/reviewed.h"

#define BRIEF_MAX ((size_t)4 * 1024 * 1024)

/* Real bytes of internal text, kept under the hash. */
static enum bt_code keep(const struct bt_env *env, const char *folder, const char *session,
                         const struct bt_plan_brief *brief, struct bt_error *err) {
  char path[BT_REVIEWED_PATH];
  struct bt_str bytes;
  bt_reviewed_path(path, folder, session, brief->hash);
  bt_str_init(&bytes, BRIEF_MAX);
  bt_utf8_encode8(&bytes, brief->text, brief->length);
  enum bt_code code = bytes.failed ? bt_error_set(err, BT_NOMEM, session, "out of memory")
                                   : bt_state_file_replace(env, path, bytes.data, bytes.length, err);
  bt_str_dispose(&bytes);
  if (code == BT_OK)
    code = bt_state_file_stamp(env, path, err);
  return code;
}

enum bt_code bt_marks_review_brief(const struct bt_env *env, const char *session, const struct bt_plan_brief *brief,
                                   bool reviewed, struct bt_error *err) {
  char path[BT_REVIEWED_PATH];
  if (reviewed)
    return keep(env, BT_REVIEWED_FOLDER, session, brief, err);
  bt_reviewed_path(path, BT_REVIEWED_FOLDER, session, brief->hash);
  return bt_state_file_remove(env, path, err);
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
          bt_state_file_remove(env, path, NULL) != BT_OK)
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
