/* core/delivery/evaluate.h - the whole evaluation of a delivery: what is recorded, what is true, may it go on.
 *
 * Owns the order of the steps. Reads files and asks git (core/delivery/work.h), and the forge's tool only where asked
 * to; never writes. Rules: spec/delivery-handoff.md 4, 8, 9, 10. Everything lives in the caller's arena. */
#ifndef BATON_CORE_DELIVERY_EVALUATE_H
#define BATON_CORE_DELIVERY_EVALUATE_H

#include "core/delivery/authority.h"
#include "core/delivery/pr.h"
#include "core/delivery/remote.h"
#include "core/delivery/watcher.h"

enum bt_source { BT_SOURCE_NONE, BT_SOURCE_FILE, BT_SOURCE_PR, BT_SOURCE_HOST };
const char *bt_source_word(enum bt_source source);

struct bt_delivery_request {
  const struct bt_env *env;
  const char *directory; /* absolute; the working tree is looked for upward from here */
  const char *remote;    /* --remote; NULL: by the rules */

  /* Forge state: at most one of the two. */
  bool pr_given;        /* --pr-state */
  const char *pr_bytes; /* NULL: it could not be read */
  size_t pr_length;
  int64_t pr_taken_ms;
  bool use_gh;           /* --gh */
  const char *pr_wanted; /* digits of the PR to ask for where no record names one; NULL */
  int64_t pr_max_age_s;

  const char *host_path;  /* absolute; NULL: no host store */
  const char *host_label; /* of its `store` value */

  enum bt_authority_word authorization;
  struct bt_liveness_facts watchers;
  int64_t now_ms;
};

/* What `baton delivery` is asked where no flag is given; strings are borrowed from `env`. */
void bt_delivery_request_usual(struct bt_delivery_request *request, const struct bt_env *env, const char *directory);

/* One store's file as it was read: what a later write must still find there. */
struct bt_store_copy {
  bool present;
  const char *bytes; /* NULL when it is not there or cannot be read */
  size_t length;
  struct bt_delivery_reading reading; /* only when present */
};

enum bt_head_from { BT_HEAD_NOWHERE, BT_HEAD_PR, BT_HEAD_LOCAL, BT_HEAD_TRACKING };
const char *bt_head_from_word(enum bt_head_from from); /* NULL for nowhere */

struct bt_live { /* what is true now, as far as the evaluation came */
  struct bt_remote remote;
  bool remote_known;      /* it got that far */
  const char *repository; /* identity to show; NULL */
  const char *head;       /* L; NULL unknown */
  enum bt_head_from head_from;
  const char *base; /* tip of the base branch; NULL unknown */
};

struct bt_evaluation {
  struct bt_arena *arena;
  struct bt_work work;
  struct bt_pr pr;
  const char *forge_note; /* why there is no forge state, for people; NULL */
  struct bt_store_copy file, host;

  enum bt_source source;
  const struct bt_delivery_reading *reading; /* of the source; NULL for none */
  const struct bt_delivery *delivery;        /* the governing record; NULL: nothing open governs */
  enum bt_verdict verdict;
  struct bt_codes reasons, warnings;
  const char *next_step; /* E; NULL */
  struct bt_live live;
  size_t *invalidated; /* indexes into completed steps */
  size_t invalidated_count;
};

/* The scan alone: source, reading, delivery, and the verdict where it stops there (else BT_VERDICT_USABLE). `out` is
 * filled by this call or the next one, not by both. BT_STATE: no working tree. BT_IO, BT_NOMEM. */
enum bt_code bt_delivery_scan(struct bt_arena *arena, const struct bt_delivery_request *request,
                              struct bt_evaluation *out, struct bt_error *err) BT_NODISCARD;
/* The scan and everything after it. */
enum bt_code bt_delivery_evaluate(struct bt_arena *arena, const struct bt_delivery_request *request,
                                  struct bt_evaluation *out, struct bt_error *err) BT_NODISCARD;

/* What a new record would say of the present: the branch (`wanted`, else the one that is checked out), its head and the
 * repository. `out` is an evaluation or scan of the same request, whose `live` is filled anew; *branch is NULL when
 * detached, live.head and live.repository where there is none. BT_IO, BT_NOMEM. */
enum bt_code bt_delivery_present(struct bt_evaluation *out, const struct bt_delivery_request *request,
                                 const char *wanted, const char **branch, struct bt_error *err) BT_NODISCARD;

/* ---- the parts, for core/delivery only ---- */

/* Adds the reason and returns the verdict. */
enum bt_verdict bt_evaluation_end(struct bt_evaluation *out, enum bt_verdict verdict, const char *reason);
bool bt_delivery_is_pending(const struct bt_delivery *delivery, const char *step);

/* core/delivery/live.c: the live head of `branch` (spec 10.1) and the base tip (10.2). */
enum bt_code bt_live_refs(struct bt_evaluation *out, const char *branch, bool pr_is_open,
                          struct bt_error *err) BT_NODISCARD;
/* core/delivery/merged.c: spec 9.1. */
enum bt_code bt_judge_merged(struct bt_evaluation *out, struct bt_error *err) BT_NODISCARD;
/* core/delivery/head.c: spec 10.3, 10.4. */
enum bt_code bt_judge_head(struct bt_evaluation *out, struct bt_error *err) BT_NODISCARD;
/* core/delivery/warn.c: what is odd about a governing record and is no error (spec 3.2, 15). */
void bt_warn_about(struct bt_evaluation *out, const struct bt_delivery_request *request);

#endif
