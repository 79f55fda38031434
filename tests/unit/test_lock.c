/* tests/unit/test_lock.c - every verdict, from the evidence that it needs and from no other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/store/lock.h"
#include "tests/support/fixture.h"

#define LOCK_PATH ".adlc/handoffs/s.lock"

struct process { /* what the scripted host answers about every pid */
  enum bt_alive alive;
  bool start_known;
  int64_t started_ms;
};

static enum bt_alive answer_alive(void *context, double pid) {
  (void)pid;
  return ((struct process *)context)->alive;
}
static bool answer_started(void *context, double pid, int64_t *started_ms) {
  const struct process *process = context;
  (void)pid;
  *started_ms = process->started_ms;
  return process->start_known;
}
static bool answer_name(void *context, double pid, char *name, size_t size) {
  (void)context;
  (void)pid;
  snprintf(name, size, "worker");
  return true;
}

struct bench {
  struct fixture *fixture;
  struct bt_arena *arena;
  struct process process;
  int dir;
};

static int begin(void **state) {
  static struct bench bench;
  bench = (struct bench){.fixture = fixture_new(FIXTURE_EMPTY), .arena = bt_arena_new(1 << 20)};
  assert_non_null(bench.fixture);
  bench.fixture->env.proc = (struct bt_proc_probe){
      .context = &bench.process, .alive = answer_alive, .started_ms = answer_started, .name = answer_name};
  bench.dir = bt_fs_open_root(bench.fixture->env.ledger_dir, NULL);
  *state = &bench;
  return bench.dir < 0;
}

static int end(void **state) {
  struct bench *bench = *state;
  close(bench->dir);
  bt_arena_free(bench->arena);
  fixture_free(bench->fixture);
  return 0;
}

static struct bt_lock read_lock(struct bench *bench) {
  struct bt_lock lock;
  assert_int_equal(bt_lock_read_session(&bench->fixture->env, bench->dir, "s", bench->arena, &lock, NULL, NULL, NULL),
                   BT_OK);
  assert_non_null(lock.why);
  return lock;
}

static enum bt_lock_verdict verdict_with(struct bench *bench, struct process process, const char *pid, const char *host,
                                         const char *started_at) {
  char text[512];
  snprintf(text, sizeof(text),
           "{\"schema\":1,\"session_id\":\"s\",\"pid\":%s,\"started_at\":\"%s\",\"host\":%s,\"nonce\":\"aa\"}", pid,
           started_at, host);
  fixture_write(bench->fixture, LOCK_PATH, text);
  bench->process = process;
  return read_lock(bench).verdict;
}

#define HERE "\"build-07\""
#define LOCKED_AT "2026-10-09T12:00:00.000Z"
#define LOCKED_MS INT64_C(1791547200000)

static void the_host_comes_first(void **state) {
  struct bench *bench = *state;
  struct process dead = {.alive = BT_ALIVE_NO}, alive = {.alive = BT_ALIVE_YES};
  assert_int_equal(verdict_with(bench, dead, "77", "\"build-03\"", LOCKED_AT), BT_LOCK_FOREIGN);
  assert_int_equal(verdict_with(bench, alive, "77", "\"build-03\"", LOCKED_AT), BT_LOCK_FOREIGN);
  assert_int_equal(verdict_with(bench, dead, "77", "\"BUILD-07\"", LOCKED_AT), BT_LOCK_FOREIGN); /* no case folding */
  assert_int_equal(verdict_with(bench, dead, "77", "\"build-07.local\"", LOCKED_AT), BT_LOCK_FOREIGN);
  assert_int_equal(verdict_with(bench, dead, "77", "null", LOCKED_AT), BT_LOCK_UNKNOWN);
}

static void a_process_that_is_gone(void **state) {
  struct bench *bench = *state;
  struct process dead = {.alive = BT_ALIVE_NO}, alive = {.alive = BT_ALIVE_YES};
  assert_int_equal(verdict_with(bench, dead, "77", HERE, LOCKED_AT), BT_LOCK_STALE);
  assert_int_equal(verdict_with(bench, dead, "\"77\"", HERE, LOCKED_AT), BT_LOCK_STALE);
  /* What cannot be a process is gone, whatever the probe would say (spec 7). */
  assert_int_equal(verdict_with(bench, alive, "0", HERE, LOCKED_AT), BT_LOCK_STALE);
  assert_int_equal(verdict_with(bench, alive, "-5", HERE, LOCKED_AT), BT_LOCK_STALE);
  assert_int_equal(verdict_with(bench, alive, "1.5", HERE, LOCKED_AT), BT_LOCK_STALE);
  assert_int_equal(verdict_with(bench, alive, "null", HERE, LOCKED_AT), BT_LOCK_STALE);
  assert_int_equal(verdict_with(bench, alive, "\"x\"", HERE, LOCKED_AT), BT_LOCK_STALE);
  assert_int_equal(verdict_with(bench, alive, "2147483648", HERE, LOCKED_AT), BT_LOCK_STALE);
  assert_int_equal(verdict_with(bench, alive, "1e400", HERE, LOCKED_AT), BT_LOCK_STALE);
  assert_int_equal(verdict_with(bench, alive, "2147483647", HERE, LOCKED_AT), BT_LOCK_LIVE);
}

