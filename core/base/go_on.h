/* core/base/go_on.h - whether anybody still waits for a long job. */
#ifndef BATON_CORE_BASE_GO_ON_H
#define BATON_CORE_BASE_GO_ON_H

#include "core/base/error.h"

/* BT_OK; BT_STATE once the descriptor *give_up can be read or has hung up. NULL: somebody always waits. One system
 * call: to be asked every so many bytes, not for each of them. */
enum bt_code bt_go_on(const int *give_up, struct bt_error *err) BT_NODISCARD;

#endif
