/* tests/unit/test_evidence.c - the tail of the evidence in a brief and in a snapshot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/store/evidence.h"
#include "tests/support/chain_box.h"

#define ROOT ".adlc/manifest.jsonl"
#define FOLDER ".adlc/manifest.d/"

static void expect_brief(const struct fixture *fixture, const char *wanted) {
  struct bt_str lines;
  int ledger = open_ledger(fixture);
  bt_str_init(&lines, 1 << 20);
  assert_int_equal(bt_evidence_brief(ledger, &lines, NULL), BT_OK);
  assert_string_equal(lines.data, wanted);
  bt_str_dispose(&lines);
  close(ledger);
}

static void values_become_text_the_javascript_way(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  expect_brief(fixture, "");
  fixture_write(fixture, ROOT,
                "{\"seq\":1,\"gate\":\"g\",\"ts\":\"t\",\"ticket\":\"T-1\"}\n"
                "not json\n[1]\n\n"
                "{\"seq\":1.50,\"gate\":null,\"ticket\":0}\n"
                "{\"seq\":\"x\",\"gate\":{},\"ts\":[1,null,[2,\"a\"]],\"ticket\":\"\"}\n"
                "{\"gate\":true,\"ts\":\"two\\nlines\",\"ticket\":[]}");
  expect_brief(fixture, "seq=1 gate=g ts=t ticket=T-1\n"
                        "seq=1.5 gate=null ts=undefined\n"
                        "seq=x gate=[object Object] ts=1,,2,a\n"
                        "seq=undefined gate=true ts=two\nlines ticket=\n");
  fixture_free(fixture);
}

static void the_last_twelve(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  struct bt_str text, wanted;
  bt_str_init(&text, 1 << 20);
  bt_str_init(&wanted, 1 << 20);
  for (int i = 1; i <= 30; i++) {
    bt_str_printf(&text, "{\"seq\":%d,\"gate\":\"g\",\"ts\":\"t\"}\r\n", i);
    if (i > 18)
      bt_str_printf(&wanted, "seq=%d gate=g ts=t\n", i);
  }
  fixture_write(fixture, ROOT, text.data);
  expect_brief(fixture, wanted.data);
  bt_str_dispose(&text);
  bt_str_dispose(&wanted);
  fixture_free(fixture);
}

static void a_window_begins_behind_its_first_newline(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  struct bt_str text;
  bt_str_init(&text, 1 << 20);
  bt_str_puts(&text, "{\"seq\":1,\"pad\":\"");
  for (int i = 0; i < 70000; i++)
    bt_str_putc(&text, 'x');
  bt_str_puts(&text, "\"}\n{\"seq\":2,\"gate\":\"g\",\"ts\":\"t\"}\n");
  fixture_write(fixture, ROOT, text.data);
  expect_brief(fixture, "seq=2 gate=g ts=t\n");
  bt_str_truncate(&text, strlen("{\"seq\":1,\"pad\":\"") + 70000);
  bt_str_puts(&text, "\"}");
  fixture_write(fixture, ROOT, text.data);
  expect_brief(fixture, "");
  bt_str_dispose(&text);
  fixture_free(fixture);
}

static void the_last_file_name_wins(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  fixture_write(fixture, ROOT, "{\"seq\":1,\"gate\":\"root\",\"ts\":\"t\"}\n");
  fixture_write(fixture, FOLDER ".lineage", "{}");
  expect_brief(fixture, "seq=1 gate=root ts=t\n");
  fixture_write(fixture, FOLDER "b-01KF0000000000000000000000.jsonl", "{\"seq\":1,\"gate\":\"b\",\"ts\":\"t\"}\n");
  fixture_write(fixture, FOLDER "a-01KZ0000000000000000000000.jsonl", "{\"seq\":1,\"gate\":\"a\",\"ts\":\"t\"}\n");
  expect_brief(fixture, "seq=1 gate=b ts=t\n"); /* the slug decides, not the ULID */
  fixture_write(fixture, FOLDER "\xf0\x9f\x98\x80.jsonl", "{\"seq\":1,\"gate\":\"astral\",\"ts\":\"t\"}\n");
  expect_brief(fixture, "seq=1 gate=astral ts=t\n");
  fixture_write(fixture, FOLDER "\xee\x80\x80.jsonl", ""); /* U+E000 sorts behind it by UTF-16 units, and is empty */
  expect_brief(fixture, "");
  fixture_free(fixture);
}

