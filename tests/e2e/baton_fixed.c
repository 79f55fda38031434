/* tests/e2e/baton_fixed.c - baton's own objects in a world that never changes: `baton_fixed FOLDER COMMAND [FLAGS]`.
 *
 * FOLDER gets the sample ledger of tests/support/fixture.h when it is empty and keeps it otherwise. Clock, host, user,
 * processes and key are the fixture's; chance always falls the same way. With BATON_FIXED_PATHS set the paths in
 * commands are the same everywhere too. BATON_FIXED_KEYLESS takes the key away, BATON_FIXED_KIND=empty starts with
 * nothing; BATON_FIXED_HANDOVERS has sessions supervised. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/cmd.h"
#include "core/base/arena.h"
#include "core/ops/op.h"
#include "core/records/view.h"
#include "core/store/load.h"
#include "core/store/sample.h"
#include "core/delivery/view.h"
#include "core/handover/table.h"
#include "tests/support/beside.h"
#include "tests/support/fixture.h"
#include "core/hook/why.h"
#include "tests/support/shown.h"

static const struct cmd commands[] = {
#define CMD_ROW(word, group, help) {#word, CMD_##group, help, cmd_##word},
    CMD_TABLE(CMD_ROW)
#undef CMD_ROW
};

const struct cmd *cmd_table(size_t *count) {
  *count = sizeof(commands) / sizeof(commands[0]);
  return commands;
}

const struct cmd *cmd_find(const char *word) {
  for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
    if (strcmp(commands[i].word, word) == 0)
      return &commands[i];
  return NULL;
}

enum bt_code __real_bt_store_load(const struct bt_env *env, unsigned flags, struct bt_harness_view *harness,
                                  struct bt_snapshot **snapshot, struct bt_error *err);
enum bt_code __wrap_bt_store_load(const struct bt_env *env, unsigned flags, struct bt_harness_view *harness,
                                  struct bt_snapshot **snapshot, struct bt_error *err);
enum bt_code __real_bt_op_plan(const struct bt_env *env, const struct bt_request *request, struct bt_plan **plan,
                               struct bt_error *err);
enum bt_code __wrap_bt_op_plan(const struct bt_env *env, const struct bt_request *request, struct bt_plan **plan,
                               struct bt_error *err);

enum bt_code __wrap_bt_store_load(const struct bt_env *env, unsigned flags, struct bt_harness_view *harness,
                                  struct bt_snapshot **snapshot, struct bt_error *err) {
  if (getenv("BATON_FIXED_PATHS")) /* what the golden screens were made with */
    flags = BT_LOAD_TICKETS;
  enum bt_code code = __real_bt_store_load(env, flags, harness, snapshot, err);
  if (code == BT_OK)
    fixture_equalise(*snapshot);
  return code;
}

enum bt_code __wrap_bt_op_plan(const struct bt_env *env, const struct bt_request *request, struct bt_plan **plan,
                               struct bt_error *err) {
  enum bt_code code = __real_bt_op_plan(env, request, plan, err);
  if (code == BT_OK && getenv("BATON_FIXED_PATHS"))
    shown_plan(*plan, env->root, env->home);
  return code;
}

enum bt_code __real_bt_records_view_load(const struct bt_env *env, struct bt_records_view **view, struct bt_error *err);
enum bt_code __wrap_bt_records_view_load(const struct bt_env *env, struct bt_records_view **view, struct bt_error *err);

enum bt_code __wrap_bt_records_view_load(const struct bt_env *env, struct bt_records_view **view,
                                         struct bt_error *err) {
  enum bt_code code = __real_bt_records_view_load(env, view, err);
  if (code == BT_OK && getenv("BATON_FIXED_PATHS"))
    shown_records(*view, env->root, env->home);
  return code;
}

enum bt_code __real_bt_delivery_view_load(const struct bt_env *env, bool ask_forge, struct bt_delivery_view **view,
                                          struct bt_error *err);
enum bt_code __wrap_bt_delivery_view_load(const struct bt_env *env, bool ask_forge, struct bt_delivery_view **view,
                                          struct bt_error *err);
void __real_bt_handover_attach(struct bt_snapshot *snapshot, const struct bt_handover_table *table);
void __wrap_bt_handover_attach(struct bt_snapshot *snapshot, const struct bt_handover_table *table);

enum bt_code __wrap_bt_delivery_view_load(const struct bt_env *env, bool ask_forge, struct bt_delivery_view **view,
                                          struct bt_error *err) {
  if (!getenv("BATON_FIXED_PATHS")) /* the scenes' ledger lies in no repository */
    return __real_bt_delivery_view_load(env, ask_forge, view, err);
  *view = beside_deliveries(bt_env_now(env), ask_forge);
  return BT_OK;
}

