/* tui/app_diff.c - a brief against the copy of it that is kept: on the brief's tab, and in the dialog of repair. */
#include "tui/app_state.h"

#include <stdio.h>

#include "core/base/str.h"

static bool in_repair(const struct app *app) {
  return confirm_is_open(&app->confirm) && app->scene.dialog.verb == BT_VERB_REPAIR;
}

bool app_diff_fits(const struct app *app) {
  const struct bt_scene *scene = &app->scene;
  return scene->diff && scene->page == BT_PAGE_SESSION && scene->tab == BT_TAB_BRIEF &&
         bt_text_equals(scene->diff->session, scene->session_id);
}

void app_diff_toggle(struct app *app, struct effects *effects) {
  struct bt_scene *scene = &app->scene;
  const struct bt_session *session = app->snapshot ? bt_view_session(scene, app->snapshot) : NULL;
  if (confirm_is_open(&app->confirm) && !in_repair(app)) {
    app_say(app, BT_SEVERITY_INFO, "there is no difference to look at here");
  } else if (in_repair(app) && scene->dialog.reading.text) {
    scene->dialog.reading = (struct bt_reading){NULL, 0, false};
    scene->dialog.top = 0;
  } else if (in_repair(app)) {
    app_effect(effects, EFFECT_DIFF)->text = scene->dialog.subject;
  } else if (scene->diff) {
    scene->diff = NULL;
    scene->tabs[BT_TAB_BRIEF].top = 0;
  } else if (session) {
    app_look_at(app, BT_TAB_BRIEF, effects);
    app_effect(effects, EFFECT_DIFF)->text = session->id;
  } else {
    app_say(app, BT_SEVERITY_INFO, "there is no brief here to compare");
  }
}

void app_diff_ask(struct app *app, struct effects *effects) {
  if (app_diff_fits(app))
    app_effect(effects, EFFECT_DIFF)->text = app->scene.session_id;
}

struct effects app_compared(struct app *app, struct bt_brief_diff *diff, const struct bt_error *err) {
  struct bt_scene *scene = &app->scene;
  struct bt_brief_diff *old = app->diff;
  bool first = !scene->diff;
  bool moved = !first && diff && !bt_text_equals(scene->diff->new_hash, diff->new_hash);
  app->diff = diff;
  scene->diff = NULL;
  if (!diff) {
    app_say(app, BT_SEVERITY_WARN, err->message[0] ? err->message : bt_code_words(err->code));
  } else if (in_repair(app)) {
    scene->dialog.reading = (struct bt_reading){diff->text, diff->length, true};
    scene->dialog.top = 0;
  } else {
    scene->diff = diff;
    if (first)
      scene->tabs[BT_TAB_BRIEF].top = 0;
    if (moved)
      app_say(app, BT_SEVERITY_WARN, "the brief has changed");
    if (first && diff->added + diff->removed == 0)
      app_say(app, BT_SEVERITY_INFO, "no line of the brief has changed since that copy was kept");
  }
  app_settle(app);
  bt_brief_diff_free(old);
  return (struct effects){.changed = true};
}
