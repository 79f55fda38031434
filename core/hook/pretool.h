/* core/hook/pretool.h - the whole decision before one tool call: may it go on?
 *
 * A function over (env, inputs) to a decision. It may write: the marker of a session under band pressure, the
 * sentinel's self-heal, and the spending of a verified bypass grant, all through core/ops. With `simulate` it touches
 * nothing and decides as if it had. Must not know: harness documents, transcripts, time budgets.
 * Rules: spec/context-handoff.md 6.8. */
#ifndef BATON_CORE_HOOK_PRETOOL_H
#define BATON_CORE_HOOK_PRETOOL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/env.h"
#include "core/hook/protected.h"
#include "core/model/band.h"
#include "core/model/gate.h"
#include "core/ops/marker.h"
#include "core/store/auth.h"
#include "core/store/deny.h"
#include "core/store/grant.h"

struct bt_before_write {       /* NULL: nobody asks */
  void (*tell)(void *context); /* a marker is about to be written, or a grant to be spent; may not return */
  void *context;
};

struct bt_pretool_input { /* strings borrowed, internal text */
  const char *session_id; /* NULL or empty: none */
  struct bt_signals observed;
  const char *ticket_id; /* for a fresh marker; NULL: unbound */
  const char *host;      /* NULL: "unknown" */
  const char *const *edit_paths;
  size_t edit_path_count;
  bool is_bash;
  const char *bash_command;         /* NULL: empty */
  struct bt_key key;                /* verifies grants and authorizations; empty: none */
  bool host_grant_given;            /* verifiedBypassGrant: not given, so the file is read; or the host's verdict */
  const struct bt_json *host_grant; /* NULL with `host_grant_given`: none */
  bool deny_ever_written;
  bool scan_truncated;
  bool simulate;
  struct bt_before_write before_write;
};

enum bt_grant_use { BT_GRANT_UNUSED, BT_GRANT_CLAIMED, BT_GRANT_LOST /* somebody else spent it */ };

struct bt_pretool_decision {
  bool deny;
  bool ensured_marker, deny_ever_written;
  struct bt_reasons reasons; /* in order, without repetitions; in `arena` */

  /* what it rests on, for an explanation */
  struct bt_arena *arena;
  struct bt_bands bands;
  struct bt_deny_set set;    /* as loaded for the gate */
  struct bt_gate_input gate; /* borrows from set, auth and grant; records_are_list is false when no session was known */
  struct bt_ensure ensure;   /* reason "" when no band asked for a marker */
  bool ensure_fresh;         /* simulated: the marker would be written anew */
  bool edit_protected_at_all; /* some edit path or shell token is protected */
  struct bt_auth_doc auth;
  struct bt_grant_doc grant;
  enum bt_grant_use grant_use;
  size_t captures_checked;
  bool mutation_denied;
};

/* BT_OK with a decision. BT_UNSAFE for a session id that can name no file (upstream throws), BT_NOMEM, BT_TOO_LARGE for
 * a command with more paths than are looked at, BT_IO where the system is short of something: a hook takes each of them as a denial. Dispose in every case. */
enum bt_code bt_pretool_evaluate(const struct bt_env *env, const struct bt_pretool_input *input,
                                 struct bt_pretool_decision *out, struct bt_error *err) BT_NODISCARD;
void bt_pretool_dispose(struct bt_pretool_decision *decision);

#endif
