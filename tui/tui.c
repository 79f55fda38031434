/* tui/tui.c - the loop. */
#include "tui/tui.h"

#include <limits.h>
#include <signal.h>
#include <stdint.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdlib.h>
#include <time.h>

#include "core/base/arena.h"
#include "core/base/steady.h"
#include "core/base/str.h"
#include "core/ops/preferences.h"
#include "core/store/load.h"
#include "tui/app.h"
#include "tui/asker.h"
#include "tui/deliverer.h"
#include "tui/effect.h"
#include "tui/librarian.h"
#include "tui/loader.h"
#include "tui/notify.h"
#include "tui/scanner.h"
#include "tui/steady.h"
#include "tui/watch.h"

struct tui {
  const struct bt_env *env;
  struct effector effector;
  struct app *app;
  struct watch *watch;
  struct loader *loader;
  struct librarian *librarian;
  struct scanner *scanner;
  struct asker *asker;
  struct deliverer *deliverer;
  struct bt_snapshot *imported; /* until it is on show */
  struct steady steady;
  struct notify notify;
  struct bt_cell *cells;
  struct bt_surface surface;
  int64_t poll_at, reload_at; /* steady ms; reload_at INT64_MAX: nothing to reload */
  int exit_status;
};

static int utc_offset_s(int64_t now_ms) {
  time_t seconds = (time_t)(now_ms / 1000);
  struct tm local, utc;
  if (!localtime_r(&seconds, &local) || !gmtime_r(&seconds, &utc))
    return 0;
  int days = local.tm_year != utc.tm_year ? (local.tm_year > utc.tm_year ? 1 : -1) : local.tm_yday - utc.tm_yday;
  return ((days * 24 + local.tm_hour - utc.tm_hour) * 60 + local.tm_min - utc.tm_min) * 60;
}

/* ---------------------------------------------------------------- frames ----------------------- */

static enum bt_code resize(struct tui *tui, struct bt_error *err) {
  int rows, columns;
  term_size(&rows, &columns);
  struct bt_cell *cells = calloc(bt_surface_cells_needed(rows, columns), sizeof(*cells));
  if (!cells)
    return bt_error_set(err, BT_NOMEM, "screen", "out of memory for %d x %d cells", columns, rows);
  free(tui->cells);
  tui->cells = cells;
  bt_surface_init(&tui->surface, cells, rows, columns, term_unicode());
  effect_run(&tui->effector, app_resize(tui->app, rows, columns));
  return BT_OK;
}

static void draw(struct tui *tui) {
  struct bt_view_cursor cursor = {0, 0, false};
  char title[APP_TITLE_BYTES];
  app_draw(tui->app, &tui->surface, &cursor);
  term_show(&tui->surface, cursor.row, cursor.column, cursor.typing);
  app_title(tui->app, title);
  term_title(title);
  tui->effector.changed = false;
}

static void tick(struct tui *tui) {
  const struct bt_snapshot *shown = app_snapshot(tui->app);
  int64_t now_ms = shown && shown->imported ? shown->taken_at_ms : bt_env_now(tui->env);
  effect_run(&tui->effector, app_tick(tui->app, now_ms, utc_offset_s(now_ms)));
}

/* ---------------------------------------------------------------- the ledger ------------------- */

/* What git said last stays on the screen until it says something new. */
static void keep_repo(struct bt_snapshot *next, const struct bt_snapshot *shown) {
  if (next->repo.known || !shown || !shown->repo.known)
    return;
  next->repo = shown->repo;
  next->repo.branch = bt_arena_strdup(next->arena, shown->repo.branch);
  next->repo.problem = bt_arena_strdup(next->arena, shown->repo.problem);
}

/* Not at once, where a state is another one: two looks must agree. */
static void show_loaded(struct tui *tui, struct bt_snapshot *snapshot) {
  struct bt_error err;
  const struct bt_snapshot *shown = app_snapshot(tui->app);
  tui->steady.at_once = tui->steady.at_once || tui->effector.at_once;
  tui->effector.at_once = false;
  snapshot = steady_take(&tui->steady, shown, snapshot, bt_steady_ms());
  if (!snapshot) {
    tui->reload_at = bt_steady_ms() + STEADY_QUIET_MS;
    return;
  }
  if (notify_changes(&tui->notify, shown, snapshot, &err) != BT_OK)
    app_say(tui->app, BT_SEVERITY_WARN, err.message);
  keep_repo(snapshot, shown);
  if (tui->asker) {
    bt_handover_attach(snapshot, asker_table(tui->asker));
    asker_ask(tui->asker, snapshot);
  }
  effect_run(&tui->effector, app_refreshed(tui->app, snapshot));
}

static void take_loaded(struct tui *tui) {
  struct bt_snapshot *snapshot;
  struct bt_error err;
  switch (loader_take(tui->loader, &snapshot, &err)) {
  case LOADER_SNAPSHOT:
    show_loaded(tui, snapshot);
    break;
  case LOADER_FAILED:
    effect_run(&tui->effector, app_refresh_failed(tui->app, &err));
    break;
  case LOADER_NOTHING:
    break;
  }
}

