/* core/ops/final.h - builds and writes final checkpoints, and the checkpoint that `write` and `continue` share.
 *
 * Rules: spec/context-handoff.md 1.2.3, 4.4, 8.3. */
#ifndef BATON_CORE_OPS_FINAL_H
#define BATON_CORE_OPS_FINAL_H

#include "core/base/json.h"
#include "core/env.h"
#include "core/model/plan.h"
#include "core/ops/txn.h"

struct bt_final_request {
  const char *session;
  const char *ticket, *host, *content_hash; /* trimmed here; NULL or blank: null, `local`, the body hash */
  const char *content_kind;                 /* NULL: no such member */
};

/* The document with its members in the order of 1.2.3; the caller's. NULL: out of memory. */
struct bt_json *bt_final_build(const struct bt_final_request *request, int64_t now_ms) BT_NODISCARD;

/* The same from the flags of `write` and `repair`, stamped now. */
struct bt_json *bt_final_of_request(const struct bt_request *request, const struct bt_env *env) BT_NODISCARD;

/* Stamps `final_` with the time and writes it. */
enum bt_code bt_final_write(struct bt_txn *txn, const struct bt_env *env, struct bt_json *final_,
                            struct bt_error *err) BT_NODISCARD;

struct bt_checkpoint {
  const char *deny_reason; /* "ok" (made) or "already_present" */
  bool rebound;
};

/* 8.3: watches and writes the final, makes sure of the marker, rebinds a stale one (watched then). `claim` is the
 * record that `continue` rests on, NULL for `write`. BT_STALE when the claim moved. The caller undoes. */
enum bt_code bt_checkpoint_write(struct bt_txn *txn, const struct bt_env *env, struct bt_json *final_,
                                 const struct bt_json *claim, struct bt_checkpoint *out,
                                 struct bt_error *err) BT_NODISCARD;

#endif
