/* core/harness/codex.c - see codex.h. Prompts and replies are written twice in newer files, as events and as items:
 * both are kept apart to the end, where it is known which of the two this file has. */
#include "core/harness/codex.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/hashset.h"
#include "core/base/utf8.h"
#include "core/harness/pending.h"
#include "core/harness/take.h"

#define TEXT_MAX ((size_t)256 << 20)

struct voice { /* what one of the two sources says */
  int64_t count;
  char *first, *last;
};

struct compactions {
  int64_t count, pre_tokens, post_tokens, time_ms;
  bool wants_post;
};

struct bt_codex {
  char *stem;
  struct bt_transcript_facts facts;
  struct bt_hashset calls;
  struct bt_pending pending;
  uint64_t latest_call;
  struct voice event_prompts, item_prompts, item_replies, event_replies;
  struct compactions records, events;
  bool meta_seen, turns_seen, failed;
};

bool bt_codex_fits(const struct bt_tape *tape) {
  uint32_t type = bt_tape_get(tape, 0, "type");
  if (bt_tape_type(tape, bt_tape_get(tape, 0, "payload")) == BT_JSON_OBJECT)
    return bt_tape_is(tape, type, "session_meta") || bt_tape_is(tape, type, "event_msg") ||
           bt_tape_is(tape, type, "response_item") || bt_tape_is(tape, type, "turn_context") ||
           bt_tape_is(tape, type, "compacted");
  return type == BT_TOKEN_NONE && (bt_tape_type(tape, bt_tape_get(tape, 0, "record_type")) == BT_JSON_STRING ||
                                   (bt_tape_type(tape, bt_tape_get(tape, 0, "id")) == BT_JSON_STRING &&
                                    bt_tape_type(tape, bt_tape_get(tape, 0, "timestamp")) != BT_JSON_ABSENT &&
                                    bt_tape_get(tape, 0, "sessionId") == BT_TOKEN_NONE));
}

struct bt_codex *bt_codex_new(const char *stem) {
  struct bt_codex *reader = calloc(1, sizeof *reader);
  if (!reader)
    return NULL;
  bt_facts_init(&reader->facts, BT_HARNESS_CODEX);
  reader->records.pre_tokens = reader->records.post_tokens = BT_COUNT_UNKNOWN;
  reader->events = reader->records;
  reader->stem = strdup(stem);
  if (!reader->stem) {
    bt_codex_free(reader);
    return NULL;
  }
  return reader;
}

static void free_voice(struct voice *voice) {
  free(voice->first);
  free(voice->last);
}

void bt_codex_free(struct bt_codex *reader) {
  if (!reader)
    return;
  bt_facts_dispose(&reader->facts);
  bt_hashset_dispose(&reader->calls);
  free_voice(&reader->event_prompts);
  free_voice(&reader->item_prompts);
  free_voice(&reader->item_replies);
  free_voice(&reader->event_replies);
  free(reader->stem);
  free(reader);
}

static char *copy_text(const char *text, bool *failed) {
  char *copy = text ? strdup(text) : NULL;
  *failed |= text && !copy;
  return copy;
}

static void copy_voice(struct voice *voice, bool *failed) {
  voice->first = copy_text(voice->first, failed);
  voice->last = copy_text(voice->last, failed);
}

struct bt_codex *bt_codex_copy(const struct bt_codex *from) {
  struct bt_codex *to = malloc(sizeof *to);
  bool failed = false;
  if (!to)
    return NULL;
  *to = *from;
  to->stem = copy_text(from->stem, &failed);
  copy_voice(&to->event_prompts, &failed);
  copy_voice(&to->item_prompts, &failed);
  copy_voice(&to->item_replies, &failed);
  copy_voice(&to->event_replies, &failed);
  failed |= !bt_hashset_copy(&to->calls, &from->calls);
  failed |= bt_facts_copy(&to->facts, &from->facts) != BT_OK;
  if (failed) {
    bt_codex_free(to);
    return NULL;
  }
  return to;
}

