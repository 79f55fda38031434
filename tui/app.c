/* tui/app.c - the state machine: which part of it a key belongs to, and what an answer changes. */
#include "tui/app.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "tui/app_state.h"
#include "tui/edit.h"

#define COPY_BYTES_MAX ((size_t)256 * 1024)
#define ID_BYTES_MAX 4096
enum { SECOND_MS = 1000, MINUTE_MS = 60 * SECOND_MS };

struct app *app_new(const struct app_options *options) {
  struct app *app = calloc(1, sizeof(*app));
  if (!app)
    return NULL;
  app->options = *options;
  bt_str_init(&app->copied, COPY_BYTES_MAX);
  bt_str_init(&app->kept_id, ID_BYTES_MAX);
  bt_str_init(&app->open_id, ID_BYTES_MAX);
  bt_str_init(&app->anchor, ID_BYTES_MAX);
  bt_str_init(&app->bulk_facts, COPY_BYTES_MAX);
  app->scene.unicode = options->unicode;
  app->scene.utc = options->utc;
  app->scene.keymap_name = options->keymap_name;
  app->scene.rows = 24;
  app->scene.columns = 80;
  app->scene.prepared = &app->prepared;
  app_settle(app);
  return app;
}

void app_free(struct app *app) {
  if (!app)
    return;
  confirm_close(&app->confirm);
  form_close(&app->copying);
  bt_prepared_dispose(&app->prepared);
  bt_snapshot_free(app->snapshot);
  bt_arena_free(app->raw_arena);
  bt_brief_diff_free(app->diff);
  bt_why_free(app->why);
  bt_log_view_free(app->log);
  bt_records_view_free(app->records);
  bt_delivery_view_free(app->deliveries);
  marks_dispose(&app->marks);
  bulk_close(&app->bulk);
  bt_str_dispose(&app->bulk_facts);
  bt_str_dispose(&app->copied);
  bt_str_dispose(&app->kept_id);
  bt_str_dispose(&app->open_id);
  bt_str_dispose(&app->anchor);
  free(app);
}

const struct bt_scene *app_scene(const struct app *app) {
  return &app->scene;
}

const struct bt_snapshot *app_snapshot(const struct app *app) {
  return app->snapshot;
}

enum bt_mode app_page_mode(const struct app *app) {
  switch (app->scene.page) {
  case BT_PAGE_SESSION:
    return BT_MODE_SESSION;
  case BT_PAGE_LOCKS:
    return BT_MODE_LOCKS;
  case BT_PAGE_WHY:
    return BT_MODE_WHY;
  case BT_PAGE_LOG:
    return BT_MODE_LOG;
  case BT_PAGE_RECORDS:
    return BT_MODE_RECORDS;
  case BT_PAGE_DELIVERIES:
    return BT_MODE_DELIVERIES;
  default:
    return BT_MODE_LIST;
  }
}

enum bt_mode app_mode(const struct app *app) {
  if (app->scene.prompt != BT_PROMPT_NONE)
    return BT_MODE_INPUT;
  if (app->help_open)
    return BT_MODE_HELP;
  if (confirm_is_open(&app->confirm))
    return confirm_mode(&app->confirm);
  if (app_bulk_is_open(app))
    return BT_MODE_CONFIRM;
  return app_page_mode(app);
}

struct effect *app_effect(struct effects *effects, enum effect_kind kind) {
  assert(effects->count < APP_EFFECTS_MAX);
  struct effect *effect = &effects->list[effects->count++];
  effect->kind = kind;
  return effect;
}

/* A page keeps to its session while the row is away: one whose file is written anew is nowhere for a moment. */
static void keep_to_open_session(struct app *app) {
  struct bt_scene *scene = &app->scene;
  if (scene->session_id) {
    if (!bt_text_equals(scene->session_id, app->open_id.data)) {
      bt_str_clear(&app->open_id);
      bt_str_puts(&app->open_id, scene->session_id);
    }
    return;
  }
  bool on_page = scene->page == BT_PAGE_SESSION || scene->page == BT_PAGE_WHY;
  const struct bt_session *back =
      on_page && app->snapshot && app->open_id.length ? bt_snapshot_session(app->snapshot, app->open_id.data) : NULL;
  scene->session_id = back ? back->id : NULL;
}

