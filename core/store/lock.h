/* core/store/lock.h - one lock file read and judged from evidence.
 *
 * Session locks (spec/context-handoff.md 1.2.6, 7), the manifest's own locks (12.1), and the locks of other
 * programs that are shown only. Reads; never removes. The verdict (dashboard.md rows 18-22): the host must be this one,
 * then the process decides; age never does. PID-REUSE needs a process start that is later than the lock's. That start is
 * reckoned from the boot time, which moves with the clock: set forward after the lock was taken, its own living process
 * seems to have begun later. So it is never enough for removing several at once, and alone it takes a flag and a word. */
#ifndef BATON_CORE_STORE_LOCK_H
#define BATON_CORE_STORE_LOCK_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/env.h"
#include "core/model/record.h"

struct bt_arena;
struct bt_json;

#define BT_LOCK_START_SLACK_MS 2000 /* how far /proc and the lock's clock may disagree */

struct bt_lock_source {
  enum bt_lock_kind kind;
  const char *name;   /* what is locked */
  const char *path;   /* the lock file, below `dir` */
  bool foreign_owner; /* the ledger is another user's: what needs a proof stays UNKNOWN */
};

/* Reads and judges the lock at `source->path`. `lock` and its strings live in `arena` (name and path are copied).
 * BT_MISSING when there is no such file (or `dir` is -1), BT_NOMEM; an unreadable lock is BT_OK with verdict
 * UNREADABLE. `bytes` (may be NULL, initialised) receives the file as it lies on disk; `document` (may be NULL) the
 * parsed document or NULL, the caller's. */
enum bt_code bt_lock_read(const struct bt_env *env, int dir, const struct bt_lock_source *source,
                          struct bt_arena *arena, struct bt_lock *lock, struct bt_str *bytes, struct bt_json **document,
                          struct bt_error *err) BT_NODISCARD;

/* The same for handoffs/<session>.lock; BT_UNSAFE for an id that is not safe. */
enum bt_code bt_lock_read_session(const struct bt_env *env, int dir, const char *session, struct bt_arena *arena,
                                  struct bt_lock *lock, struct bt_str *bytes, struct bt_json **document,
                                  struct bt_error *err) BT_NODISCARD;

/* The same for `<target>.lock` of the manifest: `target` is manifest.jsonl, manifest.d/.lineage or
 * manifest.d/<segment>.jsonl; BT_INPUT for any other name. */
enum bt_code bt_lock_read_ledger(const struct bt_env *env, int dir, const char *target, struct bt_arena *arena,
                                 struct bt_lock *lock, struct bt_str *bytes, struct bt_json **document,
                                 struct bt_error *err) BT_NODISCARD;

/* Spec 7 "Liveness": integer > 0 and signal 0 answers or is refused. Beyond 31 bits it is dead. */
bool bt_lock_pid_alive(const struct bt_env *env, double pid);

#endif
