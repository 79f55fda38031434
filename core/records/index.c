/* core/records/index.c - see index.h. */
#include "core/records/index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/records/manifest.h"
#include "core/records/write.h"

#define INDEX_BYTES_MAX ((size_t)1 << 30)
#define PREFIX_WORD "session-"

static void dispose_row(struct bt_record_row *row) {
  free(row->project);
  free(row->folder);
  bt_json_free(row->json);
}

void bt_record_index_dispose(struct bt_record_index *index) {
  for (size_t i = 0; i < index->count; i++)
    dispose_row(&index->rows[i]);
  free(index->rows);
  *index = (struct bt_record_index){0};
}

/* A file name as text. */
static enum bt_code set_name(struct bt_json *row, const char *key, const char *name) {
  struct bt_str text;
  bt_str_init(&text, 65536);
  bt_utf8_decode8(&text, name, strlen(name));
  enum bt_code code = text.failed ? BT_NOMEM : bt_json_set_string(row, key, text.data);
  bt_str_dispose(&text);
  return code;
}

static enum bt_code set_copy(struct bt_json *row, const char *key, const struct bt_json *value) {
  return value != NULL ? bt_json_set(row, key, bt_json_clone(value)) : BT_OK;
}

static struct bt_json *row_of(const char *project, const char *folder, const struct bt_json *manifest) {
  struct bt_json *row = bt_json_new_object();
  const struct bt_json *turns = bt_json_get(manifest, "turn_count");
  if (row != NULL && set_name(row, "id", folder) == BT_OK &&
      set_copy(row, "uuid", bt_json_get(manifest, "session")) == BT_OK && set_name(row, "project", project) == BT_OK &&
      set_copy(row, "harness", bt_json_get(manifest, "harness")) == BT_OK &&
      (bt_json_truthy(turns) ? set_copy(row, "turns", turns) : bt_json_set_number(row, "turns", 0)) == BT_OK &&
      set_copy(row, "revisions", bt_json_get(manifest, "revisions")) == BT_OK &&
      set_copy(row, "updated", bt_json_get(manifest, "updated_at")) == BT_OK &&
      set_copy(row, "manifest_sha256", bt_json_get(manifest, "manifest_sha256")) == BT_OK)
    return row;
  bt_json_free(row);
  return NULL;
}

/* A later row of the same folder name replaces an earlier one, at the end. */
static enum bt_code add_row(struct bt_record_index *index, const char *project, const char *folder,
                            const struct bt_json *manifest) {
  for (size_t i = 0; i < index->count; i++) {
    if (strcmp(index->rows[i].folder, folder) != 0)
      continue;
    dispose_row(&index->rows[i]);
    memmove(&index->rows[i], &index->rows[i + 1], (--index->count - i) * sizeof *index->rows);
  }
  if (index->count == index->capacity) {
    size_t capacity = index->capacity > 0 ? index->capacity * 2 : 64;
    struct bt_record_row *grown = realloc(index->rows, capacity * sizeof *grown);
    if (grown == NULL)
      return BT_NOMEM;
    index->rows = grown;
    index->capacity = capacity;
  }
  struct bt_record_row row = {strdup(project), strdup(folder), row_of(project, folder, manifest)};
  if (row.project == NULL || row.folder == NULL || row.json == NULL) {
    dispose_row(&row);
    return BT_NOMEM;
  }
  index->rows[index->count++] = row;
  return BT_OK;
}

static enum bt_code add_session(struct bt_record_index *index, int project_dir, const char *project,
                                const char *folder) {
  struct bt_fs_stat found;
  bt_fs_stat_at(project_dir, folder, &found);
  if (found.kind != BT_FS_FOLDER)
    return BT_OK;
  int dir = bt_fs_open_folder_at(project_dir, folder, NULL);
  if (dir < 0)
    return BT_OK;
  enum bt_code code;
  struct bt_json *manifest = bt_manifest_read(dir, BT_FILE_MANIFEST, &code, NULL);
  if (manifest != NULL)
    code = add_row(index, project, folder, manifest);
  else if (code != BT_NOMEM)
    code = BT_OK;
  bt_json_free(manifest);
  (void)close(dir);
  return code;
}

