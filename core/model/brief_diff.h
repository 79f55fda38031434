/* core/model/brief_diff.h - how a brief differs from a kept copy of it, as plain data.
 *
 * Built by core/store/brief_diff.h; drawn by views, printed by cli. Everything lives in its arena. The text is the
 * session's, raw: whoever shows it makes it visible (dashboard.md row 37). */
#ifndef BATON_CORE_MODEL_BRIEF_DIFF_H
#define BATON_CORE_MODEL_BRIEF_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bt_arena;

enum bt_copy_kind {
  BT_COPY_EXPECTED,  /* hashes to what the records say now */
  BT_COPY_COMMITTED, /* so does the text that git has committed in its place */
  BT_COPY_VERIFIED,  /* did so when it was kept; the records say something else now */
  BT_COPY_READ,      /* was only marked as read: nobody verified it */
};
const char *bt_copy_word(enum bt_copy_kind kind);  /* for JSON: "expected", "committed", "verified", "read" */
const char *bt_copy_words(enum bt_copy_kind kind); /* for people: "the verified copy", ... */

struct bt_brief_diff {
  struct bt_arena *arena;
  const char *session;
  enum bt_copy_kind against;
  int64_t kept_ms; /* when that copy was kept; BT_TIME_UNKNOWN for a committed one */
  const char *old_hash, *new_hash;
  const char *text; /* unified diff with its two head lines; of two equal texts the head lines alone */
  size_t length;
  size_t added, removed; /* lines; both 0: the same text, but for what does not count (line ends, trailing blanks) */
};

void bt_brief_diff_free(struct bt_brief_diff *diff); /* NULL is allowed */

#endif
