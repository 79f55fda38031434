/* core/records/append.h - the timeline of one session while a build adds to it.
 *
 * Owns: checking what is there, telling left-overs of a killed build from lines edited by hand, adding in place or,
 * where the file is not in normal form, into a new one. Feeds the gist with every line that stays and every turn that
 * is added. Rules: spec/session-records.md 7.8, 15. */
#ifndef BATON_CORE_RECORDS_APPEND_H
#define BATON_CORE_RECORDS_APPEND_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/records/gist.h"
#include "core/records/timeline.h"
#include "core/records/write.h"

enum bt_append_mode {
  BT_APPEND_COMPARE, /* what is put stands in the file already: a killed build wrote it */
  BT_APPEND_GROW,    /* what is put goes to the end of the file */
  BT_APPEND_REWRITE  /* into a new file: the old one is not in normal form */
};

struct bt_append {
  enum bt_append_mode mode;
  struct bt_gist *gist; /* borrowed */
  int dir, old;         /* the session's folder (borrowed; -1: not there yet), the old file (-1: none) */
  double turn_count;    /* lines that the manifest vouches for */
  bool keep_extra;      /* lines beyond those stay */
  uint64_t lines;
  int64_t expected;                  /* where the next line starts if the file is in normal form */
  int64_t extra_start, old_end;      /* of the old file */
  bool is_abnormal, has_broken_tail; /* the tail: an unfinished last line that is no turn */
  bool is_other, was_cut;            /* the extra lines are of the other kind; they were cut off */
  int64_t at;                        /* where the next line goes */
  struct bt_record_reader reader;
  struct bt_growth growth;
  struct bt_draft draft;
  bool is_growing, is_drafting;
  struct bt_str line;
};

void bt_append_init(struct bt_append *append, struct bt_gist *gist);

/* Reads what is there. `dir` -1: nothing. BT_CORRUPT for a line that is no turn (nothing has been changed). */
enum bt_code bt_append_begin(struct bt_append *append, int dir, double turn_count, bool keep_extra,
                             struct bt_error *err) BT_NODISCARD;

/* Adds a turn. Before the first byte is written `dir` must be set and the session locked. `other` (may be NULL): the
 * same turn as a build of the other kind writes it, with secrets or without: what such a build left when it was killed
 * is cut off (`was_cut`). BT_STALE: begin again; unless `was_cut`, with keep_extra, for the lines beyond the manifest's
 * count are not what this build adds. */
enum bt_code bt_append_turn(struct bt_append *append, const struct bt_record_turn *turn,
                            const struct bt_record_turn *other, struct bt_error *err) BT_NODISCARD;

/* All turns are there: the file is complete and on disk. BT_STALE as above. */
enum bt_code bt_append_commit(struct bt_append *append, struct bt_error *err) BT_NODISCARD;

/* Whether the next turn is compared with lines that a killed build left. */
bool bt_append_compares(const struct bt_append *append);

/* Closes; without `keep` what was added is cut off again. */
void bt_append_dispose(struct bt_append *append, bool keep);

#endif
