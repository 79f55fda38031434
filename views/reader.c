/* views/reader.c - drawing wrapped rows of hostile text. */
#include "views/reader.h"

#include <stdio.h>
#include <string.h>

#include "views/parts.h"
#include "views/text.h"

static void draw_gutter(struct bt_pane pane, int row) {
  bt_pane_run(pane, row, 1, 1, BT_ROLE_GUTTER, "│", '|');
}

/* Roles inside a row: a redaction mark and a heading stand out, nothing else does. */
static enum bt_role row_role(const char *text, size_t length) {
  return length > 2 && text[0] == '#' ? BT_ROLE_BOLD : BT_ROLE_QUOTED;
}

/* Of a difference, the first character of the row's line says what became of it. The first two lines are its head. */
static enum bt_role diff_role(const char *text, const struct bt_line *line) {
  size_t at = line->offset;
  while (at > 0 && text[at - 1] != '\n')
    at--;
  return line->number <= 2 || text[at] == '@' ? BT_ROLE_HEAD
         : text[at] == '+'                    ? BT_ROLE_ADDED
         : text[at] == '-'                    ? BT_ROLE_REMOVED
                                              : BT_ROLE_QUOTED;
}

static void draw_clusters(struct bt_pane pane, int row, enum bt_role plain, const char *text, size_t length) {
  struct bt_walk walk;
  static const char mark[] = "[adlc: redacted";
  size_t marked_until = 0;
  bt_walk_start(&walk, text, length, BT_TEXT_TAB, pane.surface->unicode);
  while (bt_walk_next(&walk)) {
    if (text[walk.at] == '[' && length - walk.at >= sizeof mark - 1 && !memcmp(text + walk.at, mark, sizeof mark - 1)) {
      const char *end = memchr(text + walk.at, ']', length - walk.at);
      marked_until = end ? (size_t)(end - text) + 1 : length;
    }
    enum bt_role role = walk.at < marked_until ? BT_ROLE_REDACTED : plain;
    if (walk.cluster.escaped)
      role = BT_ROLE_ESCAPED;
    if (text[walk.at] != '\t')
      bt_pane_slice(pane, row, walk.column, role, text + walk.at, walk.next - walk.at);
  }
}

/* Repaints what of `hit` lies in this row. */
static void draw_hit(struct bt_pane pane, int row, const char *text, const struct bt_line *line,
                     const struct bt_hit *hit, bool current) {
  struct bt_walk walk;
  bt_walk_start(&walk, text + line->offset, line->length, BT_TEXT_TAB, pane.surface->unicode);
  while (bt_walk_next(&walk)) {
    size_t at = line->offset + walk.at;
    if (at >= hit->offset && at < (size_t)hit->offset + hit->length)
      bt_pane_repaint_span(pane, row, walk.column, walk.columns, current ? BT_ROLE_HIT_CURRENT : BT_ROLE_HIT);
  }
}

