/* core/base/fs.h - files without surprises.
 *
 * Owns: opening below a trusted folder without following links, whole reads with a ceiling, line
 * reads, durable replacement. Must not know: what the bytes mean.
 *
 * Every path given with a `dir` descriptor is relative and is walked one component at a time with
 * O_NOFOLLOW: a symbolic link, FIFO, socket or device anywhere on the way is BT_UNSAFE
 * (spec/context-handoff.md 15.1 item 4). The folder behind `dir` itself may have been reached by a link.
 * ".." components and absolute paths are BT_UNSAFE; empty and "." components are passed over.
 * Errors carry the errno: BT_MISSING is ENOENT; BT_UNSAFE is ELOOP for a link, EISDIR for a folder in the place
 * of a file, EINVAL or ENXIO for other kinds and for paths that lead out; a regular file in the place of a
 * folder is BT_IO with ENOTDIR; all else is BT_IO. Names in messages are the path as it was given.
 * Reading half: any layer. Writing half (below the line): core/ops/txn.c and each other store's one writer. */
#ifndef BATON_CORE_BASE_FS_H
#define BATON_CORE_BASE_FS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/error.h"
#include "core/base/str.h"

enum bt_fs_kind {
  BT_FS_ABSENT,
  BT_FS_FILE,
  BT_FS_FOLDER,
  BT_FS_LINK,   /* a symbolic link, dangling or not */
  BT_FS_OTHER,  /* FIFO, socket, device */
  BT_FS_UNKNOWN /* stat failed otherwise; sys_errno tells */
};

struct bt_fs_stat {
  enum bt_fs_kind kind;
  int sys_errno;
  uint64_t device, inode;
  int64_t size_bytes;
  int64_t mtime_ms;
  int64_t mtime_ns; /* full resolution, since 1970 */
  int64_t ctime_ns;
  unsigned mode, uid, gid;
};

/* Opens a folder (a link to one is followed) for use as `dir`. -1 on failure with err set. Caller closes. */
int bt_fs_open_root(const char *path, struct bt_error *err) BT_NODISCARD;

/* lstat semantics below `dir`; never fails: the answer is in `kind` and `sys_errno`. A link or
 * non-folder among the parents is BT_FS_UNKNOWN with ELOOP or ENOTDIR. */
void bt_fs_stat_at(int dir, const char *path, struct bt_fs_stat *out);

/* Opens a regular file for reading, O_NONBLOCK|O_CLOEXEC. -1 on failure. Caller closes. */
int bt_fs_open_file_at(int dir, const char *path, struct bt_error *err) BT_NODISCARD;
/* Opens a folder below `dir`. -1 on failure. Caller closes. */
int bt_fs_open_folder_at(int dir, const char *path, struct bt_error *err) BT_NODISCARD;

/* Whole file; BT_MISSING, BT_UNSAFE, BT_TOO_LARGE (past the ceiling of `out`), BT_IO with sys_errno. */
enum bt_code bt_fs_read_at(int dir, const char *path, struct bt_str *out, struct bt_error *err) BT_NODISCARD;

/* The same, and what was read: the open file's own, whatever takes its place meanwhile. `what` is BT_FS_ABSENT where no
 * file could be opened. */
enum bt_code bt_fs_read_and_stat_at(int dir, const char *path, struct bt_str *out, struct bt_fs_stat *what,
                                    struct bt_error *err) BT_NODISCARD;

/* Last `window` bytes (whole file if smaller). `*offset` is where they begin. */
enum bt_code bt_fs_read_tail_at(int dir, const char *path, size_t window, struct bt_str *out, int64_t *offset,
                                struct bt_error *err) BT_NODISCARD;

/* Entry names of a folder in byte order, without "." and "..". */
struct bt_fs_listing {
  char **names;
  size_t count;
};
enum bt_code bt_fs_list_at(int dir, const char *path, struct bt_fs_listing *out, struct bt_error *err) BT_NODISCARD;
void bt_fs_listing_dispose(struct bt_fs_listing *listing);

