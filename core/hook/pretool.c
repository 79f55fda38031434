/* core/hook/pretool.c - the pre-tool pipeline, step by step. */
#include "core/hook/pretool.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/hook/shell.h"
#include "core/model/id.h"
#include "core/model/thresholds.h"
#include "core/ops/quarantine.h"
#include "core/store/binding.h"
#include "core/store/path.h"

#define DECISION_MAX_BYTES ((size_t)256 * 1024 * 1024)

struct pipeline {
  const struct bt_env *env;
  const struct bt_pretool_input *in;
  struct bt_pretool_decision *out;
  struct bt_error *err;
  int ledger;         /* -1: there is none */
  struct bt_txn *txn; /* opened when something is to be written */
  struct bt_protector *protector;
  struct bt_json *fresh;          /* simulated: the marker that would be written */
  struct bt_deny_overlay overlay; /* simulated: in use when its id is not NULL */
};

/* No ledger is an answer (also one that may not be entered: 0 "Exists"); a system that is short of something is not,
 * and must not look like a ledger without a deny. */
static enum bt_code open_ledger(struct pipeline *p) {
  struct bt_error problem = {0};
  if (p->ledger >= 0)
    return BT_OK;
  p->ledger = bt_fs_open_root(p->env->ledger_dir, &problem);
  switch (p->ledger >= 0 ? 0 : problem.sys_errno) {
  case EMFILE:
  case ENFILE:
  case ENOMEM:
  case EIO:
  case EINTR:
    return bt_error_set_errno(p->err, problem.sys_errno, p->env->ledger_dir, "the ledger cannot be opened");
  default:
    return BT_OK;
  }
}

static void add_reason(struct pipeline *p, const char *prefix, const char *rest) {
  bt_reasons_add(&p->out->reasons, BT_NO_RECORD, "%s%s", prefix, rest);
}

/* Step 1. */
static void judge_scan(struct pipeline *p) {
  const struct bt_signal *depth = &p->in->observed.depth;
  if (!p->in->scan_truncated || depth->kind != BT_SIGNAL_NUMBER || !isfinite(depth->value))
    return;
  if (depth->value < 0 || depth->value >= BT_HANDOFF_DEPTH)
    return;
  add_reason(p, "incomplete_scan_lower_bound", "");
  p->out->mutation_denied = true;
}

/* Step 2. */
static enum bt_code judge_edits(struct pipeline *p) {
  enum bt_code code = BT_OK;
  for (size_t i = 0; i < p->in->edit_path_count && code == BT_OK; i++) {
    enum bt_protection protection = BT_UNPROTECTED;
    code = bt_protect_classify(p->protector, p->in->edit_paths[i], &protection, p->err);
    if (protection == BT_UNPROTECTED)
      continue;
    p->out->edit_protected_at_all = true;
    add_reason(
        p, protection == BT_PROTECTED_SYMLINK ? "path_protected_symlink:" : "path_protected:", p->in->edit_paths[i]);
  }
  return code;
}

/* Steps 4 and 6.2. */
static enum bt_code load_records(struct pipeline *p) {
  struct bt_marker_healing healing = {.env = p->env, .txn = &p->txn};
  struct bt_deny_healer healer = bt_marker_healer(&healing);
  struct bt_deny_load_options options = {.mode = p->in->simulate ? BT_DENY_AS_HEALED : BT_DENY_HEAL,
                                         .healer = &healer,
                                         .overlay = p->overlay.id != NULL ? &p->overlay : NULL};
  bt_deny_set_dispose(&p->out->set);
  return bt_deny_load(p->ledger, &options, &p->out->set, p->err);
}

/* The verdict of an ensure that could not even begin to write. */
static void cannot_write(struct bt_ensure *ensure, bool fresh, const struct bt_error *problem) {
  ensure->ok = false;
  if (fresh)
    (void)snprintf(ensure->reason, sizeof ensure->reason, "write_failed:%s", bt_reason_errno(problem));
  else
    (void)snprintf(ensure->reason, sizeof ensure->reason, "sentinel_write_failed");
}

