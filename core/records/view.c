/* core/records/view.c - rows of the index, each looked at (view.h). */
#include "core/records/view.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/go_on.h"
#include "core/base/utf8.h"
#include "core/records/deep.h"
#include "core/records/listing.h"
#include "core/records/manifest.h"
#include "core/records/verify.h"
#include "core/records/write.h"

#define ARENA_BYTES ((size_t)64 << 20)
#define SUMMARY_BYTES ((size_t)4 << 20)
#define PATH_BYTES ((size_t)1 << 20)
#define FAULT_BYTES 65536

void bt_records_view_free(struct bt_records_view *view) {
  if (view != NULL)
    bt_arena_free(view->arena);
}

const char *bt_record_verdict_word(enum bt_record_verdict verdict) {
  static const char *const words[] = {"PASS", "FAIL", "?"};
  return words[verdict];
}

const char *bt_record_source_word(enum bt_record_source source) {
  static const char *const words[] = {"unchanged", "grown", "changed", "gone", "?", "?"};
  return words[source];
}

struct load {
  const struct bt_records *records;
  struct bt_arena *arena;
  struct bt_record_item *items;
  size_t count, room;
  bool failed;  /* memory was short */
  bool stopped; /* nobody waits for the view any more */
};

static const char *keep(struct load *load, const char *text) {
  const char *kept = text != NULL && text[0] != '\0' ? bt_arena_strdup(load->arena, text) : NULL;
  load->failed |= text != NULL && text[0] != '\0' && kept == NULL;
  return kept;
}

static const char *keep_member(struct load *load, const struct bt_json *object, const char *key) {
  return keep(load, bt_json_get_string(object, key));
}

static double number_of(const struct bt_json *object, const char *key) {
  double number = 0;
  return bt_json_number(bt_json_get(object, key), &number) ? number : 0;
}

/* What became of one source. A relative path is known only in the folder of that build: that nothing, or something
 * else, is at it from here tells nothing. */
static enum bt_record_source source_state(struct load *load, const char *path, const char *harness, const char *raw) {
  static const enum bt_record_source states[BT_SOURCE_STATE_COUNT] = {[BT_SOURCE_UNCHANGED] = BT_RECORD_SAME,
                                                                      [BT_SOURCE_GROWN] = BT_RECORD_GROWN,
                                                                      [BT_SOURCE_OTHER] = BT_RECORD_OTHER,
                                                                      [BT_SOURCE_GONE] = BT_RECORD_GONE};
  enum bt_source_state state;
  bool adapted;
  enum bt_code code = bt_source_look(load->records->env, path, harness, raw, &state, &adapted, NULL);
  if (code != BT_OK) {
    load->stopped |= code == BT_STATE;
    load->failed |= code != BT_STATE;
    return BT_RECORD_UNKNOWN;
  }
  bool told = path[0] == '/' || state == BT_SOURCE_UNCHANGED || state == BT_SOURCE_GROWN;
  return told ? states[state] : BT_RECORD_ELSEWHERE;
}

/* The source that was read last is the one whose hash the manifest holds; where none is that, the one named last. */
static void look_at_sources(struct load *load, const struct bt_json *manifest, struct bt_record_item *item) {
  const struct bt_json *paths = bt_json_get(manifest, "source_paths");
  const char *raw = bt_json_get_string(manifest, "raw_sha256"), *best = NULL;
  item->source_state = BT_RECORD_UNKNOWN;
  for (const struct bt_json *path = bt_json_first(paths); path != NULL; path = bt_json_next(path)) {
    const char *text = bt_json_string(path);
    item->source_count++;
    if (text == NULL || item->source_state == BT_RECORD_SAME)
      continue;
    enum bt_record_source state = raw != NULL ? source_state(load, text, item->harness, raw) : BT_RECORD_UNKNOWN;
    if (item->source_state == BT_RECORD_GROWN && state != BT_RECORD_SAME)
      continue;
    best = text;
    item->source_state = state;
  }
  item->source = keep(load, best);
}

static void read_objective(struct load *load, int dir, struct bt_record_item *item) {
  struct bt_str bytes;
  bt_str_init(&bytes, SUMMARY_BYTES);
  if (bt_fs_read_at(dir, BT_FILE_SUMMARY, &bytes, NULL) == BT_OK) {
    struct bt_json *summary = bt_json_parse(bytes.data, bytes.length, NULL);
    item->objective = keep_member(load, summary, "objective");
    bt_json_free(summary);
  }
  bt_str_dispose(&bytes);
}

