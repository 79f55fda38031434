/* core/records/rename.c - see rename.h. */
#include "core/records/rename.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/records/edit.h"
#include "core/records/index.h"
#include "core/records/listing.h"
#include "core/records/manifest.h"
#include "core/records/words.h"

enum { SUMMARY, PAYLOAD, BRIEF, MANIFEST, DRAFTS };
static const char *const names[DRAFTS] = {BT_FILE_SUMMARY, BT_FILE_PAYLOAD, BT_FILE_BRIEF, BT_FILE_MANIFEST};

struct move {
  const struct bt_records *records;
  bool is_retitle;
  char now[BT_ISO_MS];
  struct bt_str slug;
  struct bt_record_index index;
  const struct bt_record_row *row;
  int root, dir, from, to; /* from, to: folders of the old and the new project */
  struct bt_store_lock lock;
  struct bt_json *manifest;
  struct bt_draft drafts[DRAFTS];
  bool is_begun[DRAFTS];
  bool is_torn; /* moved, and not all renders have their names: the next build finds the drafts and makes them again */
};

static enum bt_code open_all(struct move *move, const char *prefix, struct bt_error *err) {
  struct bt_error why = {0};
  move->dir = bt_records_session(move->records, prefix, &move->index, &move->root, &move->row, &why);
  if (move->dir < 0) {
    if (err != NULL)
      *err = why;
    return why.code;
  }
  int64_t range = bt_lock_of(move->row->project, move->row->folder);
  enum bt_code code = bt_store_lock_take(&move->lock, move->root, range, false, err);
  if (code != BT_OK)
    return code;
  move->from = bt_session_open(move->root, move->row->project, NULL, err);
  if (move->from < 0)
    return BT_IO;
  move->manifest = bt_manifest_read(move->dir, BT_FILE_MANIFEST, &code, err);
  return code;
}

static enum bt_code put_old_name(struct bt_json *manifest, const char *folder) {
  const struct bt_json *old = bt_json_get(manifest, "titled_from");
  struct bt_json *list = bt_json_type(old) == BT_JSON_ARRAY ? bt_json_clone(old) : bt_json_new_array();
  struct bt_str text;
  bt_str_init(&text, 65536);
  bt_utf8_decode8(&text, folder, strlen(folder));
  bool present = false;
  for (const struct bt_json *item = bt_json_first(list); item != NULL; item = bt_json_next(item))
    present = present || bt_text_equals(bt_json_string(item), text.data);
  enum bt_code code = list == NULL || text.failed ? BT_NOMEM : BT_OK;
  if (code == BT_OK && !present)
    code = bt_json_push(list, bt_json_new_string(text.data));
  bt_str_dispose(&text);
  if (code != BT_OK) {
    bt_json_free(list);
    return code;
  }
  return bt_json_set(manifest, "titled_from", list);
}

static enum bt_code change_manifest(struct move *move, struct bt_error *err) {
  struct bt_json *manifest = move->manifest;
  enum bt_code code = BT_OK;
  if (move->is_retitle) {
    code = put_old_name(manifest, move->row->folder);
  } else {
    const struct bt_json *old = bt_json_get(manifest, "project");
    if (old != NULL)
      code = bt_json_set(manifest, "prev_project", bt_json_clone(old));
    if (code == BT_OK)
      code = bt_json_set_string(manifest, "project", move->slug.data);
  }
  if (code == BT_OK)
    code = bt_manifest_bump(manifest, move->now);
  if (code == BT_OK)
    code = bt_manifest_seal(manifest);
  return code == BT_OK ? BT_OK : bt_error_set(err, code, BT_FILE_MANIFEST, "out of memory");
}

