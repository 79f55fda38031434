/* tui/app.h - the dashboard as a pure state machine: keys and answers in, effects out.
 *
 * Owns: the scene, the snapshot on show, the open dialog. Does no I/O and never waits: what has to be done outside
 * comes back as effects, which tui/effect.c carries out and answers. So whole key sequences run in a unit test.
 * Texts and requests in an effect are borrowed until the next call. */
#ifndef BATON_TUI_APP_H
#define BATON_TUI_APP_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/model/plan.h"
#include "core/model/snapshot.h"
#include "keymaps/keymap.h"
#include "views/scene.h"
#include "views/surface.h"
#include "views/view.h"

enum effect_kind {
  EFFECT_PLAN,         /* make the plan of `request`, answer app_planned */
  EFFECT_PLAN_TO_COPY, /* the same, answer app_planned_to_copy */
  EFFECT_EXECUTE, /* execute `plan`, answer app_executed; a record's and a delivery's are planned and executed later */
  EFFECT_STOP,    /* stop the plan or the execution of a record that is going on; the latter is still answered */
  EFFECT_BULK_PLAN,    /* make the plans of app_bulk (tui/bulk.h), answer app_bulk_planned */
  EFFECT_BULK_EXECUTE, /* execute them one by one, answer app_bulk_executed */
  EFFECT_REFRESH,      /* read the ledger, answer app_refreshed or app_refresh_failed; may be done later */
  EFFECT_WHY,          /* explain the gate for session `text` and an edit of `paths[0]`, answer app_explained */
  EFFECT_COPY_PAGE,  /* put the page on show on the clipboard as JSON, answer app_copied; too long: a file, app_wrote */
  EFFECT_TAIL,       /* read the end of the transcript at `paths[0]`, answer app_raw */
  EFFECT_LOG,        /* read the evidence, answer app_logged; not where `length` is 1 and nothing has changed */
  EFFECT_DELIVERIES, /* evaluate the deliveries, with the forge where `length` is 1; answer app_delivered, later */
  EFFECT_KEEP_ORDER, /* remember the order of the list: `text`, reversed where `length` is 1; no answer */
  EFFECT_KEEP_PREVIEW, /* remember where the preview is: `text`; no answer */
  EFFECT_REVIEW,       /* mark the brief of session `text` as read, or not where `length` is 0; answer app_reviewed */
  EFFECT_REVIEW_BRIEF, /* mark the brief of `plan` as read; answer app_reviewed */
  EFFECT_DIFF,         /* hold the brief of session `text` against its copy; answer app_compared */
  EFFECT_RECORDS,      /* look through the record store, answer app_recorded; later */
  EFFECT_RECORD_BRIEF, /* show the brief of the record in folder paths[0] in $PAGER, answer app_paged */
  EFFECT_RAW,          /* read the files named in `paths`, answer app_raw */
  EFFECT_COPY,         /* put `text` on the clipboard */
  EFFECT_PAGER,        /* show `text` in $PAGER; answer app_paged */
  EFFECT_EDITOR,       /* show `text`, which is the file paths[0], in $EDITOR as a copy; answer app_paged */
  EFFECT_WRITE_VIEW,   /* write `text` to a file of baton's own; answer app_wrote */
  EFFECT_REDRAW,       /* write every cell anew */
  EFFECT_SUSPEND,
  EFFECT_QUIT,
};

#define APP_RAW_MAX 8
struct effect {
  enum effect_kind kind;
  struct bt_request request;
  const struct bt_plan *plan;
  const char *text;
  size_t length;
  const char *paths[APP_RAW_MAX]; /* relative to the ledger dir */
  size_t path_count;
};

#define APP_EFFECTS_MAX 4
struct effects {
  struct effect list[APP_EFFECTS_MAX];
  size_t count;
  bool changed; /* the screen may look different now */
};

struct app;

struct app_options {
  const struct bt_keymap *keymap; /* borrowed, outlives the app */
  const char *keymap_name;        /* "default" */
  bool unicode;
  bool utc; /* times begin in UTC */
};