static void before_write(const struct pipeline *p) {
  if (p->in->before_write.tell != NULL)
    p->in->before_write.tell(p->in->before_write.context);
}

static enum bt_code do_ensure(struct pipeline *p, const struct bt_ensure_request *request, bool fresh) {
  struct bt_error problem = {0};
  before_write(p);
  if (p->txn == NULL)
    p->txn = bt_txn_open(p->env, true, &problem);
  if (p->txn == NULL) {
    cannot_write(&p->out->ensure, fresh, &problem);
    return problem.code == BT_NOMEM ? bt_error_set(p->err, BT_NOMEM, request->session_id, "out of memory") : BT_OK;
  }
  enum bt_code code = bt_marker_ensure(p->txn, request, bt_env_now(p->env), &p->out->ensure, p->err);
  return code == BT_OK ? open_ledger(p) : code;
}

/* Step 6.2 reads again what step 4 read. Where nothing was written since, and the session was denied already, it would
 * find the same, or a change made by somebody else in between, which a call one moment earlier could not have seen. */
static bool must_reload(const struct pipeline *p, bool wrote) {
  if (p->in->simulate || wrote)
    return true;
  for (const struct bt_json *one = bt_json_first(p->out->set.records); one != NULL; one = bt_json_next(one)) {
    const char *id = bt_json_get_string(one, "session_id"), *status = bt_json_get_string(one, "status");
    if (bt_text_equals(id, p->in->session_id) && bt_text_equals(status, "open"))
      return false;
  }
  return true;
}

/* Steps 6.1 and 6.2 under band pressure. */
static enum bt_code ensure_marker(struct pipeline *p, bool *sticky) {
  const struct bt_ensure_request request = {.session_id = p->in->session_id,
                                            .ticket_id = p->in->ticket_id,
                                            .host = p->in->host != NULL ? p->in->host : "unknown"};
  struct bt_ensure_plan plan;
  p->out->deny_ever_written = true;
  enum bt_code code = bt_marker_ensure_plan(p->ledger, &request, &plan, p->err);
  if (code != BT_OK)
    return code;
  p->out->ensure = plan.verdict;
  p->out->ensure_fresh = plan.fresh;
  if (p->in->simulate) {
    if (plan.fresh && (p->fresh = bt_marker_fresh(&request, bt_env_now(p->env))) == NULL)
      return bt_error_set(p->err, BT_NOMEM, request.session_id, "out of memory");
    if (plan.verdict.ok)
      p->overlay = (struct bt_deny_overlay){.id = request.session_id, .record = p->fresh};
  } else if (plan.writes) {
    code = do_ensure(p, &request, plan.fresh);
  }
  p->out->ensured_marker = p->out->ensure.ok;
  if (!p->out->ensure.ok) {
    *sticky = true;
    add_reason(p, "ensure_deny_marker:", p->out->ensure.reason);
  }
  return code == BT_OK && must_reload(p, plan.writes) ? load_records(p) : code;
}

/* Step 6.1 with a cool band. */
static enum bt_code check_reentry(struct pipeline *p, bool *sticky) {
  struct bt_reentry reentry;
  enum bt_code code = bt_marker_reentry(p->ledger, p->in->session_id, BT_HANDOFF_NO, true, &reentry, p->err);
  if (code == BT_OK && reentry.deny) {
    *sticky |= reentry.process_sticky;
    add_reason(p, "D1:", reentry.reason);
    p->out->mutation_denied = true;
  }
  return code;
}

struct verdict { /* of step 6.4 */
  bool present, verified;
  const char *unbound_reason;
};

