/* views/flow.h - lines that follow each other down a pane and may be scrolled.
 *
 * A flow counts every line it is given and draws those that are in sight; with a pane of no rows it only counts.
 * So the code that draws a page also says how long the page is. */
#ifndef BATON_VIEWS_FLOW_H
#define BATON_VIEWS_FLOW_H

#include "views/surface.h"

struct bt_flow {
  struct bt_pane pane;
  int columns; /* to wrap at; kept when the pane has no rows */
  bool unicode;
  size_t top;  /* first visible line */
  size_t line; /* next line; at the end: how many there are */
};

void bt_flow_start(struct bt_flow *flow, struct bt_pane pane, size_t top);
void bt_flow_count(struct bt_flow *flow, int columns, bool unicode); /* counts only */

/* The next line as a pane of one row; of no rows where it is out of sight. Drawing into that is harmless. */
struct bt_pane bt_flow_line(struct bt_flow *flow);
void bt_flow_blank(struct bt_flow *flow);
void bt_flow_rule(struct bt_flow *flow, const char *left, const char *right);

/* `text` wrapped from column `indent`. NULL or empty text gives no line. */
void bt_flow_wrap(struct bt_flow *flow, int indent, enum bt_role role, const char *text);

/* `label` at column `at`, the text wrapped from column `indent`. Empty text gives the label's line alone. */
void bt_flow_labelled(struct bt_flow *flow, int at, enum bt_role label_role, const char *label, int indent,
                      enum bt_role role, const char *text);
/* The same with the text from printf, up to 1 KiB; a longer one is cut, which its end says. */
void bt_flow_printf(struct bt_flow *flow, int at, enum bt_role label_role, const char *label, int indent,
                    enum bt_role role, const char *fmt, ...) __attribute__((format(printf, 7, 8)));

#endif
