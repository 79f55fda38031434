/* core/base/utf8.c - Unicode properties: case, decomposition, and what a terminal may be shown. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* wcwidth */
#endif
#include "core/base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>
#include <wchar.h>

enum { MARKS_MAX = 4 }; /* what one curses cell holds beside its base */

void bt_utf8_lower(struct bt_str *out, const char *text, size_t length) {
  size_t at = 0;
  while (at < length) {
    uint32_t code_point = bt_utf8_next(text, length, &at);
    if (code_point == 0x130) { /* the one character whose full lower case is longer: i + dot above */
      bt_utf8_put(out, 'i');
      bt_utf8_put(out, 0x307);
    } else {
      bt_utf8_put(out, (uint32_t)utf8proc_tolower((utf8proc_int32_t)code_point));
    }
  }
}

/* A run of combining marks that waits to be put into canonical order. */
struct mark {
  uint32_t code_point;
  unsigned class_;
  size_t index; /* keeps equal classes in their order: qsort alone is not stable */
};

static int compare_marks(const void *a, const void *b) {
  const struct mark *left = a, *right = b;
  if (left->class_ != right->class_) {
    return left->class_ < right->class_ ? -1 : 1;
  }
  return left->index < right->index ? -1 : left->index > right->index;
}

static void flush_marks(struct bt_str *out, struct bt_str *run) {
  if (run->failed) {
    out->failed = true;
    return;
  }
  size_t count = run->length / sizeof(struct mark);
  struct mark *marks = (struct mark *)(void *)run->data;
  if (count > 1) {
    qsort(marks, count, sizeof *marks, compare_marks);
  }
  for (size_t i = 0; i < count; i++) {
    bt_utf8_put(out, marks[i].code_point);
  }
  bt_str_truncate(run, 0);
}

void bt_utf8_nfc(struct bt_str *out, const char *text, size_t length) {
  utf8proc_uint8_t *composed = NULL;
  utf8proc_ssize_t bytes = utf8proc_map((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)length, &composed,
                                        UTF8PROC_STABLE | UTF8PROC_COMPOSE);
  if (bytes >= 0)
    bt_str_append(out, composed, (size_t)bytes);
  else /* halves and NULs of the internal form: nothing that could be composed */
    bt_str_append(out, text, length);
  free(composed);
}

void bt_utf8_nfkd(struct bt_str *out, const char *text, size_t length) {
  struct bt_str run;
  bt_str_init(&run, (length + 32) * sizeof(struct mark));
  size_t at = 0;
  while (at < length && !out->failed) {
    utf8proc_int32_t parts[32] = {(utf8proc_int32_t)bt_utf8_next(text, length, &at)};
    utf8proc_ssize_t count = 1;
    if (parts[0] < 0xD800 || parts[0] > 0xDFFF) {
      int last_class = 0;
      count = utf8proc_decompose_char(parts[0], parts, 32, UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT, &last_class);
    }
    for (utf8proc_ssize_t i = 0; i < count && i < 32; i++) {
      unsigned class_ = (unsigned)utf8proc_get_property(parts[i])->combining_class;
      if (class_ == 0) {
        flush_marks(out, &run);
        bt_utf8_put(out, (uint32_t)parts[i]);
      } else {
        struct mark mark = {(uint32_t)parts[i], class_, run.length};
        bt_str_append(&run, &mark, sizeof mark);
      }
    }
  }
  flush_marks(out, &run);
  bt_str_dispose(&run);
}

/* Cells of a code point, 0 for a mark, -1 where it must not be shown as it is: controls, formats,
 * surrogates, private use, unassigned, line separators, or where the terminal's table (wcwidth) has
 * another opinion than ours. A locale without Unicode knows no widths and has no say. */
static int agreed_width(uint32_t code_point) {
  switch (utf8proc_category((utf8proc_int32_t)code_point)) {
  case UTF8PROC_CATEGORY_CN:
  case UTF8PROC_CATEGORY_CC:
  case UTF8PROC_CATEGORY_CF:
  case UTF8PROC_CATEGORY_CS:
  case UTF8PROC_CATEGORY_CO:
  case UTF8PROC_CATEGORY_ZL:
  case UTF8PROC_CATEGORY_ZP:
    return -1;
  default:
    break;
  }
  int ours = utf8proc_charwidth((utf8proc_int32_t)code_point);
  bool locale_knows = wcwidth((wchar_t)0x4E00) == 2;
  return !locale_knows || wcwidth((wchar_t)code_point) == ours ? ours : -1;
}

