/* core/store/manifest.c - lines of a manifest. */
#include "core/store/manifest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/store/manifest_scan.h"

#define READ_BLOCK ((size_t)256 * 1024)
#define TAIL_FIRST ((size_t)64 * 1024)

struct bt_lines {
  int fd;
  char *buffer;
  size_t capacity;
  size_t start, used; /* unread bytes are buffer[start, used) */
  size_t searched;    /* no LF in buffer[start, searched) */
  uint64_t number;
  int64_t offset; /* of buffer[start] in the file */
  bool at_end;
};

struct bt_lines *bt_lines_new(int fd) {
  struct bt_lines *lines = calloc(1, sizeof *lines);
  char *buffer = malloc(READ_BLOCK);
  if (lines == NULL || buffer == NULL) {
    free(lines);
    free(buffer);
    close(fd);
    return NULL;
  }
  lines->fd = fd;
  lines->buffer = buffer;
  lines->capacity = READ_BLOCK;
  return lines;
}

void bt_lines_free(struct bt_lines *lines) {
  if (lines == NULL)
    return;
  close(lines->fd);
  free(lines->buffer);
  free(lines);
}

enum bt_code bt_lines_begin_at(struct bt_lines *lines, int64_t offset, uint64_t number, struct bt_error *err) {
  if (lseek(lines->fd, (off_t)offset, SEEK_SET) < 0)
    return bt_error_set_errno(err, errno, "manifest", "cannot be read");
  lines->offset = offset;
  lines->number = number;
  return BT_OK;
}

static enum bt_code make_room(struct bt_lines *lines, struct bt_error *err) {
  if (lines->start > 0) {
    memmove(lines->buffer, lines->buffer + lines->start, lines->used - lines->start);
    lines->used -= lines->start;
    lines->searched -= lines->start;
    lines->start = 0;
  }
  if (lines->used < lines->capacity)
    return BT_OK;
  char *bigger = realloc(lines->buffer, lines->capacity * 2);
  if (bigger == NULL)
    return bt_error_set(err, BT_NOMEM, "manifest", "out of memory");
  lines->buffer = bigger;
  lines->capacity *= 2;
  return BT_OK;
}

static enum bt_code fill(struct bt_lines *lines, struct bt_error *err) {
  if (lines->used == lines->capacity || (lines->start > 0 && lines->capacity - lines->used < READ_BLOCK / 4)) {
    enum bt_code code = make_room(lines, err);
    if (code != BT_OK)
      return code;
  }
  ssize_t got;
  do {
    got = read(lines->fd, lines->buffer + lines->used, lines->capacity - lines->used);
  } while (got < 0 && errno == EINTR);
  if (got < 0)
    return bt_error_set_errno(err, errno, "manifest", "cannot be read");
  lines->used += (size_t)got;
  lines->at_end = got == 0;
  return BT_OK;
}

/* Drops the rest of a line that is past the ceiling; *ended tells whether an LF closed it. */
static enum bt_code skip_rest(struct bt_lines *lines, bool *ended, struct bt_error *err) {
  for (;;) {
    char *lf = memchr(lines->buffer + lines->start, '\n', lines->used - lines->start);
    size_t drop = lf != NULL ? (size_t)(lf - lines->buffer) + 1 - lines->start : lines->used - lines->start;
    lines->start += drop;
    lines->offset += (int64_t)drop;
    lines->searched = lines->start;
    *ended = lf != NULL;
    if (*ended || lines->at_end)
      return BT_OK;
    enum bt_code code = fill(lines, err);
    if (code != BT_OK)
      return code;
  }
}

static void hand_out(struct bt_lines *lines, struct bt_line *line, size_t length, bool ended) {
  *line = (struct bt_line){.bytes = lines->buffer + lines->start,
                           .length = length,
                           .number = ++lines->number,
                           .offset = lines->offset,
                           .ended = ended};
  size_t step = length + (ended ? 1 : 0);
  lines->start += step;
  lines->offset += (int64_t)step;
  lines->searched = lines->start;
  line->end = lines->offset;
}

