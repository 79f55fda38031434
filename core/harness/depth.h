/* core/harness/depth.h - the tool-call depth that the gate's hosts see in a window of a transcript.
 *
 * Text matching, bug for bug: spec/transcripts.md 4.2 steps 5-8. Knows nothing of records, files or time.
 * A scan can be carried on when bytes were appended: what the end of the bytes left undecided is judged again, so the
 * count always equals that of one scan over everything. */
#ifndef BATON_CORE_HARNESS_DEPTH_H
#define BATON_CORE_HARNESS_DEPTH_H

#include <stddef.h>
#include <stdint.h>

#define BT_DEPTH_WINDOW ((size_t)8388608) /* bytes, from the end of the file; not aligned to anything */

struct bt_depth_scan { /* all zero to begin with; offsets are absolute */
  int64_t count;       /* of matches that later bytes cannot change */
  uint64_t at;         /* one past the first offset that may hold an undecided candidate; 0: nothing seen */
  uint64_t calls_from, logs_from;
};

/* First byte that the next call must be given. */
uint64_t bt_depth_scan_needs(const struct bt_depth_scan *scan);

/* Count A (tool-call types) plus count B (lines that begin like a tool log).
 * `bytes` hold the file from offset `from` (<= bt_depth_scan_needs) to its present end. Moves `scan` on and returns the
 * count as of this end. */
int64_t bt_depth_scan_feed(struct bt_depth_scan *scan, uint64_t from, const char *bytes, size_t length);

#endif
