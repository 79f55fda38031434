/* tests/unit/test_record_memory.c - every allocation of a build, a look, a plan, a listing, a retitle and a rename
 * fails once.
 *
 * Each time it is BT_NOMEM, what was there before still verifies, the same thing done again comes to what it would have
 * come to undisturbed, and nothing leaks (the sanitizer build says so). malloc and its kin are replaced
 * (test_record_memory.wrap). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/records/build.h"
#include "core/records/deep.h"
#include "core/records/index.h"
#include "core/records/locate.h"
#include "core/records/plan.h"
#include "core/records/rename.h"
#include "core/records/verify.h"
#include "core/records/view.h"
#include "tests/support/failing_memory.h"
#include "tests/support/scratch.h"

#define LINE(n, text)                                                                \
  "{\"type\":\"user\",\"sessionId\":\"s\",\"cwd\":\"/w/chain\",\"timestamp\":\"t" #n \
  "\",\"message\":{\"role\":\"user\",\"content\":\"" text "\"}}\n"
#define FIRST LINE(0, "Survey the anchor chain near the harbour mouth") LINE(1, "TODO: order \\ud83d timber")
#define SECOND FIRST LINE(2, "and the keel?")

/* Thousands of builds: what the disk keeps is tests/unit/test_record_build.c's subject. */
int __wrap_fsync(int fd);
int __wrap_fsync(int fd) {
  (void)fd;
  return 0;
}

struct store {
  struct scratch scratch;
  struct bt_env env;
  struct bt_request request;
  char root[700], transcript[700];
};

static int64_t still_clock(void *context) {
  (void)context;
  return INT64_C(1760000000000);
}

/* HANDOFFS_ROOT is the variable that is asked for; the others are nothing to these. */
static const char *variable(void *context, const char *name) {
  const struct store *store = context;
  return strcmp(name, "HANDOFFS_ROOT") == 0 ? store->root : NULL;
}

/* What is not needed for the result may be done without; else it is told as what it is. */
static void check_outcome(bool failed, enum bt_code code, const struct bt_error *err, long round) {
  if (failed && code != BT_OK && code != BT_NOMEM)
    fail_msg("allocation %ld: %s (%s)", round, bt_code_words(code), err->message);
  if (!failed && code != BT_OK)
    fail_msg("undisturbed: %s (%s)", bt_code_words(code), err->message);
}

static void put_transcript(const struct store *store, const char *text) {
  FILE *file = fopen(store->transcript, "wb");
  assert_non_null(file);
  assert_int_equal(fputs(text, file) >= 0, 1);
  assert_int_equal(fclose(file), 0);
}

static void store_make(struct store *store) {
  scratch_make(&store->scratch);
  snprintf(store->root, sizeof store->root, "%.600s/store", store->scratch.path);
  snprintf(store->transcript, sizeof store->transcript, "%.600s/s.jsonl", store->scratch.path);
  store->env = (struct bt_env){.cwd = store->scratch.path,
                               .data_dir = store->scratch.path,
                               .home = store->scratch.path,
                               .ledger_dir = store->scratch.path,
                               .state_dir = store->scratch.path,
                               .host = "h",
                               .user = "u",
                               .now_ms = still_clock,
                               .getenv_fn = variable,
                               .getenv_context = store};
  store->request = (struct bt_request){
      .verb = BT_VERB_RECORD, .session = "s", .transcript = store->transcript, .harness = "claude-code"};
}

static enum bt_code build(struct store *store, struct bt_error *err) {
  struct bt_records records;
  struct bt_str faults;
  struct bt_store_source source = {0};
  struct bt_build_report report;
  bt_str_init(&faults, 4096);
  bt_build_report_init(&report);
  enum bt_code code = bt_records_find(&records, &store->env, &faults, err);
  if (code == BT_OK)
    code = bt_store_source_open(&source, "claude-code", store->transcript, "s.jsonl", err);
  struct bt_build_request request = {.source = &source.source, .harness = "claude-code", .program = "baton records"};
  if (code == BT_OK)
    code = bt_build(&records, &request, &report, err);
  bt_store_source_close(&source);
  bt_build_report_dispose(&report);
  bt_records_dispose(&records);
  bt_str_dispose(&faults);
  return code;
}

/* BT_MISSING: there is no record. */
static enum bt_code verify(const struct store *store) {
  struct bt_record_index index = {0};
  struct bt_json *manifest = NULL;
  uint64_t turns;
  int root = bt_fs_open_root(store->root, NULL), dir = -1;
  if (root >= 0 && bt_record_index_make(&index, root, NULL) == BT_OK && index.count == 1)
    dir = bt_session_open(root, index.rows[0].project, index.rows[0].folder, NULL);
  enum bt_code code = dir >= 0 ? bt_verify(dir, &turns, &manifest, NULL) : BT_MISSING;
  bt_json_free(manifest);
  bt_record_index_dispose(&index);
  if (dir >= 0)
    close(dir);
  if (root >= 0)
    close(root);
  return code;
}

static void read_timeline(const struct store *store, struct bt_str *out) {
  assert_int_equal(bt_fs_read_at(store->scratch.dir, "store/projects/chain/s/timeline.jsonl", out, NULL), BT_OK);
}

