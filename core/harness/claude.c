/* core/harness/claude.c - records in file order: titles, replies, system records, and the end result. */
#include "core/harness/claude.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/utf8.h"
#include "core/harness/claude_state.h"
#include "core/harness/take.h"

#define DEFAULT_WINDOW INT64_C(200000)
#define WIDE_WINDOW INT64_C(1000000)
#define TEXT_MAX ((size_t)256 << 20)

static char *copy_text(const char *text, bool *failed) {
  char *copy = text ? strdup(text) : NULL;
  *failed |= text && !copy;
  return copy;
}

/* Every record of this program that matters names its session, itself or the record that it is about. */
bool bt_claude_fits(const struct bt_tape *tape) {
  static const char *const names[] = {"sessionId", "uuid", "leafUuid", "messageId"};
  bool named = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    named |= bt_tape_type(tape, bt_tape_get(tape, 0, names[i])) == BT_JSON_STRING;
  return named && bt_tape_type(tape, bt_tape_get(tape, 0, "type")) == BT_JSON_STRING;
}

struct bt_claude *bt_claude_new(const char *stem) {
  struct bt_claude *reader = calloc(1, sizeof *reader);
  if (!reader)
    return NULL;
  bt_facts_init(&reader->facts, BT_HARNESS_CLAUDE);
  reader->stem = copy_text(stem, &reader->failed);
  if (reader->failed) {
    bt_claude_free(reader);
    return NULL;
  }
  return reader;
}

void bt_claude_free(struct bt_claude *reader) {
  if (!reader)
    return;
  bt_facts_dispose(&reader->facts);
  bt_hashset_dispose(&reader->uuids);
  bt_hashset_dispose(&reader->turns);
  bt_hashset_dispose(&reader->calls);
  for (size_t i = 0; i < reader->summary_count; i++)
    free(reader->summaries[i].text);
  free(reader->summaries);
  free(reader->stem);
  free(reader->latest_session_id);
  free(reader->custom_title);
  free(reader->ai_title);
  free(reader->first_command);
  free(reader);
}

/* Takes `text`. */
static void add_summary(struct bt_claude *reader, uint64_t leaf, char *text) {
  if (reader->summary_count == reader->summary_capacity) {
    size_t capacity = reader->summary_capacity ? reader->summary_capacity * 2 : 4;
    struct bt_claude_summary *summaries = realloc(reader->summaries, capacity * sizeof *summaries);
    if (!summaries) {
      free(text);
      reader->failed = true;
      return;
    }
    reader->summaries = summaries;
    reader->summary_capacity = capacity;
  }
  reader->summaries[reader->summary_count++] = (struct bt_claude_summary){.leaf = leaf, .text = text};
}

struct bt_claude *bt_claude_copy(const struct bt_claude *from) {
  struct bt_claude *to = malloc(sizeof *to);
  if (!to)
    return NULL;
  *to = *from;
  to->stem = copy_text(from->stem, &to->failed);
  to->latest_session_id = copy_text(from->latest_session_id, &to->failed);
  to->custom_title = copy_text(from->custom_title, &to->failed);
  to->ai_title = copy_text(from->ai_title, &to->failed);
  to->first_command = copy_text(from->first_command, &to->failed);
  to->summaries = NULL;
  to->summary_count = to->summary_capacity = 0;
  for (size_t i = 0; i < from->summary_count && !to->failed; i++)
    add_summary(to, from->summaries[i].leaf, copy_text(from->summaries[i].text, &to->failed));
  to->failed |= !bt_hashset_copy(&to->uuids, &from->uuids);
  to->failed |= !bt_hashset_copy(&to->turns, &from->turns);
  to->failed |= !bt_hashset_copy(&to->calls, &from->calls);
  to->failed |= bt_facts_copy(&to->facts, &from->facts) != BT_OK;
  if (to->failed && !from->failed) {
    bt_claude_free(to);
    return NULL;
  }
  return to;
}

