/* core/handover/replay.c - records of a transcript as events. */
#include "core/handover/replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"

#define PENDING_MAX 1024
#define WRITES_MAX 256
#define TEXT_MAX BT_ASK_LINE_MAX
#define CLEAR_COMMAND "<command-name>/clear</command-name>"

void bt_ask_replay_init(struct bt_ask_replay *replay, const struct bt_ask_limits *limits, bool supervised,
                        int64_t window_flag) {
  memset(replay, 0, sizeof *replay);
  bt_ask_machine_init(&replay->machine, limits, supervised);
  replay->window_flag = window_flag;
  replay->window = window_flag > 0 ? window_flag : BT_ASK_WINDOW_USUAL;
  bt_lines_init(&replay->reader, BT_ASK_LINE_MAX);
  bt_tape_init(&replay->tape);
  bt_str_init(&replay->text, TEXT_MAX);
}

void bt_ask_replay_dispose(struct bt_ask_replay *replay) {
  for (size_t i = 0; i < replay->pending_count; i++)
    free(replay->pending[i].id);
  for (size_t i = 0; i < replay->write_count; i++)
    free(replay->writes[i].path);
  free(replay->pending);
  free(replay->writes);
  free(replay->root);
  bt_lines_dispose(&replay->reader);
  bt_tape_dispose(&replay->tape);
  bt_str_dispose(&replay->text);
  memset(replay, 0, sizeof *replay);
}

void bt_ask_replay_rest(struct bt_ask_replay *replay) {
  bt_tape_dispose(&replay->tape);
  bt_tape_init(&replay->tape);
  bt_str_dispose(&replay->text);
  bt_str_init(&replay->text, TEXT_MAX);
  if (replay->reader.carry.length > 0 || replay->reader.passing_over)
    return;
  bt_lines_dispose(&replay->reader);
  bt_lines_init(&replay->reader, BT_ASK_LINE_MAX);
}

/* ---- events ---- */

static void tell(struct bt_ask_replay *replay, const struct bt_ask_event *event) {
  struct bt_ask_notice notice = {.event = event, .line = replay->lines, .before = bt_ask_state_of(&replay->machine)};
  notice.asks = bt_ask_step(&replay->machine, event);
  notice.after = bt_ask_state_of(&replay->machine);
  if (notice.asks || (event->kind == BT_ASK_REQUEST_SEEN && notice.before != BT_ASK_STATE_DUE))
    memcpy(replay->asked_at, replay->last_at, sizeof replay->asked_at);
  if (event->kind != BT_ASK_SUPERVISED)
    replay->last_event = notice.asks ? "ask" : bt_ask_event_word(event->kind);
  if (replay->notice != NULL)
    replay->notice(replay->context, &notice);
}

static void step(struct bt_ask_replay *replay, enum bt_ask_event_kind kind) {
  tell(replay, &(struct bt_ask_event){.kind = kind});
}

void bt_ask_replay_acknowledge(struct bt_ask_replay *replay) {
  step(replay, BT_ASK_OPERATOR_ACK);
}

/* The gate is looked at again whenever an ask may come of it, and never remembered. */
static void ask_gate(struct bt_ask_replay *replay) {
  if (replay->is_supervised == NULL)
    return;
  bool supervised = replay->root != NULL && replay->is_supervised(replay->context, replay->root);
  if (supervised != replay->machine.supervised)
    tell(replay, &(struct bt_ask_event){.kind = BT_ASK_SUPERVISED, .value = supervised});
}

static bool is_acknowledged(const struct bt_ask_replay *replay) {
  for (size_t i = 0; replay->acks != NULL && i < replay->acks->count; i++) {
    if (replay->acks->ordinals[i] == replay->machine.ordinal)
      return true;
  }
  return false;
}

static void measured(struct bt_ask_replay *replay, int64_t fill) {
  if (replay->window_flag <= 0 && fill > replay->window)
    replay->window = BT_ASK_WINDOW_LARGE;
  if ((uint64_t)fill >= bt_ask_line(&replay->machine.limits, (uint64_t)replay->window))
    ask_gate(replay);
  tell(replay, &(struct bt_ask_event){.kind = BT_ASK_MEASURE, .fill = fill, .window = replay->window});
  if (bt_ask_state_of(&replay->machine) == BT_ASK_STATE_DUE && is_acknowledged(replay))
    step(replay, BT_ASK_OPERATOR_ACK);
}

