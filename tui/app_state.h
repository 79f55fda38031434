/* tui/app_state.h - what is inside struct app; for tui/app*.c only.
 *
 * Ids in the scene point into the snapshot; bt_view_settle points them into the next one. */
#ifndef BATON_TUI_APP_STATE_H
#define BATON_TUI_APP_STATE_H

#include "core/base/str.h"
#include "tui/app.h"
#include "tui/bulk.h"
#include "tui/confirm.h"
#include "tui/hints.h"
#include "tui/marks.h"
#include "views/prepare.h"

struct app {
  struct app_options options;
  struct bt_scene scene;
  struct bt_snapshot *snapshot;
  struct bt_prepared prepared;
  struct hints hints;
  struct confirm confirm;          /* the open dialog */
  struct form copying;             /* the request whose command is to be copied */
  struct bt_dialog copying_dialog; /* never drawn */
  struct marks marks;
  struct bulk bulk;         /* the open bulk dialog */
  struct bt_str bulk_facts; /* what it says, to be held against the next reading */
  bool bulk_unread;         /* they moved, and nobody has moved the focus since */
  char bulk_label[32];      /* of its button */
  bool help_open;
  enum bt_mode help_for;             /* the mode that help was asked in */
  enum bt_page trail[BT_PAGE_COUNT]; /* the pages below the one on show, each once */
  size_t trail_count;
  struct bt_brief_diff *diff;
  struct bt_why *why;
  char why_path[BT_FIELD_BYTES]; /* the page asks about an edit of it too; empty: about no path */
  char why_error[768];
  struct bt_log_view *log;
  char log_error[768];
  struct bt_records_view *records;
  char records_error[768];
  struct bt_delivery_view *deliveries;
  char deliveries_error[768];
  struct bt_arena *raw_arena;
  struct bt_str copied; /* text of an EFFECT_COPY */
  char message[768];
  bool news;                    /* it tells an event: no answer to a key */
  int local_offset_s;           /* of local time from UTC */
  struct bt_field other_filter; /* of the list while the locks are shown, and the other way round */
  struct bt_str kept_id;        /* selection of the list while the locks are shown */
  struct bt_str open_id;        /* of the session on the page, though its row may be away */
  struct bt_str anchor;         /* what was selected when the filter line was opened: an id, a path, a key */
  bool find_hit;                /* the search text changed: look for its first match */
  bool expiry_seen;             /* a refresh for a grant that ran out is on its way */
};

/* ---- tui/app.c ---- */
struct effect *app_effect(struct effects *effects, enum effect_kind kind); /* adds one */
void app_settle(struct app *app); /* after every change: derived rows, ranges, hints */
void app_copy(struct app *app, struct effects *effects, const char *text);
enum bt_mode app_page_mode(const struct app *app);

/* ---- tui/app_news.c ---- */
void app_news_tell(struct app *app, const struct bt_snapshot *before); /* what is new since, if there is room */

/* ---- tui/app_prompt.c ---- */
void app_filter_open(struct app *app);
void app_input_act(struct app *app, enum bt_action action, uint32_t key, struct effects *effects);
struct bt_field *app_prompt_field(struct app *app); /* what is typed at the bottom line goes here */

/* ---- tui/app_page.c: list, locks and session page ---- */
void app_page_act(struct app *app, enum bt_action action, struct effects *effects);
bool app_move(struct app *app, enum bt_action action); /* true when the action was one that moves */
void app_help_act(struct app *app, enum bt_action action);
void app_want_raw(struct app *app, struct effects *effects); /* asks for the files where their tab is open */

/* ---- tui/app_share.c: what leaves the dashboard ---- */
void app_toggle_times(struct app *app);
void app_write_view(struct app *app, struct effects *effects);
void app_edit_copy(struct app *app, struct effects *effects);
void app_open_page(struct app *app, enum bt_page page); /* over the one on show; one that lies below is gone back to */
void app_go_home(struct app *app, struct effects *effects); /* to the list */
void app_look_at(struct app *app, enum bt_tab tab, struct effects *effects);

