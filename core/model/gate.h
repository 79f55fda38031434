/* core/model/gate.h - may this session change files? The rules D0-D3, over records as they were parsed.
 *
 * Pure. Must not know: files, keys (a signature's verdict is handed in). Records stay JSON values because the
 * rules speak about odd ones too: null entries, arrays, numbers where text should be.
 * Rules: spec/context-handoff.md 5.6 and 6.1-6.3. */
#ifndef BATON_CORE_MODEL_GATE_H
#define BATON_CORE_MODEL_GATE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

struct bt_arena;
struct bt_json;

/* Reasons in order, in an arena of the caller's. */
struct bt_reasons {
  struct bt_arena *arena;
  struct bt_gate_reason {
    const char *code; /* "D3:unauthorized_open:s1" */
    size_t record;    /* index into the gate's record list; BT_NO_RECORD where none is meant */
  } * items;
  size_t count, capacity;
  bool failed; /* memory was short: the list is not whole */
};
#define BT_NO_RECORD ((size_t)-1)
void bt_reasons_add(struct bt_reasons *reasons, size_t record, const char *fmt, ...) BT_PRINTF(3, 4);
void bt_reasons_unique(struct bt_reasons *reasons); /* keeps first occurrences */

/* A resume authorization as read; a member that is no string is NULL. */
struct bt_gate_auth {
  const char *ticket_id, *content_hash, *deny_session_id;
  bool verified;
};

/* A bypass grant before normalisation (6.1): absent, `true`, or an object's two fields. NULL: absent; a session id of
 * another type is given as "". */
enum bt_bypass_kind { BT_BYPASS_NONE, BT_BYPASS_TRUE, BT_BYPASS_OBJECT };
struct bt_bypass {
  enum bt_bypass_kind kind;
  const char *session_id, *unbound_reason;
};

struct bt_bypass_verdict {
  bool active, allow_unbound;
  const char *session_id; /* borrowed; NULL when inactive */
};
struct bt_bypass_verdict bt_bypass_normalise(struct bt_bypass grant, const char *current_session_id);

/* 6.2. `auth` may be NULL; `record` may be NULL or no object. */
bool bt_gate_authorized(const struct bt_json *record, const char *current_session_id, const struct bt_gate_auth *auth,
                        struct bt_bypass_verdict grant, bool manifest_verify_failed);

/* True when both binds are non-blank strings. */
bool bt_record_is_bound(const struct bt_json *record);

struct bt_gate_input {
  bool process_sticky;
  const char *current_session_id; /* NULL: none, or no string */
  bool records_are_list;
  const struct bt_json *const *records; /* an element may be NULL: a null entry */
  size_t record_count;
  const struct bt_gate_auth *auth; /* NULL: none */
  struct bt_bypass bypass;
  bool manifest_verify_failed;
  bool store_unavailable;
};

/* Appends the reasons of 6.3 to `out`; returns true when there is one (deny). Look at out->failed. */
bool bt_gate_evaluate(const struct bt_gate_input *input, struct bt_reasons *out);

#endif
