/* core/records/build_place.c - whose transcript this is and where it goes (spec/session-records.md 7.2-7.5). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/records/build_state.h"
#include "core/records/manifest.h"
#include "core/records/words.h"

#define NAME_BYTES_MAX ((size_t)64 << 20)
#define PLACE_TRIES 3

static enum bt_code no_memory(struct bt_build *build) {
  return bt_error_set(&build->err, BT_NOMEM, "", "out of memory");
}

static const char *filled(const char *value) {
  return value != NULL && value[0] != '\0' ? value : NULL;
}

/* ---- session id ---- */

/* Base name of the source without one ending of .jsonl, .txt or .md. */
static char *id_from_name(const char *name) {
  static const char *const endings[] = {".jsonl", ".txt", ".md"};
  size_t length = strlen(name);
  while (length > 1 && name[length - 1] == '/')
    length--;
  size_t start = length;
  while (start > 0 && name[start - 1] != '/')
    start--;
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    size_t tail = strlen(endings[i]), n = 0;
    if (length - start < tail)
      continue;
    const char *at = name + length - tail;
    while (n < tail && (at[n] >= 'A' && at[n] <= 'Z' ? at[n] + 32 : at[n]) == endings[i][n])
      n++;
    if (n == tail) {
      length -= tail;
      break;
    }
  }
  return strndup(name + start, length - start);
}

static char *id_of(const struct bt_build *build, const char *session) {
  if (filled(build->request->session) != NULL)
    return strdup(build->request->session);
  return session != NULL ? strdup(session) : id_from_name(build->request->source->name);
}

/* ---- project ---- */

static void put_slug(struct bt_str *out, const char *text) {
  size_t start = out->length;
  bt_words_slug(out, text, strlen(text));
  if (out->length == start)
    bt_str_puts(out, "unsorted");
}

/* The tag in the absolute path of the folder that holds the source. */
static bool put_path_tag(const struct bt_build *build, struct bt_str *out) {
  struct bt_str path;
  bt_str_init(&path, NAME_BYTES_MAX);
  bool found = false;
  if (bt_path_resolve(&path, build->records->env->cwd, build->request->source->name) == BT_OK) {
    const char *slash = strrchr(path.data, '/');
    found = bt_words_tag(out, path.data, slash != NULL ? (size_t)(slash - path.data) : 0);
  }
  out->failed = out->failed || path.failed;
  bt_str_dispose(&path);
  return found;
}

static char *project_of(const struct bt_build *build, const char *thread) {
  const struct bt_build_request *request = build->request;
  const char *configured = build->records->config.project_name;
  struct bt_str out;
  bt_str_init(&out, NAME_BYTES_MAX);
  if (filled(request->project) != NULL)
    put_slug(&out, request->project);
  else if (configured != NULL)
    put_slug(&out, configured);
  else if ((thread == NULL || !bt_words_tag(&out, thread, strlen(thread))) && !put_path_tag(build, &out))
    put_slug(&out, filled(request->harness) != NULL ? request->harness : "");
  return bt_str_take(&out, NULL);
}

/* ---- folder ---- */

static char *folder_of(const char *id) {
  struct bt_str out;
  bt_str_init(&out, NAME_BYTES_MAX);
  bt_words_folder(&out, id, strlen(id));
  return bt_str_take(&out, NULL);
}

/* The place that an indexed session has already. False: out of memory, or the index cannot be made. */
static enum bt_code look_up(struct bt_build *build) {
  struct bt_record_index index = {0};
  if (build->root < 0 || build->request->has_project_flag)
    return BT_OK;
  enum bt_code code = bt_record_index_make(&index, build->root, &build->err);
  const struct bt_record_row *row = code == BT_OK ? bt_record_index_exact(&index, build->id) : NULL;
  if (row != NULL) {
    build->project = strdup(row->project);
    build->folder = strdup(row->folder);
    if (build->project == NULL || build->folder == NULL)
      code = no_memory(build);
  }
  bt_record_index_dispose(&index);
  return code;
}

static char *text_of_name(const char *name) {
  struct bt_str text;
  bt_str_init(&text, NAME_BYTES_MAX);
  bt_utf8_decode8(&text, name, strlen(name));
  return bt_str_take(&text, NULL);
}

