/* core/handover/machine.h - one session's request for a handover, as a state machine.
 *
 * Pure: events in, at most one ask out. Once per window, never over a handover that was written.
 * Rules: spec/handover-request.md 3, 9. */
#ifndef BATON_CORE_HANDOVER_MACHINE_H
#define BATON_CORE_HANDOVER_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/handover/line.h"
#include "core/model/handover.h"

#define BT_ASK_UNKNOWN INT64_MIN

enum bt_ask_event_kind {
  BT_ASK_MEASURE, /* fill, window; BT_ASK_UNKNOWN where not reported */
  BT_ASK_REQUEST_SEEN,
  BT_ASK_OPERATOR_ACK,
  BT_ASK_HANDOVER_WRITTEN,
  BT_ASK_HANDOVER_WRITE_FAILED,
  BT_ASK_HANDOVER_READ,
  BT_ASK_COMPACTION,
  BT_ASK_CLEAR,
  BT_ASK_SESSION_START, /* source */
  BT_ASK_SESSION_END,
  BT_ASK_SUPERVISED, /* value */
  BT_ASK_CHECKPOINT_DERIVED,
  BT_ASK_CONTINUATION_DERIVED,
  BT_ASK_RELOAD,
  BT_ASK_EVENT_COUNT
};
const char *bt_ask_event_word(enum bt_ask_event_kind kind); /* "measure", ... */

enum bt_ask_source { BT_ASK_STARTUP, BT_ASK_RESUME, BT_ASK_BY_CLEAR, BT_ASK_BY_COMPACT };

struct bt_ask_event {
  enum bt_ask_event_kind kind;
  int64_t fill, window;
  enum bt_ask_source source;
  bool value;
};

enum bt_ask_cause { BT_ASK_CAUSE_NONE, BT_ASK_CAUSE_FILL, BT_ASK_CAUSE_COMPACTION, BT_ASK_CAUSE_CLEAR };
const char *bt_ask_cause_word(enum bt_ask_cause cause); /* why it was re-armed; NULL for none */

struct bt_ask_machine {
  struct bt_ask_limits limits;
  bool asked, delivered, written, rearmed, have, supervised, ended;
  bool compacted_before_written; /* a compaction came while a handover was owed (9) */
  enum bt_ask_cause cause;
  int64_t fill, window; /* of the last measurement; BT_ASK_UNKNOWN before the first, and after a clear */
  uint64_t line;        /* of that window; 0 where there is none */
  uint64_t ordinal;     /* how often a window was left behind in which something had been asked or written */
};

void bt_ask_machine_init(struct bt_ask_machine *machine, const struct bt_ask_limits *limits, bool supervised);

/* Takes one event in; true when a handover is to be asked for now. */
bool bt_ask_step(struct bt_ask_machine *machine, const struct bt_ask_event *event);

enum bt_ask_state bt_ask_state_of(const struct bt_ask_machine *machine);

#endif
