/* tests/unit/test_advice.c - the safest next step is one that the verb's own checks let through. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/model/explain.h"
#include "core/model/triage.h"

static struct bt_arena *arena;
static struct bt_snapshot snapshot;
static struct bt_session session;
static struct bt_deny deny;
static struct bt_final final_;
static struct bt_capture brief;
static struct bt_lock lock;
static struct bt_auth auth;

static int begin(void **state) {
  (void)state;
  arena = bt_arena_new(1 << 20);
  snapshot = (struct bt_snapshot){.key_loaded = true, .session_count = 3, .taken_at_ms = 1000};
  session = (struct bt_session){.id = "s", .since_ms = BT_TIME_UNKNOWN, .last_seen_ms = BT_TIME_UNKNOWN};
  deny = (struct bt_deny){.session_id = "s",
                          .path = "handoffs/denies/s.json",
                          .reason = "ok",
                          .status = BT_DENY_OPEN,
                          .ticket_id = "T",
                          .content_hash = "h",
                          .ticket_bound = true,
                          .hash_bound = true,
                          .plain_binds = true,
                          .since_ms = 10,
                          .consumed_at_ms = BT_TIME_UNKNOWN,
                          .host = "local"};
  final_ = (struct bt_final){.path = "f", .content_hash = "h", .ticket_id = "T", .written_at_ms = BT_TIME_UNKNOWN};
  brief =
      (struct bt_capture){.path = "handoffs/content/s.md", .status = BT_BRIEF_VERIFIED, .mtime_ms = BT_TIME_UNKNOWN};
  lock = (struct bt_lock){.name = "s",
                          .path = "handoffs/s.lock",
                          .why = "why",
                          .host = "build-03",
                          .pid = 7,
                          .pid_text = "7",
                          .started_at_ms = 20,
                          .verdict = BT_LOCK_STALE};
  auth = (struct bt_auth){.path = "a",
                          .consumer_session_id = "n",
                          .deny_session_id = "s",
                          .ticket_id = "T",
                          .content_hash = "h",
                          .written_at_ms = 30,
                          .signature = BT_SIG_VERIFIED};
  return arena == NULL;
}

static int end(void **state) {
  (void)state;
  bt_arena_free(arena);
  return 0;
}

static void judge(void) {
  if (session.deny && session.deny->status == BT_DENY_OPEN)
    session.ticket_id = session.deny->ticket_bound ? session.deny->ticket_id : NULL;
  snapshot.refusing_count = bt_session_refuses(&session);
  snapshot.faulty_brief_count = bt_session_brief_faulty(&session);
  snapshot.unbound_count = bt_session_unbound(&session);
  bt_triage_session(&snapshot, &session);
  assert_true(bt_explain_session(arena, &snapshot, &session));
  assert_true(bt_advise_session(arena, &snapshot, &session));
}

static const struct bt_next_step *step_of(enum bt_verb verb) {
  if (session.next.verb == verb)
    return &session.next;
  for (size_t i = 0; i < session.other_count; i++)
    if (session.others[i].verb == verb)
      return &session.others[i];
  return NULL;
}

static bool has_reason(const char *code) {
  for (size_t i = 0; i < session.reason_count; i++)
    if (strcmp(session.reasons[i].code, code) == 0)
      return true;
  return false;
}

static void open_and_bound_is_continued(void **state) {
  (void)state;
  session.deny = &deny;
  session.capture = &brief;
  judge();
  assert_int_equal(session.state, BT_STATE_BLOCKED);
  assert_int_equal(session.next.verb, BT_VERB_CONTINUE);
  assert_null(session.next.blocked_by);
  assert_true(has_reason("D3 unauthorized_open"));
  assert_int_equal(session.blocks, 2);
  deny.content_hash = NULL; /* continue writes the hash itself: only the ticket must be bound */
  deny.hash_bound = false;
  judge();
  assert_int_equal(session.next.verb, BT_VERB_CONTINUE);
}

static void unbound_is_repaired(void **state) {
  (void)state;
  session.deny = &deny;
  deny.ticket_id = NULL;
  deny.ticket_bound = false;
  judge();
  assert_int_equal(session.next.verb, BT_VERB_REPAIR);
  assert_null(step_of(BT_VERB_CONTINUE));
}

