/* tui/confirm.h - one dialog as a state machine: the form, the word to type, the buttons, the plan behind them.
 *
 * Pure. Owns the plan on show. Safety lives here (dashboard.md, decisions and rows
 * 43-46, 86): Cancel has the focus at first; only the focused acting button executes, and only when a plan of exactly
 * what the form says is on show, nothing forbids it, the word is typed and the facts have not moved unseen. */
#ifndef BATON_TUI_CONFIRM_H
#define BATON_TUI_CONFIRM_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/model/plan.h"
#include "keymaps/action.h"
#include "tui/form.h"
#include "views/scene.h"

struct confirm {
  struct form form;     /* its dialog is the scene's; closed: no dialog is open */
  struct bt_plan *plan; /* owned; dialog->plan borrows it */
  char fingerprint[BT_SHA256_HEX];
  bool outdated;               /* the form says something else than the plan */
  bool compare;                /* the plan that is being made answers a refresh */
  bool planning;               /* a plan was asked for, and is not there yet */
  bool again;                  /* the ledger was read again meanwhile: it is not the last */
  unsigned edits, asked_edits; /* how often the form was changed: so far, and when the plan was asked for */
  bool placed;                 /* wizard: it stands on a step */
  bool advance;                /* wizard: the step may be left as soon as the plan is there */
  char refused[512];           /* what the refusal is about: the error's subject */
  bool stopping;               /* what is being executed was told to stop */
  bool word_begun;             /* the last key was the first character of the word to type */
  bool unread;                 /* the facts moved and nobody has moved the focus since */
  char stale[160], note[96], told[192];
  char failure[640]; /* what an attempt failed with: it may name what could not be put back, so it stays until the form
                        changes */
  char error[sizeof(struct bt_error) + 640];
};

enum confirm_answer {
  CONFIRM_NOTHING,
  CONFIRM_CHANGED, /* draw again */
  CONFIRM_LEAVE,
  CONFIRM_STOP,    /* stop what is being executed; its answer tells what came of it */
  CONFIRM_PLAN,    /* make the plan of confirm_request */
  CONFIRM_EXECUTE, /* execute `plan` */
  CONFIRM_SHOW_DRY_RUN,
  CONFIRM_REVIEW, /* mark the text on show, which is the plan's brief, as read */
  CONFIRM_REPAIR, /* leave, and open repair on the same session */
  CONFIRM_SCROLL_DOWN,
  CONFIRM_SCROLL_UP,
};

/* Opens the dialog of `verb` on a session, or for unlock on a lock (then `session` may be NULL). False, and nothing
 * is open, when memory is short. The caller makes the plan next. */
bool confirm_open(struct confirm *confirm, struct bt_dialog *dialog, enum bt_verb verb,
                  const struct bt_snapshot *snapshot, const struct bt_session *session, const struct bt_lock *lock);
/* The same for a request that is made already. */
bool confirm_open_request(struct confirm *confirm, struct bt_dialog *dialog, const struct bt_request *request,
                          const char *subject);
void confirm_close(struct confirm *confirm);
bool confirm_is_open(const struct confirm *confirm);

/* What is asked for now; strings are borrowed until the next call. */
struct bt_request confirm_request(const struct confirm *confirm);

/* The mode keys are read in: FIELD in a text field, else CONFIRM. */
enum bt_mode confirm_mode(const struct confirm *confirm);

enum confirm_answer confirm_act(struct confirm *confirm, enum bt_action action);
/* Why pressing what has the focus does nothing, as a sentence; NULL when it does something. Borrowed until the next
 * call. */
const char *confirm_locked(struct confirm *confirm);
/* Is there a word to type, and the keys do not go to its field? */
bool confirm_misses_field(const struct confirm *confirm);
/* To be told every key outside a field. True at the second of the first two characters of that word: somebody types it.
 * Both go to its field, which was empty, and the focus with them, so that the rest is not read as keys. One alone may be the
 * key that opened the dialog, pressed twice. Nothing is confirmed by it. */
bool confirm_begin_word(struct confirm *confirm, uint32_t code_point);
enum confirm_answer confirm_type(struct confirm *confirm, uint32_t code_point);
enum confirm_answer confirm_paste(struct confirm *confirm, const char *text, size_t length);

/* The plan of confirm_request has been asked for: now, or after the caller has done something else. */
void confirm_asked(struct confirm *confirm);

/* The ledger was read again: true when the plan must be made again and compared. Where one is being made this is put off:
 * its answer says so in `again`. */
bool confirm_recheck(struct confirm *confirm, const struct bt_snapshot *snapshot);

/* The plan that was asked for (moves in), or NULL and why there is none. */
void confirm_planned(struct confirm *confirm, struct bt_plan *plan, const struct bt_error *err);

/* The brief on show was marked as read: a new plan will say so, and the step is done. */
void confirm_reviewed(struct confirm *confirm);

/* Execution failed: says so and wants a new plan. */
void confirm_failed(struct confirm *confirm, const struct bt_error *err);

#endif
