/* core/harness/index_code.c - a card as bytes of the index, and back: fixed order, host byte order, lengths before
 * texts. */
#include <stdlib.h>
#include <string.h>

#include "core/harness/index.h"

#define TEXT_BYTES_MAX 65536u
#define NO_TEXT UINT32_MAX

static const char *const sources_of_windows[] = {"config", "transcript", "model", "evidence", "default"};

/* ---- numbers and texts ---- */

static void put_number(struct bt_str *out, int64_t number) {
  bt_str_append(out, &number, sizeof number);
}

static void put_text(struct bt_str *out, const char *text) {
  uint32_t length = text ? (uint32_t)strlen(text) : NO_TEXT;
  bt_str_append(out, &length, sizeof length);
  if (text)
    bt_str_append(out, text, length);
}

struct reading {
  struct bt_slice bytes;
  size_t at;
  bool bad;
};

static void take_bytes(struct reading *reading, void *to, size_t length) {
  reading->bad |= reading->bytes.length - reading->at < length;
  if (reading->bad)
    return;
  memcpy(to, reading->bytes.data + reading->at, length);
  reading->at += length;
}

static int64_t take_number(struct reading *reading) {
  int64_t number = 0;
  take_bytes(reading, &number, sizeof number);
  return number;
}

static char *take_text(struct reading *reading) {
  uint32_t length = NO_TEXT;
  take_bytes(reading, &length, sizeof length);
  if (reading->bad || length == NO_TEXT)
    return NULL;
  char *text =
      length <= TEXT_BYTES_MAX && reading->bytes.length - reading->at >= length ? malloc((size_t)length + 1) : NULL;
  if (!text) {
    reading->bad = true;
    return NULL;
  }
  take_bytes(reading, text, length);
  text[length] = 0;
  reading->bad |= strlen(text) != length;
  return text;
}

/* ---- one card: every field once, for both ways ---- */

#define CARD_TEXTS 14
static void texts_of(struct bt_card *card, char **slots[CARD_TEXTS]) {
  struct bt_transcript_facts *f = &card->facts;
  char **all[CARD_TEXTS] = {&card->source.path,
                            &f->session_id,
                            &f->parent_session_id,
                            &f->cwd,
                            &f->last_cwd,
                            &f->git_branch,
                            &f->model,
                            &f->version,
                            &f->title,
                            &f->first_prompt,
                            &f->last_prompt,
                            &f->last_assistant,
                            &f->last_tool,
                            &f->compaction_trigger};
  memcpy(slots, all, sizeof all);
}

#define CARD_NUMBERS 16
static void numbers_of(struct bt_card *card, int64_t *slots[CARD_NUMBERS]) {
  struct bt_transcript_facts *f = &card->facts;
  int64_t *all[CARD_NUMBERS] = {&card->source.size,
                                &card->source.mtime_ns,
                                &f->depth,
                                &f->user_messages,
                                &f->assistant_messages,
                                &f->tools,
                                &f->compactions,
                                &f->compaction_pre_tokens,
                                &f->compaction_post_tokens,
                                &f->last_compaction_ms,
                                &f->sidechain_records,
                                &f->started_ms,
                                &f->last_activity_ms,
                                &f->used,
                                &f->window,
                                &f->skipped_lines};
  memcpy(slots, all, sizeof all);
}

#define CARD_FLAGS 7
static void flags_of(struct bt_card *card, bool *slots[CARD_FLAGS]) {
  struct bt_transcript_facts *f = &card->facts;
  bool *all[CARD_FLAGS] = {&f->depth_invalid, &f->truncated,           &f->is_subagent, &f->last_tool_pending,
                           &f->error,         &f->has_last_compaction, &f->partial_tail};
  memcpy(slots, all, sizeof all);
}

static int64_t code_of_window(const char *source) {
  for (size_t i = 0; source && i < sizeof sources_of_windows / sizeof *sources_of_windows; i++)
    if (strcmp(source, sources_of_windows[i]) == 0)
      return (int64_t)i + 1;
  return 0;
}

void bt_index_put_card(struct bt_str *out, const struct bt_card *from) {
  struct bt_card card = *from; /* the slots are of one that may be written to; nothing is */
  char **texts[CARD_TEXTS];
  int64_t *numbers[CARD_NUMBERS], flags = 0;
  bool *bits[CARD_FLAGS];
  texts_of(&card, texts);
  numbers_of(&card, numbers);
  flags_of(&card, bits);
  for (int i = 0; i < CARD_TEXTS; i++)
    put_text(out, *texts[i]);
  for (int i = 0; i < CARD_NUMBERS; i++)
    put_number(out, *numbers[i]);
  for (int i = 0; i < CARD_FLAGS; i++)
    flags |= (int64_t)*bits[i] << i;
  put_number(out, flags);
  put_number(out, (int64_t)card.source.device);
  put_number(out, (int64_t)card.source.inode);
  put_number(out, card.state);
  put_number(out, card.facts.harness);
  put_number(out, card.facts.state);
  put_number(out, code_of_window(card.facts.window_source));
  put_number(out, card.facts.trail_count);
  for (int i = 0; i < card.facts.trail_count; i++) {
    put_number(out, card.facts.trail_ms[i]);
    put_number(out, card.facts.trail_used[i]);
  }
  bt_str_append(out, &card.proof, sizeof card.proof);
}

bool bt_index_take_card(struct bt_slice bytes, size_t *at, struct bt_card *card) {
  struct reading reading = {bytes, *at, false};
  char **texts[CARD_TEXTS];
  int64_t *numbers[CARD_NUMBERS];
  bool *bits[CARD_FLAGS];
  struct bt_transcript_facts *facts = &card->facts;
  card->has_facts = true;
  texts_of(card, texts);
  numbers_of(card, numbers);
  flags_of(card, bits);
  for (int i = 0; i < CARD_TEXTS; i++)
    *texts[i] = take_text(&reading);
  for (int i = 0; i < CARD_NUMBERS; i++)
    *numbers[i] = take_number(&reading);
  int64_t flags = take_number(&reading);
  for (int i = 0; i < CARD_FLAGS; i++)
    *bits[i] = flags >> i & 1;
  card->source.device = (uint64_t)take_number(&reading);
  card->source.inode = (uint64_t)take_number(&reading);
  int64_t state = take_number(&reading), harness = take_number(&reading), agent = take_number(&reading),
          window = take_number(&reading);
  int64_t trail = take_number(&reading);
  reading.bad |= (state != BT_CARD_READ && state != BT_CARD_PEEKED) || harness < 0 || harness >= BT_HARNESS_COUNT ||
                 agent < 0 || agent >= BT_AGENT_STATE_COUNT || window < 0 || window > 5 || trail < 0 ||
                 trail > BT_TRAIL_MAX || !card->source.path || !facts->session_id;
  if (reading.bad)
    return false;
  card->state = (enum bt_card_state)state;
  facts->harness = (enum bt_harness)harness;
  facts->state = (enum bt_agent_state)agent;
  facts->window_source = window ? sources_of_windows[window - 1] : NULL;
  facts->trail_count = (int)trail;
  for (int i = 0; i < facts->trail_count; i++) {
    facts->trail_ms[i] = take_number(&reading);
    facts->trail_used[i] = take_number(&reading);
  }
  take_bytes(&reading, &card->proof, sizeof card->proof);
  facts->bytes = card->source.size;
  bt_facts_settle_fill(facts);
  bt_facts_settle_band(facts);
  *at = reading.at;
  return !reading.bad;
}