struct app *app_new(const struct app_options *options); /* NULL: out of memory */
void app_free(struct app *app);                         /* NULL is allowed */

struct effects app_key(struct app *app, uint32_t key);
struct effects app_paste(struct app *app, const char *text, size_t length); /* internal text */
/* A press selects a row or does what a key hint says; the wheel scrolls. Nothing else: no press confirms a dialog that its
 * key would not. */
enum app_mouse { APP_MOUSE_PRESS, APP_MOUSE_WHEEL_UP, APP_MOUSE_WHEEL_DOWN };
struct effects app_mouse(struct app *app, enum app_mouse mouse, int row, int column);
struct effects app_resize(struct app *app, int rows, int columns);
struct effects app_tick(struct app *app, int64_t now_ms, int utc_offset_s);
void app_set_order(struct app *app, const char *spelling, bool reversed); /* as it was kept; unknown: as it is */
void app_set_preview(struct app *app, const char *spelling);              /* the same */
void app_live(struct app *app, enum bt_live live);
void app_say(struct app *app, enum bt_severity severity, const char *text); /* the message line; internal text */

struct effects app_refreshed(struct app *app, struct bt_snapshot *snapshot); /* moves in */
struct effects app_refresh_failed(struct app *app, const struct bt_error *err);
struct effects app_planned(struct app *app, struct bt_plan *plan, const struct bt_error *err); /* moves in, or NULL */
struct effects app_planned_to_copy(struct app *app, struct bt_plan *plan, const struct bt_error *err); /* moves in */
/* `receipt` is borrowed; NULL: it failed with `err`. */
struct effects app_executed(struct app *app, const struct bt_receipt *receipt, const struct bt_error *err);
struct bulk;                            /* tui/bulk.h */
struct bulk *app_bulk(struct app *app); /* what the bulk effects are about; borrowed */
struct effects app_bulk_planned(struct app *app);
struct effects app_bulk_executed(struct app *app);
/* `files` and everything they point at lie in `arena`, which moves in. */
struct effects app_raw(struct app *app, struct bt_arena *arena, const struct bt_raw_file *files, size_t count);
struct effects app_wrote(struct app *app, const char *path, const struct bt_error *err); /* `path` NULL: it failed */
struct effects app_reviewed(struct app *app, bool reviewed, const struct bt_error *err); /* `err` NULL: it is kept */
struct effects app_copied(struct app *app, size_t bytes, const struct bt_error *err);    /* `err` NULL: it is copied */
/* Moves in; NULL: `err` says why there is none. */
struct effects app_compared(struct app *app, struct bt_brief_diff *diff, const struct bt_error *err);
struct effects app_explained(struct app *app, struct bt_why *why, const struct bt_error *err);
struct effects app_logged(struct app *app, struct bt_log_view *log, const struct bt_error *err); /* the same */
struct effects app_recorded(struct app *app, struct bt_records_view *records,
                            const struct bt_error *err); /* the same */
struct effects app_log_checked(struct app *app); /* the chains were checked: the page, where it is open, is made anew */
/* Moves in; NULL: `err` says why there is none. `more`: what was asked for last is still to come. */
struct effects app_delivered(struct app *app, struct bt_delivery_view *view, bool more, const struct bt_error *err);
struct effects app_paged(struct app *app, const struct bt_error *err); /* NULL: it worked */

/* When app_tick wants to be called next, ms since 1970: a live grant's second, else the next minute. */
int64_t app_wakes_at(const struct app *app, int64_t now_ms);

/* For the window's title, visible text: the project and what is stuck in it. */
#define APP_TITLE_BYTES 160
void app_title(const struct app *app, char out[APP_TITLE_BYTES]);

void app_draw(const struct app *app, struct bt_surface *surface, struct bt_view_cursor *cursor);

const struct bt_scene *app_scene(const struct app *app);
const struct bt_snapshot *app_snapshot(const struct app *app); /* NULL until the first app_refreshed */
enum bt_mode app_mode(const struct app *app);

#endif
