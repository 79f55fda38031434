/* tests/unit/test_digest_missing.c - the library of the digests is not there: refused in words, nothing compared, secrets wiped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/store/sign.h"
#include "core/store/tickets.h"
#include "core/text/capture.h"

void *__wrap_dlopen(const char *name, int mode);

void *__wrap_dlopen(const char *name, int mode) {
  (void)name;
  (void)mode;
  return NULL;
}

static void it_is_refused_in_words(void **state) {
  (void)state;
  char words[96];
  struct bt_error err = {0};
  assert_int_equal(bt_digest_load(&err), BT_IO);
  assert_non_null(strstr(err.message, "libcrypto.so."));
  assert_non_null(strstr(err.message, "cannot be loaded"));
  bt_digest_library(words, sizeof words);
  assert_non_null(strstr(words, "missing"));
}

static void nothing_is_hashed_or_signed(void **state) {
  (void)state;
  char hex[BT_SHA256_HEX] = "x";
  struct bt_str payload, name;
  const struct bt_key key = {.bytes = "k", .length = 1};
  assert_int_equal(bt_capture_hash("a", 1, hex, NULL), BT_IO);
  assert_string_equal(hex, "");
  bt_str_init(&payload, 16);
  bt_str_puts(&payload, "{}");
  assert_false(bt_sign_hex(key, &payload, hex));
  assert_string_equal(hex, "");
  assert_false(bt_sign_matches(key, &payload, ""));
  assert_false(bt_sign_matches(key, &payload, "00"));
  bt_str_init(&name, 256);
  bt_ticket_file_name(&name, "T-1");
  assert_true(name.failed);
  bt_str_dispose(&name);
  bt_str_dispose(&payload);
}

static void what_needs_no_library_works(void **state) {
  (void)state;
  char secret[] = "secret", uuid[37];
  bt_wipe(secret, sizeof secret);
  for (size_t i = 0; i < sizeof secret; i++)
    assert_int_equal(secret[i], 0);
  bt_wipe(NULL, 4);
  assert_int_equal(bt_random_uuid(uuid, NULL), BT_OK);
  assert_int_equal(strlen(uuid), 36);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_refused_in_words),
      cmocka_unit_test(nothing_is_hashed_or_signed),
      cmocka_unit_test(what_needs_no_library_works),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
