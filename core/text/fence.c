/* core/text/fence.c - delimiters around hostile text, and none inside it. */
#include "core/text/fence.h"

#include <string.h>

/* Where `needle` next stands in `text` from `from` on; `length` when nowhere. */
static size_t find_from(const char *text, size_t length, size_t from, const char *needle) {
  size_t needle_length = strlen(needle);
  while (from + needle_length <= length) {
    const char *hit = memchr(text + from, needle[0], length - from - needle_length + 1);
    if (!hit)
      break;
    if (memcmp(hit, needle, needle_length) == 0)
      return (size_t)(hit - text);
    from = (size_t)(hit - text) + 1;
  }
  return length;
}

static void without_delimiter(struct bt_str *out, const char *text, size_t length, const char *delimiter) {
  size_t from = 0;
  for (size_t hit; (hit = find_from(text, length, from, delimiter)) < length; from = hit + strlen(delimiter)) {
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
  size_t count = 0;
  for (size_t hit, from = 0; (hit = find_from(text, length, from, BT_FENCE_REMOVED)) < length;
       from = hit + strlen(BT_FENCE_REMOVED))
    count++;
  return count;
}
