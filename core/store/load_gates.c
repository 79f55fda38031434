/* core/store/load_gates.c - what enforces the denies on this host, and who is supervised (spec/context-handoff.md A.1). */
#include "core/base/arena.h"
#include "core/harness/wiring.h"
#include "core/store/loading.h"
#include "core/store/supervised.h"

/* The words for what was found in one harness's settings. `*why` NULL: out of memory, or nothing is wired: then a plugin
 * might still, and what is said about it is not for this file. */
static void word_gate(struct bt_arena *arena, enum bt_hook_harness harness, bool on, struct bt_gate_state *gate) {
  const char *file = gate->wiring.file != NULL ? gate->wiring.file : "?";
  switch (gate->wiring.state) {
  case BT_WIRING_WIRED:
    gate->in_force = !on ? "no" : harness == BT_HOOK_CODEX ? "unknown" : "yes";
    if (!on)
      gate->why = bt_arena_printf(arena, "baton's hook is wired in %s but off: " BT_GATE_SWITCH " is not 1 here", file);
    else if (harness == BT_HOOK_CODEX)
      gate->why =
          bt_arena_printf(arena, "baton's hook is wired in %s and on; whether Codex trusts it cannot be seen", file);
    else
      gate->why = bt_arena_printf(arena, "by baton's hook, wired in %s; " BT_GATE_SWITCH " is 1 here", file);
    break;
  case BT_WIRING_OUTDATED:
    gate->in_force = "unknown";
    gate->why =
        bt_arena_printf(arena, "another baton, or one wired differently, is in %s; see baton hook status", file);
    break;
  case BT_WIRING_FOREIGN:
    gate->in_force = "unknown";
    gate->why = bt_arena_printf(
        arena, "not by baton's hook; another program's is wired in %s, and whether it is a gate cannot be told", file);
    break;
  case BT_WIRING_UNREADABLE:
    gate->in_force = "unknown";
    gate->why = bt_arena_printf(arena, "%s cannot be read", file);
    break;
  default:
    if (gate->wiring.note == NULL)
      break;
    gate->in_force = "no";
    gate->why = bt_arena_printf(arena, "baton's hook is in %s, but %s", file, gate->wiring.note);
    break;
  }
}

static enum bt_code load_gate(struct bt_loading *load, enum bt_hook_harness harness, struct bt_gate_state *gate) {
  enum bt_code code = bt_wiring_load(load->env, harness, load->arena, &gate->wiring, load->err);
  if (code == BT_OK)
    word_gate(load->arena, harness, load->snapshot->deny_switch_on, gate);
  return code == BT_OK && gate->in_force != NULL && gate->why == NULL ? bt_loading_no_memory(load) : code;
}

enum bt_code bt_load_gates(struct bt_loading *load) {
  struct bt_snapshot *snapshot = load->snapshot;
  enum bt_code code = load_gate(load, BT_HOOK_CLAUDE, &snapshot->claude_gate);
  if (code == BT_OK)
    code = load_gate(load, BT_HOOK_CODEX, &snapshot->codex_gate);
  if (code == BT_OK)
    code = bt_supervised_load(load->env, load->arena, &snapshot->supervised, &snapshot->supervised_count, load->err);
  return code;
}
