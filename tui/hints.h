/* tui/hints.h - what the footer, the dialogs and the help say about keys, read from the live keymap.
 *
 * Pure. Nothing about keys is written by hand anywhere else (dashboard.md row 90). */
#ifndef BATON_TUI_HINTS_H
#define BATON_TUI_HINTS_H

#include <stdbool.h>

#include "keymaps/keymap.h"
#include "views/scene.h"

#define HINTS_MAX 32 /* more than any one mode has */
#define HINTS_HELP_MAX (2 * BT_ACTION_COUNT)
#define HINTS_KEYS 64 /* bytes of "j, down" */

struct hints { /* storage of what the scene borrows */
  struct bt_hint list[HINTS_MAX];
  enum bt_action actions[HINTS_MAX]; /* of `list` */
  char keys[HINTS_MAX][BT_KEY_NAME];
  char verb_keys[BT_VERB_COUNT][BT_KEY_NAME];
  struct bt_help_row help[HINTS_HELP_MAX];
  char help_keys[HINTS_HELP_MAX][HINTS_KEYS];
};

/* Why each verb would refuse now; NULL: it would not. Borrowed. */
struct hints_off {
  const char *reason[BT_VERB_COUNT];
};

/* Footer and verb keys of `mode` into the scene. */
void hints_fill(struct hints *hints, struct bt_scene *scene, const struct bt_keymap *keymap, enum bt_mode mode,
                const struct hints_off *off);

/* The help: what the page `mode` can do by groups, then the dialogs and the typing lines; with scene->help_filter only
 * the rows that hold it in their key, sentence, group or the action's name. */
void hints_help(struct hints *hints, struct bt_scene *scene, const struct bt_keymap *keymap, enum bt_mode mode,
                const struct hints_off *off);

#endif