static void a_padded_bind_is_written_anew(void **state) {
  (void)state;
  session.deny = &deny;
  deny.plain_binds = false;
  judge();
  assert_int_equal(session.next.verb, BT_VERB_WRITE);
  assert_null(step_of(BT_VERB_CONTINUE));
  assert_null(step_of(BT_VERB_REPAIR));
}

static void a_brief_that_differs_is_looked_at_first(void **state) {
  (void)state;
  static const enum bt_brief_status faults[] = {BT_BRIEF_TAMPERED, BT_BRIEF_MISSING, BT_BRIEF_OVERSIZE,
                                                BT_BRIEF_UNREADABLE};
  session.deny = &deny;
  session.capture = &brief;
  deny.content_kind = "capture";
  for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
    brief.status = faults[i];
    judge();
    assert_int_equal(session.next.verb, BT_VERB_NONE);
    assert_non_null(step_of(BT_VERB_CONTINUE));
    assert_non_null(step_of(BT_VERB_BYPASS)->blocked_by); /* the gate would refuse and spend it (6.8) */
  }
}

static void a_lock_comes_first(void **state) {
  (void)state;
  session.deny = &deny;
  session.lock = &lock;
  judge();
  assert_int_equal(session.next.verb, BT_VERB_UNLOCK);
  assert_null(step_of(BT_VERB_CONTINUE)->blocked_by); /* a dead local lock is taken over */
  static const enum bt_lock_verdict held[] = {BT_LOCK_PID_REUSE, BT_LOCK_FOREIGN, BT_LOCK_UNREADABLE, BT_LOCK_UNKNOWN,
                                              BT_LOCK_LIVE};
  for (size_t i = 0; i < sizeof(held) / sizeof(*held); i++) {
    lock.verdict = held[i];
    judge();
    assert_int_equal(session.next.verb, held[i] == BT_LOCK_PID_REUSE ? BT_VERB_UNLOCK : BT_VERB_NONE);
    assert_non_null(step_of(BT_VERB_CONTINUE)->blocked_by);
    assert_null(step_of(BT_VERB_BYPASS)->blocked_by); /* takes no lock */
  }
}

static void a_lock_without_a_process_cannot_be_proved(void **state) {
  (void)state;
  session.lock = &lock;
  lock.pid = 0.5;
  judge();
  assert_int_equal(session.state, BT_STATE_STALE_LOCK);
  assert_null(step_of(BT_VERB_UNLOCK)); /* `unlock --pid` wants an integer above 0 */
}

static void an_interrupted_hand_over_is_completed(void **state) {
  (void)state;
  session.deny = &deny;
  session.final_ = &final_;
  session.successor = &auth;
  judge();
  assert_int_equal(session.next.verb, BT_VERB_RESUME);
  assert_int_equal(session.blocks, 1);
  auth.content_hash = "another";
  judge();
  assert_int_equal(session.next.verb, BT_VERB_CONTINUE);
  assert_int_equal(session.blocks, 2);
  auth.content_hash = "h";
  final_.error = "missing"; /* resume needs the final */
  judge();
  assert_int_equal(session.next.verb, BT_VERB_CONTINUE);
}

static void names_that_no_prompt_can_hold(void **state) {
  (void)state;
  session.id = deny.session_id = "a b";
  session.deny = &deny;
  session.final_ = &final_;
  judge();
  assert_int_equal(session.next.verb, BT_VERB_RESUME);
  session.final_ = NULL;
  judge();
  assert_int_equal(session.next.verb, BT_VERB_WRITE);
  assert_null(step_of(BT_VERB_CONTINUE));
}

static void another_active_ticket(void **state) {
  (void)state;
  session.deny = &deny;
  snapshot.active_ticket.id = "T2";
  judge();
  assert_non_null(strstr(session.next.text, "--ticket T"));
  assert_true(has_reason("ticket differs"));
  snapshot.active_ticket = (struct bt_ticket_pointer){.error = "INVALID_CURRENT_TICKET"};
  judge();
  assert_non_null(strstr(session.next.text, "--ticket T"));
}

