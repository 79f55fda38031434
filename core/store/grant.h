/* core/store/grant.h - bypass grants: one call, ten minutes.
 *
 * Reads and builds; never writes or spends. A `ledger` is a descriptor of the ledger directory, -1 where there is
 * none. Rules: spec/context-handoff.md 1.2.5, 4.5.2. */
#ifndef BATON_CORE_STORE_GRANT_H
#define BATON_CORE_STORE_GRANT_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/store/sign.h"

struct bt_arena;
struct bt_json;

struct bt_grant_doc {
  bool present;         /* counts: right shape, this session, not past its life */
  const char *error;    /* static; of a file that is there and does not count: unreadable, oversize,
                               corrupt_json, invalid_shape, other_session, expired; NULL when present or absent */
  struct bt_json *json; /* the document when present or expired */
  const char *session_id, *unbound_reason, *written_at; /* borrowed; of a document that has the right shape */
  int64_t written_at_ms;
  bool verified;
};

/* BT_OK with an answer, BT_UNSAFE for an unsafe id, BT_NOMEM. Dispose in every case. */
enum bt_code bt_grant_read(int ledger, const char *session, struct bt_key key, int64_t now_ms, struct bt_grant_doc *out,
                           struct bt_error *err) BT_NODISCARD;
void bt_grant_dispose(struct bt_grant_doc *grant);

/* The same verdict on bytes already read. */
enum bt_code bt_grant_parse(const char *bytes, size_t length, const char *session, struct bt_key key, int64_t now_ms,
                            struct bt_grant_doc *out, struct bt_error *err) BT_NODISCARD;

/* The signed text: `schema` is always 2; a member that `doc` lacks is left out. */
void bt_grant_payload(struct bt_str *out, const struct bt_json *doc);
/* False too where memory is short. */
bool bt_grant_verify(const struct bt_json *doc, struct bt_key key);

/* A new signed document in the order of 1.2.5; the caller's. A blank reason becomes null, any other is kept as
 * passed. NULL with BT_KEY, BT_NOMEM, or BT_TOO_LARGE when its pretty form exceeds 4096 bytes. */
struct bt_json *bt_grant_build(const char *session_id, const char *unbound_reason, int64_t written_at_ms,
                               struct bt_key key, struct bt_error *err) BT_NODISCARD;

/* The snapshot's struct; strings copied into `arena`. BT_NOMEM only. Call it only when a file is there. */
enum bt_code bt_grant_plain(struct bt_arena *arena, const char *session, const struct bt_grant_doc *doc,
                            struct bt_key key, struct bt_grant *out, struct bt_error *err) BT_NODISCARD;

#endif