void __wrap_bt_handover_attach(struct bt_snapshot *snapshot, const struct bt_handover_table *table) {
  if (getenv("BATON_FIXED_HANDOVERS"))
    beside_handovers(snapshot);
  else
    __real_bt_handover_attach(snapshot, table);
}

enum bt_code __real_bt_why_explain(const struct bt_env *env, const struct bt_snapshot *snapshot,
                                   const struct bt_why_request *request, struct bt_why **why, struct bt_error *err);
enum bt_code __wrap_bt_why_explain(const struct bt_env *env, const struct bt_snapshot *snapshot,
                                   const struct bt_why_request *request, struct bt_why **why, struct bt_error *err);

enum bt_code __wrap_bt_why_explain(const struct bt_env *env, const struct bt_snapshot *snapshot,
                                   const struct bt_why_request *request, struct bt_why **why, struct bt_error *err) {
  enum bt_code code = __real_bt_why_explain(env, snapshot, request, why, err);
  if (code == BT_OK && getenv("BATON_FIXED_PATHS"))
    shown_why(*why, env->root);
  return code;
}

/* The sample's key is there for every fixture, and away only where a test takes it away. */
const char *__wrap_bt_sample_key_for(const char *ledger_dir);
const char *__wrap_bt_sample_key_for(const char *ledger_dir) {
  (void)ledger_dir;
  return getenv("BATON_FIXED_KEYLESS") ? NULL : BT_SAMPLE_KEY;
}

/* Chance falls the same way every time: what the keys make and what a command makes can be compared. */
enum bt_code __wrap_bt_random_bytes(void *out, size_t length, struct bt_error *err);
enum bt_code __wrap_bt_random_hex(char *out, size_t bytes, struct bt_error *err);
enum bt_code __wrap_bt_random_uuid(char out[37], struct bt_error *err);

enum bt_code __wrap_bt_random_bytes(void *out, size_t length, struct bt_error *err) {
  (void)err;
  memset(out, 0x5a, length);
  return BT_OK;
}

enum bt_code __wrap_bt_random_hex(char *out, size_t bytes, struct bt_error *err) {
  (void)err;
  memset(out, 'a', 2 * bytes);
  out[2 * bytes] = '\0';
  return BT_OK;
}

enum bt_code __wrap_bt_random_uuid(char out[37], struct bt_error *err) {
  (void)err;
  snprintf(out, 37, "%s", "d81c20aa-0000-4000-8000-000000000001");
  return BT_OK;
}

static enum fixture_kind kind(void) {
  const char *wanted = getenv("BATON_FIXED_KIND");
  if (wanted && strcmp(wanted, "none") == 0)
    return FIXTURE_NONE;
  return wanted && strcmp(wanted, "empty") == 0 ? FIXTURE_EMPTY : FIXTURE_SAMPLE;
}

/* The clock stands still; a file `clock` in the folder says how many milliseconds have gone by. */
struct clock {
  const char *folder;
};

static int64_t clock_says(void *context) {
  const struct clock *clock = context;
  char path[512], digits[32] = "";
  snprintf(path, sizeof(path), "%.480s/clock", clock->folder);
  FILE *file = fopen(path, "r");
  if (file) {
    if (!fgets(digits, sizeof(digits), file))
      digits[0] = '\0';
    fclose(file);
  }
  return FIXTURE_NOW_MS + strtol(digits, NULL, 10);
}

int main(int argc, char **argv) {
  const struct cmd *command = argc > 2 ? cmd_find(argv[2]) : NULL;
  struct fixture *fixture = argc > 1 ? fixture_at(argv[1], kind()) : NULL;
  if (!fixture || chdir(fixture->root) != 0)
    return 70;
  struct clock clock = {argv[1]};
  fixture->env.clock_context = &clock;
  fixture->env.now_ms = clock_says;
  if (getenv("BATON_FIXED_KEYLESS")) {
    fixture->env.key = NULL;
    fixture->env.key_length = 0;
    fixture->env.key_is_sample = false;
  }
  struct cli_env cli = {.env = fixture->env, .stdin_tty = isatty(0) != 0, .stdout_tty = isatty(1) != 0};
  cli.arena = bt_arena_new(1 << 20);
  int status = !command ? 0 : cli.arena ? command->run(&cli, argc - 2, argv + 2) : 70;
  free(cli.key);
  bt_arena_free(cli.arena);
  fixture_free(fixture);
  return status;
}
