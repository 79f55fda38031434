/* core/records/loops.c - see loops.h. The search runs over printed text: no turn is taken apart for it. */
#include "core/records/loops.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "core/base/utf8.h"
#include "core/records/printed.h"

/* Each with two neighbouring letters that are rare elsewhere: those are looked for. */
static const struct needle {
  const char *words;
  size_t length, rare;
} needles[] = {{"next step", 9, 2}, {"todo", 4, 1}, {"blocked", 7, 3}, {"open loop", 9, 6}, {"remaining work", 14, 3}};
enum { NEEDLES = sizeof needles / sizeof *needles };

static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool stands_at(const char *at, const struct needle *needle) {
  for (size_t i = 0; i < needle->length; i++) {
    if (lower(at[i]) != needle->words[i])
      return false;
  }
  return true;
}

/* Whether the byte at `at` is the letter of an escape: an odd row of backslashes stands before it. */
static bool is_escaped(struct bt_slice text, size_t at) {
  size_t row = 0;
  while (row < at && text.data[at - row - 1] == '\\')
    row++;
  return row % 2 == 1;
}

/* Whether the byte at `at` is the last digit of a \\u escape (\\u000b before "locked" is no "blocked"). */
static bool is_last_digit(struct bt_slice text, size_t at) {
  return at >= 5 && text.data[at - 5] == '\\' && text.data[at - 4] == 'u' && !is_escaped(text, at - 5);
}

/* A needle whose rare letters are at `rare_at`; gives where it starts. */
static bool needle_around(struct bt_slice text, size_t rare_at, size_t *start) {
  for (size_t n = 0; n < NEEDLES; n++) {
    const struct needle *needle = &needles[n];
    if (rare_at < needle->rare || text.length - (rare_at - needle->rare) < needle->length)
      continue;
    *start = rare_at - needle->rare;
    if (stands_at(text.data + *start, needle) && !is_escaped(text, *start) && !is_last_digit(text, *start))
      return true;
  }
  return false;
}

#ifdef __SSE2__
/* Which of the 16 positions from `at` on hold two rare letters. Needs 17 readable bytes. */
static unsigned rare_mask(const char *at) {
  const __m128i fold = _mm_set1_epi8(0x20);
  __m128i here = _mm_or_si128(_mm_loadu_si128((const __m128i *)(const void *)at), fold);
  __m128i next = _mm_or_si128(_mm_loadu_si128((const __m128i *)(const void *)(at + 1)), fold);
  __m128i hit = _mm_setzero_si128();
  for (int n = 0; n < NEEDLES; n++) {
    const char *rare = needles[n].words + needles[n].rare;
    hit = _mm_or_si128(
        hit, _mm_and_si128(_mm_cmpeq_epi8(here, _mm_set1_epi8(rare[0])), _mm_cmpeq_epi8(next, _mm_set1_epi8(rare[1]))));
  }
  return (unsigned)_mm_movemask_epi8(hit);
}
#endif

/* The first needle whose rare letters stand at or after `from`; false when there is none. */
static bool find(struct bt_slice text, size_t from, size_t *start) {
  size_t at = from;
#ifdef __SSE2__
  for (; at + 17 <= text.length; at += 16) {
    for (unsigned mask = rare_mask(text.data + at); mask != 0; mask &= mask - 1) {
      if (needle_around(text, at + (size_t)__builtin_ctz(mask), start))
        return true;
    }
  }
#endif
  for (; at < text.length; at++) {
    if (needle_around(text, at, start))
      return true;
  }
  return false;
}

static bool is_line_end(struct bt_slice text, size_t at) {
  return text.data[at] == '\\' && at + 1 < text.length && text.data[at + 1] == 'n' && !is_escaped(text, at);
}

/* The line (between \n escapes) that holds the byte at `at`. */
static struct bt_slice line_around(struct bt_slice text, size_t at, size_t *next) {
  size_t start = at, end = at;
  while (start > 0 && !(start >= 2 && is_line_end(text, start - 2)))
    start--;
  while (end < text.length && !is_line_end(text, end))
    end++;
  *next = end;
  return (struct bt_slice){text.data + start, end - start};
}

static bool keep(struct bt_loops *loops, struct bt_slice printed) {
  struct bt_str line;
  bt_str_init(&line, printed.length + 1);
  bt_printed_text(&line, printed);
  struct bt_slice trimmed = bt_trim_w(line.data, line.length);
  char *copy = line.failed ? NULL : strndup(trimmed.data, trimmed.length);
  bt_str_dispose(&line);
  if (copy == NULL)
    return false;
  for (size_t i = 0; i < loops->count; i++) {
    if (strcmp(loops->lines[i], copy) == 0) {
      free(copy);
      return true;
    }
  }
  loops->lines[loops->count++] = copy;
  return true;
}

void bt_loops_init(struct bt_loops *loops) {
  *loops = (struct bt_loops){0};
}

void bt_loops_dispose(struct bt_loops *loops) {
  for (size_t i = 0; i < loops->count; i++)
    free(loops->lines[i]);
  bt_loops_init(loops);
}

bool bt_loops_add(struct bt_loops *loops, struct bt_slice printed) {
  size_t from = 0, start;
  while (loops->count < BT_LOOPS_MAX && find(printed, from, &start)) {
    struct bt_slice line = line_around(printed, start, &from);
    if (!keep(loops, line))
      return false;
  }
  return true;
}
