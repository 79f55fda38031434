/* keymaps/key.c - names of keys, both ways. */
#include "keymaps/key.h"

#include <stdio.h>
#include <string.h>

#include "core/base/str.h"
#include "core/base/utf8.h"

static const struct {
  const char *spelling;
  const char *label;
} named_keys[] = {
#define NAMED_KEY(name, spelling, label) {spelling, label},
    BT_KEYS(NAMED_KEY)
#undef NAMED_KEY
};
#define NAMED_KEY_COUNT (sizeof(named_keys) / sizeof(named_keys[0]))

static const char letters_with_own_name[] = "hijm[";

bool bt_key_printable(uint32_t key) {
  if (key < 0x20 || key >= BT_KEY_FIRST_NAMED)
    return false;
  return !(key >= 0x7f && key < 0xa0) && !(key >= 0xd800 && key <= 0xdfff);
}

static bool spelled(const char *name, size_t length, const char *spelling) {
  return length == strlen(spelling) && memcmp(name, spelling, length) == 0;
}

static bool parse_ctrl(const char *name, size_t length, uint32_t *key) {
  if (length != 5 || memcmp(name, "<C-", 3) != 0 || name[4] != '>')
    return false;
  char letter = name[3];
  if (letter >= 'A' && letter <= 'Z')
    letter = (char)(letter - 'A' + 'a');
  bool has_code = (letter >= 'a' && letter <= 'z') || letter == '\\' || letter == ']' || letter == '^' || letter == '_';
  if (!has_code || strchr(letters_with_own_name, letter))
    return false;
  *key = BT_KEY_CTRL(letter);
  return true;
}

static bool parse_meta(const char *name, size_t length, uint32_t *key) {
  if (length != 5 || memcmp(name, "<M-", 3) != 0 || name[4] != '>' || name[3] <= ' ' || name[3] >= 0x7f)
    return false;
  *key = BT_KEY_META | (uint32_t)name[3];
  return true;
}

static bool parse_character(const char *name, size_t length, uint32_t *key) {
  size_t at = 0;
  uint32_t code_point = bt_utf8_next(name, length, &at);
  if (at != length || !bt_key_printable(code_point) || code_point == 0xfffd)
    return false;
  *key = code_point;
  return true;
}

bool bt_key_parse(const char *name, size_t length, uint32_t *key) {
  if (length == 0)
    return false;
  for (size_t i = 0; i < NAMED_KEY_COUNT; i++)
    if (spelled(name, length, named_keys[i].spelling)) {
      *key = BT_KEY_FIRST_NAMED + 1 + (uint32_t)i;
      return true;
    }
  if (spelled(name, length, "<Space>")) {
    *key = BT_KEY_SPACE;
    return true;
  }
  if (spelled(name, length, "<lt>")) {
    *key = '<';
    return true;
  }
  return parse_ctrl(name, length, key) || parse_meta(name, length, key) || parse_character(name, length, key);
}

static void put_character(uint32_t key, char out[BT_KEY_NAME]) {
  struct bt_str text;
  bt_str_init(&text, BT_KEY_NAME - 1);
  bt_utf8_put(&text, key);
  snprintf(out, BT_KEY_NAME, "%s", text.data);
  bt_str_dispose(&text);
}

static void write_name(uint32_t key, char out[BT_KEY_NAME], bool for_people) {
  out[0] = '\0';
  if (key > BT_KEY_FIRST_NAMED && key < BT_KEY_END_OF_NAMED) {
    size_t index = key - BT_KEY_FIRST_NAMED - 1;
    snprintf(out, BT_KEY_NAME, "%s", for_people ? named_keys[index].label : named_keys[index].spelling);
  } else if (key == BT_KEY_SPACE) {
    snprintf(out, BT_KEY_NAME, "%s", for_people ? "space" : "<Space>");
  } else if (key == '<' && !for_people) {
    snprintf(out, BT_KEY_NAME, "<lt>");
  } else if (key > 0 && key < 0x20) {
    char letter = (char)(key + 0x40);
    if (letter >= 'A' && letter <= 'Z')
      letter = (char)(letter - 'A' + 'a');
    snprintf(out, BT_KEY_NAME, for_people ? "^%c" : "<C-%c>", letter);
  } else if (key & BT_KEY_META) {
    snprintf(out, BT_KEY_NAME, for_people ? "M-%c" : "<M-%c>", (char)(key & 0x7f));
  } else if (bt_key_printable(key)) {
    put_character(key, out);
  }
}

void bt_key_name(uint32_t key, char out[BT_KEY_NAME]) {
  write_name(key, out, false);
}

void bt_key_label(uint32_t key, char out[BT_KEY_NAME]) {
  write_name(key, out, true);
}
