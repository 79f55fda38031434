/* core/hook/why_rules.c - each rule of the gate with its verdict and what it rests on. */
#include <string.h>

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/str.h"
#include "core/hook/why_build.h"
#include "core/model/explain.h"
#include "core/model/id.h"

/* Rules in the order of the screen, and the reasons that belong to each. */
enum rule {
  RULE_D1,
  RULE_D0,
  RULE_D2,
  RULE_D3,
  RULE_CAP,
  RULE_AUTH,
  RULE_PATH,
  RULE_SHELL,
  RULE_SCAN,
  RULE_MARKER,
  RULE_COUNT
};
static const char *const rule_ids[RULE_COUNT] = {"D1",   "D0",   "D2",    "D3",   "cap",
                                                 "auth", "path", "shell", "scan", "marker"};
static const struct {
  const char *prefix;
  enum rule rule;
} prefixes[] = {{"D1:", RULE_D1},
                {"D0:", RULE_D0},
                {"D2:", RULE_D2},
                {"D3:", RULE_D3},
                {"capture_tamper:", RULE_CAP},
                {"resume_auth_", RULE_AUTH},
                {"path_protected_shell:", RULE_SHELL},
                {"path_protected", RULE_PATH},
                {"bash_", RULE_SHELL},
                {"incomplete_scan", RULE_SCAN},
                {"ensure_deny_marker:", RULE_MARKER}};

static enum rule rule_of(const char *code) {
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
    if (bt_starts_with(code, prefixes[i].prefix))
      return prefixes[i].rule;
  }
  return RULE_D0;
}

static struct bt_why_rule *add(struct bt_why_build *build, struct bt_why_rule *rules, enum rule rule,
                               enum bt_rule_verdict verdict, const char *text) {
  struct bt_why_rule *made = &rules[build->why->rule_count++];
  *made = (struct bt_why_rule){.id = rule_ids[rule], .verdict = verdict, .text = text};
  build->why->refused_count += verdict == BT_RULE_REFUSE;
  build->why->unknown_count += verdict == BT_RULE_UNKNOWN;
  return made;
}

static const char *text_or(const struct bt_json *record, const char *key, const char *otherwise) {
  const char *text = bt_json_get_string(record, key);
  return text != NULL ? text : otherwise;
}

static const char *describe_open(struct bt_why_build *build, const struct bt_json *record) {
  const char *since = bt_json_get_string(record, "since");
  char stamp[24];
  int64_t ms = BT_TIME_UNKNOWN;
  if (since == NULL || !bt_time_parse(since, strlen(since), &ms))
    ms = BT_TIME_UNKNOWN;
  bt_stamp_short(stamp, ms);
  return bt_why_words(build, "status=%s since %s by %s%s%s", text_or(record, "status", "?"), stamp,
                      text_or(record, "host", "?"),
                      bt_bind_is_bound(bt_json_get_string(record, "ticket_id")) ? "" : ", no ticket",
                      bt_bind_is_bound(bt_json_get_string(record, "content_hash")) ? "" : ", no hash");
}

