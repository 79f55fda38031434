/* core/hook/why.c - asks the gate without touching anything, and puts the answer together. */
#include "core/hook/why.h"

#include <stdarg.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/str.h"
#include "core/hook/judge.h"
#include "core/hook/why_build.h"
#include "core/model/explain.h"
#include "core/model/id.h"
#include "core/ops/command.h"

#define WHY_MAX_BYTES ((size_t)64 * 1024 * 1024)
#define WHY_COMMAND_BYTES ((size_t)1024 * 1024)

void bt_why_free(struct bt_why *why) {
  if (why != NULL)
    bt_arena_free(why->arena);
}

const char *bt_rule_verdict_word(enum bt_rule_verdict verdict) {
  static const char *const words[] = {"pass", "refuse", "unknown"};
  return words[verdict];
}

const char *bt_why_words(struct bt_why_build *build, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  const char *words = bt_words_vprintf(build->arena, fmt, args);
  va_end(args);
  build->failed |= words == NULL;
  return words;
}

const struct bt_json *bt_why_record(const struct bt_why_build *build, size_t reason) {
  size_t record = build->decision->reasons.items[reason].record;
  return record < build->decision->gate.record_count ? build->decision->gate.records[record] : NULL;
}

static void add_note(struct bt_why_build *build, const char **notes, const char *text) {
  if (text != NULL && build->why->note_count < BT_WHY_NOTES_MAX)
    notes[build->why->note_count++] = text;
}

/* What a real call would do besides answering. */
static void build_notes(struct bt_why_build *build) {
  const struct bt_pretool_decision *decision = build->decision;
  const char **notes = BT_ARENA_ARRAY(build->arena, const char *, BT_WHY_NOTES_MAX);
  build->failed |= notes == NULL;
  if (notes == NULL)
    return;
  build->why->notes = notes;
  if (!build->snapshot->ledger_present)
    add_note(build, notes, "there is no ledger here, and without one the gate lets everything through");
  add_note(build, notes, bt_deny_set_heal_due(&decision->set));
  if (decision->ensure_fresh && decision->ensure.ok)
    add_note(build, notes, "a real call would write an open deny marker of this session");
  if (decision->grant_use == BT_GRANT_CLAIMED)
    add_note(build, notes, "its bypass grant would be spent by this call");
  else if (decision->grant.present && !decision->grant.verified)
    add_note(build, notes,
             build->env->key != NULL ? "its bypass grant does not verify with this key and is not used"
                                     : "its bypass grant cannot be verified without the signing key");
  else if (decision->grant.present)
    add_note(build, notes, "its bypass grant would not be spent: a rule refuses that no grant lifts");
  else if (decision->grant.error != NULL)
    add_note(build, notes, bt_why_words(build, "its bypass grant does not count (%s)", decision->grant.error));
}

static void build_reasons(struct bt_why_build *build) {
  const struct bt_reasons *reasons = &build->decision->reasons;
  const char **list = BT_ARENA_ARRAY(build->arena, const char *, reasons->count + 1);
  build->failed |= list == NULL;
  for (size_t i = 0; i < reasons->count && !build->failed; i++) {
    list[i] = bt_arena_strdup(build->arena, reasons->items[i].code);
    build->failed |= list[i] == NULL;
  }
  build->why->reasons = list;
  build->why->reason_count = build->failed ? 0 : reasons->count;
}

/* Moves the text into the arena. */
static const char *keep_text(struct bt_why_build *build, struct bt_str *text) {
  const char *kept = text->failed ? NULL : bt_arena_strndup(build->arena, text->data, text->length);
  build->failed |= kept == NULL;
  bt_str_dispose(text);
  return kept;
}

/* What the agent was told, and what it cannot have learnt from it. */
static void build_told(struct bt_why_build *build) {
  struct bt_why *why = build->why;
  bool repo_wide = false;
  if (why->allowed || why->reason_count == 0)
    return;
  const struct bt_denial denial = {.kind = bt_denial_kind_of(build->decision),
                                   .reasons = why->reasons,
                                   .count = why->reason_count,
                                   .program = build->env->self_path,
                                   .session_id = why->session};
  struct bt_str text;
  bt_str_init(&text, BT_ANSWER_MAX);
  bt_answer_reason(&text, &denial);
  why->told = keep_text(build, &text);
  for (size_t i = 0; i < why->reason_count; i++)
    repo_wide |= bt_starts_with(why->reasons[i], "D3:") || bt_starts_with(why->reasons[i], "capture_tamper:") ||
                 bt_text_equals(why->reasons[i], "D0:deny_store_unavailable");
  why->truth = repo_wide
                   ? "A fresh session alone does not help: what refuses is kept in the ledger and holds for every "
                     "session of this checkout, until a step above clears it."
                   : "Only this session, or only what it asked for, is refused: other sessions of this checkout can "
                     "go on.";
}

