/* core/store/binding.h - does every capture still hash to what its deny record says?
 *
 * Reads only. Rules: spec/context-handoff.md 6.4. */
#ifndef BATON_CORE_STORE_BINDING_H
#define BATON_CORE_STORE_BINDING_H

#include "core/base/error.h"
#include "core/model/gate.h"

struct bt_json;

/* Appends a `capture_tamper:...` reason for each failing record of the array `records` (its index is the reason's
 * record); *checked (may be NULL) counts the capture-bound ones. `ledger` is a descriptor of the ledger directory, -1
 * where there is none. BT_NOMEM only; look at out->failed too. */
enum bt_code bt_capture_bindings(int ledger, const struct bt_json *records, struct bt_reasons *out, size_t *checked,
                                 struct bt_error *err) BT_NODISCARD;

#endif
