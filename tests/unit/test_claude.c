/* Claude Code's records: what the golden cases leave open. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/clock.h"
#include "tests/support/transcripts.h"

#define USER(uuid, content) \
  "{'type':'user','uuid':'" uuid "','sessionId':'s','cwd':'/w','message':{'content':" content "}}\n"
#define SAYS(uuid, id, rest) "{'type':'assistant','uuid':'" uuid "','message':{'id':'" id "','model':'m-1'," rest "}}\n"
#define TEXT(words) "'content':[{'type':'text','text':'" words "'}]"
#define CALL(id, name) "'content':[{'type':'tool_use','id':'" id "','name':'" name "'}]"

static struct bt_transcript_facts facts;

static int forget(void **state) {
  (void)state;
  bt_facts_dispose(&facts);
  return 0;
}

static void read_text(const char *text) {
  facts = facts_of(BT_HARNESS_CLAUDE, text);
}

static void words_of_one_message_are_joined(void **state) {
  (void)state;
  read_text(USER("1", "'go'") SAYS("2", "a", TEXT(" one ")) SAYS("3", "a", CALL("t", "Bash"))
                SAYS("4", "a", TEXT("two")) SAYS("5", "b", CALL("u", "Read")));
  assert_string_equal(facts.last_assistant, "one\ntwo");
  assert_int_equal(facts.assistant_messages, 2);
  assert_int_equal(facts.tools, 2);
  assert_string_equal(facts.last_tool, "Read");
  assert_true(facts.last_tool_pending);
  assert_int_equal(facts.state, BT_AGENT_RUNNING);
}

static void a_reply_of_another_message_replaces(void **state) {
  (void)state;
  read_text(SAYS("2", "a", TEXT("one")) SAYS("3", "b", TEXT("two")) SAYS("4", "a", TEXT("three")));
  assert_string_equal(facts.last_assistant, "three");
  assert_int_equal(facts.assistant_messages, 2);
}

static void a_turn_without_id_counts_by_request_and_else_by_record(void **state) {
  (void)state;
  read_text("{'type':'assistant','requestId':'r','message':{'content':'x'}}\n{'type':'assistant','requestId':'r','"
            "message':{'content':'y'}}\n"
            "{'type':'assistant','message':{'content':'z'}}\n{'type':'assistant','message':{'content':'z'}}\n");
  assert_int_equal(facts.assistant_messages, 3);
}

static void a_repeated_record_counts_once(void **state) {
  (void)state;
  read_text(USER("1", "'go'") USER("1", "'go'") SAYS("2", "a", CALL("t", "Bash")) SAYS("2", "a", CALL("v", "Bash")));
  assert_int_equal(facts.user_messages, 1);
  assert_int_equal(facts.tools, 1);
}

static void usage_counts_only_whole_numbers(void **state) {
  (void)state;
  read_text(SAYS(
      "1", "a",
      "'usage':{'input_tokens':'7','cache_read_input_tokens':-4,'cache_creation_input_tokens':1.5,'output_tokens':9}"));
  assert_int_equal(facts.used, BT_COUNT_UNKNOWN); /* nothing of it is a request */
  forget(NULL);
  read_text(
      SAYS("1", "a", "'usage':{'input_tokens':1e3,'cache_read_input_tokens':true,'output_tokens':9007199254740994}"));
  assert_int_equal(facts.used, 1000);
  forget(NULL);
  read_text(SAYS("1", "a", "'usage':{'input_tokens':5,'output_tokens':2}")
                SAYS("2", "b", "'usage':{'input_tokens':0,'output_tokens':900}"));
  assert_int_equal(facts.used, 7); /* a sum of 0 is no candidate */
}