static void keep_string(struct bt_codex *reader, const struct bt_tape *tape, uint32_t token, char **slot) {
  reader->failed |= !bt_take_string(tape, token, slot);
}

/* State rules that hold only while the file has shown no turn events. */
static void before_turns(struct bt_codex *reader, enum bt_agent_state state) {
  if (!reader->turns_seen)
    reader->facts.state = state;
}

/* ---- prompts and replies ---- */

static void hear(struct bt_codex *reader, struct voice *voice, struct bt_slice text) {
  voice->count++;
  reader->failed |= !bt_take_slice(text, &voice->last);
  if (!voice->first)
    reader->failed |= !bt_take_slice(text, &voice->first);
}

/* Text after the marker that an editor puts before the user's own words. */
static struct bt_slice own_words(struct bt_slice text) {
  static const char marker[] = "## My request for Codex:";
  size_t at;
  if (bt_slice_has(text, marker, &at)) {
    text.data += at + sizeof marker - 1;
    text.length -= at + sizeof marker - 1;
  }
  return bt_trim_w(text.data, text.length);
}

static bool is_inserted(struct bt_slice text) {
  static const char *const starts[] = {"<environment_context>",
                                       "<user_instructions>",
                                       "# AGENTS.md instructions",
                                       "<INSTRUCTIONS>",
                                       "<turn_aborted>",
                                       "<user_shell_command>",
                                       "<skill>",
                                       "<recommended_plugins>",
                                       "<permissions instructions>",
                                       "<hook_prompt"};
  text = bt_trim_w(text.data, text.length);
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (bt_slice_starts(text, starts[i]))
      return true;
  return false;
}

/* The text blocks of a message item joined with LF, without blank ones and, for a prompt, without inserted ones. */
static void item_text(const struct bt_tape *tape, uint32_t content, bool is_prompt, struct bt_str *out) {
  if (bt_tape_type(tape, content) == BT_JSON_STRING) {
    bt_take_text(tape, content, out);
    if (is_prompt && is_inserted((struct bt_slice){out->data, out->length}))
      bt_str_clear(out);
    return;
  }
  if (bt_tape_type(tape, content) != BT_JSON_ARRAY)
    return;
  for (uint32_t block = bt_tape_first(tape, content); block != BT_TOKEN_NONE;
       block = bt_tape_next(tape, content, block)) {
    size_t before = out->length;
    if (before)
      bt_str_putc(out, '\n');
    size_t from = out->length;
    bt_take_text(tape, bt_tape_get(tape, block, "text"), out);
    struct bt_slice text = {out->data + from, out->length - from};
    if (bt_is_blank_w(text.data, text.length) || (is_prompt && is_inserted(text)))
      bt_str_truncate(out, before);
  }
}

static void on_message(struct bt_codex *reader, const struct bt_tape *tape, uint32_t item) {
  uint32_t role = bt_tape_get(tape, item, "role");
  bool is_prompt = bt_tape_is(tape, role, "user");
  if (!is_prompt && !bt_tape_is(tape, role, "assistant"))
    return;
  struct bt_str text;
  bt_str_init(&text, TEXT_MAX);
  item_text(tape, bt_tape_get(tape, item, "content"), is_prompt, &text);
  reader->failed |= text.failed;
  struct bt_slice words =
      is_prompt ? own_words((struct bt_slice){text.data, text.length}) : bt_trim_w(text.data, text.length);
  if (words.length) {
    hear(reader, is_prompt ? &reader->item_prompts : &reader->item_replies, words);
    before_turns(reader, is_prompt ? BT_AGENT_RUNNING : BT_AGENT_WAITING);
  }
  bt_str_dispose(&text);
}

