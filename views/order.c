/* views/order.c - sorting by one column. */
#include "views/order.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"

const char *bt_sort_spelling(enum bt_sort sort) {
#define BT_SORT_SPELLING(name, spelling, letter, words) spelling,
  static const char *const spellings[] = {BT_SORTS(BT_SORT_SPELLING)};
  return spellings[sort];
}

char bt_sort_letter(enum bt_sort sort) {
#define BT_SORT_LETTER(name, spelling, letter, words) letter,
  static const char letters[] = {BT_SORTS(BT_SORT_LETTER)};
  return letters[sort];
}

const char *bt_sort_words(enum bt_sort sort) {
#define BT_SORT_WORDS(name, spelling, letter, words) words,
  static const char *const words_of[] = {BT_SORTS(BT_SORT_WORDS)};
  return words_of[sort];
}

static struct bt_order_item item_of(const struct bt_session *session, enum bt_sort sort) {
  struct bt_order_item item = {.known = true};
  switch (sort) {
  case BT_SORT_SESSION:
    item.text = session->id;
    break;
  case BT_SORT_HARNESS:
    item.text = session->harness;
    break;
  case BT_SORT_TICKET:
    item.text = session->ticket_id;
    break;
  case BT_SORT_CONTEXT:
    item.known = session->context.used_known && session->context.window_known;
    item.number = -session->context.used_pct;
    break;
  case BT_SORT_BAND:
    item.known = session->context.band != BT_BAND_UNKNOWN;
    item.number = -(double)session->context.band;
    break;
  case BT_SORT_BY:
    item.text = session->context.band == BT_BAND_UNKNOWN ? NULL : session->context.band_by;
    break;
  case BT_SORT_DENY:
    item.text = session->deny ? bt_deny_class_word(session->deny->class_) : NULL;
    break;
  case BT_SORT_LOCK:
    item.known = session->lock != NULL;
    item.number = session->lock ? (double)session->lock->verdict : 0;
    break;
  case BT_SORT_BRIEF:
    item.text = session->capture ? bt_brief_word(session->capture->status) : NULL;
    break;
  case BT_SORT_AGE:
    item.number = (double)(session->since_ms != BT_TIME_UNKNOWN ? session->since_ms : session->last_seen_ms);
    item.known = session->since_ms != BT_TIME_UNKNOWN || session->last_seen_ms != BT_TIME_UNKNOWN;
    break;
  default:
    break;
  }
  bool textual = sort == BT_SORT_SESSION || sort == BT_SORT_HARNESS || sort == BT_SORT_TICKET || sort == BT_SORT_BY ||
                 sort == BT_SORT_DENY || sort == BT_SORT_BRIEF;
  item.known = item.known && (!textual || item.text);
  return item;
}

static int compare(const struct bt_order_item *a, const struct bt_order_item *b, int direction) {
  if (a->known != b->known)
    return a->known ? -1 : 1;
  int order = a->text && b->text ? strcmp(a->text, b->text) : (a->number > b->number) - (a->number < b->number);
  if (order && a->known)
    return order * direction;
  return (a->index > b->index) - (a->index < b->index);
}

static int forwards(const void *a, const void *b) {
  return compare(a, b, 1);
}

static int backwards(const void *a, const void *b) {
  return compare(a, b, -1);
}

void bt_order_sessions(uint32_t *rows, struct bt_order_item *items, size_t count, const struct bt_snapshot *snapshot,
                       enum bt_sort sort, bool reversed) {
  for (size_t i = 0; i < count; i++) {
    items[i] = item_of(&snapshot->sessions[rows[i]], sort);
    items[i].index = rows[i];
    const struct bt_handover *handover =
        sort == BT_SORT_TRIAGE ? bt_snapshot_handover(snapshot, snapshot->sessions[rows[i]].id) : NULL;
    bool due = handover && handover->state == BT_ASK_STATE_DUE; /* before everything else: its window is filling */
    if (sort == BT_SORT_TRIAGE)
      items[i].number = (double)rows[i] - (due ? (double)snapshot->session_count : 0);
  }
  qsort(items, count, sizeof *items, reversed ? backwards : forwards);
  for (size_t i = 0; i < count; i++)
    rows[i] = items[i].index;
}
