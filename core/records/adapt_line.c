/* core/records/adapt_line.c - the canonical line and the texts it is made of (adapt.h; spec/session-records.md 12.1).
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/records/adapt.h"
#include "core/records/store.h"

static void fail_memory(struct bt_adapt *adapt) {
  if (adapt->code == BT_OK)
    adapt->code = bt_error_set(adapt->err, BT_NOMEM, adapt->request->name, "out of memory");
}

/* A value that is no string, as compact JSON. */
static void put_json(struct bt_adapt *adapt, struct bt_str *out, uint32_t token, bool string_form) {
  struct bt_slice raw = bt_tape_raw(adapt->tape, token);
  struct bt_json *value = bt_json_parse(raw.data, raw.length, NULL);
  if (value == NULL)
    fail_memory(adapt);
  else if (string_form)
    bt_json_to_text(out, value);
  else
    bt_json_print_compact(out, value);
  bt_json_free(value);
}

void bt_adapt_first(struct bt_adapt *adapt, char **slot, uint32_t token) {
  struct bt_str text;
  if (*slot != NULL || bt_tape_type(adapt->tape, token) != BT_JSON_STRING ||
      bt_tape_raw(adapt->tape, token).length == 0)
    return;
  bt_str_init(&text, BT_ADAPT_TEXT_MAX);
  bt_tape_text(adapt->tape, token, &text);
  *slot = bt_str_take(&text, NULL);
  if (*slot == NULL)
    fail_memory(adapt);
}

void bt_adapt_stamp(struct bt_adapt *adapt, uint32_t token) {
  enum bt_json_type type = bt_tape_type(adapt->tape, token);
  bt_str_clear(&adapt->ts);
  if (type == BT_JSON_STRING)
    bt_tape_text(adapt->tape, token, &adapt->ts);
  else if (type == BT_JSON_NUMBER)
    put_json(adapt, &adapt->ts, token, true);
}

void bt_adapt_begin(struct bt_adapt *adapt) {
  bt_str_clear(&adapt->text);
}

static void separate(struct bt_adapt *adapt, const char *separator, size_t before) {
  if (before > 0 && adapt->text.length > before) { /* the part is there already: move it behind the separator */
    size_t gap = strlen(separator), part = adapt->text.length - before;
    if (!bt_str_reserve(&adapt->text, gap))
      return;
    memmove(adapt->text.data + before + gap, adapt->text.data + before, part);
    memcpy(adapt->text.data + before, separator, gap);
    adapt->text.length += gap;
    adapt->text.data[adapt->text.length] = '\0';
  }
}

void bt_adapt_part(struct bt_adapt *adapt, const char *separator, uint32_t token) {
  size_t before = adapt->text.length;
  bt_tape_text(adapt->tape, token, &adapt->text);
  separate(adapt, separator, before);
}

void bt_adapt_words(struct bt_adapt *adapt, const char *separator, const char *words) {
  size_t before = adapt->text.length;
  bt_str_puts(&adapt->text, words);
  separate(adapt, separator, before);
}

void bt_adapt_value(struct bt_adapt *adapt, const char *separator, uint32_t token) {
  size_t before = adapt->text.length;
  enum bt_json_type type = bt_tape_type(adapt->tape, token);
  if (type == BT_JSON_STRING) {
    bt_tape_text(adapt->tape, token, &adapt->text);
  } else if (type != BT_JSON_ABSENT && type != BT_JSON_NULL) {
    struct bt_str json; /* printed bytes hold no raw NUL and no half, so that they are text as well */
    bt_str_init(&json, BT_ADAPT_TEXT_MAX);
    put_json(adapt, &json, token, false);
    bt_str_append(&adapt->text, json.data, json.length);
    adapt->text.failed = adapt->text.failed || json.failed;
    bt_str_dispose(&json);
  }
  separate(adapt, separator, before);
}

/* A block of a content that holds no text. */
static const char *mark_of(const struct bt_adapt *adapt, uint32_t block) {
  uint32_t type = bt_tape_get(adapt->tape, block, "type");
  struct bt_slice word = bt_tape_raw(adapt->tape, type);
  if (bt_tape_type(adapt->tape, type) == BT_JSON_STRING) {
    static const char *const pictures[] = {"image", "input_image", "image_url"};
    static const char *const files[] = {"document", "file", "input_file", "audio", "input_audio", "video"};
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
      if (bt_slice_equals(word, pictures[i]))
        return "[image]";
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
      if (bt_slice_equals(word, files[i]))
        return "[file]";
    }
  }
  uint32_t data = bt_tape_get(adapt->tape, block, "inlineData");
  if (data == BT_TOKEN_NONE)
    data = bt_tape_get(adapt->tape, block, "fileData");
  if (data == BT_TOKEN_NONE)
    return NULL;
  struct bt_slice mime = bt_tape_raw(adapt->tape, bt_tape_get(adapt->tape, data, "mimeType"));
  return mime.length >= 6 && memcmp(mime.data, "image/", 6) == 0 ? "[image]" : "[file]";
}

