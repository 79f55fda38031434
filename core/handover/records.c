/* core/handover/records.c - the two folders of records. */
#include "core/handover/records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/fs.h"

#define BEHIND_MS 120000 /* what is derived at the end of a session comes behind its last record */
#define SLACK_MS 2000    /* clocks of files and of records are not one */

struct found {
  struct bt_handover_record *items;
  size_t count, room;
  bool no_memory;
};

struct span {
  int64_t from_ms, to_ms; /* BT_TIME_UNKNOWN: open */
};

static int64_t time_of(const char *text) {
  int64_t time_ms;
  return bt_time_parse_utc(text, strlen(text), &time_ms) ? time_ms : BT_TIME_UNKNOWN;
}

static bool is_within(int64_t time_ms, int64_t from_ms, int64_t to_ms, int64_t behind_ms) {
  return from_ms != BT_TIME_UNKNOWN && to_ms != BT_TIME_UNKNOWN && time_ms >= from_ms - SLACK_MS &&
         time_ms <= to_ms + behind_ms;
}

static bool is_of_worker(const struct bt_ask_session *session, const char *path, int64_t time_ms) {
  for (size_t i = 0; i < session->replay.write_count; i++) {
    const struct bt_ask_write *write = &session->replay.writes[i];
    if (write->path != NULL ? strcmp(write->path, path) == 0
                            : is_within(time_ms, write->began_ms, write->ended_ms, SLACK_MS))
      return true;
  }
  return false;
}

/* The command that wrote it is in the transcript of another session of the same root. */
static bool is_of_another(const struct bt_ask_session *session, const char *path, int64_t time_ms) {
  const struct bt_ask_sessions *all = session->owner;
  for (size_t i = 0; all != NULL && i < all->count; i++) {
    const struct bt_ask_session *other = all->items[i];
    if (other != session && strcmp(other->id, session->id) != 0 && other->replay.root != NULL &&
        strcmp(other->replay.root, session->replay.root) == 0 && is_of_worker(other, path, time_ms))
      return true;
  }
  return false;
}

static void add(struct found *found, struct bt_arena *arena, const struct bt_handover_record *record) {
  if (found->count == found->room) {
    size_t room = found->room > 0 ? 2 * found->room : 16;
    struct bt_handover_record *grown = realloc(found->items, room * sizeof *grown);
    found->no_memory = found->no_memory || grown == NULL;
    if (grown == NULL)
      return;
    found->items = grown;
    found->room = room;
  }
  found->items[found->count] = *record;
  found->items[found->count].path = bt_arena_strdup(arena, record->path);
  found->no_memory = found->no_memory || found->items[found->count].path == NULL;
  found->count++;
}

static void list(struct found *found, struct bt_arena *arena, int root, const struct bt_ask_session *session,
                 const char *folder, const char *kind, const struct span *span) {
  struct bt_fs_listing listing;
  char path[4096];
  bool handover = strcmp(kind, "handover") == 0;
  if (bt_fs_list_at(root, folder, &listing, NULL) != BT_OK)
    return;
  for (size_t i = 0; i < listing.count && !found->no_memory; i++) {
    struct bt_fs_stat stat;
    int length = snprintf(path, sizeof path, "%s/%s", folder, listing.names[i]);
    if (length < 0 || (size_t)length >= sizeof path)
      continue;
    bt_fs_stat_at(root, path, &stat);
    bool by_worker = handover && is_of_worker(session, path, stat.mtime_ms);
    bool named = strstr(listing.names[i], session->id) != NULL;
    bool in_time = is_within(stat.mtime_ms, span->from_ms, span->to_ms, BEHIND_MS) &&
                   (!handover || by_worker || !is_of_another(session, path, stat.mtime_ms));
    if (stat.kind == BT_FS_FILE && (by_worker || named || in_time))
      add(found, arena, &(struct bt_handover_record){kind, path, stat.mtime_ms, by_worker});
  }
  bt_fs_listing_dispose(&listing);
}

static int newest_first(const void *a, const void *b) {
  const struct bt_handover_record *left = a, *right = b;
  if (left->time_ms != right->time_ms)
    return left->time_ms > right->time_ms ? -1 : 1;
  return strcmp(left->path, right->path);
}

bool bt_handover_records(struct bt_arena *arena, const struct bt_ask_session *session,
                         const struct bt_handover_record **records, size_t *count) {
  struct found found = {NULL, 0, 0, false};
  const char *path = session->replay.root;
  const struct span span = {time_of(session->replay.first_at), time_of(session->replay.last_at)};
  int root = path != NULL && path[0] == '/' ? bt_fs_open_root(path, NULL) : -1;
  *records = NULL;
  *count = 0;
  if (root < 0)
    return true;
  list(&found, arena, root, session, BT_CHECKPOINT_FOLDER, "checkpoint", &span);
  list(&found, arena, root, session, BT_HANDOVER_FOLDER, "handover", &span);
  close(root);
  if (found.count > 1)
    qsort(found.items, found.count, sizeof *found.items, newest_first);
  found.count = found.count < BT_HANDOVER_RECORDS_MAX ? found.count : BT_HANDOVER_RECORDS_MAX;
  struct bt_handover_record *kept = BT_ARENA_ARRAY(arena, struct bt_handover_record, found.count + 1);
  if (kept != NULL && found.count > 0)
    memcpy(kept, found.items, found.count * sizeof *kept);
  free(found.items);
  *records = kept;
  *count = kept != NULL ? found.count : 0;
  return kept != NULL && !found.no_memory;
}
