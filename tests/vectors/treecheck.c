/* tests/vectors/treecheck.c - compares a tree with `tree_after`: every format, its layout and field order included. */
#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/utf8.h"
#include "tests/vectors/support.h"

struct check {
  const struct vec_case *vec;
  const struct vec_world *world;
  const struct vec_node *before; /* NULL: was not there */
  const struct vec_node *now;
  const struct bt_json *expected; /* the entry of tree_after */
};

static bool differs(const struct check *check, const char *what) {
  vec_fail(check->vec, "tree_after %s: %s", check->now->path, what);
  return false;
}

static bool same_bytes(const char *a, size_t a_length, const char *b, size_t b_length) {
  return a_length == b_length && memcmp(a, b, a_length) == 0;
}

enum layout { PRETTY, COMPACT };

/* One JSON text: parses, matches with fields in order, and stands in exactly the layout that a printer gives it. */
static bool check_json_text(const struct check *check, const char *text, size_t length, const struct bt_json *expected,
                            enum layout layout) {
  struct bt_json *actual = bt_json_parse(text, length, NULL);
  if (!actual)
    return differs(check, "is not JSON");
  struct bt_str why, printed;
  bt_str_init(&why, VEC_TEXT_MAX);
  bt_str_init(&printed, VEC_TEXT_MAX);
  bool ok = vec_match_json(check->world, expected, actual, VEC_MATCH_ORDER, &why);
  if (!ok)
    differs(check, why.data);
  if (layout == PRETTY)
    bt_json_print_pretty(&printed, actual);
  else
    bt_json_print_compact(&printed, actual);
  if (!same_bytes(text, length, printed.data, printed.length))
    ok = differs(check, "holds the right values in another layout");
  bt_str_dispose(&why);
  bt_str_dispose(&printed);
  bt_json_free(actual);
  return ok;
}

static bool check_document(const struct check *check, enum layout layout, bool newline) {
  size_t length = check->now->length;
  if (newline) {
    if (!length || check->now->bytes[length - 1] != '\n')
      return differs(check, "does not end in a newline");
    length--;
  }
  return check_json_text(check, check->now->bytes, length, bt_json_get(check->expected, "json"), layout);
}

/* JSON Lines from byte `at` on against the elements of `json`. */
static bool check_lines(const struct check *check, size_t at) {
  const char *bytes = check->now->bytes;
  const struct bt_json *lines = bt_json_get(check->expected, "json");
  for (const struct bt_json *line = bt_json_first(lines); line; line = bt_json_next(line)) {
    const char *end = memchr(bytes + at, '\n', check->now->length - at);
    if (!end)
      return differs(check, "has fewer lines than expected");
    size_t length = (size_t)(end - (bytes + at));
    if (!check_json_text(check, bytes + at, length, line, COMPACT))
      return false;
    at += length + 1;
  }
  return at == check->now->length || differs(check, "has more than the expected lines");
}

static bool check_unchanged(const struct check *check) {
  if (!check->before)
    return differs(check, "should be as before, but was not there");
  bool same = check->before->kind == check->now->kind &&
              same_bytes(check->before->bytes, check->before->length, check->now->bytes, check->now->length);
  return same || differs(check, "should be as before, but is not");
}

static bool check_appended(const struct check *check) {
  if (!check->before)
    return differs(check, "should have been appended to, but was not there");
  size_t old = check->before->length;
  if (check->now->length < old || memcmp(check->before->bytes, check->now->bytes, old) != 0)
    return differs(check, "the old bytes do not stand at its beginning");
  return check_lines(check, old);
}

static bool check_text(const struct check *check) {
  struct bt_str text;
  bt_str_init(&text, VEC_TEXT_MAX);
  bt_utf8_decode8(&text, check->now->bytes, check->now->length);
  const char *expected = bt_json_get_string(check->expected, "text");
  bool ok = expected && vec_match_text(check->world, expected, text.data);
  if (!ok) {
    struct bt_str label;
    bt_str_init(&label, 8192);
    bt_str_printf(&label, "tree_after %s", check->now->path);
    vec_expect_text(check->vec, label.data, expected, text.data);
    bt_str_dispose(&label);
  }
  bt_str_dispose(&text);
  return ok;
}

