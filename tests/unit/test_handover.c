/* tests/unit/test_handover.c - asking for a handover: the line, the transitions, transcripts cut anywhere, odd
 * policies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/handover/command.h"
#include "core/handover/keep.h"
#include "core/handover/policy.h"
#include "core/handover/replay.h"
#include "core/handover/request.h"

/* ---- the line ---- */

static void lines_of_the_table(void **state) {
  (void)state;
  static const uint64_t table[][3] = {{32000, 16000, 7999},
                                      {60000, 30000, 14999},
                                      {100000, 50000, 24999},
                                      {128000, 68000, 33999},
                                      {200000, 140000, 69999},
                                      {256000, 196000, 97999},
                                      {300000, 240000, 119999},
                                      {500000, 400000, 199999},
                                      {1000000, 800000, 399999},
                                      {1048576, 838861, 419430},
                                      {1, 1, 0}};
  struct bt_ask_limits limits = bt_ask_limits_usual();
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    uint64_t line = bt_ask_line(&limits, table[i][0]);
    assert_int_equal(line, table[i][1]);
    assert_true(bt_ask_rearms(&limits, table[i][2], line));
    assert_false(bt_ask_rearms(&limits, table[i][2] + 1, line));
  }
  assert_true(bt_ask_line(&limits, (uint64_t)BT_ASK_TOKENS_MAX) < (uint64_t)BT_ASK_TOKENS_MAX); /* no overflow */
}

/* ---- the machine ---- */

static bool send(struct bt_ask_machine *machine, enum bt_ask_event_kind kind) {
  return bt_ask_step(machine, &(struct bt_ask_event){.kind = kind});
}

static bool measure(struct bt_ask_machine *machine, int64_t fill) {
  return bt_ask_step(machine, &(struct bt_ask_event){.kind = BT_ASK_MEASURE, .fill = fill, .window = 200000});
}

static void start(struct bt_ask_machine *machine, enum bt_ask_source source) {
  (void)bt_ask_step(machine, &(struct bt_ask_event){.kind = BT_ASK_SESSION_START, .source = source});
}

/* The table of spec/handover-request.md 3, row by row: what brings a machine there, then every input. */
static void transitions_of_the_table(void **state) {
  (void)state;
  enum { LOW, MID, HIGH, WRITTEN, SEEN, ACK, COMPACTION, CLEAR, INPUTS };
  static const char *const rows[][INPUTS + 1] = {
      {"unknown", "armed", "armed", "due", "written", "asked", "unknown", "unknown", "unknown"},
      {"armed", "armed", "armed", "due", "written", "asked", "armed", "armed", "unknown"},
      {"due", "re-armed", "due", "due", "written", "asked", "asked", "re-armed", "re-armed"},
      {"asked", "re-armed", "asked", "asked", "written", "asked", "asked", "re-armed", "re-armed"},
      {"written", "re-armed", "written", "written", "written", "written", "written", "re-armed", "re-armed"},
      {"re-armed", "re-armed", "re-armed", "due", "written", "asked", "re-armed", "re-armed", "re-armed"}};
  for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
    for (int input = 0; input < INPUTS; input++) {
      struct bt_ask_limits limits = bt_ask_limits_usual();
      struct bt_ask_machine machine;
      bool asks = false;
      bt_ask_machine_init(&machine, &limits, true);
      if (row >= 1)
        (void)measure(&machine, row == 1 ? 100000 : 150000);
      if (row == 3)
        (void)send(&machine, BT_ASK_REQUEST_SEEN);
      if (row == 4)
        (void)send(&machine, BT_ASK_HANDOVER_WRITTEN);
      if (row == 5)
        (void)send(&machine, BT_ASK_COMPACTION);
      assert_string_equal(bt_ask_state_word(bt_ask_state_of(&machine)), rows[row][0]);
      static const enum bt_ask_event_kind kinds[] = {
          0, 0, 0, BT_ASK_HANDOVER_WRITTEN, BT_ASK_REQUEST_SEEN, BT_ASK_OPERATOR_ACK, BT_ASK_COMPACTION, BT_ASK_CLEAR};
      if (input <= HIGH)
        asks = measure(&machine, input == LOW ? 10000 : input == MID ? 100000 : 150000);
      else
        asks = send(&machine, kinds[input]);
      assert_string_equal(bt_ask_state_word(bt_ask_state_of(&machine)), rows[row][input + 1]);
      assert_int_equal(asks, input == HIGH && (row < 2 || row == 5));
    }
  }
}

