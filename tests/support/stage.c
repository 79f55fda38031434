/* tests/support/stage.c - scenes for tests. */
#include "tests/support/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "tests/support/picture.h"
#include "tests/support/still.h"

static const struct bt_hint hints[] = {{"enter", "open", false, false}, {"c", "continue", false, false},
                                       {"u", "unlock", true, false},    {"/", "filter", false, false},
                                       {"?", "help", false, true},      {"q", "quit", false, true}};
static const struct bt_help_row help[] = {
    {"MOVE", "j, down", "next row", false},     {"MOVE", "k, up", "previous row", false},
    {"LOOK", "enter", "open the page", false},  {"LOOK", "l", "the locks and what proves them", false},
    {"ACT", "u", "unlock (stale locks)", true}, {"LEAVE", "q", "quit", false}};

void stage_init(struct stage *stage, int rows, int columns, bool unicode) {
  memset(stage, 0, sizeof *stage);
  stage->scene.unicode = unicode;
  stage->scene.prepared = &stage->prepared;
  stage->scene.hints = hints;
  stage->scene.hint_count = sizeof hints / sizeof *hints;
  stage->scene.help = help;
  stage->scene.help_count = sizeof help / sizeof *help;
  stage->scene.verbs[BT_VERB_CONTINUE].keys = "c";
  stage->scene.verbs[BT_VERB_UNLOCK].keys = "u";
  bt_str_init(&stage->glyphs, 4 << 20);
  stage_resize(stage, rows, columns);
}

void stage_resize(struct stage *stage, int rows, int columns) {
  free(stage->cells);
  stage->cells = malloc(bt_surface_cells_needed(rows, columns) * sizeof *stage->cells);
  assert_non_null(stage->cells);
  bt_surface_init(&stage->surface, stage->cells, rows, columns, stage->scene.unicode);
  stage->scene.rows = rows;
  stage->scene.columns = columns;
}

void stage_dispose(struct stage *stage) {
  free(stage->cells);
  bt_prepared_dispose(&stage->prepared);
  bt_str_dispose(&stage->glyphs);
}

void stage_draw(struct stage *stage, const struct bt_snapshot *snapshot) {
  assert_int_equal(bt_prepared_update(&stage->prepared, snapshot, &stage->scene, NULL), BT_OK);
  bt_view_settle(&stage->scene, snapshot);
  bt_view_draw(&stage->surface, snapshot, &stage->scene, &stage->cursor);
  assert_true(picture_is_sound(&stage->surface));
  assert_true(stage->cursor.row >= 0 && (stage->cursor.row < stage->surface.rows || !stage->surface.rows));
  assert_true(stage->cursor.column >= 0 && (stage->cursor.column < stage->surface.columns || !stage->surface.columns));
  bt_str_clear(&stage->glyphs);
  picture_glyphs(&stage->glyphs, &stage->surface);
  assert_false(stage->glyphs.failed);
}

bool stage_shows(const struct stage *stage, const char *text) {
  if (strstr(stage->glyphs.data, text))
    return true;
  fprintf(stderr, "not on the screen: %s\n%s", text, stage->glyphs.data);
  return false;
}

int stage_role_row(const struct stage *stage, enum bt_role role) {
  for (int row = 0; row < stage->surface.rows; row++)
    for (int column = 0; column < stage->surface.columns; column++)
      if (bt_surface_cell(&stage->surface, row, column)->role == role)
        return row;
  return -1;
}

void stage_type(struct bt_field *field, const char *text) {
  snprintf(field->text, sizeof field->text, "%s", text);
  field->length = field->cursor = strlen(field->text);
}

void stage_dialog(struct stage *stage, enum bt_verb verb) {
  static const struct bt_option scopes[] = {{"bound", "bound denies, and this session's own"},
                                            {"unbound", "also foreign and broken records; needs a reason"}};
  static const struct bt_option tickets[] = {{"T-121", "Fix the flaky retry"}, {"T-118", NULL}};
  struct bt_dialog *dialog = &stage->scene.dialog;
  struct bt_item *item = dialog->items;
  memset(dialog, 0, sizeof *dialog);
  stage->scene.overlay = BT_OVERLAY_DIALOG;
  dialog->verb = verb;
  dialog->phase = BT_DIALOG_READY;
  dialog->plan = still_plan(verb);
  dialog->subject = "7f3a91c2-auth";
  if (verb == BT_VERB_UNLOCK)
    dialog->lock = &still_snapshot()->locks[0];
  if (verb == BT_VERB_REPAIR)
    *item++ = (struct bt_item){.kind = BT_ITEM_CHOICE, .label = "ticket", .options = tickets, .option_count = 2};
  if (verb == BT_VERB_BYPASS) {
    *item++ = (struct bt_item){.kind = BT_ITEM_RADIO, .label = "scope", .options = scopes, .option_count = 2};
    *item++ = (struct bt_item){.kind = BT_ITEM_TEXT, .label = "reason"};
  }
  bool typed = dialog->plan->confirm_word != NULL;
  if (typed)
    *item++ = (struct bt_item){.kind = BT_ITEM_CONFIRM, .label = "Type the word to confirm"};
  dialog->focus = (size_t)(item - dialog->items);
  *item++ = (struct bt_item){.kind = BT_ITEM_BUTTON, .label = "Cancel"};
  *item++ = (struct bt_item){.kind = BT_ITEM_BUTTON, .label = "dry run"};
  *item++ = (struct bt_item){.kind = BT_ITEM_BUTTON,
                             .label = dialog->plan->confirm_label,
                             .locked = typed,
                             .note = typed ? "locked until typed" : NULL};
  dialog->item_count = (size_t)(item - dialog->items);
}
