/* pi, Gemini and OpenCode: conversations in which later records change earlier ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/harness/turns.h"
#include "tests/support/transcripts.h"

static struct bt_transcript_facts facts;

static int forget(void **state) {
  (void)state;
  bt_facts_dispose(&facts);
  return 0;
}

/* ---- pi ---- */

#define PI "{'type':'session','id':'p','cwd':'/w','timestamp':'2026-01-01T00:00:00Z'}\n"
#define ENTRY(id, parent, message) "{'type':'message','id':'" id "','parentId':'" parent "','message':{" message "}}\n"

static void pi_follows_the_branch_of_the_last_entry(void **state) {
  (void)state;
  facts = facts_of(
      BT_HARNESS_PI,
      PI ENTRY("a", "", "'role':'user','content':'first'") ENTRY(
          "b", "a",
          "'role':'assistant','content':[{'type':'text','text':'left'}],'usage':{'totalTokens':9},'stopReason':'stop'")
          ENTRY("c", "a", "'role':'user','content':'right'"));
  assert_string_equal(facts.first_prompt, "first");
  assert_string_equal(facts.last_prompt, "right");
  assert_null(facts.last_assistant);              /* it lies on the branch that was left */
  assert_int_equal(facts.used, BT_COUNT_UNKNOWN); /* so does its usage */
  assert_int_equal(facts.assistant_messages, 1);  /* but it counts */
  assert_int_equal(facts.state, BT_AGENT_RUNNING);
}

static void pi_version_1_is_one_line_of_entries(void **state) {
  (void)state;
  facts =
      facts_of(BT_HARNESS_PI, PI "{'type':'message','message':{'role':'user','content':'one'}}\n{'type':'message','"
                                 "message':{'role':'assistant','content':'two',"
                                 "'usage':{'input':1,'output':2,'cacheRead':3,'cacheWrite':4},'stopReason':'stop'}}\n");
  assert_string_equal(facts.first_prompt, "one");
  assert_string_equal(facts.last_assistant, "two");
  assert_int_equal(facts.used, 10);
  assert_int_equal(facts.state, BT_AGENT_WAITING);
}

static void pi_compactions_and_aborted_replies_leave_no_fill(void **state) {
  (void)state;
  facts = facts_of(
      BT_HARNESS_PI,
      PI ENTRY("a", "",
               "'role':'assistant','usage':{'totalTokens':9},'stopReason':'toolUse'") "{'type':'compaction','id':'b','"
                                                                                      "parentId':'a','tokensBefore':9}"
                                                                                      "\n" ENTRY(
                                                                                          "c", "b",
                                                                                          "'role':'assistant','usage'"
                                                                                          ":{'totalTokens':5},'"
                                                                                          "stopReason':'aborted'"));
  assert_int_equal(facts.used, BT_COUNT_UNKNOWN);
  assert_int_equal(facts.compactions, 1);
  assert_int_equal(facts.compaction_pre_tokens, 9);
  assert_int_equal(facts.state, BT_AGENT_INTERRUPTED);
}

static void pi_titles_and_errors(void **state) {
  (void)state;
  facts = facts_of(BT_HARNESS_PI,
                   PI "{'type':'session_info','id':'i','name':'old'}\n{'type':'session_info','id':'j','parentId':'i','"
                      "name':'new'}\n" ENTRY("a", "j", "'role':'assistant','model':'m','stopReason':'error'"));
  assert_string_equal(facts.title, "new");
  assert_true(facts.error);
  assert_int_equal(facts.state, BT_AGENT_WAITING);
  assert_int_equal(facts.depth, BT_COUNT_UNKNOWN);
}

static void a_pi_file_without_a_header_is_no_session(void **state) {
  (void)state;
  facts = facts_of(BT_HARNESS_PI,
                   ENTRY("a", "", "'role':'user','content':'one'") PI ENTRY("b", "a", "'role':'user','content':'two'"));
  assert_true(facts.no_session);
  assert_string_equal(facts.session_id, TRANSCRIPT_STEM);
  assert_int_equal(facts.user_messages, 0);
  assert_int_equal(facts.state, BT_AGENT_EMPTY);
  forget(NULL);
  facts = facts_of(BT_HARNESS_PI, "not json\n" PI ENTRY("b", "a", "'role':'user','content':'two'"));
  assert_false(facts.no_session); /* the first object is the header */
  assert_int_equal(facts.user_messages, 1);
}

