/* One file read again and again, and files that nobody should have written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/str.h"
#include "core/harness/depth.h"
#include "core/harness/transcript.h"
#include "tests/support/cuts.h"
#include "tests/support/transcripts.h"

#define PROMPT(words) "{\"type\":\"user\",\"sessionId\":\"s\",\"message\":{\"content\":\"" words "\"}}\n"
#define CALL                                                                                                     \
  "{\"type\":\"assistant\",\"message\":{\"id\":\"m\",\"content\":[{\"type\":\"tool_use\",\"id\":\"t\",\"name\":" \
  "\"Bash\"}]}}\n"

struct world {
  int fd;
  struct bt_transcript *transcript;
};

static int begin(void **state) {
  struct world *world = calloc(1, sizeof *world);
  assert_non_null(world);
  world->fd = transcript_file();
  world->transcript = bt_transcript_new(TRANSCRIPT_STEM, BT_HARNESS_CLAUDE);
  assert_non_null(world->transcript);
  *state = world;
  return 0;
}

static int end(void **state) {
  struct world *world = *state;
  bt_transcript_free(world->transcript);
  close(world->fd);
  free(world);
  return 0;
}

static const struct bt_transcript_facts *update(struct world *world) {
  assert_int_equal(bt_transcript_update(world->transcript, world->fd, NULL, NULL), BT_OK);
  return bt_transcript_facts(world->transcript);
}

static void put_bytes(struct world *world, const char *bytes, size_t length) {
  assert_int_equal(lseek(world->fd, 0, SEEK_END) >= 0, 1);
  assert_int_equal(write(world->fd, bytes, length), (ssize_t)length);
}

static void put(struct world *world, const char *text) {
  put_bytes(world, text, strlen(text));
}

static void replace(struct world *world, const char *text) {
  assert_int_equal(ftruncate(world->fd, 0), 0);
  put(world, text);
}

/* ---- growth ---- */

static void nothing_new_is_no_change(void **state) {
  struct world *world = *state;
  bool changed = false;
  put(world, PROMPT("one"));
  assert_int_equal(bt_transcript_update(world->transcript, world->fd, &changed, NULL), BT_OK);
  assert_true(changed);
  assert_int_equal(bt_transcript_update(world->transcript, world->fd, &changed, NULL), BT_OK);
  assert_false(changed);
}

static void a_half_written_line_is_not_an_error(void **state) {
  struct world *world = *state;
  put(world, PROMPT("one"));
  put(world, "{\"type\":\"user\",\"mess");
  const struct bt_transcript_facts *facts = update(world);
  assert_true(facts->partial_tail);
  assert_int_equal(facts->skipped_lines, 0);
  assert_int_equal(facts->user_messages, 1);
  put(world, "age\":{\"content\":\"two\"}}");
  facts = update(world); /* whole, though without its line end */
  assert_false(facts->partial_tail);
  assert_int_equal(facts->user_messages, 2);
  put(world, "\n");
  facts = update(world);
  assert_int_equal(facts->user_messages, 2); /* not once more */
  assert_string_equal(facts->last_prompt, "two");
}

static void a_truncated_file_is_read_anew(void **state) {
  struct world *world = *state;
  put(world, PROMPT("one") PROMPT("two") CALL);
  assert_int_equal(update(world)->depth, 1);
  assert_int_equal(ftruncate(world->fd, (off_t)strlen(PROMPT("one"))), 0);
  const struct bt_transcript_facts *facts = update(world);
  assert_int_equal(facts->user_messages, 1);
  assert_int_equal(facts->depth, 0);
}

