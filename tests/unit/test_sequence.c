/* tests/unit/test_sequence.c - what a terminal sends unasked is taken whole; what is a key is that key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "keymaps/key.h"
#include "tui/sequence.h"

enum { NOT_OVER = 0x7fffffff };

/* Reads `text`, what comes after Esc; the key it was. All of it must belong, and it must be over with the last. */
static uint32_t read_whole(const char *text, size_t length) {
  struct sequence sequence;
  uint32_t key = BT_KEY_NONE;
  assert_true(sequence_introducer((unsigned char)text[0]));
  sequence_open(&sequence, (unsigned char)text[0]);
  for (size_t i = 1; i < length; i++) {
    assert_true(sequence.introducer);
    assert_true(sequence_take(&sequence, (unsigned char)text[i], &key));
  }
  return sequence.introducer ? NOT_OVER : key;
}

static void test_reports_are_no_keys(void **state) {
  (void)state;
  const char *reports[] = {
      "[24;80R",
      "[1;1R",
      "[I",
      "[O",
      "[?62;1;2c",
      "[>41;370;0c",
      "[<0;5;8M",
      "[<0;5;8m",
      "[M !!",
      "[?997;1n",
      "[0n",
      "[48;24;100;0;0t",
      "[?2026;2$y",
      "[8;24;80t",
      "]11;rgb:0/0/0\a",
      "]52;c;cXU=\a",
      "]4;1;q\33\\",
      "P>|q\33\\",
      "P1+r436f=3\33\\",
      "_Gi=1;OK\33\\",
      "^q\33\\",
      "Xq\33\\",
      "]11;q\30",
      "]11;q\32",
      "[99~",
      "[1;5A",
      "[106;1:3u",
      "[57441u",
      "[106;9u",
      "[200;300;1;1;1~",
      "[999999999999999999999u",
      "[[A",
      "OX",
      "[;;;;u",
      "[u",
  };
  for (size_t i = 0; i < sizeof(reports) / sizeof(reports[0]); i++)
    assert_int_equal(read_whole(reports[i], strlen(reports[i])), BT_KEY_NONE);
}

static void test_any_length(void **state) {
  (void)state;
  char text[600] = "[";
  memset(text + 1, '1', sizeof(text) - 2);
  text[sizeof(text) - 1] = 'A';
  assert_int_equal(read_whole(text, sizeof(text)), BT_KEY_NONE);
  text[sizeof(text) - 1] = '1';
  assert_int_equal(read_whole(text, sizeof(text)), NOT_OVER);
  text[0] = ']';
  assert_int_equal(read_whole(text, sizeof(text)), NOT_OVER);
}

static void test_keys(void **state) {
  (void)state;
  const struct {
    const char *text;
    uint32_t key;
  } keys[] = {
      {"[A", BT_KEY_UP},
      {"OA", BT_KEY_UP},
      {"[B", BT_KEY_DOWN},
      {"[1;1D", BT_KEY_LEFT},
      {"[1;65C", BT_KEY_RIGHT},
      {"[H", BT_KEY_HOME},
      {"[F", BT_KEY_END},
      {"[Z", BT_KEY_S_TAB},
      {"[5~", BT_KEY_PAGE_UP},
      {"[6~", BT_KEY_PAGE_DOWN},
      {"[3~", BT_KEY_DELETE},
      {"[15~", BT_KEY_F5},
      {"OP", BT_KEY_F1},
      {"OM", BT_KEY_ENTER},
      {"[106u", 'j'},
      {"[106;1u", 'j'},
      {"[106;1:1u", 'j'},
      {"[106;129u", 'j'},
      {"[106;2u", 'J'},
      {"[106:74;2u", 'J'},
      {"[106;3u", BT_KEY_META | 'j'},
      {"[122;5u", BT_KEY_CTRL('z')},
      {"[122;69u", BT_KEY_CTRL('z')},
      {"[27u", BT_KEY_ESC},
      {"[91;5u", BT_KEY_ESC},
      {"[13u", BT_KEY_ENTER},
      {"[9u", BT_KEY_TAB},
      {"[9;2u", BT_KEY_S_TAB},
      {"[105;5u", BT_KEY_TAB},
      {"[127u", BT_KEY_BACKSPACE},
      {"[27;5;108~", BT_KEY_CTRL('l')},
      {"[27;2;65~", 'A'},
      {"[27;3;118~", BT_KEY_META | 'v'},
      {"[233u", 0xe9},
  };
  for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
    assert_int_equal(read_whole(keys[i].text, strlen(keys[i].text)), keys[i].key);
}

/* What cannot belong is given back, and nothing is left open. */
static void test_given_back(void **state) {
  (void)state;
  struct sequence sequence;
  uint32_t key;
  const uint32_t strangers[] = {0x1b, '\r', 0x7f, 0xe9};
  for (size_t i = 0; i < sizeof(strangers) / sizeof(strangers[0]); i++) {
    sequence_open(&sequence, '[');
    assert_true(sequence_take(&sequence, '1', &key));
    assert_false(sequence_take(&sequence, strangers[i], &key));
    assert_int_equal(sequence.introducer, 0);
  }
  sequence_open(&sequence, ']');
  assert_true(sequence_take(&sequence, 0xe9, &key));
  assert_true(sequence_take(&sequence, 0x1b, &key));
  assert_false(sequence_take(&sequence, '[', &key));
  assert_int_equal(sequence.introducer, 0);
  assert_false(sequence_introducer(0));
  assert_true(sequence_follows('[', 'A') && sequence_follows('[', '2') && sequence_follows('[', '<') &&
              sequence_follows('O', 'P'));
  assert_false(sequence_follows('[', ']') || sequence_follows('[', 'j') || sequence_follows('O', '1') ||
               sequence_follows('j', 'A'));
  assert_false(sequence_introducer('j'));
  assert_false(sequence_introducer(0x1b));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reports_are_no_keys),
      cmocka_unit_test(test_any_length),
      cmocka_unit_test(test_keys),
      cmocka_unit_test(test_given_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
