/* tests/unit/test_log_view.c - the evidence log is checked again only when it changed, and files add their rows to it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/str.h"
#include "core/ops/actionlog.h"
#include "core/store/evidence_log.h"
#include "core/store/log_view.h"
#include "tests/support/fixture.h"

#define CHAIN ".adlc/manifest.d/main-01K7A0Q5T8N4D2R6V9X3B1C7E5.jsonl"
#define GRANT ".adlc/handoffs/a81f3c55.bypass-grant.json"

static size_t checks; /* how often the chains were read whole */

enum bt_code __real_bt_log_load_until(int ledger, struct bt_key key, const int *give_up, struct bt_log *log,
                                      struct bt_error *err);
enum bt_code __wrap_bt_log_load_until(int ledger, struct bt_key key, const int *give_up, struct bt_log *log,
                                      struct bt_error *err);
enum bt_code __wrap_bt_log_load_until(int ledger, struct bt_key key, const int *give_up, struct bt_log *log,
                                      struct bt_error *err) {
  checks++;
  return __real_bt_log_load_until(ledger, key, give_up, log, err);
}

struct box {
  struct fixture *fixture;
  struct bt_log_source *source;
  struct bt_log_view *view; /* the last one */
};

static void open_box(struct box *box) {
  *box = (struct box){.fixture = fixture_new(FIXTURE_SAMPLE), .source = bt_log_source_new()};
  assert_non_null(box->source);
  checks = 0;
}

static void close_box(struct box *box) {
  bt_log_view_free(box->view);
  bt_log_source_free(box->source);
  fixture_free(box->fixture);
}

/* As after a refresh of the page; true when there is another view than before. */
static bool refresh(struct box *box) {
  struct bt_snapshot *snapshot = fixture_load(box->fixture);
  struct bt_log_view *view;
  struct bt_error err = {0};
  if (bt_log_view_load(&box->fixture->env, snapshot, box->source, box->view ? BT_LOG_HAVE : 0, &view, &err) != BT_OK)
    fail_msg("%s", err.message);
  bt_snapshot_free(snapshot);
  if (!view)
    return false;
  bt_log_view_free(box->view);
  box->view = view;
  return true;
}

static const struct bt_log_row *row(const struct box *box, const char *gate, const char *session) {
  for (size_t i = 0; i < box->view->count; i++)
    if (bt_text_equals(box->view->rows[i].gate, gate) && bt_text_equals(box->view->rows[i].session, session))
      return &box->view->rows[i];
  return NULL;
}

static size_t place(const struct box *box, const struct bt_log_row *wanted) {
  return (size_t)(wanted - box->view->rows);
}

static void test_nothing_is_read_again_while_nothing_changes(void **state) {
  struct box box;
  (void)state;
  open_box(&box);
  assert_true(refresh(&box));
  assert_int_equal(checks, 1);
  for (int i = 0; i < 5; i++)
    assert_false(refresh(&box));
  fixture_write(box.fixture, ".adlc/handoffs/content/else.md", "text\n");
  fixture_write(box.fixture, ".adlc/tickets.json", "{}\n");
  assert_false(refresh(&box));
  assert_int_equal(checks, 1);
  close_box(&box);
}

static void test_what_the_records_say_is_told_without_checking_the_chains(void **state) {
  struct box box;
  (void)state;
  open_box(&box);
  assert_true(refresh(&box));
  assert_null(row(&box, "(deny opened)", "new-one"));
  fixture_write(
      box.fixture, ".adlc/handoffs/denies/new-one.json",
      "{\"session_id\":\"new-one\",\"status\":\"open\",\"since\":\"2026-10-09T14:00:00.000Z\",\"host\":\"pi\"}\n");
  assert_true(refresh(&box));
  assert_non_null(row(&box, "(deny opened)", "new-one"));
  assert_int_equal(checks, 1);
  close_box(&box);
}

static void test_an_entry_more_and_a_changed_byte_are_found(void **state) {
  struct box box;
  (void)state;
  open_box(&box);
  assert_true(refresh(&box));
  assert_null(box.view->chain_broken);
  uint64_t before = box.view->entries;
  fixture_append(box.fixture, CHAIN, "{\"seq\":13,\"gate\":\"forged\"}\n");
  assert_true(refresh(&box));
  assert_int_equal(checks, 2);
  assert_int_equal(box.view->entries, before + 1);
  assert_non_null(box.view->chain_broken);
  assert_false(refresh(&box));
  fixture_remove(box.fixture, CHAIN);
  assert_true(refresh(&box));
  assert_int_equal(checks, 3);
  close_box(&box);
}

