/* tui/edit.c - insert, erase and move in a struct bt_field. */
#include "tui/edit.h"

#include <string.h>

#include "core/base/str.h"
#include "core/base/utf8.h"
#include "keymaps/key.h"

void edit_clear(struct bt_field *field) {
  field->text[0] = '\0';
  field->length = field->cursor = 0;
}

static bool insert(struct bt_field *field, const char *bytes, size_t length) {
  if (length == 0 || length > sizeof(field->text) - 1 - field->length)
    return false;
  memmove(field->text + field->cursor + length, field->text + field->cursor, field->length - field->cursor + 1);
  memcpy(field->text + field->cursor, bytes, length);
  field->length += length;
  field->cursor += length;
  return true;
}

bool edit_type(struct bt_field *field, uint32_t code_point) {
  if (!bt_key_printable(code_point))
    return false;
  struct bt_str bytes;
  bt_str_init(&bytes, 8);
  bt_utf8_put(&bytes, code_point);
  bool fits = !bytes.failed && insert(field, bytes.data, bytes.length);
  bt_str_dispose(&bytes);
  return fits;
}

bool edit_paste(struct bt_field *field, const char *text, size_t length) {
  bool changed = false, gap = false;
  for (size_t at = 0; at < length;) {
    uint32_t code_point = bt_utf8_next(text, length, &at);
    if (!bt_key_printable(code_point)) {
      gap = true;
      continue;
    }
    if (gap && field->cursor > 0 && !edit_type(field, ' '))
      break;
    gap = false;
    if (!edit_type(field, code_point))
      break;
    changed = true;
  }
  return changed;
}

void edit_set(struct bt_field *field, const char *text) {
  edit_clear(field);
  if (text)
    (void)edit_paste(field, text, strlen(text));
}

/* Start of the cluster that ends at the cursor. */
static size_t cluster_before(const struct bt_field *field) {
  size_t start = 0;
  for (size_t at = 0; at < field->cursor;) {
    struct bt_cluster cluster;
    bt_cluster_next(&cluster, field->text + at, field->length - at, false);
    start = at;
    at += cluster.consumed;
  }
  return start;
}

static size_t cluster_after(const struct bt_field *field) {
  if (field->cursor == field->length)
    return field->cursor;
  struct bt_cluster cluster;
  bt_cluster_next(&cluster, field->text + field->cursor, field->length - field->cursor, false);
  size_t after = field->cursor + cluster.consumed;
  return after > field->length ? field->length : after;
}

static size_t word_before(const struct bt_field *field) {
  size_t at = field->cursor;
  while (at > 0 && field->text[at - 1] == ' ')
    at--;
  while (at > 0 && field->text[at - 1] != ' ')
    at--;
  return at;
}

static void erase_back_to(struct bt_field *field, size_t start) {
  memmove(field->text + start, field->text + field->cursor, field->length - field->cursor + 1);
  field->length -= field->cursor - start;
  field->cursor = start;
}

bool edit_act(struct bt_field *field, enum bt_action action) {
  size_t length = field->length, cursor = field->cursor;
  switch (action) {
  case BT_ACTION_ERASE:
    erase_back_to(field, cluster_before(field));
    break;
  case BT_ACTION_ERASE_WORD:
    erase_back_to(field, word_before(field));
    break;
  case BT_ACTION_ERASE_ALL:
    erase_back_to(field, 0);
    break;
  case BT_ACTION_CURSOR_LEFT:
    field->cursor = cluster_before(field);
    break;
  case BT_ACTION_CURSOR_RIGHT:
    field->cursor = cluster_after(field);
    break;
  case BT_ACTION_CURSOR_START:
    field->cursor = 0;
    break;
  case BT_ACTION_CURSOR_END:
    field->cursor = field->length;
    break;
  default:
    return false;
  }
  return length != field->length || cursor != field->cursor;
}
