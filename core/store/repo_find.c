/* core/store/repo_find.c - walks up to the nearest .git and reads its format version. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "core/store/repo_find.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/str.h"

#define CONFIG_MAX ((size_t)1024 * 1024)
#define POINTER_MAX ((size_t)8192) /* a .git file, a commondir file */

static char lower(char byte) {
  return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

/* True unless the setting is there with another value than 0. */
static bool is_version_0(const struct bt_str *config) {
  static const char name[] = "repositoryformatversion";
  const char *data = config->data;
  for (size_t at = 0; at + sizeof name - 1 <= config->length; at++) {
    size_t same = 0;
    while (same < sizeof name - 1 && lower(data[at + same]) == name[same])
      same++;
    if (same < sizeof name - 1)
      continue;
    const char *value = data + at + same;
    value += strspn(value, " \t");
    value += *value == '=' ? 1 : 0;
    value += strspn(value, " \t");
    if (value[0] != '0' || strspn(value + 1, " \t\r\n;#") == 0)
      return value[0] == '0' && value[1] == '\0';
  }
  return true;
}

/* The configuration in an open repository folder. */
static enum bt_repo_find judge_folder(int folder, const char *path) {
  struct bt_str config;
  bt_str_init(&config, CONFIG_MAX);
  enum bt_code code = bt_fs_read_at(folder, path, &config, NULL);
  bool plain = code == BT_MISSING || (code == BT_OK && is_version_0(&config));
  bt_str_dispose(&config);
  return plain ? BT_FIND_PLAIN : BT_FIND_ASK_GIT;
}

/* Reads one line that names a folder, behind `prefix`; resolved against `base` into `out`. */
static bool read_pointer(int folder, const char *name, const char *prefix, const char *base, struct bt_str *out) {
  struct bt_str text;
  bt_str_init(&text, POINTER_MAX);
  bool ok = bt_fs_read_at(folder, name, &text, NULL) == BT_OK && bt_starts_with(text.data, prefix);
  if (ok) {
    size_t length = text.length;
    while (length > 0 && (text.data[length - 1] == '\n' || text.data[length - 1] == '\r'))
      length--;
    bt_str_truncate(&text, length);
    ok = strlen(text.data) == length && length > strlen(prefix) &&
         bt_path_resolve(out, base, text.data + strlen(prefix)) == BT_OK && !out->failed;
  }
  bt_str_dispose(&text);
  return ok;
}

/* A .git file: of a linked working tree or a submodule. The configuration lies in the common folder. */
static enum bt_repo_find judge_pointer(int folder, const char *path) {
  struct bt_str gitdir, common;
  struct bt_fs_stat stat;
  enum bt_repo_find found = BT_FIND_ASK_GIT;
  bt_str_init(&gitdir, POINTER_MAX);
  bt_str_init(&common, POINTER_MAX);
  int inner = read_pointer(folder, ".git", "gitdir: ", path, &gitdir) ? bt_fs_open_root(gitdir.data, NULL) : -1;
  if (inner >= 0) {
    bt_fs_stat_at(inner, "commondir", &stat);
    if (stat.kind == BT_FS_ABSENT) {
      found = judge_folder(inner, "config");
    } else if (read_pointer(inner, "commondir", "", gitdir.data, &common)) {
      int outer = bt_fs_open_root(common.data, NULL);
      found = outer >= 0 ? judge_folder(outer, "config") : BT_FIND_ASK_GIT;
      if (outer >= 0)
        close(outer);
    }
    close(inner);
  }
  bt_str_dispose(&gitdir);
  bt_str_dispose(&common);
  return found;
}

/* BT_FIND_NONE: go on with the folder above. */
static enum bt_repo_find judge(const char *path) {
  struct bt_fs_stat git, head;
  int folder = bt_fs_open_root(path, NULL);
  if (folder < 0)
    return BT_FIND_ASK_GIT;
  bt_fs_stat_at(folder, ".git", &git);
  bt_fs_stat_at(folder, "HEAD", &head);
  enum bt_repo_find found = BT_FIND_ASK_GIT;
  if (git.kind == BT_FS_FOLDER)
    found = judge_folder(folder, ".git/config");
  else if (git.kind == BT_FS_FILE)
    found = judge_pointer(folder, path);
  else if (git.kind == BT_FS_ABSENT && head.kind == BT_FS_ABSENT)
    found = BT_FIND_NONE;
  close(folder);
  return found;
}

enum bt_repo_find bt_repo_find(const char *root) {
  char *folder = realpath(root, NULL);
  if (folder == NULL)
    return BT_FIND_ASK_GIT;
  enum bt_repo_find found;
  for (size_t length = strlen(folder);;) {
    found = judge(folder);
    if (found != BT_FIND_NONE || length <= 1)
      break;
    while (length > 1 && folder[length - 1] != '/')
      length--;
    length -= length > 1 ? 1 : 0;
    folder[length] = '\0';
  }
  free(folder);
  return found;
}
