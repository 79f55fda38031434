/* core/base/fs_walk.h - from a folder descriptor and a relative path to the parent of its last component.
 *
 * For core/base/fs*.c only; the rules are those of core/base/fs.h. */
#ifndef BATON_CORE_BASE_FS_WALK_H
#define BATON_CORE_BASE_FS_WALK_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "core/base/error.h"
#include "core/base/fs.h"

/* openat through interruptions, never following a link, closed on exec. -1 with errno. What it makes has exactly the
 * bits of `mode`, from the beginning no more of them for others; with BT_FS_MODE_UMASK it has 0666 & ~umask. */
int bt_fs_openat(int dir, const char *name, int flags, unsigned mode);

/* Where something is: a descriptor of its folder and its name there. */
struct bt_place {
  int fd;                  /* open for *at() calls only, not for reading or syncing */
  bool owned;              /* false: it is the `dir` that was handed in */
  char name[NAME_MAX + 1]; /* "." when the path names `dir` itself */
  unsigned mode;           /* of the files that are made there; BT_FS_MODE_UMASK at first */
};

/* Finds the place; 0, or an errno: ELOOP for a link on the way, ENOTDIR for another kind of non-folder,
 * EINVAL for an absolute path or a "..". `make_missing` creates absent folders on the way and syncs them;
 * then a non-folder in the place of the last of them is EEXIST. */
int bt_place_find(struct bt_place *place, int dir, const char *path, bool make_missing);
void bt_place_dispose(struct bt_place *place);

/* Goes one folder deeper: the component becomes the place's folder. 0 or an errno. */
int bt_place_enter(struct bt_place *place, const char *component, bool make_missing);

/* fsync of the folder of `place`. 0 or an errno; file systems that cannot sync a folder count as done. */
int bt_place_sync(const struct bt_place *place);

/* What an undo can keep of an old file. */
#define BT_PRIOR_BYTES_MAX ((size_t)64 * 1024 * 1024)

/* The same at a place, and without waiting for the other end of a FIFO. */
int bt_place_open(const struct bt_place *place, const char *name, int flags);

/* Writes everything, through interruptions and short writes. 0 or an errno. */
int bt_fs_write_all(int fd, const char *bytes, size_t length);

/* Creates the place's file with all of its bytes at once, never over something that is there. 0; EEXIST; ENOTSUP where
 * the file system cannot do that (nothing was made: create and fill it the other way); or another errno. */
int bt_place_create_whole(const struct bt_place *place, const void *bytes, size_t length);

/* Fills, syncs and closes `fd`, just created at the place; a file that cannot be filled is removed again. */
enum bt_code bt_place_fill_new(const struct bt_place *place, int fd, const char *path, const void *bytes, size_t length,
                               struct bt_error *err);

/* What is left to read in `fd`, up to the ceiling of `out`. `path` names it in errors. */
enum bt_code bt_fs_read_fd(int fd, const char *path, struct bt_str *out, struct bt_error *err);

/* The error for an errno of bt_place_find or of opening at a place; `what` is said of ordinary failures. */
enum bt_code bt_fs_fail(struct bt_error *err, int sys_errno, const char *path, const char *what);

/* BT_UNSAFE for something that is no regular file: EISDIR, ELOOP or, for FIFOs and devices, EINVAL. */
enum bt_code bt_fs_refuse_kind(struct bt_error *err, mode_t mode, const char *path);

#endif
