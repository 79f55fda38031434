/* cli/log_follow.c - reads on where the log ended. */
#include "cli/log_follow.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/store/manifest.h"

struct followed {
  char *name, *path;
  uint64_t inode;
  struct bt_chain_cursor cursor;
  int64_t last_at; /* where the last entry lies that was read */
  size_t last_length;
  int64_t open_at; /* where the last line lies that was shown before its LF came; -1: none. It waits, and is no news */
  size_t open_length;
  char open_hash[BT_SHA256_HEX];
};

struct follower {
  int ledger;
  struct bt_key key;
  const struct log_listener *listener;
  struct followed *chains;
  size_t count;
  struct followed *current;
  uint64_t rewind_to; /* the line that go_back reads up to */
  bool stop;
};

static struct followed *find(const struct follower *follower, const char *name) {
  for (size_t i = 0; i < follower->count; i++) {
    if (strcmp(follower->chains[i].name, name) == 0)
      return &follower->chains[i];
  }
  return NULL;
}

static struct followed *add(struct follower *follower, const char *name) {
  size_t size = sizeof BT_MANIFEST_FOLDER "/" + strlen(name) + sizeof BT_MANIFEST_ROOT;
  struct followed *chains = realloc(follower->chains, (follower->count + 1) * sizeof *chains);
  if (chains == NULL)
    return NULL;
  follower->chains = chains;
  struct followed *chain = &chains[follower->count];
  *chain = (struct followed){.name = strdup(name), .path = malloc(size), .open_at = -1};
  if (chain->name == NULL || chain->path == NULL) {
    free(chain->name);
    free(chain->path);
    return NULL;
  }
  bool is_root = strcmp(name, BT_CHAIN_ROOT) == 0;
  (void)snprintf(chain->path, size, "%s%s", is_root ? "" : BT_MANIFEST_FOLDER "/", is_root ? BT_MANIFEST_ROOT : name);
  follower->count++;
  return chain;
}

static bool hand_on(void *context, const struct bt_chain_entry *entry) {
  struct follower *follower = context;
  const struct bt_line *line = entry->line;
  const struct bt_forest_chain chain = {.name = follower->current->name, .path = follower->current->path};
  const struct bt_log_entry place = {.length = (uint32_t)line->length,
                                     .offset = line->offset,
                                     .line = line->number,
                                     .ts_ms = bt_line_time(line->bytes, line->length),
                                     .reason = entry->reason,
                                     .chain_ok = entry->reason == NULL,
                                     .signed_ = entry->facts->shape == BT_ENTRY_OBJECT ? entry->facts->signed_
                                                                                       : BT_ENTRY_UNSIGNED};
  bool known = line->offset == follower->current->open_at && line->length == follower->current->open_length &&
               strcmp(entry->hash, follower->current->open_hash) == 0;
  follower->current->last_at = line->offset;
  follower->current->last_length = line->length;
  follower->current->open_at = -1;
  if (known)
    return true;
  const struct log_listener *listener = follower->listener;
  follower->stop = !listener->on_entry(listener->context, &chain, &place, line->bytes, line->length);
  return !follower->stop;
}

/* A new file in the place of the old one that holds the same history up to here: a checkout, or an editor. */
static bool same_history(const struct follower *follower, const struct followed *chain, int64_t size) {
  char hash[BT_SHA256_HEX] = "";
  if (chain->cursor.entries == 0 || size < chain->cursor.offset)
    return false;
  int fd = bt_fs_open_file_at(follower->ledger, chain->path, NULL);
  char *bytes = fd >= 0 ? malloc(chain->last_length + 1) : NULL;
  bool whole =
      bytes != NULL && pread(fd, bytes, chain->last_length, (off_t)chain->last_at) == (ssize_t)chain->last_length;
  bool same = whole && bt_line_hash(bytes, chain->last_length, hash) && strcmp(hash, chain->cursor.last_hash) == 0;
  free(bytes);
  if (fd >= 0)
    close(fd);
  return same;
}

static enum bt_code read_on(struct follower *follower, struct followed *chain, struct bt_error *err) {
  struct bt_fs_stat stat;
  struct bt_chain_result result;
  bt_fs_stat_at(follower->ledger, chain->path, &stat);
  if (stat.kind != BT_FS_FILE)
    return BT_OK; /* gone for the moment: it may come back */
  bool replaced = stat.inode != chain->inode || stat.size_bytes < chain->cursor.offset;
  if (replaced && !same_history(follower, chain, stat.size_bytes))
    chain->cursor = (struct bt_chain_cursor){0};
  chain->inode = stat.inode;
  if (stat.size_bytes <= chain->cursor.offset)
    return BT_OK;
  struct bt_chain_options options = {.key = follower->key,
                                     .is_segment = strcmp(chain->name, BT_CHAIN_ROOT) != 0,
                                     .keep_going = true,
                                     .cursor = &chain->cursor,
                                     .context = follower,
                                     .each = hand_on};
  follower->current = chain;
  return bt_chain_check(follower->ledger, chain->path, &options, &result, err);
}

static enum bt_code read_all(struct follower *follower, struct bt_error *err) {
  struct bt_segments segments;
  enum bt_code code = bt_segments_discover(follower->ledger, &segments, err);
  for (size_t i = 0; code == BT_OK && i <= segments.count && !follower->stop; i++) {
    const char *name = i == 0 ? BT_CHAIN_ROOT : segments.names[i - 1];
    struct followed *chain = find(follower, name);
    if (chain == NULL)
      chain = add(follower, name);
    code = chain == NULL ? bt_error_set(err, BT_NOMEM, name, "out of memory") : read_on(follower, chain, err);
  }
  bt_segments_dispose(&segments);
  return code;
}