static void on_spoken_event(struct bt_codex *reader, const struct bt_tape *tape, uint32_t event, bool is_prompt) {
  struct bt_str text;
  bt_str_init(&text, TEXT_MAX);
  bt_take_text(tape, bt_tape_get(tape, event, "message"), &text);
  reader->failed |= text.failed;
  struct bt_slice words =
      is_prompt ? own_words((struct bt_slice){text.data, text.length}) : bt_trim_w(text.data, text.length);
  if (is_prompt && words.length == 0 &&
      (bt_tape_first(tape, bt_tape_get(tape, event, "images")) != BT_TOKEN_NONE ||
       bt_tape_first(tape, bt_tape_get(tape, event, "local_images")) != BT_TOKEN_NONE))
    words = bt_slice_of("[Image]");
  if (words.length) {
    hear(reader, is_prompt ? &reader->event_prompts : &reader->event_replies, words);
    before_turns(reader, is_prompt ? BT_AGENT_RUNNING : BT_AGENT_WAITING);
  }
  bt_str_dispose(&text);
}

/* ---- calls ---- */

static const struct call_kind {
  const char *type, *name; /* name: used where the record has none */
  bool waits;              /* for an output of its own */
} call_kinds[] = {{"function_call", NULL, true},
                  {"custom_tool_call", NULL, true},
                  {"local_shell_call", "local_shell", true},
                  {"tool_search_call", "tool_search", true},
                  {"web_search_call", "web_search", false},
                  {"image_generation_call", "image_generation", false}};

static bool on_call(struct bt_codex *reader, const struct bt_tape *tape, uint32_t item, uint32_t type) {
  const struct call_kind *kind = NULL;
  for (size_t i = 0; i < sizeof call_kinds / sizeof *call_kinds; i++)
    if (bt_tape_is(tape, type, call_kinds[i].type))
      kind = &call_kinds[i];
  if (!kind)
    return false;
  uint32_t name = bt_tape_get(tape, item, "name");
  uint64_t id = bt_take_id(tape, bt_tape_get(tape, item, "call_id"));
  if (id == 0)
    id = bt_take_id(tape, bt_tape_get(tape, item, "id"));
  if (id == 0 || bt_hashset_add(&reader->calls, id, &reader->failed))
    reader->facts.tools++;
  if (bt_tape_type(tape, name) == BT_JSON_STRING && tape->tokens[name].length)
    keep_string(reader, tape, name, &reader->facts.last_tool);
  else if (kind->name)
    reader->failed |= !bt_take_slice(bt_slice_of(kind->name), &reader->facts.last_tool);
  if (id && kind->waits)
    bt_pending_add(&reader->pending, id, bt_tape_is(tape, name, "request_user_input"));
  reader->latest_call = id;
  before_turns(reader, BT_AGENT_RUNNING);
  return true;
}

static void on_item(struct bt_codex *reader, const struct bt_tape *tape, uint32_t item) {
  uint32_t type = bt_tape_get(tape, item, "type");
  if (bt_tape_is(tape, type, "message")) {
    on_message(reader, tape, item);
    return;
  }
  if (on_call(reader, tape, item, type) || bt_tape_type(tape, type) != BT_JSON_STRING)
    return;
  struct bt_slice raw = bt_tape_raw(tape, type);
  if (raw.length > 7 && memcmp(raw.data + raw.length - 7, "_output", 7) == 0) {
    uint64_t id = bt_take_id(tape, bt_tape_get(tape, item, "call_id"));
    if (id)
      bt_pending_remove(&reader->pending, id);
    before_turns(reader, BT_AGENT_RUNNING);
  }
}

/* ---- events ---- */

static void keep_window(struct bt_codex *reader, const struct bt_tape *tape, uint32_t token) {
  int64_t window = bt_take_counter(tape, token, NULL);
  if (window > 0) {
    reader->facts.window = window;
    reader->facts.window_source = "transcript";
  }
}

static void give_post(struct compactions *compactions, int64_t used) {
  if (compactions->wants_post)
    compactions->post_tokens = used;
  compactions->wants_post = false;
}

