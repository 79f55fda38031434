/* core/ops/actionlog.c - one line for every action, also for those that were refused. */
#include "core/ops/actionlog.h"

#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/ops/txn.h"

#define LINE_MAX_BYTES (1u << 20)

static const char *verdict_word(const struct bt_error *outcome) {
  if (outcome == NULL || outcome->code == BT_OK)
    return "done";
  switch (outcome->code) {
  case BT_STALE:
    return "stale";
  case BT_BUSY:
    return "busy";
  case BT_IO:
  case BT_NOMEM:
  case BT_EVIDENCE:
    return "failed";
  default:
    return "refused";
  }
}

static enum bt_code set_text(struct bt_json *line, const char *key, const char *text) {
  return text != NULL ? bt_json_set_string(line, key, text) : BT_OK;
}

static enum bt_code set_evidence(struct bt_json *line, const struct bt_receipt *receipt) {
  if (receipt == NULL || receipt->evidence_gate == NULL)
    return BT_OK;
  struct bt_json *evidence = bt_json_new_object();
  if (evidence == NULL || bt_json_set_string(evidence, "gate", receipt->evidence_gate) != BT_OK ||
      bt_json_set_number(evidence, "seq", (double)receipt->evidence_seq) != BT_OK) {
    bt_json_free(evidence);
    return BT_NOMEM;
  }
  return bt_json_set(line, "evidence", evidence);
}

/* What every line has, in its order: first what was done, then by whom and where. */
static struct bt_json *line_head(const struct bt_env *env, const char *verb) {
  char ts[BT_ISO_MS];
  bt_time_iso(ts, bt_env_now(env));
  struct bt_json *line = bt_json_new_object();
  if (line == NULL || set_text(line, "ts", ts) != BT_OK || set_text(line, "verb", verb) != BT_OK) {
    bt_json_free(line);
    return NULL;
  }
  return line;
}

static enum bt_code set_outcome(struct bt_json *line, const struct bt_env *env, const struct bt_error *outcome) {
  bool failed = outcome != NULL && outcome->code != BT_OK;
  if (set_text(line, "verdict", verdict_word(outcome)) != BT_OK ||
      set_text(line, "detail", failed ? outcome->message : NULL) != BT_OK ||
      bt_json_set_number(line, "uid", env->uid) != BT_OK || set_text(line, "user", env->user) != BT_OK ||
      set_text(line, "host", env->host) != BT_OK || bt_json_set_number(line, "pid", (double)env->pid) != BT_OK ||
      set_text(line, "ledger", env->ledger_dir) != BT_OK)
    return BT_NOMEM;
  return BT_OK;
}

static struct bt_json *line_of(const struct bt_env *env, const struct bt_request *request,
                               const struct bt_error *outcome, const struct bt_receipt *receipt) {
  const char *session = request->deny_session != NULL ? request->deny_session : request->session;
  struct bt_json *line = line_head(env, bt_verb_word(request->verb));
  if (line == NULL || set_text(line, "session", session) != BT_OK ||
      (request->deny_session != NULL && set_text(line, "successor", request->session) != BT_OK) ||
      set_text(line, "ledger_lock", request->ledger_lock) != BT_OK ||
      set_text(line, "subject", request->subject) != BT_OK || set_outcome(line, env, outcome) != BT_OK ||
      set_evidence(line, receipt) != BT_OK ||
      set_text(line, "trash", receipt != NULL ? receipt->trash_path : NULL) != BT_OK ||
      set_text(line, "reason", request->reason) != BT_OK) {
    bt_json_free(line);
    return NULL;
  }
  return line;
}

/* The file exists and is private before its first line is in it. */
static enum bt_code prepare(int dir, struct bt_error *err) {
  struct bt_fs_stat stat;
  bt_fs_stat_at(dir, BT_ACTIONLOG_NAME, &stat);
  if (stat.kind != BT_FS_ABSENT)
    return BT_OK;
  struct bt_error failed = {0};
  enum bt_code code = bt_fs_create_as_at(dir, BT_ACTIONLOG_NAME, "", 0, BT_FS_MODE_PRIVATE, &failed);
  if (code == BT_STATE)
    return BT_OK; /* another process was first */
  if (code != BT_OK && err != NULL)
    *err = failed;
  return code;
}

/* Takes `line` (NULL counts as out of memory). */
static enum bt_code append(const struct bt_env *env, struct bt_json *line, struct bt_error *err) {
  struct bt_error failed = {0};
  struct bt_str text;
  bt_str_init(&text, LINE_MAX_BYTES);
  if (line != NULL)
    bt_json_print_compact(&text, line);
  bt_str_putc(&text, '\n');
  enum bt_code code = BT_OK;
  if (line == NULL || text.failed)
    code = bt_error_set(&failed, BT_NOMEM, BT_ACTIONLOG_NAME, "out of memory");
  int dir = code == BT_OK ? bt_txn_make_root(env->state_dir, &failed) : -1;
  if (code == BT_OK && dir < 0)
    code = failed.code;
  if (code == BT_OK)
    code = prepare(dir, &failed);
  if (code == BT_OK)
    code = bt_fs_append_at(dir, BT_ACTIONLOG_NAME, text.data, text.length, &failed);
  if (dir >= 0)
    close(dir);
  bt_str_dispose(&text);
  bt_json_free(line);
  if (code != BT_OK && err != NULL)
    *err = failed;
  return code;
}

enum bt_code bt_actionlog_add(const struct bt_env *env, const struct bt_request *request,
                              const struct bt_error *outcome, const struct bt_receipt *receipt, struct bt_error *err) {
  return append(env, line_of(env, request, outcome, receipt), err);
}

enum bt_code bt_actionlog_note(const struct bt_env *env, const char *verb, const char *subject,
                               const struct bt_error *outcome, struct bt_error *err) {
  struct bt_json *line = line_head(env, verb);
  if (line != NULL && (set_text(line, "subject", subject) != BT_OK || set_outcome(line, env, outcome) != BT_OK)) {
    bt_json_free(line);
    line = NULL;
  }
  return append(env, line, err);
}
