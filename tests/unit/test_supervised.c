/* tests/unit/test_supervised.c - state files of supervisors: written, believed, and not believed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/arena.h"
#include "core/store/supervised.h"
#include "core/supervise/status.h"
#include "tests/support/gate_box.h"

#define BEGAN INT64_C(1791555000000)

static enum bt_alive alive(void *context, double pid) {
  (void)context;
  return pid == 4242 ? BT_ALIVE_YES : BT_ALIVE_NO;
}
static bool started(void *context, double pid, int64_t *started_ms) {
  (void)pid;
  *started_ms = BEGAN + *(const int64_t *)context;
  return true;
}

static int64_t shift;
static struct bt_arena *arena;
static const struct bt_supervised *list;

static size_t load(struct gate_box *box) {
  size_t count;
  bt_arena_free(arena);
  arena = bt_arena_new(1 << 20);
  box->env.proc = (struct bt_proc_probe){.context = &shift, .alive = alive, .started_ms = started};
  assert_int_equal(bt_supervised_load(&box->env, arena, &list, &count, NULL), BT_OK);
  return count;
}

static int teardown(void **state) {
  bt_arena_free(arena);
  arena = NULL;
  shift = 0;
  return gate_box_teardown(state);
}

static void written_and_believed(void **state) {
  struct gate_box *box = *state;
  struct bt_sup_status status;
  struct bt_sup_machine machine;
  assert_int_equal(load(box), 0);
  bt_sup_init(&machine, bt_sup_defaults());
  bt_sup_step(&machine, &(struct bt_sup_event){.kind = BT_SUP_BEGIN, .text = "first"});
  assert_int_equal(bt_sup_status_begin(&status, &box->env, "claude", NULL), BT_OK);
  bt_sup_status_note(&status, &box->env, &machine, -1);
  assert_int_equal(load(box), 1);
  assert_true(list[0].pid == 4242 && list[0].started_ms == BEGAN && !list[0].child_known);
  assert_string_equal(list[0].state, "starting");
  assert_string_equal(list[0].program, "claude");
  assert_string_equal(list[0].ledger_dir, box->ledger_dir);
  bt_sup_step(&machine, &(struct bt_sup_event){.kind = BT_SUP_SPAWNED});
  bt_sup_status_note(&status, &box->env, &machine, 77);
  assert_int_equal(load(box), 1);
  assert_string_equal(list[0].state, "watching");
  assert_true(list[0].child_known && list[0].child_pid == 77);
  assert_int_equal(list[0].session_count, 1);
  assert_string_equal(list[0].sessions[0], "first");
  bt_sup_status_end(&status);
  assert_int_equal(load(box), 0);
  assert_int_equal(scratch_count(&box->scratch, "supervise"), 0);
  bt_sup_dispose(&machine);
}

#define FILE_OF(pid, host, sessions)                                                                      \
  "{\"pid\":" pid ",\"started_ms\":1791555000000,\"updated_ms\":1,\"host\":\"" host "\",\"root\":\"/r\"," \
  "\"ledger_dir\":\"/r/.adlc\",\"program\":\"x\",\"state\":\"watching\",\"sessions\":" sessions           \
  ",\"continuations\":0}"

static void not_believed(void **state) {
  struct gate_box *box = *state;
  gate_box_text(box, "supervise/4242.json", FILE_OF("4242", "build-07", "[\"a\",\"b\"]"));
  assert_int_equal(load(box), 1);
  shift = 1500; /* the clock of /proc may be a second off */
  assert_int_equal(load(box), 1);
  shift = 5000; /* another process with that id */
  assert_int_equal(load(box), 0);
  shift = -5000;
  assert_int_equal(load(box), 0);
  shift = 0;
  /* clang-format off */
  static const char *const bad[] = {FILE_OF("4243", "build-07", "[]"), FILE_OF("4242", "other", "[]"),
                                    FILE_OF("-1", "build-07", "[]"),   FILE_OF("4242", "build-07", "[5]"),
                                    FILE_OF("4242", "build-07", "{}"), FILE_OF("\"4242\"", "build-07", "[]"),
                                    FILE_OF("4242.5", "build-07", "[]"), "{", "[]", ""};
  /* clang-format on */
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    gate_box_text(box, "supervise/4242.json", bad[i]);
    assert_int_equal(load(box), 0);
  }
  gate_box_text(box, "supervise/4242.json", FILE_OF("4242", "build-07", "[]"));
  gate_box_text(box, "supervise/other.txt", FILE_OF("4242", "build-07", "[]"));
  scratch_fifo(&box->scratch, "supervise/fifo.json");
  assert_int_equal(load(box), 1);
}

static void the_dead_are_swept(void **state) {
  struct gate_box *box = *state;
  struct bt_sup_status status;
  (void)load(box);
  gate_box_text(box, "supervise/1.json", FILE_OF("1", "build-07", "[]"));
  gate_box_text(box, "supervise/2.json", FILE_OF("2", "elsewhere", "[]"));
  gate_box_text(box, "supervise/notes", "not ours");
  assert_int_equal(bt_sup_status_begin(&status, &box->env, "x", NULL), BT_OK);
  assert_int_equal(scratch_count(&box->scratch, "supervise"), 2);
  assert_false(gate_box_exists(box, "supervise/1.json"));
  bt_sup_status_end(&status);
}

static void where_nothing_can_be_written(void **state) {
  struct gate_box *box = *state;
  struct bt_sup_status status;
  (void)load(box);
  box->env.readonly = true;
  assert_int_equal(bt_sup_status_begin(&status, &box->env, "x", NULL), BT_READONLY);
  bt_sup_status_end(&status);
  box->env.readonly = false;
  gate_box_text(box, "supervise", "a file in its place");
  assert_int_not_equal(bt_sup_status_begin(&status, &box->env, "x", NULL), BT_OK);
  bt_sup_status_end(&status);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, gate_box_setup, teardown)
int main(void) {
  const struct CMUnitTest tests[] = {CASE(written_and_believed), CASE(not_believed), CASE(the_dead_are_swept),
                                     CASE(where_nothing_can_be_written)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
