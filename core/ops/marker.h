/* core/ops/marker.h - the one writer of deny markers and of their sentinel.
 *
 * Everything is written through a transaction of the caller's (core/ops/txn.h): a path that it watches is
 * remembered. Must not know: evidence, session locks, plans.
 * Rules: spec/context-handoff.md 5.2, 5.4 (write), 5.7, 5.8, 5.9. */
#ifndef BATON_CORE_OPS_MARKER_H
#define BATON_CORE_OPS_MARKER_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/model/gate.h"
#include "core/ops/txn.h"
#include "core/store/deny.h"

struct bt_json;

/* ---- ensure (5.2) ---- */
struct bt_ensure_request {
  const char *session_id;               /* a safe id: BT_UNSAFE otherwise */
  const char *ticket_id, *content_hash; /* normalised here; NULL: unbound */
  const char *host;                     /* verbatim */
};
struct bt_ensure {
  bool ok;         /* processSticky is its negation */
  char reason[64]; /* ok, already_present, sentinel_write_failed, quarantine_failed:..., write_failed:ERRNO, 5.1 */
};
/* BT_OK with a verdict in *out; BT_UNSAFE, BT_NOMEM. */
enum bt_code bt_marker_ensure(struct bt_txn *txn, const struct bt_ensure_request *request, int64_t now_ms,
                              struct bt_ensure *out, struct bt_error *err) BT_NODISCARD;

/* What ensure would do, without doing it. `writes`: something would be written; `fresh`: the marker too, and not the
 * sentinel alone. The verdict foresees what stands in the way of the folders, and else assumes that writing works.
 * BT_UNSAFE, BT_NOMEM. */
struct bt_ensure_plan {
  struct bt_ensure verdict;
  bool writes, fresh;
};
enum bt_code bt_marker_ensure_plan(int ledger, const struct bt_ensure_request *request, struct bt_ensure_plan *out,
                                   struct bt_error *err) BT_NODISCARD;

/* The fresh document that ensure would write; the caller's. NULL: out of memory. */
struct bt_json *bt_marker_fresh(const struct bt_ensure_request *request, int64_t now_ms) BT_NODISCARD;

/* ---- sentinel (5.4) ---- */
/* Registers `id` (NULL or unsafe: nobody, only brings the file to its new place). */
enum bt_code bt_sentinel_register(struct bt_txn *txn, const char *id, struct bt_error *err) BT_NODISCARD;

/* A healer for bt_deny_load that writes through `*txn`, opening it from `env` when it is NULL and the heal is due. */
struct bt_marker_healing {
  const struct bt_env *env;
  struct bt_txn **txn; /* the caller's; closed by the caller */
};
struct bt_deny_healer bt_marker_healer(struct bt_marker_healing *healing);

/* ---- re-entry (5.7), reads only ---- */
enum bt_handoff_signal { BT_HANDOFF_NO, BT_HANDOFF_YES, BT_HANDOFF_NOT_BOOLEAN };
struct bt_reentry {
  bool deny, process_sticky, retry_write;
  const char *reason; /* static */
};
/* BT_OK with a verdict; BT_UNSAFE, BT_NOMEM. */
enum bt_code bt_marker_reentry(int ledger, const char *id, enum bt_handoff_signal handoff, bool deny_ever_written,
                               struct bt_reentry *out, struct bt_error *err) BT_NODISCARD;

/* ---- privileged writes (5.8) ---- */
/* Writes `record` (not changed): binds normalised, schema defaulted. BT_INPUT for an unsafe session_id or a status
 * that is none; BT_IO and the others of bt_txn_replace. *stored (may be NULL) receives what was written, the
 * caller's. */
enum bt_code bt_marker_write(struct bt_txn *txn, const struct bt_json *record, struct bt_json **stored,
                             struct bt_error *err) BT_NODISCARD;

/* repairDenyBinds: binds an open marker. `kind` NULL or blank clears content_kind; `host` NULL leaves the host.
 * BT_MISSING/BT_CORRUPT for a marker that cannot be read, BT_STATE for one that is not open, BT_INPUT for a blank
 * bind. *stored as above. */
enum bt_code bt_marker_repair(struct bt_txn *txn, const char *id, const char *ticket_id, const char *content_hash,
                              const char *kind, const char *host, struct bt_json **stored,
                              struct bt_error *err) BT_NODISCARD;

/* markerUnchanged: BT_STALE when the marker on disk is no longer `expected` in status, ticket or hash, in the
 * spec's lopsided sense (raw against normalised); BT_NOMEM. */
enum bt_code bt_marker_unchanged(int ledger, const char *id, const struct bt_json *expected,
                                 struct bt_error *err) BT_NODISCARD;

/* ---- consume (5.9), writes nothing ---- */
/* *consumed receives the record as it would be stored, the caller's. BT_STATE/BT_INPUT (exit 1) or BT_REFUSED
 * (exit 2: a session may not consume its own deny). `record` and `auth` may be NULL. */
enum bt_code bt_marker_consume(const struct bt_json *record, const char *consumer_id, const struct bt_gate_auth *auth,
                               bool manifest_verify_failed, int64_t now_ms, struct bt_json **consumed,
                               struct bt_error *err) BT_NODISCARD;

#endif