static void a_pid_in_use_again(void **state) {
  struct bench *bench = *state;
  struct process process = {.alive = BT_ALIVE_YES, .start_known = true};
  process.started_ms = LOCKED_MS + BT_LOCK_START_SLACK_MS + 1;
  assert_int_equal(verdict_with(bench, process, "77", HERE, LOCKED_AT), BT_LOCK_PID_REUSE);
  process.started_ms = LOCKED_MS + BT_LOCK_START_SLACK_MS; /* clocks may disagree by that much */
  assert_int_equal(verdict_with(bench, process, "77", HERE, LOCKED_AT), BT_LOCK_LIVE);
  process.started_ms = LOCKED_MS - 1000;
  assert_int_equal(verdict_with(bench, process, "77", HERE, LOCKED_AT), BT_LOCK_LIVE);
  /* Without both times nothing is proved. */
  process.started_ms = LOCKED_MS + 3600000;
  assert_int_equal(verdict_with(bench, process, "77", HERE, "yesterday"), BT_LOCK_LIVE);
  process.start_known = false;
  assert_int_equal(verdict_with(bench, process, "77", HERE, LOCKED_AT), BT_LOCK_LIVE);
}

static void another_users_process(void **state) {
  struct bench *bench = *state;
  struct process process = {.alive = BT_ALIVE_DENIED};
  assert_int_equal(verdict_with(bench, process, "77", HERE, LOCKED_AT), BT_LOCK_UNKNOWN);
  process.start_known = true;
  process.started_ms = LOCKED_MS - 1000;
  assert_int_equal(verdict_with(bench, process, "77", HERE, LOCKED_AT), BT_LOCK_LIVE);
  process.started_ms = LOCKED_MS + 60000;
  assert_int_equal(verdict_with(bench, process, "77", HERE, LOCKED_AT), BT_LOCK_PID_REUSE);
}

static void age_never_decides(void **state) {
  struct bench *bench = *state;
  struct process process = {.alive = BT_ALIVE_YES, .start_known = true, .started_ms = 0};
  struct timespec old[2] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};
  assert_int_equal(verdict_with(bench, process, "77", HERE, "1999-01-01T00:00:00.000Z"), BT_LOCK_LIVE);
  assert_int_equal(utimensat(bench->dir, "handoffs/s.lock", old, 0), 0);
  assert_int_equal(read_lock(bench).verdict, BT_LOCK_LIVE);
}

static void a_ledger_of_another_user(void **state) {
  struct bench *bench = *state;
  struct process process = {.alive = BT_ALIVE_NO};
  bench->fixture->env.uid++;
  assert_int_equal(verdict_with(bench, process, "77", HERE, LOCKED_AT), BT_LOCK_UNKNOWN);
  process = (struct process){.alive = BT_ALIVE_YES, .start_known = true, .started_ms = LOCKED_MS + 60000};
  assert_int_equal(verdict_with(bench, process, "77", HERE, LOCKED_AT), BT_LOCK_UNKNOWN);
}

static void what_cannot_be_read(void **state) {
  struct bench *bench = *state;
  static const struct {
    const char *text, *error;
  } cases[] = {{"", "corrupt_json"},       {"{\"schema\":1,", "corrupt_json"}, {"[]", "invalid_shape"},
               {"\"s\"", "invalid_shape"}, {"null", "invalid_shape"},          {"\xef\xbb\xbf{}", "corrupt_json"}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
    fixture_write(bench->fixture, LOCK_PATH, cases[i].text);
    struct bt_lock lock = read_lock(bench);
    assert_int_equal(lock.verdict, BT_LOCK_UNREADABLE);
    assert_string_equal(lock.error, cases[i].error);
    assert_null(lock.host);
  }
}

