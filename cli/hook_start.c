/* cli/hook_start.c - `baton hook session-start`: whose work a new session may go on with. Never stands in its way. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/hook.h"
#include "cli/hook_input.h"
#include "cli/options.h"
#include "cli/out.h"
#include "core/base/json.h"
#include "core/hook/answer.h"
#include "core/hook/call.h"
#include "core/hook/deadline.h"
#include "core/hook/session_identity.h"
#include "core/hook/session_start.h"
#include "core/model/thresholds.h"

/* Answers, or says nothing at all: an advice that cannot be given is no failure of the session. */
static void advise(struct cli_env *cli, const struct bt_json *document, struct bt_str *answer) {
  struct bt_str session, text;
  bool found = false;
  const char *const ids[] = {bt_json_get_string(document, "session_id"), bt_json_get_string(document, "sessionId")};
  bool supervised = bt_text_equals(getenv("ADLC_HANDOFF_SUPERVISED"), "1");
  bt_str_init(&session, 3 * BT_HOOK_DOCUMENT_MAX);
  bt_str_init(&text, BT_START_TEXT_MAX);
  bt_session_identify(&session, ids, 2, bt_json_get_string(document, "transcript_path"));
  if (!session.failed && hook_enter_root(cli, bt_json_get_string(document, "cwd"), &found, NULL) == BT_OK && found &&
      bt_session_start_text(&cli->env, session.data, supervised, &text, NULL) == BT_OK && text.length > 0)
    bt_answer_session_start(answer, text.data);
  bt_str_dispose(&session);
  bt_str_dispose(&text);
}

static int start(struct cli_env *cli) {
  static const struct bt_late_answer silence = {.exit_status = 0};
  struct bt_str document, answer;
  struct bt_error err = {0};
  int status = 0;
  struct bt_deadline *deadline = bt_deadline_start(BT_MAX_SCAN_WALL_MS, &silence, &err);
  bt_str_init(&document, BT_HOOK_DOCUMENT_MAX);
  bt_str_init(&answer, BT_ANSWER_MAX);
  struct bt_json *json = NULL;
  if (deadline != NULL && hook_read_document(&document, &err))
    json = bt_json_parse(document.data, document.length, &err);
  if (json != NULL)
    advise(cli, json, &answer);
  bt_deadline_claim(deadline);
  if (err.code != BT_OK)
    fprintf(stderr, "baton hook session-start: %s\n", err.message);
  if (answer.length > 0 && !answer.failed)
    status = out_text(&answer);
  bt_json_free(json);
  bt_str_dispose(&document);
  bt_str_dispose(&answer);
  return status;
}

int hook_session_start(struct cli_env *cli, int argc, char **argv) {
  const char *harness = NULL;
  bool help = false;
  const struct option_spec specs[] = {
      {"harness", &harness, NULL, "NAME", "who calls; both harnesses send the same document"},
      {"help", NULL, &help, NULL, "print this help"},
  };
  struct bt_error err = {0};
  cli_env_guard();
  if (options_parse(argc, argv, specs, sizeof specs / sizeof *specs, NULL, &err) != BT_OK)
    return out_error(&err);
  if (!help)
    return start(cli);
  printf(
      "Usage: baton hook session-start [--harness NAME]\n\n"
      "Reads the hook document of a new session. Where the session is authorised to go on with another's work and the\n"
      "brief of that work is unchanged, prints it for the session, as unverified; else, where a denied session waits,\n"
      "the line that hands it on; else nothing. Needs no key and consumes nothing.\n\n");
  options_print_help(specs, sizeof specs / sizeof *specs);
  return out_flush();
}