static void build_command(struct bt_why_build *build) {
  const struct bt_why_request *request = build->request;
  struct bt_str line;
  bt_str_init(&line, WHY_COMMAND_BYTES);
  bt_str_puts(&line, "baton why");
  if (request->session != NULL) {
    bt_str_putc(&line, ' ');
    bt_shell_word(&line, request->session);
  }
  for (size_t i = 0; i < request->path_count; i++) {
    bt_str_puts(&line, " --path ");
    bt_shell_word(&line, request->paths[i]);
  }
  if (request->bash != NULL) {
    bt_str_puts(&line, " --bash ");
    bt_shell_word(&line, request->bash);
  }
  bt_str_puts(&line, " --dir ");
  bt_shell_word(&line, build->env->ledger_dir);
  build->why->command = keep_text(build, &line);
}

static void build_all(struct bt_why_build *build) {
  struct bt_why *why = build->why;
  const struct bt_why_request *request = build->request;
  why->taken_at_ms = build->snapshot->taken_at_ms;
  why->allowed = !build->decision->deny;
  why->records_read = bt_json_count(build->decision->set.records) + bt_json_count(build->decision->set.invalid);
  if (request->session != NULL) {
    why->session = bt_arena_strdup(build->arena, request->session);
    build->failed |= why->session == NULL;
  }
  why->question = bt_why_words(build, "may %s%s change files in %s right now?", why->session != NULL ? "session " : "",
                               why->session != NULL ? why->session : BT_WHY_NEW_SESSION, build->snapshot->project);
  build_reasons(build);
  if (!build->failed)
    bt_why_build_rules(build);
  if (!build->failed)
    bt_why_build_steps(build);
  if (!build->failed)
    build_notes(build);
  if (!build->failed)
    build_told(build);
  if (!build->failed)
    build_command(build);
}

/* What a host would observe of the session (spec/transcripts.md 4.1): the depth of its transcript, for those whose host
 * scans it. Never the fill. */
static void observe(struct bt_pretool_input *input, const struct bt_snapshot *snapshot) {
  const struct bt_session *session = snapshot ? bt_snapshot_session(snapshot, input->session_id) : NULL;
  const struct bt_transcript_facts *facts = session ? session->transcript : NULL;
  bool scanned = facts && session->context.depth_known &&
                 (facts->harness == BT_HARNESS_CLAUDE || facts->harness == BT_HARNESS_CODEX);
  if (!scanned || input->observed.depth.kind != BT_SIGNAL_ABSENT || input->observed.malformed)
    return;
  input->observed.depth = bt_signal_number((double)session->context.depth);
  input->scan_truncated |= session->context.truncated;
}

enum bt_code bt_why_explain(const struct bt_env *env, const struct bt_snapshot *snapshot,
                            const struct bt_why_request *request, struct bt_why **why, struct bt_error *err) {
  *why = NULL;
  const char *session = request->session != NULL ? request->session : BT_WHY_NEW_SESSION;
  if (!bt_id_is_safe(session))
    return bt_error_set(err, BT_UNSAFE, session, "unsafe sessionId: path traversal");
  struct bt_pretool_input input = {.session_id = session,
                                   .observed = request->observed,
                                   .edit_paths = request->paths,
                                   .edit_path_count = request->path_count,
                                   .is_bash = request->bash != NULL,
                                   .bash_command = request->bash,
                                   .key = bt_env_key(env),
                                   .scan_truncated = request->scan_truncated,
                                   .simulate = true};
  observe(&input, snapshot);
  struct bt_pretool_decision decision;
  enum bt_code code = bt_pretool_evaluate(env, &input, &decision, err);
  struct bt_arena *arena = code == BT_OK ? bt_arena_new(WHY_MAX_BYTES) : NULL;
  struct bt_why *made = arena != NULL ? BT_ARENA_NEW(arena, struct bt_why) : NULL;
  if (made != NULL) {
    struct bt_why_build build = {
        .env = env, .snapshot = snapshot, .request = request, .decision = &decision, .why = made, .arena = arena};
    made->arena = arena;
    build_all(&build);
    if (build.failed)
      made = NULL;
  }
  if (code == BT_OK && made == NULL) {
    code = bt_error_set(err, BT_NOMEM, session, "out of memory");
    bt_arena_free(arena);
  }
  *why = made;
  bt_pretool_dispose(&decision);
  return code;
}
