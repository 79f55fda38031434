/* core/harness/claude_user.c - what a `user` record is: a summary, tool results, an interruption, a prompt or a
 * command.
 *
 * Rules: spec/transcripts.md 5.1 steps 10 and 11, 7. */
#include "core/harness/claude_state.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/utf8.h"
#include "core/harness/take.h"

#define TEXT_MAX ((size_t)256 << 20)

/* A text becomes the first prompt, or what stands for one, in its one-line form. */
static void keep_line(struct bt_claude *reader, struct bt_slice text, char **slot) {
  struct bt_str line;
  bt_str_init(&line, TEXT_MAX);
  bt_one_line(&line, text);
  reader->failed |= line.failed || !bt_take_slice((struct bt_slice){line.data, line.length}, slot);
  bt_str_dispose(&line);
}

static void run_command(struct bt_claude *reader, struct bt_slice name) {
  static const char *const leaving[] = {"/exit", "/quit", "exit", "quit"};
  if (!reader->first_command && name.length)
    keep_line(reader, name, &reader->first_command);
  for (size_t i = 0; i < sizeof leaving / sizeof *leaving; i++)
    if (bt_slice_equals(name, leaving[i])) {
      reader->facts.state = BT_AGENT_ENDED;
      return;
    }
  reader->facts.state = BT_AGENT_RUNNING;
  bt_pending_drop(&reader->pending);
}

/* The name between the tags of `<command-name>/x</command-name>`. */
static bool command_name(struct bt_slice text, struct bt_slice *name) {
  static const char open[] = "<command-name>";
  size_t at, end;
  if (!bt_slice_has(text, open, &at))
    return false;
  struct bt_slice rest = {text.data + at + sizeof open - 1, text.length - at - (sizeof open - 1)};
  if (!bt_slice_has(rest, "</command-name>", &end))
    end = rest.length;
  *name = bt_trim_w(rest.data, end);
  return true;
}

static bool is_command_output(struct bt_slice text) {
  return bt_slice_starts(text, "<bash-stdout>") || bt_slice_starts(text, "<bash-stderr>") ||
         bt_slice_starts(text, "<local-command-stdout>") || bt_slice_starts(text, "<local-command-stderr>");
}

static bool is_command(struct bt_slice text) {
  return bt_slice_has(text, "<command-name>", NULL) || bt_slice_starts(text, "<bash-input>") || is_command_output(text);
}

void bt_claude_command_text(struct bt_claude *reader, struct bt_slice text) {
  struct bt_slice name;
  if (command_name(text, &name))
    run_command(reader, name);
  else if (bt_slice_starts(text, "<bash-input>"))
    run_command(reader, (struct bt_slice){"", 0});
  else if (is_command_output(text) && reader->facts.state != BT_AGENT_ENDED)
    reader->facts.state = BT_AGENT_WAITING;
}

/* One element `<name>…</name>` and nothing else. */
static bool is_whole_element(struct bt_slice text, const char *open, const char *close) {
  size_t at, length = strlen(close);
  if (!bt_slice_starts(text, open))
    return false;
  return bt_slice_has(text, close, &at) && at + length == text.length;
}

