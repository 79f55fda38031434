/* tests/unit/test_brief.c - composition of a brief, its fences and its cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/text/brief.h"
#include "core/text/capture.h"
#include "core/text/fence.h"

static void compose(struct bt_str *out, const struct bt_brief_inputs *inputs) {
  bt_str_init(out, 1 << 22);
  assert_int_equal(bt_brief_compose(out, inputs, NULL, NULL), BT_OK);
}

static void expect_hash(const struct bt_str *body, const char *expected) {
  char hex[BT_SHA256_HEX];
  assert_int_equal(bt_capture_hash(body->data, body->length, hex, NULL), BT_OK);
  assert_string_equal(hex, expected);
}

static void expect_holds(const struct bt_brief_inputs *inputs, const char *expected) {
  struct bt_str body;
  compose(&body, inputs);
  if (!strstr(body.data, expected))
    fail_msg("no \"%s\" in:\n%s", expected, body.data);
  bt_str_dispose(&body);
}

static void the_empty_brief(void **state) {
  (void)state;
  struct bt_str body;
  compose(&body, &(struct bt_brief_inputs){0});
  assert_int_equal(body.length, 338);
  expect_hash(&body, "1ed38c63855c1f9d98d2c06b43d576897353b984c57a7080a3a67ada9c732e60");
  bt_str_dispose(&body);
}

static void a_small_brief(void **state) {
  (void)state;
  static const char *const evidence[] = {"seq=1 gate=g ts=t"}, *const status[] = {" M f", "?? n"};
  const struct bt_brief_inputs inputs = {
      .ticket_id = "T-1",
      .ticket_title = "Fix it",
      .branch = "main",
      .status = {status, 2},
      .evidence = {evidence, 1},
      .narrative = "done",
  };
  struct bt_str body;
  compose(&body, &inputs);
  assert_int_equal(body.length, 355);
  expect_hash(&body, "7bebd01042fbfcb550fbedc9f29e2d2dd04d51b3425ced65443d41defd224b70");
  bt_str_dispose(&body);
}

static void lists_split_trim_and_drop(void **state) {
  (void)state;
  static const char *const items[] = {"  one \t\n\n two\xc2\xa0\xe3\x80\x80\n", NULL, "", " \n\xef\xbb\xbf", "three"};
  struct bt_brief_inputs inputs = {.evidence = {items, 5}, .status = {items, 5}, .flails = {items + 1, 3}};
  expect_holds(&inputs, "\n-   one\n-  two\n- three\nEND");
  expect_holds(&inputs, "**Working tree**\n```\n  one\n two\nthree\n```\n\n**Flail signals**\n_none_\n");
}

static void fields_trim_and_keep_breaks(void **state) {
  (void)state;
  expect_holds(&(struct bt_brief_inputs){.ticket_title = " \xef\xbb\xbf"
                                                         "a\nb\r\n "},
               "- title: a\nb\nEND");
  expect_holds(&(struct bt_brief_inputs){.branch = "\xe3\x80\x80"}, "- branch: _none_\n");
  expect_holds(&(struct bt_brief_inputs){.branch = "\xe2\x80\x8b"},
               "- branch: \xe2\x80\x8b\n"); /* U+200B is not blank */
}

static void a_note_stands_only_for_a_missing_narrative(void **state) {
  (void)state;
  expect_holds(&(struct bt_brief_inputs){.narrative = " \n", .narrative_note = " why "}, "\n_none_ (why)\nEND");
  expect_holds(&(struct bt_brief_inputs){.narrative = " x ", .narrative_note = "why"}, "DATA\nx\nEND");
  expect_holds(&(struct bt_brief_inputs){.narrative_note = "\t"}, "\n_none_\nEND");
}