static enum bt_code fill_brief(struct move *move, const struct bt_edit *edit, struct bt_error *err) {
  struct bt_str bytes, text, changed;
  bt_str_init(&bytes, BT_RENDER_BYTES_MAX);
  bt_str_init(&text, BT_RENDER_BYTES_MAX);
  bt_str_init(&changed, BT_RENDER_BYTES_MAX);
  enum bt_code code = bt_fs_read_at(move->dir, BT_FILE_BRIEF, &bytes, err);
  if (code == BT_OK) {
    bt_utf8_decode8(&text, bytes.data, bytes.length);
    code = bt_edit_brief(&changed, text.data, text.length, edit);
    bt_str_clear(&bytes);
    bt_utf8_encode8(&bytes, changed.data, changed.length);
    bt_outlet_put(&move->drafts[BRIEF].outlet, bytes.data, bytes.length);
    if (code != BT_OK || text.failed || bytes.failed)
      code = bt_error_set(err, BT_NOMEM, BT_FILE_BRIEF, "out of memory");
  }
  bt_str_dispose(&bytes);
  bt_str_dispose(&text);
  bt_str_dispose(&changed);
  return code;
}

static enum bt_code fill_manifest(struct move *move, struct bt_error *err) {
  struct bt_str text;
  bt_str_init(&text, BT_RENDER_BYTES_MAX);
  bt_json_print_pretty(&text, move->manifest);
  enum bt_code code = text.failed ? bt_error_set(err, BT_NOMEM, BT_FILE_MANIFEST, "out of memory") : BT_OK;
  bt_outlet_put(&move->drafts[MANIFEST].outlet, text.data, text.length);
  bt_str_dispose(&text);
  return code;
}

static enum bt_code fill(struct move *move, int which, const struct bt_edit *edit, struct bt_error *err) {
  struct bt_fs_stat found;
  bt_fs_stat_at(move->dir, names[which], &found);
  if (found.kind == BT_FS_ABSENT)
    return BT_OK;
  move->is_begun[which] = true;
  enum bt_code code = bt_draft_begin(&move->drafts[which], move->dir, names[which], 0666, err);
  if (code == BT_OK && which == BRIEF)
    code = fill_brief(move, edit, err);
  else if (code == BT_OK && which == MANIFEST)
    code = fill_manifest(move, err);
  else if (code == BT_OK)
    code = bt_edit_payload(&move->drafts[which], move->dir, names[which], edit, err);
  return code == BT_OK ? bt_draft_settle(&move->drafts[which], err) : code;
}

static enum bt_code fill_all(struct move *move, struct bt_error *err) {
  struct bt_str session;
  bt_str_init(&session, BT_MANIFEST_BYTES_MAX);
  bt_json_to_text(&session, bt_json_get(move->manifest, "session"));
  struct bt_edit edit = {.title = move->is_retitle ? move->slug.data : NULL,
                         .session = session.data,
                         .project = move->is_retitle ? NULL : move->slug.data,
                         .updated_at = move->now,
                         .manifest_sha256 = bt_json_get_string(move->manifest, "manifest_sha256"),
                         .revision = bt_manifest_number(move->manifest, "revisions")};
  enum bt_code code = session.failed ? bt_error_set(err, BT_NOMEM, BT_FILE_MANIFEST, "out of memory") : BT_OK;
  for (int i = 0; code == BT_OK && i < DRAFTS; i++)
    code = fill(move, i, &edit, err);
  bt_str_dispose(&session);
  return code;
}

static enum bt_code open_target(struct move *move, struct bt_error *err) {
  struct bt_fs_stat there;
  if (move->is_retitle) {
    bt_fs_stat_at(move->from, move->slug.data, &there);
    move->to = move->from;
    if (there.kind == BT_FS_ABSENT)
      return BT_OK;
    return bt_error_set(err, BT_STATE, move->slug.data, "target name already exists: %s/" BT_PROJECTS_NAME "/%s/%s",
                        move->records->root, move->row->project, move->slug.data);
  }
  int projects = bt_fs_open_folder_at(move->root, BT_PROJECTS_NAME, err);
  enum bt_code code = projects >= 0 ? bt_write_folder(projects, move->slug.data, NULL, err) : BT_IO;
  if (code == BT_OK && (move->to = bt_fs_open_folder_at(projects, move->slug.data, err)) < 0)
    code = BT_IO;
  if (projects >= 0)
    (void)close(projects);
  return code;
}

