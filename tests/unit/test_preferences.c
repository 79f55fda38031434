/* tests/unit/test_preferences.c - how the list was looked at last is remembered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/ops/preferences.h"
#include "tests/support/fixture.h"

static void the_order_is_remembered(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  struct bt_str order;
  bool reversed;
  bt_str_init(&order, 64);
  bt_preferences_order(&fixture->env, &order, &reversed);
  assert_int_equal(order.length, 0);
  assert_int_equal(bt_preferences_keep_order(&fixture->env, "age", true, NULL), BT_OK);
  bt_preferences_order(&fixture->env, &order, &reversed);
  assert_string_equal(order.data, "age");
  assert_true(reversed);
  assert_int_equal(bt_preferences_keep_order(&fixture->env, "triage", false, NULL), BT_OK);
  bt_preferences_order(&fixture->env, &order, &reversed);
  assert_string_equal(order.data, "triage");
  assert_false(reversed);
  bt_str_dispose(&order);
  fixture_free(fixture);
}

static void what_is_no_preference_is_none(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  struct bt_str word;
  bool reversed = true;
  bt_str_init(&word, 64);
  assert_int_equal(bt_preferences_keep_order(&fixture->env, "", false, NULL), BT_OK);
  bt_preferences_order(&fixture->env, &word, &reversed);
  assert_int_equal(word.length, 0);
  assert_false(reversed);
  assert_int_equal(bt_preferences_keep_preview(&fixture->env, "right", NULL), BT_OK);
  fixture->env.readonly = true;
  assert_int_equal(bt_preferences_keep_order(&fixture->env, "age", true, NULL), BT_READONLY);
  bt_preferences_order(&fixture->env, &word, &reversed);
  assert_int_equal(word.length, 0);
  bt_preferences_preview(&fixture->env, &word);
  assert_string_equal(word.data, "right");
  bt_str_dispose(&word);
  fixture_free(fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_order_is_remembered),
                                     cmocka_unit_test(what_is_no_preference_is_none)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
