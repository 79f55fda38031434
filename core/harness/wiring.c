/* core/harness/wiring.c - the switch, the settings files, and what stands in them. */
#include "core/harness/wiring.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/base/real_path.h"
#include "core/base/utf8.h"

#define PATH_BYTES ((size_t)65536)
#define COMMAND_BYTES ((size_t)65536)

bool bt_gate_is_on(const struct bt_env *env) {
  const char *value = env->getenv_fn != NULL ? env->getenv_fn(env->getenv_context, BT_GATE_SWITCH) : NULL;
  return bt_text_equals(value, "1");
}

const char *bt_hook_harness_word(enum bt_hook_harness harness) {
  return harness == BT_HOOK_CLAUDE ? "claude-code" : harness == BT_HOOK_CODEX ? "codex" : NULL;
}

bool bt_hook_harness_of_word(const char *word, enum bt_hook_harness *harness) {
  for (int i = BT_HOOK_CLAUDE; i <= BT_HOOK_CODEX; i++) {
    if (bt_text_equals(word, bt_hook_harness_word((enum bt_hook_harness)i))) {
      *harness = (enum bt_hook_harness)i;
      return true;
    }
  }
  return false;
}

bool bt_settings_path(struct bt_str *out, const struct bt_env *env, enum bt_hook_harness harness,
                      enum bt_settings_scope scope) {
  if (harness == BT_HOOK_CLAUDE && scope == BT_SETTINGS_USER) {
    if (env->claude_dir == NULL)
      return false;
    bt_str_printf(out, "%s/settings.json", env->claude_dir);
  } else if (harness == BT_HOOK_CLAUDE) {
    bt_str_printf(out, "%s/.claude/settings%s.json", strcmp(env->root, "/") == 0 ? "" : env->root,
                  scope == BT_SETTINGS_LOCAL ? ".local" : "");
  } else if (scope == BT_SETTINGS_USER) {
    const char *home = env->getenv_fn != NULL ? env->getenv_fn(env->getenv_context, "CODEX_HOME") : NULL;
    if (home != NULL && home[0] != '\0')
      bt_utf8_decode8(out, home, strlen(home));
    else
      bt_str_printf(out, "%s/.codex", env->home != NULL ? env->home : "");
    bt_str_puts(out, "/hooks.json");
  } else {
    return false;
  }
  return true;
}

/* ---- baton's own entries ---- */

/* Bare where a shell reads it as it is, else in quotes. */
static void put_word(struct bt_str *out, const char *text) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./=:@%+,-";
  if (text[0] != '\0' && strspn(text, plain) == strlen(text)) {
    bt_str_puts(out, text);
    return;
  }
  bt_str_putc(out, '\'');
  for (; *text != '\0'; text++) {
    if (*text == '\'')
      bt_str_puts(out, "'\\''");
    else
      bt_str_putc(out, *text);
  }
  bt_str_putc(out, '\'');
}

void bt_wiring_entries(struct bt_wiring_entry entries[BT_WIRING_ENTRIES], enum bt_hook_harness harness,
                       const char *program) {
  /* Codex has many names for its tools, and may get more: the gate itself tells which it judges. */
  entries[0] = (struct bt_wiring_entry){
      .event = "PreToolUse",
      .word = "pre-tool",
      .matcher = harness == BT_HOOK_CLAUDE ? "Edit|Write|MultiEdit|NotebookEdit|Bash|Shell" : "*"};
  entries[1] = (struct bt_wiring_entry){.event = "SessionStart", .word = "session-start", .matcher = "*"};
  for (size_t i = 0; i < BT_WIRING_ENTRIES; i++) {
    bt_str_init(&entries[i].command, COMMAND_BYTES);
    put_word(&entries[i].command, program);
    bt_str_printf(&entries[i].command, " hook %s --harness %s", entries[i].word, bt_hook_harness_word(harness));
  }
}

void bt_wiring_entries_dispose(struct bt_wiring_entry entries[BT_WIRING_ENTRIES]) {
  for (size_t i = 0; i < BT_WIRING_ENTRIES; i++)
    bt_str_dispose(&entries[i].command);
}

/* ---- files ---- */

/* Hooks may be switched off as a whole. */
static enum bt_json_type off_switch(const struct bt_tape *tape) {
  if (tape->count == 0 || bt_tape_type(tape, 0) != BT_JSON_OBJECT)
    return BT_JSON_NULL;
  uint32_t value = bt_tape_get(tape, 0, "disableAllHooks");
  return value != BT_TOKEN_NONE ? bt_tape_type(tape, value) : BT_JSON_NULL;
}

static enum bt_code read_text(const char *path, struct bt_str *text, struct bt_error *err) {
  struct bt_str bytes;
  bt_str_init(&bytes, PATH_BYTES);
  bt_utf8_encode8(&bytes, path, strlen(path));
  if (bytes.failed) {
    bt_str_dispose(&bytes);
    return bt_error_set(err, BT_NOMEM, path, "out of memory");
  }
  char *real = bt_real_path(bytes.data);
  bt_str_dispose(&bytes);
  if (real == NULL)
    return bt_error_set(err, BT_MISSING, path, "not there");
  char *slash = strrchr(real, '/');
  *slash = '\0';
  int dir = bt_fs_open_root(slash > real ? real : "/", err);
  enum bt_code code = dir >= 0 ? bt_fs_read_at(dir, slash + 1, text, err) : err->code == BT_NOMEM ? BT_NOMEM : BT_IO;
  if (dir >= 0)
    close(dir);
  free(real);
  return code;
}

