/* tui/app_page.c - moving and narrowing: the list, the locks, the page of one session, the help. */
#include "tui/app_state.h"

#include <stdio.h>
#include <string.h>

#include "core/base/str.h"
#include "tui/edit.h"

/* ---------------------------------------------------------------- rows and lines --------------- */

static bool row_is_problem(const struct app *app, size_t row) {
  if (app->scene.page == BT_PAGE_LOCKS)
    return app->snapshot->locks[app->prepared.locks[row]].verdict != BT_LOCK_LIVE;
  return bt_needs_somebody(app->snapshot, &app->snapshot->sessions[app->prepared.sessions[row]]);
}

static void move_to_problem(struct app *app, bool next) {
  bool locks = app->scene.page == BT_PAGE_LOCKS;
  size_t count = locks ? app->prepared.lock_count : app->prepared.session_count;
  size_t row = locks ? app->scene.locks.row : app->scene.list.row;
  for (size_t i = next ? row + 1 : row; next ? i < count : i-- > 0; i += next)
    if (row_is_problem(app, i)) {
      bt_view_move_to(&app->scene, app->snapshot, i);
      return;
    }
  app_say(app, BT_SEVERITY_INFO, next ? "no problem below" : "no problem above");
}

bool app_move(struct app *app, enum bt_action action) {
  struct bt_scene *scene = &app->scene;
  const struct bt_snapshot *snapshot = app->snapshot;
  long page = (long)bt_view_page_rows(scene, snapshot), half = page > 1 ? page / 2 : 1;
  switch (action) {
  case BT_ACTION_DOWN:
    bt_view_move(scene, snapshot, 1);
    return true;
  case BT_ACTION_UP:
    bt_view_move(scene, snapshot, -1);
    return true;
  case BT_ACTION_HALF_DOWN:
    bt_view_move(scene, snapshot, half);
    return true;
  case BT_ACTION_HALF_UP:
    bt_view_move(scene, snapshot, -half);
    return true;
  case BT_ACTION_PAGE_DOWN:
    bt_view_move(scene, snapshot, page);
    return true;
  case BT_ACTION_PAGE_UP:
    bt_view_move(scene, snapshot, -page);
    return true;
  case BT_ACTION_FIRST:
    bt_view_move_to(scene, snapshot, 0);
    return true;
  case BT_ACTION_LAST:
    bt_view_move_to(scene, snapshot, SIZE_MAX);
    return true;
  case BT_ACTION_NEXT_PROBLEM:
  case BT_ACTION_PREV_PROBLEM:
    if (snapshot)
      move_to_problem(app, action == BT_ACTION_NEXT_PROBLEM);
    return true;
  default:
    return false;
  }
}

void app_help_act(struct app *app, enum bt_action action) {
  struct bt_field *filter = &app->scene.help_filter;
  if (action == BT_ACTION_FILTER)
    app->scene.prompt = BT_PROMPT_HELP;
  else if (action == BT_ACTION_CLEAR_FILTER || (action == BT_ACTION_BACK && filter->length > 0))
    edit_clear(filter);
  else if (action == BT_ACTION_BACK || action == BT_ACTION_QUIT)
    app->help_open = false;
  else
    (void)app_move(app, action);
}

/* ---------------------------------------------------------------- pages ------------------------ */

static void add_path(struct effect *effect, const char *path) {
  if (path && effect->path_count < APP_RAW_MAX)
    effect->paths[effect->path_count++] = path;
}

void app_want_raw(struct app *app, struct effects *effects) {
  struct bt_scene *scene = &app->scene;
  if (scene->page != BT_PAGE_SESSION || !bt_tab_has_files(scene->tab) || !app->snapshot)
    return;
  const struct bt_session *session = bt_view_session(scene, app->snapshot);
  struct effect *effect = app_effect(effects, scene->tab == BT_TAB_RAW ? EFFECT_RAW : EFFECT_TAIL);
  if (!session)
    return;
  if (scene->tab == BT_TAB_TRANSCRIPT) {
    add_path(effect, session->transcript_problem ? NULL : session->transcript_path);
    return;
  }
  add_path(effect, session->deny ? session->deny->path : NULL);
  add_path(effect, session->final_ ? session->final_->path : NULL);
  add_path(effect, session->auth ? session->auth->path : NULL);
  add_path(effect, session->grant ? session->grant->path : NULL);
  add_path(effect, session->lock && session->lock->kind != BT_LOCK_GIT ? session->lock->path : NULL);
  add_path(effect, session->capture ? session->capture->path : NULL);
}