static enum bt_code decide(struct bt_build *build, const char *session, const char *thread) {
  build->id = id_of(build, session);
  if (build->id == NULL)
    return no_memory(build);
  enum bt_code code = look_up(build);
  if (code != BT_OK)
    return code;
  if (build->project == NULL) {
    build->project = project_of(build, thread);
    build->folder = folder_of(build->id);
  }
  build->project_text = build->project != NULL ? text_of_name(build->project) : NULL;
  if (build->project_text == NULL || build->folder == NULL)
    return no_memory(build);
  if (!bt_words_is_name(build->folder))
    return bt_error_set(&build->err, BT_INPUT, build->id, "the session id \"%s\" gives no folder name", build->id);
  if (!bt_words_is_name(build->project))
    return bt_error_set(&build->err, BT_INPUT, build->project, "the project \"%s\" would leave the store",
                        build->project);
  build->is_found = !build->request->has_project_flag;
  return BT_OK;
}

/* ---- lock, folder, manifest ---- */

static enum bt_code take_lock(struct bt_build *build) {
  if (build->is_locked || build->root < 0 || build->request->look_only)
    return BT_OK;
  build->lock_range = bt_lock_of(build->project, build->folder);
  enum bt_code code = bt_store_lock_take(&build->lock, build->root, build->lock_range, false, &build->err);
  if (code == BT_BUSY)
    return bt_error_set(&build->err, BT_BUSY, build->id, "another build of session %s is running", build->id);
  build->is_locked = code == BT_OK;
  return code == BT_READONLY ? BT_OK : code; /* where nothing can be written nobody else writes; claiming says so */
}

/* Two ids may give one folder name; the second one's turns are then counted as the first one's. */
static enum bt_code note_owner(struct bt_build *build) {
  const char *owner = bt_json_get_string(build->manifest, "session");
  free(build->report->owner);
  build->report->owner = NULL;
  if (owner == NULL || bt_text_equals(owner, build->id))
    return BT_OK;
  build->report->owner = strdup(owner);
  return build->report->owner != NULL ? BT_OK : no_memory(build);
}

static enum bt_code load_manifest(struct bt_build *build) {
  enum bt_code code = BT_MISSING;
  if (build->dir >= 0)
    build->manifest = bt_manifest_read(build->dir, BT_FILE_MANIFEST, &code, &build->err);
  if (build->manifest != NULL) {
    if (bt_manifest_is_sound(build->manifest))
      return note_owner(build);
    return bt_error_set(&build->err, BT_CORRUPT, BT_FILE_MANIFEST, "the manifest of %s is broken", build->id);
  }
  if (code != BT_MISSING)
    return code == BT_CORRUPT
               ? bt_error_set(&build->err, code, BT_FILE_MANIFEST, "the manifest of %s does not parse", build->id)
               : code;
  build->is_new = true;
  build->manifest = bt_manifest_new(build->id, build->project_text, filled(build->request->harness),
                                    filled(build->request->model), build->now);
  return build->manifest != NULL ? BT_OK : no_memory(build);
}

static enum bt_code open_session(struct bt_build *build) {
  struct bt_error why = {0};
  if (build->root < 0)
    return BT_OK;
  build->dir = bt_session_open(build->root, build->project, build->folder, &why);
  if (build->dir >= 0 || why.code == BT_MISSING)
    return BT_OK;
  build->err = why;
  return why.code;
}

/* The same bytes were read before, in the same way, and the manifest says so undamaged: hash first, look only if it
 * differs. */
static bool may_be_unchanged(const struct bt_build *build) {
  const struct bt_json *paths = bt_json_get(build->manifest, "source_paths");
  const char *updated = bt_json_get_string(build->manifest, "updated_at");
  int64_t updated_ms;
  if (build->want_all || build->is_new || bt_json_get_string(build->manifest, "raw_sha256") == NULL ||
      updated == NULL || !bt_time_parse(updated, strlen(updated), &updated_ms) ||
      build->request->source->mtime_ms > updated_ms || !bt_manifest_hash_holds(build->manifest))
    return false;
  for (const struct bt_json *path = bt_json_first(paths); path != NULL; path = bt_json_next(path)) {
    const char *name = bt_json_string(path);
    if (name == NULL || bt_intake_is_jsonl(name) != build->request->source->is_jsonl)
      return false;
  }
  return true;
}

/* Nothing lies in the place that was decided: whether the session was given another name between the look into the
 * index and the lock. Then its lock goes by that name, and the place is to be decided anew. */
