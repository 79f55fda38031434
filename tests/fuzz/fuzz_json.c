/* tests/fuzz/fuzz_json.c - JSON: whatever parses prints, parses again to the same, and is real UTF-8. */
#include <stdbool.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/utf8.h"
#include "tests/fuzz/fuzz.h"

enum { TEXT_MAX = 64 * 1024 * 1024 };

typedef void print_fn(struct bt_str *out, const struct bt_json *value);

static bool same(const struct bt_str *a, const struct bt_str *b) {
  return a->length == b->length && memcmp(a->data, b->data, a->length) == 0;
}

static void print(struct bt_str *out, print_fn *fn, const struct bt_json *value) {
  bt_str_init(out, TEXT_MAX);
  fn(out, value);
  FUZZ_CHECK(!out->failed);
  FUZZ_CHECK(bt_utf8_is_plain(out->data, out->length));
}

/* Printed by `fn` and read again, a value prints the same by `fn` and by the compact printer. */
static void check_round(print_fn *fn, const struct bt_json *value) {
  struct bt_str first, second;
  print(&first, fn, value);
  struct bt_json *again = bt_json_parse(first.data, first.length, NULL);
  FUZZ_CHECK(again != NULL);
  print(&second, fn, again);
  FUZZ_CHECK(same(&first, &second));
  bt_json_free(again);
  bt_str_dispose(&first);
  bt_str_dispose(&second);
}

static void check_value(const struct bt_json *value) {
  struct bt_str text;
  check_round(bt_json_print_compact, value);
  check_round(bt_json_print_pretty, value);
  check_round(bt_json_print_canonical, value);
  struct bt_json *copy = bt_json_clone(value);
  FUZZ_CHECK(copy != NULL && bt_json_equals(copy, value));
  bt_json_free(copy);
  bt_str_init(&text, TEXT_MAX);
  bt_json_to_text(&text, value);
  FUZZ_CHECK(!text.failed);
  (void)bt_json_to_number(value);
  (void)bt_json_truthy(value);
  bt_str_dispose(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct bt_error err = {.code = BT_OK};
  struct bt_json *value = bt_json_parse((const char *)data, size, &err);
  FUZZ_CHECK((value != NULL) == (err.code == BT_OK));
  if (value != NULL) {
    check_value(value);
    bt_json_free(value);
  }
  /* The same bytes as internal text: halves and C0 80 may now come through. */
  value = bt_json_parse_text((const char *)data, size, NULL);
  if (value != NULL) {
    struct bt_str out;
    print(&out, bt_json_print_compact, value);
    bt_str_dispose(&out);
    bt_json_free(value);
  }
  return 0;
}
