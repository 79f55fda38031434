/* core/hook/json_edit.c - spans of text, and the blanks between them. */
#include "core/hook/json_edit.h"

#include <string.h>

#define VALUE_MAX ((size_t)1024 * 1024)

struct span {
  size_t begin, end;
};

static struct span span_of(const struct bt_tape *tape, uint32_t token) {
  const struct bt_token *t = &tape->tokens[token];
  size_t quote = t->type == BT_JSON_STRING ? 1 : 0;
  return (struct span){t->start - quote, t->start + t->length + quote};
}

/* From the first byte of an element, or of a member's key, to the last of it. */
static struct span span_of_entry(const struct bt_tape *tape, uint32_t container, uint32_t token) {
  struct span span = span_of(tape, token);
  if (bt_tape_type(tape, container) == BT_JSON_OBJECT)
    span.end = span_of(tape, token + 1).end;
  return span;
}

static uint32_t next_entry(const struct bt_tape *tape, uint32_t container, uint32_t token) {
  bool object = bt_tape_type(tape, container) == BT_JSON_OBJECT;
  return bt_tape_next(tape, container, object ? token + 1 : token);
}

static uint32_t last_entry(const struct bt_tape *tape, uint32_t container) {
  uint32_t last = BT_TOKEN_NONE;
  for (uint32_t at = bt_tape_first(tape, container); at != BT_TOKEN_NONE; at = next_entry(tape, container, at))
    last = at;
  return last;
}

/* The blanks at the start of the line that `at` is on. */
static struct bt_slice indent_at(const char *bytes, size_t at) {
  while (at > 0 && bytes[at - 1] != '\n')
    at--;
  size_t length = 0;
  while (bytes[at + length] == ' ' || bytes[at + length] == '\t')
    length++;
  return (struct bt_slice){.data = bytes + at, .length = length};
}

struct style {
  struct bt_slice indent; /* of one level */
  const char *newline;
  bool one_line; /* the whole document is */
};

/* One level is what the first member of the document is indented by. */
static struct style style_of(const struct bt_tape *tape) {
  struct span root = span_of(tape, 0);
  const char *text = tape->bytes + root.begin;
  const char *line_end = memchr(text, '\n', root.end - root.begin);
  struct style style = {.indent = {.data = "  ", .length = 2}, .newline = "\n"};
  uint32_t first = bt_tape_first(tape, 0);
  if (first != BT_TOKEN_NONE && line_end == NULL)
    style.one_line = true;
  if (line_end != NULL && line_end > text && line_end[-1] == '\r')
    style.newline = "\r\n";
  if (first != BT_TOKEN_NONE && line_end != NULL) {
    struct bt_slice indent = indent_at(tape->bytes, span_of(tape, first).begin);
    if (indent.length > 0 && indent.data + indent.length == tape->bytes + span_of(tape, first).begin)
      style.indent = indent;
  }
  return style;
}

static void put_indent(struct bt_str *out, const struct style *style, struct bt_slice base, size_t levels) {
  bt_str_puts(out, style->newline);
  bt_str_append(out, base.data, base.length);
  for (size_t i = 0; i < levels; i++)
    bt_str_append(out, style->indent.data, style->indent.length);
}

/* The value as its neighbours would be printed; `base` is the indentation of its first line. */
static void put_value(struct bt_str *out, const struct style *style, struct bt_slice base,
                      const struct bt_json *value) {
  struct bt_str text;
  bt_str_init(&text, VALUE_MAX);
  bt_json_print_pretty(&text, value);
  for (const char *at = text.data; *at != '\0';) {
    size_t blanks = strspn(at, " "), length = strcspn(at + blanks, "\n");
    if (at > text.data && style->one_line)
      bt_str_puts(out, at[blanks] == '}' || at[blanks] == ']' || out->data[out->length - 1] != ',' ? "" : " ");
    else if (at > text.data)
      put_indent(out, style, base, blanks / 2);
    bt_str_append(out, at + blanks, length);
    at += blanks + length;
    at += *at == '\n';
  }
  out->failed |= text.failed;
  bt_str_dispose(&text);
}

static void put_entry(struct bt_str *out, const struct style *style, struct bt_slice base, const char *key,
                      const struct bt_json *value) {
  if (key != NULL) {
    bt_json_print_string(out, key, strlen(key));
    bt_str_puts(out, ": ");
  }
  put_value(out, style, base, value);
}

void bt_json_edit_insert(struct bt_str *out, const struct bt_tape *tape, uint32_t container, const char *key,
                         const struct bt_json *value) {
  const char *bytes = tape->bytes;
  struct style style = style_of(tape);
  struct span whole = span_of(tape, container);
  uint32_t last = last_entry(tape, container);
  size_t document_end = span_of(tape, 0).end;
  while (bytes[document_end] != '\0')
    document_end++;
  if (last != BT_TOKEN_NONE) {
    size_t end = span_of_entry(tape, container, last).end;
    size_t last_begin = span_of(tape, last).begin;
    struct bt_slice indent = indent_at(bytes, last_begin);
    bool own_line = indent.data + indent.length == bytes + last_begin;
    bt_str_append(out, bytes, end);
    bt_str_putc(out, ',');
    if (own_line && !style.one_line)
      put_indent(out, &style, indent, 0);
    else
      bt_str_putc(out, ' ');
    put_entry(out, &style, indent, key, value);
    bt_str_append(out, bytes + end, document_end - end);
    return;
  }
  struct bt_slice outer = indent_at(bytes, whole.begin);
  struct bt_str inner;
  bt_str_init(&inner, VALUE_MAX);
  bt_str_append(&inner, outer.data, outer.length);
  bt_str_append(&inner, style.indent.data, style.indent.length);
  bt_str_append(out, bytes, whole.begin + 1);
  if (!style.one_line)
    put_indent(out, &style, outer, 1);
  put_entry(out, &style, (struct bt_slice){.data = inner.data, .length = inner.length}, key, value);
  if (!style.one_line)
    put_indent(out, &style, outer, 0);
  bt_str_append(out, bytes + whole.end - 1, document_end - (whole.end - 1));
  out->failed |= inner.failed;
  bt_str_dispose(&inner);
}

void bt_json_edit_remove(struct bt_str *out, const struct bt_tape *tape, uint32_t container, uint32_t token) {
  const char *bytes = tape->bytes;
  struct span whole = span_of(tape, container), cut = span_of_entry(tape, container, token);
  uint32_t before = BT_TOKEN_NONE, after = next_entry(tape, container, token);
  for (uint32_t at = bt_tape_first(tape, container); at != token; at = next_entry(tape, container, at))
    before = at;
  if (after != BT_TOKEN_NONE) {
    cut.end = span_of(tape, after).begin;
  } else if (before != BT_TOKEN_NONE) {
    cut.begin = span_of_entry(tape, container, before).end;
  } else {
    cut.begin = whole.begin + 1;
    cut.end = whole.end - 1;
  }
  bt_str_append(out, bytes, cut.begin);
  bt_str_puts(out, bytes + cut.end);
}
