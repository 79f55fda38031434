/* tests/unit/test_hands.c - random hands on the whole dashboard, without a terminal: keys, clicks, pastes, sizes, and a
 * ledger that changes meanwhile.
 *
 * After every event the screen is drawn and sound. Nothing is executed but by Enter on the unlocked button of a dialog whose
 * plan is the one on show, with the word typed where one is wanted; a time, a size, a paste or a change in the ledger asks
 * for nothing but reading; and only a hand moves the selection to another session. BATON_HANDS=N plays N events instead of
 * the short form, BATON_SOAK=1 a million, BATON_SEED chooses others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/str.h"
#include "tests/support/app_world.h"
#include "tests/support/drift.h"
#include "tests/support/picture.h"
#include "tui/bulk.h"
#include "views/prepare.h"

enum { ROWS_MAX = 60, COLUMNS_MAX = 220, SEQUENCE = 80, ID_BYTES = 256 };

struct hands {
  struct world world; /* the first member: what the callbacks get is this */
  struct drift drift;
  uint64_t seed;
  size_t event, confirmed, confirmed_in_bulk;
  unsigned facts_read; /* world.facts when the ledger was last read; a reading may fail */
  struct bt_cell *cells;
  /* of the event at work */
  bool by_hand;            /* a key or a click */
  uint32_t key;            /* BT_KEY_ENTER for a click: it does what its key does */
  struct bt_dialog dialog; /* as it was just before */
  enum bt_overlay overlay;
  enum bt_bulk_phase bulk_phase;
  char subject[ID_BYTES], selected[ID_BYTES], selected_lock[ID_BYTES], open[ID_BYTES];
  enum bt_page page;
};

static struct hands *hands_of(struct world *world) {
  return (struct hands *)world;
}

static uint32_t dice(struct hands *hands, uint32_t sides) {
  return drift_dice(&hands->drift, sides);
}

static const struct bt_scene *scene_of(const struct hands *hands) {
  return app_scene(hands->world.app);
}

/* ---------------------------------------------------------------- what must hold --------------- */

static struct bt_snapshot *read_ledger(struct world *world) {
  struct hands *hands = hands_of(world);
  if (dice(hands, 60) == 0)
    return NULL;
  hands->facts_read = world->facts;
  return drift_snapshot(&hands->drift);
}

/* Only a hand asks for more than reading. */
static void check_effect(struct world *world, const struct effect *effect) {
  bool asks_the_forge = effect->kind == EFFECT_DELIVERIES && effect->length == 1;
  if (hands_of(world)->by_hand)
    return;
  assert_false(asks_the_forge);
  switch (effect->kind) {
  case EFFECT_PLAN:
  case EFFECT_BULK_PLAN:
  case EFFECT_REFRESH:
  case EFFECT_WHY:
  case EFFECT_DIFF:
  case EFFECT_TAIL:
  case EFFECT_LOG:
  case EFFECT_RAW:
  case EFFECT_DELIVERIES:
    return;
  default:
    fail_msg("effect %d without a hand", (int)effect->kind);
  }
}

static void check_word(const struct hands *hands, const struct bt_plan *plan) {
  for (size_t i = 0; i < hands->dialog.item_count; i++)
    if (hands->dialog.items[i].kind == BT_ITEM_CONFIRM) {
      assert_string_equal(hands->dialog.items[i].field.text, plan->confirm_word);
      return;
    }
  fail_msg("nothing was typed");
}