static enum bt_code add_project(struct bt_record_index *index, int projects, const char *project,
                                struct bt_error *err) {
  struct bt_fs_listing listing;
  struct bt_fs_stat found;
  bt_fs_stat_at(projects, project, &found);
  if (found.kind != BT_FS_FOLDER)
    return BT_OK;
  int dir = bt_fs_open_folder_at(projects, project, err);
  if (dir < 0)
    return BT_IO;
  enum bt_code code = bt_fs_list_at(dir, ".", &listing, err);
  if (code == BT_OK) {
    for (size_t i = 0; code == BT_OK && i < listing.count; i++)
      code = add_session(index, dir, project, listing.names[i]);
    bt_fs_listing_dispose(&listing);
  }
  (void)close(dir);
  return code;
}

enum bt_code bt_record_index_make(struct bt_record_index *index, int root, struct bt_error *err) {
  struct bt_fs_listing listing;
  struct bt_fs_stat found;
  *index = (struct bt_record_index){0};
  bt_fs_stat_at(root, BT_PROJECTS_NAME, &found);
  if (found.kind == BT_FS_ABSENT)
    return BT_OK;
  int projects = bt_fs_open_folder_at(root, BT_PROJECTS_NAME, err);
  if (projects < 0)
    return BT_IO;
  enum bt_code code = bt_fs_list_at(projects, ".", &listing, err);
  if (code == BT_OK) {
    for (size_t i = 0; code == BT_OK && i < listing.count; i++)
      code = add_project(index, projects, listing.names[i], err);
    bt_fs_listing_dispose(&listing);
  }
  (void)close(projects);
  if (code == BT_NOMEM)
    (void)bt_error_set(err, code, BT_INDEX_NAME, "out of memory");
  if (code != BT_OK)
    bt_record_index_dispose(index);
  return code;
}

static void print_rows(const struct bt_record_index *index, struct bt_str *out) {
  struct bt_json *list = bt_json_new_array();
  for (size_t i = 0; list != NULL && i < index->count; i++) {
    if (bt_json_push(list, bt_json_clone(index->rows[i].json)) != BT_OK)
      out->failed = true;
  }
  out->failed = out->failed || list == NULL;
  bt_json_print_pretty(out, list);
  bt_json_free(list);
}

enum bt_code bt_record_index_write(const struct bt_record_index *index, int root, const struct bt_store_lock *lock,
                                   struct bt_error *err) {
  struct bt_str text, old;
  bt_str_init(&text, INDEX_BYTES_MAX);
  bt_str_init(&old, INDEX_BYTES_MAX);
  print_rows(index, &text);
  enum bt_code code = text.failed ? bt_error_set(err, BT_NOMEM, BT_INDEX_NAME, "out of memory") : BT_OK;
  if (code == BT_OK)
    code = bt_write_folder(root, BT_PROJECTS_NAME, NULL, err);
  bool same = code == BT_OK && bt_fs_read_at(root, BT_INDEX_NAME, &old, NULL) == BT_OK && old.length == text.length &&
              memcmp(old.data, text.data, text.length) == 0;
  bt_write_sweep(root, lock);
  if (code == BT_OK && !same)
    code = bt_write_file(root, BT_INDEX_NAME, text.data, text.length, err);
  bt_str_dispose(&text);
  bt_str_dispose(&old);
  return code;
}

enum bt_code bt_record_index_remake(int root, const struct bt_store_lock *lock, struct bt_error *err) {
  struct bt_record_index index;
  enum bt_code code = bt_record_index_make(&index, root, err);
  if (code == BT_OK)
    code = bt_record_index_write(&index, root, lock, err);
  bt_record_index_dispose(&index);
  return code;
}

static int open_or_make(const char *root, struct bt_error *err) {
  int dir = bt_fs_open_root(root, NULL);
  if (dir < 0 && bt_write_folders(root, err) == BT_OK)
    dir = bt_fs_open_root(root, err);
  return dir;
}

/* A store that cannot be is a failure, and not a record that is not there (11). */
static int not_missing(struct bt_error *err) {
  if (err != NULL && err->code == BT_MISSING)
    err->code = BT_IO;
  return -1;
}

