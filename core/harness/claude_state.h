/* core/harness/claude_state.h - the accumulators that claude.c and claude_user.c share. Private to the two. */
#ifndef BATON_CORE_HARNESS_CLAUDE_STATE_H
#define BATON_CORE_HARNESS_CLAUDE_STATE_H

#include "core/base/hashset.h"
#include "core/harness/claude.h"
#include "core/harness/pending.h"

#define BT_CLAUDE_SUMMARIES_MAX 4096 /* kept of other sessions' summaries; past it the oldest is forgotten */

struct bt_claude_summary {
  uint64_t leaf; /* 0: none named */
  char *text;
};

struct bt_claude {
  char *stem;
  struct bt_transcript_facts facts;
  struct bt_hashset uuids, turns, calls;
  struct bt_pending pending;
  struct bt_claude_summary *summaries;
  size_t summary_count, summary_capacity;
  char *latest_session_id, *custom_title, *ai_title, *first_command;
  uint64_t text_message; /* id of the latest reply that had text */
  uint64_t latest_call;
  bool role_known;    /* sub-agent's file or not, decided at the first conversation record */
  bool group_open;    /* between a compaction boundary and the next reply */
  bool wide_evidence; /* a request larger than the default window was answered */
  bool failed;        /* memory was short */
};

/* A `user` record (5.1 step 10), or the content of a `local_command` system record. */
void bt_claude_user(struct bt_claude *reader, const struct bt_tape *tape);
void bt_claude_command_text(struct bt_claude *reader, struct bt_slice text);

/* Opens or joins a boundary group; true when it opened one. */
bool bt_claude_open_group(struct bt_claude *reader);

#endif
