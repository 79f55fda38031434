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

#define KEYS_COLUMNS 18

/* Rows first..last-1 share a group. */
static size_t group_end(const struct bt_scene *scene, size_t first) {
  size_t at = first + 1;
  while (at < scene->help_count && bt_text_equals(scene->help[at].group, scene->help[first].group))
    at++;
  return at;
}

static void draw_row(struct bt_pane line, int at, int width, const struct bt_help_row *row) {
  struct bt_pane cell = bt_pane_cut(line, 0, at, 1, width);
  int keys = width < 48 ? 12 : KEYS_COLUMNS;
  bt_pane_field(cell, 0, 2, keys - 3, BT_ALIGN_LEFT, row->off ? BT_ROLE_KEY_OFF : BT_ROLE_KEY, row->keys);
  bt_pane_field(cell, 0, keys, cell.columns - keys - 1, BT_ALIGN_LEFT, row->off ? BT_ROLE_KEY_OFF : BT_ROLE_DEFAULT,
                row->sentence);
}

/* Lines of the groups first..end-1: a title, the rows and a blank each. */
static size_t column_lines(const struct bt_scene *scene, size_t first, size_t end) {
  size_t lines = 0;
  for (size_t at = first; at < end; at = group_end(scene, at))
    lines += group_end(scene, at) - at + 2;
  return lines;
}

/* Line `wanted` of a column of groups. */
static void draw_column_line(struct bt_pane line, int at, int width, const struct bt_scene *scene, size_t first,
                             size_t end, size_t wanted) {
  for (size_t group = first; group < end; group = group_end(scene, group)) {
    size_t rows = group_end(scene, group) - group;
    if (wanted == 0)
      bt_pane_text(bt_pane_cut(line, 0, at, 1, width), 0, 2, BT_ROLE_TITLE, scene->help[group].group);
    else if (wanted <= rows)
      draw_row(line, at, width, &scene->help[group + wanted - 1]);
    if (wanted < rows + 2)
      return;
    wanted -= rows + 2;
  }
}

#define ABREAST_MAX 3

/* Whole groups, in order, down `abreast` columns of about the same height. */
static void add_groups(struct bt_flow *flow, const struct bt_scene *scene, int abreast) {
  size_t starts[ABREAST_MAX + 1] = {0}, tallest = 0, at = 0;
  size_t share = column_lines(scene, 0, scene->help_count) / (size_t)abreast + 1;
  for (int i = 0; i < abreast; i++) {
    starts[i] = at;
    while (at < scene->help_count &&
           (i == abreast - 1 || column_lines(scene, starts[i], group_end(scene, at)) <= share))
      at = group_end(scene, at);
    starts[i + 1] = at;
    size_t lines = column_lines(scene, starts[i], at);
    tallest = lines > tallest ? lines : tallest;
  }
  for (size_t row = 0; row < tallest; row++) {
    struct bt_pane line = bt_flow_line(flow);
    for (int i = 0; i < abreast && line.rows; i++)
      draw_column_line(line, i * (flow->columns / abreast), flow->columns / abreast, scene, starts[i], starts[i + 1],
                       row);
  }
}

struct mark {
  enum bt_state state;
  const char *words;
};

static void add_marks(struct bt_flow *flow, int abreast) {
  static const struct mark marks[] = {
      {BT_STATE_BLOCKED, "an open deny refuses edits"},
      {BT_STATE_STALE_LOCK, "the lock's owner is gone"},
      {BT_STATE_FOREIGN, "a lock of another host"},
      {BT_STATE_READY, "authorised, not started"},
      {BT_STATE_WARN, "context at 50% or more"},
      {BT_STATE_RUN, "at work"},
      {BT_STATE_IDLE, "quiet"},
      {BT_STATE_DONE, "handed over"},
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
  if (!scene->help_count)
    bt_flow_wrap(flow, 2, BT_ROLE_DIM, "No key and no sentence matches. Esc shows all of them again.");
  add_groups(flow, scene, flow->columns >= 150 ? 3 : flow->columns >= 96 ? 2 : 1);
  if (scene->help_filter.length)
    return;
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
  if (frame->scene->help_filter.length)
    bt_pane_printf(frame->screen, 1, 1, BT_ROLE_DIM, "What matches: %.200s", frame->scene->help_filter.text);
  else
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
