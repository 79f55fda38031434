/* tests/unit/test_paste.c - a paste that never ends is over after a silence, and not before (dashboard.md row 46). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tui/paste.h"

static struct paste opened(int64_t now_ms) {
  struct paste paste = {.open = false};
  bt_str_init(&paste.text, 1024);
  paste_open(&paste, now_ms);
  return paste;
}

static void looking_often_does_not_put_the_end_off(void **state) {
  (void)state;
  struct paste paste = opened(1000);
  assert_int_equal(paste_patience(&paste, 1000), PASTE_SILENCE_MS);
  for (int64_t now = 2000; now < 1000 + PASTE_SILENCE_MS; now += 1000)
    assert_int_equal(paste_patience(&paste, now), PASTE_SILENCE_MS - (now - 1000));
  assert_int_equal(paste_patience(&paste, 1000 + PASTE_SILENCE_MS), 0);
  assert_int_equal(paste_patience(&paste, 900000), 0);
  bt_str_dispose(&paste.text);
}

static void each_character_begins_the_silence_anew(void **state) {
  (void)state;
  struct paste paste = opened(0);
  paste_take(&paste, 'a', 4000);
  paste_take(&paste, '\r', 8000);
  assert_int_equal(paste_patience(&paste, 12000), PASTE_SILENCE_MS - 4000);
  assert_string_equal(paste.text.data, "a\n");
  paste_open(&paste, 20000);
  assert_int_equal(paste.text.length, 0);
  bt_str_dispose(&paste.text);
}

static void no_paste_is_waited_for_without_end(void **state) {
  (void)state;
  struct paste paste = {.open = false};
  assert_int_equal(paste_patience(&paste, 5), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(looking_often_does_not_put_the_end_off),
      cmocka_unit_test(each_character_begins_the_silence_anew),
      cmocka_unit_test(no_paste_is_waited_for_without_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
