/* tests/unit/test_theme.c - what every theme must keep: words first, no black or white, the selection in reverse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tui/theme.h"

enum { BLACK = 0, RED = 1, GREEN = 2, BLUE = 4, WHITE = 7 };

static void test_names(void **state) {
  (void)state;
  enum theme theme = THEME_COUNT;
  static const char *const names[THEME_COUNT] = {
      [THEME_DARK] = "dark", [THEME_LIGHT] = "light", [THEME_CB] = "cb", [THEME_MONO] = "mono"};
  for (int i = 0; i < THEME_COUNT; i++) {
    assert_true(theme_parse(names[i], &theme));
    assert_int_equal(theme, i);
  }
  assert_false(theme_parse("solarized", &theme));
  assert_false(theme_parse("", &theme));
}

/* Readable whatever the background: never its own colour, and the selection is reverse video. */
static void test_every_theme(void **state) {
  (void)state;
  const int colours[] = {0, 2, 8, 16, 88, 256, 65536};
  for (int theme = 0; theme < THEME_COUNT; theme++)
    for (size_t i = 0; i < sizeof(colours) / sizeof(colours[0]); i++)
      for (int role = 0; role < BT_ROLE_COUNT; role++) {
        struct theme_look look = theme_look((enum theme)theme, (enum bt_role)role, colours[i]);
        assert_int_not_equal(look.colour, BLACK);
        assert_int_not_equal(look.colour, WHITE);
        assert_true(look.colour < (colours[i] < 8 ? 0 : colours[i]));
        if (theme == THEME_MONO)
          assert_int_equal(look.colour, THEME_PLAIN);
      }
  for (int theme = 0; theme < THEME_COUNT; theme++) {
    assert_true(theme_look((enum theme)theme, BT_ROLE_SELECTION, 8).reverse);
    assert_true(theme_look((enum theme)theme, BT_ROLE_BUTTON_FOCUSED, 0).reverse);
    assert_true(theme_look((enum theme)theme, BT_ROLE_TAMPERED, 256).reverse);
    assert_false(theme_look((enum theme)theme, (enum bt_role)BT_ROLE_COUNT, 8).bold);
  }
}

/* Orange and blue, and green nowhere. */
static void test_colour_blind(void **state) {
  (void)state;
  for (int role = 0; role < BT_ROLE_COUNT; role++)
    assert_int_not_equal(theme_look(THEME_CB, (enum bt_role)role, 256).colour, GREEN);
  assert_int_equal(theme_look(THEME_CB, BT_ROLE_VERIFIED, 256).colour, BLUE);
  assert_int_equal(theme_look(THEME_CB, BT_ROLE_STATE_BLOCKED, 256).colour, 208);
  assert_int_equal(theme_look(THEME_CB, BT_ROLE_STATE_BLOCKED, 8).colour, RED);
  assert_true(theme_look(THEME_CB, BT_ROLE_BAD, 8).bold);
}

/* On white, yellow cannot be read. */
static void test_light(void **state) {
  (void)state;
  for (int role = 0; role < BT_ROLE_COUNT; role++) {
    assert_int_not_equal(theme_look(THEME_LIGHT, (enum bt_role)role, 256).colour, 3);
    assert_int_not_equal(theme_look(THEME_LIGHT, (enum bt_role)role, 8).colour, 3);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_every_theme),
      cmocka_unit_test(test_colour_blind),
      cmocka_unit_test(test_light),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
