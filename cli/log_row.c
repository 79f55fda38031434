/* cli/log_row.c - one entry, ready to be shown. */
#include "cli/log_row.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/base/clock.h"

const char *const log_heads[LOG_COLUMNS + 1] = {"TIME",    "SEQ",       "GATE",  "SESSION", "TICKET",
                                                "OUTCOME", "SIGNATURE", "CHAIN", NULL};

enum bt_code log_row_init(struct log_row *row, const struct bt_forest_chain *chain, const struct bt_log_entry *place,
                          const char *line, size_t length, struct bt_outcome_judge *judge, struct bt_error *err) {
  struct bt_error why = {0};
  enum bt_outcome outcome;
  *row = (struct log_row){.chain = chain, .place = place};
  row->json = bt_json_parse(line, length, &why);
  if (row->json == NULL)
    return why.code == BT_NOMEM ? bt_error_set(err, BT_NOMEM, chain->path, "out of memory") : BT_OK;
  return bt_outcome_of(judge, row->json, &outcome, &row->outcome, err);
}

void log_row_dispose(struct log_row *row) {
  bt_json_free(row->json);
  row->json = NULL;
}

bool log_row_matches(const struct log_row *row, const struct log_filter *filter) {
  const char *gate = bt_json_get_string(row->json, "gate");
  if (filter->gate != NULL && (gate == NULL || strstr(gate, filter->gate) == NULL))
    return false;
  if (filter->session != NULL && !bt_text_equals(bt_entry_session(row->json), filter->session) &&
      !bt_text_equals(bt_entry_successor(row->json), filter->session))
    return false;
  return filter->since_ms == BT_TIME_UNKNOWN || row->place->ts_ms >= filter->since_ms;
}

static const char *signature_word(const struct log_row *row) {
  static const char *const words[] = {"unsigned", "ok", "invalid", "unverifiable"};
  return row->json == NULL ? NULL : words[row->place->signed_];
}

static enum bt_code put_seq(struct bt_json *out, const struct log_row *row) {
  double seq = 0;
  return bt_json_is_integer(bt_json_get(row->json, "seq"), &seq) ? bt_json_set_number(out, "seq", seq)
                                                                 : bt_json_set_null(out, "seq");
}

struct bt_json *log_row_json(const struct log_row *row) {
  struct bt_json *out = bt_json_new_object();
  bool ok = out != NULL && put_seq(out, row) == BT_OK &&
            bt_json_set_string(out, "gate", bt_json_get_string(row->json, "gate")) == BT_OK &&
            bt_json_set_string(out, "ts", bt_json_get_string(row->json, "ts")) == BT_OK &&
            bt_json_set_string(out, "session", bt_entry_session(row->json)) == BT_OK &&
            bt_json_set_string(out, "successor", bt_entry_successor(row->json)) == BT_OK &&
            bt_json_set_string(out, "ticket", bt_json_get_string(row->json, "ticket")) == BT_OK &&
            bt_json_set_string(out, "outcome", row->outcome) == BT_OK &&
            bt_json_set_string(out, "chain", row->chain->name) == BT_OK &&
            bt_json_set_string(out, "file", row->chain->path) == BT_OK &&
            bt_json_set_number(out, "line", (double)row->place->line) == BT_OK &&
            bt_json_set_bool(out, "chain_ok", row->place->chain_ok) == BT_OK &&
            bt_json_set_string(out, "reason", row->place->reason) == BT_OK &&
            bt_json_set_string(out, "signature", signature_word(row)) == BT_OK;
  if (ok)
    return out;
  bt_json_free(out);
  return NULL;
}

/* Local time, to the second. */
static const char *time_text(char out[32], int64_t time_ms) {
  time_t seconds = (time_t)(time_ms / 1000);
  struct tm local;
  if (time_ms == BT_TIME_UNKNOWN || localtime_r(&seconds, &local) == NULL ||
      strftime(out, 32, "%Y-%m-%d %H:%M:%S", &local) == 0)
    return NULL;
  return out;
}

void log_row_cells(const struct log_row *row, struct log_cells *cells) {
  double seq = 0;
  bool numbered = bt_json_is_integer(bt_json_get(row->json, "seq"), &seq);
  (void)snprintf(cells->seq, sizeof cells->seq, "%.0f", seq);
  if (row->place->chain_ok)
    (void)snprintf(cells->chain, sizeof cells->chain, "ok");
  else
    (void)snprintf(cells->chain, sizeof cells->chain, "BROKEN %.48s line %" PRIu64 ": %.72s", row->chain->name,
                   row->place->line, row->place->reason != NULL ? row->place->reason : "");
  const char *all[LOG_COLUMNS] = {time_text(cells->time, row->place->ts_ms),
                                  numbered ? cells->seq : NULL,
                                  row->json == NULL ? "(not an entry)" : bt_json_get_string(row->json, "gate"),
                                  bt_entry_session(row->json),
                                  bt_json_get_string(row->json, "ticket"),
                                  row->outcome,
                                  signature_word(row),
                                  cells->chain};
  memcpy(cells->cell, all, sizeof all);
}
