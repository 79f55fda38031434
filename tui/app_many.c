/* tui/app_many.c - many rows at once: marks, and the dialog that unlocks what is marked and stale. */
#include "tui/app_state.h"

#include <stdio.h>
#include <string.h>

#include "core/base/str.h"

#define FACTS_BYTES_MAX ((size_t)64 * 1024 * 1024)

/* ---------------------------------------------------------------- marks ------------------------ */

static bool on_locks(const struct app *app) {
  return app->scene.page == BT_PAGE_LOCKS;
}

static bool is_stale(const struct bt_lock *lock) {
  return lock && lock->verdict == BT_LOCK_STALE && !lock->view_only;
}

void app_marks_fit(struct app *app) {
  struct bt_scene *scene = &app->scene;
  if (!marks_fit(&app->marks, app->snapshot))
    app_say(app, BT_SEVERITY_ERROR, "out of memory: marks are not shown");
  scene->marked_sessions = app->marks.sessions;
  scene->marked_locks = app->marks.locks;
  scene->mark_count = app->marks.count;
}

static size_t stale_marked(const struct app *app) {
  size_t count = 0;
  for (size_t i = 0; app->scene.marked_locks && i < app->snapshot->lock_count; i++)
    count += app->scene.marked_locks[i] && is_stale(&app->snapshot->locks[i]);
  return count;
}

/* Marks of rows that this list does not show: of the other list, or kept out by the filter. */
static size_t hidden_marked(const struct app *app) {
  const struct bt_prepared *prepared = &app->prepared;
  size_t shown = 0, count = on_locks(app) ? prepared->lock_count : prepared->session_count;
  const bool *flags = on_locks(app) ? app->scene.marked_locks : app->scene.marked_sessions;
  for (size_t i = 0; flags && i < count; i++)
    shown += flags[on_locks(app) ? prepared->locks[i] : prepared->sessions[i]];
  return app->marks.count > shown ? app->marks.count - shown : 0;
}

static void say_marks(struct app *app) {
  char text[160], hidden[48] = "";
  app_marks_fit(app);
  size_t stale = stale_marked(app), unseen = hidden_marked(app);
  if (unseen)
    snprintf(hidden, sizeof(hidden), " (%zu not in this list)", unseen);
  if (app->marks.count == 0)
    snprintf(text, sizeof(text), "nothing is marked");
  else
    snprintf(text, sizeof(text), "%zu marked%s, %zu stale lock%s among them", app->marks.count, hidden, stale,
             stale == 1 ? "" : "s");
  app_say(app, BT_SEVERITY_INFO, text);
}

/* Marks or unmarks the row under the cursor and goes on to the next. */
static void toggle(struct app *app) {
  const struct bt_lock *lock = on_locks(app) ? bt_view_lock(&app->scene, app->snapshot) : NULL;
  const struct bt_session *session = on_locks(app) ? NULL : bt_view_session(&app->scene, app->snapshot);
  if (!lock && !session) {
    app_say(app, BT_SEVERITY_INFO, "there is no row to mark");
    return;
  }
  struct mark mark = lock ? mark_of_lock(lock) : mark_of_session(session);
  if (marks_has(&app->marks, mark)) {
    marks_remove(&app->marks, mark);
  } else if (!marks_add(&app->marks, mark)) {
    app_say(app, BT_SEVERITY_ERROR, "out of memory");
    return;
  }
  bt_view_move(&app->scene, app->snapshot, 1);
  say_marks(app);
}

/* Adds every row shown whose lock is proved stale. */
static void mark_stale(struct app *app) {
  const struct bt_prepared *prepared = &app->prepared;
  size_t found = 0, count = on_locks(app) ? prepared->lock_count : prepared->session_count;
  for (size_t i = 0; i < count; i++) {
    const struct bt_session *session = on_locks(app) ? NULL : &app->snapshot->sessions[prepared->sessions[i]];
    const struct bt_lock *lock = on_locks(app) ? &app->snapshot->locks[prepared->locks[i]] : session->lock;
    if (!is_stale(lock))
      continue;
    found++;
    if (!marks_add(&app->marks, session ? mark_of_session(session) : mark_of_lock(lock))) {
      app_say(app, BT_SEVERITY_ERROR, "out of memory: not all are marked");
      return;
    }
  }
  if (found)
    say_marks(app);
  else
    app_say(app, BT_SEVERITY_INFO, "no stale lock is shown here");
}

