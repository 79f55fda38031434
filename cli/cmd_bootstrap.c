/* cli/cmd_bootstrap.c - `baton bootstrap SESSION`: the verified prompt for a successor, or nothing. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/options.h"
#include "cli/out.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/model/id.h"
#include "core/model/thresholds.h"
#include "core/store/auth.h"
#include "core/store/capture.h"
#include "core/store/deny.h"
#include "core/text/bootstrap.h"

#define PROMPT_MAX ((size_t)1024 * 1024)

/* The deny must have been consumed by this very session: an authorization that was written and then lost to another
 * one is no ground to start. */
static enum bt_code check_deny(int ledger, const char *session, const struct bt_gate_auth *auth, struct bt_error *err) {
  struct bt_marker marker = {0};
  enum bt_code code = bt_marker_read(ledger, auth->deny_session_id, &marker, err);
  if (code == BT_OK && !marker.ok)
    code = bt_error_set(err, BT_REFUSED, auth->deny_session_id, "the deny record of %s cannot be used: %s",
                        auth->deny_session_id, marker.reason);
  bool handed = bt_text_equals(bt_json_get_string(marker.record, "status"), "consumed") &&
                bt_text_equals(bt_json_get_string(marker.record, "consumed_by"), session);
  if (code == BT_OK && !handed)
    code =
        bt_error_set(err, BT_REFUSED, session, "the deny of %s was not handed to %s", auth->deny_session_id, session);
  if (code == BT_OK && !bt_text_equals(bt_json_get_string(marker.record, "content_hash"), auth->content_hash))
    code = bt_error_set(err, BT_REFUSED, session, "the authorization and the deny record of %s name different briefs",
                        auth->deny_session_id);
  bt_marker_dispose(&marker);
  return code;
}

static enum bt_code compose(int ledger, const struct bt_gate_auth *auth, struct bt_str *prompt, struct bt_error *err) {
  struct bt_str body;
  const char *problem = NULL;
  bt_str_init(&body, (size_t)3 * BT_MAX_CAPTURE_BYTES);
  enum bt_code code = bt_capture_read_verified(ledger, auth->deny_session_id, auth->content_hash, &body, &problem, err);
  if (code == BT_OK && problem != NULL)
    code = bt_error_set(err, BT_REFUSED, auth->deny_session_id, "the brief of %s does not verify: %s",
                        auth->deny_session_id, problem);
  if (code == BT_OK)
    code = bt_bootstrap_prompt(prompt, auth->deny_session_id, auth->ticket_id, body.data, body.length, true, err);
  bt_str_dispose(&body);
  return code;
}

static enum bt_code make(const struct bt_env *env, const char *session, struct bt_str *prompt, struct bt_error *err) {
  struct bt_auth_doc auth = {0};
  int ledger = bt_fs_open_root(env->ledger_dir, err);
  if (ledger < 0)
    return bt_error_set(err, BT_MISSING, env->ledger_dir, "there is no ledger here");
  enum bt_code code = bt_auth_read(ledger, session, bt_env_key(env), &auth, err);
  if (code == BT_OK && !auth.present)
    code =
        bt_error_set(err, auth.error != NULL ? BT_REFUSED : BT_MISSING, session,
                     auth.error != NULL ? "the authorization of %s cannot be used: %s" : "%s is nobody's successor%s",
                     session, auth.error != NULL ? auth.error : "");
  if (code == BT_OK && !auth.gate.verified)
    code = bt_error_set(err, BT_REFUSED, session, "the authorization of %s does not verify with this key", session);
  if (code == BT_OK && !bt_id_is_safe(auth.gate.deny_session_id))
    code = bt_error_set(err, BT_REFUSED, session, "the authorization of %s names no session", session);
  if (code == BT_OK)
    code = check_deny(ledger, session, &auth.gate, err);
  if (code == BT_OK)
    code = compose(ledger, &auth.gate, prompt, err);
  bt_auth_dispose(&auth);
  close(ledger);
  return code;
}

/* A terminal sees the visible form line by line; a pipe or a `$(...)` the bytes. No line end is added to those. */
static int print_prompt(const struct cli_env *cli, const struct bt_str *prompt) {
  struct bt_str out;
  bt_str_init(&out, 16 * PROMPT_MAX);
  if (!cli->stdout_tty) {
    bt_utf8_encode8(&out, prompt->data, prompt->length);
  } else {
    for (const char *line = prompt->data; *line != '\0';) {
      size_t length = strcspn(line, "\n");
      bt_text_visible(&out, line, length);
      bt_str_putc(&out, '\n');
      line += length + (line[length] == '\n');
    }
  }
  int status = out_text(&out);
  bt_str_dispose(&out);
  return status;
}

static int print_help(const struct option_spec *specs, size_t count) {
  printf("Usage: baton bootstrap SESSION [--dir PATH]\n\n"
         "Prints the prompt with which SESSION, the successor that `continue` named, goes on with the work:\n"
         "  claude --session-id SESSION \"$(baton bootstrap SESSION)\"\n"
         "Needs the signing key. Prints nothing where the authorization, the deny or the brief does not verify.\n\n");
  options_print_help(specs, count);
  printf("\nExit status: 0 printed, 1 error, 2 refused: something does not verify.\n");
  return out_flush();
}

int cmd_bootstrap(struct cli_env *cli, int argc, char **argv) {
  const char *dir = NULL, *session = NULL;
  bool help = false;
  struct option_rest rest = {.positionals = &session, .positional_max = 1};
  const struct option_spec specs[] = {
      {"dir", &dir, NULL, "PATH", "the ledger directory; .adlc when absent"},
      {"help", NULL, &help, NULL, "print this help"},
  };
  const size_t count = sizeof specs / sizeof *specs;
  struct bt_error err = {0};
  struct bt_str prompt;
  enum bt_code code = options_parse(argc, argv, specs, count, &rest, &err);
  if (code == BT_OK && help)
    return print_help(specs, count);
  if (code == BT_OK && rest.positional_count > 1)
    code = bt_error_set(&err, BT_USAGE, "bootstrap", "one session at a time");
  if (code == BT_OK)
    code = bt_id_require(session, "SESSION", &err);
  if (code == BT_OK)
    code = cli_env_set_dir(cli, dir, &err);
  if (code == BT_OK && cli->env.key == NULL)
    code = bt_error_set(&err, BT_KEY, "bootstrap", "ADLC_MANIFEST_KEY is not set; nothing can be verified");
  bt_str_init(&prompt, PROMPT_MAX);
  if (code == BT_OK)
    code = make(&cli->env, session, &prompt, &err);
  int status = code == BT_OK ? print_prompt(cli, &prompt) : out_error(&err);
  bt_str_dispose(&prompt);
  return status;
}
