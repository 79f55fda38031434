/* core/ops/successor.c - authorization, brief, prompt. */
#include "core/ops/successor.h"

#include <unistd.h>

#include "core/base/fs.h"
#include "core/store/auth.h"
#include "core/store/capture.h"
#include "core/text/bootstrap.h"

#define BODY_MAX ((size_t)3 * 65536)

static enum bt_code read_auth(const struct bt_env *env, int ledger, const char *session, struct bt_auth_doc *auth,
                              struct bt_error *err) {
  enum bt_code code = bt_auth_read(ledger, session, bt_env_key(env), auth, err);
  if (code != BT_OK)
    return code;
  if (!auth->present)
    return auth->error != NULL ? bt_error_set(err, BT_STATE, session, "the authorization of %s does not count: %s",
                                              session, auth->error)
                               : bt_error_set(err, BT_MISSING, session, "%s holds no authorization", session);
  if (env->key != NULL && !auth->gate.verified)
    return bt_error_set(err, BT_STATE, session, "the authorization of %s does not verify with this key", session);
  return BT_OK;
}

static enum bt_code compose(int ledger, const struct bt_auth_doc *auth, struct bt_str *prompt, struct bt_error *err) {
  const char *denied = auth->gate.deny_session_id, *wrong = NULL;
  struct bt_str body;
  bt_str_init(&body, BODY_MAX);
  enum bt_code code = bt_capture_read_verified(ledger, denied, auth->gate.content_hash, &body, &wrong, err);
  if (code == BT_OK && wrong != NULL)
    code = bt_error_set(err, BT_STATE, denied, "the brief of %s cannot be used: %s", denied, wrong);
  if (code == BT_OK)
    code = bt_bootstrap_prompt(prompt, denied, auth->gate.ticket_id, body.data, body.length, auth->gate.verified, err);
  bt_str_dispose(&body);
  return code;
}

enum bt_code bt_successor_prompt(const struct bt_env *env, const char *session, struct bt_str *prompt,
                                 struct bt_error *err) {
  struct bt_auth_doc auth = {0};
  int ledger = bt_fs_open_root(env->ledger_dir, NULL);
  enum bt_code code = read_auth(env, ledger, session, &auth, err);
  if (code == BT_OK)
    code = compose(ledger, &auth, prompt, err);
  bt_auth_dispose(&auth);
  if (ledger >= 0)
    close(ledger);
  return code;
}
