/* core/text/entropy.c - finds tokens whose characters look random. */
#include "core/text/entropy.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"

#define MIN_UNITS 32
#define MIN_BITS 4.0
#define LEAD "\"'`([{<,;:"
#define TRAIL "\"'`)]}>,;:.!?"

/* Counts of code points, in the order of their first appearance: the sum is made in that order. */
struct counts {
  struct count {
    uint32_t code_point;
    uint32_t times;
  } * items;
  size_t used;
  uint32_t *slots; /* index into items plus one; 0 is free */
  size_t mask;
};

/* Room for as many different code points as `bytes` can hold. */
static bool counts_open(struct counts *counts, size_t bytes) {
  size_t most = bytes < 0x110000 ? bytes : 0x110000;
  size_t slots = 64;
  while (slots < most * 2)
    slots *= 2;
  counts->used = 0;
  counts->mask = slots - 1;
  counts->items = malloc((most + 1) * sizeof *counts->items);
  counts->slots = calloc(slots, sizeof *counts->slots);
  return counts->items && counts->slots;
}

static void counts_close(struct counts *counts) {
  free(counts->items);
  free(counts->slots);
}

static void counts_add(struct counts *counts, uint32_t code_point) {
  size_t slot = (code_point * 2654435761u >> 7) & counts->mask;
  while (counts->slots[slot] && counts->items[counts->slots[slot] - 1].code_point != code_point)
    slot = (slot + 1) & counts->mask;
  if (!counts->slots[slot]) {
    counts->items[counts->used] = (struct count){code_point, 0};
    counts->slots[slot] = (uint32_t)++counts->used;
  }
  counts->items[counts->slots[slot] - 1].times++;
}

/* Bits a unit. `units` divides, so characters beyond the basic plane weigh half. False when memory is short. */
static bool entropy_of(const char *text, size_t length, size_t units, double *bits) {
  struct counts counts;
  bool ok = counts_open(&counts, length);
  *bits = 0;
  for (size_t at = 0; ok && at < length;)
    counts_add(&counts, bt_utf8_next(text, length, &at));
  for (size_t i = 0; ok && i < counts.used; i++) {
    double p = counts.items[i].times / (double)units;
    *bits -= p * log2(p);
  }
  counts_close(&counts);
  return ok;
}

static bool holds(const char *set, char byte) {
  return byte && strchr(set, byte);
}

static struct bt_slice core_of(const char *token, size_t length) {
  size_t from = 0;
  while (from < length && holds(LEAD, token[from]))
    from++;
  while (length > from && holds(TRAIL, token[length - 1]))
    length--;
  return (struct bt_slice){token + from, length - from};
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Lower case, and upper case or a digit, and not a plain number in hex. */
static bool is_mixed(struct bt_slice core) {
  bool lower = false, other = false, hex = true;
  for (size_t i = 0; i < core.length; i++) {
    char c = core.data[i];
    lower = lower || (c >= 'a' && c <= 'z');
    other = other || (c >= 'A' && c <= 'Z') || is_digit(c);
    hex = hex && is_hex(c);
  }
  return lower && other && !hex;
}

/* Answers false when memory is short; *random is whether the core is to go. */
static bool judge(struct bt_slice core, bool *random) {
  *random = false;
  if (core.length < MIN_UNITS || !is_mixed(core)) /* units are never more than bytes */
    return true;
  size_t units = bt_utf16_length(core.data, core.length);
  double bits = 0;
  if (units < MIN_UNITS)
    return true;
  bool ok = entropy_of(core.data, core.length, units, &bits);
  *random = bits >= MIN_BITS;
  return ok;
}

/* End of the run of non-W characters at `from`. */
static size_t token_end(const char *text, size_t length, size_t from) {
  for (size_t next = from; next < length; from = next)
    if (bt_is_w(bt_utf8_next(text, length, &next)))
      break;
  return from;
}

bool bt_redact_entropy(struct bt_str *out, const char *text, size_t length, struct bt_redact_list *list) {
  size_t copied = 0;
  for (size_t at = 0; at < length;) {
    size_t end = token_end(text, length, at);
    if (end == at) { /* a W character */
      bt_utf8_next(text, length, &at);
      continue;
    }
    struct bt_slice core = core_of(text + at, end - at);
    bool random;
    if (!judge(core, &random))
      return false;
    if (random) {
      size_t start = (size_t)(core.data - text);
      bt_str_append(out, text + copied, start - copied);
      bt_redact_mark(out, BT_REDACT_HIGH_ENTROPY, list);
      copied = start + core.length;
    }
    at = end;
  }
  bt_str_append(out, text + copied, length - copied);
  return !out->failed;
}
