/* core/store/loading.h - what one load in progress holds: the snapshot, the sessions found so far, the problems.
 *
 * Internal to core/store/load*.c. Lists grow on the heap and are copied into the arena once they are complete, so
 * that pointers into them are taken only then. */
#ifndef BATON_CORE_STORE_LOADING_H
#define BATON_CORE_STORE_LOADING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/env.h"
#include "core/model/snapshot.h"

struct bt_arena;
struct bt_harness_view;

struct bt_list { /* zero-initialised: empty */
  void *items;
  size_t count, capacity;
};

struct bt_joint { /* a session while it is put together */
  struct bt_session session;
  bool has_content; /* a capture file is there */
};

struct bt_loading {
  const struct bt_env *env;
  struct bt_harness_view *harness; /* NULL: no transcripts are joined */
  unsigned flags;
  int dir; /* the ledger folder, -1: there is none */
  struct bt_arena *arena;
  struct bt_snapshot *snapshot;
  struct bt_error *err;
  struct bt_list sessions; /* struct bt_joint */
  uint32_t *slots;         /* open hash over `sessions`: index + 1 */
  size_t slot_count;
  struct bt_list denies, locks, auths, grants, problems;
  size_t text_bytes; /* of captures kept so far */
};

enum bt_code bt_loading_no_memory(struct bt_loading *load);

/* A zeroed new item at the end, or NULL (out of memory). Moves the items. */
void *bt_list_add(struct bt_list *list, size_t item_size);
/* The whole list in the arena; NULL only when memory is short (an empty list gives a one-item array). */
void *bt_list_freeze(const struct bt_list *list, size_t item_size, struct bt_arena *arena);

/* The session of this id, made when new. NULL: out of memory. Valid until the next call. */
struct bt_joint *bt_loading_session(struct bt_loading *load, const char *id);
/* The same, never made: NULL when there is none. */
struct bt_joint *bt_loading_find(const struct bt_loading *load, const char *id);

/* BT_NOMEM only. `subject` is a path relative to the ledger folder. */
enum bt_code bt_loading_problem(struct bt_loading *load, const char *subject, const char *fmt, ...) BT_PRINTF(3, 4);

void bt_loading_dispose(struct bt_loading *load);

/* core/store/load_denies.c: markers, sentinel, health of the store. */
enum bt_code bt_load_denies(struct bt_loading *load);
/* core/store/load_folders.c: finals/, content/, handoffs/ and the folders that hold locks. */
enum bt_code bt_load_folders(struct bt_loading *load);
/* core/store/load_captures.c: briefs against their recorded hashes. */
enum bt_code bt_load_captures(struct bt_loading *load);
/* core/store/load_transcripts.c: what transcripts know of each session, and sessions that only they know. */
enum bt_code bt_load_transcripts(struct bt_loading *load);
/* core/store/load_gates.c: what enforces the denies on this host, and who is supervised. */
enum bt_code bt_load_gates(struct bt_loading *load);
/* core/store/load_join.c: hangs the records on their sessions, reads captures, gives words to all of it. */
enum bt_code bt_load_join(struct bt_loading *load);

#endif