/* Step 6.4: the grant that counts, from the file or from the host. */
static enum bt_code find_grant(struct pipeline *p, struct verdict *verdict) {
  *verdict = (struct verdict){0};
  if (p->in->host_grant_given) {
    const struct bt_json *grant = p->in->host_grant;
    const struct bt_json *reason = bt_json_get(grant, "unbound_reason");
    bool right_reason = bt_json_type(reason) == BT_JSON_NULL || bt_json_string(reason) != NULL;
    const char *session = bt_json_get_string(grant, "session_id");
    if (session != NULL && strcmp(session, p->in->session_id) == 0 && right_reason) {
      bool verified = false;
      verdict->present = true;
      verdict->verified = bt_json_get_bool(grant, "verified", &verified) && verified;
      verdict->unbound_reason = bt_json_string(reason);
    }
    return BT_OK;
  }
  enum bt_code code =
      bt_grant_read(p->ledger, p->in->session_id, p->in->key, bt_env_now(p->env), &p->out->grant, p->err);
  if (code == BT_OK && p->out->grant.present)
    *verdict = (struct verdict){true, p->out->grant.verified, p->out->grant.unbound_reason};
  return code;
}

/* Removes the grant file. Only the caller whose removal succeeds may use the grant. */
static bool spend_grant(struct pipeline *p) {
  bool spent = false;
  struct bt_str path;
  bt_str_init(&path, bt_ledger_path_room(p->in->session_id));
  if (bt_ledger_path(&path, BT_FILE_GRANT, p->in->session_id)) {
    if (p->in->simulate) {
      struct bt_fs_stat stat = {.kind = BT_FS_ABSENT};
      if (p->ledger >= 0)
        bt_fs_stat_at(p->ledger, path.data, &stat);
      spent = stat.kind == BT_FS_FILE || stat.kind == BT_FS_LINK || stat.kind == BT_FS_OTHER;
    } else {
      before_write(p);
      if (p->txn == NULL)
        p->txn = bt_txn_open(p->env, false, NULL);
      spent = p->txn != NULL && bt_txn_unlink(p->txn, path.data, NULL) == BT_OK;
    }
  }
  bt_str_dispose(&path);
  return spent;
}

/* Steps 6.4 and 6.5. */
static enum bt_code claim_grant(struct pipeline *p, struct bt_bypass *bypass) {
  struct verdict verdict;
  enum bt_code code = find_grant(p, &verdict);
  if (code != BT_OK || !verdict.present || !verdict.verified || p->out->reasons.count > 0 || p->out->reasons.failed)
    return code;
  p->out->grant_use = spend_grant(p) ? BT_GRANT_CLAIMED : BT_GRANT_LOST;
  if (p->out->grant_use == BT_GRANT_CLAIMED) {
    bool has_reason = verdict.unbound_reason != NULL && verdict.unbound_reason[0] != '\0';
    *bypass = (struct bt_bypass){.kind = BT_BYPASS_OBJECT,
                                 .session_id = p->in->session_id,
                                 .unbound_reason = has_reason ? verdict.unbound_reason : NULL};
  }
  return code;
}

/* Steps 6.6 to 6.8. */
static enum bt_code judge_records(struct pipeline *p, bool sticky, struct bt_bypass bypass) {
  struct bt_gate_input *gate = &p->out->gate;
  gate->current_session_id = p->in->session_id;
  gate->process_sticky = sticky;
  gate->auth = p->out->auth.present ? &p->out->auth.gate : NULL;
  gate->bypass = bypass;
  enum bt_code code = bt_deny_gate_input(&p->out->set, p->out->arena, gate, p->err);
  if (code != BT_OK)
    return code;
  if (bt_gate_evaluate(gate, &p->out->reasons))
    p->out->mutation_denied = true;
  size_t before = p->out->reasons.count;
  code = bt_capture_bindings(p->ledger, p->out->set.records, &p->out->reasons, &p->out->captures_checked, p->err);
  if (p->out->reasons.count > before)
    p->out->mutation_denied = true;
  if (p->out->mutation_denied && p->out->auth.present && !p->out->auth.gate.verified) {
    bool has_key = p->in->key.bytes != NULL && p->in->key.length > 0;
    add_reason(p, has_key ? "resume_auth_unverified" : "resume_auth_unverifiable:no_manifest_key", "");
  }
  return code;
}

