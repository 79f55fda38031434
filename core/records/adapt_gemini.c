/* core/records/adapt_gemini.c - Gemini CLI, both forms (adapt.h; spec/session-records.md 12.4). */
#include <stdlib.h>
#include <string.h>

#include "core/base/fs.h"
#include "core/base/hashset.h"
#include "core/base/utf8.h"
#include "core/records/adapt.h"
#include "core/records/store.h"

#define ROOT_FILE_MAX 65536

struct seen {           /* what is out of one message */
  uint64_t id, content; /* hashes; content 0: none */
  size_t thoughts;
};

struct state {
  struct seen *messages;
  size_t count, capacity;
  struct bt_hashset ids, calls, results;
  bool failed;
};

static void fail_memory(struct bt_adapt *adapt) {
  adapt->code = bt_error_set(adapt->err, BT_NOMEM, adapt->request->name, "out of memory");
}

/* The working folder: the text of .project_root beside the folder `chats`. */
static void read_root(struct bt_adapt *adapt) {
  struct bt_str path, bytes, text;
  bt_str_init(&path, ROOT_FILE_MAX);
  bt_str_init(&bytes, ROOT_FILE_MAX);
  bt_str_init(&text, ROOT_FILE_MAX * 3);
  const char *slash = strrchr(adapt->request->path, '/');
  bt_str_append(&path, adapt->request->path, slash != NULL ? (size_t)(slash - adapt->request->path) : 0);
  bt_str_puts(&path, slash != NULL ? "/../.project_root" : "../.project_root");
  if (!path.failed && bt_records_read(path.data, &bytes, NULL) == BT_OK) {
    bt_utf8_decode8(&text, bytes.data, bytes.length);
    struct bt_slice root = bt_trim_w(text.data, text.length);
    adapt->cwd = root.length > 0 ? strndup(root.data, root.length) : NULL;
  }
  bt_str_dispose(&path);
  bt_str_dispose(&bytes);
  bt_str_dispose(&text);
}

static void begin(struct bt_adapt *adapt) {
  struct state *state = calloc(1, sizeof *state);
  adapt->state = state;
  if (state == NULL) {
    fail_memory(adapt);
    return;
  }
  bt_hashset_init(&state->ids);
  bt_hashset_init(&state->calls);
  bt_hashset_init(&state->results);
  read_root(adapt);
}

static void end(struct bt_adapt *adapt) {
  struct state *state = adapt->state;
  if (state == NULL)
    return;
  bt_hashset_dispose(&state->ids);
  bt_hashset_dispose(&state->calls);
  bt_hashset_dispose(&state->results);
  free(state->messages);
  free(state);
}

static uint64_t hash_of(const struct bt_tape *tape, uint32_t token) {
  struct bt_slice raw = bt_tape_raw(tape, token);
  return bt_id_hash(raw.data, raw.length);
}

/* What is out of this message; NULL: out of memory. A message without an id is always a new one. */
static struct seen *seen_of(struct bt_adapt *adapt, uint32_t id) {
  struct state *state = adapt->state;
  bool has_id = bt_tape_type(adapt->tape, id) == BT_JSON_STRING;
  uint64_t hash = has_id ? hash_of(adapt->tape, id) : 0;
  if (has_id && !bt_hashset_add(&state->ids, hash, &state->failed)) {
    for (size_t i = state->count; i > 0; i--) {
      if (state->messages[i - 1].id == hash)
        return &state->messages[i - 1];
    }
  }
  if (state->count == state->capacity) {
    size_t capacity = state->capacity > 0 ? state->capacity * 2 : 64;
    struct seen *grown = realloc(state->messages, capacity * sizeof *grown);
    if (grown == NULL)
      return NULL;
    state->messages = grown;
    state->capacity = capacity;
  }
  state->messages[state->count] = (struct seen){.id = hash};
  return &state->messages[state->count++];
}

static void put_thoughts(struct bt_adapt *adapt, uint32_t list, struct seen *seen) {
  const struct bt_tape *tape = adapt->tape;
  size_t index = 0;
  if (bt_tape_type(tape, list) != BT_JSON_ARRAY)
    return;
  for (uint32_t thought = bt_tape_first(tape, list); thought != BT_TOKEN_NONE;
       thought = bt_tape_next(tape, list, thought)) {
    if (index++ < seen->thoughts)
      continue;
    bt_adapt_begin(adapt);
    bt_adapt_part(adapt, "", bt_tape_get(tape, thought, "subject"));
    bt_adapt_part(adapt, "\n", bt_tape_get(tape, thought, "description"));
    bt_adapt_put(adapt, "assistant", "thinking");
    seen->thoughts = index;
  }
}

static void put_content(struct bt_adapt *adapt, uint32_t content, struct seen *seen, const char *role,
                        const char *kind) {
  bt_adapt_begin(adapt);
  bt_adapt_content(adapt, content);
  uint64_t hash = bt_id_hash(adapt->text.data, adapt->text.length);
  if (hash != seen->content)
    bt_adapt_put(adapt, role, kind);
  if (!bt_is_blank_w(adapt->text.data, adapt->text.length))
    seen->content = hash;
}

static void put_result(struct bt_adapt *adapt, uint32_t call) {
  const struct bt_tape *tape = adapt->tape;
  uint32_t list = bt_tape_get(tape, call, "result");
  static const char *const keys[] = {"output", "error"};
  bt_adapt_begin(adapt);
  for (size_t k = 0; k < 2 && adapt->text.length == 0 && bt_tape_type(tape, list) == BT_JSON_ARRAY; k++) {
    for (uint32_t entry = bt_tape_first(tape, list); entry != BT_TOKEN_NONE; entry = bt_tape_next(tape, list, entry)) {
      uint32_t response = bt_tape_get(tape, bt_tape_get(tape, entry, "functionResponse"), "response");
      bt_adapt_value(adapt, "\n", bt_tape_get(tape, response, keys[k]));
    }
  }
  bt_adapt_put(adapt, "tool", "tool_result");
}

