/* cli/cmd_ui_act.c - a dialog for people who hear it. */
#include "cli/cmd_ui_act.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/plan_print.h"
#include "core/base/utf8.h"
#include "core/ops/marks.h"
#include "tui/act.h"
#include "tui/edit.h"
#include "tui/form.h"

#define SAID_MAX ((size_t)256 * 1024)
#define LINE_SHOWN_MAX ((size_t)1024 * 1024)
enum { KNOWN_MAX = 20 };

static void print_visible(const char *fmt, va_list args, const char *end) {
  char text[8192];
  struct bt_str visible;
  vsnprintf(text, sizeof(text), fmt, args);
  bt_str_init(&visible, SAID_MAX);
  bt_text_visible(&visible, text, strlen(text));
  printf("%s%s", visible.data, end);
  bt_str_dispose(&visible);
}

void ui_say(const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  print_visible(fmt, args, "\n");
  va_end(args);
}

void ui_prompt(const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  print_visible(fmt, args, isatty(STDIN_FILENO) == 1 ? ": " : ":\n");
  va_end(args);
  fflush(stdout);
}

void ui_quote(const char *text, size_t length) {
  struct bt_str visible;
  bt_str_init(&visible, LINE_SHOWN_MAX);
  for (size_t at = 0; at < length;) {
    const char *newline = memchr(text + at, '\n', length - at);
    size_t end = newline ? (size_t)(newline - text) : length;
    bt_str_clear(&visible);
    bt_text_visible(&visible, text + at, end - at);
    printf("| %s\n", visible.data);
    at = end + 1;
  }
  bt_str_dispose(&visible);
}

struct act {
  struct cli_env *cli;
  struct line_reader *reader;
  struct form form;
  struct bt_dialog dialog;
  struct bt_str answer;
};

static bool ask(struct act *act) {
  return line_read(act->reader, NULL, NULL, NULL, &act->answer);
}

/* An empty answer keeps what is there; a dash empties it. False when input has ended. */
static bool ask_text(struct act *act, struct bt_item *item) {
  for (size_t i = 0; i < item->option_count && i < KNOWN_MAX; i++)
    ui_say("Known: %s%s%s", item->options[i].text, item->options[i].note ? ", " : "",
           item->options[i].note ? item->options[i].note : "");
  if (item->field.length)
    ui_prompt("%s, now %s (Enter keeps it, - empties it)", item->label, item->field.text);
  else
    ui_prompt("%s (Enter leaves it empty)", item->label);
  if (!ask(act))
    return false;
  if (strcmp(act->answer.data, "-") == 0)
    edit_clear(&item->field);
  else if (act->answer.length)
    edit_set(&item->field, act->answer.data);
  return true;
}

static bool ask_choice(struct act *act, struct bt_item *item) {
  for (size_t i = 0; i < item->option_count; i++)
    ui_say("%zu. %s%s%s", i + 1, item->options[i].text, item->options[i].note ? ": " : "",
           item->options[i].note ? item->options[i].note : "");
  ui_prompt("%s, now %zu (Enter keeps it)", item->label, item->option + 1);
  if (!ask(act))
    return false;
  unsigned long number = strtoul(act->answer.data, NULL, 10);
  if (number >= 1 && number <= item->option_count)
    item->option = number - 1;
  return true;
}

/* Why a brief was not read is asked once the brief is there; the ticket only where it has to be told. */
static bool is_asked(const struct act *act, enum form_part part) {
  return !act->dialog.wizard || (part != FORM_REASON && (part != FORM_TICKET || act->dialog.ticket_asked));
}

static bool ask_form(struct act *act) {
  for (size_t i = 0; i < act->dialog.item_count; i++) {
    struct bt_item *item = &act->dialog.items[i];
    if (!is_asked(act, act->form.parts[i]))
      continue;
    bool going_on = item->kind == BT_ITEM_TEXT                                    ? ask_text(act, item)
                    : item->kind == BT_ITEM_RADIO || item->kind == BT_ITEM_CHOICE ? ask_choice(act, item)
                                                                                  : true;
    if (!going_on)
      return false;
  }
  return true;
}

static void execute(struct act *act, const struct bt_plan *plan) {
  struct bt_receipt *receipt = NULL;
  struct bt_error err = {.code = BT_OK};
  if (act_execute(&act->cli->env, plan, &receipt, &err) != BT_OK) {
    ui_say("%s: %s", bt_code_words(err.code), err.message);
    return;
  }
  ui_say("Done: %s", receipt->human);
  if (receipt->warning)
    ui_say("Warning: %s", receipt->warning);
  bt_receipt_free(receipt);
}

