/* core/harness/narrative.c - reads a transcript's tail and keeps its final message. */
#include "core/harness/narrative.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/base/str.h"
#include "core/base/utf8.h"
#include "core/text/capture.h"

#define DATE_LIMIT_MS 8.64e15 /* what ECMAScript calls a time */
#define HOUR_MS 3600000

/* The run of assistant entries that may become the final message. */
struct run {
  struct bt_str text;
  char *request_id; /* owned; NULL: the run cannot be continued */
  bool open;        /* the entry before the present one belongs to it */
};

static enum bt_code short_of_memory(struct bt_error *err) {
  return bt_error_set(err, BT_NOMEM, "transcript", "out of memory");
}

static void start_empty(struct bt_narrative *narrative) {
  memset(narrative, 0, sizeof *narrative);
  narrative->timestamp_ms = BT_TIME_UNKNOWN;
}

void bt_narrative_dispose(struct bt_narrative *narrative) {
  free(narrative->text);
  free(narrative->note);
  start_empty(narrative);
}

static void run_add(struct run *run, const char *text) {
  if (!text || bt_is_blank_w(text, strlen(text)))
    return;
  if (run->text.length)
    bt_str_putc(&run->text, '\n');
  bt_str_puts(&run->text, text);
}

static void run_add_entry(struct run *run, const struct bt_json *entry) {
  const struct bt_json *content = bt_json_get(bt_json_get(entry, "message"), "content");
  if (bt_json_type(content) != BT_JSON_ARRAY) {
    run_add(run, bt_json_string(content));
    return;
  }
  for (const struct bt_json *item = bt_json_first(content); item; item = bt_json_next(item))
    if (bt_text_equals(bt_json_get_string(item, "type"), "text"))
      run_add(run, bt_json_get_string(item, "text"));
}

static enum bt_code run_take(struct run *run, const struct bt_json *entry, struct bt_error *err) {
  const char *id = bt_json_get_string(entry, "requestId");
  if (!(run->open && id && *id && bt_text_equals(id, run->request_id))) {
    bt_str_clear(&run->text);
    free(run->request_id);
    run->request_id = id && *id ? strdup(id) : NULL;
    if (id && *id && !run->request_id)
      return short_of_memory(err);
  }
  run->open = true;
  run_add_entry(run, entry);
  return run->text.failed ? short_of_memory(err) : BT_OK;
}

static void note_time(struct bt_narrative *out, const struct bt_json *entry) {
  const struct bt_json *stamp = bt_json_get(entry, "timestamp");
  const char *text = bt_json_string(stamp);
  int64_t time_ms;
  double number;
  if (text) {
    if (!bt_time_parse(text, strlen(text), &time_ms))
      return;
  } else if (bt_json_number(stamp, &number) && fabs(number) <= DATE_LIMIT_MS) {
    time_ms = (int64_t)number;
  } else {
    return;
  }
  if (out->timestamp_ms == BT_TIME_UNKNOWN || time_ms > out->timestamp_ms)
    out->timestamp_ms = time_ms;
}

static enum bt_code take_line(struct bt_narrative *out, struct run *run, const char *line, size_t length,
                              struct bt_error *err) {
  if (bt_is_blank_w(line, length))
    return BT_OK;
  struct bt_error wrong = {0};
  struct bt_json *entry = bt_json_parse_text(line, length, &wrong);
  if (!entry && wrong.code == BT_NOMEM)
    return short_of_memory(err);
  enum bt_code code = BT_OK;
  if (bt_json_type(entry) != BT_JSON_OBJECT) {
    out->skipped++;
  } else {
    out->entries++;
    note_time(out, entry);
    if (bt_text_equals(bt_json_get_string(entry, "type"), "assistant"))
      code = run_take(run, entry, err);
    else
      run->open = false;
  }
  bt_json_free(entry);
  return code;
}

/* Trims and caps what the last run said. */
static enum bt_code keep_run(struct bt_narrative *out, const struct run *run, struct bt_error *err) {
  struct bt_slice said = bt_trim_w(run->text.data, run->text.length);
  if (!said.length)
    return BT_OK;
  struct bt_str kept;
  bt_str_init(&kept, BT_NARRATIVE_MAX_BYTES * 2); /* a NUL takes two bytes in here and one when written */
  out->was_cut = bt_text_cap(&kept, said.data, said.length, BT_NARRATIVE_MAX_BYTES, BT_NARRATIVE_CUT_MARK, NULL);
  out->text = bt_str_take(&kept, NULL);
  return out->text ? BT_OK : short_of_memory(err);
}

enum bt_code bt_narrative_parse(struct bt_narrative *out, const char *jsonl, size_t length, struct bt_error *err) {
  start_empty(out);
  struct run run = {.request_id = NULL};
  bt_str_init(&run.text, length + 1); /* what is said is never longer than the lines that say it */
  enum bt_code code = BT_OK;
  for (size_t at = 0; code == BT_OK && at < length;) {
    const char *end = memchr(jsonl + at, '\n', length - at);
    size_t line = end ? (size_t)(end - jsonl) - at : length - at;
    code = take_line(out, &run, jsonl + at, line, err);
    at += line + 1;
  }
  if (code == BT_OK)
    code = keep_run(out, &run, err);
  bt_str_dispose(&run.text);
  free(run.request_id);
  if (code != BT_OK)
    bt_narrative_dispose(out);
  return code;
}