static enum bt_code look_again(struct bt_build *build, bool *moved) {
  struct bt_record_index index = {0};
  *moved = false;
  if (build->dir >= 0 || build->root < 0 || build->request->has_project_flag)
    return BT_OK;
  enum bt_code code = bt_record_index_make(&index, build->root, &build->err);
  *moved = code == BT_OK && bt_record_index_exact(&index, build->id) != NULL;
  bt_record_index_dispose(&index);
  if (!*moved)
    return code;
  if (build->is_locked)
    bt_store_lock_drop(&build->lock, build->lock_range);
  build->is_locked = false;
  free(build->id);
  free(build->project);
  free(build->project_text);
  free(build->folder);
  build->id = build->project = build->project_text = build->folder = NULL;
  return code;
}

static enum bt_code find_place(struct bt_build *build, const char *session, const char *thread) {
  bool moved = true;
  enum bt_code code = BT_OK;
  for (int attempt = 0; code == BT_OK && moved && attempt < PLACE_TRIES; attempt++) {
    code = decide(build, session, thread);
    if (code == BT_OK)
      code = take_lock(build);
    if (code == BT_OK)
      code = open_session(build);
    if (code == BT_OK)
      code = look_again(build, &moved);
  }
  return code == BT_OK && moved ? bt_error_set(&build->err, BT_BUSY, "", "the session is given one name after another")
                                : code;
}

enum bt_code bt_build_place(struct bt_build *build, const char *session, const char *thread) {
  enum bt_code code = find_place(build, session, thread);
  if (code == BT_OK)
    code = load_manifest(build);
  if (code != BT_OK)
    return code;
  build->watermark = build->highest = bt_manifest_number(build->manifest, "watermark");
  build->was_cut_short = build->dir >= 0 && bt_write_was_cut_short(build->dir, &build->lock);
  if (!build->was_cut_short && may_be_unchanged(build)) {
    double count = bt_manifest_number(build->manifest, "turn_count");
    build->hash_only = true;
    build->old_lines = count > 0 ? (uint64_t)count : 0; /* as the manifest, whose hash holds, counts them */
    bt_intake_hash_only(build->intake);
    return BT_OK;
  }
  return bt_build_read_old(build);
}

static enum bt_code open_root(struct bt_build *build) {
  if (build->root >= 0)
    return BT_OK;
  if (bt_write_folders(build->records->root, &build->err) != BT_OK)
    return build->err.code;
  build->root = bt_fs_open_root(build->records->root, &build->err);
  return build->root >= 0 ? BT_OK : BT_IO;
}

enum bt_code bt_build_claim(struct bt_build *build) {
  if (build->is_locked && build->dir >= 0)
    return BT_OK;
  bool was_absent = build->root < 0;
  enum bt_code code = open_root(build);
  if (code == BT_OK)
    code = take_lock(build);
  if (code == BT_OK && !build->is_locked)
    code = build->err.code;
  int project = -1, projects = -1;
  if (code == BT_OK)
    code = bt_write_folder(build->root, BT_PROJECTS_NAME, NULL, &build->err);
  if (code == BT_OK && (projects = bt_fs_open_folder_at(build->root, BT_PROJECTS_NAME, &build->err)) < 0)
    code = build->err.code;
  if (code == BT_OK)
    code = bt_write_folder(projects, build->project, &build->made_project, &build->err);
  if (code == BT_OK && (project = bt_fs_open_folder_at(projects, build->project, &build->err)) < 0)
    code = build->err.code;
  if (code == BT_OK)
    code = bt_write_folder(project, build->folder, &build->made_session, &build->err);
  if (code == BT_OK && was_absent && !build->made_session) /* somebody was faster while the store was being made */
    code = bt_error_set(&build->err, BT_BUSY, build->id, "another build of session %s is running", build->id);
  if (code == BT_OK && build->dir < 0 && (build->dir = bt_fs_open_folder_at(project, build->folder, &build->err)) < 0)
    code = build->err.code;
  if (projects >= 0)
    (void)close(projects);
  if (project >= 0)
    (void)close(project);
  build->append.dir = build->dir;
  if (code == BT_MISSING)
    code = build->err.code = BT_IO;
  return code;
}

void bt_build_unclaim(struct bt_build *build) {
  int projects = build->made_session ? bt_fs_open_folder_at(build->root, BT_PROJECTS_NAME, NULL) : -1;
  int project = projects >= 0 ? bt_fs_open_folder_at(projects, build->project, NULL) : -1;
  if (project >= 0 && bt_write_remove_empty(project, build->folder) && build->made_project)
    (void)bt_write_remove_empty(projects, build->project);
  if (project >= 0)
    (void)close(project);
  if (projects >= 0)
    (void)close(projects);
}
