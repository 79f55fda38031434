/* core/harness/wiring.h - is a gate wired into a harness, whose is it, and is it switched on here?
 *
 * Knows the settings files of the harnesses and what baton's own entries in them look like. Reads; never writes them
 * (core/hook/settings_write.c does). A program cannot see whether Codex was told to trust a hook.
 * Rules: spec/context-handoff.md A.1, A.4. */
#ifndef BATON_CORE_HARNESS_WIRING_H
#define BATON_CORE_HARNESS_WIRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/base/tape.h"
#include "core/env.h"
#include "core/model/wiring.h"

struct bt_arena;

/* The environment's opt-in: exactly "1". No file can set it. */
#define BT_GATE_SWITCH "ADLC_CONTEXT_ROT_HANDOFF_ENABLED"
bool bt_gate_is_on(const struct bt_env *env);

enum bt_hook_harness { BT_HOOK_ANY /* not said */, BT_HOOK_CLAUDE, BT_HOOK_CODEX };
const char *bt_hook_harness_word(enum bt_hook_harness harness); /* "claude-code", "codex"; NULL for any */
bool bt_hook_harness_of_word(const char *word, enum bt_hook_harness *harness);

#define BT_SETTINGS_MAX ((size_t)4 * 1024 * 1024)

/* Appends the settings file of the user, or of the project at env->root (Claude Code only; `local`: the one that is not
 * committed). False when there is none to name. Look at out->failed. */
enum bt_settings_scope { BT_SETTINGS_USER, BT_SETTINGS_PROJECT, BT_SETTINGS_LOCAL };
bool bt_settings_path(struct bt_str *out, const struct bt_env *env, enum bt_hook_harness harness,
                      enum bt_settings_scope scope);

/* What baton puts under one event: {matcher, hooks: [{type, command, timeout}]}. */
#define BT_WIRING_ENTRIES 2
struct bt_wiring_entry {
  const char *event; /* PreToolUse, SessionStart */
  const char *word;  /* the subcommand of `baton hook` */
  const char *matcher;
  struct bt_str command; /* for a shell, internal text */
};
/* Look at command.failed of each; dispose of them in every case. `program`: absolute path of the executable. */
void bt_wiring_entries(struct bt_wiring_entry entries[BT_WIRING_ENTRIES], enum bt_hook_harness harness,
                       const char *program);
void bt_wiring_entries_dispose(struct bt_wiring_entry entries[BT_WIRING_ENTRIES]);
#define BT_WIRING_TIMEOUT_S 5 /* far beyond the gate's own budget; the harness's default is a minute */

/* Where a handler of baton's stands in a settings document. Tokens of the tape; keys are those of members. */
struct bt_wired_at {
  uint32_t hooks_key, list_key, group, handlers_key, handler;
  bool exact;  /* command and matcher are those of the entry */
  bool failed; /* memory was short: whose a handler is, is not known */
};
/* The first handler under the entry's event that calls `baton hook <word>`, an inexact one before an exact one. False when
 * there is none, and when it could not be said (look at at->failed). */
bool bt_wiring_find(const struct bt_tape *settings, const struct bt_wiring_entry *entry, struct bt_wired_at *at);

/* The state of one document; a `tape` without tokens is an absent file. UNREADABLE with *failed (which may be NULL) where
 * memory is short. */
enum bt_wiring_state bt_wiring_judge(const struct bt_tape *settings, const struct bt_wiring_entry *entries,
                                     bool *failed);

/* The state of one settings file; UNREADABLE for what is no JSON object. Wired hooks that are switched off as a whole, in
 * that file or in one nearer to the work, are UNWIRED, with a static note that says so. BT_NOMEM only. */
enum bt_code bt_wiring_read(const struct bt_env *env, enum bt_hook_harness harness, enum bt_settings_scope scope,
                            const struct bt_wiring_entry *entries, enum bt_wiring_state *state, const char **note,
                            struct bt_error *err) BT_NODISCARD;

/* All settings files of a harness that bear on env->root. Strings in `arena`. BT_NOMEM only. */
enum bt_code bt_wiring_load(const struct bt_env *env, enum bt_hook_harness harness, struct bt_arena *arena,
                            struct bt_wiring *out, struct bt_error *err) BT_NODISCARD;

#endif
