/* core/records/turn.c - a line of the timeline as a turn, and a turn as a line (timeline.h). */
#include <math.h>
#include <string.h>

#include "core/base/json.h"
#include "core/records/printed.h"
#include "core/records/timeline.h"

void bt_record_reader_init(struct bt_record_reader *reader) {
  bt_tape_init(&reader->tape);
  bt_str_init(&reader->seq, BT_TURN_LINE_MAX);
  bt_str_init(&reader->ts, BT_TURN_LINE_MAX);
  bt_str_init(&reader->class_word, BT_TURN_LINE_MAX);
  bt_str_init(&reader->text, BT_TURN_LINE_MAX);
}

void bt_record_reader_dispose(struct bt_record_reader *reader) {
  bt_tape_dispose(&reader->tape);
  bt_str_dispose(&reader->seq);
  bt_str_dispose(&reader->ts);
  bt_str_dispose(&reader->class_word);
  bt_str_dispose(&reader->text);
}

/* Digits that print as they stand: an integer that every double holds exactly. */
static bool is_plain_number(struct bt_slice raw) {
  if (raw.length > 15 || raw.length == 0)
    return false;
  for (size_t i = 0; i < raw.length; i++) {
    if (raw.data[i] < '0' || raw.data[i] > '9')
      return false;
  }
  return true;
}

/* A string with its quotes, where they stand around it already. */
static struct bt_slice quoted_of(const struct bt_tape *tape, uint32_t token, struct bt_str *scratch) {
  struct bt_slice raw = bt_tape_raw(tape, token);
  if (bt_printed_is(raw))
    return (struct bt_slice){raw.data - 1, raw.length + 2};
  struct bt_str text;
  bt_str_init(&text, scratch->ceiling);
  bt_tape_text(tape, token, &text);
  bt_str_clear(scratch);
  bt_json_print_string(scratch, text.data, text.length);
  scratch->failed = scratch->failed || text.failed;
  bt_str_dispose(&text);
  return (struct bt_slice){scratch->data, scratch->length};
}

/* Any value in compact layout; {NULL, 0} for an absent one. */
static struct bt_slice value_of(const struct bt_tape *tape, uint32_t token, struct bt_str *scratch) {
  struct bt_slice raw = bt_tape_raw(tape, token);
  switch (bt_tape_type(tape, token)) {
  case BT_JSON_ABSENT:
    return (struct bt_slice){NULL, 0};
  case BT_JSON_STRING:
    return quoted_of(tape, token, scratch);
  case BT_JSON_NUMBER:
    if (is_plain_number(raw))
      return raw;
    break;
  case BT_JSON_NULL:
  case BT_JSON_TRUE:
  case BT_JSON_FALSE:
    return raw;
  default:
    break;
  }
  struct bt_json *tree = bt_json_parse(raw.data, raw.length, NULL);
  double number = 0;
  bt_str_clear(scratch);
  if (bt_json_number(tree, &number) && isinf(number))
    bt_str_puts(scratch, number < 0 ? "-" BT_TURN_INFINITE : BT_TURN_INFINITE);
  else
    bt_json_print_compact(scratch, tree);
  scratch->failed = scratch->failed || tree == NULL;
  bt_json_free(tree);
  return (struct bt_slice){scratch->data, scratch->length};
}

static enum bt_class class_of(struct bt_slice word) {
  for (int class_ = 0; class_ < BT_CLASS_UNKNOWN; class_++) {
    if (bt_slice_equals(word, bt_class_word((enum bt_class)class_)))
      return (enum bt_class)class_;
  }
  return BT_CLASS_UNKNOWN;
}

enum bt_code bt_record_turn_read(struct bt_record_reader *reader, const char *line, size_t length,
                                 struct bt_record_turn *turn) {
  struct bt_tape *tape = &reader->tape;
  enum bt_code code = bt_tape_parse(tape, line, length);
  if (code != BT_OK)
    return code == BT_NOMEM ? code : BT_CORRUPT;
  uint32_t class_word = bt_tape_get(tape, 0, "class"), text = bt_tape_get(tape, 0, "text");
  if (bt_tape_type(tape, class_word) != BT_JSON_STRING || bt_tape_type(tape, text) != BT_JSON_STRING)
    return BT_CORRUPT;
  *turn = (struct bt_record_turn){.seq = value_of(tape, bt_tape_get(tape, 0, "seq"), &reader->seq),
                                  .ts = value_of(tape, bt_tape_get(tape, 0, "ts"), &reader->ts),
                                  .class_word = bt_printed_of(tape, class_word, &reader->class_word),
                                  .text = bt_printed_of(tape, text, &reader->text)};
  turn->class_ = class_of(turn->class_word);
  bool failed = reader->seq.failed || reader->ts.failed || reader->class_word.failed || reader->text.failed;
  return failed ? BT_NOMEM : BT_OK;
}

static void put_slice(struct bt_str *out, struct bt_slice slice) {
  bt_str_append(out, slice.data, slice.length);
}

void bt_record_turn_put(struct bt_str *out, const struct bt_record_turn *turn) {
  bt_str_puts(out, "{\"seq\":");
  put_slice(out, turn->seq);
  bt_str_puts(out, ",\"ts\":");
  put_slice(out, turn->ts);
  bt_str_puts(out, ",\"class\":\"");
  put_slice(out, turn->class_word);
  bt_str_puts(out, "\",\"text\":\"");
  put_slice(out, turn->text);
  bt_str_puts(out, "\"}\n");
}

/* Steps over `expected`, or says that it does not stand there. */
static bool step(const char **at, const char *end, struct bt_slice expected) {
  if ((size_t)(end - *at) < expected.length || memcmp(*at, expected.data, expected.length) != 0)
    return false;
  *at += expected.length;
  return true;
}

bool bt_record_turn_is_plain(const struct bt_record_turn *turn, const char *line, size_t length) {
  const char *end = line + length;
  if (turn->seq.data == NULL || turn->ts.data == NULL)
    return false;
  return step(&line, end, bt_slice_of("{\"seq\":")) && step(&line, end, turn->seq) &&
         step(&line, end, bt_slice_of(",\"ts\":")) && step(&line, end, turn->ts) &&
         step(&line, end, bt_slice_of(",\"class\":\"")) && step(&line, end, turn->class_word) &&
         step(&line, end, bt_slice_of("\",\"text\":\"")) && step(&line, end, turn->text) &&
         step(&line, end, bt_slice_of("\"}")) && line == end;
}
