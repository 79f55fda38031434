/* core/model/delivery_view.h - the deliveries of a repository as a screen shows them: one row a working tree.
 *
 * Built by core/delivery/view.h; drawn by views. Everything lives in its arena. Text of records is raw, but without the
 * user information of URLs: whoever draws makes it visible. Rules: spec/delivery-handoff.md 14. */
#ifndef BATON_CORE_MODEL_DELIVERY_VIEW_H
#define BATON_CORE_MODEL_DELIVERY_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bt_arena;

struct bt_delivery_mark { /* a completed step */
  const char *gate, *verdict, *evidence;
  bool invalid; /* it was not taken on the head that is live */
};
struct bt_delivery_watcher {
  const char *id;
  const char *liveness; /* live, dead, unknown */
  bool dead;
};
struct bt_delivery_words {
  const char *const *items;
  size_t count;
};

struct bt_delivery_row {
  const char *tree, *name;   /* the working tree: absolute, and its last segment */
  const char *error;         /* why nothing could be found out; NULL, else the rest is unset */
  const char *source, *path; /* file, pr, host, none; path NULL */
  const char *verdict;       /* as `baton delivery validate` says it */
  int exit_status;           /* of that command */
  bool governed;             /* there is an open record; without one the following are unset */
  const char *directive, *repository, *branch, *head;
  struct bt_delivery_words directive_lines; /* the same, cut at its line ends */
  const char *stop_reason, *stop_detail;    /* detail NULL: none */
  const char *next_step;
  const char *live_head; /* NULL unknown */
  const char *pr_number; /* NULL: the record names none */
  const char *pr_state;  /* NULL unknown */
  int64_t pr_taken_ms;   /* when the forge said so; BT_TIME_UNKNOWN */
  int64_t updated_ms;    /* BT_TIME_UNKNOWN */
  struct bt_delivery_words reasons, warnings, pending;
  struct bt_delivery_words authorized, withheld; /* the boundary */
  const struct bt_delivery_mark *done;
  size_t done_count, invalid_count;
  const struct bt_delivery_watcher *watchers;
  size_t watcher_count, dead_count;
  const char *forge_note; /* why the forge was asked in vain; NULL */
  const char *forge_text; /* what it answered, for a plan; NULL: nothing usable */
};

struct bt_delivery_view {
  struct bt_arena *arena;
  int64_t taken_at_ms;
  bool forge_asked;
  const struct bt_delivery_row *rows; /* the main working tree first */
  size_t count;
  size_t open_count; /* rows with an open record */
  size_t cut;        /* working trees that are not looked at: too many */
};

void bt_delivery_view_free(struct bt_delivery_view *view); /* NULL is allowed */

#endif
