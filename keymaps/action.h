/* keymaps/action.h - the one table of what a key can do, and the one table of modes.
 *
 * A line here, a `bind` line in default.keymap and a case in tui/app.c make a new verb; help, man page and
 * completions come from this table and the live keymap. Must not know: what carrying an action out means. */
#ifndef BATON_KEYMAPS_ACTION_H
#define BATON_KEYMAPS_ACTION_H

#include <stdbool.h>
#include <stddef.h>

/* Where keys are read. In a typing mode printable keys are text and cannot be bound. */
/* clang-format off */
/*  name     spelling    typing  what it is */
#define BT_MODES(X)                                                                       \
  X(ANY,     "any",      false,  "every mode below where the action makes sense")         \
  X(LIST,    "list",     false,  "the session list")                                      \
  X(SESSION, "session",  false,  "the page of one session")                               \
  X(LOCKS,   "locks",    false,  "the locks")                                             \
  X(WHY,     "why",      false,  "why a session may not change files")                    \
  X(LOG,     "log",      false,  "the evidence log")                                      \
  X(RECORDS, "records",  false,  "the session records")                                   \
  X(DELIVERIES, "deliveries", false, "the deliveries")                                     \
  X(HELP,    "help",     false,  "the help")                                              \
  X(CONFIRM, "confirm",  false,  "a dialog, outside its text fields")                     \
  X(FIELD,   "field",    true,   "a text field of a dialog")                              \
  X(INPUT,   "input",    true,   "the filter or search line")
/* clang-format on */

enum bt_mode {
#define BT_MODE_ENUM(name, spelling, typing, words) BT_MODE_##name,
  BT_MODES(BT_MODE_ENUM)
#undef BT_MODE_ENUM
      BT_MODE_COUNT
};

/* Sets of modes, for the table below. */
enum bt_mode_set {
  BT_IN_LIST = 1 << BT_MODE_LIST,
  BT_IN_SESSION = 1 << BT_MODE_SESSION,
  BT_IN_LOCKS = 1 << BT_MODE_LOCKS,
  BT_IN_WHY = 1 << BT_MODE_WHY,
  BT_IN_LOG = 1 << BT_MODE_LOG,
  BT_IN_RECORDS = 1 << BT_MODE_RECORDS,
  BT_IN_DELIVERIES = 1 << BT_MODE_DELIVERIES,
  BT_IN_HELP = 1 << BT_MODE_HELP,
  BT_IN_CONFIRM = 1 << BT_MODE_CONFIRM,
  BT_IN_FIELD = 1 << BT_MODE_FIELD,
  BT_IN_INPUT = 1 << BT_MODE_INPUT,
  BT_IN_DATA = BT_IN_LIST | BT_IN_SESSION | BT_IN_LOCKS | BT_IN_WHY, /* screens that show the ledger */
  BT_IN_PAGES = BT_IN_DATA | BT_IN_LOG | BT_IN_RECORDS | BT_IN_DELIVERIES | BT_IN_HELP,
  BT_IN_DIALOG = BT_IN_CONFIRM | BT_IN_FIELD,
  BT_IN_TYPING = BT_IN_FIELD | BT_IN_INPUT,
  BT_IN_ALL = BT_IN_PAGES | BT_IN_DIALOG | BT_IN_INPUT,
};

/* clang-format off */
#define BT_ACTION_GROUPS(X)                  \
  X(MOVE,   "MOVE")                          \
  X(LOOK,   "LOOK")                          \
  X(ACT,    "ACT  (each asks first)")        \
  X(NARROW, "NARROW")                        \
  X(MANY,   "MANY")                          \
  X(SHARE,  "SHARE")                         \
  X(DIALOG, "DIALOGS")                       \
  X(TYPING, "TYPING")                        \
  X(LEAVE,  "LEAVE")

