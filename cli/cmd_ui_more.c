/* cli/cmd_ui_more.c - questions and answers. */
#include "cli/cmd_ui_more.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cmd_ui_act.h"
#include "core/base/str.h"
#include "core/model/filter.h"
#include "core/ops/marks.h"
#include "core/ops/preferences.h"
#include "tui/bulk.h"
#include "views/order.h"

/* ---- the order of the list ---- */

void ui_order_load(const struct bt_env *env, struct ui_order *order) {
  struct bt_str word;
  *order = (struct ui_order){BT_SORT_TRIAGE, false};
  bt_str_init(&word, 64);
  bt_preferences_order(env, &word, &order->reversed);
  for (int sort = 0; sort < BT_SORT_COUNT; sort++)
    if (strcmp(bt_sort_spelling((enum bt_sort)sort), word.data) == 0)
      order->sort = (enum bt_sort)sort;
  bt_str_dispose(&word);
}

static void say_order(struct ui_order order) {
  ui_say("Sorted %s%s.", bt_sort_words(order.sort), order.reversed ? ", reversed" : "");
}

bool ui_order_ask(struct cli_env *cli, struct line_reader *reader, struct ui_order *order) {
  struct bt_str answer;
  struct bt_error err;
  bt_str_init(&answer, 4 * LINE_BYTES_MAX);
  for (int sort = 0; sort < BT_SORT_COUNT; sort++)
    ui_say("%d. %s", sort + 1, bt_sort_words((enum bt_sort)sort));
  say_order(*order);
  ui_prompt("Number of an order, the same one again turns it round, Enter leaves it");
  unsigned long number = line_read(reader, NULL, NULL, NULL, &answer) ? strtoul(answer.data, NULL, 10) : 0;
  bool chosen = number >= 1 && number <= BT_SORT_COUNT;
  bt_str_dispose(&answer);
  if (!chosen)
    return false;
  enum bt_sort sort = (enum bt_sort)(number - 1);
  order->reversed = sort == order->sort && sort != BT_SORT_TRIAGE && !order->reversed;
  order->sort = sort;
  say_order(*order);
  if (bt_preferences_keep_order(&cli->env, bt_sort_spelling(sort), order->reversed, &err) != BT_OK)
    ui_say("The order is not kept: %s", err.message);
  return true;
}

uint32_t *ui_order_rows(const struct bt_snapshot *snapshot, const char *filter, struct ui_order order, size_t *count) {
  uint32_t *rows = calloc(snapshot->session_count + 1, sizeof(*rows));
  struct bt_order_item *items = calloc(snapshot->session_count + 1, sizeof(*items));
  *count = 0;
  for (size_t i = 0; rows && i < snapshot->session_count; i++)
    if (bt_filter_session(filter, &snapshot->sessions[i], snapshot->taken_at_ms))
      rows[(*count)++] = (uint32_t)i;
  if (rows && items && (order.sort != BT_SORT_TRIAGE || order.reversed))
    bt_order_sessions(rows, items, *count, snapshot, order.sort, order.reversed);
  free(items);
  return rows;
}

/* ---- several locks ---- */

static size_t lock_at(const struct bt_snapshot *snapshot, const char *path) {
  for (size_t i = 0; i < snapshot->lock_count; i++)
    if (bt_text_equals(snapshot->locks[i].path, path))
      return i;
  return SIZE_MAX;
}

/* "1 3, 4" into flags, one for each lock. False: a word is no number of the list. */
static bool take_numbers(const char *text, const struct bt_snapshot *snapshot, char *const *paths, size_t count,
                         bool *flags) {
  size_t taken = 0;
  while (*(text += strspn(text, " ,"))) {
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    size_t length = strcspn(text, " ,");
    if (end != text + length || number < 1 || number > count) {
      ui_say("There is no lock %.*s.", (int)length, text);
      return false;
    }
    size_t at = lock_at(snapshot, paths[number - 1]);
    if (at == SIZE_MAX)
      ui_say("Lock %lu is gone.", number);
    else
      flags[at] = true;
    taken++;
    text = end;
  }
  return taken > 0;
}

