/* core/records/render_bodies.c - HANDOFF.llm.json and TOOLS.md: what holds every turn, streamed from the timeline
 * (render.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"
#include "core/harness/read_at.h"
#include "core/records/printed.h"
#include "core/records/render_head.h"
#include "core/records/timeline.h"
#include "core/records/units.h"

enum bt_code bt_render_state(struct bt_str *out, const struct bt_gist *gist, int timeline, struct bt_error *err) {
  int64_t offset;
  size_t length;
  if (!bt_gist_state_line(gist, &offset, &length)) {
    bt_str_puts(out, "(none)");
    return BT_OK;
  }
  char *line = malloc(length + 1);
  struct bt_str text;
  struct bt_record_reader reader;
  struct bt_record_turn turn;
  bt_str_init(&text, BT_TURN_LINE_MAX);
  bt_record_reader_init(&reader);
  enum bt_code code = BT_NOMEM;
  if (line != NULL) {
    ssize_t got = bt_read_at(timeline, line, length, offset);
    code = got < 0 ? bt_error_set_errno(err, errno, BT_FILE_TIMELINE, "cannot be read") : BT_CORRUPT;
    if (got == (ssize_t)length)
      code = bt_record_turn_read(&reader, line, length, &turn);
  }
  if (code == BT_OK) {
    bt_printed_text(&text, turn.text);
    bt_units_tail(out, text.data, text.length, BT_STATE_UNITS);
    code = text.failed || out->failed ? BT_NOMEM : BT_OK;
  }
  if (code == BT_NOMEM || code == BT_CORRUPT)
    (void)bt_error_set(err, code, BT_FILE_TIMELINE, "%s: %s", BT_FILE_TIMELINE, bt_code_words(code));
  bt_record_reader_dispose(&reader);
  bt_str_dispose(&text);
  free(line);
  return code;
}

struct bodies {
  struct bt_outlet *payload, *tools;
  bool only_tools; /* the second walk: the list of tool calls */
  uint64_t put;    /* elements of the list so far */
  struct bt_record_reader reader;
  struct bt_str scratch;
};

/* A list or an object of a hand-made line, in the layout of its place. Strings hold no raw line ends. */
static void put_nested(struct bodies *bodies, struct bt_slice json) {
  struct bt_json *tree = bt_json_parse(json.data, json.length, NULL);
  bt_str_clear(&bodies->scratch);
  bt_json_print_pretty(&bodies->scratch, tree);
  if (tree == NULL || bodies->scratch.failed)
    bodies->payload->code = BT_NOMEM;
  bt_json_free(tree);
  const char *at = bodies->scratch.data, *lf;
  while ((lf = strchr(at, '\n')) != NULL) {
    bt_outlet_put(bodies->payload, at, (size_t)(lf - at));
    bt_outlet_puts(bodies->payload, "\n      ");
    at = lf + 1;
  }
  bt_outlet_puts(bodies->payload, at);
}

static void put_member(struct bodies *bodies, const char *lead, struct bt_slice json) {
  bt_outlet_puts(bodies->payload, lead);
  if (json.data[0] == '[' || json.data[0] == '{')
    put_nested(bodies, json);
  else if (bt_slice_equals(json, BT_TURN_INFINITE) || bt_slice_equals(json, "-" BT_TURN_INFINITE))
    bt_outlet_puts(bodies->payload, "null");
  else
    bt_outlet_put(bodies->payload, json.data, json.length);
}

static void put_element(struct bodies *bodies, const struct bt_record_turn *turn) {
  struct bt_outlet *out = bodies->payload;
  bt_outlet_puts(out, bodies->put++ > 0 ? ",\n    {\n" : "\n    {\n");
  if (turn->seq.data != NULL) {
    put_member(bodies, "      \"seq\": ", turn->seq);
    bt_outlet_puts(out, ",\n");
  }
  if (turn->ts.data != NULL) {
    put_member(bodies, "      \"ts\": ", turn->ts);
    bt_outlet_puts(out, ",\n");
  }
  bt_outlet_puts(out, "      \"text\": \"");
  bt_outlet_put(out, turn->text.data, turn->text.length);
  bt_outlet_puts(out, "\",\n      \"class\": \"");
  bt_outlet_put(out, turn->class_word.data, turn->class_word.length);
  bt_outlet_puts(out, "\"\n    }");
}