bool bt_claude_open_group(struct bt_claude *reader) {
  bool opens = !reader->group_open;
  reader->group_open = true;
  if (opens)
    reader->facts.compactions++;
  return opens;
}

static void keep_string(struct bt_claude *reader, const struct bt_tape *tape, uint32_t token, char **slot) {
  reader->failed |= !bt_take_string(tape, token, slot);
}

/* ---- summaries: the latest whose leaf is absent or a record of this file; what a later one already beats is let go
 * ---- */

static void forget_summaries(struct bt_claude *reader, size_t count) {
  if (count == 0)
    return;
  for (size_t i = 0; i < count; i++)
    free(reader->summaries[i].text);
  reader->summary_count -= count;
  memmove(reader->summaries, reader->summaries + count, reader->summary_count * sizeof reader->summaries[0]);
}

static void note_summary(struct bt_claude *reader, const struct bt_tape *tape) {
  char *text = NULL;
  keep_string(reader, tape, bt_tape_get(tape, 0, "summary"), &text);
  if (!text)
    return;
  uint64_t leaf = bt_take_id(tape, bt_tape_get(tape, 0, "leafUuid"));
  if (leaf == 0 || bt_hashset_has(&reader->uuids, leaf))
    forget_summaries(reader, reader->summary_count);
  else if (reader->summary_count == BT_CLAUDE_SUMMARIES_MAX)
    forget_summaries(reader, 1);
  add_summary(reader, leaf, text);
}

static const char *best_summary(const struct bt_claude *reader) {
  for (size_t i = reader->summary_count; i-- > 0;)
    if (reader->summaries[i].leaf == 0 || bt_hashset_has(&reader->uuids, reader->summaries[i].leaf))
      return reader->summaries[i].text;
  return NULL;
}

/* ---- assistant ---- */

/* The record's non-blank text blocks joined with LF. */
static void reply_text(const struct bt_tape *tape, uint32_t content, struct bt_str *out) {
  if (bt_tape_type(tape, content) == BT_JSON_STRING) {
    bt_take_text(tape, content, out);
    if (bt_is_blank_w(out->data, out->length))
      bt_str_clear(out);
    return;
  }
  if (bt_tape_type(tape, content) != BT_JSON_ARRAY)
    return;
  for (uint32_t item = bt_tape_first(tape, content); item != BT_TOKEN_NONE; item = bt_tape_next(tape, content, item)) {
    if (!bt_tape_is(tape, bt_tape_get(tape, item, "type"), "text"))
      continue;
    size_t before = out->length;
    if (before)
      bt_str_putc(out, '\n');
    size_t from = out->length;
    bt_take_text(tape, bt_tape_get(tape, item, "text"), out);
    if (bt_is_blank_w(out->data + from, out->length - from))
      bt_str_truncate(out, before);
  }
}

/* Keeps the words of the latest reply; the records of one message are one reply. */
static bool keep_reply(struct bt_claude *reader, const struct bt_tape *tape, uint32_t content, uint64_t message) {
  struct bt_str text, whole;
  bt_str_init(&text, TEXT_MAX);
  bt_str_init(&whole, TEXT_MAX);
  reply_text(tape, content, &text);
  bool has_text = text.length > 0;
  if (has_text) {
    if (message != 0 && message == reader->text_message && reader->facts.last_assistant) {
      bt_str_puts(&whole, reader->facts.last_assistant);
      bt_str_putc(&whole, '\n');
    }
    bt_str_append(&whole, text.data, text.length);
    reader->failed |= whole.failed || text.failed ||
                      !bt_take_slice(bt_trim_w(whole.data, whole.length), &reader->facts.last_assistant);
    reader->text_message = message;
  }
  reader->failed |= text.failed;
  bt_str_dispose(&text);
  bt_str_dispose(&whole);
  return has_text;
}

