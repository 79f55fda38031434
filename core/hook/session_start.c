/* core/hook/session_start.c - an unverified brief, or one line for the operator, or nothing. */
#include "core/hook/session_start.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/model/id.h"
#include "core/model/thresholds.h"
#include "core/store/auth.h"
#include "core/store/capture.h"
#include "core/store/deny.h"
#include "core/text/bootstrap.h"
#include "core/text/continue_line.h"

/* Whatever is wrong with the brief, nothing of it is shown. */
static enum bt_code inject(int ledger, const struct bt_gate_auth *auth, struct bt_str *out, struct bt_error *err) {
  struct bt_str body;
  const char *problem = NULL;
  if (!bt_id_is_safe(auth->deny_session_id))
    return BT_OK;
  bt_str_init(&body, (size_t)3 * BT_MAX_CAPTURE_BYTES);
  enum bt_code code = bt_capture_read_verified(ledger, auth->deny_session_id, auth->content_hash, &body, &problem, err);
  if (code == BT_OK && problem == NULL)
    (void)!bt_bootstrap_prompt(out, auth->deny_session_id, auth->ticket_id, body.data, body.length, false, NULL);
  bt_str_dispose(&body);
  return code == BT_NOMEM ? code : BT_OK;
}

/* The open record with the newest `since`; one that is no time is older than any, and the first of equals wins. */
static const char *newest_open(const struct bt_deny_set *set) {
  const char *newest = NULL;
  int64_t newest_ms = 0;
  for (const struct bt_json *record = bt_json_first(set->records); record != NULL; record = bt_json_next(record)) {
    const char *since = bt_json_get_string(record, "since");
    int64_t since_ms;
    if (!bt_text_equals(bt_json_get_string(record, "status"), "open"))
      continue;
    if (since == NULL || !bt_time_parse(since, strlen(since), &since_ms))
      since_ms = INT64_MIN;
    if (newest == NULL || since_ms > newest_ms) {
      newest = bt_json_get_string(record, "session_id");
      newest_ms = since_ms;
    }
  }
  return newest;
}

static enum bt_code point_to_denies(int ledger, struct bt_str *out, struct bt_error *err) {
  const struct bt_deny_load_options options = {.mode = BT_DENY_AS_IS};
  struct bt_deny_set set;
  enum bt_code code = bt_deny_load(ledger, &options, &set, err);
  const char *session = code == BT_OK ? newest_open(&set) : NULL;
  if (session != NULL) {
    bt_str_puts(out,
                "A session in this repository was stopped at a context handoff and its work waits for an operator, who "
                "can hand it to a new session with:\n  ");
    bt_continue_line(out, session);
    bt_str_putc(out, '\n');
  }
  bt_deny_set_dispose(&set);
  return code;
}

enum bt_code bt_session_start_text(const struct bt_env *env, const char *session_id, bool supervised,
                                   struct bt_str *out, struct bt_error *err) {
  struct bt_auth_doc auth = {0};
  const struct bt_key none = {0};
  int ledger = bt_fs_open_root(env->ledger_dir, NULL);
  if (ledger < 0)
    return BT_OK;
  enum bt_code code = BT_OK;
  if (bt_id_is_safe(session_id))
    code = bt_auth_read(ledger, session_id, none, &auth, err);
  if (code == BT_OK && auth.present)
    code = supervised ? BT_OK : inject(ledger, &auth.gate, out, err);
  else if (code == BT_OK)
    code = point_to_denies(ledger, out, err);
  bt_auth_dispose(&auth);
  close(ledger);
  return code == BT_OK && out->failed ? bt_error_set(err, BT_NOMEM, "session start", "out of memory") : code;
}
