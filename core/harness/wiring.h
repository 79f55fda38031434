/* core/harness/wiring.h - is a gate wired into a harness, whose is it, and is it switched on here?
 *
 * Reads the harnesses' own settings; never writes them (core/hook/settings_write.c does). A program cannot see whether
 * Codex was told to trust a hook. Rules: spec/context-handoff.md A.1, A.4. */
#ifndef BATON_CORE_HARNESS_WIRING_H
#define BATON_CORE_HARNESS_WIRING_H

#include <stdbool.h>

#include "core/env.h"

/* The environment's opt-in: exactly "1". No file can set it. */
#define BT_GATE_SWITCH "ADLC_CONTEXT_ROT_HANDOFF_ENABLED"
bool bt_gate_is_on(const struct bt_env *env);

#endif
