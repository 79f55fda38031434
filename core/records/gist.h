/* core/records/gist.h - what a brief says about a session, gathered turn by turn in the order of the timeline.
 *
 * Owns: counts, objective, where the state stands, open loops, the last turns of the table. Keeps a bounded amount
 * whatever the session's length. Rules: spec/session-records.md 7.8, 8.5. */
#ifndef BATON_CORE_RECORDS_GIST_H
#define BATON_CORE_RECORDS_GIST_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/records/loops.h"
#include "core/records/turn.h"

#define BT_GIST_ROWS 40
#define BT_OBJECTIVE_UNITS 400
#define BT_STATE_UNITS 1200
#define BT_DIGEST_UNITS 120

struct bt_gist_row { /* of the table, as bytes for a UTF-8 file */
  struct bt_str seq, class_word, digest;
};

struct bt_gist {
  uint64_t turns, counts[BT_CLASS_COUNT];
  struct bt_str chosen, first_user, first_agent; /* at most BT_OBJECTIVE_UNITS each, internal text */
  bool has_chosen, has_user, has_agent;
  int64_t user_offset, agent_offset; /* of the last such turn's line in the timeline; -1: none */
  size_t user_length, agent_length;
  struct bt_loops loops;
  struct bt_gist_row rows[BT_GIST_ROWS]; /* a ring: row i of the table is rows[(row_first + i) % BT_GIST_ROWS] */
  size_t row_first, row_count;
};

void bt_gist_init(struct bt_gist *gist);
void bt_gist_dispose(struct bt_gist *gist); /* leaves it as after init */

/* Takes one turn in; its line stands at `offset` of the timeline, `length` bytes without the line end. BT_NOMEM. */
enum bt_code bt_gist_add(struct bt_gist *gist, const struct bt_record_turn *turn, int64_t offset,
                         size_t length) BT_NODISCARD;

/* The objective that the turns give; borrowed internal text, `(none)` without one. */
const char *bt_gist_objective(const struct bt_gist *gist);

/* Where the line with the state stands; false: there is none. */
bool bt_gist_state_line(const struct bt_gist *gist, int64_t *offset, size_t *length);

/* Text of a JSON value in compact layout (spec 2.2, string form) as bytes for a UTF-8 file. NULL data: `absent`. */
void bt_gist_value_text(struct bt_str *out, struct bt_slice json, const char *absent);

#endif
