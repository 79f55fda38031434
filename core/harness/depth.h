/* core/harness/depth.h - the tool-call depth that the gate's hosts see in a window of a transcript.
 *
 * Text matching, bug for bug: spec/transcripts.md 4.2 steps 5-8. Knows nothing of records, files or time. */
#ifndef BATON_CORE_HARNESS_DEPTH_H
#define BATON_CORE_HARNESS_DEPTH_H

#include <stddef.h>
#include <stdint.h>

#define BT_DEPTH_WINDOW ((size_t)8388608) /* bytes, from the end of the file; not aligned to anything */

/* Count A (tool-call types) plus count B (lines that begin like a tool log) of the whole of `bytes`. */
int64_t bt_depth_count(const char *bytes, size_t length);

#endif
