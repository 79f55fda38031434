/* tests/unit/test_load.c - the sample ledger, and everything odd that may lie in one, as one snapshot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/store/load.h"
#include "tests/support/fixture.h"

static struct fixture *fixture;
static struct bt_snapshot *snapshot;

static int begin_with(enum fixture_kind kind) {
  fixture = fixture_new(kind);
  snapshot = NULL;
  return fixture == NULL;
}
static int begin_sample(void **state) {
  (void)state;
  return begin_with(FIXTURE_SAMPLE);
}
static int begin_empty(void **state) {
  (void)state;
  return begin_with(FIXTURE_EMPTY);
}
static int end(void **state) {
  (void)state;
  bt_snapshot_free(snapshot);
  fixture_free(fixture);
  return 0;
}

static void load_without_transcripts(void) { /* what the ledger alone says */
  fixture->env.sample_dir = NULL;
  bt_snapshot_free(snapshot);
  snapshot = fixture_load(fixture);
}

static void load(void) {
  bt_snapshot_free(snapshot);
  snapshot = fixture_load(fixture);
}

static const struct bt_session *session(const char *id) {
  const struct bt_session *found = bt_snapshot_session(snapshot, id);
  if (!found)
    fail_msg("no session %s", id);
  return found;
}

static bool has_problem(const char *subject) {
  for (size_t i = 0; i < snapshot->problem_count; i++)
    if (strcmp(snapshot->problems[i].subject, subject) == 0)
      return true;
  return false;
}

static void put_deny(const char *id, const char *members) {
  char path[600], text[1024];
  snprintf(path, sizeof(path), ".adlc/handoffs/denies/%s.json", id);
  snprintf(text, sizeof(text), "{\"session_id\":\"%s\",%s}", id, members);
  fixture_write(fixture, path, text);
}
#define OPEN "\"status\":\"open\",\"since\":\"2026-10-09T14:00:00.000Z\",\"host\":\"local\",\"schema\":1"

/* ---- the sample ---- */

static void every_state_and_verdict_is_in_the_sample(void **state) {
  (void)state;
  load();
  for (int s = 0; s < BT_STATE_COUNT; s++)
    assert_true(snapshot->state_counts[s] > 0);
  static const enum bt_lock_verdict verdicts[] = {BT_LOCK_STALE, BT_LOCK_PID_REUSE, BT_LOCK_FOREIGN, BT_LOCK_UNREADABLE,
                                                  BT_LOCK_LIVE};
  for (size_t i = 0; i < 5; i++)
    assert_true(snapshot->lock_counts[verdicts[i]] > 0);
  bool classes[BT_DENY_CLASS_COUNT] = {false};
  for (size_t i = 0; i < snapshot->deny_count; i++)
    classes[snapshot->denies[i].class_] = true;
  for (int c = 0; c < BT_DENY_CLASS_COUNT; c++)
    assert_true(classes[c]);
  assert_true(snapshot->sample);
  assert_true(snapshot->key_is_sample);
  assert_true(snapshot->store.ok);
  assert_null(snapshot->store.heal_due);
  assert_null(snapshot->tickets_error);
  assert_true(snapshot->evidence.segmented);
  assert_string_equal(snapshot->active_ticket.id, "T-118");
  assert_null(snapshot->ledger_lock_note);
}

static void sorted_worst_first(void **state) {
  (void)state;
  load();
  for (size_t i = 1; i < snapshot->session_count; i++)
    assert_true(snapshot->sessions[i - 1].state <= snapshot->sessions[i].state);
  for (size_t i = 1; i < snapshot->lock_count; i++)
    assert_true(snapshot->locks[i - 1].verdict <= snapshot->locks[i].verdict);
}

static void expect_step(const char *id, enum bt_state state, enum bt_verb verb) {
  const struct bt_session *found = session(id);
  assert_int_equal(found->state, state);
  assert_int_equal(found->next.verb, verb);
  assert_true(strlen(found->next.text) > 0);
}

