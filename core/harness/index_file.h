/* core/harness/index_file.h - the frame of the index file: what says that it is whole and of this program. For
 * core/harness/index*.c. */
#ifndef BATON_CORE_HARNESS_INDEX_FILE_H
#define BATON_CORE_HARNESS_INDEX_FILE_H

#include <stdbool.h>

#include "core/base/str.h"

/* Puts the frame's head; bt_index_write fills in what depends on the entries. */
void bt_index_begin(struct bt_str *file);

/* The entries of a whole index of this version (borrowed); false for anything else. */
bool bt_index_open(const struct bt_str *file, struct bt_slice *entries);

/* Replaces the index in the environment's cache folder by `file` in one step, making the folder where it is missing, and
 * removes what runs that died while writing have left there. False when the system refuses; the old one is then
 * untouched. */
struct bt_env;
bool bt_index_write(const struct bt_env *env, struct bt_str *file);

#endif
