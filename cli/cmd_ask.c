/* cli/cmd_ask.c - `baton ask`: the verbs, and the mod that asks from inside the provider. */
#include "cli/cmd_ask.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/json_out.h"
#include "cli/options.h"
#include "cli/out.h"
#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/handover/seen.h"
#include "core/handover/write.h"
#include "core/store/git_run.h"

#define USUAL_PROVIDER "claude-code"

int ask_fail(const struct bt_error *err) {
  int status = out_error(err);
  return err->code == BT_USAGE ? ASK_EXIT_USAGE : status == ASK_EXIT_USAGE ? 1 : status;
}

/* ---- what the mod's verbs have in common ---- */

struct mod_call {
  const char *provider, *root_flag;
  bool write, alongside, json, check, help;
  const struct bt_mod_row *row; /* NULL: no adapter */
  const char *root_path;        /* in the env's arena */
  int root;                     /* open folder */
  struct bt_mod_found found;
  struct bt_policy policy;
};

static enum bt_code find_root(struct cli_env *cli, struct mod_call *call, struct bt_error *err) {
  struct bt_str text;
  struct bt_git_result result = {.end = BT_GIT_ABSENT};
  bt_str_init(&text, BT_GIT_OUTPUT_MAX);
  enum bt_code code = BT_OK;
  if (call->root_flag != NULL) {
    code = bt_path_resolve(&text, cli->env.cwd, call->root_flag);
  } else {
    static const char *const args[] = {"rev-parse", "--show-toplevel", NULL};
    code = bt_git_run(cli->env.cwd, args, true, &text, &result, err);
    bool known = code == BT_OK && result.end == BT_GIT_EXITED && result.exit_status == 0 && text.length > 1;
    if (known)
      bt_str_truncate(&text, text.length - 1);
    else if (code == BT_OK)
      code = bt_error_set(err, BT_STATE, cli->env.cwd, "%s is in no git working tree: use --root", cli->env.cwd);
  }
  if (code == BT_OK)
    call->root_path = bt_arena_strndup(cli->arena, text.data, text.length);
  bt_str_dispose(&text);
  if (code == BT_OK && call->root_path == NULL)
    code = bt_error_set(err, BT_NOMEM, "ask", "out of memory");
  if (code == BT_OK) {
    call->root = bt_fs_open_root(call->root_path, err);
    code = call->root < 0 ? BT_IO : BT_OK;
  }
  return code;
}

static void print_help(const char *verb, const struct option_spec *specs, size_t count) {
  static const struct {
    const char *verb, *text;
  } texts[] = {
      {"install", "Lays the mod down where the repository's policy switch is on, takes it away where it is off."},
      {"remove", "Takes the mod away, whatever the switch says. What is not ours stays."},
      {"status", "Whether the mod is there, is ours, is wanted, and has been seen at work."},
  };
  const char *text = "";
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    text = strcmp(texts[i].verb, verb) == 0 ? texts[i].text : text;
  printf("Usage: baton ask %s [FLAGS]\n\n%s\n\n", verb, text);
  options_print_help(specs, count);
  printf("\nExit status: 0 done, 1 error, 2 usage, 3 (status --check) install would change something, 10 refused.\n");
}

/* Flags, root, what is there. BT_OK with call->help: the help has been printed. */
static enum bt_code begin(struct cli_env *cli, int argc, char **argv, bool changes, struct mod_call *call,
                          struct bt_error *err) {
  *call = (struct mod_call){.provider = USUAL_PROVIDER, .root = -1};
  const struct option_spec specs[] = {
      {"provider", &call->provider, NULL, "NAME", "claude-code when absent"},
      {"root", &call->root_flag, NULL, "DIR", "the repository's root; that of this folder when absent"},
      {"json", NULL, &call->json, NULL, "print one JSON object"},
      {"help", NULL, &call->help, NULL, "print this help"},
      {changes ? "write" : "check", NULL, changes ? &call->write : &call->check, NULL,
       changes ? "do it; without it this is a dry run" : "exit 3 if install would change something"},
      {"alongside", NULL, &call->alongside, NULL, "install beside another mod that asks too"},
  };
  size_t count = sizeof specs / sizeof *specs - (strcmp(argv[0], "install") == 0 ? 0 : 1);
  struct option_rest rest = {.positional_max = 0};
  enum bt_code code = options_parse(argc, argv, specs, count, &rest, err);
  if (code == BT_OK && call->help) {
    print_help(argv[0], specs, count);
    return BT_OK;
  }
  if (code == BT_OK && rest.positional_count > 0)
    code = bt_error_set(err, BT_USAGE, argv[0], "there is a word too many");
  if (code != BT_OK)
    return code;
  call->row = bt_mod_row(call->provider);
  code = find_root(cli, call, err);
  if (code != BT_OK)
    return code;
  call->policy = bt_policy_of(call->root);
  return call->row != NULL ? bt_mod_look(call->root, call->row, &call->found, err) : BT_OK;
}

static int end(struct mod_call *call, int status) {
  if (call->root >= 0)
    close(call->root);
  return status;
}

/* ---- words for the codes ---- */

