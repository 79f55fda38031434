/* tests/vectors/area_bands.c - context bands, nags and what makes a deny active. */
#include "core/model/band.h"
#include "tests/support/inputs.h"
#include "tests/support/nag.h"
#include "tests/vectors/support.h"

static bool expect_bands(const struct vec_case *vec) {
  const struct bt_json *want = bt_json_get(vec->expected, "bands");
  struct bt_signals signals = signals_of_json(bt_json_get(vec->input, "observed"));
  struct bt_bands bands = bt_bands_of(&signals);
  bool ok = vec_expect_bool(vec, "warn", vec_get_bool(want, "warn", false), bands.warn);
  ok = vec_expect_bool(vec, "handoff", vec_get_bool(want, "handoff", false), bands.handoff) && ok;
  ok = vec_expect_bool(vec, "hard", vec_get_bool(want, "hard", false), bands.hard) && ok;
  ok = vec_expect_bool(vec, "hard_degraded", vec_get_bool(vec->expected, "hard_degraded", false), bands.hard) && ok;
  ok = vec_expect_bool(vec, "deny_active", vec_get_bool(vec->expected, "deny_active", false),
                       bt_bands_deny_active(bands)) &&
       ok;
  double wanted = 0, remaining = 0;
  bool known = remaining_to_hard(&signals, &remaining);
  const struct bt_json *expected = bt_json_get(vec->expected, "remaining_to_hard");
  ok = vec_expect_bool(vec, "remaining_to_hard known", !bt_json_is_nullish(expected), known) && ok;
  if (known && bt_json_number(expected, &wanted))
    ok = vec_expect_number(vec, "remaining_to_hard", wanted, remaining) && ok;
  return ok;
}

/* An option that is given: null and the truth values count as the numbers that the recorded program makes of them. */
static void take_option(const struct bt_json *given, const char *key, double *option) {
  const struct bt_json *value = bt_json_get(given, key);
  bool truth;
  if (bt_json_type(value) == BT_JSON_NULL)
    *option = 0;
  else if (bt_json_get_bool(given, key, &truth))
    *option = truth;
  else
    (void)bt_json_number(value, option);
}

static bool expect_nag(const struct vec_case *vec) {
  static const char *const words[] = {
      [NAG_NEAR_HARD] = "near_hard", [NAG_COOLDOWN] = "cooldown", [NAG_ALLOWED] = "allowed"};
  const struct bt_json *given = bt_json_get(vec->input, "options");
  struct nag_options options = nag_defaults();
  options.floor = signals_of_json(bt_json_get(given, "floor"));
  take_option(given, "minRemaining", &options.min_remaining);
  take_option(given, "toolsSinceResume", &options.tools_since_resume);
  take_option(given, "cooldownTools", &options.cooldown_tools);
  enum nag_reason reason;
  bool suppressed = nag_suppressed(&options, &reason);
  bool ok = vec_expect_bool(vec, "suppress_nags", vec_get_bool(vec->expected, "suppress_nags", false), suppressed);
  return vec_expect_text(vec, "reason_class", bt_json_get_string(vec->expected, "reason_class"), words[reason]) && ok;
}

static bool expect_deny_active(const struct vec_case *vec) {
  const struct bt_json *given = bt_json_get(vec->input, "bands");
  struct bt_bands bands = {vec_get_bool(given, "warn", false), vec_get_bool(given, "handoff", false),
                           vec_get_bool(given, "hard", false)};
  return vec_expect_bool(vec, "deny_active", vec_get_bool(vec->expected, "deny_active", false),
                         bt_bands_deny_active(bands));
}

enum vec_result vec_run_bands(const struct vec_case *vec) {
  const char *op = bt_json_get_string(vec->input, "op");
  if (bt_text_equals(op, "bands"))
    return expect_bands(vec) ? VEC_PASS : VEC_FAIL;
  if (bt_text_equals(op, "nag"))
    return expect_nag(vec) ? VEC_PASS : VEC_FAIL;
  if (bt_text_equals(op, "deny_active"))
    return expect_deny_active(vec) ? VEC_PASS : VEC_FAIL;
  return vec_fail(vec, "unknown op");
}
