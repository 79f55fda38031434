/* tests/unit/test_gate.c - rules D0 to D3 over odd records, grants and authorizations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/arena.h"
#include "core/base/json.h"
#include "core/model/gate.h"
#include "tests/support/gate_box.h"
#include "tests/support/inputs.h"

struct asked {                   /* one question */
  const char *session, *records; /* JSON array, ' for " */
  bool sticky, unavailable, unverified, no_list;
  const struct bt_gate_auth *auth;
  struct bt_bypass bypass;
};

static void expect(struct asked asked, const char *reasons) {
  struct bt_json *list = gate_json(asked.records ? asked.records : "[]");
  const struct bt_json *records[16];
  size_t count = 0;
  for (const struct bt_json *one = bt_json_first(list); one; one = bt_json_next(one))
    records[count++] = one;
  struct bt_gate_input input = {.process_sticky = asked.sticky,
                                .current_session_id = asked.session,
                                .records_are_list = !asked.no_list,
                                .records = records,
                                .record_count = count,
                                .auth = asked.auth,
                                .bypass = asked.bypass,
                                .manifest_verify_failed = asked.unverified,
                                .store_unavailable = asked.unavailable};
  struct bt_reasons found = {.arena = bt_arena_new(1 << 20)};
  char joined[1024] = "";
  bool deny = bt_gate_evaluate(&input, &found);
  assert_false(found.failed);
  for (size_t i = 0; i < found.count; i++) {
    strncat(joined, i ? " " : "", sizeof joined - strlen(joined) - 1);
    strncat(joined, found.items[i].code, sizeof joined - strlen(joined) - 1);
  }
  assert_string_equal(joined, reasons);
  assert_int_equal(deny, found.count > 0);
  bt_arena_free(found.arena);
  bt_json_free(list);
}

#define OPEN(id) "{'session_id':'" id "','ticket_id':'T','content_hash':'h','status':'open'}"
#define LOOSE(id) "{'session_id':'" id "','ticket_id':null,'content_hash':' ','status':'open'}"
#define CONSUMED(id) "{'session_id':'" id "','ticket_id':'T','content_hash':'h','status':'consumed'}"
static const struct bt_bypass bound = {.kind = BT_BYPASS_OBJECT, .session_id = "s"};
static const struct bt_bypass unbound = {.kind = BT_BYPASS_OBJECT, .session_id = "s", .unbound_reason = "r"};
static const struct bt_bypass foreign = {.kind = BT_BYPASS_OBJECT, .session_id = "o", .unbound_reason = "r"};

static void order_of_reasons(void **state) {
  (void)state;
  expect((struct asked){.session = "s",
                        .sticky = true,
                        .unavailable = true,
                        .records = "[" OPEN("s") ",{'session_id':'z','status':'x'}," OPEN("o") "]"},
         "D1:process_sticky D0:deny_store_unavailable D2:denier_session D3:unauthorized_open:s D3:invalid_record:z "
         "D3:unauthorized_open:o");
  expect((struct asked){.session = " s", .sticky = true, .unavailable = true, .records = "[" OPEN("o") "]"},
         "D1:process_sticky D0:invalid_session_id D0:deny_store_unavailable");
  expect((struct asked){.session = "s", .no_list = true}, "D0:invalid_deny_records");
  expect((struct asked){.session = "s"}, "");
}

static void odd_records(void **state) {
  (void)state;
  expect((struct asked){.session = "s", .records = "[null,1,'x',[],[1],true]"},
         "D3:invalid_record:? D3:invalid_record:? D3:invalid_record:? D3:invalid_record:? D3:invalid_record:? "
         "D3:invalid_record:?");
  expect((struct asked){.session = "s",
                        .records = "[{'session_id':'','status':'open'},{'session_id':7,'status':'open'},"
                                   "{'session_id':' p','status':'open'},{'session_id':'a/b','status':'open'}]"},
         "D3:invalid_record:? D3:invalid_record:? D3:invalid_record: p D3:invalid_record:a/b");
  /* an unbound grant lifts every broken record but a null entry */
  expect((struct asked){.session = "s", .bypass = unbound, .records = "[null,1,{'session_id':'z','status':'x'}]"},
         "D3:invalid_record:?");
  expect((struct asked){.session = "s", .bypass = bound, .records = "[{'session_id':'z','status':'x'}]"},
         "D3:invalid_record:z");
}

static void own_records(void **state) {
  (void)state;
  expect((struct asked){.session = "s", .records = "[" CONSUMED("s") "]"}, "D2:denier_session");
  expect((struct asked){.session = "s", .records = "[{'session_id':'s','status':'invalid:corrupt_json'}]"},
         "D2:denier_session D3:invalid_record:s");
  expect((struct asked){.session = "s", .bypass = bound, .records = "[" LOOSE("s") "," CONSUMED("s") "]"}, "");
}