/* A page that has no view gets one, whatever has been read before. */
static void test_a_view_is_made_where_there_is_none(void **state) {
  struct box box;
  (void)state;
  open_box(&box);
  assert_true(refresh(&box));
  bt_log_view_free(box.view);
  box.view = NULL;
  assert_true(refresh(&box));
  assert_int_equal(checks, 1);
  close_box(&box);
}

/* As beside the screen: the old check stays on show until a new one is handed over. */
static void test_a_check_may_be_made_elsewhere(void **state) {
  struct box box;
  struct bt_error err = {0};
  struct bt_log_view *view;
  (void)state;
  open_box(&box);
  assert_string_equal(bt_log_source_stamp(box.source), "");
  assert_false(bt_log_source_is_current(&box.fixture->env, box.source));
  assert_int_equal(bt_log_source_check(&box.fixture->env, box.source, "", &err), BT_OK);
  assert_true(bt_log_source_is_current(&box.fixture->env, box.source));
  assert_int_equal(checks, 1);
  struct bt_snapshot *snapshot = fixture_load(box.fixture);
  fixture_append(box.fixture, CHAIN, "{\"seq\":13,\"gate\":\"forged\"}\n");
  assert_false(bt_log_source_is_current(&box.fixture->env, box.source));
  assert_int_equal(bt_log_view_load(&box.fixture->env, snapshot, box.source, BT_LOG_AS_CHECKED, &box.view, &err),
                   BT_OK);
  assert_null(box.view->chain_broken);
  unsigned flags = BT_LOG_AS_CHECKED | BT_LOG_HAVE;
  assert_int_equal(bt_log_view_load(&box.fixture->env, snapshot, box.source, flags, &view, &err), BT_OK);
  assert_null(view);
  assert_int_equal(checks, 1);
  struct bt_log_source *next = bt_log_source_new(), *none = bt_log_source_new();
  assert_int_equal(bt_log_source_check(&box.fixture->env, next, bt_log_source_stamp(box.source), &err), BT_OK);
  assert_int_equal(bt_log_source_check(&box.fixture->env, none, bt_log_source_stamp(next), &err), BT_OK);
  assert_string_equal(bt_log_source_stamp(none), ""); /* it is known already */
  assert_int_equal(checks, 2);
  assert_int_equal(bt_log_view_load(&box.fixture->env, snapshot, next, flags, &view, &err), BT_OK);
  assert_non_null(view->chain_broken);
  bt_log_view_free(view);
  bt_log_source_free(next);
  bt_log_source_free(none);
  bt_snapshot_free(snapshot);
  close_box(&box);
}

/* Whoever leaves does not wait for a long history. */
static void test_a_check_is_left_off_when_nobody_waits(void **state) {
  struct box box;
  struct bt_error err = {0};
  int ends[2];
  (void)state;
  open_box(&box);
  assert_int_equal(pipe(ends), 0);
  box.fixture->env.give_up = &ends[0];
  assert_int_equal(bt_log_source_check(&box.fixture->env, box.source, "", &err), BT_OK);
  close(ends[1]);
  fixture_append(box.fixture, CHAIN, "{\"seq\":13,\"gate\":\"forged\"}\n");
  assert_int_equal(bt_log_source_check(&box.fixture->env, box.source, "", &err), BT_STATE);
  assert_string_equal(bt_log_source_stamp(box.source), "");
  close(ends[0]);
  box.fixture->env.give_up = NULL;
  close_box(&box);
}

static void test_a_grant_that_is_gone_was_spent(void **state) {
  struct box box;
  (void)state;
  open_box(&box);
  assert_true(refresh(&box));
  assert_null(row(&box, "(grant spent)", "a81f3c55"));
  box.fixture->now_ms += 3600 * 1000; /* one that ran out is not one that was used */
  (void)refresh(&box);
  assert_null(row(&box, "(grant spent)", "a81f3c55"));
  fixture_remove(box.fixture, GRANT);
  assert_true(refresh(&box));
  const struct bt_log_row *spent = row(&box, "(grant spent)", "a81f3c55");
  assert_non_null(spent);
  assert_true(spent->derived);
  assert_int_equal(spent->ts_ms, INT64_MIN); /* nobody wrote down when */
  assert_int_equal(spent->signature, BT_LOG_NO_ENTRY);
  assert_int_equal(place(&box, spent) + 1, place(&box, row(&box, "context-handoff-bypass", "a81f3c55")));
  assert_int_equal(checks, 1);
  close_box(&box);
}

