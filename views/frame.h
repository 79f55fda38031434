/* views/frame.h - the bands that every screen has: header, totals, notice, key hints, message or prompt.
 *
 * Screens 6.1-6.11 of dashboard.md: same bands everywhere, the worst is never the part that is left out. */
#ifndef BATON_VIEWS_FRAME_H
#define BATON_VIEWS_FRAME_H

#include "core/model/filter.h"
#include "views/layout.h"
#include "views/surface.h"
#include "views/view.h"

struct bt_frame { /* what a screen's draw function is given */
  struct bt_pane screen;
  struct bt_layout layout;
  const struct bt_snapshot *snapshot; /* not NULL */
  const struct bt_scene *scene;
  int64_t now_ms;
  struct bt_view_cursor *cursor;
};

void bt_frame_header(const struct bt_frame *frame);
void bt_frame_totals(const struct bt_frame *frame);
void bt_frame_notice(const struct bt_frame *frame);
/* Where a filter leaves nothing: that it does, and which word of it is not read as the condition that it looks like. */
void bt_frame_no_match(struct bt_pane list, const char *what, const char *filter, enum bt_filter_rows rows);
void bt_frame_footer(const struct bt_frame *frame); /* rule, hints, message or prompt (with its cursor) */
bool bt_frame_hints_covered(
    const struct bt_frame *frame); /* by a message that needs their row as well, or by what is typed */

struct bt_pane bt_frame_body(const struct bt_frame *frame);

/* The rule above a list: how it is sorted, and how many of it the filter lets through. */
void bt_frame_caption(const struct bt_frame *frame, const char *order, const char *noun, size_t count, size_t total);

/* One screen each, into the body (and, for the session page, the totals row). */
void bt_sessions_draw(const struct bt_frame *frame);
void bt_why_draw(const struct bt_frame *frame, struct bt_pane pane, const struct bt_session *session);
void bt_session_draw(const struct bt_frame *frame);
void bt_locks_draw(const struct bt_frame *frame);
void bt_explain_draw(const struct bt_frame *frame);
void bt_log_draw(const struct bt_frame *frame);
void bt_records_draw(const struct bt_frame *frame);
void bt_deliveries_draw(const struct bt_frame *frame);
void bt_help_draw(const struct bt_frame *frame);
void bt_dialog_draw(const struct bt_frame *frame);
void bt_bulk_draw(const struct bt_frame *frame);

/* How many lines their scrolling parts have; for bt_view_settle. */
size_t bt_session_lines(const struct bt_frame *frame);
size_t bt_deliveries_lines(const struct bt_frame *frame); /* of the one that takes the whole page */
size_t bt_help_lines(const struct bt_frame *frame);
/* Lines of the dialog's facts, and how many are in sight. */
size_t bt_dialog_lines(const struct bt_frame *frame, size_t *visible);
size_t bt_bulk_lines(const struct bt_frame *frame, size_t *visible); /* the same of a bulk unlock */

#endif
