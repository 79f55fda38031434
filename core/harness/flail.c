/* core/harness/flail.c - what a transcript's lines say, counted. */
#include "core/harness/flail.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/str.h"
#include "core/base/utf8.h"
#include "core/harness/flail_line.h"

#define CHURN_MIN 3
#define REPEAT_MIN 2
#define TEXT_MAX (BT_FLAIL_WINDOW * 4)

/* Texts and how often each came, in order of first appearance. */
struct tally {
  struct bt_flail_entry *entries;
  size_t count, capacity;
  uint32_t *slots; /* open hash: index + 1 */
  size_t slot_count;
};

struct search {
  struct tally paths, errors;
  struct bt_str scratch; /* the signature under way */
  bool failed;
};

static void tally_dispose(struct tally *tally) {
  for (size_t i = 0; i < tally->count; i++)
    free(tally->entries[i].text);
  free(tally->entries);
  free(tally->slots);
}

static uint64_t hash_of(struct bt_slice text) { /* FNV-1a */
  uint64_t hash = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < text.length; i++)
    hash = (hash ^ (unsigned char)text.data[i]) * UINT64_C(1099511628211);
  return hash;
}

static size_t slot_of(const struct tally *tally, struct bt_slice text) {
  size_t at = (size_t)hash_of(text) & (tally->slot_count - 1);
  while (tally->slots[at] && !bt_slice_equals(text, tally->entries[tally->slots[at] - 1].text))
    at = (at + 1) & (tally->slot_count - 1);
  return at;
}

static bool tally_grow(struct tally *tally) {
  if (tally->count < tally->capacity)
    return true;
  size_t capacity = tally->capacity ? tally->capacity * 2 : 32;
  struct bt_flail_entry *entries = realloc(tally->entries, capacity * sizeof *entries);
  if (!entries)
    return false;
  tally->entries = entries;
  uint32_t *slots = calloc(capacity * 2, sizeof *slots);
  if (!slots)
    return false;
  free(tally->slots);
  tally->slots = slots;
  tally->slot_count = capacity * 2;
  tally->capacity = capacity;
  for (size_t i = 0; i < tally->count; i++)
    slots[slot_of(tally, bt_slice_of(entries[i].text))] = (uint32_t)i + 1;
  return true;
}

static void count(struct search *search, struct tally *tally, struct bt_slice text) {
  if (!tally_grow(tally)) {
    search->failed = true;
    return;
  }
  size_t slot = slot_of(tally, text);
  if (!tally->slots[slot]) {
    char *copy = malloc(text.length + 1);
    if (!copy) {
      search->failed = true;
      return;
    }
    memcpy(copy, text.data, text.length);
    copy[text.length] = 0;
    tally->entries[tally->count++] = (struct bt_flail_entry){.text = copy};
    tally->slots[slot] = (uint32_t)tally->count;
  }
  tally->entries[tally->slots[slot] - 1].count++;
}

/* The entries seen at least `least` times, moved out. */
static void keep(struct tally *tally, int64_t least, struct bt_flail_list *list) {
  for (size_t i = 0; i < tally->count; i++) {
    if (tally->entries[i].count >= least)
      tally->entries[list->count++] = tally->entries[i];
    else
      free(tally->entries[i].text);
  }
  list->entries = tally->entries;
  tally->entries = NULL;
  tally->count = 0;
}

/* ---- one line ---- */

static void see_line(struct search *search, struct bt_slice line) {
  struct bt_slice path;
  if (bt_flail_path(line, &path))
    count(search, &search->paths, path);
  if (!bt_flail_speaks_of_error(line))
    return;
  bt_str_clear(&search->scratch);
  bt_flail_signature(&search->scratch, line);
  search->failed |= search->scratch.failed;
  struct bt_slice signature = {search->scratch.data, search->scratch.length};
  if (bt_flail_signature_counts(signature))
    count(search, &search->errors, signature);
}

/* ---- structured lines ---- */

static bool is_container(const struct bt_json *value) {
  return bt_json_type(value) == BT_JSON_OBJECT || bt_json_type(value) == BT_JSON_ARRAY;
}

static void see_written(struct search *search, const struct bt_json *node) {
  const char *path = bt_json_get_string(node, "file_path");
  if (path) {
    struct bt_str line;
    bt_str_init(&line, TEXT_MAX);
    bt_str_puts(&line, "Writing ");
    bt_str_puts(&line, path);
    search->failed |= line.failed;
    see_line(search, (struct bt_slice){line.data, line.length});
    bt_str_dispose(&line);
  }
  for (const struct bt_json *child = bt_json_first(node); child; child = bt_json_next(child))
    if (is_container(child))
      see_written(search, child);
}