static void on_token_count(struct bt_codex *reader, const struct bt_tape *tape, uint32_t event, int64_t time_ms) {
  uint32_t info = bt_tape_get(tape, event, "info");
  bool numeric;
  int64_t used =
      bt_take_counter(tape, bt_tape_get(tape, bt_tape_get(tape, info, "last_token_usage"), "total_tokens"), &numeric);
  keep_window(reader, tape, bt_tape_get(tape, info, "model_context_window"));
  if (!numeric)
    return;
  bt_facts_note_fill(&reader->facts, used, time_ms);
  give_post(&reader->records, used);
  give_post(&reader->events, used);
}

static void on_turn(struct bt_codex *reader, enum bt_agent_state state, bool decides_for_good) {
  reader->turns_seen |= decides_for_good;
  reader->facts.state = state;
  bt_pending_drop(&reader->pending);
}

static void compacted(struct bt_codex *reader, struct compactions *compactions, int64_t time_ms) {
  compactions->count++;
  compactions->pre_tokens = reader->facts.used;
  compactions->post_tokens = BT_COUNT_UNKNOWN;
  compactions->wants_post = true;
  compactions->time_ms = time_ms;
}

static void on_event(struct bt_codex *reader, const struct bt_tape *tape, uint32_t event, int64_t time_ms) {
  uint32_t type = bt_tape_get(tape, event, "type"), reason = bt_tape_get(tape, event, "reason");
  if (bt_tape_is(tape, type, "task_started") || bt_tape_is(tape, type, "turn_started")) {
    keep_window(reader, tape, bt_tape_get(tape, event, "model_context_window"));
    on_turn(reader, BT_AGENT_RUNNING, true);
    reader->facts.error = false;
  } else if (bt_tape_is(tape, type, "task_complete") || bt_tape_is(tape, type, "turn_complete")) {
    on_turn(reader, BT_AGENT_WAITING, true);
  } else if (bt_tape_is(tape, type, "turn_aborted")) {
    on_turn(reader,
            bt_tape_is(tape, reason, "replaced")       ? BT_AGENT_RUNNING
            : bt_tape_is(tape, reason, "review_ended") ? BT_AGENT_WAITING
                                                       : BT_AGENT_INTERRUPTED,
            false);
  } else if (bt_tape_is(tape, type, "user_message")) {
    on_spoken_event(reader, tape, event, true);
  } else if (bt_tape_is(tape, type, "agent_message")) {
    on_spoken_event(reader, tape, event, false);
  } else if (bt_tape_is(tape, type, "token_count")) {
    on_token_count(reader, tape, event, time_ms);
  } else if (bt_tape_is(tape, type, "context_compacted")) {
    compacted(reader, &reader->events, time_ms);
  } else if (bt_tape_is(tape, type, "error")) {
    reader->facts.error = true;
  }
}

/* ---- identity ---- */

static void on_meta(struct bt_codex *reader, const struct bt_tape *tape, uint32_t meta) {
  struct bt_transcript_facts *facts = &reader->facts;
  if (reader->meta_seen)
    return;
  reader->meta_seen = true;
  uint32_t source = bt_tape_get(tape, meta, "source"), subagent = bt_tape_get(tape, source, "subagent");
  keep_string(reader, tape, bt_tape_get(tape, meta, "id"), &facts->session_id);
  keep_string(reader, tape, bt_tape_get(tape, meta, "cwd"), &facts->cwd);
  if (!facts->last_cwd)
    keep_string(reader, tape, bt_tape_get(tape, meta, "cwd"), &facts->last_cwd);
  keep_string(reader, tape, bt_tape_get(tape, meta, "cli_version"), &facts->version);
  keep_string(reader, tape, bt_tape_get(tape, bt_tape_get(tape, meta, "git"), "branch"), &facts->git_branch);
  keep_string(reader, tape, bt_tape_get(tape, bt_tape_get(tape, subagent, "thread_spawn"), "parent_thread_id"),
              &facts->parent_session_id);
  keep_string(reader, tape, bt_tape_get(tape, meta, "parent_thread_id"), &facts->parent_session_id);
  facts->is_subagent = facts->parent_session_id != NULL || subagent != BT_TOKEN_NONE;
}

