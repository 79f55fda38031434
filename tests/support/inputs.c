/* tests/support/inputs.c - see inputs.h. */
#include "tests/support/inputs.h"

static struct bt_signal signal_of_json(const struct bt_json *value) {
  struct bt_signal signal = {.kind = BT_SIGNAL_ABSENT};
  if (bt_json_is_nullish(value))
    return signal;
  signal.kind = bt_json_number(value, &signal.value) ? BT_SIGNAL_NUMBER : BT_SIGNAL_MALFORMED;
  return signal;
}

struct bt_signals signals_of_json(const struct bt_json *observed) {
  struct bt_signals signals = {0};
  if (observed == NULL)
    return signals;
  if (bt_json_type(observed) != BT_JSON_OBJECT) {
    signals.malformed = true;
    return signals;
  }
  signals.pct = signal_of_json(bt_json_get(observed, "pct"));
  signals.depth = signal_of_json(bt_json_get(observed, "depth"));
  signals.bytes = signal_of_json(bt_json_get(observed, "bytes"));
  return signals;
}

struct bt_bypass bypass_of_json(const struct bt_json *grant) {
  switch (bt_json_type(grant)) {
  case BT_JSON_TRUE:
    return (struct bt_bypass){.kind = BT_BYPASS_TRUE};
  case BT_JSON_OBJECT: {
    const struct bt_json *session = bt_json_get(grant, "sessionId");
    struct bt_bypass bypass = {.kind = BT_BYPASS_OBJECT,
                               .session_id = bt_json_string(session),
                               .unbound_reason = bt_json_get_string(grant, "unboundReason")};
    if (bypass.session_id == NULL && !bt_json_is_nullish(session))
      bypass.session_id = ""; /* of another type: not absent, so the current session does not stand in */
    return bypass;
  }
  default:
    return (struct bt_bypass){.kind = BT_BYPASS_NONE};
  }
}
