/* Codex rollouts: what the golden cases leave open. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/transcripts.h"

#define META(more)                                                                              \
  "{'timestamp':'2026-01-01T00:00:00Z','type':'session_meta','payload':{'id':'thread','cwd':'/" \
  "w','cli_version':'1'" more "}}\n"
#define EVENT(rest) "{'timestamp':'2026-01-01T00:00:01Z','type':'event_msg','payload':{" rest "}}\n"
#define ITEM(rest) "{'timestamp':'2026-01-01T00:00:02Z','type':'response_item','payload':{" rest "}}\n"
#define SAID(role, words) \
  ITEM("'type':'message','role':'" role "','content':[{'type':'input_text','text':'" words "'}]")
#define COMPACTED "{'type':'compacted','payload':{'message':'so far'}}\n"
#define TOKENS(total)                                                            \
  EVENT("'type':'token_count','info':{'last_token_usage':{'total_tokens':" total \
        "},'total_token_usage':{'total_tokens':999999},'model_context_window':1000}")

static struct bt_transcript_facts facts;

static int forget(void **state) {
  (void)state;
  bt_facts_dispose(&facts);
  return 0;
}

static void read_text(const char *text) {
  facts = facts_of(BT_HARNESS_CODEX, text);
}

static void only_the_first_meta_counts(void **state) {
  (void)state;
  read_text(META(",'git':{'branch':'dev'}") META(
      ",'id':'parent','cwd':'/other'") "{'type':'turn_context','payload':{'cwd':'/w/sub','model':'m'}}\n");
  assert_string_equal(facts.session_id, "thread");
  assert_string_equal(facts.cwd, "/w");
  assert_string_equal(facts.last_cwd, "/w/sub");
  assert_string_equal(facts.git_branch, "dev");
  assert_string_equal(facts.model, "m");
  assert_string_equal(facts.version, "1");
  assert_false(facts.is_subagent);
}

static void what_is_no_meta_does_not_stand_in_for_it(void **state) {
  (void)state;
  read_text("{}\n{'foo':1}\n{'type':'turn_context','payload':{'cwd':'/w/sub'}}\n" META(",'git':{'branch':'dev'}"));
  assert_string_equal(facts.session_id, "thread");
  assert_string_equal(facts.cwd, "/w");
  assert_string_equal(facts.last_cwd, "/w/sub");
  assert_string_equal(facts.git_branch, "dev");
}

static void a_sub_agent_is_told_by_parent_or_source(void **state) {
  (void)state;
  read_text(META(",'parent_thread_id':'p'"));
  assert_true(facts.is_subagent);
  assert_string_equal(facts.parent_session_id, "p");
  forget(NULL);
  read_text(META(",'source':{'subagent':'review'}"));
  assert_true(facts.is_subagent);
  forget(NULL);
  read_text(META(",'source':'cli'"));
  assert_false(facts.is_subagent);
}

static void the_name_gives_a_missing_id(void **state) {
  (void)state;
  static const char text[] = "{\"type\":\"session_meta\",\"payload\":{\"cwd\":\"/w\"}}\n";
  facts = facts_of_bytes(BT_HARNESS_CODEX, "rollout-2026-01-01T10-00-00-019b0000-0000-7000-8000-000000000001", text,
                         sizeof text - 1);
  assert_string_equal(facts.session_id, "019b0000-0000-7000-8000-000000000001");
}

static void prompts_come_from_events_where_there_are_any(void **state) {
  (void)state;
  read_text(META("") SAID("user", "# AGENTS.md instructions x") SAID("user", "as an item")
                EVENT("'type':'user_message','message':'as an event'")
                    EVENT("'type':'user_message','message':'','images':['data:']")
                        EVENT("'type':'user_message','message':' '"));
  assert_int_equal(facts.user_messages, 2);
  assert_string_equal(facts.first_prompt, "as an event");
  assert_string_equal(facts.last_prompt, "[Image]");
}

static void prompts_come_from_items_otherwise(void **state) {
  (void)state;
  read_text(META("") ITEM("'type':'message','role':'user','content':[{'type':'input_text','text':'<environment_context>"
                          "x'},{'type':'input_text','text':'do it'}]") SAID("developer", "never")
                SAID("user", "<turn_aborted>x"));
  assert_int_equal(facts.user_messages, 1);
  assert_string_equal(facts.last_prompt, "do it");
}

static void an_editors_preface_is_cut(void **state) {
  (void)state;
  read_text(META("") EVENT("'type':'user_message','message':'# Context\\n## My request for Codex:\\n  fix it \\n'"));
  assert_string_equal(facts.last_prompt, "fix it");
}

static void replies_come_from_items_where_there_are_any(void **state) {
  (void)state;
  read_text(META("") EVENT("'type':'agent_message','message':'event 1'")
                EVENT("'type':'agent_message','message':'event 2'"));
  assert_int_equal(facts.assistant_messages, 2);
  assert_string_equal(facts.last_assistant, "event 2");
  forget(NULL);
  read_text(META("") EVENT("'type':'agent_message','message':'event'") SAID("assistant", "item")
                ITEM("'type':'agent_message','message':'mail'"));
  assert_int_equal(facts.assistant_messages, 1);
  assert_string_equal(facts.last_assistant, "item");
}

static void calls_pair_by_their_id(void **state) {
  (void)state;
  read_text(META("") ITEM("'type':'function_call','name':'shell','call_id':'1'")
                ITEM("'type':'function_call_output','call_id':'1'") ITEM("'type':'local_shell_call','call_id':'2'")
                    ITEM("'type':'local_shell_call','call_id':'2'") ITEM("'type':'web_search_call','id':'3'"));
  assert_int_equal(facts.tools, 3);
  assert_string_equal(facts.last_tool, "web_search");
  assert_false(facts.last_tool_pending); /* that one has no output of its own */
  assert_int_equal(facts.state, BT_AGENT_RUNNING);
  assert_int_equal(facts.depth, 2); /* local_shell_call is not counted by the host */
}