/* ---------------------------------------------------------------- the dialog ------------------- */

bool app_bulk_is_open(const struct app *app) {
  return app->bulk.arena != NULL;
}

struct bulk *app_bulk(struct app *app) {
  return &app->bulk;
}

enum { CANCEL, ACT };

/* The buttons live in the scene's dialog, which no form uses meanwhile. */
static void set_buttons(struct app *app) {
  struct bt_dialog *dialog = &app->scene.dialog;
  struct bt_bulk_counts counts = bt_bulk_count(app->bulk.lines, app->bulk.count);
  bool done = app->scene.bulk_phase == BT_BULK_DONE;
  snprintf(app->bulk_label, sizeof(app->bulk_label), "unlock %zu", counts.of[BT_BULK_WOULD]);
  dialog->items[CANCEL] = (struct bt_item){.kind = BT_ITEM_BUTTON, .label = done ? "Close" : "Cancel"};
  dialog->items[ACT] = (struct bt_item){.kind = BT_ITEM_BUTTON, .label = app->bulk_label};
  dialog->items[ACT].locked = counts.of[BT_BULK_WOULD] == 0 || app->bulk_unread;
  dialog->items[ACT].note = app->bulk_unread            ? "locked: the facts changed"
                            : dialog->items[ACT].locked ? "locked: nothing here can be removed"
                                                        : NULL;
  dialog->item_count = done ? 1 : 2;
  if (dialog->focus >= dialog->item_count)
    dialog->focus = CANCEL;
}

static void show(struct app *app, enum bt_bulk_phase phase) {
  struct bt_scene *scene = &app->scene;
  scene->bulk = app->bulk.lines;
  scene->bulk_count = app->bulk.count;
  scene->bulk_phase = phase;
  set_buttons(app);
}

void app_bulk_leave(struct app *app) {
  bulk_close(&app->bulk);
  memset(&app->scene.dialog, 0, sizeof(app->scene.dialog));
  app->scene.bulk = NULL;
  app->scene.bulk_count = 0;
  app->bulk_unread = false;
  bt_str_clear(&app->bulk_facts);
}

static bool open_bulk(struct app *app) {
  app_marks_fit(app);
  if (bulk_open(&app->bulk, app->snapshot, app->marks.sessions, app->marks.locks))
    return true;
  app_bulk_leave(app);
  app_say(app, BT_SEVERITY_ERROR, "out of memory");
  return false;
}

static void unlock_marked(struct app *app, struct effects *effects) {
  app_marks_fit(app);
  if (app->snapshot->imported) {
    app_say(app, BT_SEVERITY_WARN, "unlock: this is a snapshot: nothing can be changed from it");
  } else if (app->marks.count == 0) {
    app_say(app, BT_SEVERITY_INFO, "nothing is marked: mark rows first, or every stale lock");
  } else if (open_bulk(app)) {
    memset(&app->scene.dialog, 0, sizeof(app->scene.dialog));
    bt_str_clear(&app->bulk_facts);
    show(app, BT_BULK_PLANNING);
    app_effect(effects, EFFECT_BULK_PLAN);
  }
}

/* The ledger was read again: the list is made anew and held against the one on show. */
void app_bulk_recheck(struct app *app, struct effects *effects) {
  if (!app_bulk_is_open(app) || app->scene.bulk_phase != BT_BULK_READY)
    return;
  if (!open_bulk(app))
    return;
  show(app, BT_BULK_PLANNING);
  app_effect(effects, EFFECT_BULK_PLAN);
}

struct effects app_bulk_planned(struct app *app) {
  struct bt_str facts;
  if (!app_bulk_is_open(app))
    return (struct effects){.changed = true};
  bt_str_init(&facts, FACTS_BYTES_MAX);
  bulk_facts(&app->bulk, &facts);
  bool moved = facts.failed || (app->bulk_facts.length > 0 && strcmp(facts.data, app->bulk_facts.data) != 0);
  bt_str_dispose(&app->bulk_facts);
  app->bulk_facts = facts;
  if (moved) {
    app->bulk_unread = true;
    app->scene.dialog.focus = CANCEL;
    app->scene.dialog.stale = "changed while you were looking: read the list again";
  }
  show(app, BT_BULK_READY);
  app_settle(app);
  return (struct effects){.changed = true};
}

