/* core/delivery/gh.c - one call of gh. */
#include "core/delivery/gh.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/child.h"
#include "core/base/utf8.h"
#include "core/delivery/fields.h"

#define ARGS_MAX 14

struct call {
  struct bt_str out, err;
  struct bt_child_result result;
};

static const char *variable(const struct bt_env *env, const char *name) {
  const char *value = env->getenv_fn != NULL ? env->getenv_fn(env->getenv_context, name) : NULL;
  return value != NULL && value[0] != '\0' ? value : NULL;
}

static const char *program_of(const struct bt_env *env) {
  const char *program = variable(env, "BATON_GH");
  return program != NULL ? program : "gh";
}

static int64_t timeout_of(const struct bt_env *env) {
  const char *text = variable(env, "BATON_GH_TIMEOUT_MS");
  char *end = NULL;
  long value = text != NULL ? strtol(text, &end, 10) : 0;
  return text != NULL && *end == '\0' && value > 0 && value <= 600000 ? value : BT_GH_TIMEOUT_MS;
}

/* argv without the program, which is put in front. */
static enum bt_code call_gh(const struct bt_env *env, const char *const *args, struct call *call,
                            struct bt_error *err) {
  static const char *const added[] = {"GH_PROMPT_DISABLED=1", "NO_COLOR=1", NULL};
  static const char *const withheld[] = {"GH_FORCE_TTY", "CLICOLOR_FORCE", NULL};
  const char *argv[ARGS_MAX + 2] = {program_of(env)};
  for (size_t i = 0; args[i] != NULL; i++) {
    assert(i < ARGS_MAX); /* every list is written out in this file */
    argv[i + 1] = args[i];
  }
  bt_str_init(&call->out, BT_GH_OUTPUT_MAX);
  bt_str_init(&call->err, BT_GH_OUTPUT_MAX);
  const struct bt_child child = {.argv = argv,
                                 .withheld = withheld,
                                 .added = added,
                                 .timeout_ms = timeout_of(env),
                                 .output_max = BT_GH_OUTPUT_MAX,
                                 .own_group = true,
                                 .give_up = env->give_up,
                                 .out = &call->out,
                                 .err = &call->err};
  return bt_child_run(&child, &call->result, err);
}

static void dispose_call(struct call *call) {
  bt_str_dispose(&call->out);
  bt_str_dispose(&call->err);
}

/* ---- what a failure means ---- */

static bool has_phrase(const char *line, size_t length, const char *phrase) {
  size_t size = strlen(phrase);
  for (size_t at = 0; at + size <= length; at++) {
    if (bt_ascii_same(line + at, phrase, size))
      return true;
  }
  return false;
}

/* The forge answered, and the answer is that there is no such pull request. */
static bool says_not_found(const struct bt_str *message) {
  static const char *const subjects[] = {"pull request", "pullrequest"};
  static const char *const verdicts[] = {"could not resolve to", "not found", "no such", "does not exist",
                                         "no pull request"};
  for (const char *line = message->data; *line != '\0'; line += line[strcspn(line, "\n")] == '\n') {
    size_t length = strcspn(line, "\n");
    bool about = has_phrase(line, length, subjects[0]) || has_phrase(line, length, subjects[1]);
    for (size_t i = 0; about && i < sizeof verdicts / sizeof *verdicts; i++) {
      if (has_phrase(line, length, verdicts[i]))
        return true;
    }
    line += length;
  }
  return false;
}

/* One line about a call that did not give an answer. */
static void explain(const struct bt_env *env, const struct call *call, struct bt_error *err) {
  const char *program = program_of(env);
  struct bt_str plain, line;
  switch (call->result.end) {
  case BT_CHILD_ABSENT:
    if (call->result.sys_errno != ENOENT) {
      (void)bt_error_set_errno(err, call->result.sys_errno, program, "%s cannot be run", program);
      err->code = BT_STATE;
      return;
    }
    (void)bt_error_set(err, BT_STATE, program,
                       "%s cannot be run: install it, set BATON_GH, or give a snapshot with --pr-state", program);
    return;
  case BT_CHILD_TIMED_OUT:
    (void)bt_error_set(err, BT_IO, program, "%s did not answer in %lld s", program,
                       (long long)((timeout_of(env) + 999) / 1000));
    return;
  case BT_CHILD_TOO_MUCH:
    (void)bt_error_set(err, BT_TOO_LARGE, program, "%s said more than %zu bytes", program, BT_GH_OUTPUT_MAX);
    return;
  default:
    break;
  }
  size_t length = strcspn(call->err.data, "\n");
  bt_str_init(&plain, BT_GH_OUTPUT_MAX);
  bt_str_init(&line, 8 * BT_GH_OUTPUT_MAX);
  bt_text_without_secrets(&plain, call->err.data, length); /* before it is cut: half a URL hides its user from us */
  bt_text_visible(&line, plain.data, plain.length < 400 ? plain.length : 400);
  (void)bt_error_set(err, BT_IO, program, "%s failed%s%s", program, line.length > 0 ? ": " : "", line.data);
  bt_str_dispose(&plain);
  bt_str_dispose(&line);
}

enum bt_code bt_gh_view(struct bt_arena *arena, const struct bt_env *env, const char *number, const char *identity,
                        int64_t now_ms, int64_t max_age_s, struct bt_pr *pr, const char **note, struct bt_error *err) {
  const char *const args[] = {"pr",
                              "view",
                              number,
                              "--repo",
                              identity,
                              "--json",
                              "state,mergedAt,mergeCommit,headRefOid,body,number,baseRefName",
                              NULL};
  struct bt_error why = {0};
  struct call call;
  *note = NULL;
  bt_pr_unreadable(pr);
  enum bt_code code = call_gh(env, args, &call, err);
  bool answered = code == BT_OK && call.result.end == BT_CHILD_EXITED;
  if (answered && call.result.exit_status == 0) {
    code = bt_pr_read(arena, call.out.data, call.out.length, now_ms, now_ms, max_age_s, pr, err);
    if (code == BT_OK && pr->fault != NULL)
      (void)bt_error_set(&why, BT_CORRUPT, "gh", "the answer of %s cannot be used", program_of(env));
  } else if (answered && says_not_found(&call.err)) {
    bt_pr_not_found(pr);
  } else if (code == BT_OK) {
    explain(env, &call, &why);
  } else if (code != BT_NOMEM) {
    why = err != NULL ? *err : why;
    code = BT_OK;
  }
  dispose_call(&call);
  if (code == BT_OK && why.message[0] != '\0') {
    *note = bt_arena_strdup(arena, why.message);
    code = *note == NULL ? bt_error_set(err, BT_NOMEM, "gh", "out of memory") : BT_OK;
  }
  return code;
}

enum bt_code bt_gh_edit(const struct bt_env *env, const char *number, const char *identity, const char *body_path,
                        struct bt_error *err) {
  const char *const args[] = {"pr", "edit", number, "--repo", identity, "--body-file", body_path, NULL};
  struct call call;
  struct bt_error why = {0};
  enum bt_code code = call_gh(env, args, &call, err);
  if (code == BT_OK && !(call.result.end == BT_CHILD_EXITED && call.result.exit_status == 0)) {
    explain(env, &call, &why);
    code = bt_error_set(err, why.code, why.subject, "%s", why.message);
  }
  dispose_call(&call);
  return code;
}
