/* core/harness/wiring.c - the switch. */
#include "core/harness/wiring.h"

#include "core/base/str.h"

bool bt_gate_is_on(const struct bt_env *env) {
  const char *value = env->getenv_fn != NULL ? env->getenv_fn(env->getenv_context, BT_GATE_SWITCH) : NULL;
  return bt_text_equals(value, "1");
}