/* Lexical path.resolve(base, path): folds . and .., drops trailing slashes. `base` is absolute. */
enum bt_code bt_path_resolve(struct bt_str *out, const char *base, const char *path) BT_NODISCARD;
const char *bt_path_basename(const char *path); /* borrowed; after the last slash */

/* ------------------------------------------------------------- the writing half ---------------- */

/* mkdir -p below `dir`, mode 0777 & ~umask. A blocking file gives BT_IO with EEXIST when it is in the place of
 * the last folder, else ENOTDIR (spec 13.21). Where a function below makes parents, "last folder" is the one
 * that holds the file. */
enum bt_code bt_fs_make_folders_at(int dir, const char *path, struct bt_error *err) BT_NODISCARD;

/* Temp + fsync + rename + fsync of the folder; temp name `<path>.<pid>.<16 hex>.tmp`; parents are made.
 * On any failure the temp file is gone and the target is as before. A target that is a link or no
 * regular file is BT_UNSAFE. The file has the mode of a new one: 0666 & ~umask, whatever it had before (spec 2). */
enum bt_code bt_fs_replace_at(int dir, const char *path, const void *bytes, size_t length,
                              struct bt_error *err) BT_NODISCARD;

/* The same, and create below, with exactly these permission bits, which the file has before a byte is in it. The umask,
 * which all threads share, is neither asked nor touched. */
#define BT_FS_MODE_UMASK (~0u) /* 0666 & ~umask, as the two without a mode have it */
#define BT_FS_MODE_PRIVATE 0600u
enum bt_code bt_fs_replace_as_at(int dir, const char *path, const void *bytes, size_t length, unsigned mode,
                                 struct bt_error *err) BT_NODISCARD;
enum bt_code bt_fs_create_as_at(int dir, const char *path, const void *bytes, size_t length, unsigned mode,
                                struct bt_error *err) BT_NODISCARD;

/* O_CREAT|O_EXCL, written, fsynced (folder too). BT_STATE with EEXIST when something is there already. A file that
 * could not be filled is removed again. Parents are made. */
enum bt_code bt_fs_create_at(int dir, const char *path, const void *bytes, size_t length,
                             struct bt_error *err) BT_NODISCARD;

/* Overwrites in place (rollbacks and .lineage only, spec 13.20); an absent file is created, parents are made. On
 * failure the old content is written back. */
enum bt_code bt_fs_overwrite_at(int dir, const char *path, const void *bytes, size_t length,
                                struct bt_error *err) BT_NODISCARD;

/* O_APPEND one buffer in one write, fsync. An absent file is created (then its folder is synced too), an absent
 * folder is BT_MISSING; a link or no regular file BT_UNSAFE; all else BT_IO. A short write is cut off again before the
 * failure is reported, unless somebody appended behind it. */
enum bt_code bt_fs_append_at(int dir, const char *path, const void *bytes, size_t length,
                             struct bt_error *err) BT_NODISCARD;

/* The time of last change of whatever lies there, ms since 1970 (before it too); a link is not followed. BT_MISSING,
 * BT_UNSAFE, BT_IO. */
enum bt_code bt_fs_set_mtime_at(int dir, const char *path, int64_t time_ms, struct bt_error *err) BT_NODISCARD;

enum bt_code bt_fs_unlink_at(int dir, const char *path, struct bt_error *err) BT_NODISCARD; /* BT_MISSING if absent */
/* Both below `dir`; what lies at `to` is replaced, whatever kind rename(2) allows (a link itself, an empty folder by a
 * folder). The folders of both are synced; that they could not be is no failure. BT_MISSING when `from` or the folder of
 * `to` is not there; BT_UNSAFE as above, and for a folder into itself; all else BT_IO. Messages name `from`. */
enum bt_code bt_fs_rename_at(int dir, const char *from, const char *to, struct bt_error *err) BT_NODISCARD;

#endif
