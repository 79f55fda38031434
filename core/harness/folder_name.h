/* core/harness/folder_name.h - the folder in which Claude Code keeps the sessions of a working folder. Rules:
 * spec/transcripts.md 1.1. Pure. */
#ifndef BATON_CORE_HARNESS_FOLDER_NAME_H
#define BATON_CORE_HARNESS_FOLDER_NAME_H

#include <stdbool.h>

#include "core/base/str.h"

#define BT_FOLDER_NAME_UNITS \
  200 /* UTF-16 units; a longer name is cut there and gets `-` and a hash of the program's own */

/* Appends the name for `cwd` (absolute, internal text), cut where it is too long. */
void bt_folder_name(struct bt_str *out, const char *cwd);

/* Whether `name` is the folder of `cwd`, or of a folder below it; a hint only, for the mapping loses characters. */
bool bt_folder_name_may_hold(const char *name, const char *cwd);

#endif
