/* tui/app_mark.c - what baton remembers for the operator: the order of the list, and which briefs were read. */
#include "tui/app_state.h"

#include "core/base/str.h"

void app_order_keep(const struct app *app, struct effects *effects) {
  struct effect *effect = app_effect(effects, EFFECT_KEEP_ORDER);
  effect->text = bt_sort_spelling(app->scene.sort);
  effect->length = app->scene.sort_reversed;
}

/* One letter is the whole answer; any other key leaves the order as it is. */
void app_order_choose(struct app *app, enum bt_action action, uint32_t key, struct effects *effects) {
  struct bt_scene *scene = &app->scene;
  scene->prompt = BT_PROMPT_NONE;
  for (int sort = 0; action == BT_ACTION_NONE && sort < BT_SORT_COUNT; sort++)
    if (key == (uint32_t)bt_sort_letter((enum bt_sort)sort)) {
      scene->sort_reversed = scene->sort == (enum bt_sort)sort && sort != BT_SORT_TRIAGE && !scene->sort_reversed;
      scene->sort = (enum bt_sort)sort;
      app_order_keep(app, effects);
    }
}

void app_set_order(struct app *app, const char *spelling, bool reversed) {
  for (int sort = 0; sort < BT_SORT_COUNT; sort++)
    if (bt_text_equals(bt_sort_spelling((enum bt_sort)sort), spelling)) {
      app->scene.sort = (enum bt_sort)sort;
      app->scene.sort_reversed = reversed;
    }
  app_settle(app);
}

void app_preview_next(struct app *app, struct effects *effects) {
  struct bt_scene *scene = &app->scene;
  scene->preview = (enum bt_preview)((scene->preview + 1) % BT_PREVIEW_COUNT);
  app_say(app, BT_SEVERITY_INFO, bt_preview_words(scene->preview));
  app_effect(effects, EFFECT_KEEP_PREVIEW)->text = bt_preview_spelling(scene->preview);
}

void app_set_preview(struct app *app, const char *spelling) {
  for (int preview = 0; preview < BT_PREVIEW_COUNT; preview++)
    if (bt_text_equals(bt_preview_spelling((enum bt_preview)preview), spelling))
      app->scene.preview = (enum bt_preview)preview;
  app_settle(app);
}

/* Only what is on the screen can have been read: the mark is set where the brief is open. */
void app_review(struct app *app, struct effects *effects) {
  const struct bt_session *session = app_subject_session(app);
  const struct bt_capture *brief = session ? session->capture : NULL;
  bool open = app->scene.page == BT_PAGE_SESSION && app->scene.tab == BT_TAB_BRIEF;
  if (!brief || !brief->text || !brief->actual_hash) {
    app_say(app, BT_SEVERITY_INFO, "there is no brief to mark as read");
  } else if (!open && !brief->reviewed) {
    app_say(app, BT_SEVERITY_INFO, "open the brief first: only what was on the screen can be marked as read");
  } else {
    struct effect *effect = app_effect(effects, EFFECT_REVIEW);
    effect->text = session->id;
    effect->length = !brief->reviewed;
  }
}

struct effects app_reviewed(struct app *app, bool reviewed, const struct bt_error *err) {
  struct effects effects = {.changed = true};
  if (err)
    app_say(app, BT_SEVERITY_WARN, err->message[0] ? err->message : bt_code_words(err->code));
  else
    app_say(app, BT_SEVERITY_GOOD,
            reviewed ? "marked as read: the mark holds for exactly this text" : "the mark is gone");
  if (!err && confirm_is_open(&app->confirm)) {
    confirm_reviewed(&app->confirm);
    app_want_plan(app, &effects);
  }
  app_effect(&effects, EFFECT_REFRESH);
  return effects;
}
