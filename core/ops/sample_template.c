/* core/ops/sample_template.c - splits the sample's template and fills in its placeholders. */
#include "core/ops/sample_template.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/digest.h"
#include "core/base/json.h"
#include "core/text/capture.h"

#define MARK "\n@@ "
#define TEXT_MAX ((size_t)256 * 1024)
#define REUSE_GAP_MS (20 * 60 * 1000) /* the reused pid's lock is this much older than the process */
#define LIVE_AGE_MS (3 * 60 * 1000)   /* the live lock is this old, or as old as its process */
#define WORD_MAX 200

static enum bt_code damaged(struct bt_error *err, struct bt_slice where) {
  return bt_error_set(err, BT_CORRUPT, "sample ledger", "the template is damaged at `%.*s`",
                      (int)(where.length > 60 ? 60 : where.length), where.data);
}

static struct bt_slice next_word(struct bt_slice *line) {
  while (line->length && *line->data == ' ')
    line->data++, line->length--;
  struct bt_slice word = {line->data, 0};
  while (line->length && *line->data != ' ')
    line->data++, line->length--, word.length++;
  return word;
}

/* "12m" in ms; -1 for anything else. */
static int64_t age_of(struct bt_slice word) {
  int64_t number = 0;
  size_t at = 0;
  while (at < word.length && word.data[at] >= '0' && word.data[at] <= '9' && number < 100000)
    number = number * 10 + (word.data[at++] - '0');
  if (at == 0 || at + 1 != word.length)
    return -1;
  switch (word.data[at]) {
  case 's':
    return number * 1000;
  case 'm':
    return number * 60 * 1000;
  case 'h':
    return number * 3600 * 1000;
  case 'd':
    return number * 86400 * 1000;
  default:
    return -1;
  }
}

static bool read_head(struct bt_slice line, struct bt_sample_entry *entry) {
  struct bt_slice kind = next_word(&line);
  entry->path = next_word(&line);
  entry->age_ms = age_of(next_word(&line));
  entry->branch = next_word(&line);
  if (bt_slice_equals(kind, "file"))
    entry->kind = BT_SAMPLE_FILE;
  else if (bt_slice_equals(kind, "chain"))
    entry->kind = BT_SAMPLE_CHAIN;
  else if (bt_slice_equals(kind, "segment") && entry->branch.length)
    entry->kind = BT_SAMPLE_SEGMENT;
  else
    return false;
  return entry->path.length && entry->age_ms >= 0;
}

static const char *find(const char *from, const char *end, const char *what) {
  size_t length = strlen(what);
  for (; from + length <= end; from++)
    if (memcmp(from, what, length) == 0)
      return from;
  return NULL;
}

enum bt_code bt_sample_split(struct bt_slice text, struct bt_sample_entry entries[BT_SAMPLE_ENTRY_MAX], size_t *count,
                             struct bt_error *err) {
  const char *end = text.data + text.length;
  const char *mark = find(text.data, end, MARK);
  *count = 0;
  while (mark) {
    const char *head = mark + strlen(MARK);
    const char *line_end = find(head, end, "\n");
    if (!line_end || *count == BT_SAMPLE_ENTRY_MAX)
      return damaged(err, (struct bt_slice){head, (size_t)(end - head)});
    struct bt_sample_entry *entry = &entries[(*count)++];
    if (!read_head((struct bt_slice){head, (size_t)(line_end - head)}, entry))
      return damaged(err, (struct bt_slice){head, (size_t)(line_end - head)});
    mark = find(line_end, end, MARK);
    const char *text_end = mark ? mark + 1 : end;
    entry->text = (struct bt_slice){line_end + 1, (size_t)(text_end - line_end - 1)};
    if (text_end < line_end + 1)
      entry->text.length = 0;
  }
  return *count ? BT_OK : damaged(err, text);
}

struct filling {
  const struct bt_sample_entry *entries;
  size_t count;
  const struct bt_sample_world *world;
  struct bt_error *err;
};

static const struct bt_sample_entry *entry_of(const struct filling *fill, const char *folder, const char *id,
                                              const char *suffix) {
  char path[WORD_MAX + 64];
  snprintf(path, sizeof(path), "%s/%s%s", folder, id, suffix);
  for (size_t i = 0; i < fill->count; i++)
    if (bt_slice_equals(fill->entries[i].path, path))
      return &fill->entries[i];
  return NULL;
}

static enum bt_code put_capture_hash(const struct filling *fill, struct bt_str *out, const char *id) {
  const struct bt_sample_entry *entry = entry_of(fill, "handoffs/content", id, ".md");
  char hash[BT_SHA256_HEX];
  struct bt_str text;
  if (!entry)
    return damaged(fill->err, bt_slice_of(id));
  bt_str_init(&text, TEXT_MAX);
  enum bt_code code = bt_sample_expand(&text, entry->text, fill->entries, fill->count, fill->world, fill->err);
  if (code == BT_OK)
    code = bt_capture_hash(text.data, text.length, hash, fill->err);
  if (code == BT_OK)
    bt_str_puts(out, hash);
  bt_str_dispose(&text);
  return code;
}