static void pi_reads_typed_blocks_only(void **state) {
  (void)state;
  facts = facts_of(
      BT_HARNESS_PI,
      PI ENTRY("a", "", "'role':'user','content':[{'text':'untyped'},'bare',{'type':'text','text':'own'}]")
          ENTRY("b", "a", "'role':'assistant','content':[{'type':'toolCall','name':'bash'}],'stopReason':'toolUse'"));
  assert_string_equal(facts.first_prompt, "own");
  assert_int_equal(facts.tools, 1);
  assert_false(facts.last_tool_pending); /* without an id no result could be told to be missing */
}

/* ---- Gemini ---- */

#define GEMINI "{'sessionId':'g','projectHash':'h','startTime':'2026-01-01T00:00:00Z'}\n"

static void gemini_replaces_in_place_by_id(void **state) {
  (void)state;
  facts = facts_of(BT_HARNESS_GEMINI,
                   GEMINI "{'id':'1','type':'user','content':'one'}\n{'id':'2','type':'gemini','content':'draft','"
                          "toolCalls':[{'id':'t','name':'run','status':'executing'}]}\n"
                          "{'id':'3','type':'user','content':'two'}\n{'id':'2','type':'gemini','content':'final','"
                          "tokens':{'input':1,'output':2,'thoughts':3,'tool':4},'model':'gemma-4-x'}\n");
  assert_string_equal(facts.last_assistant, "final");
  assert_string_equal(facts.last_prompt, "two");
  assert_int_equal(facts.tools, 0);
  assert_int_equal(facts.used, 10);
  assert_int_equal(facts.window, 256000);
  assert_int_equal(facts.state, BT_AGENT_RUNNING); /* the prompt still comes after it */
}

static void gemini_rewinds_to_an_id_or_to_nothing(void **state) {
  (void)state;
  facts =
      facts_of(BT_HARNESS_GEMINI, GEMINI "{'id':'1','type':'user','content':'one'}\n{'id':'2','type':'user','content':'"
                                         "two'}\n{'$rewindTo':'2'}\n{'id':'3','type':'user','content':'three'}\n");
  assert_int_equal(facts.user_messages, 2);
  assert_string_equal(facts.last_prompt, "three");
  forget(NULL);
  facts = facts_of(BT_HARNESS_GEMINI, GEMINI "{'id':'1','type':'user','content':'one'}\n{'$rewindTo':'nowhere'}\n");
  assert_int_equal(facts.user_messages, 0);
  assert_int_equal(facts.state, BT_AGENT_EMPTY);
  assert_int_equal(facts.window, BT_COUNT_UNKNOWN);
}

static void gemini_sets_metadata_and_messages(void **state) {
  (void)state;
  facts = facts_of(BT_HARNESS_GEMINI,
                   GEMINI "{'id':'1','type':'user','content':'one'}\n{'$set':{'summary':'s','lastUpdated':'2026-01-"
                          "02T00:00:00Z','messages':[{'id':'9','type':'gemini','content':'x'}]}}\n");
  assert_string_equal(facts.title, "s");
  assert_int_equal(facts.user_messages, 0);
  assert_int_equal(facts.assistant_messages, 1);
  assert_int_equal(facts.started_ms, 1767225600000);
  assert_int_equal(facts.last_activity_ms, 1767312000000);
}

