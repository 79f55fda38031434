/* core/harness/tree.h - an OpenCode session that lies in many small files, read as one conversation.
 *
 * Rules: spec/transcripts.md 1.3, 5.3. Ids come from the path; messages and parts go by the order of their file names.
 * Never holds more than one message with its parts. */
#ifndef BATON_CORE_HARNESS_TREE_H
#define BATON_CORE_HARNESS_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/str.h"
#include "core/harness/facts.h"

/* `path`: …/storage/session/<project>/<session>.json (bytes), `stem`: the session's id. On success the caller disposes
 * of `facts`; a file of the tree that is no JSON object is counted as a skipped line. BT_MISSING, BT_IO, BT_CORRUPT
 * (the session's own file) or BT_NOMEM. */
enum bt_code bt_tree_read(const char *path, const char *stem, struct bt_transcript_facts *facts,
                          struct bt_error *err) BT_NODISCARD;

/* Whether a path (bytes) is that of a session in such a tree. */
bool bt_tree_is(const char *path);

/* How a session's files are right now: what its own file, its folder of messages, the last messages and their parts
 * look like. OpenCode writes what is under way in place, and not only in the last message: one that the user has queued
 * already follows it. */
struct bt_tree_stamp {
  int64_t newest_ns; /* the latest change, since 1970; 0: nothing is there */
  int64_t mark;      /* another number when any of them is another; never 0 */
  int sys_errno;     /* why the folder of messages cannot be listed; 0: it can, or there is none yet */
};
struct bt_tree_stamp bt_tree_stamp(const char *path);

/* The last `count` messages of the session as one document {"messages": [{info, parts}]}, which replaces what
 * `document` holds. No messages are no failure. BT_IO or BT_NOMEM. */
enum bt_code bt_tree_last_messages(const char *path, size_t count, struct bt_str *document,
                                   struct bt_error *err) BT_NODISCARD;

#endif
