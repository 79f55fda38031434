/* core/text/capture.c - canonical form, hash and cut of a capture body. */
#include "core/text/capture.h"

#include <string.h>

#include "core/base/utf8.h"

/* Takes the spaces and tabs off the end of the present line; `base` is where our own text began. */
static void strip_line_end(struct bt_str *out, size_t base) {
  size_t length = out->length;
  while (length > base && (out->data[length - 1] == ' ' || out->data[length - 1] == '\t'))
    length--;
  bt_str_truncate(out, length);
}

static void canonical_text(struct bt_str *out, const char *text, size_t length) {
  size_t from = 0;
  for (size_t at = 0; at < length; at++) {
    if (text[at] != '\n' && text[at] != '\r')
      continue;
    bt_str_append(out, text + from, at - from);
    strip_line_end(out, 0);
    bt_str_putc(out, '\n');
    if (text[at] == '\r' && at + 1 < length && text[at + 1] == '\n')
      at++;
    from = at + 1;
  }
  bt_str_append(out, text + from, length - from);
  strip_line_end(out, 0);
}

void bt_capture_canonical(struct bt_str *out, const char *text, size_t length) {
  if (!text)
    return;
  struct bt_str canonical;
  bt_str_init(&canonical, length);
  canonical_text(&canonical, text, length);
  bt_utf8_encode8(out, canonical.data, canonical.length);
  out->failed = out->failed || canonical.failed;
  bt_str_dispose(&canonical);
}

enum bt_code bt_capture_hash(const char *text, size_t length, char hex[BT_SHA256_HEX], struct bt_error *err) {
  struct bt_str canonical;
  bt_str_init(&canonical, text ? length : 0);
  bt_capture_canonical(&canonical, text, length);
  hex[0] = '\0';
  enum bt_code code = canonical.failed ? bt_error_set(err, BT_NOMEM, "capture", "out of memory") : bt_digest_load(err);
  if (code == BT_OK)
    bt_sha256_hex(canonical.data, canonical.length, hex);
  bt_str_dispose(&canonical);
  return code;
}

/* Bytes that the character at *at takes when written; moves *at behind it. Only a NUL is shorter then. */
static size_t stored_step(const char *text, size_t length, size_t *at) {
  size_t from = *at;
  uint32_t code_point = bt_utf8_next(text, length, at);
  return code_point == 0 ? 1 : *at - from;
}

size_t bt_text_stored_bytes(const char *text, size_t length) {
  size_t bytes = 0;
  for (size_t at = 0; text && at < length;)
    bytes += stored_step(text, length, &at);
  return bytes;
}

bool bt_text_cap(struct bt_str *out, const char *text, size_t length, size_t max_bytes, const char *mark,
                 size_t *kept_bytes) {
  size_t stored = bt_text_stored_bytes(text, length);
  bool cut = stored > max_bytes;
  if (cut) {
    size_t mark_bytes = bt_text_stored_bytes(mark, strlen(mark));
    size_t room = max_bytes > mark_bytes ? max_bytes - mark_bytes : 0;
    size_t at = 0;
    for (stored = 0; at < length;) {
      size_t next = at, step = stored_step(text, length, &next);
      if (stored + step > room)
        break;
      stored += step;
      at = next;
    }
    bt_str_append(out, text, at);
    bt_str_puts(out, mark);
  } else if (text) {
    bt_str_append(out, text, length);
  }
  if (kept_bytes)
    *kept_bytes = stored;
  return cut;
}
