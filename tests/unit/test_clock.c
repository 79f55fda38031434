/* tests/unit/test_clock.c - time stamps, dates as programs write them, ages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/clock.h"

struct row {
  const char *text, *iso; /* NULL: no time */
};

static void expect(bool (*parse)(const char *, size_t, int64_t *), const struct row *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    int64_t time_ms = 0;
    char iso[BT_ISO_MS];
    bool found = parse(rows[i].text, strlen(rows[i].text), &time_ms);
    if (found != (rows[i].iso != NULL)) {
      fail_msg("%s %s", rows[i].text, found ? "was taken for a time" : "was not taken for a time");
    }
    if (found) {
      bt_time_iso(iso, time_ms);
      assert_string_equal(iso, rows[i].iso);
    }
  }
}

static void set_zone(const char *zone) {
  setenv("TZ", zone, 1);
  tzset();
}

static void stamps_have_three_digits_and_z(void **state) {
  (void)state;
  const struct {
    int64_t time_ms;
    const char *iso;
  } rows[] = {
      {0, "1970-01-01T00:00:00.000Z"},
      {INT64_C(1796045792199), "2026-11-30T13:36:32.199Z"},
      {-1, "1969-12-31T23:59:59.999Z"},
      {INT64_C(951782400000), "2000-02-29T00:00:00.000Z"},
      {INT64_C(253402300799999), "9999-12-31T23:59:59.999Z"},
      {INT64_C(253402300800000), "+010000-01-01T00:00:00.000Z"},
      {INT64_C(-62167219200000), "0000-01-01T00:00:00.000Z"},
      {INT64_C(-62167219200001), "-000001-12-31T23:59:59.999Z"},
      {INT64_C(8640000000000000), "+275760-09-13T00:00:00.000Z"},
      {INT64_C(8640000000000001), "unknown"},
      {BT_TIME_UNKNOWN, "unknown"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char iso[BT_ISO_MS];
    bt_time_iso(iso, rows[i].time_ms);
    assert_string_equal(iso, rows[i].iso);
  }
}

static void iso_forms_are_dates(void **state) {
  (void)state;
  static const struct row rows[] = {
      {"2026", "2026-01-01T00:00:00.000Z"},
      {"2026-11", "2026-11-01T00:00:00.000Z"},
      {"2026-11-30", "2026-11-30T00:00:00.000Z"},
      {"2026-11-30T13:36:32.199Z", "2026-11-30T13:36:32.199Z"},
      {"2026-11-30T13:36Z", "2026-11-30T13:36:00.000Z"},
      {"2026-11-30T13:36:32Z", "2026-11-30T13:36:32.000Z"},
      {"2026-11-30T13:36:32.1Z", "2026-11-30T13:36:32.100Z"},
      {"2026-11-30T13:36:32.1239999999999Z", "2026-11-30T13:36:32.123Z"},
      {"2026-11-30T13:36:32+02:00", "2026-11-30T11:36:32.000Z"},
      {"2026-11-30T13:36:32-0530", "2026-11-30T19:06:32.000Z"},
      {"2026-11-30T24:00:00Z", "2026-12-01T00:00:00.000Z"},
      {"2026-02-30T00:00:00Z", "2026-03-02T00:00:00.000Z"},
      {"2026-04-31", "2026-05-01T00:00:00.000Z"},
      {"2026-11-30t13:36:32z", "2026-11-30T13:36:32.000Z"},
      {"2026-11-30 13:36:32Z", "2026-11-30T13:36:32.000Z"},
      {"+002026-11-30", "2026-11-30T00:00:00.000Z"},
      {"-000001-01-01T00:00:00Z", "-000001-01-01T00:00:00.000Z"},
      {"+275760-09-13T00:00:00Z", "+275760-09-13T00:00:00.000Z"},
      {"+275760-09-13T00:00:00.001Z", NULL},
      {"-000000-01-01", NULL},
      {"2026-02-32", NULL},
      {"2026-00-10", NULL},
      {"2026-13-01", NULL},
      {"2026-11-30T", NULL},
      {"2026-11-30T13", NULL},
      {"2026-11-30T24:00:00.001Z", NULL},
      {"2026-11-30T24:01Z", NULL},
      {"2026-11-30T25:00Z", NULL},
      {"2026-11-30T00:60Z", NULL},
      {"2026-11-30T00:00:60Z", NULL},
      {"2026-11-30T00:00:00.Z", NULL},
      {"2026-11-30T00:00:00,5Z", NULL},
      {"2026-11-30T00:00:00+24:00", NULL},
      {"2026-11-30T00:00:00+12:60", NULL},
      {"2026-11-30T00:00:00+02", NULL},
      {" 2026-11-30", NULL},
      {"2026-11-30T00:00:00Z ", NULL},
      {"2026-11-30T00:00:00Zx", NULL},
      {"20261130", NULL},
      {"yesterday", NULL},
      {"-", NULL},
      {"", NULL},
  };
  set_zone("UTC");
  expect(bt_time_parse, rows, sizeof rows / sizeof *rows);
  int64_t time_ms;
  assert_false(bt_time_parse(NULL, 0, &time_ms));
  assert_false(bt_time_parse("2026\0", 5, &time_ms));
  assert_true(bt_time_parse("2026-01-01xyz", 10, &time_ms)); /* the length counts, not a NUL */
}

static void a_time_without_offset_is_local(void **state) {
  (void)state;
  static const struct row rows[] = {
      {"2026-01-01T00:00", "2026-01-01T05:00:00.000Z"},
      {"2026-07-01T00:00:00.25", "2026-07-01T04:00:00.250Z"}, /* summer time */
      {"2026-01-01", "2026-01-01T00:00:00.000Z"},             /* a date alone is not */
      {"2026-02-30T00:00", "2026-03-02T05:00:00.000Z"},
      {"1900-01-01T00:00:00", "1900-01-01T05:00:00.000Z"},
  };
  set_zone("EST5EDT,M3.2.0,M11.1.0");
  expect(bt_time_parse, rows, 4);
  set_zone("EST5");
  expect(bt_time_parse, rows + 4, 1);
  set_zone("UTC");
}

static void transcripts_have_their_own_rule(void **state) {
  (void)state;
  static const struct row rows[] = {
      {"2026-11-30T13:36:32.199Z", "2026-11-30T13:36:32.199Z"},
      {"2026-11-30T13:36", "2026-11-30T13:36:00.000Z"}, /* no zone: UTC */
      {"2026-11-30T13:36:32.1999+0200", "2026-11-30T11:36:32.199Z"},
      {"2026-11-30", "2026-11-30T00:00:00.000Z"},
      {"2024-02-29", "2024-02-29T00:00:00.000Z"},
      {"2026-02-29", NULL},
      {"2026-04-31T00:00:00Z", NULL},
      {"2026-11", NULL},
      {"2026", NULL},
      {"+002026-11-30", NULL},
      {"2026-11-30 13:36", NULL},
      {"2026-11-30T24:00:00Z", "2026-12-01T00:00:00.000Z"}, /* as the gate's hosts read it */
      {"2026-11-30T24:00:01Z", NULL},
      {"2026-11-30t13:36:32Z", NULL},
      {"2026-11-30T13:36:32z", NULL},
      {"2026-11-30z", NULL},
      {"", NULL},
  };
  set_zone("EST5");
  expect(bt_time_parse_utc, rows, sizeof rows / sizeof *rows);
  set_zone("UTC");
}

static void ages_are_short(void **state) {
  (void)state;
  /* clang-format off */
  const struct {
    int64_t age_ms;
    const char *text;
  } rows[] = {
      {0, "0s"}, {999, "0s"}, {30000, "30s"}, {59999, "59s"}, {60000, "1m"}, {3599999, "59m"}, {3600000, "1h"},
      {86399999, "23h"}, {86400000, "1d"}, {INT64_C(86400000) * 800, "800d"}, {-5000, "0s"}, {BT_TIME_UNKNOWN, "?"},
      {INT64_MAX, "106751991167d"},
  };
  /* clang-format on */
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[16];
    bt_age_short(text, rows[i].age_ms);
    assert_string_equal(text, rows[i].text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stamps_have_three_digits_and_z),
      cmocka_unit_test(iso_forms_are_dates),
      cmocka_unit_test(a_time_without_offset_is_local),
      cmocka_unit_test(transcripts_have_their_own_rule),
      cmocka_unit_test(ages_are_short),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
