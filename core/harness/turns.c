/* core/harness/turns.c - see turns.h. */
#include "core/harness/turns.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/hashset.h"
#include "core/harness/pending.h"
#include "core/harness/take.h"

void bt_turns_init(struct bt_turns *turns) {
  *turns = (struct bt_turns){0};
}

void bt_turn_init(struct bt_turn *turn) {
  *turn = (struct bt_turn){.used = BT_COUNT_UNKNOWN, .pre_tokens = BT_COUNT_UNKNOWN, .time_ms = BT_TIME_UNKNOWN};
}

void bt_turn_dispose(struct bt_turn *turn) {
  free(turn->text);
  free(turn->model);
  for (size_t i = 0; i < turn->call_count; i++)
    free(turn->calls[i].name);
  free(turn->calls);
  bt_turn_init(turn);
}

void bt_turns_dispose(struct bt_turns *turns) {
  for (size_t i = 0; i < turns->count; i++)
    bt_turn_dispose(&turns->list[i]);
  free(turns->list);
  bt_turns_init(turns);
}

bool bt_turn_add_call(struct bt_turn *turn, uint64_t id, struct bt_slice name, bool pending) {
  struct bt_turn_call *calls = realloc(turn->calls, (turn->call_count + 1) * sizeof *calls);
  if (!calls)
    return false;
  turn->calls = calls;
  calls[turn->call_count] = (struct bt_turn_call){.id = id, .pending = pending};
  turn->call_count++;
  return name.length == 0 || bt_take_slice(name, &calls[turn->call_count - 1].name);
}

static bool copy_turn(struct bt_turn *to, const struct bt_turn *from) {
  *to = *from;
  to->text = to->model = NULL;
  to->calls = NULL;
  to->call_count = 0;
  bool ok = (!from->text || (to->text = strdup(from->text)) != NULL) && (!from->model || (to->model = strdup(from->model)) != NULL);
  for (size_t i = 0; ok && i < from->call_count; i++)
    ok = bt_turn_add_call(to, from->calls[i].id, bt_slice_of(from->calls[i].name), from->calls[i].pending);
  return ok;
}

bool bt_turns_copy(struct bt_turns *to, const struct bt_turns *from) {
  bt_turns_init(to);
  if (from->count == 0)
    return true;
  to->list = calloc(from->count, sizeof *to->list);
  if (!to->list)
    return false;
  to->capacity = from->count;
  for (; to->count < from->count; to->count++)
    if (!copy_turn(&to->list[to->count], &from->list[to->count])) {
      to->count++;
      bt_turns_dispose(to);
      return false;
    }
  return true;
}

static size_t find(const struct bt_turns *turns, uint64_t id) {
  size_t at = turns->count;
  while (at > 0 && turns->list[at - 1].id != id)
    at--;
  return at ? at - 1 : turns->count;
}

bool bt_turns_take(struct bt_turns *turns, struct bt_turn *turn, bool replaces) {
  size_t at = replaces && turn->id ? find(turns, turn->id) : turns->count;
  if (at == turns->count && turns->count == turns->capacity) {
    size_t capacity = turns->capacity ? turns->capacity * 2 : 32;
    struct bt_turn *list = realloc(turns->list, capacity * sizeof *list);
    if (!list) {
      bt_turn_dispose(turn);
      return false;
    }
    turns->list = list;
    turns->capacity = capacity;
  }
  if (at == turns->count)
    turns->count++;
  else
    bt_turn_dispose(&turns->list[at]);
  turns->list[at] = *turn;
  bt_turn_init(turn);
  return true;
}

void bt_turns_rewind(struct bt_turns *turns, uint64_t id) {
  size_t at = id ? find(turns, id) : turns->count;
  if (at == turns->count)
    at = 0;
  while (turns->count > at)
    bt_turn_dispose(&turns->list[--turns->count]);
}

/* Marks the turns from the last one up to the root. A parent that is not there, or that comes later, ends the walk. */
static void mark_branch(const struct bt_turns *turns, bool *on_branch) {
  size_t at = turns->count;
  if (at == 0)
    return;
  on_branch[--at] = true;
  uint64_t wanted = turns->list[at].parent;
  while (at-- > 0 && wanted)
    if (turns->list[at].id == wanted) {
      on_branch[at] = true;
      wanted = turns->list[at].parent;
    }
}