/* An absent file is an empty tape. */
static enum bt_code parse_file(const char *path, struct bt_str *text, struct bt_tape *tape, struct bt_error *err) {
  struct bt_error problem = {0};
  enum bt_code code = read_text(path, text, &problem);
  if (code == BT_OK)
    code = bt_tape_parse(tape, text->data, text->length);
  if (code == BT_NOMEM)
    return bt_error_set(err, BT_NOMEM, path, "out of memory");
  return code == BT_MISSING ? BT_OK : code;
}

static enum bt_code read_scope(const struct bt_env *env, enum bt_hook_harness harness, enum bt_settings_scope scope,
                               struct bt_tape *tape, struct bt_str *text, struct bt_error *err) {
  struct bt_str path;
  bt_str_init(&path, PATH_BYTES);
  enum bt_code code = BT_OK;
  if (bt_settings_path(&path, env, harness, scope))
    code =
        path.failed ? bt_error_set(err, BT_NOMEM, "settings", "out of memory") : parse_file(path.data, text, tape, err);
  bt_str_dispose(&path);
  return code;
}

/* The settings nearer to the work come before the user's, and the nearest that speaks of the switch decides. */
static enum bt_code heed_nearer(const struct bt_env *env, enum bt_hook_harness harness, enum bt_settings_scope scope,
                                enum bt_wiring_state *state, const char **note, struct bt_error *err) {
  enum bt_json_type nearest = BT_JSON_NULL;
  enum bt_code code = BT_OK;
  for (int at = BT_SETTINGS_LOCAL; at > (int)scope && code != BT_NOMEM; at--) {
    struct bt_str text;
    struct bt_tape tape;
    bt_str_init(&text, BT_SETTINGS_MAX);
    bt_tape_init(&tape);
    code = read_scope(env, harness, (enum bt_settings_scope)at, &tape, &text, err);
    if (code == BT_OK && nearest != BT_JSON_TRUE && nearest != BT_JSON_FALSE)
      nearest = off_switch(&tape);
    bt_tape_dispose(&tape);
    bt_str_dispose(&text);
  }
  if (nearest == BT_JSON_TRUE) {
    *state = BT_WIRING_UNWIRED;
    *note = "hooks are switched off by disableAllHooks in the project's settings";
  }
  return code == BT_NOMEM ? code : BT_OK;
}

enum bt_code bt_wiring_read(const struct bt_env *env, enum bt_hook_harness harness, enum bt_settings_scope scope,
                            const struct bt_wiring_entry *entries, enum bt_wiring_state *state, const char **note,
                            struct bt_error *err) {
  struct bt_str text;
  struct bt_tape tape;
  *state = BT_WIRING_UNREADABLE;
  *note = NULL;
  bt_str_init(&text, BT_SETTINGS_MAX);
  bt_tape_init(&tape);
  enum bt_code code = read_scope(env, harness, scope, &tape, &text, err);
  if (code == BT_OK) {
    bool failed;
    *state = bt_wiring_judge(&tape, entries, &failed);
    if (failed)
      code = bt_error_set(err, BT_NOMEM, "settings", "out of memory");
    if (*state == BT_WIRING_WIRED && off_switch(&tape) == BT_JSON_TRUE) {
      *state = BT_WIRING_UNWIRED;
      *note = "the hooks in it are switched off by disableAllHooks";
    }
  }
  bt_tape_dispose(&tape);
  bt_str_dispose(&text);
  if (code != BT_NOMEM && *state == BT_WIRING_WIRED)
    code = heed_nearer(env, harness, scope, state, note, err);
  return code == BT_NOMEM ? code : BT_OK;
}

enum bt_code bt_wiring_load(const struct bt_env *env, enum bt_hook_harness harness, struct bt_arena *arena,
                            struct bt_wiring *out, struct bt_error *err) {
  struct bt_wiring_entry entries[BT_WIRING_ENTRIES];
  struct bt_str path;
  enum bt_code code = BT_OK;
  *out = (struct bt_wiring){.state = BT_WIRING_UNWIRED};
  bt_wiring_entries(entries, harness, env->self_path != NULL ? env->self_path : "baton");
  bt_str_init(&path, PATH_BYTES);
  for (int scope = BT_SETTINGS_USER; scope <= BT_SETTINGS_LOCAL && code == BT_OK; scope++) {
    enum bt_wiring_state state;
    const char *note;
    bt_str_clear(&path);
    if (!bt_settings_path(&path, env, harness, (enum bt_settings_scope)scope))
      continue;
    code = bt_wiring_read(env, harness, (enum bt_settings_scope)scope, entries, &state, &note, err);
    if (code == BT_OK && (out->file == NULL || state > out->state)) {
      *out = (struct bt_wiring){.state = state, .file = bt_arena_strdup(arena, path.data), .note = note};
      if (out->file == NULL)
        code = bt_error_set(err, BT_NOMEM, path.data, "out of memory");
    }
  }
  bt_str_dispose(&path);
  bt_wiring_entries_dispose(entries);
  return code;
}
