/* core/model/id.h - which texts are session ids, and what a bind field's value is.
 *
 * Pure. Must not know: files, JSON. Every `id` is internal text and may be NULL, which stands for "no
 * string": a caller hands over bt_json_string(value). Rules: spec/context-handoff.md 2.1-2.3. */
#ifndef BATON_CORE_MODEL_ID_H
#define BATON_CORE_MODEL_ID_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/base/str.h"

/* Fit to be the stem of a file name (2.1). */
bool bt_id_is_safe(const char *id);

/* Fit to be quoted in a prompt or a copied command (2.2). */
bool bt_id_is_prompt_safe(const char *id);

enum bt_id_problem { BT_ID_FINE, BT_ID_MISSING, BT_ID_PADDED, BT_ID_UNSAFE };
enum bt_id_problem bt_id_check(const char *id);

/* The command line's form (2.1): BT_USAGE with `missing LABEL`, `padded LABEL` or the path-safety words. */
enum bt_code bt_id_require(const char *id, const char *label, struct bt_error *err) BT_NODISCARD;

/* Normalised bind field (2.3): trimmed, borrowed from `value`; data NULL where the result is null. */
struct bt_slice bt_bind_normalise(const char *value);

/* The gate's "bound" (2.3): a string that is not blank; not trimmed for comparison. */
bool bt_bind_is_bound(const char *value);

#endif
