/* tui/app_command.c - the command palette: the verbs of the command line, typed, open their page or dialog.
 *
 * Never a shell: what has no page or dialog here is only named (dashboard.md row 91). */
#include "tui/app_state.h"

#include <stdio.h>
#include <string.h>

#include "core/base/str.h"
#include "tui/edit.h"

static const struct command {
  const char *name;
  enum bt_action action; /* BT_ACTION_NONE: the list itself */
} commands[] = {
    {"list", BT_ACTION_NONE},
    {"show", BT_ACTION_OPEN},
    {"why", BT_ACTION_WHY},
    {"records", BT_ACTION_RECORDS},
    {"record", BT_ACTION_RECORD},
    {"deliveries", BT_ACTION_DELIVERIES},
    {"delivery", BT_ACTION_DELIVERIES},
    {"acknowledge", BT_ACTION_ACK},
    {"locks", BT_ACTION_LOCKS},
    {"log", BT_ACTION_LOG},
    {"brief", BT_ACTION_BRIEF},
    {"transcript", BT_ACTION_TRANSCRIPT},
    {"evidence", BT_ACTION_EVIDENCE},
    {"raw", BT_ACTION_RAW},
    {"continue", BT_ACTION_CONTINUE},
    {"unlock", BT_ACTION_UNLOCK},
    {"repair", BT_ACTION_REPAIR},
    {"bypass", BT_ACTION_BYPASS},
    {"undo", BT_ACTION_UNDO},
    {"refresh", BT_ACTION_REFRESH},
    {"help", BT_ACTION_HELP},
    {"keys", BT_ACTION_HELP},
    {"quit", BT_ACTION_QUIT},
};
/* Verbs of the command line that have no page and no dialog. */
static const char *const in_shell[] = {"write",     "resume", "supervise", "denies", "verify", "sample",
                                       "bootstrap", "hook",   "ask",       "scan",   "info",   "ui"};
enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

struct typed { /* "why 7f3a": verb, then a session or the beginning of one */
  struct bt_slice verb, session;
};

static struct typed split(const struct bt_field *field) {
  const char *at = field->text + strspn(field->text, " ");
  struct typed typed = {{at, strcspn(at, " ")}, {NULL, 0}};
  at += typed.verb.length;
  at += strspn(at, " ");
  typed.session = (struct bt_slice){at, strcspn(at, " ")};
  return typed;
}

static const struct command *find(struct bt_slice verb) {
  for (size_t i = 0; i < COMMANDS; i++)
    if (strlen(commands[i].name) == verb.length && memcmp(commands[i].name, verb.data, verb.length) == 0)
      return &commands[i];
  return NULL;
}

size_t app_match_session(const struct bt_snapshot *snapshot, struct bt_slice part, const struct bt_session **found) {
  size_t count = 0;
  *found = NULL;
  for (size_t i = 0; i < snapshot->session_count; i++) {
    const char *id = snapshot->sessions[i].id;
    if (strncmp(id, part.data, part.length) != 0)
      continue;
    *found = &snapshot->sessions[i];
    count++;
    if (id[part.length] == '\0')
      return 1;
  }
  return count;
}

/* The session's row of the list, whatever was hidden. */
static void select_session(struct app *app, const struct bt_session *session) {
  struct bt_scene *scene = &app->scene;
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < app->prepared.session_count; i++)
      if (&app->snapshot->sessions[app->prepared.sessions[i]] == session) {
        bt_view_select(scene, app->snapshot, i);
        return;
      }
    edit_clear(&scene->filter);
    scene->only_problems = false;
    app_settle(app);
  }
}

/* What is typed is no command of this palette: is it one of the shell's? */
static void say_unknown(struct app *app, const struct typed *typed) {
  char text[256];
  snprintf(text, sizeof(text), "there is no command %.*s; tab completes, ? shows the keys",
           (int)(typed->verb.length < 60 ? typed->verb.length : 60), typed->verb.data);
  for (size_t i = 0; i < sizeof(in_shell) / sizeof(in_shell[0]); i++)
    if (strlen(in_shell[i]) == typed->verb.length && memcmp(in_shell[i], typed->verb.data, typed->verb.length) == 0)
      snprintf(text, sizeof(text), "nothing here does that: run baton %.60s in a shell", typed->verb.data);
  app_say(app, BT_SEVERITY_WARN, text);
}

/* Flags too are the shell's: nothing is done without them. */
static void say_no_session(struct app *app, const struct typed *typed, bool several) {
  char text[256];
  int length = (int)(typed->session.length < 80 ? typed->session.length : 80);
  if (typed->session.data[0] == '-')
    snprintf(text, sizeof(text), "no flags here: run baton %.80s in a shell", typed->verb.data);
  else
    snprintf(text, sizeof(text), several ? "more than one session begins with %.*s" : "no session begins with %.*s",
             length, typed->session.data);
  app_say(app, BT_SEVERITY_WARN, text);
}

void app_command_run(struct app *app, struct effects *effects) {
  struct typed typed = split(&app->scene.command);
  const struct command *command = find(typed.verb);
  const struct bt_session *session = NULL;
  if (typed.verb.length == 0)
    return;
  if (!command) {
    say_unknown(app, &typed);
    return;
  }
  if (!app->snapshot)
    return;
  if (typed.session.length > 0 && app_match_session(app->snapshot, typed.session, &session) != 1) {
    say_no_session(app, &typed, session != NULL);
    return;
  }
  if (session || command->action == BT_ACTION_NONE || command->action == BT_ACTION_QUIT)
    app_go_home(app, effects);
  if (session)
    select_session(app, session);
  if (command->action == BT_ACTION_HELP)
    app_open_help(app);
  else if (command->action != BT_ACTION_NONE)
    app_page_act(app, command->action, effects);
}

/* ---- completion: as far as all that begins like this agrees ---- */

struct agreed {
  const char *text;
  size_t length;
  size_t count;
};

static void agree(struct agreed *agreed, const char *name, struct bt_slice part) {
  if (strncmp(name, part.data, part.length) != 0)
    return;
  if (agreed->count++ == 0) {
    agreed->text = name;
    agreed->length = strlen(name);
  }
  size_t same = 0;
  while (same < agreed->length && name[same] == agreed->text[same])
    same++;
  agreed->length = same;
}

void app_command_complete(struct app *app) {
  struct bt_field *field = app_prompt_field(app);
  struct typed typed = split(field);
  if (app->scene.prompt == BT_PROMPT_ASK) { /* the session is the first word there */
    typed.session = typed.verb;
    typed.verb.length = 0;
  }
  bool ask = app->scene.prompt == BT_PROMPT_ASK;
  const char *after = typed.verb.data + typed.verb.length;
  bool verb = !ask && *after == '\0';
  struct bt_slice part = verb ? typed.verb : typed.session;
  struct agreed agreed = {NULL, 0, 0};
  char text[BT_FIELD_BYTES];
  for (size_t i = 0; verb && i < COMMANDS; i++)
    agree(&agreed, commands[i].name, part);
  for (size_t i = 0; !verb && app->snapshot && i < app->snapshot->session_count; i++)
    agree(&agreed, app->snapshot->sessions[i].id, part);
  if (agreed.count == 0 || (agreed.length == part.length && agreed.count > 1))
    return;
  int head = (int)(part.data - field->text);
  snprintf(text, sizeof(text), "%.*s%.*s%s", head, field->text, (int)agreed.length, agreed.text,
           agreed.count == 1 && verb ? " " : "");
  edit_set(field, text);
}
