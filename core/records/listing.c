/* core/records/listing.c - see listing.h. */
#include "core/records/listing.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/records/manifest.h"
#include "core/records/units.h"
#include "core/records/verify.h"
#include "core/records/write.h"

#define TEXT_MAX ((size_t)1 << 30)

static void put(struct bt_str *out, const char *text) {
  bt_utf8_encode8(out, text, strlen(text));
}

/* A value in its string form; `undefined` for an absent one. */
static void put_value(struct bt_str *out, const struct bt_json *value, size_t units) {
  struct bt_str text, head;
  bt_str_init(&text, TEXT_MAX);
  bt_str_init(&head, TEXT_MAX);
  bt_json_to_text(&text, value);
  if (units > 0)
    bt_units_head(&head, text.data, text.length, units);
  put(out, units > 0 ? head.data : text.data);
  bt_str_dispose(&text);
  bt_str_dispose(&head);
}

void bt_records_config(const struct bt_records *records, struct bt_str *out) {
  const char *project = records->config.project_name;
  bt_str_printf(out, "handoff: config root=%s\n", records->root);
  bt_str_printf(out, "handoff: config source=%s\n", bt_store_rule_word(records->rule));
  bt_str_printf(out, "handoff: config file=%s\n", records->config_file != NULL ? records->config_file : "none");
  bt_str_printf(out, "handoff: config schema=%s/" BT_CONFIG_SCHEMA_NAME "\n", records->skill_dir);
  bt_str_puts(out, "handoff: config project=");
  put(out, project != NULL ? project : "auto-detected");
  bt_str_printf(out, "\nhandoff: config linking=%s\n", records->config.linking ? "enabled" : "disabled");
}

/* ---- list ---- */

static bool is_named(const struct bt_record_row *row, const char *only) {
  return bt_text_equals(bt_json_get_string(row->json, "project"), only) ||
         bt_starts_with(bt_json_get_string(row->json, "id"), only);
}

/* Whether `a` comes before `b`: without a time first, then the newest. */
static bool comes_before(const struct bt_record_row *a, const struct bt_record_row *b) {
  const struct bt_json *x = bt_json_get(a->json, "updated"), *y = bt_json_get(b->json, "updated");
  if (x == NULL || y == NULL)
    return x == NULL && y != NULL;
  struct bt_str left, right;
  bt_str_init(&left, TEXT_MAX);
  bt_str_init(&right, TEXT_MAX);
  bt_json_to_text(&left, x);
  bt_json_to_text(&right, y);
  bool before = bt_utf16_compare(left.data, left.length, right.data, right.length) > 0;
  bt_str_dispose(&left);
  bt_str_dispose(&right);
  return before;
}

/* Stable: ties keep the order of the index. */
static void sort_rows(const struct bt_record_row **rows, const struct bt_record_row **spare, size_t count) {
  if (count < 2)
    return;
  size_t half = count / 2, left = 0, right = half, put_at = 0;
  sort_rows(rows, spare, half);
  sort_rows(rows + half, spare, count - half);
  while (left < half && right < count)
    spare[put_at++] = comes_before(rows[right], rows[left]) ? rows[right++] : rows[left++];
  while (left < half)
    spare[put_at++] = rows[left++];
  memcpy(rows, spare, put_at * sizeof *rows);
}

enum bt_code bt_listing_rows(const struct bt_record_index *index, const char *only, const struct bt_record_row ***rows,
                             size_t *count, struct bt_error *err) {
  *count = 0;
  *rows = NULL;
  if (index->count == 0)
    return bt_error_set(err, BT_MISSING, "", "no handoffs yet");
  const struct bt_record_row **found = calloc(index->count * 2, sizeof *found);
  if (found == NULL)
    return bt_error_set(err, BT_NOMEM, "", "out of memory");
  for (size_t i = 0; i < index->count; i++) {
    if (only == NULL || is_named(&index->rows[i], only))
      found[(*count)++] = &index->rows[i];
  }
  if (*count == 0) {
    free(found);
    return bt_error_set(err, BT_MISSING, only, "no handoffs matching %s", only);
  }
  sort_rows(found, found + index->count, *count);
  *rows = found;
  return BT_OK;
}

void bt_listing_line(struct bt_str *out, const struct bt_record_row *row) {
  bt_str_putc(out, '[');
  put_value(out, bt_json_get(row->json, "project"), 0);
  bt_str_puts(out, "] ");
  put_value(out, bt_json_get(row->json, "id"), 44);
  bt_str_puts(out, "  harness=");
  put_value(out, bt_json_get(row->json, "harness"), 0);
  bt_str_puts(out, "  turns=");
  put_value(out, bt_json_get(row->json, "turns"), 0);
  bt_str_puts(out, "  rev=");
  put_value(out, bt_json_get(row->json, "revisions"), 0);
  bt_str_puts(out, "  updated=");
  put_value(out, bt_json_get(row->json, "updated"), 0);
  bt_str_putc(out, '\n');
}

enum bt_code bt_records_list(const struct bt_records *records, const char *only, struct bt_str *out,
                             struct bt_error *err) {
  struct bt_record_index index;
  const struct bt_record_row **rows = NULL;
  size_t count;
  int root = bt_record_index_open(&index, records->root, records->env->readonly, err);
  if (root < 0)
    return BT_IO;
  enum bt_code code = bt_listing_rows(&index, only, &rows, &count, err);
  for (size_t i = 0; code == BT_OK && i < count; i++)
    bt_listing_line(out, rows[i]);
  if (code == BT_OK && out->failed)
    code = bt_error_set(err, BT_NOMEM, "", "out of memory");
  free(rows);
  bt_record_index_dispose(&index);
  (void)close(root);
  return code;
}