static void a_summary_judges_each_entry(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  struct bt_arena *arena = bt_arena_new(1 << 22);
  struct bt_evidence_summary summary;
  struct chain_box box;
  fixture->env.key = CHAIN_KEY;
  fixture->env.key_length = strlen(CHAIN_KEY);
  int ledger = open_ledger(fixture);
  assert_int_equal(bt_evidence_summarise(&fixture->env, ledger, arena, &summary, NULL), BT_OK);
  assert_false(summary.present);
  chain_box_init(&box);
  chain_box_add(&box, NULL, NULL);
  chain_box_add(&box, "\"ticket\":\"T-1\",", CHAIN_KEY);
  chain_box_write(&box, fixture, ROOT);
  assert_int_equal(bt_evidence_summarise(&fixture->env, ledger, arena, &summary, NULL), BT_OK);
  assert_true(summary.present);
  assert_false(summary.segmented);
  assert_null(summary.problem);
  assert_int_equal(summary.refused_count, 0);
  chain_box_add(&box, NULL, "another key");
  chain_box_write(&box, fixture, ROOT);
  assert_int_equal(bt_evidence_summarise(&fixture->env, ledger, arena, &summary, NULL), BT_OK);
  assert_int_equal(summary.refused_count, 1);
  assert_int_equal(summary.accepted_count, 1); /* the key fits: not it is to blame */
  assert_non_null(strstr(summary.problem, "some entries were changed or do not verify with this key"));
  assert_string_equal(summary.newest_chain, "manifest.jsonl");
  assert_int_equal(summary.tail_count, 3);
  assert_int_equal(summary.tail[0].seq, 1);
  assert_false(summary.tail[0].is_signed);
  assert_int_equal(summary.tail[1].signature, BT_SIG_VERIFIED);
  assert_string_equal(summary.tail[1].ticket, "T-1");
  assert_string_equal(summary.tail[1].session_id, "s1");
  assert_string_equal(summary.tail[1].chain, "root");
  assert_true(summary.tail[1].ts_ms != BT_TIME_UNKNOWN);
  assert_int_equal(summary.tail[2].signature, BT_SIG_INVALID);
  fixture->env.key = NULL;
  fixture->env.key_length = 0;
  fixture_append(fixture, ROOT, "{cut");
  assert_int_equal(bt_evidence_summarise(&fixture->env, ledger, arena, &summary, NULL), BT_OK);
  assert_int_equal(summary.tail_count, 3);
  assert_int_equal(summary.tail[1].signature, BT_SIG_UNVERIFIABLE);
  assert_int_equal(summary.refused_count, 0);
  assert_non_null(summary.problem);
  chain_box_dispose(&box);
  close(ledger);
  bt_arena_free(arena);
  fixture_free(fixture);
}

static void a_summary_says_what_cannot_be_read(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  struct bt_arena *arena = bt_arena_new(1 << 22);
  struct bt_evidence_summary summary;
  char path[700];
  int ledger = open_ledger(fixture);
  (void)snprintf(path, sizeof path, "%s/manifest.jsonl", fixture->env.ledger_dir);
  assert_int_equal(mkfifo(path, 0666), 0);
  assert_int_equal(bt_evidence_summarise(&fixture->env, ledger, arena, &summary, NULL), BT_OK);
  assert_false(summary.present);
  assert_non_null(summary.problem);
  assert_int_equal(bt_evidence_summarise(&fixture->env, -1, arena, &summary, NULL), BT_OK);
  assert_null(summary.problem);
  close(ledger);
  bt_arena_free(arena);
  fixture_free(fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_become_text_the_javascript_way),
                                     cmocka_unit_test(the_last_twelve),
                                     cmocka_unit_test(a_window_begins_behind_its_first_newline),
                                     cmocka_unit_test(the_last_file_name_wins),
                                     cmocka_unit_test(a_summary_judges_each_entry),
                                     cmocka_unit_test(a_summary_says_what_cannot_be_read)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
