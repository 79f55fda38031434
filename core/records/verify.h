/* core/records/verify.h - does a session's folder hold what its manifest says.
 *
 * Rules: spec/session-records.md 9.5. The deeper look is core/records/deep.h. */
#ifndef BATON_CORE_RECORDS_VERIFY_H
#define BATON_CORE_RECORDS_VERIFY_H

#include <stdint.h>

#include "core/base/error.h"
#include "core/base/json.h"

/* The four checks over an open session folder. BT_OK, or BT_CORRUPT with the reason of the first that fails (without
 * the session's name), BT_NOMEM. `turns` gets the number of lines. */
enum bt_code bt_verify(int dir, uint64_t *turns, struct bt_json **manifest, struct bt_error *err) BT_NODISCARD;

#endif
