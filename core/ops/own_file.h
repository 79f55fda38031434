/* core/ops/own_file.h - small files of baton's own, for people to read: a screen written down, a copy for an editor.
 *
 * Below $XDG_STATE_HOME/baton only (dashboard.md rows 103 and 106); the one writer of those folders. */
#ifndef BATON_CORE_OPS_OWN_FILE_H
#define BATON_CORE_OPS_OWN_FILE_H

#include <stddef.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/env.h"

enum bt_own_file { BT_OWN_VIEW, /* in views/ */ BT_OWN_COPY /* in copies/, and its owner cannot write to it either */ };

/* A new file STATE/<folder>/<time>-<name> that nobody else can read; `path` (initialised) receives where it is. `name`
 * is one path component. Never overwrites. BT_READONLY, BT_IO, BT_NOMEM. */
enum bt_code bt_own_file_write(const struct bt_env *env, enum bt_own_file kind, const char *name, const void *bytes,
                               size_t length, struct bt_str *path, struct bt_error *err) BT_NODISCARD;

/* Takes away what bt_own_file_write made; `path` is what it said. */
enum bt_code bt_own_file_remove(const struct bt_env *env, const char *path, struct bt_error *err) BT_NODISCARD;

#endif
