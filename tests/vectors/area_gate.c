/* tests/vectors/area_gate.c - the mutation gate, its parts, and consuming a record. */
#include <stdlib.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/ops/marker.h"
#include "tests/support/inputs.h"
#include "tests/vectors/gate_support.h"

static bool expect_gate(const struct vec_case *vec) {
  const struct bt_json *options = bt_json_get(vec->input, "options");
  const struct bt_json *records = bt_json_get(options, "denyRecords");
  struct bt_gate_auth auth;
  bool has_auth = vec_gate_auth(bt_json_get(options, "resumeAuth"), &auth);
  struct bt_gate_input input = {
      .process_sticky = vec_get_bool(options, "processStickyDeny", false),
      .current_session_id = bt_json_get_string(options, "currentSessionId"),
      .records_are_list = records == NULL || bt_json_type(records) == BT_JSON_ARRAY,
      .auth = has_auth ? &auth : NULL,
      .bypass = bypass_of_json(bt_json_get(options, "bypassForSession")),
      .manifest_verify_failed = vec_get_bool(options, "manifestVerifyFailed", false),
      .store_unavailable = vec_get_bool(options, "denyStoreUnavailable", false),
  };
  const struct bt_json **list = vec_gate_records(records, &input.record_count);
  input.records = list;
  struct bt_reasons reasons = {.arena = bt_arena_new(VEC_TEXT_MAX)};
  bool deny = bt_gate_evaluate(&input, &reasons);
  bool ok = vec_expect_bool(vec, "deny", vec_get_bool(vec->expected, "deny", false), deny);
  ok = vec_expect_reasons(vec, bt_json_get(vec->expected, "reasons"), &reasons) && ok;
  bt_arena_free(reasons.arena);
  free(list);
  return ok;
}

static bool expect_authorized(const struct vec_case *vec) {
  const struct bt_json *options = bt_json_get(vec->input, "options");
  const char *session = bt_json_get_string(options, "currentSessionId");
  struct bt_gate_auth auth;
  bool has_auth = vec_gate_auth(bt_json_get(options, "resumeAuth"), &auth);
  struct bt_bypass_verdict grant =
      bt_bypass_normalise(bypass_of_json(bt_json_get(options, "bypassForSession")), session);
  bool authorized = bt_gate_authorized(bt_json_get(options, "record"), session, has_auth ? &auth : NULL, grant,
                                       vec_get_bool(options, "manifestVerifyFailed", false));
  return vec_expect_bool(vec, "authorized", vec_get_bool(vec->expected, "authorized", false), authorized);
}

static bool expect_normalised(const struct vec_case *vec) {
  struct bt_bypass_verdict verdict = bt_bypass_normalise(bypass_of_json(bt_json_get(vec->input, "grant")),
                                                         bt_json_get_string(vec->input, "current_session_id"));
  bool ok = vec_expect_bool(vec, "active", vec_get_bool(vec->expected, "active", false), verdict.active);
  ok = vec_expect_bool(vec, "allow_unbound", vec_get_bool(vec->expected, "allow_unbound", false),
                       verdict.allow_unbound) &&
       ok;
  return vec_expect_text(vec, "session_id", bt_json_get_string(vec->expected, "session_id"), verdict.session_id) && ok;
}

static bool expect_consumed(const struct vec_case *vec) {
  const struct bt_json *options = bt_json_get(vec->input, "options");
  struct bt_gate_auth auth;
  bool has_auth = vec_gate_auth(bt_json_get(options, "resumeAuth"), &auth);
  size_t length;
  const char *now = vec_get_text(vec->input, "now", &length);
  int64_t now_ms = 0;
  vec_require(now != NULL && bt_time_parse(now, length, &now_ms), "the clock of the case");
  struct bt_json *consumed = NULL;
  enum bt_code code = bt_marker_consume(bt_json_get(vec->input, "record"), bt_json_get_string(vec->input, "consumer"),
                                        has_auth ? &auth : NULL, vec_get_bool(options, "manifestVerifyFailed", false),
                                        now_ms, &consumed, NULL);
  bool ok = vec_expect_bool(vec, "ok", vec_get_bool(vec->expected, "ok", true), code == BT_OK);
  int64_t exit_code = 1; /* null in the case: none is set, which the command line turns into 1 */
  if (code != BT_OK) {
    (void)vec_get_int(vec->expected, "exit_code", &exit_code);
    ok = vec_expect_number(vec, "exit_code", (double)exit_code, bt_code_exit_status(code)) && ok;
  }
  if (bt_json_get(vec->expected, "record") != NULL)
    ok = vec_expect_json(vec, NULL, "record", bt_json_get(vec->expected, "record"), consumed) && ok;
  bt_json_free(consumed);
  return ok;
}

enum vec_result vec_run_gate(const struct vec_case *vec) {
  static const struct {
    const char *op;
    bool (*expect)(const struct vec_case *vec);
  } ops[] = {{"gate", expect_gate},
             {"authorized", expect_authorized},
             {"normalize_bypass", expect_normalised},
             {"consume", expect_consumed}};
  const char *op = bt_json_get_string(vec->input, "op");
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    if (bt_text_equals(op, ops[i].op))
      return ops[i].expect(vec) ? VEC_PASS : VEC_FAIL;
  return vec_fail(vec, "unknown op");
}