static void take_delivered(struct tui *tui) {
  struct bt_delivery_view *view;
  bool more;
  struct bt_error err;
  if (deliverer_take(tui->deliverer, &view, &more, &err))
    effect_run(&tui->effector, app_delivered(tui->app, view, more, &err));
}

static void say_live(struct tui *tui) {
  enum bt_live live = watch_healthy(tui->watch) ? BT_LIVE_WATCHING : BT_LIVE_POLLING;
  if (live != app_scene(tui->app)->live)
    tui->effector.changed = true;
  app_live(tui->app, live);
}

static void look_for_changes(struct tui *tui, bool events) {
  int64_t now = bt_steady_ms();
  if (events && watch_read(tui->watch)) {
    steady_disturb(&tui->steady);
    if (tui->steady.held)
      tui->reload_at = now + STEADY_QUIET_MS;
    else if (tui->reload_at == INT64_MAX)
      tui->reload_at = now + WATCH_COALESCE_MS;
  }
  if (now >= tui->poll_at) {
    tui->poll_at = now + WATCH_POLL_MS;
    if (watch_poll(tui->watch) && tui->reload_at == INT64_MAX)
      tui->reload_at = now;
    say_live(tui);
  }
  if (now >= tui->reload_at) {
    tui->reload_at = INT64_MAX;
    loader_ask(tui->loader, false);
  }
}

static int timeout_ms(const struct tui *tui) {
  int64_t now = bt_steady_ms(), wall = bt_env_now(tui->env);
  if (tui->effector.imported)
    return -1; /* its clock stands still */
  int64_t wait = tui->poll_at - now;
  wait = tui->reload_at - now < wait ? tui->reload_at - now : wait;
  int64_t tick_in = app_wakes_at(tui->app, wall) - wall;
  wait = tick_in < wait ? tick_in : wait;
  return wait < 0 ? 0 : (int)wait;
}

/* ---------------------------------------------------------------- events ----------------------- */

/* False when it is time to leave. */
static bool take_signals(struct tui *tui) {
  struct term_signals signals = term_take_signals();
  if (signals.leave) {
    tui->exit_status = 128 + signals.leave;
    return false;
  }
  if (signals.suspend)
    term_suspend();
  else if (signals.resumed)
    term_resume();
  if (signals.suspend || signals.resumed) {
    if (!tui->effector.imported)
      loader_ask(tui->loader, true);
    tui->effector.changed = true;
  }
  return true;
}

static enum app_mouse mouse_of(enum term_mouse mouse) {
  return mouse == TERM_MOUSE_WHEEL_UP     ? APP_MOUSE_WHEEL_UP
         : mouse == TERM_MOUSE_WHEEL_DOWN ? APP_MOUSE_WHEEL_DOWN
                                          : APP_MOUSE_PRESS;
}

static bool take_keys(struct tui *tui) {
  struct effector *effector = &tui->effector;
  for (struct term_event event = term_next(); event.kind != TERM_EVENT_NONE && !effector->quit; event = term_next())
    switch (event.kind) {
    case TERM_EVENT_KEY:
      effect_run(effector, app_key(tui->app, event.key));
      break;
    case TERM_EVENT_PASTE:
      effect_run(effector, app_paste(tui->app, event.paste->data, event.paste->length));
      break;
    case TERM_EVENT_MOUSE:
      effect_run(effector, app_mouse(tui->app, mouse_of(event.mouse), event.row, event.column));
      break;
    case TERM_EVENT_RESIZE:
      if (resize(tui, NULL) != BT_OK)
        app_say(tui->app, BT_SEVERITY_ERROR, "out of memory: the screen keeps its old size");
      term_redraw();
      break;
    default:
      tui->exit_status = 128 + SIGHUP;
      return false;
    }
  return !effector->quit;
}

static void loop(struct tui *tui) {
  enum { WATCH, LOADER, SCANNER, LIBRARIAN, ASKER, DELIVERER, LOG, FD_COUNT };
  int fds[FD_COUNT] = {watch_fd(tui->watch),
                       loader_fd(tui->loader),
                       tui->scanner ? scanner_fd(tui->scanner) : -1,
                       tui->librarian ? librarian_fd(tui->librarian) : -1,
                       tui->asker ? asker_fd(tui->asker) : -1,
                       tui->deliverer ? deliverer_fd(tui->deliverer) : -1,
                       -1};
  bool ready[FD_COUNT] = {false};
  while (take_signals(tui) && take_keys(tui)) {
    tick(tui);
    if (tui->effector.changed)
      draw(tui);
    fds[LOG] = effect_log_fd(&tui->effector);
    term_wait(fds, ready, FD_COUNT, timeout_ms(tui));
    if (!tui->effector.imported)
      look_for_changes(tui, ready[WATCH]);
    if (ready[SCANNER])
      scanner_drain(tui->scanner);
    if (ready[SCANNER] || (ready[ASKER] && asker_take(tui->asker)))
      loader_ask(tui->loader, false);
    if (ready[LOADER])
      take_loaded(tui);
    if (ready[LIBRARIAN])
      effect_take_records(&tui->effector);
    if (ready[LOG])
      effect_take_log(&tui->effector);
    if (ready[DELIVERER])
      take_delivered(tui);
  }
}

