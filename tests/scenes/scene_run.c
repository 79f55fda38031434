/* tests/scenes/scene_run.c - plays scripts of keys on the sample ledger and compares the screens.
 *
 * Usage: scene_run GOLDEN_FOLDER SCRIPT.steps... Each script is played once for each of its sizes and for UTF-8 and
 * ASCII. The real core answers; what would differ from run to run (the folder, a minted id) is fixed. The format of the
 * scripts is in tests/support/steps.h; BATON_UPDATE_GOLDEN=1 makes the golden screens anew. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/utf8.h"
#include "core/hook/why.h"
#include "core/ops/marks.h"
#include "core/records/view.h"
#include "keymaps/key.h"
#include "keymaps/keymap.h"
#include "tests/support/beside.h"
#include "tests/support/fixture.h"
#include "tests/support/picture.h"
#include "tests/support/shown.h"
#include "tests/support/steps.h"
#include "tui/act.h"
#include "tui/app.h"
#include "tui/bulk.h"
#include "tui/effect.h"

#define SUCCESSOR "d81c20aa-0000-4000-8000-000000000001" /* what a minted id is here */
#define ALL_SIZES "120x36 80x24 40x10 20x3"

struct player {
  const char *golden, *script;
  int line;
  struct fixture *fixture;
  struct app *app;
  struct bt_keymap *keymap;
  struct bt_cell *cells;
  struct bt_surface surface;
  int start_rows, start_columns;
  bool unicode, quit, handovers;
  char tree[65]; /* before the first key */
  int failures;
};

static void failed(struct player *player, const char *what, const char *text) {
  fprintf(stderr, "%s:%d (%dx%d %s): %s%s%s\n", player->script, player->line, player->start_columns, player->start_rows,
          player->unicode ? "utf8" : "ascii", what, *text ? ": " : "", text);
  player->failures++;
}

/* ---- answering ---- */

static void run(struct player *player, struct effects effects);

static struct bt_snapshot *load(struct player *player) {
  struct bt_snapshot *snapshot = fixture_load(player->fixture);
  if (player->handovers)
    beside_handovers(snapshot);
  return snapshot;
}

static void make_plan(struct player *player, const struct effect *effect) {
  struct bt_plan *plan = NULL;
  struct bt_error err = {0};
  struct bt_request request = effect->request;
  if (request.verb == BT_VERB_CONTINUE && !request.session)
    request.session = SUCCESSOR;
  if (act_plan(&player->fixture->env, &request, &plan, &err) != BT_OK)
    plan = NULL;
  if (plan)
    shown_plan(plan, player->fixture->root, player->fixture->home);
  run(player, effect->kind == EFFECT_PLAN ? app_planned(player->app, plan, &err)
                                          : app_planned_to_copy(player->app, plan, &err));
}

static void execute(struct player *player, const struct effect *effect) {
  struct bt_receipt *receipt = NULL;
  struct bt_error err = {0};
  if (act_execute(&player->fixture->env, effect->plan, &receipt, &err) != BT_OK)
    receipt = NULL;
  run(player, app_executed(player->app, receipt, &err));
  bt_receipt_free(receipt);
}

static void read_raw(struct player *player, const struct effect *effect) {
  struct effects one = {.list = {*effect}, .count = 1};
  struct effector effector = {.env = &player->fixture->env, .app = player->app};
  effect_run(&effector, one);
  effect_dispose(&effector);
}

static void explain(struct player *player, const struct effect *effect) {
  const struct bt_why_request request = {
      .session = effect->text, .paths = effect->paths, .path_count = effect->path_count};
  struct bt_why *why = NULL;
  struct bt_error err = {0};
  if (bt_why_explain(&player->fixture->env, app_snapshot(player->app), &request, &why, &err) == BT_OK)
    shown_why(why, player->fixture->root);
  run(player, app_explained(player->app, why, &err));
}

static void list_records(struct player *player) {
  struct bt_records_view *records = NULL;
  struct bt_error err = {0};
  if (bt_records_view_load(&player->fixture->env, &records, &err) == BT_OK)
    shown_records(records, player->fixture->root, player->fixture->home);
  run(player, app_recorded(player->app, records, &err));
}

static void bulk(struct player *player, const struct effect *effect) {
  if (effect->kind == EFFECT_BULK_PLAN)
    bulk_plan_all(app_bulk(player->app), &player->fixture->env);
  else
    bulk_execute_all(app_bulk(player->app), &player->fixture->env);
  run(player, effect->kind == EFFECT_BULK_PLAN ? app_bulk_planned(player->app) : app_bulk_executed(player->app));
}

static void review(struct player *player, const struct effect *effect) {
  struct bt_error err = {0};
  const struct bt_session *session = bt_snapshot_session(app_snapshot(player->app), effect->text);
  enum bt_code code = bt_marks_review(&player->fixture->env, session, effect->length > 0, &err);
  run(player, app_reviewed(player->app, effect->length > 0, code == BT_OK ? NULL : &err));
}

