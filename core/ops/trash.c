/* core/ops/trash.c - copies of removed lock files, with a note where each belongs. */
#include "core/ops/trash.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/ops/txn.h"

#define NOTE_SUFFIX ".json"
#define ITEM_MAX (4u << 20)
#define PATH_MAX_BYTES 65536

static int open_trash(const struct bt_env *env, bool make, struct bt_error *err) {
  struct bt_str path;
  bt_str_init(&path, PATH_MAX_BYTES);
  bt_str_printf(&path, "%s/trash", env->state_dir);
  int dir = -1;
  if (path.failed)
    (void)bt_error_set(err, BT_NOMEM, "trash", "out of memory");
  else
    dir = make ? bt_txn_make_root(path.data, err) : bt_fs_open_root(path.data, err);
  bt_str_dispose(&path);
  return dir;
}

/* Sorts by time: ISO date and time first, then something that nobody else has. */
static enum bt_code item_name(const struct bt_env *env, char name[BT_ISO_MS + 24], struct bt_error *err) {
  char stamp[BT_ISO_MS], random[9];
  bt_time_iso(stamp, bt_env_now(env));
  enum bt_code code = bt_random_hex(random, 4, err);
  if (code == BT_OK)
    snprintf(name, BT_ISO_MS + 24, "%s-%s.lock", stamp, random);
  return code;
}

static void print_note(const struct bt_env *env, const char *path, struct bt_str *out) {
  char removed_at[BT_ISO_MS];
  bt_time_iso(removed_at, bt_env_now(env));
  struct bt_json *note = bt_json_new_object();
  if (note != NULL && bt_json_set_string(note, "ledger", env->ledger_dir) == BT_OK &&
      bt_json_set_string(note, "path", path) == BT_OK && bt_json_set_string(note, "removed_at", removed_at) == BT_OK &&
      bt_json_set_string(note, "host", env->host) == BT_OK) {
    bt_json_print_pretty(out, note);
    bt_str_putc(out, '\n');
  } else {
    out->failed = true;
  }
  bt_json_free(note);
}

enum bt_code bt_trash_keep(const struct bt_env *env, const char *path, const void *bytes, size_t length,
                           struct bt_str *kept, struct bt_error *err) {
  char name[BT_ISO_MS + 24], note_name[BT_ISO_MS + 32];
  struct bt_str note;
  bt_str_init(&note, ITEM_MAX);
  print_note(env, path, &note);
  enum bt_code code = item_name(env, name, err);
  if (code == BT_OK && note.failed)
    code = bt_error_set(err, BT_NOMEM, path, "out of memory");
  struct bt_error opened = {.code = BT_IO};
  int dir = code == BT_OK ? open_trash(env, true, &opened) : -1;
  if (code == BT_OK && dir < 0) {
    code = opened.code;
    if (err != NULL)
      *err = opened;
  }
  if (code == BT_OK)
    code = bt_fs_create_at(dir, name, bytes, length, err);
  if (code == BT_OK) {
    snprintf(note_name, sizeof note_name, "%s%s", name, NOTE_SUFFIX);
    code = bt_fs_create_at(dir, note_name, note.data, note.length, err);
    if (code != BT_OK) /* a copy that nobody can tell the origin of is none */
      (void)unlinkat(dir, name, 0);
  }
  if (code == BT_OK)
    bt_str_printf(kept, "%s/trash/%s", env->state_dir, name);
  if (dir >= 0)
    close(dir);
  bt_str_dispose(&note);
  return code;
}

void bt_trash_item_dispose(struct bt_trash_item *item) {
  bt_str_dispose(&item->name);
  bt_str_dispose(&item->path);
  bt_str_dispose(&item->bytes);
  bt_str_dispose(&item->removed_at);
}

/* Fills `item` when the note belongs to this ledger and the copy is readable. */
static bool read_item(const struct bt_env *env, int dir, const char *note_name, struct bt_trash_item *item) {
  struct bt_str text;
  bt_str_init(&text, ITEM_MAX);
  struct bt_json *note = NULL;
  if (bt_fs_read_at(dir, note_name, &text, NULL) == BT_OK)
    note = bt_json_parse(text.data, text.length, NULL);
  const char *path = bt_json_get_string(note, "path");
  const char *removed_at = bt_json_get_string(note, "removed_at");
  bool ours = path != NULL && bt_text_equals(bt_json_get_string(note, "ledger"), env->ledger_dir);
  if (ours) {
    bt_str_clear(&item->name);
    bt_str_clear(&item->path);
    bt_str_clear(&item->bytes);
    bt_str_clear(&item->removed_at);
    bt_str_append(&item->name, note_name, strlen(note_name) - strlen(NOTE_SUFFIX));
    bt_str_puts(&item->path, path);
    bt_str_puts(&item->removed_at, removed_at != NULL ? removed_at : "");
    ours = bt_fs_read_at(dir, item->name.data, &item->bytes, NULL) == BT_OK;
  }
  bt_json_free(note);
  bt_str_dispose(&text);
  return ours;
}

enum bt_code bt_trash_newest(const struct bt_env *env, struct bt_trash_item *item, struct bt_error *err) {
  bt_str_init(&item->name, PATH_MAX_BYTES);
  bt_str_init(&item->path, PATH_MAX_BYTES);
  bt_str_init(&item->bytes, ITEM_MAX);
  bt_str_init(&item->removed_at, PATH_MAX_BYTES);
  struct bt_fs_listing names = {0};
  int dir = open_trash(env, false, NULL);
  enum bt_code code = dir < 0 ? BT_MISSING : bt_fs_list_at(dir, ".", &names, err);
  bool found = false;
  for (size_t i = names.count; code == BT_OK && i > 0 && !found; i--) {
    if (bt_ends_with(names.names[i - 1], NOTE_SUFFIX))
      found = read_item(env, dir, names.names[i - 1], item);
  }
  bt_fs_listing_dispose(&names);
  if (dir >= 0)
    close(dir);
  if (code == BT_NOMEM || code == BT_IO)
    return code;
  return found ? BT_OK
               : bt_error_set(err, BT_MISSING, env->ledger_dir, "nothing to undo: the trash holds no lock file of %s",
                              env->ledger_dir);
}

enum bt_code bt_trash_forget(const struct bt_env *env, const char *name, struct bt_error *err) {
  struct bt_error opened = {.code = BT_IO};
  int dir = open_trash(env, false, &opened);
  if (dir < 0) {
    if (err != NULL)
      *err = opened;
    return opened.code;
  }
  struct bt_str note_name;
  bt_str_init(&note_name, PATH_MAX_BYTES);
  bt_str_printf(&note_name, "%s%s", name, NOTE_SUFFIX);
  /* The note first: without it the copy is no longer offered, and a copy alone harms nobody. */
  enum bt_code code = note_name.failed ? bt_error_set(err, BT_NOMEM, "trash", "out of memory")
                                       : bt_fs_unlink_at(dir, note_name.data, err);
  if (code == BT_OK)
    code = bt_fs_unlink_at(dir, name, err);
  bt_str_dispose(&note_name);
  close(dir);
  return code;
}
