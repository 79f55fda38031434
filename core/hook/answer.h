/* core/hook/answer.h - what the gate says to a harness and to the agent in it.
 *
 * Pure text. Rules: spec/context-handoff.md 6.9 (display form), A.2 item 6, A.4. */
#ifndef BATON_CORE_HOOK_ANSWER_H
#define BATON_CORE_HOOK_ANSWER_H

#include <stddef.h>

#include "core/base/str.h"

/* Reasons the pipeline does not know. */
#define BT_REASON_SCAN "incomplete_scan_lower_bound" /* the time was up */
#define BT_REASON_DOCUMENT "invalid_hook_document"   /* nobody can tell what the call is */
#define BT_REASON_FAILED "gate_failed"               /* the gate could not do its work */

#define BT_ANSWER_MAX ((size_t)4 * 1024 * 1024)

enum bt_denial_kind {
  BT_DENIAL_HANDOFF, /* the session is to stop and hand over */
  BT_DENIAL_TARGET,  /* only these targets are refused */
  BT_DENIAL_UNSURE   /* nobody could tell; asking once more may help */
};

struct bt_denial {
  enum bt_denial_kind kind;
  const char *const *reasons; /* codes, in order */
  size_t count;
  const char *detail;     /* one more line about what failed; NULL */
  const char *program;    /* the running executable, for the way out; NULL: unknown */
  const char *session_id; /* "" or NULL: none known */
};

/* The reason given to the agent: several lines, what comes from elsewhere made visible. Look at out->failed. */
void bt_answer_reason(struct bt_str *out, const struct bt_denial *denial);

/* The harness's document, one line with its newline, as real UTF-8. */
void bt_answer_deny(struct bt_str *out, const char *reason);
void bt_answer_session_start(struct bt_str *out, const char *context);

#endif