static void review_brief(struct player *player, const struct effect *effect) {
  struct bt_error err = {0};
  const struct bt_plan *plan = effect->plan;
  enum bt_code code =
      bt_marks_review_brief(&player->fixture->env, plan->request.deny_session, &plan->brief, true, &err);
  run(player, app_reviewed(player->app, true, code == BT_OK ? NULL : &err));
}

static void run(struct player *player, struct effects effects) {
  for (size_t i = 0; i < effects.count; i++) {
    const struct effect *effect = &effects.list[i];
    if (effect->kind == EFFECT_PLAN || effect->kind == EFFECT_PLAN_TO_COPY)
      make_plan(player, effect);
    else if (effect->kind == EFFECT_EXECUTE)
      execute(player, effect);
    else if (effect->kind == EFFECT_REFRESH)
      run(player, app_refreshed(player->app, load(player)));
    else if (effect->kind == EFFECT_RAW || effect->kind == EFFECT_TAIL || effect->kind == EFFECT_LOG ||
             effect->kind == EFFECT_KEEP_ORDER || effect->kind == EFFECT_KEEP_PREVIEW || effect->kind == EFFECT_DIFF)
      read_raw(player, effect);
    else if (effect->kind == EFFECT_BULK_PLAN || effect->kind == EFFECT_BULK_EXECUTE)
      bulk(player, effect);
    else if (effect->kind == EFFECT_REVIEW_BRIEF)
      review_brief(player, effect);
    else if (effect->kind == EFFECT_REVIEW)
      review(player, effect);
    else if (effect->kind == EFFECT_WHY)
      explain(player, effect);
    else if (effect->kind == EFFECT_RECORDS)
      list_records(player);
    else if (effect->kind == EFFECT_DELIVERIES)
      run(player,
          app_delivered(player->app, beside_deliveries(player->fixture->now_ms, effect->length == 1), false, NULL));
    else if (effect->kind == EFFECT_QUIT)
      player->quit = true;
  }
}

/* ---- steps ---- */

static void resize(struct player *player, int rows, int columns) {
  free(player->cells);
  player->cells = malloc(bt_surface_cells_needed(rows, columns) * sizeof *player->cells);
  assert_non_null(player->cells);
  bt_surface_init(&player->surface, player->cells, rows, columns, player->unicode);
  run(player, app_resize(player->app, rows, columns));
}

static void press(struct player *player, const char *names) {
  while (*names) {
    size_t length = strcspn(names, " ");
    uint32_t key;
    if (length && bt_key_parse(names, length, &key))
      run(player, app_key(player->app, key));
    else if (length)
      failed(player, "no key's name", names);
    names += length + (names[length] == ' ');
  }
}

static void type(struct player *player, const char *text) {
  size_t at = 0, length = strlen(text);
  while (at < length)
    run(player, app_key(player->app, bt_utf8_next(text, length, &at)));
}

static void draw(struct player *player, struct bt_view_cursor *cursor) {
  app_draw(player->app, &player->surface, cursor);
  if (!picture_is_sound(&player->surface))
    failed(player, "the surface is not sound", "");
}

static void expect(struct player *player, const char *name) {
  struct bt_view_cursor cursor;
  struct bt_str picture;
  char path[4096];
  draw(player, &cursor);
  bt_str_init(&picture, 8 << 20);
  picture_golden(&picture, &player->surface, &cursor);
  snprintf(path, sizeof path, "%s/%s.%dx%d.%s", player->golden, name, player->start_columns, player->start_rows,
           player->unicode ? "utf8" : "ascii");
  if (!picture_matches(path, &picture))
    failed(player, "another screen than", name);
  bt_str_dispose(&picture);
}

static void shows(struct player *player, const char *text) {
  struct bt_view_cursor cursor;
  struct bt_str glyphs;
  draw(player, &cursor);
  bt_str_init(&glyphs, 8 << 20);
  picture_glyphs(&glyphs, &player->surface);
  if (!strstr(glyphs.data, text)) {
    failed(player, "not on the screen", text);
    fputs(glyphs.data, stderr);
  }
  bt_str_dispose(&glyphs);
}

/* What is written now is as old as the clock of the scene says. */
static void date_file(struct player *player, const char *path) {
  char full[1024];
  time_t seconds = (time_t)(player->fixture->now_ms / 1000);
  const struct timespec times[2] = {{seconds, 0}, {seconds, 0}};
  snprintf(full, sizeof full, "%s/%s", player->fixture->root, path);
  if (utimensat(AT_FDCWD, full, times, 0) != 0)
    failed(player, "its time cannot be set", path);
}