/* Over a store that holds `before` (NULL: none). */
static void sweep_build(const char *before, const char *text, size_t lines) {
  struct bt_error err = {0};
  bool failed = true;
  long round = 0;
  for (; failed; round++) {
    struct store store;
    struct bt_str timeline;
    store_make(&store);
    if (before) {
      put_transcript(&store, before);
      assert_int_equal(build(&store, &err), BT_OK);
    }
    put_transcript(&store, text);
    failing_memory_after(round);
    enum bt_code code = build(&store, &err);
    failed = failing_memory_end();
    check_outcome(failed, code, &err, round);
    if (before)
      assert_int_equal(verify(&store), BT_OK);
    if (code == BT_OK && faccessat(store.scratch.dir, "store/projects/chain/s", F_OK, 0) != 0)
      fail_msg("allocation %ld: built in another place", round);
    assert_int_equal(build(&store, &err), BT_OK);
    assert_int_equal(verify(&store), BT_OK);
    bt_str_init(&timeline, 1 << 20);
    read_timeline(&store, &timeline);
    size_t found = 0;
    for (size_t i = 0; i < timeline.length; i++)
      found += timeline.data[i] == '\n';
    assert_int_equal(found, lines);
    bt_str_dispose(&timeline);
    scratch_remove(&store.scratch);
  }
  assert_true(round > 50);
}

static void a_first_build(void **state) {
  (void)state;
  sweep_build(NULL, FIRST, 2);
}

static void a_rebuild(void **state) {
  (void)state;
  sweep_build(FIRST, SECOND, 3);
}

/* One thing that is done to a store with a record in it. */
static void sweep(enum bt_code (*work)(struct store *store, struct bt_error *err)) {
  struct bt_error err = {0};
  bool failed = true;
  long round = 0;
  for (; failed; round++) {
    struct store store;
    store_make(&store);
    put_transcript(&store, FIRST);
    assert_int_equal(build(&store, &err), BT_OK);
    put_transcript(&store, SECOND);
    failing_memory_after(round);
    enum bt_code code = work(&store, &err);
    failed = failing_memory_end();
    check_outcome(failed, code, &err, round);
    assert_int_equal(verify(&store), BT_OK);
    scratch_remove(&store.scratch);
  }
  assert_true(round > 10);
}

static enum bt_code plan_and_execute(struct store *store, struct bt_error *err) {
  struct bt_plan *plan = NULL;
  struct bt_receipt *receipt = NULL;
  enum bt_code code = bt_record_plan(&store->env, &store->request, &plan, err);
  if (code == BT_OK)
    code = bt_record_execute(&store->env, plan, &receipt, err);
  assert_true((code == BT_OK) == (receipt != NULL));
  bt_plan_free(plan);
  bt_receipt_free(receipt);
  return code;
}

static enum bt_code list(struct store *store, struct bt_error *err) {
  struct bt_records_view *view = NULL;
  enum bt_code code = bt_records_view_load(&store->env, &view, err);
  assert_true((code == BT_OK) == (view != NULL));
  if (view)
    assert_int_equal(view->count, 1);
  bt_records_view_free(view);
  return code;
}

static enum bt_code with_store(struct store *store, struct bt_error *err,
                               enum bt_code (*work)(const struct bt_records *records, const char *prefix,
                                                    const char *name, struct bt_str *out, struct bt_error *err)) {
  struct bt_records records;
  struct bt_str faults, out;
  bt_str_init(&faults, 4096);
  bt_str_init(&out, 1 << 20);
  enum bt_code code = bt_records_find(&records, &store->env, &faults, err);
  if (code == BT_OK)
    code = work(&records, "s", "Another Name", &out, err);
  bt_records_dispose(&records);
  bt_str_dispose(&faults);
  bt_str_dispose(&out);
  return code;
}

static enum bt_code retitle(struct store *store, struct bt_error *err) {
  return with_store(store, err, bt_records_retitle);
}

static enum bt_code move(struct store *store, struct bt_error *err) {
  return with_store(store, err, bt_records_rename);
}

static enum bt_code look_deep(struct store *store, struct bt_error *err) {
  struct bt_records records;
  struct bt_str faults;
  struct bt_deep deep;
  bt_str_init(&faults, 4096);
  bt_deep_init(&deep);
  int root = bt_fs_open_root(store->root, err), dir = root >= 0 ? bt_session_open(root, "chain", "s", err) : -1;
  enum bt_code code = bt_records_find(&records, &store->env, &faults, err);
  if (code == BT_OK && dir >= 0)
    code = bt_deep_look(&deep, &records, dir, "s", err);
  if (code == BT_OK && deep.failed)
    code = BT_NOMEM;
  for (size_t i = 0; code == BT_OK && i < deep.count; i++)
    if (deep.parts[i].verdict == BT_DEEP_CHANGED)
      fail_msg("%s said to be changed: %s", deep.parts[i].name, deep.parts[i].words);
  bt_deep_dispose(&deep);
  bt_records_dispose(&records);
  bt_str_dispose(&faults);
  if (dir >= 0)
    close(dir);
  if (root >= 0)
    close(root);
  return dir < 0 ? BT_NOMEM : code;
}

static void a_plan_and_its_execution(void **state) {
  (void)state;
  sweep(plan_and_execute);
}
static void a_listing(void **state) {
  (void)state;
  sweep(list);
}
static void a_retitle(void **state) {
  (void)state;
  sweep(retitle);
}
static void a_rename(void **state) {
  (void)state;
  sweep(move);
}
static void a_deep_look(void **state) {
  (void)state;
  sweep(look_deep);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_first_build), cmocka_unit_test(a_rebuild), cmocka_unit_test(a_plan_and_its_execution),
      cmocka_unit_test(a_listing),     cmocka_unit_test(a_retitle), cmocka_unit_test(a_rename),
      cmocka_unit_test(a_deep_look),
  };
  if (access("/dev/shm", W_OK) == 0) /* thousands of small files */
    setenv("TMPDIR", "/dev/shm", 1);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
