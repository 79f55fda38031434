/* views/hint_line.h - the key hints at the bottom: where each is, for drawing and for a click. */
#ifndef BATON_VIEWS_HINT_LINE_H
#define BATON_VIEWS_HINT_LINE_H

#include "views/frame.h"

void bt_hint_line_draw(const struct bt_frame *frame, int row);

/* Index of the hint at that column; -1: none is there. */
int bt_hint_line_at(const struct bt_frame *frame, int column);

#endif
