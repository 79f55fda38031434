/* core/harness/tail.c - see tail.h. */
#include "core/harness/tail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/str.h"
#include "core/base/tape.h"
#include "core/base/utf8.h"
#include "core/harness/read_at.h"
#include "core/harness/take.h"
#include "core/harness/tree.h"

#define DOCUMENT_MAX ((size_t)8 << 20) /* a conversation in one document is read whole, up to this */

struct gather {
  struct bt_arena *arena;
  const struct bt_tape *tape;
  struct bt_tail_entry *ring; /* BT_TAIL_ENTRIES, the latest */
  uint64_t *ids;              /* of the messages that these are of; 0: none that matters */
  size_t seen;
  uint64_t id;     /* of the message under way */
  int64_t time_ms; /* of the record under way */
  bool failed;
};

/* Bytes of `text` that are kept, at a character boundary. */
static size_t kept_bytes(struct bt_slice text) {
  size_t keep = text.length < BT_TAIL_TEXT_BYTES ? text.length : BT_TAIL_TEXT_BYTES;
  while (keep > 0 && keep < text.length && ((unsigned char)text.data[keep] & 0xC0) == 0x80)
    keep--;
  return keep;
}

static void add(struct gather *gather, enum bt_tail_kind kind, const char *name, struct bt_slice text) {
  struct bt_tail_entry *entry = &gather->ring[gather->seen % BT_TAIL_ENTRIES];
  text = bt_trim_w(text.data, text.length);
  size_t keep = kept_bytes(text);
  char *copy = keep < text.length
                   ? bt_arena_printf(gather->arena, "%.*s\n[%zu more bytes]", (int)keep, text.data, text.length - keep)
                   : bt_arena_strndup(gather->arena, text.data, text.length);
  const char *owned = bt_arena_strdup(gather->arena, name);
  gather->failed |= !copy || (name && !owned);
  *entry = (struct bt_tail_entry){kind, gather->time_ms, owned, copy, copy ? strlen(copy) : 0};
  gather->ids[gather->seen++ % BT_TAIL_ENTRIES] = gather->id;
}

static void add_token(struct gather *gather, enum bt_tail_kind kind, const char *name, uint32_t token) {
  struct bt_str text;
  bt_str_init(&text, DOCUMENT_MAX * 3);
  if (bt_tape_type(gather->tape, token) == BT_JSON_STRING) {
    bt_take_text(gather->tape, token, &text);
  } else if (token != BT_TOKEN_NONE) { /* arguments and the like: as they are written */
    struct bt_slice raw = bt_tape_raw(gather->tape, token);
    bt_utf8_decode8(&text, raw.data, raw.length);
  }
  if (text.length || kind == BT_TAIL_CALL)
    add(gather, kind, name, (struct bt_slice){text.data, text.length});
  gather->failed |= text.failed;
  bt_str_dispose(&text);
}

static void add_call(struct gather *gather, uint32_t name, uint32_t arguments) {
  struct bt_str text;
  bt_str_init(&text, 65536);
  bt_take_text(gather->tape, name, &text);
  add_token(gather, BT_TAIL_CALL, text.length ? text.data : "?", arguments);
  bt_str_dispose(&text);
}

static uint32_t field(const struct gather *gather, uint32_t object, const char *key) {
  return bt_tape_get(gather->tape, object, key);
}

static bool is(const struct gather *gather, uint32_t object, const char *key, const char *word) {
  return bt_tape_is(gather->tape, field(gather, object, key), word);
}

/* The blocks of a message's content, in any of the shapes that the formats use. */
static void add_content(struct gather *gather, enum bt_tail_kind said, uint32_t content) {
  const struct bt_tape *tape = gather->tape;
  if (bt_tape_type(tape, content) == BT_JSON_STRING) {
    add_token(gather, said, NULL, content);
    return;
  }
  if (bt_tape_type(tape, content) != BT_JSON_ARRAY)
    return;
  for (uint32_t block = bt_tape_first(tape, content); block != BT_TOKEN_NONE;
       block = bt_tape_next(tape, content, block)) {
    if (is(gather, block, "type", "tool_use") || is(gather, block, "type", "toolCall")) {
      uint32_t input = field(gather, block, "input");
      add_call(gather, field(gather, block, "name"),
               input != BT_TOKEN_NONE ? input : field(gather, block, "arguments"));
    } else if (is(gather, block, "type", "tool_result")) {
      add_content(gather, BT_TAIL_RESULT, field(gather, block, "content"));
    } else if (is(gather, block, "type", "tool")) {
      uint32_t state = field(gather, block, "state"), output = field(gather, state, "output");
      add_call(gather, field(gather, block, "tool"), field(gather, state, "input"));
      if (output != BT_TOKEN_NONE)
        add_token(gather, BT_TAIL_RESULT, NULL, output);
    } else if (field(gather, block, "text") != BT_TOKEN_NONE && !is(gather, block, "type", "thinking")) {
      add_token(gather, said, NULL, field(gather, block, "text"));
    }
  }
}

