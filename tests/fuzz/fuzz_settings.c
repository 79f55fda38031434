/* tests/fuzz/fuzz_settings.c - any bytes as a harness's settings: what baton writes into them is JSON, is found again, is put
 * in once, and leaves no trace when it is taken out. */
#include <string.h>

#include "core/base/json.h"
#include "core/hook/settings.h"
#include "tests/fuzz/fuzz.h"

static struct bt_json *parse(const struct bt_str *text) {
  struct bt_json *json = bt_json_parse(text->data, text->length, NULL);
  FUZZ_CHECK(json != NULL);
  return json;
}

static void check_install(const struct bt_str *text, const struct bt_wiring_entry *entries) {
  struct bt_str wired, again, plain;
  bool changed;
  bt_str_init(&wired, 2 * BT_SETTINGS_MAX);
  bt_str_init(&again, 2 * BT_SETTINGS_MAX);
  bt_str_init(&plain, 2 * BT_SETTINGS_MAX);
  if (bt_settings_install(text, entries, &wired, &changed, NULL) == BT_OK) {
    bt_json_free(parse(&wired));
    FUZZ_CHECK(bt_settings_install(&wired, entries, &again, &changed, NULL) == BT_OK && !changed);
    FUZZ_CHECK(bt_settings_remove(&wired, entries, &plain, &changed, NULL) == BT_OK && changed);
    bt_json_free(parse(&plain));
    struct bt_wired_at at;
    struct bt_tape tape;
    bt_tape_init(&tape);
    FUZZ_CHECK(bt_tape_parse(&tape, plain.data, plain.length) == BT_OK);
    FUZZ_CHECK(!bt_wiring_find(&tape, &entries[0], &at) && !bt_wiring_find(&tape, &entries[1], &at));
    bt_tape_dispose(&tape);
  }
  bt_str_dispose(&wired);
  bt_str_dispose(&again);
  bt_str_dispose(&plain);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct bt_wiring_entry entries[BT_WIRING_ENTRIES];
  struct bt_str text;
  if (size > 65536)
    return 0;
  bt_wiring_entries(entries, BT_HOOK_CLAUDE, "/usr/bin/baton");
  bt_str_init(&text, BT_SETTINGS_MAX);
  bt_str_append(&text, data, size);
  check_install(&text, entries);
  bt_str_dispose(&text);
  bt_wiring_entries_dispose(entries);
  return 0;
}
