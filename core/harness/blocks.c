/* core/harness/blocks.c - see blocks.h. */
#include "core/harness/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"
#include "core/harness/take.h"

#define TEXT_MAX ((size_t)256 << 20)

/* The token that holds an element's words, BT_TOKEN_NONE where it has none. */
static uint32_t words_of(const struct bt_tape *tape, uint32_t element) {
  if (bt_tape_type(tape, element) == BT_JSON_STRING)
    return element;
  uint32_t type = bt_tape_get(tape, element, "type");
  return type == BT_TOKEN_NONE || bt_tape_is(tape, type, "text") ? bt_tape_get(tape, element, "text") : BT_TOKEN_NONE;
}

bool bt_blocks_text(const struct bt_tape *tape, uint32_t content,
                    bool (*wanted)(const struct bt_tape *tape, uint32_t part), char **text) {
  struct bt_str joined;
  bt_str_init(&joined, TEXT_MAX);
  if (bt_tape_type(tape, content) == BT_JSON_ARRAY) {
    for (uint32_t at = bt_tape_first(tape, content); at != BT_TOKEN_NONE; at = bt_tape_next(tape, content, at)) {
      if (wanted && !wanted(tape, at))
        continue;
      size_t before = joined.length;
      if (before)
        bt_str_putc(&joined, '\n');
      size_t from = joined.length;
      bt_take_text(tape, words_of(tape, at), &joined);
      if (bt_is_blank_w(joined.data + from, joined.length - from))
        bt_str_truncate(&joined, before);
    }
  } else {
    bt_take_text(tape, words_of(tape, content), &joined);
  }
  struct bt_slice trimmed = bt_trim_w(joined.data, joined.length);
  bool ok = !joined.failed && (trimmed.length == 0 || bt_take_slice(trimmed, text));
  bt_str_dispose(&joined);
  return ok;
}

bool bt_blocks_is_text(const struct bt_tape *tape, uint32_t part) {
  return bt_tape_is(tape, bt_tape_get(tape, part, "type"), "text");
}

bool bt_blocks_add_call(struct bt_turn *turn, const struct bt_tape *tape, uint32_t id, uint32_t name, bool pending) {
  struct bt_str text;
  bt_str_init(&text, TEXT_MAX);
  bt_take_text(tape, name, &text);
  bool ok =
      !text.failed && bt_turn_add_call(turn, bt_take_id(tape, id), (struct bt_slice){text.data, text.length}, pending);
  bt_str_dispose(&text);
  return ok;
}