static void change_file(struct player *player, const struct step *step) {
  char path[512], text[2048] = "";
  size_t length = strcspn(step->text, " ");
  snprintf(path, sizeof path, "%.*s", (int)length, step->text);
  if (step->kind == STEP_REMOVE) {
    fixture_remove(player->fixture, path);
  } else {
    snprintf(text, sizeof text, "%s", step->text[length] ? step->text + length + 1 : "");
    steps_unescape(text);
    fixture_write(player->fixture, path, text);
    date_file(player, path);
  }
  run(player, app_refreshed(player->app, load(player)));
}

static void play_step(struct player *player, const struct step *step) {
  char text[2048], tree[65];
  int rows, columns;
  switch (step->kind) {
  case STEP_KEY:
    press(player, step->text);
    break;
  case STEP_TYPE:
    type(player, step->text);
    break;
  case STEP_PASTE:
    snprintf(text, sizeof text, "%s", step->text);
    steps_unescape(text);
    run(player, app_paste(player->app, text, strlen(text)));
    break;
  case STEP_SIZE:
    if (sscanf(step->text, "%dx%d", &columns, &rows) == 2)
      resize(player, rows, columns);
    break;
  case STEP_CLOCK:
    player->fixture->now_ms += strtol(step->text, NULL, 10);
    run(player, app_tick(player->app, player->fixture->now_ms, 0));
    break;
  case STEP_WRITE:
  case STEP_REMOVE:
    change_file(player, step);
    break;
  case STEP_EXPECT:
    expect(player, step->text);
    break;
  case STEP_SHOWS:
    shows(player, step->text);
    break;
  case STEP_UNCHANGED:
    fixture_tree_hash(player->fixture, tree);
    if (strcmp(tree, player->tree) != 0)
      failed(player, "files have changed", "");
    break;
  case STEP_QUITS:
    if (!player->quit)
      failed(player, "it goes on", "");
    break;
  default: /* said before the first key */
    break;
  }
}

/* ---- one script, one size ---- */

static const char *said(const struct steps *steps, enum step_kind kind, const char *otherwise) {
  for (size_t i = 0; i < steps->count; i++)
    if (steps->list[i].kind == kind)
      return steps->list[i].text;
  return otherwise;
}

static void open_world(struct player *player, const struct steps *steps) {
  const char *ledger = said(steps, STEP_LEDGER, "sample");
  struct bt_error err;
  player->fixture = fixture_new(strcmp(ledger, "none") == 0    ? FIXTURE_NONE
                                : strcmp(ledger, "empty") == 0 ? FIXTURE_EMPTY
                                                               : FIXTURE_SAMPLE);
  assert_non_null(player->fixture);
  assert_int_equal(chdir(player->fixture->root), 0); /* where the sample's transcripts are named from */
  if (said(steps, STEP_WITHOUT_KEY, NULL)) {
    player->fixture->env.key = NULL;
    player->fixture->env.key_length = 0;
    player->fixture->env.key_is_sample = false;
  }
  player->fixture->env.readonly = said(steps, STEP_READONLY, NULL) != NULL;
  player->handovers = said(steps, STEP_HANDOVERS, NULL) != NULL;
  player->keymap = bt_keymap_new_named("default", &err);
  assert_non_null(player->keymap);
  const struct app_options options = {.keymap = player->keymap, .keymap_name = "default", .unicode = player->unicode};
  player->app = app_new(&options);
  assert_non_null(player->app);
  fixture_tree_hash(player->fixture, player->tree);
  run(player, app_tick(player->app, player->fixture->now_ms, 0));
  resize(player, player->start_rows, player->start_columns);
  run(player, app_refreshed(player->app, load(player)));
}

static int play(const char *golden, const char *script, const struct steps *steps, int rows, int columns,
                bool unicode) {
  struct player player = {
      .golden = golden, .script = script, .start_rows = rows, .start_columns = columns, .unicode = unicode};
  open_world(&player, steps);
  for (size_t i = 0; i < steps->count; i++) {
    player.line = steps->list[i].line;
    play_step(&player, &steps->list[i]);
  }
  app_free(player.app);
  bt_keymap_free(player.keymap);
  fixture_free(player.fixture);
  free(player.cells);
  return player.failures;
}

static int play_script(const char *golden, const char *script) {
  struct steps steps;
  int failures = 0, rows, columns, used;
  if (!steps_read(&steps, script)) {
    steps_dispose(&steps);
    return 1;
  }
  for (const char *size = said(&steps, STEP_SIZES, ALL_SIZES); sscanf(size, "%dx%d%n", &columns, &rows, &used) == 2;
       size += used) {
    failures += play(golden, script, &steps, rows, columns, true);
    failures += play(golden, script, &steps, rows, columns, false);
  }
  steps_dispose(&steps);
  return failures;
}

int main(int argc, char **argv) {
  int failures = 0;
  if (argc < 3) {
    fputs("usage: scene_run GOLDEN_FOLDER SCRIPT.steps...\n", stderr);
    return 2;
  }
  for (int i = 2; i < argc; i++)
    failures += play_script(argv[1], argv[i]);
  if (failures)
    fprintf(stderr, "%d failed\n", failures);
  return failures ? 1 : 0;
}
