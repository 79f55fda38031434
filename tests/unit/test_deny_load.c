/* tests/unit/test_deny_load.c - all markers, the store's health, and its three ways of healing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/arena.h"
#include "core/base/json.h"
#include "core/ops/marker.h"
#include "core/store/deny.h"
#include "tests/support/gate_box.h"

static void load(const struct gate_box *box, enum bt_deny_load_mode mode, struct bt_deny_set *set) {
  struct bt_txn *txn = NULL;
  struct bt_marker_healing healing = {.env = &box->env, .txn = &txn};
  struct bt_deny_healer healer = bt_marker_healer(&healing);
  struct bt_deny_load_options options = {.mode = mode, .healer = &healer};
  assert_int_equal(bt_deny_load(box->ledger, &options, set, NULL), BT_OK);
  bt_txn_close(txn);
}

/* "records / invalid ones with their status / registered" */
static void expect_set(const struct bt_deny_set *set, const char *expected) {
  struct bt_str text;
  bt_str_init(&text, 1 << 16);
  for (const struct bt_json *one = bt_json_first(set->records); one; one = bt_json_next(one))
    bt_str_printf(&text, "%s ", bt_json_get_string(one, "session_id"));
  bt_str_puts(&text, "/");
  for (const struct bt_json *one = bt_json_first(set->invalid); one; one = bt_json_next(one))
    bt_str_printf(&text, " %s=%s", bt_json_get_string(one, "session_id"), bt_json_get_string(one, "status"));
  bt_str_puts(&text, " /");
  for (const struct bt_json *one = bt_json_first(set->registered); one; one = bt_json_next(one))
    bt_str_printf(&text, " %s", bt_json_string(one));
  assert_string_equal(text.data, expected);
  bt_str_dispose(&text);
}

static void entries(void **state) {
  const struct gate_box *box = *state;
  const struct scratch *scratch = &box->scratch;
  gate_box_marker(box, "a", "open", NULL, NULL);
  gate_box_marker(box, "a-b", "consumed", NULL, NULL);
  gate_box_marker(box, "Z", "open", NULL, NULL);
  gate_box_marker(box, " padded", "open", NULL, NULL);
  gate_box_text(box, ".adlc/handoffs/denies/.json", "{");
  gate_box_text(box, ".adlc/handoffs/denies/bad.json", "{");
  gate_box_text(box, ".adlc/handoffs/denies/bad.json.tmp", "{");
  gate_box_text(box, ".adlc/handoffs/denies/readme", "{");
  gate_box_text(box, ".adlc/handoffs/denies/quarantine", "a file");
  gate_box_folder(box, ".adlc/handoffs/denies/folder.json");
  scratch_link(scratch, ".adlc/handoffs/denies/link.json", "a.json");
  scratch_link(scratch, ".adlc/handoffs/denies/tofolder.json", "folder.json");
  gate_box_text(box, ".adlc/handoffs/denies/w\xff.json", "{}"); /* a name that is no text names no session */
  struct bt_deny_set set;
  load(box, BT_DENY_AS_IS, &set);
  /* byte order of the file names: "a-b.json" before "a.json" */
  expect_set(&set, "Z a-b a / bad=invalid:corrupt_json link=invalid:unreadable_marker "
                   "tofolder=invalid:unreadable_marker /");
  assert_true(set.ok && !set.unavailable && set.heal_register && !set.heal_legacy);
  assert_true(bt_deny_set_is_hot(&set));
  assert_non_null(bt_deny_set_heal_due(&set));
  assert_false(gate_box_exists(box, ".adlc/.deny-store"));
  bt_deny_set_dispose(&set);
}

static void as_healed_is_what_healing_gives(void **state) {
  const struct gate_box *box = *state;
  gate_box_marker(box, "b", "open", NULL, NULL);
  gate_box_text(box, ".adlc/handoffs/.deny-store", "{\"sessions\":[\"z\",\"a\",\"z\"]}");
  struct bt_deny_set as_is, as_healed, healed;
  load(box, BT_DENY_AS_IS, &as_is);
  load(box, BT_DENY_AS_HEALED, &as_healed);
  assert_false(gate_box_exists(box, ".adlc/.deny-store"));
  load(box, BT_DENY_HEAL, &healed);
  assert_true(gate_box_exists(box, ".adlc/.deny-store"));
  const char *expected = "b / a=invalid:missing_registered_marker z=invalid:missing_registered_marker / a b z";
  expect_set(&as_healed, expected);
  expect_set(&healed, expected);
  assert_true(as_is.heal_legacy && as_is.legacy && as_is.heal_register);
  scratch_expect_text(&box->scratch, ".adlc/.deny-store", "{\"schema\":1,\"sessions\":[\"a\",\"b\",\"z\"]}\n");
  bt_deny_set_dispose(&as_is);
  bt_deny_set_dispose(&as_healed);
  bt_deny_set_dispose(&healed);
  load(box, BT_DENY_HEAL, &healed);
  expect_set(&healed, expected);
  assert_false(healed.heal_legacy || healed.heal_register);
  bt_deny_set_dispose(&healed);
}

static void expect_unavailable(const struct gate_box *box, const char *reason, const char *expected) {
  struct bt_deny_set set;
  load(box, BT_DENY_HEAL, &set);
  assert_true(!set.ok && set.unavailable);
  assert_string_equal(set.reason, reason);
  expect_set(&set, expected);
  bt_deny_set_dispose(&set);
}

