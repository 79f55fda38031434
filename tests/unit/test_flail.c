/* Signs of going in circles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/str.h"
#include "core/harness/flail.h"
#include "core/harness/flail_line.h"
#include "tests/support/transcripts.h"

static struct bt_flail find(const char *text, bool is_tail) {
  struct bt_flail flail;
  char *bytes = quoted(text);
  assert_int_equal(bt_flail_find(&flail, bytes, strlen(bytes), is_tail), BT_OK);
  free(bytes);
  return flail;
}

static void plain_lines_are_taken_as_they_are(void **state) {
  (void)state;
  struct bt_flail flail =
      find("Writing a.c\neditIng\ta.c now\n  Writing a.c\nCreated a.c\nError: no\nerror:  no\n", false);
  assert_int_equal(flail.edit_churn.count, 1); /* the indented one does not begin so */
  assert_string_equal(flail.edit_churn.entries[0].text, "a.c");
  assert_int_equal(flail.edit_churn.entries[0].count, 3);
  assert_int_equal(flail.repeated_errors.count, 1);
  assert_string_equal(flail.repeated_errors.entries[0].text, "error: no");
  bt_flail_dispose(&flail);
}

static void nothing_found_is_clean(void **state) {
  (void)state;
  struct bt_flail flail = find("Writing a.c\nWriting a.c\nError: one\n", false);
  assert_false(bt_flail_is(&flail));
  bt_flail_dispose(&flail);
  flail = find("", false);
  assert_false(bt_flail_is(&flail));
  bt_flail_dispose(&flail);
}

static void structured_lines_give_paths_first_and_then_what_was_said(void **state) {
  (void)state;
  struct bt_flail flail = find("{'a':{'file_path':'x.c'},'file_path':'x.c'}\n{'b':[{'file_path':'x.c'}]}\n"
                               "{'content':['error: bare'],'other':'error: bare','text':'error: said "
                               "1'}\n{'m':{'message':{'content':'error: said 2'}}}\n",
                               false);
  assert_int_equal(flail.edit_churn.count, 1);
  assert_int_equal(flail.edit_churn.entries[0].count, 3);
  assert_int_equal(flail.repeated_errors.count, 1);
  assert_string_equal(flail.repeated_errors.entries[0].text, "error: said");
  bt_flail_dispose(&flail);
}

static void a_broken_line_among_structured_ones_is_taken_as_it_is(void **state) {
  (void)state;
  struct bt_flail flail =
      find("{'a':1}\n{'b':2}\n{'file_path':'y.c'\n{'file_path': 'y.c'\n{'c':3}\n[1]\n {'file_path' : 'y.c'\n", false);
  assert_int_equal(flail.edit_churn.count, 1);
  assert_string_equal(flail.edit_churn.entries[0].text, "y.c");
  assert_int_equal(flail.edit_churn.entries[0].count, 3);
  bt_flail_dispose(&flail);
}

static void a_tail_begins_after_its_first_line_break(void **state) {
  (void)state;
  struct bt_flail flail = find("error: again\nerror: again\n", true);
  assert_false(bt_flail_is(&flail));
  bt_flail_dispose(&flail);
  flail = find("Writing a Writing a\n", true); /* cutting would leave nothing */
  assert_int_equal(flail.edit_churn.count, 0);
  bt_flail_dispose(&flail);
}

static void signatures_lose_what_differs(void **state) {
  (void)state;
  static const struct {
    const char *line, *signature;
  } cases[] = {
      {"Error at 0xDEADbeef: 'x' \"y\" in /usr/lib/x.so line 12", "error at : in line"},
      {"FAILED  C:\\Temp\\a.txt   now", "failed now"},
      {"cannot open //host/share and a/b", "cannot open / and a"},
      {"error it's and 'so' on", "error itso' on"},
      {"error 'unclosed", "error 'unclosed"},
      {"\xC2\xA0"
       "ERROR\t\tx",
       "error x"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct bt_str out;
    bt_str_init(&out, 4096);
    bt_flail_signature(&out, bt_slice_of(cases[i].line));
    assert_string_equal(out.data, cases[i].signature);
    bt_str_dispose(&out);
  }
  assert_false(bt_flail_signature_counts(bt_slice_of("erro")));
  assert_true(bt_flail_signature_counts(bt_slice_of("error")));
  assert_false(bt_flail_signature_counts(bt_slice_of("created at:")));
  assert_false(bt_flail_signature_counts(bt_slice_of("completed at")));
}

static void many_signatures_are_counted_quickly(void **state) {
  (void)state;
  struct bt_str text;
  bt_str_init(&text, BT_FLAIL_WINDOW * 2);
  for (unsigned i = 0; text.length < BT_FLAIL_WINDOW - 32; i++)
    bt_str_printf(&text, "error %c%c%c%c\n", 'a' + i % 26, 'a' + i / 26 % 26, 'a' + i / 676 % 26, 'a' + i / 17576 % 26);
  struct bt_flail flail;
  assert_int_equal(bt_flail_find(&flail, text.data, text.length, false), BT_OK);
  assert_int_equal(flail.repeated_errors.count, 0);
  bt_flail_dispose(&flail);
  bt_str_dispose(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_lines_are_taken_as_they_are),
      cmocka_unit_test(nothing_found_is_clean),
      cmocka_unit_test(structured_lines_give_paths_first_and_then_what_was_said),
      cmocka_unit_test(a_broken_line_among_structured_ones_is_taken_as_it_is),
      cmocka_unit_test(a_tail_begins_after_its_first_line_break),
      cmocka_unit_test(signatures_lose_what_differs),
      cmocka_unit_test(many_signatures_are_counted_quickly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