struct tally {
  struct bt_transcript_facts *facts;
  struct bt_hashset calls;
  struct bt_pending pending;
  uint64_t latest_call;
  bool latest_pending, wants_post, failed;
};

static void count_turn(struct tally *tally, const struct bt_turn *turn) {
  tally->facts->user_messages += turn->counts_as_user;
  tally->facts->assistant_messages += turn->counts_as_assistant;
  for (size_t i = 0; i < turn->call_count; i++)
    if (turn->calls[i].id == 0 || bt_hashset_add(&tally->calls, turn->calls[i].id, &tally->failed))
      tally->facts->tools++;
}

static void keep(struct tally *tally, const char *text, char **slot) {
  if (text && *text)
    tally->failed |= !bt_take_slice(bt_slice_of(text), slot);
}

static void follow_calls(struct tally *tally, const struct bt_turn *turn) {
  if (turn->answers_call)
    bt_pending_remove(&tally->pending, turn->answers_call);
  for (size_t i = 0; i < turn->call_count; i++) {
    const struct bt_turn_call *call = &turn->calls[i];
    if (call->pending && call->id)
      bt_pending_add(&tally->pending, call->id, false);
    tally->latest_call = call->id;
    tally->latest_pending = call->pending;
    keep(tally, call->name, &tally->facts->last_tool);
  }
}

static void follow_compaction(struct tally *tally, const struct bt_turn *turn) {
  struct bt_transcript_facts *facts = tally->facts;
  facts->compactions++;
  facts->has_last_compaction = true;
  facts->compaction_pre_tokens = turn->pre_tokens != BT_COUNT_UNKNOWN ? turn->pre_tokens : facts->used;
  facts->compaction_post_tokens = BT_COUNT_UNKNOWN;
  facts->last_compaction_ms = turn->time_ms;
  tally->wants_post = true;
}

static void follow_turn(struct tally *tally, const struct bt_turn *turn) {
  struct bt_transcript_facts *facts = tally->facts;
  keep(tally, turn->model, &facts->model);
  if (turn->role == BT_TURN_COMPACTION)
    follow_compaction(tally, turn);
  if (turn->role == BT_TURN_PROMPT) {
    keep(tally, turn->text, &facts->last_prompt);
    if (!facts->first_prompt && turn->text) {
      struct bt_str line;
      bt_str_init(&line, (size_t)256 << 20);
      bt_one_line(&line, bt_slice_of(turn->text));
      tally->failed |= line.failed;
      keep(tally, line.data, &facts->first_prompt);
      bt_str_dispose(&line);
    }
    bt_pending_drop(&tally->pending);
  }
  if (turn->role == BT_TURN_REPLY)
    keep(tally, turn->text, &facts->last_assistant);
  follow_calls(tally, turn);
  if (turn->fill == BT_FILL_SET && tally->wants_post) {
    facts->compaction_post_tokens = turn->used;
    tally->wants_post = false;
  }
  if (turn->fill != BT_FILL_KEEP)
    facts->used = turn->fill == BT_FILL_SET ? turn->used : BT_COUNT_UNKNOWN;
  if (turn->sets_state) {
    facts->state = turn->state;
    facts->error = turn->error;
  }
}

bool bt_turns_facts(const struct bt_turns *turns, bool is_tree, struct bt_transcript_facts *facts) {
  struct tally tally = {.facts = facts};
  bool *on_branch = calloc(turns->count + 1, sizeof *on_branch);
  if (!on_branch)
    return false;
  if (is_tree)
    mark_branch(turns, on_branch);
  for (size_t i = 0; i < turns->count; i++) {
    count_turn(&tally, &turns->list[i]);
    if (!is_tree || on_branch[i])
      follow_turn(&tally, &turns->list[i]);
  }
  facts->last_tool_pending = tally.latest_call ? bt_pending_has(&tally.pending, tally.latest_call) : tally.latest_pending;
  bt_hashset_dispose(&tally.calls);
  free(on_branch);
  return !tally.failed;
}
