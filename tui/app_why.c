/* tui/app_why.c - the why page: asking, keeping the cursor on its step, doing a step. */
#include "tui/app_state.h"

#include <stdio.h>
#include <string.h>

#include "core/base/str.h"
#include "views/explain.h"

const struct bt_why_step *app_why_step(const struct app *app) {
  const struct bt_scene *scene = &app->scene;
  return scene->page == BT_PAGE_WHY ? bt_explain_step(scene->why, scene->why_scroll.row) : NULL;
}

void app_why_ask(struct app *app, struct effects *effects) {
  if (app->scene.page != BT_PAGE_WHY || !app->scene.session_id)
    return;
  struct effect *effect = app_effect(effects, EFFECT_WHY);
  effect->text = app->scene.session_id;
  if (app->why_path[0])
    effect->paths[effect->path_count++] = app->why_path;
}

/* The answer to another question begins at its own first step. */
static void ask_anew(struct app *app, struct effects *effects) {
  bt_why_free(app->why);
  app->why = NULL;
  app->scene.why = NULL;
  app_why_ask(app, effects);
}

void app_why_open(struct app *app, struct effects *effects) {
  struct bt_scene *scene = &app->scene;
  const struct bt_session *session = app_subject_session(app);
  if (!session) {
    app_say(app, BT_SEVERITY_INFO, "there is no session here to ask about");
    return;
  }
  scene->session_id = session->id;
  app->why_path[0] = '\0';
  app_open_page(app, BT_PAGE_WHY);
  ask_anew(app, effects);
}

/* A session whose id is all of the text, or all up to a blank: an id may hold blanks itself. Else the only one that
 * begins like the first word, unless that looks like a path. *rest is what follows. */
static const struct bt_session *named_session(const struct app *app, const char *text, const char **rest,
                                              const char **problem) {
  const struct bt_session *found = NULL;
  size_t length = 0;
  *rest = text;
  for (size_t i = 0; i < app->snapshot->session_count; i++) {
    size_t whole = strlen(app->snapshot->sessions[i].id);
    if (whole > length && strncmp(app->snapshot->sessions[i].id, text, whole) == 0 &&
        (text[whole] == '\0' || text[whole] == ' ')) {
      found = &app->snapshot->sessions[i];
      length = whole;
    }
  }
  if (!found) {
    struct bt_slice word = {text, strcspn(text, " ")};
    if (memchr(text, '/', word.length))
      return NULL;
    size_t count = app_match_session(app->snapshot, word, &found);
    *problem = count == 0  ? "no session begins like that; a path holds a /, as in ./Makefile"
               : count > 1 ? "more than one session begins like that"
                           : NULL;
    length = word.length;
  }
  *rest = text + length + strspn(text + length, " ");
  return found;
}

void app_why_asked(struct app *app, struct effects *effects) {
  struct bt_scene *scene = &app->scene;
  const char *text = scene->ask.text + strspn(scene->ask.text, " "), *path = text, *problem = NULL;
  const struct bt_session *session = *text ? named_session(app, text, &path, &problem) : NULL;
  if (problem) {
    app_say(app, BT_SEVERITY_WARN, problem);
    return;
  }
  if (session)
    scene->session_id = session->id;
  snprintf(app->why_path, sizeof(app->why_path), "%s", path);
  for (size_t end = strlen(app->why_path); end > 0 && app->why_path[end - 1] == ' '; end--)
    app->why_path[end - 1] = '\0';
  ask_anew(app, effects);
}

struct effects app_copied(struct app *app, size_t bytes, const struct bt_error *err) {
  if (err)
    app_say(app, BT_SEVERITY_WARN, err->message);
  else {
    snprintf(app->message, sizeof(app->message), "copied: this page as JSON, %zu bytes", bytes);
    app_say(app, BT_SEVERITY_INFO, app->message);
  }
  return (struct effects){.changed = true};
}

/* Where the same step is now; the same row where it is gone. */
static size_t same_step(const struct bt_why *why, const struct bt_why_step *step, size_t row) {
  for (size_t i = 0; step && i < why->step_count; i++)
    if (why->steps[i].verb == step->verb && bt_text_equals(why->steps[i].subject, step->subject) &&
        bt_text_equals(why->steps[i].text, step->text))
      return why->rule_count + i;
  return row;
}

struct effects app_explained(struct app *app, struct bt_why *why, const struct bt_error *err) {
  struct bt_scene *scene = &app->scene;
  if (why && scene->why)
    scene->why_scroll.row = same_step(why, app_why_step(app), scene->why_scroll.row);
  else if (why)
    scene->why_scroll = (struct bt_scroll){bt_explain_first_step(why), 0};
  snprintf(app->why_error, sizeof(app->why_error), "%s",
           why               ? ""
           : err->message[0] ? err->message
                             : bt_code_words(err->code));
  scene->why_error = why ? NULL : app->why_error;
  scene->why = why;
  bt_why_free(app->why);
  app->why = why;
  app_settle(app);
  return (struct effects){.changed = true};
}

void app_why_press(struct app *app, struct effects *effects) {
  const struct bt_why_step *step = app_why_step(app);
  bool dialog = step && step->helps &&
                (step->verb == BT_VERB_CONTINUE || step->verb == BT_VERB_REPAIR || step->verb == BT_VERB_BYPASS ||
                 step->verb == BT_VERB_UNLOCK);
  if (dialog)
    app_verb_act(app, step->verb, effects);
  else if (step && !step->helps)
    app_say(app, BT_SEVERITY_INFO, "this does not help: it is listed so that nobody tries it in vain");
  else if (step)
    app_say(app, BT_SEVERITY_INFO,
            step->command ? "there is no dialog for this: copy the command and run it in a shell"
                          : "this is to be done by hand");
  else
    app_look_at(app, BT_TAB_OVERVIEW, effects);
}