static void what_stood_in_an_unfinished_line_counts_no_more_when_it_is_gone(void **state) {
  struct world *world = *state;
  put(world, PROMPT("one"));
  put_bytes(world, CALL, strlen(CALL) - 1); /* whole, but for its line end */
  assert_int_equal(update(world)->depth, 1);
  assert_int_equal(ftruncate(world->fd, (off_t)strlen(PROMPT("one")) + 2), 0);
  put(world, "and something else\n" PROMPT("two"));
  const struct bt_transcript_facts *facts = update(world);
  assert_int_equal(facts->depth, 0);
  assert_int_equal(facts->tools, 0);
  assert_int_equal(facts->user_messages, 2);
  put(world, CALL);
  assert_int_equal(update(world)->depth, 1);
}

static void a_file_rewritten_in_place_is_read_anew(void **state) {
  struct world *world = *state;
  put(world, PROMPT("one") PROMPT("two"));
  update(world);
  replace(world, PROMPT("1st") PROMPT("2nd") PROMPT("3rd")); /* longer than before, same descriptor */
  const struct bt_transcript_facts *facts = update(world);
  assert_int_equal(facts->user_messages, 3);
  assert_string_equal(facts->first_prompt, "1st");
}

static void a_change_far_behind_the_beginning_is_noticed_by_the_last_line(void **state) {
  struct world *world = *state;
  for (int i = 0; i < 200; i++)
    put(world, PROMPT("a line that is long enough to leave the first four kilobytes behind soon"));
  put(world, PROMPT("last"));
  update(world);
  off_t size = lseek(world->fd, 0, SEEK_END);
  assert_int_equal(pwrite(world->fd, "LAST", 4, size - (off_t)strlen("last\"}}\n")), 4);
  put(world, PROMPT("more"));
  const struct bt_transcript_facts *facts = update(world);
  assert_int_equal(facts->user_messages, 202);
}

static void another_file_in_its_place_is_read_anew(void **state) {
  struct world *world = *state;
  put(world, PROMPT("one"));
  update(world);
  close(world->fd);
  world->fd = transcript_file();
  put(world, PROMPT("other") PROMPT("file"));
  assert_string_equal(update(world)->first_prompt, "other");
}