static const char *describe_invalid(struct bt_why_build *build, const char *status) {
  static const struct {
    const char *status, *words;
  } table[] = {
      {"invalid:missing_registered_marker", "the sentinel lists this session, its marker is gone"},
      {"invalid:unreadable_marker", "something is in the marker's place that is no plain, readable file"},
      {"invalid:corrupt_json", "the marker is not JSON"},
      {"invalid:invalid_shape", "the marker is JSON, but no record"},
      {"invalid:session_id_mismatch", "the marker names another session than its file"},
      {"invalid:invalid_status", "the marker's status is neither open nor consumed"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (bt_text_equals(status, table[i].status))
      return table[i].words;
  }
  return bt_why_words(build, "not a record that can be used (%s)", status != NULL ? status : "?");
}

static const char *describe_store(struct bt_why_build *build) {
  const char *reason = build->decision->set.reason;
  if (bt_text_equals(reason, "missing_deny_store"))
    return "the sentinel expects deny records, and their folder is gone";
  if (bt_text_equals(reason, "emptied_deny_store"))
    return "the sentinel expects deny records, and their folder is empty";
  return bt_why_words(build, "the folder of deny records cannot be listed (%s)", reason);
}

static const char *describe(struct bt_why_build *build, enum rule rule, const char *code,
                            const struct bt_json *record) {
  switch (rule) {
  case RULE_D1:
    return build->decision->ensure.reason[0] != '\0' && !build->decision->ensure.ok
               ? "the marker that the session's context asks for cannot be written"
               : "the sentinel lists this session, and its record cannot be read";
  case RULE_D0:
    return bt_text_equals(code, "D0:deny_store_unavailable") ? describe_store(build) : "no safe session id";
  case RULE_D2:
    return "the session has a deny record of its own; open or consumed, it refuses";
  case RULE_D3:
    return bt_starts_with(code, "D3:unauthorized_open:") ? describe_open(build, record)
                                                         : describe_invalid(build, text_or(record, "status", NULL));
  case RULE_CAP:
    return bt_why_words(build, "the brief that its record names does not verify: %s", strrchr(code, ':') + 1);
  case RULE_AUTH:
    return build->env->key != NULL ? "this session's resume-auth does not verify with this key"
                                   : "this session's resume-auth cannot be verified without the signing key";
  case RULE_PATH:
    return "one of the gate's own files, or a folder that holds them; no verb lifts this";
  case RULE_SHELL:
    if (bt_text_equals(code, "bash_fail_closed_under_deny"))
      return "under a deny no shell command is let through";
    if (bt_text_equals(code, "bash_handoff_mutating_cli"))
      return "the command runs a handoff verb that writes";
    return "the command names the gate's own files; no verb lifts this";
  case RULE_SCAN:
    return "the transcript could not be counted to its start, so the count is only a lower bound";
  case RULE_MARKER:
  case RULE_COUNT:
    break;
  }
  return "the session's context asks for a deny marker, and it cannot be written";
}

static const char *file_of(struct bt_why_build *build, enum rule rule, const char *session,
                           const struct bt_json *record) {
  switch (rule) {
  case RULE_D0:
    return ".adlc/handoffs/denies";
  case RULE_D2:
  case RULE_D3:
  case RULE_MARKER:
    if (bt_text_equals(text_or(record, "status", ""), "invalid:missing_registered_marker"))
      return ".adlc/.deny-store";
    return session != NULL ? bt_why_words(build, ".adlc/handoffs/denies/%s.json", session) : NULL;
  case RULE_CAP:
    return session != NULL ? bt_why_words(build, ".adlc/handoffs/content/%s.md", session) : NULL;
  case RULE_AUTH:
    return session != NULL ? bt_why_words(build, ".adlc/handoffs/%s.resume-auth.json", session) : NULL;
  default:
    return NULL;
  }
}

/* Sessions known here that the rule keeps from changing files. */
static size_t blocks_of(const struct bt_why_build *build, enum rule rule, const char *session) {
  const struct bt_session *known = session != NULL ? bt_snapshot_session(build->snapshot, session) : NULL;
  if (rule == RULE_D0)
    return build->snapshot->session_count;
  if (rule == RULE_D3 || rule == RULE_CAP)
    return known != NULL ? known->blocks : build->snapshot->session_count;
  return 1;
}

static void add_refusal(struct bt_why_build *build, struct bt_why_rule *rules, enum rule rule, size_t reason) {
  const char *code = build->why->reasons[reason];
  const struct bt_json *record = bt_why_record(build, reason);
  const char *session = bt_json_get_string(record, "session_id");
  if (rule == RULE_D2 || rule == RULE_AUTH || rule == RULE_MARKER)
    session = build->why->session;
  const char *text = describe(build, rule, code, record);
  struct bt_why_rule *made = add(build, rules, rule, BT_RULE_REFUSE, text);
  made->code = code;
  made->record = session != NULL ? bt_arena_strdup(build->arena, session) : NULL;
  build->failed |= session != NULL && made->record == NULL;
  made->file = file_of(build, rule, made->record, record);
  made->blocks = blocks_of(build, rule, made->record);
}

static const char *describe_d3_pass(struct bt_why_build *build) {
  const struct bt_gate_auth *auth = build->decision->gate.auth;
  size_t open = 0;
  for (size_t i = 0; i < build->decision->gate.record_count; i++)
    open += bt_text_equals(text_or(build->decision->gate.records[i], "status", ""), "open");
  if (open == 0)
    return bt_why_words(build, "%zu records read, none is open or broken", build->why->records_read);
  if (build->decision->grant_use == BT_GRANT_CLAIMED)
    return "lifted for one call by this session's bypass grant";
  return bt_why_words(build, "the open record of %s is covered by this session's resume-auth",
                      auth != NULL && auth->deny_session_id != NULL ? auth->deny_session_id : "another session");
}

static bool has_own_record(const struct bt_pretool_decision *decision) {
  bool found = false;
  for (size_t i = 0; i < decision->gate.record_count; i++)
    found |= bt_text_equals(text_or(decision->gate.records[i], "session_id", ""), decision->gate.current_session_id);
  return found;
}

static void add_pass(struct bt_why_build *build, struct bt_why_rule *rules, enum rule rule) {
  const struct bt_pretool_decision *decision = build->decision;
  const char *text = NULL;
  switch (rule) {
  case RULE_D1:
    (void)add(build, rules, rule, BT_RULE_UNKNOWN,
              "process_sticky lives in the memory of the program that asks; no file shows it");
    return;
  case RULE_D0:
    text = decision->set.ok
               ? bt_why_words(build, "session id is safe; deny store readable; sentinel lists %zu sessions",
                              bt_json_count(decision->set.registered))
               : "lifted for one call by this session's bypass grant";
    break;
  case RULE_D2:
    text = has_own_record(decision) ? "lifted for one call by this session's bypass grant"
                                    : "the session has no deny record of its own";
    break;
  case RULE_D3:
    text = describe_d3_pass(build);
    break;
  case RULE_CAP:
    text = bt_why_words(build, "%zu recorded brief%s re-hashed, all as recorded", decision->captures_checked,
                        decision->captures_checked == 1 ? "" : "s");
    break;
  case RULE_AUTH:
    if (!decision->auth.present)
      return;
    text = bt_why_words(build, "a resume-auth of this session for %s is there%s", decision->auth.gate.deny_session_id,
                        decision->auth.gate.verified ? " and verifies" : ", not verified and not needed");
    break;
  case RULE_PATH:
    text = build->request->path_count == 0 ? "no path was asked about"
           : build->request->path_count == 1
               ? bt_why_words(build, "asked for %s, not one of the gate's own", build->request->paths[0])
               : bt_why_words(build, "%zu paths asked about, none is the gate's own", build->request->path_count);
    break;
  case RULE_SHELL:
    if (build->request->bash == NULL)
      return;
    text = "the command names none of the gate's own files";
    break;
  case RULE_SCAN:
    text = "no transcript count was given that falls short; a live call also counts the session's own transcript";
    break;
  case RULE_MARKER:
    if (decision->ensure.reason[0] == '\0')
      return;
    text = "the session's context asks for a deny marker, and it can be written";
    break;
  case RULE_COUNT:
    return;
  }
  (void)add(build, rules, rule, BT_RULE_PASS, text);
}

void bt_why_build_rules(struct bt_why_build *build) {
  struct bt_why *why = build->why;
  size_t listed = why->reason_count < BT_WHY_RULES_MAX ? why->reason_count : BT_WHY_RULES_MAX;
  struct bt_why_rule *rules = BT_ARENA_ARRAY(build->arena, struct bt_why_rule, listed + RULE_COUNT);
  build->failed |= rules == NULL;
  for (enum rule rule = RULE_D1; rule < RULE_COUNT && !build->failed; rule++) {
    bool refuses = false;
    for (size_t i = 0; i < listed && !build->failed; i++) {
      if (rule_of(why->reasons[i]) != rule)
        continue;
      refuses = true;
      add_refusal(build, rules, rule, i);
    }
    if (!refuses)
      add_pass(build, rules, rule);
  }
  why->rules = rules;
  if (build->failed)
    return;
  bool known = why->session != NULL && bt_snapshot_session(build->snapshot, why->session) != NULL;
  size_t others = build->snapshot->session_count - (known ? 1 : 0);
  for (size_t i = 0; i < why->rule_count; i++) {
    bool repo_wide =
        bt_text_equals(rules[i].id, "D0") || bt_text_equals(rules[i].id, "D3") || bt_text_equals(rules[i].id, "cap");
    size_t blocks = rules[i].blocks < others ? rules[i].blocks : others;
    if (rules[i].verdict == BT_RULE_REFUSE && repo_wide && blocks > why->blocks)
      why->blocks = blocks;
  }
}