static void what_is_no_plain_file(void **state) {
  struct bench *bench = *state;
  fixture_write(bench->fixture, ".adlc/handoffs/other", "{}");
  assert_int_equal(symlinkat("other", bench->dir, "handoffs/s.lock"), 0);
  assert_string_equal(read_lock(bench).error, "unsafe");
  fixture_remove(bench->fixture, LOCK_PATH);
  assert_int_equal(symlinkat("nowhere", bench->dir, "handoffs/s.lock"), 0);
  assert_string_equal(read_lock(bench).error, "unsafe");
  fixture_remove(bench->fixture, LOCK_PATH);
  assert_int_equal(mkfifoat(bench->dir, "handoffs/s.lock", 0666), 0);
  assert_string_equal(read_lock(bench).error, "unsafe"); /* and did not wait for a writer */
  fixture_remove(bench->fixture, LOCK_PATH);
  assert_int_equal(mkdirat(bench->dir, "handoffs/s.lock", 0777), 0);
  assert_int_equal(read_lock(bench).verdict, BT_LOCK_UNREADABLE);
  assert_string_equal(read_lock(bench).error, "EISDIR"); /* what the message of `unlock` names */
  assert_non_null(strstr(read_lock(bench).why, "no plain file"));
}

static void absence_and_unsafe_names(void **state) {
  struct bench *bench = *state;
  struct bt_lock lock;
  const struct bt_env *env = &bench->fixture->env;
  assert_int_equal(bt_lock_read_session(env, bench->dir, "s", bench->arena, &lock, NULL, NULL, NULL), BT_MISSING);
  assert_int_equal(bt_lock_read_session(env, -1, "s", bench->arena, &lock, NULL, NULL, NULL), BT_MISSING);
  assert_int_equal(bt_lock_read_session(env, bench->dir, "../s", bench->arena, &lock, NULL, NULL, NULL), BT_UNSAFE);
  assert_int_equal(bt_lock_read_ledger(env, bench->dir, "manifest.jsonl", bench->arena, &lock, NULL, NULL, NULL),
                   BT_MISSING);
  static const char *const wrong[] = {"",
                                      "x",
                                      "manifest.d/",
                                      "manifest.d/.jsonl",
                                      "manifest.d/a/b.jsonl",
                                      "../manifest.jsonl",
                                      "handoffs/s",
                                      "manifest.d/../x.jsonl"};
  for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
    assert_int_equal(bt_lock_read_ledger(env, bench->dir, wrong[i], bench->arena, &lock, NULL, NULL, NULL), BT_INPUT);
}

static void gives_the_proofs_as_text(void **state) {
  struct bench *bench = *state;
  struct bt_lock lock;
  struct bt_str bytes;
  struct bt_json *document;
  const char *text = "{\"pid\":12.0,\"started_at\":null,\"nonce\":5,\"host\":\"build-07\"}";
  bt_str_init(&bytes, 4096);
  fixture_write(bench->fixture, LOCK_PATH, text);
  assert_int_equal(
      bt_lock_read_session(&bench->fixture->env, bench->dir, "s", bench->arena, &lock, &bytes, &document, NULL), BT_OK);
  assert_string_equal(lock.pid_text, "12");
  assert_string_equal(lock.started_at, "null");
  assert_string_equal(lock.nonce, "5");
  assert_true(lock.pid == 12);
  assert_string_equal(bytes.data, text);
  assert_non_null(document);
  bt_json_free(document);
  bt_str_dispose(&bytes);
}

static void a_lock_of_the_manifest(void **state) {
  struct bench *bench = *state;
  struct bt_lock lock;
  fixture_write(bench->fixture, ".adlc/manifest.d/.lineage.lock",
                "{\"version\":1,\"token\":\"t-1\",\"pid\":77,\"hostname\":\"build-07\",\"startedAt\":\"" LOCKED_AT
                "\"}\n");
  assert_int_equal(bt_lock_read_ledger(&bench->fixture->env, bench->dir, "manifest.d/.lineage", bench->arena, &lock,
                                       NULL, NULL, NULL),
                   BT_OK);
  assert_int_equal(lock.verdict, BT_LOCK_STALE);
  assert_int_equal(lock.kind, BT_LOCK_LEDGER);
  assert_string_equal(lock.nonce, "t-1");
  assert_string_equal(lock.host, "build-07");
  assert_int_equal(lock.started_at_ms, LOCKED_MS);
  assert_false(lock.view_only);
}

static void liveness_by_the_rules(void **state) {
  struct bench *bench = *state;
  const struct bt_env *env = &bench->fixture->env;
  bench->process.alive = BT_ALIVE_DENIED;
  assert_true(bt_lock_pid_alive(env, 1));
  assert_false(bt_lock_pid_alive(env, 0));
  assert_false(bt_lock_pid_alive(env, 2147483648.0));
  bench->process.alive = BT_ALIVE_NO;
  assert_false(bt_lock_pid_alive(env, 1));
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      CASE(the_host_comes_first),     CASE(a_process_that_is_gone), CASE(a_pid_in_use_again),
      CASE(another_users_process),    CASE(age_never_decides),      CASE(a_ledger_of_another_user),
      CASE(what_cannot_be_read),      CASE(what_is_no_plain_file),  CASE(absence_and_unsafe_names),
      CASE(gives_the_proofs_as_text), CASE(a_lock_of_the_manifest), CASE(liveness_by_the_rules)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