/* ---- commands whose result is awaited ---- */

static size_t find_pending(const struct bt_ask_replay *replay, const char *id) {
  size_t at = 0;
  while (at < replay->pending_count && strcmp(replay->pending[at].id, id) != 0)
    at++;
  return at;
}

static void forget(struct bt_ask_replay *replay, size_t at) {
  free(replay->pending[at].id);
  replay->pending_count--;
  memmove(replay->pending + at, replay->pending + at + 1, (replay->pending_count - at) * sizeof *replay->pending);
}

static int64_t time_of(const char *text) {
  int64_t time_ms;
  return bt_time_parse_utc(text, strlen(text), &time_ms) ? time_ms : BT_TIME_UNKNOWN;
}

static enum bt_code remember(struct bt_ask_replay *replay, const char *id) {
  if (replay->pending_count == PENDING_MAX)
    forget(replay, 0); /* the oldest: its result will not come any more */
  struct bt_ask_pending *grown = realloc(replay->pending, (replay->pending_count + 1) * sizeof *grown);
  if (grown == NULL)
    return BT_NOMEM;
  replay->pending = grown;
  grown[replay->pending_count] = (struct bt_ask_pending){strdup(id), time_of(replay->last_at)};
  if (grown[replay->pending_count].id == NULL)
    return BT_NOMEM;
  replay->pending_count++;
  return BT_OK;
}

/* ---- texts ---- */

/* Decoded text in the scratch buffer; NULL when the token is no string. */
static const char *text_of(struct bt_ask_replay *replay, uint32_t token) {
  if (token == BT_TOKEN_NONE || bt_tape_type(&replay->tape, token) != BT_JSON_STRING)
    return NULL;
  bt_str_clear(&replay->text);
  bt_tape_text(&replay->tape, token, &replay->text);
  return replay->text.failed ? NULL : replay->text.data;
}

static void keep_short(char *out, size_t size, const char *text) {
  size_t length = text != NULL ? strlen(text) : 0;
  if (length > 0 && length < size)
    memcpy(out, text, length + 1);
}

/* ---- assistant records ---- */

static enum bt_code read_tool_call(struct bt_ask_replay *replay, uint32_t block) {
  const struct bt_tape *tape = &replay->tape;
  if (!bt_tape_is(tape, bt_tape_get(tape, block, "type"), "tool_use") ||
      !bt_tape_is(tape, bt_tape_get(tape, block, "name"), "Bash"))
    return BT_OK;
  const char *command = text_of(replay, bt_tape_get(tape, bt_tape_get(tape, block, "input"), "command"));
  if (command == NULL)
    return BT_OK;
  bool writes = bt_ask_settings_writes(replay->settings, command, replay->text.length);
  const char *id = text_of(replay, bt_tape_get(tape, block, "id"));
  if (id == NULL)
    return BT_OK;
  size_t at = find_pending(replay, id);
  if (at < replay->pending_count)
    forget(replay, at);
  return writes ? remember(replay, id) : BT_OK;
}

/* A figure of the usage: absent and null are 0. False: it voids the record. */
static bool add_figure(const struct bt_tape *tape, uint32_t usage, const char *key, double *sum) {
  uint32_t token = bt_tape_get(tape, usage, key);
  enum bt_json_type type = bt_tape_type(tape, token);
  double figure = 0;
  if (type == BT_JSON_ABSENT || type == BT_JSON_NULL)
    return true;
  if (!bt_tape_number(tape, token, &figure) || figure < 0 || floor(figure) != figure ||
      figure > (double)BT_ASK_TOKENS_MAX)
    return false;
  *sum += figure;
  return true;
}

