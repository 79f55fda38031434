/* tests/fuzz/fuzz_policy.c - any bytes as a policy file: on only where one plain line says so, and nothing that is added
 * in a way of YAML that is not read turns it on. */
#include <string.h>

#include "core/base/str.h"
#include "core/handover/policy.h"
#include "tests/fuzz/fuzz.h"

static bool holds(const uint8_t *data, size_t size, const char *word) {
  size_t length = strlen(word);
  for (size_t at = 0; at + length <= size; at++)
    if (memcmp(data + at, word, length) == 0)
      return true;
  return false;
}

/* What comes behind a file that can be read to its end does not turn it on, and cannot make two of a key one. */
static void check_behind(const uint8_t *data, size_t size, const struct bt_policy *policy) {
  static const char *const tails[] = {"\n---\n", "\nsession: {handover_on_fill: true}\n",
                                      "\nsession:\n  handover_on_fill: \"true\"\n"};
  for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
    struct bt_str text;
    bt_str_init(&text, size + 128);
    bt_str_append(&text, (const char *)data, size);
    bt_str_puts(&text, tails[i]);
    struct bt_policy longer = bt_policy_read(text.data, text.length);
    FUZZ_CHECK(policy->on || !longer.on);
    bt_str_dispose(&text);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 65536)
    return 0;
  struct bt_policy policy = bt_policy_read((const char *)data, size);
  FUZZ_CHECK(policy.reason != NULL);
  FUZZ_CHECK(policy.on == (strcmp(policy.reason, "policy:true") == 0));
  if (policy.on)
    FUZZ_CHECK(holds(data, size, "session") && holds(data, size, "handover_on_fill") && holds(data, size, "true"));
  check_behind(data, size, &policy);
  return 0;
}
