/* views/overview.h - everything the snapshot knows about one session, as labelled lines.
 *
 * Screen 6.2 of dashboard.md, left half. What is not known says so. */
#ifndef BATON_VIEWS_OVERVIEW_H
#define BATON_VIEWS_OVERVIEW_H

#include "views/flow.h"
#include "views/frame.h"

void bt_overview_add(struct bt_flow *flow, const struct bt_frame *frame, const struct bt_session *session);

#endif