static void check_execution(struct world *world, const struct bt_plan *plan) {
  struct hands *hands = hands_of(world);
  const struct bt_item *focused = &hands->dialog.items[hands->dialog.focus];
  assert_true(hands->by_hand);
  assert_int_equal(hands->key, BT_KEY_ENTER);
  assert_int_equal(focused->kind, BT_ITEM_BUTTON);
  assert_true(hands->dialog.focus > 0);
  assert_false(focused->locked);
  assert_null(plan->disabled);
  assert_in_range(strtoul(plan->fingerprint, NULL, 10), hands->facts_read,
                  world->facts); /* what the core then checks again */
  if (hands->overlay == BT_OVERLAY_BULK) {
    const struct bt_session *session = bt_snapshot_session(app_snapshot(world->app), plan->request.session);
    assert_int_equal(hands->bulk_phase, BT_BULK_READY);
    assert_int_equal(plan->request.verb, BT_VERB_UNLOCK);
    assert_true(session && session->lock && session->lock->verdict == BT_LOCK_STALE);
    hands->confirmed_in_bulk++;
    return;
  }
  assert_int_equal(hands->overlay, BT_OVERLAY_DIALOG);
  assert_int_equal(hands->dialog.phase, BT_DIALOG_READY);
  assert_ptr_equal(hands->dialog.plan, plan);
  assert_string_equal(focused->label, "do it");
  const char *about = plan->request.verb == BT_VERB_CONTINUE ? plan->request.deny_session
                      : plan->request.tree                   ? plan->request.tree
                                                             : plan->request.session;
  if (plan->request.verb != BT_VERB_UNDO)
    assert_string_equal(about, hands->subject);
  if (plan->confirm_word)
    check_word(hands, plan);
  hands->confirmed++;
}

static void keep_text(char out[ID_BYTES], const char *text) {
  snprintf(out, ID_BYTES, "%s", text ? text : "");
}

static void look(struct hands *hands) {
  const struct bt_scene *scene = scene_of(hands);
  hands->dialog = scene->dialog;
  hands->overlay = scene->overlay;
  hands->bulk_phase = scene->bulk_phase;
  hands->page = scene->page;
  keep_text(hands->subject, scene->dialog.subject);
  keep_text(hands->selected, scene->selected_id);
  keep_text(hands->selected_lock, scene->selected_lock);
  keep_text(hands->open, scene->session_id);
}

static bool is_listed(const struct hands *hands, const char *id) {
  const struct bt_snapshot *snapshot = app_snapshot(hands->world.app);
  const struct bt_prepared *prepared = scene_of(hands)->prepared;
  for (size_t i = 0; snapshot && i < prepared->session_count; i++)
    if (strcmp(snapshot->sessions[prepared->sessions[i]].id, id) == 0)
      return true;
  return false;
}

static bool is_listed_lock(const struct hands *hands, const char *path) {
  const struct bt_snapshot *snapshot = app_snapshot(hands->world.app);
  const struct bt_prepared *prepared = scene_of(hands)->prepared;
  for (size_t i = 0; snapshot && i < prepared->lock_count; i++)
    if (strcmp(snapshot->locks[prepared->locks[i]].path, path) == 0)
      return true;
  return false;
}

/* Nothing but a hand moves to another session or lock that is still there; under a dialog a hand does not either. */
static void check_selection(const struct hands *hands) {
  const struct bt_scene *scene = scene_of(hands);
  bool covered = hands->overlay != BT_OVERLAY_NONE && scene->overlay == hands->overlay;
  if (hands->page != scene->page) {
    assert_true(hands->by_hand);
    return;
  }
  if (hands->by_hand && !covered)
    return;
  if (scene->page == BT_PAGE_LIST && is_listed(hands, hands->selected))
    assert_string_equal(scene->selected_id, hands->selected);
  if (scene->page == BT_PAGE_LOCKS && is_listed_lock(hands, hands->selected_lock))
    assert_string_equal(scene->selected_lock, hands->selected_lock);
  if ((scene->page == BT_PAGE_SESSION || scene->page == BT_PAGE_WHY) && scene->session_id)
    assert_string_equal(scene->session_id, hands->open);
  if (covered && scene->overlay == BT_OVERLAY_DIALOG && scene->dialog.subject && hands->subject[0])
    assert_string_equal(scene->dialog.subject, hands->subject);
}

static void draw(struct hands *hands) {
  const struct bt_scene *scene = scene_of(hands);
  struct bt_surface surface;
  struct bt_view_cursor cursor = {0};
  bt_surface_init(&surface, hands->cells, scene->rows, scene->columns, scene->unicode);
  app_draw(hands->world.app, &surface, &cursor);
  assert_true(picture_is_sound(&surface));
  assert_in_range(cursor.row, 0, scene->rows - 1);
  assert_in_range(cursor.column, 0, scene->columns - 1);
}

/* ---------------------------------------------------------------- what happens ----------------- */

