/* cli/log_row.h - one entry of the evidence as `baton log` shows it: a JSON object, a table row, a line.
 *
 * Must not know: where entries come from. Text of entries is hostile: it comes out as JSON or in its visible form. */
#ifndef BATON_CLI_LOG_ROW_H
#define BATON_CLI_LOG_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/store/evidence_log.h"
#include "core/store/evidence_outcome.h"

struct log_filter {    /* NULL and BT_TIME_UNKNOWN: everything */
  const char *gate;    /* part of the gate's name */
  const char *session; /* exactly a session that the entry is about, or that it lets go on */
  int64_t since_ms;
};

struct log_row {
  struct bt_json *json; /* the entry; NULL where the line is none. Owned */
  const struct bt_log_entry *place;
  const struct bt_forest_chain *chain;
  const char *outcome; /* borrowed, or NULL */
};

/* Reads the raw line as an entry. BT_NOMEM only; dispose in every case. */
enum bt_code log_row_init(struct log_row *row, const struct bt_forest_chain *chain, const struct bt_log_entry *place,
                          const char *line, size_t length, struct bt_outcome_judge *judge,
                          struct bt_error *err) BT_NODISCARD;
void log_row_dispose(struct log_row *row);

bool log_row_matches(const struct log_row *row, const struct log_filter *filter);

/* seq, gate, ts, session, successor, ticket, outcome, chain, file, line, chain_ok, reason, signature. NULL: no memory.
 */
struct bt_json *log_row_json(const struct log_row *row) BT_NODISCARD;

#define LOG_COLUMNS 8
struct log_cells {               /* TIME, SEQ, GATE, SESSION, TICKET, OUTCOME, SIGNATURE, CHAIN */
  const char *cell[LOG_COLUMNS]; /* NULL where there is nothing */
  char time[32], seq[32], chain[160];
};
void log_row_cells(const struct log_row *row, struct log_cells *cells);
extern const char *const log_heads[LOG_COLUMNS + 1];

#endif
