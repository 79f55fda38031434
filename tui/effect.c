/* tui/effect.c - one case an effect. */
#include "tui/effect.h"

#include <string.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/str.h"
#include "core/base/utf8.h"
#include "core/delivery/view.h"
#include "core/hook/why.h"
#include "core/harness/tail.h"
#include "core/ops/marks.h"
#include "core/ops/preferences.h"
#include "core/ops/own_file.h"
#include "core/records/view.h"
#include "core/store/brief_diff.h"
#include "core/store/log_view.h"
#include "tui/act.h"
#include "tui/bulk.h"
#include "tui/effect_copy.h"
#include "tui/pager.h"
#include "tui/term.h"
#include "tui/verifier.h"

#define RAW_FILE_BYTES_MAX ((size_t)256 * 1024)
#define PATH_BYTES_MAX ((size_t)64 * 1024)
#define BRIEF_BYTES_MAX ((size_t)48 * 1024 * 1024)
#define RAW_ARENA_BYTES_MAX ((size_t)8 * 1024 * 1024)

static void plan(struct effector *effector, const struct effect *effect) {
  struct bt_plan *made = NULL;
  struct bt_error err = {.code = BT_OK};
  if (act_is_slow(effect->request.verb)) {
    if (!librarian_plan(effector->librarian, &effect->request))
      effect_run(effector, app_planned(effector->app, NULL, &(struct bt_error){.code = BT_NOMEM}));
    return;
  }
  if (act_plan(effector->env, &effect->request, &made, &err) != BT_OK)
    made = NULL;
  effect_run(effector, effect->kind == EFFECT_PLAN ? app_planned(effector->app, made, &err)
                                                   : app_planned_to_copy(effector->app, made, &err));
}

static void execute(struct effector *effector, const struct effect *effect) {
  struct bt_receipt *receipt = NULL;
  struct bt_error err = {.code = BT_OK};
  if (act_is_slow(effect->plan->request.verb)) {
    librarian_execute(effector->librarian, effect->plan);
    return;
  }
  if (act_execute(effector->env, effect->plan, &receipt, &err) != BT_OK)
    receipt = NULL;
  effect_run(effector, app_executed(effector->app, receipt, &err));
  bt_receipt_free(receipt);
}

static void read_raw_file(int dir, struct bt_arena *arena, const char *path, struct bt_raw_file *file) {
  struct bt_str bytes, text;
  struct bt_error err = {.code = BT_OK};
  bt_str_init(&bytes, RAW_FILE_BYTES_MAX);
  bt_str_init(&text, 3 * RAW_FILE_BYTES_MAX);
  file->path = bt_arena_strdup(arena, path);
  if (bt_fs_read_at(dir, path, &bytes, &err) == BT_OK) {
    bt_utf8_decode8(&text, bytes.data, bytes.length);
    file->text = bt_arena_strndup(arena, text.data, text.length);
    file->length = file->text ? text.length : 0;
  }
  if (!file->text)
    file->error = bt_arena_strdup(arena, err.message[0] ? err.message : bt_code_words(err.code ? err.code : BT_NOMEM));
  bt_str_dispose(&bytes);
  bt_str_dispose(&text);
}

static void read_raw(struct effector *effector, const struct effect *effect) {
  struct bt_arena *arena = bt_arena_new(RAW_ARENA_BYTES_MAX);
  struct bt_raw_file *files = arena ? BT_ARENA_ARRAY(arena, struct bt_raw_file, APP_RAW_MAX) : NULL;
  size_t count = 0;
  int dir = files ? bt_fs_open_root(effector->env->ledger_dir, NULL) : -1;
  for (; dir >= 0 && count < effect->path_count; count++)
    read_raw_file(dir, arena, effect->paths[count], &files[count]);
  if (dir >= 0)
    close(dir);
  effect_run(effector, app_raw(effector->app, arena, files, count));
}

static void explain(struct effector *effector, const struct effect *effect) {
  const struct bt_why_request request = {
      .session = effect->text, .paths = effect->paths, .path_count = effect->path_count};
  struct bt_why *why = NULL;
  struct bt_error err = {.code = BT_OK};
  if (bt_why_explain(effector->env, app_snapshot(effector->app), &request, &why, &err) != BT_OK)
    why = NULL;
  effect_run(effector, app_explained(effector->app, why, &err));
}

