/* tests/unit/test_idlist.c - many ids and a quick lookup. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <stdio.h>

#include "core/base/json.h"
#include "core/model/idlist.h"
#include "tests/support/gate_box.h"

static void lookup(void **state) {
  (void)state;
  struct bt_json *ids = gate_json("['b','a',7,'b']");
  struct bt_json *records = gate_json("[{'session_id':'r'},{'session_id':7},null]");
  struct bt_idlist list = {0};
  assert_false(bt_idlist_has(&list, "a"));
  assert_int_equal(bt_idlist_add_ids(&list, ids, NULL), BT_OK);
  assert_true(bt_idlist_has(&list, "a") && bt_idlist_has(&list, "b"));
  assert_false(bt_idlist_has(&list, "r") || bt_idlist_has(&list, NULL) || bt_idlist_has(&list, ""));
  assert_int_equal(bt_idlist_add_records(&list, records, NULL), BT_OK); /* after a lookup, too */
  assert_true(bt_idlist_has(&list, "r"));
  bt_idlist_dispose(&list);
  bt_json_free(records);
  bt_json_free(ids);
}

static void many(void **state) {
  (void)state;
  static char names[3000][8];
  struct bt_idlist list = {0};
  for (size_t i = 0; i < 3000; i++) {
    snprintf(names[i], sizeof names[i], "%zu", (i * 7919) % 3000);
    assert_int_equal(bt_idlist_add(&list, names[i], NULL), BT_OK);
  }
  for (size_t i = 0; i < 3000; i++)
    assert_true(bt_idlist_has(&list, names[i]));
  assert_false(bt_idlist_has(&list, "3000"));
  bt_idlist_dispose(&list);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lookup), cmocka_unit_test(many)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
