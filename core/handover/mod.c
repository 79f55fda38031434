/* core/handover/mod.c - looking at an installed mod. */
#include "core/handover/mod.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/base/fs.h"
#include "mod_gitignore_embed.h"
#include "mod_hooks_embed.h"
#include "mod_plugin_embed.h"
#include "mod_register_embed.h"

#define FILE_MAX ((size_t)4 * 1024 * 1024)
#define PATH_SIZE 512
#define TYPES_DEPTH_MAX 8
#define HOLLOW_DEPTH 2

static const struct bt_mod_row rows[] = {{.provider = "claude-code",
                                          .name = "baton-handover",
                                          .folder = ".claude/skills/baton-handover",
                                          .key = "session.handover_on_fill",
                                          .other = "majordomus",
                                          .other_folder = ".claude/skills/majordomus-handover"}};

const struct bt_mod_row *bt_mod_row(const char *provider) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (strcmp(rows[i].provider, provider) == 0)
      return &rows[i];
  }
  return NULL;
}

static const struct bt_mod_file files[] = {
    {".claude-plugin/plugin.json", mod_plugin, mod_plugin_length},
    {"hooks/hooks.json", mod_hooks, mod_hooks_length},
    {BT_MOD_MODULE, mod_register, mod_register_length},
    {".gitignore", mod_gitignore, mod_gitignore_length},
};

const struct bt_mod_file *bt_mod_files(size_t *count) {
  *count = sizeof files / sizeof *files;
  return files;
}

/* ---- conditions ---- */

static void join(char path[PATH_SIZE], const char *folder, const char *name) {
  (void)snprintf(path, PATH_SIZE, "%s/%s", folder, name);
}

/* A regular file that holds `word`; links anywhere on the way make it none. */
static enum bt_code holds(int root, const char *folder, const char *name, const char *word, bool *does,
                          struct bt_error *err) {
  char path[PATH_SIZE];
  struct bt_str text;
  join(path, folder, name);
  bt_str_init(&text, FILE_MAX);
  enum bt_code code = bt_fs_read_at(root, path, &text, NULL);
  *does = false;
  for (size_t at = 0; code == BT_OK && !*does && at + strlen(word) <= text.length; at++)
    *does = memcmp(text.data + at, word, strlen(word)) == 0;
  bt_str_dispose(&text);
  return code == BT_NOMEM ? bt_error_set(err, BT_NOMEM, path, "out of memory") : BT_OK;
}

static enum bt_code is_identical(int root, const char *folder, bool *identical, struct bt_error *err) {
  *identical = true;
  for (size_t i = 0; *identical && i < sizeof files / sizeof *files; i++) {
    char path[PATH_SIZE];
    struct bt_str text;
    join(path, folder, files[i].path);
    bt_str_init(&text, FILE_MAX);
    enum bt_code code = bt_fs_read_at(root, path, &text, NULL);
    *identical = code == BT_OK && text.length == files[i].length && memcmp(text.data, files[i].bytes, text.length) == 0;
    bt_str_dispose(&text);
    if (code == BT_NOMEM)
      return bt_error_set(err, BT_NOMEM, path, "out of memory");
  }
  return BT_OK;
}

/* Every folder on the way is one, or is not there yet. */
static bool is_safe(int root, const char *folder) {
  char path[PATH_SIZE];
  for (const char *end = strchr(folder, '/'); end != NULL; end = strchr(end + 1, '/')) {
    struct bt_fs_stat stat;
    (void)snprintf(path, sizeof path, "%.*s", (int)(end - folder), folder);
    bt_fs_stat_at(root, path, &stat);
    if (stat.kind == BT_FS_ABSENT)
      return true;
    if (stat.kind != BT_FS_FOLDER)
      return false;
  }
  struct bt_fs_stat stat;
  bt_fs_stat_at(root, folder, &stat);
  return stat.kind != BT_FS_LINK;
}

static bool is_own_folder(const char *name, int depth) {
  return depth == HOLLOW_DEPTH ? strcmp(name, ".claude-plugin") == 0 || strcmp(name, "hooks") == 0
                               : strcmp(name, "types") == 0;
}

/* Nothing, or nothing but our own folders: what a removal that was cut short has left, and nobody's work. */
static bool is_hollow(int root, const char *path, int depth) {
  struct bt_fs_listing listing;
  if (bt_fs_list_at(root, path, &listing, NULL) != BT_OK)
    return false;
  bool hollow = listing.count == 0 || depth > 0;
  for (size_t i = 0; hollow && i < listing.count; i++) {
    char inner[PATH_SIZE];
    int length = snprintf(inner, sizeof inner, "%s/%s", path, listing.names[i]);
    hollow = length > 0 && (size_t)length < sizeof inner && is_own_folder(listing.names[i], depth) &&
             is_hollow(root, inner, depth - 1);
  }
  bt_fs_listing_dispose(&listing);
  return hollow;
}