static void store_that_cannot_be_told(void **state) {
  const struct gate_box *box = *state;
  gate_box_text(box, ".adlc/.deny-store", "{\"sessions\":[\"a\"]}");
  expect_unavailable(box, "missing_deny_store", "/ __deny_store__=invalid:missing_deny_store / a");
  gate_box_folder(box, ".adlc/handoffs/denies");
  expect_unavailable(box, "emptied_deny_store", "/ __deny_store__=invalid:emptied_deny_store / a");
  gate_box_text(box, ".adlc/handoffs/denies/junk", "x");
  expect_unavailable(box, "emptied_deny_store", "/ __deny_store__=invalid:emptied_deny_store / a");
}

static void a_file_for_a_folder(void **state) {
  const struct gate_box *box = *state;
  gate_box_text(box, ".adlc/handoffs/denies", "x");
  expect_unavailable(box, "readdir_failed:ENOTDIR", "/ __deny_store__=invalid:readdir_failed /");
}

static void a_link_for_a_folder(void **state) {
  const struct gate_box *box = *state;
  gate_box_folder(box, "elsewhere");
  gate_box_folder(box, ".adlc/handoffs");
  scratch_link(&box->scratch, ".adlc/handoffs/denies", "../../elsewhere");
  expect_unavailable(box, "readdir_failed:ELOOP", "/ __deny_store__=invalid:readdir_failed /");
}

static void nothing_there(void **state) {
  const struct gate_box *box = *state;
  struct bt_deny_set set;
  load(box, BT_DENY_HEAL, &set);
  expect_set(&set, "/ /");
  assert_true(set.ok && !bt_deny_set_is_hot(&set));
  assert_null(bt_deny_set_heal_due(&set));
  bt_deny_set_dispose(&set);
  struct bt_deny_load_options options = {.mode = BT_DENY_AS_IS, .expected_given = true, .expected = true};
  assert_int_equal(bt_deny_load(-1, &options, &set, NULL), BT_OK);
  assert_string_equal(set.reason, "missing_deny_store");
  bt_deny_set_dispose(&set);
}

static void an_overlay_stands_in_its_place(void **state) {
  const struct gate_box *box = *state;
  struct bt_json *record = gate_json("{'session_id':'m','status':'open'}");
  const struct bt_deny_overlay overlay = {.id = "m", .record = record};
  const struct bt_deny_load_options options = {.mode = BT_DENY_AS_HEALED, .overlay = &overlay};
  struct bt_deny_set set;
  assert_int_equal(bt_deny_load(box->ledger, &options, &set, NULL), BT_OK);
  expect_set(&set, "m / / m");
  bt_deny_set_dispose(&set);
  gate_box_marker(box, "a", "open", NULL, NULL);
  gate_box_marker(box, "z", "open", NULL, NULL);
  gate_box_text(box, ".adlc/handoffs/denies/m.json", "{broken");
  assert_int_equal(bt_deny_load(box->ledger, &options, &set, NULL), BT_OK);
  expect_set(&set, "a m z / / a m z");
  bt_deny_set_dispose(&set);
  bt_json_free(record);
}

static void gate_input(void **state) {
  const struct gate_box *box = *state;
  gate_box_marker(box, "a", "open", NULL, NULL);
  gate_box_text(box, ".adlc/handoffs/denies/bad.json", "{");
  struct bt_deny_set set;
  struct bt_arena *arena = bt_arena_new(1 << 16);
  struct bt_gate_input input = {.current_session_id = "a"};
  load(box, BT_DENY_AS_IS, &set);
  assert_int_equal(bt_deny_gate_input(&set, arena, &input, NULL), BT_OK);
  assert_int_equal(input.record_count, 2);
  assert_true(input.records_are_list && !input.store_unavailable && !input.process_sticky);
  bt_deny_set_dispose(&set);
  bt_arena_free(arena);
}

static void a_registered_session_of_a_lost_store_is_sticky(void **state) {
  const struct gate_box *box = *state;
  gate_box_text(box, ".adlc/.deny-store", "{\"sessions\":[\"a\"]}");
  struct bt_deny_set set;
  struct bt_arena *arena = bt_arena_new(1 << 16);
  struct bt_gate_input input = {.current_session_id = "a"};
  load(box, BT_DENY_AS_IS, &set);
  assert_int_equal(bt_deny_gate_input(&set, arena, &input, NULL), BT_OK);
  assert_int_equal(input.record_count, 0);
  assert_true(input.store_unavailable && input.process_sticky);
  input = (struct bt_gate_input){.current_session_id = "b"};
  assert_int_equal(bt_deny_gate_input(&set, arena, &input, NULL), BT_OK);
  assert_false(input.process_sticky);
  bt_deny_set_dispose(&set);
  bt_arena_free(arena);
}

#define BOXED(test) cmocka_unit_test_setup_teardown(test, gate_box_setup, gate_box_teardown)
int main(void) {
  const struct CMUnitTest tests[] = {BOXED(entries),
                                     BOXED(as_healed_is_what_healing_gives),
                                     BOXED(store_that_cannot_be_told),
                                     BOXED(a_file_for_a_folder),
                                     BOXED(a_link_for_a_folder),
                                     BOXED(nothing_there),
                                     BOXED(an_overlay_stands_in_its_place),
                                     BOXED(gate_input),
                                     BOXED(a_registered_session_of_a_lost_store_is_sticky)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