static void judge(struct load *load, int root, const struct bt_record_row *row, int dir, struct bt_record_item *item) {
  struct bt_json *manifest = NULL;
  struct bt_error why = {0};
  uint64_t turns;
  enum bt_code code = bt_verify_apart(root, row, false, dir, &turns, &manifest, &why);
  item->verdict = code == BT_OK ? BT_RECORD_PASS : code == BT_CORRUPT ? BT_RECORD_FAIL : BT_RECORD_UNCHECKED;
  item->why = code == BT_OK ? NULL : keep(load, why.message[0] != '\0' ? why.message : bt_code_words(code));
  load->failed |= code == BT_NOMEM;
  item->model = keep_member(load, manifest, "model");
  look_at_sources(load, manifest, item);
  bt_json_free(manifest);
}

static void add_row(struct load *load, int root, const struct bt_record_row *row) {
  struct bt_record_item *item = &load->items[load->count++];
  const char *updated = bt_json_get_string(row->json, "updated");
  struct bt_str folder;
  *item = (struct bt_record_item){.id = keep_member(load, row->json, "id"),
                                  .session = keep_member(load, row->json, "uuid"),
                                  .project = keep_member(load, row->json, "project"),
                                  .harness = keep_member(load, row->json, "harness"),
                                  .updated_ms = BT_TIME_UNKNOWN,
                                  .turns = number_of(row->json, "turns"),
                                  .revisions = number_of(row->json, "revisions"),
                                  .verdict = BT_RECORD_UNCHECKED,
                                  .source_state = BT_RECORD_UNKNOWN};
  if (updated != NULL)
    (void)bt_time_parse(updated, strlen(updated), &item->updated_ms);
  bt_str_init(&folder, PATH_BYTES);
  bt_str_printf(&folder, "%s/" BT_PROJECTS_NAME "/%s/%s", load->records->root, row->project, row->folder);
  load->failed |= folder.failed;
  item->folder = keep(load, folder.data);
  bt_str_dispose(&folder);
  int dir = bt_session_open(root, row->project, row->folder, NULL);
  if (dir < 0)
    return;
  judge(load, root, row, dir, item);
  read_objective(load, dir, item);
  (void)close(dir);
}

/* ---- folders whose manifest cannot be used: no index has them, and nobody should think that they are not there ----
 */

/* BT_OK: a record that the index has, or no record. BT_CORRUPT: the manifest does not parse. BT_IO: folder or manifest
 * cannot be read. */
static enum bt_code use_of(int project, const char *name) {
  enum bt_code code = BT_OK;
  struct bt_fs_stat found;
  bt_fs_stat_at(project, name, &found);
  if (found.kind != BT_FS_FOLDER)
    return BT_OK;
  int dir = bt_fs_open_folder_at(project, name, NULL);
  if (dir < 0)
    return BT_IO;
  struct bt_json *manifest = bt_manifest_read(dir, BT_FILE_MANIFEST, &code, NULL);
  bool used = manifest != NULL || code == BT_MISSING;
  bt_json_free(manifest);
  (void)close(dir);
  return used ? BT_OK : code == BT_CORRUPT || code == BT_NOMEM ? code : BT_IO;
}

static void add_broken(struct load *load, const char *project, const char *name, enum bt_code code) {
  struct bt_record_item *item = &load->items[load->count++];
  struct bt_str text[3];
  for (int i = 0; i < 3; i++)
    bt_str_init(&text[i], PATH_BYTES);
  bt_utf8_decode8(&text[0], project, strlen(project));
  bt_utf8_decode8(&text[1], name, strlen(name));
  bt_str_printf(&text[2], "%s/" BT_PROJECTS_NAME "/%s/%s", load->records->root, project, name);
  *item = (struct bt_record_item){.id = keep(load, text[1].data),
                                  .project = keep(load, text[0].data),
                                  .folder = keep(load, text[2].data),
                                  .updated_ms = BT_TIME_UNKNOWN,
                                  .turns = -1,
                                  .revisions = -1,
                                  .verdict = code == BT_CORRUPT ? BT_RECORD_FAIL : BT_RECORD_UNCHECKED,
                                  .why = code == BT_CORRUPT ? "its manifest does not parse" : "it cannot be read",
                                  .source_state = BT_RECORD_UNKNOWN};
  for (int i = 0; i < 3; i++) {
    load->failed |= text[i].failed;
    bt_str_dispose(&text[i]);
  }
}

