/* core/harness/depth.c - two scans in one pass over the window.
 *
 * Candidates are rare: a quote followed by `t`, or a line end followed by a letter that a tool log begins with. Whole
 * blocks without one are stepped over; every candidate is then judged exactly. */
#include "core/harness/depth.h"

#include <stdbool.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "core/base/utf8.h"

struct window {
  const char *bytes;
  size_t length;
};

/* Length of the W character at `at`, 0 when it is none. Bad bytes are U+FFFD, which is not in W. */
static size_t space_at(struct window w, size_t at) {
  if (at >= w.length)
    return 0;
  unsigned char c = (unsigned char)w.bytes[at];
  if (c < 0x80)
    return c == ' ' || (c >= 9 && c <= 13) ? 1 : 0;
  size_t next = at;
  uint32_t code_point = bt_utf8_next(w.bytes, w.length, &next);
  return code_point != 0xFFFD && bt_is_w(code_point) ? next - at : 0;
}

static size_t skip_spaces(struct window w, size_t at) {
  for (size_t n; (n = space_at(w, at)) > 0;)
    at += n;
  return at;
}

static bool has(struct window w, size_t at, const char *text, size_t length) {
  return w.length - at >= length && memcmp(w.bytes + at, text, length) == 0;
}

/* End of a count-A match that begins at the quote at `at`, or 0. */
static size_t match_call(struct window w, size_t at) {
  static const char *const words[] = {"\"tool_use\"",        "\"function_call\"",    "\"custom_tool_call\"",
                                      "\"web_search_call\"", "\"tool_search_call\"", "\"image_generation_call\""};
  if (!has(w, at, "\"type\"", 6))
    return 0;
  at = skip_spaces(w, at + 6);
  if (at >= w.length || w.bytes[at] != ':')
    return 0;
  at = skip_spaces(w, at + 1);
  for (size_t i = 0; at < w.length && i < sizeof words / sizeof *words; i++) {
    size_t length = strlen(words[i]);
    if (has(w, at, words[i], length))
      return at + length;
  }
  return 0;
}

static bool has_word(struct window w, size_t at, const char *lower) {
  size_t length = strlen(lower);
  if (w.length - at < length)
    return false;
  for (size_t i = 0; i < length; i++)
    if ((w.bytes[at + i] | 0x20) != lower[i])
      return false;
  return true;
}

/* End of a count-B match that begins at `at` (a line start), or 0. */
static size_t match_log(struct window w, size_t at) {
  if (at >= w.length || !(has_word(w, at, "writing") || has_word(w, at, "editing") || has_word(w, at, "created")))
    return 0;
  size_t spaces = at + 7, word = skip_spaces(w, spaces);
  if (word == spaces || word >= w.length)
    return 0;
  while (word < w.length && space_at(w, word) == 0)
    word++;
  return word;
}

/* Whether the bytes up to `at` end a line: LF, CR, U+2028 or U+2029. */
static bool is_line_start(struct window w, size_t at) {
  if (at == 0)
    return true;
  unsigned char c = (unsigned char)w.bytes[at - 1];
  if (c == '\n' || c == '\r')
    return true;
  return at >= 3 && (c == 0xA8 || c == 0xA9) && (unsigned char)w.bytes[at - 2] == 0x80 && (unsigned char)w.bytes[at - 3] == 0xE2;
}

/* Where the next candidate of either kind is: a `"t`, or a byte that can end a line. */
static size_t next_candidate(struct window w, size_t at) {
#ifdef __SSE2__
  const __m128i quote = _mm_set1_epi8('"'), letter = _mm_set1_epi8('t'), lf = _mm_set1_epi8('\n'), cr = _mm_set1_epi8('\r'),
                ls = _mm_set1_epi8((char)0xA8), ps = _mm_set1_epi8((char)0xA9);
  while (w.length - at >= 17) {
    __m128i here = _mm_loadu_si128((const __m128i *)(const void *)(w.bytes + at));
    __m128i after = _mm_loadu_si128((const __m128i *)(const void *)(w.bytes + at + 1));
    __m128i call = _mm_and_si128(_mm_cmpeq_epi8(here, quote), _mm_cmpeq_epi8(after, letter));
    __m128i line = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(here, lf), _mm_cmpeq_epi8(here, cr)),
                                _mm_or_si128(_mm_cmpeq_epi8(here, ls), _mm_cmpeq_epi8(here, ps)));
    int mask = _mm_movemask_epi8(_mm_or_si128(call, line));
    if (mask)
      return at + (size_t)__builtin_ctz((unsigned)mask);
    at += 16;
  }
#endif
  for (; at < w.length; at++) {
    unsigned char c = (unsigned char)w.bytes[at];
    if (c == '"' || c == '\n' || c == '\r' || c == 0xA8 || c == 0xA9)
      return at;
  }
  return at;
}

int64_t bt_depth_count(const char *bytes, size_t length) {
  struct window w = {bytes, length};
  int64_t count = 0;
  /* The two counts are separate searches: a match of one does not use up bytes of the other. */
  size_t calls_from = 0, logs_from = match_log(w, 0);
  if (logs_from)
    count++;
  for (size_t at = 0; (at = next_candidate(w, at)) < length; at++) {
    size_t end;
    if (bytes[at] == '"') {
      if (at >= calls_from && (end = match_call(w, at)) > 0) {
        count++;
        calls_from = end;
      }
    } else if (at + 1 >= logs_from && is_line_start(w, at + 1) && (end = match_log(w, at + 1)) > 0) {
      count++;
      logs_from = end;
    }
  }
  return count;
}