static void the_safest_step_for_each(void **state) {
  (void)state;
  load_without_transcripts();
  expect_step("7f3a91c2-auth", BT_STATE_BLOCKED, BT_VERB_CONTINUE);
  expect_step("sess-1", BT_STATE_BLOCKED, BT_VERB_REPAIR);
  expect_step("c0de4471", BT_STATE_BLOCKED, BT_VERB_NONE);
  expect_step("9a1d77e3", BT_STATE_BLOCKED, BT_VERB_NONE);
  expect_step("66ff0b12", BT_STATE_BLOCKED, BT_VERB_NONE);
  expect_step("99ff88ee", BT_STATE_BLOCKED, BT_VERB_RESUME);
  expect_step("91ab77e0", BT_STATE_STALE_LOCK, BT_VERB_UNLOCK);
  expect_step("5d20fe13", BT_STATE_STALE_LOCK, BT_VERB_UNLOCK);
  expect_step("2b77aa90", BT_STATE_FOREIGN, BT_VERB_NONE);
  expect_step("66cc01fe", BT_STATE_WARN, BT_VERB_NONE);
  expect_step("e4419d02", BT_STATE_READY, BT_VERB_NONE);
  expect_step("0f1e2d3c", BT_STATE_RUN, BT_VERB_NONE);
  expect_step("a81f3c55", BT_STATE_IDLE, BT_VERB_NONE);
  expect_step("77bb99dd", BT_STATE_IDLE, BT_VERB_NONE);
  expect_step("12ab34cd", BT_STATE_DONE, BT_VERB_NONE);
  assert_string_equal(session("7f3a91c2-auth")->ticket_title, "Rotate auth tokens");
  assert_int_equal(session("7f3a91c2-auth")->blocks, snapshot->session_count - 1);
  assert_int_equal(session("99ff88ee")->blocks, snapshot->session_count - 2); /* its successor may pass */
}

static void briefs_of_the_sample(void **state) {
  (void)state;
  load();
  assert_int_equal(session("7f3a91c2-auth")->capture->status, BT_BRIEF_VERIFIED);
  assert_non_null(session("7f3a91c2-auth")->capture->text);
  assert_int_equal(session("7f3a91c2-auth")->capture->redaction_count, 1);
  assert_int_equal(session("c0de4471")->capture->status, BT_BRIEF_TAMPERED);
  assert_int_equal(session("9a1d77e3")->capture->status, BT_BRIEF_MISSING);
  assert_null(session("d00dfeed")->capture);
}

static void looking_changes_nothing(void **state) {
  (void)state;
  char before[65], after[65];
  fixture_write(fixture, ".adlc/handoffs/.deny-store", "1"); /* a heal that is due */
  fixture_remove(fixture, ".adlc/.deny-store");
  fixture_tree_hash(fixture, before);
  fixture->load_flags = BT_LOAD_TICKETS | BT_LOAD_GIT;
  load();
  fixture_tree_hash(fixture, after);
  assert_string_equal(before, after);
  assert_non_null(snapshot->store.heal_due);
}

static void without_a_key(void **state) {
  (void)state;
  fixture->env.key = NULL;
  fixture->env.key_length = 0;
  fixture->env.key_is_sample = false;
  load_without_transcripts();
  assert_false(snapshot->key_loaded);
  assert_int_equal(session("e4419d02")->auth->signature, BT_SIG_UNVERIFIABLE);
  assert_int_equal(session("e4419d02")->state, BT_STATE_READY);
  assert_int_equal(session("a81f3c55")->grant->signature, BT_SIG_UNVERIFIABLE);
  assert_string_equal(session("7f3a91c2-auth")->next.blocked_by, "no signing key");
  assert_null(session("91ab77e0")->next.blocked_by); /* unlock needs none */
}

static void with_another_key(void **state) {
  (void)state;
  fixture->env.key = "other";
  fixture->env.key_length = 5;
  load();
  assert_int_equal(session("e4419d02")->auth->signature, BT_SIG_INVALID);
  assert_int_equal(session("e4419d02")->state, BT_STATE_WARN);
  assert_int_equal(session("99ff88ee")->next.verb, BT_VERB_CONTINUE); /* a forged authorization is none */
}