static void synthetic_replies_only_touch_the_state(void **state) {
  (void)state;
  read_text(USER(
      "1", "'go'") "{'type':'assistant','uuid':'2','isApiErrorMessage':true,'message':{'id':'a','model':'<synthetic>',"
                   "'content':[{'type':'text','text':'API Error'}],'usage':{'input_tokens':4}}}\n");
  assert_null(facts.model);
  assert_null(facts.last_assistant);
  assert_int_equal(facts.assistant_messages, 0);
  assert_int_equal(facts.state, BT_AGENT_WAITING);
  assert_true(facts.error);
  assert_int_equal(facts.window, BT_COUNT_UNKNOWN);
}

static void a_later_reply_turns_the_error_off(void **state) {
  (void)state;
  read_text("{'type':'assistant','uuid':'2','isApiErrorMessage':true,'message':{'model':'<synthetic>'}}\n" SAYS(
      "3", "a", TEXT("fine")));
  assert_false(facts.error);
}

static void a_first_command_takes_one_line(void **state) {
  (void)state;
  read_text(USER("1", "'<command-name>\\n/model\\nx </command-name>'"));
  assert_string_equal(facts.first_prompt, "/model x");
}

static void commands_are_no_prompts(void **state) {
  (void)state;
  read_text(USER("1", "'<command-name>/model</command-name>\\n<command-args></command-args>'")
                USER("2", "'<local-command-stdout>set</local-command-stdout>'"));
  assert_string_equal(facts.first_prompt, "/model");
  assert_null(facts.last_prompt);
  assert_int_equal(facts.user_messages, 0);
  assert_int_equal(facts.state, BT_AGENT_WAITING);
  forget(NULL);
  read_text(USER("1", "'<command-name>/quit</command-name>'")
                USER("2", "'<local-command-stdout>bye</local-command-stdout>'"));
  assert_int_equal(facts.state, BT_AGENT_ENDED);
  forget(NULL);
  read_text(SAYS("0", "a", CALL("t", "Bash")) USER("1", "'<bash-input>ls</bash-input>'"));
  assert_int_equal(facts.state, BT_AGENT_RUNNING);
  assert_false(facts.last_tool_pending);
}

static void inserted_blocks_are_left_out_of_a_prompt(void **state) {
  (void)state;
  read_text(USER("1", "[{'type':'text','text':'<system-reminder>x</system-reminder>'},{'type':'text','text':' do it '},"
                      "{'type':'text','text':'<ide_selection>a</ide_selection>'},{'type':'text','text':'now'}]"));
  assert_string_equal(facts.last_prompt, "do it\nnow");
  assert_string_equal(facts.first_prompt, "do it now");
  forget(NULL);
  read_text(USER("1", "'<ide_opened_file>a</ide_opened_file> and more'")); /* not entirely one element */
  assert_int_equal(facts.user_messages, 1);
  forget(NULL);
  read_text(USER("1", "[{'type':'image'},{'type':'text','text':'<system-reminder>x</system-reminder>'}]"));
  assert_string_equal(facts.last_prompt, "[Image]");
}

static void meta_records_say_nothing(void **state) {
  (void)state;
  read_text("{'type':'user','isMeta':true,'uuid':'1','message':{'content':'Caveat'}}\n");
  assert_int_equal(facts.user_messages, 0);
  assert_int_equal(facts.state, BT_AGENT_EMPTY);
}

static void a_prompt_drops_what_is_pending(void **state) {
  (void)state;
  read_text(SAYS("1", "a", CALL("t", "Bash")) USER("2", "'go on'") SAYS("3", "b", TEXT("ok")));
  assert_false(facts.last_tool_pending);
  assert_int_equal(facts.state, BT_AGENT_WAITING);
}

static void a_result_with_an_interruption_interrupts(void **state) {
  (void)state;
  read_text(SAYS("1", "a", CALL("t", "Bash")) USER("2", "[{'type':'tool_result','tool_use_id':'t'},{'type':'text','"
                                                        "text':'[Request interrupted by user for tool use]'}]"));
  assert_int_equal(facts.state, BT_AGENT_INTERRUPTED);
  assert_false(facts.last_tool_pending);
}

