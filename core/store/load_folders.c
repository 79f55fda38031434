/* core/store/load_folders.c - every folder of the ledger listed once, every name in it accounted for. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/model/id.h"
#include "core/store/auth.h"
#include "core/store/final.h"
#include "core/store/grant.h"
#include "core/store/loading.h"
#include "core/store/lock.h"
#include "core/store/path.h"

#define PATH_MAX_BYTES BT_PATH_MAX_BYTES
#define GIT_LOCK ".git/index.lock"

struct kind {
  const char *suffix;
  enum bt_code (*take)(struct bt_loading *load, const char *id);
};

static enum bt_code take_final(struct bt_loading *load, const char *id) {
  struct bt_final *final_ = BT_ARENA_NEW(load->arena, struct bt_final);
  if (!final_)
    return bt_loading_no_memory(load);
  enum bt_code code = bt_final_read(load->dir, id, load->arena, final_, NULL, load->err);
  if (code != BT_OK || bt_text_equals(final_->error, "missing"))
    return code;
  struct bt_joint *joint = bt_loading_session(load, id);
  if (!joint)
    return bt_loading_no_memory(load);
  joint->session.final_ = final_;
  return final_->error ? bt_loading_problem(load, final_->path, "final does not count: %s", final_->error) : BT_OK;
}

static enum bt_code take_content(struct bt_loading *load, const char *id) {
  struct bt_joint *joint = bt_loading_session(load, id);
  if (!joint)
    return bt_loading_no_memory(load);
  joint->has_content = true;
  return BT_OK;
}

static enum bt_code take_session_lock(struct bt_loading *load, const char *id) {
  struct bt_lock lock;
  struct bt_error why = {0};
  enum bt_code code = bt_lock_read_session(load->env, load->dir, id, load->arena, &lock, NULL, NULL, &why);
  if (code == BT_MISSING) /* released while we looked */
    return BT_OK;
  struct bt_lock *slot = code == BT_OK ? bt_list_add(&load->locks, sizeof(*slot)) : NULL;
  if (!slot || !bt_loading_session(load, id))
    return bt_loading_no_memory(load);
  *slot = lock;
  return lock.verdict == BT_LOCK_UNREADABLE ? bt_loading_problem(load, lock.path, "lock: %s", lock.why) : BT_OK;
}

static enum bt_code take_auth(struct bt_loading *load, const char *id) {
  struct bt_auth_doc doc;
  struct bt_auth auth;
  struct bt_key key = bt_env_key(load->env);
  enum bt_code code = bt_auth_read(load->dir, id, key, &doc, load->err);
  if (code == BT_OK && doc.present) {
    code = bt_auth_plain(load->arena, &doc, key, &auth, load->err);
    struct bt_auth *slot = code == BT_OK ? bt_list_add(&load->auths, sizeof(*slot)) : NULL;
    if (slot)
      *slot = auth;
    bool named = slot && bt_loading_session(load, id) &&
                 (!bt_id_is_safe(auth.deny_session_id) || bt_loading_session(load, auth.deny_session_id));
    if (code == BT_OK && !named)
      code = bt_loading_no_memory(load);
  } else if (code == BT_OK && doc.error) {
    struct bt_str path;
    bt_str_init(&path, PATH_MAX_BYTES);
    (void)bt_ledger_path(&path, BT_FILE_AUTH, id);
    code = path.failed ? bt_loading_no_memory(load)
                       : bt_loading_problem(load, path.data, "resume-auth does not count: %s", doc.error);
    if (code == BT_OK && !bt_loading_session(load, id))
      code = bt_loading_no_memory(load);
    bt_str_dispose(&path);
  }
  bt_auth_dispose(&doc);
  return code;
}

static enum bt_code take_grant(struct bt_loading *load, const char *id) {
  struct bt_grant_doc doc;
  struct bt_key key = bt_env_key(load->env);
  enum bt_code code = bt_grant_read(load->dir, id, key, load->snapshot->taken_at_ms, &doc, load->err);
  if (code == BT_OK && (doc.present || doc.error)) {
    struct bt_grant *slot = bt_list_add(&load->grants, sizeof(*slot));
    if (!slot || !bt_loading_session(load, id))
      code = bt_loading_no_memory(load);
    if (code == BT_OK)
      code = bt_grant_plain(load->arena, id, &doc, key, slot, load->err);
    if (code == BT_OK && slot->state == BT_GRANT_UNREADABLE)
      code = bt_loading_problem(load, slot->path, "grant does not count: %s", slot->error);
  }
  bt_grant_dispose(&doc);
  return code;
}