/* ---------------------------------------------------------------- start and end ---------------- */

/* The list is sorted as it was the last time, its preview is where it was. */
static void take_order(struct tui *tui) {
  struct bt_str order;
  bool reversed;
  bt_str_init(&order, 64);
  bt_preferences_order(tui->env, &order, &reversed);
  if (order.length > 0)
    app_set_order(tui->app, order.data, reversed);
  bt_preferences_preview(tui->env, &order);
  if (order.length > 0)
    app_set_preview(tui->app, order.data);
  bt_str_dispose(&order);
}

/* The first frame waits for nothing but the ledger's own files: no git, no other thread. */
static enum bt_code first_load(struct tui *tui, struct bt_error *err) {
  struct bt_snapshot *snapshot = NULL;
  if (tui->imported) {
    effect_run(&tui->effector, app_refreshed(tui->app, tui->imported));
    tui->imported = NULL;
    tick(tui);
    return BT_OK;
  }
  enum bt_code code = bt_store_load(tui->env, 0, NULL, &snapshot, err);
  if (code == BT_OK)
    effect_run(&tui->effector, app_refreshed(tui->app, snapshot));
  return code;
}

static enum bt_code start(struct tui *tui, const struct tui_options *options, struct bt_error *err) {
  const struct app_options app = {options->keymap, options->keymap_name, term_unicode(), options->utc};
  tui->app = app_new(&app);
  if (!tui->app)
    return bt_error_set(err, BT_NOMEM, "dashboard", "out of memory");
  bool imported = tui->imported != NULL;
  tui->effector =
      (struct effector){.env = tui->env, .app = tui->app, .imported = imported, .page_json = options->page_json};
  tui->watch = watch_new(tui->env->root, tui->env->ledger_dir, options->inotify && !imported, err);
  tui->scanner = tui->watch && !imported ? scanner_new(tui->env, options->all, options->inotify, err) : NULL;
  tui->loader = tui->scanner || (tui->watch && imported) ? loader_new(tui->env, tui->scanner, err) : NULL;
  tui->effector.loader = tui->loader;
  tui->effector.beside = true;
  tui->librarian = tui->loader && !imported ? librarian_new(tui->env, err) : NULL;
  tui->effector.librarian = tui->librarian;
  if (!tui->loader || (!imported && !tui->librarian))
    return err ? err->code : BT_NOMEM;
  if (!imported) { /* without them a column and a page stay unknown: that is no reason not to start */
    tui->asker = asker_new(tui->env, NULL);
    tui->effector.deliverer = tui->deliverer = deliverer_new(tui->env, NULL);
  }
  enum bt_code code = resize(tui, err);
  if (code != BT_OK)
    return code;
  if (options->notice)
    app_say(tui->app, BT_SEVERITY_WARN, options->notice);
  if (imported)
    app_live(tui->app, BT_LIVE_OFF);
  else
    say_live(tui);
  take_order(tui);
  tick(tui);
  code = first_load(tui, err);
  draw(tui);
  if (!imported)
    loader_ask(tui->loader, true);
  tui->poll_at = bt_steady_ms() + WATCH_POLL_MS;
  tui->reload_at = INT64_MAX;
  return code;
}

/* Snapshots of thousands of sessions come and go on several threads: what is freed of them goes back to the system at once
 * instead of staying in a heap of each thread. */
static void keep_heap_small(void) {
#ifdef __GLIBC__
  (void)mallopt(M_MMAP_THRESHOLD, 65536);
  (void)mallopt(M_ARENA_MAX, 2);
#endif
}

enum bt_code tui_run(const struct bt_env *env, const struct tui_options *options, int *exit_status,
                     struct bt_error *err) {
  struct tui tui = {.env = env, .imported = options->imported, .notify = {.command = options->on_blocked}};
  struct bt_error local = {.code = BT_OK};
  keep_heap_small();
  enum bt_code code = term_open(&options->term, &local);
  if (code == BT_OK) {
    code = start(&tui, options, &local);
    if (code == BT_OK)
      loop(&tui);
    term_close();
  }
  bool stopped = librarian_free(tui.librarian); /* it borrows the plan that the app holds */
  loader_free(tui.loader);
  scanner_free(tui.scanner);
  asker_free(tui.asker);
  deliverer_free(tui.deliverer);
  steady_dispose(&tui.steady);
  bt_snapshot_free(tui.imported);
  watch_free(tui.watch);
  effect_dispose(&tui.effector);
  app_free(tui.app);
  free(tui.cells);
  *exit_status = tui.exit_status;
  if (code == BT_OK && stopped)
    snprintf(local.message, sizeof local.message, "the build of the record was stopped: nothing was written");
  if (err)
    *err = local;
  return code;
}
