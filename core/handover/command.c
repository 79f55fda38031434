/* core/handover/command.c - `majordomus handover`, as words of a command line. */
#include "core/handover/command.h"

#include <stdbool.h>
#include <string.h>

static bool is_word(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '_';
}

static bool is_blank(char byte) {
  return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static bool starts_at(const char *text, size_t length, size_t at, const char *word) {
  size_t size = strlen(word);
  return length - at >= size && memcmp(text + at, word, size) == 0;
}

static bool ends_word(const char *text, size_t length, size_t at) {
  return at >= length || !is_word(text[at]);
}

static bool is_handover(const char *text, size_t length) {
  static const char first[] = "majordomus", second[] = "handover";
  for (size_t at = 0; at < length; at++) {
    if (!starts_at(text, length, at, first) || (at > 0 && is_word(text[at - 1])))
      continue;
    size_t next = at + sizeof first - 1, gap = next;
    while (next < length && is_blank(text[next]))
      next++;
    if (next > gap && starts_at(text, length, next, second) && ends_word(text, length, next + sizeof second - 1))
      return true;
  }
  return false;
}

static bool has_option(const char *text, size_t length, const char *option) {
  for (size_t at = 0; at < length; at++) {
    if (starts_at(text, length, at, option) && ends_word(text, length, at + strlen(option)))
      return true;
  }
  return false;
}

/* It is there: a read if it has a reading option, else a write. */
static enum bt_command_kind read_or_write(const char *command, size_t length) {
  bool reads = has_option(command, length, "--resolve") || has_option(command, length, "--list") ||
               has_option(command, length, "--help");
  return reads ? BT_COMMAND_READ : BT_COMMAND_WRITE;
}

enum bt_command_kind bt_command_kind_of(const char *command, size_t length) {
  return is_handover(command, length) ? read_or_write(command, length) : BT_COMMAND_NONE;
}

enum bt_command_kind bt_command_kind_with(const char *writer, const char *command, size_t length) {
  size_t size = strlen(writer);
  for (size_t at = 0; size > 0 && at < length; at++) {
    bool begins = at == 0 || !is_word(command[at - 1]);
    if (begins && starts_at(command, length, at, writer) && ends_word(command, length, at + size))
      return read_or_write(command, length);
  }
  return BT_COMMAND_NONE;
}
