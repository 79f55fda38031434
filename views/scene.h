/* views/scene.h - everything a view needs beside the immutable snapshot: where the user is and what was typed.
 *
 * A plain value that the app (tui/app.c) owns and changes; views only read it. Pointers are borrowed from
 * the app and outlive the draw. Text is internal text (core/base/utf8.h); views make it visible themselves.
 * Not here: keys (the app hands in their names), colours, the clock (now_ms is handed in). */
#ifndef BATON_VIEWS_SCENE_H
#define BATON_VIEWS_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/model/brief_diff.h"
#include "core/model/bulk.h"
#include "core/model/delivery_view.h"
#include "core/model/log_view.h"
#include "core/model/plan.h"
#include "core/model/records_view.h"
#include "core/model/snapshot.h"
#include "core/model/why.h"

struct bt_prepared; /* views/prepare.h */

enum bt_page {
  BT_PAGE_LIST,
  BT_PAGE_SESSION,
  BT_PAGE_LOCKS,
  BT_PAGE_WHY,
  BT_PAGE_LOG,
  BT_PAGE_RECORDS,
  BT_PAGE_DELIVERIES,
  BT_PAGE_COUNT
};
enum bt_overlay { BT_OVERLAY_NONE, BT_OVERLAY_HELP, BT_OVERLAY_DIALOG, BT_OVERLAY_BULK, BT_OVERLAY_COUNT };
enum bt_prompt {
  BT_PROMPT_NONE,
  BT_PROMPT_FILTER,
  BT_PROMPT_SEARCH,
  BT_PROMPT_HELP,
  BT_PROMPT_LOG,
  BT_PROMPT_SORT,
  BT_PROMPT_COMMAND,
  BT_PROMPT_ASK,
  BT_PROMPT_COUNT
}; /* typing at the bottom line */
enum bt_tab { BT_TAB_OVERVIEW, BT_TAB_BRIEF, BT_TAB_TRANSCRIPT, BT_TAB_EVIDENCE, BT_TAB_RAW, BT_TAB_COUNT };
/* What the list is sorted by: its name as it is kept, the letter that chooses it, how the rule above the list says it. */
/* clang-format off */
#define BT_SORTS(X)                                        \
  X(TRIAGE,  "triage",  't', "worst first")                \
  X(SESSION, "session", 'i', "by session")                 \
  X(HARNESS, "harness", 'h', "by harness")                 \
  X(TICKET,  "ticket",  'k', "by ticket")                  \
  X(CONTEXT, "context", 'c', "by context used, most first") \
  X(BAND,    "band",    'b', "by band, worst first")       \
  X(BY,      "by",      'y', "by what decided the band")   \
  X(DENY,    "deny",    'd', "by deny")                    \
  X(LOCK,    "lock",    'l', "by lock")                    \
  X(BRIEF,   "brief",   'r', "by brief")                   \
  X(AGE,     "age",     'a', "by age, oldest first")
/* clang-format on */
enum bt_sort {
#define BT_SORT_ENUM(name, spelling, letter, words) BT_SORT_##name,
  BT_SORTS(BT_SORT_ENUM)
#undef BT_SORT_ENUM
      BT_SORT_COUNT
};
const char *bt_sort_spelling(enum bt_sort sort);
char bt_sort_letter(enum bt_sort sort);
const char *bt_sort_words(enum bt_sort sort);

/* Where the preview of the list is, as it is kept and said. Below and right of it only where there is room: a screen that is
 * too small for the one asked for has the next smaller (views/layout.h). */
/* clang-format off */
#define BT_PREVIEWS(X)                                                  \
  X(AUTO,  "auto",  "preview: right or below, as there is room")        \
  X(RIGHT, "right", "preview: right of the list where there is room")   \
  X(BELOW, "below", "preview: below the list")                          \
  X(OFF,   "off",   "no preview")
/* clang-format on */
enum bt_preview {
#define BT_PREVIEW_ENUM(name, spelling, words) BT_PREVIEW_##name,
  BT_PREVIEWS(BT_PREVIEW_ENUM)
#undef BT_PREVIEW_ENUM
      BT_PREVIEW_COUNT
};
const char *bt_preview_spelling(enum bt_preview preview);
const char *bt_preview_words(enum bt_preview preview);

