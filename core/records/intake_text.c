/* core/records/intake_text.c - a text with role markers (intake.h; spec 6.2). */
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "core/base/utf8.h"
#include "core/records/intake.h"
#include "core/records/printed.h"

struct bt_marked {
  const struct bt_intake_ops *ops;
  void *context;
  uint64_t started; /* turns begun so far */
  bool is_open;
  enum bt_class class_;
  struct bt_str text; /* of the open turn, internal text */
  struct bt_str line; /* the line at hand, internal text */
  struct bt_str printed;
};

static const struct role {
  const char *word;
  enum bt_class class_;
} roles[] = {{"user", BT_CLASS_USER}, {"human", BT_CLASS_USER},   {"assistant", BT_CLASS_AGENT},
             {"ai", BT_CLASS_AGENT},  {"system", BT_CLASS_OTHER}, {"tool", BT_CLASS_TOOL}};

struct bt_marked *bt_marked_new(const struct bt_intake_ops *ops, void *context) {
  struct bt_marked *marked = calloc(1, sizeof *marked);
  if (marked == NULL)
    return NULL;
  marked->ops = ops;
  marked->context = context;
  bt_str_init(&marked->text, BT_TURN_LINE_MAX);
  bt_str_init(&marked->line, BT_TURN_LINE_MAX);
  bt_str_init(&marked->printed, BT_TURN_LINE_MAX);
  return marked;
}

void bt_marked_free(struct bt_marked *marked) {
  if (marked == NULL)
    return;
  bt_str_dispose(&marked->text);
  bt_str_dispose(&marked->line);
  bt_str_dispose(&marked->printed);
  free(marked);
}

static size_t skip_space(struct bt_slice line, size_t at) {
  while (at < line.length) {
    size_t next = at;
    if (!bt_is_w(bt_utf8_next(line.data, line.length, &next)))
      break;
    at = next;
  }
  return at;
}

static const struct role *role_at(struct bt_slice line, size_t *at) {
  for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
    size_t length = strlen(roles[i].word), n = 0;
    while (n < length && *at + n < line.length &&
           (line.data[*at + n] >= 'A' && line.data[*at + n] <= 'Z' ? line.data[*at + n] + 32 : line.data[*at + n]) ==
               roles[i].word[n])
      n++;
    size_t behind = skip_space(line, *at + n);
    if (n == length && behind < line.length && (line.data[behind] == ':' || line.data[behind] == '>')) {
      *at = behind + 1;
      return &roles[i];
    }
  }
  return NULL;
}

static bool has_line_stop(struct bt_slice rest) {
  for (size_t at = 0; at < rest.length;) {
    uint32_t c = bt_utf8_next(rest.data, rest.length, &at);
    if (c == '\r' || c == 0x2028 || c == 0x2029)
      return true;
  }
  return false;
}

/* white space* #* white space* ROLE white space* (: or >) white space* REST */
static const struct role *marker_of(struct bt_slice line, struct bt_slice *rest) {
  size_t at = skip_space(line, 0);
  while (at < line.length && line.data[at] == '#')
    at++;
  at = skip_space(line, at);
  const struct role *role = role_at(line, &at);
  if (role == NULL)
    return NULL;
  at = skip_space(line, at);
  *rest = (struct bt_slice){line.data + at, line.length - at};
  return has_line_stop(*rest) ? NULL : role;
}

static enum bt_code out_of_room(const struct bt_str *str, struct bt_error *err) {
  bool full = str->ceiling - str->length < 4096;
  return bt_error_set(err, full ? BT_TOO_LARGE : BT_NOMEM, "", full ? "a turn is over 1 GiB" : "out of memory");
}

static enum bt_code close_turn(struct bt_marked *marked, struct bt_error *err) {
  char digits[BT_NUMBER_TEXT];
  bool wanted = false;
  if (!marked->is_open)
    return BT_OK;
  marked->is_open = false;
  if (marked->text.failed)
    return out_of_room(&marked->text, err);
  if (bt_is_blank_w(marked->text.data, marked->text.length))
    return BT_OK;
  double seq = (double)(marked->started - 1);
  enum bt_code code = marked->ops->on_seq(marked->context, seq, &wanted, err);
  if (code != BT_OK || !wanted)
    return code;
  bt_str_clear(&marked->printed);
  bt_printed_put(&marked->printed, marked->text.data, marked->text.length);
  if (marked->printed.failed)
    return out_of_room(&marked->printed, err);
  struct bt_record_turn turn = {.seq = {digits, bt_double_to_text(digits, seq)},
                                .ts = {"\"\"", 2},
                                .class_word = bt_slice_of(bt_class_word(marked->class_)),
                                .text = {marked->printed.data, marked->printed.length},
                                .class_ = marked->class_};
  return marked->ops->on_turn(marked->context, seq, &turn, err);
}

enum bt_code bt_marked_line(struct bt_marked *marked, const char *line, size_t length, struct bt_error *err) {
  struct bt_slice rest;
  bt_str_clear(&marked->line);
  bt_utf8_decode8(&marked->line, line, length);
  if (marked->line.failed)
    return out_of_room(&marked->line, err);
  struct bt_slice text = {marked->line.data, marked->line.length};
  const struct role *role = marker_of(text, &rest);
  if (role == NULL) {
    if (marked->is_open) {
      bt_str_putc(&marked->text, '\n');
      bt_str_append(&marked->text, text.data, text.length);
    }
    return BT_OK;
  }
  enum bt_code code = close_turn(marked, err);
  marked->is_open = true;
  marked->class_ = role->class_;
  marked->started++;
  bt_str_clear(&marked->text);
  bt_str_append(&marked->text, rest.data, rest.length);
  return code;
}

enum bt_code bt_marked_end(struct bt_marked *marked, struct bt_error *err) {
  return close_turn(marked, err);
}
