/* core/records/edit_payload.c - the members of a payload that a retitle or a rename owns (edit.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/harness/read_at.h"
#include "core/records/edit.h"
#include "core/records/json_check.h"
#include "core/records/timeline.h"

#define TREE_BYTES_MAX ((int64_t)4 << 20) /* beyond it the file is edited in place of being taken apart */
#define MEMBER_BYTES_MAX ((size_t)64 << 20)
#define PIECE_BYTES ((size_t)256 << 10)
#define CHANGED_MAX 4

/* A changed copy of the object `key` of `root`, put back. Nothing where there is none. */
static enum bt_code change_group(struct bt_json *root, const char *key, const struct bt_edit *edit) {
  const struct bt_json *old = bt_json_get(root, key);
  if (bt_json_type(old) != BT_JSON_OBJECT)
    return BT_OK;
  struct bt_json *group = bt_json_clone(old);
  enum bt_code code = group != NULL ? BT_OK : BT_NOMEM;
  bool is_provenance = strcmp(key, "provenance") == 0;
  if (code == BT_OK && is_provenance)
    code = bt_json_set_string(group, "manifest_sha256", edit->manifest_sha256);
  if (code == BT_OK && is_provenance && edit->title != NULL)
    code = bt_json_set_number(group, "revision", edit->revision);
  if (code == BT_OK && !is_provenance && edit->title != NULL)
    code = bt_json_set_string(group, "title", edit->title);
  if (code != BT_OK) {
    bt_json_free(group);
    return code;
  }
  return bt_json_set(root, key, group);
}

static enum bt_code change(struct bt_json *root, const struct bt_edit *edit) {
  enum bt_code code = change_group(root, "session", edit);
  if (code == BT_OK)
    code = change_group(root, "provenance", edit);
  if (code == BT_OK && edit->title != NULL)
    code = bt_json_set_string(root, "generated_at", edit->updated_at);
  if (code == BT_OK && edit->project != NULL)
    code = bt_json_set_string(root, "project", edit->project);
  return code;
}

static enum bt_code edit_tree(struct bt_draft *draft, int dir, const char *name, const struct bt_edit *edit,
                              struct bt_error *err) {
  struct bt_str text;
  struct bt_error why = {0};
  bt_str_init(&text, BT_RENDER_BYTES_MAX);
  enum bt_code code = bt_fs_read_at(dir, name, &text, err);
  struct bt_json *root = code == BT_OK ? bt_json_parse(text.data, text.length, &why) : NULL;
  if (code == BT_OK && bt_json_type(root) != BT_JSON_OBJECT)
    code = bt_error_set(err, why.code == BT_NOMEM ? BT_NOMEM : BT_CORRUPT, name, "%s is no JSON object", name);
  if (code == BT_OK) {
    code = change(root, edit);
    bt_str_clear(&text);
    bt_json_print_pretty(&text, root);
    if (code != BT_OK || text.failed)
      code = bt_error_set(err, BT_NOMEM, name, "out of memory");
    bt_outlet_put(&draft->outlet, text.data, text.length);
  }
  bt_json_free(root);
  bt_str_dispose(&text);
  return code;
}

/* ---- a large file: its changed members are put in where they stand ---- */

static enum bt_code copy_range(struct bt_draft *draft, int fd, int64_t from, int64_t to, struct bt_error *err) {
  char *piece = malloc(PIECE_BYTES);
  enum bt_code code = piece != NULL ? BT_OK : bt_error_set(err, BT_NOMEM, "", "out of memory");
  while (code == BT_OK && from < to) {
    size_t want = to - from < (int64_t)PIECE_BYTES ? (size_t)(to - from) : PIECE_BYTES;
    if (bt_read_at(fd, piece, want, from) != (ssize_t)want)
      code = bt_error_set_errno(err, errno, draft->name, "%s cannot be read", draft->name);
    else
      bt_outlet_put(&draft->outlet, piece, want);
    if (code == BT_OK)
      code = draft->outlet.code;
    from += (int64_t)want;
  }
  free(piece);
  return code;
}