/* "you  2026-03-01 14:02:11Z" and the like: what stands above an entry. */
static const char *head_of(struct bt_arena *arena, const struct bt_tail_entry *entry) {
  static const char *const who[] = {"prompt", "answer", "call", "result", "note"};
  char when[BT_ISO_MS] = "";
  if (entry->time_ms != BT_TIME_UNKNOWN)
    bt_time_iso(when, entry->time_ms);
  return bt_arena_printf(arena, "%s%s%s%s%s", who[entry->kind], entry->name ? " " : "", entry->name ? entry->name : "",
                         when[0] ? "   " : "", when);
}

static void read_tail(struct effector *effector, const struct effect *effect) {
  struct bt_arena *arena = bt_arena_new(RAW_ARENA_BYTES_MAX);
  struct bt_raw_file *files = arena ? BT_ARENA_ARRAY(arena, struct bt_raw_file, BT_TAIL_ENTRIES) : NULL;
  struct bt_tail tail = {NULL, 0};
  struct bt_error err = {.code = BT_OK};
  size_t count = 0;
  if (files && effect->path_count && bt_tail_read(&tail, arena, effect->paths[0], &err) != BT_OK) {
    files[0].path = bt_arena_strdup(arena, effect->paths[0]);
    files[0].error = bt_arena_strdup(arena, err.message);
    count = files[0].path && files[0].error;
  }
  for (; count < tail.count; count++) {
    const char *head = head_of(arena, &tail.entries[count]);
    if (!head)
      break;
    files[count] =
        (struct bt_raw_file){.path = head, .text = tail.entries[count].text, .length = tail.entries[count].length};
  }
  effect_run(effector, app_raw(effector->app, arena, files, count));
}

/* The first time it is needed; false: the check has to be made here and now. */
static bool has_verifier(struct effector *effector) {
  if (effector->beside && !effector->verifier)
    effector->verifier = verifier_new(effector->env, NULL);
  return effector->verifier != NULL;
}

/* Nothing is answered where the log on show is still what the files say. */
static void read_log(struct effector *effector, const struct effect *effect) {
  struct bt_log_view *log = NULL;
  struct bt_error err = {.code = BT_OK};
  unsigned flags = effect->length > 0 ? BT_LOG_HAVE : 0;
  if (!effector->evidence)
    effector->evidence = bt_log_source_new();
  if (effector->evidence && has_verifier(effector)) {
    flags |= BT_LOG_AS_CHECKED;
    if (!bt_log_source_is_current(effector->env, effector->evidence))
      verifier_ask(effector->verifier);
    if (!bt_log_source_stamp(effector->evidence)[0])
      return; /* effect_take_log goes on */
  }
  enum bt_code code = !effector->evidence ? bt_error_set(&err, BT_NOMEM, "evidence", "out of memory")
                                          : bt_log_view_load(effector->env, app_snapshot(effector->app),
                                                             effector->evidence, flags, &log, &err);
  if (code == BT_OK && !log)
    return;
  effect_run(effector, app_logged(effector->app, code == BT_OK ? log : NULL, &err));
}

int effect_log_fd(const struct effector *effector) {
  return effector->verifier ? verifier_fd(effector->verifier) : -1;
}

void effect_take_log(struct effector *effector) {
  struct bt_log_source *source;
  struct bt_error err;
  if (!effector->verifier || !verifier_take(effector->verifier, &source, &err))
    return;
  if (!source) {
    effect_run(effector, app_logged(effector->app, NULL, &err));
    return;
  }
  bt_log_source_free(effector->evidence);
  effector->evidence = source;
  effect_run(effector, app_log_checked(effector->app));
}

static void evaluate(struct effector *effector, const struct effect *effect) {
  struct bt_delivery_view *view = NULL;
  struct bt_error err = {.code = BT_OK};
  if (effector->deliverer && deliverer_ask(effector->deliverer, effect->length == 1))
    return;
  if (effector->deliverer)
    (void)bt_error_set(&err, BT_NOMEM, "deliveries", "out of memory");
  else if (bt_delivery_view_load(effector->env, effect->length == 1, &view, &err) != BT_OK)
    view = NULL;
  effect_run(effector, app_delivered(effector->app, view, false, &err));
}

static void review(struct effector *effector, const struct effect *effect) {
  const struct bt_session *session = bt_snapshot_session(app_snapshot(effector->app), effect->text);
  struct bt_error err = {.code = BT_MISSING};
  bool reviewed = effect->length > 0;
  enum bt_code code = session ? bt_marks_review(effector->env, session, reviewed, &err) : BT_MISSING;
  effect_run(effector, app_reviewed(effector->app, reviewed, code == BT_OK ? NULL : &err));
}

