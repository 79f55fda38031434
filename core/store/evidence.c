/* core/store/evidence.c - the tail of the newest chain. */
#include "core/store/evidence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/store/manifest.h"
#include "core/store/segments.h"

#define PATH_MAX_BYTES 8192

static enum bt_code no_memory(struct bt_error *err) {
  return bt_error_set(err, BT_NOMEM, BT_MANIFEST_ROOT, "out of memory");
}

/* ---- the tail of one chain ---- */

struct tail {
  struct bt_str bytes;
  struct bt_slice lines; /* the whole lines of it */
};

/* Spec 9.2 step 2: a window that begins inside the file begins behind its first LF. */
static enum bt_code tail_read(struct tail *tail, int ledger, const char *path, struct bt_error *err) {
  int64_t offset = 0;
  bt_str_init(&tail->bytes, BT_EVIDENCE_WINDOW);
  tail->lines = (struct bt_slice){.data = "", .length = 0};
  enum bt_code code = bt_fs_read_tail_at(ledger, path, BT_EVIDENCE_WINDOW, &tail->bytes, &offset, err);
  if (code != BT_OK)
    return code;
  size_t start = 0;
  if (offset > 0) {
    const char *lf = memchr(tail->bytes.data, '\n', tail->bytes.length);
    start = lf != NULL ? (size_t)(lf - tail->bytes.data) + 1 : tail->bytes.length;
  }
  tail->lines = (struct bt_slice){.data = tail->bytes.data + start, .length = tail->bytes.length - start};
  return BT_OK;
}

/* Takes the last line off `lines`. */
static struct bt_slice take_last_line(struct bt_slice *lines) {
  size_t start = lines->length;
  while (start > 0 && lines->data[start - 1] != '\n')
    start--;
  struct bt_slice line = {.data = lines->data + start, .length = lines->length - start};
  lines->length = start > 0 ? start - 1 : 0;
  if (start == 0)
    lines->data = ""; /* nothing is left */
  return line;
}

/* The last entries (JSON objects) of the tail, newest first; *strange: the last non-blank line is no entry. */
static enum bt_code tail_entries(const struct tail *tail, struct bt_json **entries, size_t most, size_t *count,
                                 bool *strange, struct bt_error *err) {
  struct bt_slice rest = tail->lines;
  bool newest = true;
  *count = 0;
  *strange = false;
  while (rest.length > 0 && *count < most) {
    struct bt_slice line = take_last_line(&rest);
    struct bt_error why = {0};
    if (bt_line_is_blank(line.data, line.length))
      continue;
    struct bt_json *entry = bt_json_parse(line.data, line.length, &why);
    if (entry == NULL && why.code == BT_NOMEM)
      return no_memory(err);
    bool good = bt_json_type(entry) == BT_JSON_OBJECT;
    *strange = *strange || (newest && !good);
    newest = false;
    if (good)
      entries[(*count)++] = entry;
    else
      bt_json_free(entry);
  }
  return BT_OK;
}

/* ---- for a brief ---- */

/* Among the names that end in .jsonl the last by UTF-16 order of the whole name; empty: there is none. */
static enum bt_code newest_by_name(int ledger, struct bt_str *path, struct bt_error *err) {
  struct bt_fs_listing listing = {0};
  const char *newest = NULL;
  enum bt_code code = bt_fs_list_at(ledger, BT_MANIFEST_FOLDER, &listing, NULL);
  for (size_t i = 0; code == BT_OK && i < listing.count; i++) {
    const char *name = listing.names[i];
    if (bt_ends_with(name, ".jsonl") &&
        (newest == NULL || bt_utf16_compare(name, strlen(name), newest, strlen(newest)) > 0))
      newest = name;
  }
  if (newest != NULL)
    bt_str_printf(path, "%s/%s", BT_MANIFEST_FOLDER, newest);
  else
    bt_str_puts(path, BT_MANIFEST_ROOT);
  bt_fs_listing_dispose(&listing);
  return code == BT_NOMEM || path->failed ? no_memory(err) : BT_OK;
}

