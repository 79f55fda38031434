/* core/hook/why_steps.c - what would clear the refusals, most durable first, and what would not. */
#include <string.h>

#include "core/base/json.h"
#include "core/base/str.h"
#include "core/hook/why_build.h"
#include "core/model/id.h"
#include "core/ops/command.h"

#define SUBJECTS_MAX 64 /* records whose steps are spelt out */
#define STEPS_MAX (SUBJECTS_MAX * 6 + 8)
#define COMMAND_MAX_BYTES ((size_t)64 * 1024)

enum rank { FOR_GOOD, FIRST_STEP, ONE_CALL, NO_HELP };

struct steps {
  struct bt_why_build *build;
  struct bt_why_step *items; /* room for STEPS_MAX, arena */
  enum rank *ranks;
  size_t count;
};

static const char *const lasts_words[] = {"for good", "a first step", "one gated call", "does not help"};

static const char *needs_of(enum bt_verb verb) {
  switch (verb) {
  case BT_VERB_RESUME:
    return "key, final";
  case BT_VERB_REPAIR:
    return "key, ticket, hash";
  case BT_VERB_WRITE:
  case BT_VERB_CONTINUE:
  case BT_VERB_BYPASS:
    return "key";
  default:
    return NULL;
  }
}

/* The explanation outlives the snapshot whose words it uses. */
static const char *keep(struct steps *steps, const char *text) {
  const char *kept = bt_arena_strdup(steps->build->arena, text);
  steps->build->failed |= text != NULL && kept == NULL;
  return kept;
}

static struct bt_why_step *add(struct steps *steps, enum rank rank, enum bt_verb verb, const char *subject,
                               const char *text) {
  if (steps->count == STEPS_MAX || text == NULL)
    return NULL;
  struct bt_why_step *step = &steps->items[steps->count];
  *step = (struct bt_why_step){0};
  step->verb = verb;
  step->subject = keep(steps, subject);
  step->text = keep(steps, text);
  step->lasts = lasts_words[rank];
  step->needs = rank == NO_HELP ? NULL : needs_of(verb);
  step->helps = rank != NO_HELP;
  steps->ranks[steps->count++] = rank;
  return step;
}

static void no_help(struct steps *steps, const char *text, const char *why) {
  struct bt_why_step *step = add(steps, NO_HELP, BT_VERB_NONE, NULL, text);
  if (step != NULL)
    step->blocked_by = why;
}

static const char *command_of(struct steps *steps, const struct bt_request *request) {
  struct bt_str line;
  bt_str_init(&line, COMMAND_MAX_BYTES);
  bt_command_line(&line, steps->build->env, request);
  const char *kept = line.failed ? NULL : bt_arena_strndup(steps->build->arena, line.data, line.length);
  bt_str_dispose(&line);
  return kept;
}

/* ---- what the refusals have in common ---- */

struct refusals {
  bool repo_wide;      /* some record or the store refuses every session */
  bool only_scan;      /* nothing but an incomplete count */
  bool beyond_grant;   /* something that no grant lifts */
  bool before_grant;   /* something that keeps a grant from being spent at all */
  bool needs_reason;   /* a grant would have to be an unbound one */
  const char *example; /* the code that no grant lifts */
};

static bool is_own(const struct steps *steps, const struct bt_json *record) {
  return bt_text_equals(bt_json_get_string(record, "session_id"), steps->build->why->session);
}

static void look_at(struct steps *steps, size_t reason, struct refusals *all) {
  const char *code = steps->build->why->reasons[reason];
  const struct bt_json *record = bt_why_record(steps->build, reason);
  bool record_rule = bt_starts_with(code, "D3:") || bt_starts_with(code, "capture_tamper:");
  bool before = bt_starts_with(code, "path_protected:") || bt_starts_with(code, "path_protected_symlink:") ||
                bt_starts_with(code, "incomplete_scan") || bt_starts_with(code, "ensure_deny_marker:");
  bool beyond = before || bt_starts_with(code, "D1:") || bt_starts_with(code, "capture_tamper:") ||
                bt_starts_with(code, "path_protected_shell:") || bt_text_equals(code, "D0:invalid_session_id") ||
                bt_text_equals(code, "D3:invalid_record:?");
  all->repo_wide |= record_rule || bt_text_equals(code, "D0:deny_store_unavailable");
  all->only_scan &= bt_starts_with(code, "incomplete_scan") || bt_starts_with(code, "bash_");
  all->before_grant |= before;
  all->beyond_grant |= beyond;
  if (beyond && all->example == NULL)
    all->example = code;
  all->needs_reason |=
      bt_text_equals(code, "D0:deny_store_unavailable") || bt_starts_with(code, "D3:invalid_record:") ||
      (bt_starts_with(code, "D3:unauthorized_open:") && !bt_record_is_bound(record) && !is_own(steps, record));
}

/* ---- steps for one record ---- */