/* Spec 4.4: canonical JSON of the final without its hash and time. */
static enum bt_code put_body_hash(const struct filling *fill, struct bt_str *out, const char *id) {
  const struct bt_sample_entry *entry = entry_of(fill, "handoffs/finals", id, ".json");
  char hash[BT_SHA256_HEX];
  struct bt_str text;
  struct bt_json *final_ = entry ? bt_json_parse(entry->text.data, entry->text.length, fill->err) : NULL;
  if (!final_)
    return damaged(fill->err, bt_slice_of(id));
  bt_json_remove(final_, "content_hash");
  bt_json_remove(final_, "written_at");
  bt_str_init(&text, TEXT_MAX);
  bt_json_print_canonical(&text, final_);
  bt_json_free(final_);
  bt_sha256_hex(text.data, text.length, hash);
  bool failed = text.failed;
  bt_str_dispose(&text);
  bt_str_puts(out, hash);
  return failed ? bt_error_set(fill->err, BT_NOMEM, id, "out of memory") : BT_OK;
}

static void put_time(struct bt_str *out, int64_t time_ms) {
  char iso[BT_ISO_MS];
  bt_time_iso(iso, time_ms);
  bt_str_puts(out, iso);
}

/* As it is written between the quotes of a JSON string. */
static void put_text(struct bt_str *out, const char *text) {
  struct bt_str quoted;
  bt_str_init(&quoted, TEXT_MAX);
  bt_json_print_string(&quoted, text, strlen(text));
  if (quoted.length >= 2)
    bt_str_append(out, quoted.data + 1, quoted.length - 2);
  out->failed = out->failed || quoted.failed;
  bt_str_dispose(&quoted);
}

static int64_t live_lock_time(const struct bt_sample_world *world) {
  int64_t time_ms = world->now_ms - LIVE_AGE_MS;
  return world->live_started_ms > time_ms ? world->live_started_ms : time_ms;
}

static enum bt_code put_word(const struct filling *fill, struct bt_str *out, const char *word) {
  const struct bt_sample_world *world = fill->world;
  int64_t age_ms = -1;
  if (bt_starts_with(word, "now-") && (age_ms = age_of(bt_slice_of(word + 4))) >= 0)
    put_time(out, world->now_ms - age_ms);
  else if (strcmp(word, "root") == 0)
    put_text(out, world->root);
  else if (strcmp(word, "host") == 0)
    bt_str_puts(out, world->host);
  else if (strcmp(word, "live-pid") == 0)
    bt_json_print_number(out, world->live_pid);
  else if (strcmp(word, "dead-pid") == 0)
    bt_json_print_number(out, world->dead_pid);
  else if (strcmp(word, "reused-pid") == 0)
    bt_json_print_number(out, world->reused_pid);
  else if (strcmp(word, "live-start") == 0)
    put_time(out, live_lock_time(world));
  else if (strcmp(word, "reused-start") == 0)
    put_time(out,
             (world->reused_started_ms == BT_TIME_UNKNOWN ? world->now_ms : world->reused_started_ms) - REUSE_GAP_MS);
  else if (bt_starts_with(word, "capture:"))
    return put_capture_hash(fill, out, word + strlen("capture:"));
  else if (bt_starts_with(word, "body:"))
    return put_body_hash(fill, out, word + strlen("body:"));
  else
    return damaged(fill->err, bt_slice_of(word));
  return BT_OK;
}

enum bt_code bt_sample_expand(struct bt_str *out, struct bt_slice text, const struct bt_sample_entry *entries,
                              size_t count, const struct bt_sample_world *world, struct bt_error *err) {
  struct filling fill = {entries, count, world, err};
  const char *at = text.data, *end = text.data + text.length;
  for (const char *open; (open = find(at, end, "${"));) {
    char word[WORD_MAX];
    const char *close = find(open, end, "}");
    if (!close || (size_t)(close - open - 2) >= sizeof(word))
      return damaged(err, (struct bt_slice){open, (size_t)(end - open)});
    memcpy(word, open + 2, (size_t)(close - open - 2));
    word[close - open - 2] = '\0';
    bt_str_append(out, at, (size_t)(open - at));
    enum bt_code code = put_word(&fill, out, word);
    if (code != BT_OK)
      return code;
    at = close + 1;
  }
  bt_str_append(out, at, (size_t)(end - at));
  return out->failed ? bt_error_set(err, BT_NOMEM, "sample ledger", "out of memory") : BT_OK;
}