static void review_brief(struct effector *effector, const struct effect *effect) {
  struct bt_error err = {.code = BT_OK};
  enum bt_code code =
      bt_marks_review_brief(effector->env, effect->plan->request.deny_session, &effect->plan->brief, true, &err);
  effect_run(effector, app_reviewed(effector->app, true, code == BT_OK ? NULL : &err));
}

static void compare(struct effector *effector, const struct effect *effect) {
  const struct bt_session *session = bt_snapshot_session(app_snapshot(effector->app), effect->text);
  const char *expected = session && session->capture ? session->capture->expected_hash : NULL;
  struct bt_brief_diff *diff = NULL;
  struct bt_error err = {.code = BT_OK};
  int dir = bt_fs_open_root(effector->env->ledger_dir, NULL);
  if (bt_brief_diff_load(effector->env, dir, effect->text, expected, &diff, &err) != BT_OK)
    diff = NULL;
  if (dir >= 0)
    close(dir);
  effect_run(effector, app_compared(effector->app, diff, &err));
}

static void show_in_pager(struct effector *effector, const struct effect *effect) {
  struct bt_error err = {.code = BT_OK};
  enum bt_code code = pager_show(effect->text, effect->length, &err);
  effect_run(effector, app_paged(effector->app, code == BT_OK ? NULL : &err));
}

static void edit_copy(struct effector *effector, const struct effect *effect) {
  struct bt_error err = {.code = BT_OK};
  enum bt_code code = editor_show(effector->env, effect->paths[0], effect->text, effect->length, &err);
  effect_run(effector, app_paged(effector->app, code == BT_OK ? NULL : &err));
}

static void write_view(struct effector *effector, const struct effect *effect) {
  struct bt_error err = {.code = BT_OK};
  struct bt_str path;
  bt_str_init(&path, PATH_BYTES_MAX);
  enum bt_code code =
      bt_own_file_write(effector->env, BT_OWN_VIEW, "screen.txt", effect->text, effect->length, &path, &err);
  effect_run(effector, app_wrote(effector->app, code == BT_OK ? path.data : NULL, &err));
  bt_str_dispose(&path);
}

static void show_record(struct effector *effector, const struct effect *effect) {
  struct bt_error err = {.code = BT_OK};
  struct bt_str text;
  bt_str_init(&text, BRIEF_BYTES_MAX);
  enum bt_code code = bt_records_brief(effect->paths[0], &text, &err);
  if (code == BT_OK)
    code = pager_show(text.data, text.length, &err);
  effect_run(effector, app_paged(effector->app, code == BT_OK ? NULL : &err));
  bt_str_dispose(&text);
}

void effect_take_records(struct effector *effector) {
  for (struct librarian_answer answer = librarian_take(effector->librarian); answer.kind != LIBRARIAN_NOTHING;
       answer = librarian_take(effector->librarian))
    switch (answer.kind) {
    case LIBRARIAN_LISTED:
      effect_run(effector, app_recorded(effector->app, answer.view, &answer.error));
      break;
    case LIBRARIAN_PLANNED: /* the dialog may have been left meanwhile */
      if (app_scene(effector->app)->dialog.verb == answer.verb)
        effect_run(effector, app_planned(effector->app, answer.plan, &answer.error));
      else
        bt_plan_free(answer.plan);
      break;
    default:
      effect_run(effector, app_executed(effector->app, answer.receipt, &answer.error));
      bt_receipt_free(answer.receipt);
      break;
    }
}

