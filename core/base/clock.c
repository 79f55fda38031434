/* core/base/clock.c - times as text and text as times. */
#include "core/base/clock.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define MS_PER_SECOND ((int64_t)1000)
#define MS_PER_MINUTE (60 * MS_PER_SECOND)
#define MS_PER_HOUR (60 * MS_PER_MINUTE)
#define MS_PER_DAY (24 * MS_PER_HOUR)
#define TIME_MAX_MS ((int64_t)8640000000000000) /* the range of an ECMAScript Date, both ways */

/* Days since 1970-01-01 of a date of the proleptic Gregorian calendar; the day may be any number.
 * The year is counted from March, so that the leap day is the last. */
static int64_t days_of(int64_t year, int month, int day) {
  year -= month <= 2;
  int64_t era = (year >= 0 ? year : year - 399) / 400;
  int64_t year_of_era = year - era * 400;
  int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

static void date_of(int64_t days, int64_t *year, int *month, int *day) {
  days += 719468;
  int64_t era = (days >= 0 ? days : days - 146096) / 146097;
  int64_t day_of_era = days - era * 146097;
  int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  int64_t shifted = (5 * day_of_year + 2) / 153;
  *day = (int)(day_of_year - (153 * shifted + 2) / 5 + 1);
  *month = (int)(shifted < 10 ? shifted + 3 : shifted - 9);
  *year = year_of_era + era * 400 + (*month <= 2);
}

void bt_time_iso(char out[BT_ISO_MS], int64_t time_ms) {
  if (time_ms < -TIME_MAX_MS || time_ms > TIME_MAX_MS) {
    (void)snprintf(out, BT_ISO_MS, "unknown");
    return;
  }
  int64_t days = time_ms / MS_PER_DAY, rest = time_ms % MS_PER_DAY, year;
  int month, day;
  if (rest < 0) {
    rest += MS_PER_DAY;
    days--;
  }
  date_of(days, &year, &month, &day);
  /* The remainders tell the compiler what is true anyway: the text fits. */
  unsigned shown_year = (unsigned)(year < 0 ? -year : year) % 1000000u;
  bool plain = year >= 0 && year <= 9999;
  int used = snprintf(out, BT_ISO_MS, "%s%0*u", plain ? "" : year < 0 ? "-" : "+", plain ? 4 : 6, shown_year);
  (void)snprintf(out + used, BT_ISO_MS - (size_t)used, "-%02u-%02uT%02u:%02u:%02u.%03uZ", (unsigned)month % 100u,
                 (unsigned)day % 100u, (unsigned)(rest / MS_PER_HOUR) % 24u, (unsigned)(rest / MS_PER_MINUTE) % 60u,
                 (unsigned)(rest / MS_PER_SECOND) % 60u, (unsigned)rest % 1000u);
}

/* ------------------------------------------------------------- reading ------------------------ */

struct reader {
  const char *at, *end;
};

struct moment {
  int64_t year;
  int month, day, hour, minute, second, ms;
  int offset_minutes;
  bool has_time, has_offset;
};

static bool take(struct reader *reader, const char *any_of) {
  bool found = reader->at < reader->end && *reader->at != '\0' && strchr(any_of, *reader->at) != NULL;
  reader->at += found;
  return found;
}

/* Exactly `count` digits. */
static bool take_digits(struct reader *reader, int count, int *value) {
  *value = 0;
  if (reader->end - reader->at < count) {
    return false;
  }
  for (int i = 0; i < count; i++) {
    char byte = *reader->at++;
    if (byte < '0' || byte > '9') {
      return false;
    }
    *value = *value * 10 + (byte - '0');
  }
  return true;
}

/* YYYY, YYYY-MM or YYYY-MM-DD; the year may be a sign and six digits, but not -000000. */
static bool take_date(struct reader *reader, struct moment *moment) {
  bool negative = reader->at < reader->end && *reader->at == '-';
  int year;
  if (!take_digits(reader, take(reader, "+-") ? 6 : 4, &year) || (negative && year == 0)) {
    return false;
  }
  moment->year = negative ? -year : year;
  moment->month = moment->day = 1;
  if (take(reader, "-")) {
    if (!take_digits(reader, 2, &moment->month) || (take(reader, "-") && !take_digits(reader, 2, &moment->day))) {
      return false;
    }
  }
  return moment->month >= 1 && moment->month <= 12 && moment->day >= 1 && moment->day <= 31;
}

/* HH:MM, HH:MM:SS or HH:MM:SS.f…; 24:00:00 is the only time with the hour 24. */
static bool take_time(struct reader *reader, struct moment *moment) {
  moment->has_time = true;
  if (!take_digits(reader, 2, &moment->hour) || !take(reader, ":") || !take_digits(reader, 2, &moment->minute)) {
    return false;
  }
  if (take(reader, ":")) {
    if (!take_digits(reader, 2, &moment->second)) {
      return false;
    }
    if (take(reader, ".")) {
      int places = 0;
      for (; reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9'; places++, reader->at++) {
        if (places < 3) {
          moment->ms = moment->ms * 10 + (*reader->at - '0');
        }
      }
      if (places == 0) {
        return false;
      }
      for (; places < 3; places++) {
        moment->ms *= 10;
      }
    }
  }
  bool midnight = moment->minute == 0 && moment->second == 0 && moment->ms == 0;
  return moment->hour <= (midnight ? 24 : 23) && moment->minute <= 59 && moment->second <= 59;
}

/* Z or ±HH:MM or ±HHMM, or nothing. */
static bool take_offset(struct reader *reader, struct moment *moment) {
  int hours, minutes;
  bool negative = reader->at < reader->end && *reader->at == '-';
  if (take(reader, "Zz")) {
    moment->has_offset = true;
    return true;
  }
  if (!take(reader, "+-")) {
    return true;
  }
  if (!take_digits(reader, 2, &hours)) {
    return false;
  }
  (void)take(reader, ":");
  if (!take_digits(reader, 2, &minutes) || hours > 23 || minutes > 59) {
    return false;
  }
  moment->has_offset = true;
  moment->offset_minutes = (negative ? -1 : 1) * (hours * 60 + minutes);
  return true;
}

static bool read_moment(const char *text, size_t length, struct moment *moment) {
  struct reader reader = {text, text + length};
  *moment = (struct moment){0};
  if (text == NULL || !take_date(&reader, moment)) {
    return false;
  }
  if (take(&reader, "Tt ") && !take_time(&reader, moment)) {
    return false;
  }
  return take_offset(&reader, moment) && reader.at == reader.end;
}

static int64_t utc_ms(const struct moment *moment) {
  return days_of(moment->year, moment->month, moment->day) * MS_PER_DAY + moment->hour * MS_PER_HOUR +
         moment->minute * MS_PER_MINUTE + moment->second * MS_PER_SECOND + moment->ms -
         moment->offset_minutes * MS_PER_MINUTE;
}

static bool local_ms(const struct moment *moment, int64_t *time_ms) {
  struct tm local = {.tm_year = (int)(moment->year - 1900),
                     .tm_mon = moment->month - 1,
                     .tm_mday = moment->day,
                     .tm_hour = moment->hour,
                     .tm_min = moment->minute,
                     .tm_sec = moment->second,
                     .tm_wday = -1,
                     .tm_isdst = -1};
  time_t seconds = mktime(&local);
  if (local.tm_wday == -1) { /* untouched: mktime could not */
    return false;
  }
  *time_ms = (int64_t)seconds * MS_PER_SECOND + moment->ms;
  return true;
}

bool bt_time_parse(const char *text, size_t length, int64_t *time_ms) {
  struct moment moment;
  int64_t found;
  if (!read_moment(text, length, &moment)) {
    return false;
  }
  if (moment.has_time && !moment.has_offset) {
    if (!local_ms(&moment, &found)) {
      return false;
    }
  } else {
    found = utc_ms(&moment);
  }
  if (found < -TIME_MAX_MS || found > TIME_MAX_MS) {
    return false;
  }
  *time_ms = found;
  return true;
}

bool bt_time_parse_utc(const char *text, size_t length, int64_t *time_ms) {
  struct moment moment;
  bool full_date = length >= 10 && text != NULL && text[4] == '-' && text[7] == '-' && text[0] != '+' && text[0] != '-';
  bool letters = length <= 10 || (text[10] != ' ' && text[10] != 't' && text[length - 1] != 'z');
  if (!full_date || !letters || !read_moment(text, length, &moment)) {
    return false;
  }
  int64_t days = days_of(moment.year, moment.month, moment.day), year;
  int month, day;
  date_of(days, &year, &month, &day);
  if (month != moment.month) { /* the day rolled over: there is no such date */
    return false;
  }
  *time_ms = utc_ms(&moment);
  return true;
}

void bt_age_short(char out[16], int64_t age_ms) {
  int64_t amount = age_ms / MS_PER_SECOND;
  char unit = 's';
  if (age_ms == BT_TIME_UNKNOWN) {
    memcpy(out, "?", 2);
    return;
  }
  if (age_ms < 0) {
    amount = 0;
  } else if (age_ms >= MS_PER_DAY) {
    amount = age_ms / MS_PER_DAY;
    unit = 'd';
  } else if (age_ms >= MS_PER_HOUR) {
    amount = age_ms / MS_PER_HOUR;
    unit = 'h';
  } else if (age_ms >= MS_PER_MINUTE) {
    amount = age_ms / MS_PER_MINUTE;
    unit = 'm';
  }
  (void)snprintf(out, 16, "%lld%c", (long long)amount, unit);
}
