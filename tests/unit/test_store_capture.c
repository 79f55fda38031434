/* tests/unit/test_store_capture.c - captures held against their recorded hash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/store/capture.h"
#include "core/text/capture.h"
#include "tests/support/fixture.h"

#define CONTENT ".adlc/handoffs/content/s.md"
#define BODY "## Note\n\nsome text\n"

static struct fixture *fixture;
static struct bt_arena *arena;
static int dir;
static char hash[BT_SHA256_HEX];

static int begin(void **state) {
  (void)state;
  fixture = fixture_new(FIXTURE_EMPTY);
  arena = bt_arena_new(1 << 20);
  dir = fixture ? bt_fs_open_root(fixture->env.ledger_dir, NULL) : -1;
  return dir < 0 || bt_capture_hash(BODY, strlen(BODY), hash, NULL) != BT_OK;
}

static int end(void **state) {
  (void)state;
  close(dir);
  bt_arena_free(arena);
  fixture_free(fixture);
  return 0;
}

static const char *verified_error(const char *expected) {
  const char *error = "not set";
  assert_int_equal(bt_capture_read_verified(dir, "s", expected, NULL, &error, NULL), BT_OK);
  return error;
}

static void the_verified_read(void **state) {
  (void)state;
  struct bt_str body;
  const char *error;
  assert_string_equal(verified_error(NULL), "missing expected content_hash"); /* before anything is looked at */
  assert_string_equal(verified_error(""), "missing expected content_hash");
  assert_string_equal(verified_error(hash), "missing");
  fixture_write(fixture, CONTENT, BODY);
  assert_null(verified_error(hash));
  fixture_write(fixture, CONTENT, "## Note  \r\n\r\nsome text\t\r\n");
  assert_null(verified_error(hash));
  fixture_append(fixture, CONTENT, "x");
  assert_string_equal(verified_error(hash), "content_hash mismatch");
  bt_str_init(&body, 1 << 20);
  assert_int_equal(bt_capture_read(dir, "s", &body, NULL, &error, NULL), BT_OK);
  assert_true(bt_starts_with(body.data, "## Note  \r\n"));
  bt_str_dispose(&body);
  assert_int_equal(bt_capture_read_verified(dir, "a/b", hash, NULL, &error, NULL), BT_UNSAFE);
}

static void too_large_is_not_read(void **state) {
  (void)state;
  char *large = malloc(BT_CAPTURE_MAX_BYTES + 2);
  assert_non_null(large);
  memset(large, 'x', BT_CAPTURE_MAX_BYTES + 1);
  large[BT_CAPTURE_MAX_BYTES] = '\0';
  fixture_write(fixture, CONTENT, large);
  assert_string_equal(verified_error(hash), "content_hash mismatch");
  fixture_append(fixture, CONTENT, "x");
  assert_string_equal(verified_error(hash), "oversize");
  free(large);
}

static void no_plain_file(void **state) {
  (void)state;
  fixture_write(fixture, ".adlc/handoffs/content/real.md", BODY);
  assert_int_equal(symlinkat("real.md", dir, "handoffs/content/s.md"), 0);
  assert_string_equal(verified_error(hash), "unsafe");
  fixture_remove(fixture, CONTENT);
  assert_int_equal(mkfifoat(dir, "handoffs/content/s.md", 0666), 0);
  assert_string_equal(verified_error(hash), "unsafe");
  fixture_remove(fixture, CONTENT);
  assert_int_equal(mkdirat(dir, "handoffs/content/s.md", 0777), 0);
  assert_string_equal(verified_error(hash), "EISDIR");
}

static struct bt_capture load(const char *expected, bool required) {
  struct bt_capture capture;
  assert_int_equal(bt_capture_load(dir, "s", expected, required, true, arena, &capture, NULL), BT_OK);
  return capture;
}

static void a_record_for_the_screen(void **state) {
  (void)state;
  assert_int_equal(load(hash, true).status, BT_BRIEF_MISSING);
  assert_int_equal(load(hash, false).status, BT_BRIEF_NONE);
  fixture_write(fixture, CONTENT, BODY);
  struct bt_capture capture = load(hash, true);
  assert_int_equal(capture.status, BT_BRIEF_VERIFIED);
  assert_string_equal(capture.text, BODY);
  assert_string_equal(capture.actual_hash, hash);
  assert_int_equal(capture.line_count, 3);
  assert_int_equal(capture.size_bytes, strlen(BODY));
  assert_int_equal(load("ab", true).status, BT_BRIEF_TAMPERED);
  assert_int_equal(load(NULL, false).status, BT_BRIEF_UNCHECKED);
  capture = load(NULL, true);
  assert_int_equal(capture.status, BT_BRIEF_UNCHECKED);
  assert_string_equal(capture.error, "missing expected content_hash");
}

static void bad_bytes_hash_as_replacements(void **state) {
  (void)state;
  char replaced[BT_SHA256_HEX];
  assert_int_equal(bt_capture_hash("a\xef\xbf\xbd", 4, replaced, NULL), BT_OK);
  fixture_write(fixture, CONTENT, "a\xff");
  assert_null(verified_error(replaced));
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {CASE(the_verified_read), CASE(too_large_is_not_read), CASE(no_plain_file),
                                     CASE(a_record_for_the_screen), CASE(bad_bytes_hash_as_replacements)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