static void press(struct hands *hands, uint32_t key) {
  look(hands);
  hands->by_hand = true;
  hands->key = key;
  world_key(&hands->world, key);
  check_selection(hands);
}

static void click(struct hands *hands) {
  const struct bt_scene *scene = scene_of(hands);
  enum app_mouse mouse = (enum app_mouse)dice(hands, APP_MOUSE_WHEEL_DOWN + 1);
  int row = (int)dice(hands, (uint32_t)scene->rows + 1), column = (int)dice(hands, (uint32_t)scene->columns + 1);
  look(hands);
  hands->by_hand = true;
  hands->key = BT_KEY_ENTER;
  world_run(&hands->world, app_mouse(hands->world.app, mouse, dice(hands, 2) ? row : scene->rows - 1, column));
  check_selection(hands);
}

static void paste(struct hands *hands) {
  static const char *const texts[] = {"ubcqy\n",    "bypass", "unlock",           "auth\r",
                                      "\x1b[A\x01", "T-7",    "漢字\xe2\x80\xae", "why sess-1\n"};
  look(hands);
  enum bt_mode mode = app_mode(hands->world.app);
  world_paste(&hands->world, texts[dice(hands, sizeof(texts) / sizeof(texts[0]))]);
  assert_int_equal(app_mode(hands->world.app), mode);
  const struct bt_dialog *dialog = world_dialog(&hands->world);
  for (size_t i = 0; dialog && i < dialog->item_count; i++)
    if (dialog->items[i].kind == BT_ITEM_CONFIRM)
      assert_string_equal(dialog->items[i].field.text, hands->dialog.items[i].field.text);
  check_selection(hands);
}

static void type_word(struct hands *hands) {
  static const char *const words[] = {"bypass", "unlock", "auth", "nope", "T-1", "why sess-beta", "state:blocked"};
  const struct bt_dialog *dialog = world_dialog(&hands->world);
  const char *word = dialog && dialog->plan && dialog->plan->confirm_word
                         ? dialog->plan->confirm_word
                         : words[dice(hands, sizeof(words) / sizeof(words[0]))];
  char copy[ID_BYTES];
  keep_text(copy, word);
  for (const char *at = copy; *at; at++)
    press(hands, (unsigned char)*at);
}

/* The focus to the button that acts, as a person does who means it. */
static void reach_for_the_button(struct hands *hands) {
  for (int i = 0; i < BT_DIALOG_ITEMS; i++) {
    const struct bt_scene *scene = scene_of(hands);
    if (scene->overlay != BT_OVERLAY_DIALOG && scene->overlay != BT_OVERLAY_BULK)
      return;
    const struct bt_item *item = &scene->dialog.items[scene->dialog.focus];
    if (item->kind == BT_ITEM_CONFIRM)
      type_word(hands);
    if (item->kind == BT_ITEM_BUTTON && scene->dialog.focus + 1 == scene->dialog.item_count)
      break;
    press(hands, BT_KEY_TAB);
  }
  press(hands, BT_KEY_ENTER);
}

static void something_else_happens(struct hands *hands) {
  struct world *world = &hands->world;
  look(hands);
  switch (dice(hands, 5)) {
  case 0:
    world->facts += dice(hands, 2);
    drift_step(&hands->drift);
    world_refresh(world);
    break;
  case 1:
    world_run(world, app_resize(world->app, 1 + (int)dice(hands, ROWS_MAX), 1 + (int)dice(hands, COLUMNS_MAX)));
    break;
  case 2:
    world_run(world, app_tick(world->app, scene_of(hands)->now_ms + dice(hands, 90000), 3600 * (int)dice(hands, 3)));
    break;
  case 3:
    world->execute_code = dice(hands, 3) ? BT_OK : dice(hands, 2) ? BT_STALE : BT_IO;
    world->disabled = dice(hands, 8) ? NULL : "no signing key";
    world->refuse_plan = dice(hands, 8) ? NULL : "refused";
    world_run(world, app_resize(world->app, 36, 120));
    break;
  default:
    app_live(world->app, (enum bt_live)dice(hands, BT_LIVE_OFF + 1));
    world_refresh(world); /* read again, and all is as it was */
  }
  check_selection(hands);
}

