/* tests/support/picture.h - a surface as text: what is compared with the golden screens.
 *
 * A golden screen is the glyph rows, a line "--", and one role letter for each cell (views/role.h). */
#ifndef BATON_TESTS_SUPPORT_PICTURE_H
#define BATON_TESTS_SUPPORT_PICTURE_H

#include "core/base/str.h"
#include "views/surface.h"
#include "views/view.h"

/* Trailing blanks of a row are cut. */
void picture_glyphs(struct bt_str *out, const struct bt_surface *surface);
void picture_roles(struct bt_str *out, const struct bt_surface *surface);
/* Both, with the size and where the cursor stands. */
void picture_golden(struct bt_str *out, const struct bt_surface *surface, const struct bt_view_cursor *cursor);

/* Compares with the file at `path`; prints the first row that differs. With BATON_UPDATE_GOLDEN=1 writes it instead and
 * is true. */
bool picture_matches(const char *path, const struct bt_str *picture);

/* Every cell is as bt_surface promises: wide cells whole, bytes printable, nothing but ASCII unless unicode. False with
 * a line on stderr. */
bool picture_is_sound(const struct bt_surface *surface);

#endif
