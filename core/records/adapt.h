/* core/records/adapt.h - sessions of known stores as canonical lines, in file order, while they are read.
 *
 * Owns: the canonical line, its numbers, who the session is. Each store's records are one core/records/adapt_*.c.
 * Must not know: the record store. Rules: spec/session-records.md 12. The lines for a source that has grown begin with
 * the lines for the shorter one: nothing is sorted, nothing looks ahead. Texts are internal text. */
#ifndef BATON_CORE_RECORDS_ADAPT_H
#define BATON_CORE_RECORDS_ADAPT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/tape.h"

struct bt_adapt_request {
  const char *harness; /* label */
  const char *path;    /* opens the file */
  const char *name;    /* the same as text: `source` of every line */
  const int *give_up;  /* BT_STATE once it says so (core/base/go_on.h); NULL: never */
  bool is_over;        /* the session has ended: what may still change is taken as it is */
};

struct bt_adapt_report {
  uint64_t lines, unparsed, unknown; /* lines put out; records that do not parse; unknown records and blocks */
  bool left_last;                    /* something at the end may still change and was left for a later run */
  char *session, *model;             /* NULL where the store names none; owned */
};
void bt_adapt_report_dispose(struct bt_adapt_report *report);

/* Whether there is an adapter of that label. */
bool bt_adapt_known(const char *harness);
const char *bt_adapt_labels(void); /* all of them, for messages */

/* Calls `take` for every canonical line (with its LF, as bytes). BT_INPUT: no adapter of that label, or nothing of that
 * name; BT_CORRUPT: a document that does not parse; BT_UNSAFE, BT_IO, BT_NOMEM; or the first failure of `take`. */
enum bt_code bt_adapt(const struct bt_adapt_request *request,
                      enum bt_code (*take)(void *context, const char *line, size_t length, struct bt_error *err),
                      void *context, struct bt_adapt_report *report, struct bt_error *err) BT_NODISCARD;

/* ---- for core/records/adapt*.c only ---- */

struct bt_adapt {
  const struct bt_adapt_request *request;
  const struct bt_adapter *adapter;
  struct bt_adapt_report *report;
  enum bt_code (*take)(void *context, const char *line, size_t length, struct bt_error *err);
  void *take_context;
  struct bt_error *err;
  enum bt_code code; /* the first failure; everything after it does nothing */
  char *session, *cwd, *model;
  const char *stem;              /* of the file's name: the session while none is named */
  const struct bt_tape *tape;    /* the record at hand */
  struct bt_str ts;              /* its stamp */
  struct bt_str text, line;      /* the line that is being made */
  const char *as_role, *as_kind; /* of every line of the record at hand, where not NULL */
  void *state;                   /* the adapter's own */
};

struct bt_adapter {
  const char *label;
  void (*record)(struct bt_adapt *adapt, uint32_t root);                 /* one JSON object a line; NULL: see `file` */
  void (*line)(struct bt_adapt *adapt, const char *line, size_t length); /* text lines; `line` NULL: the end */
  void (*document)(struct bt_adapt *adapt, uint32_t root);               /* the whole file is one JSON value */
  bool (*is_document)(const struct bt_adapt_request *request, const char *head,
                      size_t length);    /* NULL: by what is set above */
  void (*begin)(struct bt_adapt *adapt); /* may be NULL */
  void (*end)(struct bt_adapt *adapt);   /* frees `state`; may be NULL */
};
extern const struct bt_adapter bt_adapter_claude, bt_adapter_codex, bt_adapter_gemini, bt_adapter_opencode,
    bt_adapter_pi, bt_adapter_copilot, bt_adapter_openai, bt_adapter_aider;

#define BT_ADAPT_TEXT_MAX ((size_t)1 << 30)

/* Keeps the first non-empty text for a slot (session, cwd, model). */
void bt_adapt_first(struct bt_adapt *adapt, char **slot, uint32_t token);
void bt_adapt_stamp(struct bt_adapt *adapt, uint32_t token); /* the record's own stamp, in its string form */

/* The text of the next line: parts are joined with a separator; nothing is put between parts of which one is empty. */
void bt_adapt_begin(struct bt_adapt *adapt);
void bt_adapt_part(struct bt_adapt *adapt, const char *separator, uint32_t token); /* a string; else nothing */
void bt_adapt_words(struct bt_adapt *adapt, const char *separator, const char *words);
void bt_adapt_value(struct bt_adapt *adapt, const char *separator,
                    uint32_t token); /* a string as it is, else compact JSON */
/* Content: a string, or a list of strings and blocks (`text`; pictures and files by their marks), joined with LF. */
void bt_adapt_content(struct bt_adapt *adapt, uint32_t content);
/* Puts the line out, unless its text is blank. */
void bt_adapt_put(struct bt_adapt *adapt, const char *role, const char *kind);

void bt_adapt_text(struct bt_adapt *adapt, const char *role, const char *kind, uint32_t token); /* begin, part, put */
void bt_adapt_call(struct bt_adapt *adapt, const char *type, uint32_t type_token, uint32_t name, uint32_t arguments);
const char *bt_adapt_role(struct bt_adapt *adapt, uint32_t role,
                          const char *otherwise); /* user, assistant, system, tool */

/* A file beside the source as JSON on a tape of the caller's, its bytes in `bytes`. False: it is not there or no JSON.
 */
bool bt_adapt_read_json(const char *path, struct bt_str *bytes, struct bt_tape *tape);

#endif