/* Blocks that the harness put there, not the user. */
static bool is_inserted(struct bt_slice text) {
  static const char *const starts[] = {"<local-command-caveat>",
                                       "<command-message>",
                                       "<task-notification>",
                                       "<system-reminder>",
                                       "<session-start-hook>",
                                       "<tick>",
                                       "<goal>"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (bt_slice_starts(text, starts[i]))
      return true;
  return is_whole_element(text, "<ide_opened_file>", "</ide_opened_file>") ||
         is_whole_element(text, "<ide_selection>", "</ide_selection>");
}

static bool is_interruption(struct bt_slice text) {
  return bt_slice_starts(text, "[Request interrupted by user");
}

/* Calls `visit` with every text block, trimmed; a string content is one block. */
static void each_text(struct bt_claude *reader, const struct bt_tape *tape, uint32_t content,
                      void (*visit)(struct bt_claude *reader, struct bt_slice text, void *context), void *context) {
  struct bt_str text;
  bt_str_init(&text, TEXT_MAX);
  if (bt_tape_type(tape, content) == BT_JSON_STRING) {
    bt_take_text(tape, content, &text);
    visit(reader, bt_trim_w(text.data, text.length), context);
  } else if (bt_tape_type(tape, content) == BT_JSON_ARRAY) {
    for (uint32_t item = bt_tape_first(tape, content); item != BT_TOKEN_NONE;
         item = bt_tape_next(tape, content, item)) {
      uint32_t words = bt_tape_get(tape, item, "text");
      if (!bt_tape_is(tape, bt_tape_get(tape, item, "type"), "text") || bt_tape_type(tape, words) != BT_JSON_STRING)
        continue;
      bt_str_clear(&text);
      bt_take_text(tape, words, &text);
      visit(reader, bt_trim_w(text.data, text.length), context);
    }
  }
  reader->failed |= text.failed;
  bt_str_dispose(&text);
}

static void see_interruption(struct bt_claude *reader, struct bt_slice text, void *context) {
  (void)reader;
  if (is_interruption(text))
    *(bool *)context = true;
}

static bool take_results(struct bt_claude *reader, const struct bt_tape *tape, uint32_t content) {
  bool any = false;
  if (bt_tape_type(tape, content) != BT_JSON_ARRAY)
    return any;
  for (uint32_t item = bt_tape_first(tape, content); item != BT_TOKEN_NONE; item = bt_tape_next(tape, content, item)) {
    if (!bt_tape_is(tape, bt_tape_get(tape, item, "type"), "tool_result"))
      continue;
    any = true;
    uint64_t id = bt_take_id(tape, bt_tape_get(tape, item, "tool_use_id"));
    if (id)
      bt_pending_remove(&reader->pending, id);
  }
  return any;
}

static bool has_image(const struct bt_tape *tape, uint32_t content) {
  if (bt_tape_type(tape, content) != BT_JSON_ARRAY)
    return false;
  for (uint32_t item = bt_tape_first(tape, content); item != BT_TOKEN_NONE; item = bt_tape_next(tape, content, item))
    if (bt_tape_is(tape, bt_tape_get(tape, item, "type"), "image"))
      return true;
  return false;
}

struct prompt {
  struct bt_str text;
  bool has_command;
};

static void collect_prompt(struct bt_claude *reader, struct bt_slice text, void *context) {
  (void)reader;
  struct prompt *prompt = context;
  if (text.length == 0)
    return;
  if (is_command(text)) {
    prompt->has_command = true;
    return;
  }
  if (is_inserted(text))
    return;
  if (prompt->text.length)
    bt_str_putc(&prompt->text, '\n');
  bt_str_append(&prompt->text, text.data, text.length);
}

static void run_commands(struct bt_claude *reader, struct bt_slice text, void *context) {
  (void)context;
  if (is_command(text))
    bt_claude_command_text(reader, text);
}

static void on_prompt(struct bt_claude *reader, struct bt_slice text) {
  struct bt_transcript_facts *facts = &reader->facts;
  facts->user_messages++;
  reader->failed |= !bt_take_slice(text, &facts->last_prompt);
  if (!facts->first_prompt)
    keep_line(reader, text, &facts->first_prompt);
  bt_pending_drop(&reader->pending);
  facts->state = BT_AGENT_RUNNING;
  facts->error = false;
}

static void on_summary(struct bt_claude *reader, int64_t time_ms) {
  struct bt_transcript_facts *facts = &reader->facts;
  if (!bt_claude_open_group(reader))
    return;
  facts->has_last_compaction = true;
  free(facts->compaction_trigger);
  facts->compaction_trigger = NULL;
  facts->compaction_pre_tokens = facts->compaction_post_tokens = BT_COUNT_UNKNOWN;
  facts->last_compaction_ms = time_ms;
  bt_facts_note_fill(facts, BT_COUNT_UNKNOWN, BT_TIME_UNKNOWN);
  facts->state = BT_AGENT_WAITING;
  bt_pending_drop(&reader->pending);
}

void bt_claude_user(struct bt_claude *reader, const struct bt_tape *tape) {
  uint32_t content = bt_tape_get(tape, bt_tape_get(tape, 0, "message"), "content");
  if (bt_tape_is_true(tape, bt_tape_get(tape, 0, "isCompactSummary"))) {
    on_summary(reader, bt_take_time(tape, bt_tape_get(tape, 0, "timestamp")));
    return;
  }
  if (bt_tape_is_true(tape, bt_tape_get(tape, 0, "isMeta")))
    return;
  bool interrupted = false;
  each_text(reader, tape, content, see_interruption, &interrupted);
  if (take_results(reader, tape, content))
    reader->facts.state = BT_AGENT_RUNNING;
  else if (!interrupted) {
    struct prompt prompt = {.has_command = false};
    bt_str_init(&prompt.text, TEXT_MAX);
    each_text(reader, tape, content, collect_prompt, &prompt);
    reader->failed |= prompt.text.failed;
    if (prompt.text.length)
      on_prompt(reader, (struct bt_slice){prompt.text.data, prompt.text.length});
    else if (prompt.has_command)
      each_text(reader, tape, content, run_commands, NULL);
    else if (has_image(tape, content))
      on_prompt(reader, bt_slice_of("[Image]"));
    bt_str_dispose(&prompt.text);
    return;
  }
  if (interrupted) {
    reader->facts.state = BT_AGENT_INTERRUPTED;
    bt_pending_drop(&reader->pending);
  }
}