/* Short of the whole word nothing happens. */
static void confirm(struct act *act, const struct bt_plan *plan) {
  const char *word = plan->confirm_word ? plan->confirm_word : bt_verb_word(plan->request.verb);
  if (plan->disabled) {
    ui_say("Not possible now: %s. Nothing was written.", plan->disabled);
    return;
  }
  ui_prompt("Type %s to do it, anything else to leave", word);
  if (ask(act) && strcmp(act->answer.data, word) == 0)
    execute(act, plan);
  else
    ui_say("Left. Nothing was written.");
}

/* NULL: it was said why not. */
static struct bt_plan *make_plan(struct act *act) {
  struct bt_request request = form_request(&act->form);
  struct bt_plan *plan = NULL;
  struct bt_error err = {.code = BT_OK};
  if (act_plan(&act->cli->env, &request, &plan, &err) == BT_OK)
    return plan;
  ui_say("%s: %s", bt_code_words(err.code), err.message);
  return NULL;
}

static void read_out(const struct bt_plan_brief *brief) {
  ui_say("The new session is handed this text, composed just now:");
  for (const char *line = brief->text; *line;) {
    size_t length = strcspn(line, "\n");
    ui_say("| %.*s", (int)length, line);
    line += length + (line[length] == '\n');
  }
}

/* What the plan still wants said: that the brief was read, or why it goes on without; why an edited text is accepted.
 * False: left, or it cannot be kept. */
static bool settle(struct act *act, const struct bt_plan *plan) {
  struct bt_item *reason = form_find(&act->form, FORM_REASON);
  struct bt_error err = {.code = BT_OK};
  bool unread = plan->brief.text && !plan->brief.reviewed;
  if (!unread && !(plan->reason_for && form_blank(&act->form, FORM_REASON)))
    return true;
  if (unread)
    read_out(&plan->brief);
  if (unread)
    ui_prompt("It is not read yet: type read to mark it, or say why you go on without (Enter leaves)");
  else
    ui_prompt("%s: why is that right? It is kept in the log (Enter leaves)", plan->reason_for);
  if (!ask(act) || act->answer.data[strspn(act->answer.data, " ")] == '\0') {
    ui_say("Left. Nothing was written.");
    return false;
  }
  if (!unread || strcmp(act->answer.data, "read") != 0)
    edit_set(&reason->field, act->answer.data);
  else if (bt_marks_review_brief(&act->cli->env, plan->request.deny_session, &plan->brief, true, &err) != BT_OK)
    ui_say("%s: %s", bt_code_words(err.code), err.message);
  return err.code == BT_OK;
}

static void plan_and_confirm(struct act *act) {
  struct bt_plan *plan = make_plan(act);
  struct bt_item *successor = plan ? form_find(&act->form, FORM_SUCCESSOR) : NULL;
  if (successor)
    edit_set(&successor->field, plan->request.session); /* made once */
  if (plan)
    (void)plan_print_text(plan);
  bool settled = plan && (plan->disabled || settle(act, plan));
  bt_plan_free(plan);
  plan = settled ? make_plan(act) : NULL; /* with what was said */
  if (plan)
    confirm(act, plan);
  bt_plan_free(plan);
}

/* `opened`: its form is; then everything else follows. */
static void go_through(struct act *act, bool opened) {
  bt_str_init(&act->answer, 4 * LINE_BYTES_MAX);
  if (!opened)
    ui_say("Out of memory.");
  else if (ask_form(act))
    plan_and_confirm(act);
  else
    ui_say("Left. Nothing was written.");
  form_close(&act->form);
  bt_str_dispose(&act->answer);
}

void ui_act(struct cli_env *cli, struct line_reader *reader, enum bt_verb verb, const struct bt_snapshot *snapshot,
            const struct bt_session *session, const struct bt_lock *lock) {
  struct act act = {.cli = cli, .reader = reader};
  go_through(&act, form_open(&act.form, &act.dialog, verb, snapshot, session, lock));
}

void ui_act_request(struct cli_env *cli, struct line_reader *reader, const struct bt_request *request,
                    const char *subject) {
  struct act act = {.cli = cli, .reader = reader};
  go_through(&act, form_open_request(&act.form, &act.dialog, request, subject));
}