static void grants(void **state) {
  (void)state;
  expect((struct asked){.session = "s", .bypass = bound, .records = "[" OPEN("o") "]"}, "");
  expect((struct asked){.session = "s", .bypass = bound, .records = "[" LOOSE("o") "]"}, "D3:unauthorized_open:o");
  expect((struct asked){.session = "s", .bypass = unbound, .unavailable = true, .records = "[" LOOSE("o") "]"}, "");
  expect((struct asked){.session = "s", .bypass = bound, .unavailable = true}, "D0:deny_store_unavailable");
  expect((struct asked){.session = "s", .bypass = foreign, .records = "[" OPEN("o") "]"}, "D3:unauthorized_open:o");
  expect((struct asked){.session = "s", .bypass = unbound, .unverified = true, .records = "[" OPEN("o") "]"},
         "D3:unauthorized_open:o");
  expect((struct asked){.session = "s", .bypass = {.kind = BT_BYPASS_TRUE}, .records = "[" OPEN("o") "]"}, "");
  expect((struct asked){.session = "s", .bypass = unbound, .sticky = true}, "D1:process_sticky");
}

static void authorizations(void **state) {
  (void)state;
  struct bt_gate_auth auth = {.ticket_id = "T", .content_hash = "h", .deny_session_id = "o", .verified = true};
  expect((struct asked){.session = "s", .auth = &auth, .records = "[" OPEN("o") "]"}, "");
  expect((struct asked){.session = "s", .auth = &auth, .records = "[" OPEN("o") "," OPEN("p") "]"},
         "D3:unauthorized_open:p");
  expect((struct asked){.session = "s", .auth = &auth, .bypass = bound, .records = "[" LOOSE("o") "]"},
         "D3:unauthorized_open:o"); /* an active grant never falls through */
  expect((struct asked){.session = "s", .auth = &auth, .unverified = true, .records = "[" OPEN("o") "]"},
         "D3:unauthorized_open:o");
  auth.content_hash = "H";
  expect((struct asked){.session = "s", .auth = &auth, .records = "[" OPEN("o") "]"}, "D3:unauthorized_open:o");
  auth.content_hash = "h";
  auth.verified = false;
  expect((struct asked){.session = "s", .auth = &auth, .records = "[" OPEN("o") "]"}, "D3:unauthorized_open:o");
}

static struct bt_bypass_verdict normalised(const char *grant, const char *session) {
  struct bt_json *json = gate_json(grant);
  struct bt_bypass_verdict verdict = bt_bypass_normalise(bypass_of_json(json), session);
  verdict.session_id = verdict.session_id ? verdict.session_id == session ? session : "named" : NULL;
  bt_json_free(json);
  return verdict;
}

static void normalisation(void **state) {
  (void)state;
  assert_false(normalised("[{'sessionId':'s'}]", "s").active);
  assert_false(normalised("'true'", "s").active);
  assert_false(normalised("1", "s").active);
  assert_false(normalised("{'unboundReason':7}", "s").active);
  assert_false(normalised("{'unboundReason':'r'}", NULL).active);
  assert_false(normalised("{'unboundReason':'r','sessionId':7}", "s").active);
  assert_true(normalised("{'unboundReason':'r','sessionId':null}", "s").allow_unbound);
  struct bt_bypass_verdict verdict = normalised("{'unboundReason':' ','sessionId':'x'}", "s");
  assert_true(verdict.active && !verdict.allow_unbound);
  assert_string_equal(verdict.session_id, "named");
  verdict = normalised("true", NULL);
  assert_true(verdict.active && !verdict.allow_unbound);
  assert_null(verdict.session_id);
}

static void reasons_are_kept_once(void **state) {
  (void)state;
  struct bt_reasons reasons = {.arena = bt_arena_new(1 << 20)};
  for (int i = 0; i < 20; i++)
    bt_reasons_add(&reasons, (size_t)i, "r%d", i % 3);
  bt_reasons_unique(&reasons);
  assert_int_equal(reasons.count, 3);
  assert_string_equal(reasons.items[2].code, "r2");
  assert_int_equal(reasons.items[2].record, 2);
  bt_arena_free(reasons.arena);
}

static void short_memory_is_noticed(void **state) {
  (void)state;
  struct bt_reasons reasons = {.arena = bt_arena_new(64)};
  for (int i = 0; i < 50; i++)
    bt_reasons_add(&reasons, BT_NO_RECORD, "reason %d", i);
  assert_true(reasons.failed);
  bt_arena_free(reasons.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(order_of_reasons),      cmocka_unit_test(odd_records),
      cmocka_unit_test(own_records),           cmocka_unit_test(grants),
      cmocka_unit_test(authorizations),        cmocka_unit_test(normalisation),
      cmocka_unit_test(reasons_are_kept_once), cmocka_unit_test(short_memory_is_noticed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
