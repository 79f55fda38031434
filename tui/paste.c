/* tui/paste.c - silence counts from the last character, however often somebody looks in between. */
#include "tui/paste.h"

#include "core/base/utf8.h"

void paste_open(struct paste *paste, int64_t now_ms) {
  paste->open = true;
  paste->at_ms = now_ms;
  bt_str_clear(&paste->text);
}

void paste_take(struct paste *paste, uint32_t character, int64_t now_ms) {
  paste->at_ms = now_ms;
  bt_utf8_put(&paste->text, character == '\r' ? '\n' : character);
}

int paste_patience(const struct paste *paste, int64_t now_ms) {
  int64_t silent = now_ms - paste->at_ms;
  if (!paste->open)
    return -1;
  return silent < PASTE_SILENCE_MS ? (int)(PASTE_SILENCE_MS - silent) : 0;
}
