/* tests/unit/test_digest.c - known answers (FIPS 180-4, RFC 4231), comparisons, random text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "core/base/digest.h"

static void sha256_gives_known_answers(void **state) {
  (void)state;
  char hex[BT_SHA256_HEX];
  bt_sha256_hex("", 0, hex);
  assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  bt_sha256_hex("abc", 3, hex);
  assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  struct bt_sha256 *hash = bt_sha256_new();
  assert_non_null(hash);
  for (int round = 0; round < 2; round++) { /* finishing starts it anew */
    for (int i = 0; i < 1000000; i += 1000) {
      char block[1000];
      memset(block, 'a', sizeof block);
      bt_sha256_update(hash, block, sizeof block);
    }
    bt_sha256_finish_hex(hash, hex);
    assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  }
  bt_sha256_free(hash);
  bt_sha256_free(NULL);
}

static void hmac_gives_known_answers(void **state) {
  (void)state;
  char hex[BT_SHA256_HEX];
  unsigned char key[131], data[50];
  memset(key, 0x0b, 20);
  bt_hmac_sha256_hex(key, 20, "Hi There", 8, hex);
  assert_string_equal(hex, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  bt_hmac_sha256_hex("Jefe", 4, "what do ya want for nothing?", 28, hex);
  assert_string_equal(hex, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  memset(key, 0xaa, sizeof key);
  memset(data, 0xdd, sizeof data);
  bt_hmac_sha256_hex(key, 20, data, sizeof data, hex);
  assert_string_equal(hex, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
  bt_hmac_sha256_hex(key, sizeof key, "Test Using Larger Than Block-Size Key - Hash Key First", 54, hex);
  assert_string_equal(hex, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  bt_hmac_sha256_hex("", 0, "", 0, hex);
  assert_string_equal(hex, "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

static void secrets_are_compared_whole(void **state) {
  (void)state;
  assert_true(bt_bytes_equal_secret("abc", 3, "abc", 3));
  assert_false(bt_bytes_equal_secret("abc", 3, "abd", 3));
  assert_false(bt_bytes_equal_secret("abc", 3, "ab", 2));
  assert_true(bt_bytes_equal_secret("", 0, NULL, 0));
}

static void random_text_has_its_shape(void **state) {
  (void)state;
  char hex[2 * 40 + 1], other[2 * 40 + 1], uuid[37];
  assert_int_equal(bt_random_hex(hex, 40, NULL), BT_OK);
  assert_int_equal(bt_random_hex(other, 40, NULL), BT_OK);
  assert_int_equal(strlen(hex), 80);
  assert_int_equal(strspn(hex, "0123456789abcdef"), 80);
  assert_string_not_equal(hex, other);
  assert_int_equal(bt_random_uuid(uuid, NULL), BT_OK);
  assert_int_equal(strlen(uuid), 36);
  for (size_t i = 0; i < 36; i++) {
    bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    assert_true(dash ? uuid[i] == '-' : strchr("0123456789abcdef", uuid[i]) != NULL);
  }
  assert_int_equal(uuid[14], '4');
  assert_non_null(strchr("89ab", uuid[19]));
}

static void wiping_leaves_zeros(void **state) {
  (void)state;
  char key[4] = "key";
  bt_wipe(key, sizeof key);
  assert_memory_equal(key, "\0\0\0\0", 4);
  bt_wipe(NULL, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sha256_gives_known_answers), cmocka_unit_test(hmac_gives_known_answers),
      cmocka_unit_test(secrets_are_compared_whole), cmocka_unit_test(random_text_has_its_shape),
      cmocka_unit_test(wiping_leaves_zeros),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