/* The index made, under the store's lock where there can be one, and written where it can be. */
static enum bt_code remake_for_reading(struct bt_record_index *index, int dir, struct bt_error *err) {
  struct bt_store_lock lock = {.fd = -1};
  struct bt_error why = {0};
  enum bt_code code = bt_store_lock_take(&lock, dir, BT_LOCK_STORE, true, err);
  if (code == BT_OK || code == BT_READONLY)
    code = bt_record_index_make(index, dir, err);
  if (code == BT_OK && bt_record_index_write(index, dir, &lock, &why) != BT_OK && why.sys_errno != EROFS &&
      why.sys_errno != EACCES && why.sys_errno != EPERM) {
    code = why.code;
    if (err != NULL)
      *err = why;
  }
  bt_store_lock_release(&lock);
  return code;
}

int bt_record_index_open(struct bt_record_index *index, const char *root, bool readonly, struct bt_error *err) {
  *index = (struct bt_record_index){0};
  int dir = readonly ? bt_fs_open_root(root, NULL) : open_or_make(root, err);
  if (dir < 0 && readonly)
    (void)bt_error_set(err, BT_MISSING, root, "no handoffs yet");
  if (dir < 0)
    return readonly ? -1 : not_missing(err);
  enum bt_code code = readonly ? bt_record_index_make(index, dir, err) : remake_for_reading(index, dir, err);
  if (code == BT_OK)
    return dir;
  bt_record_index_dispose(index);
  (void)close(dir);
  return not_missing(err);
}

/* ---- looking up ---- */

static bool row_matches(const struct bt_record_row *row, const char *prefix) {
  const struct bt_json *uuid = bt_json_get(row->json, "uuid");
  if (bt_starts_with(bt_json_get_string(row->json, "id"), prefix))
    return true;
  if (uuid == NULL)
    return false;
  struct bt_str text;
  bt_str_init(&text, BT_MANIFEST_BYTES_MAX);
  bt_json_to_text(&text, uuid);
  bool matches = bt_starts_with(text.data, prefix);
  bt_str_dispose(&text);
  return matches;
}

static size_t find_all(const struct bt_record_index *index, const char *prefix, const struct bt_record_row **row) {
  size_t hits = 0;
  for (size_t i = 0; i < index->count; i++) {
    if (row_matches(&index->rows[i], prefix)) {
      *row = &index->rows[i];
      hits++;
    }
  }
  return hits;
}

static bool begins_with_word(const char *text) {
  for (const char *word = PREFIX_WORD; *word != '\0'; word++, text++) {
    if ((*text >= 'A' && *text <= 'Z' ? *text + 32 : *text) != *word)
      return false;
  }
  return true;
}

const struct bt_record_row *bt_record_index_find(const struct bt_record_index *index, const char *prefix,
                                                 struct bt_error *err) {
  const struct bt_record_row *row = NULL;
  size_t hits = find_all(index, prefix, &row);
  if (hits == 0 && !begins_with_word(prefix)) {
    struct bt_str longer;
    bt_str_init(&longer, 65536);
    bt_str_printf(&longer, PREFIX_WORD "%s", prefix);
    hits = longer.failed ? 0 : find_all(index, longer.data, &row);
    bt_str_dispose(&longer);
  }
  if (hits == 1)
    return row;
  if (hits == 0)
    (void)bt_error_set(err, BT_MISSING, prefix, "no handoff matches prefix: %s", prefix);
  else
    (void)bt_error_set(err, BT_REFUSED, prefix, "ambiguous prefix (%zu hits): %s", hits, prefix);
  return NULL;
}

const struct bt_record_row *bt_record_index_exact(const struct bt_record_index *index, const char *session) {
  for (size_t i = 0; i < index->count; i++) {
    const struct bt_json *row = index->rows[i].json;
    if (bt_text_equals(bt_json_get_string(row, "id"), session) ||
        bt_text_equals(bt_json_get_string(row, "uuid"), session))
      return &index->rows[i];
  }
  return NULL;
}

int bt_session_open(int root, const char *project, const char *folder, struct bt_error *err) {
  int projects = bt_fs_open_folder_at(root, BT_PROJECTS_NAME, err);
  int dir = projects >= 0 ? bt_fs_open_folder_at(projects, project, err) : -1;
  int session = dir >= 0 && folder != NULL ? bt_fs_open_folder_at(dir, folder, err) : dir;
  if (projects >= 0)
    (void)close(projects);
  if (dir >= 0 && session != dir)
    (void)close(dir);
  return session;
}
