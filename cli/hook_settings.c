/* cli/hook_settings.c - `baton hook install`, `remove` and `status`: what a harness's settings say about the gate. */
#include <stdio.h>
#include <string.h>

#include "cli/facts.h"
#include "cli/hook.h"
#include "cli/options.h"
#include "cli/out.h"
#include "core/base/utf8.h"
#include "core/hook/place.h"
#include "core/hook/settings.h"
#include "core/hook/settings_write.h"
#include "core/ops/actionlog.h"

#define TEXT_MAX (2 * BT_SETTINGS_MAX)

enum deed { INSTALL, REMOVE, STATUS };

struct wiring_run {
  struct cli_env *cli;
  enum deed deed;
  enum bt_hook_harness harness;
  bool project, write, json;
  struct bt_wiring_entry entries[BT_WIRING_ENTRIES];
  struct bt_str path, backup, text; /* text: what the file will hold */
  enum bt_wiring_state before, after;
  const char *note;
  bool changed;
};

/* ---- what it prints ---- */

static const char *trust_of(const struct wiring_run *run, enum bt_wiring_state state) {
  return run->harness == BT_HOOK_CODEX && state == BT_WIRING_WIRED ? "unknown" : NULL;
}

static void put_state(struct json_out *json, const struct wiring_run *run, enum bt_wiring_state state) {
  json_text(json, "harness", bt_hook_harness_word(run->harness));
  json_text(json, "file", run->path.data);
  json_text(json, "state", bt_wiring_word(state));
  json_text(json, "trust", trust_of(run, state));
  json_text(json, "note", run->note);
  json_bool(json, "gate_on", bt_gate_is_on(&run->cli->env));
}

static int print_json(const struct wiring_run *run) {
  struct json_out json;
  json_begin(&json);
  json_integer(&json, "schema_version", FACTS_SCHEMA_VERSION);
  json_text(&json, "command", run->deed == INSTALL ? "install" : "remove");
  json_bool(&json, "dry_run", !run->write);
  json_bool(&json, "changed", run->changed);
  json_text(&json, "before", bt_wiring_word(run->before));
  put_state(&json, run, run->write ? run->after : run->before);
  json_text(&json, "backup", run->backup.length > 0 ? run->backup.data : NULL);
  return json_end(&json);
}

static void put_visible(const char *before, const char *text, const char *after) {
  struct bt_str visible;
  bt_str_init(&visible, TEXT_MAX);
  bt_text_visible(&visible, text, strlen(text));
  printf("%s%s%s", before, visible.data, after);
  bt_str_dispose(&visible);
}

static void print_switch(const struct cli_env *cli) {
  if (bt_gate_is_on(&cli->env))
    printf("The gate is on in this environment: " BT_GATE_SWITCH " is 1. A harness started elsewhere has its own.\n");
  else
    printf("The gate is off in this environment: " BT_GATE_SWITCH " is not 1. Start the harness with it set to 1.\n");
}

static int print_change(const struct wiring_run *run) {
  const char *done = run->deed == INSTALL ? "wired into" : "taken out of";
  const char *planned = run->deed == INSTALL ? "would be wired into" : "would be taken out of";
  if (!run->changed)
    put_visible(run->deed == INSTALL ? "Already wired into " : "Nothing of baton's is in ", run->path.data,
                "; unchanged.\n");
  else
    printf("The hooks of %s %s ", bt_hook_harness_word(run->harness), run->write ? done : planned);
  if (run->changed)
    put_visible("", run->path.data, ":\n");
  for (size_t i = 0; run->changed && i < BT_WIRING_ENTRIES; i++) {
    printf("  %-13s %-45s ", run->entries[i].event, run->entries[i].matcher);
    put_visible("", run->entries[i].command.data, "\n");
  }
  if (run->backup.length > 0)
    put_visible("What was there before is in ", run->backup.data, "\n");
  if (run->changed && !run->write)
    printf("Nothing was written; add --write to do it.\n");
  if (run->deed == INSTALL && run->harness == BT_HOOK_CODEX)
    printf("Codex runs a hook only after you have told it to trust it.\n");
  if (run->deed == INSTALL && run->note != NULL)
    printf("It will not run: %s.\n", run->note);
  if (run->deed == INSTALL)
    print_switch(run->cli);
  return out_flush();
}

/* ---- install, remove ---- */

/* The text from before the last change, when that change was exactly this installation: then taking it out gives back
 * every byte, also of lists and objects that were empty. */