/* ---- tui/app_diff.c: a brief against the copy of it that is kept ---- */
void app_diff_toggle(struct app *app, struct effects *effects);
void app_diff_ask(struct app *app, struct effects *effects); /* where one is on show: the brief may have changed */
bool app_diff_fits(const struct app *app);                   /* what is on show is about the page that is open */

/* ---- tui/app_why.c: the why page ---- */
void app_why_open(struct app *app, struct effects *effects);
void app_why_ask(struct app *app, struct effects *effects);    /* where its page is open */
void app_why_asked(struct app *app, struct effects *effects);  /* what was typed: a session, a path or both */
void app_why_press(struct app *app, struct effects *effects);  /* the step under the cursor */
const struct bt_why_step *app_why_step(const struct app *app); /* NULL: none is under the cursor */

/* ---- tui/app_command.c: the command palette ---- */
void app_command_run(struct app *app, struct effects *effects);
void app_command_complete(struct app *app); /* and what the why page is asked */
/* How many sessions begin like that; *found is the one that is meant: the whole id, or the only one. */
size_t app_match_session(const struct bt_snapshot *snapshot, struct bt_slice part, const struct bt_session **found);

/* ---- tui/app_mark.c: the order of the list, briefs that were read ---- */
void app_order_keep(const struct app *app, struct effects *effects);
void app_order_choose(struct app *app, enum bt_action action, uint32_t key, struct effects *effects);
void app_review(struct app *app, struct effects *effects);
void app_preview_next(struct app *app, struct effects *effects);

/* ---- tui/app_many.c: marks, and the dialog that unlocks what is marked ---- */
bool app_many_act(struct app *app, enum bt_action action, struct effects *effects); /* true: it was one of its own */
void app_marks_fit(struct app *app); /* the flags of the scene, after every change */
bool app_bulk_is_open(const struct app *app);
void app_bulk_act(struct app *app, enum bt_action action, struct effects *effects);
void app_bulk_recheck(struct app *app, struct effects *effects); /* the ledger was read again */
void app_bulk_leave(struct app *app);

/* ---- tui/app_log.c: the evidence log ---- */
void app_log_open(struct app *app, struct effects *effects);
void app_log_ask(struct app *app, struct effects *effects); /* where its page is open */
void app_log_select(struct app *app, const char *key);      /* where the filter lets it through; else nothing moves */
void app_log_copy(struct app *app, struct effects *effects);

/* ---- tui/app_records.c: the session records ---- */
void app_records_open(struct app *app, struct effects *effects);
void app_records_ask(struct app *app, struct effects *effects); /* where its page is open */
void app_records_brief(struct app *app, struct effects *effects);
void app_records_copy(struct app *app, struct effects *effects);
/* Why no record can be built of this session (NULL: none is selected; or that `of_record`, a selected record, is not
 * listed); NULL when one can. */
const char *app_records_off(const struct bt_session *session, bool of_record);

/* ---- tui/app_deliveries.c: the deliveries, and what is done about a handover request ---- */
bool app_deliveries_act(struct app *app, enum bt_action action, struct effects *effects); /* false: not theirs */
void app_deliveries_ask(struct app *app, bool forge, struct effects *effects);            /* where their page is open */
void app_deliveries_press(struct app *app);
bool app_deliveries_close(struct app *app); /* the one that takes the whole page; false: none does */
void app_deliveries_copy(struct app *app, struct effects *effects);
bool app_is_beside(enum bt_verb verb);                                /* a verb on what lies beside the ledger */
const char *app_beside_off(const struct app *app, enum bt_verb verb); /* why it would refuse now; NULL */

/* ---- tui/app_verb.c: the one gate before a dialog, and the dialog's answers ---- */
const struct bt_session *app_subject_session(const struct app *app); /* that of the page on show; NULL: none */
struct hints_off app_verbs_off(const struct app *app);
void app_verb_act(struct app *app, enum bt_verb verb, struct effects *effects);
void app_copy_next(struct app *app, struct effects *effects);
void app_dialog_act(struct app *app, enum bt_action action, struct effects *effects); /* a key of a dialog */
void app_dialog_answer(struct app *app, enum confirm_answer answer, struct effects *effects);
void app_want_plan(struct app *app, struct effects *effects);
void app_open_help(struct app *app); /* over the page that is open */

#endif