static void ends_starts_and_second_notices(void **state) {
  (void)state;
  struct bt_ask_limits limits = bt_ask_limits_usual();
  struct bt_ask_machine machine;
  bt_ask_machine_init(&machine, &limits, true);
  assert_true(measure(&machine, 150000));
  (void)send(&machine, BT_ASK_COMPACTION);
  assert_true(machine.compacted_before_written);
  assert_int_equal(machine.ordinal, 1);
  start(&machine, BT_ASK_BY_COMPACT); /* the same thing, told twice */
  assert_int_equal(machine.ordinal, 1);
  assert_int_equal(bt_ask_state_of(&machine), BT_ASK_STATE_REARMED);
  (void)send(&machine, BT_ASK_HANDOVER_WRITTEN);
  assert_false(machine.compacted_before_written);
  (void)send(&machine, BT_ASK_SESSION_END);
  (void)send(&machine, BT_ASK_COMPACTION);
  assert_false(measure(&machine, 150000));
  assert_int_equal(bt_ask_state_of(&machine), BT_ASK_STATE_WRITTEN); /* nothing counts until it starts again */
  start(&machine, BT_ASK_RESUME);
  assert_false(measure(&machine, 150000));
  start(&machine, BT_ASK_STARTUP);
  assert_int_equal(bt_ask_state_of(&machine), BT_ASK_STATE_UNKNOWN);
  assert_true(measure(&machine, 150000));
  assert_int_equal(machine.ordinal, 2); /* not one that has been said already */
  assert_false(measure(&machine, -1));
  assert_false(bt_ask_step(&machine, &(struct bt_ask_event){.kind = BT_ASK_MEASURE, .fill = 1, .window = 0}));
}

/* Whatever happens: never two asks in one window, never one over a handover that was written. */
static void a_thousand_random_lives(void **state) {
  (void)state;
  unsigned random = 7;
  for (int life = 0; life < 1000; life++) {
    struct bt_ask_limits limits = bt_ask_limits_usual();
    struct bt_ask_machine machine;
    bt_ask_machine_init(&machine, &limits, life % 3 != 0);
    for (int i = 0; i < 60; i++) {
      random = random * 1103515245u + 12345u;
      struct bt_ask_event event = {.kind = (enum bt_ask_event_kind)((random >> 16) % BT_ASK_EVENT_COUNT),
                                   .fill = (int64_t)((random >> 8) % 220000),
                                   .window = (random >> 9) % 7 == 0 ? 1000000 : 200000,
                                   .source = (enum bt_ask_source)((random >> 20) % 4),
                                   .value = (random >> 21) % 2 == 0};
      struct bt_ask_machine before = machine;
      bool asks = bt_ask_step(&machine, &event);
      bool rearms = event.kind == BT_ASK_MEASURE &&
                    bt_ask_rearms(&limits, (uint64_t)event.fill, bt_ask_line(&limits, (uint64_t)event.window));
      if (asks)
        assert_true(event.kind == BT_ASK_MEASURE && before.supervised && !before.ended &&
                    (!(before.asked || before.written) || rearms));
      assert_true(machine.ordinal >= before.ordinal && machine.ordinal <= before.ordinal + 1);
      assert_true(!machine.delivered || machine.asked);
    }
  }
}

/* ---- transcripts ---- */

