/* core/hook/judge.c - recovery, signals, ticket, pipeline, words. */
#include "core/hook/judge.h"

#include <string.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/hook/answer.h"
#include "core/hook/observe.h"
#include "core/hook/place.h"
#include "core/hook/pretool.h"
#include "core/hook/recovery.h"
#include "core/hook/session_identity.h"
#include "core/store/tickets.h"

#define ARENA_MAX ((size_t)128 * 1024 * 1024)

void bt_hook_session(struct bt_str *out, const struct bt_hook_call *call) {
  bt_session_identify(out, call->session_ids, sizeof call->session_ids / sizeof *call->session_ids,
                      call->transcript_path);
}

bool bt_hook_is_recovery(const struct bt_hook_call *call, const char *program, const char *session_id) {
  if (!call->is_shell || !call->may_recover || call->command_count != 1)
    return false;
  const struct bt_recovery_self self = {.program = program};
  return bt_recovery_is_pwd(call->command.data) || bt_recovery_match(call->command.data, &self, session_id) != NULL;
}

/* The ticket that a fresh marker is bound to, so that `continue` needs no repair first. NULL: none, or none that can
 * be told, which leaves the marker unbound. */
static const char *active_ticket(const struct bt_env *env, struct bt_arena *arena) {
  struct bt_ticket_pointer pointer = {0};
  int ledger = bt_fs_open_root(env->ledger_dir, NULL);
  bool told = bt_ticket_active(env, ledger, arena, &pointer, NULL) == BT_OK && pointer.error == NULL;
  if (ledger >= 0)
    close(ledger);
  return told ? pointer.id : NULL;
}

/* A session that was marked is to stop even where only a path is at stake; a scan that saw too little may be made
 * again. */
enum bt_denial_kind bt_denial_kind_of(const struct bt_pretool_decision *decision) {
  bool only_scan = decision->reasons.count > 0;
  for (size_t i = 0; i < decision->reasons.count; i++) {
    const char *code = decision->reasons.items[i].code;
    only_scan &= strcmp(code, BT_REASON_SCAN) == 0 || strcmp(code, "bash_fail_closed_under_deny") == 0;
  }
  if (only_scan)
    return BT_DENIAL_UNSURE;
  return decision->mutation_denied || decision->ensured_marker ? BT_DENIAL_HANDOFF : BT_DENIAL_TARGET;
}

static void say(struct bt_verdict_text *out, const struct bt_env *env, const char *session_id,
                const struct bt_pretool_decision *decision, const struct bt_error *problem) {
  const char *const failed[] = {BT_REASON_FAILED};
  const char **codes = NULL;
  struct bt_denial denial = {
      .reasons = failed, .count = 1, .kind = BT_DENIAL_UNSURE, .program = env->self_path, .session_id = session_id};
  if (problem != NULL) {
    denial.detail = problem->message;
  } else if ((codes = BT_ARENA_ARRAY(decision->arena, const char *, decision->reasons.count + 1)) != NULL) {
    for (size_t i = 0; i < decision->reasons.count; i++)
      codes[i] = decision->reasons.items[i].code;
    denial.reasons = codes;
    denial.count = decision->reasons.count;
    denial.kind = bt_denial_kind_of(decision);
  }
  bt_answer_reason(&out->reason, &denial);
}

static enum bt_code prepare(const struct bt_env *env, const struct bt_hook_call *call, const char *cwd,
                            struct bt_arena *arena, struct bt_pretool_input *input, struct bt_error *err) {
  struct bt_observed observed;
  enum bt_code code = bt_hook_edit_paths(call, env->root, cwd, arena, &input->edit_paths, &input->edit_path_count, err);
  if (code == BT_OK)
    code = bt_observe_transcript(cwd, call->transcript_path, call->harness == BT_HOOK_CODEX, &observed, err);
  if (code != BT_OK)
    return code;
  input->observed = observed.signals;
  if (call->transcript_malformed)
    input->observed.depth.kind = BT_SIGNAL_MALFORMED;
  input->scan_truncated = observed.truncated;
  if (bt_bands_deny_active(bt_bands_of(&input->observed)))
    input->ticket_id = active_ticket(env, arena);
  input->is_bash = call->is_shell;
  input->bash_command = call->command.data;
  input->host = bt_hook_harness_word(call->harness);
  input->key = bt_env_key(env);
  return BT_OK;
}

enum bt_code bt_hook_judge(const struct bt_env *env, const struct bt_hook_call *call, const char *session_id,
                           const char *cwd, struct bt_before_write before_write, struct bt_verdict_text *out,
                           struct bt_error *err) {
  struct bt_pretool_input input = {.session_id = session_id, .before_write = before_write};
  struct bt_pretool_decision decision = {0};
  struct bt_error problem = {0};
  struct bt_arena *arena = bt_arena_new(ARENA_MAX);
  *out = (struct bt_verdict_text){.deny = true};
  bt_str_init(&out->reason, BT_ANSWER_MAX);
  enum bt_code code = arena != NULL ? prepare(env, call, cwd, arena, &input, &problem)
                                    : bt_error_set(&problem, BT_NOMEM, "gate", "out of memory");
  if (code == BT_OK)
    code = bt_pretool_evaluate(env, &input, &decision, &problem);
  if (code == BT_OK)
    out->deny = decision.deny;
  if (out->deny)
    say(out, env, session_id, &decision, code == BT_OK ? NULL : &problem);
  bt_pretool_dispose(&decision);
  bt_arena_free(arena);
  return out->reason.failed ? bt_error_set(err, BT_NOMEM, "gate", "out of memory") : BT_OK;
}

void bt_verdict_text_dispose(struct bt_verdict_text *verdict) {
  bt_str_dispose(&verdict->reason);
}