enum bt_code bt_codex_feed(struct bt_codex *reader, const struct bt_tape *tape) {
  int64_t time_ms = bt_facts_note_time(&reader->facts, bt_take_time(tape, bt_tape_get(tape, 0, "timestamp")));
  uint32_t type = bt_tape_get(tape, 0, "type"), payload = bt_tape_get(tape, 0, "payload");
  if (bt_tape_type(tape, payload) != BT_JSON_OBJECT) {
    if (bt_tape_type(tape, type) == BT_JSON_STRING)
      on_item(reader, tape, 0);
    else if (bt_tape_type(tape, bt_tape_get(tape, 0, "id")) == BT_JSON_STRING) /* the first line of the oldest files */
      on_meta(reader, tape, 0);
  } else if (bt_tape_is(tape, type, "session_meta")) {
    on_meta(reader, tape, payload);
  } else if (bt_tape_is(tape, type, "turn_context")) {
    keep_string(reader, tape, bt_tape_get(tape, payload, "cwd"), &reader->facts.last_cwd);
    keep_string(reader, tape, bt_tape_get(tape, payload, "model"), &reader->facts.model);
  } else if (bt_tape_is(tape, type, "response_item")) {
    on_item(reader, tape, payload);
  } else if (bt_tape_is(tape, type, "event_msg")) {
    on_event(reader, tape, payload, time_ms);
  } else if (bt_tape_is(tape, type, "compacted")) {
    compacted(reader, &reader->records, time_ms);
    bt_facts_note_fill(&reader->facts, BT_COUNT_UNKNOWN, time_ms);
  }
  return reader->failed ? BT_NOMEM : BT_OK;
}

/* ---- the end ---- */

static bool settle_texts(const struct bt_codex *reader, struct bt_transcript_facts *facts) {
  bool failed = false;
  const struct voice *prompts = reader->event_prompts.count ? &reader->event_prompts : &reader->item_prompts;
  const struct voice *replies = reader->item_replies.count ? &reader->item_replies : &reader->event_replies;
  facts->user_messages = prompts->count;
  facts->assistant_messages = replies->count;
  facts->last_prompt = copy_text(prompts->last, &failed);
  facts->last_assistant = copy_text(replies->last, &failed);
  if (prompts->first) {
    struct bt_str line;
    bt_str_init(&line, TEXT_MAX);
    bt_one_line(&line, bt_slice_of(prompts->first));
    failed |= line.failed || !bt_take_slice((struct bt_slice){line.data, line.length}, &facts->first_prompt);
    bt_str_dispose(&line);
  }
  return !failed;
}

static bool settle_identity(const struct bt_codex *reader, struct bt_transcript_facts *facts) {
  size_t length = strlen(reader->stem);
  if (facts->session_id)
    return true;
  bool named = length >= 36 && bt_is_uuid(reader->stem + length - 36, 36);
  return bt_take_slice(bt_slice_of(named ? reader->stem + length - 36 : reader->stem), &facts->session_id);
}

enum bt_code bt_codex_facts(const struct bt_codex *reader, struct bt_transcript_facts *facts) {
  enum bt_code code = bt_facts_copy(facts, &reader->facts);
  if (code)
    return code;
  const struct compactions *compactions = reader->records.count ? &reader->records : &reader->events;
  facts->compactions = compactions->count;
  facts->has_last_compaction = compactions->count > 0;
  facts->compaction_pre_tokens = compactions->pre_tokens;
  facts->compaction_post_tokens = compactions->post_tokens;
  facts->last_compaction_ms = compactions->count ? compactions->time_ms : BT_TIME_UNKNOWN;
  facts->last_tool_pending = reader->latest_call && bt_pending_has(&reader->pending, reader->latest_call);
  if (facts->state == BT_AGENT_RUNNING && bt_pending_asks_user(&reader->pending))
    facts->state = BT_AGENT_WAITING;
  bt_facts_settle_fill(facts);
  if (!settle_texts(reader, facts) || !settle_identity(reader, facts)) {
    bt_facts_dispose(facts);
    return BT_NOMEM;
  }
  return BT_OK;
}
