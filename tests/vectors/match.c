/* tests/vectors/match.c - comparison of texts and JSON values with placeholders for what varies. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"
#include "tests/vectors/support.h"

static size_t span_of(const char *text, size_t most, const char *set) {
  size_t length = 0;
  while (length < most && text[length] && strchr(set, text[length]))
    length++;
  return length;
}

#define DIGITS "0123456789"
#define HEX DIGITS "abcdef"

/* `shape`: 'd' a digit, 'h' a hex digit, 'v' one of 89ab, anything else itself. Answers the length or 0. */
static size_t shaped(const char *text, const char *shape) {
  for (size_t i = 0; shape[i]; i++) {
    const char *set = shape[i] == 'd' ? DIGITS : shape[i] == 'h' ? HEX : shape[i] == 'v' ? "89ab" : NULL;
    if (set ? span_of(text + i, 1, set) != 1 : text[i] != shape[i])
      return 0;
  }
  return strlen(shape);
}

static size_t exactly(const char *text, size_t count, const char *set) {
  return span_of(text, count, set) == count ? count : 0;
}

enum wild { WILD_NONE, WILD_FIXED, WILD_FREE };

/* What stands at `pattern`: its length, and for a placeholder of fixed shape how much of `text` it takes (0: does not
 * fit). */
static enum wild wildcard(const char *pattern, const char *text, size_t *pattern_length, size_t *taken) {
  static const char *const names[] = {"<ts>",  "<ms>",   "<uuid>",   "<ulid>",  "<nonce>", "<pid>",
                                      "<sig>", "<hash>", "<prompt>", "<error>", "<note>",  "<more>"};
  size_t which = 0;
  while (which < 12 && strncmp(pattern, names[which], strlen(names[which])) != 0)
    which++;
  if (which == 12)
    return WILD_NONE;
  *pattern_length = strlen(names[which]);
  switch (which) {
  case 0:
    *taken = shaped(text, "dddd-dd-ddTdd:dd:dd.dddZ");
    return WILD_FIXED;
  case 1:
    *taken = span_of(text, 16, DIGITS) >= 10 ? span_of(text, 16, DIGITS) : 0;
    return WILD_FIXED;
  case 2:
    *taken = shaped(text, "hhhhhhhh-hhhh-4hhh-vhhh-hhhhhhhhhhhh");
    return WILD_FIXED;
  case 3:
    *taken = exactly(text, 26, "0123456789ABCDEFGHJKMNPQRSTVWXYZ");
    return WILD_FIXED;
  case 4:
    *taken = exactly(text, 16, HEX);
    return WILD_FIXED;
  case 5:
    *taken = span_of(text, 20, DIGITS);
    return WILD_FIXED;
  case 6:
  case 7:
    *taken = exactly(text, 64, HEX);
    return WILD_FIXED;
  default:
    return WILD_FREE;
  }
}

/* `pattern` has its known placeholders filled in already. */
static bool matches(const char *pattern, const char *text) {
  while (*pattern) {
    size_t length, taken;
    enum wild wild = *pattern == '<' ? wildcard(pattern, text, &length, &taken) : WILD_NONE;
    if (wild == WILD_FIXED) {
      if (!taken)
        return false;
      pattern += length;
      text += taken;
    } else if (wild == WILD_FREE) { /* free wording, at least one character */
      for (const char *rest = text; *rest;)
        if (matches(pattern + length, ++rest))
          return true;
      return false;
    } else if (*pattern++ != *text++) {
      return false;
    }
  }
  return *text == '\0';
}

bool vec_match_text(const struct vec_world *world, const char *pattern, const char *text) {
  char *filled = world ? vec_fill(world, pattern) : NULL;
  bool ok = matches(filled ? filled : pattern, text);
  free(filled);
  return ok;
}

/* ------------------------------------------------------------------------------ JSON ----------- */

struct place {
  const struct place *above;
  const char *key; /* NULL: an element */
  size_t index;
};

static void print_place(struct bt_str *out, const struct place *place) {
  if (!place)
    return;
  print_place(out, place->above);
  if (place->key)
    bt_str_printf(out, ".%s", place->key);
  else
    bt_str_printf(out, "[%zu]", place->index);
}

static void print_short(struct bt_str *out, const struct bt_json *value) {
  enum { SHOWN = 400 };
  struct bt_str text;
  bt_str_init(&text, VEC_TEXT_MAX);
  if (value)
    bt_json_print_compact(&text, value);
  else
    bt_str_puts(&text, "nothing");
  bt_str_append(out, text.data, text.length > SHOWN ? SHOWN : text.length);
  bt_str_puts(out, text.length > SHOWN ? "..." : "");
  bt_str_dispose(&text);
}

static bool unlike(struct bt_str *why, const struct place *place, const struct bt_json *expected,
                   const struct bt_json *actual) {
  if (why) {
    print_place(why, place);
    bt_str_puts(why, " expected ");
    print_short(why, expected);
    bt_str_puts(why, " but got ");
    print_short(why, actual);
  }
  return false;
}

static bool same_number(const struct bt_json *a, const struct bt_json *b) {
  double x, y;
  if (!bt_json_number(a, &x) || !bt_json_number(b, &y))
    return false;
  return isnan(x) ? isnan(y) : x >= y && x <= y;
}

