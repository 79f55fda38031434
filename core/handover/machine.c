/* core/handover/machine.c - the transitions. */
#include "core/handover/machine.h"

#include <stddef.h>

const char *bt_ask_event_word(enum bt_ask_event_kind kind) {
  static const char *const words[BT_ASK_EVENT_COUNT] = {"measure",
                                                        "request_seen",
                                                        "operator_ack",
                                                        "handover_written",
                                                        "handover_write_failed",
                                                        "handover_read",
                                                        "compaction",
                                                        "clear",
                                                        "session_start",
                                                        "session_end",
                                                        "supervised",
                                                        "checkpoint_derived",
                                                        "continuation_derived",
                                                        "reload"};
  return words[kind];
}

const char *bt_ask_cause_word(enum bt_ask_cause cause) {
  static const char *const words[] = {NULL, "fill", "compaction", "clear"};
  return words[cause];
}

void bt_ask_machine_init(struct bt_ask_machine *machine, const struct bt_ask_limits *limits, bool supervised) {
  *machine = (struct bt_ask_machine){
      .limits = *limits, .supervised = supervised, .fill = BT_ASK_UNKNOWN, .window = BT_ASK_UNKNOWN};
}

enum bt_ask_state bt_ask_state_of(const struct bt_ask_machine *machine) {
  if (!machine->supervised)
    return BT_ASK_STATE_UNSUPERVISED;
  if (machine->written)
    return BT_ASK_STATE_WRITTEN;
  if (machine->asked)
    return machine->delivered ? BT_ASK_STATE_ASKED : BT_ASK_STATE_DUE;
  if (machine->rearmed)
    return BT_ASK_STATE_REARMED;
  return machine->have ? BT_ASK_STATE_ARMED : BT_ASK_STATE_UNKNOWN;
}

/* What was asked and written belongs to the window before. */
static void new_window(struct bt_ask_machine *machine, enum bt_ask_cause cause) {
  if (machine->asked || machine->written) {
    machine->rearmed = true;
    machine->cause = cause;
    machine->ordinal++;
  }
  machine->asked = machine->delivered = machine->written = false;
}

static bool measure(struct bt_ask_machine *machine, int64_t fill, int64_t window) {
  if (fill < 0 || window <= 0 || fill > BT_ASK_TOKENS_MAX || window > BT_ASK_TOKENS_MAX)
    return false;
  machine->have = true;
  machine->fill = fill;
  machine->window = window;
  machine->line = bt_ask_line(&machine->limits, (uint64_t)window);
  if (bt_ask_rearms(&machine->limits, (uint64_t)fill, machine->line))
    new_window(machine, BT_ASK_CAUSE_FILL);
  if (!machine->supervised || machine->asked || machine->written || (uint64_t)fill < machine->line)
    return false;
  machine->asked = true;
  machine->delivered = machine->rearmed = false;
  return true;
}

static void compaction(struct bt_ask_machine *machine) {
  enum bt_ask_state state = bt_ask_state_of(machine);
  if (state == BT_ASK_STATE_DUE || state == BT_ASK_STATE_ASKED)
    machine->compacted_before_written = true;
  new_window(machine, BT_ASK_CAUSE_COMPACTION);
}

static void clear(struct bt_ask_machine *machine) {
  new_window(machine, BT_ASK_CAUSE_CLEAR);
  machine->have = false;
  machine->fill = machine->window = BT_ASK_UNKNOWN; /* those of the conversation that is gone */
  machine->line = 0;
}

static void start(struct bt_ask_machine *machine, enum bt_ask_source source) {
  machine->ended = false;
  if (source == BT_ASK_BY_CLEAR) {
    clear(machine);
  } else if (source == BT_ASK_BY_COMPACT) {
    compaction(machine);
  } else if (source == BT_ASK_STARTUP) {
    uint64_t ordinal = machine->ordinal + (machine->asked || machine->written ? 1 : 0);
    struct bt_ask_limits limits = machine->limits;
    bt_ask_machine_init(machine, &limits, machine->supervised);
    machine->ordinal = ordinal;
  }
}

bool bt_ask_step(struct bt_ask_machine *machine, const struct bt_ask_event *event) {
  if (machine->ended && event->kind != BT_ASK_SESSION_START && event->kind != BT_ASK_SUPERVISED)
    return false;
  switch (event->kind) {
  case BT_ASK_MEASURE:
    return measure(machine, event->fill, event->window);
  case BT_ASK_REQUEST_SEEN:
    machine->asked = machine->delivered = true;
    machine->rearmed = false;
    break;
  case BT_ASK_OPERATOR_ACK:
    machine->delivered = machine->delivered || machine->asked;
    break;
  case BT_ASK_HANDOVER_WRITTEN:
    machine->written = true;
    machine->rearmed = machine->compacted_before_written = false;
    break;
  case BT_ASK_COMPACTION:
    compaction(machine);
    break;
  case BT_ASK_CLEAR:
    clear(machine);
    break;
  case BT_ASK_SESSION_START:
    start(machine, event->source);
    break;
  case BT_ASK_SESSION_END:
    machine->ended = true;
    machine->compacted_before_written = false;
    break;
  case BT_ASK_SUPERVISED:
    machine->supervised = event->value;
    break;
  default: /* a failed write, a read, a derived record, a reload: nothing */
    break;
  }
  return false;
}
