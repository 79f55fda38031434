/* tests/unit/test_store_memory.c - every allocation of a load and of a brief held against its copy fails once.
 *
 * malloc and its kin are replaced (test_store_memory.wrap). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/fs.h"
#include "core/ops/marks.h"
#include "core/store/brief_diff.h"
#include "core/store/load.h"
#include "tests/support/fixture.h"
#include "tests/support/memory_sweep.h"

#define READER "7f3a91c2-auth"

static void see_session(uint64_t *seen, const struct bt_session *session) {
  memory_see_text(seen, session->id);
  memory_see_text(seen, session->ticket_id);
  memory_see_text(seen, session->harness);
  memory_see(seen, &session->state, sizeof session->state);
  memory_see(seen, &session->since_ms, sizeof session->since_ms);
  memory_see_text(seen, session->deny ? session->deny->reason : NULL);
  memory_see_text(seen, session->final_ ? session->final_->content_hash : NULL);
  memory_see_text(seen, session->capture ? session->capture->text : NULL);
  memory_see_text(seen, session->lock ? session->lock->why : NULL);
  memory_see_text(seen, session->next.text);
  memory_see(seen, &session->reason_count, sizeof session->reason_count);
  for (size_t i = 0; i < session->reason_count; i++)
    memory_see_text(seen, session->reasons[i].text);
}

static void see_snapshot(uint64_t *seen, const struct bt_snapshot *snapshot) {
  const size_t counts[] = {snapshot->session_count, snapshot->deny_count,  snapshot->lock_count,
                           snapshot->auth_count,    snapshot->grant_count, snapshot->problem_count};
  memory_see(seen, counts, sizeof counts);
  for (size_t i = 0; i < snapshot->session_count; i++)
    see_session(seen, &snapshot->sessions[i]);
  for (size_t i = 0; i < snapshot->lock_count; i++) {
    memory_see_text(seen, snapshot->locks[i].name);
    memory_see_text(seen, snapshot->locks[i].why);
    memory_see(seen, &snapshot->locks[i].evidence_count, sizeof snapshot->locks[i].evidence_count);
  }
  for (size_t i = 0; i < snapshot->problem_count; i++) {
    memory_see_text(seen, snapshot->problems[i].subject);
    memory_see_text(seen, snapshot->problems[i].text);
  }
  memory_see(seen, &snapshot->store.ok, sizeof snapshot->store.ok);
}

static enum bt_code load(void *context, uint64_t *seen, struct bt_error *err) {
  struct fixture *fixture = context;
  struct bt_snapshot *snapshot = NULL;
  enum bt_code code = bt_store_load(&fixture->env, BT_LOAD_TICKETS, NULL, &snapshot, err);
  assert_true((code == BT_OK) == (snapshot != NULL));
  if (snapshot)
    see_snapshot(seen, snapshot);
  bt_snapshot_free(snapshot);
  return code;
}

/* Every kind of record, and some that cannot be read. */
static void a_load(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_SAMPLE);
  fixture_write(fixture, ".adlc/handoffs/denies/bad.json", "{");
  fixture_write(fixture, ".adlc/handoffs/finals/bad.json", "[]");
  fixture_write(fixture, ".adlc/handoffs/bad.lock", "{\"pid\":");
  memory_sweep(&(struct memory_sweep){.run = load, .context = fixture, .least = 100});
  fixture_free(fixture);
}

static void a_load_without_a_ledger(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_NONE);
  memory_sweep(&(struct memory_sweep){.run = load, .context = fixture, .least = 2});
  fixture_free(fixture);
}

struct compared {
  struct fixture *fixture;
  int ledger;
  const char *expected;
};

static enum bt_code compare(void *context, uint64_t *seen, struct bt_error *err) {
  const struct compared *compared = context;
  struct bt_brief_diff *diff = NULL;
  enum bt_code code =
      bt_brief_diff_load(&compared->fixture->env, compared->ledger, READER, compared->expected, &diff, err);
  assert_true((code == BT_OK) == (diff != NULL));
  if (diff) {
    memory_see_text(seen, diff->text);
    memory_see_text(seen, diff->old_hash);
    memory_see_text(seen, diff->new_hash);
    memory_see(seen, &diff->against, sizeof diff->against);
    memory_see(seen, &diff->added, sizeof diff->added);
    memory_see(seen, &diff->removed, sizeof diff->removed);
  }
  bt_brief_diff_free(diff);
  return code;
}

static void a_brief_held_against_its_copy(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_SAMPLE);
  struct bt_snapshot *snapshot = fixture_load(fixture);
  const struct bt_session *session = bt_snapshot_session(snapshot, READER);
  struct compared compared = {.fixture = fixture, .expected = session->capture->expected_hash};
  assert_int_equal(bt_marks_review(&fixture->env, session, true, NULL), BT_OK);
  fixture_append(fixture, ".adlc/handoffs/content/" READER ".md", "rotate all keys\n");
  compared.ledger = bt_fs_open_root(fixture->env.ledger_dir, NULL);
  assert_true(compared.ledger >= 0);
  memory_sweep(&(struct memory_sweep){.run = compare, .context = &compared, .least = 10});
  compared.expected = NULL;
  memory_sweep(&(struct memory_sweep){.run = compare, .context = &compared, .least = 10});
  close(compared.ledger);
  bt_snapshot_free(snapshot);
  fixture_free(fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_load), cmocka_unit_test(a_load_without_a_ledger),
                                     cmocka_unit_test(a_brief_held_against_its_copy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