/* How many there are; with `add` they become items as well. */
static size_t walk_broken(struct load *load, int root, bool add) {
  struct bt_fs_listing projects, sessions;
  size_t found = 0;
  if (bt_fs_list_at(root, BT_PROJECTS_NAME, &projects, NULL) != BT_OK)
    return 0;
  for (size_t i = 0; i < projects.count; i++) {
    int project = bt_session_open(root, projects.names[i], NULL, NULL);
    bool listed = project >= 0 && bt_fs_list_at(project, ".", &sessions, NULL) == BT_OK;
    for (size_t k = 0; listed && k < sessions.count; k++) {
      enum bt_code code = use_of(project, sessions.names[k]);
      load->failed |= code == BT_NOMEM;
      if (code == BT_OK || code == BT_NOMEM)
        continue;
      found++;
      if (add && load->count < load->room)
        add_broken(load, projects.names[i], sessions.names[k], code);
    }
    if (listed)
      bt_fs_listing_dispose(&sessions);
    if (project >= 0)
      (void)close(project);
  }
  bt_fs_listing_dispose(&projects);
  return found;
}

static enum bt_code add_rows(struct load *load, int root, struct bt_error *err) {
  struct bt_record_index index = {0};
  const struct bt_record_row **rows = NULL;
  size_t count = 0;
  enum bt_code code = bt_record_index_make(&index, root, err);
  if (code == BT_OK && index.count > 0)
    code = bt_listing_rows(&index, NULL, &rows, &count, err);
  load->room = count + walk_broken(load, root, false);
  load->items = BT_ARENA_ARRAY(load->arena, struct bt_record_item, load->room + 1);
  load->failed |= load->items == NULL;
  for (size_t i = 0; code == BT_OK && !load->failed && !load->stopped && i < count; i++) {
    load->stopped = bt_go_on(load->records->env->give_up, NULL) != BT_OK;
    add_row(load, root, rows[i]);
  }
  if (code == BT_OK && !load->failed)
    (void)walk_broken(load, root, true);
  free(rows);
  bt_record_index_dispose(&index);
  return code;
}

/* How many different projects there are. */
static size_t count_projects(const struct bt_record_item *items, size_t count) {
  size_t found = 0;
  for (size_t i = 0; i < count; i++) {
    bool seen = false;
    for (size_t k = 0; k < i && !seen; k++)
      seen = bt_text_equals(items[i].project, items[k].project);
    found += !seen;
  }
  return found;
}

static enum bt_code fill(struct load *load, struct bt_records_view *view, struct bt_error *err) {
  int root = bt_fs_open_root(load->records->root, NULL);
  enum bt_code code = root >= 0 ? add_rows(load, root, err) : BT_OK;
  if (root >= 0)
    (void)close(root);
  view->arena = load->arena;
  view->root = keep(load, load->records->root);
  view->rule = bt_store_rule_word(load->records->rule);
  view->items = load->items;
  view->count = load->count;
  view->projects = count_projects(load->items, load->count);
  for (size_t i = 0; i < load->count; i++)
    view->verdicts[load->items[i].verdict]++;
  if (code == BT_OK && load->stopped)
    return bt_error_set(err, BT_STATE, "records", "stopped before its end");
  return code == BT_OK && load->failed ? bt_error_set(err, BT_NOMEM, "records", "out of memory") : code;
}

enum bt_code bt_records_view_load(const struct bt_env *env, struct bt_records_view **view, struct bt_error *err) {
  struct bt_records records;
  struct bt_str faults;
  struct load load = {.records = &records};
  *view = NULL;
  bt_str_init(&faults, FAULT_BYTES);
  enum bt_code code = bt_records_find(&records, env, &faults, err);
  if (code == BT_OK) {
    load.arena = bt_arena_new(ARENA_BYTES);
    struct bt_records_view *made = load.arena != NULL ? BT_ARENA_NEW(load.arena, struct bt_records_view) : NULL;
    code = made != NULL ? fill(&load, made, err) : bt_error_set(err, BT_NOMEM, "records", "out of memory");
    if (code == BT_OK)
      *view = made;
    else
      bt_arena_free(load.arena);
  }
  bt_records_dispose(&records);
  bt_str_dispose(&faults);
  return code;
}

enum bt_code bt_records_brief(const char *folder, struct bt_str *out, struct bt_error *err) {
  struct bt_str bytes;
  bt_str_init(&bytes, out->ceiling / 3);
  int dir = bt_fs_open_root(folder, err);
  enum bt_code code = dir < 0 ? BT_IO : bt_fs_read_at(dir, BT_FILE_BRIEF, &bytes, err);
  if (code == BT_OK)
    bt_utf8_decode8(out, bytes.data, bytes.length);
  if (code == BT_OK && out->failed)
    code = bt_error_set(err, BT_NOMEM, BT_FILE_BRIEF, "out of memory");
  if (dir >= 0)
    (void)close(dir);
  bt_str_dispose(&bytes);
  return code;
}
