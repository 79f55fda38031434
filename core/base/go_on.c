/* core/base/go_on.c - see go_on.h. */
#include "core/base/go_on.h"

#include <poll.h>
#include <stddef.h>

enum bt_code bt_go_on(const int *give_up, struct bt_error *err) {
  struct pollfd fd = {.fd = give_up != NULL ? *give_up : -1, .events = POLLIN};
  if (fd.fd < 0 || poll(&fd, 1, 0) <= 0)
    return BT_OK;
  return bt_error_set(err, BT_STATE, "", "stopped before its end");
}