/* Of a result, a reason of `status` or of the policy; NULL where there is no more to say. */
static const char *means(const char *code) {
  static const struct {
    const char *code, *words;
  } table[] = {
      {"foreign-kept", "what lies in its place is not ours, and stays as it is"},
      {"refused:unsafe-path", "a link, or what is no folder, is on the way to it: nothing was touched"},
      {"refused:asks-twice", "another mod that asks is installed too; --alongside has both"},
      {"refused:no-adapter", "there is no mod for this provider; there is one for " USUAL_PROVIDER},
      {"mod:not-installed", "it is wanted, and not there: baton ask install --write"},
      {"mod:policy-off", "it is not there, and not wanted"},
      {"mod:foreign", "what lies in its place is not ours, or a link is on the way to it"},
      {"mod:drifted", "it is ours, and not as we wrote it: baton ask install --write writes it anew"},
      {"mod:policy-off-still-installed",
       "it is there, and not wanted any more: baton ask install --write takes it away"},
      {"mod:asks-twice", "another mod that asks is installed too: a session is asked twice"},
      {"mod:seen-loaded", "the provider has loaded it"},
      {"mod:not-seen-loaded", "it is in place; nothing shows yet that the provider has loaded it"},
      {"provider:no-adapter", "there is no mod for this provider; there is one for " USUAL_PROVIDER},
      {"policy:no-manifest", "there is no " BT_MANIFEST_PATH ": nobody supervises this repository"},
      {"policy:absent-file", "there is no " BT_POLICY_PATH " that says `session:`, `handover_on_fill: true`"},
      {"policy:absent-key", BT_POLICY_PATH " does not say `session:`, `handover_on_fill: true`"},
      {"policy:not-true", "`handover_on_fill` in " BT_POLICY_PATH " is not the plain word true"},
      {"policy:duplicate-key", BT_POLICY_PATH " says `session` or `handover_on_fill` twice"},
      {"policy:unreadable", BT_POLICY_PATH " cannot be read, or is written in a way that is not taken"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (strcmp(table[i].code, code) == 0)
      return table[i].words;
  }
  return NULL;
}

/* ---- install, remove ---- */

/* Beside the result, which scripts read. */
static void explain(const struct mod_call *call, const char *result, bool install) {
  const char *words = means(result), *policy = means(call->policy.reason);
  bool would = strcmp(result, "written") == 0 || strcmp(result, "rewritten") == 0 || strcmp(result, "removed") == 0;
  if (words != NULL)
    out_say("%s", words);
  if (install && call->row != NULL && policy != NULL)
    out_say("the switch is off: %s", policy);
  if (!call->write && would)
    out_say("dry run: nothing was written; pass --write to do it");
}

static int report(const struct mod_call *call, const char *result, bool install) {
  bool refused = bt_starts_with(result, "refused:");
  if (call->json) {
    struct json_out json;
    json_begin(&json);
    json_text(&json, "schema", "baton/ask-install-v1");
    json_text(&json, "provider", call->provider);
    json_text(&json, "result", result);
    json_bool(&json, "dry_run", !call->write);
    json_bool(&json, "switch", call->policy.on);
    json_text(&json, "switch_reason", call->policy.reason);
    json_text(&json, "path", call->row != NULL ? call->row->folder : NULL);
    int status = json_end(&json);
    return status != 0 ? status : refused ? ASK_EXIT_REFUSED : 0;
  }
  printf("%s%s\n", call->write || refused ? "" : "would:", result);
  int status = out_flush();
  explain(call, result, install);
  return status != 0 ? status : refused ? ASK_EXIT_REFUSED : 0;
}

static enum bt_code carry_out(const struct cli_env *cli, const struct mod_call *call, const char *result,
                              struct bt_error *err) {
  bool writes = strcmp(result, "written") == 0 || strcmp(result, "rewritten") == 0;
  bool removes = strcmp(result, "removed") == 0;
  if (!call->write || bt_starts_with(result, "refused:"))
    return BT_OK;
  if (cli->env.readonly)
    return bt_error_set(err, BT_READONLY, "ask", "read-only: nothing is written");
  if (!writes && !removes)
    return BT_OK;
  return writes ? bt_mod_write(call->root, call->row, err) : bt_mod_remove(call->root, call->row, err);
}

static int change(struct cli_env *cli, int argc, char **argv, bool install) {
  struct mod_call call;
  struct bt_error err = {0};
  enum bt_code code = begin(cli, argc, argv, true, &call, &err);
  if (code == BT_OK && call.help)
    return out_flush();
  const char *result = "refused:no-adapter";
  if (code == BT_OK && call.row != NULL)
    result =
        install ? bt_mod_install_result(&call.found, &call.policy, call.alongside) : bt_mod_remove_result(&call.found);
  if (code == BT_OK)
    code = carry_out(cli, &call, result, &err);
  if (code != BT_OK)
    return end(&call, ask_fail(&err));
  if (!install && strcmp(result, "removed") == 0 && call.policy.on)
    out_warning("the policy switch is on: the next `baton ask install` writes the mod again");
  if (install && call.row != NULL && cli->env.home != NULL) {
    int home = bt_fs_open_root(cli->env.home, NULL);
    struct bt_mod_found other = {.condition = BT_MOD_ABSENT};
    if (home >= 0 && bt_mod_look(home, call.row, &other, NULL) == BT_OK && other.condition != BT_MOD_ABSENT &&
        strcmp(cli->env.home, call.root_path) != 0)
      out_warning("there is a copy of the mod under the home directory too; it is left alone");
    if (home >= 0)
      close(home);
  }
  return end(&call, report(&call, result, install));
}

int ask_install(struct cli_env *cli, int argc, char **argv) {
  return change(cli, argc, argv, true);
}

int ask_remove(struct cli_env *cli, int argc, char **argv) {
  return change(cli, argc, argv, false);
}

/* ---- status ---- */

static int print_status(const struct mod_call *call, const struct bt_mod_state *state) {
  struct bt_str out;
  bt_str_init(&out, 65536);
  if (!call->json) {
    bt_text_visible(&out, call->provider, strlen(call->provider));
    bt_str_printf(&out, " %s (%s; switch %s, %s)\n", state->state, state->reason, call->policy.on ? "on" : "off",
                  call->policy.reason);
    if (means(state->reason) != NULL)
      bt_str_printf(&out, "  %s\n", means(state->reason));
    if (call->row != NULL && means(call->policy.reason) != NULL)
      bt_str_printf(&out, "  the switch is off: %s\n", means(call->policy.reason));
    int status = out_text(&out);
    bt_str_dispose(&out);
    return status;
  }
  bt_str_puts(&out, "{\"schema\":\"baton/ask-status-v1\",\"provider\":");
  bt_json_print_string(&out, call->provider, strlen(call->provider));
  bt_str_printf(&out,
                ",\"aspect\":\"handover\",\"state\":\"%s\",\"reason\":\"%s\",\"switch\":%s,\"switch_reason\":\"%s\","
                "\"path\":",
                state->state, state->reason, call->policy.on ? "true" : "false", call->policy.reason);
  if (call->row != NULL)
    bt_json_print_string(&out, call->row->folder, strlen(call->row->folder));
  else
    bt_str_puts(&out, "null");
  bt_str_puts(&out, "}\n");
  int status = out_text(&out);
  bt_str_dispose(&out);
  return status;
}

int ask_status(struct cli_env *cli, int argc, char **argv) {
  struct mod_call call;
  struct bt_error err = {0};
  bool seen = false;
  enum bt_code code = begin(cli, argc, argv, false, &call, &err);
  if (code == BT_OK && call.help)
    return out_flush();
  if (code == BT_OK && call.row != NULL && call.found.condition == BT_MOD_IDENTICAL && !call.found.types_seen) {
    const char *projects = bt_arena_printf(cli->arena, "%s/projects", cli->env.claude_dir);
    code = projects == NULL
               ? bt_error_set(&err, BT_NOMEM, "ask", "out of memory")
               : bt_ask_request_seen(projects, call.root_path, call.found.module_mtime_ns / 1000000, &seen, &err);
  }
  if (code != BT_OK)
    return end(&call, ask_fail(&err));
  struct bt_mod_state state = bt_mod_state_of(call.row, &call.found, &call.policy, seen);
  int status = print_status(&call, &state);
  const char *would = call.row != NULL ? bt_mod_install_result(&call.found, &call.policy, false) : "not-written";
  bool changes = strcmp(would, "written") == 0 || strcmp(would, "rewritten") == 0 || strcmp(would, "removed") == 0;
  if (status == 0 && call.check && (changes || strcmp(state.state, "named") == 0))
    status = ASK_EXIT_DUE;
  return end(&call, status);
}

/* ---- which verb ---- */

static int print_verbs(void) {
  printf("Usage: baton ask VERB [FLAGS]     baton ask VERB --help\n\n"
         "A worker is asked for its own account while there is still room in its context window.\n\n"
         "  watch     how full each session is, and for which a handover is due\n"
         "  ack       you have passed a request on\n"
         "  text      the request, to pass on\n"
         "  install   the mod that asks from inside the provider\n"
         "  remove    take it away\n"
         "  status    is it there, ours, wanted, at work?\n\n"
         "install and remove are dry runs unless --write is given.\n");
  return out_flush();
}

int cmd_ask(struct cli_env *cli, int argc, char **argv) {
  static const struct {
    const char *word;
    int (*run)(struct cli_env *cli, int argc, char **argv);
  } verbs[] = {{"watch", ask_watch},     {"ack", ask_ack},       {"text", ask_text},
               {"install", ask_install}, {"remove", ask_remove}, {"status", ask_status}};
  struct bt_error err = {0};
  if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
    (void)print_verbs();
    return argc < 2 ? ASK_EXIT_USAGE : 0;
  }
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
    if (strcmp(argv[1], verbs[i].word) == 0)
      return verbs[i].run(cli, argc - 1, argv + 1);
  }
  (void)bt_error_set(&err, BT_USAGE, argv[1], "unknown verb %s: watch, ack, text, install, remove or status", argv[1]);
  return ask_fail(&err);
}
