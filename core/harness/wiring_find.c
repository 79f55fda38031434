/* core/harness/wiring_find.c - handlers in a settings document, and whose they are. */
#include <string.h>

#include "core/base/fs.h"
#include "core/harness/wiring.h"

#define COMMAND_BYTES (3 * BT_SETTINGS_MAX) /* more than any command of a settings file: only memory can be short */

/* The member `key` of an object (the last one of that name), as its key's token. */
static uint32_t member(const struct bt_tape *tape, uint32_t object, const char *key) {
  uint32_t value = bt_tape_get(tape, object, key);
  return value != BT_TOKEN_NONE ? value - 1 : BT_TOKEN_NONE;
}

/* The first word of a shell command, with its quotes taken off; `*rest` is what follows. False for one that is more than
 * plain and quoted pieces. */
static bool first_word(const char *command, struct bt_str *word, const char **rest) {
  while (*command == ' ')
    command++;
  while (*command != '\0' && *command != ' ') {
    if (*command == '\'' || *command == '"') {
      const char *end = strchr(command + 1, *command);
      if (end == NULL)
        return false;
      bt_str_append(word, command + 1, (size_t)(end - command - 1));
      command = end + 1;
    } else {
      command += *command == '\\' && command[1] != '\0';
      bt_str_putc(word, *command++);
    }
  }
  *rest = command;
  return !word->failed;
}

/* Does the command call `baton hook WORD`, wherever that baton lies? False with *failed: memory was short. */
static bool is_ours(const char *command, const char *word, bool *failed) {
  struct bt_str program;
  const char *rest = "";
  bt_str_init(&program, COMMAND_BYTES);
  bool ours = first_word(command, &program, &rest) && strcmp(bt_path_basename(program.data), "baton") == 0 &&
              bt_starts_with(rest, " hook ") && bt_starts_with(rest + 6, word);
  if (ours) {
    char after = rest[6 + strlen(word)];
    ours = after == '\0' || after == ' ';
  }
  *failed |= program.failed;
  bt_str_dispose(&program);
  return ours;
}

enum whose { NOBODYS, OURS, OURS_EXACTLY, ANOTHERS };

/* A handler that runs beside the call, or is not run as a command, stops nothing. */
static bool is_waited_for(const struct bt_tape *tape, uint32_t handler) {
  return bt_tape_is(tape, bt_tape_get(tape, handler, "type"), "command") &&
         !bt_tape_is_true(tape, bt_tape_get(tape, handler, "async"));
}

static enum whose whose_handler(const struct bt_tape *tape, uint32_t group, uint32_t handler,
                                const struct bt_wiring_entry *entry, bool *failed) {
  struct bt_str command;
  enum whose whose = NOBODYS;
  bt_str_init(&command, COMMAND_BYTES);
  bt_tape_text(tape, bt_tape_get(tape, handler, "command"), &command);
  if (strcmp(command.data, entry->command.data) == 0 && command.length > 0)
    whose = is_waited_for(tape, handler) && bt_tape_is(tape, bt_tape_get(tape, group, "matcher"), entry->matcher)
                ? OURS_EXACTLY
                : OURS;
  else if (is_ours(command.data, entry->word, failed))
    whose = OURS;
  else if (command.length > 0)
    whose = ANOTHERS;
  *failed |= command.failed;
  bt_str_dispose(&command);
  return whose;
}

/* Visits every handler under the entry's event until one is of `wanted`. */
static bool find(const struct bt_tape *tape, const struct bt_wiring_entry *entry, enum whose wanted,
                 struct bt_wired_at *at) {
  if (bt_tape_type(tape, 0) != BT_JSON_OBJECT)
    return false;
  at->hooks_key = member(tape, 0, "hooks");
  at->list_key = at->hooks_key != BT_TOKEN_NONE ? member(tape, at->hooks_key + 1, entry->event) : BT_TOKEN_NONE;
  if (at->list_key == BT_TOKEN_NONE || bt_tape_type(tape, at->list_key + 1) != BT_JSON_ARRAY)
    return false;
  uint32_t list = at->list_key + 1;
  for (at->group = bt_tape_first(tape, list); at->group != BT_TOKEN_NONE;
       at->group = bt_tape_next(tape, list, at->group)) {
    at->handlers_key = member(tape, at->group, "hooks");
    if (at->handlers_key == BT_TOKEN_NONE || bt_tape_type(tape, at->handlers_key + 1) != BT_JSON_ARRAY)
      continue;
    uint32_t handlers = at->handlers_key + 1;
    for (at->handler = bt_tape_first(tape, handlers); at->handler != BT_TOKEN_NONE;
         at->handler = bt_tape_next(tape, handlers, at->handler)) {
      bool is_wanted = whose_handler(tape, at->group, at->handler, entry, &at->failed) == wanted;
      if (is_wanted || at->failed)
        return !at->failed;
    }
  }
  return false;
}

bool bt_wiring_find(const struct bt_tape *settings, const struct bt_wiring_entry *entry, struct bt_wired_at *at) {
  *at = (struct bt_wired_at){0};
  if (settings->count == 0)
    return false;
  if (find(settings, entry, OURS, at))
    return true;
  if (at->failed)
    return false;
  at->exact = true;
  return find(settings, entry, OURS_EXACTLY, at);
}

enum bt_wiring_state bt_wiring_judge(const struct bt_tape *settings, const struct bt_wiring_entry *entries,
                                     bool *failed) {
  struct bt_wired_at at;
  size_t found = 0, exact = 0;
  if (failed != NULL)
    *failed = false;
  if (settings->count == 0)
    return BT_WIRING_UNWIRED;
  if (bt_tape_type(settings, 0) != BT_JSON_OBJECT)
    return BT_WIRING_UNREADABLE;
  for (size_t i = 0; i < BT_WIRING_ENTRIES; i++) {
    bool here = bt_wiring_find(settings, &entries[i], &at);
    if (at.failed)
      goto out_of_memory;
    found += here;
    exact += here && at.exact;
  }
  if (exact == BT_WIRING_ENTRIES)
    return BT_WIRING_WIRED;
  if (found > 0)
    return BT_WIRING_OUTDATED;
  bool foreign = find(settings, &entries[0], ANOTHERS, &at);
  if (at.failed)
    goto out_of_memory;
  return foreign ? BT_WIRING_FOREIGN : BT_WIRING_UNWIRED;
out_of_memory:
  if (failed != NULL)
    *failed = true;
  return BT_WIRING_UNREADABLE;
}
