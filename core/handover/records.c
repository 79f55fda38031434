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

struct entry {
  const char *kind;
  char *path; /* below the root */
  int64_t time_ms;
  bool is_handover, is_claimed; /* the command that wrote it is in the transcript of a session of this root */
};

struct shelf {
  char *root;
  struct entry *entries;
  size_t count, room;
  struct shelf *next;
};

struct bt_handover_shelves {
  struct shelf *first;
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

/* ---- shelves ---- */

static void free_shelf(struct shelf *shelf) {
  for (size_t i = 0; i < shelf->count; i++)
    free(shelf->entries[i].path);
  free(shelf->entries);
  free(shelf->root);
  free(shelf);
}

struct bt_handover_shelves *bt_handover_shelves_new(void) {
  return calloc(1, sizeof(struct bt_handover_shelves));
}

void bt_handover_shelves_free(struct bt_handover_shelves *shelves) {
  while (shelves != NULL && shelves->first != NULL) {
    struct shelf *next = shelves->first->next;
    free_shelf(shelves->first);
    shelves->first = next;
  }
  free(shelves);
}

static bool is_claimed(const struct bt_ask_sessions *all, const char *root, const struct entry *entry) {
  for (size_t i = 0; all != NULL && i < all->count; i++) {
    const struct bt_ask_session *session = all->items[i];
    if (session->replay.root != NULL && strcmp(session->replay.root, root) == 0 &&
        is_of_worker(session, entry->path, entry->time_ms))
      return true;
  }
  return false;
}

/* False: out of memory. */
static bool put(struct shelf *shelf, const struct entry *entry) {
  if (shelf->count == shelf->room) {
    size_t room = shelf->room > 0 ? 2 * shelf->room : 64;
    struct entry *grown = realloc(shelf->entries, room * sizeof *grown);
    if (grown == NULL)
      return false;
    shelf->entries = grown;
    shelf->room = room;
  }
  shelf->entries[shelf->count++] = *entry;
  return true;
}

static bool list(struct shelf *shelf, int root, const struct bt_ask_sessions *all, const char *name, const char *kind) {
  struct bt_fs_listing listing;
  bool whole = true;
  int folder = bt_fs_open_folder_at(root, name, NULL);
  if (folder < 0)
    return true;
  if (bt_fs_list_at(folder, ".", &listing, NULL) == BT_OK) {
    for (size_t i = 0; i < listing.count && whole; i++) {
      struct bt_fs_stat stat;
      char path[4096];
      int length = snprintf(path, sizeof path, "%s/%s", name, listing.names[i]);
      bt_fs_stat_at(folder, listing.names[i], &stat);
      if (stat.kind != BT_FS_FILE || length < 0 || (size_t)length >= sizeof path)
        continue;
      struct entry entry = {kind, strdup(path), stat.mtime_ms, strcmp(kind, "handover") == 0, false};
      entry.is_claimed = entry.path != NULL && entry.is_handover && is_claimed(all, shelf->root, &entry);
      whole = entry.path != NULL && put(shelf, &entry);
      if (!whole)
        free(entry.path);
    }
    bt_fs_listing_dispose(&listing);
  }
  close(folder);
  return whole;
}

/* That of the session's root. NULL: out of memory. */
static const struct shelf *shelf_of(struct bt_handover_shelves *shelves, const struct bt_ask_session *session) {
  for (const struct shelf *shelf = shelves->first; shelf != NULL; shelf = shelf->next) {
    if (strcmp(shelf->root, session->replay.root) == 0)
      return shelf;
  }
  struct shelf *made = calloc(1, sizeof *made);
  char *path = strdup(session->replay.root);
  if (made == NULL || path == NULL) {
    free(made);
    free(path);
    return NULL;
  }
  made->root = path;
  int root = path[0] == '/' ? bt_fs_open_root(path, NULL) : -1;
  bool whole = root < 0 || (list(made, root, session->owner, BT_CHECKPOINT_FOLDER, "checkpoint") &&
                            list(made, root, session->owner, BT_HANDOVER_FOLDER, "handover"));
  if (root >= 0)
    close(root);
  if (!whole) {
    free_shelf(made);
    return NULL;
  }
  made->next = shelves->first;
  return shelves->first = made;
}

/* ---- of one session ---- */

static const char *name_of(const char *path) {
  return strrchr(path, '/') + 1;
}

static bool is_of(const struct bt_ask_session *session, const struct span *span, const struct entry *entry,
                  bool *by_worker) {
  *by_worker = entry->is_handover && is_of_worker(session, entry->path, entry->time_ms);
  return *by_worker || strstr(name_of(entry->path), session->id) != NULL ||
         (!entry->is_claimed && is_within(entry->time_ms, span->from_ms, span->to_ms, BEHIND_MS));
}

static int newest_first(const void *a, const void *b) {
  const struct bt_handover_record *left = a, *right = b;
  if (left->time_ms != right->time_ms)
    return left->time_ms > right->time_ms ? -1 : 1;
  return strcmp(left->path, right->path);
}

bool bt_handover_records(struct bt_arena *arena, struct bt_handover_shelves *shelves,
                         const struct bt_ask_session *session, size_t most, const struct bt_handover_record **records,
                         size_t *count, size_t *total) {
  const struct span span = {time_of(session->replay.first_at), time_of(session->replay.last_at)};
  *records = NULL;
  *count = *total = 0;
  if (session->replay.root == NULL)
    return true;
  const struct shelf *shelf = shelf_of(shelves, session);
  struct bt_handover_record *found = shelf != NULL ? malloc((shelf->count + 1) * sizeof *found) : NULL;
  if (found == NULL)
    return false;
  size_t found_count = 0;
  for (size_t i = 0; i < shelf->count; i++) {
    const struct entry *entry = &shelf->entries[i];
    bool by_worker;
    if (is_of(session, &span, entry, &by_worker))
      found[found_count++] = (struct bt_handover_record){entry->kind, entry->path, entry->time_ms, by_worker};
  }
  if (found_count > 1)
    qsort(found, found_count, sizeof *found, newest_first);
  *total = found_count;
  found_count = found_count < most ? found_count : most;
  struct bt_handover_record *kept = BT_ARENA_ARRAY(arena, struct bt_handover_record, found_count + 1);
  bool whole = kept != NULL;
  for (size_t i = 0; whole && i < found_count; i++) {
    kept[i] = found[i];
    kept[i].path = bt_arena_strdup(arena, found[i].path);
    whole = kept[i].path != NULL;
  }
  free(found);
  *records = whole ? kept : NULL;
  *count = whole ? found_count : 0;
  *total = whole ? *total : 0;
  return whole;
}
