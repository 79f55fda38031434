/* core/harness/windows.h - the user's word for how large a model's or a session's window is.
 *
 * <config>/windows: one line each, `NAME TOKENS`; NAME is a session's id or a model, a model may end in `*`. Anything
 * after # is for people. A session's line beats a model's, a whole name beats one with `*`, a later line beats an
 * earlier one. Rules: spec/transcripts.md 6, window rule 1. */
#ifndef BATON_CORE_HARNESS_WINDOWS_H
#define BATON_CORE_HARNESS_WINDOWS_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

struct bt_windows {
  struct bt_window {
    char *name; /* owned */
    int64_t tokens;
  } * list;
  size_t count;
};

/* An absent file sets nothing. BT_CORRUPT names the line that is not understood (the others count), BT_NOMEM. Dispose
 * of the result in any case. */
enum bt_code bt_windows_load(struct bt_windows *windows, const char *config_dir, struct bt_error *err) BT_NODISCARD;
void bt_windows_dispose(struct bt_windows *windows);

/* 0 when nothing is set. `session_id` and `model` may be NULL. */
int64_t bt_windows_find(const struct bt_windows *windows, const char *session_id, const char *model);

#endif
