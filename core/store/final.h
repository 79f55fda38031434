/* core/store/final.h - reads one final checkpoint (spec/context-handoff.md 1.2.3). */
#ifndef BATON_CORE_STORE_FINAL_H
#define BATON_CORE_STORE_FINAL_H

#include "core/base/error.h"
#include "core/model/record.h"

struct bt_arena;
struct bt_json;

/* handoffs/finals/<session>.json below the ledger folder `dir`. BT_OK also when it cannot be used: then
 * `final_->error` is the code of spec 1.2.3 (plus `unsafe`, `oversize`) and the fields are NULL. Strings live in
 * `arena` and are the raw stored ones. `document` (may be NULL) receives the parsed document, the caller's, or NULL.
 * BT_UNSAFE for an id that is not safe, BT_NOMEM. */
enum bt_code bt_final_read(int dir, const char *session, struct bt_arena *arena, struct bt_final *final_,
                           struct bt_json **document, struct bt_error *err) BT_NODISCARD;

#endif
