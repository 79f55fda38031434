/* views/form.c - inputs and buttons. */
#include "views/form.h"

#include <stdio.h>
#include <string.h>

#include "views/field.h"
#include "views/parts.h"
#include "views/text.h"

#define LABEL_AT 2
#define INPUT_AT 18

static size_t item_count(const struct bt_dialog *dialog) {
  return dialog->item_count < BT_DIALOG_ITEMS ? dialog->item_count : BT_DIALOG_ITEMS;
}

static bool is_input(const struct bt_item *item) {
  return item->kind != BT_ITEM_BUTTON && !item->hidden;
}

static bool is_button(const struct bt_item *item) {
  return item->kind == BT_ITEM_BUTTON && !item->hidden && item->label;
}

/* The input that a small dialog shows: the focused one, else the confirmation, else the first; -1: no input at all. */
static int shown_input(const struct bt_dialog *dialog) {
  int found = -1;
  for (size_t i = 0; i < item_count(dialog); i++) {
    const struct bt_item *item = &dialog->items[i];
    if (!is_input(item))
      continue;
    if (i == dialog->focus)
      return (int)i;
    if (found < 0 || item->kind == BT_ITEM_CONFIRM)
      found = (int)i;
  }
  return found;
}

static int item_rows(const struct bt_item *item, bool compact) {
  if (item->kind != BT_ITEM_RADIO || compact)
    return 1;
  return item->option_count < 4 ? (int)item->option_count : 4;
}

int bt_form_rows(const struct bt_dialog *dialog, bool compact) {
  int rows = 1; /* the buttons */
  if (compact)
    return rows + (shown_input(dialog) >= 0);
  for (size_t i = 0; i < item_count(dialog); i++)
    if (is_input(&dialog->items[i]))
      rows += item_rows(&dialog->items[i], false);
  return rows + (rows > 1); /* a blank row between the inputs and the buttons */
}

struct form {
  const struct bt_frame *frame;
  struct bt_pane pane;
  int row;
  int input_at;
};

static void draw_focus(const struct form *form, int row) {
  bt_pane_run(form->pane, row, 0, 1, BT_ROLE_KEY, "▸", '>');
  *form->frame->cursor = (struct bt_view_cursor){form->pane.row + row, form->pane.column, false};
}

static void draw_note(const struct form *form, int at, const struct bt_item *item) {
  int room = form->pane.columns - at;
  if (item->note && room > 0)
    bt_pane_field(form->pane, form->row, at, room, BT_ALIGN_LEFT, BT_ROLE_DIM, item->note);
}

/* "Type  auth  to confirm": the word stands out. Returns where the field begins. */
static int draw_confirm_label(struct form *form, const struct bt_item *item, bool focused) {
  const struct bt_plan *plan = form->frame->scene->dialog.plan;
  enum bt_role role = focused ? BT_ROLE_BOLD : BT_ROLE_DEFAULT;
  int limit = form->pane.columns - 12;
  struct bt_pane room = bt_pane_cut(form->pane, form->row, 0, 1, limit);
  if (!plan || !plan->confirm_word)
    return LABEL_AT + bt_pane_text(room, 0, LABEL_AT, role, item->label) + 1;
  int at = LABEL_AT + bt_pane_text(room, 0, LABEL_AT, role, "Type ");
  at += bt_pane_text(room, 0, at, BT_ROLE_WARNING, plan->confirm_word);
  at += bt_pane_text(room, 0, at, role, " to confirm");
  return at + 1;
}

/* What is known of the text in a field that has known values: "2 of 5  Rotate auth tokens". */
static void known_words(char out[4 * BT_PART_BYTES], const struct bt_item *item) {
  const char *first = item->option_count >= BT_KNOWN_TICKETS_MAX ? "the first " : "";
  for (size_t i = 0; i < item->option_count; i++)
    if (strcmp(item->options[i].text, item->field.text) == 0) {
      snprintf(out, 4 * BT_PART_BYTES, "%zu of %s%zu  %.200s", i + 1, first, item->option_count,
               item->options[i].note ? item->options[i].note : "");
      return;
    }
  snprintf(out, 4 * BT_PART_BYTES, *first ? "%s%zu listed" : "%s%zu known here", first, item->option_count);
}

