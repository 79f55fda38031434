/* cli/cmd_ui_beside.c - see cmd_ui_beside.h. */
#include "cli/cmd_ui_beside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/cmd_ui_act.h"
#include "core/base/clock.h"
#include "core/delivery/view.h"
#include "core/handover/op.h"
#include "core/model/delivery_words.h"

/* ---- commands of the command line ---- */

enum { WORDS_MAX = 6 };

/* Their words are theirs to change: copies. */
static void run(struct cli_env *cli, const char *const words[]) {
  char *argv[WORDS_MAX + 1] = {NULL};
  const struct cmd *command = cmd_find(words[0]);
  bool whole = command != NULL;
  int argc = 0;
  fflush(stdout);
  for (; whole && argc < WORDS_MAX && words[argc] != NULL; argc++) {
    argv[argc] = strdup(words[argc]);
    whole = argv[argc] != NULL;
  }
  if (whole)
    (void)command->run(cli, argc, argv);
  for (int i = 0; i < WORDS_MAX; i++)
    free(argv[i]);
}

/* ---- deliveries ---- */

static void say_delivery(size_t number, const struct bt_delivery_row *row) {
  if (row->error != NULL)
    ui_say("%zu. %s: unknown, %s", number, row->name, row->error);
  else
    ui_say("%zu. %s: %s, %s%s%s", number, row->name, row->verdict, bt_delivery_verdict_means(row->verdict),
           row->next_step != NULL ? ", next step " : "", row->next_step != NULL ? row->next_step : "");
}

static void say_deliveries(const struct bt_delivery_view *view) {
  ui_say("%zu working trees, %zu open. %s", view->count, view->open_count,
         view->forge_asked ? "Git and the forge were asked." : "Only git was asked.");
  if (view->cut > 0)
    ui_say("%zu more are not looked at.", view->cut);
  for (size_t i = 0; i < view->count; i++)
    say_delivery(i + 1, &view->rows[i]);
}

static void act(struct cli_env *cli, struct line_reader *reader, enum bt_verb verb, const struct bt_delivery_row *row) {
  const struct bt_request request = {
      .verb = verb, .tree = row->tree, .pr_state = row->forge_text, .pr_taken_ms = row->pr_taken_ms};
  if (!row->governed)
    ui_say("There is no open record here.");
  else
    ui_act_request(cli, reader, &request, row->tree);
}

static bool is(const struct bt_str *answer, const char *word) {
  return strcmp(answer->data, word) == 0;
}

/* False: input has ended, or q was typed. */
static bool one_delivery(struct cli_env *cli, struct line_reader *reader, const struct bt_delivery_row *row,
                         bool forge) {
  struct bt_str answer;
  bool going_on;
  bt_str_init(&answer, 4 * LINE_BYTES_MAX);
  run(cli, (const char *const[]){"delivery", "validate", "--repo", row->tree, forge && row->pr_number ? "--gh" : NULL,
                                 NULL});
  ui_prompt("r lets the record follow a moved head or a merge, s stops the delivery, Enter back");
  going_on = line_read(reader, NULL, NULL, NULL, &answer) && !is(&answer, "q");
  if (going_on && is(&answer, "r"))
    act(cli, reader, BT_VERB_RECONCILE, row);
  else if (going_on && is(&answer, "s"))
    act(cli, reader, BT_VERB_STOP, row);
  else if (going_on && answer.length > 0)
    ui_say("There is no choice %s.", answer.data);
  bt_str_dispose(&answer);
  return going_on;
}

static struct bt_delivery_view *look(struct cli_env *cli, bool forge) {
  struct bt_delivery_view *view = NULL;
  struct bt_error err = {.code = BT_OK};
  if (bt_delivery_view_load(&cli->env, forge, &view, &err) == BT_OK)
    say_deliveries(view);
  else
    ui_say("The working trees cannot be looked at: %s", err.message[0] ? err.message : bt_code_words(err.code));
  return view;
}

bool ui_deliveries(struct cli_env *cli, struct line_reader *reader) {
  struct bt_delivery_view *view = look(cli, false);
  struct bt_str answer;
  bool going_on = true, back = view == NULL, forge = false;
  bt_str_init(&answer, 4 * LINE_BYTES_MAX);
  while (going_on && !back) {
    ui_prompt("Number of a working tree, f asks the forge, 0 back");
    going_on = line_read(reader, NULL, NULL, NULL, &answer) && !is(&answer, "q");
    back = is(&answer, "0");
    char *end;
    unsigned long number = strtoul(answer.data, &end, 10);
    bool chosen = answer.length > 0 && *end == '\0' && number >= 1 && number <= view->count;
    if (!going_on || back || answer.length == 0)
      continue;
    if (!chosen && !is(&answer, "f")) {
      ui_say("There is no choice %s.", answer.data);
      continue;
    }
    forge = forge || is(&answer, "f");
    if (chosen)
      going_on = one_delivery(cli, reader, &view->rows[number - 1], forge);
    bt_delivery_view_free(view);
    view = going_on ? look(cli, forge) : NULL; /* as it is now */
    back = view == NULL;
  }
  bt_delivery_view_free(view);
  bt_str_dispose(&answer);
  return going_on;
}

/* ---- handovers ---- */

/* `baton ask VERB [SESSION]` over the transcripts of this ledger: a sample brings its own. */
static void ask(struct cli_env *cli, const char *verb, const char *session) {
  struct bt_str projects;
  bt_str_init(&projects, 4 * LINE_BYTES_MAX);
  bt_ask_projects(&projects, &cli->env);
  if (projects.failed)
    ui_say("Out of memory.");
  else
    run(cli, (const char *const[]){"ask", verb, "--projects", projects.data, session, NULL});
  bt_str_dispose(&projects);
}

void ui_handovers(struct cli_env *cli) {
  ask(cli, "watch", NULL);
}

void ui_handover_request(struct cli_env *cli, const char *session) {
  ask(cli, "text", session);
}

void ui_handover_passed_on(struct cli_env *cli, struct line_reader *reader, const char *session) {
  const struct bt_request request = {.verb = BT_VERB_ACK, .session = session};
  ui_act_request(cli, reader, &request, session);
}
