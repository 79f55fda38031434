/* core/model/log_view.h - the evidence as a screen shows it: entries with their verdicts, and what files say beside.
 *
 * Built by core/store/log_view.h; drawn by views. Everything lives in its arena. Text of entries is raw: whoever draws
 * makes it visible. Rules: dashboard.md 6.8, rows 38 and 39. */
#ifndef BATON_CORE_MODEL_LOG_VIEW_H
#define BATON_CORE_MODEL_LOG_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bt_arena;

enum bt_log_signature { BT_LOG_UNSIGNED, BT_LOG_SIGNED, BT_LOG_BAD, BT_LOG_UNCHECKED, BT_LOG_NO_ENTRY, BT_LOG_OWN };
const char *
bt_log_signature_word(enum bt_log_signature signature); /* "unsigned", "ok", "BAD", "?", "no entry", "baton log" */

struct bt_log_row {
  const char *key;  /* the same for the same row of the next reading */
  bool derived;     /* told by a file, not by a signed entry; `gate` is then in brackets */
  int64_t ts_ms;    /* BT_TIME_UNKNOWN */
  int64_t order_ms; /* of a derived row: where it belongs, also where its time is not known */
  const char *seq;  /* NULL: none */
  const char *gate; /* "(deny opened)"; "(not an entry)" */
  const char *session, *successor, *ticket, *outcome; /* NULL: none */
  bool aborted;
  enum bt_log_signature signature;
  bool chain_ok;            /* of a derived row: true */
  const char *chain_reason; /* why not; NULL */
  const char *file;         /* below the ledger dir */
  uint64_t line;            /* 0 for a derived row */
  const char *data;         /* compact JSON, cut; NULL */
  const char *read_as;      /* what it means, one or two sentences; NULL */
};

struct bt_log_view {
  struct bt_arena *arena;
  const struct bt_log_row *rows; /* newest first */
  size_t count;
  size_t entries;                           /* in all chains */
  bool cut;                                 /* older ones are left out */
  const char *chain_broken;                 /* "manifest.jsonl line 12: prev mismatch"; NULL: every chain holds */
  const char *last_seq;                     /* of the newest chain; NULL */
  uint64_t good, bad, unchecked, unsigned_; /* signatures */
};

void bt_log_view_free(struct bt_log_view *view); /* NULL is allowed */

#endif
