/* core/delivery/identity.h - which repository a URL, an scp-like name or a path speaks of.
 *
 * Pure text: no name is resolved, no link followed. Rules: spec/delivery-handoff.md 6.2. */
#ifndef BATON_CORE_DELIVERY_IDENTITY_H
#define BATON_CORE_DELIVERY_IDENTITY_H

#include <stdbool.h>

#include "core/base/arena.h"

/* `host[:port]/path` or `file:/path`, in the arena, without user information and without a scheme. NULL when the text
 * is no identity; then *no_memory says whether that was only for want of memory. */
const char *bt_identity_of(struct bt_arena *arena, const char *text, bool *no_memory);

/* A text that stands for `identity` where a name is written down: the identity itself where it reads back as itself,
 * else a URL or a path (a host without a dot, a space, a local path). In the arena. NULL when out of memory, or when
 * no form of it reads back. */
const char *bt_identity_text(struct bt_arena *arena, const char *identity, bool *no_memory);

/* Equal once ASCII letters are folded. */
bool bt_identity_same_but_case(const char *a, const char *b);

#endif