enum bt_code bt_lines_next(struct bt_lines *lines, struct bt_line *line, bool *more, struct bt_error *err) {
  *more = true;
  for (;;) {
    char *lf = memchr(lines->buffer + lines->searched, '\n', lines->used - lines->searched);
    size_t length = (lf != NULL ? (size_t)(lf - lines->buffer) : lines->used) - lines->start;
    if (length > BT_MANIFEST_LINE_MAX) {
      *line = (struct bt_line){.bytes = "", .number = ++lines->number, .offset = lines->offset, .oversize = true};
      enum bt_code code = skip_rest(lines, &line->ended, err);
      line->end = lines->offset;
      return code;
    }
    if (lf != NULL || (lines->at_end && length > 0)) {
      hand_out(lines, line, length, lf != NULL);
      return BT_OK;
    }
    if (lines->at_end) {
      *more = false;
      return BT_OK;
    }
    lines->searched = lines->used;
    enum bt_code code = fill(lines, err);
    if (code != BT_OK)
      return code;
  }
}

bool bt_line_is_blank(const char *bytes, size_t length) {
  return length == 0 || (bytes[0] != '{' && bt_is_blank_w(bytes, length));
}

bool bt_line_hash(const char *bytes, size_t length, char hex[BT_SHA256_HEX]) {
  if (bt_bytes_are_utf8(bytes, length)) {
    bt_sha256_hex(bytes, length, hex);
    return true;
  }
  struct bt_str text, raw;
  bt_str_init(&text, 4 * length + 16);
  bt_str_init(&raw, 4 * length + 16);
  bt_utf8_decode8(&text, bytes, length);
  bt_utf8_encode8(&raw, text.data, text.length);
  bool ok = !text.failed && !raw.failed;
  if (ok)
    bt_sha256_hex(raw.data, raw.length, hex);
  bt_str_dispose(&text);
  bt_str_dispose(&raw);
  return ok;
}

static const char *last_lf(const char *bytes, size_t length) {
  while (length > 0 && bytes[length - 1] != '\n')
    length--;
  return length > 0 ? bytes + length - 1 : NULL;
}

/* The last non-blank line inside `tail`; false when it may begin before it. */
static bool last_line_in(struct bt_slice *line, const struct bt_str *tail, bool whole) {
  size_t end = tail->length;
  for (;;) {
    const char *lf = last_lf(tail->data, end);
    size_t start = lf != NULL ? (size_t)(lf - tail->data) + 1 : 0;
    *line = (struct bt_slice){.data = tail->data + start, .length = end - start};
    if (lf == NULL)
      return whole;
    if (!bt_line_is_blank(line->data, line->length))
      return true;
    end = start - 1;
  }
}

enum bt_code bt_manifest_last_line(int ledger, const char *path, struct bt_str *line, bool *found,
                                   struct bt_error *err) {
  *found = false;
  if (ledger < 0)
    return BT_OK;
  for (size_t window = TAIL_FIRST;; window *= 8) {
    struct bt_str tail;
    struct bt_slice last;
    int64_t offset = 0;
    bt_str_init(&tail, window);
    enum bt_code code = bt_fs_read_tail_at(ledger, path, window, &tail, &offset, err);
    bool known = code == BT_OK && last_line_in(&last, &tail, offset == 0);
    if (known && !bt_line_is_blank(last.data, last.length)) {
      *found = true;
      bt_str_append(line, last.data, last.length);
    }
    bt_str_dispose(&tail);
    if (code != BT_OK)
      return code == BT_MISSING ? BT_OK : code;
    if (known)
      return line->failed ? bt_error_set(err, BT_NOMEM, path, "out of memory") : BT_OK;
    if (window > BT_MANIFEST_LINE_MAX)
      return bt_error_set(err, BT_TOO_LARGE, path, "its last line is longer than %zu MiB", BT_MANIFEST_LINE_MAX >> 20);
  }
}