static bool keep_calls(struct bt_claude *reader, const struct bt_tape *tape, uint32_t content) {
  bool any = false;
  if (bt_tape_type(tape, content) != BT_JSON_ARRAY)
    return any;
  for (uint32_t item = bt_tape_first(tape, content); item != BT_TOKEN_NONE; item = bt_tape_next(tape, content, item)) {
    if (!bt_tape_is(tape, bt_tape_get(tape, item, "type"), "tool_use"))
      continue;
    any = true;
    uint32_t name = bt_tape_get(tape, item, "name");
    uint64_t id = bt_take_id(tape, bt_tape_get(tape, item, "id"));
    if (id == 0 || bt_hashset_add(&reader->calls, id, &reader->failed))
      reader->facts.tools++;
    if (id)
      bt_pending_add(&reader->pending, id,
                     bt_tape_is(tape, name, "AskUserQuestion") || bt_tape_is(tape, name, "ExitPlanMode"));
    reader->latest_call = id;
    keep_string(reader, tape, name, &reader->facts.last_tool);
  }
  return any;
}

static void keep_usage(struct bt_claude *reader, const struct bt_tape *tape, uint32_t usage) {
  static const char *const names[] = {"input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"};
  int64_t input_side = 0;
  for (size_t i = 0; i < 3; i++)
    input_side += bt_take_counter(tape, bt_tape_get(tape, usage, names[i]), NULL);
  if (input_side == 0) /* nothing numeric, or a placeholder */
    return;
  bt_facts_note_fill(&reader->facts,
                     input_side + bt_take_counter(tape, bt_tape_get(tape, usage, "output_tokens"), NULL),
                     bt_take_time(tape, bt_tape_get(tape, 0, "timestamp")));
  reader->wide_evidence |= input_side > DEFAULT_WINDOW;
}

static bool is_final_stop(const struct bt_tape *tape, uint32_t stop) {
  static const char *const reasons[] = {"end_turn", "stop_sequence", "max_tokens", "refusal",
                                        "model_context_window_exceeded"};
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
    if (bt_tape_is(tape, stop, reasons[i]))
      return true;
  return false;
}

static void on_assistant(struct bt_claude *reader, const struct bt_tape *tape) {
  struct bt_transcript_facts *facts = &reader->facts;
  uint32_t message = bt_tape_get(tape, 0, "message"), content = bt_tape_get(tape, message, "content");
  if (bt_tape_is(tape, bt_tape_get(tape, message, "model"), "<synthetic>")) {
    facts->state = BT_AGENT_WAITING;
    facts->error |= bt_tape_is_true(tape, bt_tape_get(tape, 0, "isApiErrorMessage"));
    return;
  }
  reader->group_open = false;
  keep_string(reader, tape, bt_tape_get(tape, message, "model"), &facts->model);
  uint64_t id = bt_take_id(tape, bt_tape_get(tape, message, "id"));
  uint64_t turn = id ? id : bt_take_id(tape, bt_tape_get(tape, 0, "requestId"));
  if (turn == 0 || bt_hashset_add(&reader->turns, turn, &reader->failed))
    facts->assistant_messages++;
  bool has_text = keep_reply(reader, tape, content, id);
  bool has_calls = keep_calls(reader, tape, content);
  keep_usage(reader, tape, bt_tape_get(tape, message, "usage"));

  uint32_t stop = bt_tape_get(tape, message, "stop_reason");
  bool no_stop = bt_tape_type(tape, stop) == BT_JSON_ABSENT || bt_tape_type(tape, stop) == BT_JSON_NULL;
  facts->error = false;
  if (bt_tape_is_true(tape, bt_tape_get(tape, 0, "isAbortedMidStream"))) {
    facts->state = BT_AGENT_INTERRUPTED;
    bt_pending_drop(&reader->pending);
  } else if (has_calls || reader->pending.count > 0)
    facts->state = BT_AGENT_RUNNING;
  else
    facts->state = is_final_stop(tape, stop) || (no_stop && has_text) ? BT_AGENT_WAITING : BT_AGENT_RUNNING;
}