static void see_said(struct search *search, const struct bt_json *node) {
  bool is_object = bt_json_type(node) == BT_JSON_OBJECT;
  for (const struct bt_json *child = bt_json_first(node); child; child = bt_json_next(child)) {
    const char *text = bt_json_string(child), *key = is_object ? bt_json_key(child) : NULL;
    if (text && key && (!strcmp(key, "content") || !strcmp(key, "text") || !strcmp(key, "message")))
      see_line(search, bt_slice_of(text));
    else if (is_container(child))
      see_said(search, child);
  }
}

/* The container that a line holds; NULL when it holds none. */
static struct bt_json *parse_line(struct search *search, struct bt_slice line) {
  struct bt_error wrong = {.code = BT_OK};
  line = bt_trim_w(line.data, line.length);
  if (line.length == 0 || (line.data[0] != '{' && line.data[0] != '['))
    return NULL;
  struct bt_json *value = bt_json_parse_text(line.data, line.length, &wrong);
  search->failed |= !value && wrong.code == BT_NOMEM;
  return value;
}

/* ---- all lines ---- */

static void each_line(struct search *search, struct bt_slice text,
                      void (*visit)(struct search *search, struct bt_slice line, void *context), void *context) {
  for (size_t at = 0; at <= text.length && !search->failed;) {
    const char *lf = at < text.length ? memchr(text.data + at, '\n', text.length - at) : NULL;
    size_t end = lf ? (size_t)(lf - text.data) : text.length;
    visit(search, (struct bt_slice){text.data + at, end - at}, context);
    at = end + 1;
  }
}

struct shape {
  size_t filled, structured;
};

static void weigh(struct search *search, struct bt_slice line, void *context) {
  struct shape *shape = context;
  if (bt_is_blank_w(line.data, line.length))
    return;
  struct bt_json *value = parse_line(search, line);
  shape->filled++;
  shape->structured += value != NULL;
  bt_json_free(value);
}

static void see_structured(struct search *search, struct bt_slice line, void *context) {
  (void)context;
  if (bt_is_blank_w(line.data, line.length))
    return;
  struct bt_json *value = parse_line(search, line);
  if (value) {
    see_written(search, value);
    see_said(search, value);
  } else {
    see_line(search, line);
  }
  bt_json_free(value);
}

static void see_plain(struct search *search, struct bt_slice line, void *context) {
  (void)context;
  see_line(search, line);
}

enum bt_code bt_flail_find(struct bt_flail *flail, const char *bytes, size_t length, bool is_tail) {
  const char *lf = is_tail ? memchr(bytes, '\n', length) : NULL;
  size_t cut = lf && (size_t)(lf - bytes) + 1 < length ? (size_t)(lf - bytes) + 1 : 0;
  struct search search = {.failed = false};
  struct shape shape = {0, 0};
  struct bt_str text;
  *flail = (struct bt_flail){{NULL, 0}, {NULL, 0}};
  bt_str_init(&text, TEXT_MAX);
  bt_str_init(&search.scratch, TEXT_MAX);
  bt_utf8_decode8(&text, bytes + cut, length - cut);
  search.failed = text.failed;
  struct bt_slice whole = {text.data, text.length};
  each_line(&search, whole, weigh, &shape);
  each_line(&search, whole, shape.filled && shape.structured * 2 >= shape.filled ? see_structured : see_plain, NULL);
  keep(&search.errors, REPEAT_MIN, &flail->repeated_errors);
  keep(&search.paths, CHURN_MIN, &flail->edit_churn);
  tally_dispose(&search.errors);
  tally_dispose(&search.paths);
  bt_str_dispose(&search.scratch);
  bt_str_dispose(&text);
  if (search.failed)
    bt_flail_dispose(flail);
  return search.failed ? BT_NOMEM : BT_OK;
}

static void dispose_list(struct bt_flail_list *list) {
  for (size_t i = 0; i < list->count; i++)
    free(list->entries[i].text);
  free(list->entries);
  *list = (struct bt_flail_list){NULL, 0};
}

void bt_flail_dispose(struct bt_flail *flail) {
  dispose_list(&flail->repeated_errors);
  dispose_list(&flail->edit_churn);
}