static void draw_text(struct form *form, const struct bt_item *item, bool focused) {
  int at = form->input_at;
  if (item->kind == BT_ITEM_CONFIRM)
    at = draw_confirm_label(form, item, focused);
  else
    bt_pane_field(form->pane, form->row, LABEL_AT, at - LABEL_AT - 1, BT_ALIGN_LEFT,
                  focused ? BT_ROLE_BOLD : BT_ROLE_DEFAULT, item->label);
  int width = form->pane.columns - at - 3;
  if (item->kind == BT_ITEM_CONFIRM && width > 24)
    width = 24;
  bool known = item->option_count > 0;
  if (known)
    width = width > 66 ? 32 : width - 2;
  bt_pane_text(form->pane, form->row, at, BT_ROLE_DIM, "[");
  bt_pane_text(form->pane, form->row, at + width + 1, BT_ROLE_DIM, known ? " v]" : "]");
  bt_field_draw(bt_pane_cut(form->pane, form->row, at + 1, 1, width), &item->field, focused, form->frame->cursor);
  if (known) {
    char words[4 * BT_PART_BYTES];
    int room = form->pane.columns - (at + width + 6);
    known_words(words, item);
    if (room > 8)
      bt_pane_field(form->pane, form->row, at + width + 6, room, BT_ALIGN_LEFT, BT_ROLE_DIM, words);
    return;
  }
  draw_note(form, at + width + 4, item);
}

static void draw_choice(struct form *form, const struct bt_item *item, bool focused) {
  const struct bt_option *option = item->option < item->option_count ? &item->options[item->option] : NULL;
  int at = form->input_at, width = 22;
  bt_pane_field(form->pane, form->row, LABEL_AT, at - LABEL_AT - 1, BT_ALIGN_LEFT,
                focused ? BT_ROLE_BOLD : BT_ROLE_DEFAULT, item->label);
  if (width > form->pane.columns - at - 6)
    width = form->pane.columns - at - 6;
  enum bt_role role = focused ? BT_ROLE_SELECTION : BT_ROLE_FIELD;
  bt_pane_text(form->pane, form->row, at, BT_ROLE_DIM, "[");
  bt_pane_field(form->pane, form->row, at + 1, width, BT_ALIGN_LEFT, role, option ? option->text : "(none)");
  bt_pane_text(form->pane, form->row, at + 1 + width, BT_ROLE_DIM, item->option_count > 1 ? " v]" : "  ]");
  int room = form->pane.columns - (at + width + 5);
  if (option && option->note && room > 0)
    bt_pane_field(form->pane, form->row, at + width + 5, room, BT_ALIGN_LEFT, BT_ROLE_DIM, option->note);
  else
    draw_note(form, at + width + 5, item);
}

static void draw_option(struct form *form, const struct bt_item *item, size_t index, bool focused) {
  const struct bt_option *option = &item->options[index];
  bool chosen = index == item->option;
  enum bt_role role = chosen && focused ? BT_ROLE_SELECTION : chosen ? BT_ROLE_BOLD : BT_ROLE_DEFAULT;
  int at = form->input_at;
  at += bt_pane_text(form->pane, form->row, at, role, chosen ? "(*) " : "( ) ");
  at += bt_pane_text(form->pane, form->row, at, role, option->text);
  int room = form->pane.columns - at - 2;
  if (option->note && room > 4)
    bt_pane_field(form->pane, form->row, at + 2, room, BT_ALIGN_LEFT, BT_ROLE_DIM, option->note);
}