static void consumed_is_done(void **state) {
  (void)state;
  deny.status = BT_DENY_CONSUMED;
  deny.consumed_by = "n";
  session.deny = &deny;
  judge();
  assert_int_equal(session.state, BT_STATE_DONE);
  assert_int_equal(session.next.verb, BT_VERB_NONE);
  assert_int_equal(session.other_count, 0);
  assert_int_equal(session.blocks, 0);
}

static void who_is_ready(void **state) {
  (void)state;
  auth.deny_session_id = "d";
  auth.consumer_session_id = "s";
  session.auth = &auth;
  session.auth_deny = &deny;
  deny.session_id = "d";
  deny.status = BT_DENY_CONSUMED;
  deny.consumed_by = "s";
  judge();
  assert_int_equal(session.state, BT_STATE_READY);
  session.final_ = &final_; /* it has begun */
  judge();
  assert_int_equal(session.state, BT_STATE_IDLE);
  session.final_ = NULL;
  deny.consumed_by = "else";
  judge();
  assert_int_equal(session.state, BT_STATE_IDLE);
  deny.status = BT_DENY_OPEN;
  judge();
  assert_int_equal(session.state, BT_STATE_READY);
  assert_int_equal(session.next.verb, BT_VERB_RESUME);
  auth.signature = BT_SIG_INVALID;
  judge();
  assert_int_equal(session.state, BT_STATE_WARN);
  session.auth_deny = NULL;
  auth.signature = BT_SIG_VERIFIED;
  judge();
  assert_int_equal(session.state, BT_STATE_IDLE);
}

static void is_the_deny_in_force(void **state) {
  (void)state;
  static const struct {
    const char *host;
    bool on;
    const char *answer;
  } cases[] = {{"pi", false, "no"},         {"pi", true, "yes"},
               {"opencode", true, "yes"},   {"claude-code", true, "unknown"},
               {"codex", false, "unknown"}, {"local", true, "unknown"},
               {NULL, false, "unknown"}};
  session.deny = &deny;
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
    deny.host = cases[i].host;
    snapshot.deny_switch_on = cases[i].on;
    judge();
    assert_string_equal(session.in_force, cases[i].answer);
    assert_true(strlen(session.in_force_why) > 0);
  }
}

static void short_forms(void **state) {
  (void)state;
  char stamp[24], size[24], hash[32];
  bt_stamp_short(stamp, INT64_C(1791555727000));
  assert_string_equal(stamp, "2026-10-09 14:22Z");
  bt_stamp_short(stamp, BT_TIME_UNKNOWN);
  assert_string_equal(stamp, "an unknown time");
  bt_size_short(size, 148);
  assert_string_equal(size, "148 bytes");
  bt_size_short(size, 4198);
  assert_string_equal(size, "4.1 KiB");
  bt_hash_short(hash, "3f9c000000000000000000000000000000000000000000000000000000a0a017");
  assert_string_equal(hash, "3f9c..a017");
  bt_hash_short(hash, NULL);
  assert_string_equal(hash, "none");
}

static void no_text_is_cut_inside_a_character(void **state) {
  (void)state;
  static char wide[3 * 3000 + 1];
  for (int i = 0; i < 3000; i++)
    memcpy(wide + 3 * i, "\xe6\xbc\xa2", 3);
  auth.deny_session_id = wide;
  session.auth = &auth;
  judge();
  const char *text = session.reasons[0].text;
  assert_true(strlen(text) > 4000 && strlen(text) < 4096);
  assert_int_equal((unsigned char)text[strlen(text) - 1] & 0xC0, 0x80);
  assert_memory_equal(text + strlen(text) - 3, "\xe6\xbc\xa2", 3);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {CASE(open_and_bound_is_continued),
                                     CASE(unbound_is_repaired),
                                     CASE(a_padded_bind_is_written_anew),
                                     CASE(a_brief_that_differs_is_looked_at_first),
                                     CASE(a_lock_comes_first),
                                     CASE(a_lock_without_a_process_cannot_be_proved),
                                     CASE(an_interrupted_hand_over_is_completed),
                                     CASE(names_that_no_prompt_can_hold),
                                     CASE(another_active_ticket),
                                     CASE(consumed_is_done),
                                     CASE(who_is_ready),
                                     CASE(is_the_deny_in_force),
                                     CASE(short_forms),
                                     CASE(no_text_is_cut_inside_a_character)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