static bool restores(struct wiring_run *run, const struct bt_settings_file *file, struct bt_str *out) {
  struct bt_str again;
  bool changed;
  bt_str_init(&again, TEXT_MAX);
  bool same = bt_settings_read_backup(file, out, NULL) == BT_OK &&
              bt_settings_install(out, run->entries, &again, &changed, NULL) == BT_OK && changed &&
              again.length == file->text.length && memcmp(again.data, file->text.data, again.length) == 0;
  bt_str_dispose(&again);
  if (!same)
    bt_str_clear(out);
  return same;
}

static enum bt_code make_text(struct wiring_run *run, const struct bt_settings_file *file, struct bt_error *err) {
  if (run->deed == INSTALL)
    return bt_settings_install(file->present ? &file->text : NULL, run->entries, &run->text, &run->changed, err);
  if (!file->present)
    return BT_OK;
  if (restores(run, file, &run->text)) {
    run->changed = true;
    return BT_OK;
  }
  return bt_settings_remove(&file->text, run->entries, &run->text, &run->changed, err);
}

static enum bt_code judge(struct wiring_run *run, enum bt_settings_scope scope, enum bt_wiring_state *state,
                          struct bt_error *err) {
  return bt_wiring_read(&run->cli->env, run->harness, scope, run->entries, state, &run->note, err);
}

static enum bt_code change(struct wiring_run *run, struct bt_error *err) {
  struct bt_settings_file file;
  enum bt_settings_scope scope = run->project ? BT_SETTINGS_PROJECT : BT_SETTINGS_USER;
  enum bt_code code = bt_settings_open(run->path.data, !run->project, &file, err);
  if (code == BT_OK)
    code = judge(run, scope, &run->before, err);
  if (code == BT_OK)
    code = make_text(run, &file, err);
  if (code == BT_OK && run->changed && run->write) {
    code = bt_settings_replace(&file, &run->text, &run->backup, err);
    (void)!bt_actionlog_note(&run->cli->env, run->deed == INSTALL ? "hook install" : "hook remove", run->path.data, err,
                             NULL);
  }
  if (code == BT_OK)
    code = judge(run, scope, &run->after, err);
  bt_settings_dispose(&file);
  return code;
}

/* ---- status ---- */

static enum bt_code look(struct wiring_run *run, enum bt_settings_scope scope, struct bt_error *err) {
  bt_str_clear(&run->path);
  (void)bt_settings_path(&run->path, &run->cli->env, run->harness, scope);
  return judge(run, scope, &run->before, err);
}

static void report(const struct wiring_run *run, struct json_out *json) {
  if (json != NULL) {
    json_open(json, NULL, '{');
    put_state(json, run, run->before);
    json_close(json, '}');
    return;
  }
  printf("%-12s %s%s  ", bt_hook_harness_word(run->harness), bt_wiring_word(run->before),
         trust_of(run, run->before) != NULL ? ", trust unknown" : "");
  put_visible("", run->path.data, "");
  printf("%s%s\n", run->note != NULL ? "  " : "", run->note != NULL ? run->note : "");
}

static enum bt_code look_at_harness(struct wiring_run *run, struct json_out *json, struct bt_error *err) {
  enum bt_code code = BT_OK;
  bt_wiring_entries(run->entries, run->harness, run->cli->env.self_path != NULL ? run->cli->env.self_path : "baton");
  for (int scope = BT_SETTINGS_USER; scope <= BT_SETTINGS_LOCAL && code == BT_OK; scope++) {
    bool wanted = scope == BT_SETTINGS_USER ? !run->project : run->harness == BT_HOOK_CLAUDE;
    if (!wanted)
      continue;
    code = look(run, (enum bt_settings_scope)scope, err);
    /* A project's settings are only worth a line where something stands in them, or somebody asks. */
    if (code == BT_OK && (scope == BT_SETTINGS_USER || run->project || run->before != BT_WIRING_UNWIRED))
      report(run, json);
  }
  bt_wiring_entries_dispose(run->entries);
  return code;
}

static enum bt_code print_status(struct wiring_run *run, int *status, struct bt_error *err) {
  struct json_out json;
  enum bt_hook_harness only = run->harness;
  enum bt_code code = BT_OK;
  json_begin(&json);
  json_integer(&json, "schema_version", FACTS_SCHEMA_VERSION);
  json_bool(&json, "gate_on", bt_gate_is_on(&run->cli->env));
  json_open(&json, "hooks", '[');
  for (int harness = BT_HOOK_CLAUDE; harness <= BT_HOOK_CODEX && code == BT_OK; harness++) {
    run->harness = (enum bt_hook_harness)harness;
    if (only == BT_HOOK_ANY || only == run->harness)
      code = look_at_harness(run, run->json ? &json : NULL, err);
  }
  json_close(&json, ']');
  if (code == BT_OK && run->json) {
    *status = json_end(&json);
    return BT_OK;
  }
  bt_str_dispose(&json.text);
  if (code == BT_OK)
    print_switch(run->cli);
  *status = out_flush();
  return code;
}

