/* core/ops/txn.c - writes below the ledger directory, remembered so that they can be taken back. */
#include "core/ops/txn.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/fs.h"

#define TEXT_MAX (4u << 20) /* no record of the ledger that a verb rewrites comes near it */
#define WROTE_MAX 4         /* texts one run hands to one path: rebind, consume, and the undo itself */

#define HOLD_ATTEMPTS 100
#define HOLD_PAUSE_MS 5

struct blob {
  char *bytes; /* NULL: nothing was there */
  size_t length;
};

struct watch {
  bool active;
  char *path;
  struct blob prior;
  struct blob wrote[WROTE_MAX];
  size_t wrote_count;
};

struct bt_txn {
  int dir;
  struct watch watches[BT_ARTIFACT_COUNT];
};

const char *bt_artifact_word(enum bt_artifact artifact) {
  static const char *const words[BT_ARTIFACT_COUNT] = {"final", "deny marker", "capture", "resume-auth",
                                                       "bypass grant"};
  return words[artifact];
}

/* What is missing is made below the nearest ancestor that exists. */
int bt_txn_make_root(const char *path, struct bt_error *err) {
  char *ancestor = strdup(path);
  int dir = -1;
  if (ancestor == NULL) {
    (void)bt_error_set(err, BT_NOMEM, path, "out of memory");
    return -1;
  }
  size_t cut = strlen(ancestor);
  while (cut > 1 && access(ancestor, F_OK) != 0) {
    while (cut > 1 && ancestor[cut - 1] != '/')
      cut--;
    while (cut > 1 && ancestor[cut - 1] == '/')
      cut--;
    ancestor[cut] = '\0';
  }
  dir = bt_fs_open_root(ancestor, err);
  const char *missing = path + cut;
  while (*missing == '/')
    missing++;
  if (dir >= 0 && *missing != '\0') {
    enum bt_code code = bt_fs_make_folders_at(dir, missing, err);
    close(dir);
    dir = code == BT_OK ? bt_fs_open_root(path, err) : -1;
  }
  free(ancestor);
  return dir;
}

struct bt_txn *bt_txn_open(const struct bt_env *env, bool make, struct bt_error *err) {
  if (env->readonly) {
    (void)bt_error_set(err, BT_READONLY, env->ledger_dir, "read-only: nothing is written");
    return NULL;
  }
  struct bt_txn *txn = calloc(1, sizeof *txn);
  if (txn == NULL) {
    (void)bt_error_set(err, BT_NOMEM, env->ledger_dir, "out of memory");
    return NULL;
  }
  txn->dir = make ? bt_txn_make_root(env->ledger_dir, err) : bt_fs_open_root(env->ledger_dir, err);
  if (txn->dir < 0) {
    free(txn);
    return NULL;
  }
  return txn;
}

static void forget(struct watch *watch) {
  free(watch->path);
  free(watch->prior.bytes);
  for (size_t i = 0; i < watch->wrote_count; i++)
    free(watch->wrote[i].bytes);
  memset(watch, 0, sizeof *watch);
}

void bt_txn_commit(struct bt_txn *txn) {
  for (size_t i = 0; i < BT_ARTIFACT_COUNT; i++)
    forget(&txn->watches[i]);
}

void bt_txn_close(struct bt_txn *txn) {
  if (txn == NULL)
    return;
  bt_txn_commit(txn);
  close(txn->dir);
  free(txn);
}

int bt_txn_dir(const struct bt_txn *txn) {
  return txn->dir;
}

static bool blob_copy(struct blob *blob, const void *bytes, size_t length) {
  blob->bytes = malloc(length + 1);
  if (blob->bytes == NULL)
    return false;
  memcpy(blob->bytes, bytes, length);
  blob->bytes[length] = '\0';
  blob->length = length;
  return true;
}

static bool blob_equals(const struct blob *blob, const struct blob *other) {
  if (blob->bytes == NULL || other->bytes == NULL)
    return blob->bytes == other->bytes;
  return blob->length == other->length && memcmp(blob->bytes, other->bytes, blob->length) == 0;
}

/* Notes the text before it is written: a write that fails half way may have put it there all the same. */
static enum bt_code note(struct bt_txn *txn, const char *path, const void *bytes, size_t length, struct bt_error *err) {
  for (size_t i = 0; i < BT_ARTIFACT_COUNT; i++) {
    struct watch *watch = &txn->watches[i];
    if (!watch->active || strcmp(watch->path, path) != 0)
      continue;
    assert(watch->wrote_count < WROTE_MAX);
    if (!blob_copy(&watch->wrote[watch->wrote_count], bytes, length))
      return bt_error_set(err, BT_NOMEM, path, "out of memory");
    watch->wrote_count++;
  }
  return BT_OK;
}

