/* core/handover/seen.c - transcripts of the provider. */
#include "core/handover/seen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/handover/replay.h"
#include "core/harness/read_at.h"

#define ENDING ".jsonl"
#define READ_BLOCK ((size_t)256 * 1024)

static enum bt_code out_of_memory(struct bt_error *err) {
  return bt_error_set(err, BT_NOMEM, "transcripts", "out of memory");
}

/* ---- listing ---- */

static enum bt_code add_file(int folder, const char *project, const char *name, struct bt_ask_files *files,
                             struct bt_error *err) {
  struct bt_fs_stat stat;
  struct bt_str path;
  bt_str_init(&path, 8192);
  bt_str_printf(&path, "%s/%s", project, name);
  bool whole = !path.failed;
  if (whole)
    bt_fs_stat_at(folder, path.data, &stat);
  if (!whole || stat.kind != BT_FS_FILE) {
    bt_str_dispose(&path);
    return whole ? BT_OK : out_of_memory(err);
  }
  struct bt_ask_file *grown = realloc(files->items, (files->count + 1) * sizeof *grown);
  if (grown != NULL)
    files->items = grown;
  struct bt_ask_file file = {.path = bt_str_take(&path, NULL),
                             .session = strdup(name),
                             .inode = stat.inode,
                             .size_bytes = stat.size_bytes,
                             .mtime_ms = stat.mtime_ms};
  if (grown == NULL || file.path == NULL || file.session == NULL) {
    free(file.path);
    free(file.session);
    return out_of_memory(err);
  }
  file.session[strlen(name) - strlen(ENDING)] = '\0';
  files->items[files->count++] = file;
  return BT_OK;
}

static enum bt_code add_project(int folder, const char *project, struct bt_ask_files *files, struct bt_error *err) {
  struct bt_fs_listing listing;
  enum bt_code code = bt_fs_list_at(folder, project, &listing, NULL);
  if (code != BT_OK)
    return code == BT_NOMEM ? out_of_memory(err) : BT_OK; /* no folder, or not ours to read */
  for (size_t i = 0; code == BT_OK && i < listing.count; i++) {
    const char *name = listing.names[i];
    if (bt_ends_with(name, ENDING) && strlen(name) > strlen(ENDING) && !bt_starts_with(name, "agent-"))
      code = add_file(folder, project, name, files, err);
  }
  bt_fs_listing_dispose(&listing);
  return code;
}

enum bt_code bt_ask_files_list(const char *projects, struct bt_ask_files *files, struct bt_error *err) {
  struct bt_error own = {0};
  struct bt_fs_listing listing;
  *files = (struct bt_ask_files){NULL, 0};
  int folder = bt_fs_open_root(projects, &own);
  if (folder < 0 && own.sys_errno == ENOENT)
    return BT_OK;
  if (folder < 0 && own.code == BT_NOMEM)
    return out_of_memory(err);
  if (folder < 0)
    return bt_error_set_errno(err, own.sys_errno, projects, "the folder cannot be opened");
  enum bt_code code = bt_fs_list_at(folder, ".", &listing, err);
  for (size_t i = 0; code == BT_OK && i < listing.count; i++)
    code = add_project(folder, listing.names[i], files, err);
  bt_fs_listing_dispose(&listing);
  close(folder);
  if (code != BT_OK)
    bt_ask_files_dispose(files);
  return code;
}

void bt_ask_files_dispose(struct bt_ask_files *files) {
  for (size_t i = 0; i < files->count; i++) {
    free(files->items[i].path);
    free(files->items[i].session);
  }
  free(files->items);
  *files = (struct bt_ask_files){NULL, 0};
}

/* ---- requests ---- */

struct search {
  const char *root;
  int64_t since_ms;
  struct bt_ask_replay *replay;
  bool seen;
};

/* At the moment of the event the replay knows the root and the time of its record. */
static void look(void *context, const struct bt_ask_notice *notice) {
  struct search *search = context;
  int64_t at = 0;
  if (notice->event->kind != BT_ASK_REQUEST_SEEN || search->replay->root == NULL ||
      strcmp(search->replay->root, search->root) != 0)
    return;
  const char *time = search->replay->last_at;
  search->seen = search->seen || (bt_time_parse_utc(time, strlen(time), &at) && at >= search->since_ms);
}

static enum bt_code search_file(int folder, const char *path, struct search *search, struct bt_error *err) {
  struct bt_ask_limits limits = bt_ask_limits_usual();
  struct bt_ask_replay replay;
  char *block = malloc(READ_BLOCK);
  int fd = bt_fs_open_file_at(folder, path, NULL);
  enum bt_code code = block != NULL ? BT_OK : out_of_memory(err);
  bt_ask_replay_init(&replay, &limits, false, 0);
  replay.notice = look;
  replay.context = search;
  search->replay = &replay;
  uint64_t offset = 0;
  while (code == BT_OK && fd >= 0 && !search->seen) {
    ssize_t got = bt_read_at(fd, block, READ_BLOCK, offset);
    if (got <= 0)
      break;
    offset += (uint64_t)got;
    if (bt_ask_replay_feed(&replay, block, (size_t)got) != BT_OK)
      code = out_of_memory(err);
  }
  bt_ask_replay_dispose(&replay);
  if (fd >= 0)
    close(fd);
  free(block);
  return code;
}

enum bt_code bt_ask_request_seen(const char *projects, const char *root, int64_t since_ms, bool *seen,
                                 struct bt_error *err) {
  struct bt_ask_files files;
  struct search search = {.root = root, .since_ms = since_ms};
  *seen = false;
  enum bt_code code = bt_ask_files_list(projects, &files, err);
  int folder = code == BT_OK && files.count > 0 ? bt_fs_open_root(projects, err) : -1;
  for (size_t i = 0; code == BT_OK && folder >= 0 && i < files.count && !search.seen; i++) {
    if (files.items[i].mtime_ms >= since_ms) /* one that has not changed since cannot hold it */
      code = search_file(folder, files.items[i].path, &search, err);
  }
  if (folder >= 0)
    close(folder);
  bt_ask_files_dispose(&files);
  *seen = search.seen;
  return code;
}
