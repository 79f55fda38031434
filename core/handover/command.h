/* core/handover/command.h - does a shell command of the worker write a handover, or read one?
 *
 * Pure text. Rules: spec/handover-request.md 4 "Kind of a command". */
#ifndef BATON_CORE_HANDOVER_COMMAND_H
#define BATON_CORE_HANDOVER_COMMAND_H

#include <stddef.h>

enum bt_command_kind { BT_COMMAND_NONE, BT_COMMAND_READ, BT_COMMAND_WRITE };

enum bt_command_kind bt_command_kind_of(const char *command, size_t length);
/* The same for a further writer command, words as they stand (`mytool note`). */
enum bt_command_kind bt_command_kind_with(const char *writer, const char *command, size_t length);

#endif
