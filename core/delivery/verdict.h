/* core/delivery/verdict.h - how an evaluation can end, and the exit status of each end.
 *
 * Rules: spec/delivery-handoff.md 8. */
#ifndef BATON_CORE_DELIVERY_VERDICT_H
#define BATON_CORE_DELIVERY_VERDICT_H

/* clang-format off */
/*  name                     word                      exit */
#define BT_VERDICTS(X)                                     \
  X(USABLE,                  "usable",                  0) \
  X(RECONCILE_HEAD,          "reconcile:head",          3) \
  X(RECONCILE_MERGED,        "reconcile:merged",        3) \
  X(STALE_REPOSITORY,        "stale:repository",        4) \
  X(STALE_PR_CLOSED,         "stale:pr-closed",         4) \
  X(STALE_PR_MERGED,         "stale:pr-merged",         4) \
  X(STALE_PR_MISSING,        "stale:pr-missing",        4) \
  X(STALE_HEAD,              "stale:head",              4) \
  X(STALE_ROLLED_BACK,       "stale:rolled-back",       4) \
  X(STALE_BRANCH_MISSING,    "stale:branch-missing",    4) \
  X(CORRUPT,                 "corrupt",                 5) \
  X(ABSENT_AUTHORIZATION,    "absent-authorization",    6) \
  X(AMBIGUOUS_AUTHORIZATION, "ambiguous-authorization", 6) \
  X(AMBIGUOUS_LIVE_STATE,    "ambiguous-live-state",    7) \
  X(CLOSED,                  "closed",                  8) \
  X(ABSENT,                  "absent",                  9)
/* clang-format on */

enum bt_verdict {
#define BT_VERDICT_ENUM(name, word, exit_status) BT_VERDICT_##name,
  BT_VERDICTS(BT_VERDICT_ENUM)
#undef BT_VERDICT_ENUM
      BT_VERDICT_COUNT
};

#define BT_DELIVERY_EXIT_USAGE 2
#define BT_DELIVERY_EXIT_REFUSED 10

const char *bt_verdict_word(enum bt_verdict verdict);
int bt_verdict_exit(enum bt_verdict verdict);

#endif
