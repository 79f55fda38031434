/* core/harness/turns.h - the messages of a conversation that may still be taken back, and the facts they add up to.
 *
 * For formats in which later records replace, remove or branch off earlier ones (Gemini, pi, OpenCode): the messages
 * are kept in short form and counted at the end. Rules: spec/transcripts.md 5.3, 6.3-6.5, 7. Owns its texts; knows no
 * record format. Past BT_TURN_TEXTS_MAX bytes the oldest texts are let go: they could only be wanted again after a
 * rewind over all the later ones. */
#ifndef BATON_CORE_HARNESS_TURNS_H
#define BATON_CORE_HARNESS_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/harness/facts.h"

#define BT_TURN_TEXTS_MAX ((size_t)8 << 20)

enum bt_turn_role { BT_TURN_OTHER, BT_TURN_PROMPT, BT_TURN_REPLY, BT_TURN_COMPACTION };
enum bt_turn_fill { BT_FILL_KEEP, BT_FILL_SET, BT_FILL_UNKNOWN };

struct bt_turn_call {
  uint64_t id; /* 0: none */
  char *name;  /* owned */
  bool pending;
};

struct bt_turn {
  uint64_t id, parent;   /* 0: none */
  uint64_t answers_call; /* of a tool's result: the call that is no longer pending */
  enum bt_turn_role role;
  bool counts_as_user, counts_as_assistant; /* in `messages` */
  char *text;                               /* owned; NULL: none */
  char *model;                              /* owned */
  struct bt_turn_call *calls;               /* owned */
  size_t call_count;
  enum bt_turn_fill fill;
  int64_t used;
  int64_t pre_tokens; /* of a compaction; BT_COUNT_UNKNOWN */
  bool sets_state, error;
  enum bt_agent_state state;
  int64_t time_ms;
};

struct bt_turns {
  struct bt_turn *list;
  size_t count, capacity;
  uint32_t *slots; /* open hash over ids: the latest turn with an id, index + 1 */
  size_t slot_count;
  size_t text_bytes, text_from; /* texts kept, and the first turn that may still have one to be let go */
  bool prompt_passed;           /* the first prompt, which keeps its text, lies before that */
};

void bt_turns_init(struct bt_turns *turns);
void bt_turns_dispose(struct bt_turns *turns);
bool bt_turns_copy(struct bt_turns *to, const struct bt_turns *from); /* false: out of memory, `to` empty */

void bt_turn_init(struct bt_turn *turn);
void bt_turn_dispose(struct bt_turn *turn);
/* Adds a call; `name` is copied. False: out of memory. */
bool bt_turn_add_call(struct bt_turn *turn, uint64_t id, struct bt_slice name, bool pending);

/* Takes the turn's contents, also on failure. One with the id of an earlier turn replaces it in place where `replaces`.
 */
bool bt_turns_take(struct bt_turns *turns, struct bt_turn *turn, bool replaces);
/* Removes the turn with that id and all after it; all turns when there is none. False: out of memory. */
bool bt_turns_rewind(struct bt_turns *turns, uint64_t id);

/* Adds up counts over all turns; texts, fill, state and compactions over those from the last turn up to the root where
 * `is_tree`, over all otherwise. Sets nothing else of `facts`. False: out of memory. */
bool bt_turns_facts(const struct bt_turns *turns, bool is_tree, struct bt_transcript_facts *facts);

#endif
