/* core/harness/depth.c - two scans in one pass over the window.
 *
 * Candidates are rare: a quote followed by `t`, or a line end followed by a letter that a tool log begins with. Whole
 * blocks without one are stepped over; every candidate is then judged exactly. A judgement that ran into the end of the
 * bytes is marked as cut: more bytes could change it. */
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
  bool cut; /* the judgement under way has met the end */
};

/* Length of the W character at `at`, 0 when it is none. Bad bytes are U+FFFD, which is not in W. */
static size_t space_at(struct window *w, size_t at) {
  if (at >= w->length) {
    w->cut = true;
    return 0;
  }
  unsigned char c = (unsigned char)w->bytes[at];
  if (c < 0x80)
    return c == ' ' || (c >= 9 && c <= 13) ? 1 : 0;
  w->cut |= w->length - at < 3; /* the longest members of W take three bytes */
  size_t next = at;
  uint32_t code_point = bt_utf8_next(w->bytes, w->length, &next);
  return code_point != 0xFFFD && bt_is_w(code_point) ? next - at : 0;
}

static size_t skip_spaces(struct window *w, size_t at) {
  for (size_t n; (n = space_at(w, at)) > 0;)
    at += n;
  return at;
}

static bool has(struct window *w, size_t at, const char *text) {
  size_t length = strlen(text), there = at < w->length ? w->length - at : 0;
  if (memcmp(w->bytes + (there ? at : 0), text, there < length ? there : length) != 0)
    return false;
  w->cut |= there < length;
  return there >= length;
}

/* End of a count-A match that begins at the quote at `at`, or 0. */
static size_t match_call(struct window *w, size_t at) {
  static const char *const words[] = {"\"tool_use\"",        "\"function_call\"",    "\"custom_tool_call\"",
                                      "\"web_search_call\"", "\"tool_search_call\"", "\"image_generation_call\""};
  if (!has(w, at, "\"type\""))
    return 0;
  at = skip_spaces(w, at + 6);
  if (!has(w, at, ":"))
    return 0;
  at = skip_spaces(w, at + 1);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (has(w, at, words[i]))
      return at + strlen(words[i]);
  return 0;
}

static bool has_word(struct window *w, size_t at, const char *lower) {
  for (size_t i = 0; lower[i]; i++) {
    if (at + i >= w->length) {
      w->cut = true;
      return false;
    }
    if ((w->bytes[at + i] | 0x20) != lower[i])
      return false;
  }
  return true;
}

/* End of a count-B match that begins at `at` (a line start), or 0. */
static size_t match_log(struct window *w, size_t at) {
  if (!has_word(w, at, "writing") && !has_word(w, at, "editing") && !has_word(w, at, "created"))
    return 0;
  size_t spaces = at + 7, word = skip_spaces(w, spaces), end = word;
  if (word == spaces)
    return 0;
  while (end < w->length && space_at(w, end) == 0)
    end++;
  w->cut |= end == w->length;
  return end > word ? end : 0;
}

/* Whether the byte at `at` completes a line end: LF, CR, U+2028 or U+2029. */
static bool ends_line(const struct window *w, size_t at) {
  unsigned char c = (unsigned char)w->bytes[at];
  if (c == '\n' || c == '\r')
    return true;
  return at >= 2 && (c == 0xA8 || c == 0xA9) && (unsigned char)w->bytes[at - 1] == 0x80 &&
         (unsigned char)w->bytes[at - 2] == 0xE2;
}

/* Where the next candidate of either kind is: a `"t`, or a byte that can end a line. */
static size_t next_candidate(const struct window *w, size_t at) {
#ifdef __SSE2__
  const __m128i quote = _mm_set1_epi8('"'), letter = _mm_set1_epi8('t'), lf = _mm_set1_epi8('\n'),
                cr = _mm_set1_epi8('\r'), ls = _mm_set1_epi8((char)0xA8), ps = _mm_set1_epi8((char)0xA9);
  while (w->length - at >= 17) {
    __m128i here = _mm_loadu_si128((const __m128i *)(const void *)(w->bytes + at));
    __m128i after = _mm_loadu_si128((const __m128i *)(const void *)(w->bytes + at + 1));
    __m128i call = _mm_and_si128(_mm_cmpeq_epi8(here, quote), _mm_cmpeq_epi8(after, letter));
    __m128i line = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(here, lf), _mm_cmpeq_epi8(here, cr)),
                                _mm_or_si128(_mm_cmpeq_epi8(here, ls), _mm_cmpeq_epi8(here, ps)));
    int mask = _mm_movemask_epi8(_mm_or_si128(call, line));
    if (mask)
      return at + (size_t)__builtin_ctz((unsigned)mask);
    at += 16;
  }
#endif
  for (; at < w->length; at++) {
    unsigned char c = (unsigned char)w->bytes[at];
    if (c == '"' || c == '\n' || c == '\r' || c == 0xA8 || c == 0xA9)
      return at;
  }
  return at;
}

/* Judges the candidate at `at` (offset `base + at` of the whole) and moves `scan` past it. */
static void judge(struct bt_depth_scan *scan, struct window *w, uint64_t base, size_t at, bool at_start) {
  w->cut = false;
  if (at_start || w->bytes[at] != '"') {
    size_t line = at_start ? at : at + 1;
    size_t end = base + line >= scan->logs_from && (at_start || ends_line(w, at)) ? match_log(w, line) : 0;
    if (end) {
      scan->count++;
      scan->logs_from = base + end;
    }
  } else if (base + at >= scan->calls_from) {
    size_t end = match_call(w, at);
    if (end) {
      scan->count++;
      scan->calls_from = base + end;
    }
  }
}

uint64_t bt_depth_scan_needs(const struct bt_depth_scan *scan) {
  return scan->at >= 3 ? scan->at - 3 : 0; /* `at` is one past the candidate, and a line end may take three bytes */
}

/* Byte 0 is both a line start and, perhaps, a candidate of its own: `at` counts it as two steps, 0 and 1. */
int64_t bt_depth_scan_feed(struct bt_depth_scan *scan, uint64_t from, const char *bytes, size_t length) {
  struct window w = {bytes, length, false};
  struct bt_depth_scan run = *scan;
  bool decided = true;
  if (length == 0)
    return scan->count;
  for (uint64_t step = run.at;;) {
    bool at_start = step == 0;
    size_t at = at_start ? 0 : next_candidate(&w, (size_t)(step - 1 - from));
    if (at >= length)
      break;
    judge(&run, &w, from, at, at_start);
    step = at_start ? 1 : from + at + 2;
    if (decided && w.cut) {
      decided = false;
    } else if (decided) {
      run.at = step;
      *scan = run;
    }
  }
  if (decided) {
    run.at = from + length + 1;
    *scan = run;
  }
  return run.count;
}