static bool pid_matches(const struct vec_world *world, const char *expected, double actual) {
  if (strcmp(expected, "<pid>") == 0)
    return actual >= 1;
  const char *pid = NULL;
  if (world && strcmp(expected, "<live-pid>") == 0)
    pid = world->live_pid;
  if (world && strcmp(expected, "<dead-pid>") == 0)
    pid = world->dead_pid;
  return pid && strtod(pid, NULL) >= actual && strtod(pid, NULL) <= actual;
}

static bool match(const struct vec_world *world, const struct place *place, const struct bt_json *expected,
                  const struct bt_json *actual, unsigned flags, struct bt_str *why);

static bool match_array(const struct vec_world *world, const struct place *place, const struct bt_json *expected,
                        const struct bt_json *actual, unsigned flags, struct bt_str *why) {
  if (bt_json_count(expected) != bt_json_count(actual))
    return unlike(why, place, expected, actual);
  const struct bt_json *a = bt_json_first(expected), *b = bt_json_first(actual);
  for (size_t i = 0; a; i++, a = bt_json_next(a), b = bt_json_next(b)) {
    const struct place inner = {place, NULL, i};
    if (!match(world, &inner, a, b, flags, why))
      return false;
  }
  return true;
}

static bool match_object(const struct vec_world *world, const struct place *place, const struct bt_json *expected,
                         const struct bt_json *actual, unsigned flags, struct bt_str *why) {
  const struct bt_json *in_turn = bt_json_first(actual);
  for (const struct bt_json *a = bt_json_first(expected); a; a = bt_json_next(a)) {
    const struct place inner = {place, bt_json_key(a), 0};
    const struct bt_json *b = bt_json_get(actual, bt_json_key(a));
    if (!b)
      return unlike(why, &inner, a, NULL);
    if (flags & VEC_MATCH_ORDER && b != in_turn) {
      if (why)
        bt_str_puts(why, "(order of fields) ");
      return unlike(why, place, expected, actual);
    }
    if (!match(world, &inner, a, b, flags, why))
      return false;
    in_turn = bt_json_next(b);
  }
  for (const struct bt_json *b = bt_json_first(actual); b; b = bt_json_next(b)) {
    const struct place inner = {place, bt_json_key(b), 0};
    if (!bt_json_get(expected, bt_json_key(b)))
      return unlike(why, &inner, NULL, b);
  }
  return true;
}

static bool match(const struct vec_world *world, const struct place *place, const struct bt_json *expected,
                  const struct bt_json *actual, unsigned flags, struct bt_str *why) {
  const char *pattern = bt_json_string(expected);
  double number;
  if (pattern && bt_json_number(actual, &number) && pid_matches(world, pattern, number))
    return true;
  if (bt_json_type(expected) != bt_json_type(actual))
    return unlike(why, place, expected, actual);
  switch (bt_json_type(expected)) {
  case BT_JSON_OBJECT:
    return match_object(world, place, expected, actual, flags, why);
  case BT_JSON_ARRAY:
    return match_array(world, place, expected, actual, flags, why);
  case BT_JSON_STRING:
    return vec_match_text(world, pattern, bt_json_string(actual)) || unlike(why, place, expected, actual);
  case BT_JSON_NUMBER:
    return same_number(expected, actual) || unlike(why, place, expected, actual);
  default:
    return true;
  }
}

bool vec_match_json(const struct vec_world *world, const struct bt_json *expected, const struct bt_json *actual,
                    unsigned flags, struct bt_str *why) {
  return match(world, NULL, expected, actual, flags, why);
}

/* ------------------------------------------------------------------------- expectations -------- */

bool vec_expect_json(const struct vec_case *vec, const struct vec_world *world, const char *label,
                     const struct bt_json *expected, const struct bt_json *actual) {
  struct bt_str why;
  bt_str_init(&why, VEC_TEXT_MAX);
  bool ok = vec_match_json(world, expected, actual, 0, &why);
  if (!ok)
    vec_fail(vec, "%s%s", label, why.data);
  bt_str_dispose(&why);
  return ok;
}

bool vec_expect_text(const struct vec_case *vec, const char *label, const char *expected, const char *actual) {
  if (bt_text_equals(expected, actual))
    return true;
  if (!expected || !actual) {
    vec_fail(vec, "%s: expected %.300s but got %.300s", label, expected ? expected : "nothing",
             actual ? actual : "nothing");
    return false;
  }
  size_t at = 0;
  while (expected[at] && expected[at] == actual[at])
    at++;
  size_t from = at > 40 ? at - 40 : 0;
  vec_fail(vec, "%s: from byte %zu expected \"%.200s\" but got \"%.200s\"", label, at, expected + from, actual + from);
  return false;
}

bool vec_expect_bool(const struct vec_case *vec, const char *label, bool expected, bool actual) {
  if (expected != actual)
    vec_fail(vec, "%s: expected %s", label, expected ? "true" : "false");
  return expected == actual;
}

bool vec_expect_number(const struct vec_case *vec, const char *label, double expected, double actual) {
  bool same = expected >= actual && expected <= actual;
  if (!same)
    vec_fail(vec, "%s: expected %.17g but got %.17g", label, expected, actual);
  return same;
}
