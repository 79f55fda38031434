/* tests/vectors/support.h - what the areas share: encodings, placeholders, trees, comparison.
 *
 * A world is one case's outside: a fresh root folder, host, clock, a living and a dead process. Test code: running out
 * of memory ends the program with a message. Everything returned as `char *` is the caller's (free), as
 * `struct bt_json *` too (bt_json_free). */
#ifndef BATON_TESTS_VECTORS_SUPPORT_H
#define BATON_TESTS_VECTORS_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/json.h"
#include "core/base/str.h"
#include "core/env.h"
#include "tests/vectors/area.h"

#define VEC_TEXT_MAX ((size_t)256 << 20) /* ceiling of any text here */

/* Ends the program when `ok` is false: for memory and for the test's own file system calls. */
_Noreturn void vec_give_up(const char *what);
static inline void vec_require(bool ok, const char *what) {
  if (!ok)
    vec_give_up(what);
}

/* ------------------------------------------------------------ encodings (decode.c) ------------- */

/* A copy of `value` with `$parts`, `$num`, `$undefined` and `segments` resolved. */
struct bt_json *vec_decode(const struct bt_json *value);

/* Text of a string value, NULL for any other; borrowed. With a length, because areas measure it often. */
const char *vec_text(const struct bt_json *value, size_t *length);
const char *vec_get_text(const struct bt_json *object, const char *key, size_t *length);
bool vec_get_bool(const struct bt_json *object, const char *key, bool otherwise);
bool vec_get_int(const struct bt_json *object, const char *key, int64_t *value);

/* Bytes of a base64 text; false when it is none. */
bool vec_base64(struct bt_str *out, const char *text);

/* ---------------------------------------------------------------- a world (world.c) ------------ */

struct vec_world {
  char *root; /* absolute, real path, outside any repository; NULL after vec_world_close */
  char host[256];
  char live_pid[24], dead_pid[24];
  int64_t now_ms; /* taken once, when the world opens */
};

void vec_world_open(struct vec_world *world);
void vec_world_close(struct vec_world *world); /* removes the root */

/* `text` with the placeholders <root> <host> <live-pid> <dead-pid> <ts:N> <ms:N> filled in. */
char *vec_fill(const struct vec_world *world, const char *text);
/* The same over every string and key of a tree. A string that is only a pid placeholder stays a string. */
struct bt_json *vec_fill_json(const struct vec_world *world, const struct bt_json *value);

/* An env for code under test that runs inside this program: the world's root, the real clock and processes, no key.
 * Set env.key and env.key_length yourself. The strings live in `env_text`, which vec_env_dispose frees. */
struct vec_env {
  struct bt_env env;
  char *ledger_dir, *state_dir;
};
void vec_env_init(struct vec_env *out, const struct vec_world *world, const char *key);
void vec_env_dispose(struct vec_env *out);

/* ------------------------------------------------------------------- trees (tree.c) ------------ */

enum vec_kind { VEC_FILE, VEC_EXEC, VEC_FOLDER, VEC_LINK };

struct vec_node {
  char *path; /* relative to the root */
  enum vec_kind kind;
  char *bytes; /* content, or target of a link */
  size_t length;
};
struct vec_tree {
  struct vec_node *nodes; /* in byte order of the path */
  size_t count;
};

/* Puts `files` (README "Trees"; NULL: nothing) below the world's root. */
void vec_tree_build(const struct vec_world *world, const struct bt_json *files);
/* Writes one file below the root, folders included (grants and locks that a case asks for beside its tree). */
void vec_tree_put(const struct vec_world *world, const char *path, const void *bytes, size_t length);
/* Everything below the root except `.git`: files, links, empty folders. */
void vec_tree_read(struct vec_tree *out, const struct vec_world *world);
void vec_tree_dispose(struct vec_tree *tree);
const struct vec_node *vec_tree_find(const struct vec_tree *tree, const char *path);

/* Compares what lies below the root now with `tree_after`; `before` is what "unchanged" and "appended" refer to.
 * Differences go through vec_fail; false when there were any. */
bool vec_tree_check(const struct vec_case *vec, const struct vec_world *world, const struct vec_tree *before,
                    const struct bt_json *tree_after);

/* -------------------------------------------------------------- comparison (match.c) ----------- */

/* Whether `text` is what `pattern` says, placeholders for varying values included. `world` may be NULL. */
bool vec_match_text(const struct vec_world *world, const char *pattern, const char *text);

enum { VEC_MATCH_ORDER = 1 }; /* members must stand in the same order */

/* Deep comparison; numbers by value, a pid placeholder matches a number. On a difference false, with the place and
 * both values appended to `why`. */
bool vec_match_json(const struct vec_world *world, const struct bt_json *expected, const struct bt_json *actual,
                    unsigned flags, struct bt_str *why);

/* The same, reported through vec_fail under `label`. `actual` may be NULL (absent). */
bool vec_expect_json(const struct vec_case *vec, const struct vec_world *world, const char *label,
                     const struct bt_json *expected, const struct bt_json *actual);
bool vec_expect_text(const struct vec_case *vec, const char *label, const char *expected, const char *actual);
bool vec_expect_bool(const struct vec_case *vec, const char *label, bool expected, bool actual);
bool vec_expect_number(const struct vec_case *vec, const char *label, double expected, double actual);

#endif
