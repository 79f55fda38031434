/* tests/support/shown.h - the folders of a run replaced by ones that are the same on every screen.
 *
 * Changes only what is drawn of a plan: nothing of it is used to execute it. */
#ifndef BATON_TESTS_SUPPORT_SHOWN_H
#define BATON_TESTS_SUPPORT_SHOWN_H

#include "core/model/plan.h"
#include "core/model/records_view.h"
#include "core/model/why.h"

#define SHOWN_ROOT "/home/op/w/payments-api"
#define SHOWN_HOME "/home/op"

/* `root` and `home` are the folders of this run. The new texts live in its arena. */
void shown_plan(struct bt_plan *plan, const char *root, const char *home);
void shown_records(struct bt_records_view *records, const char *root, const char *home);
void shown_why(struct bt_why *why, const char *root);

#endif