static void a_question_waits_for_the_user(void **state) {
  (void)state;
  read_text(SAYS("1", "a", CALL("t", "ExitPlanMode")));
  assert_int_equal(facts.state, BT_AGENT_WAITING);
  forget(NULL);
  read_text(SAYS("1", "a", CALL("t", "AskUserQuestion")) USER("2", "[{'type':'tool_result','tool_use_id':'t'}]"));
  assert_int_equal(facts.state, BT_AGENT_RUNNING);
}

static void an_aborted_stream_is_an_interruption(void **state) {
  (void)state;
  read_text("{'type':'assistant','isAbortedMidStream':true,'message':{'id':'a'," CALL("t", "Bash") "}}\n");
  assert_int_equal(facts.state, BT_AGENT_INTERRUPTED);
  assert_false(facts.last_tool_pending);
}

#define BOUNDARY(meta) \
  "{'type':'system','subtype':'compact_boundary','compactMetadata':{" meta "},'timestamp':'2026-01-01T00:00:09Z'}\n"
#define SUMMARY "{'type':'user','isCompactSummary':true,'message':{'content':'so far'}}\n"

static void boundary_and_summary_are_one_compaction(void **state) {
  (void)state;
  read_text(BOUNDARY("'trigger':'auto','preTokens':300000,'postTokens':20000") SUMMARY SAYS("1", "a", TEXT("x"))
                SUMMARY BOUNDARY("'trigger':'manual','preTokens':7"));
  assert_int_equal(facts.compactions, 2);
  assert_string_equal(facts.compaction_trigger, "manual");
  assert_int_equal(facts.compaction_pre_tokens, 7);
  assert_int_equal(facts.compaction_post_tokens, BT_COUNT_UNKNOWN);
  assert_int_equal(facts.window, 1000000); /* what was there before the first one proves it */
  assert_string_equal(facts.window_source, "evidence");
  assert_int_equal(facts.state, BT_AGENT_WAITING);
}

static void an_old_summary_alone_is_a_compaction_without_figures(void **state) {
  (void)state;
  read_text(SAYS("1", "a", "'usage':{'input_tokens':50}") SUMMARY);
  assert_int_equal(facts.compactions, 1);
  assert_true(facts.has_last_compaction);
  assert_null(facts.compaction_trigger);
  assert_int_equal(facts.used, BT_COUNT_UNKNOWN);
  assert_int_equal(facts.user_messages, 0);
}

static void a_boundary_with_post_tokens_gives_the_fill(void **state) {
  (void)state;
  read_text(SAYS("1", "a", "'usage':{'input_tokens':50}") BOUNDARY("'trigger':'auto','preTokens':50,'postTokens':20"));
  assert_int_equal(facts.used, 20);
  assert_int_equal(facts.state, BT_AGENT_RUNNING);
  forget(NULL);
  read_text("{'type':'system','subtype':'microcompact_boundary','compactMetadata':{'preTokens':5}}\n");
  assert_int_equal(facts.compactions, 0);
}

static void a_sub_agents_file_is_told_by_name_or_first_record(void **state) {
  (void)state;
  static const char side[] =
      "{\"type\":\"user\",\"isSidechain\":true,\"sessionId\":\"p\",\"message\":{\"content\":\"x\"}}\n";
  facts = facts_of_bytes(BT_HARNESS_CLAUDE, "agent-1", side, sizeof side - 1);
  assert_true(facts.is_subagent);
  assert_string_equal(facts.session_id, "agent-1");
  assert_string_equal(facts.parent_session_id, "p");
  assert_int_equal(facts.user_messages, 1);
  assert_int_equal(facts.sidechain_records, 1);
  forget(NULL);
  facts = facts_of_bytes(BT_HARNESS_CLAUDE, "notes", side, sizeof side - 1);
  assert_true(facts.is_subagent);
  forget(NULL);
  facts = facts_of_bytes(BT_HARNESS_CLAUDE, TRANSCRIPT_STEM, side, sizeof side - 1);
  assert_false(facts.is_subagent); /* an inline side chain at the beginning of a session */
  assert_int_equal(facts.user_messages, 0);
  assert_string_equal(facts.session_id, TRANSCRIPT_STEM);
}

