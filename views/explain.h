/* views/explain.h - the why page: the rules, what would help, what the agent was told beside what is true.
 *
 * Screen 6.4 of dashboard.md. The page is a row of parts, one under the other: the rules, the steps, then three texts.
 * The cursor is on a part and not on a line, so it stays where it is when the width changes. */
#ifndef BATON_VIEWS_EXPLAIN_H
#define BATON_VIEWS_EXPLAIN_H

#include "views/frame.h"

size_t bt_explain_parts(const struct bt_why *why); /* 0 for NULL */
/* The part that is the most durable step; where nothing has to be cleared, the first part. */
size_t bt_explain_first_step(const struct bt_why *why);
/* NULL when that part is no step. Borrowed. */
const struct bt_why_step *bt_explain_step(const struct bt_why *why, size_t part);

/* First line of a part and the one after its last; with how many lines there are. The first part begins with the page,
 * the last ends with it. */
struct bt_explain_place {
  size_t first, end, lines;
};
struct bt_explain_place bt_explain_find(const struct bt_frame *frame, size_t part);

#endif