/* ---- system ---- */

static void on_boundary(struct bt_claude *reader, const struct bt_tape *tape) {
  struct bt_transcript_facts *facts = &reader->facts;
  uint32_t metadata = bt_tape_get(tape, 0, "compactMetadata"), trigger = bt_tape_get(tape, metadata, "trigger");
  bool numeric;
  bt_claude_open_group(reader);
  facts->has_last_compaction = true;
  free(facts->compaction_trigger);
  facts->compaction_trigger = NULL;
  keep_string(reader, tape, trigger, &facts->compaction_trigger);
  int64_t tokens = bt_take_counter(tape, bt_tape_get(tape, metadata, "preTokens"), &numeric);
  facts->compaction_pre_tokens = numeric ? tokens : BT_COUNT_UNKNOWN;
  reader->wide_evidence |= tokens > DEFAULT_WINDOW;
  tokens = bt_take_counter(tape, bt_tape_get(tape, metadata, "postTokens"), &numeric);
  facts->compaction_post_tokens = numeric ? tokens : BT_COUNT_UNKNOWN;
  bt_facts_note_fill(facts, BT_COUNT_UNKNOWN, BT_TIME_UNKNOWN);
  facts->used = facts->compaction_post_tokens;
  facts->last_compaction_ms = bt_take_time(tape, bt_tape_get(tape, 0, "timestamp"));
  facts->state = bt_tape_is(tape, trigger, "auto") ? BT_AGENT_RUNNING : BT_AGENT_WAITING;
  bt_pending_drop(&reader->pending);
}

static void on_system(struct bt_claude *reader, const struct bt_tape *tape) {
  uint32_t subtype = bt_tape_get(tape, 0, "subtype");
  if (bt_tape_is(tape, subtype, "compact_boundary")) {
    on_boundary(reader, tape);
  } else if (bt_tape_is(tape, subtype, "turn_duration") || bt_tape_is(tape, subtype, "stop_hook_summary")) {
    if (reader->facts.state == BT_AGENT_RUNNING) {
      reader->facts.state = BT_AGENT_WAITING;
      bt_pending_drop(&reader->pending);
    }
  } else if (bt_tape_is(tape, subtype, "local_command")) {
    struct bt_str text;
    bt_str_init(&text, TEXT_MAX);
    bt_take_text(tape, bt_tape_get(tape, 0, "content"), &text);
    bt_claude_command_text(reader, bt_trim_w(text.data, text.length));
    reader->failed |= text.failed;
    bt_str_dispose(&text);
  }
}

/* ---- one object ---- */

static bool is_conversation(const struct bt_tape *tape, uint32_t type) {
  static const char *const types[] = {"user", "assistant", "system", "attachment", "progress"};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (bt_tape_is(tape, type, types[i]))
      return true;
  return false;
}

static bool note_title(struct bt_claude *reader, const struct bt_tape *tape, uint32_t type) {
  if (bt_tape_is(tape, type, "custom-title"))
    keep_string(reader, tape, bt_tape_get(tape, 0, "customTitle"), &reader->custom_title);
  else if (bt_tape_is(tape, type, "ai-title"))
    keep_string(reader, tape, bt_tape_get(tape, 0, "aiTitle"), &reader->ai_title);
  else if (bt_tape_is(tape, type, "summary"))
    note_summary(reader, tape);
  else
    return false;
  return true;
}

/* Whether the record belongs to the main chain of this file. */
static bool is_main_chain(struct bt_claude *reader, const struct bt_tape *tape) {
  bool sidechain = bt_tape_is_true(tape, bt_tape_get(tape, 0, "isSidechain"));
  if (!reader->role_known) {
    reader->role_known = true;
    reader->facts.is_subagent =
        bt_starts_with(reader->stem, "agent-") || (sidechain && !bt_is_uuid(reader->stem, strlen(reader->stem)));
  }
  if (sidechain)
    reader->facts.sidechain_records++;
  return !sidechain || reader->facts.is_subagent;
}