static const char transcript[] =
    "{\"type\":\"assistant\",\"cwd\":\"/r\",\"message\":{\"model\":\"m\",\"usage\":{\"input_tokens\":150000}}}\n"
    "not json\n[1]\n\n"
    "{\"type\":\"assistant\",\"isSidechain\":true,\"message\":{\"model\":\"x[1m]\",\"usage\":{\"input_tokens\":5}}}\n"
    "{\"type\":\"assistant\",\"message\":{\"model\":\"<synthetic>\",\"usage\":{\"input_tokens\":5}}}\n"
    "{\"type\":\"assistant\",\"isApiErrorMessage\":true,\"message\":{\"usage\":{\"input_tokens\":5}}}\n"
    "{\"type\":\"assistant\",\"message\":{\"usage\":{\"input_tokens\":-5}}}\n"
    "{\"type\":\"assistant\",\"message\":{\"usage\":{\"input_tokens\":1.5}}}\n"
    "{\"type\":\"assistant\",\"message\":{\"usage\":{\"input_tokens\":\"5\"}}}\n"
    "{\"type\":\"assistant\",\"message\":{\"usage\":{\"input_tokens\":0}}}\n"
    "{\"type\":\"assistant\",\"message\":{\"usage\":[]}}\n"
    "{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"Bash\","
    "\"input\":"
    "{\"command\":\"majordomus handover "
    "<b\"}},{\"type\":\"tool_use\",\"id\":\"t2\",\"name\":\"Read\",\"input\":{}}]}}\n"
    "{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"t2\"},{\"type\":\"tool_"
    "result\","
    "\"tool_use_id\":\"t1\",\"content\":\"[baton:handover-request\"}]}}\n"
    "{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"<command-name>/clear</"
    "command-name>\"}]}}\n"
    "{\"type\":\"assistant\",\"message\":{\"model\":\"m\",\"usage\":{\"input_tokens\":null,\"cache_read_input_tokens\":"
    "210000}}}\n"
    "{\"type\":\"system\",\"subtype\":\"microcompact_boundary\"}\n"
    "{\"type\":\"assistant\",\"message\":{\"model\":\"m\",\"usage\":{\"input_tokens\":30000}}}\n"
    "{\"type\":\"user\",\"message\":{\"content\":\"x [baton:handover-request v1]\"}}\n"
    "{\"type\":\"assistant\",\"message\":{\"usage\":{\"input_tokens\":9";

struct heard {
  char words[1000];
};

static void hear(void *context, const struct bt_ask_notice *notice) {
  struct heard *heard = context;
  size_t used = strlen(heard->words);
  (void)snprintf(heard->words + used, sizeof heard->words - used, "%s%s ", bt_ask_event_word(notice->event->kind),
                 notice->asks ? "!" : "");
}

static bool yes(void *context, const char *root) {
  (void)context;
  return strcmp(root, "/r") == 0;
}

static void transcripts_cut_anywhere(void **state) {
  (void)state;
  struct bt_ask_limits limits = bt_ask_limits_usual();
  for (size_t piece = 1; piece < sizeof transcript; piece = piece < 8 ? piece + 1 : piece * 3) {
    struct bt_ask_replay replay;
    struct heard heard = {""};
    bt_ask_replay_init(&replay, &limits, false, 0);
    replay.notice = hear;
    replay.is_supervised = yes;
    replay.context = &heard;
    for (size_t at = 0; at < sizeof transcript - 1; at += piece) {
      size_t rest = sizeof transcript - 1 - at;
      assert_int_equal(bt_ask_replay_feed(&replay, transcript + at, rest < piece ? rest : piece), BT_OK);
    }
    assert_string_equal(heard.words, "supervised measure! handover_written clear measure measure request_seen ");
    assert_int_equal(replay.window, 1000000); /* from the fill that did not fit */
    assert_int_equal(replay.skipped, 3);
    assert_string_equal(replay.root, "/r");
    assert_int_equal(bt_ask_state_of(&replay.machine), BT_ASK_STATE_ASKED);
    bt_ask_replay_dispose(&replay);
  }
}

/* Any bytes at all are skipped or read, never more. */
static void hostile_bytes(void **state) {
  (void)state;
  struct bt_ask_limits limits = bt_ask_limits_usual();
  unsigned random = 3;
  for (int round = 0; round < 300; round++) {
    struct bt_ask_replay replay;
    char bytes[sizeof transcript];
    memcpy(bytes, transcript, sizeof bytes);
    for (int i = 0; i < 12; i++) {
      random = random * 1103515245u + 12345u;
      bytes[(random >> 8) % (sizeof bytes - 1)] = (char)(random >> 16);
    }
    bt_ask_replay_init(&replay, &limits, true, 0);
    assert_int_equal(bt_ask_replay_feed(&replay, bytes, sizeof bytes - 1), BT_OK);
    bt_ask_replay_dispose(&replay);
  }
}

/* ---- commands ---- */