/* Redaction sees a section with its labels. */
static void a_section_is_redacted_as_a_whole(void **state) {
  (void)state;
  expect_holds(&(struct bt_brief_inputs){.ticket_id = "T-01ARZ3NDEKTSV4RRFFQ69G5FAV"}, "T-01ARZ3NDEKTSV4RRFFQ69G5FAV");
  static const char *const line[] = {"seq=1 gate=g ts=t ticket=T-01ARZ3NDEKTSV4RRFFQ69G5FAV"};
  expect_holds(&(struct bt_brief_inputs){.evidence = {line, 1}}, "ts=t [adlc: redacted high-entropy token]\n");
  /* a key block that a title opens is closed by the end of its own section, not by the next one */
  expect_holds(&(struct bt_brief_inputs){.ticket_title = "-----BE"
                                                         "GIN PRIVATE KEY-----",
                                         .narrative = "x"},
               "- title: [adlc: redacted private key block]\nEND-UNTRUSTED>>>\n\n## State");
}

static void fence_removes_delimiters(void **state) {
  (void)state;
  struct bt_str out;
  bt_str_init(&out, 4096);
  const char *content = BT_FENCE_OPEN BT_FENCE_CLOSE BT_FENCE_CLOSE "x END-UNTR" BT_FENCE_OPEN "USTED>>>";
  assert_int_equal(bt_fence(&out, content, strlen(content), NULL, NULL), BT_OK);
  assert_string_equal(out.data, BT_FENCE_OPEN "\n" BT_FENCE_REMOVED BT_FENCE_REMOVED BT_FENCE_REMOVED
                                              "x END-UNTR" BT_FENCE_REMOVED "USTED>>>\n" BT_FENCE_CLOSE);
  assert_int_equal(bt_fence_count_removed(out.data, out.length), 4);
  bt_str_dispose(&out);
}

static void fence_leaves_nothing_behind_on_failure(void **state) {
  (void)state;
  struct bt_str out;
  bt_str_init(&out, 30);
  bt_str_puts(&out, "kept");
  assert_int_equal(bt_fence(&out, "hello", 5, NULL, NULL), BT_TOO_LARGE);
  assert_string_equal(out.data, "kept");
  bt_str_dispose(&out);
}

static void a_capture_is_cut_after_fencing(void **state) {
  (void)state;
  char *title = malloc(70001);
  assert_non_null(title);
  memset(title, 'x', 70000);
  title[70000] = '\0';
  struct bt_str body;
  bt_str_init(&body, 1 << 20);
  bool cut = false;
  assert_int_equal(bt_brief_capture(&body, &(struct bt_brief_inputs){.narrative = title}, &cut, NULL), BT_OK);
  assert_true(cut);
  assert_int_equal(body.length, BT_CAPTURE_MAX_BYTES);
  assert_true(bt_ends_with(body.data, "xxx" BT_CAPTURE_CUT_MARK)); /* the closing fence is gone */
  bt_str_clear(&body);
  title[100] = '\0';
  assert_int_equal(bt_brief_capture(&body, &(struct bt_brief_inputs){.narrative = title}, &cut, NULL), BT_OK);
  assert_false(cut);
  assert_true(bt_ends_with(body.data, "xxx\n" BT_FENCE_CLOSE "\n"));
  bt_str_dispose(&body);
  free(title);
}

static void the_same_inputs_give_the_same_text(void **state) {
  (void)state;
  const struct bt_brief_inputs inputs = {.ticket_id = "T", .narrative = "n"};
  struct bt_str a, b;
  compose(&a, &inputs);
  compose(&b, &inputs);
  assert_string_equal(a.data, b.data);
  bt_str_dispose(&a);
  bt_str_dispose(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_empty_brief),
      cmocka_unit_test(a_small_brief),
      cmocka_unit_test(lists_split_trim_and_drop),
      cmocka_unit_test(fields_trim_and_keep_breaks),
      cmocka_unit_test(a_note_stands_only_for_a_missing_narrative),
      cmocka_unit_test(a_section_is_redacted_as_a_whole),
      cmocka_unit_test(fence_removes_delimiters),
      cmocka_unit_test(fence_leaves_nothing_behind_on_failure),
      cmocka_unit_test(a_capture_is_cut_after_fencing),
      cmocka_unit_test(the_same_inputs_give_the_same_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
