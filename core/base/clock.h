/* core/base/clock.h - times as text and text as times. Never asks what time it is: the time is handed in.
 *
 * Times are int64_t milliseconds since 1970 UTC. Rules: spec/context-handoff.md 0 (ISO-ms), 13.7, 13.25. */
#ifndef BATON_CORE_BASE_CLOCK_H
#define BATON_CORE_BASE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BT_TIME_UNKNOWN INT64_MIN
#define BT_ISO_MS 32 /* room for an ISO-ms time stamp and its NUL */

/* ISO-ms; years beyond 0..9999 as a sign and six digits; "unknown" outside the range of a Date. */
void bt_time_iso(char out[BT_ISO_MS], int64_t time_ms);

/* ISO forms of ECMAScript's Date.parse; false for anything else. Local time where a time has no offset, by the
 * system's time zone (TZ, else /etc/localtime): the one thing that core asks the system about time; a date alone is UTC. As that runtime does, also a blank for the T, small t and z, and +HHMM are taken. */
bool bt_time_parse(const char *text, size_t length, int64_t *time_ms);

/* The time stamps of transcripts (spec/transcripts.md 2.2): whole date, UTC where no offset is given, capital
 * T and Z only, and a day that the month does not have is no time. 24:00:00 is one, as for the hosts. */
bool bt_time_parse_utc(const char *text, size_t length, int64_t *time_ms);

/* Short age for a table: "30s", "12m", "4h", "8d"; "?" for unknown; future times give "0s". */
void bt_age_short(char out[16], int64_t age_ms);

#endif
