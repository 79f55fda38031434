/* core/model/why.h - why one session may or may not change files right now, rule by rule, as plain data.
 *
 * Built by core/hook/why.h; printed by cli/cmd_why.c; a view can draw it (dashboard.md 6.4). Everything lives in its
 * arena. Text of sessions in it is raw: whoever prints makes it visible. Rules: spec/context-handoff.md 6, dashboard.md
 * rows 40-42. */
#ifndef BATON_CORE_MODEL_WHY_H
#define BATON_CORE_MODEL_WHY_H

#include "core/model/snapshot.h"

struct bt_arena;

enum bt_rule_verdict { BT_RULE_PASS, BT_RULE_REFUSE, BT_RULE_UNKNOWN };
const char *bt_rule_verdict_word(enum bt_rule_verdict verdict); /* "pass", "refuse", "unknown" */

struct bt_why_rule {
  const char *id; /* D1, D0, D2, D3, capture, auth, path, shell, scan, marker */
  enum bt_rule_verdict verdict;
  const char *code;   /* the reason as the gate says it; NULL unless it refuses */
  const char *text;   /* what it rests on, one line */
  const char *record; /* session id of the record it comes from; NULL: none */
  const char *file;   /* that record's file, relative to the root; NULL */
  size_t blocks;      /* sessions known here that it keeps from changing files */
};

struct bt_why_step {
  unsigned number;     /* from 1, most durable first; 0 where it would not help */
  const char *subject; /* whose record it clears; NULL: all of them */
  enum bt_verb verb;   /* BT_VERB_NONE: something to do by hand */
  const char *text;
  const char *lasts; /* "for good", "a first step", "one gated call"; of a step that does not help: "does not help" */
  const char *needs; /* "key, final"; NULL: nothing */
  bool helps;
  const char *blocked_by; /* why it would refuse now; of a step that does not help: why it does not; NULL */
  const char *command;    /* for a shell, whole; NULL where something is still to be filled in */
};

struct bt_why {
  struct bt_arena *arena;
  int64_t taken_at_ms;
  const char *session; /* NULL: a session that has no record here */
  const char *question;
  bool allowed;
  const char *const *reasons; /* the gate's own output, in its order */
  size_t reason_count;
  const struct bt_why_rule *rules; /* in the order of the screen */
  size_t rule_count, refused_count, unknown_count;
  const struct bt_why_step *steps; /* helping ones first */
  size_t step_count;
  size_t blocks; /* other sessions known here that are refused as well */
  size_t records_read;
  const char *told;         /* what the agent is told with a refusal: several lines; NULL when allowed */
  const char *truth;        /* what that leaves unsaid, one sentence or two; NULL */
  const char *command;      /* the same question for a shell, one line */
  const char *const *notes; /* what a real call would also do: heal, write a marker, spend a grant */
  size_t note_count;
};

void bt_why_free(struct bt_why *why); /* NULL is allowed */

#endif
