/* views/help.c - the keys of the live keymap, the marks, the bands, and how dialogs behave.
 *
 * Screen 6.10 of dashboard.md. Keys and sentences are handed in by the app; nothing about a key is written here. */
#include "views/frame.h"

#include <stdio.h>
#include <string.h>

#include "core/base/str.h"
#include "core/model/thresholds.h"
#include "views/flow.h"
#include "views/parts.h"
#include "views/text.h"

#define KEYS_COLUMNS 12

/* Rows first..last-1 share a group. */
static size_t group_end(const struct bt_scene *scene, size_t first) {
  size_t at = first + 1;
  while (at < scene->help_count && bt_text_equals(scene->help[at].group, scene->help[first].group))
    at++;
  return at;
}

static void draw_row(struct bt_pane line, int at, int width, const struct bt_help_row *row) {
  struct bt_pane cell = bt_pane_cut(line, 0, at, 1, width);
  int keys = width < 36 ? 10 : KEYS_COLUMNS;
  bt_pane_field(cell, 0, 2, keys - 3, BT_ALIGN_LEFT, row->off ? BT_ROLE_KEY_OFF : BT_ROLE_KEY, row->keys);
  bt_pane_field(cell, 0, keys, cell.columns - keys - 1, BT_ALIGN_LEFT, row->off ? BT_ROLE_KEY_OFF : BT_ROLE_DEFAULT,
                row->sentence);
}

/* Up to `abreast` groups side by side, as tall as the tallest. Returns the first row after them. */
static size_t add_shelf(struct bt_flow *flow, const struct bt_scene *scene, size_t first, int abreast) {
  size_t starts[4], ends[4], tallest = 0;
  int count = 0, width = flow->columns / abreast;
  for (size_t at = first; count < abreast && at < scene->help_count; at = ends[count - 1]) {
    starts[count] = at;
    ends[count] = group_end(scene, at);
    if (ends[count] - starts[count] > tallest)
      tallest = ends[count] - starts[count];
    count++;
  }
  struct bt_pane line = bt_flow_line(flow);
  for (int i = 0; i < count; i++)
    bt_pane_text(line, 0, i * width + 2, BT_ROLE_TITLE, scene->help[starts[i]].group);
  for (size_t at = 0; at < tallest; at++) {
    line = bt_flow_line(flow);
    for (int i = 0; i < count; i++)
      if (starts[i] + at < ends[i])
        draw_row(line, i * width, width, &scene->help[starts[i] + at]);
  }
  bt_flow_blank(flow);
  return ends[count - 1];
}

struct mark {
  enum bt_state state;
  const char *words;
};

static void add_marks(struct bt_flow *flow, int abreast) {
  static const struct mark marks[] = {
      {BT_STATE_BLOCKED, "an open deny refuses edits"}, {BT_STATE_STALE_LOCK, "the lock's owner is gone"},
      {BT_STATE_FOREIGN, "a lock of another host"},     {BT_STATE_READY, "authorised, not started"},
      {BT_STATE_WARN, "context at 50% or more"},        {BT_STATE_RUN, "at work"},
      {BT_STATE_IDLE, "quiet"},                         {BT_STATE_DONE, "handed over"},
  };
  size_t count = sizeof marks / sizeof *marks;
  int width = flow->columns / abreast;
  bt_flow_rule(flow, "marks: every state is a glyph and a word, colour only repeats it", NULL);
  for (size_t at = 0; at < count; at += (size_t)abreast) {
    struct bt_pane line = bt_flow_line(flow);
    for (size_t i = 0; i < (size_t)abreast && at + i < count; i++) {
      const struct mark *mark = &marks[at + i];
      struct bt_pane cell = bt_pane_cut(line, 0, (int)i * width, 1, width);
      char glyph[2] = {bt_state_glyph(mark->state), 0};
      bt_pane_text(cell, 0, 2, bt_role_of_state(mark->state), glyph);
      bt_pane_text(cell, 0, 4, bt_role_of_state(mark->state), bt_state_word(mark->state));
      bt_pane_field(cell, 0, 16, cell.columns - 17, BT_ALIGN_LEFT, BT_ROLE_DEFAULT, mark->words);
    }
  }
  bt_flow_labelled(flow, 2, BT_ROLE_UNKNOWN, "?", 4, BT_ROLE_DEFAULT, "unknown: baton does not guess");
  bt_flow_blank(flow);
}

