/* core/store/reviewed.c - looking for marks and kept copies. */
#include "core/store/reviewed.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/text/capture.h"

enum { SESSION_DIGITS = 24, NAME_LENGTH = SESSION_DIGITS + 65 };

static void session_part(char out[SESSION_DIGITS + 1], const char *session) {
  char hash[BT_SHA256_HEX];
  bt_sha256_hex(session, strlen(session), hash);
  snprintf(out, SESSION_DIGITS + 1, "%.*s", (int)SESSION_DIGITS, hash);
}

void bt_reviewed_path(char out[BT_REVIEWED_PATH], const char *folder, const char *session, const char *hash) {
  char part[SESSION_DIGITS + 1];
  session_part(part, session);
  snprintf(out, BT_REVIEWED_PATH, "%.16s/%s-%.64s", folder, part, hash);
}

bool bt_reviewed_is_of(const char *name, const char *session) {
  char part[SESSION_DIGITS + 1];
  session_part(part, session);
  return strncmp(name, part, SESSION_DIGITS) == 0 && name[SESSION_DIGITS] == '-' && strlen(name) == NAME_LENGTH;
}

static int64_t changed_ms(const struct stat *st) {
  return (int64_t)st->st_mtim.tv_sec * 1000 + st->st_mtim.tv_nsec / 1000000;
}

/* A regular file there, and when it was written. */
static bool is_kept(int root, const char *path, int64_t *since_ms) {
  struct stat st;
  bool there = root >= 0 && fstatat(root, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
  if (there)
    *since_ms = changed_ms(&st);
  return there;
}

static int open_state(const struct bt_env *env) {
  return env->state_dir ? bt_fs_open_root(env->state_dir, NULL) : -1;
}

bool bt_reviewed(const struct bt_env *env, const char *session, const char *hash, int64_t *since_ms) {
  char path[BT_REVIEWED_PATH];
  int root = open_state(env);
  bt_reviewed_path(path, BT_REVIEWED_FOLDER, session, hash);
  bool there = is_kept(root, path, since_ms);
  if (root >= 0)
    close(root);
  return there;
}

/* ---- copies ---- */

/* One look for a copy. */
struct search {
  int root;
  const char *session;
  struct bt_str *bytes;
  struct bt_kept_copy *copy;
  bool failed; /* memory was short: what was not found may be there */
};

/* Reads `path` and holds it against the hash in its name. False: it is not that text (any more), or the search failed. */
static bool read_copy(struct search *search, const char *path) {
  struct bt_str text;
  struct bt_error why = {0};
  char hash[BT_SHA256_HEX] = "";
  const char *named = strrchr(path, '-') + 1;
  bt_str_clear(search->bytes);
  bt_str_init(&text, 3 * search->bytes->ceiling);
  bool same = is_kept(search->root, path, &search->copy->kept_ms) &&
              bt_fs_read_at(search->root, path, search->bytes, &why) == BT_OK;
  if (same)
    bt_utf8_decode8(&text, search->bytes->data, search->bytes->length);
  same =
      same && !text.failed && bt_capture_hash(text.data, text.length, hash, &why) == BT_OK && strcmp(hash, named) == 0;
  search->failed |= text.failed || why.code == BT_NOMEM;
  bt_str_dispose(&text);
  if (same)
    snprintf(search->copy->hash, sizeof search->copy->hash, "%s", hash);
  return same;
}

/* The newest of the session's copies in that folder; what is older than `before_ms` only. False: there is none. */
static bool find_newest(int root, const char *folder, const struct bt_fs_listing *names, const char *session,
                        int64_t before_ms, char newest[BT_REVIEWED_PATH], int64_t *newest_ms) {
  char path[BT_REVIEWED_PATH];
  int64_t since_ms;
  *newest_ms = INT64_MIN;
  for (size_t i = 0; i < names->count; i++) {
    if (!bt_reviewed_is_of(names->names[i], session))
      continue;
    snprintf(path, sizeof path, "%.16s/%.100s", folder, names->names[i]);
    if (is_kept(root, path, &since_ms) && since_ms < before_ms && since_ms > *newest_ms) {
      *newest_ms = since_ms;
      snprintf(newest, BT_REVIEWED_PATH, "%s", path);
    }
  }
  return *newest_ms != INT64_MIN;
}

/* The newest that still is what its name says. */
static bool read_newest(struct search *search, const char *folder) {
  struct bt_fs_listing names = {0};
  struct bt_error why = {0};
  char path[BT_REVIEWED_PATH];
  int64_t before_ms = INT64_MAX;
  bool found = false;
  if (bt_fs_list_at(search->root, folder, &names, &why) == BT_OK)
    while (!found && !search->failed &&
           find_newest(search->root, folder, &names, search->session, before_ms, path, &before_ms))
      found = read_copy(search, path);
  search->failed |= why.code == BT_NOMEM;
  bt_fs_listing_dispose(&names);
  return found;
}

static bool read_expected(struct search *search, const char *expected) {
  static const char *const folders[] = {BT_VERIFIED_FOLDER, BT_REVIEWED_FOLDER};
  char path[BT_REVIEWED_PATH];
  bool found = false;
  if (!expected || strlen(expected) != 64 || strspn(expected, "0123456789abcdef") != 64)
    return false;
  for (size_t i = 0; i < 2 && !found && !search->failed; i++) {
    bt_reviewed_path(path, folders[i], search->session, expected);
    found = read_copy(search, path);
  }
  return found;
}

enum bt_code bt_reviewed_copy(const struct bt_env *env, const char *session, const char *expected, struct bt_str *bytes,
                              struct bt_kept_copy *copy, struct bt_error *err) {
  struct search search = {.root = open_state(env), .session = session, .bytes = bytes, .copy = copy};
  bool found = search.root >= 0;
  *copy = (struct bt_kept_copy){0};
  if (found && read_expected(&search, expected))
    copy->kind = BT_COPY_EXPECTED;
  else if (found && !search.failed && read_newest(&search, BT_VERIFIED_FOLDER))
    copy->kind = BT_COPY_VERIFIED;
  else if (found && !search.failed && read_newest(&search, BT_REVIEWED_FOLDER))
    copy->kind = BT_COPY_READ;
  else
    found = false;
  if (search.root >= 0)
    close(search.root);
  if (search.failed)
    return bt_error_set(err, BT_NOMEM, session, "out of memory");
  return found
             ? BT_OK
             : bt_error_set(err, BT_MISSING, session,
                            "no copy of this brief is kept: baton keeps one when it hands a brief on, and when a brief "
                            "is marked as read");
}