static void the_id_of_an_odd_file_comes_from_its_records(void **state) {
  (void)state;
  static const char one[] = "{\"type\":\"user\",\"sessionId\":\"a\",\"message\":{\"content\":\"x\"}}\n{\"type\":"
                            "\"summary\",\"sessionId\":\"b\"}\n";
  facts = facts_of_bytes(BT_HARNESS_CLAUDE, "copy", one, sizeof one - 1);
  assert_string_equal(facts.session_id, "b");
}

static void titles_have_an_order(void **state) {
  (void)state;
  read_text("{'type':'summary','leafUuid':'1','summary':'mine'}\n{'type':'summary','leafUuid':'9','summary':'foreign'}"
            "\n" USER("1", "'x'"));
  assert_string_equal(facts.title, "mine"); /* its record comes later in the file */
  forget(NULL);
  read_text("{'type':'ai-title','aiTitle':'by "
            "machine'}\n{'type':'summary','summary':'s'}\n{'type':'ai-title','aiTitle':''}\n");
  assert_string_equal(facts.title, "by machine");
  forget(NULL);
  read_text("{'type':'custom-title','customTitle':'by hand'}\n{'type':'ai-title','aiTitle':'by machine'}\n");
  assert_string_equal(facts.title, "by hand");
}

static void times_are_of_all_records(void **state) {
  (void)state;
  read_text("{'timestamp':'2026-01-02T00:00:00.1234Z'}\n{'type':'mode','timestamp':1767225600000}\n{'type':'x','"
            "timestamp':'2026-02-30T00:00:00Z'}\n"
            "{'type':'x','timestamp':'2026-01-03'}\n{'type':'x','timestamp':'2026-01-03T05:00+0100'}\n{'type':'x','"
            "timestamp':true}\n");
  assert_int_equal(facts.started_ms, 1767312000123);
  assert_int_equal(facts.last_activity_ms, 1767412800000);
}

static void a_wide_window_is_told_by_the_model(void **state) {
  (void)state;
  read_text("{'type':'assistant','message':{'id':'a','model':'big[1M]'}}\n");
  assert_int_equal(facts.window, 1000000);
  assert_string_equal(facts.window_source, "model");
  assert_int_equal(facts.pct_centi, BT_COUNT_UNKNOWN);
}

static void the_window_may_be_set(void **state) {
  (void)state;
  read_text(SAYS("1", "a", "'usage':{'input_tokens':50}"));
  bt_facts_set_window(&facts, 100);
  assert_string_equal(facts.window_source, "config");
  assert_int_equal(facts.pct_centi, 5000);
  bt_facts_set_window(&facts, 10);
  assert_int_equal(facts.pct_centi, 10000); /* never more */
}

static void escaped_keys_and_repeated_keys_are_read(void **state) {
  (void)state;
  read_text("{'type':'x','t\\u0079pe':'user','message':{'content':'first'},'message':{'content':'second \\ud83d end "
            "\\u0000'}}\n");
  assert_string_equal(facts.last_prompt, "second \xEF\xBF\xBD end \xC0\x80");
}

static void staleness_overlays_the_state(void **state) {
  (void)state;
  const int64_t minute = 60000, now = 1767225600000;
  struct bt_transcript_facts some;
  bt_facts_init(&some, BT_HARNESS_CLAUDE);
  some.state = BT_AGENT_RUNNING;
  some.last_activity_ms = now - 30 * minute;
  bt_facts_settle_state(&some, now, false);
  assert_int_equal(some.state, BT_AGENT_RUNNING); /* more than 30 minutes, not just 30 */
  some.last_activity_ms--;
  bt_facts_settle_state(&some, now, true);
  assert_int_equal(some.state, BT_AGENT_RUNNING); /* a living process owns it */
  bt_facts_settle_state(&some, now, false);
  assert_int_equal(some.state, BT_AGENT_INTERRUPTED);
  some.last_activity_ms = now - 12 * 60 * minute - 1;
  bt_facts_settle_state(&some, now, false);
  assert_int_equal(some.state, BT_AGENT_ENDED);
  some.state = BT_AGENT_RUNNING;
  some.last_activity_ms = now + 90 * minute; /* a clock that is ahead */
  bt_facts_settle_state(&some, now, false);
  assert_int_equal(some.state, BT_AGENT_RUNNING);
  some.archived = true;
  bt_facts_settle_state(&some, BT_TIME_UNKNOWN, false);
  assert_int_equal(some.state, BT_AGENT_ENDED);
}

