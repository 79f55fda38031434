/* tests/faults/scenario.h - each verb on a ledger where it has the most to lose, and what its failure may leave.
 *
 * Session s1 is denied, its final and an older brief are there, s2 (the successor) has an authorization or not, s9 has
 * a grant; unknown members are in every document. The evidence has two signed entries, plain or segmented. */
#ifndef BATON_TESTS_FAULTS_SCENARIO_H
#define BATON_TESTS_FAULTS_SCENARIO_H

#include <stdbool.h>

#include "core/ops/op.h"
#include "tests/faults/tree.h"
#include "tests/support/fixture.h"

#define FAULT_KEY "a key that must be found nowhere"

struct scenario {
  const char *name;
  struct bt_request request;
  bool consumes;   /* success ends with a consumed deny */
  bool new_marker; /* a marker made by this run may stay (8.3) */
};
extern const struct scenario scenarios[];
extern const size_t scenario_count;

struct stage {
  struct fixture *fixture;
  struct tree before; /* of the fixture's root */
  struct tree after;  /* of a run without faults */
};

/* A fixture with the scenario's ledger; `segmented` chooses the evidence. */
void stage_open(struct stage *stage, const struct scenario *scenario, bool segmented);
void stage_close(struct stage *stage);
void stage_reset(struct stage *stage); /* the ledger as at first; baton's own folders emptied */

/* Plan and execute. The code of the first that failed. */
enum bt_code stage_run(const struct stage *stage, const struct scenario *scenario, struct bt_error *err);

/* Fails the running test, naming `what`, unless `now` is the state after a run that did all of it ... `lock_may_stay`:
 * the file system would not remove a lock. */
void expect_new_state(const struct stage *stage, const struct tree *now, bool lock_may_stay, const char *what);
/* ... or before it, save what spec/context-handoff.md 8.3 and 8.8 let stay. */
void expect_old_state(const struct stage *stage, const struct scenario *scenario, const struct tree *now,
                      bool lock_may_stay, const char *what);

/* A reader that could not open a file goes on without it (9.3, 5.4), so the outcome is another one: every document is
 * whole, a brief is the one that its deny and final name. */
void expect_sound_state(const struct stage *stage, const struct tree *now, const char *what);

/* How many entries of evidence there are, in all chains; every chain must verify. */
size_t expect_evidence(const struct stage *stage, const char *what);

#endif
