/* tui/clipboard.c - OSC 52 and its base64. */
#include "tui/clipboard.h"

#include <stdint.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void base64(struct bt_str *out, const unsigned char *bytes, size_t length) {
  for (size_t at = 0; at < length; at += 3) {
    size_t left = length - at;
    uint32_t group = (uint32_t)bytes[at] << 16;
    group |= left > 1 ? (uint32_t)bytes[at + 1] << 8 : 0;
    group |= left > 2 ? (uint32_t)bytes[at + 2] : 0;
    bt_str_putc(out, digits[group >> 18 & 63]);
    bt_str_putc(out, digits[group >> 12 & 63]);
    bt_str_putc(out, left > 1 ? digits[group >> 6 & 63] : '=');
    bt_str_putc(out, left > 2 ? digits[group & 63] : '=');
  }
}

void clipboard_osc52(struct bt_str *out, const char *text, size_t length) {
  if (length > CLIPBOARD_BYTES_MAX)
    return;
  bt_str_puts(out, "\033]52;c;");
  base64(out, (const unsigned char *)text, length);
  bt_str_puts(out, "\a");
}
