/* core/ops/txn.h - the only hand that writes below the ledger directory, and its memory of what was there before.
 *
 * Owns: the ledger descriptor for writing, and an undo log. Must not know: what the bytes mean.
 * A path may be watched: its bytes are remembered, and so is every text this run hands to a write of that path.
 * bt_txn_undo puts each watched path back by compare-and-swap: only where the file still holds a text of this
 * run; whatever somebody else wrote there since is left alone and named (spec/context-handoff.md 8.10 and 15.1
 * item 1). Paths are relative to the ledger directory; links, FIFOs and devices are refused (15.1 item 4).
 * With `env->readonly` a transaction cannot be opened at all (BT_READONLY). */
#ifndef BATON_CORE_OPS_TXN_H
#define BATON_CORE_OPS_TXN_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/env.h"

struct bt_txn;

/* What a watched path is, in the order in which a failed undo names them (8.8). */
enum bt_artifact {
  BT_ARTIFACT_FINAL,
  BT_ARTIFACT_DENY,
  BT_ARTIFACT_CAPTURE,
  BT_ARTIFACT_AUTH,
  BT_ARTIFACT_GRANT,
  BT_ARTIFACT_COUNT
};
const char *bt_artifact_word(enum bt_artifact artifact); /* "final", "deny marker", "capture", "resume-auth", ... */

/* Opens env->ledger_dir, making it (and its parents) when `make` and it is absent. NULL on failure with err set:
 * BT_READONLY, BT_MISSING, BT_IO, BT_NOMEM. The caller closes; closing undoes nothing. */
struct bt_txn *bt_txn_open(const struct bt_env *env, bool make, struct bt_error *err) BT_NODISCARD;
void bt_txn_close(struct bt_txn *txn); /* NULL is allowed */

/* Opens the folder at an absolute path, making what is missing of it; for the stores of baton's own too. -1 on
 * failure. The caller closes. */
int bt_txn_make_root(const char *path, struct bt_error *err) BT_NODISCARD;

/* Descriptor of the ledger directory, for the reading half of core/base/fs.h. Borrowed. */
int bt_txn_dir(const struct bt_txn *txn);

/* The writing half of core/base/fs.h, one to one, below the ledger directory. */
enum bt_code bt_txn_make_folders(struct bt_txn *txn, const char *path, struct bt_error *err) BT_NODISCARD;
enum bt_code bt_txn_replace(struct bt_txn *txn, const char *path, const void *bytes, size_t length,
                            struct bt_error *err) BT_NODISCARD;
enum bt_code bt_txn_create(struct bt_txn *txn, const char *path, const void *bytes, size_t length,
                           struct bt_error *err) BT_NODISCARD; /* BT_STATE with EEXIST when it is there */
enum bt_code bt_txn_overwrite(struct bt_txn *txn, const char *path, const void *bytes, size_t length,
                              struct bt_error *err) BT_NODISCARD;
enum bt_code bt_txn_append(struct bt_txn *txn, const char *path, const void *bytes, size_t length,
                           struct bt_error *err) BT_NODISCARD;
enum bt_code bt_txn_unlink(struct bt_txn *txn, const char *path, struct bt_error *err) BT_NODISCARD;
/* Takes turns with baton's other processes that change what no lock file guards: an advisory lock on the ledger folder,
 * waited for half a second at most. False: not had, and nothing to let go; the caller goes on without. The other
 * programs do not know it, so it orders only our own writers. */
bool bt_txn_hold(const struct bt_txn *txn);
void bt_txn_let_go(const struct bt_txn *txn);
/* Unlinks `path` only while it holds exactly these bytes: BT_STALE when it does not, BT_MISSING when it is gone.
 * Two of baton's own processes that remove one dead lock cannot both win, nor take a fresh one away: the file looked
 * at is held by an advisory lock until it is unlinked. */
enum bt_code bt_txn_unlink_if(struct bt_txn *txn, const char *path, const void *bytes, size_t length,
                              struct bt_error *err) BT_NODISCARD;
enum bt_code bt_txn_rename(struct bt_txn *txn, const char *from, const char *to, struct bt_error *err) BT_NODISCARD;

/* Remembers what is at `path` (absent and unreadable count as nothing, 8.3 step 1) and notes every later replace,
 * create or overwrite of it through this txn. One path for each artifact; watching again is a programming error.
 * BT_NOMEM or BT_TOO_LARGE on failure. */
enum bt_code bt_txn_watch(struct bt_txn *txn, enum bt_artifact artifact, const char *path,
                          struct bt_error *err) BT_NODISCARD;

bool bt_txn_is_watched(const struct bt_txn *txn, enum bt_artifact artifact);

/* Puts one watched path back / all of them, last written first: resume-auth and grant, final, deny marker,
 * capture. What could not be put back is appended to `err`, in the order of enum bt_artifact; the code in `err`
 * stays. True when everything is as before. */
bool bt_txn_undo(struct bt_txn *txn, struct bt_error *err);

/* The run has succeeded: nothing is to be undone any more. */
void bt_txn_commit(struct bt_txn *txn);

#endif
