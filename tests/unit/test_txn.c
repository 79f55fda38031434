/* tests/unit/test_txn.c - the undo log: what this run wrote goes, what others wrote stays. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/fs.h"
#include "core/ops/session_lock.h"
#include "core/ops/txn.h"
#include "tests/support/fixture.h"

struct ground {
  struct fixture *fixture;
  struct bt_txn *txn;
};

static int set_up(void **state) {
  static struct ground ground;
  ground.fixture = fixture_new(FIXTURE_EMPTY);
  assert_non_null(ground.fixture);
  ground.txn = bt_txn_open(&ground.fixture->env, false, NULL);
  *state = &ground;
  return ground.txn == NULL;
}

static int tear_down(void **state) {
  struct ground *ground = *state;
  bt_txn_close(ground->txn);
  fixture_free(ground->fixture);
  return 0;
}

static void expect_text(const struct ground *ground, const char *path, const char *text) {
  struct bt_str found;
  bt_str_init(&found, 4096);
  enum bt_code code = bt_fs_read_at(bt_txn_dir(ground->txn), path, &found, NULL);
  if (text == NULL)
    assert_int_equal(code, BT_MISSING);
  else
    assert_string_equal(found.data, text);
  bt_str_dispose(&found);
}

static void replace(const struct ground *ground, const char *path, const char *text) {
  assert_int_equal(bt_txn_replace(ground->txn, path, text, strlen(text), NULL), BT_OK);
}

static void watch(const struct ground *ground, enum bt_artifact artifact, const char *path) {
  assert_int_equal(bt_txn_watch(ground->txn, artifact, path, NULL), BT_OK);
}

static void an_undo_puts_everything_back(void **state) {
  struct ground *ground = *state;
  fixture_write(ground->fixture, ".adlc/a",
                "old\xff"
                "bytes");
  watch(ground, BT_ARTIFACT_FINAL, "a");
  watch(ground, BT_ARTIFACT_DENY, "b");
  replace(ground, "a", "new");
  replace(ground, "b", "first");
  replace(ground, "b", "second");
  replace(ground, "unwatched", "stays");
  struct bt_error err = {.code = BT_EVIDENCE, .message = "no evidence"};
  assert_true(bt_txn_undo(ground->txn, &err));
  assert_string_equal(err.message, "no evidence");
  expect_text(ground, "a",
              "old\xff"
              "bytes");
  expect_text(ground, "b", NULL);
  expect_text(ground, "unwatched", "stays");
}

static void a_strangers_text_stays_and_is_named(void **state) {
  struct ground *ground = *state;
  watch(ground, BT_ARTIFACT_AUTH, "auth");
  watch(ground, BT_ARTIFACT_CAPTURE, "capture");
  watch(ground, BT_ARTIFACT_FINAL, "final");
  replace(ground, "auth", "ours");
  replace(ground, "capture", "ours");
  replace(ground, "final", "ours");
  fixture_write(ground->fixture, ".adlc/auth", "theirs");
  fixture_write(ground->fixture, ".adlc/final", "theirs");
  struct bt_error err = {.code = BT_STALE, .message = "moved"};
  assert_false(bt_txn_undo(ground->txn, &err));
  assert_int_equal(err.code, BT_STALE);
  assert_non_null(strstr(err.message, "moved \xe2\x80\x94 "));
  assert_non_null(strstr(err.message, ": final, resume-auth"));
  expect_text(ground, "auth", "theirs");
  expect_text(ground, "capture", NULL);
}

static void a_lost_creation_is_not_undone(void **state) {
  struct ground *ground = *state;
  struct bt_error err = {0};
  watch(ground, BT_ARTIFACT_AUTH, "auth");
  fixture_write(ground->fixture, ".adlc/auth", "same");
  assert_int_equal(bt_txn_create(ground->txn, "auth", "same", 4, &err), BT_STATE);
  assert_int_equal(err.sys_errno, EEXIST);
  assert_true(bt_txn_undo(ground->txn, NULL));
  expect_text(ground, "auth", "same");
}

static void only_the_same_bytes_are_unlinked(void **state) {
  struct ground *ground = *state;
  fixture_write(ground->fixture, ".adlc/l", "dead");
  assert_int_equal(bt_txn_unlink_if(ground->txn, "l", "live", 4, NULL), BT_STALE);
  assert_int_equal(bt_txn_unlink_if(ground->txn, "none", "", 0, NULL), BT_MISSING);
  int held = bt_fs_open_file_at(bt_txn_dir(ground->txn), "l", NULL);
  assert_int_equal(flock(held, LOCK_EX), 0); /* another of our processes removes it */
  assert_int_equal(bt_txn_unlink_if(ground->txn, "l", "dead", 4, NULL), BT_STALE);
  close(held);
  assert_int_equal(bt_txn_unlink_if(ground->txn, "l", "dead", 4, NULL), BT_OK);
  expect_text(ground, "l", NULL);
}

