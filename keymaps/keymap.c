/* keymaps/keymap.c - the bindings, their parser and the checks that no file may break. */
#include "keymaps/keymap.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/str.h"
#include "default_keymap_embed.h"
#include "emacs_keymap_embed.h"
#include "vim_keymap_embed.h"

struct binding {
  enum bt_mode mode;
  uint32_t key;
  enum bt_action action;
  unsigned file; /* index into files */
  unsigned line;
};

#define FILES_MAX 8
#define FILE_NAME 128

struct bt_keymap {
  struct binding bindings[BT_KEYMAP_BINDINGS_MAX];
  size_t count;
  char files[FILES_MAX][FILE_NAME]; /* in the order they were read */
  unsigned file_count;
  unsigned own_count; /* the first of them that came with the program */
};

/* One line being read. */
struct line {
  const char *file;
  unsigned number;
  const char *at, *end;
  char subject[160];
};

static bool is_blank(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\r';
}

static struct bt_slice next_word(struct line *line) {
  while (line->at < line->end && is_blank(*line->at))
    line->at++;
  const char *start = line->at;
  while (line->at < line->end && !is_blank(*line->at))
    line->at++;
  return (struct bt_slice){start, (size_t)(line->at - start)};
}

/* Words are shown whole only when they are short: they come from a file. */
static int shown(struct bt_slice word) {
  return word.length > 40 ? 40 : (int)word.length;
}

static struct binding *find(struct bt_keymap *keymap, enum bt_mode mode, uint32_t key) {
  for (size_t i = 0; i < keymap->count; i++)
    if (keymap->bindings[i].mode == mode && keymap->bindings[i].key == key)
      return &keymap->bindings[i];
  return NULL;
}

static const struct binding *find_const(const struct bt_keymap *keymap, enum bt_mode mode, uint32_t key) {
  for (size_t i = 0; i < keymap->count; i++)
    if (keymap->bindings[i].mode == mode && keymap->bindings[i].key == key)
      return &keymap->bindings[i];
  return NULL;
}

static enum bt_code add(struct bt_keymap *keymap, struct line *line, const struct binding *wanted,
                        struct bt_error *err) {
  struct binding *there = find(keymap, wanted->mode, wanted->key);
  if (there && there->file == wanted->file) {
    char name[BT_KEY_NAME];
    bt_key_name(wanted->key, name);
    return bt_error_set(err, BT_INPUT, line->subject, "key %s in mode %s cannot do two things: %s (%s:%u) and %s (%s)",
                        name, bt_mode_spelling(wanted->mode), bt_action_info(there->action)->spelling, line->file,
                        there->line, bt_action_info(wanted->action)->spelling, line->subject);
  }
  if (there) {
    *there = *wanted;
    return BT_OK;
  }
  if (keymap->count == BT_KEYMAP_BINDINGS_MAX)
    return bt_error_set(err, BT_TOO_LARGE, line->subject, "more than %d bindings", BT_KEYMAP_BINDINGS_MAX);
  keymap->bindings[keymap->count++] = *wanted;
  return BT_OK;
}

static enum bt_code drop(struct bt_keymap *keymap, struct line *line, enum bt_mode mode, uint32_t key,
                         struct bt_error *err) {
  struct binding *there = find(keymap, mode, key);
  if (!there) {
    char name[BT_KEY_NAME];
    bt_key_name(key, name);
    return bt_error_set(err, BT_INPUT, line->subject, "key %s is not bound in mode %s", name, bt_mode_spelling(mode));
  }
  size_t after = keymap->count - (size_t)(there - keymap->bindings) - 1;
  memmove(there, there + 1, after * sizeof(*there));
  keymap->count--;
  return BT_OK;
}

