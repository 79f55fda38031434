/* core/records/listing.h - the reading verbs: what they print, as bytes.
 *
 * Rules: spec/session-records.md 9. Each remakes INDEX.json first. `out` gets standard output; on failure it may hold a
 * part that is not to be printed. Errors are those of core/records/index.h and the ones named. */
#ifndef BATON_CORE_RECORDS_LISTING_H
#define BATON_CORE_RECORDS_LISTING_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/records/index.h"
#include "core/records/store.h"

/* Rows in the order of `list`, newest first; those that `only` (NULL: all) names or begins. The rows are borrowed from
 * the index; the list itself is the caller's (free). BT_MISSING when none is left. */
enum bt_code bt_listing_rows(const struct bt_record_index *index, const char *only, const struct bt_record_row ***rows,
                             size_t *count, struct bt_error *err) BT_NODISCARD;
void bt_listing_line(struct bt_str *out, const struct bt_record_row *row); /* with its LF */

void bt_records_config(const struct bt_records *records, struct bt_str *out);
enum bt_code bt_records_list(const struct bt_records *records, const char *only, struct bt_str *out,
                             struct bt_error *err) BT_NODISCARD;
enum bt_code bt_records_show(const struct bt_records *records, const char *prefix, struct bt_str *out,
                             struct bt_error *err) BT_NODISCARD;
/* BT_CORRUPT: err's message is the whole FAIL line without `handoff: `. */
enum bt_code bt_records_verify(const struct bt_records *records, const char *prefix, struct bt_str *out,
                               struct bt_error *err) BT_NODISCARD;

/* Finds the session of a prefix: its row (borrowed from the index) and its open folder. -1 on failure. */
int bt_records_session(const struct bt_records *records, const char *prefix, struct bt_record_index *index, int *root,
                       const struct bt_record_row **row, struct bt_error *err) BT_NODISCARD;

#endif