static void add_band(struct bt_flow *flow, enum bt_band band, int percent, int depth, int bytes, const char *words) {
  struct bt_pane line = bt_flow_line(flow);
  bt_pane_text(line, 0, 2, bt_role_of_band(band), bt_band_word(band));
  bt_pane_printf(line, 0, 12, BT_ROLE_DEFAULT, "%3d", percent);
  bt_pane_printf(line, 0, 24, BT_ROLE_DEFAULT, "%3d", depth);
  bt_pane_printf(line, 0, 36, BT_ROLE_DEFAULT, "%3d KiB", bytes / 1024);
  bt_pane_field(line, 0, 48, line.columns - 48, BT_ALIGN_LEFT, BT_ROLE_DEFAULT, words);
}

static void add_bands(struct bt_flow *flow) {
  bt_flow_rule(flow, "bands: used so far, inclusive; any one signal is enough", NULL);
  struct bt_pane line = bt_flow_line(flow);
  bt_pane_text(line, 0, 12, BT_ROLE_HEAD, "context %");
  bt_pane_text(line, 0, 24, BT_ROLE_HEAD, "tool calls");
  bt_pane_text(line, 0, 36, BT_ROLE_HEAD, "bytes");
  add_band(flow, BT_BAND_WARN, BT_WARN_PCT, BT_WARN_DEPTH, BT_WARN_BYTES, "advice only");
  add_band(flow, BT_BAND_HANDOFF, BT_HANDOFF_PCT, BT_HANDOFF_DEPTH, BT_HANDOFF_BYTES,
           "edits are refused, a brief is requested");
  add_band(flow, BT_BAND_HARD, BT_HARD_PCT, BT_HARD_DEPTH, BT_HARD_BYTES, "the same; do not wait any longer");
  bt_flow_blank(flow);
}

static void add_dialogs(struct bt_flow *flow) {
  bt_flow_rule(flow, "dialogs", NULL);
  bt_flow_wrap(flow, 2, BT_ROLE_DEFAULT,
               "Every action asks first and shows what it will and will not do, and the same command for a shell. "
               "Cancel has the focus: tab moves it, enter presses the button that has it, esc leaves without writing. "
               "What lets work through stays locked until a word is typed. Pasted text is never read as keys.");
}

static void add_help(struct bt_flow *flow, const struct bt_frame *frame) {
  const struct bt_scene *scene = frame->scene;
  int abreast = flow->columns >= 144 ? 3 : flow->columns >= 92 ? 2 : 1;
  for (size_t at = 0; at < scene->help_count;)
    at = add_shelf(flow, scene, at, abreast);
  add_marks(flow, flow->columns >= 76 ? 2 : 1);
  add_bands(flow);
  add_dialogs(flow);
}

size_t bt_help_lines(const struct bt_frame *frame) {
  struct bt_flow flow;
  bt_flow_count(&flow, frame->scene->columns, frame->scene->unicode);
  add_help(&flow, frame);
  return flow.line;
}

void bt_help_draw(const struct bt_frame *frame) {
  struct bt_flow flow;
  struct bt_pane body = bt_frame_body(frame);
  const char *keymap = frame->scene->keymap_name ? frame->scene->keymap_name : "default";
  bt_flow_start(&flow, body, frame->scene->help_scroll.top);
  add_help(&flow, frame);
  size_t below = flow.line > flow.top + (size_t)body.rows ? flow.line - flow.top - (size_t)body.rows : 0;
  bt_pane_text(frame->screen, 1, 1, BT_ROLE_DIM, "What the keys do here first, then everything else.");
  char right[BT_PART_BYTES];
  if (below)
    snprintf(right, sizeof right, "%zu more line%s below", below, below == 1 ? "" : "s");
  else
    snprintf(right, sizeof right, "keymap %.40s", keymap);
  if (frame->screen.columns >= 76)
    bt_pane_text(frame->screen, 1, frame->screen.columns - (int)strlen(right) - 1, BT_ROLE_DIM, right);
  *frame->cursor = (struct bt_view_cursor){body.row, body.column, false};
}
