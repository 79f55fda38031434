/* tests/unit/test_delivery_view.c - which working trees are looked at where there are more than are shown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/delivery/view.h"
#include "core/delivery/work.h"
#include "tests/support/fixture.h"
#include "tests/support/chain_box.h"

static int64_t still_clock(void *context) {
  (void)context;
  return 1772362800000;
}

static const struct bt_delivery_row *row_of(const struct bt_delivery_view *view, const char *name) {
  for (size_t i = 0; i < view->count; i++) {
    if (strcmp(view->rows[i].name, name) == 0)
      return &view->rows[i];
  }
  return NULL;
}

/* Their own tree and one with a record come behind all the others in git's order, which is by name. */
static void too_many_trees(void **state) {
  (void)state;
  enum { OTHERS = BT_DELIVERY_TREES_MAX + 2 };
  struct fixture *fixture = fixture_new(FIXTURE_NONE);
  char name[64], own[1200];
  git_box(fixture->root, "init", "-q", "-b", "main", "main", NULL);
  (void)snprintf(own, sizeof own, "%s/main", fixture->root);
  git_box(own, "commit", "-q", "--allow-empty", "-m", "x", NULL);
  for (int i = 0; i < OTHERS; i++) {
    (void)snprintf(name, sizeof name, "../t%02d", i);
    git_box(own, "worktree", "add", "-q", "--detach", name, NULL);
  }
  (void)snprintf(name, sizeof name, "t%02d/" BT_RECORD_PATH, OTHERS - 2);
  fixture_write(fixture, name, "{");
  (void)snprintf(own, sizeof own, "%s/t%02d", fixture->root, OTHERS - 1);

  struct bt_env env = {.root = own, .cwd = own, .now_ms = still_clock};
  struct bt_delivery_view *view = NULL;
  assert_int_equal(bt_delivery_view_load(&env, false, &view, NULL), BT_OK);
  assert_int_equal(view->count, BT_DELIVERY_TREES_MAX);
  assert_int_equal(view->cut, OTHERS + 1 - BT_DELIVERY_TREES_MAX);
  assert_string_equal(view->rows[0].name, "main"); /* the order stays */
  (void)snprintf(name, sizeof name, "t%02d", OTHERS - 1);
  assert_non_null(row_of(view, name));
  (void)snprintf(name, sizeof name, "t%02d", OTHERS - 2);
  const struct bt_delivery_row *row = row_of(view, name);
  assert_non_null(row);
  assert_string_equal(row->verdict, "corrupt");
  bt_delivery_view_free(view);
  fixture_free(fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(too_many_trees)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
