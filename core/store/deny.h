/* core/store/deny.h - deny markers: one, or all of them with the health of the store.
 *
 * Reads only. The loading function has three modes: as is (list, show, the dashboard), as healed (why: what the
 * healing loader would answer, without touching anything) and healing, for which the caller lends the one writer
 * (core/ops/marker.h). Documents stay as parsed, key order and unknown keys included, so that a rewrite can keep
 * them; bt_deny_plain makes the snapshot's struct of one. A `ledger` is a descriptor of the ledger directory, -1
 * where there is none. Rules: spec/context-handoff.md 5.1, 5.5, 5.6, 15.1 item 4. */
#ifndef BATON_CORE_STORE_DENY_H
#define BATON_CORE_STORE_DENY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/model/gate.h"
#include "core/model/record.h"

struct bt_arena;
struct bt_json;

struct bt_marker {
  bool ok;
  const char *reason;     /* static: "ok", missing_marker, unreadable_marker, corrupt_json, invalid_shape,
                             session_id_mismatch, invalid_status */
  struct bt_json *record; /* the document when ok, else NULL */
};

/* BT_OK with a verdict, BT_UNSAFE for an unsafe id (upstream throws), BT_NOMEM. Dispose in every case. */
enum bt_code bt_marker_read(int ledger, const char *id, struct bt_marker *out, struct bt_error *err) BT_NODISCARD;
void bt_marker_dispose(struct bt_marker *marker);

/* The same verdict on bytes already read (the last four checks of 5.1). */
enum bt_code bt_marker_parse(const char *bytes, size_t length, const char *id, struct bt_marker *out,
                             struct bt_error *err) BT_NODISCARD;

enum bt_deny_load_mode { BT_DENY_AS_IS, BT_DENY_AS_HEALED, BT_DENY_HEAL };

struct bt_deny_healer { /* the writer, lent by core/ops */
  void *context;
  /* Registers `id` (NULL: only brings the sentinel to its new place). False when it could not be written. */
  bool (*register_session)(void *context, const char *id);
  /* All of an array of records, as if one by one but written once. NULL: they are registered one by one. */
  bool (*register_records)(void *context, const struct bt_json *records);
};

struct bt_deny_overlay { /* a marker that would be written, for BT_DENY_AS_HEALED only */
  const char *id;
  const struct bt_json *record;
};

struct bt_deny_load_options {
  enum bt_deny_load_mode mode;
  const struct bt_deny_healer *healer;   /* BT_DENY_HEAL */
  const struct bt_deny_overlay *overlay; /* NULL: none */
  bool expected_given, expected;         /* `storeExpected`; not given: the sentinel decides */
};

#define BT_DENY_STORE_ID "__deny_store__"

struct bt_deny_set {
  bool ok, unavailable;
  bool sentinel_expected, legacy;
  char reason[64];            /* "" when ok */
  struct bt_json *records;    /* array of valid documents, byte order of the file names */
  struct bt_json *invalid;    /* array of {session_id, status: "invalid:...", ticket_id, content_hash} */
  struct bt_json *registered; /* array of strings */
  bool heal_legacy;           /* due, or done when healing: the sentinel moves to its new place */
  bool heal_register;         /* due, or done when healing: markers are missing from the sentinel */
};

/* BT_OK with an answer, or BT_NOMEM. Dispose in every case. */
enum bt_code bt_deny_load(int ledger, const struct bt_deny_load_options *options, struct bt_deny_set *out,
                          struct bt_error *err) BT_NODISCARD;
void bt_deny_set_dispose(struct bt_deny_set *set);

/* 6.8 step 4: something in the store bears on a decision. */
bool bt_deny_set_is_hot(const struct bt_deny_set *set);

/* One sentence naming the self-heal that is due, or NULL. Static text. */
const char *bt_deny_set_heal_due(const struct bt_deny_set *set);

/* 5.6: fills records, record_count, store_unavailable, process_sticky (or-ed with what is there already) of `input`
 * for its current_session_id. The list is allocated in `arena` and borrows from `set`. BT_NOMEM only. */
enum bt_code bt_deny_gate_input(const struct bt_deny_set *set, struct bt_arena *arena, struct bt_gate_input *input,
                                struct bt_error *err) BT_NODISCARD;

/* The snapshot's struct of one marker; strings copied into `arena`. `record` NULL: an invalid one with `reason`
 * (without `invalid:`). class_ is set as far as the record alone tells; see bt_deny_classify. BT_NOMEM only. */
enum bt_code bt_deny_plain(struct bt_arena *arena, const char *id, const char *reason, const struct bt_json *record,
                           bool registered, struct bt_deny *out, struct bt_error *err) BT_NODISCARD;

/* Are both bind fields of a document stored in normal form? Where not, `repair`, `resume` and `continue` always refuse
 * it (5.8). */
bool bt_deny_binds_plain(const struct bt_json *record);

/* dashboard.md row 11; an orphan needs to know whether a brief is there and what time it is. */
enum bt_deny_class bt_deny_classify(const struct bt_deny *deny, bool has_capture, int64_t now_ms);

#endif