enum bt_code bt_claude_feed(struct bt_claude *reader, const struct bt_tape *tape) {
  bt_facts_note_time(&reader->facts, bt_take_time(tape, bt_tape_get(tape, 0, "timestamp")));
  uint32_t type = bt_tape_get(tape, 0, "type");
  if (bt_tape_type(tape, type) != BT_JSON_STRING)
    return BT_OK;
  keep_string(reader, tape, bt_tape_get(tape, 0, "sessionId"), &reader->latest_session_id);
  if (note_title(reader, tape, type) || !is_conversation(tape, type))
    return reader->failed ? BT_NOMEM : BT_OK;
  uint64_t uuid = bt_take_id(tape, bt_tape_get(tape, 0, "uuid"));
  if (uuid && !bt_hashset_add(&reader->uuids, uuid, &reader->failed))
    return BT_OK;
  if (!is_main_chain(reader, tape))
    return reader->failed ? BT_NOMEM : BT_OK;
  uint32_t cwd = bt_tape_get(tape, 0, "cwd");
  if (!reader->facts.cwd)
    keep_string(reader, tape, cwd, &reader->facts.cwd);
  keep_string(reader, tape, cwd, &reader->facts.last_cwd);
  keep_string(reader, tape, bt_tape_get(tape, 0, "gitBranch"), &reader->facts.git_branch);
  keep_string(reader, tape, bt_tape_get(tape, 0, "version"), &reader->facts.version);
  if (bt_tape_is(tape, type, "assistant"))
    on_assistant(reader, tape);
  else if (bt_tape_is(tape, type, "system"))
    on_system(reader, tape);
  else if (bt_tape_is(tape, type, "user"))
    bt_claude_user(reader, tape);
  return reader->failed ? BT_NOMEM : BT_OK;
}

/* ---- the end ---- */

static bool names_wide_window(const char *model) {
  for (; *model; model++)
    if (model[0] == '[' && model[1] == '1' && (model[2] | 0x20) == 'm' && model[3] == ']')
      return true;
  return false;
}

static void settle_window(const struct bt_claude *reader, struct bt_transcript_facts *facts) {
  if (facts->model && names_wide_window(facts->model)) {
    facts->window = WIDE_WINDOW;
    facts->window_source = "model";
  } else if (reader->wide_evidence) {
    facts->window = WIDE_WINDOW;
    facts->window_source = "evidence";
  } else if (facts->model || facts->used != BT_COUNT_UNKNOWN) {
    facts->window = DEFAULT_WINDOW;
    facts->window_source = "default";
  }
  bt_facts_settle_fill(facts);
}

enum bt_code bt_claude_facts(const struct bt_claude *reader, struct bt_transcript_facts *facts) {
  enum bt_code code = bt_facts_copy(facts, &reader->facts);
  if (code)
    return code;
  bool failed = false;
  const char *title = reader->custom_title ? reader->custom_title
                      : reader->ai_title   ? reader->ai_title
                                           : best_summary(reader);
  facts->title = copy_text(title, &failed);
  if (!facts->first_prompt)
    facts->first_prompt = copy_text(reader->first_command, &failed);
  bool own_name = bt_is_uuid(reader->stem, strlen(reader->stem)) || facts->is_subagent || !reader->latest_session_id;
  facts->session_id = copy_text(own_name ? reader->stem : reader->latest_session_id, &failed);
  if (facts->is_subagent)
    facts->parent_session_id = copy_text(reader->latest_session_id, &failed);
  facts->last_tool_pending = reader->latest_call && bt_pending_has(&reader->pending, reader->latest_call);
  if (facts->state == BT_AGENT_RUNNING && bt_pending_asks_user(&reader->pending))
    facts->state = BT_AGENT_WAITING;
  settle_window(reader, facts);
  if (failed) {
    bt_facts_dispose(facts);
    return BT_NOMEM;
  }
  return BT_OK;
}
