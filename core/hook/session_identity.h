/* core/hook/session_identity.h - which session is calling, from what its harness says.
 *
 * Rules: spec/context-handoff.md 6.7. */
#ifndef BATON_CORE_HOOK_SESSION_IDENTITY_H
#define BATON_CORE_HOOK_SESSION_IDENTITY_H

#include <stddef.h>

#include "core/base/str.h"

/* The first candidate that is a safe id (NULL entries: no string), else the stem of `transcript_path` (NULL or empty:
 * none) when that is one. Copied to `out`, which is left empty when there is no session. */
void bt_session_identify(struct bt_str *out, const char *const *candidates, size_t count, const char *transcript_path);

#endif