static void show_tab(struct app *app, enum bt_tab tab, struct effects *effects) {
  app->scene.tab = tab;
  app->scene.hit = 0;
  app_want_raw(app, effects);
}

void app_open_page(struct app *app, enum bt_page page) {
  for (size_t i = 0; i < app->trail_count; i++)
    if (app->trail[i] == page) {
      app->trail_count = i;
      app->scene.page = page;
      return;
    }
  if (app->scene.page != page)
    app->trail[app->trail_count++] = app->scene.page;
  app->scene.page = page;
}

static bool lies_below(const struct app *app, enum bt_page page) {
  for (size_t i = 0; i < app->trail_count; i++)
    if (app->trail[i] == page)
      return true;
  return false;
}

static void open_session(struct app *app, const char *id, enum bt_tab tab, struct effects *effects) {
  struct bt_scene *scene = &app->scene;
  app_open_page(app, BT_PAGE_SESSION);
  scene->session_id = id;
  memset(scene->tabs, 0, sizeof(scene->tabs));
  edit_clear(&scene->search);
  show_tab(app, tab, effects);
}

/* The tab of the open session, or of the one that is selected on this page. */
void app_look_at(struct app *app, enum bt_tab tab, struct effects *effects) {
  const struct bt_session *session = app_subject_session(app);
  if (!app->snapshot)
    return;
  if (app->scene.page == BT_PAGE_SESSION)
    show_tab(app, tab, effects);
  else if (session)
    open_session(app, session->id, tab, effects);
  else
    app_say(app, BT_SEVERITY_INFO, "there is no session here to open");
}

/* List and locks have a filter each; the scene holds that of the page on show. */
static void swap_filters(struct app *app) {
  struct bt_field shown = app->scene.filter;
  app->scene.filter = app->other_filter;
  app->other_filter = shown;
}

static void show_locks(struct app *app) {
  struct bt_scene *scene = &app->scene;
  const struct bt_session *session = app->snapshot ? bt_view_session(scene, app->snapshot) : NULL;
  if (scene->page != BT_PAGE_LOCKS && session && session->lock)
    scene->selected_lock = session->lock->path;
  if (scene->page != BT_PAGE_LOCKS &&
      !lies_below(app,
                  BT_PAGE_LOCKS)) { /* where the list stood, whatever the filter of the locks leaves of it meanwhile */
    bt_str_clear(&app->kept_id);
    bt_str_puts(&app->kept_id, scene->selected_id ? scene->selected_id : "");
    swap_filters(app);
  }
  scene->page = BT_PAGE_LOCKS;
  app->trail[0] = BT_PAGE_LIST;
  app->trail_count = 1;
}

static void neighbour(struct app *app, bool next, struct effects *effects) {
  struct bt_scene *scene = &app->scene;
  if (!app->snapshot || app->prepared.session_count == 0)
    return;
  size_t row = scene->list.row;
  for (size_t i = 0; i < app->prepared.session_count; i++)
    if (bt_text_equals(app->snapshot->sessions[app->prepared.sessions[i]].id, scene->session_id))
      row = i;
  if (next ? row + 1 >= app->prepared.session_count : row == 0) {
    app_say(app, BT_SEVERITY_INFO, next ? "this is the last session" : "this is the first session");
    return;
  }
  bt_view_select(scene, app->snapshot, next ? row + 1 : row - 1);
  open_session(app, scene->selected_id, scene->tab, effects);
}