enum bt_live { BT_LIVE_WATCHING, BT_LIVE_POLLING, BT_LIVE_OFF };
enum bt_severity { BT_SEVERITY_INFO, BT_SEVERITY_GOOD, BT_SEVERITY_WARN, BT_SEVERITY_ERROR };

/* What is typed into a field. `cursor` is a byte offset at a cluster boundary, <= length. */
#define BT_FIELD_BYTES 512
struct bt_field {
  char text[BT_FIELD_BYTES]; /* NUL-terminated */
  size_t length, cursor;
};

/* Selection and scrolling of one list or text. The app moves `row`/`top`; bt_view_settle puts both in range. */
struct bt_scroll {
  size_t row; /* selected row, counted in prepared rows (texts: unused) */
  size_t top; /* first visible row */
};

/* ---- footer and help, from the live keymap ---- */
struct bt_hint {     /* most important first; what does not fit is left out from the end, those with `keep` last */
  const char *keys;  /* "c", "enter", "^d" */
  const char *label; /* "continue" */
  bool off;          /* visible, but would refuse now */
  bool keep;         /* help and quit/back */
};
struct bt_help_row {
  const char *group;    /* "move"; rows of one group are adjacent */
  const char *keys;     /* "j, down" */
  const char *sentence; /* "next row" */
  bool off;             /* would refuse now */
};

/* One of the verbs: its key in the live keymap and why it would refuse on the selected session. */
struct bt_verb_key {
  const char *keys; /* NULL: unbound */
  const char *off;  /* NULL: available; else the reason ("no signing key") */
};

/* ---- dialog ---- */
enum bt_item_kind {
  BT_ITEM_TEXT,    /* free text; printable keys and pastes go into `field` */
  BT_ITEM_CONFIRM, /* the word that unlocks the acting button; no pastes */
  BT_ITEM_RADIO,   /* one of 2-4 options, each on its own line with its note */
  BT_ITEM_CHOICE,  /* one of many options, one line: [ T-121 v] */
  BT_ITEM_BUTTON
};
struct bt_option {
  const char *text;
  const char *note; /* one short line, or NULL */
};
#define BT_DIALOG_ITEMS 12
struct bt_item {
  enum bt_item_kind kind;
  bool hidden;                     /* belongs to another step: not drawn, never focused */
  const char *label;               /* "Reason", "scope", "Cancel" */
  const char *note;                /* shown after it: "locked until typed"; or NULL */
  struct bt_field field;           /* TEXT, CONFIRM */
  const struct bt_option *options; /* RADIO, CHOICE; TEXT: what is known, to take or to type something else */
  size_t option_count, option;
  bool locked; /* BUTTON: cannot be pressed yet */
};
enum bt_dialog_phase {
  BT_DIALOG_PLANNING, /* the plan is being made */
  BT_DIALOG_READY,    /* plan != NULL */
  BT_DIALOG_REFUSED,  /* no plan: `error` says why; the only button leaves */
  BT_DIALOG_BUSY,     /* executing */
};
enum bt_wizard_step { BT_STEP_CHECK, BT_STEP_BRIEF, BT_STEP_TICKET, BT_STEP_SUCCESSOR, BT_STEP_CONFIRM, BT_STEP_COUNT };
struct bt_reading { /* a text that is read in a dialog, in the place of its facts */
  const char *text; /* NULL: none */
  size_t length;
  bool diff; /* lines begin with + and - */
};
struct bt_dialog {
  enum bt_verb verb;
  bool wizard; /* in steps; `step` is the one on show */
  enum bt_wizard_step step;
  bool unbound, ticket_asked; /* wizard: no ticket is bound; the active one does not agree */
  struct bt_reading reading;
  enum bt_dialog_phase phase;
  const char *subject;                   /* session or lock it is about */
  const struct bt_plan *plan;            /* borrowed; drawn in its own words */
  const struct bt_lock *lock;            /* unlock: the whole record; NULL otherwise */
  struct bt_item items[BT_DIALOG_ITEMS]; /* in Tab order, buttons last, Cancel the first of them */
  size_t item_count, focus;
  const char *stale; /* "changed while you were looking: ..." ; NULL */
  const char *error; /* the operation's own refusal or failure; NULL */
  size_t top;        /* first visible line of the facts; bt_view_settle puts it in range */
};