static void put_tool_block(struct bodies *bodies, const struct bt_record_turn *turn) {
  struct bt_str *block = &bodies->scratch;
  bt_str_clear(block);
  bt_str_puts(block, "\n## [");
  bt_gist_value_text(block, turn->seq, "undefined");
  bt_str_puts(block, "] ");
  bt_gist_value_text(block, turn->ts, "");
  bt_str_putc(block, '\n');
  bt_printed_bytes(block, turn->text);
  bt_str_putc(block, '\n');
  if (block->failed)
    bodies->tools->code = BT_NOMEM;
  bt_outlet_put(bodies->tools, block->data, block->length);
}

static enum bt_code take_line(void *context, const char *line, size_t length, int64_t offset, bool is_open,
                              struct bt_error *err) {
  (void)offset, (void)is_open;
  struct bodies *bodies = context;
  struct bt_record_turn turn;
  enum bt_code code = bt_record_turn_read(&bodies->reader, line, length, &turn);
  if (code != BT_OK)
    return bt_error_set(err, code, BT_FILE_TIMELINE, "%s: %s", BT_FILE_TIMELINE, bt_code_words(code));
  bool is_tool = turn.class_ == BT_CLASS_TOOL;
  if (!bodies->only_tools || is_tool)
    put_element(bodies, &turn);
  if (!bodies->only_tools && is_tool)
    put_tool_block(bodies, &turn);
  return bodies->payload->code != BT_OK ? bodies->payload->code : bodies->tools->code;
}

/* One list of the payload: `"name": [ … ]`. */
static enum bt_code put_list(struct bodies *bodies, const char *name, const struct bt_render *render,
                             struct bt_error *err) {
  bodies->put = 0;
  bt_outlet_puts(bodies->payload, ",\n  \"");
  bt_outlet_puts(bodies->payload, name);
  bt_outlet_puts(bodies->payload, "\": [");
  enum bt_code code = BT_OK;
  if (!bodies->only_tools || render->gist->counts[BT_CLASS_TOOL] > 0)
    code = bt_timeline_walk(render->timeline, 0, render->timeline_end, take_line, bodies, NULL, err);
  bt_outlet_puts(bodies->payload, bodies->put > 0 ? "\n  ]" : "]");
  return code;
}

static enum bt_code put_payload_head(struct bt_outlet *payload, const struct bt_render *render) {
  struct bt_json *head = bt_render_head(render, "2.0.0", BT_STATE_UNITS);
  struct bt_str text;
  bt_str_init(&text, BT_RENDER_BYTES_MAX);
  bt_json_print_pretty(&text, head);
  bool ok = head != NULL && !text.failed;
  if (ok)
    bt_outlet_put(payload, text.data, text.length - strlen("\n}"));
  bt_json_free(head);
  bt_str_dispose(&text);
  return ok ? BT_OK : BT_NOMEM;
}

static void put_tools_head(struct bt_outlet *tools, const struct bt_render *render) {
  struct bt_str head;
  bt_str_init(&head, BT_RENDER_BYTES_MAX);
  bt_str_puts(&head, "# Tool calls: ");
  bt_utf8_encode8(&head, render->id, strlen(render->id));
  bt_str_printf(&head, "\n\n\n\nTotal: %llu\n\n\n\n", (unsigned long long)render->gist->counts[BT_CLASS_TOOL]);
  bt_str_puts(&head, "Entire tool-call corpus (every shell command, every edit, every tool return) verbatim.\n\n"
                     "The head-120 table in HANDOFF.md is a digest view; THIS file is the full record.\n");
  if (head.failed)
    tools->code = BT_NOMEM;
  bt_outlet_put(tools, head.data, head.length);
  bt_str_dispose(&head);
}

enum bt_code bt_render_bodies(struct bt_outlet *payload, struct bt_outlet *tools, const struct bt_render *render,
                              struct bt_error *err) {
  struct bodies bodies = {.payload = payload, .tools = tools};
  bt_record_reader_init(&bodies.reader);
  bt_str_init(&bodies.scratch, BT_RENDER_BYTES_MAX);
  put_tools_head(tools, render);
  enum bt_code code = put_payload_head(payload, render);
  if (code == BT_OK)
    code = put_list(&bodies, "timeline", render, err);
  bodies.only_tools = true;
  if (code == BT_OK)
    code = put_list(&bodies, "tool_calls", render, err);
  bt_outlet_puts(payload, "\n}");
  bt_record_reader_dispose(&bodies.reader);
  bt_str_dispose(&bodies.scratch);
  if (code == BT_NOMEM)
    (void)bt_error_set(err, code, BT_FILE_PAYLOAD, "out of memory");
  enum bt_code flushed = bt_outlet_flush(payload), flushed_tools = bt_outlet_flush(tools);
  if (code != BT_OK)
    return code;
  return flushed != BT_OK ? flushed : flushed_tools;
}