static void the_trend_is_of_the_last_minutes(void **state) {
  (void)state;
  struct bt_transcript_facts some;
  double trend;
  bt_facts_init(&some, BT_HARNESS_CLAUDE);
  bt_facts_note_fill(&some, 1000, 0);
  assert_false(bt_facts_trend(&some, &trend));
  bt_facts_note_fill(&some, 5000, 3600000); /* an hour later: too long ago to say anything */
  assert_false(bt_facts_trend(&some, &trend));
  bt_facts_note_fill(&some, 6000, 3600000 + 120000);
  assert_true(bt_facts_trend(&some, &trend));
  assert_true(trend > 499.9 && trend < 500.1);
  bt_facts_note_fill(&some, BT_COUNT_UNKNOWN, 3600000 + 130000);
  assert_false(bt_facts_trend(&some, &trend));
  for (int i = 0; i < 40; i++)
    bt_facts_note_fill(&some, i, i * INT64_C(10000));
  assert_int_equal(some.trail_count, BT_TRAIL_MAX);
  assert_int_equal(some.trail_used[BT_TRAIL_MAX - 1], 39);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(words_of_one_message_are_joined, forget),
      cmocka_unit_test_teardown(a_reply_of_another_message_replaces, forget),
      cmocka_unit_test_teardown(a_turn_without_id_counts_by_request_and_else_by_record, forget),
      cmocka_unit_test_teardown(a_repeated_record_counts_once, forget),
      cmocka_unit_test_teardown(usage_counts_only_whole_numbers, forget),
      cmocka_unit_test_teardown(synthetic_replies_only_touch_the_state, forget),
      cmocka_unit_test_teardown(a_later_reply_turns_the_error_off, forget),
      cmocka_unit_test_teardown(commands_are_no_prompts, forget),
      cmocka_unit_test_teardown(a_first_command_takes_one_line, forget),
      cmocka_unit_test_teardown(inserted_blocks_are_left_out_of_a_prompt, forget),
      cmocka_unit_test_teardown(meta_records_say_nothing, forget),
      cmocka_unit_test_teardown(a_prompt_drops_what_is_pending, forget),
      cmocka_unit_test_teardown(a_result_with_an_interruption_interrupts, forget),
      cmocka_unit_test_teardown(a_question_waits_for_the_user, forget),
      cmocka_unit_test_teardown(an_aborted_stream_is_an_interruption, forget),
      cmocka_unit_test_teardown(boundary_and_summary_are_one_compaction, forget),
      cmocka_unit_test_teardown(an_old_summary_alone_is_a_compaction_without_figures, forget),
      cmocka_unit_test_teardown(a_boundary_with_post_tokens_gives_the_fill, forget),
      cmocka_unit_test_teardown(a_sub_agents_file_is_told_by_name_or_first_record, forget),
      cmocka_unit_test_teardown(the_id_of_an_odd_file_comes_from_its_records, forget),
      cmocka_unit_test_teardown(titles_have_an_order, forget),
      cmocka_unit_test_teardown(times_are_of_all_records, forget),
      cmocka_unit_test_teardown(a_wide_window_is_told_by_the_model, forget),
      cmocka_unit_test_teardown(the_window_may_be_set, forget),
      cmocka_unit_test_teardown(escaped_keys_and_repeated_keys_are_read, forget),
      cmocka_unit_test(staleness_overlays_the_state),
      cmocka_unit_test(the_trend_is_of_the_last_minutes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