static void read_only_says_so(void **state) {
  (void)state;
  fixture->env.readonly = true;
  load();
  assert_string_equal(session("7f3a91c2-auth")->next.blocked_by, "read-only");
  assert_string_equal(session("91ab77e0")->next.blocked_by, "read-only");
}

static void a_grant_runs_out(void **state) {
  (void)state;
  load();
  assert_int_equal(session("a81f3c55")->grant->state, BT_GRANT_LIVE);
  fixture->now_ms += 11 * 60 * 1000;
  load();
  assert_int_equal(session("a81f3c55")->grant->state, BT_GRANT_EXPIRED);
}

static void a_ledger_of_another_user_is_told(void **state) {
  (void)state;
  fixture->env.uid++;
  load();
  assert_true(snapshot->foreign_owner);
  assert_int_equal(snapshot->lock_counts[BT_LOCK_STALE], 0);
  assert_int_equal(session("91ab77e0")->lock->verdict, BT_LOCK_UNKNOWN);
}

static void a_dead_lock_of_the_manifest_stops_the_verbs(void **state) {
  (void)state;
  fixture_write(fixture, ".adlc/manifest.d/.lineage.lock",
                "{\"version\":1,\"token\":\"t\",\"pid\":48211,\"hostname\":\"build-07\","
                "\"startedAt\":\"2026-10-09T14:00:00.000Z\"}\n");
  fixture_write(fixture, ".git/index.lock", "");
  fixture_write(fixture, ".adlc/fleet.lock",
                "{\"pid\":40992,\"hostname\":\"build-07\",\"startedAt\":\"2026-10-09T14:00:00.000Z\"}");
  fixture_write(fixture, ".adlc/tickets.lock", "");
  load();
  assert_non_null(strstr(snapshot->ledger_lock_note, "manifest.d/.lineage"));
  assert_string_equal(session("7f3a91c2-auth")->next.blocked_by, snapshot->ledger_lock_note);
  size_t seen[5] = {0};
  for (size_t i = 0; i < snapshot->lock_count; i++)
    seen[snapshot->locks[i].kind]++;
  assert_int_equal(seen[BT_LOCK_LEDGER], 1);
  assert_int_equal(seen[BT_LOCK_GIT], 1);
  assert_int_equal(seen[BT_LOCK_FLEET], 1);
  assert_int_equal(seen[BT_LOCK_TICKETS], 1);
}

/* ---- no ledger, empty ledger, odd ledger ---- */

static void no_ledger_is_an_answer(void **state) {
  (void)state;
  fixture_remove(fixture, ".adlc");
  load();
  assert_false(snapshot->ledger_present);
  assert_int_equal(snapshot->session_count, 0);
  assert_true(snapshot->store.ok);
}

static void a_file_in_place_of_the_ledger(void **state) {
  (void)state;
  struct bt_error err = {0};
  fixture_remove(fixture, ".adlc");
  fixture_write(fixture, ".adlc", "x");
  assert_int_not_equal(bt_store_load(&fixture->env, 0, NULL, &snapshot, &err), BT_OK);
  assert_null(snapshot);
  assert_int_equal(bt_code_exit_status(err.code), 1);
}

static void the_ledger_itself_may_be_a_link(void **state) {
  (void)state;
  char from[1100], to[1100];
  put_deny("s", OPEN ",\"ticket_id\":null,\"content_hash\":null");
  snprintf(from, sizeof(from), "%s/.adlc", fixture->root);
  snprintf(to, sizeof(to), "%s/.real", fixture->root);
  assert_int_equal(rename(from, to), 0);
  assert_int_equal(symlink(".real", from), 0);
  load();
  assert_int_equal(session("s")->state, BT_STATE_BLOCKED);
}

