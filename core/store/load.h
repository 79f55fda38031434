/* core/store/load.h - reads a whole ledger into one snapshot. Looking never writes.
 *
 * A record that cannot be read is in the snapshot as invalid and in `problems`; the load itself fails only when
 * memory is short (BT_NOMEM) or --dir cannot be opened for another reason than absence. */
#ifndef BATON_CORE_STORE_LOAD_H
#define BATON_CORE_STORE_LOAD_H

#include "core/base/error.h"
#include "core/env.h"
#include "core/model/snapshot.h"

enum bt_load_flags {
  BT_LOAD_GIT = 1,     /* ask the repository too (slow start of libgit2); without it repo.known is false */
  BT_LOAD_TICKETS = 2, /* validate the ticket store for titles */
};

struct bt_harness_view; /* transcripts, joined when given (core/harness) */

/* On BT_OK *snapshot is the caller's (bt_snapshot_free). `harness` may be NULL; the snapshot holds on to it. */
enum bt_code bt_store_load(const struct bt_env *env, unsigned flags, struct bt_harness_view *harness,
                           struct bt_snapshot **snapshot, struct bt_error *err) BT_NODISCARD;

#endif