/* What would look at the ledger of this host, or change it: answered at once. True when it was. */
static bool refuse_imported(struct effector *effector, const struct effect *effect) {
  struct bt_error err;
  (void)bt_error_set(&err, BT_STATE, "snapshot", "this is a snapshot: what it does not hold cannot be looked up");
  switch (effect->kind) {
  case EFFECT_PLAN:
    effect_run(effector, app_planned(effector->app, NULL, &err));
    return true;
  case EFFECT_PLAN_TO_COPY:
    effect_run(effector, app_planned_to_copy(effector->app, NULL, &err));
    return true;
  case EFFECT_EXECUTE:
    effect_run(effector, app_executed(effector->app, NULL, &err));
    return true;
  case EFFECT_STOP:
    return true;
  case EFFECT_RAW:
  case EFFECT_TAIL:
    effect_run(effector, app_raw(effector->app, NULL, NULL, 0));
    return true;
  case EFFECT_LOG:
    effect_run(effector, app_logged(effector->app, NULL, &err));
    return true;
  case EFFECT_RECORDS:
    effect_run(effector, app_recorded(effector->app, NULL, &err));
    return true;
  case EFFECT_DELIVERIES:
    effect_run(effector, app_delivered(effector->app, NULL, false, &err));
    return true;
  case EFFECT_WHY:
    effect_run(effector, app_explained(effector->app, NULL, &err));
    return true;
  case EFFECT_REVIEW:
  case EFFECT_REVIEW_BRIEF:
    effect_run(effector, app_reviewed(effector->app, false, &err));
    return true;
  case EFFECT_DIFF:
    effect_run(effector, app_compared(effector->app, NULL, &err));
    return true;
  case EFFECT_REFRESH:
    return true;
  default:
    return false;
  }
}

static void run_one(struct effector *effector, const struct effect *effect) {
  if (effector->imported && refuse_imported(effector, effect))
    return;
  switch (effect->kind) {
  case EFFECT_PLAN:
  case EFFECT_PLAN_TO_COPY:
    plan(effector, effect);
    break;
  case EFFECT_EXECUTE:
    execute(effector, effect);
    break;
  case EFFECT_STOP:
    librarian_stop(effector->librarian);
    break;
  case EFFECT_BULK_PLAN:
    bulk_plan_all(app_bulk(effector->app), effector->env);
    effect_run(effector, app_bulk_planned(effector->app));
    break;
  case EFFECT_BULK_EXECUTE:
    bulk_execute_all(app_bulk(effector->app), effector->env);
    effect_run(effector, app_bulk_executed(effector->app));
    break;
  case EFFECT_REFRESH:
    effector->at_once = true;
    loader_ask(effector->loader, true);
    break;
  case EFFECT_TAIL:
    read_tail(effector, effect);
    break;
  case EFFECT_RAW:
    read_raw(effector, effect);
    break;
  case EFFECT_KEEP_ORDER: /* losing it costs one key: not worth a message */
    if (bt_preferences_keep_order(effector->env, effect->text, effect->length == 1, NULL) != BT_OK)
      break;
    break;
  case EFFECT_KEEP_PREVIEW: /* the same */
    if (bt_preferences_keep_preview(effector->env, effect->text, NULL) != BT_OK)
      break;
    break;
  case EFFECT_REVIEW:
    review(effector, effect);
    break;
  case EFFECT_REVIEW_BRIEF:
    review_brief(effector, effect);
    break;
  case EFFECT_DIFF:
    compare(effector, effect);
    break;
  case EFFECT_LOG:
    read_log(effector, effect);
    break;
  case EFFECT_DELIVERIES:
    evaluate(effector, effect);
    break;
  case EFFECT_WHY:
    explain(effector, effect);
    break;
  case EFFECT_RECORDS:
    librarian_list(effector->librarian);
    break;
  case EFFECT_RECORD_BRIEF:
    show_record(effector, effect);
    break;
  case EFFECT_COPY_PAGE:
    effect_copy_page(effector);
    break;
  case EFFECT_COPY:
    effect_copy_text(effect->text, effect->length);
    break;
  case EFFECT_PAGER:
    show_in_pager(effector, effect);
    break;
  case EFFECT_EDITOR:
    edit_copy(effector, effect);
    break;
  case EFFECT_WRITE_VIEW:
    write_view(effector, effect);
    break;
  case EFFECT_REDRAW:
    term_redraw();
    effector->changed = true;
    break;
  case EFFECT_SUSPEND:
    term_suspend();
    if (!effector->imported)
      loader_ask(effector->loader, true);
    effector->changed = true;
    break;
  case EFFECT_QUIT:
    effector->quit = true;
    break;
  }
}

void effect_dispose(struct effector *effector) {
  verifier_free(effector->verifier);
  effector->verifier = NULL;
  bt_log_source_free(effector->evidence);
  effector->evidence = NULL;
}

void effect_run(struct effector *effector, struct effects effects) {
  effector->changed = effector->changed || effects.changed;
  for (size_t i = 0; i < effects.count; i++)
    run_one(effector, &effects.list[i]);
}