enum bt_code bt_txn_make_folders(struct bt_txn *txn, const char *path, struct bt_error *err) {
  return bt_fs_make_folders_at(txn->dir, path, err);
}

enum bt_code bt_txn_replace(struct bt_txn *txn, const char *path, const void *bytes, size_t length,
                            struct bt_error *err) {
  enum bt_code code = note(txn, path, bytes, length, err);
  return code == BT_OK ? bt_fs_replace_at(txn->dir, path, bytes, length, err) : code;
}

/* Takes the last note back: where an exclusive create loses, the file is another writer's, even with our bytes. */
static void take_note_back(struct bt_txn *txn, const char *path) {
  for (size_t i = 0; i < BT_ARTIFACT_COUNT; i++) {
    struct watch *watch = &txn->watches[i];
    if (watch->active && strcmp(watch->path, path) == 0)
      free(watch->wrote[--watch->wrote_count].bytes);
  }
}

enum bt_code bt_txn_create(struct bt_txn *txn, const char *path, const void *bytes, size_t length,
                           struct bt_error *err) {
  enum bt_code code = note(txn, path, bytes, length, err);
  if (code != BT_OK)
    return code;
  code = bt_fs_create_at(txn->dir, path, bytes, length, err);
  if (code != BT_OK)
    take_note_back(txn, path);
  return code;
}

enum bt_code bt_txn_overwrite(struct bt_txn *txn, const char *path, const void *bytes, size_t length,
                              struct bt_error *err) {
  enum bt_code code = note(txn, path, bytes, length, err);
  return code == BT_OK ? bt_fs_overwrite_at(txn->dir, path, bytes, length, err) : code;
}

enum bt_code bt_txn_append(struct bt_txn *txn, const char *path, const void *bytes, size_t length,
                           struct bt_error *err) {
  return bt_fs_append_at(txn->dir, path, bytes, length, err);
}

enum bt_code bt_txn_unlink(struct bt_txn *txn, const char *path, struct bt_error *err) {
  return bt_fs_unlink_at(txn->dir, path, err);
}

bool bt_txn_hold(const struct bt_txn *txn) {
  const struct timespec pause = {.tv_nsec = HOLD_PAUSE_MS * 1000000L};
  for (int attempt = 0; attempt < HOLD_ATTEMPTS; attempt++) {
    if (flock(txn->dir, LOCK_EX | LOCK_NB) == 0)
      return true;
    if (errno != EWOULDBLOCK && errno != EINTR)
      return false;
    (void)nanosleep(&pause, NULL);
  }
  return false;
}

void bt_txn_let_go(const struct bt_txn *txn) {
  (void)flock(txn->dir, LOCK_UN);
}

/* Whether the open file is the one that `path` still names, and holds these bytes. */
static bool is_still(const struct bt_txn *txn, int file, const char *path, const void *bytes, size_t length) {
  struct stat open_file;
  struct bt_fs_stat named;
  bt_fs_stat_at(txn->dir, path, &named);
  if (fstat(file, &open_file) != 0 || named.kind != BT_FS_FILE || named.inode != (uint64_t)open_file.st_ino ||
      named.device != (uint64_t)open_file.st_dev)
    return false;
  struct bt_str now;
  bt_str_init(&now, TEXT_MAX);
  bool same = bt_fs_read_at(txn->dir, path, &now, NULL) == BT_OK && now.length == length &&
              memcmp(now.data, bytes, length) == 0;
  bt_str_dispose(&now);
  return same;
}

enum bt_code bt_txn_unlink_if(struct bt_txn *txn, const char *path, const void *bytes, size_t length,
                              struct bt_error *err) {
  int file = bt_fs_open_file_at(txn->dir, path, err);
  if (file < 0)
    return err != NULL ? err->code : BT_MISSING;
  enum bt_code code;
  if (flock(file, LOCK_EX | LOCK_NB) != 0)
    code = bt_error_set(err, BT_STALE, path, "%s is being removed by another process", path);
  else if (!is_still(txn, file, path, bytes, length))
    code = bt_error_set(err, BT_STALE, path, "%s changed under this command", path);
  else
    code = bt_fs_unlink_at(txn->dir, path, err);
  close(file);
  return code;
}

