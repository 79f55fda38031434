/* tests/support/stage.h - a scene on a surface of its own, for tests of the views without an app.
 *
 * The cells are exactly as many as the size needs, so a sanitizer sees any step outside. */
#ifndef BATON_TESTS_SUPPORT_STAGE_H
#define BATON_TESTS_SUPPORT_STAGE_H

#include "core/base/str.h"
#include "views/prepare.h"
#include "views/surface.h"
#include "views/view.h"

struct stage {
  struct bt_scene scene; /* free to change between draws */
  struct bt_prepared prepared;
  struct bt_surface surface;
  struct bt_cell *cells;
  struct bt_view_cursor cursor;
  struct bt_str glyphs; /* of the last draw */
};

void stage_init(struct stage *stage, int rows, int columns, bool unicode);
void stage_resize(struct stage *stage, int rows, int columns);
void stage_dispose(struct stage *stage);

/* Prepares, settles and draws; fails the running test when the result is not sound. */
void stage_draw(struct stage *stage, const struct bt_snapshot *snapshot);

/* Is `text` in the glyphs of the last draw? Prints the screen when it is not what was wanted. */
bool stage_shows(const struct stage *stage, const char *text);
/* Row of the first cell with that role; -1: none. */
int stage_role_row(const struct stage *stage, enum bt_role role);

void stage_type(struct bt_field *field, const char *text);
/* Opens the dialog of `verb` with the still plan and the usual items; Cancel has the focus. */
void stage_dialog(struct stage *stage, enum bt_verb verb);

#endif
