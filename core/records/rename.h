/* core/records/rename.h - another name, or another project, for a session that is there.
 *
 * Rules: spec/session-records.md 10. Everything new is on disk before the folder moves; the manifest is put in place
 * last. */
#ifndef BATON_CORE_RECORDS_RENAME_H
#define BATON_CORE_RECORDS_RENAME_H

#include "core/base/error.h"
#include "core/records/store.h"

/* `out` gets the line that says so. BT_USAGE (empty prefix or name), BT_MISSING, BT_REFUSED (several), BT_STATE (the
 * name is taken), BT_BUSY, BT_CORRUPT (a file that would have to change does not parse), BT_IO, BT_NOMEM. */
enum bt_code bt_records_retitle(const struct bt_records *records, const char *prefix, const char *name,
                                struct bt_str *out, struct bt_error *err) BT_NODISCARD;
enum bt_code bt_records_rename(const struct bt_records *records, const char *prefix, const char *project,
                               struct bt_str *out, struct bt_error *err) BT_NODISCARD;

#endif
