/* core/records/turn.h - one turn as it stands on a line of timeline.jsonl.
 *
 * Owns nothing: every slice is borrowed and good until the next turn. Rules: spec/session-records.md 1, 6.3, 7.8. */
#ifndef BATON_CORE_RECORDS_TURN_H
#define BATON_CORE_RECORDS_TURN_H

#include "core/base/str.h"

#define BT_TURN_LINE_MAX ((size_t)1 << 30) /* bytes of one line; a longer one cannot be used */

enum bt_class {
  BT_CLASS_USER,
  BT_CLASS_AGENT,
  BT_CLASS_THOUGHT,
  BT_CLASS_TOOL,
  BT_CLASS_OTHER,
  BT_CLASS_UNKNOWN,
  BT_CLASS_COUNT
};

static inline const char *bt_class_word(enum bt_class class_) {
  static const char *const words[BT_CLASS_COUNT] = {"USER", "AGENT", "THOUGHT", "TOOL", "OTHER", ""};
  return words[class_];
}

#define BT_TURN_INFINITE "1e999" /* `null` as JSON, `Infinity` as text */

struct bt_record_turn {
  struct bt_slice seq, ts; /* JSON in compact layout, a string with its quotes, an infinite number as BT_TURN_INFINITE
                              with its sign; data NULL: the line has none */
  struct bt_slice class_word; /* printed text (core/records/printed.h) */
  struct bt_slice text;       /* printed text */
  enum bt_class class_;       /* BT_CLASS_UNKNOWN: a word this build does not know */
};

#endif