static void read_only_has_no_transaction(void **state) {
  struct ground *ground = *state;
  struct bt_error err = {0};
  ground->fixture->env.readonly = true;
  assert_null(bt_txn_open(&ground->fixture->env, true, &err));
  assert_int_equal(err.code, BT_READONLY);
}

static void folders_are_made_on_the_way(void **state) {
  struct ground *ground = *state;
  char path[700];
  snprintf(path, sizeof path, "%s/x/y/.adlc", ground->fixture->root);
  ground->fixture->env.ledger_dir = path;
  assert_null(bt_txn_open(&ground->fixture->env, false, NULL));
  struct bt_txn *txn = bt_txn_open(&ground->fixture->env, true, NULL);
  assert_non_null(txn);
  bt_txn_close(txn);
}

/* ---- the session lock ---- */

static enum bt_code acquire(const struct ground *ground, struct bt_session_lock *lock, const char *session,
                            struct bt_error *err) {
  return bt_session_lock_acquire(lock, ground->txn, &ground->fixture->env, session, err);
}

static void a_lock_is_taken_once(void **state) {
  struct ground *ground = *state;
  struct bt_session_lock lock, second;
  struct bt_error err = {0};
  ground->fixture->env.pid = FIXTURE_LIVE_PID;
  assert_int_equal(acquire(ground, &lock, "s", &err), BT_OK);
  assert_int_equal(acquire(ground, &second, "s", &err), BT_BUSY);
  assert_non_null(strstr(err.message, "40992"));
  bt_session_lock_release(&second, ground->txn);
  bt_session_lock_release(&lock, ground->txn);
  expect_text(ground, "handoffs/s.lock", NULL);
}

static void locks_of_others_are_judged(void **state) {
  struct ground *ground = *state;
  static const struct {
    const char *text;
    enum bt_code code;
    const char *words;
  } cases[] = {
      {"{\"pid\":48211,\"host\":\"build-07\",\"nonce\":\"x\"}", BT_OK, NULL},
      {"{\"host\":\"build-07\"}", BT_OK, NULL}, /* no pid counts as dead */
      {"{\"pid\":1.5,\"host\":\"build-07\"}", BT_OK, NULL},
      {"{\"pid\":40992,\"host\":\"build-07\"}", BT_BUSY, "40992"},
      {"{\"pid\":1,\"host\":\"build-07\"}", BT_BUSY, "pid 1"},
      {"{\"pid\":48211,\"host\":\"build-03\"}", BT_BUSY, "build-03"},
      {"{\"pid\":48211}", BT_BUSY, "another host"},
      {"{not", BT_BUSY, "corrupt_json"},
      {"", BT_BUSY, "unreadable"},
      {"[]", BT_BUSY, "invalid_shape"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct bt_session_lock lock;
    struct bt_error err = {0};
    fixture_write(ground->fixture, ".adlc/handoffs/s.lock", cases[i].text);
    assert_int_equal(acquire(ground, &lock, "s", &err), cases[i].code);
    if (cases[i].words != NULL)
      assert_non_null(strstr(err.message, cases[i].words));
    bt_session_lock_release(&lock, ground->txn);
    expect_text(ground, "handoffs/s.lock", cases[i].code == BT_OK ? NULL : cases[i].text);
  }
}

static void only_our_own_lock_is_released(void **state) {
  struct ground *ground = *state;
  struct bt_session_lock lock;
  assert_int_equal(acquire(ground, &lock, "s", NULL), BT_OK);
  fixture_write(ground->fixture, ".adlc/handoffs/s.lock", "{\"nonce\":\"another\"}");
  bt_session_lock_release(&lock, ground->txn);
  expect_text(ground, "handoffs/s.lock", "{\"nonce\":\"another\"}");
}

static void a_file_in_the_place_of_the_folder_is_a_held_lock(void **state) {
  struct ground *ground = *state;
  struct bt_session_lock lock;
  fixture_write(ground->fixture, ".adlc/handoffs", "a file");
  assert_int_equal(acquire(ground, &lock, "s", NULL), BT_BUSY);
  bt_session_lock_release(&lock, ground->txn);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(an_undo_puts_everything_back, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_strangers_text_stays_and_is_named, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_lost_creation_is_not_undone, set_up, tear_down),
      cmocka_unit_test_setup_teardown(only_the_same_bytes_are_unlinked, set_up, tear_down),
      cmocka_unit_test_setup_teardown(read_only_has_no_transaction, set_up, tear_down),
      cmocka_unit_test_setup_teardown(folders_are_made_on_the_way, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_lock_is_taken_once, set_up, tear_down),
      cmocka_unit_test_setup_teardown(locks_of_others_are_judged, set_up, tear_down),
      cmocka_unit_test_setup_teardown(only_our_own_lock_is_released, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_file_in_the_place_of_the_folder_is_a_held_lock, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