static void put_line(struct bt_str *out, const struct bt_json *entry) {
  static const char *const members[] = {"seq", "gate", "ts", "ticket"};
  for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
    const struct bt_json *value = bt_json_get(entry, members[i]);
    if (i == 3 && !bt_json_truthy(value))
      continue;
    bt_str_printf(out, "%s%s=", i > 0 ? " " : "", members[i]);
    bt_json_to_text(out, value);
  }
  bt_str_putc(out, '\n');
}

enum bt_code bt_evidence_brief(int ledger, struct bt_str *lines, struct bt_error *err) {
  struct bt_json *entries[BT_EVIDENCE_BRIEF_ENTRIES];
  struct bt_str path;
  struct tail tail;
  size_t count = 0;
  bool strange;
  if (ledger < 0)
    return BT_OK;
  bt_str_init(&path, PATH_MAX_BYTES);
  bt_str_init(&tail.bytes, 0);
  enum bt_code code = newest_by_name(ledger, &path, err);
  if (code == BT_OK) {
    code = tail_read(&tail, ledger, path.data, NULL);
    code = code == BT_NOMEM ? no_memory(err) : BT_OK;
  }
  if (code == BT_OK)
    code = tail_entries(&tail, entries, BT_EVIDENCE_BRIEF_ENTRIES, &count, &strange, err);
  for (size_t i = count; i > 0; i--) {
    if (code == BT_OK)
      put_line(lines, entries[i - 1]);
    bt_json_free(entries[i - 1]);
  }
  bt_str_dispose(&tail.bytes);
  bt_str_dispose(&path);
  return code == BT_OK && lines->failed ? no_memory(err) : code;
}

/* ---- for a snapshot ---- */

static const char *copy_member(struct bt_arena *arena, const struct bt_json *object, const char *name, bool *failed) {
  const char *text = bt_json_get_string(object, name);
  const char *copy = bt_arena_strdup(arena, text);
  *failed = *failed || (text != NULL && copy == NULL);
  return copy;
}

enum bt_code bt_evidence_plain(struct bt_arena *arena, const struct bt_json *entry, const char *chain,
                               struct bt_key key, struct bt_evidence *out, struct bt_error *err) {
  const struct bt_json *data = bt_json_get(entry, "data");
  double seq = 0;
  bool failed = false;
  memset(out, 0, sizeof *out);
  out->seq = bt_json_is_integer(bt_json_get(entry, "seq"), &seq) && seq >= 1 && seq < 9e15 ? (int64_t)seq : -1;
  out->gate = copy_member(arena, entry, "gate", &failed);
  out->ts = copy_member(arena, entry, "ts", &failed);
  out->ticket = copy_member(arena, entry, "ticket", &failed);
  out->session_id = copy_member(arena, data, "session_id", &failed);
  if (out->session_id == NULL)
    out->session_id = copy_member(arena, data, "deny_session_id", &failed);
  out->chain = bt_arena_strdup(arena, chain);
  if (out->ts == NULL || !bt_time_parse(out->ts, strlen(out->ts), &out->ts_ms))
    out->ts_ms = BT_TIME_UNKNOWN;
  out->is_signed = !bt_json_is_nullish(bt_json_get(entry, "sig"));
  bool out_of_memory = false;
  bool holds = out->is_signed && bt_entry_verify(entry, key, &out_of_memory);
  out->signature = bt_signature_of(key, holds);
  return failed || out_of_memory || out->chain == NULL ? no_memory(err) : BT_OK;
}

/* The chain that was written last: the root or a segment. */
struct newest {
  char path[PATH_MAX_BYTES];
  char name[512];
  struct bt_fs_stat stat;
};

static void consider(struct newest *newest, int ledger, const char *path, const char *name, bool *unsafe) {
  struct bt_fs_stat stat;
  bt_fs_stat_at(ledger, path, &stat);
  *unsafe = *unsafe || (stat.kind != BT_FS_FILE && stat.kind != BT_FS_ABSENT);
  if (stat.kind != BT_FS_FILE || (newest->path[0] != '\0' && stat.mtime_ns < newest->stat.mtime_ns))
    return;
  newest->stat = stat;
  (void)snprintf(newest->path, sizeof newest->path, "%s", path);
  (void)snprintf(newest->name, sizeof newest->name, "%s", name);
}