static void go_back(struct app *app, struct effects *effects, bool quitting) {
  struct bt_scene *scene = &app->scene;
  if (scene->page == BT_PAGE_LOG && scene->log_filter.length > 0 && !quitting) {
    edit_clear(&scene->log_filter);
  } else if (app_deliveries_close(app)) {
    return;
  } else if (scene->page == BT_PAGE_SESSION || scene->page == BT_PAGE_WHY || scene->page == BT_PAGE_LOG ||
             scene->page == BT_PAGE_RECORDS || scene->page == BT_PAGE_DELIVERIES) {
    scene->page = app->trail_count ? app->trail[--app->trail_count] : BT_PAGE_LIST;
    app_why_ask(app, effects);
    app_log_ask(app, effects);
  } else if (scene->filter.length > 0 && !quitting)
    edit_clear(&scene->filter);
  else if (scene->page == BT_PAGE_LOCKS) {
    scene->page = BT_PAGE_LIST;
    app->trail_count = 0;
    scene->selected_id = app->kept_id.data;
    swap_filters(app);
  } else if (quitting)
    app_effect(effects, EFFECT_QUIT);
}

void app_go_home(struct app *app, struct effects *effects) {
  for (int i = 0; app->scene.page != BT_PAGE_LIST && i < BT_PAGE_COUNT; i++)
    go_back(app, effects, true);
}

/* ---------------------------------------------------------------- searching -------------------- */

static void go_to_hit(struct app *app, bool next) {
  const struct bt_text_rows *text = bt_prepared_text(&app->scene);
  if (app->scene.search.length == 0 || !text) {
    app_say(app, BT_SEVERITY_INFO, "nothing is searched for yet");
  } else if (text->hit_count == 0) {
    app_say(app, BT_SEVERITY_INFO, "no match");
  } else {
    app->scene.hit = (app->scene.hit + (next ? 1 : text->hit_count - 1)) % text->hit_count;
    bt_view_show_hit(&app->scene, app->snapshot);
    snprintf(app->message, sizeof(app->message), "match %zu of %zu%s", app->scene.hit + 1, text->hit_count,
             text->hit_count == BT_TEXT_HITS_MAX ? "+" : "");
    app_say(app, BT_SEVERITY_INFO, app->message);
  }
}

static void start_search(struct app *app) {
  struct bt_scene *scene = &app->scene;
  if (!bt_tab_has_files(scene->tab))
    scene->tab = BT_TAB_BRIEF;
  scene->prompt = BT_PROMPT_SEARCH;
}

/* ---------------------------------------------------------------- actions ---------------------- */

static void page_brief(struct app *app, struct effects *effects) {
  const struct bt_session *session = app->snapshot ? bt_view_session(&app->scene, app->snapshot) : NULL;
  const struct bt_capture *brief = session ? session->capture : NULL;
  if (!brief || !brief->text) {
    app_say(app, BT_SEVERITY_INFO, "there is no brief to show");
    return;
  }
  struct effect *effect = app_effect(effects, EFFECT_PAGER);
  effect->text = brief->text;
  effect->length = brief->text_length;
}

static void refresh(struct app *app, struct effects *effects) {
  app_records_ask(app, effects);
  app_say(app, BT_SEVERITY_INFO, "read again");
  app->news = true; /* what was found so may be told in its place */
  app_effect(effects, EFFECT_REFRESH);
  app_deliveries_ask(app, false, effects);
}

