/* core/records/timeline.h - timeline.jsonl read line by line, each line as a turn.
 *
 * Reads only; what is appended goes through core/records/write.h. Memory follows the longest line.
 * Rules: spec/session-records.md 7.8, 8.2, 9.5. */
#ifndef BATON_CORE_RECORDS_TIMELINE_H
#define BATON_CORE_RECORDS_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/tape.h"
#include "core/records/turn.h"

/* One line taken apart. Keep it for many lines; it owns its scratch memory. */
struct bt_record_reader {
  struct bt_tape tape;
  struct bt_str seq, ts, class_word, text; /* used where a line is not in printed form */
};
void bt_record_reader_init(struct bt_record_reader *reader);
void bt_record_reader_dispose(struct bt_record_reader *reader);

/* BT_OK, BT_CORRUPT (no JSON object with a string `text` and a string `class`), BT_NOMEM. The turn borrows from the
 * line and the reader. */
enum bt_code bt_record_turn_read(struct bt_record_reader *reader, const char *line, size_t length,
                                 struct bt_record_turn *turn) BT_NODISCARD;

/* Whether the line is byte for byte what a build writes for `turn`. */
bool bt_record_turn_is_plain(const struct bt_record_turn *turn, const char *line, size_t length);

/* Appends the line of a turn, with its LF. */
void bt_record_turn_put(struct bt_str *out, const struct bt_record_turn *turn);

/* What a walk over the file found. */
struct bt_timeline_shape {
  uint64_t lines;     /* that are not empty */
  bool is_normal;     /* ends in LF (or is empty), holds no CR LF and no empty line: may be appended to in place */
  int64_t lines_end;  /* offset behind the last LF */
  bool has_open_line; /* something stands behind the last LF */
};

/* Calls `on_line` for every line that is not empty: offset in the file, line without its LF and CR. `is_open`: the file
 * ends without an LF here. Bytes from `from` to `to` are read. BT_IO when the file cannot be read, BT_TOO_LARGE for a
 * line over BT_TURN_LINE_MAX, BT_NOMEM, or the first failure of `on_line`. `shape` may be NULL. */
enum bt_code bt_timeline_walk(int fd, int64_t from, int64_t to,
                              enum bt_code (*on_line)(void *context, const char *line, size_t length, int64_t offset,
                                                      bool is_open, struct bt_error *err),
                              void *context, struct bt_timeline_shape *shape, struct bt_error *err) BT_NODISCARD;

#endif