static enum bt_code find_newest(int ledger, struct newest *newest, const char **problem, struct bt_error *err) {
  struct bt_segments segments;
  bool unsafe = false;
  newest->path[0] = '\0';
  consider(newest, ledger, BT_MANIFEST_ROOT, "root", &unsafe);
  if (unsafe)
    *problem = BT_MANIFEST_ROOT " is not a plain file";
  enum bt_code code = bt_segments_discover(ledger, &segments, err);
  for (size_t i = 0; code == BT_OK && i < segments.count; i++) {
    char path[PATH_MAX_BYTES];
    (void)snprintf(path, sizeof path, "%s/%s", BT_MANIFEST_FOLDER, segments.names[i]);
    consider(newest, ledger, path, segments.names[i], &unsafe);
  }
  if (segments.invalid_count > 0 && *problem == NULL)
    *problem = "something in " BT_MANIFEST_FOLDER " is no part of the evidence: nothing can be recorded";
  bt_segments_dispose(&segments);
  return code;
}

static enum bt_code fill_tail(const struct bt_env *env, int ledger, const struct newest *newest, struct bt_arena *arena,
                              struct bt_evidence_summary *summary, struct bt_error *err) {
  struct bt_json *entries[BT_EVIDENCE_TAIL_ENTRIES];
  struct tail tail;
  size_t count = 0;
  bool strange = false;
  enum bt_code code = tail_read(&tail, ledger, newest->path, NULL);
  if (code != BT_OK && code != BT_NOMEM)
    summary->problem = "the newest chain of the evidence cannot be read";
  if (code == BT_OK)
    code = tail_entries(&tail, entries, BT_EVIDENCE_TAIL_ENTRIES, &count, &strange, err);
  else
    code = code == BT_NOMEM ? no_memory(err) : BT_OK;
  struct bt_evidence *list = BT_ARENA_ARRAY(arena, struct bt_evidence, count + 1);
  if (code == BT_OK && list == NULL)
    code = no_memory(err);
  for (size_t i = count; i > 0; i--) {
    if (code == BT_OK)
      code = bt_evidence_plain(arena, entries[i - 1], newest->name, bt_env_key(env), &list[count - i], err);
    bt_json_free(entries[i - 1]);
  }
  for (size_t i = 0; code == BT_OK && i < count; i++) {
    summary->accepted_count += list[i].is_signed && list[i].signature == BT_SIG_VERIFIED;
    summary->refused_count += list[i].is_signed && list[i].signature == BT_SIG_INVALID;
  }
  if (summary->refused_count > 0)
    summary->problem = summary->accepted_count > 0
                           ? "some entries were changed or do not verify with this key: writes will be refused"
                           : "the newest entries do not verify with this key: writes will be refused";
  if (strange)
    summary->problem = "the last line of the evidence is no entry: nothing can be recorded";
  summary->tail = list;
  summary->tail_count = code == BT_OK ? count : 0;
  bt_str_dispose(&tail.bytes);
  return code;
}

enum bt_code bt_evidence_summarise(const struct bt_env *env, int ledger, struct bt_arena *arena,
                                   struct bt_evidence_summary *summary, struct bt_error *err) {
  memset(summary, 0, sizeof *summary);
  if (ledger < 0)
    return BT_OK;
  struct newest *newest = calloc(1, sizeof *newest);
  if (newest == NULL)
    return no_memory(err);
  struct bt_error why = {0};
  enum bt_code code = bt_segments_in_use(ledger, &summary->segmented, &why);
  code = code == BT_NOMEM ? no_memory(err) : find_newest(ledger, newest, &summary->problem, err);
  if (code == BT_OK && newest->path[0] != '\0') {
    summary->present = true;
    summary->size_bytes = (uint64_t)newest->stat.size_bytes;
    summary->newest_chain = bt_arena_strdup(arena, newest->path);
    code = summary->newest_chain == NULL ? no_memory(err) : fill_tail(env, ledger, newest, arena, summary, err);
  }
  free(newest);
  return code;
}
