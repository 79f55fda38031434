/* tests/support/app_world.h - the dashboard's state machine with a made-up ledger and core behind it.
 *
 * Answers every effect at once, counts them, and lets a test choose what goes wrong. No file, no terminal. */
#ifndef BATON_TESTS_SUPPORT_APP_WORLD_H
#define BATON_TESTS_SUPPORT_APP_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/app.h"

struct world {
  struct app *app;
  struct bt_keymap *keymap;
  bool reviewed;             /* the brief of sess-alpha */
  const char *active_ticket; /* of the ledger; NULL: none */
  bool no_tickets;           /* its ticket store was not read */
  bool transcript_known;     /* that of sess-alpha */
  unsigned facts;            /* every plan's fingerprint; a test raises it: something changed in the ledger */
  /* what the core answers */
  const char *refuse_plan; /* why no plan can be made; NULL: it can */
  const char *disabled;    /* plan->disabled */
  const char *reason_for;  /* plan->reason_for of a repair */
  bool no_copy;            /* no copy of any brief is kept */
  enum bt_code execute_code;
  /* how often */
  size_t plans, plans_to_copy, executes, refreshes, copies, pagers, editors, views, raws, whys, diffs, suspends, quits,
      stops;
  size_t records_asked;
  bool hold_records;         /* plans and executions of a record or a delivery are only counted: a test answers them */
  size_t looks, forges;      /* evaluations of the deliveries, and those that ask the forge */
  bool keep_waiting;         /* they are not answered */
  bool with_handovers;       /* the next snapshots have them */
  struct bt_request request; /* of the last plan; strings below */
  char request_text[8][512];
  char copied[1024];
  char asked[1024];      /* of the last explanation: session|path */
  enum bt_verb executed; /* the last one */
  unsigned executed_facts;
  void (*on_execute)(struct world *world, const struct bt_plan *plan); /* before the answer; may be NULL */
  void (*on_effect)(struct world *world, const struct effect *effect); /* before it is carried out; may be NULL */
  /* What the next reading finds, which moves into the app; NULL: it fails. Not set: the five sessions below. */
  struct bt_snapshot *(*read)(struct world *world);
};

#define WORLD_SESSIONS 5
/* sess-alpha: open bound deny, brief; sess-beta: open unbound deny; sess-gamma: stale lock; sess-delta: lock whose pid
 * is reused; sess-idle: a transcript and nothing else. Opened at 36 x 120, everything loaded, sess-alpha selected. */
void world_init(struct world *world);
void world_dispose(struct world *world);
/* For cmocka_unit_test_setup_teardown: *state is a world, one at a time. */
int world_set_up(void **state);
int world_tear_down(void **state);

void world_key(struct world *world, uint32_t key);
void world_keys(struct world *world, const char *names); /* "u <Tab> <Enter>", separated by blanks */
void world_type(struct world *world, const char *text);
void world_paste(struct world *world, const char *text);
void world_refresh(struct world *world); /* a new snapshot, as after a change on disk */
void world_run(struct world *world, struct effects effects);
void world_select(struct world *world, const char *id);

const struct bt_dialog *world_dialog(const struct world *world); /* NULL: none is open */
const struct bt_item *world_focused(const struct world *world);

/* Of a ledger that holds nothing; its arena takes what the test adds. Fails the running test where memory is short. */
struct bt_snapshot *world_bare_snapshot(void);

#endif