static void broken_markers_are_listed(void **state) {
  (void)state;
  static const struct {
    const char *id, *text, *reason;
  } cases[] = {{"bad", "{", "corrupt_json"},
               {"empty", "", "corrupt_json"},
               {"deep", "[[[[[[[[", "corrupt_json"},
               {"text", "\"x\"", "invalid_shape"},
               {"list", "[]", "session_id_mismatch"},
               {"other", "{\"session_id\":\"x\",\"status\":\"open\"}", "session_id_mismatch"},
               {"number", "{\"session_id\":5,\"status\":\"open\"}", "session_id_mismatch"},
               {"status", "{\"session_id\":\"status\",\"status\":\"Open\"}", "invalid_status"}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
    char path[128];
    snprintf(path, sizeof(path), ".adlc/handoffs/denies/%s.json", cases[i].id);
    fixture_write(fixture, path, cases[i].text);
  }
  load();
  assert_int_equal(snapshot->deny_count, sizeof(cases) / sizeof(*cases));
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
    const struct bt_session *found = session(cases[i].id);
    char subject[128];
    snprintf(subject, sizeof(subject), "handoffs/denies/%s.json", cases[i].id);
    assert_int_equal(found->state, BT_STATE_BLOCKED);
    assert_int_equal(found->deny->class_, BT_DENY_CLASS_INVALID);
    assert_string_equal(found->deny->reason, cases[i].reason);
    assert_int_equal(found->next.verb, BT_VERB_NONE);
    assert_true(has_problem(subject));
  }
}

static void deep_and_huge_json(void **state) {
  (void)state;
  char *text = malloc(2 * 1024 * 1024 + 1);
  assert_non_null(text);
  memset(text, '[', 100000);
  text[100000] = '\0';
  fixture_write(fixture, ".adlc/handoffs/denies/deep.json", text);
  fixture_write(fixture, ".adlc/handoffs/finals/deep.json", text);
  memset(text, ' ', 2 * 1024 * 1024);
  text[2 * 1024 * 1024] = '\0';
  fixture_write(fixture, ".adlc/handoffs/denies/huge.json", text);
  fixture_write(fixture, ".adlc/handoffs/huge.lock", text);
  fixture_write(fixture, ".adlc/handoffs/huge.resume-auth.json", text);
  fixture_write(fixture, ".adlc/handoffs/huge.bypass-grant.json", text);
  free(text);
  load();
  assert_int_equal(session("deep")->deny->status, BT_DENY_INVALID);
  assert_string_equal(session("deep")->final_->error, "corrupt_json");
  assert_int_equal(session("huge")->deny->status, BT_DENY_INVALID);
  assert_string_equal(session("huge")->lock->error, "oversize");
  assert_true(has_problem("handoffs/huge.resume-auth.json"));
  assert_true(has_problem("handoffs/huge.bypass-grant.json"));
}

static void no_plain_files(void **state) {
  (void)state;
  int dir = bt_fs_open_root(fixture->env.ledger_dir, NULL);
  fixture_write(fixture, ".adlc/handoffs/denies/x.tmp", "");
  fixture_write(fixture, ".adlc/handoffs/finals/x.tmp", "");
  fixture_write(fixture, ".adlc/handoffs/content/x.tmp", "");
  assert_int_equal(symlinkat("nowhere", dir, "handoffs/denies/link.json"), 0);
  assert_int_equal(mkfifoat(dir, "handoffs/denies/pipe.json", 0666), 0);
  assert_int_equal(mkdirat(dir, "handoffs/denies/folder.json", 0777), 0);
  assert_int_equal(mkfifoat(dir, "handoffs/finals/pipe.json", 0666), 0);
  assert_int_equal(mkdirat(dir, "handoffs/finals/folder.json", 0777), 0);
  assert_int_equal(symlinkat("../x", dir, "handoffs/content/link.md"), 0);
  assert_int_equal(mkfifoat(dir, "handoffs/pipe.resume-auth.json", 0666), 0);
  assert_int_equal(mkfifoat(dir, "handoffs/pipe.bypass-grant.json", 0666), 0);
  assert_int_equal(mkfifoat(dir, "handoffs/pipe.lock", 0666), 0);
  assert_int_equal(mkfifoat(dir, "manifest.jsonl", 0666), 0);
  assert_int_equal(mkfifoat(dir, ".deny-store", 0666), 0);
  close(dir);
  load();
  assert_string_equal(session("link")->deny->reason, "unreadable_marker");
  assert_string_equal(session("pipe")->deny->reason, "unreadable_marker");
  assert_true(has_problem("handoffs/denies/folder.json"));
  assert_string_equal(session("pipe")->final_->error, "unsafe");
  assert_true(has_problem("handoffs/finals/folder.json"));
  assert_int_equal(session("link")->capture->status, BT_BRIEF_UNREADABLE);
  assert_int_equal(session("pipe")->lock->verdict, BT_LOCK_UNREADABLE);
  assert_true(has_problem("handoffs/pipe.resume-auth.json"));
  assert_true(has_problem("handoffs/pipe.bypass-grant.json"));
  assert_non_null(snapshot->evidence.problem);
  assert_true(snapshot->store.expected);
}

