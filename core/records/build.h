/* core/records/build.h - one transcript into its session's folder.
 *
 * Rules: spec/session-records.md 7 and 8. Acts at once. Texts are internal text. */
#ifndef BATON_CORE_RECORDS_BUILD_H
#define BATON_CORE_RECORDS_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/records/intake.h"
#include "core/records/store.h"
#include "core/text/redact.h"

/* Where the bytes come from. `pump` feeds all of them, and may be called again from the start. */
struct bt_build_source {
  const char *name; /* as source_paths will hold it */
  bool is_jsonl;
  int64_t mtime_ms; /* of the file; INT64_MAX: unknown */
  enum bt_code (*pump)(struct bt_build_source *source, struct bt_intake *intake, struct bt_error *err);
  const int *give_up; /* set by the build: pump asks bt_go_on now and then; NULL: never */
  const char *model;  /* set by pump where the source itself names one (adapters); borrowed from the source */
};

struct bt_build_request {
  struct bt_build_source *source;
  const char *session, *project, *harness, *model, *objective; /* NULL: not given (an empty value counts as that) */
  bool has_project_flag;                                       /* --project stands on the command line, even if empty */
  bool force_harness, force_model, redact;
  bool look_only;      /* nothing is written, no lock is taken: the report tells what a build would come to */
  const char *program; /* for the suggested command */
};

struct bt_build_report {
  struct bt_str out; /* the result line, as bytes, with its LF */
  char *folder;      /* absolute path of the session's folder; NULL before it is known */
  bool up_to_date;
  uint64_t fresh, turns;
  uint64_t unredacted; /* turns of the timeline that were there before a --redact build */
  uint64_t redactions[BT_REDACT_KIND_COUNT];
  char *owner;        /* whose record the folder is, where that is another session: their names give one folder */
  char *id, *project; /* after a look: whose record it is and where it goes; internal text */
  bool is_new;        /* there is no record of it yet */
  uint64_t before;    /* turns of the record as it is */
  double revision;    /* of the record as it is; 0: none */
  char sealed[BT_SHA256_HEX]; /* its manifest's own hash; empty: none */
};
void bt_build_report_init(struct bt_build_report *report);
void bt_build_report_dispose(struct bt_build_report *report);

/* BT_OK, or: BT_MISSING (no usable turns), BT_INPUT (a name that would leave the store), BT_BUSY (another build of this
 * session), BT_CORRUPT (manifest or timeline), BT_READONLY, BT_IO, BT_NOMEM; BT_STATE once env's give_up says so
 * (what was added is taken back, and nothing else was changed). */
enum bt_code bt_build(const struct bt_records *records, const struct bt_build_request *request,
                      struct bt_build_report *report, struct bt_error *err) BT_NODISCARD;

/* A source that is a file: `path` opens it, `name` is that path as text; both borrowed. BT_INPUT when there is nothing
 * of that name, BT_IO or BT_UNSAFE when it cannot be read. */
struct bt_file_source {
  struct bt_build_source source;
  const char *path;
  int fd;
  int64_t size;
};
enum bt_code bt_file_source_open(struct bt_file_source *file, const char *path, const char *name,
                                 struct bt_error *err) BT_NODISCARD;
void bt_file_source_close(struct bt_file_source *file);

/* Sessions straight below the root move to projects/ (7.1); a line for each goes to `out`. */
enum bt_code bt_migrate_legacy(const char *root, struct bt_str *out, struct bt_error *err) BT_NODISCARD;

#endif
