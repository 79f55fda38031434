/* tui/app_prompt.c - what is typed at the bottom line: filters, the search, a command, a question, the order's letter.
 *
 * A filter that is being typed may hide the selected row for a moment. What was selected when the line was opened is
 * selected again as soon as it is in sight: after an erased letter, and when the filter is given up. */
#include "tui/app_state.h"

#include "core/base/str.h"
#include "tui/edit.h"

struct bt_field *app_prompt_field(struct app *app) {
  struct bt_scene *scene = &app->scene;
  return scene->prompt == BT_PROMPT_FILTER    ? &scene->filter
         : scene->prompt == BT_PROMPT_LOG     ? &scene->log_filter
         : scene->prompt == BT_PROMPT_COMMAND ? &scene->command
         : scene->prompt == BT_PROMPT_ASK     ? &scene->ask
         : scene->prompt == BT_PROMPT_HELP    ? &scene->help_filter
                                              : &scene->search;
}

void app_filter_open(struct app *app) {
  struct bt_scene *scene = &app->scene;
  bool follows = !scene->log_fixed && scene->log_scroll.row == 0; /* the newest, whichever it is */
  const struct bt_log_row *entry = follows ? NULL : bt_view_log_row(scene);
  const char *selected = scene->page == BT_PAGE_LOG     ? (entry ? entry->key : NULL)
                         : scene->page == BT_PAGE_LOCKS ? scene->selected_lock
                                                        : scene->selected_id;
  bt_str_clear(&app->anchor);
  bt_str_puts(&app->anchor, selected ? selected : "");
  scene->prompt = scene->page == BT_PAGE_LOG ? BT_PROMPT_LOG : BT_PROMPT_FILTER;
}

/* The lock of this path; NULL: it is gone. */
static const struct bt_lock *lock_at(const struct bt_snapshot *snapshot, const char *path) {
  for (size_t i = 0; i < snapshot->lock_count; i++)
    if (bt_text_equals(snapshot->locks[i].path, path))
      return &snapshot->locks[i];
  return NULL;
}

static void select_anchor(struct app *app, enum bt_prompt prompt) {
  struct bt_scene *scene = &app->scene;
  if (!app->snapshot || app->anchor.failed || app->anchor.length == 0)
    return;
  if (prompt == BT_PROMPT_LOG) {
    app_settle(app); /* the rows that this filter lets through */
    app_log_select(app, app->anchor.data);
  } else if (prompt == BT_PROMPT_FILTER && scene->page == BT_PAGE_LOCKS) {
    const struct bt_lock *lock = lock_at(app->snapshot, app->anchor.data);
    scene->selected_lock = lock ? lock->path : scene->selected_lock;
  } else if (prompt == BT_PROMPT_FILTER) {
    const struct bt_session *session = bt_snapshot_session(app->snapshot, app->anchor.data);
    scene->selected_id = session ? session->id : scene->selected_id;
  }
}

void app_input_act(struct app *app, enum bt_action action, uint32_t key, struct effects *effects) {
  struct bt_scene *scene = &app->scene;
  if (scene->prompt == BT_PROMPT_SORT) {
    app_order_choose(app, action, key, effects);
    return;
  }
  struct bt_field *field = app_prompt_field(app);
  bool command = scene->prompt == BT_PROMPT_COMMAND, asking = scene->prompt == BT_PROMPT_ASK;
  if (action == BT_ACTION_COMPLETE) {
    if (command || asking)
      app_command_complete(app);
    return;
  }
  enum bt_prompt prompt = scene->prompt;
  if (action == BT_ACTION_CANCEL)
    edit_clear(field);
  if (action == BT_ACTION_CANCEL || action == BT_ACTION_ACCEPT)
    scene->prompt = BT_PROMPT_NONE;
  else if (action == BT_ACTION_NONE)
    (void)edit_type(field, key);
  else
    (void)edit_act(field, action);
  select_anchor(app, prompt);
  app->find_hit = scene->prompt == BT_PROMPT_SEARCH;
  if (command && action == BT_ACTION_ACCEPT)
    app_command_run(app, effects);
  if (asking && action == BT_ACTION_ACCEPT)
    app_why_asked(app, effects);
}