static void refuse(const struct box *box, const char *session, enum bt_code code, const char *words) {
  const struct bt_request request = {.verb = BT_VERB_UNLOCK, .session = session};
  struct bt_error err;
  (void)bt_error_set(&err, code, session, "%s", words);
  assert_int_equal(bt_actionlog_add(&box->fixture->env, &request, &err, NULL, NULL), BT_OK);
}

static void test_refused_verbs_come_from_our_own_log(void **state) {
  struct box box;
  (void)state;
  open_box(&box);
  assert_true(refresh(&box));
  refuse(&box, "5d20fe13", BT_REFUSED, "pid 1033 is still \x1b[2Jalive");
  assert_true(refresh(&box));
  const struct bt_log_row *refused = row(&box, "(baton unlock)", "5d20fe13");
  assert_non_null(refused);
  assert_string_equal(refused->outcome, "refused");
  assert_int_equal(refused->signature, BT_LOG_OWN);
  assert_int_equal(place(&box, refused), 0); /* the newest there is */
  assert_non_null(strstr(refused->read_as, "pid 1033 is still"));
  assert_int_equal(refused->ts_ms, FIXTURE_NOW_MS);
  refuse(&box, "c0de4471", BT_IO, "no space");
  assert_true(refresh(&box));
  assert_string_equal(row(&box, "(baton unlock)", "c0de4471")->outcome, "failed");
  assert_int_equal(checks, 1);
  close_box(&box);
}

/* What was done is in the manifest; what another ledger refused is not this one's; the rest of a line is nobody's. */
static void test_other_lines_of_that_log_are_left_out(void **state) {
  struct box box;
  const char *other = "/somewhere/else/.adlc";
  const struct bt_request request = {.verb = BT_VERB_UNLOCK, .session = "91ab77e0"};
  (void)state;
  open_box(&box);
  assert_int_equal(bt_actionlog_add(&box.fixture->env, &request, NULL, NULL, NULL), BT_OK);
  const char *own = box.fixture->env.ledger_dir;
  box.fixture->env.ledger_dir = other;
  refuse(&box, "elsewhere", BT_REFUSED, "no");
  box.fixture->env.ledger_dir = own;
  char path[1024];
  snprintf(path, sizeof(path), "%s/%s", box.fixture->env.state_dir, BT_ACTIONLOG_NAME);
  FILE *log = fopen(path, "a");
  assert_non_null(log);
  fputs("not json\n{}\n[1]\n{\"verb\":\"unlock\",\"verdict\":7}\n{\"verb\":\"half", log);
  fclose(log);
  assert_true(refresh(&box));
  for (size_t i = 0; i < box.view->count; i++)
    assert_int_not_equal(box.view->rows[i].signature, BT_LOG_OWN);
  close_box(&box);
}

static void test_only_the_newest_refusals_are_kept(void **state) {
  struct box box;
  char name[32];
  size_t count = 0;
  (void)state;
  open_box(&box);
  for (int i = 0; i < BT_OWN_LOG_MAX + 50; i++) {
    snprintf(name, sizeof(name), "sess-%03d", i);
    box.fixture->now_ms += 1000;
    refuse(&box, name, BT_REFUSED, "no");
  }
  assert_true(refresh(&box));
  for (size_t i = 0; i < box.view->count; i++)
    count += box.view->rows[i].signature == BT_LOG_OWN;
  assert_int_equal(count, BT_OWN_LOG_MAX);
  assert_string_equal(box.view->rows[0].session, name);
  close_box(&box);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nothing_is_read_again_while_nothing_changes),
      cmocka_unit_test(test_what_the_records_say_is_told_without_checking_the_chains),
      cmocka_unit_test(test_an_entry_more_and_a_changed_byte_are_found),
      cmocka_unit_test(test_a_view_is_made_where_there_is_none),
      cmocka_unit_test(test_a_check_may_be_made_elsewhere),
      cmocka_unit_test(test_a_check_is_left_off_when_nobody_waits),
      cmocka_unit_test(test_a_grant_that_is_gone_was_spent),
      cmocka_unit_test(test_refused_verbs_come_from_our_own_log),
      cmocka_unit_test(test_other_lines_of_that_log_are_left_out),
      cmocka_unit_test(test_only_the_newest_refusals_are_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
