/* core/delivery/authority.h - does the recorded boundary cover a step?
 *
 * Pure. Granting matches exactly, withholding loosely. Rules: spec/delivery-handoff.md 9 steps 4 and 5. */
#ifndef BATON_CORE_DELIVERY_AUTHORITY_H
#define BATON_CORE_DELIVERY_AUTHORITY_H

#include "core/delivery/record.h"
#include "core/delivery/verdict.h"

enum bt_authority_word { BT_AUTHORITY_CURRENT, BT_AUTHORITY_WITHDRAWN, BT_AUTHORITY_UNKNOWN }; /* --authorization */

/* BT_VERDICT_USABLE, or the verdict with its reason added. `step` is trimmed. */
enum bt_verdict bt_authority_outer(const struct bt_delivery *delivery, enum bt_authority_word word,
                                   struct bt_codes *reasons);
enum bt_verdict bt_authority_of_step(const struct bt_delivery *delivery, const char *step, struct bt_codes *reasons);

#endif