/* The same operation for a shell, where nothing is left to fill in. */
static const char *command_of_verb(struct steps *steps, enum bt_verb verb, const struct bt_session *subject) {
  const struct bt_ticket_pointer *active = &steps->build->snapshot->active_ticket;
  struct bt_request request = {.verb = verb};
  switch (verb) {
  case BT_VERB_CONTINUE:
    request.deny_session = subject->id;
    if (active->error != NULL || (active->id != NULL && !bt_text_equals(active->id, subject->ticket_id)))
      request.ticket = subject->ticket_id;
    break;
  case BT_VERB_RESUME:
    if (subject->successor == NULL)
      return NULL;
    request.session = subject->successor->consumer_session_id;
    request.deny_session = subject->id;
    break;
  case BT_VERB_WRITE:
    request.session = subject->id;
    request.ticket = subject->ticket_id;
    break;
  default:
    return NULL;
  }
  return command_of(steps, &request);
}

static enum rank rank_of(enum bt_verb verb) {
  return verb == BT_VERB_WRITE || verb == BT_VERB_REPAIR ? FIRST_STEP : FOR_GOOD;
}

static void add_advice(struct steps *steps, const struct bt_session *subject, const struct bt_next_step *advice,
                       bool by_hand_counts) {
  if (advice->verb == BT_VERB_UNLOCK || advice->verb == BT_VERB_BYPASS ||
      (advice->verb == BT_VERB_NONE && !by_hand_counts))
    return;
  struct bt_why_step *step = add(steps, rank_of(advice->verb), advice->verb, subject->id, advice->text);
  if (step == NULL)
    return;
  step->blocked_by = keep(steps, advice->blocked_by);
  step->command = command_of_verb(steps, advice->verb, subject);
}

static bool advises(const struct bt_session *subject, enum bt_verb verb) {
  bool found = subject->next.verb == verb;
  for (size_t i = 0; i < subject->other_count; i++)
    found = found || subject->others[i].verb == verb;
  return found;
}

/* A record of its own, of whatever status, refuses a session for good (spec 6.3, D2). */
static bool has_own_record(const struct steps *steps, const char *session) {
  const struct bt_session *asking = bt_snapshot_session(steps->build->snapshot, session);
  return asking != NULL && asking->deny != NULL;
}

/* An existing session, the asking one, may take the work over. */
static void add_resume(struct steps *steps, const struct bt_session *subject) {
  const struct bt_deny *deny = subject->deny;
  const char *session = steps->build->why->session;
  if (session == NULL || has_own_record(steps, session) || bt_text_equals(session, subject->id) || deny == NULL ||
      deny->status != BT_DENY_OPEN || !deny->ticket_bound || !deny->hash_bound || advises(subject, BT_VERB_RESUME))
    return;
  struct bt_why_step *step = add(steps, FOR_GOOD, BT_VERB_RESUME, subject->id,
                                 bt_why_words(steps->build, "resume: let %s take over this work", session));
  if (step == NULL)
    return;
  step->blocked_by = keep(steps, bt_snapshot_verb_blocked(steps->build->snapshot, BT_VERB_RESUME));
  if (step->blocked_by == NULL && (subject->final_ == NULL || subject->final_->error != NULL))
    step->blocked_by = bt_why_words(steps->build, "its final checkpoint cannot be used (%s)",
                                    subject->final_ != NULL ? subject->final_->error : "missing");
  const struct bt_request request = {.verb = BT_VERB_RESUME, .session = session, .deny_session = subject->id};
  step->command = command_of(steps, &request);
}

static void add_for_record(struct steps *steps, const struct bt_session *subject) {
  const struct bt_deny *deny = subject->deny;
  const struct bt_capture *capture = subject->capture;
  bool broken = deny == NULL || deny->status == BT_DENY_INVALID ||
                (capture != NULL && capture->status != BT_BRIEF_VERIFIED && capture->status != BT_BRIEF_NONE &&
                 capture->status != BT_BRIEF_UNCHECKED);
  if (!broken && deny->status == BT_DENY_CONSUMED) {
    (void)add(steps, FOR_GOOD, BT_VERB_NONE, subject->id,
              bt_why_words(steps->build, "go on in %s: a session whose work was handed over stays denied",
                           deny->consumed_by != NULL ? deny->consumed_by : "the session that took over"));
    return;
  }
  if (subject->lock == NULL) /* else the first advice is about its lock, which denies nothing */
    add_advice(steps, subject, &subject->next, broken);
  for (size_t i = 0; i < subject->other_count; i++)
    add_advice(steps, subject, &subject->others[i], broken);
  if (!broken) /* a consumed record's brief is checked as well */
    add_resume(steps, subject);
}

