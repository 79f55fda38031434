/* cli/why_print.h - the explanation of `why` for people and as JSON. Text of sessions is made visible here. */
#ifndef BATON_CLI_WHY_PRINT_H
#define BATON_CLI_WHY_PRINT_H

#include <stdbool.h>

#include "core/base/str.h"
#include "core/model/why.h"

/* Both return 0, or 1 when memory or stdout fails. */
int why_print_text(const struct bt_why *why);
int why_print_json(const struct bt_why *why);

/* The same document appended to `out`. False when memory is short. */
bool why_json(const struct bt_why *why, struct bt_str *out);

#endif
