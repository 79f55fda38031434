/* core/store/chain.h - one chain of entries checked line by line.
 *
 * Owns: the table of spec/context-handoff.md 12.6 "Chain check" and its reasons. Memory does not grow with the chain.
 * Without a key signatures are not judged (rule 9 is left out), so a chain that holds is "unverifiable", not valid.
 * Must not know: other chains (core/store/chain_forest.h). */
#ifndef BATON_CORE_STORE_CHAIN_H
#define BATON_CORE_STORE_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/store/manifest_entry.h"

struct bt_line;

#define BT_CHAIN_PREV_MISMATCH "prev hash mismatch" /* the break lies between this line and the one before it */

/* A place in a chain that an anchor elsewhere names: filled in while the chain is read. */
struct bt_chain_place {
  double seq;
  bool found;
  char hash[BT_SHA256_HEX]; /* of the raw line with that seq */
};

/* One non-blank line as the checker saw it. Borrowed; valid during the call. */
struct bt_chain_entry {
  const struct bt_line *line;
  const struct bt_entry_facts *facts;
  const char *hash;   /* of this raw line */
  const char *reason; /* the rule that this line breaks (static text), NULL: none */
};

/* How far a chain has been read, so that a growing one can be read on. All zero: from the front. After a failure it
 * stands behind the last line that was handed on. */
struct bt_chain_cursor {
  int64_t offset; /* behind the last line that was read */
  uint64_t line;
  uint64_t entries;
  double previous_seq;
  bool seen_valid;
  char last_hash[BT_SHA256_HEX];
};

struct bt_chain_options {
  struct bt_key key;
  bool is_segment;               /* rules 0 and 7 differ */
  bool keep_going;               /* read on after the first failure, to count and to report every line */
  struct bt_chain_place *places; /* ascending by seq; may be NULL */
  size_t place_count;
  struct bt_chain_cursor *cursor; /* begin here, and move it; a last line without LF waits. NULL: the whole file */
  void *context; /* of `each`, called for every non-blank line in order; false stops the reading. May be NULL */
  bool (*each)(void *context, const struct bt_chain_entry *entry);
};

struct bt_chain_result {
  uint64_t entries; /* non-blank lines read */
  uint64_t signed_good, signed_bad, signed_unchecked, unsigned_;
  uint64_t breaks;                  /* lines that break a rule; at most 1 unless keep_going */
  const char *reason;               /* of the first failure, NULL: the chain holds. Static text */
  uint64_t line;                    /* where it is; 0 for the whole file */
  double failed_seq;                /* its seq, 0 where it has none */
  double last_seq;                  /* of the last entry; 0 unless an integer >= 1 */
  char last_hash[BT_SHA256_HEX];    /* of the last raw line */
  bool last_is_open;                /* no LF follows it: the next append would go to the same line (12.3 quirk) */
  bool first_is_v2, first_verified; /* the first entry has sigVersion 2 / a signature that holds */
};

/* Reads `path` below `ledger` (-1: no file). An absent file is a chain without lines. Breaking a rule is BT_OK with a
 * reason; BT_UNSAFE, BT_IO and BT_NOMEM are failures. */
enum bt_code bt_chain_check(int ledger, const char *path, const struct bt_chain_options *options,
                            struct bt_chain_result *result, struct bt_error *err) BT_NODISCARD;

#endif
