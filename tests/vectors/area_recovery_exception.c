/* tests/vectors/area_recovery_exception.c - the two shell commands that stay allowed. */
#include <stdlib.h>

#include "core/hook/recovery.h"
#include "tests/vectors/support.h"

/* The tree that README describes for this area. */
static const char tree[] =
    "{\"bin/interp\":\"x\",\"pkg/handoff\":\"x\",\"other/handoff\":\"x\",\"with space/handoff\":{\"symlink\":\"../pkg/handoff\"},"
    "\"odd@name/handoff\":{\"symlink\":\"../pkg/handoff\"},\"eq=name/handoff\":{\"symlink\":\"../pkg/handoff\"},"
    "\"link/handoff\":{\"symlink\":\"../pkg/handoff\"},\"link/interp\":{\"symlink\":\"../bin/interp\"},"
    "\"dang/handoff\":{\"symlink\":\"../nothing\"}}";

static char *filled(const struct vec_world *world, const struct vec_case *vec, const char *key) {
  const char *text = bt_json_get_string(vec->input, key);
  return text ? vec_fill(world, text) : NULL;
}

static bool expect_match(const struct vec_case *vec, const struct vec_world *world, const struct bt_recovery_self *self,
                         const char *session) {
  char *command = filled(world, vec, "command");
  const char *verb = bt_recovery_match(command, self, session);
  bool ok = vec_expect_bool(vec, "matched", vec_get_bool(vec->expected, "matched", false), verb != NULL);
  ok = vec_expect_text(vec, "subcommand", bt_json_get_string(vec->expected, "subcommand"), verb) && ok;
  free(command);
  return ok;
}

static bool expect_format(const struct vec_case *vec, const struct bt_recovery_self *self, const char *session) {
  static const char *const kinds[] = {[BT_RECOVERY_COMMAND] = "command",
                                      [BT_RECOVERY_NO_SESSION] = "no_session",
                                      [BT_RECOVERY_UNSAFE_PATH] = "unsafe_path"};
  struct bt_str out;
  bt_str_init(&out, VEC_TEXT_MAX);
  enum bt_recovery_kind kind = bt_recovery_format(&out, self, session);
  bool ok = vec_expect_text(vec, "kind", bt_json_get_string(vec->expected, "kind"), kinds[kind]);
  if (kind == BT_RECOVERY_COMMAND)
    ok = vec_expect_text(vec, "command", bt_json_get_string(vec->expected, "command"), out.data) && ok;
  bt_str_dispose(&out);
  return ok;
}

enum vec_result vec_run_recovery_exception(const struct vec_case *vec) {
  struct vec_world world;
  vec_world_open(&world);
  struct bt_json *files = bt_json_parse(tree, sizeof tree - 1, NULL);
  vec_require(files != NULL, "the tree");
  vec_tree_build(&world, files);
  char *interpreter = filled(&world, vec, "interpreter_path");
  char *script = filled(&world, vec, "script_path");
  const struct bt_recovery_self self = {.interpreter = interpreter, .script = script};
  const char *session = bt_json_get_string(vec->input, "session_id");
  const char *op = bt_json_get_string(vec->input, "op");
  bool ok = false;
  if (bt_text_equals(op, "match"))
    ok = expect_match(vec, &world, &self, session);
  else if (bt_text_equals(op, "pwd"))
    ok = vec_expect_bool(vec, "matched", vec_get_bool(vec->expected, "matched", false),
                         bt_recovery_is_pwd(bt_json_get_string(vec->input, "command")));
  else if (bt_text_equals(op, "format"))
    ok = expect_format(vec, &self, session);
  else
    vec_fail(vec, "unknown op");
  free(interpreter);
  free(script);
  bt_json_free(files);
  vec_world_close(&world);
  return ok ? VEC_PASS : VEC_FAIL;
}