/* ---- formats ---- */

static void take_codex(struct gather *gather, uint32_t payload) {
  if (is(gather, payload, "type", "message")) {
    if (!is(gather, payload, "role", "developer"))
      add_content(gather, is(gather, payload, "role", "user") ? BT_TAIL_PROMPT : BT_TAIL_REPLY,
                  field(gather, payload, "content"));
  } else if (is(gather, payload, "type", "function_call") || is(gather, payload, "type", "custom_tool_call")) {
    uint32_t arguments = field(gather, payload, "arguments");
    add_call(gather, field(gather, payload, "name"),
             arguments != BT_TOKEN_NONE ? arguments : field(gather, payload, "input"));
  } else if (is(gather, payload, "type", "local_shell_call")) {
    add_token(gather, BT_TAIL_CALL, "local_shell", field(gather, payload, "action"));
  } else if (field(gather, payload, "output") != BT_TOKEN_NONE) {
    add_token(gather, BT_TAIL_RESULT, NULL, field(gather, payload, "output"));
  }
}

static void take_message(struct gather *gather, uint32_t message, uint32_t role) {
  const struct bt_tape *tape = gather->tape;
  enum bt_tail_kind kind = bt_tape_is(tape, role, "user")                                            ? BT_TAIL_PROMPT
                           : bt_tape_is(tape, role, "toolResult")                                    ? BT_TAIL_RESULT
                           : bt_tape_is(tape, role, "assistant") || bt_tape_is(tape, role, "gemini") ? BT_TAIL_REPLY
                                                                                                     : BT_TAIL_NOTE;
  add_content(gather, kind, field(gather, message, "content"));
  uint32_t calls = field(gather, message, "toolCalls");
  if (bt_tape_type(tape, calls) == BT_JSON_ARRAY)
    for (uint32_t call = bt_tape_first(tape, calls); call != BT_TOKEN_NONE; call = bt_tape_next(tape, calls, call))
      add_call(gather, field(gather, call, "name"), field(gather, call, "args"));
}

static void take_time(struct gather *gather, uint32_t token) {
  gather->time_ms = bt_take_time(gather->tape, token);
}

/* ---- Gemini: messages that are written again, or taken back ---- */

/* Turns the ring so that it begins with the oldest entry; returns how many there are. */
static size_t straighten(struct gather *gather) {
  size_t count = gather->seen < BT_TAIL_ENTRIES ? gather->seen : BT_TAIL_ENTRIES, from = gather->seen - count;
  struct bt_tail_entry entries[BT_TAIL_ENTRIES];
  uint64_t ids[BT_TAIL_ENTRIES];
  for (size_t i = 0; i < count; i++) {
    entries[i] = gather->ring[(from + i) % BT_TAIL_ENTRIES];
    ids[i] = gather->ids[(from + i) % BT_TAIL_ENTRIES];
  }
  memcpy(gather->ring, entries, count * sizeof *entries);
  memcpy(gather->ids, ids, count * sizeof *ids);
  gather->seen = count;
  return count;
}

/* Index of the first entry of that message in a straight ring; `count`: it has none. */
static size_t first_of(const struct gather *gather, uint64_t id, size_t count) {
  size_t at = 0;
  while (at < count && (id == 0 || gather->ids[at] != id))
    at++;
  return at;
}

/* A message with the id of an earlier one stands in its place. */
static void take_gemini(struct gather *gather, uint32_t message) {
  uint64_t id = bt_take_id(gather->tape, field(gather, message, "id"));
  size_t count = straighten(gather), at = first_of(gather, id, count), later = at;
  struct bt_tail_entry entries[BT_TAIL_ENTRIES];
  uint64_t ids[BT_TAIL_ENTRIES];
  while (later < count && gather->ids[later] == id)
    later++;
  memcpy(entries, gather->ring + later, (count - later) * sizeof *entries);
  memcpy(ids, gather->ids + later, (count - later) * sizeof *ids);
  gather->seen = at;
  gather->id = id;
  take_message(gather, message, field(gather, message, "type"));
  gather->id = 0;
  for (size_t i = 0; i < count - later; i++) {
    gather->ring[gather->seen % BT_TAIL_ENTRIES] = entries[i];
    gather->ids[gather->seen++ % BT_TAIL_ENTRIES] = ids[i];
  }
}

