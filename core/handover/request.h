/* core/handover/request.h - the request itself, as the worker gets it.
 *
 * One template, the same in the mod (mod/baton-handover/hooks/register.ts). Rules: spec/handover-request.md 5. */
#ifndef BATON_CORE_HANDOVER_REQUEST_H
#define BATON_CORE_HANDOVER_REQUEST_H

#include <stdint.h>

#include "core/base/str.h"

#define BT_ASK_COMMAND "majordomus handover"

/* Appends the request; its first line is the marker by which it is recognised. */
void bt_ask_request_text(struct bt_str *out, int64_t fill, int64_t window, uint64_t line, const char *command);

/* fill x 100 / window, rounded half up. */
int64_t bt_ask_percent(int64_t fill, int64_t window);

#endif