void app_settle(struct app *app) {
  struct bt_scene *scene = &app->scene;
  keep_to_open_session(app);
  if (!app_diff_fits(app))
    scene->diff = NULL;
  scene->overlay = app->help_open                   ? BT_OVERLAY_HELP
                   : confirm_is_open(&app->confirm) ? BT_OVERLAY_DIALOG
                   : app_bulk_is_open(app)          ? BT_OVERLAY_BULK
                                                    : BT_OVERLAY_NONE;
  /* Out of memory leaves fewer rows to show; the next change tries again. */
  if (bt_prepared_update(&app->prepared, app->snapshot, scene, NULL) != BT_OK)
    app_say(app, BT_SEVERITY_ERROR, "out of memory: not everything is shown");
  app_marks_fit(app);
  bt_view_settle(scene, app->snapshot);
  if (app->prepared.snapshot != app->snapshot)
    scene->selected_id = scene->selected_lock = scene->session_id = NULL;
  if (app->find_hit) {
    scene->hit = bt_view_hit_from_top(scene);
    bt_view_show_hit(scene, app->snapshot);
    app->find_hit = false;
  }
  struct hints_off off = app_verbs_off(app);
  hints_fill(&app->hints, scene, app->options.keymap, app_mode(app), &off);
  if (app->help_open)
    hints_help(&app->hints, scene, app->options.keymap, app->help_for, &off);
}

void app_say(struct app *app, enum bt_severity severity, const char *text) {
  if (text != app->message)
    snprintf(app->message, sizeof(app->message), "%s", text ? text : "");
  app->scene.message = app->message[0] ? app->message : NULL;
  app->scene.severity = severity;
  app->news = false;
}

void app_copy(struct app *app, struct effects *effects, const char *text) {
  bt_str_clear(&app->copied);
  bt_str_puts(&app->copied, text);
  if (app->copied.failed) {
    app_say(app, BT_SEVERITY_ERROR, "too long to be copied");
    return;
  }
  struct effect *effect = app_effect(effects, EFFECT_COPY);
  effect->text = app->copied.data;
  effect->length = app->copied.length;
  snprintf(app->message, sizeof(app->message), "copied: %s", app->copied.data);
  app_say(app, BT_SEVERITY_INFO, app->message);
}

/* Where only "too small" is shown nothing may happen unseen. */
static bool allowed_unseen(enum bt_action action) {
  return action == BT_ACTION_QUIT || action == BT_ACTION_BACK || action == BT_ACTION_CANCEL ||
         action == BT_ACTION_SUSPEND || action == BT_ACTION_REDRAW;
}

void app_open_help(struct app *app) {
  app->help_for = app_page_mode(app);
  app->help_open = true;
  app->scene.help_scroll = (struct bt_scroll){0, 0};
  edit_clear(&app->scene.help_filter);
}

static void dispatch(struct app *app, enum bt_mode mode, enum bt_action action, uint32_t key, struct effects *effects) {
  bool dialog = mode == BT_MODE_CONFIRM || mode == BT_MODE_FIELD;
  if (action == BT_ACTION_REDRAW)
    app_effect(effects, EFFECT_REDRAW);
  else if (action == BT_ACTION_SUSPEND)
    app_effect(effects, EFFECT_SUSPEND);
  else if (action == BT_ACTION_HELP)
    app_open_help(app);
  else if (action == BT_ACTION_TIMES)
    app_toggle_times(app);
  else if (action == BT_ACTION_WRITE_VIEW)
    app_write_view(app, effects);
  else if (mode == BT_MODE_HELP)
    app_help_act(app, action);
  else if (mode == BT_MODE_INPUT)
    app_input_act(app, action, key, effects);
  else if (dialog && app_bulk_is_open(app))
    app_bulk_act(app, action, effects);
  else if (dialog && action == BT_ACTION_COPY && app->confirm.plan)
    app_copy(app, effects, app->confirm.plan->command);
  else if (mode == BT_MODE_FIELD && action == BT_ACTION_NONE && bt_key_printable(key))
    app_dialog_answer(app, confirm_type(&app->confirm, key), effects);
  else if (dialog && action == BT_ACTION_DIFF)
    app_diff_toggle(app, effects);
  else if (mode == BT_MODE_CONFIRM && app_move(app, action))
    return;
  else if (dialog)
    app_dialog_act(app, action, effects);
  else
    app_page_act(app, action, effects);
}

struct effects app_key(struct app *app, uint32_t key) {
  struct effects effects = {.changed = true};
  enum bt_mode mode = app_mode(app);
  enum bt_action action = bt_keymap_lookup(app->options.keymap, mode, key);
  bool text = action == BT_ACTION_NONE && bt_mode_typing(mode) && bt_key_printable(key);
  bool unseen = bt_view_too_small(&app->scene);
  if (!unseen && mode == BT_MODE_CONFIRM && confirm_is_open(&app->confirm)) {
    bool begun = confirm_begin_word(&app->confirm, key);
    bool lost = action == BT_ACTION_NONE && bt_key_printable(key) && confirm_misses_field(&app->confirm);
    if (begun || lost) {
      app_say(app, BT_SEVERITY_INFO, begun ? NULL : "nothing is typed: move to the field first");
      app_settle(app);
      return effects;
    }
  }
  if ((action == BT_ACTION_NONE && !text) || (unseen && !allowed_unseen(action)))
    return (struct effects){.count = 0};
  app_say(app, BT_SEVERITY_INFO, NULL);
  dispatch(app, mode, action, key, &effects);
  app_settle(app);
  return effects;
}

