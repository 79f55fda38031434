/* core/delivery/watcher.h - watchers of a delivery: who watches what, who lives, and who may be added.
 *
 * Pure but for the probe of processes, which is handed in. Rules: spec/delivery-handoff.md 12. */
#ifndef BATON_CORE_DELIVERY_WATCHER_H
#define BATON_CORE_DELIVERY_WATCHER_H

#include "core/delivery/codes.h"
#include "core/env.h"

enum bt_liveness { BT_WATCHER_UNKNOWN, BT_WATCHER_LIVE, BT_WATCHER_DEAD };
const char *bt_liveness_word(enum bt_liveness liveness);

struct bt_liveness_facts {    /* what the command line says, and whom to ask */
  struct bt_texts live, dead; /* --watcher-live, --watcher-dead */
  const struct bt_env *env;   /* `pid:N` and `pid:N@HOST` of this host are probed; NULL: nothing is */
};

/* `live` wins over `dead` where both are said: unknown counts as live, and so does a contradiction. */
enum bt_liveness bt_watcher_liveness(const char *id, const struct bt_liveness_facts *facts);

/* What it watches: the part before the last `@`, or all of it. Trimmed, borrowed. */
struct bt_slice bt_watcher_key(const char *id);

/* Adds `id` to `list`, which is replaced by the new list in the arena (a refusal leaves it alone). `supersede` may be
 * NULL. Returns the code of the table ("added", "replaced-dead", "superseded", "refused:…"), static; NULL: out of
 * memory. The ids that went are added to `removed`. */
const char *bt_watcher_add(struct bt_texts *list, const char *id, const char *supersede,
                           const struct bt_liveness_facts *facts, struct bt_codes *removed);

#endif
