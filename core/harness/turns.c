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
  free(turns->slots);
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
  bool ok = (!from->text || (to->text = strdup(from->text)) != NULL) &&
            (!from->model || (to->model = strdup(from->model)) != NULL);
  for (size_t i = 0; ok && i < from->call_count; i++)
    ok = bt_turn_add_call(to, from->calls[i].id, bt_slice_of(from->calls[i].name), from->calls[i].pending);
  return ok;
}

/* ---- where the latest turn with an id is ---- */

static size_t slot_of(const struct bt_turns *turns, uint64_t id) {
  size_t at = (size_t)(id ^ id >> 32) & (turns->slot_count - 1);
  while (turns->slots[at] && turns->list[turns->slots[at] - 1].id != id)
    at = (at + 1) & (turns->slot_count - 1);
  return at;
}

/* Index of the latest turn with that id; `count` when there is none. */
static size_t find(const struct bt_turns *turns, uint64_t id) {
  if (id == 0 || turns->slot_count == 0 || turns->slots[slot_of(turns, id)] == 0)
    return turns->count;
  return turns->slots[slot_of(turns, id)] - 1;
}

/* Makes the table anew, for at least `room` turns. */
static bool rehash(struct bt_turns *turns, size_t room) {
  size_t count = turns->slot_count ? turns->slot_count : 64;
  while (count < room * 2)
    count *= 2;
  uint32_t *slots = calloc(count, sizeof *slots);
  if (!slots)
    return false;
  free(turns->slots);
  turns->slots = slots;
  turns->slot_count = count;
  for (size_t i = 0; i < turns->count; i++)
    if (turns->list[i].id)
      slots[slot_of(turns, turns->list[i].id)] = (uint32_t)i + 1;
  return true;
}

bool bt_turns_copy(struct bt_turns *to, const struct bt_turns *from) {
  bt_turns_init(to);
  if (from->count == 0)
    return true;
  to->list = calloc(from->count, sizeof *to->list);
  if (!to->list)
    return false;
  to->capacity = from->count;
  to->text_bytes = from->text_bytes;
  to->text_from = from->text_from;
  to->prompt_passed = from->prompt_passed;
  bool ok = true;
  for (; ok && to->count < from->count; to->count++)
    ok = copy_turn(&to->list[to->count], &from->list[to->count]);
  if (!ok || !rehash(to, to->count)) {
    bt_turns_dispose(to);
    return false;
  }
  return true;
}

/* ---- taking and taking back ---- */

static void drop_text(struct bt_turns *turns, struct bt_turn *turn) {
  if (turn->text)
    turns->text_bytes -= strlen(turn->text);
  free(turn->text);
  turn->text = NULL;
}

static void bound_texts(struct bt_turns *turns) {
  for (; turns->text_bytes > BT_TURN_TEXTS_MAX && turns->text_from + 1 < turns->count; turns->text_from++) {
    struct bt_turn *turn = &turns->list[turns->text_from];
    if (!turns->prompt_passed && turn->role == BT_TURN_PROMPT)
      turns->prompt_passed = true;
    else
      drop_text(turns, turn);
  }
}

static bool make_room(struct bt_turns *turns) {
  if (turns->count < turns->capacity)
    return true;
  size_t capacity = turns->capacity ? turns->capacity * 2 : 32;
  struct bt_turn *list = capacity < UINT32_MAX ? realloc(turns->list, capacity * sizeof *list) : NULL;
  if (!list)
    return false;
  turns->list = list;
  turns->capacity = capacity;
  return true;
}

bool bt_turns_take(struct bt_turns *turns, struct bt_turn *turn, bool replaces) {
  size_t at = replaces ? find(turns, turn->id) : turns->count;
  bool is_new = at == turns->count;
  if (is_new &&
      (!make_room(turns) || (turns->slot_count < (turns->count + 1) * 2 && !rehash(turns, turns->count + 1)))) {
    bt_turn_dispose(turn);
    return false;
  }
  if (!is_new) {
    drop_text(turns, &turns->list[at]);
    bt_turn_dispose(&turns->list[at]);
  }
  turns->count += is_new;
  turns->list[at] = *turn;
  turns->text_bytes += turn->text ? strlen(turn->text) : 0;
  if (turn->id)
    turns->slots[slot_of(turns, turn->id)] = (uint32_t)at + 1;
  bt_turn_init(turn);
  if (turns->text_bytes > BT_TURN_TEXTS_MAX)
    bound_texts(turns);
  return true;
}

bool bt_turns_rewind(struct bt_turns *turns, uint64_t id) {
  size_t at = find(turns, id);
  if (at == turns->count)
    at = 0;
  if (turns->count == at)
    return true;
  while (turns->count > at) {
    struct bt_turn *turn = &turns->list[--turns->count];
    drop_text(turns, turn);
    bt_turn_dispose(turn);
  }
  if (turns->text_from > turns->count)
    turns->text_from = turns->count;
  turns->prompt_passed = false;
  for (size_t i = 0; i < turns->text_from; i++)
    turns->prompt_passed |= turns->list[i].role == BT_TURN_PROMPT;
  return rehash(turns, turns->count);
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
  tally->facts->compactions += turn->role == BT_TURN_COMPACTION;
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
    else if (call->id) /* told again, with its result */
      bt_pending_remove(&tally->pending, call->id);
    tally->latest_call = call->id;
    tally->latest_pending = call->pending;
    keep(tally, call->name, &tally->facts->last_tool);
  }
}

static void follow_compaction(struct tally *tally, const struct bt_turn *turn) {
  struct bt_transcript_facts *facts = tally->facts;
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
    bt_facts_note_fill(facts, turn->fill == BT_FILL_SET ? turn->used : BT_COUNT_UNKNOWN, turn->time_ms);
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
  facts->last_tool_pending =
      tally.latest_call ? bt_pending_has(&tally.pending, tally.latest_call) : tally.latest_pending;
  bt_hashset_dispose(&tally.calls);
  free(on_branch);
  return !tally.failed;
}
