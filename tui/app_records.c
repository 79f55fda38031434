/* tui/app_records.c - the session records: asking for them, keeping the selection on its record, opening one's brief.
 */
#include "tui/app_state.h"

#include <stdio.h>

#include "core/base/str.h"
#include "core/ops/command.h"
#include "core/records/plan.h"

#define COMMAND_BYTES 65536

void app_records_ask(struct app *app, struct effects *effects) {
  if (app->scene.page != BT_PAGE_RECORDS)
    return;
  app->scene.records_busy = true;
  app_effect(effects, EFFECT_RECORDS);
}

void app_records_open(struct app *app, struct effects *effects) {
  app_open_page(app, BT_PAGE_RECORDS);
  app_records_ask(app, effects);
}

/* The row of the same record; the same row where it is gone. */
static size_t same_record(const struct bt_records_view *records, const struct bt_record_item *item, size_t row) {
  for (size_t i = 0; item && i < records->count; i++)
    if (bt_text_equals(records->items[i].id, item->id))
      return i;
  return row;
}

struct effects app_recorded(struct app *app, struct bt_records_view *records, const struct bt_error *err) {
  struct bt_scene *scene = &app->scene;
  struct bt_records_view *old = app->records;
  if (records)
    scene->records_scroll.row = same_record(records, bt_view_record(scene), scene->records_scroll.row);
  snprintf(app->records_error, sizeof(app->records_error), "%s",
           records           ? ""
           : err->message[0] ? err->message
                             : bt_code_words(err->code));
  scene->records_error = records ? NULL : app->records_error;
  scene->records = app->records = records;
  scene->records_busy = false;
  app_settle(app);
  bt_records_view_free(old);
  return (struct effects){.changed = true};
}

void app_records_brief(struct app *app, struct effects *effects) {
  const struct bt_record_item *record = bt_view_record(&app->scene);
  if (!record) {
    app_say(app, BT_SEVERITY_INFO, "there is no record here to open");
    return;
  }
  struct effect *effect = app_effect(effects, EFFECT_RECORD_BRIEF);
  effect->paths[effect->path_count++] = record->folder;
}

void app_records_copy(struct app *app, struct effects *effects) {
  const struct bt_record_item *record = bt_view_record(&app->scene);
  struct bt_str line;
  if (!record) {
    app_say(app, BT_SEVERITY_INFO, "there is no record to copy a command for");
    return;
  }
  bt_str_init(&line, COMMAND_BYTES);
  bt_str_puts(&line, "HANDOFFS_ROOT=");
  bt_shell_word(&line, app->records->root);
  bt_str_puts(&line, " baton records verify --deep ");
  bt_shell_word(&line, record->id);
  app_copy(app, effects, line.data);
  bt_str_dispose(&line);
}

const char *app_records_off(const struct bt_session *session, bool of_record) {
  if (!session)
    return of_record ? "the session of this record is not listed; --all lists those of every repository"
                     : "no session of this ledger is selected";
  return bt_record_off(session);
}
