/* tui/pager.c - making text safe to show, and handing it over. */
#include "tui/pager.h"

#include <stdlib.h>

#include "core/base/fs.h"
#include "core/base/str.h"
#include "core/base/utf8.h"
#include "core/ops/own_file.h"
#include "tui/child.h"

#define SHOWN_BYTES_MAX ((size_t)16 * 1024 * 1024)
#define PATH_BYTES_MAX ((size_t)64 * 1024)

/* Line by line: only line breaks and tabs stay what they are. */
static enum bt_code make_visible(struct bt_str *out, const char *text, size_t length, struct bt_error *err) {
  for (size_t at = 0; at < length;) {
    size_t run = 0;
    while (at + run < length && text[at + run] != '\n' && text[at + run] != '\t')
      run++;
    bt_text_visible(out, text + at, run);
    at += run;
    if (at < length)
      bt_str_putc(out, text[at++]);
  }
  if (out->length > 0 && out->data[out->length - 1] != '\n')
    bt_str_putc(out, '\n');
  return out->failed ? bt_error_set(err, BT_TOO_LARGE, "text", "the text is too long to be shown") : BT_OK;
}

enum bt_code pager_show(const char *text, size_t length, struct bt_error *err) {
  struct bt_str shown;
  bt_str_init(&shown, SHOWN_BYTES_MAX);
  enum bt_code code = make_visible(&shown, text, length, err);
  if (code == BT_OK)
    code = child_in_front("PAGER", "less", NULL, &shown, err);
  bt_str_dispose(&shown);
  return code;
}

/* Whatever an editor writes, it is only the copy. */
static enum bt_code edit(const struct bt_env *env, struct bt_str *copy, struct bt_error *err) {
  const char *visual = getenv("VISUAL");
  struct bt_error ignored;
  enum bt_code code = child_in_front(visual && *visual ? "VISUAL" : "EDITOR", "vi", copy->data, NULL, err);
  enum bt_code removed = bt_own_file_remove(env, copy->data, code == BT_OK ? err : &ignored);
  return code == BT_OK && removed != BT_MISSING ? removed : code;
}

enum bt_code editor_show(const struct bt_env *env, const char *path, const char *text, size_t length,
                         struct bt_error *err) {
  if (env->readonly)
    return pager_show(text, length, err);
  struct bt_str shown, copy;
  bt_str_init(&shown, SHOWN_BYTES_MAX);
  bt_str_init(&copy, PATH_BYTES_MAX);
  enum bt_code code = make_visible(&shown, text, length, err);
  if (code == BT_OK)
    code = bt_own_file_write(env, BT_OWN_COPY, bt_path_basename(path), shown.data, shown.length, &copy, err);
  if (code == BT_OK)
    code = edit(env, &copy, err);
  bt_str_dispose(&shown);
  bt_str_dispose(&copy);
  return code;
}