static void kinds_of_commands(void **state) {
  (void)state;
  static const struct {
    const char *command, *kind;
  } cases[] = {{"majordomus handover", "write"},
               {"majordomus\t\nhandover<x", "write"},
               {"majordomus handover --list-all", "read"},
               {"majordomus handover --listing", "write"},
               {"majordomus handover --help", "read"},
               {"majordomus handover --helper", "write"},
               {"majordomus handovers", "none"},
               {"majordomus handover_x", "none"},
               {"xmajordomus handover", "none"},
               {"_majordomus handover", "none"},
               {"./majordomus handover-x", "write"},
               {"majordomus --root . handover", "none"},
               {"majordomushandover", "none"},
               {"", "none"},
               {"echo --list; majordomus handover < b", "read"},
               {"majordomus majordomus handover", "write"}};
  static const char *const words[] = {
      [BT_COMMAND_NONE] = "none", [BT_COMMAND_READ] = "read", [BT_COMMAND_WRITE] = "write"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal(words[bt_command_kind_of(cases[i].command, strlen(cases[i].command))], cases[i].kind);
  assert_int_equal(bt_command_kind_with("note add", "note add x", 10), BT_COMMAND_WRITE);
  assert_int_equal(bt_command_kind_with("note add", "note add --list", 15), BT_COMMAND_READ);
  assert_int_equal(bt_command_kind_with("note add", "note adds", 9), BT_COMMAND_NONE);
}

/* ---- the policy switch ---- */

static void odd_policies(void **state) {
  (void)state;
  static const struct {
    const char *text, *reason;
  } cases[] = {{"session:\n  handover_on_fill: true", "policy:true"},
               {"session :\r\n  handover_on_fill :\ttrue\t# yes\r\n", "policy:true"},
               {"\xef\xbb\xbf---\n# c\nsession: # c\n # c\n\n   handover_on_fill: true\n", "policy:true"},
               {"session:\n  a: |\n    handover_on_fill: false\n  handover_on_fill: true\n", "policy:true"},
               {"a:\n  session:\n    handover_on_fill: true\nsession:\n  x: 1\n", "policy:absent-key"},
               {"session:\n  x:\n    handover_on_fill: true\n", "policy:absent-key"},
               {"session:\n  x: >-\n    y\n  handover_on_fill: true # c\n  z: 1\n", "policy:true"},
               {"session:\n  handover_on_fill: true\n    more\n", "policy:not-true"},
               {"session:\n  handover_on_fill: true\n    # only a comment\n", "policy:true"},
               {"session:\n  handover_on_fill: \"true\"\n", "policy:not-true"},
               {"session:\n  handover_on_fill: 'true'\n", "policy:not-true"},
               {"session:\n  handover_on_fill: !!bool true\n", "policy:not-true"},
               {"session:\n  handover_on_fill: &a true\n", "policy:not-true"},
               {"session:\n  handover_on_fill: true#x\n", "policy:not-true"},
               {"session:\n  handover_on_fill: #true\n", "policy:not-true"},
               {"session:\n  handover_on_fill:\n    true\n", "policy:not-true"},
               {"session:\n  handover_on_fill:\n", "policy:not-true"},
               {"session:\n  handover_on_fill: |\n    true\n", "policy:not-true"},
               {"session:\n  handover_on_fill:true\n", "policy:unreadable"},
               {"session:\n  handover_on_fill:: true\n", "policy:absent-key"},
               {"session:\n  \"handover_on_fill\": true\n", "policy:absent-key"},
               {"session:\n  ? handover_on_fill\n  : true\n", "policy:absent-key"},
               {"session:\n  - handover_on_fill: true\n", "policy:absent-key"},
               {"session:\n\thandover_on_fill: true\n", "policy:unreadable"},
               {"session:\n  \thandover_on_fill: true\n", "policy:unreadable"},
               {"session: {handover_on_fill: true}\n", "policy:unreadable"},
               {"session: &a\n  handover_on_fill: true\n", "policy:unreadable"},
               {"session: |\n  handover_on_fill: true\n", "policy:unreadable"},
               {"{session: {handover_on_fill: true}}\n", "policy:absent-key"},
               {"\"session\":\n  handover_on_fill: true\n", "policy:absent-key"},
               {"session:\n  handover_on_fill: true\n---\nx: 1\n", "policy:unreadable"},
               {"session:\n  handover_on_fill: true\n...\n", "policy:unreadable"},
               {"---\n---\nsession:\n  handover_on_fill: true\n", "policy:unreadable"},
               {"session:\n  handover_on_fill: true\n  handover_on_fill: true\n", "policy:duplicate-key"},
               {"session:\n  handover_on_fill: true\n  handover_on_fill: false\n", "policy:duplicate-key"},
               {"session:\n  handover_on_fill: true\nsession:\n  x: 1\n", "policy:duplicate-key"},
               {"session:\n  handover_on_fill: true\nsession: x\n", "policy:unreadable"},
               {"session:\n    x: 1\n  handover_on_fill: true\n", "policy:unreadable"},
               {"session:\nhandover_on_fill: true\n", "policy:absent-key"},
               {"Session:\n  handover_on_fill: true\n", "policy:absent-key"},
               {"session:\n  handover_on_fill_x: true\n", "policy:absent-key"},
               {"<<: *base\n", "policy:absent-key"},
               {"", "policy:absent-key"},
               {"session:\n  handover_on_fill: tru\xff\n", "policy:unreadable"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct bt_policy policy = bt_policy_read(cases[i].text, strlen(cases[i].text));
    if (strcmp(policy.reason, cases[i].reason) != 0)
      print_message("%s", cases[i].text);
    assert_string_equal(policy.reason, cases[i].reason);
    assert_int_equal(policy.on, strcmp(policy.reason, "policy:true") == 0);
  }
  assert_string_equal(bt_policy_read("session:\n  handover_on_fill: true\n\0", 35).reason, "policy:unreadable");
  char *large = malloc(BT_POLICY_BYTES_MAX + 1);
  assert_non_null(large);
  memset(large, '\n', BT_POLICY_BYTES_MAX + 1);
  assert_string_equal(bt_policy_read(large, BT_POLICY_BYTES_MAX).reason, "policy:absent-key");
  assert_string_equal(bt_policy_read(large, BT_POLICY_BYTES_MAX + 1).reason, "policy:unreadable");
  free(large);
}

/* ---- what is kept ---- */

static void ordinals(void **state) {
  (void)state;
  struct bt_ask_keep keep = {.window_ordinal = 0};
  struct bt_str out;
  for (uint64_t i = 0; i < BT_ASK_KEEP_MAX + 10; i++) {
    bt_ask_keep_add(keep.acked, &keep.acked_count, i);
    bt_ask_keep_add(keep.acked, &keep.acked_count, i);
  }
  assert_int_equal(keep.acked_count, BT_ASK_KEEP_MAX);
  assert_false(bt_ask_keep_has(keep.acked, keep.acked_count, 9));
  assert_true(bt_ask_keep_has(keep.acked, keep.acked_count, BT_ASK_KEEP_MAX + 9));
  bt_str_init(&out, 1 << 16);
  keep.acked_count = 2;
  bt_ask_keep_print(&out, "s", &keep);
  assert_string_equal(out.data,
                      "{\n  \"schema\": \"baton/ask-state-v1\",\n  \"session\": \"s\",\n  \"window_ordinal\": 0,\n"
                      "  \"notified\": [],\n  \"acked\": [10, 11]\n}\n");
  bt_str_dispose(&out);
}

static void percents(void **state) {
  (void)state;
  assert_int_equal(bt_ask_percent(141000, 200000), 71); /* 70.5 */
  assert_int_equal(bt_ask_percent(140999, 200000), 70);
  assert_int_equal(bt_ask_percent(1, 3), 33);
  assert_int_equal(bt_ask_percent(250000, 200000), 125);
}

/* Scratch memory that is given back between two looks changes nothing, in the middle of a line neither. */
static void rests_anywhere(void **state) {
  (void)state;
  static const char text[] =
      "{\"type\":\"assistant\",\"cwd\":\"/r\",\"message\":{\"model\":\"m\",\"usage\":{\"input_tokens\":150000}}}\n"
      "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"[baton:handover-request v1\"}}\n";
  struct bt_ask_limits limits = bt_ask_limits_usual();
  for (size_t cut = 0; cut <= sizeof text - 1; cut++) {
    struct bt_ask_replay replay;
    bt_ask_replay_init(&replay, &limits, true, 0);
    assert_int_equal(bt_ask_replay_feed(&replay, text, cut), BT_OK);
    bt_ask_replay_rest(&replay);
    assert_int_equal(bt_ask_replay_feed(&replay, text + cut, sizeof text - 1 - cut), BT_OK);
    assert_int_equal(bt_ask_state_of(&replay.machine), BT_ASK_STATE_ASKED);
    assert_int_equal(replay.lines, 2);
    assert_int_equal(replay.skipped, 0);
    bt_ask_replay_dispose(&replay);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rests_anywhere),
                                     cmocka_unit_test(lines_of_the_table),
                                     cmocka_unit_test(transitions_of_the_table),
                                     cmocka_unit_test(ends_starts_and_second_notices),
                                     cmocka_unit_test(a_thousand_random_lives),
                                     cmocka_unit_test(transcripts_cut_anywhere),
                                     cmocka_unit_test(hostile_bytes),
                                     cmocka_unit_test(kinds_of_commands),
                                     cmocka_unit_test(odd_policies),
                                     cmocka_unit_test(ordinals),
                                     cmocka_unit_test(percents)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
