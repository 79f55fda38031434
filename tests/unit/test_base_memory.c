/* tests/unit/test_base_memory.c - every allocation of the base fails once; each time it is BT_NOMEM and nothing leaks.
 *
 * malloc, calloc and realloc of our own code are replaced (test_base_memory.wrap). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "tests/support/failing_memory.h"
#include "tests/support/scratch.h"

/* Runs `work` again and again, with the first, second, … allocation failing, until none does. `work`
 * answers whether it succeeded; it must exactly when nothing was refused. */
static void fail_each(bool (*work)(void *context), void *context) {
  long rounds = 0;
  bool failed;
  do {
    failing_memory_after(rounds++);
    bool done = work(context);
    failed = failing_memory_end();
    assert_int_equal(done, !failed);
  } while (failed);
  assert_true(rounds > 1);
}

static const char document[] =
    "{\"b\":[1,{\"x\":\"\\ud83d\\ude00\"},null],\"2\":true,\"a\":\"t\\u00e9xt\",\"b\":\"last\",\"1\":{}}";

static bool parse_and_print(void *context) {
  (void)context;
  struct bt_error err = {.code = BT_OK};
  struct bt_json *value = bt_json_parse(document, sizeof document - 1, &err);
  if (value == NULL) {
    assert_int_equal(err.code, BT_NOMEM);
    return false;
  }
  struct bt_str out;
  bt_str_init(&out, 10000);
  bt_json_print_canonical(&out, value);
  bool done = !out.failed;
  struct bt_json *copy = bt_json_clone(value);
  done = done && copy != NULL && bt_json_equals(copy, value);
  bt_json_free(copy);
  bt_json_free(value);
  bt_str_dispose(&out);
  return done;
}

static bool parse_ill_formed(void *context) {
  (void)context;
  struct bt_error err;
  struct bt_json *value = bt_json_parse("[\"\xff\"]", 5, &err);
  bool done = value != NULL;
  assert_true(done || err.code == BT_NOMEM);
  bt_json_free(value);
  return done;
}

static bool build(void *context) {
  (void)context;
  struct bt_json *root = bt_json_new_object();
  if (root == NULL) {
    return false;
  }
  enum bt_code code = bt_json_set_string(root, "key", "value");
  if (code == BT_OK) {
    code = bt_json_set_number(root, "key", 5);
  }
  if (code == BT_OK) {
    struct bt_json *list = bt_json_new_array();
    code = list != NULL ? bt_json_push(list, bt_json_new_bool(true)) : BT_NOMEM;
    if (code == BT_OK) {
      code = bt_json_set(root, "list", list);
    } else {
      bt_json_free(list);
    }
  }
  bt_json_free(root);
  assert_true(code == BT_OK || code == BT_NOMEM);
  return code == BT_OK;
}

static bool fill_buffers(void *context) {
  (void)context;
  struct bt_str out;
  bt_str_init(&out, 10000);
  bt_str_printf(&out, "%200d", 1);
  bt_utf8_nfkd(&out, "e\xcc\x81\xcc\xa3", 5);
  bt_utf8_decode8(&out, "\xff", 1);
  bool done = !out.failed;
  char *text = bt_str_take(&out, NULL);
  assert_int_equal(text != NULL, done);
  free(text);
  struct bt_str empty;
  bt_str_init(&empty, 1);
  text = bt_str_take(&empty, NULL);
  done = done && text != NULL;
  free(text);
  return done;
}

static bool fill_arena(void *context) {
  (void)context;
  struct bt_arena *arena = bt_arena_new(1 << 20);
  if (arena == NULL) {
    return false;
  }
  bool done = bt_arena_alloc(arena, 10) != NULL;
  done = bt_arena_alloc(arena, 100000) != NULL && done;
  done = bt_arena_printf(arena, "%d", 7) != NULL && done;
  bt_arena_free(arena);
  return done;
}

static bool hash(void *context) {
  (void)context;
  struct bt_sha256 *running = bt_sha256_new();
  bool done = running != NULL;
  bt_sha256_free(running);
  return done;
}

static bool read_folder(void *context) {
  const struct scratch *scratch = context;
  struct bt_fs_listing listing;
  struct bt_str out;
  bt_str_init(&out, 1000);
  enum bt_code listed = bt_fs_list_at(scratch->dir, "", &listing, NULL);
  enum bt_code read = bt_fs_read_at(scratch->dir, "file", &out, NULL);
  assert_true(listed == BT_OK || listed == BT_NOMEM);
  assert_true(read == BT_OK || read == BT_NOMEM);
  bt_fs_listing_dispose(&listing);
  bt_str_dispose(&out);
  return listed == BT_OK && read == BT_OK;
}

static bool overwrite(void *context) {
  const struct scratch *scratch = context;
  struct bt_error err;
  enum bt_code code = bt_fs_overwrite_at(scratch->dir, "file", "new", 3, &err);
  assert_true(code == BT_OK || code == BT_NOMEM);
  if (code != BT_OK) {
    scratch_expect_text(scratch, "file", "content");
  }
  return code == BT_OK;
}

static void json_reports_every_shortage(void **state) {
  (void)state;
  fail_each(parse_and_print, NULL);
  fail_each(parse_ill_formed, NULL);
  fail_each(build, NULL);
}

static void buffers_and_arenas_report_every_shortage(void **state) {
  (void)state;
  fail_each(fill_buffers, NULL);
  fail_each(fill_arena, NULL);
  fail_each(hash, NULL);
}

static void files_report_every_shortage(void **state) {
  (void)state;
  struct scratch scratch;
  scratch_make(&scratch);
  scratch_text(&scratch, "file", "content");
  fail_each(read_folder, &scratch);
  fail_each(overwrite, &scratch);
  scratch_remove(&scratch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(json_reports_every_shortage),
      cmocka_unit_test(buffers_and_arenas_report_every_shortage),
      cmocka_unit_test(files_report_every_shortage),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