static void read_usage(struct bt_ask_replay *replay, uint32_t record, uint32_t message) {
  const struct bt_tape *tape = &replay->tape;
  uint32_t usage = bt_tape_get(tape, message, "usage");
  double sum = 0;
  bool counts = bt_tape_type(tape, usage) == BT_JSON_OBJECT &&
                !bt_tape_is(tape, bt_tape_get(tape, message, "model"), "<synthetic>") &&
                !bt_tape_is_true(tape, bt_tape_get(tape, record, "isApiErrorMessage"));
  counts = counts && add_figure(tape, usage, "input_tokens", &sum) &&
           add_figure(tape, usage, "cache_creation_input_tokens", &sum) &&
           add_figure(tape, usage, "cache_read_input_tokens", &sum);
  if (counts && sum > 0 && sum <= (double)BT_ASK_TOKENS_MAX)
    measured(replay, (int64_t)sum);
}

static enum bt_code read_assistant(struct bt_ask_replay *replay, uint32_t record, uint32_t message) {
  const struct bt_tape *tape = &replay->tape;
  uint32_t content = bt_tape_get(tape, message, "content");
  if (bt_tape_type(tape, content) == BT_JSON_ARRAY) {
    for (uint32_t block = bt_tape_first(tape, content); block != BT_TOKEN_NONE;
         block = bt_tape_next(tape, content, block)) {
      enum bt_code code = read_tool_call(replay, block);
      if (code != BT_OK)
        return code;
    }
  }
  read_usage(replay, record, message);
  return BT_OK;
}

/* ---- user records ---- */

/* The first path of a handover record in a text; NULL when there is none. The caller frees it. */
static char *record_path(const char *text) {
  const char *at = text != NULL ? strstr(text, BT_HANDOVER_FOLDER "/") : NULL;
  size_t length = at != NULL ? strcspn(at, " \t\r\n\"'`<>|()") : 0;
  while (length > 0 && strchr(".,:;", at[length - 1]) != NULL)
    length--;
  return length > sizeof BT_HANDOVER_FOLDER ? strndup(at, length) : NULL;
}

/* What the command printed names its record, as it was asked to. */
static char *record_of(struct bt_ask_replay *replay, uint32_t block) {
  const struct bt_tape *tape = &replay->tape;
  uint32_t content = bt_tape_get(tape, block, "content");
  if (bt_tape_type(tape, content) != BT_JSON_ARRAY)
    return record_path(text_of(replay, content));
  char *found = NULL;
  for (uint32_t part = bt_tape_first(tape, content); found == NULL && part != BT_TOKEN_NONE;
       part = bt_tape_next(tape, content, part))
    found = record_path(text_of(replay, bt_tape_get(tape, part, "text")));
  return found;
}

/* One that cannot be kept is only shown as derived. */
static void keep_write(struct bt_ask_replay *replay, char *path, int64_t began_ms) {
  if (replay->write_count == WRITES_MAX) {
    free(replay->writes[0].path);
    memmove(replay->writes, replay->writes + 1, --replay->write_count * sizeof *replay->writes);
  }
  struct bt_ask_write *grown = realloc(replay->writes, (replay->write_count + 1) * sizeof *grown);
  if (grown == NULL) {
    free(path);
    return;
  }
  replay->writes = grown;
  grown[replay->write_count++] = (struct bt_ask_write){path, began_ms, time_of(replay->last_at)};
}

static void read_tool_result(struct bt_ask_replay *replay, uint32_t block) {
  const struct bt_tape *tape = &replay->tape;
  if (!bt_tape_is(tape, bt_tape_get(tape, block, "type"), "tool_result"))
    return;
  const char *id = text_of(replay, bt_tape_get(tape, block, "tool_use_id"));
  size_t at = id != NULL ? find_pending(replay, id) : replay->pending_count;
  if (at == replay->pending_count)
    return;
  int64_t began_ms = replay->pending[at].began_ms;
  forget(replay, at);
  bool failed = bt_tape_is_true(tape, bt_tape_get(tape, block, "is_error"));
  if (!failed)
    keep_write(replay, record_of(replay, block), began_ms);
  step(replay, failed ? BT_ASK_HANDOVER_WRITE_FAILED : BT_ASK_HANDOVER_WRITTEN);
}

