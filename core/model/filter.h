/* core/model/filter.h - does a session or a lock pass what was typed after `/`?
 *
 * Words are separated by blanks and all must be found, case-blind (ASCII), in any of the texts a row shows.
 * `field:word` looks into one field only: state, id or session, ticket, harness, band, deny, lock, brief, host, title,
 * branch;
 * `age>1h` and `age<2d` ask how long the state lasts, in s, m, h, d or w (dashboard.md rows 27, 28). An empty filter
 * passes everything. */
#ifndef BATON_CORE_MODEL_FILTER_H
#define BATON_CORE_MODEL_FILTER_H

#include <stdbool.h>

#include "core/model/log_view.h"
#include "core/model/snapshot.h"

bool bt_filter_session(const char *filter, const struct bt_session *session, int64_t now_ms);
/* Fields: verdict or lock, session or id, host, pid, why, process. */
bool bt_filter_lock(const char *filter, const struct bt_lock *lock);
/* Fields: gate, session, ticket, outcome, signature, chain, seq. */
bool bt_filter_log(const char *filter, const struct bt_log_row *row);

enum bt_filter_rows { BT_FILTER_SESSIONS, BT_FILTER_LOCKS, BT_FILTER_LOG };

/* The first word that reads like a condition but is searched as plain text: an unknown field, an age that is none.
 * Points into `filter`; without data where there is none. */
struct bt_slice bt_filter_doubt(const char *filter, enum bt_filter_rows rows);

const char *bt_filter_words(enum bt_filter_rows rows); /* what may be typed, in one line */

#endif