enum { WHEEL_ROWS = 3 };

struct effects app_mouse(struct app *app, enum app_mouse mouse, int row, int column) {
  struct effects effects = {.changed = true};
  struct bt_spot spot = bt_view_spot(&app->scene, app->snapshot, row, column);
  if (!app->snapshot || bt_view_too_small(&app->scene))
    return (struct effects){.count = 0};
  if (mouse != APP_MOUSE_PRESS) {
    if (app->scene.prompt == BT_PROMPT_NONE)
      bt_view_move(&app->scene, app->snapshot, mouse == APP_MOUSE_WHEEL_UP ? -WHEEL_ROWS : WHEEL_ROWS);
  } else if (spot.kind == BT_SPOT_ROW && app->scene.prompt == BT_PROMPT_NONE) {
    bt_view_move_to(&app->scene, app->snapshot, spot.index);
  } else if (spot.kind == BT_SPOT_HINT) {
    app_say(app, BT_SEVERITY_INFO, NULL);
    dispatch(app, app_mode(app), app->hints.actions[spot.index], BT_KEY_NONE, &effects);
  } else {
    return (struct effects){.count = 0};
  }
  app_settle(app);
  return effects;
}

struct effects app_paste(struct app *app, const char *text, size_t length) {
  struct effects effects = {.changed = true};
  enum bt_mode mode = app_mode(app);
  bool taken = false;
  if (bt_view_too_small(&app->scene))
    return effects;
  if (mode == BT_MODE_INPUT)
    taken = app->scene.prompt != BT_PROMPT_SORT && edit_paste(app_prompt_field(app), text, length);
  else if (mode == BT_MODE_FIELD)
    taken = confirm_paste(&app->confirm, text, length) == CONFIRM_CHANGED;
  if (!taken)
    app_say(app, BT_SEVERITY_INFO, "pasted text is never read as keys");
  app_settle(app);
  return effects;
}

struct effects app_resize(struct app *app, int rows, int columns) {
  app->scene.rows = rows;
  app->scene.columns = columns;
  app_settle(app);
  return (struct effects){.changed = true};
}

void app_live(struct app *app, enum bt_live live) {
  app->scene.live = live;
}

/* ---------------------------------------------------------------- time ------------------------- */

static bool grant_runs(const struct app *app, int64_t now_ms, bool *ran_out) {
  bool runs = false;
  *ran_out = false;
  for (size_t i = 0; app->snapshot && i < app->snapshot->grant_count; i++) {
    const struct bt_grant *grant = &app->snapshot->grants[i];
    if (grant->state != BT_GRANT_LIVE)
      continue;
    runs = runs || grant->expires_at_ms > now_ms;
    *ran_out = *ran_out || grant->expires_at_ms <= now_ms;
  }
  return runs;
}

struct effects app_tick(struct app *app, int64_t now_ms, int utc_offset_s) {
  struct effects effects = {.count = 0};
  struct bt_scene *scene = &app->scene;
  bool ran_out, runs = grant_runs(app, now_ms, &ran_out);
  app->local_offset_s = utc_offset_s;
  utc_offset_s = scene->utc ? 0 : utc_offset_s;
  bool new_minute = scene->now_ms / MINUTE_MS != now_ms / MINUTE_MS || scene->utc_offset_s != utc_offset_s;
  effects.changed = new_minute || (runs && scene->now_ms / SECOND_MS != now_ms / SECOND_MS);
  if (effects.changed) { /* between two ticks the clock stands, so an idle screen is the same screen */
    scene->now_ms = now_ms;
    scene->utc_offset_s = utc_offset_s;
  }
  /* Owners die and grants run out without touching a file. */
  bool due = (ran_out && !app->expiry_seen) || (new_minute && app->snapshot && app->snapshot->lock_count > 0);
  if (due) {
    app->expiry_seen = app->expiry_seen || ran_out;
    app_effect(&effects, EFFECT_REFRESH);
  }
  if (effects.changed)
    app_settle(app);
  return effects;
}