/* A name that is not UTF-8 reads as another name, so no program finds its file by the session's id. */
static enum bt_code check_utf8(struct bt_loading *load, const char *name, bool *same) {
  struct bt_str text, bytes;
  bt_str_init(&text, PATH_MAX_BYTES);
  bt_str_init(&bytes, PATH_MAX_BYTES);
  bt_utf8_decode8(&text, name, strlen(name));
  bt_utf8_encode8(&bytes, text.data, text.length);
  bool failed = text.failed || bytes.failed;
  *same = !failed && strcmp(bytes.data, name) == 0;
  bt_str_dispose(&text);
  bt_str_dispose(&bytes);
  return failed ? bt_loading_no_memory(load) : BT_OK;
}

static enum bt_code name_problem(struct bt_loading *load, const char *folder, const char *name, const char *words) {
  struct bt_str raw, text;
  bt_str_init(&raw, PATH_MAX_BYTES);
  bt_str_init(&text, PATH_MAX_BYTES * 4);
  bt_str_printf(&raw, "%s%s%s", folder, *folder ? "/" : "", name);
  bt_utf8_decode8(&text, raw.data, raw.length);
  enum bt_code code =
      raw.failed || text.failed ? bt_loading_no_memory(load) : bt_loading_problem(load, text.data, "%s", words);
  bt_str_dispose(&raw);
  bt_str_dispose(&text);
  return code;
}

static enum bt_code take_named(struct bt_loading *load, const char *folder, const char *name, const struct kind *kind) {
  bool utf8 = false;
  enum bt_code code = check_utf8(load, name, &utf8);
  if (code != BT_OK || !utf8)
    return code != BT_OK
               ? code
               : name_problem(load, folder, name, "its name is not UTF-8: no program finds it by a session id");
  char *id = bt_arena_strndup(load->arena, name, strlen(name) - strlen(kind->suffix));
  if (!id)
    return bt_loading_no_memory(load);
  if (!bt_id_is_safe(id))
    return name_problem(load, folder, name, "its name is not a safe session id: no program reads it");
  return kind->take ? kind->take(load, id) : BT_OK;
}

/* Names that are no records and no problem either. */
static bool is_expected(const char *folder, const char *name) {
  static const char *const handoffs[] = {"denies", "finals", "content", ".deny-store"};
  if (bt_ends_with(name, ".tmp") || bt_ends_with(name, ".model-ok"))
    return true;
  if (strcmp(folder, BT_PATH_DENIES) == 0)
    return strcmp(name, "quarantine") == 0;
  for (size_t i = 0; strcmp(folder, BT_PATH_HANDOFFS) == 0 && i < sizeof(handoffs) / sizeof(*handoffs); i++)
    if (strcmp(name, handoffs[i]) == 0)
      return true;
  return false;
}

static enum bt_code take_entry(struct bt_loading *load, const char *folder, const char *name,
                               const struct kind *kinds) {
  if (is_expected(folder, name))
    return BT_OK;
  for (const struct kind *kind = kinds; kind->suffix; kind++)
    if (bt_ends_with(name, kind->suffix))
      return take_named(load, folder, name, kind);
  return name_problem(load, folder, name, "not a record: no program reads it");
}

static enum bt_code list_folder(struct bt_loading *load, const char *folder, struct bt_fs_listing *listing) {
  struct bt_error why = {0};
  enum bt_code code = bt_fs_list_at(load->dir, folder, listing, &why);
  if (code == BT_OK || code == BT_MISSING)
    return BT_OK;
  if (code == BT_NOMEM)
    return bt_loading_no_memory(load);
  return bt_loading_problem(load, folder, "the folder cannot be read: %s", why.message);
}

static enum bt_code take_folder(struct bt_loading *load, const char *folder, const struct kind *kinds) {
  struct bt_fs_listing listing = {0};
  enum bt_code code = list_folder(load, folder, &listing);
  for (size_t i = 0; i < listing.count && code == BT_OK; i++)
    code = take_entry(load, folder, listing.names[i], kinds);
  bt_fs_listing_dispose(&listing);
  return code;
}

/* denies/ is read by the deny loader; here only what that passes over in silence is told. */
static enum bt_code tell_folder_in_place(struct bt_loading *load, const char *id) {
  return bt_loading_find(load, id)
             ? BT_OK
             : bt_loading_problem(load, bt_arena_printf(load->arena, "%s/%s.json", BT_PATH_DENIES, id),
                                  "a folder in the place of a record: the gate passes over it");
}

