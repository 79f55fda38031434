/* core/handover/sessions.h - all sessions of the provider, each replayed and read on where its transcript grew.
 *
 * Owns: which files are read and how far. A transcript that shrank or is another file now is read from the start. Never
 * writes. Rules: spec/handover-request.md 6. */
#ifndef BATON_CORE_HANDOVER_SESSIONS_H
#define BATON_CORE_HANDOVER_SESSIONS_H

#include "core/handover/keep.h"
#include "core/handover/replay.h"
#include "core/handover/seen.h"

struct bt_ask_session {
  char *id, *path; /* path below the projects folder */
  uint64_t inode, offset;
  int64_t mtime_ms;
  struct bt_ask_session *twin; /* the next transcript of the same id, in a ring; NULL: the only one */
  struct bt_ask_replay replay;
  struct bt_ask_keep keep; /* as it was read when the session was first seen; the caller may add to it */
  struct bt_ask_acks acks; /* a view of keep.acked */
  bool gone;               /* its file is not there any more */
  bool fresh;              /* its first update is not over: what is told is history */
  bool anew;               /* read from the start since the caller last set this back */
  struct bt_ask_sessions *owner;
};

struct bt_ask_sessions {
  const char *projects, *state_dir; /* borrowed */
  const char *const *only;          /* ids to look at; none: all */
  size_t only_count;
  int64_t window_flag;                    /* 0: by the transcript */
  const struct bt_ask_settings *settings; /* NULL: the usual ones */
  /* What happened to a session while its new bytes were read. NULL: nobody listens. */
  void (*notice)(void *context, struct bt_ask_session *session, const struct bt_ask_notice *notice);
  void *context;
  struct bt_ask_session **items; /* in byte order of the path at the first update, newer ones behind */
  size_t count;
};

/* Lists the transcripts and reads what is new. BT_IO (the folder cannot be listed), BT_NOMEM; one that cannot be read
 * keeps its state. The caller fills in the first members, zeroes the rest, and disposes. */
enum bt_code bt_ask_sessions_update(struct bt_ask_sessions *sessions, struct bt_error *err) BT_NODISCARD;
/* Takes in what was acknowledged meanwhile, by whomever: the state files of what is due are read again. Told to
 * `notice`. */
void bt_ask_sessions_acknowledge(struct bt_ask_sessions *sessions);
void bt_ask_sessions_dispose(struct bt_ask_sessions *sessions);

/* It is there, and no other transcript of its id (of a project that was moved or copied) was written to later. Only
 * that one counts for the session. */
bool bt_ask_session_is_current(const struct bt_ask_session *session);

struct bt_ask_session *bt_ask_sessions_find(const struct bt_ask_sessions *sessions,
                                            const char *id); /* the current one; NULL: none */

#endif
