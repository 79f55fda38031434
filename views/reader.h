/* views/reader.h - text that a session wrote, behind a gutter, with search hits.
 *
 * Everything behind the bar is data: controls are shown as escapes, nothing in it can style or move anything
 * (dashboard.md rows 33-35). Draws prepared rows only: cost is what is in sight. */
#ifndef BATON_VIEWS_READER_H
#define BATON_VIEWS_READER_H

#include "views/flow.h"
#include "views/frame.h"
#include "views/prepare.h"

/* The open text of the session page (brief or raw files) into `pane`, from its tab's scroll offset. */
void bt_reader_draw(const struct bt_frame *frame, struct bt_pane pane, const struct bt_text_rows *rows);

/* A text that is read in a dialog, as lines of its facts. `rows` are prepared for it. */
void bt_reader_add(struct bt_flow *flow, const struct bt_text_rows *rows, const struct bt_reading *reading);

/* The first lines of a text, cut at the right, not wrapped and not prepared: for a preview. */
void bt_reader_preview(struct bt_pane pane, const char *text, size_t length);

/* "line 1-25/88  28%" for a caption; empty when there is nothing. */
void bt_reader_position(char *out, size_t size, const struct bt_text_rows *rows, size_t top, int visible);

#endif