/* -------------------------------------------------------------------------------- files -------- */

/* Reads [offset, offset + length) or up to the end of the file, whatever comes first. */
static enum bt_code read_range(struct bt_str *out, int fd, off_t offset, size_t length, const char *name,
                               struct bt_error *err) {
  char buffer[65536];
  while (length) {
    ssize_t got = pread(fd, buffer, length < sizeof buffer ? length : sizeof buffer, offset);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return bt_error_set_errno(err, errno, name, "cannot read the transcript");
    if (got == 0)
      break;
    bt_str_append(out, buffer, (size_t)got);
    if (out->failed)
      return short_of_memory(err);
    offset += got;
    length -= (size_t)got;
  }
  return BT_OK;
}

/* Whether a line that is not blank ends (in LF) in here. */
static bool holds_whole_line(const char *text, size_t length) {
  for (const char *end; (end = memchr(text, '\n', length));) {
    size_t line = (size_t)(end - text);
    if (!bt_is_blank_w(text, line))
      return true;
    text += line + 1;
    length -= line + 1;
  }
  return false;
}

/* The last `window` bytes of a file of `size` bytes as an answer; *enough is whether a wider window is of no use. */
static enum bt_code read_window(struct bt_narrative *out, int fd, off_t size, size_t window, bool *enough,
                                const char *name, struct bt_error *err) {
  off_t offset = size > (off_t)window ? size - (off_t)window : 0;
  struct bt_str bytes, text;
  bt_str_init(&bytes, window);
  bt_str_init(&text, window * 3); /* U+FFFD is three bytes */
  enum bt_code code = read_range(&bytes, fd, offset, window, name, err);
  if (code == BT_OK) {
    const char *from = bytes.data, *first = offset ? memchr(from, '\n', bytes.length) : NULL;
    size_t dropped = !offset ? 0 : first ? (size_t)(first - from) + 1 : bytes.length;
    bt_utf8_decode8(&text, from + dropped, bytes.length - dropped);
    code = text.failed ? short_of_memory(err) : bt_narrative_parse(out, text.data, text.length, err);
    *enough = code == BT_OK && (!offset || out->entries || holds_whole_line(text.data, text.length));
  }
  bt_str_dispose(&bytes);
  bt_str_dispose(&text);
  return code;
}

enum bt_code bt_narrative_read_fd(struct bt_narrative *out, int fd, const char *name, struct bt_error *err) {
  start_empty(out);
  struct stat st;
  if (fstat(fd, &st) != 0)
    return bt_error_set_errno(err, errno, name, "cannot look at the transcript");
  if (!S_ISREG(st.st_mode))
    return bt_error_set(err, BT_UNSAFE, name, "not_a_file");
  bool enough = false;
  for (size_t window = BT_NARRATIVE_WINDOW; !enough && window <= BT_NARRATIVE_WINDOW_MAX; window *= 2) {
    bt_narrative_dispose(out);
    enum bt_code code = read_window(out, fd, st.st_size, window, &enough, name, err);
    if (code != BT_OK)
      return code;
  }
  if (!out->entries) {
    bt_narrative_dispose(out);
    return bt_error_set(err, BT_CORRUPT, name, "no JSON object line in the transcript");
  }
  if (out->timestamp_ms == BT_TIME_UNKNOWN)
    out->timestamp_ms = (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000;
  return BT_OK;
}

enum bt_code bt_narrative_drop_stale(struct bt_narrative *narrative, int64_t now_ms, struct bt_error *err) {
  const int64_t limit_ms = (int64_t)BT_NARRATIVE_STALE_HOURS * HOUR_MS;
  if (narrative->timestamp_ms == BT_TIME_UNKNOWN || now_ms - narrative->timestamp_ms <= limit_ms)
    return BT_OK;
  struct bt_str note;
  bt_str_init(&note, 256);
  bt_str_printf(&note, "narrative omitted: its source is stale, %lld hours old, and %d hours is the limit",
                (long long)((now_ms - narrative->timestamp_ms) / HOUR_MS), BT_NARRATIVE_STALE_HOURS);
  free(narrative->note);
  narrative->note = bt_str_take(&note, NULL);
  free(narrative->text);
  narrative->text = NULL;
  narrative->was_cut = false;
  return narrative->note ? BT_OK : short_of_memory(err);
}

enum bt_code bt_narrative_load(struct bt_narrative *out, const char *cwd, const char *path, int64_t now_ms,
                               struct bt_error *err) {
  start_empty(out);
  struct bt_str resolved;
  bt_str_init(&resolved, 1 << 16);
  enum bt_code code = bt_path_resolve(&resolved, cwd, path);
  if (code != BT_OK) {
    bt_str_dispose(&resolved);
    return bt_error_set(err, code, path, "not a usable path");
  }
  int fd = open(resolved.data, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  bt_str_dispose(&resolved);
  if (fd < 0)
    return bt_error_set_errno(err, errno, path, "cannot open the transcript");
  code = bt_narrative_read_fd(out, fd, path, err);
  close(fd);
  if (code == BT_OK)
    code = bt_narrative_drop_stale(out, now_ms, err);
  if (code != BT_OK)
    bt_narrative_dispose(out);
  return code;
}