/* What was removed is not marked any more; the rest stays for another look. */
struct effects app_bulk_executed(struct app *app) {
  struct effects effects = {.changed = true};
  char summary[BT_BULK_SUMMARY], text[BT_BULK_SUMMARY + 16];
  if (!app_bulk_is_open(app))
    return effects;
  for (size_t i = 0; i < app->bulk.count; i++)
    if (app->bulk.lines[i].fate == BT_BULK_REMOVED)
      marks_remove(&app->marks, (struct mark){app->bulk.items[i].session, (char *)(uintptr_t)app->bulk.items[i].mark});
  struct bt_bulk_counts counts = bt_bulk_count(app->bulk.lines, app->bulk.count);
  bt_bulk_summary(summary, app->bulk.lines, app->bulk.count);
  snprintf(text, sizeof(text), "locks: %s", summary);
  app_say(app, counts.of[BT_BULK_FAILED] ? BT_SEVERITY_WARN : BT_SEVERITY_GOOD, text);
  app->scene.dialog.top = 0;
  app->scene.dialog.stale = NULL;
  show(app, BT_BULK_DONE);
  app_effect(&effects, EFFECT_REFRESH);
  app_settle(app);
  return effects;
}

static void press(struct app *app, struct effects *effects) {
  const struct bt_dialog *dialog = &app->scene.dialog;
  if (dialog->focus == CANCEL) {
    bool done = app->scene.bulk_phase == BT_BULK_DONE;
    app_bulk_leave(app);
    if (!done)
      app_say(app, BT_SEVERITY_INFO, "left: nothing was written");
  } else if (!dialog->items[ACT].locked && app->scene.bulk_phase == BT_BULK_READY) {
    app->scene.bulk_phase = BT_BULK_BUSY;
    app_effect(effects, EFFECT_BULK_EXECUTE);
  }
}

static void copy_commands(struct app *app, struct effects *effects) {
  struct bt_str line;
  bt_str_init(&line, FACTS_BYTES_MAX);
  for (size_t i = 0; i < app->bulk.count; i++) {
    const struct bt_plan *plan = app->bulk.items[i].plan;
    if (plan && plan->command)
      bt_str_printf(&line, "%s%s", line.length ? "; " : "", plan->command);
  }
  if (line.length && !line.failed)
    app_copy(app, effects, line.data);
  else
    app_say(app, BT_SEVERITY_INFO, "there is no command to copy: nothing is to be done here");
  bt_str_dispose(&line);
}

void app_bulk_act(struct app *app, enum bt_action action, struct effects *effects) {
  struct bt_dialog *dialog = &app->scene.dialog;
  if (app->scene.bulk_phase == BT_BULK_BUSY)
    return;
  switch (action) {
  case BT_ACTION_CANCEL:
    dialog->focus = CANCEL;
    press(app, effects);
    break;
  case BT_ACTION_FOCUS_NEXT:
  case BT_ACTION_FOCUS_PREV:
    dialog->focus = (dialog->focus + 1) % dialog->item_count;
    app->bulk_unread = false;
    set_buttons(app);
    break;
  case BT_ACTION_CHOOSE_NEXT:
  case BT_ACTION_CHOOSE_PREV:
    bt_view_move(&app->scene, app->snapshot, action == BT_ACTION_CHOOSE_NEXT ? 1 : -1);
    break;
  case BT_ACTION_PRESS:
    press(app, effects);
    break;
  case BT_ACTION_COPY:
    copy_commands(app, effects);
    break;
  default:
    break;
  }
}

bool app_many_act(struct app *app, enum bt_action action, struct effects *effects) {
  bool many = action == BT_ACTION_MARK || action == BT_ACTION_MARK_STALE || action == BT_ACTION_UNMARK_ALL ||
              action == BT_ACTION_UNLOCK_MARKED;
  if (!many)
    return false;
  if (!app->snapshot) {
    app_say(app, BT_SEVERITY_INFO, "nothing is loaded yet");
  } else if (action == BT_ACTION_MARK) {
    toggle(app);
  } else if (action == BT_ACTION_MARK_STALE) {
    mark_stale(app);
  } else if (action == BT_ACTION_UNMARK_ALL) {
    marks_clear(&app->marks);
    say_marks(app);
  } else {
    unlock_marked(app, effects);
  }
  return true;
}