/* `MODE KEY`, the part that bind and unbind share. */
static enum bt_code read_place(struct line *line, enum bt_mode *mode, uint32_t *key, struct bt_error *err) {
  struct bt_slice word = next_word(line);
  *mode = bt_mode_parse(word.data, word.length);
  if (*mode == BT_MODE_COUNT)
    return bt_error_set(err, BT_INPUT, line->subject, "unknown mode '%.*s'", shown(word), word.data);
  word = next_word(line);
  if (!bt_key_parse(word.data, word.length, key))
    return bt_error_set(err, BT_INPUT, line->subject, "unknown key '%.*s'", shown(word), word.data);
  return BT_OK;
}

static enum bt_code expect_end(struct line *line, struct bt_error *err) {
  struct bt_slice word = next_word(line);
  if (word.length == 0 || word.data[0] == '#')
    return BT_OK;
  return bt_error_set(err, BT_INPUT, line->subject, "'%.*s' is too much (comments begin with #)", shown(word),
                      word.data);
}

static enum bt_code read_bind(struct bt_keymap *keymap, struct line *line, struct bt_error *err) {
  struct binding wanted = {.file = keymap->file_count, .line = line->number};
  enum bt_code code = read_place(line, &wanted.mode, &wanted.key, err);
  if (code != BT_OK)
    return code;
  struct bt_slice word = next_word(line);
  wanted.action = bt_action_parse(word.data, word.length);
  if (wanted.action == BT_ACTION_NONE)
    return bt_error_set(err, BT_INPUT, line->subject, "unknown action '%.*s'", shown(word), word.data);
  if (!bt_action_in_mode(wanted.action, wanted.mode))
    return bt_error_set(err, BT_INPUT, line->subject, "mode %s has no action %s", bt_mode_spelling(wanted.mode),
                        bt_action_info(wanted.action)->spelling);
  if (bt_mode_typing(wanted.mode) && bt_key_printable(wanted.key))
    return bt_error_set(err, BT_INPUT, line->subject, "in mode %s a printable key is text and cannot be bound",
                        bt_mode_spelling(wanted.mode));
  code = expect_end(line, err);
  return code == BT_OK ? add(keymap, line, &wanted, err) : code;
}

static enum bt_code read_line(struct bt_keymap *keymap, struct line *line, struct bt_error *err) {
  struct bt_slice word = next_word(line);
  if (word.length == 0 || word.data[0] == '#')
    return BT_OK;
  if (bt_slice_equals(word, "bind"))
    return read_bind(keymap, line, err);
  if (!bt_slice_equals(word, "unbind"))
    return bt_error_set(err, BT_INPUT, line->subject, "'%.*s' is neither bind nor unbind", shown(word), word.data);
  enum bt_mode mode = BT_MODE_ANY;
  uint32_t key = BT_KEY_NONE;
  enum bt_code code = read_place(line, &mode, &key, err);
  if (code == BT_OK)
    code = expect_end(line, err);
  return code == BT_OK ? drop(keymap, line, mode, key, err) : code;
}

/* What every keymap must keep: a way out of each mode, and help. */
static enum bt_code check_reachable(const struct bt_keymap *keymap, const char *name, struct bt_error *err) {
  static const struct {
    enum bt_mode mode;
    enum bt_action action;
  } needed[] = {
      {BT_MODE_LIST, BT_ACTION_QUIT},    {BT_MODE_LIST, BT_ACTION_HELP},        {BT_MODE_SESSION, BT_ACTION_BACK},
      {BT_MODE_SESSION, BT_ACTION_HELP}, {BT_MODE_LOCKS, BT_ACTION_BACK},       {BT_MODE_LOCKS, BT_ACTION_HELP},
      {BT_MODE_HELP, BT_ACTION_BACK},    {BT_MODE_CONFIRM, BT_ACTION_CANCEL},   {BT_MODE_FIELD, BT_ACTION_CANCEL},
      {BT_MODE_INPUT, BT_ACTION_CANCEL}, {BT_MODE_FIELD, BT_ACTION_FOCUS_NEXT},
  };
  for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
    if (bt_keymap_keys(keymap, needed[i].mode, needed[i].action, NULL, 0) == 0)
      return bt_error_set(err, BT_INPUT, name, "no key is left for %s in mode %s",
                          bt_action_info(needed[i].action)->spelling, bt_mode_spelling(needed[i].mode));
  return BT_OK;
}

