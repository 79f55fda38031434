/* core/store/supervised.h - the supervisors of this host, as their state files tell, where /proc agrees.
 *
 * Reads $XDG_STATE_HOME/baton/supervise/; written by core/supervise/status.c alone. A file is believed only while a process
 * of that id lives and began when the file says it did. */
#ifndef BATON_CORE_STORE_SUPERVISED_H
#define BATON_CORE_STORE_SUPERVISED_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/env.h"
#include "core/model/supervised.h"

struct bt_arena;

#define BT_SUPERVISED_FOLDER "supervise" /* below env->state_dir */
#define BT_SUPERVISED_FILE_MAX ((size_t)256 * 1024)

/* Every believed one, by file name. Strings and list in `arena`. What cannot be read is left out; BT_NOMEM only. */
enum bt_code bt_supervised_load(const struct bt_env *env, struct bt_arena *arena, const struct bt_supervised **list,
                                size_t *count, struct bt_error *err) BT_NODISCARD;

/* Does the process `pid` live, and did it begin at `started_ms` as far as the clock of /proc can tell? */
bool bt_supervised_is_alive(const struct bt_env *env, double pid, int64_t started_ms);

#endif
