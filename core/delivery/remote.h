/* core/delivery/remote.h - which remote a delivery goes to, and whether it is the recorded repository.
 *
 * Rules: spec/delivery-handoff.md 6.1. Answers live in the arena of `work`. */
#ifndef BATON_CORE_DELIVERY_REMOTE_H
#define BATON_CORE_DELIVERY_REMOTE_H

#include "core/delivery/work.h"

struct bt_remote {
  const char *name;       /* whose remote-tracking references count; NULL: no remote was found */
  const char *fault;      /* "remote:none", "remote:ambiguous", "remote:unparseable"; NULL: there is an identity */
  const char *configured; /* identity of the URL as it is configured; NULL: none */
  const char *rewritten;  /* identity of what url.<base>.insteadOf makes of it; NULL: none */
};

/* `wanted`: --remote; NULL: by the rules. `branch` may be NULL. BT_OK, BT_IO, BT_NOMEM. */
enum bt_code bt_remote_find(const struct bt_work *work, const char *branch, const char *wanted,
                            struct bt_remote *remote, struct bt_error *err) BT_NODISCARD;

/* How the remote compares with a recorded repository: NULL when it matches, else the reason. */
const char *bt_remote_differs(const struct bt_remote *remote, const char *recorded_identity);

/* The identity to show or to record: the one that matched, else the one that git really uses. NULL without one. */
const char *bt_remote_identity(const struct bt_remote *remote, const char *recorded_identity);

#endif
