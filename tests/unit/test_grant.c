/* tests/unit/test_grant.c - bypass grants: golden signatures, their life, what does not count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/arena.h"
#include "core/base/json.h"
#include "core/store/grant.h"
#include "tests/support/gate_box.h"

static const struct bt_key key = {.bytes = GATE_KEY, .length = sizeof GATE_KEY - 1};
static const struct bt_key no_key = {.bytes = NULL, .length = 0};
#define GOLDEN_MS INT64_C(1767323045678) /* 2026-01-02T03:04:05.678Z */

static void golden_signatures(void **state) {
  (void)state;
  struct bt_json *bound = bt_grant_build("s1", "  ", GOLDEN_MS, key, NULL);
  assert_non_null(bound);
  assert_string_equal(bt_json_get_string(bound, "sig"),
                      "3ea80f31300a5a091114a62b87571e988153051866bb00ea0640932601cb1f61");
  struct bt_json *unbound = bt_grant_build("s1", "why \"now\"", GOLDEN_MS, key, NULL);
  assert_non_null(unbound);
  assert_string_equal(bt_json_get_string(unbound, "sig"),
                      "7fc57e69dd5eb760054f92fb831e9dff0b45c1a233425ade02734dbea7ebf672");
  assert_true(bt_grant_verify(unbound, key));
  assert_int_equal(bt_json_set_string(unbound, "unbound_reason", "why"), BT_OK);
  assert_false(bt_grant_verify(unbound, key));
  bt_json_free(bound);
  bt_json_free(unbound);
}

static void too_large_is_refused(void **state) {
  (void)state;
  char reason[5000];
  struct bt_error err = {0};
  memset(reason, 'x', sizeof reason);
  reason[3800] = '\0';
  struct bt_json *fits = bt_grant_build("s1", reason, GOLDEN_MS, key, NULL);
  assert_non_null(fits);
  bt_json_free(fits);
  reason[3800] = 'x';
  reason[4090] = '\0';
  assert_null(bt_grant_build("s1", reason, GOLDEN_MS, key, &err));
  assert_int_equal(err.code, BT_TOO_LARGE);
  assert_null(bt_grant_build("s1", NULL, GOLDEN_MS, no_key, &err));
  assert_int_equal(err.code, BT_KEY);
}

static void expect(const char *text, const char *error) {
  struct bt_json *json = gate_json(text);
  struct bt_str bytes;
  struct bt_grant_doc grant;
  bt_str_init(&bytes, 4096);
  bt_json_print_compact(&bytes, json);
  assert_int_equal(bt_grant_parse(bytes.data, bytes.length, "s", key, GATE_NOW_MS, &grant, NULL), BT_OK);
  if (error)
    assert_string_equal(grant.error, error);
  else
    assert_null(grant.error);
  assert_int_equal(grant.present, error == NULL);
  assert_false(grant.verified);
  bt_grant_dispose(&grant);
  bt_str_dispose(&bytes);
  bt_json_free(json);
}

static void shapes(void **state) {
  (void)state;
  expect("{'schema':2,'session_id':'s','unbound_reason':null,'written_at':'2026-10-09T14:22:00.000Z'}", NULL);
  expect("{'schema':2.0,'session_id':'s','written_at':'2026-10-09T14:22:00Z'}", NULL);
  expect("{'schema':2,'session_id':'s','unbound_reason':'','written_at':'2999-01-01'}", NULL);
  expect("{'schema':1,'session_id':'s','unbound_reason':null,'written_at':'2026-10-09T14:22:00.000Z'}",
         "invalid_shape");
  expect("{'schema':'2','session_id':'s','written_at':'2026-10-09T14:22:00.000Z'}", "invalid_shape");
  expect("{'schema':2,'session_id':7,'written_at':'2026-10-09T14:22:00.000Z'}", "invalid_shape");
  expect("{'schema':2,'session_id':'S','written_at':'2026-10-09T14:22:00.000Z'}", "other_session");
  expect("{'schema':2,'session_id':'s','unbound_reason':7,'written_at':'2026-10-09T14:22:00.000Z'}", "invalid_shape");
  expect("{'schema':2,'session_id':'s','written_at':'soon'}", "invalid_shape");
  expect("{'schema':2,'session_id':'s','written_at':1791555727000}", "invalid_shape");
  expect("[2]", "invalid_shape");
  expect("{'schema':2,'session_id':'s','written_at':'2026-10-09T14:12:06.999Z'}", "expired");
  expect("{'schema':2,'session_id':'s','written_at':'2026-10-09T14:12:07.000Z'}", NULL);
}