/* First hit that begins in `row` or later. */
static size_t first_hit(const struct bt_text_rows *rows, size_t row) {
  size_t low = 0, high = rows->hit_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (rows->hits[middle].row < row)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void draw_hits(const struct bt_frame *frame, struct bt_pane pane, int row, const struct bt_text_rows *rows,
                      size_t index, const char *text) {
  const struct bt_line *line = &rows->lines[index];
  size_t at = first_hit(rows, index);
  if (at && rows->lines[rows->hits[at - 1].row].file == line->file) /* one may run on from the row before */
    draw_hit(pane, row, text, line, &rows->hits[at - 1], at - 1 == frame->scene->hit);
  for (; at < rows->hit_count && rows->hits[at].row == index; at++)
    draw_hit(pane, row, text, line, &rows->hits[at], at == frame->scene->hit);
}

static const char *source_of(const struct bt_frame *frame, const struct bt_line *line, size_t *length) {
  const struct bt_scene *scene = frame->scene;
  const struct bt_session *session = bt_view_session(scene, frame->snapshot);
  *length = 0;
  if (bt_tab_has_files(scene->tab)) {
    if (line->file >= scene->raw_count || !scene->raw[line->file].text)
      return NULL;
    *length = scene->raw[line->file].length;
    return scene->raw[line->file].text;
  }
  if (scene->diff) {
    *length = scene->diff->length;
    return scene->diff->text;
  }
  if (!session || !session->capture || !session->capture->text)
    return NULL;
  *length = session->capture->text_length;
  return session->capture->text;
}

static void draw_head(const struct bt_frame *frame, struct bt_pane pane, int row, const struct bt_line *line) {
  const struct bt_raw_file *file = &frame->scene->raw[line->file];
  char right[BT_PART_BYTES];
  if (file->text)
    bt_size_shown(right, file->length);
  else
    snprintf(right, sizeof right, "%.60s", file->error ? file->error : "not there");
  bt_pane_rule(bt_pane_cut(pane, row, 0, 1, pane.columns), 0, file->path, right);
}

void bt_reader_draw(const struct bt_frame *frame, struct bt_pane pane, const struct bt_text_rows *rows) {
  const struct bt_scene *scene = frame->scene;
  size_t top = scene->tabs[scene->tab].top;
  for (int row = 0; row < pane.rows; row++) {
    size_t index = top + (size_t)row, length;
    if (index >= rows->line_count)
      return;
    const struct bt_line *line = &rows->lines[index];
    if (line->head && line->file < frame->scene->raw_count) {
      draw_head(frame, pane, row, line);
      continue;
    }
    const char *text = source_of(frame, line, &length);
    draw_gutter(pane, row);
    if (!text || line->offset > length || line->length > length - line->offset)
      continue;
    struct bt_pane inside = bt_pane_cut(pane, row, BT_TEXT_GUTTER, 1, pane.columns - BT_TEXT_GUTTER);
    enum bt_role role =
        scene->diff && scene->tab == BT_TAB_BRIEF ? diff_role(text, line) : row_role(text + line->offset, line->length);
    draw_clusters(inside, 0, role, text + line->offset, line->length);
    draw_hits(frame, inside, 0, rows, index, text);
  }
}

void bt_reader_add(struct bt_flow *flow, const struct bt_text_rows *rows, const struct bt_reading *reading) {
  for (size_t i = 0; i < rows->line_count; i++) {
    const struct bt_line *line = &rows->lines[i];
    struct bt_pane pane = bt_flow_line(flow);
    if (!pane.rows || line->offset > reading->length || line->length > reading->length - line->offset)
      continue;
    const char *text = reading->text + line->offset;
    draw_gutter(pane, 0);
    draw_clusters(bt_pane_cut(pane, 0, BT_TEXT_GUTTER, 1, pane.columns - BT_TEXT_GUTTER), 0,
                  reading->diff ? diff_role(reading->text, line) : row_role(text, line->length), text, line->length);
  }
}

void bt_reader_preview(struct bt_pane pane, const char *text, size_t length) {
  size_t offset = 0;
  for (int row = 0; row < pane.rows; row++) {
    draw_gutter(pane, row);
    if (offset >= length)
      continue;
    size_t whole, bytes = bt_text_line(text + offset, length - offset, &whole);
    struct bt_pane inside = bt_pane_cut(pane, row, BT_TEXT_GUTTER, 1, pane.columns - BT_TEXT_GUTTER);
    size_t drawn = bytes < 4096 ? bytes : 4096; /* more cannot be in sight */
    draw_clusters(inside, 0, row_role(text + offset, drawn), text + offset, drawn);
    if (inside.columns && bt_text_width(text + offset, drawn, pane.surface->unicode, inside.columns) > inside.columns)
      bt_pane_run(inside, 0, inside.columns - 1, 1, BT_ROLE_DIM, "…", '~');
    offset += whole;
  }
}

void bt_reader_position(char *out, size_t size, const struct bt_text_rows *rows, size_t top, int visible) {
  out[0] = 0;
  if (!rows->line_count || visible < 1)
    return;
  size_t bottom = top + (size_t)visible;
  if (bottom > rows->line_count)
    bottom = rows->line_count;
  if (top >= bottom)
    top = bottom - 1;
  unsigned first = rows->lines[top].number, last = rows->lines[bottom - 1].number;
  unsigned percent = (unsigned)(100.0 * (double)bottom / (double)rows->line_count);
  bool is_one_text = rows->lines[0].file == rows->lines[rows->line_count - 1].file; /* else each counts its own lines */
  if (first && last && is_one_text)
    snprintf(out, size, "line %u-%u/%zu%s  %u%%", first, last, rows->source_lines, rows->cut ? "+" : "", percent);
  else
    snprintf(out, size, "%u%%", percent);
}
