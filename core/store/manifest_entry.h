/* core/store/manifest_entry.h - what the chain rules need to know of one line.
 *
 * Owns: the facts of an entry and whether its signature holds, taken from the raw bytes where the line is plain
 * (core/store/manifest_scan.h) and from a parsed tree where it is not; both give the same facts.
 * Must not know: the entry's neighbours. Rules: spec/context-handoff.md 4.5.3, 4.5.4, 12.6 rules 1-4, 8, 9. */
#ifndef BATON_CORE_STORE_MANIFEST_ENTRY_H
#define BATON_CORE_STORE_MANIFEST_ENTRY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/str.h"
#include "core/store/sign.h"

enum bt_entry_shape { BT_ENTRY_OBJECT, BT_ENTRY_MALFORMED, BT_ENTRY_NOT_OBJECT };

enum bt_entry_prev { BT_PREV_ABSENT, BT_PREV_NULL, BT_PREV_HASH, BT_PREV_OTHER };

enum bt_entry_signed {
  BT_ENTRY_UNSIGNED, /* `sig` absent or null */
  BT_ENTRY_SIG_HOLDS,
  BT_ENTRY_SIG_WRONG,    /* also a `sig` that is no string */
  BT_ENTRY_SIG_UNCHECKED /* no key */
};

struct bt_entry_facts {
  enum bt_entry_shape shape; /* when not BT_ENTRY_OBJECT nothing else is set */
  bool seq_valid;            /* an integer >= 1 */
  double seq;
  enum bt_entry_prev prev;
  char prev_hash[BT_SHA256_HEX]; /* of BT_PREV_HASH: 64 lower-case hex digits; any other text is BT_PREV_OTHER */
  bool has_anchor;               /* the key is there, null too */
  bool is_v2;
  enum bt_entry_signed signed_;
};

struct bt_entry_reader {
  struct bt_key key; /* borrowed */
  bool always_parse; /* never take the short way (tests compare the two) */
  struct bt_str message;
};

void bt_entry_reader_init(struct bt_entry_reader *reader, struct bt_key key);
void bt_entry_reader_dispose(struct bt_entry_reader *reader);

/* Fails with BT_NOMEM only. `line` is raw, without LF, not blank. */
enum bt_code bt_entry_read(struct bt_entry_reader *reader, const char *line, size_t length,
                           struct bt_entry_facts *facts, struct bt_error *err) BT_NODISCARD;

#endif
