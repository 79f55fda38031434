/* core/store/evidence_log.c - collects the entries of all chains and merges them by time. */
#include "core/store/evidence_log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/go_on.h"
#include "core/base/json.h"
#include "core/store/manifest.h"
#include "core/store/manifest_scan.h"

#define LOOK_UP ((size_t)4096)
#define ENTRIES_MAX ((size_t)50 * 1000 * 1000)

struct gathering {
  struct bt_log *log;
  struct bt_log_entry *list; /* chain after chain, oldest first */
  size_t count, capacity;
  bool failed;
  const int *give_up; /* NULL: never */
  bool given_up;
};

int64_t bt_line_time(const char *line, size_t length) {
  struct bt_entry_scan scan;
  int64_t time = BT_TIME_UNKNOWN;
  if (bt_entry_scan(&scan, line, length)) {
    struct bt_slice ts = scan.members[BT_MEMBER_TS];
    if (ts.data == NULL || ts.length < 2 || ts.data[0] != '"' || !bt_time_parse(ts.data + 1, ts.length - 2, &time))
      time = BT_TIME_UNKNOWN;
    return time;
  }
  struct bt_json *entry = bt_json_parse(line, length, NULL);
  const char *text = bt_json_get_string(entry, "ts");
  if (text == NULL || !bt_time_parse(text, strlen(text), &time))
    time = BT_TIME_UNKNOWN;
  bt_json_free(entry);
  return time;
}

static bool make_room(struct gathering *gathering) {
  if (gathering->count < gathering->capacity)
    return true;
  size_t capacity = gathering->capacity > 0 ? gathering->capacity * 2 : 256;
  struct bt_log_entry *list =
      capacity > ENTRIES_MAX ? NULL : realloc(gathering->list, capacity * sizeof *gathering->list);
  if (list == NULL)
    return false;
  gathering->list = list;
  gathering->capacity = capacity;
  return true;
}

/* Looked at every so many entries. */
static bool nobody_waits(const struct gathering *gathering) {
  return gathering->given_up || bt_go_on(gathering->give_up, NULL) != BT_OK;
}

static bool gather(void *context, const struct bt_forest_chain *chain, const struct bt_chain_entry *entry) {
  struct gathering *gathering = context;
  if (gathering->count % LOOK_UP == 0 && nobody_waits(gathering)) {
    gathering->given_up = true;
    return false;
  }
  if (!make_room(gathering)) {
    gathering->failed = true;
    return false;
  }
  uint32_t index = (uint32_t)(chain - gathering->log->forest.chains);
  struct bt_log_entry *before = gathering->count > 0 ? &gathering->list[gathering->count - 1] : NULL;
  bool breaks_link = entry->reason != NULL && strcmp(entry->reason, BT_CHAIN_PREV_MISMATCH) == 0;
  if (breaks_link && before != NULL && before->chain == index && before->chain_ok) {
    before->chain_ok = false;
    before->reason = "the next line does not point at this one";
  }
  const struct bt_line *line = entry->line;
  gathering->list[gathering->count++] = (struct bt_log_entry){
      .chain = index,
      .length = line->oversize ? 0 : (uint32_t)line->length,
      .offset = line->offset,
      .line = line->number,
      .ts_ms = line->oversize ? BT_TIME_UNKNOWN : bt_line_time(line->bytes, line->length),
      .reason = entry->reason,
      .chain_ok = entry->reason == NULL,
      .signed_ = entry->facts->shape == BT_ENTRY_OBJECT ? entry->facts->signed_ : BT_ENTRY_UNSIGNED};
  return true;
}

/* Takes, again and again, the newest of the chains' last entries: a chain's own order is kept whatever its times say.
 */
