/* core/records/view.h - reads a whole record store for a screen: every record verified, every source looked at.
 *
 * Reads only: no index is remade, no lock is taken. Takes as long as the files are large: not for a thread that draws.
 * Rules: spec/session-records.md 8.7, 9.2, 9.5. */
#ifndef BATON_CORE_RECORDS_VIEW_H
#define BATON_CORE_RECORDS_VIEW_H

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/env.h"
#include "core/model/records_view.h"

/* On BT_OK *view is the caller's. A store that is not there yet is an empty view. BT_INPUT (the configuration is not
 * valid), BT_IO, BT_NOMEM, BT_STATE once env's give_up says so. */
enum bt_code bt_records_view_load(const struct bt_env *env, struct bt_records_view **view,
                                  struct bt_error *err) BT_NODISCARD;

/* HANDOFF.md of a record's folder (as the view names it), up to the ceiling of `out`, as internal text. */
enum bt_code bt_records_brief(const char *folder, struct bt_str *out, struct bt_error *err) BT_NODISCARD;

#endif
