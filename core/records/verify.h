/* core/records/verify.h - does a session's folder hold what its manifest says.
 *
 * Rules: spec/session-records.md 9.5. The deeper look is core/records/deep.h. */
#ifndef BATON_CORE_RECORDS_VERIFY_H
#define BATON_CORE_RECORDS_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/records/index.h"

/* The four checks over an open session folder. BT_OK, or BT_CORRUPT with the reason of the first that fails (without
 * the session's name), BT_NOMEM. `turns` gets the number of lines. */
enum bt_code bt_verify(int dir, uint64_t *turns, struct bt_json **manifest, struct bt_error *err) BT_NODISCARD;

/* The same for the record of `row` in the store `root`, open as `dir`: what fails is looked at once more with the
 * record's own lock, for a build in progress is no damage. BT_BUSY while one is running (with `wait`, after ten seconds
 * of it), and where the record has been given another name since it was opened. */
enum bt_code bt_verify_apart(int root, const struct bt_record_row *row, bool wait, int dir, uint64_t *turns,
                             struct bt_json **manifest, struct bt_error *err) BT_NODISCARD;

/* Takes that lock. BT_BUSY as above; BT_OK also where nothing can be locked, since nobody can write there either. The
 * caller releases it in every case. */
enum bt_code bt_verify_hold(struct bt_store_lock *lock, int root, const struct bt_record_row *row, int dir, bool wait,
                            struct bt_error *err) BT_NODISCARD;

#endif