static void links_in_place_of_folders(void **state) {
  (void)state;
  fixture_write(fixture, "outside/denies/s.json", "{\"session_id\":\"s\",\"status\":\"open\"}");
  int dir = bt_fs_open_root(fixture->env.ledger_dir, NULL);
  assert_int_equal(symlinkat("../outside", dir, "handoffs"), 0);
  close(dir);
  load();
  assert_null(bt_snapshot_session(snapshot, "s"));
  assert_true(has_problem("handoffs"));
  assert_false(snapshot->store.ok);
}

static void odd_names(void **state) {
  (void)state;
  char wide[3 * 60 + 1], path[400];
  for (int i = 0; i < 60; i++)
    memcpy(wide + 3 * i, "\xe6\xbc\xa2", 3);
  wide[sizeof(wide) - 1] = '\0';
  put_deny("a\033[2Jb", OPEN ",\"ticket_id\":null,\"content_hash\":null"); /* not JSON: a raw control byte */
  fixture_write(fixture, ".adlc/handoffs/denies/line\nbreak.json",
                "{\"session_id\":\"line\\nbreak\"," OPEN ",\"ticket_id\":\"T\",\"content_hash\":\"h\"}");
  snprintf(path, sizeof(path), ".adlc/handoffs/finals/%s.json", wide);
  fixture_write(fixture, path, "{}");
  fixture_write(fixture, ".adlc/handoffs/finals/bad\xff.json", "{}");
  fixture_write(fixture, ".adlc/handoffs/finals/a..b.json", "{}");
  fixture_write(fixture, ".adlc/handoffs/finals/ padded.json", "{}");
  fixture_write(fixture, ".adlc/handoffs/finals/.json", "{}");
  fixture_write(fixture, ".adlc/handoffs/finals/notes.txt", "");
  fixture_write(fixture, ".adlc/handoffs/stray", "");
  fixture_write(fixture, ".adlc/handoffs/x.model-ok", "");
  load();
  assert_int_equal(session("a\033[2Jb")->deny->status, BT_DENY_INVALID);
  assert_int_equal(session("line\nbreak")->deny->status, BT_DENY_OPEN);
  assert_int_not_equal(session("line\nbreak")->next.verb, BT_VERB_CONTINUE); /* cannot stand in a prompt */
  assert_true(strlen(session(wide)->id_short) < strlen(wide));
  assert_true(has_problem("handoffs/finals/bad\xef\xbf\xbd.json"));
  assert_true(has_problem("handoffs/finals/a..b.json"));
  assert_true(has_problem("handoffs/finals/ padded.json"));
  assert_true(has_problem("handoffs/finals/.json"));
  assert_true(has_problem("handoffs/finals/notes.txt"));
  assert_true(has_problem("handoffs/stray"));
  assert_false(has_problem("handoffs/x.model-ok"));
  assert_null(bt_snapshot_session(snapshot, "a..b"));
}

static void an_unreadable_folder(void **state) {
  (void)state;
  char path[1100];
  bool root = getuid() == 0;
  put_deny("s", OPEN);
  snprintf(path, sizeof(path), "%s/..", fixture->root);
  assert_int_equal(chmod(path, 0755), 0);
  snprintf(path, sizeof(path), "%s/.adlc/handoffs/denies", fixture->root);
  assert_int_equal(chmod(path, 0), 0);
  if (root && seteuid(65534) != 0) { /* root reads every folder */
    print_message("skipped: root cannot become somebody else here\n");
    skip();
  }
  load();
  if (root)
    assert_int_equal(seteuid(0), 0);
  assert_int_equal(chmod(path, 0700), 0);
  assert_false(snapshot->store.ok);
  assert_string_equal(snapshot->store.reason, "readdir_failed:EACCES");
  assert_true(has_problem("handoffs/denies"));
}