static void one_event(struct hands *hands) {
  /* clang-format off */
  static const uint32_t keys[] = {BT_KEY_TAB,   BT_KEY_S_TAB, BT_KEY_ESC,  BT_KEY_UP,  BT_KEY_DOWN,      BT_KEY_LEFT,
                                  BT_KEY_RIGHT, BT_KEY_HOME,  BT_KEY_END,  BT_KEY_F1,  BT_KEY_PAGE_DOWN, BT_KEY_PAGE_UP,
                                  BT_KEY_F1 + 4, BT_KEY_BACKSPACE, 1,      4,          5,                12,
                                  21,           23,           26,          0x6f22,     0x301,            0x202e};
  /* clang-format on */
  hands->by_hand = false;
  hands->key = BT_KEY_NONE;
  switch (dice(hands, 24)) {
  case 0:
    paste(hands);
    break;
  case 1:
  case 2:
  case 3:
    something_else_happens(hands);
    break;
  case 4:
    type_word(hands);
    break;
  case 5:
    click(hands);
    break;
  case 6:
  case 7:
    reach_for_the_button(hands);
    break;
  case 8:
  case 9:
    press(hands, BT_KEY_ENTER);
    break;
  case 10:
  case 11:
  case 12:
    press(hands, keys[dice(hands, sizeof(keys) / sizeof(keys[0]))]);
    break;
  case 13:
  case 14:
    if (dice(hands, 4) == 0)
      press(hands, '*');
    press(hands, "cubrU"[dice(hands, 5)]);
    if (dice(hands, 2))
      reach_for_the_button(hands);
    break;
  default:
    press(hands, ' ' + dice(hands, 95));
  }
}

static size_t wanted_events(void) {
  const char *count = getenv("BATON_HANDS"), *soak = getenv("BATON_SOAK");
  return count ? strtoul(count, NULL, 10) : soak && strcmp(soak, "1") == 0 ? 1000000 : 40000;
}

static int set_up(void **state) {
  struct hands *hands = calloc(1, sizeof(*hands));
  const char *seed = getenv("BATON_SEED");
  assert_non_null(hands);
  hands->seed = seed ? strtoull(seed, NULL, 10) : UINT64_C(0x9e3779b97f4a7c15);
  hands->cells = calloc(bt_surface_cells_needed(ROWS_MAX, COLUMNS_MAX), sizeof(*hands->cells));
  assert_non_null(hands->cells);
  world_init(&hands->world);
  drift_init(&hands->drift, hands->seed);
  *state = hands;
  return 0;
}

static int tear_down(void **state) {
  struct hands *hands = *state;
  if (hands->event)
    fprintf(stderr, "hands: stopped at event %zu of BATON_SEED=%llu\n", hands->event, (unsigned long long)hands->seed);
  world_dispose(&hands->world);
  free(hands->cells);
  free(hands);
  return 0;
}

static void play(struct hands *hands, bool unicode, size_t events) {
  struct world *world = &hands->world;
  const struct app_options options = {.keymap = world->keymap, .keymap_name = "default", .unicode = unicode};
  app_free(world->app);
  world->app = app_new(&options);
  assert_non_null(world->app);
  world->read = read_ledger;
  world->on_effect = check_effect;
  world->on_execute = check_execution;
  for (hands->event = 1; hands->event <= events; hands->event++) {
    one_event(hands);
    draw(hands);
    if (hands->event % SEQUENCE == 0) {
      press(hands, BT_KEY_ESC);
      press(hands, BT_KEY_ESC);
    }
  }
  hands->event = 0;
  print_message("%zu events, %zu confirmed dialogs, %zu locks in bulk\n", events, hands->confirmed,
                hands->confirmed_in_bulk);
  /* The way there was found, so that the checks above were made. */
  assert_int_equal(hands->confirmed + hands->confirmed_in_bulk, world->executes);
  assert_in_range(hands->confirmed, events / 2000, SIZE_MAX);
  assert_in_range(hands->confirmed_in_bulk, events / 40000, SIZE_MAX);
}

static void test_random_hands(void **state) {
  play(*state, true, wanted_events());
}

static void test_random_hands_in_ascii(void **state) {
  play(*state, false, wanted_events() / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_random_hands, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_random_hands_in_ascii, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
