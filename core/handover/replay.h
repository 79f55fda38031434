/* core/handover/replay.h - a session's transcript, line by line, becomes measurements, events and at most one ask each.
 *
 * Owns: what a line means, and the machine that it feeds (core/handover/machine.h). Knows no files: bytes are handed
 * in. Rules: spec/handover-request.md 3.1, 4. */
#ifndef BATON_CORE_HANDOVER_REPLAY_H
#define BATON_CORE_HANDOVER_REPLAY_H

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/base/tape.h"
#include "core/handover/machine.h"
#include "core/handover/settings.h"
#include "core/harness/lines.h"

#define BT_HANDOVER_FOLDER ".ai/local/state/handovers"
#define BT_CHECKPOINT_FOLDER ".ai/local/state/checkpoints"
#define BT_ASK_MARKER "[baton:handover-request"
#define BT_ASK_WINDOW_USUAL 200000
#define BT_ASK_WINDOW_LARGE 1000000
#define BT_ASK_LINE_MAX ((size_t)64 << 20) /* bytes; a longer line is passed over and counted */

/* One thing that a line brought about, in order. `asks`: a handover is to be asked for now. */
struct bt_ask_notice {
  const struct bt_ask_event *event;
  bool asks;
  uint64_t line; /* index of the line in the file */
  enum bt_ask_state before, after;
};

/* Ordinals that the operator has passed on already: an ask at one of them counts as acknowledged at once. */
struct bt_ask_acks {
  const uint64_t *ordinals;
  size_t count;
};

/* A handover command that came to a good end. */
struct bt_ask_write {
  char *path;                 /* of the record, as the command named it, below the root; NULL: it named none */
  int64_t began_ms, ended_ms; /* of the call and of its result; BT_TIME_UNKNOWN */
};

struct bt_ask_pending { /* one whose result has not come */
  char *id;
  int64_t began_ms;
};

struct bt_ask_replay {
  struct bt_ask_machine machine;
  /* Told by the caller before the first line. */
  bool (*is_supervised)(void *context, const char *root);      /* NULL: decided by the machine's own flag */
  void (*notice)(void *context, const struct bt_ask_notice *); /* NULL: nobody listens */
  void *context;
  const struct bt_ask_acks *acks;         /* NULL: none */
  const struct bt_ask_settings *settings; /* limits of the root, further writer commands; NULL: the usual ones */

  int64_t window_flag;    /* --window; 0: by the transcript */
  int64_t window;         /* in force */
  char *root;             /* cwd of the first record that has one; NULL */
  char last_at[40];       /* time stamp of the last record that has one */
  const char *last_event; /* word of the last event, static; NULL */
  uint64_t lines, skipped;
  bool request_marked; /* a marker was seen at all */
  char marker_at[40];  /* time stamp of the last record with one */

  struct bt_lines reader;
  struct bt_tape tape;
  struct bt_str text; /* scratch */
  struct bt_ask_pending *pending;
  size_t pending_count;
  struct bt_ask_write *writes; /* in order; the oldest are forgotten where there are very many */
  size_t write_count;
  char first_at[40]; /* time stamp of the first record that has one */
  char asked_at[40]; /* of the record that made the handover due, or showed the request */
};

void bt_ask_replay_init(struct bt_ask_replay *replay, const struct bt_ask_limits *limits, bool supervised,
                        int64_t window_flag);
void bt_ask_replay_dispose(struct bt_ask_replay *replay);

/* Gives scratch memory back: nothing more comes for a while. What is known, and a line that has begun, stays. */
void bt_ask_replay_rest(struct bt_ask_replay *replay);

/* Takes the next bytes of the file, however they were cut. A last line without its LF is kept back. BT_OK or BT_NOMEM.
 */
enum bt_code bt_ask_replay_feed(struct bt_ask_replay *replay, const char *bytes, size_t length) BT_NODISCARD;

/* The operator has passed the request on, now. */
void bt_ask_replay_acknowledge(struct bt_ask_replay *replay);

#endif