static bool is_settled(const struct bt_tape *tape, uint32_t call) {
  uint32_t status = bt_tape_get(tape, call, "status");
  return bt_tape_is(tape, status, "success") || bt_tape_is(tape, status, "error") ||
         bt_tape_is(tape, status, "cancelled");
}

static void put_calls(struct bt_adapt *adapt, uint32_t list, const struct seen *seen) {
  const struct bt_tape *tape = adapt->tape;
  struct state *state = adapt->state;
  uint64_t index = 0;
  if (bt_tape_type(tape, list) != BT_JSON_ARRAY)
    return;
  for (uint32_t call = bt_tape_first(tape, list); call != BT_TOKEN_NONE; call = bt_tape_next(tape, list, call)) {
    uint32_t id = bt_tape_get(tape, call, "id");
    uint64_t parts[2] = {seen->id != 0 ? seen->id : state->count,
                         bt_tape_type(tape, id) == BT_JSON_STRING ? hash_of(tape, id) : index};
    uint64_t key = bt_id_hash((const char *)parts, sizeof parts);
    index++;
    if (bt_hashset_add(&state->calls, key, &state->failed))
      bt_adapt_call(adapt, "tool_use", BT_TOKEN_NONE, bt_tape_get(tape, call, "name"), bt_tape_get(tape, call, "args"));
    uint64_t lines = adapt->report->lines;
    if (is_settled(tape, call) && !bt_hashset_has(&state->results, key))
      put_result(adapt, call);
    if (adapt->report->lines > lines) /* a result without words may get some later */
      (void)bt_hashset_add(&state->results, key, &state->failed);
  }
}

static void put_message(struct bt_adapt *adapt, uint32_t message) {
  const struct bt_tape *tape = adapt->tape;
  uint32_t type = bt_tape_get(tape, message, "type"), content = bt_tape_get(tape, message, "content");
  struct seen *seen = seen_of(adapt, bt_tape_get(tape, message, "id"));
  if (seen == NULL) {
    fail_memory(adapt);
    return;
  }
  bt_adapt_stamp(adapt, bt_tape_get(tape, message, "timestamp"));
  if (bt_tape_is(tape, type, "user")) {
    put_content(adapt, content, seen, "user", "text");
  } else if (bt_tape_is(tape, type, "gemini")) {
    bt_adapt_first(adapt, &adapt->model, bt_tape_get(tape, message, "model"));
    put_thoughts(adapt, bt_tape_get(tape, message, "thoughts"), seen);
    put_content(adapt, content, seen, "assistant", "text");
    put_calls(adapt, bt_tape_get(tape, message, "toolCalls"), seen);
  } else if (bt_tape_is(tape, type, "info") || bt_tape_is(tape, type, "warning") || bt_tape_is(tape, type, "error")) {
    put_content(adapt, content, seen, "system", "meta");
  } else {
    adapt->report->unknown++;
  }
  if (((struct state *)adapt->state)->failed)
    fail_memory(adapt);
}

static void put_record(struct bt_adapt *adapt, uint32_t root) {
  const struct bt_tape *tape = adapt->tape;
  uint32_t rewind = bt_tape_get(tape, root, "$rewindTo");
  bt_adapt_first(adapt, &adapt->session, bt_tape_get(tape, root, "sessionId"));
  if (rewind != BT_TOKEN_NONE) {
    bt_adapt_stamp(adapt, bt_tape_get(tape, root, "timestamp"));
    bt_adapt_begin(adapt);
    bt_adapt_words(adapt, "", "[rewound to ");
    bt_adapt_value(adapt, "", rewind);
    bt_adapt_words(adapt, "", "]");
    bt_adapt_put(adapt, "system", "meta");
  } else if (bt_tape_get(tape, root, "type") != BT_TOKEN_NONE) {
    put_message(adapt, root);
  } else if (bt_tape_get(tape, root, "$set") == BT_TOKEN_NONE &&
             bt_tape_get(tape, root, "sessionId") == BT_TOKEN_NONE) {
    adapt->report->unknown++;
  }
}

/* The older form is rewritten as a whole: its last message may still change. */
static void put_document(struct bt_adapt *adapt, uint32_t root) {
  const struct bt_tape *tape = adapt->tape;
  uint32_t list = bt_tape_get(tape, root, "messages");
  bt_adapt_first(adapt, &adapt->session, bt_tape_get(tape, root, "sessionId"));
  if (bt_tape_type(tape, list) != BT_JSON_ARRAY)
    return;
  for (uint32_t message = bt_tape_first(tape, list); message != BT_TOKEN_NONE && adapt->code == BT_OK;) {
    uint32_t next = bt_tape_next(tape, list, message);
    if (next == BT_TOKEN_NONE && !adapt->request->is_over)
      adapt->report->left_last = true;
    else
      put_message(adapt, message);
    message = next;
  }
}

static bool is_document(const struct bt_adapt_request *request, const char *head, size_t length) {
  (void)head, (void)length;
  return bt_ends_with(request->name, ".json");
}

const struct bt_adapter bt_adapter_gemini = {.label = "gemini-cli",
                                             .record = put_record,
                                             .document = put_document,
                                             .is_document = is_document,
                                             .begin = begin,
                                             .end = end};
