/* core/store/manifest_scan.h - one manifest line looked at without making a tree of it.
 *
 * Owns: telling whether a line is exactly what the ledger's programs print (spec/context-handoff.md 4.2: no blanks, no
 * needless escape, shortest numbers, no repeated and no integer-like key), and where its members lie. For such a line
 * the raw bytes of a value are its printed form, so nothing needs to be parsed and printed again. Every other line,
 * valid or not, is "not plain": the caller parses it. Must not know: chains, keys, hashes. */
#ifndef BATON_CORE_STORE_MANIFEST_SCAN_H
#define BATON_CORE_STORE_MANIFEST_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/str.h"

/* In the order of the v1 message (4.5.3), then what is not in it. */
enum bt_entry_member {
  BT_MEMBER_SEQ,
  BT_MEMBER_GATE,
  BT_MEMBER_TS,
  BT_MEMBER_TICKET,
  BT_MEMBER_DATA,
  BT_MEMBER_FILES,
  BT_MEMBER_PREV,
  BT_MEMBER_SIG,
  BT_MEMBER_SIG_VERSION,
  BT_MEMBER_ANCHOR,
  BT_MEMBER_COUNT
};
#define BT_MEMBER_SIGNED_V1 (BT_MEMBER_PREV + 1) /* how many of them a v1 signature covers */

const char *bt_entry_member_name(enum bt_entry_member member);

struct bt_entry_scan {
  struct bt_slice members[BT_MEMBER_COUNT]; /* raw value; data NULL: no such member. Borrowed from the line */
};

/* False when the line is not plain. */
bool bt_entry_scan(struct bt_entry_scan *scan, const char *line, size_t length);

/* True for bytes that decode8 leaves as they are (WHATWG UTF-8, no surrogates, no overlong form). */
bool bt_bytes_are_utf8(const char *bytes, size_t length);

#endif
