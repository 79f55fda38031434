/* tui/form.h - what a dialog asks: its items in Tab order, and the request that they stand for.
 *
 * Pure. Owns the strings of the request; what is typed lives in the scene's dialog. Knows nothing of plans or safety.
 */
#ifndef BATON_TUI_FORM_H
#define BATON_TUI_FORM_H

#include <stdbool.h>

#include "core/model/plan.h"
#include "views/scene.h"

struct bt_arena;

/* What an item is for. */
enum form_part {
  FORM_TICKET,
  FORM_SUCCESSOR,
  FORM_HASH,
  FORM_HOST,
  FORM_SCOPE,
  FORM_REASON,
  FORM_KEEP_OPEN,
  FORM_WORD,
  FORM_CANCEL,
  FORM_BACK,
  FORM_NEXT,
  FORM_REPAIR,
  FORM_DRY_RUN,
  FORM_ACT,
};

struct form {
  struct bt_dialog *dialog; /* NULL: closed; else whose items these are */
  enum form_part parts[BT_DIALOG_ITEMS];
  unsigned steps[BT_DIALOG_ITEMS]; /* wizard: the steps that show it, one bit each */
  struct bt_arena *arena;
  struct bt_request fixed; /* without what is typed; strings in the arena */
};

/* Fills `dialog` with the items of `verb` on a session, or for unlock on a lock (then `session` may be NULL). Cancel
 * has the focus; everything else is locked. False, and nothing is open, when memory is short. */
bool form_open(struct form *form, struct bt_dialog *dialog, enum bt_verb verb, const struct bt_snapshot *snapshot,
               const struct bt_session *session, const struct bt_lock *lock);
/* The same for a request that is made already, about `subject`; its strings are copied. */
bool form_open_request(struct form *form, struct bt_dialog *dialog, const struct bt_request *request,
                       const char *subject);
void form_close(struct form *form); /* a closed one stays closed */

/* The ledger was read again: what has to be asked may be something else now. */
void form_recheck(struct form *form, const struct bt_snapshot *snapshot);

/* What is asked for now; strings are borrowed until the next change. */
struct bt_request form_request(const struct form *form);

/* Copies `text` into the form's own memory. False when memory is short. */
bool form_keep(struct form *form, const char **slot, const char *text);

struct bt_item *form_find(const struct form *form, enum form_part part); /* NULL: this dialog has none */
const char *form_text(const struct form *form, enum form_part part);     /* of a field; NULL: has none */
enum form_part form_focused(const struct form *form);
void form_focus(struct form *form, enum form_part part);

/* Shows what belongs to the dialog's step and hides the rest; Cancel has the focus. */
void form_show_step(struct form *form);
/* Hides an item for good, or shows it where its step is on show. */
void form_hide(struct form *form, enum form_part part, bool hidden);
bool form_blank(const struct form *form,
                enum form_part part); /* nothing but blanks is typed there, or there is no such item */

/* Adds the field for the word, before Cancel; the focus stays where it is. */
struct bt_item *form_add_word(struct form *form);

#endif