static bool take_stale(const struct bt_snapshot *snapshot, bool *flags) {
  bool any = false;
  for (size_t i = 0; i < snapshot->lock_count; i++) {
    flags[i] = snapshot->locks[i].verdict == BT_LOCK_STALE && !snapshot->locks[i].view_only;
    any = any || flags[i];
  }
  if (!any)
    ui_say("No lock is stale.");
  return any;
}

static void say_items(const struct bulk *bulk) {
  char summary[BT_BULK_SUMMARY];
  for (size_t i = 0; i < bulk->count; i++) {
    const struct bt_bulk_line *line = &bulk->lines[i];
    ui_say("%s, %s: %s%s%s. Lock: %s.", line->name, bt_lock_verdict_word(line->verdict), bt_bulk_fate_word(line->fate),
           line->words ? ", " : "", line->words ? line->words : "", line->record);
  }
  bt_bulk_summary(summary, bulk->lines, bulk->count);
  ui_say("%zu locks: %s.", bulk->count, summary);
}

static void confirm(struct cli_env *cli, struct line_reader *reader, struct bulk *bulk, struct bt_str *answer) {
  size_t would = bt_bulk_count(bulk->lines, bulk->count).of[BT_BULK_WOULD];
  if (would == 0) {
    ui_say("Nothing here can be removed. Nothing was written.");
    return;
  }
  ui_prompt("Type unlock to remove %zu, anything else to leave", would);
  if (!line_read(reader, NULL, NULL, NULL, answer) || strcmp(answer->data, "unlock") != 0) {
    ui_say("Left. Nothing was written.");
    return;
  }
  bulk_execute_all(bulk, &cli->env);
  ui_say("Done.");
  say_items(bulk);
}

void ui_unlock_several(struct cli_env *cli, struct line_reader *reader, const struct bt_snapshot *snapshot,
                       char *const *paths, size_t count) {
  struct bulk bulk = {.arena = NULL};
  struct bt_str answer;
  bool *flags = calloc(snapshot->lock_count + 1, sizeof(*flags));
  bt_str_init(&answer, 4 * LINE_BYTES_MAX);
  ui_prompt("Numbers of the locks, s for every stale one, Enter leaves");
  bool wanted = flags && line_read(reader, NULL, NULL, NULL, &answer) && answer.length > 0;
  if (wanted)
    wanted = strcmp(answer.data, "s") == 0 ? take_stale(snapshot, flags)
                                           : take_numbers(answer.data, snapshot, paths, count, flags);
  if (!wanted) {
    ui_say("Left. Nothing was written.");
  } else if (!bulk_open(&bulk, snapshot, NULL, flags)) {
    ui_say("Out of memory.");
  } else {
    bulk_plan_all(&bulk, &cli->env);
    say_items(&bulk);
    confirm(cli, reader, &bulk, &answer);
  }
  bulk_close(&bulk);
  bt_str_dispose(&answer);
  free(flags);
}

/* ---- briefs that were read ---- */

void ui_review(struct cli_env *cli, const struct bt_session *session, const char *read_hash) {
  const struct bt_capture *brief = session->capture;
  struct bt_error err;
  if (!brief || !brief->text || !brief->actual_hash)
    ui_say("There is no brief to mark as read.");
  else if (!brief->reviewed && !bt_text_equals(brief->actual_hash, read_hash))
    ui_say("Have it read out first, choice 2: only what was read can be marked as read.");
  else if (bt_marks_review(&cli->env, session, !brief->reviewed, &err) != BT_OK)
    ui_say("%s", err.message);
  else
    ui_say(brief->reviewed ? "The mark is gone." : "Marked as read: the mark holds for exactly this text.");
}