/* A document without the reason key is signed without it. */
static void the_document_is_checked_as_it_stands(void **state) {
  const struct gate_box *box = *state;
  struct bt_grant_doc grant;
  gate_box_grant(box, "s", NULL, GATE_NOW_MS);
  assert_int_equal(bt_grant_read(box->ledger, "s", key, GATE_NOW_MS, &grant, NULL), BT_OK);
  assert_true(grant.present && grant.verified);
  struct bt_json *copy = bt_json_clone(grant.json);
  bt_grant_dispose(&grant);
  bt_json_remove(copy, "unbound_reason");
  assert_false(bt_grant_verify(copy, key));
  bt_json_free(copy);
}

static void expect_file(const struct gate_box *box, const char *error) {
  struct bt_grant_doc grant;
  assert_int_equal(bt_grant_read(box->ledger, "s", key, GATE_NOW_MS, &grant, NULL), BT_OK);
  assert_false(grant.present);
  if (error)
    assert_string_equal(grant.error, error);
  else
    assert_null(grant.error);
  bt_grant_dispose(&grant);
}

#define PLACE ".adlc/handoffs/s.bypass-grant.json"
static void files_that_do_not_count(void **state) {
  const struct gate_box *box = *state;
  char large[4200];
  expect_file(box, NULL);
  memset(large, ' ', sizeof large);
  memcpy(large, "{}", 2);
  large[4097] = '\0';
  gate_box_text(box, PLACE, large);
  expect_file(box, "oversize");
  large[4096] = '\0';
  gate_box_text(box, PLACE, large);
  expect_file(box, "invalid_shape");
  gate_box_text(box, PLACE, "{");
  expect_file(box, "corrupt_json");
}

static void links_and_fifos_do_not_count(void **state) {
  const struct gate_box *box = *state;
  gate_box_grant(box, "elsewhere", NULL, GATE_NOW_MS);
  scratch_link(&box->scratch, PLACE, "elsewhere.bypass-grant.json");
  expect_file(box, "unreadable");
  scratch_fifo(&box->scratch, ".adlc/handoffs/f.bypass-grant.json");
  struct bt_grant_doc grant;
  assert_int_equal(bt_grant_read(box->ledger, "f", key, GATE_NOW_MS, &grant, NULL), BT_OK);
  assert_false(grant.present);
  bt_grant_dispose(&grant);
}

static void plain_form(void **state) {
  const struct gate_box *box = *state;
  struct bt_arena *arena = bt_arena_new(1 << 16);
  struct bt_grant_doc grant;
  struct bt_grant plain;
  gate_box_grant(box, "s", "fire", GATE_NOW_MS - 700000);
  assert_int_equal(bt_grant_read(box->ledger, "s", key, GATE_NOW_MS, &grant, NULL), BT_OK);
  assert_int_equal(bt_grant_plain(arena, "s", &grant, key, &plain, NULL), BT_OK);
  assert_int_equal(plain.state, BT_GRANT_EXPIRED);
  assert_string_equal(plain.unbound_reason, "fire");
  assert_true(plain.expires_at_ms == GATE_NOW_MS - 100000);
  assert_int_equal(plain.signature, BT_SIG_VERIFIED);
  assert_string_equal(plain.path, "handoffs/s.bypass-grant.json");
  bt_grant_dispose(&grant);
  gate_box_text(box, PLACE, "{");
  assert_int_equal(bt_grant_read(box->ledger, "s", no_key, GATE_NOW_MS, &grant, NULL), BT_OK);
  assert_int_equal(bt_grant_plain(arena, "s", &grant, no_key, &plain, NULL), BT_OK);
  assert_int_equal(plain.state, BT_GRANT_UNREADABLE);
  assert_string_equal(plain.error, "corrupt_json");
  bt_grant_dispose(&grant);
  bt_arena_free(arena);
}

#define BOXED(test) cmocka_unit_test_setup_teardown(test, gate_box_setup, gate_box_teardown)
int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(golden_signatures),
                                     cmocka_unit_test(too_large_is_refused),
                                     cmocka_unit_test(shapes),
                                     BOXED(the_document_is_checked_as_it_stands),
                                     BOXED(files_that_do_not_count),
                                     BOXED(links_and_fifos_do_not_count),
                                     BOXED(plain_form)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
