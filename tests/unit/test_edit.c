/* tests/unit/test_edit.c - one line of text: typing, pasting, erasing, and its limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tui/edit.h"

static void assert_field(const struct bt_field *field, const char *text, size_t cursor) {
  assert_string_equal(field->text, text);
  assert_int_equal(field->length, strlen(text));
  assert_int_equal(field->cursor, cursor);
}

static void test_typing_and_moving(void **state) {
  (void)state;
  struct bt_field field = {.length = 0};
  assert_true(edit_type(&field, 'b'));
  assert_true(edit_act(&field, BT_ACTION_CURSOR_START));
  assert_true(edit_type(&field, 'a'));
  assert_field(&field, "ab", 1);
  assert_true(edit_act(&field, BT_ACTION_CURSOR_END));
  assert_false(edit_act(&field, BT_ACTION_CURSOR_RIGHT));
  assert_true(edit_act(&field, BT_ACTION_CURSOR_LEFT));
  assert_true(edit_type(&field, 0xe9));
  assert_field(&field, "a\u00e9b", 3);
  assert_true(edit_act(&field, BT_ACTION_ERASE));
  assert_field(&field, "ab", 1);
  assert_false(edit_act(&field, BT_ACTION_QUIT));
}

static void test_clusters_are_whole(void **state) {
  (void)state;
  struct bt_field field = {.length = 0};
  edit_set(&field, "xe\u0301\u732b");
  assert_int_equal(field.cursor, field.length);
  assert_true(edit_act(&field, BT_ACTION_CURSOR_LEFT));
  assert_int_equal(field.cursor, strlen("xe\u0301"));
  assert_true(edit_act(&field, BT_ACTION_ERASE));
  assert_field(&field, "x\u732b", 1);
  assert_true(edit_act(&field, BT_ACTION_CURSOR_RIGHT));
  assert_int_equal(field.cursor, field.length);
}

static void test_erasing_words_and_all(void **state) {
  (void)state;
  struct bt_field field = {.length = 0};
  edit_set(&field, "one two  ");
  assert_true(edit_act(&field, BT_ACTION_ERASE_WORD));
  assert_field(&field, "one ", 4);
  edit_act(&field, BT_ACTION_CURSOR_LEFT);
  assert_true(edit_act(&field, BT_ACTION_ERASE_ALL));
  assert_field(&field, " ", 0);
  assert_false(edit_act(&field, BT_ACTION_ERASE));
  assert_false(edit_act(&field, BT_ACTION_ERASE_WORD));
}

static void test_what_never_gets_in(void **state) {
  (void)state;
  struct bt_field field = {.length = 0};
  const uint32_t keys[] = {0, 1, 0x1b, 0x7f, 0x9b, 0xd800, 0x110001};
  for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
    assert_false(edit_type(&field, keys[i]));
  const char paste[] = "\n\x1b[31ma\r\n\tb\xc0\x80"
                       "c\n";
  assert_true(edit_paste(&field, paste, sizeof(paste) - 1));
  assert_field(&field, "[31ma b c", 9);
  assert_false(edit_paste(&field, "\n\n", 2));
  edit_set(&field, NULL);
  assert_field(&field, "", 0);
}

static void test_a_full_field_takes_no_more(void **state) {
  (void)state;
  struct bt_field field = {.length = 0};
  for (size_t i = 0; i < BT_FIELD_BYTES - 2; i++)
    assert_true(edit_type(&field, 'a'));
  assert_false(edit_type(&field, 0xe9)); /* two bytes do not fit */
  assert_true(edit_type(&field, 'z'));
  assert_false(edit_type(&field, 'z'));
  assert_int_equal(field.length, BT_FIELD_BYTES - 1);
  assert_int_equal(strlen(field.text), field.length);
  edit_act(&field, BT_ACTION_CURSOR_START);
  assert_false(edit_paste(&field, "more", 4));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_typing_and_moving),          cmocka_unit_test(test_clusters_are_whole),
      cmocka_unit_test(test_erasing_words_and_all),      cmocka_unit_test(test_what_never_gets_in),
      cmocka_unit_test(test_a_full_field_takes_no_more),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
