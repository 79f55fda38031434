/* tests/vectors/area_pretool.c - the pre-tool pipeline over a tree, and the single questions it asks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/hook/pretool.h"
#include "core/hook/protected.h"
#include "core/hook/shell.h"
#include "core/store/grant.h"
#include "tests/support/inputs.h"
#include "tests/vectors/gate_support.h"

static void set(struct bt_json *object, const char *key, struct bt_json *value) {
  vec_require(bt_json_set(object, key, value) == BT_OK, "memory");
}

static struct bt_json *stamp(const struct vec_world *world, int64_t offset_ms) {
  char iso[BT_ISO_MS];
  bt_time_iso(iso, world->now_ms + offset_ms);
  return bt_json_new_string(iso);
}

static void sign(struct bt_json *document, const char *key) {
  struct bt_str payload;
  char sig[BT_SHA256_HEX];
  bt_str_init(&payload, VEC_TEXT_MAX);
  bt_grant_payload(&payload, document);
  vec_require(bt_sign_hex((struct bt_key){.bytes = key, .length = key ? strlen(key) : 0}, &payload, sig),
              "a signature");
  bt_str_dispose(&payload);
  set(document, "sig", bt_json_new_string(sig));
}

/* One entry of `grants` as the file that it asks for. */
static void put_grant(const struct vec_world *world, const struct bt_json *grant) {
  struct bt_json *document = bt_json_new_object();
  const char *session = bt_json_get_string(grant, "session");
  const struct bt_json *schema = bt_json_get(grant, "schema");
  const struct bt_json *named = bt_json_get(grant, "session_id");
  int64_t offset = 0;
  (void)vec_get_int(grant, "written_at_offset_ms", &offset);
  set(document, "schema", schema ? bt_json_clone(schema) : bt_json_new_number(2));
  set(document, "session_id", named ? bt_json_clone(named) : bt_json_new_string(session));
  if (bt_json_get(grant, "unbound_reason"))
    set(document, "unbound_reason", bt_json_clone(bt_json_get(grant, "unbound_reason")));
  set(document, "written_at", stamp(world, offset));
  sign(document, bt_json_get_string(grant, "sign_key"));

  const struct bt_json *after = bt_json_get(grant, "after_signing");
  for (const struct bt_json *field = bt_json_first(after); field; field = bt_json_next(field))
    set(document, bt_json_key(field), bt_json_clone(field));
  if (vec_get_int(grant, "after_signing_written_at_offset_ms", &offset))
    set(document, "written_at", stamp(world, offset));

  struct bt_str bytes, path;
  bt_str_init(&bytes, VEC_TEXT_MAX);
  bt_str_init(&path, VEC_TEXT_MAX);
  bt_json_print_pretty(&bytes, document);
  bt_str_putc(&bytes, '\n');
  bt_str_printf(&path, ".adlc/handoffs/%s.bypass-grant.json", session);
  vec_tree_put(world, path.data, bytes.data, bytes.length);
  bt_str_dispose(&path);
  bt_str_dispose(&bytes);
  bt_json_free(document);
}

/* The result of one call as the vectors spell it; the caller's. */
static struct bt_json *evaluate(const struct bt_env *env, const struct bt_json *call, bool simulate) {
  const struct bt_json *paths = bt_json_get(call, "edit_rel_paths");
  const char *key = bt_json_get_string(call, "manifest_key");
  struct bt_pretool_input input = {
      .session_id = bt_json_get_string(call, "session_id"),
      .observed = signals_of_json(bt_json_get(call, "observed")),
      .ticket_id = bt_json_get_string(call, "ticket_id"),
      .host = bt_json_get_string(call, "host"),
      .is_bash = vec_get_bool(call, "is_bash", false),
      .bash_command = bt_json_get_string(call, "bash_command"),
      .key = {.bytes = key, .length = key ? strlen(key) : 0},
      .host_grant_given = bt_json_get(call, "verified_bypass_grant") != NULL,
      .host_grant = bt_json_get(call, "verified_bypass_grant"),
      .deny_ever_written = vec_get_bool(call, "deny_ever_written", false),
      .scan_truncated = vec_get_bool(call, "scan_truncated", false),
      .simulate = simulate,
  };
  const char **edits = calloc(bt_json_count(paths) + 1, sizeof *edits);
  vec_require(edits != NULL, "memory");
  for (const struct bt_json *path = bt_json_first(paths); path; path = bt_json_next(path))
    edits[input.edit_path_count++] = bt_json_string(path) ? bt_json_string(path) : "";
  input.edit_paths = edits;

  struct bt_pretool_decision decision;
  struct bt_json *result = bt_json_new_object();
  enum bt_code code = bt_pretool_evaluate(env, &input, &decision, NULL);
  if (code == BT_UNSAFE) {
    set(result, "throws", bt_json_new_bool(true));
  } else {
    vec_require(code == BT_OK, bt_code_words(code));
    set(result, "deny", bt_json_new_bool(decision.deny));
    set(result, "reasons", vec_reasons_json(&decision.reasons));
    set(result, "ensured_marker", bt_json_new_bool(decision.ensured_marker));
    set(result, "deny_ever_written", bt_json_new_bool(decision.deny_ever_written));
  }
  bt_pretool_dispose(&decision);
  free(edits);
  return result;
}

static bool expect_result(const struct vec_case *vec, const struct vec_world *world, const char *label,
                          const struct bt_json *expected, const struct bt_json *actual) {
  static const char *const fields[] = {"throws", "deny", "reasons", "ensured_marker", "deny_ever_written"};
  bool ok = true;
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    const struct bt_json *want = bt_json_get(expected, fields[i]);
    char name[64];
    snprintf(name, sizeof name, "%s%s", label, fields[i]);
    if (want || bt_json_get(actual, fields[i]))
      ok = vec_expect_json(vec, world, name, want, bt_json_get(actual, fields[i])) && ok;
  }
  return ok;
}

