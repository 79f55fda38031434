/* core/handover/policy.c - lines of a policy file. */
#include "core/handover/policy.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/fs.h"
#include "core/base/utf8.h"

#define SWITCH "handover_on_fill"

struct key_line {
  struct bt_slice key, value;
};

struct policy_reader {
  const char *fault;           /* met while reading downwards; ends it */
  bool any_content, any_start; /* a line of content, a `---` */
  bool in_block;               /* inside block text */
  size_t block_indent;         /* of the key that began it */
  bool in_session;
  size_t child_indent; /* 0: no child yet */
  unsigned sessions, switches;
  bool is_true, last_is_switch; /* the switch said `true`; nothing stands deeper below it so far */
};

/* ---- one line ---- */

static bool is_gap(char byte) {
  return byte == ' ' || byte == '\t';
}

static size_t spaces_of(struct bt_slice line) {
  size_t count = 0;
  while (count < line.length && line.data[count] == ' ')
    count++;
  return count;
}

static bool is_empty(struct bt_slice line) {
  for (size_t i = 0; i < line.length; i++) {
    if (!is_gap(line.data[i]))
      return false;
  }
  return true;
}

static struct bt_slice trim(struct bt_slice text) {
  while (text.length > 0 && is_gap(text.data[0])) {
    text.data++;
    text.length--;
  }
  while (text.length > 0 && is_gap(text.data[text.length - 1]))
    text.length--;
  return text;
}

/* Without a comment, which begins with a `#` at the start or after a blank. */
static struct bt_slice uncomment(struct bt_slice text) {
  for (size_t i = 0; i < text.length; i++) {
    if (text.data[i] == '#' && (i == 0 || is_gap(text.data[i - 1]))) {
      text.length = i;
      break;
    }
  }
  return trim(text);
}

/* `KEY:` or `KEY: VALUE` with a plain key. `line` has no indentation any more. */
static bool read_key_line(struct bt_slice line, struct key_line *out) {
  static const char indicators[] = "-?:,[]{}#&*!|>'\"%@`";
  size_t colon = 0;
  if (line.length == 0 || strchr(indicators, line.data[0]) != NULL)
    return false;
  for (; colon < line.length; colon++) {
    char byte = line.data[colon];
    if (byte == '"' || byte == '\'' || (byte == '#' && is_gap(line.data[colon - 1])))
      return false;
    if (byte == ':' && (colon + 1 == line.length || is_gap(line.data[colon + 1])))
      break;
  }
  if (colon == line.length)
    return false;
  out->key = (struct bt_slice){line.data, colon};
  while (out->key.length > 0 && out->key.data[out->key.length - 1] == ' ')
    out->key.length--;
  struct bt_slice rest = {line.data + colon + 1, line.length - colon - 1};
  while (rest.length > 0 && is_gap(rest.data[0])) {
    rest.data++;
    rest.length--;
  }
  out->value = uncomment(rest);
  return true;
}

static bool begins_block(struct bt_slice value) {
  if (value.length == 0 || (value.data[0] != '|' && value.data[0] != '>'))
    return false;
  for (size_t i = 1; i < value.length; i++) {
    if (strchr("+-0123456789", value.data[i]) == NULL)
      return false;
  }
  return true;
}

/* `---` or `...` at the start of a line, with nothing but a blank or a comment behind it. */
static bool is_document_mark(struct bt_slice line, const char *mark) {
  return line.length >= 3 && memcmp(line.data, mark, 3) == 0 && (line.length == 3 || is_gap(line.data[3]));
}

/* ---- the rules ---- */

static void take_session(struct policy_reader *reader, const struct key_line *key) {
  if (key->value.length > 0) {
    reader->fault = "policy:unreadable";
    return;
  }
  reader->sessions++;
  reader->in_session = true;
  reader->child_indent = 0;
}

