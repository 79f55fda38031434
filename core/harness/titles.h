/* core/harness/titles.h - names that Codex keeps for its threads outside of the rollouts: session_index.jsonl.
 *
 * Rules: spec/transcripts.md 1.2: append-only lines {id, thread_name, updated_at}, the last line for an id wins. */
#ifndef BATON_CORE_HARNESS_TITLES_H
#define BATON_CORE_HARNESS_TITLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bt_titles {
  struct bt_title {
    uint64_t id; /* hash of the thread's id */
    char *name;  /* owned */
  } * list;      /* sorted by id */
  size_t count;
  int64_t size, mtime_ns; /* of the file as it was read */
};

/* Reads the index anew where it changed; an absent or unreadable one holds nothing. False: out of memory, nothing kept.
 */
bool bt_titles_refresh(struct bt_titles *titles, const char *codex_root);
void bt_titles_dispose(struct bt_titles *titles);

/* Borrowed; NULL when the thread has none. */
const char *bt_titles_find(const struct bt_titles *titles, const char *session_id);

#endif
