/* core/records/edit_brief.c - the lines of HANDOFF.md that a retitle or a rename owns (edit.h). */
#include <string.h>

#include "core/base/number.h"
#include "core/base/utf8.h"
#include "core/records/edit.h"

#define HEADING "# Handoff: "
#define ID_LINE "*session-id:"
#define UPDATED "**Updated:** "
#define REVISION "**Revision:** "
#define PROJECT "**Project:** "
#define HASH "- manifest sha256: "
#define REVISIONS "- incremental: revisions="

static bool begins(struct bt_slice line, const char *word) {
  size_t length = strlen(word);
  return line.length >= length && memcmp(line.data, word, length) == 0;
}

/* The line at `at` without its LF; `*next` is behind the LF. */
static struct bt_slice line_at(const char *text, size_t length, size_t at, size_t *next) {
  const char *lf = memchr(text + at, '\n', length - at);
  size_t end = lf != NULL ? (size_t)(lf - text) : length;
  *next = lf != NULL ? end + 1 : length;
  return (struct bt_slice){text + at, end - at};
}

/* Offset of the first line that begins with `word`, or of the last one; `length` when there is none. */
static size_t find_line(const char *text, size_t length, const char *word, bool last) {
  size_t found = length;
  for (size_t at = 0, next; at < length; at = next) {
    if (!begins(line_at(text, length, at, &next), word))
      continue;
    found = at;
    if (!last)
      break;
  }
  return found;
}

static void put_number(struct bt_str *out, double value) {
  char text[BT_NUMBER_TEXT];
  bt_str_append(out, text, bt_double_to_text(text, value));
}

/* `  |` behind the value at `at`, or the line's end. */
static size_t value_end(struct bt_slice line, size_t at) {
  while (at < line.length && line.data[at] != '|')
    at++;
  if (at < line.length) {
    while (at > 0 && line.data[at - 1] == ' ')
      at--;
  }
  return at;
}

/* **Updated:** … |  **Turns:** … |  **Revision:** … */
static void put_updated_line(struct bt_str *out, struct bt_slice line, const struct bt_edit *edit) {
  size_t at = value_end(line, strlen(UPDATED));
  bt_str_puts(out, UPDATED);
  bt_str_puts(out, edit->updated_at);
  for (size_t i = at; i + strlen(REVISION) <= line.length; i++) {
    if (!begins((struct bt_slice){line.data + i, line.length - i}, REVISION))
      continue;
    bt_str_append(out, line.data + at, i - at);
    bt_str_puts(out, REVISION);
    put_number(out, edit->revision);
    at = value_end(line, i + strlen(REVISION));
    break;
  }
  bt_str_append(out, line.data + at, line.length - at);
}

static void put_heading(struct bt_str *out, const struct bt_edit *edit) {
  bt_str_puts(out, HEADING);
  bt_str_puts(out, edit->title);
  bt_str_puts(out, "\n\n" ID_LINE " ");
  bt_str_puts(out, edit->session);
  bt_str_putc(out, '*');
}

/* Everything before the first section. */
static void put_retitled_head(struct bt_str *out, const char *text, size_t length, const struct bt_edit *edit) {
  size_t updated = find_line(text, length, UPDATED, true);
  bool has_heading = false;
  for (size_t at = 0, next; at < length; at = next) {
    struct bt_slice line = line_at(text, length, at, &next);
    if (begins(line, ID_LINE))
      continue;
    if (!has_heading && begins(line, HEADING)) {
      has_heading = true;
      put_heading(out, edit);
    } else if (at == updated) {
      put_updated_line(out, line, edit);
    } else {
      bt_str_append(out, line.data, line.length);
    }
    bt_str_append(out, "\n", next - at - line.length);
  }
}

/* The last section, if it is the provenance. */
static void put_retitled_tail(struct bt_str *out, const char *text, size_t length, const struct bt_edit *edit) {
  size_t hash = find_line(text, length, HASH, true), revisions = find_line(text, length, REVISIONS, true);
  for (size_t at = 0, next; at < length; at = next) {
    struct bt_slice line = line_at(text, length, at, &next);
    if (at == hash) {
      bt_str_puts(out, HASH);
      bt_str_puts(out, edit->manifest_sha256);
    } else if (at == revisions) {
      size_t end = strlen(REVISIONS);
      while (end < line.length && line.data[end] != ' ')
        end++;
      bt_str_puts(out, REVISIONS);
      put_number(out, edit->revision);
      bt_str_append(out, line.data + end, line.length - end);
    } else {
      bt_str_append(out, line.data, line.length);
    }
    bt_str_append(out, "\n", next - at - line.length);
  }
}

static void put_renamed(struct bt_str *out, const char *text, size_t length, const struct bt_edit *edit) {
  const char *found = strstr(text, PROJECT);
  if (found == NULL) {
    bt_str_append(out, text, length);
    return;
  }
  size_t from = (size_t)(found - text) + strlen(PROJECT), next;
  struct bt_slice rest = line_at(text, length, from, &next);
  size_t end = from + value_end(rest, 0);
  bt_str_append(out, text, from);
  bt_str_puts(out, edit->project);
  bt_str_append(out, text + end, length - end);
}

enum bt_code bt_edit_brief(struct bt_str *out, const char *text, size_t length, const struct bt_edit *edit) {
  if (edit->title == NULL) {
    put_renamed(out, text, length, edit);
  } else {
    size_t head = find_line(text, length, "## ", false);
    size_t tail = find_line(text, length, "## Provenance", true);
    tail = tail < head ? head : tail;
    put_retitled_head(out, text, head, edit);
    bt_str_append(out, text + head, tail - head);
    put_retitled_tail(out, text + tail, length - tail, edit);
  }
  return out->failed ? BT_NOMEM : BT_OK;
}