static bool same_tree(const struct vec_tree *a, const struct vec_tree *b) {
  bool same = a->count == b->count;
  for (size_t i = 0; i < a->count && same; i++)
    same = strcmp(a->nodes[i].path, b->nodes[i].path) == 0 && a->nodes[i].length == b->nodes[i].length &&
           (a->nodes[i].length == 0 || memcmp(a->nodes[i].bytes, b->nodes[i].bytes, a->nodes[i].length) == 0);
  return same;
}

static bool expect_pretool(const struct vec_case *vec) {
  struct vec_world world;
  struct vec_env env;
  struct vec_tree before, untouched;
  vec_world_open(&world);
  vec_env_init(&env, &world, NULL);
  vec_tree_build(&world, bt_json_get(vec->input, "files"));
  const struct bt_json *grants = bt_json_get(vec->input, "grants");
  for (const struct bt_json *grant = bt_json_first(grants); grant; grant = bt_json_next(grant))
    put_grant(&world, grant);
  vec_tree_read(&before, &world);
  struct bt_json *call = vec_fill_json(&world, bt_json_get(vec->input, "call"));
  const struct bt_json *results = bt_json_get(vec->expected, "results");
  int64_t repeat = 1;
  (void)vec_get_int(call, "repeat", &repeat);

  /* The read-only evaluation must foresee the same answer, and touch nothing. */
  struct bt_json *foreseen = evaluate(&env.env, call, true);
  const struct bt_json *first = results ? bt_json_first(results) : vec->expected;
  bool ok = expect_result(vec, &world, "simulated ", first, foreseen);
  bt_json_free(foreseen);
  vec_tree_read(&untouched, &world);
  ok = vec_expect_bool(vec, "simulated: untouched", true, same_tree(&before, &untouched)) && ok;
  vec_tree_dispose(&untouched);

  const struct bt_json *want = first;
  for (int64_t i = 0; i < repeat; i++) {
    struct bt_json *actual = evaluate(&env.env, call, false);
    ok = expect_result(vec, &world, "", want, actual) && ok;
    bt_json_free(actual);
    want = results ? bt_json_next(want) : want;
  }
  ok = vec_tree_check(vec, &world, &before, bt_json_get(vec->expected, "tree_after")) && ok;
  bt_json_free(call);
  vec_tree_dispose(&before);
  vec_env_dispose(&env);
  vec_world_close(&world);
  return ok;
}

static bool expect_path(const struct vec_case *vec) {
  return vec_expect_bool(vec, "protected", vec_get_bool(vec->expected, "protected", false),
                         bt_path_is_protected(bt_json_get_string(vec->input, "path")));
}

static bool expect_target(const struct vec_case *vec) {
  static const char *const words[] = {[BT_UNPROTECTED] = NULL,
                                      [BT_PROTECTED_LEXICAL] = "lexical",
                                      [BT_PROTECTED_SYMLINK] = "symlink",
                                      [BT_PROTECTED_COVERS] = "covers"};
  struct vec_world world;
  vec_world_open(&world);
  vec_tree_build(&world, bt_json_get(vec->input, "files"));
  char *path = vec_fill(&world, bt_json_get_string(vec->input, "path"));
  struct bt_protector *protector = bt_protector_new(world.root);
  enum bt_protection protection = BT_UNPROTECTED;
  vec_require(protector && bt_protect_classify(protector, path, &protection, NULL) == BT_OK, "memory");
  bool ok =
      vec_expect_bool(vec, "protected", vec_get_bool(vec->expected, "protected", false), protection != BT_UNPROTECTED);
  ok = vec_expect_text(vec, "via", bt_json_get_string(vec->expected, "via"), words[protection]) && ok;
  bt_protector_free(protector);
  free(path);
  vec_world_close(&world);
  return ok;
}

static bool expect_mutating(const struct vec_case *vec) {
  return vec_expect_bool(vec, "mutating", vec_get_bool(vec->expected, "mutating", false),
                         bt_shell_runs_mutating_cli(bt_json_get_string(vec->input, "command")));
}

static bool expect_candidates(const struct vec_case *vec) {
  struct bt_candidates found;
  vec_require(bt_shell_candidates(bt_json_get_string(vec->input, "command"), &found, NULL) == BT_OK, "memory");
  struct bt_json *list = bt_json_new_array();
  for (size_t i = 0; i < found.count; i++)
    vec_require(bt_json_push(list, bt_json_new_string(found.items[i])) == BT_OK, "memory");
  bool ok = vec_expect_json(vec, NULL, "candidates", bt_json_get(vec->expected, "candidates"), list);
  bt_json_free(list);
  bt_candidates_dispose(&found);
  return ok;
}

enum vec_result vec_run_pretool(const struct vec_case *vec) {
  static const struct {
    const char *op;
    bool (*expect)(const struct vec_case *vec);
  } ops[] = {{"pretool", expect_pretool},
             {"protected_path", expect_path},
             {"protected_target", expect_target},
             {"mutating_shell", expect_mutating},
             {"shell_candidates", expect_candidates}};
  const char *op = bt_json_get_string(vec->input, "op");
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    if (bt_text_equals(op, ops[i].op))
      return ops[i].expect(vec) ? VEC_PASS : VEC_FAIL;
  return vec_fail(vec, "unknown op");
}