/* A line below `session`. */
static void take_child(struct policy_reader *reader, struct bt_slice line, size_t indent, const struct key_line *key) {
  if (reader->child_indent == 0)
    reader->child_indent = indent;
  if (indent < reader->child_indent) {
    reader->fault = "policy:unreadable";
    return;
  }
  if (indent > reader->child_indent) {
    if (reader->last_is_switch)
      reader->is_true = false; /* the value goes on here, or this is its child */
    return;
  }
  reader->last_is_switch = false;
  bool begins = line.length >= strlen(SWITCH) && memcmp(line.data, SWITCH, strlen(SWITCH)) == 0;
  if (key == NULL) {
    if (begins && memchr(line.data, ':', line.length) != NULL)
      reader->fault = "policy:unreadable";
    return;
  }
  if (!bt_slice_equals(key->key, SWITCH))
    return;
  reader->switches++;
  reader->last_is_switch = true;
  reader->is_true = bt_slice_equals(key->value, "true");
}

static void take_content(struct policy_reader *reader, struct bt_slice line) {
  size_t indent = spaces_of(line);
  struct bt_slice rest = {line.data + indent, line.length - indent};
  struct key_line found, *key = read_key_line(rest, &found) ? &found : NULL;
  if (key != NULL && begins_block(key->value)) {
    reader->in_block = true;
    reader->block_indent = indent;
  }
  if (indent > 0) {
    if (reader->in_session)
      take_child(reader, rest, indent, key);
    return;
  }
  reader->in_session = reader->last_is_switch = false;
  if (key != NULL && bt_slice_equals(key->key, "session"))
    take_session(reader, key);
}

static void take_line(struct policy_reader *reader, struct bt_slice line) {
  if (reader->in_block && (is_empty(line) || spaces_of(line) > reader->block_indent))
    return;
  reader->in_block = false;
  size_t indent = spaces_of(line);
  if (is_empty(line) || line.data[indent] == '#')
    return;
  if (line.data[indent] == '\t') {
    reader->fault = "policy:unreadable";
    return;
  }
  bool starts = is_document_mark(line, "---");
  if (starts && !reader->any_content && !reader->any_start &&
      uncomment((struct bt_slice){line.data + 3, line.length - 3}).length == 0) {
    reader->any_start = true;
    return;
  }
  if (starts || is_document_mark(line, "...")) {
    reader->fault = "policy:unreadable";
    return;
  }
  reader->any_content = true;
  take_content(reader, line);
}

struct bt_policy bt_policy_read(const char *text, size_t length) {
  struct policy_reader reader = {.fault = NULL};
  if (text == NULL)
    return (struct bt_policy){false, "policy:absent-file"};
  if (length > BT_POLICY_BYTES_MAX || !bt_utf8_is_plain(text, length))
    return (struct bt_policy){false, "policy:unreadable"};
  size_t at = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  while (at < length && reader.fault == NULL) {
    const char *lf = memchr(text + at, '\n', length - at);
    size_t size = lf != NULL ? (size_t)(lf - text) - at : length - at;
    struct bt_slice line = {text + at, size};
    if (lf != NULL && line.length > 0 && line.data[line.length - 1] == '\r')
      line.length--;
    take_line(&reader, line);
    at += size + 1;
  }
  if (reader.fault != NULL)
    return (struct bt_policy){false, reader.fault};
  if (reader.sessions > 1 || reader.switches > 1)
    return (struct bt_policy){false, "policy:duplicate-key"};
  if (reader.switches == 0)
    return (struct bt_policy){false, "policy:absent-key"};
  return reader.is_true ? (struct bt_policy){true, "policy:true"} : (struct bt_policy){false, "policy:not-true"};
}

/* ---- files ---- */

bool bt_is_supervised(const char *root) {
  char path[4096];
  struct stat found;
  int length = root != NULL ? snprintf(path, sizeof path, "%s/%s", root, BT_MANIFEST_PATH) : -1;
  return length > 0 && (size_t)length < sizeof path && stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

struct bt_policy bt_policy_of(int root) {
  struct bt_str text;
  struct stat found;
  if (fstatat(root, BT_MANIFEST_PATH, &found, 0) != 0 || !S_ISREG(found.st_mode))
    return (struct bt_policy){false, "policy:no-manifest"};
  bt_str_init(&text, BT_POLICY_BYTES_MAX);
  enum bt_code code = bt_fs_read_at(root, BT_POLICY_PATH, &text, NULL);
  struct bt_policy policy = {false, "policy:unreadable"};
  if (code == BT_OK || code == BT_MISSING)
    policy = bt_policy_read(code == BT_OK ? text.data : NULL, text.length);
  bt_str_dispose(&text);
  return policy;
}