static bool check_digest(const struct check *check) {
  int64_t bytes = -1;
  vec_get_int(check->expected, "bytes", &bytes);
  char hex[BT_SHA256_HEX];
  bt_sha256_hex(check->now->bytes, check->now->length, hex);
  if (bytes < 0 || (size_t)bytes != check->now->length)
    return differs(check, "has another size");
  return bt_text_equals(bt_json_get_string(check->expected, "sha256"), hex) || differs(check, "has another digest");
}

static bool check_base64(const struct check *check) {
  struct bt_str bytes;
  bt_str_init(&bytes, VEC_TEXT_MAX);
  const char *text = bt_json_get_string(check->expected, "base64");
  bool ok =
      text && vec_base64(&bytes, text) && same_bytes(bytes.data, bytes.length, check->now->bytes, check->now->length);
  bt_str_dispose(&bytes);
  return ok || differs(check, "holds other bytes");
}

static bool check_symlink(const struct check *check) {
  char *target = vec_fill(check->world, bt_json_get_string(check->expected, "target"));
  bool ok = check->now->kind == VEC_LINK && strcmp(target, check->now->bytes) == 0;
  free(target);
  return ok || differs(check, "is not the expected link");
}

static bool check_node(const struct check *check) {
  const char *format = bt_json_get_string(check->expected, "format");
  if (!format)
    return differs(check, "no format is given");
  if (strcmp(format, "unchanged") == 0)
    return check_unchanged(check);
  if (strcmp(format, "symlink") == 0)
    return check_symlink(check);
  if (strcmp(format, "dir") == 0)
    return check->now->kind == VEC_FOLDER || differs(check, "is no empty folder");
  if (check->now->kind != VEC_FILE && check->now->kind != VEC_EXEC)
    return differs(check, "is no regular file");
  if (strcmp(format, "pretty2") == 0)
    return check_document(check, PRETTY, true);
  if (strcmp(format, "line") == 0)
    return check_document(check, COMPACT, true);
  if (strcmp(format, "line-no-newline") == 0)
    return check_document(check, COMPACT, false);
  if (strcmp(format, "jsonl") == 0)
    return check_lines(check, 0);
  if (strcmp(format, "appended") == 0)
    return check_appended(check);
  if (strcmp(format, "text") == 0)
    return check_text(check);
  if (strcmp(format, "text-digest") == 0)
    return check_digest(check);
  if (strcmp(format, "base64") == 0)
    return check_base64(check);
  return differs(check, "the format is not known to this driver");
}

/* The node that an expected path means: the same name first, then one that fits its placeholders. */
static size_t find_now(const struct vec_world *world, const struct vec_tree *now, const bool *taken, const char *path) {
  for (size_t i = 0; i < now->count; i++)
    if (!taken[i] && strcmp(now->nodes[i].path, path) == 0)
      return i;
  for (size_t i = 0; i < now->count; i++)
    if (!taken[i] && vec_match_text(world, path, now->nodes[i].path))
      return i;
  return now->count;
}

static bool check_expected(const struct check *base, const struct vec_tree *before, const struct vec_tree *now,
                           bool *taken, const struct bt_json *tree_after) {
  bool ok = true;
  for (const struct bt_json *entry = bt_json_first(tree_after); entry; entry = bt_json_next(entry)) {
    struct check check = *base;
    check.expected = entry;
    size_t at = find_now(base->world, now, taken, bt_json_key(entry));
    if (at < now->count) {
      taken[at] = true;
      check.now = &now->nodes[at];
      check.before = before ? vec_tree_find(before, check.now->path) : NULL;
      ok = check_node(&check) && ok;
    } else if (!bt_text_equals(bt_json_get_string(entry, "format"), "dir")) { /* empty folders are no contract */
      vec_fail(base->vec, "tree_after %s: is missing", bt_json_key(entry));
      ok = false;
    }
  }
  return ok;
}

bool vec_tree_check(const struct vec_case *vec, const struct vec_world *world, const struct vec_tree *before,
                    const struct bt_json *tree_after) {
  struct vec_tree now;
  vec_tree_read(&now, world);
  bool *taken = calloc(now.count + 1, sizeof *taken);
  vec_require(taken != NULL, "memory");
  const struct check base = {.vec = vec, .world = world};
  bool ok = check_expected(&base, before, &now, taken, tree_after);
  for (size_t i = 0; i < now.count; i++)
    if (!taken[i] && now.nodes[i].kind != VEC_FOLDER) {
      vec_fail(vec, "tree_after %s: should not be there", now.nodes[i].path);
      ok = false;
    }
  free(taken);
  vec_tree_dispose(&now);
  return ok;
}
