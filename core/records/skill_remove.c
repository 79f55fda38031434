/* core/records/skill_remove.c - takes an installation away, and nothing else (skill.h; spec/session-records.md 13.5).
 */
#include <string.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/ops/command.h"
#include "core/records/index.h"
#include "core/records/skill.h"
#include "core/records/write.h"

/* A folder of such a name is somebody's: what is installed are files. */
static bool is_ours(int dir, const char *name) {
  size_t count;
  struct bt_fs_stat found;
  const struct bt_skill_file *files = bt_skill_files(&count);
  for (size_t i = 0; i < count; i++) {
    if (!bt_text_equals(files[i].name, name))
      continue;
    bt_fs_stat_at(dir, name, &found);
    return found.kind != BT_FS_FOLDER;
  }
  return false;
}

/* Folders that are somebody's data, unless there is none. */
static bool is_data_folder(const char *name) {
  return bt_text_equals(name, "handoffs") || bt_text_equals(name, "projects") || bt_text_equals(name, "links");
}

static void put_question(int dir, const struct bt_fs_listing *listing, const char *target, struct bt_str *out) {
  bt_str_printf(out, "From %s would be removed:\n", target);
  for (size_t i = 0; i < listing->count; i++) {
    if (is_ours(dir, listing->names[i]))
      bt_str_printf(out, "  %s\n", listing->names[i]);
  }
  bool head = false;
  for (size_t i = 0; i < listing->count; i++) {
    if (is_ours(dir, listing->names[i]))
      continue;
    bt_str_printf(out, "%s  %s\n", head ? "" : "What stays:\n", listing->names[i]);
    head = true;
  }
}

static enum bt_code remove_entry(int dir, const char *name, bool force, struct bt_str *out, struct bt_error *err) {
  if (is_ours(dir, name)) {
    enum bt_code code = bt_write_remove_file(dir, name, err);
    if (code == BT_OK)
      bt_str_printf(out, "Removed file: %s\n", name);
    return code;
  }
  if (force && is_data_folder(name) && bt_write_remove_empty(dir, name))
    bt_str_printf(out, "Removed directory: %s/\n", name);
  return BT_OK;
}

static void remove_folder(const char *target, struct bt_str *out) {
  const char *slash = strrchr(target, '/');
  char parent[4096];
  size_t length = slash != NULL ? (size_t)(slash - target) : 0;
  if (slash == NULL || length >= sizeof parent || slash[1] == '\0')
    return;
  memcpy(parent, target, length);
  parent[length] = '\0';
  int dir = bt_fs_open_root(length > 0 ? parent : "/", NULL);
  if (dir >= 0 && bt_write_remove_empty(dir, slash + 1))
    bt_str_printf(out, "Removed empty install directory: %s\n", target);
  if (dir >= 0)
    (void)close(dir);
}

/* What is left is somebody's: records that were kept beside the program are found by no other one unless it is told. */
static void put_rest(const char *target, struct bt_str *out) {
  struct bt_fs_listing rest;
  int dir = bt_fs_open_root(target, NULL);
  if (dir >= 0 && bt_fs_list_at(dir, ".", &rest, NULL) == BT_OK) {
    bool has_records = false;
    for (size_t i = 0; i < rest.count; i++) {
      bt_str_printf(out, "%s%s", i > 0 ? ", " : "What stays there: ", rest.names[i]);
      has_records |= bt_text_equals(rest.names[i], BT_PROJECTS_NAME);
    }
    bt_str_puts(out, rest.count > 0 ? "\n" : "");
    if (has_records) {
      bt_str_puts(out, "Its records are read with HANDOFFS_ROOT=");
      bt_shell_word(out, target);
      bt_str_puts(out, " baton records list\n");
    }
    bt_fs_listing_dispose(&rest);
  }
  if (dir >= 0)
    (void)close(dir);
}

int bt_skill_remove(const struct bt_skill_request *request, struct bt_str *out, struct bt_error *err) {
  struct bt_fs_listing listing;
  struct bt_str question;
  bool asked = false;
  if (!bt_skill_is_installed(request->target)) {
    bt_str_printf(out, "Not installed at %s: nothing to remove.\n", request->target);
    return 0;
  }
  if (request->env->readonly) {
    (void)bt_error_set(err, BT_READONLY, "", "baton runs with --readonly: nothing is removed");
    return 1;
  }
  int dir = bt_fs_open_root(request->target, err);
  if (dir < 0 || bt_fs_list_at(dir, ".", &listing, err) != BT_OK) {
    if (dir >= 0)
      (void)close(dir);
    return 1;
  }
  bt_str_init(&question, (size_t)1 << 20);
  put_question(dir, &listing, request->target, &question);
  bool go = request->force || request->confirm(request->context, &question, &asked);
  enum bt_code code = BT_OK;
  for (size_t i = 0; go && code == BT_OK && i < listing.count; i++)
    code = remove_entry(dir, listing.names[i], request->force, out, err);
  (void)close(dir);
  if (go && code == BT_OK) {
    remove_folder(request->target, out);
    bt_str_printf(out, "Removed the skill from %s\n", request->target);
    put_rest(request->target, out);
  } else if (!go && !asked) {
    bt_str_append(out, question.data, question.length);
    bt_str_puts(out, "Nothing was removed: there is no terminal to ask on. --force removes without asking.\n");
  } else if (!go) {
    bt_str_puts(out, "Nothing was removed.\n");
  }
  bt_str_dispose(&question);
  bt_fs_listing_dispose(&listing);
  return code == BT_OK ? 0 : 1;
}