/* Where problems go: the first alone, or each to `report`. */
struct problems {
  void (*report)(void *context, const struct bt_error *problem); /* NULL: stop at the first */
  void *context;
  struct bt_error first;
  size_t count;
};

/* True: go on. */
static bool note(struct problems *problems, const struct bt_error *problem) {
  if (problems->count++ == 0)
    problems->first = *problem;
  if (problems->report)
    problems->report(problems->context, problem);
  return problems->report != NULL;
}

static void read_lines(struct bt_keymap *keymap, const char *name, const char *bytes, size_t length,
                       struct problems *problems) {
  struct line line = {.file = name};
  struct bt_error problem = {.code = BT_OK};
  for (size_t at = 0; at < length;) {
    const char *newline = memchr(bytes + at, '\n', length - at);
    size_t end = newline ? (size_t)(newline - bytes) : length;
    line.number++;
    line.at = bytes + at;
    line.end = bytes + end;
    snprintf(line.subject, sizeof(line.subject), "%.140s:%u", name, line.number);
    if (read_line(keymap, &line, &problem) != BT_OK && !note(problems, &problem))
      return;
    at = end + 1;
  }
  if (check_reachable(keymap, name, &problem) != BT_OK)
    (void)note(problems, &problem);
}

/* A draft with the file in it, or NULL; the caller frees it. */
static struct bt_keymap *read_draft(const struct bt_keymap *keymap, const char *name, const char *bytes, size_t length,
                                    struct problems *problems) {
  struct bt_error problem;
  struct bt_keymap *draft = NULL;
  if (length > BT_KEYMAP_BYTES_MAX)
    (void)bt_error_set(&problem, BT_TOO_LARGE, name, "a keymap has at most %zu bytes", BT_KEYMAP_BYTES_MAX);
  else if (keymap->file_count == FILES_MAX)
    (void)bt_error_set(&problem, BT_TOO_LARGE, name, "more than %d keymap files", FILES_MAX);
  else if (!(draft = malloc(sizeof(*draft))))
    (void)bt_error_set(&problem, BT_NOMEM, name, "out of memory");
  if (!draft) {
    (void)note(problems, &problem);
    return NULL;
  }
  *draft = *keymap;
  snprintf(draft->files[draft->file_count], FILE_NAME, "%s", name);
  read_lines(draft, name, bytes, length, problems);
  draft->file_count++;
  return draft;
}

enum bt_code bt_keymap_read(struct bt_keymap *keymap, const char *name, const char *bytes, size_t length,
                            struct bt_error *err) {
  struct problems problems = {.count = 0};
  struct bt_keymap *draft = read_draft(keymap, name, bytes, length, &problems);
  if (problems.count == 0)
    *keymap = *draft;
  else if (err)
    *err = problems.first;
  free(draft);
  return problems.count == 0 ? BT_OK : problems.first.code;
}

size_t bt_keymap_check(const struct bt_keymap *keymap, const char *name, const char *bytes, size_t length,
                       void (*report)(void *context, const struct bt_error *problem), void *context) {
  struct problems problems = {.report = report, .context = context};
  free(read_draft(keymap, name, bytes, length, &problems));
  return problems.count;
}

/* ---------------------------------------------------------------- what comes with the program -- */

static const struct builtin {
  const char *name, *file;
  const unsigned char *text;
  size_t length;
} builtins[] = {
    {"default", "default.keymap", default_keymap, default_keymap_length},
    {"vim", "vim.keymap", vim_keymap, vim_keymap_length},
    {"emacs", "emacs.keymap", emacs_keymap, emacs_keymap_length},
};
#define BUILTIN_COUNT (sizeof(builtins) / sizeof(builtins[0]))

