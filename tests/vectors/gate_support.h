/* tests/vectors/gate_support.h - what the areas about the gate share. */
#ifndef BATON_TESTS_VECTORS_GATE_SUPPORT_H
#define BATON_TESTS_VECTORS_GATE_SUPPORT_H

#include "core/model/gate.h"
#include "tests/vectors/support.h"

/* The resume authorization in `value`; false when there is none. */
bool vec_gate_auth(const struct bt_json *value, struct bt_gate_auth *out);

/* The elements of `list` as the gate wants them; the caller frees. */
const struct bt_json **vec_gate_records(const struct bt_json *list, size_t *count);

/* `reasons` against an array of texts. */
bool vec_expect_reasons(const struct vec_case *vec, const struct bt_json *expected, const struct bt_reasons *reasons);

/* The codes as a JSON array; the caller's. */
struct bt_json *vec_reasons_json(const struct bt_reasons *reasons);

#endif