static void draw_radio(struct form *form, const struct bt_item *item, bool focused, bool compact) {
  size_t count = (size_t)item_rows(item, false);
  bt_pane_field(form->pane, form->row, LABEL_AT, form->input_at - LABEL_AT - 1, BT_ALIGN_LEFT,
                focused ? BT_ROLE_BOLD : BT_ROLE_DEFAULT, item->label);
  if (compact && item->option < item->option_count) {
    draw_option(form, item, item->option, focused);
    return;
  }
  for (size_t i = 0; i < count; i++, form->row++)
    draw_option(form, item, i, focused);
  form->row--;
}

static void draw_input(struct form *form, const struct bt_item *item, bool focused, bool compact) {
  int row = form->row;
  if (item->kind == BT_ITEM_RADIO)
    draw_radio(form, item, focused, compact);
  else if (item->kind == BT_ITEM_CHOICE)
    draw_choice(form, item, focused);
  else
    draw_text(form, item, focused);
  if (focused && (item->kind == BT_ITEM_RADIO || item->kind == BT_ITEM_CHOICE))
    draw_focus(form, row);
  else if (focused)
    bt_pane_run(form->pane, row, 0, 1, BT_ROLE_KEY, "▸", '>');
  form->row++;
}

/* A button's note in what room is left beside the buttons; "locked" where the whole of it does not fit. */
static int draw_button_note(struct form *form, int at, const struct bt_item *item, int *spare) {
  char text[BT_PART_BYTES * 4];
  int width = 0;
  for (int brief = item->note ? 0 : 1; brief < 2; brief++) {
    if (brief && !item->locked)
      return 0;
    snprintf(text, sizeof text, " (%s)", brief ? "locked" : item->note);
    width = bt_text_width(text, strlen(text), form->frame->scene->unicode, form->pane.columns);
    if (width <= *spare)
      break;
  }
  if (width > *spare)
    return 0;
  *spare -= width;
  return bt_pane_text(form->pane, form->row, at, BT_ROLE_DIM, text);
}

static void draw_buttons(struct form *form, const struct bt_dialog *dialog) {
  int width = 0, gap = form->pane.columns >= 60 ? 4 : 1, count = 0;
  for (size_t i = 0; i < item_count(dialog); i++)
    if (is_button(&dialog->items[i]))
      width += (int)strlen(dialog->items[i].label) + 4 + (count++ ? gap : 0);
  int at = form->pane.columns >= 60 ? 6 : 1;
  if (at + width > form->pane.columns)
    at = 0;
  int spare = form->pane.columns - at - width;
  for (size_t i = 0; i < item_count(dialog); i++) {
    const struct bt_item *item = &dialog->items[i];
    bool focused = i == dialog->focus;
    if (!is_button(item))
      continue;
    enum bt_role role = focused ? BT_ROLE_BUTTON_FOCUSED : item->locked ? BT_ROLE_BUTTON_LOCKED : BT_ROLE_BUTTON;
    if (focused)
      *form->frame->cursor = (struct bt_view_cursor){form->pane.row + form->row, form->pane.column + at, false};
    if (focused && at > 0)
      bt_pane_run(form->pane, form->row, at - 1, 1, BT_ROLE_KEY, "▸", '>');
    at += bt_pane_text(form->pane, form->row, at, role, "[ ");
    at += bt_pane_text(form->pane, form->row, at, role, item->label);
    at += bt_pane_text(form->pane, form->row, at, role, " ]");
    at += draw_button_note(form, at, item, &spare) + gap;
  }
}

void bt_form_draw(const struct bt_frame *frame, struct bt_pane pane, bool compact) {
  const struct bt_dialog *dialog = &frame->scene->dialog;
  struct form form = {frame, pane, 0, pane.columns >= 60 ? INPUT_AT : 12};
  int only = compact ? shown_input(dialog) : -1;
  for (size_t i = 0; i < item_count(dialog); i++)
    if (is_input(&dialog->items[i]) && (!compact || only == (int)i))
      draw_input(&form, &dialog->items[i], i == dialog->focus, compact);
  form.row = pane.rows - 1;
  draw_buttons(&form, dialog);
}