static void look_for_words(const char *text, bool *clear, bool *request) {
  *clear = *clear || (text != NULL && strstr(text, CLEAR_COMMAND) != NULL);
  *request = *request || (text != NULL && strstr(text, BT_ASK_MARKER) != NULL);
}

static void read_user(struct bt_ask_replay *replay, uint32_t message) {
  const struct bt_tape *tape = &replay->tape;
  uint32_t content = bt_tape_get(tape, message, "content");
  bool clear = false, request = false;
  if (bt_tape_type(tape, content) == BT_JSON_ARRAY) {
    for (uint32_t block = bt_tape_first(tape, content); block != BT_TOKEN_NONE;
         block = bt_tape_next(tape, content, block)) {
      read_tool_result(replay, block);
      if (bt_tape_is(tape, bt_tape_get(tape, block, "type"), "text"))
        look_for_words(text_of(replay, bt_tape_get(tape, block, "text")), &clear, &request);
    }
  } else {
    look_for_words(text_of(replay, content), &clear, &request);
  }
  if (clear)
    step(replay, BT_ASK_CLEAR);
  if (request) {
    replay->request_marked = true;
    memcpy(replay->marker_at, replay->last_at, sizeof replay->marker_at);
    step(replay, BT_ASK_REQUEST_SEEN);
  }
}

/* ---- records ---- */

static enum bt_code read_head(struct bt_ask_replay *replay, uint32_t record, uint32_t message) {
  const struct bt_tape *tape = &replay->tape;
  keep_short(replay->last_at, sizeof replay->last_at, text_of(replay, bt_tape_get(tape, record, "timestamp")));
  if (replay->first_at[0] == '\0')
    memcpy(replay->first_at, replay->last_at, sizeof replay->first_at);
  const char *model = text_of(replay, bt_tape_get(tape, message, "model"));
  if (replay->window_flag <= 0 && model != NULL && strstr(model, "[1m]") != NULL)
    replay->window = BT_ASK_WINDOW_LARGE;
  if (replay->root != NULL)
    return BT_OK;
  const char *cwd = text_of(replay, bt_tape_get(tape, record, "cwd"));
  if (cwd == NULL || cwd[0] == '\0')
    return BT_OK;
  replay->root = strdup(cwd);
  if (replay->root == NULL)
    return BT_NOMEM;
  if (replay->settings != NULL)
    replay->machine.limits = bt_ask_settings_limits(replay->settings, replay->root);
  ask_gate(replay);
  return BT_OK;
}

static enum bt_code read_record(struct bt_ask_replay *replay) {
  const struct bt_tape *tape = &replay->tape;
  uint32_t message = bt_tape_get(tape, 0, "message"), type = bt_tape_get(tape, 0, "type");
  if (bt_tape_is_true(tape, bt_tape_get(tape, 0, "isSidechain")))
    return BT_OK;
  enum bt_code code = read_head(replay, 0, message);
  if (code != BT_OK)
    return code;
  if (bt_tape_is(tape, type, "assistant"))
    return read_assistant(replay, 0, message);
  if (bt_tape_is(tape, type, "user"))
    read_user(replay, message);
  else if (bt_tape_is(tape, type, "system") && bt_tape_is(tape, bt_tape_get(tape, 0, "subtype"), "compact_boundary"))
    step(replay, BT_ASK_COMPACTION);
  return BT_OK;
}

static enum bt_code on_line(void *context, const char *line, size_t length) {
  struct bt_ask_replay *replay = context;
  enum bt_code code = line != NULL ? bt_tape_parse(&replay->tape, line, length) : BT_TOO_LARGE;
  if (code == BT_NOMEM)
    return code;
  if (code == BT_OK && bt_tape_type(&replay->tape, 0) == BT_JSON_OBJECT)
    code = read_record(replay);
  else
    replay->skipped++;
  replay->lines++;
  return code == BT_NOMEM ? code : BT_OK;
}

enum bt_code bt_ask_replay_feed(struct bt_ask_replay *replay, const char *bytes, size_t length) {
  return bt_lines_feed(&replay->reader, bytes, length, on_line, replay);
}
