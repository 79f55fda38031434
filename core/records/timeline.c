/* core/records/timeline.c - walks timeline.jsonl (timeline.h). */
#include "core/records/timeline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/harness/read_at.h"

#define PIECE_BYTES ((size_t)256 << 10)
#define KEEP_BYTES ((size_t)8 << 20) /* of the memory for a line that lay across pieces */
#define NAME "timeline.jsonl"

struct walk {
  enum bt_code (*on_line)(void *context, const char *line, size_t length, int64_t offset, bool is_open,
                          struct bt_error *err);
  void *context;
  struct bt_timeline_shape shape;
  struct bt_str carry; /* the beginning of a line that lies across pieces */
  int64_t offset;      /* of the line's first byte */
};

static enum bt_code give_line(struct walk *walk, const char *line, size_t length, bool is_open, struct bt_error *err) {
  int64_t next = walk->offset + (int64_t)length + !is_open;
  if (length > 0 && line[length - 1] == '\r' && !is_open) {
    walk->shape.is_normal = false;
    length--;
  }
  enum bt_code code = BT_OK;
  if (length == 0) {
    walk->shape.is_normal = false;
  } else {
    walk->shape.lines++;
    if (walk->on_line != NULL)
      code = walk->on_line(walk->context, line, length, walk->offset, is_open, err);
  }
  walk->offset = next;
  return code;
}

static enum bt_code carry_on(struct walk *walk, const char *bytes, size_t length, struct bt_error *err) {
  if (length > walk->carry.ceiling - walk->carry.length)
    return bt_error_set(err, BT_TOO_LARGE, NAME, "%s has a line over 1 GiB", NAME);
  bt_str_append(&walk->carry, bytes, length);
  return walk->carry.failed ? bt_error_set(err, BT_NOMEM, NAME, "out of memory") : BT_OK;
}

static void drop_carry(struct walk *walk) {
  if (walk->carry.capacity > KEEP_BYTES)
    bt_str_dispose(&walk->carry);
  bt_str_clear(&walk->carry);
}

static enum bt_code take_piece(struct walk *walk, const char *bytes, size_t length, struct bt_error *err) {
  const char *end = bytes + length;
  while (bytes < end) {
    const char *lf = memchr(bytes, '\n', (size_t)(end - bytes));
    if (lf == NULL)
      return carry_on(walk, bytes, (size_t)(end - bytes), err);
    enum bt_code code;
    if (walk->carry.length == 0) {
      code = give_line(walk, bytes, (size_t)(lf - bytes), false, err);
    } else {
      code = carry_on(walk, bytes, (size_t)(lf - bytes), err);
      if (code == BT_OK)
        code = give_line(walk, walk->carry.data, walk->carry.length, false, err);
      drop_carry(walk);
    }
    if (code != BT_OK)
      return code;
    bytes = lf + 1;
  }
  return BT_OK;
}

enum bt_code bt_timeline_walk(int fd, int64_t from, int64_t to,
                              enum bt_code (*on_line)(void *context, const char *line, size_t length, int64_t offset,
                                                      bool is_open, struct bt_error *err),
                              void *context, struct bt_timeline_shape *shape, struct bt_error *err) {
  struct walk walk = {.on_line = on_line, .context = context, .shape.is_normal = true, .offset = from};
  bt_str_init(&walk.carry, BT_TURN_LINE_MAX);
  enum bt_code code = BT_OK;
  char *piece = malloc(PIECE_BYTES);
  if (piece == NULL)
    code = bt_error_set(err, BT_NOMEM, NAME, "out of memory");
  for (int64_t at = from; code == BT_OK && at < to;) {
    size_t want = to - at < (int64_t)PIECE_BYTES ? (size_t)(to - at) : PIECE_BYTES;
    ssize_t got = bt_read_at(fd, piece, want, at);
    if (got < 0)
      code = bt_error_set_errno(err, errno, NAME, "%s cannot be read", NAME);
    else if ((size_t)got < want)
      code = bt_error_set(err, BT_IO, NAME, "%s became shorter while it was read", NAME);
    else
      code = take_piece(&walk, piece, want, err);
    at += (int64_t)want;
  }
  walk.shape.lines_end = walk.offset;
  if (code == BT_OK && walk.carry.length > 0) {
    walk.shape.has_open_line = true;
    walk.shape.is_normal = false;
    code = give_line(&walk, walk.carry.data, walk.carry.length, true, err);
  }
  if (shape != NULL)
    *shape = walk.shape;
  free(piece);
  bt_str_dispose(&walk.carry);
  return code;
}