/* ---- bulk unlock: what is marked, item by item; its buttons are those of `dialog`, which has no form then ---- */
enum bt_bulk_phase { BT_BULK_PLANNING, BT_BULK_READY, BT_BULK_BUSY, BT_BULK_DONE };

/* ---- raw files of the session page, read by the app's effect; absent ones have text NULL ---- */
struct bt_raw_file {
  const char *path; /* relative to the ledger dir */
  const char *text; /* decode8 text */
  size_t length;
  const char *error; /* why it cannot be shown; NULL */
};

/* Tabs whose text is a list of files in `raw`. */
static inline bool bt_tab_has_files(enum bt_tab tab) {
  return tab == BT_TAB_RAW || tab == BT_TAB_TRANSCRIPT;
}

struct bt_scene {
  int rows, columns;
  bool unicode;
  int64_t now_ms;   /* 0: use snapshot->taken_at_ms */
  int utc_offset_s; /* times are shown as UTC + this */
  bool utc;         /* the user wants UTC: the offset is 0, and clocks say so */
  enum bt_live live;

  enum bt_page page;
  enum bt_overlay overlay;
  enum bt_prompt prompt;

  /* list */
  const char *selected_id; /* the selection follows this id; NULL: the first row */
  struct bt_scroll list;
  struct bt_field filter; /* applies to list and locks; kept when the prompt closes */
  bool only_problems;     /* the list shows what needs somebody */
  enum bt_sort sort;
  bool sort_reversed;
  enum bt_preview preview;

  /* marks: one flag for each session and each lock of the snapshot; NULL: nothing is marked */
  const bool *marked_sessions, *marked_locks;
  size_t mark_count;
  const struct bt_bulk_line *bulk;
  size_t bulk_count;
  enum bt_bulk_phase bulk_phase;

  /* session page */
  const char *session_id; /* the open session, also of the why page */
  enum bt_tab tab;
  struct bt_scroll tabs[BT_TAB_COUNT];
  struct bt_field search; /* in brief and raw files */
  size_t hit;             /* current hit, < bt_prepared_text()->hit_count */
  const struct bt_raw_file *raw;
  size_t raw_count;
  const struct bt_brief_diff *diff; /* on show in the place of the brief; NULL: the brief is */
  enum bt_tab raw_for;              /* the tab that they were read for: raw files, or the transcript's last entries */

  /* locks */
  const char *selected_lock; /* path of the selected lock; NULL: the first */
  struct bt_scroll locks;

  struct bt_field command; /* what is typed after `:` */
  struct bt_field ask;     /* on the why page: another session, a path */

  /* evidence log */
  const struct bt_log_view *log; /* NULL: not read yet */
  const char *log_error;         /* why it cannot be read; NULL */
  struct bt_scroll log_scroll;
  struct bt_field log_filter;
  bool log_fixed; /* a new entry leaves the selection where it is; else the newest is selected */

  /* session records */
  const struct bt_records_view *records; /* NULL: not read yet */
  const char *records_error;             /* why they cannot be read; NULL */
  bool records_busy;                     /* they are being read again */
  struct bt_scroll records_scroll;

  /* deliveries */
  const struct bt_delivery_view *deliveries; /* NULL: not evaluated yet */
  const char *deliveries_error;              /* why they cannot be; NULL */
  bool deliveries_pending;                   /* they are being evaluated */
  bool forge_pending;                        /* and the forge is asked */
  struct bt_scroll delivery_rows;
  bool delivery_open;  /* the selected one takes the whole page */
  size_t delivery_top; /* and is scrolled so far */

  /* why page */
  const struct bt_why *why;    /* of session_id; NULL: not there */
  const char *why_error;       /* why it is not; NULL */
  struct bt_scroll why_scroll; /* `row`: a part of the page (views/explain.h); `top`: a line */

  /* help */
  const struct bt_help_row *help;
  size_t help_count;
  struct bt_scroll help_scroll;
  struct bt_field help_filter; /* the app hands in only rows that match */
  const char *keymap_name;     /* "default" */

  struct bt_dialog dialog;

  const struct bt_hint *hints; /* for the current mode */
  size_t hint_count;
  struct bt_verb_key verbs[BT_VERB_COUNT];

  enum bt_severity severity;
  const char *message; /* NULL: none */

  const struct bt_prepared *prepared; /* views/prepare.h; never NULL when drawn */
};

#endif