static void every_cut_of_every_format_ends_the_same(void **state) {
  struct world *world = *state;
  static const struct {
    enum bt_harness harness;
    const char *text;
  } cases[] = {
      {BT_HARNESS_CLAUDE, "{'type':'summary','leafUuid':'u2','summary':'t'}\n{'type':'user','uuid':'u1','timestamp':'"
                          "2026-01-01T00:00:00Z','message':{'content':'h\xC3\xA9llo \xE2\x9C\x93'}}\r\n \n"
                          "{'type':'assistant','uuid':'u2','message':{'id':'m','content':[{'type':'tool_use','id':'t','"
                          "name':'Bash'}],'usage':{'input_tokens':5}}}\nWriting a b\nnot json\n"
                          "{'type':'system','subtype':'compact_boundary','compactMetadata':{'trigger':'auto'}}"
                          "\nCreated\n  x\n{'type':'user','uuid':'u3','message':{'content':'again'}}"},
      {BT_HARNESS_CODEX,
       "{'type':'session_meta','payload':{'id':'i','cwd':'/"
       "w'}}\n{'type':'event_msg','payload':{'type':'task_started','model_context_window':10}}\n"
       "{'type':'response_item','payload':{'type':'function_call','name':'sh','call_id':'1'}}\n{'type':'event_msg','"
       "payload':{'type':'token_count','info':{'last_token_usage':{'total_tokens':4}}}}\n"
       "{'type':'compacted','payload':{}}\n{'type':'event_msg','payload':{'type':'token_count','info':{'last_token_"
       "usage':{'total_tokens':2}}}}\n"},
      {BT_HARNESS_PI, "{'type':'session','id':'p'}\n{'type':'message','id':'a','message':{'role':'user','content':'x'}}"
                      "\n{'type':'message','id':'b','parentId':'a','message':{'role':'assistant','content':'y','usage':"
                      "{'totalTokens':3},'stopReason':'stop'}}\n"},
      {BT_HARNESS_GEMINI,
       "{'sessionId':'g','projectHash':'h'}\n{'id':'1','type':'user','content':'x'}\n{'id':'2','type':'gemini','"
       "content':'y','tokens':{'total':3}}\n{'$rewindTo':'2'}\n{'id':'2','type':'gemini','content':'z'}\n"},
      {BT_HARNESS_GEMINI,
       "{\n'sessionId':'g',\n'projectHash':'h',\n'messages':[\n{'id':'1','type':'user','content':'x'}\n]\n}\n"},
      {BT_HARNESS_OPENCODE, "{\n 'info': {'id':'s'},\n 'messages': [\n  "
                            "{'info':{'role':'user'},'parts':[{'type':'text','text':'x'}]}\n ]\n}"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t at;
    char *bytes = quoted(cases[i].text);
    const char *difference = all_cuts(world->fd, TRANSCRIPT_STEM, cases[i].harness, bytes, strlen(bytes), 0, 0, &at);
    if (difference)
      fail_msg("format %d, cut at %zu: %s differs", (int)cases[i].harness, at, difference);
    free(bytes);
  }
}

static void a_longer_file_ends_the_same_at_line_ends_and_anywhere(void **state) {
  struct world *world = *state;
  struct bt_str text;
  bt_str_init(&text, (size_t)1 << 20);
  for (unsigned i = 0; text.length < 90000; i++) {
    bt_str_printf(&text,
                  "{\"type\":\"assistant\",\"uuid\":\"%u\",\"message\":{\"id\":\"m%u\",\"content\":[{\"type\":\"tool_"
                  "use\",\"id\":\"t%u\",\"name\":\"Read\"}],\"usage\":{\"input_tokens\":%u}}}\n",
                  i, i / 3, i, i);
    for (unsigned n = 0; n < i % 7; n++)
      bt_str_puts(&text, "{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":"
                         "\"t1\",\"content\":\"some output \\\"type\\\":\\\"tool_use\\\"\"}]}}\n");
  }
  size_t at;
  const char *difference =
      all_cuts(world->fd, TRANSCRIPT_STEM, BT_HARNESS_CLAUDE, text.data, text.length, SIZE_MAX, 1000, &at);
  if (difference)
    fail_msg("cut at %zu: %s differs", at, difference);
  bt_str_dispose(&text);
}

static void a_file_that_grows_past_the_window_slides(void **state) {
  struct world *world = *state;
  char *filler = malloc(1 << 20);
  assert_non_null(filler);
  memset(filler, 'x', 1 << 20);
  memcpy(filler, "{\"a\":\"", 6);
  memcpy(filler + (1 << 20) - 3, "\"}\n", 3);
  put(world, CALL CALL);
  for (int i = 0; i < 7; i++)
    put_bytes(world, filler, 1 << 20);
  const struct bt_transcript_facts *facts = update(world);
  assert_int_equal(facts->depth, 2);
  assert_false(facts->truncated);
  for (int i = 0; i < 2; i++)
    put_bytes(world, filler, 1 << 20);
  put(world, CALL);
  facts = update(world);
  assert_true(facts->truncated);
  assert_int_equal(facts->depth, 1); /* the first two have left the window */
  assert_int_equal(facts->host_band, BT_HOST_INCOMPLETE);
  assert_int_equal(facts->assistant_messages, 1); /* facts are of the whole file */
  free(filler);
}

/* ---- what nobody should have written ---- */

static struct bt_transcript_facts read_bytes(const char *bytes, size_t length) {
  return facts_of_bytes(BT_HARNESS_CLAUDE, TRANSCRIPT_STEM, bytes, length);
}

static void odd_lines_are_counted_and_the_others_read(void **state) {
  (void)state;
  static const char text[] = "\xEF\xBB\xBF" PROMPT("bom") "\0" PROMPT(
      "nul") "{\"a\":\"raw\ttab\"}\n{\"a\":NaN}\n{\"a\":1,}\n{'a':1}\n[{\"type\":\"user\"}]\n"
             "\xC2\xA0\xE3\x80\x80\n\v\f \r\n" PROMPT(
                 "fine") "{\"type\":\"user\",\"message\":{\"content\":\"nul \\u0000 in\"}} \t\r\n\xFF\n";
  struct bt_transcript_facts facts = read_bytes(text, sizeof text - 1);
  assert_int_equal(facts.skipped_lines, 8); /* bom, nul, tab, NaN, comma, quotes, array, stray byte */
  assert_int_equal(facts.user_messages, 2);
  assert_string_equal(facts.first_prompt, "fine");
  bt_facts_dispose(&facts);
}

static void invalid_bytes_inside_strings_become_replacement_characters(void **state) {
  (void)state;
  static const char text[] =
      "{\"type\":\"user\",\"message\":{\"content\":\"a\xE2\x82z\xF0\x9F\x92\xC3\xA9\xED\xA0\x80\"}}\n";
  struct bt_transcript_facts facts = read_bytes(text, sizeof text - 1);
  assert_string_equal(facts.last_prompt, "a\xEF\xBF\xBDz\xEF\xBF\xBD\xC3\xA9\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  bt_facts_dispose(&facts);
}

static void deep_nesting_is_read_up_to_a_point_and_never_breaks(void **state) {
  (void)state;
  static const size_t depths[] = {600, 5000, 1000000};
  for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
    struct bt_str text;
    bt_str_init(&text, (size_t)8 << 20);
    bt_str_puts(&text, "{\"type\":\"user\",\"message\":{\"content\":\"deep\"},\"x\":");
    for (size_t n = 0; n < depths[i]; n++)
      bt_str_putc(&text, '[');
    for (size_t n = 0; n < depths[i]; n++)
      bt_str_putc(&text, ']');
    bt_str_puts(&text, "}\n");
    bt_str_puts(&text, PROMPT("after"));
    struct bt_transcript_facts facts = read_bytes(text.data, text.length);
    assert_string_equal(facts.last_prompt, "after");
    assert_int_equal(facts.user_messages, depths[i] < 2000 ? 2 : 1);
    assert_int_equal(facts.skipped_lines, depths[i] < 2000 ? 0 : 1);
    bt_facts_dispose(&facts);
    bt_str_dispose(&text);
  }
}

static void numbers_out_of_range_count_as_nothing(void **state) {
  (void)state;
  static const char text[] = "{\"type\":\"assistant\",\"timestamp\":1e400,\"message\":{\"id\":\"m\",\"usage\":{\"input_"
                             "tokens\":1e999,\"cache_read_input_tokens\":99999999999999999999,"
                             "\"cache_creation_input_tokens\":3,\"output_tokens\":-1e-400}}}\n"
                             "{\"type\":\"x\",\"timestamp\":-9e15}\n";
  struct bt_transcript_facts facts = read_bytes(text, sizeof text - 1);
  assert_int_equal(facts.used, 3);
  assert_int_equal(facts.started_ms, INT64_MIN);
  bt_facts_dispose(&facts);
}

static void an_enormous_line_is_passed_over(void **state) {
  struct world *world = *state;
  const size_t piece = (size_t)1 << 20;
  char *bytes = malloc(piece);
  assert_non_null(bytes);
  memset(bytes, 'y', piece);
  put(world, PROMPT("before"));
  put(world, "{\"type\":\"user\",\"message\":{\"content\":\"");
  for (int i = 0; i < 100; i++)
    put_bytes(world, bytes, piece);
  put(world, "\"}}\n");
  put(world, PROMPT("after"));
  const struct bt_transcript_facts *facts = update(world);
  assert_int_equal(facts->skipped_lines, 1);
  assert_int_equal(facts->user_messages, 2);
  assert_string_equal(facts->last_prompt, "after");
  free(bytes);
}

static void many_calls_and_many_keys_take_no_time(void **state) {
  (void)state;
  struct bt_str text;
  bt_str_init(&text, (size_t)16 << 20);
  bt_str_puts(&text, "{");
  for (unsigned i = 0; i < 100000; i++)
    bt_str_printf(&text, "\"k%u\":%u,", i, i);
  bt_str_puts(&text, "\"type\":\"user\",\"message\":{\"content\":\"x\"}}\n");
  for (unsigned i = 0; i < 20000; i++)
    bt_str_printf(&text,
                  "{\"type\":\"assistant\",\"message\":{\"id\":\"m\",\"content\":[{\"type\":\"tool_use\",\"id\":\"%u\","
                  "\"name\":\"n\"}]}}\n",
                  i);
  struct bt_transcript_facts facts = read_bytes(text.data, text.length);
  assert_int_equal(facts.tools, 20000);
  assert_int_equal(facts.depth, 20000);
  bt_facts_dispose(&facts);
  bt_str_dispose(&text);
}

static void only_regular_files_are_read(void **state) {
  struct world *world = *state;
  struct bt_error err = {.code = BT_OK};
  int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  assert_true(null >= 0);
  assert_int_equal(bt_transcript_update(world->transcript, null, NULL, &err), BT_UNSAFE);
  close(null);
  int folder = open("/", O_RDONLY | O_CLOEXEC);
  assert_int_equal(bt_transcript_update(world->transcript, folder, NULL, &err), BT_UNSAFE);
  close(folder);
}

static void a_peek_reads_the_beginning_only(void **state) {
  struct world *world = *state;
  bool whole;
  for (int i = 0; i < 50; i++)
    put(world, "{\"type\":\"user\",\"cwd\":\"/w\",\"message\":{\"content\":\"x\"}}\n");
  assert_int_equal(bt_transcript_peek(world->transcript, world->fd, 400, &whole, NULL), BT_OK);
  assert_false(whole);
  assert_string_equal(bt_transcript_facts(world->transcript)->cwd, "/w");
  assert_true(bt_transcript_facts(world->transcript)->user_messages < 10);
  assert_false(bt_transcript_facts(world->transcript)->partial_tail);
  assert_int_equal(update(world)->user_messages, 50);
  assert_int_equal(bt_transcript_peek(world->transcript, world->fd, 1 << 20, &whole, NULL), BT_OK);
  assert_true(whole);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(nothing_new_is_no_change, begin, end),
      cmocka_unit_test_setup_teardown(a_half_written_line_is_not_an_error, begin, end),
      cmocka_unit_test_setup_teardown(a_truncated_file_is_read_anew, begin, end),
      cmocka_unit_test_setup_teardown(what_stood_in_an_unfinished_line_counts_no_more_when_it_is_gone, begin, end),
      cmocka_unit_test_setup_teardown(a_file_rewritten_in_place_is_read_anew, begin, end),
      cmocka_unit_test_setup_teardown(a_change_far_behind_the_beginning_is_noticed_by_the_last_line, begin, end),
      cmocka_unit_test_setup_teardown(another_file_in_its_place_is_read_anew, begin, end),
      cmocka_unit_test_setup_teardown(every_cut_of_every_format_ends_the_same, begin, end),
      cmocka_unit_test_setup_teardown(a_longer_file_ends_the_same_at_line_ends_and_anywhere, begin, end),
      cmocka_unit_test_setup_teardown(a_file_that_grows_past_the_window_slides, begin, end),
      cmocka_unit_test(odd_lines_are_counted_and_the_others_read),
      cmocka_unit_test(invalid_bytes_inside_strings_become_replacement_characters),
      cmocka_unit_test(deep_nesting_is_read_up_to_a_point_and_never_breaks),
      cmocka_unit_test(numbers_out_of_range_count_as_nothing),
      cmocka_unit_test_setup_teardown(an_enormous_line_is_passed_over, begin, end),
      cmocka_unit_test(many_calls_and_many_keys_take_no_time),
      cmocka_unit_test_setup_teardown(only_regular_files_are_read, begin, end),
      cmocka_unit_test_setup_teardown(a_peek_reads_the_beginning_only, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
