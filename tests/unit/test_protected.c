/* tests/unit/test_protected.c - protected paths by name, through links, and by covering. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/hook/protected.h"
#include "tests/support/gate_box.h"

static void by_name(void **state) {
  (void)state;
  /* clang-format off */
  static const char *const yes[] = {".adlc/.deny-store", "/.adlc/.deny-store", "../.adlc/handoffs/denies",
                                    "./.adlc//handoffs/./denies/x", ".adlc/handoffs/x/../content/a.md",
                                    ".adlc\\handoffs\\denies\\a", "a/../../.adlc/handoffs/.deny-store",
                                    ".adlc/handoffs/a.lock", ".adlc/handoffs/deep/er/.lock", ".adlc/handoffs/x.model-ok",
                                    ".adlc/handoffs/x.resume-auth.json", ".adlc/handoffs/x.bypass-grant.json"};
  /* clang-format on */
  static const char *const no[] = {"",
                                   ".",
                                   "..",
                                   ".adlc",
                                   ".adlc/handoffs",
                                   ".adlc/handoffs/finals/a.json",
                                   ".ADLC/.deny-store",
                                   ".adlc/.deny-store/x",
                                   ".adlc/handoffs/deniesx",
                                   ".adlc/a.lock",
                                   "x/.adlc/.deny-store",
                                   ".adlc/handoffs/a.lock/b",
                                   ".adlc/handoffs/a.lockx",
                                   ".adlc/handoffs/..foo"};
  for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
    if (!bt_path_is_protected(yes[i]))
      fail_msg("%s should be protected", yes[i]);
  for (size_t i = 0; i < sizeof no / sizeof *no; i++)
    if (bt_path_is_protected(no[i]))
      fail_msg("%s should not be protected", no[i]);
}

static void expect(const struct bt_protector *protector, const char *path, const char *via) {
  static const char *const words[] = {[BT_UNPROTECTED] = NULL,
                                      [BT_PROTECTED_LEXICAL] = "lexical",
                                      [BT_PROTECTED_SYMLINK] = "symlink",
                                      [BT_PROTECTED_COVERS] = "covers"};
  enum bt_protection found;
  assert_int_equal(bt_protect_classify(protector, path, &found, NULL), BT_OK);
  const char *word = words[found];
  if ((word != NULL) != (via != NULL) || (word && via && strcmp(word, via) != 0))
    fail_msg("%s: %s and not %s", path, word ? word : "none", via ? via : "none");
}

static void by_place(void **state) {
  const struct gate_box *box = *state;
  const struct scratch *scratch = &box->scratch;
  char absolute[256];
  gate_box_text(box, ".adlc/handoffs/denies/a.json", "{}");
  gate_box_text(box, "src/a.c", "x");
  scratch_link(scratch, "to-marker", ".adlc/handoffs/denies/a.json");
  scratch_link(scratch, "to-handoffs", ".adlc/handoffs");
  scratch_link(scratch, "to-ledger", ".adlc");
  scratch_link(scratch, "to-nothing", ".adlc/handoffs/denies/none.json");
  scratch_link(scratch, "to-src", "src");
  scratch_link(scratch, "to-outside", "/");
  struct bt_protector *protector = bt_protector_new(box->scratch.path);
  assert_non_null(protector);
  expect(protector, "src/a.c", NULL);
  expect(protector, ".adlc/handoffs/denies/a.json", "lexical");
  expect(protector, "to-marker", "symlink");
  expect(protector, "to-handoffs", "covers");
  expect(protector, "to-handoffs/denies/new.json", "symlink");
  expect(protector, "to-handoffs/finals/new.json", "covers");
  expect(protector, "to-ledger", "covers");
  expect(protector, "to-ledger/tickets.json", NULL);
  expect(protector, "to-nothing", NULL); /* a dangling link is not followed */
  expect(protector, "to-src/new.c", NULL);
  expect(protector, "to-outside/etc", NULL);
  expect(protector, "", NULL);
  expect(protector, ".", NULL);
  expect(protector, "..", NULL);
  expect(protector, ".adlc", "covers");
  expect(protector, ".adlc/", "covers");
  expect(protector, "x/../.adlc", "covers");
  expect(protector, ".adlc/handoffs", "covers");
  expect(protector, ".adlc/handoffs/finals/a.json", "covers");
  expect(protector, ".adlc/tickets.json", NULL);
  expect(protector, "..foo", NULL);
  expect(protector, ".adlc/handoffsx", NULL);
  snprintf(absolute, sizeof absolute, "%s/.adlc/handoffs/denies/a.json", box->scratch.path);
  expect(protector, absolute, "symlink"); /* by its resolved form, which differs from what was given */
  snprintf(absolute, sizeof absolute, "%s/.adlc/handoffs", box->scratch.path);
  expect(protector, absolute, "covers");
  snprintf(absolute, sizeof absolute, "%s", box->scratch.path);
  expect(protector, absolute, NULL);
  expect(protector, "/etc/passwd", NULL);
  expect(protector, "a\xc0\x80/b", NULL);
  bt_protector_free(protector);
  bt_protector_free(NULL);
}

/* A root that is reached through a link is the same root. */
static void a_linked_root(void **state) {
  const struct gate_box *box = *state;
  char root[128], path[256];
  gate_box_folder(box, "real/.adlc/handoffs");
  scratch_link(&box->scratch, "alias", "real");
  snprintf(root, sizeof root, "%s/alias", box->scratch.path);
  struct bt_protector *protector = bt_protector_new(root);
  assert_non_null(protector);
  expect(protector, ".adlc/handoffs", "covers");
  snprintf(path, sizeof path, "%s/real/.adlc/handoffs/content/x", box->scratch.path);
  expect(protector, path, "symlink");
  bt_protector_free(protector);
  protector = bt_protector_new("/no/such/root");
  assert_non_null(protector);
  expect(protector, ".adlc/.deny-store", "lexical");
  expect(protector, ".adlc", NULL);
  bt_protector_free(protector);
}

/* More than 64 steps up to something that exists: given up. */
static void depth(void **state) {
  const struct gate_box *box = *state;
  char path[512] = ".adlc/handoffs";
  struct bt_protector *protector = bt_protector_new(box->scratch.path);
  assert_non_null(protector);
  for (int i = 0; i < 60; i++)
    strcat(path, "/x");
  expect(protector, path, "covers");
  for (int i = 0; i < 20; i++)
    strcat(path, "/x");
  expect(protector, path, NULL);
  bt_protector_free(protector);
}

#define BOXED(test) cmocka_unit_test_setup_teardown(test, gate_box_setup, gate_box_teardown)
int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_name), BOXED(by_place), BOXED(a_linked_root), BOXED(depth)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