static const struct builtin *builtin_of(const char *name) {
  for (size_t i = 0; i < BUILTIN_COUNT; i++)
    if (strcmp(builtins[i].name, name) == 0)
      return &builtins[i];
  return NULL;
}

const char *bt_keymap_builtin_text(const char *name, size_t *length) {
  const struct builtin *builtin = builtin_of(name);
  *length = builtin ? builtin->length : 0;
  return builtin ? (const char *)builtin->text : NULL;
}

static enum bt_code read_builtin(struct bt_keymap *keymap, const struct builtin *builtin, struct bt_error *err) {
  return bt_keymap_read(keymap, builtin->file, (const char *)builtin->text, builtin->length, err);
}

struct bt_keymap *bt_keymap_new_named(const char *name, struct bt_error *err) {
  const struct builtin *builtin = builtin_of(name);
  if (!builtin) {
    (void)bt_error_set(err, BT_INPUT, name, "no keymap of this name: %.40s", name);
    return NULL;
  }
  struct bt_keymap *keymap = calloc(1, sizeof(*keymap));
  if (!keymap) {
    (void)bt_error_set(err, BT_NOMEM, "keymap", "out of memory");
    return NULL;
  }
  if (read_builtin(keymap, &builtins[0], err) != BT_OK ||
      (builtin != &builtins[0] && read_builtin(keymap, builtin, err) != BT_OK)) {
    free(keymap);
    return NULL;
  }
  keymap->own_count = keymap->file_count;
  return keymap;
}

void bt_keymap_free(struct bt_keymap *keymap) {
  free(keymap);
}

/* The binding that decides; NULL: the key does nothing there. */
static const struct binding *decide(const struct bt_keymap *keymap, enum bt_mode mode, uint32_t key) {
  assert(mode != BT_MODE_ANY && (unsigned)mode < BT_MODE_COUNT);
  const struct binding *there = find_const(keymap, mode, key);
  if (there || (bt_mode_typing(mode) && bt_key_printable(key)))
    return there;
  there = find_const(keymap, BT_MODE_ANY, key);
  return there && bt_action_in_mode(there->action, mode) ? there : NULL;
}

enum bt_action bt_keymap_lookup(const struct bt_keymap *keymap, enum bt_mode mode, uint32_t key) {
  const struct binding *there = decide(keymap, mode, key);
  return there ? there->action : BT_ACTION_NONE;
}

size_t bt_keymap_keys(const struct bt_keymap *keymap, enum bt_mode mode, enum bt_action action, uint32_t *keys,
                      size_t max) {
  size_t found = 0;
  for (size_t i = 0; i < keymap->count; i++) {
    const struct binding *binding = &keymap->bindings[i];
    if (binding->action != action || decide(keymap, mode, binding->key) != binding)
      continue;
    if (found < max)
      keys[found] = binding->key;
    found++;
  }
  return found;
}

bool bt_keymap_rebound(const struct bt_keymap *keymap, enum bt_mode mode, uint32_t key) {
  const struct binding *there = decide(keymap, mode, key);
  return there && there->file >= keymap->own_count;
}

bool bt_keymap_origin(const struct bt_keymap *keymap, enum bt_mode mode, uint32_t key,
                      struct bt_keymap_origin *origin) {
  const struct binding *there = decide(keymap, mode, key);
  if (!there)
    return false;
  *origin = (struct bt_keymap_origin){keymap->files[there->file], there->line, there->mode == BT_MODE_ANY};
  return true;
}

bool bt_keymap_has_meta(const struct bt_keymap *keymap) {
  for (size_t i = 0; i < keymap->count; i++)
    if (keymap->bindings[i].key & BT_KEY_META)
      return true;
  return false;
}