/*  name            spelling           group    modes                          one sentence */
#define BT_ACTIONS(X)                                                                                              \
  X(DOWN,           "down",            MOVE,    BT_IN_PAGES | BT_IN_CONFIRM,   "next row or line")                 \
  X(UP,             "up",              MOVE,    BT_IN_PAGES | BT_IN_CONFIRM,   "previous row or line")             \
  X(FIRST,          "first",           MOVE,    BT_IN_PAGES | BT_IN_CONFIRM,   "first row or line")                \
  X(LAST,           "last",            MOVE,    BT_IN_PAGES | BT_IN_CONFIRM,   "last row or line")                 \
  X(HALF_DOWN,      "half-down",       MOVE,    BT_IN_PAGES | BT_IN_CONFIRM,   "half a page down")                 \
  X(HALF_UP,        "half-up",         MOVE,    BT_IN_PAGES | BT_IN_CONFIRM,   "half a page up")                   \
  X(PAGE_DOWN,      "page-down",       MOVE,    BT_IN_PAGES | BT_IN_CONFIRM,   "a page down")                      \
  X(PAGE_UP,        "page-up",         MOVE,    BT_IN_PAGES | BT_IN_CONFIRM,   "a page up")                        \
  X(NEXT_PROBLEM,   "next-problem",    MOVE,    BT_IN_LIST | BT_IN_LOCKS,      "next row that needs somebody")     \
  X(PREV_PROBLEM,   "prev-problem",    MOVE,    BT_IN_LIST | BT_IN_LOCKS,      "previous row that needs somebody") \
  X(NEXT_SESSION,   "next-session",    MOVE,    BT_IN_SESSION,                 "page of the next session")         \
  X(PREV_SESSION,   "prev-session",    MOVE,    BT_IN_SESSION,                 "page of the previous session")     \
  X(NEXT_TAB,       "next-tab",        MOVE,    BT_IN_SESSION,                 "next tab of the page")             \
  X(PREV_TAB,       "prev-tab",        MOVE,    BT_IN_SESSION,                 "previous tab of the page")         \
  X(OPEN,           "open",            LOOK,    BT_IN_LIST | BT_IN_LOCKS | BT_IN_WHY | BT_IN_LOG | BT_IN_RECORDS | BT_IN_DELIVERIES, "open the session's page; of a step: its dialog; of a record: its brief") \
  X(WHY,            "why",             LOOK,    BT_IN_LIST | BT_IN_SESSION | BT_IN_LOCKS, "why it is refused: rules, and what would help") \
  X(LOCKS,          "locks",           LOOK,    BT_IN_DATA,                    "the locks and what proves them")   \
  X(OVERVIEW,       "overview",        LOOK,    BT_IN_DATA,                    "overview of the session")          \
  X(BRIEF,          "brief",           LOOK,    BT_IN_DATA,                    "the brief, to read and judge")     \
  X(TRANSCRIPT,     "transcript",      LOOK,    BT_IN_DATA,                    "tail of the transcript")           \
  X(EVIDENCE,       "evidence",        LOOK,    BT_IN_DATA,                    "the session's evidence entries")   \
  X(LOG,            "log",             LOOK,    BT_IN_LIST | BT_IN_LOCKS | BT_IN_WHY, "the evidence log: chain and signatures") \
  X(RECORDS,        "records",         LOOK,    BT_IN_DATA,                    "the session records: verdict, age, source") \
  X(DELIVERIES,     "deliveries",      LOOK,    BT_IN_DATA,                    "the deliveries: verdict, next step, evidence") \
  X(FORGE,          "forge",           LOOK,    BT_IN_DELIVERIES,              "ask the forge (gh) about the pull requests") \
  X(RAW,            "raw",             LOOK,    BT_IN_DATA,                    "the session's files as they are")  \
  X(PAGER,          "pager",           LOOK,    BT_IN_LIST | BT_IN_SESSION | BT_IN_RECORDS,    "the brief in $PAGER")              \
  X(ASK,            "ask",             LOOK,    BT_IN_WHY,                     "ask about another session, or a path") \
  X(DIFF,           "diff",            LOOK,    BT_IN_SESSION | BT_IN_CONFIRM, "the brief against its verified copy, and back") \
  X(EDITOR,         "editor",          LOOK,    BT_IN_LIST | BT_IN_SESSION,    "a copy of the file in $EDITOR, to read") \
  X(REVIEW,         "review",          LOOK,    BT_IN_DATA | BT_IN_CONFIRM,    "mark the brief as read, or take the mark away") \
  X(HELP,           "help",            LOOK,    BT_IN_DATA | BT_IN_LOG | BT_IN_RECORDS | BT_IN_DELIVERIES | BT_IN_CONFIRM, "this help")                        \
  X(CONTINUE,       "continue",        ACT,     BT_IN_DATA,                    "continue into a new session")      \
  X(UNLOCK,         "unlock",          ACT,     BT_IN_DATA,                    "unlock (only a proven stale lock)") \
  X(REPAIR,         "repair",          ACT,     BT_IN_DATA,                    "repair (bind ticket and hash)")    \
  X(BYPASS,         "bypass",          ACT,     BT_IN_DATA,                    "one-shot bypass")                  \
  X(UNDO,           "undo",            ACT,     BT_IN_DATA,                    "put the lock that was removed last back") \
  X(ACK,            "acknowledge",     ACT,     BT_IN_LIST | BT_IN_SESSION,    "you have passed the handover request on") \
  X(RECONCILE,      "reconcile",       ACT,     BT_IN_DELIVERIES,              "let the record follow a moved head or a merge") \
  X(STOP,           "stop",            ACT,     BT_IN_DELIVERIES,              "stop the delivery at its boundary")  \
  X(RECORD,         "record",          ACT,     BT_IN_DATA | BT_IN_RECORDS,    "build or refresh the session's record") \
  X(REFRESH,        "refresh",         ACT,     BT_IN_DATA | BT_IN_LOG | BT_IN_RECORDS | BT_IN_DELIVERIES,                    "read the ledger again now")        \
  X(FILTER,         "filter",          NARROW,  BT_IN_LIST | BT_IN_LOCKS | BT_IN_LOG | BT_IN_HELP, "filter as you type")               \
  X(CLEAR_FILTER,   "clear-filter",    NARROW,  BT_IN_LIST | BT_IN_LOCKS | BT_IN_LOG | BT_IN_HELP, "clear the filter")                 \
  X(SORT,           "sort",            NARROW,  BT_IN_LIST,                    "sort by a column; its letter follows") \
  X(REVERSE,        "reverse",         NARROW,  BT_IN_LIST,                    "sort the other way round")         \
  X(ONLY_PROBLEMS,  "only-problems",   NARROW,  BT_IN_LIST,                    "only what needs somebody, on and off") \
  X(PREVIEW,        "preview",         NARROW,  BT_IN_LIST,                    "preview: auto, right, below, off") \
  X(FOLLOW,         "follow",          NARROW,  BT_IN_LOG,                     "follow the newest entry, on and off") \
  X(COMMAND,        "command",         NARROW,  BT_IN_DATA | BT_IN_LOG | BT_IN_RECORDS | BT_IN_DELIVERIES, "a command by its name: why SESSION, locks, ...") \
  X(SEARCH,         "search",          NARROW,  BT_IN_SESSION,                 "search the brief or the files")    \
  X(NEXT_MATCH,     "next-match",      NARROW,  BT_IN_SESSION,                 "next match")                       \
  X(PREV_MATCH,     "prev-match",      NARROW,  BT_IN_SESSION,                 "previous match")                   \
  X(MARK,           "mark",            MANY,    BT_IN_LIST | BT_IN_LOCKS,      "mark the row, or take its mark away") \
  X(MARK_STALE,     "mark-stale",      MANY,    BT_IN_LIST | BT_IN_LOCKS,      "mark every stale lock shown")      \
  X(UNMARK_ALL,     "unmark-all",      MANY,    BT_IN_LIST | BT_IN_LOCKS,      "take every mark away")             \
  X(UNLOCK_MARKED,  "unlock-marked",   MANY,    BT_IN_LIST | BT_IN_LOCKS,      "unlock what is marked (only stale locks)") \
  X(COPY,           "copy",            SHARE,   BT_IN_DATA | BT_IN_LOG | BT_IN_RECORDS | BT_IN_DELIVERIES | BT_IN_CONFIRM, "copy the same command for a shell") \
  X(COPY_JSON,      "copy-json",       SHARE,   BT_IN_DATA | BT_IN_LOG | BT_IN_RECORDS | BT_IN_DELIVERIES, "copy the page as JSON") \
  X(COPY_REQUEST,   "copy-request",    SHARE,   BT_IN_LIST | BT_IN_SESSION,    "copy the handover request, to pass on") \
  X(WRITE_VIEW,     "write-view",      SHARE,   BT_IN_PAGES,                   "write what is on the screen to a file") \
  X(TIMES,          "times",           SHARE,   BT_IN_PAGES,                   "times in UTC or local")            \
  X(REDRAW,         "redraw",          SHARE,   BT_IN_ALL,                     "draw the screen anew")             \
  X(SUSPEND,        "suspend",         SHARE,   BT_IN_ALL,                     "suspend; fg comes back")           \
  X(FOCUS_NEXT,     "focus-next",      DIALOG,  BT_IN_DIALOG,                  "next field or button")             \
  X(FOCUS_PREV,     "focus-prev",      DIALOG,  BT_IN_DIALOG,                  "previous field or button")         \
  X(CHOOSE_NEXT,    "choose-next",     DIALOG,  BT_IN_DIALOG,                  "next choice, or scroll down")      \
  X(CHOOSE_PREV,    "choose-prev",     DIALOG,  BT_IN_DIALOG,                  "previous choice, or scroll up")    \
  X(PRESS,          "press",           DIALOG,  BT_IN_DIALOG,                  "press the focused button (Cancel until moved)") \
  X(STEP_BACK,      "step-back",       DIALOG,  BT_IN_CONFIRM,                 "previous step")                    \
  X(DRY_RUN,        "dry-run",         DIALOG,  BT_IN_CONFIRM,                 "show the plan as JSON, change nothing") \
  X(CANCEL,         "cancel",          DIALOG,  BT_IN_DIALOG | BT_IN_INPUT,    "leave without changing anything")  \
  X(ACCEPT,         "accept",          TYPING,  BT_IN_INPUT,                   "keep what is typed")               \
  X(COMPLETE,       "complete",        TYPING,  BT_IN_INPUT,                   "complete the command or the session") \
  X(ERASE,          "erase",           TYPING,  BT_IN_TYPING,                  "erase the character before")       \
  X(ERASE_WORD,     "erase-word",      TYPING,  BT_IN_TYPING,                  "erase the word before")            \
  X(ERASE_ALL,      "erase-all",       TYPING,  BT_IN_TYPING,                  "erase all before the cursor")      \
  X(CURSOR_LEFT,    "cursor-left",     TYPING,  BT_IN_TYPING,                  "one character left")               \
  X(CURSOR_RIGHT,   "cursor-right",    TYPING,  BT_IN_TYPING,                  "one character right")              \
  X(CURSOR_START,   "cursor-start",    TYPING,  BT_IN_TYPING,                  "to the start of the line")         \
  X(CURSOR_END,     "cursor-end",      TYPING,  BT_IN_TYPING,                  "to the end of the line")           \
  X(BACK,           "back",            LEAVE,   BT_IN_PAGES,                   "back; where a filter is on: clear it") \
  X(QUIT,           "quit",            LEAVE,   BT_IN_PAGES,                   "quit; from another page: back")
