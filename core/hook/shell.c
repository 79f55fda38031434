/* core/hook/shell.c - path candidates and the mutating-CLI detector. */
#include "core/hook/shell.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/str.h"
#include "core/base/utf8.h"

/* ---- a list without duplicates ---- */

static size_t hash_of(const char *text, size_t length) {
  size_t hash = 1469598103u;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)text[i]) * 16777619u;
  return hash;
}

/* The bucket that holds the text, or the empty one where it belongs. */
static size_t *bucket_of(const struct bt_candidates *set, const char *text, size_t length) {
  size_t at = hash_of(text, length) & (set->bucket_count - 1);
  for (;; at = (at + 1) & (set->bucket_count - 1)) {
    size_t index = set->buckets[at];
    if (index == 0 || (strncmp(set->items[index - 1], text, length) == 0 && set->items[index - 1][length] == '\0'))
      return &set->buckets[at];
  }
}

static bool grow(struct bt_candidates *set) {
  size_t capacity = set->capacity == 0 ? 32 : set->capacity * 2;
  char **items = realloc(set->items, capacity * sizeof *items);
  if (items == NULL)
    return false;
  set->items = items;
  size_t *buckets = calloc(capacity * 2, sizeof *buckets);
  if (buckets == NULL)
    return false;
  free(set->buckets);
  set->capacity = capacity;
  set->buckets = buckets;
  set->bucket_count = capacity * 2;
  for (size_t i = 0; i < set->count; i++)
    *bucket_of(set, set->items[i], strlen(set->items[i])) = i + 1;
  return true;
}

static enum bt_code add(struct bt_candidates *set, const char *text, size_t length, struct bt_error *err) {
  if (set->count == set->capacity && !grow(set))
    return bt_error_set(err, BT_NOMEM, "command", "out of memory");
  size_t *bucket = bucket_of(set, text, length);
  if (*bucket != 0)
    return BT_OK;
  if (set->count == BT_SHELL_MAX_CANDIDATES || set->bytes + length > BT_SHELL_MAX_CANDIDATE_BYTES)
    return bt_error_set(err, BT_TOO_LARGE, "command", "the command names more paths than are looked at");
  char *copy = strndup(text, length);
  if (copy == NULL)
    return bt_error_set(err, BT_NOMEM, "command", "out of memory");
  set->items[set->count++] = copy;
  set->bytes += length;
  *bucket = set->count;
  return BT_OK;
}

void bt_candidates_dispose(struct bt_candidates *candidates) {
  for (size_t i = 0; i < candidates->count; i++)
    free(candidates->items[i]);
  free(candidates->items);
  free(candidates->buckets);
  *candidates = (struct bt_candidates){0};
}

/* ---- path candidates ---- */

/* The token, then every prefix of whole segments. */
static enum bt_code add_token(struct bt_candidates *out, char *token, size_t length, struct bt_error *err) {
  while (length > 0 && *token == '-') {
    token++;
    length--;
  }
  for (size_t i = 0; i < length; i++) {
    if (token[i] == '\\')
      token[i] = '/';
  }
  while (length > 0 && token[length - 1] == '/')
    length--;
  if (length == 0)
    return BT_OK;
  enum bt_code code = add(out, token, length, err);
  for (size_t i = 1; i < length && code == BT_OK; i++) {
    if (token[i] == '/')
      code = add(out, token, i, err);
  }
  return code;
}

static bool is_separator(uint32_t c) {
  return bt_is_w(c) || (c < 0x80 && c != 0 && strchr("'\";|&()<>", (int)c) != NULL);
}

enum bt_code bt_shell_candidates(const char *command, struct bt_candidates *out, struct bt_error *err) {
  *out = (struct bt_candidates){0};
  size_t length = strlen(command), begin = 0, at = 0;
  char *copy = strndup(command, length);
  if (copy == NULL)
    return bt_error_set(err, BT_NOMEM, "command", "out of memory");
  enum bt_code code = BT_OK;
  while (at < length && code == BT_OK) {
    size_t here = at;
    if (!is_separator(bt_utf8_next(command, length, &at)))
      continue;
    code = add_token(out, copy + begin, here - begin, err);
    begin = at;
  }
  if (code == BT_OK)
    code = add_token(out, copy + begin, length - begin, err);
  free(copy);
  return code;
}

/* ---- the mutating-CLI detector ---- */

static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Case-insensitive, ASCII; `word` is in lower case. */
static bool has_at(const char *text, const char *word) {
  for (; *word != '\0'; text++, word++) {
    if (lower(*text) != *word)
      return false;
  }
  return true;
}

static bool is_word_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_mutating_verb(const char *run, size_t length) {
  static const char *const verbs[] = {"write", "resume", "bypass", "repair", "unlock", "continue"};
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
    if (strlen(verbs[i]) == length && has_at(run, verbs[i]))
      return true;
  }
  return false;
}

/* After `handoff`: where the word run begins, 0 where the pattern does not go on. */
static size_t skip_to_run(const char *command, size_t length, size_t at) {
  if (has_at(command + at, ".mjs"))
    at += strlen(".mjs");
  size_t begin = at;
  while (at < length) {
    size_t next = at;
    if (!bt_is_w(bt_utf8_next(command, length, &next)))
      break;
    at = next;
  }
  return at > begin ? at : 0;
}

bool bt_shell_runs_mutating_cli(const char *command) {
  size_t length = strlen(command), at = 0;
  while (at < length) {
    size_t run = has_at(command + at, "handoff") ? skip_to_run(command, length, at + strlen("handoff")) : 0;
    size_t end = run;
    while (end < length && run != 0 && is_word_char(command[end]))
      end++;
    if (end == run) { /* no match here */
      at++;
      continue;
    }
    if (is_mutating_verb(command + run, end - run))
      return true;
    at = end;
  }
  return false;
}
