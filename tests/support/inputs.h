/* tests/support/inputs.h - what a case says in JSON, as the values that core's rules take. */
#ifndef BATON_TESTS_SUPPORT_INPUTS_H
#define BATON_TESTS_SUPPORT_INPUTS_H

#include "core/base/json.h"
#include "core/model/band.h"
#include "core/model/gate.h"

struct bt_signals signals_of_json(const struct bt_json *observed); /* NULL: absent, so no signal */
struct bt_bypass bypass_of_json(const struct bt_json *grant);      /* borrows its texts */

#endif