static void add_for_records(struct steps *steps) {
  const struct bt_why *why = steps->build->why;
  const struct bt_session *seen[SUBJECTS_MAX];
  size_t seen_count = 0;
  for (size_t i = 0; i < why->rule_count && seen_count < SUBJECTS_MAX; i++) {
    const struct bt_why_rule *rule = &why->rules[i];
    bool by_record =
        bt_text_equals(rule->id, "D2") || bt_text_equals(rule->id, "D3") || bt_text_equals(rule->id, "cap");
    const struct bt_session *subject = rule->verdict == BT_RULE_REFUSE && by_record && rule->record != NULL
                                           ? bt_snapshot_session(steps->build->snapshot, rule->record)
                                           : NULL;
    for (size_t j = 0; j < seen_count && subject != NULL; j++) {
      if (seen[j] == subject)
        subject = NULL;
    }
    if (subject == NULL)
      continue;
    seen[seen_count++] = subject;
    add_for_record(steps, subject);
  }
}

/* ---- steps for all of them ---- */

static void add_bypass(struct steps *steps, const struct refusals *all) {
  const char *session = steps->build->why->session;
  const char *who = session != NULL ? session : "the session that asks";
  if (all->beyond_grant) {
    no_help(steps, "one-shot bypass",
            bt_why_words(steps->build, "no grant lifts %s%s", all->example,
                         all->before_grant ? "; it would not even be spent" : "; it would be spent in vain"));
    return;
  }
  struct bt_why_step *step =
      add(steps, ONE_CALL, BT_VERB_BYPASS, NULL,
          bt_why_words(steps->build, "one-shot bypass for %s%s: spent by its next gated call, whatever it is", who,
                       all->needs_reason ? ", with a reason" : ""));
  if (step == NULL)
    return;
  step->blocked_by = keep(steps, bt_snapshot_verb_blocked(steps->build->snapshot, BT_VERB_BYPASS));
  if (all->needs_reason)
    step->needs = "key, reason";
  const struct bt_request request = {.verb = BT_VERB_BYPASS, .session = session};
  if (session != NULL && !all->needs_reason)
    step->command = command_of(steps, &request);
}

static void add_common(struct steps *steps, const struct refusals *all) {
  const struct bt_why *why = steps->build->why;
  bool own_path = false;
  for (size_t i = 0; i < why->rule_count; i++)
    own_path |= why->rules[i].verdict == BT_RULE_REFUSE && why->rules[i].code != NULL &&
                bt_starts_with(why->rules[i].code, "path_protected");
  if (bt_text_equals(steps->build->decision->set.reason, "missing_deny_store") ||
      bt_text_equals(steps->build->decision->set.reason, "emptied_deny_store"))
    (void)add(steps, FOR_GOOD, BT_VERB_NONE, NULL, "by hand: put .adlc/handoffs/denies back from a copy");
  else if (!steps->build->decision->set.ok)
    (void)add(steps, FOR_GOOD, BT_VERB_NONE, NULL,
              "by hand: make .adlc/handoffs/denies a plain, readable folder again");
  if (own_path)
    (void)add(steps, FOR_GOOD, BT_VERB_NONE, NULL, "leave the gate's own files alone: name other paths");
  add_bypass(steps, all);
  if (all->repo_wide)
    no_help(steps, "start a new session", "what refuses is kept in the ledger and holds for every session");
  else if (own_path)
    no_help(steps, "start a new session", "these paths are refused to every session");
  else
    (void)add(steps, FOR_GOOD, BT_VERB_NONE, NULL,
              all->only_scan ? "start a new session: its transcript can be counted to its start"
                             : "start a new session: what refuses concerns this one alone");
  no_help(steps, "unlock", "a lock only keeps two verbs apart, it denies nothing");
  no_help(steps, "wait", "no rule looks at the time");
}

/* Stable, by rank; then numbered. */
static void settle_order(struct steps *steps) {
  struct bt_why_step *sorted = BT_ARENA_ARRAY(steps->build->arena, struct bt_why_step, steps->count + 1);
  size_t count = 0;
  steps->build->failed |= sorted == NULL;
  for (enum rank rank = FOR_GOOD; rank <= NO_HELP && sorted != NULL; rank++) {
    for (size_t i = 0; i < steps->count; i++) {
      if (steps->ranks[i] != rank)
        continue;
      sorted[count] = steps->items[i];
      sorted[count].number = rank == NO_HELP ? 0 : (unsigned)count + 1;
      count++;
    }
  }
  steps->build->why->steps = sorted;
  steps->build->why->step_count = sorted != NULL ? count : 0;
}

void bt_why_build_steps(struct bt_why_build *build) {
  struct steps steps = {.build = build};
  struct refusals all = {.only_scan = true};
  if (build->why->allowed)
    return;
  steps.items = BT_ARENA_ARRAY(build->arena, struct bt_why_step, STEPS_MAX);
  steps.ranks = BT_ARENA_ARRAY(build->arena, enum rank, STEPS_MAX);
  build->failed |= steps.items == NULL || steps.ranks == NULL;
  if (build->failed)
    return;
  for (size_t i = 0; i < build->why->reason_count; i++)
    look_at(&steps, i, &all);
  add_for_records(&steps);
  add_common(&steps, &all);
  settle_order(&steps);
}