static enum bt_code merge(struct gathering *gathering, size_t chains) {
  size_t *start = calloc(chains + 1, sizeof *start), *end = calloc(chains + 1, sizeof *end);
  struct bt_log_entry *merged = calloc(gathering->count + 1, sizeof *merged);
  bool ok = start != NULL && end != NULL && merged != NULL;
  for (size_t i = 0; ok && i < gathering->count; i++) {
    size_t chain = gathering->list[i].chain;
    if (end[chain] == 0)
      start[chain] = i;
    end[chain] = i + 1;
  }
  for (size_t done = 0; ok && done < gathering->count; done++) {
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < chains; i++) {
      if (end[i] > start[i] &&
          (best == SIZE_MAX || gathering->list[end[i] - 1].ts_ms > gathering->list[end[best] - 1].ts_ms))
        best = i;
    }
    merged[done] = gathering->list[--end[best]];
  }
  free(start);
  free(end);
  if (!ok) {
    free(merged);
    return BT_NOMEM;
  }
  gathering->log->entries = merged;
  gathering->log->count = gathering->count;
  return BT_OK;
}

enum bt_code bt_log_load(int ledger, struct bt_key key, struct bt_log *log, struct bt_error *err) {
  return bt_log_load_until(ledger, key, NULL, log, err);
}

enum bt_code bt_log_load_until(int ledger, struct bt_key key, const int *give_up, struct bt_log *log,
                               struct bt_error *err) {
  struct gathering gathering = {.log = log, .give_up = give_up};
  struct bt_forest_options options = {.key = key, .keep_going = true, .context = &gathering, .each = gather};
  memset(log, 0, sizeof *log);
  log->fd = -1;
  enum bt_code code = bt_forest_check(ledger, &options, &log->forest, err);
  if (code == BT_OK && gathering.given_up)
    code = bt_error_set(err, BT_STATE, BT_MANIFEST_ROOT, "left off: nobody waits for it");
  if (code == BT_OK && (gathering.failed || merge(&gathering, log->forest.count) != BT_OK))
    code = bt_error_set(err, BT_NOMEM, BT_MANIFEST_ROOT, "out of memory");
  free(gathering.list);
  return code;
}

void bt_log_close(struct bt_log *log) {
  if (log->fd >= 0)
    close(log->fd);
  log->fd = -1;
}

void bt_log_dispose(struct bt_log *log) {
  bt_forest_dispose(&log->forest);
  free(log->entries);
  bt_log_close(log);
  memset(log, 0, sizeof *log);
  log->fd = -1;
}

static ssize_t read_at(int fd, char *bytes, size_t length, int64_t offset) {
  size_t done = 0;
  while (done < length) {
    ssize_t got = pread(fd, bytes + done, length - done, (off_t)(offset + (int64_t)done));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return got < 0 ? -1 : (ssize_t)done;
    done += (size_t)got;
  }
  return (ssize_t)done;
}

static enum bt_code open_chain(int ledger, struct bt_log *log, uint32_t chain, struct bt_error *err) {
  const char *path = log->forest.chains[chain].path;
  if (log->fd >= 0 && log->open_chain == chain)
    return BT_OK;
  if (log->fd >= 0)
    close(log->fd);
  log->fd = bt_fs_open_file_at(ledger, path, err);
  log->open_chain = chain;
  return log->fd >= 0 ? BT_OK : bt_error_set(err, BT_STALE, path, "gone while it was read");
}

enum bt_code bt_log_read(int ledger, struct bt_log *log, const struct bt_log_entry *entry, struct bt_str *line,
                         struct bt_error *err) {
  const char *path = log->forest.chains[entry->chain].path;
  bt_str_clear(line);
  enum bt_code code = open_chain(ledger, log, entry->chain, err);
  if (code != BT_OK)
    return code;
  char *bytes = malloc((size_t)entry->length + 1);
  ssize_t got = bytes != NULL ? read_at(log->fd, bytes, entry->length, entry->offset) : 0;
  int reason = errno;
  if (bytes != NULL && got == (ssize_t)entry->length)
    bt_str_append(line, bytes, entry->length);
  bool failed = bytes == NULL || line->failed;
  free(bytes);
  if (failed)
    return bt_error_set(err, BT_NOMEM, path, "out of memory");
  if (got < 0)
    return bt_error_set_errno(err, reason, path, "cannot be read");
  return got == (ssize_t)entry->length ? BT_OK : bt_error_set(err, BT_STALE, path, "shorter than when it was checked");
}
