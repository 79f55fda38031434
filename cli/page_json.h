/* cli/page_json.h - the page on show as one JSON document: the words of the command of that page, the rows of the screen.
 *
 * Filter and order are the screen's. Must not know: the terminal, the clipboard. Rules: dashboard.md rows 94, 95; 6.4, 6.8. */
#ifndef BATON_CLI_PAGE_JSON_H
#define BATON_CLI_PAGE_JSON_H

#include <stdbool.h>

#include "core/base/str.h"
#include "views/scene.h"

/* False: memory is short, or nothing is on show yet; `out` is to be thrown away. */
bool page_json(const struct bt_snapshot *snapshot, const struct bt_scene *scene, struct bt_str *out);

#endif