/* ---- one session ---- */

int bt_records_session(const struct bt_records *records, const char *prefix, struct bt_record_index *index, int *root,
                       const struct bt_record_row **row, struct bt_error *err) {
  *root = bt_record_index_open(index, records->root, records->env->readonly, err);
  if (*root < 0)
    return -1;
  *row = bt_record_index_find(index, prefix, err);
  return *row != NULL ? bt_session_open(*root, (*row)->project, (*row)->folder, err) : -1;
}

static void close_session(struct bt_record_index *index, int root, int dir) {
  bt_record_index_dispose(index);
  if (dir >= 0)
    (void)close(dir);
  if (root >= 0)
    (void)close(root);
}

enum bt_code bt_records_show(const struct bt_records *records, const char *prefix, struct bt_str *out,
                             struct bt_error *err) {
  struct bt_record_index index = {0};
  const struct bt_record_row *row = NULL;
  struct bt_error why = {0};
  int root;
  int dir = bt_records_session(records, prefix, &index, &root, &row, &why);
  enum bt_code code = dir < 0 ? why.code : BT_OK;
  struct bt_str bytes, text;
  bt_str_init(&bytes, TEXT_MAX);
  bt_str_init(&text, TEXT_MAX * 3);
  if (code == BT_OK) {
    code = bt_fs_read_at(dir, BT_FILE_BRIEF, &bytes, &why);
    bt_utf8_decode8(&text, bytes.data, bytes.length);
    bt_utf8_encode8(out, text.data, text.length);
    bt_str_putc(out, '\n');
    if (code == BT_OK && (text.failed || out->failed))
      code = bt_error_set(&why, BT_NOMEM, BT_FILE_BRIEF, "out of memory");
    else if (code == BT_MISSING)
      code = bt_error_set(&why, BT_IO, BT_FILE_BRIEF, "%s has no %s", row->folder, BT_FILE_BRIEF);
  }
  bt_str_dispose(&bytes);
  bt_str_dispose(&text);
  close_session(&index, root, dir);
  if (code != BT_OK && err != NULL)
    *err = why;
  return code;
}

/* A session folder of that prefix whose manifest cannot be used; its name goes to `name`. */
static bool find_broken(int root, const char *prefix, struct bt_str *name) {
  struct bt_fs_listing projects, sessions;
  bool found = false;
  if (bt_fs_list_at(root, BT_PROJECTS_NAME, &projects, NULL) != BT_OK)
    return false;
  for (size_t i = 0; !found && i < projects.count; i++) {
    int project = bt_session_open(root, projects.names[i], NULL, NULL);
    if (project < 0 || bt_fs_list_at(project, ".", &sessions, NULL) != BT_OK) {
      if (project >= 0)
        (void)close(project);
      continue;
    }
    for (size_t k = 0; !found && k < sessions.count; k++) {
      int dir = bt_starts_with(sessions.names[k], prefix) ? bt_fs_open_folder_at(project, sessions.names[k], NULL) : -1;
      if (dir < 0)
        continue;
      enum bt_code code;
      struct bt_json *manifest = bt_manifest_read(dir, BT_FILE_MANIFEST, &code, NULL);
      found = manifest == NULL && code == BT_CORRUPT;
      if (found)
        bt_str_puts(name, sessions.names[k]);
      bt_json_free(manifest);
      (void)close(dir);
    }
    bt_fs_listing_dispose(&sessions);
    (void)close(project);
  }
  bt_fs_listing_dispose(&projects);
  return found;
}

static void say_pass(struct bt_str *out, const struct bt_record_row *row, const struct bt_json *manifest,
                     uint64_t turns) {
  bt_str_puts(out, "PASS ");
  put_value(out, bt_json_get(row->json, "id"), 0);
  bt_str_puts(out, " [");
  put_value(out, bt_json_get(manifest, "project"), 0);
  bt_str_printf(out, "]: manifest sha ok / timeline=%llu turns / llm json parses\n", (unsigned long long)turns);
}

enum bt_code bt_records_verify(const struct bt_records *records, const char *prefix, struct bt_str *out,
                               struct bt_error *err) {
  struct bt_record_index index = {0};
  const struct bt_record_row *row = NULL;
  struct bt_error why = {0};
  struct bt_json *manifest = NULL;
  struct bt_str broken;
  uint64_t turns;
  int root;
  bt_str_init(&broken, 65536);
  int dir = bt_records_session(records, prefix, &index, &root, &row, &why);
  enum bt_code code = dir < 0 ? why.code : bt_verify_apart(root, row, true, dir, &turns, &manifest, &why);
  if (code == BT_OK)
    say_pass(out, row, manifest, turns);
  else if (dir >= 0 && code == BT_CORRUPT)
    code = bt_error_set(err, BT_CORRUPT, row->folder, "FAIL %s: %s", row->folder, why.message);
  else if (root >= 0 && row == NULL && code == BT_MISSING && find_broken(root, prefix, &broken))
    code = bt_error_set(err, BT_CORRUPT, broken.data, "FAIL %s: manifest.json does not parse", broken.data);
  else if (err != NULL)
    *err = why;
  bt_str_dispose(&broken);
  bt_json_free(manifest);
  close_session(&index, root, dir);
  return code;
}
