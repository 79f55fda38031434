/* core/records/loops.h - the lines of a session that speak of open ends.
 *
 * Rules: spec/session-records.md 7.8 (open loops). */
#ifndef BATON_CORE_RECORDS_LOOPS_H
#define BATON_CORE_RECORDS_LOOPS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/base/str.h"

#define BT_LOOPS_MAX 20

struct bt_loops {
  char *lines[BT_LOOPS_MAX]; /* internal text, trimmed, each once */
  size_t count;
};

void bt_loops_init(struct bt_loops *loops);
void bt_loops_dispose(struct bt_loops *loops);

/* Adds the lines of one turn's text (printed text). False: out of memory. */
bool bt_loops_add(struct bt_loops *loops, struct bt_slice printed) BT_NODISCARD;

#endif
