/* core/records/verify.c - see verify.h. */
#include "core/records/verify.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/records/json_check.h"
#include "core/records/names.h"
#include "core/records/manifest.h"
#include "core/records/timeline.h"
#include "core/records/write.h"

/* Opens a file of the folder; why it cannot be is the reason of a failed check. */
static int open_part(int dir, const char *name, int64_t *size, struct bt_error *err) {
  struct bt_error why = {0};
  struct stat found;
  int fd = bt_fs_open_file_at(dir, name, &why);
  if (fd >= 0 && fstat(fd, &found) == 0) {
    *size = (int64_t)found.st_size;
    return fd;
  }
  if (fd >= 0)
    (void)close(fd);
  (void)bt_error_set(err, BT_CORRUPT, name, "%s %s", name, why.code == BT_MISSING ? "missing" : "cannot be read");
  return -1;
}

static enum bt_code check_manifest(int dir, struct bt_json **manifest, struct bt_error *err) {
  enum bt_code code;
  struct bt_error why = {0};
  *manifest = bt_manifest_read(dir, BT_FILE_MANIFEST, &code, &why);
  if (*manifest == NULL)
    return bt_error_set(err, code == BT_NOMEM ? code : BT_CORRUPT, BT_FILE_MANIFEST, "manifest cannot be used: %s",
                        why.message);
  char hex[BT_SHA256_HEX];
  if (!bt_manifest_hash(*manifest, hex))
    return bt_error_set(err, BT_NOMEM, BT_FILE_MANIFEST, "out of memory");
  if (!bt_text_equals(bt_json_get_string(*manifest, "manifest_sha256"), hex))
    return bt_error_set(err, BT_CORRUPT, BT_FILE_MANIFEST, "manifest tampered (sha mismatch)");
  return BT_OK;
}

static enum bt_code check_timeline(int dir, const struct bt_json *manifest, uint64_t *turns, struct bt_error *err) {
  struct bt_timeline_shape shape;
  int64_t size;
  double said = -1;
  int fd = open_part(dir, BT_FILE_TIMELINE, &size, err);
  if (fd < 0)
    return BT_CORRUPT;
  enum bt_code code = bt_timeline_walk(fd, 0, size, NULL, NULL, &shape, err);
  (void)close(fd);
  if (code != BT_OK)
    return code;
  *turns = shape.lines;
  if (!bt_json_number(bt_json_get(manifest, "turn_count"), &said) || said != (double)shape.lines) {
    struct bt_str text;
    bt_str_init(&text, 4096);
    bt_json_to_text(&text, bt_json_get(manifest, "turn_count"));
    code = bt_error_set(err, BT_CORRUPT, BT_FILE_TIMELINE, "turn count drift (%llu vs manifest %s)",
                        (unsigned long long)shape.lines, text.data);
    bt_str_dispose(&text);
  }
  return code;
}

static enum bt_code check_payload(int dir, struct bt_error *err) {
  int64_t size;
  int fd = open_part(dir, BT_FILE_PAYLOAD, &size, err);
  if (fd < 0)
    return BT_CORRUPT;
  struct bt_json_check *check = malloc(sizeof *check);
  enum bt_code code = check != NULL ? bt_json_check_file(check, fd, size, BT_FILE_PAYLOAD, err)
                                    : bt_error_set(err, BT_NOMEM, BT_FILE_PAYLOAD, "out of memory");
  free(check);
  (void)close(fd);
  return code == BT_IO ? BT_CORRUPT : code;
}

enum bt_code bt_verify(int dir, uint64_t *turns, struct bt_json **manifest, struct bt_error *err) {
  *turns = 0;
  enum bt_code code = check_manifest(dir, manifest, err);
  if (code == BT_OK)
    code = check_timeline(dir, *manifest, turns, err);
  return code == BT_OK ? check_payload(dir, err) : code;
}

/* Whether the record still has the name under which it was opened: its lock goes by that. */
static bool is_in_place(int root, const struct bt_record_row *row, int dir) {
  struct stat opened, there;
  int again = bt_session_open(root, row->project, row->folder, NULL);
  bool same = again >= 0 && fstat(again, &there) == 0 && fstat(dir, &opened) == 0 && opened.st_dev == there.st_dev &&
              opened.st_ino == there.st_ino;
  if (again >= 0)
    (void)close(again);
  return same;
}

enum bt_code bt_verify_hold(struct bt_store_lock *lock, int root, const struct bt_record_row *row, int dir, bool wait,
                            struct bt_error *err) {
  struct bt_fs_stat found;
  lock->fd = -1;
  bt_fs_stat_at(root, BT_LOCK_NAME, &found);
  if (found.kind == BT_FS_ABSENT) /* nobody holds what is not there, and a look makes nothing */
    return BT_OK;
  enum bt_code code = bt_store_lock_take(lock, root, bt_lock_of(row->project, row->folder), wait, NULL);
  if (code == BT_BUSY)
    return bt_error_set(err, code, "", "a build of it is running: verify it when that is done");
  return is_in_place(root, row, dir)
             ? BT_OK
             : bt_error_set(err, BT_BUSY, "", "it was given another name meanwhile: verify it again");
}

enum bt_code bt_verify_apart(int root, const struct bt_record_row *row, bool wait, int dir, uint64_t *turns,
                             struct bt_json **manifest, struct bt_error *err) {
  enum bt_code code = bt_verify(dir, turns, manifest, err);
  if (code != BT_CORRUPT)
    return code;
  struct bt_store_lock lock;
  code = bt_verify_hold(&lock, root, row, dir, wait, err);
  if (code == BT_OK) {
    bt_json_free(*manifest);
    *manifest = NULL;
    code = bt_verify(dir, turns, manifest, err);
  }
  bt_store_lock_release(&lock);
  return code;
}