/* The member, changed, in the layout of its place. */
static enum bt_code put_member(struct bt_draft *draft, int fd, const struct bt_json_member_span *span,
                               const struct bt_edit *edit, struct bt_error *err) {
  size_t length = (size_t)(span->end - span->start);
  char *bytes = length <= MEMBER_BYTES_MAX ? malloc(length + 1) : NULL;
  struct bt_json *root = bt_json_new_object();
  struct bt_str text;
  bt_str_init(&text, MEMBER_BYTES_MAX * 2);
  enum bt_code code = bytes != NULL && root != NULL ? BT_OK : BT_NOMEM;
  if (code == BT_OK && bt_read_at(fd, bytes, length, span->start) != (ssize_t)length)
    code = BT_IO;
  if (code == BT_OK)
    code = bt_json_set(root, span->key, bt_json_parse(bytes, length, NULL));
  if (code == BT_OK)
    code = change(root, edit);
  bt_json_print_pretty(&text, bt_json_get(root, span->key));
  if (code == BT_OK && text.failed)
    code = BT_NOMEM;
  if (code != BT_OK)
    (void)bt_error_set(err, code, draft->name, "%s: %s", draft->name, bt_code_words(code));
  for (const char *at = text.data; code == BT_OK && *at != '\0';) {
    size_t line = strcspn(at, "\n");
    bt_outlet_put(&draft->outlet, at, line);
    at += line;
    if (*at == '\n') {
      bt_outlet_puts(&draft->outlet, "\n  ");
      at++;
    }
  }
  free(bytes);
  bt_json_free(root);
  bt_str_dispose(&text);
  return code;
}

static enum bt_code edit_spans(struct bt_draft *draft, int fd, int64_t size, const struct bt_json_check *check,
                               const struct bt_edit *edit, struct bt_error *err) {
  const char *const keys[CHANGED_MAX] = {"session", "provenance", edit->title != NULL ? "generated_at" : "",
                                         edit->project != NULL ? "project" : ""};
  enum bt_code code = BT_OK;
  int64_t at = 0;
  for (size_t i = 0; code == BT_OK && i < check->member_count && i < BT_JSON_CHECK_MEMBERS; i++) {
    const struct bt_json_member_span *span = &check->members[i];
    bool is_changed = false;
    for (size_t k = 0; k < CHANGED_MAX; k++)
      is_changed = is_changed || strcmp(span->key, keys[k]) == 0;
    if (!is_changed)
      continue;
    code = copy_range(draft, fd, at, span->start, err);
    if (code == BT_OK)
      code = put_member(draft, fd, span, edit, err);
    at = span->end;
  }
  return code == BT_OK ? copy_range(draft, fd, at, size, err) : code;
}

static enum bt_code edit_large(struct bt_draft *draft, int fd, int64_t size, const char *name,
                               const struct bt_edit *edit, struct bt_error *err) {
  struct bt_json_check *check = malloc(sizeof *check);
  if (check == NULL)
    return bt_error_set(err, BT_NOMEM, name, "out of memory");
  enum bt_code code = bt_json_check_file(check, fd, size, name, err);
  if (code == BT_OK)
    code = edit_spans(draft, fd, size, check, edit, err);
  free(check);
  return code;
}

enum bt_code bt_edit_payload(struct bt_draft *draft, int dir, const char *name, const struct bt_edit *edit,
                             struct bt_error *err) {
  struct stat found;
  int fd = bt_fs_open_file_at(dir, name, err);
  if (fd < 0)
    return BT_IO;
  enum bt_code code;
  if (fstat(fd, &found) != 0)
    code = bt_error_set_errno(err, errno, name, "%s cannot be read", name);
  else if ((int64_t)found.st_size <= TREE_BYTES_MAX)
    code = edit_tree(draft, dir, name, edit, err);
  else
    code = edit_large(draft, fd, (int64_t)found.st_size, name, edit, err);
  (void)close(fd);
  return code;
}