/* ---- the health of the store ---- */

static void a_store_that_lost_something(void **state) {
  (void)state;
  fixture_write(fixture, ".adlc/.deny-store", "{\"schema\":1,\"sessions\":[\"gone\",\"here\"]}\n");
  load();
  assert_string_equal(snapshot->store.reason, "missing_deny_store");
  assert_true(snapshot->store.unavailable);
  assert_int_equal(session("gone")->state, BT_STATE_BLOCKED);
  put_deny("here", OPEN ",\"ticket_id\":\"T\",\"content_hash\":null");
  load();
  assert_false(snapshot->store.ok);
  assert_string_equal(snapshot->store.reason, "missing_registered_marker");
  assert_string_equal(session("gone")->deny->reason, "missing_registered_marker");
  assert_int_equal(session("here")->next.verb, BT_VERB_CONTINUE); /* a hook's deny: a ticket and no hash */
  fixture_remove(fixture, ".adlc/handoffs/denies/here.json");
  load();
  assert_string_equal(snapshot->store.reason, "emptied_deny_store");
}

static void a_heal_that_is_due_is_told(void **state) {
  (void)state;
  put_deny("s", OPEN);
  load();
  assert_true(snapshot->store.ok);
  assert_non_null(snapshot->store.heal_due);
  assert_false(session("s")->deny->registered);
  assert_int_equal(session("s")->next.verb, BT_VERB_WRITE); /* bind fields are absent: only write accepts that */
}

static void classes_by_age_and_brief(void **state) {
  (void)state;
  put_deny("old",
           "\"status\":\"open\",\"since\":\"2026-10-08T14:22:06.000Z\",\"ticket_id\":null,\"content_hash\":null");
  put_deny("young",
           "\"status\":\"open\",\"since\":\"2026-10-08T14:22:08.000Z\",\"ticket_id\":null,\"content_hash\":null");
  put_deny("told",
           "\"status\":\"open\",\"since\":\"2026-10-01T14:22:08.000Z\",\"ticket_id\":null,\"content_hash\":null");
  fixture_write(fixture, ".adlc/handoffs/content/told.md", "x");
  load();
  assert_int_equal(session("old")->deny->class_, BT_DENY_CLASS_ORPHAN);
  assert_int_equal(session("young")->deny->class_, BT_DENY_CLASS_UNBOUND);
  assert_int_equal(session("told")->deny->class_, BT_DENY_CLASS_UNBOUND);
  assert_int_equal(session("told")->capture->status, BT_BRIEF_UNCHECKED);
}

static void a_checkpoint_hash_is_no_brief_hash(void **state) {
  (void)state;
  /* spec 4.4: {"host":"local","schema":1,"session_id":"s1","ticket_id":"T-1"} */
  static const char body[] = "e901d4513d8e2454c2537bcbb1bb96880ad7ed893fea5c2df69e5ef93e1e8e81";
  char members[256];
  snprintf(members, sizeof(members), OPEN ",\"ticket_id\":\"T-1\",\"content_hash\":\"%s\"", body);
  put_deny("s1", members);
  put_deny("s2", OPEN ",\"ticket_id\":\"T-1\",\"content_hash\":\"abc\"");
  fixture_write(fixture, ".adlc/handoffs/content/s1.md", "left over");
  fixture_write(fixture, ".adlc/handoffs/content/s2.md", "edited");
  load();
  assert_int_equal(session("s1")->capture->status, BT_BRIEF_UNCHECKED);
  assert_int_equal(session("s2")->capture->status, BT_BRIEF_TAMPERED);
  assert_int_equal(snapshot->faulty_brief_count, 0); /* the gate re-hashes captures only */
}

static void a_consumed_record_with_a_tampered_brief_still_refuses(void **state) {
  (void)state;
  put_deny("s", "\"status\":\"consumed\",\"consumed_by\":\"n\",\"ticket_id\":\"T\",\"content_hash\":\"abc\","
                "\"content_kind\":\"capture\"");
  fixture_write(fixture, ".adlc/handoffs/content/s.md", "x");
  load();
  assert_int_equal(session("s")->state, BT_STATE_BLOCKED);
  assert_int_equal(session("s")->next.verb, BT_VERB_NONE);
  assert_int_equal(snapshot->refusing_count, 1);
}

