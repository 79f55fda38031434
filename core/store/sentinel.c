/* core/store/sentinel.c - reading the sentinel, and working out its next content. */
#include "core/store/sentinel.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/model/id.h"
#include "core/model/thresholds.h"
#include "core/store/path.h"
#include "core/store/presence.h"

static enum bt_code no_memory(struct bt_error *err) {
  return bt_error_set(err, BT_NOMEM, BT_PATH_SENTINEL, "out of memory");
}

void bt_sentinel_dispose(struct bt_sentinel *sentinel) {
  bt_json_free(sentinel->sessions);
  *sentinel = (struct bt_sentinel){0};
}

bool bt_sentinel_has(const struct bt_sentinel *sentinel, const char *id) {
  if (id == NULL)
    return false;
  for (const struct bt_json *one = bt_json_first(sentinel->sessions); one != NULL; one = bt_json_next(one)) {
    if (strcmp(bt_json_string(one), id) == 0)
      return true;
  }
  return false;
}

static enum bt_code push_id(struct bt_json *list, const char *id, struct bt_error *err) {
  return bt_json_push(list, bt_json_new_string(id)) == BT_OK ? BT_OK : no_memory(err);
}

/* Content that is neither blank nor `1`. *readable tells whether it was JSON. */
static enum bt_code parse_members(struct bt_slice bytes, struct bt_json *sessions, bool *readable,
                                  struct bt_error *err) {
  enum bt_code code = BT_OK;
  struct bt_error problem = {0};
  struct bt_json *document = bt_json_parse(bytes.data, bytes.length, &problem);
  *readable = document != NULL;
  if (document == NULL)
    return problem.code == BT_NOMEM ? no_memory(err) : BT_OK;
  const struct bt_json *list = bt_json_get(document, "sessions");
  if (bt_json_type(list) == BT_JSON_ARRAY) {
    for (const struct bt_json *one = bt_json_first(list); one != NULL && code == BT_OK; one = bt_json_next(one)) {
      if (bt_id_is_safe(bt_json_string(one)))
        code = push_id(sessions, bt_json_string(one), err);
    }
  }
  bt_json_free(document);
  return code;
}

/* True for content that only says "denies exist": blank or `1`. */
static enum bt_code is_bare(struct bt_slice bytes, bool *bare, struct bt_error *err) {
  struct bt_str text;
  bt_str_init(&text, 3 * (size_t)BT_MAX_SENTINEL_BYTES + 3);
  bt_utf8_decode8(&text, bytes.data, bytes.length);
  struct bt_slice trimmed = bt_trim_w(text.data, text.length);
  *bare = trimmed.length == 0 || bt_slice_equals(trimmed, "1");
  bool failed = text.failed;
  bt_str_dispose(&text);
  return failed ? no_memory(err) : BT_OK;
}

/* *counts: the content could be made sense of. */
static enum bt_code take_content(struct bt_slice bytes, struct bt_json *sessions, bool *counts, struct bt_error *err) {
  enum bt_code code = is_bare(bytes, counts, err);
  return code == BT_OK && !*counts ? parse_members(bytes, sessions, counts, err) : code;
}

static enum bt_code read_file(int ledger, const char *path, bool from_legacy, struct bt_sentinel *out,
                              struct bt_error *err) {
  bool counts = false;
  struct bt_error problem = {0};
  struct bt_str bytes;
  bt_str_init(&bytes, BT_MAX_SENTINEL_BYTES);
  enum bt_code code = bt_fs_read_at(ledger, path, &bytes, &problem);
  if (code == BT_OK)
    code = take_content((struct bt_slice){bytes.data, bytes.length}, out->sessions, &counts, err);
  else
    code = code == BT_NOMEM ? no_memory(err) : BT_OK;
  out->expected = true;
  out->legacy = from_legacy && counts;
  bt_str_dispose(&bytes);
  return code;
}

enum bt_code bt_sentinel_parse(const char *bytes, size_t length, struct bt_sentinel *out, struct bt_error *err) {
  bool counts = false;
  *out = (struct bt_sentinel){.expected = true, .file_there = true, .sessions = bt_json_new_array()};
  if (out->sessions == NULL)
    return no_memory(err);
  return take_content((struct bt_slice){bytes, length}, out->sessions, &counts, err);
}

enum bt_code bt_sentinel_read(int ledger, struct bt_sentinel *out, struct bt_error *err) {
  *out = (struct bt_sentinel){.sessions = bt_json_new_array()};
  if (out->sessions == NULL)
    return no_memory(err);
  enum bt_presence here = bt_presence_of(ledger, BT_PATH_SENTINEL);
  out->file_there = here != BT_ABSENT;
  const char *path = out->file_there ? BT_PATH_SENTINEL : BT_PATH_LEGACY_SENTINEL;
  if (!out->file_there)
    here = bt_presence_of(ledger, path);
  out->expected = here != BT_ABSENT;
  return here == BT_THERE ? read_file(ledger, path, !out->file_there, out, err) : BT_OK;
}

static int compare_units(const void *a, const void *b) {
  const char *left = *(const char *const *)a;
  const char *right = *(const char *const *)b;
  return bt_utf16_compare(left, strlen(left), right, strlen(right));
}

enum bt_code bt_sentinel_plan(const struct bt_sentinel *sentinel, const char *id, struct bt_json **sessions,
                              bool *write, struct bt_error *err) {
  enum bt_code code = BT_OK;
  size_t read = bt_json_count(sentinel->sessions);
  size_t count = 0;
  const char **ids = calloc(read + 1, sizeof *ids);
  *sessions = bt_json_new_array();
  if (ids == NULL || *sessions == NULL) {
    code = no_memory(err);
    goto out;
  }
  for (const struct bt_json *one = bt_json_first(sentinel->sessions); one != NULL; one = bt_json_next(one))
    ids[count++] = bt_json_string(one);
  if (bt_id_is_safe(id))
    ids[count++] = id;
  qsort(ids, count, sizeof *ids, compare_units);

  bool has_duplicate = false; /* sorted, so that equal ids are neighbours */
  bool id_is_new = bt_id_is_safe(id) && !bt_sentinel_has(sentinel, id);
  size_t kept = 0;
  for (size_t i = 0; i < count && code == BT_OK; i++) {
    if (i > 0 && strcmp(ids[i], ids[i - 1]) == 0)
      continue;
    code = push_id(*sessions, ids[i], err);
    kept++;
  }
  has_duplicate = kept != read + (id_is_new ? 1 : 0);
  *write = !sentinel->expected || sentinel->legacy || !sentinel->file_there || id_is_new || has_duplicate;
out:
  free(ids);
  if (code != BT_OK) {
    bt_json_free(*sessions);
    *sessions = NULL;
  }
  return code;
}

void bt_sentinel_print(struct bt_str *out, const struct bt_json *sessions) {
  bt_str_puts(out, "{\"schema\":1,\"sessions\":");
  bt_json_print_compact(out, sessions);
  bt_str_puts(out, "}\n");
}