int64_t app_wakes_at(const struct app *app, int64_t now_ms) {
  bool ran_out;
  int64_t step = grant_runs(app, now_ms, &ran_out) ? SECOND_MS : MINUTE_MS;
  return (now_ms / step + 1) * step;
}

/* ---------------------------------------------------------------- answers ---------------------- */

struct effects app_refreshed(struct app *app, struct bt_snapshot *snapshot) {
  struct effects effects = {.changed = true};
  struct bt_snapshot *old = app->snapshot;
  app->snapshot = snapshot;
  app->expiry_seen = false;
  app->scene.dialog.lock = NULL;
  if (confirm_is_open(&app->confirm) && confirm_recheck(&app->confirm, snapshot))
    app_want_plan(app, &effects);
  app_bulk_recheck(app, &effects);
  app_news_tell(app, old);
  app_settle(app); /* leaves nothing that points into the old one */
  app_want_raw(app, &effects);
  app_diff_ask(app, &effects);
  app_why_ask(app, &effects);
  app_log_ask(app, &effects);
  bt_snapshot_free(old);
  return effects;
}

struct effects app_refresh_failed(struct app *app, const struct bt_error *err) {
  app_say(app, BT_SEVERITY_ERROR, err->message[0] ? err->message : bt_code_words(err->code));
  return (struct effects){.changed = true};
}

struct effects app_planned(struct app *app, struct bt_plan *plan, const struct bt_error *err) {
  struct effects effects = {.changed = true};
  if (confirm_is_open(&app->confirm))
    confirm_planned(&app->confirm, plan, err);
  else
    bt_plan_free(plan);
  if (confirm_is_open(&app->confirm) && app->confirm.again && confirm_recheck(&app->confirm, app->snapshot))
    app_want_plan(app, &effects);
  app_settle(app);
  return effects;
}

struct effects app_planned_to_copy(struct app *app, struct bt_plan *plan, const struct bt_error *err) {
  struct effects effects = {.changed = true};
  if (plan)
    app_copy(app, &effects, plan->command);
  else
    app_say(app, BT_SEVERITY_WARN, err->message[0] ? err->message : bt_code_words(err->code));
  bt_plan_free(plan);
  form_close(&app->copying);
  app_settle(app);
  return effects;
}

struct effects app_executed(struct app *app, const struct bt_receipt *receipt, const struct bt_error *err) {
  struct effects effects = {.changed = true};
  if (receipt) {
    confirm_close(&app->confirm);
    app_say(app, BT_SEVERITY_GOOD, receipt->human);
    app_deliveries_ask(app, false, &effects);
  } else if (confirm_is_open(&app->confirm) && app->confirm.stopping && err->code == BT_STATE) {
    confirm_close(&app->confirm);
    app_say(app, BT_SEVERITY_INFO, "stopped: nothing was written");
  } else if (confirm_is_open(&app->confirm)) {
    confirm_failed(&app->confirm, err);
    app_want_plan(app, &effects);
  }
  app_effect(&effects, EFFECT_REFRESH);
  app_records_ask(app, &effects);
  app_settle(app);
  return effects;
}

/* Whether the end of the transcript is in sight, so that it stays in sight when more comes. */
static bool follows_end(struct app *app) {
  struct bt_scene *scene = &app->scene;
  size_t *top = &scene->tabs[BT_TAB_TRANSCRIPT].top, before = *top;
  if (scene->tab != BT_TAB_TRANSCRIPT)
    return false;
  if (scene->raw_for != BT_TAB_TRANSCRIPT || !scene->raw)
    return true; /* it was just opened */
  *top = SIZE_MAX;
  bt_view_settle(scene, app->snapshot);
  bool at_end = before >= *top;
  *top = before;
  return at_end;
}

struct effects app_raw(struct app *app, struct bt_arena *arena, const struct bt_raw_file *files, size_t count) {
  struct bt_arena *old = app->raw_arena;
  bool to_end = follows_end(app);
  app->raw_arena = arena;
  app->scene.raw = files;
  app->scene.raw_count = count;
  app->scene.raw_for = app->scene.tab;
  if (to_end)
    app->scene.tabs[BT_TAB_TRANSCRIPT].top = SIZE_MAX;
  app_settle(app);
  bt_arena_free(old);
  return (struct effects){.changed = true};
}

struct effects app_paged(struct app *app, const struct bt_error *err) {
  if (err)
    app_say(app, BT_SEVERITY_WARN, err->message[0] ? err->message : bt_code_words(err->code));
  return (struct effects){.changed = true};
}

void app_draw(const struct app *app, struct bt_surface *surface, struct bt_view_cursor *cursor) {
  bt_view_draw(surface, app->snapshot, &app->scene, cursor);
}
