/* core/records/migrate.c - sessions of the old layout, straight below the root, go to projects/
 * (spec/session-records.md 7.1). */
#include <string.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/records/build.h"
#include "core/records/index.h"
#include "core/records/manifest.h"
#include "core/records/words.h"
#include "core/records/write.h"

static bool is_own_folder(const char *name) {
  static const char *const own[] = {"projects", "links", "tools", "templates", "refs"};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
    if (strcmp(name, own[i]) == 0)
      return true;
  }
  return false;
}

/* Slug of the project, else of the harness, else `unsorted`. */
static void put_project(struct bt_str *out, const struct bt_json *manifest) {
  static const char *const keys[] = {"project", "harness"};
  struct bt_str text;
  bt_str_init(&text, BT_MANIFEST_BYTES_MAX);
  for (size_t i = 0; i < 2; i++) {
    const struct bt_json *value = bt_json_get(manifest, keys[i]);
    if (bt_json_truthy(value)) {
      bt_json_to_text(&text, value);
      break;
    }
  }
  bt_words_slug(out, text.data, text.length);
  if (out->length == 0)
    bt_str_puts(out, "unsorted");
  out->failed = out->failed || text.failed;
  bt_str_dispose(&text);
}

static enum bt_code move(int root, const char *name, const char *project, struct bt_str *out, struct bt_error *err) {
  struct bt_fs_stat there;
  int projects = -1, folder = -1;
  enum bt_code code = bt_write_folder(root, BT_PROJECTS_NAME, NULL, err);
  if (code == BT_OK && (projects = bt_fs_open_folder_at(root, BT_PROJECTS_NAME, err)) < 0)
    code = BT_IO;
  if (code == BT_OK)
    code = bt_write_folder(projects, project, NULL, err);
  if (code == BT_OK && (folder = bt_fs_open_folder_at(projects, project, err)) < 0)
    code = BT_IO;
  if (code == BT_OK) {
    bt_fs_stat_at(folder, name, &there);
    if (there.kind == BT_FS_ABSENT) {
      code = bt_write_move(root, name, folder, name, err);
      if (code == BT_OK) {
        bt_str_puts(out, "handoff: migrated legacy ");
        bt_str_puts(out, name);
        bt_str_printf(out, " -> projects/%s\n", project);
      }
    }
  }
  if (folder >= 0)
    (void)close(folder);
  if (projects >= 0)
    (void)close(projects);
  return code;
}

static enum bt_code migrate(int root, const char *name, struct bt_str *out, struct bt_error *err) {
  struct bt_fs_stat found;
  bt_fs_stat_at(root, name, &found);
  int dir = found.kind == BT_FS_FOLDER && !is_own_folder(name) ? bt_fs_open_folder_at(root, name, NULL) : -1;
  if (dir < 0)
    return BT_OK;
  enum bt_code code;
  struct bt_json *manifest = bt_manifest_read(dir, BT_FILE_MANIFEST, &code, NULL);
  (void)close(dir);
  if (manifest == NULL)
    return code == BT_NOMEM ? bt_error_set(err, code, name, "out of memory") : BT_OK;
  struct bt_str project;
  bt_str_init(&project, BT_MANIFEST_BYTES_MAX);
  put_project(&project, manifest);
  bt_json_free(manifest);
  if (project.failed)
    code = bt_error_set(err, BT_NOMEM, name, "out of memory");
  else if (bt_words_is_name(project.data))
    code = move(root, name, project.data, out, err);
  bt_str_dispose(&project);
  return code;
}

enum bt_code bt_migrate_legacy(const char *root, struct bt_str *out, struct bt_error *err) {
  struct bt_fs_listing listing;
  int dir = bt_fs_open_root(root, NULL);
  if (dir < 0)
    return BT_OK;
  enum bt_code code = bt_fs_list_at(dir, ".", &listing, err);
  if (code == BT_OK) {
    for (size_t i = 0; code == BT_OK && i < listing.count; i++)
      code = migrate(dir, listing.names[i], out, err);
    bt_fs_listing_dispose(&listing);
  }
  (void)close(dir);
  return code;
}
