/* core/model/records_view.h - the session records of a store as a screen shows them: verdict, age, what became of the
 * source.
 *
 * Built by core/records/view.h; drawn by views. Everything lives in its arena. Text of records is raw: whoever draws
 * makes it visible. Rules: spec/session-records.md 8.7, 9.5. */
#ifndef BATON_CORE_MODEL_RECORDS_VIEW_H
#define BATON_CORE_MODEL_RECORDS_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bt_arena;

enum bt_record_verdict { BT_RECORD_PASS, BT_RECORD_FAIL, BT_RECORD_UNCHECKED, BT_RECORD_VERDICT_COUNT };
enum bt_record_source {
  BT_RECORD_SAME,      /* its bytes are those that were read */
  BT_RECORD_GROWN,     /* they are, and more came behind them */
  BT_RECORD_OTHER,     /* it holds something else now */
  BT_RECORD_GONE,      /* nothing is there */
  BT_RECORD_UNKNOWN,   /* the record does not say enough to compare */
  BT_RECORD_ELSEWHERE, /* its path is relative to a folder that is not this one */
};
/* "PASS" "FAIL" "?"; "unchanged" "grown" "changed" "gone" "?" "?" */
const char *bt_record_verdict_word(enum bt_record_verdict verdict);
const char *bt_record_source_word(enum bt_record_source source);

struct bt_record_item {
  const char *id;      /* of the folder */
  const char *session; /* the session's own id; NULL: the manifest has none */
  const char *project;
  const char *harness, *model; /* NULL: not said */
  const char *objective;       /* NULL: not known */
  const char *folder;          /* absolute */
  const char *source;          /* the one that was read last, as far as can be told; NULL: none */
  size_t source_count;
  int64_t updated_ms;      /* BT_TIME_UNKNOWN */
  double turns, revisions; /* -1: not known */
  enum bt_record_verdict verdict;
  const char *why; /* what verify found; NULL: nothing */
  enum bt_record_source source_state;
};

struct bt_records_view {
  struct bt_arena *arena;
  const char *root;
  const char *rule; /* why that root: "env", "config", "discover", "default" */
  const struct bt_record_item
      *items; /* newest first, as `baton records list` has them; last those without a manifest */
  size_t count;
  size_t projects;
  size_t verdicts[BT_RECORD_VERDICT_COUNT]; /* how many there are of each */
};
void bt_records_view_free(struct bt_records_view *view); /* NULL is allowed */

#endif
