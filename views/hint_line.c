/* views/hint_line.c - the most important first; help and the way out always. */
#include "views/hint_line.h"

#include <string.h>

#include "views/text.h"

#define HINTS_SHOWN_MAX 32

struct place {
  size_t hint;
  int column, width;
};

static int width_of(const struct bt_frame *frame, const char *text) {
  return text ? bt_text_width(text, strlen(text), frame->scene->unicode, frame->screen.columns) : 0;
}

static int hint_width(const struct bt_frame *frame, const struct bt_hint *hint) {
  return width_of(frame, hint->keys) + 1 + width_of(frame, hint->label);
}

static void put(struct place *places, size_t *count, size_t hint, int column, int width) {
  if (*count < HINTS_SHOWN_MAX)
    places[(*count)++] = (struct place){hint, column, width};
}

static size_t place_all(const struct bt_frame *frame, struct place places[HINTS_SHOWN_MAX]) {
  const struct bt_scene *scene = frame->scene;
  int columns = frame->screen.columns, gap = columns < 100 ? 2 : 3, kept = 0;
  size_t count = 0;
  for (size_t i = 0; i < scene->hint_count; i++)
    if (scene->hints[i].keep)
      kept += hint_width(frame, &scene->hints[i]) + gap;
  int at = 1, limit = columns - kept;
  for (size_t i = 0; i < scene->hint_count; i++) {
    int width = hint_width(frame, &scene->hints[i]);
    if (scene->hints[i].keep)
      continue;
    if (at + width > limit)
      break;
    put(places, &count, i, at, width);
    at += width + gap;
  }
  at = limit + gap - 1 < 1 ? 1 : limit + gap - 1;
  for (size_t i = 0; i < scene->hint_count; i++)
    if (scene->hints[i].keep) {
      put(places, &count, i, at, hint_width(frame, &scene->hints[i]));
      at += hint_width(frame, &scene->hints[i]) + gap;
    }
  return count;
}

void bt_hint_line_draw(const struct bt_frame *frame, int row) {
  struct place places[HINTS_SHOWN_MAX];
  size_t count = place_all(frame, places);
  for (size_t i = 0; i < count; i++) {
    const struct bt_hint *hint = &frame->scene->hints[places[i].hint];
    int at = places[i].column;
    at += bt_pane_text(frame->screen, row, at, hint->off ? BT_ROLE_KEY_OFF : BT_ROLE_KEY, hint->keys);
    bt_pane_text(frame->screen, row, at + 1, hint->off ? BT_ROLE_KEY_OFF : BT_ROLE_DEFAULT, hint->label);
  }
}

int bt_hint_line_at(const struct bt_frame *frame, int column) {
  struct place places[HINTS_SHOWN_MAX];
  size_t count = place_all(frame, places);
  for (size_t i = 0; i < count; i++)
    if (column >= places[i].column && column < places[i].column + places[i].width)
      return (int)places[i].hint;
  return -1;
}
