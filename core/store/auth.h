/* core/store/auth.h - resume authorizations: who may go on with whose work.
 *
 * Reads and builds; never writes. A `ledger` is a descriptor of the ledger directory, -1 where there is none.
 * Rules: spec/context-handoff.md 1.2.4, 4.5.1. */
#ifndef BATON_CORE_STORE_AUTH_H
#define BATON_CORE_STORE_AUTH_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/env.h"
#include "core/model/gate.h"
#include "core/store/sign.h"

struct bt_arena;
struct bt_json;

struct bt_auth_doc {
  bool present;                    /* readable, right types, names this consumer */
  const char *error;               /* static; of a file that is there and does not count: unreadable, corrupt_json,
                           invalid_shape, other_session; NULL when present or absent */
  struct bt_json *json;            /* the document when present */
  struct bt_gate_auth gate;        /* borrows from json */
  const char *consumer_session_id; /* borrows from json */
};

/* The authorization of consumer `session`. BT_OK with an answer, BT_UNSAFE for an unsafe id, BT_NOMEM. Dispose in
 * every case. */
enum bt_code bt_auth_read(int ledger, const char *session, struct bt_key key, struct bt_auth_doc *out,
                          struct bt_error *err) BT_NODISCARD;
void bt_auth_dispose(struct bt_auth_doc *auth);

/* The signed text: `schema` is always 1; members that `doc` lacks are left out. */
void bt_auth_payload(struct bt_str *out, const struct bt_json *doc);
/* False too where memory is short. */
bool bt_auth_verify(const struct bt_json *doc, struct bt_key key);

/* A new signed document in the order of 1.2.4; the caller's. NULL with BT_KEY or BT_NOMEM in err. */
struct bt_json *bt_auth_build(const char *ticket_id, const char *content_hash, const char *deny_session_id,
                              const char *consumer_session_id, int64_t written_at_ms, struct bt_key key,
                              struct bt_error *err) BT_NODISCARD;

/* The snapshot's struct; strings copied into `arena`. BT_NOMEM only. */
enum bt_code bt_auth_plain(struct bt_arena *arena, const struct bt_auth_doc *doc, struct bt_key key,
                           struct bt_auth *out, struct bt_error *err) BT_NODISCARD;

#endif
