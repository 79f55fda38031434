/* core/delivery/pr.h - a snapshot of a pull request, as the forge's own tool prints it.
 *
 * Pure: the text is handed in, nothing is fetched. Rules: spec/delivery-handoff.md 7. Everything lives in the caller's
 * arena. */
#ifndef BATON_CORE_DELIVERY_PR_H
#define BATON_CORE_DELIVERY_PR_H

#include <stdbool.h>
#include <stdint.h>

#include "core/delivery/block.h"

#define BT_PR_MAX_AGE_S 900 /* --pr-max-age */

enum bt_pr_state {
  BT_PR_OPEN,
  BT_PR_CLOSED,
  BT_PR_MERGED,
  BT_PR_MISSING,
  BT_PR_UNKNOWN,       /* a word that is not known */
  BT_PR_CONTRADICTORY, /* open, and merged at some time */
  BT_PR_STATE_COUNT
};
const char *bt_pr_state_word(enum bt_pr_state state); /* "open", ... */

struct bt_pr {
  bool given;        /* there is a snapshot at all */
  const char *fault; /* "pr:unreadable" or "pr:snapshot-old": nothing else may be used; NULL: usable */
  enum bt_pr_state state;
  const char *head, *merge; /* H and M, lower case; NULL unknown */
  const char *base;         /* NULL unknown */
  const char *body;         /* NULL: none */
  const char *text;         /* the snapshot as it was read; NULL: nothing was */
  bool has_number, reverted;
  double number;
  int64_t age_ms;          /* negative: from the future; BT_TIME_UNKNOWN with pr:unreadable */
  struct bt_blocks blocks; /* of the body; none while there is a fault */
};

/* Reads a snapshot. `taken_ms` is when the text was fetched, for one that does not say so itself. The answer is in
 * `pr`; fails with BT_NOMEM only. */
enum bt_code bt_pr_read(struct bt_arena *arena, const char *bytes, size_t length, int64_t taken_ms, int64_t now_ms,
                        int64_t max_age_s, struct bt_pr *pr, struct bt_error *err) BT_NODISCARD;

/* A snapshot that could not be had. */
void bt_pr_unreadable(struct bt_pr *pr);
/* The forge says that there is no such pull request. */
void bt_pr_not_found(struct bt_pr *pr);

/* It may be used, and it is not the snapshot of another pull request than `number` (digits). */
bool bt_pr_speaks_of(const struct bt_pr *pr, const char *number);

#endif