static void turn_events_decide_the_state_from_the_first_on(void **state) {
  (void)state;
  read_text(META("") SAID("user", "x") SAID("assistant", "y"));
  assert_int_equal(facts.state, BT_AGENT_WAITING);
  forget(NULL);
  read_text(META("") EVENT("'type':'turn_started'") SAID("assistant", "y"));
  assert_int_equal(facts.state, BT_AGENT_RUNNING);
  forget(NULL);
  read_text(META("") EVENT("'type':'task_started'") EVENT("'type':'turn_aborted','reason':'replaced'"));
  assert_int_equal(facts.state, BT_AGENT_RUNNING);
  forget(NULL);
  read_text(META("") EVENT("'type':'task_started'") EVENT("'type':'turn_aborted','reason':'review_ended'"));
  assert_int_equal(facts.state, BT_AGENT_WAITING);
  forget(NULL);
  read_text(META("") EVENT("'type':'task_started'") EVENT("'type':'turn_aborted','reason':'interrupted'"));
  assert_int_equal(facts.state, BT_AGENT_INTERRUPTED);
}

static void errors_last_until_the_next_turn(void **state) {
  (void)state;
  read_text(META("") EVENT("'type':'task_started'") EVENT("'type':'error','message':'x'")
                EVENT("'type':'task_complete'"));
  assert_true(facts.error);
  assert_int_equal(facts.state, BT_AGENT_WAITING);
  forget(NULL);
  read_text(META("") EVENT("'type':'error'") EVENT("'type':'task_started'"));
  assert_false(facts.error);
}

static void a_question_waits_for_the_user(void **state) {
  (void)state;
  read_text(META("") EVENT("'type':'task_started'")
                ITEM("'type':'function_call','name':'request_user_input','call_id':'q'"));
  assert_int_equal(facts.state, BT_AGENT_WAITING);
}

static void the_fill_is_of_the_last_request(void **state) {
  (void)state;
  read_text(META("") TOKENS("500") EVENT("'type':'token_count','info':null")
                EVENT("'type':'token_count','info':{'last_token_usage':{'total_tokens':'x'}}"));
  assert_int_equal(facts.used, 500);
  assert_int_equal(facts.window, 1000);
  assert_string_equal(facts.window_source, "transcript");
  assert_int_equal(facts.pct_centi, 5000);
}

