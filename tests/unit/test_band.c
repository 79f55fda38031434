/* tests/unit/test_band.c - bands at their edges, malformed signals, nags. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/json.h"
#include "core/model/band.h"
#include "core/model/thresholds.h"
#include "tests/support/gate_box.h"
#include "tests/support/inputs.h"
#include "tests/support/nag.h"

static void expect(const char *observed, int warn, int handoff, int hard) {
  struct bt_json *json = observed ? gate_json(observed) : NULL;
  struct bt_signals signals = signals_of_json(json);
  struct bt_bands bands = bt_bands_of(&signals);
  assert_int_equal(bands.warn, warn);
  assert_int_equal(bands.handoff, handoff);
  assert_int_equal(bands.hard, hard);
  assert_int_equal(bt_bands_deny_active(bands), handoff || hard);
  bt_json_free(json);
}

static void edges_are_inclusive(void **state) {
  (void)state;
  expect("{'pct':49.999}", 0, 0, 0);
  expect("{'pct':50}", 1, 0, 0);
  expect("{'pct':60}", 1, 1, 0);
  expect("{'pct':80}", 1, 1, 1);
  expect("{'pct':100}", 1, 1, 1);
  expect("{'depth':19.5}", 0, 0, 0);
  expect("{'depth':30}", 1, 1, 0);
  expect("{'bytes':131071}", 0, 0, 0);
  expect("{'bytes':262144}", 1, 1, 1);
  expect("{'pct':50,'depth':30}", 1, 1, 0);
}

static void malformed_signals_fail_closed(void **state) {
  (void)state;
  expect("{'pct':100.0001}", 1, 1, 1);
  expect("{'pct':-1}", 1, 1, 1);
  expect("{'pct':-0.0}", 0, 0, 0);
  expect("{'depth':1e999}", 1, 1, 1);
  expect("{'depth':'12'}", 1, 1, 1);
  expect("{'bytes':true}", 1, 1, 1);
  expect("{'bytes':[]}", 1, 1, 1);
  expect("null", 1, 1, 1);
  expect("[]", 1, 1, 1);
  expect("7", 1, 1, 1);
  expect("'x'", 1, 1, 1);
}

static void absent_signals_say_nothing(void **state) {
  (void)state;
  expect(NULL, 0, 0, 0);
  expect("{}", 0, 0, 0);
  expect("{'pct':null,'floor':99,'PCT':99}", 0, 0, 0);
}

static void remaining(void **state) {
  (void)state;
  double left = 9;
  struct bt_signals none = {0};
  assert_false(remaining_to_hard(&none, &left));
  struct bt_signals two = {.pct = bt_signal_number(40), .depth = bt_signal_number(50)};
  assert_true(remaining_to_hard(&two, &left));
  assert_true(left == -0.25);
  struct bt_signals odd = {.pct = bt_signal_number(101), .depth = bt_signal_number(1)};
  assert_true(remaining_to_hard(&odd, &left));
  assert_true(left == 0);
  struct bt_signals malformed = {.malformed = true};
  assert_true(remaining_to_hard(&malformed, &left));
  assert_true(left == 0);
}

static void nags(void **state) {
  (void)state;
  enum nag_reason reason;
  struct nag_options options = nag_defaults();
  assert_true(nag_suppressed(&options, &reason));
  assert_int_equal(reason, NAG_COOLDOWN);
  options.tools_since_resume = BT_HANDOFF_COOLDOWN_TOOLS;
  assert_false(nag_suppressed(&options, &reason));
  assert_int_equal(reason, NAG_ALLOWED);
  options.floor.pct = bt_signal_number(60); /* exactly a quarter is left */
  assert_false(nag_suppressed(&options, NULL));
  options.floor.pct = bt_signal_number(60.1);
  assert_true(nag_suppressed(&options, &reason));
  assert_int_equal(reason, NAG_NEAR_HARD);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edges_are_inclusive), cmocka_unit_test(malformed_signals_fail_closed),
      cmocka_unit_test(absent_signals_say_nothing), cmocka_unit_test(remaining), cmocka_unit_test(nags)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