enum bt_code bt_txn_rename(struct bt_txn *txn, const char *from, const char *to, struct bt_error *err) {
  return bt_fs_rename_at(txn->dir, from, to, err);
}

/* The bytes at `path`; absent and unreadable are nothing. */
static enum bt_code read_blob(const struct bt_txn *txn, const char *path, struct blob *blob, struct bt_error *err) {
  struct bt_str text;
  bt_str_init(&text, TEXT_MAX);
  struct bt_error found = {0};
  enum bt_code code = bt_fs_read_at(txn->dir, path, &text, &found);
  *blob = (struct blob){0};
  if (code == BT_OK) {
    blob->bytes = bt_str_take(&text, &blob->length);
    code = blob->bytes == NULL ? bt_error_set(err, BT_NOMEM, path, "out of memory") : BT_OK;
  } else if (code == BT_NOMEM || code == BT_TOO_LARGE) {
    if (err != NULL)
      *err = found;
  } else {
    code = BT_OK;
  }
  bt_str_dispose(&text);
  return code;
}

enum bt_code bt_txn_watch(struct bt_txn *txn, enum bt_artifact artifact, const char *path, struct bt_error *err) {
  struct watch *watch = &txn->watches[artifact];
  assert(!watch->active);
  watch->path = strdup(path);
  if (watch->path == NULL)
    return bt_error_set(err, BT_NOMEM, path, "out of memory");
  enum bt_code code = read_blob(txn, path, &watch->prior, err);
  watch->active = code == BT_OK;
  if (code != BT_OK)
    forget(watch);
  return code;
}

bool bt_txn_is_watched(const struct bt_txn *txn, enum bt_artifact artifact) {
  return txn->watches[artifact].active;
}

/* Puts the old bytes back. Whole by rename where that works, so that a death in the middle leaves no torn file;
 * in place where it does not (a full disk has no room for a second copy). */
static bool put_back(const struct bt_txn *txn, const struct watch *watch) {
  const struct blob *prior = &watch->prior;
  if (prior->bytes == NULL) {
    enum bt_code code = bt_fs_unlink_at(txn->dir, watch->path, NULL);
    return code == BT_OK || code == BT_MISSING;
  }
  return bt_fs_replace_at(txn->dir, watch->path, prior->bytes, prior->length, NULL) == BT_OK ||
         bt_fs_overwrite_at(txn->dir, watch->path, prior->bytes, prior->length, NULL) == BT_OK;
}

/* False: the file holds neither what was there before nor a text of this run, or it could not be put back. */
static bool restore(const struct bt_txn *txn, const struct watch *watch) {
  if (!watch->active || watch->wrote_count == 0)
    return true;
  struct blob now;
  if (read_blob(txn, watch->path, &now, NULL) != BT_OK)
    return false;
  bool ours = false;
  for (size_t i = 0; i < watch->wrote_count; i++)
    ours = ours || blob_equals(&now, &watch->wrote[i]);
  bool as_before = blob_equals(&now, &watch->prior);
  free(now.bytes);
  return as_before || (ours && put_back(txn, watch));
}

bool bt_txn_undo(struct bt_txn *txn, struct bt_error *err) {
  static const enum bt_artifact order[BT_ARTIFACT_COUNT] = {BT_ARTIFACT_AUTH, BT_ARTIFACT_GRANT, BT_ARTIFACT_FINAL,
                                                            BT_ARTIFACT_DENY, BT_ARTIFACT_CAPTURE};
  bool lost[BT_ARTIFACT_COUNT] = {false};
  for (size_t i = 0; i < BT_ARTIFACT_COUNT; i++)
    lost[order[i]] = !restore(txn, &txn->watches[order[i]]);
  char names[256] = "";
  size_t used = 0;
  for (size_t i = 0; i < BT_ARTIFACT_COUNT; i++) {
    if (lost[i] && used < sizeof names)
      used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "",
                               bt_artifact_word((enum bt_artifact)i));
  }
  bt_txn_commit(txn);
  if (used == 0)
    return true;
  if (err != NULL) {
    struct bt_error first = *err;
    (void)bt_error_set(err, first.code, first.subject, "%s \xe2\x80\x94 not put back, another writer changed it: %s",
                       first.message, names);
    err->sys_errno = first.sys_errno;
  }
  return false;
}
