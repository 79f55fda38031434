/* core/model/handover.h - whether a session is to be asked for a handover, as a screen shows it, and the records it left.
 *
 * Made by core/handover/table.h; hung into a snapshot, whose arena it lives in; drawn by views. Rules:
 * spec/handover-request.md 3, 9, 10. */
#ifndef BATON_CORE_MODEL_HANDOVER_H
#define BATON_CORE_MODEL_HANDOVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum bt_ask_state {
  BT_ASK_STATE_UNSUPERVISED,
  BT_ASK_STATE_WRITTEN,
  BT_ASK_STATE_ASKED,
  BT_ASK_STATE_DUE,
  BT_ASK_STATE_REARMED,
  BT_ASK_STATE_UNKNOWN,
  BT_ASK_STATE_ARMED,
  BT_ASK_STATE_COUNT
};
const char *bt_ask_state_word(enum bt_ask_state state); /* "unsupervised", ..., "re-armed", ... */

struct bt_handover_record { /* a file that a supervisor or a worker left; baton never writes, edits or removes one */
  const char *kind;         /* "checkpoint", "handover" */
  const char *path;         /* below the session's root */
  int64_t time_ms;
  bool by_worker; /* a transcript shows the command that wrote it; else it is derived */
};

#define BT_HANDOVER_RECORDS_SHOWN 8 /* of one session on a screen */

struct bt_handover {
  const char *session;
  const char *root; /* NULL unknown */
  enum bt_ask_state state;
  bool measured; /* the figures below are known */
  int64_t fill, window, line;
  const char *cause;        /* why it was re-armed: fill, compaction, clear; NULL */
  int64_t asked_ms;         /* since when it is due or asked; BT_TIME_UNKNOWN */
  const char *written_path; /* of the record, as the command said it; NULL unknown */
  bool compacted_before_written;
  const struct bt_handover_record *records; /* the newest, newest first */
  size_t record_count, record_total;
};

/* How the mod in a repository stands (spec/handover-request.md 7.4). */
struct bt_handover_mod {
  const char *state, *reason; /* "wired", "mod:not-seen-loaded"; NULL: not looked at */
};

struct bt_snapshot;
/* Borrowed; NULL: nothing is known of that session. */
const struct bt_handover *bt_snapshot_handover(const struct bt_snapshot *snapshot, const char *session);
size_t bt_snapshot_due(const struct bt_snapshot *snapshot); /* sessions whose handover is due */

#endif
