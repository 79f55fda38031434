/* core/records/write.h - everything that changes a record store or an installed skill goes through here.
 *
 * Owns: temporary files, replacement by rename, appending, folders, moving, removing, the lock file. Must not know what
 * the bytes mean. The only file of this layer that writes.
 * A temporary file is `.<name>.<pid>.<hex>.tmp` beside its target; what a killed program left is swept by the next.
 * Rules: spec/session-records.md 15. Every failure is BT_IO with the errno unless something else is said. */
#ifndef BATON_CORE_RECORDS_WRITE_H
#define BATON_CORE_RECORDS_WRITE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/records/render.h"

/* ---- one at a time ---- */

/* `.lock` in the root, locked by range: it is never in the way of anybody once its holder is gone, however it went. The
 * range belongs to the open file, so two threads exclude each other as two processes do. (Where the kernel has only the
 * older kind it belongs to the process: there one process takes a range once, and opens the file once.) */
struct bt_store_lock {
  int fd;       /* -1: not held */
  bool is_weak; /* the file system has no locks: nobody is kept out */
};
#define BT_LOCK_NAME ".lock"
#define BT_LOCK_STORE 0 /* for PROJECT.md, links and the index; others are bt_lock_of */
int64_t bt_lock_of(const char *project, const char *folder);

/* Takes a range. With `wait` for up to ten seconds. BT_BUSY when somebody else has it; BT_READONLY where the lock file
 * cannot be made; BT_IO. BT_OK with `is_weak` where the file system has no locks (ENOLCK). The lock may hold several
 * ranges; release lets go of all. */
enum bt_code bt_store_lock_take(struct bt_store_lock *lock, int root, int64_t range, bool wait,
                                struct bt_error *err) BT_NODISCARD;
void bt_store_lock_drop(struct bt_store_lock *lock, int64_t range);
void bt_store_lock_release(struct bt_store_lock *lock);

/* ---- a file that is made whole and then put in place ---- */

struct bt_draft {
  struct bt_outlet outlet; /* put the content here */
  int dir;                 /* borrowed */
  int fd;                  /* -1: none, or settled */
  bool is_temp;            /* the temporary file is there */
  char name[NAME_MAX + 1], temp[NAME_MAX + 1];
};

/* Makes the temporary file. `mode` as for open. Call bt_draft_drop in the end, whatever happened. */
enum bt_code bt_draft_begin(struct bt_draft *draft, int dir, const char *name, unsigned mode,
                            struct bt_error *err) BT_NODISCARD;
enum bt_code bt_draft_settle(struct bt_draft *draft, struct bt_error *err) BT_NODISCARD; /* all of it is on disk */
enum bt_code bt_draft_commit(struct bt_draft *draft, struct bt_error *err) BT_NODISCARD; /* it has its name */
void bt_draft_drop(struct bt_draft *draft); /* removes what was not committed */
/* The same, and what was not committed stays, as if its writer had been killed: bt_write_was_cut_short tells the next.
 */
void bt_draft_leave(struct bt_draft *draft);

/* Begin, put, settle, commit, and the folder synced. */
enum bt_code bt_write_file(int dir, const char *name, const char *bytes, size_t length,
                           struct bt_error *err) BT_NODISCARD;

/* ---- a file that only grows ---- */

struct bt_growth {
  struct bt_outlet outlet;
  int fd;             /* -1 until something is put; readable too */
  bool is_new;        /* this made the file */
  int dir;            /* borrowed */
  int64_t begun, end; /* size found, size now (what is in the outlet's buffer not counted) */
  char name[NAME_MAX + 1];
};

/* Opens `name` for appending, made if absent. */
enum bt_code bt_growth_begin(struct bt_growth *growth, int dir, const char *name, struct bt_error *err) BT_NODISCARD;
/* What was put is on disk; the name of a new file is not until its folder is synced (bt_write_sync), which the caller
 * does once for all that it makes there. */
enum bt_code bt_growth_settle(struct bt_growth *growth, struct bt_error *err) BT_NODISCARD;
/* Cuts the file down to `end`; what is put then follows there. */
enum bt_code bt_growth_cut(struct bt_growth *growth, int64_t end, struct bt_error *err) BT_NODISCARD;
void bt_growth_drop(struct bt_growth *growth, bool keep); /* closes; without `keep`, what was put is cut off again */

/* ---- folders and names ---- */

/* mkdir -p of an absolute path; links on the way are followed. */
enum bt_code bt_write_folders(const char *path, struct bt_error *err) BT_NODISCARD;
/* One folder below `dir`; `*made` (may be NULL) tells whether it is new. */
enum bt_code bt_write_folder(int dir, const char *name, bool *made, struct bt_error *err) BT_NODISCARD;
enum bt_code bt_write_move(int from_dir, const char *from, int to_dir, const char *to,
                           struct bt_error *err) BT_NODISCARD;
enum bt_code bt_write_remove_file(int dir, const char *name, struct bt_error *err) BT_NODISCARD;
bool bt_write_remove_empty(int dir, const char *name); /* a folder; false when it stays */
void bt_write_sync(int dir);                           /* of a folder; nothing more can be done about a failure */

/* ---- what a killed program left ---- */

/* Temporary files of this layer (by their whole name; others' stay) whose writer is gone. `lock` holds the range under
 * which they are written in that folder: then nobody who wrote them lives. Where it is not held, or weak, those of a
 * process that is no more. */
void bt_write_sweep(int dir, const struct bt_store_lock *lock);         /* removes them */
bool bt_write_was_cut_short(int dir, const struct bt_store_lock *lock); /* there are some */

#endif