static void the_window_is_the_latest_that_is_positive(void **state) {
  (void)state;
  read_text(META("") EVENT("'type':'task_started','model_context_window':2000")
                EVENT("'type':'task_started','model_context_window':0"));
  assert_int_equal(facts.window, 2000);
  forget(NULL);
  read_text(META("") EVENT("'type':'task_started'"));
  assert_int_equal(facts.window, BT_COUNT_UNKNOWN);
  assert_null(facts.window_source);
}

static void a_compaction_unknows_the_fill(void **state) {
  (void)state;
  read_text(META("") TOKENS("900") COMPACTED);
  assert_int_equal(facts.used, BT_COUNT_UNKNOWN);
  assert_int_equal(facts.compactions, 1);
  assert_int_equal(facts.compaction_pre_tokens, 900);
  assert_int_equal(facts.compaction_post_tokens, BT_COUNT_UNKNOWN);
  forget(NULL);
  read_text(META("") TOKENS("900") COMPACTED TOKENS("100") TOKENS("200") EVENT("'type':'context_compacted'"));
  assert_int_equal(facts.compactions, 1); /* the records win over the events */
  assert_int_equal(facts.compaction_post_tokens, 100);
  assert_int_equal(facts.used, 200);
  forget(NULL);
  read_text(META("") TOKENS("900") EVENT("'type':'context_compacted'"));
  assert_int_equal(facts.compactions, 1);
  assert_int_equal(facts.used, 900); /* an event alone takes nothing away */
}

static void repeated_calls_in_a_replaced_history_count_for_the_host_only(void **state) {
  (void)state;
  read_text(META("") ITEM(
      "'type':'function_call','name':'a','call_id':'1'") "{'type':'compacted','payload':{'replacement_history':[{'type'"
                                                         ":'function_call','call_id':'1'}]}}\n");
  assert_int_equal(facts.tools, 1);
  assert_int_equal(facts.depth, 2);
}

static void the_content_decides_which_format_it_is(void **state) {
  (void)state;
  char *text = quoted(META("") SAID("user", "x"));
  facts = facts_of_bytes(BT_HARNESS_CLAUDE, TRANSCRIPT_STEM, text, strlen(text));
  free(text);
  assert_int_equal(facts.harness, BT_HARNESS_CODEX);
  assert_string_equal(facts.session_id, "thread");
  forget(NULL);
  read_text("{'type':'user','uuid':'1','sessionId':'s','message':{'content':'x'}}\n"); /* in a Codex folder */
  assert_int_equal(facts.harness, BT_HARNESS_CLAUDE);
  forget(NULL);
  read_text("{'what':'nothing that is known'}\n");
  assert_int_equal(facts.harness, BT_HARNESS_CODEX);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(only_the_first_meta_counts, forget),
      cmocka_unit_test_teardown(what_is_no_meta_does_not_stand_in_for_it, forget),
      cmocka_unit_test_teardown(a_sub_agent_is_told_by_parent_or_source, forget),
      cmocka_unit_test_teardown(the_name_gives_a_missing_id, forget),
      cmocka_unit_test_teardown(prompts_come_from_events_where_there_are_any, forget),
      cmocka_unit_test_teardown(prompts_come_from_items_otherwise, forget),
      cmocka_unit_test_teardown(an_editors_preface_is_cut, forget),
      cmocka_unit_test_teardown(replies_come_from_items_where_there_are_any, forget),
      cmocka_unit_test_teardown(calls_pair_by_their_id, forget),
      cmocka_unit_test_teardown(turn_events_decide_the_state_from_the_first_on, forget),
      cmocka_unit_test_teardown(errors_last_until_the_next_turn, forget),
      cmocka_unit_test_teardown(a_question_waits_for_the_user, forget),
      cmocka_unit_test_teardown(the_fill_is_of_the_last_request, forget),
      cmocka_unit_test_teardown(the_window_is_the_latest_that_is_positive, forget),
      cmocka_unit_test_teardown(a_compaction_unknows_the_fill, forget),
      cmocka_unit_test_teardown(repeated_calls_in_a_replaced_history_count_for_the_host_only, forget),
      cmocka_unit_test_teardown(the_content_decides_which_format_it_is, forget),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
