/* core/store/reviewed.c - looking for marks. */
#include "core/store/reviewed.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/digest.h"
#include "core/base/fs.h"

#define FOLDER "reviewed"
enum { SESSION_DIGITS = 24 };

static void session_part(char out[SESSION_DIGITS + 1], const char *session) {
  char hash[BT_SHA256_HEX];
  bt_sha256_hex(session, strlen(session), hash);
  snprintf(out, SESSION_DIGITS + 1, "%.*s", (int)SESSION_DIGITS, hash);
}

void bt_reviewed_path(char out[BT_REVIEWED_PATH], const char *session, const char *hash) {
  char part[SESSION_DIGITS + 1];
  session_part(part, session);
  snprintf(out, BT_REVIEWED_PATH, FOLDER "/%s-%.64s", part, hash);
}

static int64_t changed_ms(const struct stat *st) {
  return (int64_t)st->st_mtim.tv_sec * 1000 + st->st_mtim.tv_nsec / 1000000;
}

bool bt_reviewed(const struct bt_env *env, const char *session, const char *hash, int64_t *since_ms) {
  char path[BT_REVIEWED_PATH];
  struct stat st;
  int root = env->state_dir ? bt_fs_open_root(env->state_dir, NULL) : -1;
  bt_reviewed_path(path, session, hash);
  bool there = root >= 0 && fstatat(root, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
  if (there)
    *since_ms = changed_ms(&st);
  if (root >= 0)
    close(root);
  return there;
}

enum bt_code bt_reviewed_last(const struct bt_env *env, const char *session, struct bt_str *bytes,
                              struct bt_error *err) {
  char part[SESSION_DIGITS + 1], path[BT_REVIEWED_PATH], newest[BT_REVIEWED_PATH] = "";
  struct bt_fs_listing listing = {0};
  int64_t newest_ms = INT64_MIN;
  struct stat st;
  int root = bt_fs_open_root(env->state_dir, NULL);
  session_part(part, session);
  if (root >= 0 && bt_fs_list_at(root, FOLDER, &listing, NULL) == BT_OK)
    for (size_t i = 0; i < listing.count; i++) {
      if (strncmp(listing.names[i], part, SESSION_DIGITS) != 0 || strlen(listing.names[i]) != SESSION_DIGITS + 65)
        continue;
      snprintf(path, sizeof path, FOLDER "/%.100s", listing.names[i]);
      if (fstatat(root, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) && changed_ms(&st) > newest_ms) {
        newest_ms = changed_ms(&st);
        snprintf(newest, sizeof newest, "%s", path);
      }
    }
  bt_fs_listing_dispose(&listing);
  enum bt_code code = newest[0] ? bt_fs_read_at(root, newest, bytes, err)
                                : bt_error_set(err, BT_MISSING, session, "no brief of this session was marked as read");
  if (root >= 0)
    close(root);
  return code;
}
