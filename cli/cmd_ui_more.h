/* cli/cmd_ui_more.h - what the plain mode does beside its menus: several locks at once, the order of the list, read briefs.
 *
 * The same bulk unlock, order and marks as the dashboard's (tui/bulk.h, views/order.h, core/ops/preferences.h,
 * core/ops/marks.h); only the asking differs: numbers, a line for each thing, words typed to confirm. */
#ifndef BATON_CLI_CMD_UI_MORE_H
#define BATON_CLI_CMD_UI_MORE_H

#include <stdint.h>

#include "cli/cmd_ui_line.h"
#include "cli/env.h"
#include "core/model/snapshot.h"
#include "views/scene.h"

struct ui_order {
  enum bt_sort sort;
  bool reversed;
};
void ui_order_load(const struct bt_env *env, struct ui_order *order); /* as it was kept */
/* Asks for a column and keeps the answer; the same one again turns it round. False: nothing was chosen. */
bool ui_order_ask(struct cli_env *cli, struct line_reader *reader, struct ui_order *order);
/* Indexes of the sessions that pass the filter, in order; the caller frees them. NULL: out of memory. */
uint32_t *ui_order_rows(const struct bt_snapshot *snapshot, const char *filter, struct ui_order order, size_t *count);

/* Asks which of the locks that `paths` name (what the numbers stand for) are to go, says what would become of each, and
 * removes those that are stale when the word is typed. */
void ui_unlock_several(struct cli_env *cli, struct line_reader *reader, const struct bt_snapshot *snapshot,
                       char *const *paths, size_t count);

/* Marks the brief as read, or takes the mark away. `read_hash` is that of the brief that was said last; NULL: none. */
void ui_review(struct cli_env *cli, const struct bt_session *session, const char *read_hash);

#endif