static void gemini_states(void **state) {
  (void)state;
  static const struct {
    const char *line;
    enum bt_agent_state state;
    bool error, pending;
  } cases[] = {
      {"{'id':'2','type':'gemini','content':'x','toolCalls':[{'id':'a','name':'n','status':'cancelled'}]}\n",
       BT_AGENT_INTERRUPTED, false, false},
      {"{'id':'2','type':'gemini','content':'x','toolCalls':[{'id':'a','name':'n','status':'cancelled'},{'id':'b','"
       "name':'n','status':'scheduled'}]}\n",
       BT_AGENT_RUNNING, false, true},
      {"{'id':'2','type':'gemini','content':'x'}\n", BT_AGENT_WAITING, false, false},
      {"{'id':'2','type':'gemini','content':'x','toolCalls':[null,7,'run']}\n", BT_AGENT_WAITING, false, false},
      {"{'id':'2','type':'error','content':'x'}\n", BT_AGENT_WAITING, true, false},
      {"{'id':'2','type':'info','content':'Request cancelled.'}\n", BT_AGENT_INTERRUPTED, false, false},
      {"{'id':'2','type':'warning','content':'x'}\n", BT_AGENT_RUNNING, false, false},
      {"{'id':'2','type':'user','content':'/help'}\n", BT_AGENT_RUNNING, false, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[1024];
    strcpy(text, GEMINI "{'id':'1','type':'user','content':'go'}\n");
    strcat(text, cases[i].line);
    facts = facts_of(BT_HARNESS_GEMINI, text);
    assert_int_equal(facts.state, cases[i].state);
    assert_int_equal(facts.error, cases[i].error);
    assert_int_equal(facts.last_tool_pending, cases[i].pending);
    assert_int_equal(facts.user_messages, 1);
    forget(NULL);
  }
}

static void gemini_reads_old_documents_over_many_lines(void **state) {
  (void)state;
  facts = facts_of(BT_HARNESS_GEMINI,
                   "{\n 'sessionId': 'g',\n 'projectHash': 'h',\n 'startTime': '2026-01-01T00:00:00Z',\n 'messages': "
                   "[\n  {'id': '1', 'type': 'user', 'content': 'one'}\n ],\n"
                   " 'more': [\n  {}\n ]\n}\n");
  assert_string_equal(facts.session_id, "g");
  assert_string_equal(facts.last_prompt, "one");
  assert_int_equal(facts.skipped_lines, 0);
}

static void a_gemini_call_told_again_with_its_result_is_done(void **state) {
  (void)state;
  facts = facts_of(BT_HARNESS_GEMINI, GEMINI
                   "{'id':'1','type':'gemini','content':'','toolCalls':[{'id':'a','name':'n','status':'executing'}]}\n"
                   "{'id':'2','type':'gemini','content':'','toolCalls':[{'id':'a','name':'n','status':'success'}]}\n"
                   "{'timestamp':'2036-01-01T00:00:00Z','kind':'of tomorrow'}\n");
  assert_false(facts.last_tool_pending);
  assert_int_equal(facts.tools, 1);
  assert_int_equal(facts.last_activity_ms, INT64_C(2082758400000));
}

/* ---- OpenCode ---- */

#define OC_REPLY(rest)                                        \
  "{'info':{'id':'m2','role':'assistant','modelID':'m'," rest \
  "},'parts':[{'type':'text','text':'said'},{'type':'tool','callID':'c','tool':'edit','state':{'status':'running'}}]}"
#define OC(messages) "{'info':{'id':'ses','directory':'/w','parentID':'up'},'messages':[" messages "]}"

static void opencode_prompts_leave_inserted_text_out(void **state) {
  (void)state;
  facts = facts_of(BT_HARNESS_OPENCODE,
                   OC("{'info':{'role':'user'},'parts':[{'type':'text','text':'a'},{'type':'text','text':'b','"
                      "synthetic':true},{'type':'text','text':'c'},{'type':'text','text':'d','ignored':true}]},"
                      "{'info':{'role':'user'},'parts':[{'type':'file'},{'text':'untyped'},'bare']}"));
  assert_string_equal(facts.first_prompt, "a c");
  assert_string_equal(facts.last_prompt, "[File]");
  assert_true(facts.is_subagent);
  assert_string_equal(facts.parent_session_id, "up");
}

static void opencode_states_and_fill(void **state) {
  (void)state;
  facts =
      facts_of(BT_HARNESS_OPENCODE, OC(OC_REPLY("'time':{'created':1,'completed':2},'finish':'tool-calls','tokens':{'"
                                                "input':1,'output':2,'reasoning':3,'cache':{'read':4,'write':5}}")));
  assert_int_equal(facts.state, BT_AGENT_RUNNING);
  assert_int_equal(facts.used, 15);
  assert_true(facts.last_tool_pending);
  assert_int_equal(facts.depth, 1);
  assert_int_equal(facts.window, BT_COUNT_UNKNOWN);
  forget(NULL);
  facts = facts_of(BT_HARNESS_OPENCODE, OC(OC_REPLY("'error':{'name':'MessageAbortedError'},'time':{'created':1}")));
  assert_int_equal(facts.state, BT_AGENT_INTERRUPTED);
  assert_false(facts.error);
  forget(NULL);
  facts = facts_of(BT_HARNESS_OPENCODE, OC(OC_REPLY("'error':{'name':'Other'},'time':{'created':1}")));
  assert_int_equal(facts.state, BT_AGENT_WAITING);
  assert_true(facts.error);
  forget(NULL);
  facts = facts_of(BT_HARNESS_OPENCODE, OC(OC_REPLY("'time':{'created':1}")));
  assert_int_equal(facts.state, BT_AGENT_RUNNING);
}

static void an_opencode_summary_is_a_compaction(void **state) {
  (void)state;
  facts = facts_of(BT_HARNESS_OPENCODE,
                   OC(OC_REPLY("'time':{'created':1,'completed':2},'finish':'stop','tokens':{'input':1,'output'"
                               ":2}") ","
                                      "{'info':{'role':'assistant','summary':true,'time':{'completed':3},'"
                                      "tokens':{'output':9}},'parts':[{'type':'text','text':'summary'}]}"));
  assert_int_equal(facts.compactions, 1);
  assert_string_equal(facts.last_assistant, "said");
  assert_int_equal(facts.used, BT_COUNT_UNKNOWN);
}

/* ---- what they share ---- */

static void long_conversations_let_old_texts_go(void **state) {
  (void)state;
  struct bt_turns turns;
  const size_t length = (size_t)1 << 20;
  bt_turns_init(&turns);
  for (uint64_t i = 1; i <= 20; i++) {
    struct bt_turn turn;
    bt_turn_init(&turn);
    turn.id = i;
    turn.role = BT_TURN_PROMPT;
    turn.counts_as_user = true;
    turn.text = malloc(length + 1);
    assert_non_null(turn.text);
    memset(turn.text, (int)('a' + i), length);
    turn.text[length] = 0;
    assert_true(bt_turns_take(&turns, &turn, true));
  }
  assert_true(turns.text_bytes <= BT_TURN_TEXTS_MAX + length);
  assert_non_null(turns.list[0].text); /* the first prompt stays */
  assert_null(turns.list[1].text);
  bt_facts_init(&facts, BT_HARNESS_GEMINI);
  assert_true(bt_turns_facts(&turns, false, &facts));
  assert_int_equal(facts.user_messages, 20);
  assert_int_equal(facts.first_prompt[0], 'b');
  assert_int_equal(facts.last_prompt[0], 'a' + 20);
  assert_true(bt_turns_rewind(&turns, 1));
  assert_int_equal(turns.count, 0);
  assert_int_equal(turns.text_bytes, 0);
  bt_turns_dispose(&turns);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(pi_follows_the_branch_of_the_last_entry, forget),
      cmocka_unit_test_teardown(pi_version_1_is_one_line_of_entries, forget),
      cmocka_unit_test_teardown(pi_compactions_and_aborted_replies_leave_no_fill, forget),
      cmocka_unit_test_teardown(pi_titles_and_errors, forget),
      cmocka_unit_test_teardown(a_pi_file_without_a_header_is_no_session, forget),
      cmocka_unit_test_teardown(pi_reads_typed_blocks_only, forget),
      cmocka_unit_test_teardown(gemini_replaces_in_place_by_id, forget),
      cmocka_unit_test_teardown(gemini_rewinds_to_an_id_or_to_nothing, forget),
      cmocka_unit_test_teardown(gemini_sets_metadata_and_messages, forget),
      cmocka_unit_test_teardown(gemini_states, forget),
      cmocka_unit_test_teardown(gemini_reads_old_documents_over_many_lines, forget),
      cmocka_unit_test_teardown(a_gemini_call_told_again_with_its_result_is_done, forget),
      cmocka_unit_test_teardown(opencode_prompts_leave_inserted_text_out, forget),
      cmocka_unit_test_teardown(opencode_states_and_fill, forget),
      cmocka_unit_test_teardown(an_opencode_summary_is_a_compaction, forget),
      cmocka_unit_test_teardown(long_conversations_let_old_texts_go, forget),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
