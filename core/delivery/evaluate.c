/* core/delivery/evaluate.c - the steps of an evaluation, in their order. */
#include "core/delivery/evaluate.h"

#include <string.h>

#include "core/delivery/fields.h"
#include "core/delivery/identity.h"

bool bt_delivery_is_pending(const struct bt_delivery *delivery, const char *step) {
  for (size_t i = 0; i < delivery->pending.count; i++) {
    if (bt_trimmed_equals(delivery->pending.items[i], step))
      return true;
  }
  return false;
}

void bt_delivery_request_usual(struct bt_delivery_request *request, const struct bt_env *env, const char *directory) {
  const char *host =
      env->getenv_fn != NULL ? env->getenv_fn(env->getenv_context, "BATON_HANDOFF_STORE") : NULL; /* absolute only */
  *request = (struct bt_delivery_request){.env = env,
                                          .directory = directory,
                                          .pr_max_age_s = BT_PR_MAX_AGE_S,
                                          .host_path = host != NULL && host[0] == '/' ? host : NULL,
                                          .host_label = "file",
                                          .watchers = {.env = env},
                                          .now_ms = bt_env_now(env)};
}

/* Step 2. */
static enum bt_code judge_repository(struct bt_evaluation *out, const struct bt_delivery_request *request,
                                     struct bt_error *err) {
  bool no_memory = false;
  const char *recorded = bt_identity_of(out->arena, out->delivery->repository, &no_memory);
  if (recorded == NULL)
    return bt_error_set(err, BT_NOMEM, "record", "out of memory");
  struct bt_remote *remote = &out->live.remote;
  enum bt_code code = bt_remote_find(&out->work, out->delivery->branch, request->remote, remote, err);
  if (code != BT_OK)
    return code;
  const char *reason = bt_remote_differs(remote, recorded);
  out->live.remote_known = true;
  out->live.repository = bt_remote_identity(remote, recorded);
  if (reason == NULL)
    return BT_OK;
  bool cannot_tell = strcmp(reason, "remote:ambiguous") == 0;
  out->verdict =
      bt_evaluation_end(out, cannot_tell ? BT_VERDICT_AMBIGUOUS_LIVE_STATE : BT_VERDICT_STALE_REPOSITORY, reason);
  return BT_OK;
}

/* Step 3: a merge that somebody else did makes verifying it the next step. */
static enum bt_code choose_next(struct bt_evaluation *out, struct bt_error *err) {
  const struct bt_delivery *delivery = out->delivery;
  bool known_merged =
      delivery->pr_number != NULL && bt_pr_speaks_of(&out->pr, delivery->pr_number) && out->pr.state == BT_PR_MERGED;
  struct bt_slice first = bt_trim_blank(delivery->pending.items[0], strlen(delivery->pending.items[0]));
  out->next_step = known_merged && bt_delivery_is_pending(delivery, "post-merge-verify")
                       ? "post-merge-verify"
                       : bt_arena_strndup(out->arena, first.data, first.length);
  return out->next_step != NULL ? BT_OK : bt_error_set(err, BT_NOMEM, "record", "out of memory");
}

/* Steps 4 and 5. */
static void judge_authority(struct bt_evaluation *out, enum bt_authority_word word) {
  out->verdict = bt_authority_outer(out->delivery, word, &out->reasons);
  if (out->verdict == BT_VERDICT_USABLE)
    out->verdict = bt_authority_of_step(out->delivery, out->next_step, &out->reasons);
}

/* Step 8, up to the states that go on: true when one of those was found. */
static bool judge_pr_state(struct bt_evaluation *out) {
  const struct bt_pr *pr = &out->pr;
  const char *reason = NULL;
  if (!pr->given)
    reason = "pr:no-snapshot";
  else if (pr->fault != NULL)
    reason = pr->fault;
  else if (!bt_pr_speaks_of(pr, out->delivery->pr_number))
    reason = "pr:wrong-number";
  else if (pr->state == BT_PR_UNKNOWN)
    reason = "pr:unknown-state";
  else if (pr->state == BT_PR_CONTRADICTORY)
    reason = "pr:contradictory";
  if (reason != NULL)
    out->verdict = bt_evaluation_end(out, BT_VERDICT_AMBIGUOUS_LIVE_STATE, reason);
  else if (pr->state == BT_PR_MISSING)
    out->verdict = bt_evaluation_end(out, BT_VERDICT_STALE_PR_MISSING, "pr:missing");
  else if (pr->state == BT_PR_CLOSED)
    out->verdict = bt_evaluation_end(out, BT_VERDICT_STALE_PR_CLOSED, "pr:closed");
  return reason == NULL && (pr->state == BT_PR_OPEN || pr->state == BT_PR_MERGED);
}

/* Steps 6 to 9. */
static enum bt_code judge_live(struct bt_evaluation *out, struct bt_error *err) {
  const struct bt_delivery *delivery = out->delivery;
  if (strlen(delivery->head) != out->work.id_length) {
    out->verdict = bt_evaluation_end(out, BT_VERDICT_STALE_HEAD, "head:object-format");
    return BT_OK;
  }
  if (delivery->pull_request == NULL)
    return bt_judge_head(out, err);
  if (!judge_pr_state(out))
    return BT_OK;
  return out->pr.state == BT_PR_MERGED ? bt_judge_merged(out, err) : bt_judge_head(out, err);
}

enum bt_code bt_delivery_evaluate(struct bt_arena *arena, const struct bt_delivery_request *request,
                                  struct bt_evaluation *out, struct bt_error *err) {
  enum bt_code code = bt_delivery_scan(arena, request, out, err);
  if (code != BT_OK || out->delivery == NULL)
    return code;
  code = judge_repository(out, request, err);
  if (code == BT_OK)
    code = choose_next(out, err);
  if (code == BT_OK && out->verdict == BT_VERDICT_USABLE)
    judge_authority(out, request->authorization);
  if (code == BT_OK && out->verdict == BT_VERDICT_USABLE)
    code = judge_live(out, err);
  if (code != BT_OK)
    return code;
  bt_warn_about(out, request);
  if (out->reasons.failed || out->warnings.failed)
    return bt_error_set(err, BT_NOMEM, "record", "out of memory");
  return BT_OK;
}
