/* core/store/chain_forest.h - all the evidence of a ledger checked: the root chain, its segments, their anchors.
 *
 * Owns: spec/context-handoff.md 12.6 "Forest". Memory grows with the number of segments, never with their length.
 * Reads only. With a key this is the check that every append makes first; without one signatures are left out. */
#ifndef BATON_CORE_STORE_CHAIN_FOREST_H
#define BATON_CORE_STORE_CHAIN_FOREST_H

#include "core/base/error.h"
#include "core/store/chain.h"
#include "core/store/segments.h"

#define BT_CHAIN_ROOT "root"

enum bt_anchor_kind {
  BT_ANCHOR_NONE /* no first entry, or no such key */,
  BT_ANCHOR_NULL,
  BT_ANCHOR_BAD,
  BT_ANCHOR_AT
};

struct bt_forest_chain {
  const char *name; /* BT_CHAIN_ROOT or the segment's file name */
  char *path;       /* below the ledger dir */
  struct bt_chain_result result;
  enum bt_anchor_kind anchor;
  size_t anchor_chain; /* of BT_ANCHOR_AT: index into `chains` */
  double anchor_seq;
  char anchor_hash[BT_SHA256_HEX]; /* "" when it is no SHA-256 in hex: equals none */
};

struct bt_forest {
  struct bt_segments segments;
  struct bt_forest_chain *chains; /* the root first, then the segments in name order */
  size_t count;
  bool ok;
  const char *reason; /* of the first failure (static text), NULL when ok */
  char *file;         /* where it is, below the ledger dir; NULL when ok */
  uint64_t line;      /* 0: the whole file */
  double seq;         /* 0: none */
};

struct bt_forest_options {
  struct bt_key key;
  bool keep_going; /* read everything although something is broken already */
  void *context;   /* of `each`; false stops the reading of that chain. May be NULL */
  bool (*each)(void *context, const struct bt_forest_chain *chain, const struct bt_chain_entry *entry);
};

/* BT_OK with a verdict; BT_UNSAFE, BT_IO, BT_NOMEM. Dispose in every case. */
enum bt_code bt_forest_check(int ledger, const struct bt_forest_options *options, struct bt_forest *forest,
                             struct bt_error *err) BT_NODISCARD;
void bt_forest_dispose(struct bt_forest *forest);

/* Whether following anchors from some chain leads back to it. `target[i]` is the chain that chain i is anchored in,
 * SIZE_MAX for none. BT_NOMEM-free: answers in bounded time without memory. */
bool bt_anchors_have_cycle(const size_t *target, size_t count, size_t *member);

#endif
