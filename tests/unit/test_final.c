/* tests/unit/test_final.c - finals that count and finals that do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/store/final.h"
#include "tests/support/fixture.h"

#define FINAL_PATH ".adlc/handoffs/finals/s.json"

static struct fixture *fixture;
static struct bt_arena *arena;
static int dir;

static int begin(void **state) {
  (void)state;
  fixture = fixture_new(FIXTURE_EMPTY);
  arena = bt_arena_new(1 << 20);
  dir = fixture ? bt_fs_open_root(fixture->env.ledger_dir, NULL) : -1;
  return dir < 0;
}

static int end(void **state) {
  (void)state;
  close(dir);
  bt_arena_free(arena);
  fixture_free(fixture);
  return 0;
}

static struct bt_final read_final(void) {
  struct bt_final final_;
  assert_int_equal(bt_final_read(dir, "s", arena, &final_, NULL, NULL), BT_OK);
  assert_string_equal(final_.path, "handoffs/finals/s.json");
  return final_;
}

static const char *error_of(const char *text) {
  fixture_write(fixture, FINAL_PATH, text);
  return read_final().error;
}

static void reads_one(void **state) {
  (void)state;
  struct bt_json *document;
  struct bt_final final_;
  fixture_write(fixture, FINAL_PATH,
                "{\"schema\":1.0,\"session_id\":\"s\",\"ticket_id\":\"T\",\"written_at\":\"2026-10-09T14:22:07.000Z\","
                "\"host\":\"l\",\"content_hash\":\"c\",\"content_kind\":\"capture\",\"extra\":[1]}");
  assert_int_equal(bt_final_read(dir, "s", arena, &final_, &document, NULL), BT_OK);
  assert_null(final_.error);
  assert_string_equal(final_.ticket_id, "T");
  assert_string_equal(final_.content_hash, "c");
  assert_string_equal(final_.content_kind, "capture");
  assert_int_equal(final_.written_at_ms, FIXTURE_NOW_MS);
  assert_non_null(bt_json_get(document, "extra"));
  bt_json_free(document);
}

static void keeps_other_types_out(void **state) {
  (void)state;
  assert_null(
      error_of("{\"schema\":1,\"session_id\":\"s\",\"ticket_id\":5,\"written_at\":true,\"content_hash\":null}"));
  struct bt_final final_ = read_final();
  assert_null(final_.ticket_id);
  assert_null(final_.content_hash);
  assert_int_equal(final_.written_at_ms, BT_TIME_UNKNOWN);
}

static void says_why_not(void **state) {
  (void)state;
  assert_string_equal(read_final().error, "missing");
  assert_string_equal(error_of(""), "corrupt_json");
  assert_string_equal(error_of("{"), "corrupt_json");
  assert_string_equal(error_of("[]"), "invalid_shape");
  assert_string_equal(error_of("7"), "invalid_shape");
  assert_string_equal(error_of("{\"schema\":\"1\",\"session_id\":\"s\"}"), "invalid_final");
  assert_string_equal(error_of("{\"schema\":2,\"session_id\":\"s\"}"), "invalid_final");
  assert_string_equal(error_of("{\"schema\":1,\"session_id\":\"S\"}"), "invalid_final");
  assert_string_equal(error_of("{\"Schema\":1,\"session_id\":\"s\"}"), "invalid_final");
  fixture_remove(fixture, FINAL_PATH);
  assert_int_equal(mkfifoat(dir, "handoffs/finals/s.json", 0666), 0);
  assert_string_equal(read_final().error, "unsafe");
  fixture_remove(fixture, FINAL_PATH);
  assert_int_equal(mkdirat(dir, "handoffs/finals/s.json", 0777), 0);
  assert_string_equal(read_final().error, "EISDIR");
}

static void unsafe_ids_are_refused(void **state) {
  (void)state;
  struct bt_final final_;
  assert_int_equal(bt_final_read(dir, "../s", arena, &final_, NULL, NULL), BT_UNSAFE);
  assert_int_equal(bt_final_read(-1, "s", arena, &final_, NULL, NULL), BT_OK);
  assert_string_equal(final_.error, "missing");
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {CASE(reads_one), CASE(keeps_other_types_out), CASE(says_why_not),
                                     CASE(unsafe_ids_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