static bool is_mark(uint32_t code_point) {
  utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)code_point);
  bool jamo_tail = code_point >= 0x1160 && code_point <= 0x11FF; /* vowels and finals of decomposed Hangul */
  return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_ME || jamo_tail;
}

static bool is_variation_selector(uint32_t code_point) {
  return (code_point >= 0xFE00 && code_point <= 0xFE0F) || (code_point >= 0xE0100 && code_point <= 0xE01EF);
}

static bool is_pictograph(uint32_t code_point) {
  return utf8proc_get_property((utf8proc_int32_t)code_point)->boundclass == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

static void set_escape(struct bt_cluster *cluster, uint32_t code_point, size_t consumed, bool stray_byte) {
  cluster->escaped = true;
  cluster->consumed = consumed;
  if (stray_byte) {
    (void)snprintf(cluster->bytes, sizeof cluster->bytes, "<%02X>", (unsigned)code_point);
  } else if (code_point < 0x20 || code_point == 0x7F) {
    (void)snprintf(cluster->bytes, sizeof cluster->bytes, "^%c", (char)(code_point ^ 0x40));
  } else {
    (void)snprintf(cluster->bytes, sizeof cluster->bytes, "<%04X>", (unsigned)code_point);
  }
  cluster->columns = (int)strlen(cluster->bytes);
}

/* Takes the marks that follow the base into the same cell. A presentation selector behind a pictograph
 * is taken too but not shown: with it, terminals disagree on the width. */
static void take_marks(struct bt_cluster *cluster, uint32_t base, const char *text, size_t length) {
  size_t used = cluster->consumed; /* bytes shown so far: the base is shown as it is */
  for (int marks = 0; cluster->consumed < length && marks < MARKS_MAX; marks++) {
    size_t at = cluster->consumed;
    uint32_t code_point = bt_utf8_next(text, length, &at);
    size_t width = at - cluster->consumed;
    if (marks == 0 && (code_point == 0xFE0E || code_point == 0xFE0F) && is_pictograph(base)) {
      cluster->escaped = true;
    } else if (is_mark(code_point) && !is_variation_selector(code_point) && agreed_width(code_point) == 0 &&
               used + width < sizeof cluster->bytes) {
      memcpy(cluster->bytes + used, text + cluster->consumed, width);
      used += width;
    } else {
      break;
    }
    cluster->consumed = at;
  }
  cluster->bytes[used] = '\0';
}

void bt_cluster_next(struct bt_cluster *cluster, const char *text, size_t length, bool ascii_only) {
  unsigned char first = (unsigned char)text[0];
  bool alone = length < 2 || (unsigned char)text[1] < 0x80 || ascii_only; /* no mark follows */
  cluster->escaped = false;
  cluster->consumed = 1;
  cluster->columns = 1;
  if (first >= 0x20 && first < 0x7F && alone) {
    cluster->bytes[0] = (char)first;
    cluster->bytes[1] = '\0';
    return;
  }
  size_t at = 0;
  uint32_t code_point = bt_utf8_next(text, length, &at);
  if (at == 1 && first >= 0x80) {
    set_escape(cluster, first, 1, true);
    return;
  }
  int width = ascii_only && code_point > 0x7E ? -1 : agreed_width(code_point);
  if (width < 1) {
    set_escape(cluster, code_point, at, false);
    return;
  }
  cluster->columns = width;
  cluster->consumed = at;
  memcpy(cluster->bytes, text, at);
  if (at > 4) { /* a pair of halves: its real bytes */
    cluster->bytes[bt_utf8_encode(code_point, cluster->bytes)] = '\0';
    return;
  }
  take_marks(cluster, code_point, text, length);
}

void bt_text_visible(struct bt_str *out, const char *text, size_t length) {
  struct bt_cluster cluster;
  for (size_t at = 0; at < length && !out->failed; at += cluster.consumed) {
    bt_cluster_next(&cluster, text + at, length - at, false);
    bt_str_puts(out, cluster.bytes);
  }
}

int bt_text_columns(const char *text, size_t length, bool ascii_only) {
  struct bt_cluster cluster;
  int columns = 0;
  for (size_t at = 0; at < length; at += cluster.consumed) {
    bt_cluster_next(&cluster, text + at, length - at, ascii_only);
    columns += cluster.columns;
  }
  return columns;
}

void bt_utf8_library(char *out, size_t size) {
  snprintf(out, size, "utf8proc %s", utf8proc_version());
}