static enum bt_code put_in_place(struct move *move, struct bt_error *err) {
  const char *name = move->is_retitle ? move->slug.data : move->row->folder;
  int64_t range = bt_lock_of(move->is_retitle ? move->row->project : move->slug.data, name);
  enum bt_code code = bt_store_lock_take(&move->lock, move->root, range, false, err);
  if (code == BT_OK)
    code = bt_write_move(move->from, move->row->folder, move->to, name, err);
  for (int i = 0; code == BT_OK && i < DRAFTS; i++) {
    if (i == MANIFEST)
      bt_write_sync(move->dir);
    if (move->is_begun[i])
      code = bt_draft_commit(&move->drafts[i], err);
    move->is_torn = code != BT_OK;
  }
  bt_write_sync(move->dir);
  return code;
}

static void say(struct move *move, struct bt_str *out) {
  if (move->is_retitle) {
    bt_str_printf(out, "handoff: retitled %s -> %s [project %s] renders refreshed rev=", move->row->folder,
                  move->slug.data, move->row->project);
    bt_json_print_number(out, bt_manifest_number(move->manifest, "revisions"));
    bt_str_putc(out, '\n');
  } else {
    bt_str_printf(out, "handoff: renamed %s -> project %s\n", move->row->folder, move->slug.data);
  }
}

static enum bt_code run(struct move *move, const char *prefix, struct bt_str *out, struct bt_error *err) {
  enum bt_code code = open_all(move, prefix, err);
  if (code == BT_OK && move->is_retitle)
    code = open_target(move, err);
  if (code == BT_OK)
    code = change_manifest(move, err);
  if (code == BT_OK)
    code = fill_all(move, err);
  if (code == BT_OK && !move->is_retitle)
    code = open_target(move, err);
  if (code == BT_OK)
    code = put_in_place(move, err);
  if (code == BT_OK)
    code = bt_store_lock_take(&move->lock, move->root, BT_LOCK_STORE, true, err);
  if (code == BT_OK)
    code = bt_record_index_remake(move->root, &move->lock, err);
  if (code == BT_OK)
    say(move, out);
  if (code == BT_OK && out->failed)
    code = bt_error_set(err, BT_NOMEM, "", "it is done, but out of memory for the words");
  return code;
}

static enum bt_code start(const struct bt_records *records, bool is_retitle, const char *prefix, const char *name,
                          struct bt_str *out, struct bt_error *err) {
  struct move move = {
      .records = records, .is_retitle = is_retitle, .root = -1, .dir = -1, .from = -1, .to = -1, .lock.fd = -1};
  if (records->env->readonly)
    return bt_error_set(err, BT_READONLY, "", "baton runs with --readonly: nothing is renamed");
  bt_str_init(&move.slug, 4096);
  bt_words_slug(&move.slug, name, strlen(name));
  bt_time_iso(move.now, bt_env_now(records->env));
  enum bt_code code = BT_OK;
  if (move.slug.failed)
    code = bt_error_set(err, BT_NOMEM, "", "out of memory");
  else if (prefix[0] == '\0' || !bt_words_is_name(move.slug.data))
    code = bt_error_set(err, BT_USAGE, "", "usage: %s",
                        is_retitle ? "retitle <id-prefix> <new-human-readable-name>"
                                   : "rename <id-prefix> <new-project-name>");
  if (code == BT_OK)
    code = run(&move, prefix, out, err);
  for (int i = 0; i < DRAFTS; i++) {
    if (move.is_begun[i] && move.is_torn)
      bt_draft_leave(&move.drafts[i]);
    else if (move.is_begun[i])
      bt_draft_drop(&move.drafts[i]);
  }
  if (move.to >= 0 && move.to != move.from)
    (void)close(move.to);
  if (move.from >= 0)
    (void)close(move.from);
  if (move.dir >= 0)
    (void)close(move.dir);
  bt_store_lock_release(&move.lock);
  if (move.root >= 0)
    (void)close(move.root);
  bt_json_free(move.manifest);
  bt_record_index_dispose(&move.index);
  bt_str_dispose(&move.slug);
  return code;
}

enum bt_code bt_records_retitle(const struct bt_records *records, const char *prefix, const char *name,
                                struct bt_str *out, struct bt_error *err) {
  return start(records, true, prefix, name, out, err);
}

enum bt_code bt_records_rename(const struct bt_records *records, const char *prefix, const char *project,
                               struct bt_str *out, struct bt_error *err) {
  return start(records, false, prefix, project, out, err);
}