/* ---- the command lines ---- */

static int print_help(const char *word, const struct option_spec *specs, size_t count) {
  printf("Usage: baton hook %s --harness claude-code|codex [--project] [--json]%s\n\n", word,
         strcmp(word, "status") == 0 ? "" : " [--write]");
  printf(
      "Edits only baton's own entries in the harness's settings; every other byte stays, and a copy of the file is kept\n"
      "beside it. A settings file that cannot be read is left alone. `status`: wired, unwired, outdated (another baton,\n"
      "or wired in another way), foreign (another program's hook before the tools, and not baton's).\n\n");
  options_print_help(specs, count);
  return out_flush();
}

static enum bt_code check(struct wiring_run *run, const char *harness, struct bt_error *err) {
  if (harness == NULL && run->deed != STATUS)
    return bt_error_set(err, BT_USAGE, "--harness", "which harness? --harness claude-code or --harness codex");
  if (harness != NULL && !bt_hook_harness_of_word(harness, &run->harness))
    return bt_error_set(err, BT_USAGE, "--harness", "--harness must be claude-code or codex, not %s", harness);
  if (run->project && run->harness == BT_HOOK_CODEX)
    return bt_error_set(err, BT_USAGE, "--project", "Codex has no hooks of a project");
  if (run->deed == STATUS && run->write)
    return bt_error_set(err, BT_USAGE, "--write", "status changes nothing: leave --write out");
  if (run->write && run->cli->env.readonly)
    return bt_error_set(err, BT_READONLY, "--write", "read-only: the settings stay as they are");
  if (run->cli->env.self_path == NULL && run->deed != STATUS)
    return bt_error_set(err, BT_IO, "baton", "this program's own path is not known");
  return BT_OK;
}

static int carry_out(struct wiring_run *run) {
  struct bt_error err = {0};
  int status = 0;
  bt_str_init(&run->path, BT_SETTINGS_MAX);
  bt_str_init(&run->backup, BT_SETTINGS_MAX);
  bt_str_init(&run->text, TEXT_MAX);
  struct bt_str root;
  bt_str_init(&root, BT_SETTINGS_MAX);
  run->cli->env.root = bt_hook_find_root(&root, run->cli->env.cwd, ".") ? root.data : run->cli->env.cwd;
  enum bt_code code;
  if (run->deed == STATUS) {
    code = print_status(run, &status, &err);
  } else {
    bt_wiring_entries(run->entries, run->harness, run->cli->env.self_path);
    (void)bt_settings_path(&run->path, &run->cli->env, run->harness,
                           run->project ? BT_SETTINGS_PROJECT : BT_SETTINGS_USER);
    code = change(run, &err);
    if (code == BT_OK)
      status = run->json ? print_json(run) : print_change(run);
    bt_wiring_entries_dispose(run->entries);
  }
  if (code != BT_OK)
    status = out_error(&err);
  bt_str_dispose(&root);
  bt_str_dispose(&run->path);
  bt_str_dispose(&run->backup);
  bt_str_dispose(&run->text);
  return status;
}

int hook_settings(struct cli_env *cli, int argc, char **argv) {
  struct wiring_run run = {.cli = cli};
  const char *harness = NULL;
  bool help = false;
  const struct option_spec specs[] = {
      {"harness", &harness, NULL, "NAME", "claude-code or codex"},
      {"project", NULL, &run.project, NULL, "the settings of this project instead of the user's (claude-code)"},
      {"write", NULL, &run.write, NULL, "do it; without it this is a dry run"},
      {"json", NULL, &run.json, NULL, "print one JSON document"},
      {"help", NULL, &help, NULL, "print this help"},
  };
  const size_t count = sizeof specs / sizeof *specs;
  struct bt_error err = {0};
  run.deed = strcmp(argv[0], "install") == 0 ? INSTALL : strcmp(argv[0], "remove") == 0 ? REMOVE : STATUS;
  enum bt_code code = options_parse(argc, argv, specs, count, NULL, &err);
  if (code == BT_OK && help)
    return print_help(argv[0], specs, count);
  if (code == BT_OK)
    code = check(&run, harness, &err);
  return code == BT_OK ? carry_out(&run) : out_error(&err);
}