/* To a message, which goes too; one that is not there, or lies before the part that was read, takes everything along.
 */
static void rewind_to(struct gather *gather, uint32_t to) {
  size_t count = straighten(gather), at = first_of(gather, bt_take_id(gather->tape, to), count);
  gather->seen = at < count ? at : 0;
}

static void set_messages(struct gather *gather, uint32_t messages) {
  const struct bt_tape *tape = gather->tape;
  if (bt_tape_type(tape, messages) != BT_JSON_ARRAY)
    return;
  gather->seen = 0;
  for (uint32_t message = bt_tape_first(tape, messages); message != BT_TOKEN_NONE;
       message = bt_tape_next(tape, messages, message)) {
    take_time(gather, field(gather, message, "timestamp"));
    take_gemini(gather, message);
  }
}

static void take_record(struct gather *gather) {
  uint32_t payload = field(gather, 0, "payload"), message = field(gather, 0, "message");
  take_time(gather, field(gather, 0, "timestamp"));
  if (bt_tape_type(gather->tape, payload) == BT_JSON_OBJECT) {
    if (is(gather, 0, "type", "response_item"))
      take_codex(gather, payload);
    else if (is(gather, 0, "type", "compacted"))
      add(gather, BT_TAIL_NOTE, "compacted", (struct bt_slice){"the history so far was replaced", 31});
  } else if (is(gather, 0, "subtype", "compact_boundary")) {
    add(gather, BT_TAIL_NOTE, "compacted", (struct bt_slice){"the history so far was replaced", 31});
  } else if (bt_tape_type(gather->tape, message) == BT_JSON_OBJECT) { /* Claude Code, pi */
    if (!bt_tape_is_true(gather->tape, field(gather, 0, "isSidechain")) &&
        !bt_tape_is_true(gather->tape, field(gather, 0, "isMeta")))
      take_message(gather, message,
                   field(gather, message, "role") != BT_TOKEN_NONE ? field(gather, message, "role")
                                                                   : field(gather, 0, "type"));
  } else if (is(gather, 0, "type", "message") || is(gather, 0, "type", "function_call") ||
             is(gather, 0, "type", "function_call_output")) {
    take_codex(gather, 0); /* the oldest, flat rollouts */
  } else if (is(gather, 0, "type", "user") || is(gather, 0, "type", "gemini") || is(gather, 0, "type", "error") ||
             is(gather, 0, "type", "info")) {
    take_gemini(gather, 0);
  } else if (field(gather, 0, "$rewindTo") != BT_TOKEN_NONE) {
    rewind_to(gather, field(gather, 0, "$rewindTo"));
  } else if (field(gather, 0, "$set") != BT_TOKEN_NONE) {
    set_messages(gather, field(gather, field(gather, 0, "$set"), "messages"));
  }
}

/* One document: {info, messages: [{info, parts}]}, or {sessionId, messages: […]}. */
static void take_document(struct gather *gather) {
  const struct bt_tape *tape = gather->tape;
  uint32_t messages = field(gather, 0, "messages");
  if (bt_tape_type(tape, messages) != BT_JSON_ARRAY)
    return;
  for (uint32_t message = bt_tape_first(tape, messages); message != BT_TOKEN_NONE;
       message = bt_tape_next(tape, messages, message)) {
    uint32_t info = field(gather, message, "info");
    if (info != BT_TOKEN_NONE) {
      take_time(gather, field(gather, field(gather, info, "time"), "created"));
      add_content(gather, is(gather, info, "role", "user") ? BT_TAIL_PROMPT : BT_TAIL_REPLY,
                  field(gather, message, "parts"));
    } else {
      take_time(gather, field(gather, message, "timestamp"));
      take_message(gather, message, field(gather, message, "type"));
    }
  }
}

/* ---- the file ---- */

static enum bt_code gather_lines(struct gather *gather, struct bt_tape *tape, const char *bytes, size_t length) {
  for (size_t at = 0; at < length;) {
    const char *lf = memchr(bytes + at, '\n', length - at);
    size_t end = lf ? (size_t)(lf - bytes) : length;
    enum bt_code code = bt_tape_parse(tape, bytes + at, end - at);
    if (code == BT_NOMEM || gather->failed)
      return BT_NOMEM;
    if (code == BT_OK && bt_tape_type(tape, 0) == BT_JSON_OBJECT) {
      if (bt_tape_get(tape, 0, "messages") != BT_TOKEN_NONE)
        take_document(gather);
      else
        take_record(gather);
    }
    at = end + 1;
  }
  return gather->failed ? BT_NOMEM : BT_OK;
}