void app_page_act(struct app *app, enum bt_action action, struct effects *effects) {
  struct bt_scene *scene = &app->scene;
  if (app_move(app, action) || app_many_act(app, action, effects) || app_deliveries_act(app, action, effects))
    return;
  switch (action) {
  case BT_ACTION_NEXT_SESSION:
  case BT_ACTION_PREV_SESSION:
    neighbour(app, action == BT_ACTION_NEXT_SESSION, effects);
    break;
  case BT_ACTION_NEXT_TAB:
    show_tab(app, (enum bt_tab)((scene->tab + 1) % BT_TAB_COUNT), effects);
    break;
  case BT_ACTION_PREV_TAB:
    show_tab(app, (enum bt_tab)((scene->tab + BT_TAB_COUNT - 1) % BT_TAB_COUNT), effects);
    break;
  case BT_ACTION_LOG:
    app_log_open(app, effects);
    break;
  case BT_ACTION_FOLLOW:
    scene->log_fixed = !scene->log_fixed;
    app_say(app, BT_SEVERITY_INFO,
            scene->log_fixed ? "the selection stays on its entry" : "following the newest entry");
    break;
  case BT_ACTION_WHY:
    app_why_open(app, effects);
    break;
  case BT_ACTION_RECORDS:
    app_records_open(app, effects);
    break;
  case BT_ACTION_RECORD:
    app_verb_act(app, BT_VERB_RECORD, effects);
    break;
  case BT_ACTION_OPEN:
    if (scene->page == BT_PAGE_WHY)
      app_why_press(app, effects);
    else if (scene->page == BT_PAGE_RECORDS)
      app_records_brief(app, effects);
    else if (scene->page == BT_PAGE_DELIVERIES)
      app_deliveries_press(app);
    else
      app_look_at(app, BT_TAB_OVERVIEW, effects);
    break;
  case BT_ACTION_OVERVIEW:
    app_look_at(app, BT_TAB_OVERVIEW, effects);
    break;
  case BT_ACTION_BRIEF:
    app_look_at(app, BT_TAB_BRIEF, effects);
    break;
  case BT_ACTION_TRANSCRIPT:
    app_look_at(app, BT_TAB_TRANSCRIPT, effects);
    break;
  case BT_ACTION_EVIDENCE:
    app_look_at(app, BT_TAB_EVIDENCE, effects);
    break;
  case BT_ACTION_RAW:
    app_look_at(app, BT_TAB_RAW, effects);
    break;
  case BT_ACTION_LOCKS:
    show_locks(app);
    break;
  case BT_ACTION_PAGER:
    if (scene->page == BT_PAGE_RECORDS)
      app_records_brief(app, effects);
    else
      page_brief(app, effects);
    break;
  case BT_ACTION_EDITOR:
    app_edit_copy(app, effects);
    break;
  case BT_ACTION_DIFF:
    app_diff_toggle(app, effects);
    break;
  case BT_ACTION_CONTINUE:
    app_verb_act(app, BT_VERB_CONTINUE, effects);
    break;
  case BT_ACTION_UNLOCK:
    app_verb_act(app, BT_VERB_UNLOCK, effects);
    break;
  case BT_ACTION_REPAIR:
    app_verb_act(app, BT_VERB_REPAIR, effects);
    break;
  case BT_ACTION_BYPASS:
    app_verb_act(app, BT_VERB_BYPASS, effects);
    break;
  case BT_ACTION_UNDO:
    app_verb_act(app, BT_VERB_UNDO, effects);
    break;
  case BT_ACTION_REVIEW:
    app_review(app, effects);
    break;
  case BT_ACTION_REFRESH:
    refresh(app, effects);
    break;
  case BT_ACTION_FILTER:
    app_filter_open(app);
    break;
  case BT_ACTION_CLEAR_FILTER:
    edit_clear(scene->page == BT_PAGE_LOG ? &scene->log_filter : &scene->filter);
    break;
  case BT_ACTION_COMMAND:
    edit_clear(&scene->command);
    scene->prompt = BT_PROMPT_COMMAND;
    break;
  case BT_ACTION_ASK:
    edit_clear(&scene->ask);
    scene->prompt = BT_PROMPT_ASK;
    break;
  case BT_ACTION_COPY_JSON:
    (void)app_effect(effects, EFFECT_COPY_PAGE);
    break;
  case BT_ACTION_SORT:
    scene->prompt = BT_PROMPT_SORT;
    break;
  case BT_ACTION_REVERSE:
    scene->sort_reversed = !scene->sort_reversed;
    app_order_keep(app, effects);
    break;
  case BT_ACTION_ONLY_PROBLEMS:
    scene->only_problems = !scene->only_problems;
    app_say(app, BT_SEVERITY_INFO, scene->only_problems ? "only what needs somebody" : "all sessions");
    break;
  case BT_ACTION_PREVIEW:
    app_preview_next(app, effects);
    break;
  case BT_ACTION_SEARCH:
    start_search(app);
    break;
  case BT_ACTION_NEXT_MATCH:
  case BT_ACTION_PREV_MATCH:
    go_to_hit(app, action == BT_ACTION_NEXT_MATCH);
    break;
  case BT_ACTION_COPY:
    app_copy_next(app, effects);
    break;
  case BT_ACTION_BACK:
  case BT_ACTION_QUIT:
    go_back(app, effects, action == BT_ACTION_QUIT);
    break;
  default:
    break;
  }
}
