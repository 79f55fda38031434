/* tests/fuzz/fuzz_number.c - numbers and times: text that is one comes back as the same one. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/number.h"
#include "tests/fuzz/fuzz.h"

static void check_double(double value) {
  char text[BT_NUMBER_TEXT];
  size_t length = bt_double_to_text(text, value);
  FUZZ_CHECK(length < sizeof text && strlen(text) == length);
  double back = bt_text_to_number(text, length);
  FUZZ_CHECK(isnan(value) ? isnan(back) : back == value);
}

static void check_time(const char *text, size_t length) {
  int64_t time_ms, again;
  char iso[BT_ISO_MS], age[16];
  if (bt_time_parse(text, length, &time_ms)) {
    bt_time_iso(iso, time_ms);
    FUZZ_CHECK(bt_time_parse(iso, strlen(iso), &again) && again == time_ms);
    bt_age_short(age, time_ms);
    FUZZ_CHECK(strlen(age) < sizeof age);
  }
  if (bt_time_parse_utc(text, length, &time_ms)) {
    bt_time_iso(iso, time_ms);
    FUZZ_CHECK(bt_time_parse_utc(iso, strlen(iso), &again) ? again == time_ms : strlen(iso) != 24);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  double value;
  check_double(bt_text_to_number((const char *)data, size));
  if (size >= sizeof value) { /* the bits themselves, too */
    memcpy(&value, data, sizeof value);
    check_double(value);
  }
  check_time((const char *)data, size);
  return 0;
}
