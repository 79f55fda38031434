/* tests/unit/test_delivery_memory.c - every allocation of a delivery's plan, execution and view fails once, on a real
 * repository.
 *
 * malloc and its kin are replaced, and the disk is left out (test_delivery_memory.wrap). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/delivery/op.h"
#include "core/delivery/view.h"
#include "core/delivery/work.h"
#include "tests/support/chain_box.h"
#include "tests/support/fixture.h"
#include "tests/support/memory_sweep.h"

int __wrap_fsync(int fd);
int __wrap_fsync(int fd) {
  (void)fd;
  return 0;
}

static const char record[] =
    "{\n  \"schema\": \"verified-delivery/handoff-v1\",\n  \"status\": \"open\",\n"
    "  \"store\": \".verified-delivery/handoff.json\",\n  \"directive\": \"Ship it\",\n"
    "  \"authorization_boundary\": { \"authorized\": [\"merge\"], \"out_of_scope\": [] },\n"
    "  \"repository\": \"github.com/acme/pager\",\n  \"pull_request\": null,\n  \"branch\": \"main\",\n"
    "  \"head_sha\": \"0123456789abcdef0123456789abcdef01234567\",\n  \"completed_steps\": [ { \"gate\": "
    "\"change-ready\", \"verdict\": \"pass\", \"evidence\": \"green\" } ],\n  \"pending_steps\": [\"ci-green\"],\n"
    "  \"watchers\": [],\n  \"stop_reason\": \"tool-limit\",\n  \"updated_at\": \"2026-03-01T10:00:00Z\"\n}\n";

struct box {
  struct fixture *fixture;
  struct bt_request request;
  struct bt_plan *plan;
};

static int setup(void **state) {
  static struct box box;
  struct fixture *fixture = fixture_new(FIXTURE_NONE);
  git_box(fixture->root, "init", "-q", "-b", "main", NULL);
  git_box(fixture->root, "commit", "-q", "--allow-empty", "-m", "x", NULL);
  git_box(fixture->root, "remote", "add", "origin", "https://op:secret@github.com/acme/pager", NULL);
  fixture_write(fixture, BT_RECORD_PATH, record);
  box = (struct box){.fixture = fixture, .request = {.verb = BT_VERB_RECONCILE, .tree = fixture->root}};
  *state = &box;
  return 0;
}

static int teardown(void **state) {
  const struct box *box = *state;
  fixture_free(box->fixture);
  return 0;
}

static enum bt_code plan(void *context, uint64_t *seen, struct bt_error *err) {
  const struct box *box = context;
  struct bt_plan *plan = NULL;
  enum bt_code code = bt_delivery_op_plan(&box->fixture->env, &box->request, &plan, err);
  assert_true((code == BT_OK) == (plan != NULL));
  if (plan) {
    memory_see_text(seen, plan->command);
    memory_see_text(seen, plan->payload);
    memory_see_text(seen, plan->disabled);
    memory_see(seen, &plan->row_count, sizeof plan->row_count);
  }
  bt_plan_free(plan);
  return code;
}

static void a_plan(void **state) {
  memory_sweep(&(struct memory_sweep){.run = plan, .context = *state, .least = 50});
}

static void put_back(void *context) {
  const struct box *box = context;
  fixture_write(box->fixture, BT_RECORD_PATH, record);
}

static enum bt_code execute(void *context, uint64_t *seen, struct bt_error *err) {
  const struct box *box = context;
  struct bt_receipt *receipt = NULL;
  enum bt_code code = bt_delivery_op_execute(&box->fixture->env, box->plan, &receipt, err);
  assert_true((code == BT_OK) == (receipt != NULL));
  (void)seen;
  bt_receipt_free(receipt);
  return code;
}

/* The record is the old or the new one, whole. */
static void is_whole(void *context) {
  const struct box *box = context;
  char path[700], text[4096] = "";
  snprintf(path, sizeof path, "%s/" BT_RECORD_PATH, box->fixture->root);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  if (strcmp(text, record) != 0) {
    assert_non_null(strstr(text, "\"change-ready\",\n    \"ci-green\""));
    assert_string_equal(text + strlen(text) - 2, "}\n");
  }
}

static void an_execution(void **state) {
  struct box *box = *state;
  put_back(box);
  assert_int_equal(bt_delivery_op_plan(&box->fixture->env, &box->request, &box->plan, NULL), BT_OK);
  memory_sweep(
      &(struct memory_sweep){.before = put_back, .run = execute, .after = is_whole, .context = box, .least = 50});
  bt_plan_free(box->plan);
}

static enum bt_code view(void *context, uint64_t *seen, struct bt_error *err) {
  const struct box *box = context;
  struct bt_delivery_view *view = NULL;
  enum bt_code code = bt_delivery_view_load(&box->fixture->env, false, &view, err);
  assert_true((code == BT_OK) == (view != NULL));
  for (size_t i = 0; view && i < view->count; i++) {
    memory_see_text(seen, view->rows[i].name);
    memory_see_text(seen, view->rows[i].verdict);
  }
  bt_delivery_view_free(view);
  return code;
}

static void a_view(void **state) {
  put_back(*state);
  memory_sweep(&(struct memory_sweep){.run = view, .context = *state, .least = 50});
}

int main(void) {
  (void)setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
  (void)setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_plan), cmocka_unit_test(an_execution),
                                     cmocka_unit_test(a_view)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