static void short_names_stay_unique(void **state) {
  (void)state;
  fixture_write(fixture, ".adlc/handoffs/finals/0f1e2d3c-0000-4000-8000-000000000001.json", "{}");
  fixture_write(fixture, ".adlc/handoffs/finals/0f1e2d3c-0000-4000-8000-000000000002.json", "{}");
  fixture_write(fixture, ".adlc/handoffs/finals/77bb99dd-0000-4000-8000-000000000002.json", "{}");
  load();
  assert_string_equal(session("77bb99dd-0000-4000-8000-000000000002")->id_short, "77bb99dd");
  for (size_t i = 0; i < snapshot->session_count; i++)
    for (size_t k = i + 1; k < snapshot->session_count; k++)
      assert_string_not_equal(snapshot->sessions[i].id_short, snapshot->sessions[k].id_short);
}

static void a_thousand_sessions(void **state) {
  (void)state;
  char *brief = malloc(40001);
  assert_non_null(brief);
  memset(brief, 'b', 40000);
  brief[40000] = '\0';
  for (int i = 0; i < 1000; i++) {
    char id[32], path[128];
    snprintf(id, sizeof(id), "session-%04d", i);
    put_deny(id, OPEN ",\"ticket_id\":\"T\",\"content_hash\":\"h\",\"content_kind\":\"capture\"");
    snprintf(path, sizeof(path), ".adlc/handoffs/content/%s.md", id);
    if (i % 4 == 0)
      fixture_write(fixture, path, brief);
  }
  free(brief);
  load();
  assert_int_equal(snapshot->session_count, 1000);
  assert_int_equal(snapshot->state_counts[BT_STATE_BLOCKED], 1000);
  assert_true(bt_arena_used(snapshot->arena) < 14 * 1024 * 1024);
  size_t left_out = 0;
  for (size_t i = 0; i < snapshot->session_count; i++)
    left_out += snapshot->sessions[i].capture && snapshot->sessions[i].capture->text_left_out;
  assert_true(left_out > 0); /* ten megabytes of briefs are not kept, but all of them were hashed */
}

int main(void) {
#define SAMPLE(name) cmocka_unit_test_setup_teardown(name, begin_sample, end)
#define EMPTY(name) cmocka_unit_test_setup_teardown(name, begin_empty, end)
  const struct CMUnitTest tests[] = {SAMPLE(every_state_and_verdict_is_in_the_sample),
                                     SAMPLE(sorted_worst_first),
                                     SAMPLE(the_safest_step_for_each),
                                     SAMPLE(briefs_of_the_sample),
                                     SAMPLE(looking_changes_nothing),
                                     SAMPLE(without_a_key),
                                     SAMPLE(with_another_key),
                                     SAMPLE(read_only_says_so),
                                     SAMPLE(a_grant_runs_out),
                                     SAMPLE(a_ledger_of_another_user_is_told),
                                     SAMPLE(a_dead_lock_of_the_manifest_stops_the_verbs),
                                     EMPTY(no_ledger_is_an_answer),
                                     EMPTY(a_file_in_place_of_the_ledger),
                                     EMPTY(the_ledger_itself_may_be_a_link),
                                     EMPTY(broken_markers_are_listed),
                                     EMPTY(deep_and_huge_json),
                                     EMPTY(no_plain_files),
                                     EMPTY(links_in_place_of_folders),
                                     EMPTY(odd_names),
                                     EMPTY(an_unreadable_folder),
                                     EMPTY(a_store_that_lost_something),
                                     EMPTY(a_heal_that_is_due_is_told),
                                     EMPTY(classes_by_age_and_brief),
                                     EMPTY(a_checkpoint_hash_is_no_brief_hash),
                                     EMPTY(a_consumed_record_with_a_tampered_brief_still_refuses),
                                     EMPTY(short_names_stay_unique),
                                     EMPTY(a_thousand_sessions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
