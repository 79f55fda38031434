/* core/base/utf8.h - text as the ledger's other programs see it, and text as a terminal shows it.
 *
 * Internal text form ("text" in every header): UTF-8, in which a NUL of a JSON string is held as the
 * two bytes C0 80 and a lone surrogate half as its three bytes (ED A0..BF xx). So text is always
 * NUL-terminated and strlen() is its length, unless a function takes a slice.
 * Rules: spec/context-handoff.md section 0 (W, unit, decode8, encode8) and section 13.
 * Properties and clusters are core/base/utf8.c (the only user of utf8proc), bytes core/base/utf8_codec.c. */
#ifndef BATON_CORE_BASE_UTF8_H
#define BATON_CORE_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/str.h"

/* decode8: every maximal invalid subpart becomes U+FFFD; a BOM stays; a raw NUL byte becomes C0 80. */
void bt_utf8_decode8(struct bt_str *out, const void *bytes, size_t length);

/* True when the bytes are well-formed UTF-8 without a NUL: decode8 would change nothing. */
bool bt_utf8_is_plain(const void *bytes, size_t length);

/* encode8: internal text to real bytes: C0 80 becomes a NUL byte, a lone half becomes EF BF BD. */
void bt_utf8_encode8(struct bt_str *out, const char *text, size_t length);

/* Next code point of internal text (a lone half gives 0xD800..0xDFFF, C0 80 gives 0). `*at` advances by
 * at least one byte; a byte that fits nothing gives 0xFFFD and advances by one. Two halves that meet
 * (3 + 3 bytes) give the character they make. Requires *at < length. */
uint32_t bt_utf8_next(const char *text, size_t length, size_t *at);

/* Internal form of a code point (at most 0x10FFFF); gives the number of bytes, no NUL behind them. */
size_t bt_utf8_encode(uint32_t code_point, char out[4]);

/* Appends a code point in internal form (0 as C0 80, halves as three bytes). A low half behind a high
 * half that ends `out` makes the character they stand for. */
void bt_utf8_put(struct bt_str *out, uint32_t code_point);

/* Appends internal text; a low half at its start joins a high half at the end of `out`. */
void bt_utf8_append(struct bt_str *out, const char *text, size_t length);

/* Members of W, by code point. */
bool bt_is_w(uint32_t code_point);

/* Trims W at both ends; borrowed from `text`. */
struct bt_slice bt_trim_w(const char *text, size_t length);
bool bt_is_blank_w(const char *text, size_t length);

/* Length in UTF-16 code units of internal text. */
size_t bt_utf16_length(const char *text, size_t length);

/* Order by UTF-16 code units: <0, 0, >0. */
int bt_utf16_compare(const char *a, size_t a_length, const char *b, size_t b_length);

/* Canonical composition (folder names: spec/transcripts.md 1.1). */
void bt_utf8_nfc(struct bt_str *out, const char *text, size_t length);

/* Unicode lower case / NFKD of internal text (slugs: spec 9.4, 12.5). */
void bt_utf8_lower(struct bt_str *out, const char *text, size_t length);
void bt_utf8_nfkd(struct bt_str *out, const char *text, size_t length);

/* One grapheme cluster as a terminal may show it. `bytes` are safe to print: a control, an unassigned,
 * zero-width or bidirectional formatting character, an invalid byte, or a character on whose width
 * utf8proc and wcwidth disagree comes out as a visible escape (^[ , <202E>, <FF>), in ASCII. Up to four
 * combining marks ride on their base; a presentation selector behind a pictograph is taken in unseen. In a
 * locale without Unicode wcwidth has no say (and the caller passes ascii_only for such a terminal). */
struct bt_cluster {
  char bytes[64];  /* NUL-terminated */
  int columns;     /* cells it takes, >= 1 */
  size_t consumed; /* bytes of the source it stands for, >= 1 */
  bool escaped;    /* true where the source could not be shown as it is */
};

/* Next cluster of `text`; requires length > 0. `ascii_only` escapes everything beyond ASCII.
 * A tab is one escaped cluster; callers that lay out columns expand it themselves. */
void bt_cluster_next(struct bt_cluster *cluster, const char *text, size_t length, bool ascii_only);

/* Safe, one-line form of any text for messages, tables and logs. */
void bt_text_visible(struct bt_str *out, const char *text, size_t length);

/* Cells that the visible form takes. */
int bt_text_columns(const char *text, size_t length, bool ascii_only);

/* Name and version of the library behind this file. */
void bt_utf8_library(char *out, size_t size);

#endif