void bt_adapt_content(struct bt_adapt *adapt, uint32_t content) {
  if (bt_tape_type(adapt->tape, content) == BT_JSON_STRING) {
    bt_adapt_part(adapt, "\n", content);
    return;
  }
  if (bt_tape_type(adapt->tape, content) != BT_JSON_ARRAY)
    return;
  for (uint32_t block = bt_tape_first(adapt->tape, content); block != BT_TOKEN_NONE;
       block = bt_tape_next(adapt->tape, content, block)) {
    uint32_t text = bt_tape_get(adapt->tape, block, "text");
    const char *mark = mark_of(adapt, block);
    if (bt_tape_type(adapt->tape, block) == BT_JSON_STRING)
      bt_adapt_part(adapt, "\n", block);
    else if (mark != NULL)
      bt_adapt_words(adapt, "\n", mark);
    else if (bt_tape_type(adapt->tape, text) == BT_JSON_STRING)
      bt_adapt_part(adapt, "\n", text);
    else
      adapt->report->unknown++;
  }
}

/* The tag: every unit outside A-Z a-z 0-9 a dash, the outer dashes stripped. */
static void put_thread(const struct bt_adapt *adapt, struct bt_str *thread) {
  bt_str_puts(thread, adapt->adapter->label);
  if (adapt->cwd == NULL)
    return;
  struct bt_str tag;
  size_t length = strlen(adapt->cwd);
  bt_str_init(&tag, length * 2 + 1);
  for (size_t at = 0; at < length;) {
    uint32_t c = bt_utf8_next(adapt->cwd, length, &at);
    bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    bt_str_puts(&tag, c > 0xFFFF ? "-" : "");
    bt_str_putc(&tag, good ? (char)c : '-');
  }
  size_t start = 0, end = tag.length;
  while (start < end && tag.data[start] == '-')
    start++;
  while (end > start && tag.data[end - 1] == '-')
    end--;
  if (end > start) {
    bt_str_puts(thread, "/--");
    bt_str_append(thread, tag.data + start, end - start);
    bt_str_puts(thread, "--");
  }
  thread->failed = thread->failed || tag.failed;
  bt_str_dispose(&tag);
}

static void put_member(struct bt_str *line, const char *key, const char *text, size_t length) {
  bt_str_puts(line, key);
  bt_json_print_string(line, text, length);
}

void bt_adapt_put(struct bt_adapt *adapt, const char *role, const char *kind) {
  struct bt_str *line = &adapt->line, thread;
  role = adapt->as_role != NULL ? adapt->as_role : role;
  kind = adapt->as_kind != NULL ? adapt->as_kind : kind;
  if (adapt->text.failed)
    fail_memory(adapt);
  if (adapt->code != BT_OK || bt_is_blank_w(adapt->text.data, adapt->text.length))
    return;
  bt_str_init(&thread, BT_ADAPT_TEXT_MAX);
  put_thread(adapt, &thread);
  bt_str_clear(line);
  bt_str_printf(line, "{\"seq\":%llu", (unsigned long long)adapt->report->lines);
  put_member(line, ",\"ts\":", adapt->ts.data, adapt->ts.length);
  put_member(line, ",\"harness\":", adapt->adapter->label, strlen(adapt->adapter->label));
  put_member(line, ",\"source\":", adapt->request->name, strlen(adapt->request->name));
  const char *session = adapt->session != NULL ? adapt->session : adapt->stem;
  put_member(line, ",\"session\":", session, strlen(session));
  put_member(line, ",\"thread\":", thread.data, thread.length);
  put_member(line, ",\"role\":", role, strlen(role));
  put_member(line, ",\"kind\":", kind, strlen(kind));
  put_member(line, ",\"text\":", adapt->text.data, adapt->text.length);
  bt_str_puts(line, "}\n");
  if (line->failed || thread.failed)
    fail_memory(adapt);
  else
    adapt->code = adapt->take(adapt->take_context, line->data, line->length, adapt->err);
  adapt->report->lines++;
  bt_str_dispose(&thread);
}

void bt_adapt_text(struct bt_adapt *adapt, const char *role, const char *kind, uint32_t token) {
  bt_adapt_begin(adapt);
  bt_adapt_part(adapt, "", token);
  bt_adapt_put(adapt, role, kind);
}

void bt_adapt_call(struct bt_adapt *adapt, const char *type, uint32_t type_token, uint32_t name, uint32_t arguments) {
  bt_adapt_begin(adapt);
  if (type != NULL)
    bt_adapt_words(adapt, " ", type);
  else
    bt_adapt_part(adapt, " ", type_token);
  bt_adapt_part(adapt, " ", name);
  bt_adapt_value(adapt, " ", arguments);
  bt_adapt_put(adapt, "assistant", "tool_use");
}

const char *bt_adapt_role(struct bt_adapt *adapt, uint32_t role, const char *otherwise) {
  static const char *const roles[] = {"user", "assistant", "system", "tool"};
  for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
    if (bt_tape_is(adapt->tape, role, roles[i]))
      return roles[i];
  }
  return bt_tape_is(adapt->tape, role, "developer") ? "system" : otherwise;
}

bool bt_adapt_read_json(const char *path, struct bt_str *bytes, struct bt_tape *tape) {
  bt_str_clear(bytes);
  return bt_records_read(path, bytes, NULL) == BT_OK && bt_tape_parse(tape, bytes->data, bytes->length) == BT_OK;
}
