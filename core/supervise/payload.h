/* core/supervise/payload.h - what the continue step printed, believed only when every member is what it must be.
 *
 * Pure. Rules: spec/context-handoff.md 11.1 (continue step), 11.2. */
#ifndef BATON_CORE_SUPERVISE_PAYLOAD_H
#define BATON_CORE_SUPERVISE_PAYLOAD_H

#include <stddef.h>

#include "core/base/error.h"

struct bt_json;

struct bt_sup_payload { /* strings are borrowed from json, internal text */
  struct bt_json *json;
  const char *successor_session_id, *ticket_id, *content_hash, *content_path, *bootstrap_prompt;
};

/* BT_CORRUPT for what is no JSON, BT_INPUT naming the first member that is not as 11.2 wants it, BT_NOMEM. Dispose in
 * every case. */
enum bt_code bt_sup_payload_read(const char *bytes, size_t length, struct bt_sup_payload *out,
                                 struct bt_error *err) BT_NODISCARD;
void bt_sup_payload_dispose(struct bt_sup_payload *payload);

#endif
