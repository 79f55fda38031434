/* core/text/brief.c - composes the four sections of a brief. */
#include "core/text/brief.h"

#include <string.h>

#include "core/base/utf8.h"
#include "core/text/capture.h"
#include "core/text/fence.h"

#define NONE "_none_"
#define BRIEF_CEILING ((size_t)64 << 20) /* before the cut; inputs have limits of their own far below */

static struct bt_slice trimmed(const char *value) {
  return value ? bt_trim_w(value, strlen(value)) : (struct bt_slice){"", 0};
}

static void put_field(struct bt_str *out, const char *label, const char *value) {
  struct bt_slice text = trimmed(value);
  bt_str_puts(out, label);
  if (text.length)
    bt_str_append(out, text.data, text.length);
  else
    bt_str_puts(out, NONE);
}

/* The line without W at its end; its start stays as it is. */
static struct bt_slice trim_end(const char *line, size_t length) {
  struct bt_slice both = bt_trim_w(line, length);
  if (!both.length)
    return (struct bt_slice){line, 0};
  return (struct bt_slice){line, (size_t)(both.data + both.length - line)};
}

/* Puts each line that is not blank after `prefix`, with LF between them; answers how many. */
static size_t put_lines(struct bt_str *out, const struct bt_text_list *list, const char *prefix) {
  size_t count = 0;
  for (size_t i = 0; i < list->count; i++) {
    for (const char *at = list->items[i]; at;) {
      const char *end = strchr(at, '\n');
      struct bt_slice line = trim_end(at, end ? (size_t)(end - at) : strlen(at));
      at = end ? end + 1 : NULL;
      if (!line.length)
        continue;
      if (count++)
        bt_str_putc(out, '\n');
      bt_str_puts(out, prefix);
      bt_str_append(out, line.data, line.length);
    }
  }
  return count;
}

static void put_bullets(struct bt_str *out, const struct bt_text_list *list) {
  if (!put_lines(out, list, "- "))
    bt_str_puts(out, NONE);
}

static void put_block(struct bt_str *out, const struct bt_text_list *list) {
  size_t before = out->length;
  bt_str_puts(out, "```\n");
  if (put_lines(out, list, "")) {
    bt_str_puts(out, "\n```");
  } else if (!out->failed) {
    bt_str_truncate(out, before);
    bt_str_puts(out, NONE);
  }
}

static void put_ticket(struct bt_str *out, const struct bt_brief_inputs *inputs) {
  put_field(out, "- id: ", inputs->ticket_id);
  put_field(out, "\n- title: ", inputs->ticket_title);
}

static void put_state(struct bt_str *out, const struct bt_brief_inputs *inputs) {
  put_field(out, "- branch: ", inputs->branch);
  bt_str_puts(out, "\n\n**Working tree**\n");
  put_block(out, &inputs->status);
  bt_str_puts(out, "\n\n**Flail signals**\n");
  put_bullets(out, &inputs->flails);
}

static void put_evidence(struct bt_str *out, const struct bt_brief_inputs *inputs) {
  put_bullets(out, &inputs->evidence);
}

static void put_narrative(struct bt_str *out, const struct bt_brief_inputs *inputs) {
  struct bt_slice note = trimmed(inputs->narrative_note);
  put_field(out, "", inputs->narrative);
  if (!trimmed(inputs->narrative).length && note.length) {
    bt_str_puts(out, " (");
    bt_str_append(out, note.data, note.length);
    bt_str_putc(out, ')');
  }
}

static const struct section {
  const char *heading;
  void (*put)(struct bt_str *out, const struct bt_brief_inputs *inputs);
} sections[] = {
    {"## Ticket\n\n", put_ticket},
    {"## State\n\n", put_state},
    {"## Evidence\n\n", put_evidence},
    {"## Model handoff\n\n", put_narrative},
};

enum bt_code bt_brief_compose(struct bt_str *out, const struct bt_brief_inputs *inputs, struct bt_redact_list *list,
                              struct bt_error *err) {
  size_t before = out->length;
  struct bt_str content;
  bt_str_init(&content, BRIEF_CEILING);
  enum bt_code code = BT_OK;
  for (size_t i = 0; code == BT_OK && i < sizeof sections / sizeof sections[0]; i++) {
    bt_str_clear(&content);
    sections[i].put(&content, inputs);
    bt_str_puts(out, i ? "\n" : "");
    bt_str_puts(out, sections[i].heading);
    if (content.failed || out->failed)
      code = bt_error_set(err, BT_TOO_LARGE, "brief", "an input of the brief is past its limit");
    else
      code = bt_fence(out, content.data, content.length, list, err);
    bt_str_putc(out, '\n');
  }
  if (code == BT_OK && out->failed)
    code = bt_error_set(err, BT_TOO_LARGE, "brief", "the brief is past its limit");
  if (code != BT_OK)
    bt_str_truncate(out, before);
  bt_str_dispose(&content);
  return code;
}

enum bt_code bt_brief_capture(struct bt_str *out, const struct bt_brief_inputs *inputs, bool *was_cut,
                              struct bt_error *err) {
  struct bt_str body;
  bt_str_init(&body, BRIEF_CEILING);
  enum bt_code code = bt_brief_compose(&body, inputs, NULL, err);
  if (code == BT_OK) {
    bool cut = bt_text_cap(out, body.data, body.length, BT_CAPTURE_MAX_BYTES, BT_CAPTURE_CUT_MARK, NULL);
    if (was_cut)
      *was_cut = cut;
    if (out->failed)
      code = bt_error_set(err, BT_NOMEM, "brief", "out of memory");
  }
  bt_str_dispose(&body);
  return code;
}