/* clang-format on */

enum bt_action {
  BT_ACTION_NONE,
#define BT_ACTION_ENUM(name, spelling, group, modes, words) BT_ACTION_##name,
  BT_ACTIONS(BT_ACTION_ENUM)
#undef BT_ACTION_ENUM
      BT_ACTION_COUNT
};

enum bt_action_group {
#define BT_GROUP_ENUM(name, title) BT_GROUP_##name,
  BT_ACTION_GROUPS(BT_GROUP_ENUM)
#undef BT_GROUP_ENUM
      BT_GROUP_COUNT
};

struct bt_action_info {
  const char *spelling;
  enum bt_action_group group;
  unsigned modes; /* enum bt_mode_set */
  const char *words;
};

/* Static; never NULL. BT_ACTION_NONE has an empty spelling and no modes. */
const struct bt_action_info *bt_action_info(enum bt_action action);
enum bt_action bt_action_parse(const char *spelling, size_t length); /* BT_ACTION_NONE when unknown */
const char *bt_action_group_title(enum bt_action_group group);

const char *bt_mode_spelling(enum bt_mode mode);
const char *bt_mode_words(enum bt_mode mode); /* what it is, for people */
bool bt_mode_typing(enum bt_mode mode);
enum bt_mode bt_mode_parse(const char *spelling, size_t length); /* BT_MODE_COUNT when unknown */

/* Whether the action can be carried out in that mode; BT_MODE_ANY: in at least one. */
bool bt_action_in_mode(enum bt_action action, enum bt_mode mode);

#endif
