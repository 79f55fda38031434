/* core/text/fence.c - delimiters around hostile text, and none inside it. */
#include "core/text/fence.h"

#include <string.h>

#include "core/text/find.h"

static void without_delimiter(struct bt_str *out, const char *text, size_t length, const char *delimiter) {
  size_t from = 0;
  for (size_t hit; (hit = bt_text_find(text, length, from, delimiter)) < length; from = hit + strlen(delimiter)) {
    bt_str_append(out, text + from, hit - from);
    bt_str_puts(out, BT_FENCE_REMOVED);
  }
  bt_str_append(out, text + from, length - from);
}

enum bt_code bt_fence(struct bt_str *out, const char *content, size_t length, struct bt_redact_list *list,
                      struct bt_error *err) {
  size_t ceiling = length * 2 + 64; /* a removed delimiter leaves at most twice its own length behind */
  struct bt_str opened, closed, redacted;
  bt_str_init(&opened, ceiling);
  bt_str_init(&closed, ceiling);
  bt_str_init(&redacted, out->ceiling);
  without_delimiter(&opened, content ? content : "", content ? length : 0, BT_FENCE_OPEN);
  without_delimiter(&closed, opened.data, opened.length, BT_FENCE_CLOSE);
  enum bt_code code;
  if (opened.failed || closed.failed)
    code = bt_error_set(err, BT_NOMEM, "fence", "out of memory");
  else
    code = bt_redact(&redacted, closed.data, closed.length, list, err);
  if (code == BT_OK) {
    size_t before = out->length;
    bt_str_puts(out, BT_FENCE_OPEN "\n");
    bt_str_append(out, redacted.data, redacted.length);
    bt_str_puts(out, "\n" BT_FENCE_CLOSE);
    if (out->failed) {
      bt_str_truncate(out, before);
      code = bt_error_set(err, BT_TOO_LARGE, "fence", "the fenced text is past its limit");
    }
  }
  bt_str_dispose(&opened);
  bt_str_dispose(&closed);
  bt_str_dispose(&redacted);
  return code;
}

size_t bt_fence_count_removed(const char *text, size_t length) {
  return bt_text_count(text, length, BT_FENCE_REMOVED);
}
