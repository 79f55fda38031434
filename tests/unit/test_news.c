/* tests/unit/test_news.c - what happens in the ledger is told on the message line, and gives way to answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/arena.h"
#include "tests/support/app_world.h"

/* What the next reading finds: sessions as "id=STATE" or "id=STATE/brief", the list's order. */
static const char *found;
static size_t known, pending;

static enum bt_state state_of(const char *word, size_t length) {
  for (int state = 0; state < BT_STATE_COUNT; state++)
    if (strlen(bt_state_word((enum bt_state)state)) == length &&
        strncmp(bt_state_word((enum bt_state)state), word, length) == 0)
      return (enum bt_state)state;
  fail_msg("no state %s", word);
  return BT_STATE_DONE;
}

static struct bt_snapshot *read_found(struct world *world) {
  (void)world;
  struct bt_snapshot *snapshot = world_bare_snapshot();
  struct bt_arena *arena = snapshot->arena;
  snapshot->transcripts_known = known;
  snapshot->transcripts_pending = pending;
  struct bt_session *sessions = bt_arena_alloc(arena, 8 * sizeof(*sessions));
  assert_non_null(sessions);
  snapshot->sessions = sessions;
  for (const char *at = found; *at; at += strspn(at, " ")) {
    size_t word = strcspn(at, " "), id = strcspn(at, "="), state = strcspn(at + id + 1, " /");
    struct bt_session *session = &sessions[snapshot->session_count++];
    session->id = bt_arena_strndup(arena, at, id);
    session->state = state_of(at + id + 1, state);
    if (at[id + 1 + state] == '/') {
      struct bt_capture *capture = BT_ARENA_NEW(arena, struct bt_capture);
      capture->status = at[id + 2 + state] == 't' ? BT_BRIEF_TAMPERED : BT_BRIEF_VERIFIED;
      session->capture = capture;
    }
    at += word;
  }
  return snapshot;
}

static void now_is(struct world *world, const char *sessions) {
  found = sessions;
  world->read = read_found;
  world_refresh(world);
}

/* The message without its time; NULL: there is none. */
static const char *told(const struct world *world) {
  const char *message = app_scene(world->app)->message, *gap = message ? strstr(message, "  ") : NULL;
  return gap ? gap + 2 : message;
}

static void test_what_calls_for_somebody_is_told(void **state) {
  struct world *world = *state;
  now_is(world, "a=RUN b=IDLE");
  world_keys(world, "j");
  now_is(world, "b=RUN a=IDLE");
  assert_null(told(world)); /* at work, at rest */
  now_is(world, "a=BLOCKED b=RUN");
  assert_string_equal(told(world), "a: BLOCKED, was IDLE");
  now_is(world, "a=BLOCKED b=RUN");
  assert_string_equal(told(world), "a: BLOCKED, was IDLE"); /* it stays until it is seen */
  now_is(world, "c=STALE-LOCK a=DONE b=RUN");
  assert_string_equal(told(world), "c: new, STALE-LOCK   and 1 more");
  now_is(world, "a=DONE b=RUN");
  assert_string_equal(told(world), "c: gone, was STALE-LOCK");
  world_keys(world, "j");
  assert_null(told(world));
}

static void test_an_edited_brief_is_told(void **state) {
  struct world *world = *state;
  now_is(world, "a=RUN/v b=RUN");
  world_keys(world, "j");
  now_is(world, "a=RUN/t b=RUN/v");
  assert_string_equal(told(world), "a: its brief no longer matches the recorded hash (TAMPERED)");
  now_is(world, "a=RUN/v b=RUN/v");
  world_keys(world, "j");
  assert_null(told(world));
}

static void test_an_answer_is_not_overwritten(void **state) {
  struct world *world = *state;
  now_is(world, "a=RUN");
  world_keys(world, "t");
  const char *answer = app_scene(world->app)->message;
  assert_non_null(answer);
  now_is(world, "a=BLOCKED");
  assert_string_equal(app_scene(world->app)->message, answer);
  world_keys(world, "j R");
  now_is(world, "a=RUN");
  assert_string_equal(told(world), "a: RUN, was BLOCKED"); /* what reading again has found */
}

/* While transcripts are still being read, states come and go that nobody has changed. */
static void test_reading_is_no_event(void **state) {
  struct world *world = *state;
  pending = 3;
  now_is(world, "a=IDLE");
  world_keys(world, "j");
  pending = 0;
  now_is(world, "a=WARN");
  assert_null(told(world));
  known = 2; /* nothing was pending: they had not been looked for yet */
  now_is(world, "c=WARN a=RUN");
  assert_null(told(world));
  pending = 3;
  now_is(world, "b=BLOCKED c=WARN a=RUN"); /* no transcript says that */
  known = pending = 0;
  assert_string_equal(told(world), "b: new, BLOCKED");
}

/* Where the keys and the message share a line the keys stay. */
static void test_small_screens_keep_their_keys(void **state) {
  struct world *world = *state;
  world_run(world, app_resize(world->app, 10, 40));
  now_is(world, "a=RUN");
  world_keys(world, "j");
  now_is(world, "a=BLOCKED");
  assert_null(told(world));
}

static void test_a_long_id_leaves_room(void **state) {
  struct world *world = *state;
  now_is(world, "");
  world_keys(world, "j");
  now_is(
      world,
      "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
      "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
      "\xc3\xa9\xc3\xa9\xc3\xa9x\xc3\xa9\xc3\xa9=BLOCKED");
  const char *end = strstr(told(world), "..: new, BLOCKED");
  assert_non_null(end);
  assert_int_equal(end[-1], 'x'); /* byte 63; the character behind it would be cut */
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, world_set_up, world_tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_WORLD(test_what_calls_for_somebody_is_told), IN_WORLD(test_an_edited_brief_is_told),
      IN_WORLD(test_an_answer_is_not_overwritten),    IN_WORLD(test_reading_is_no_event),
      IN_WORLD(test_small_screens_keep_their_keys),   IN_WORLD(test_a_long_id_leaves_room),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