/* ---- where the log ended in each chain ---- */

static bool go_back(void *context, const struct bt_chain_entry *entry) {
  struct follower *follower = context;
  follower->current->last_at = entry->line->offset;
  follower->current->last_length = entry->line->length;
  return entry->line->number < follower->rewind_to;
}

/* Reads the chain again up to an entry, where what the log kept does not say how the rules stand behind it. */
static enum bt_code rewind_to(struct follower *follower, struct followed *chain, const struct bt_log_entry *entry,
                              struct bt_error *err) {
  struct bt_chain_result result;
  struct bt_chain_options options = {.key = follower->key,
                                     .is_segment = strcmp(chain->name, BT_CHAIN_ROOT) != 0,
                                     .keep_going = true,
                                     .cursor = &chain->cursor,
                                     .context = follower,
                                     .each = go_back};
  follower->current = chain;
  follower->rewind_to = entry->line;
  return bt_chain_check(follower->ledger, chain->path, &options, &result, err);
}

/* `last` and the entry before it, each NULL where there is none. */
static enum bt_code begin_chain(struct follower *follower, struct followed *chain, const struct bt_chain_result *result,
                                const struct bt_log_entry *last, const struct bt_log_entry *before,
                                struct bt_error *err) {
  if (last == NULL)
    return BT_OK;
  if (result->last_is_open) { /* it may grow, and is another line then */
    chain->open_at = last->offset;
    chain->open_length = last->length;
    memcpy(chain->open_hash, result->last_hash, BT_SHA256_HEX);
    return before != NULL ? rewind_to(follower, chain, before, err) : BT_OK;
  }
  if (last->length == 0) /* past the ceiling: where it ends was not kept */
    return rewind_to(follower, chain, last, err);
  chain->last_at = last->offset;
  chain->last_length = last->length;
  chain->cursor = (struct bt_chain_cursor){.offset = last->offset + (int64_t)last->length + 1,
                                           .line = last->line,
                                           .entries = result->entries,
                                           .previous_seq = result->last_seq,
                                           .seen_valid = result->signed_good > 0};
  memcpy(chain->cursor.last_hash, result->last_hash, BT_SHA256_HEX);
  return BT_OK;
}

static enum bt_code begin_behind(struct follower *follower, const struct bt_log *log, struct bt_error *err) {
  enum bt_code code = BT_OK;
  for (size_t i = 0; code == BT_OK && i < log->forest.count; i++) {
    const struct bt_forest_chain *checked = &log->forest.chains[i];
    const struct bt_log_entry *last = NULL, *before = NULL;
    struct followed *chain = add(follower, checked->name);
    struct bt_fs_stat stat;
    if (chain == NULL)
      return bt_error_set(err, BT_NOMEM, checked->name, "out of memory");
    bt_fs_stat_at(follower->ledger, chain->path, &stat);
    chain->inode = stat.inode;
    for (size_t e = 0; e < log->count && before == NULL; e++) { /* newest first, each chain in its own order */
      if (log->entries[e].chain == i)
        *(last == NULL ? &last : &before) = &log->entries[e];
    }
    code = begin_chain(follower, chain, &checked->result, last, before, err);
  }
  return code;
}

/* Returns when something may have changed; false when nobody reads our output any more. Without inotify the time alone
 * decides. */
static bool wait_for_change(int watch, const char *ledger_dir) {
  static const uint32_t interest = IN_CREATE | IN_MODIFY | IN_MOVED_TO | IN_DELETE | IN_ONLYDIR;
  char folder[8192], events[4096];
  struct pollfd wait[] = {{.fd = STDOUT_FILENO}, {.fd = watch, .events = POLLIN}}; /* poll passes over a -1 */
  if (watch >= 0) { /* again and again: a folder may be new, and adding a watch twice is one watch */
    (void)snprintf(folder, sizeof folder, "%s/%s", ledger_dir, BT_MANIFEST_FOLDER);
    (void)inotify_add_watch(watch, ledger_dir, interest);
    (void)inotify_add_watch(watch, folder, interest);
  }
  if (poll(wait, 2, LOG_FOLLOW_POLL_MS) > 0 && wait[1].revents != 0) {
    while (read(watch, events, sizeof events) > 0) {
    }
  }
  return (wait[0].revents & (POLLERR | POLLHUP | POLLNVAL)) == 0;
}

enum bt_code log_follow(int ledger, const char *ledger_dir, struct bt_key key, const struct bt_log *log,
                        const struct log_listener *listener, struct bt_error *err) {
  struct follower follower = {.ledger = ledger, .key = key, .listener = listener};
  int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  enum bt_code code = begin_behind(&follower, log, err);
  while (code == BT_OK && !follower.stop) {
    code = read_all(&follower, err);
    if (code == BT_OK && !follower.stop)
      follower.stop = !wait_for_change(watch, ledger_dir);
  }
  if (watch >= 0)
    close(watch);
  for (size_t i = 0; i < follower.count; i++) {
    free(follower.chains[i].name);
    free(follower.chains[i].path);
  }
  free(follower.chains);
  return code;
}