/* Step 6. */
static enum bt_code judge_session(struct pipeline *p, bool handoff_active) {
  bool sticky = false;
  struct bt_bypass bypass = {0};
  if (!bt_id_is_safe(p->in->session_id))
    return bt_error_set(p->err, BT_UNSAFE, p->in->session_id, "unsafe sessionId: path traversal");
  enum bt_code code = BT_OK;
  if (handoff_active)
    code = ensure_marker(p, &sticky);
  else if (p->in->deny_ever_written)
    code = check_reentry(p, &sticky);
  if (code == BT_OK)
    code = bt_auth_read(p->ledger, p->in->session_id, p->in->key, &p->out->auth, p->err);
  if (code == BT_OK)
    code = claim_grant(p, &bypass);
  return code == BT_OK ? judge_records(p, sticky, bypass) : code;
}

/* Steps 7 and 8. */
static enum bt_code judge_shell(struct pipeline *p) {
  const char *command = p->in->bash_command != NULL ? p->in->bash_command : "";
  if (!p->in->is_bash)
    return BT_OK;
  if (p->out->mutation_denied) {
    add_reason(p, "bash_fail_closed_under_deny", "");
    if (bt_shell_runs_mutating_cli(command))
      add_reason(p, "bash_handoff_mutating_cli", "");
  }
  struct bt_candidates candidates;
  enum bt_code code = bt_shell_candidates(command, &candidates, p->err);
  for (size_t i = 0; i < candidates.count && code == BT_OK; i++) {
    enum bt_protection protection = BT_UNPROTECTED;
    code = bt_protect_classify(p->protector, candidates.items[i], &protection, p->err);
    if (protection == BT_UNPROTECTED)
      continue;
    p->out->edit_protected_at_all = true;
    add_reason(p, "path_protected_shell:", candidates.items[i]);
  }
  bt_candidates_dispose(&candidates);
  return code;
}

static enum bt_code run(struct pipeline *p) {
  struct bt_pretool_decision *out = p->out;
  bool has_session = p->in->session_id != NULL && p->in->session_id[0] != '\0';
  judge_scan(p);
  enum bt_code code = judge_edits(p);
  out->bands = bt_bands_of(&p->in->observed);
  bool handoff_active = bt_bands_deny_active(out->bands);
  if (code == BT_OK)
    code = load_records(p);
  if (code == BT_OK && has_session) {
    code = judge_session(p, handoff_active);
  } else if (code == BT_OK && (handoff_active || bt_deny_set_is_hot(&out->set))) {
    add_reason(p, "D0:invalid_session_id", "");
    out->mutation_denied = true;
  }
  return code == BT_OK ? judge_shell(p) : code;
}

enum bt_code bt_pretool_evaluate(const struct bt_env *env, const struct bt_pretool_input *input,
                                 struct bt_pretool_decision *out, struct bt_error *err) {
  *out = (struct bt_pretool_decision){.deny_ever_written = input->deny_ever_written,
                                      .arena = bt_arena_new(DECISION_MAX_BYTES)};
  struct pipeline p = {.env = env, .in = input, .out = out, .err = err, .ledger = -1};
  p.protector = bt_protector_new(env->root);
  out->reasons.arena = out->arena;
  enum bt_code code = BT_NOMEM;
  if (out->arena != NULL && p.protector != NULL) {
    code = open_ledger(&p);
    if (code == BT_OK)
      code = run(&p);
    bt_reasons_unique(&out->reasons);
  }
  if (code == BT_NOMEM || (code == BT_OK && out->reasons.failed))
    code = bt_error_set(err, BT_NOMEM, "gate", "out of memory");
  out->deny = code != BT_OK || out->reasons.count > 0;
  bt_json_free(p.fresh);
  bt_protector_free(p.protector);
  bt_txn_close(p.txn);
  if (p.ledger >= 0)
    close(p.ledger);
  return code;
}

void bt_pretool_dispose(struct bt_pretool_decision *decision) {
  bt_deny_set_dispose(&decision->set);
  bt_auth_dispose(&decision->auth);
  bt_grant_dispose(&decision->grant);
  bt_arena_free(decision->arena);
  *decision = (struct bt_pretool_decision){0};
}