static enum bt_code judge(int root, const char *folder, enum bt_mod_condition *condition, struct bt_error *err) {
  struct bt_fs_stat stat;
  bool ours = false, identical = false;
  bt_fs_stat_at(root, folder, &stat);
  *condition = BT_MOD_ABSENT;
  if (stat.kind == BT_FS_ABSENT)
    return BT_OK;
  *condition = BT_MOD_FOREIGN;
  if (stat.kind != BT_FS_FOLDER)
    return BT_OK;
  if (is_hollow(root, folder, HOLLOW_DEPTH)) {
    *condition = BT_MOD_ABSENT;
    return BT_OK;
  }
  enum bt_code code = holds(root, folder, BT_MOD_MODULE, BT_MOD_MARKER, &ours, err);
  if (code == BT_OK && ours)
    code = is_identical(root, folder, &identical, err);
  if (code == BT_OK && ours)
    *condition = identical ? BT_MOD_IDENTICAL : BT_MOD_DIFFERS;
  return code;
}

/* ---- signs of use ---- */

/* A regular file below `path` that is not older than `since_ns`. Unreadable folders hold none. */
static bool has_newer_file(int root, const char *path, int64_t since_ns, int depth) {
  struct bt_fs_listing listing;
  bool found = false;
  if (depth == 0 || bt_fs_list_at(root, path, &listing, NULL) != BT_OK)
    return false;
  struct bt_str inner;
  bt_str_init(&inner, 8 * PATH_SIZE);
  for (size_t i = 0; !found && i < listing.count; i++) {
    struct bt_fs_stat stat;
    bt_str_clear(&inner);
    bt_str_printf(&inner, "%s/%s", path, listing.names[i]);
    bt_fs_stat_at(root, inner.data, &stat);
    found = !inner.failed && ((stat.kind == BT_FS_FILE && stat.mtime_ns >= since_ns) ||
                              (stat.kind == BT_FS_FOLDER && has_newer_file(root, inner.data, since_ns, depth - 1)));
  }
  bt_str_dispose(&inner);
  bt_fs_listing_dispose(&listing);
  return found;
}

enum bt_code bt_mod_look(int root, const struct bt_mod_row *row, struct bt_mod_found *found, struct bt_error *err) {
  char path[PATH_SIZE];
  struct bt_fs_stat stat;
  *found = (struct bt_mod_found){.condition = BT_MOD_UNSAFE};
  if (!is_safe(root, row->folder))
    return BT_OK;
  enum bt_code code = judge(root, row->folder, &found->condition, err);
  if (code == BT_OK)
    code = holds(root, row->other_folder, BT_MOD_MODULE, row->other, &found->other_there, err);
  if (code != BT_OK || (found->condition != BT_MOD_IDENTICAL && found->condition != BT_MOD_DIFFERS))
    return code;
  join(path, row->folder, BT_MOD_MODULE);
  bt_fs_stat_at(root, path, &stat);
  found->module_mtime_ns = stat.mtime_ns;
  join(path, row->folder, BT_MOD_TYPES);
  found->types_seen = has_newer_file(root, path, stat.mtime_ns, TYPES_DEPTH_MAX);
  return BT_OK;
}

/* ---- answers ---- */

struct bt_mod_state bt_mod_state_of(const struct bt_mod_row *row, const struct bt_mod_found *found,
                                    const struct bt_policy *policy, bool request_seen) {
  if (row == NULL)
    return (struct bt_mod_state){"unsupported", "provider:no-adapter"};
  if (found->condition == BT_MOD_ABSENT)
    return (struct bt_mod_state){"unconfigured", policy->on ? "mod:not-installed" : "mod:policy-off"};
  if (found->condition == BT_MOD_FOREIGN || found->condition == BT_MOD_UNSAFE)
    return (struct bt_mod_state){"named", "mod:foreign"};
  if (found->condition == BT_MOD_DIFFERS)
    return (struct bt_mod_state){"named", "mod:drifted"};
  if (!policy->on)
    return (struct bt_mod_state){"named", "mod:policy-off-still-installed"};
  if (found->other_there)
    return (struct bt_mod_state){"named", "mod:asks-twice"};
  if (found->types_seen || request_seen)
    return (struct bt_mod_state){"verified", "mod:seen-loaded"};
  return (struct bt_mod_state){"wired", "mod:not-seen-loaded"};
}

const char *bt_mod_install_result(const struct bt_mod_found *found, const struct bt_policy *policy, bool alongside) {
  switch (found->condition) {
  case BT_MOD_UNSAFE:
    return "refused:unsafe-path";
  case BT_MOD_FOREIGN:
    return "foreign-kept";
  case BT_MOD_ABSENT:
    if (!policy->on)
      return "not-written";
    return found->other_there && !alongside ? "refused:asks-twice" : "written";
  case BT_MOD_IDENTICAL:
    return policy->on ? "unchanged" : "removed";
  default:
    return policy->on ? "rewritten" : "removed";
  }
}

const char *bt_mod_remove_result(const struct bt_mod_found *found) {
  switch (found->condition) {
  case BT_MOD_UNSAFE:
    return "refused:unsafe-path";
  case BT_MOD_FOREIGN:
    return "foreign-kept";
  case BT_MOD_ABSENT:
    return "not-present";
  default:
    return "removed";
  }
}