static enum bt_code gather_file(struct gather *gather, int fd, int64_t size) {
  struct bt_tape tape;
  size_t window = size > (int64_t)DOCUMENT_MAX ? BT_TAIL_WINDOW : (size_t)size;
  char *bytes = malloc(window + 1);
  enum bt_code code = BT_NOMEM;
  bt_tape_init(&tape);
  gather->tape = &tape;
  ssize_t got = bytes ? bt_read_at(fd, bytes, window, (uint64_t)(size - (int64_t)window)) : -1;
  if (got >= 0) {
    size_t length = (size_t)got, from = length > BT_TAIL_WINDOW ? length - BT_TAIL_WINDOW : 0;
    bool cut = from > 0 || size > (int64_t)window;
    const char *lf = cut ? memchr(bytes + from, '\n', length - from) : NULL;
    from = !cut ? 0 : lf ? (size_t)(lf - bytes) + 1 : length;
    code = gather_lines(gather, &tape, bytes + from, length - from);
    if (code == BT_OK && gather->seen == 0 && size <= (int64_t)DOCUMENT_MAX &&
        bt_tape_parse(&tape, bytes, length) == BT_OK)
      take_document(gather);
  }
  bt_tape_dispose(&tape);
  free(bytes);
  return gather->failed ? BT_NOMEM : code;
}

/* A session of OpenCode's tree: its messages lie in files of their own. */
static enum bt_code gather_tree(struct gather *gather, const char *path, struct bt_error *err) {
  struct bt_tape tape;
  struct bt_str document;
  bt_tape_init(&tape);
  bt_str_init(&document, DOCUMENT_MAX * 8);
  gather->tape = &tape;
  enum bt_code code = bt_tree_last_messages(path, BT_TAIL_ENTRIES, &document, err);
  if (code == BT_OK)
    code = bt_tape_parse(&tape, document.data, document.length);
  if (code == BT_OK)
    take_document(gather);
  bt_tape_dispose(&tape);
  bt_str_dispose(&document);
  return gather->failed ? BT_NOMEM : code;
}

/* `bytes`: the path as the system knows it; `path`: as it is shown. */
static enum bt_code gather_path(struct gather *gather, const char *bytes, const char *path, struct bt_error *err) {
  struct stat st;
  if (bt_tree_is(bytes)) {
    enum bt_code code = gather_tree(gather, bytes, err);
    if (code != BT_OK || gather->seen)
      return code;
  }
  int fd = open(bytes, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    return bt_error_set_errno(err, errno, path, "cannot open the transcript");
  enum bt_code code = fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)
                          ? bt_error_set(err, BT_UNSAFE, path, "not a regular file")
                          : gather_file(gather, fd, (int64_t)st.st_size);
  close(fd);
  return code;
}

enum bt_code bt_tail_read(struct bt_tail *tail, struct bt_arena *arena, const char *path, struct bt_error *err) {
  struct gather gather = {.arena = arena,
                          .ring = BT_ARENA_ARRAY(arena, struct bt_tail_entry, BT_TAIL_ENTRIES),
                          .ids = BT_ARENA_ARRAY(arena, uint64_t, BT_TAIL_ENTRIES)};
  struct bt_tail_entry *entries = BT_ARENA_ARRAY(arena, struct bt_tail_entry, BT_TAIL_ENTRIES);
  struct bt_str bytes;
  *tail = (struct bt_tail){entries, 0};
  if (!gather.ring || !gather.ids || !entries)
    return bt_error_set(err, BT_NOMEM, path, "out of memory");
  bt_str_init(&bytes, 65536);
  bt_utf8_encode8(&bytes, path, strlen(path));
  enum bt_code code = bytes.failed ? BT_NOMEM : gather_path(&gather, bytes.data, path, err);
  bt_str_dispose(&bytes);
  if (code == BT_NOMEM)
    return bt_error_set(err, BT_NOMEM, path, "out of memory");
  tail->count = gather.seen < BT_TAIL_ENTRIES ? gather.seen : BT_TAIL_ENTRIES;
  for (size_t i = 0; i < tail->count; i++)
    entries[i] = gather.ring[(gather.seen - tail->count + i) % BT_TAIL_ENTRIES];
  return code;
}
