/* core/handover/write.h - the one writer of the mod's files and of what is kept about each session's request.
 *
 * Owns: laying the mod down, taking it away, the state files. Additional files are never touched.
 * Rules: spec/handover-request.md 6, 7.2, 7.3. */
#ifndef BATON_CORE_HANDOVER_WRITE_H
#define BATON_CORE_HANDOVER_WRITE_H

#include "core/handover/keep.h"
#include "core/handover/mod.h"

/* `root`: open folder of the repository's root. The condition has been looked at before: only for "written",
 * "rewritten" and "removed". Written whole or not at all, rewritten file by file; one that is killed is taken up by the
 * next. BT_IO, BT_UNSAFE (something is in the way), BT_STALE (it is not ours any more), BT_NOMEM. */
enum bt_code bt_mod_write(int root, const struct bt_mod_row *row, struct bt_error *err) BT_NODISCARD;
enum bt_code bt_mod_remove(int root, const struct bt_mod_row *row, struct bt_error *err) BT_NODISCARD;

/* Replaces the state file of a session, 0600, its folder 0700. What others have added to it meanwhile is taken into
 * `keep`, and stays. One writer at a time: waits up to 5 seconds for another, then BT_BUSY. BT_IO, also where there are
 * no locks: without one an acknowledgement could be lost. */
enum bt_code bt_ask_keep_write(const char *state_dir, const char *session, struct bt_ask_keep *keep,
                               struct bt_error *err) BT_NODISCARD;

#endif
