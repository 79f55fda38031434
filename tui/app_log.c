/* tui/app_log.c - the evidence log: reading it, following it, keeping the selection on its entry. */
#include "tui/app_state.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/base/str.h"

void app_log_ask(struct app *app, struct effects *effects) {
  if (app->scene.page == BT_PAGE_LOG && app->snapshot)
    app_effect(effects, EFFECT_LOG)->length = app->log != NULL;
}

void app_log_open(struct app *app, struct effects *effects) {
  app_open_page(app, BT_PAGE_LOG);
  app->scene.log_scroll = (struct bt_scroll){0, 0};
  app_log_ask(app, effects);
}

/* The row among those that the filter lets through; 0 where the entry is gone. */
static size_t find_key(const struct app *app, const char *key) {
  const struct bt_prepared *prepared = &app->prepared;
  for (size_t i = 0; i < prepared->log_count; i++)
    if (bt_text_equals(app->log->rows[prepared->log[i]].key, key))
      return i;
  return 0;
}

void app_log_select(struct app *app, const char *key) {
  for (size_t i = 0; app->log && i < app->prepared.log_count; i++)
    if (bt_text_equals(app->log->rows[app->prepared.log[i]].key, key))
      app->scene.log_scroll.row = i;
}

struct effects app_logged(struct app *app, struct bt_log_view *log, const struct bt_error *err) {
  struct bt_scene *scene = &app->scene;
  struct bt_log_view *old = app->log;
  const struct bt_log_row *selected = bt_view_log_row(scene);
  bool follow = !selected || (!scene->log_fixed && scene->log_scroll.row == 0);
  snprintf(app->log_error, sizeof(app->log_error), "%s",
           log               ? ""
           : err->message[0] ? err->message
                             : bt_code_words(err->code));
  scene->log_error = log ? NULL : app->log_error;
  scene->log = app->log = log;
  app_settle(app);
  if (log)
    scene->log_scroll.row = follow ? 0 : find_key(app, selected->key);
  app_settle(app);
  bt_log_view_free(old);
  return (struct effects){.changed = true};
}

struct effects app_log_checked(struct app *app) {
  struct effects effects = {.count = 0};
  app_log_ask(app, &effects);
  return effects;
}

void app_log_copy(struct app *app, struct effects *effects) {
  const struct bt_log_row *row = bt_view_log_row(&app->scene);
  char text[1024];
  if (!row)
    app_say(app, BT_SEVERITY_INFO, "there is no entry to copy");
  else if (snprintf(text, sizeof(text), "%s%s%" PRIu64 " %s %s %s", row->file ? row->file : "",
                    row->line ? " line " : " ", row->line, row->gate, row->session ? row->session : "-",
                    row->outcome ? row->outcome : "-") > 0)
    app_copy(app, effects, text);
}
