/* core/records/deep_brief.c - HANDOFF.md made again, as a build, a retitle or a rename left it (deep_parts.h). */
#include <string.h>

#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/records/deep_parts.h"
#include "core/records/edit.h"
#include "core/records/manifest.h"

/* Where `word` stands first (or last) in a text that may hold NUL. NULL: nowhere. */
static const char *find(const struct bt_str *text, const char *word, bool last) {
  size_t length = strlen(word);
  const char *found = NULL, *end = text->data + text->length;
  for (const char *at = text->data; at != NULL && (size_t)(end - at) >= length; at++) {
    at = memchr(at, word[0], (size_t)(end - at) - length + 1);
    if (at == NULL)
      break;
    if (memcmp(at, word, length) == 0) {
      found = at;
      if (!last)
        break;
    }
  }
  return found;
}

/* The value behind `word` in its line: the head's words stand first, whatever is quoted below, and those of the
 * provenance last. Appends nothing where there is none. */
static void value_behind(struct bt_str *out, const struct bt_str *text, const char *word, bool last) {
  const char *at = find(text, word, last);
  if (at == NULL)
    return;
  at += strlen(word);
  bt_str_append(out, at, strcspn(at, " |\n")); /* a text has a NUL behind it */
}

/* What follows the session-id line that a retitle put there. NULL: there is none. */
static const char *behind_id_line(const struct bt_str *text, const struct bt_str *id) {
  static const char mark[] = "\n\n*session-id: ";
  const char *at = find(text, mark, false), *end = text->data + text->length;
  if (at == NULL || (size_t)(end - at) < strlen(mark) + id->length + 2)
    return NULL;
  at += strlen(mark);
  return memcmp(at, id->data, id->length) == 0 && at[id->length + 1] == '\n' ? at + id->length + 2 : NULL;
}

/* Every further retitle leaves something there: an empty line, and of an id that holds a line end what stands behind
 * that, for only the first line of its session-id line is taken away. True: there are such lines. */
static bool add_left_lines(struct bt_str *expected, const struct bt_str *there, const struct bt_str *id) {
  const char *ours = behind_id_line(expected, id), *theirs = behind_id_line(there, id);
  const char *lf = memchr(id->data, '\n', id->length);
  if (ours == NULL || theirs == NULL || there->length <= expected->length)
    return false;
  struct bt_str longer;
  bt_str_init(&longer, BT_RENDER_BYTES_MAX);
  bt_str_append(&longer, expected->data, (size_t)(ours - expected->data));
  while (longer.length + (expected->length - (size_t)(ours - expected->data)) < there->length && !longer.failed) {
    bt_str_putc(&longer, '\n');
    if (lf == NULL)
      continue;
    bt_str_append(&longer, lf + 1, id->length - (size_t)(lf + 1 - id->data));
    bt_str_puts(&longer, "*\n");
  }
  bt_str_append(&longer, ours, expected->length - (size_t)(ours - expected->data));
  bt_str_clear(expected);
  bt_str_append(expected, longer.data, longer.length);
  expected->failed = expected->failed || longer.failed;
  bt_str_dispose(&longer);
  return true;
}

/* The manifest as HANDOFF.md knows it: after a rename time, revision and hash are those of before. */
static struct bt_json *brief_manifest(const struct bt_json *manifest, const struct bt_str *there, bool *is_open) {
  struct bt_json *copy = bt_json_clone(manifest);
  struct bt_str updated, revision, hash;
  double number;
  bt_str_init(&updated, 4096);
  bt_str_init(&revision, 4096);
  bt_str_init(&hash, 4096);
  value_behind(&updated, there, "\n**Updated:** ", false);
  value_behind(&revision, there, "\n- incremental: revisions=", true);
  value_behind(&hash, there, "\n- manifest sha256: ", true);
  number = bt_text_to_number(revision.data, revision.length);
  *is_open = copy != NULL && bt_deep_is_moved(manifest) &&
             !bt_text_equals(hash.data, bt_json_get_string(manifest, "manifest_sha256")) &&
             number < bt_manifest_number(manifest, "revisions");
  if (*is_open && (bt_json_set_string(copy, "updated_at", updated.data) != BT_OK ||
                   bt_json_set_number(copy, "revisions", number) != BT_OK ||
                   bt_json_set_string(copy, "manifest_sha256", hash.data) != BT_OK)) {
    bt_json_free(copy);
    copy = NULL;
  }
  bt_str_dispose(&updated);
  bt_str_dispose(&revision);
  bt_str_dispose(&hash);
  return copy;
}

enum bt_code bt_deep_brief(struct bt_deep *deep, int dir, const char *title, const struct bt_render *like,
                           struct bt_open_words open) {
  struct bt_str there, text, words, retitled, session; /* the first two as bytes */
  struct bt_compare compare;
  bool is_open = false;
  bt_str_init(&there, BT_RENDER_BYTES_MAX);
  bt_str_init(&text, BT_RENDER_BYTES_MAX);
  bt_str_init(&retitled, BT_RENDER_BYTES_MAX);
  bt_str_init(&words, BT_RENDER_BYTES_MAX);
  bt_str_init(&session, BT_MANIFEST_BYTES_MAX);
  bool present = bt_fs_read_at(dir, BT_FILE_BRIEF, &there, NULL) == BT_OK;
  struct bt_render render = *like;
  struct bt_json *manifest = brief_manifest(like->manifest, &there, &is_open);
  render.manifest = manifest;
  render.title = NULL;
  enum bt_code code = manifest != NULL ? bt_render_brief(&text, &render) : BT_NOMEM;
  bt_json_to_text(&session, bt_json_get(manifest, "session"));
  struct bt_edit edit = {.title = title,
                         .session = session.data,
                         .updated_at = bt_json_get_string(manifest, "updated_at"),
                         .manifest_sha256 = bt_json_get_string(manifest, "manifest_sha256"),
                         .revision = bt_manifest_number(manifest, "revisions")};
  if (code == BT_OK && title != NULL) {
    bt_utf8_decode8(&words, text.data, text.length);
    code = words.failed ? BT_NOMEM : bt_edit_brief(&retitled, words.data, words.length, &edit);
    bt_str_clear(&text);
    bt_utf8_encode8(&text, retitled.data, retitled.length);
    bt_str_clear(&words);
    bt_utf8_encode8(&words, session.data, session.length);
    if (present && add_left_lines(&text, &there, &words))
      bt_open_words_add(&open, "how many empty lines retitles left");
  }
  if (is_open)
    bt_open_words_add(&open, "Updated, Revision and manifest sha256, kept from before a rename");
  bt_compare_begin(&compare, dir, BT_FILE_BRIEF);
  bt_outlet_put(&compare.outlet, text.data, text.length);
  if (code == BT_OK)
    code = bt_outlet_flush(&compare.outlet);
  bt_compare_end(deep, &compare, BT_FILE_BRIEF, open.text);
  bt_json_free(manifest);
  bt_str_dispose(&there);
  bt_str_dispose(&text);
  bt_str_dispose(&retitled);
  bt_str_dispose(&words);
  bt_str_dispose(&session);
  return code;
}
