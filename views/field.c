/* views/field.c - drawing what is being typed. */
#include "views/field.h"

#include "views/text.h"

/* Bytes to leave out at the left so that the cursor, at byte `cursor`, is within `room` columns. */
static size_t hidden_bytes(const struct bt_field *field, size_t cursor, int room, bool unicode) {
  struct bt_walk walk;
  bt_walk_start(&walk, field->text, cursor, 1, unicode);
  while (bt_walk_next(&walk))
    ;
  int over = walk.column - room;
  if (over <= 0)
    return 0;
  bt_walk_start(&walk, field->text, cursor, 1, unicode);
  while (bt_walk_next(&walk))
    if (walk.column >= over)
      return walk.at;
  return cursor;
}

void bt_field_draw(struct bt_pane pane, const struct bt_field *field, bool focused, struct bt_view_cursor *cursor) {
  enum bt_role role = focused ? BT_ROLE_FIELD_FOCUSED : BT_ROLE_FIELD;
  if (pane.columns < 1 || pane.rows < 1)
    return;
  size_t length = field->length < BT_FIELD_BYTES ? field->length : BT_FIELD_BYTES - 1;
  size_t at = field->cursor < length ? field->cursor : length;
  size_t hidden = hidden_bytes(field, at, pane.columns - 1, pane.surface->unicode);
  bt_pane_run(pane, 0, 0, pane.columns, role, " ", pane.surface->unicode ? ' ' : '_');
  bt_pane_slice(pane, 0, 0, role, field->text + hidden, length - hidden);
  if (!focused)
    return;
  int column = bt_text_width(field->text + hidden, at - hidden, pane.surface->unicode, pane.columns - 1);
  *cursor = (struct bt_view_cursor){pane.row, pane.column + (column < pane.columns ? column : pane.columns - 1), true};
}