static enum bt_code take_lock(struct bt_loading *load, int dir, enum bt_lock_kind kind, const char *target,
                              const char *path) {
  struct bt_lock lock;
  struct bt_error why = {0};
  struct bt_lock_source source = {kind, target, path, load->snapshot->foreign_owner};
  enum bt_code code = bt_lock_read(load->env, dir, &source, load->arena, &lock, NULL, NULL, &why);
  if (code == BT_MISSING)
    return BT_OK;
  struct bt_lock *slot = code == BT_OK ? bt_list_add(&load->locks, sizeof(*slot)) : NULL;
  if (!slot)
    return bt_loading_no_memory(load);
  *slot = lock;
  return BT_OK;
}

/* What a lock in the ledger folder itself is about. */
static enum bt_lock_kind kind_of_lock(const char *folder, const char *name) {
  if (*folder || strcmp(name, "manifest.jsonl.lock") == 0)
    return BT_LOCK_LEDGER;
  return bt_starts_with(name, "tickets") ? BT_LOCK_TICKETS : BT_LOCK_FLEET;
}

/* `name` ends in .lock and lies in the ledger folder itself or in manifest.d. */
static enum bt_code take_ledger_lock(struct bt_loading *load, const char *folder, const char *name) {
  struct bt_str path, target;
  bool utf8 = false;
  enum bt_code code = check_utf8(load, name, &utf8);
  if (code != BT_OK || !utf8)
    return code != BT_OK ? code : name_problem(load, folder, name, "its name is not UTF-8");
  enum bt_lock_kind kind = kind_of_lock(folder, name);
  bt_str_init(&path, PATH_MAX_BYTES);
  bt_str_init(&target, PATH_MAX_BYTES);
  bt_str_printf(&path, "%s%s%s", folder, *folder ? "/" : "", name);
  if (kind == BT_LOCK_LEDGER)
    bt_str_append(&target, path.data, path.length - strlen(".lock"));
  else
    bt_str_puts(&target, name);
  code = path.failed || target.failed ? bt_loading_no_memory(load)
                                      : take_lock(load, load->dir, kind, target.data, path.data);
  bt_str_dispose(&path);
  bt_str_dispose(&target);
  return code;
}

static enum bt_code take_ledger_locks(struct bt_loading *load, const char *folder) {
  struct bt_fs_listing listing = {0};
  enum bt_code code = list_folder(load, *folder ? folder : ".", &listing);
  for (size_t i = 0; i < listing.count && code == BT_OK; i++)
    if (bt_ends_with(listing.names[i], ".lock"))
      code = take_ledger_lock(load, folder, listing.names[i]);
  bt_fs_listing_dispose(&listing);
  return code;
}

static enum bt_code take_git_lock(struct bt_loading *load) {
  int root = bt_fs_open_root(load->env->root, NULL);
  if (root < 0)
    return BT_OK;
  enum bt_code code = take_lock(load, root, BT_LOCK_GIT, GIT_LOCK, GIT_LOCK);
  close(root);
  return code;
}

enum bt_code bt_load_folders(struct bt_loading *load) {
  static const struct kind denies[] = {{".json", tell_folder_in_place}, {NULL, NULL}};
  static const struct kind finals[] = {{".json", take_final}, {NULL, NULL}};
  static const struct kind content[] = {{".md", take_content}, {NULL, NULL}};
  static const struct kind handoffs[] = {
      {".resume-auth.json", take_auth}, {".bypass-grant.json", take_grant}, {".lock", take_session_lock}, {NULL, NULL}};
  enum bt_code code = BT_OK;
  if (load->dir >= 0) {
    if (!load->snapshot->store.unavailable)
      code = take_folder(load, BT_PATH_DENIES, denies);
    if (code == BT_OK)
      code = take_folder(load, BT_PATH_FINALS, finals);
    if (code == BT_OK)
      code = take_folder(load, BT_PATH_CONTENT, content);
    if (code == BT_OK)
      code = take_folder(load, BT_PATH_HANDOFFS, handoffs);
    if (code == BT_OK)
      code = take_ledger_locks(load, "");
    if (code == BT_OK)
      code = take_ledger_locks(load, "manifest.d");
  }
  return code == BT_OK ? take_git_lock(load) : code;
}
