/* core/delivery/record.h - a handoff record: is it one, is it sound, what does it say.
 *
 * Owns the rules of single fields and the order in which faults are told. Knows nothing of where a record lay, of git
 * or of the forge. Rules: spec/delivery-handoff.md 1, 2, 3. Everything lives in the caller's arena. */
#ifndef BATON_CORE_DELIVERY_RECORD_H
#define BATON_CORE_DELIVERY_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "core/delivery/codes.h"
#include "core/delivery/doc.h"

#define BT_DELIVERY_SCHEMA "verified-delivery/handoff-v1"
#define BT_DELIVERY_BYTES_MAX ((size_t)262144)

enum bt_delivery_kind { BT_DELIVERY_OPEN, BT_DELIVERY_CLOSED, BT_DELIVERY_CORRUPT };

struct bt_delivery_step {
  const char *gate, *verdict, *evidence;
  bool passed; /* the verdict is `pass`, whatever its case */
};

/* The fields of a sound record. Of a closed one with faults only those that are sound are there. */
struct bt_delivery {
  struct bt_node *node; /* the whole record, unknown members included */
  const char *store, *directive, *repository, *branch, *stop_reason, *updated_at;
  const char *stop_detail;  /* NULL: none, or blank */
  const char *pull_request; /* NULL: null */
  const char *pr_number;    /* its digits; NULL without one */
  const char *head;         /* lower case */
  int64_t updated_ms;       /* BT_TIME_UNKNOWN */
  struct bt_texts authorized, out_of_scope, pending, watchers;
  const struct bt_delivery_step *completed;
  size_t completed_count;
};

struct bt_delivery_reading {
  enum bt_delivery_kind kind;
  bool foreign;                /* a fault of section 2: not a record of this schema at all */
  struct bt_codes faults;      /* of a corrupt record the reasons; of a closed one what would be wrong with it */
  struct bt_delivery delivery; /* node is NULL when nothing could be parsed */
};

/* Judges the bytes of one record. The answer is in `reading`; fails with BT_NOMEM only. */
enum bt_code bt_delivery_read(struct bt_arena *arena, const char *bytes, size_t length,
                              struct bt_delivery_reading *reading, struct bt_error *err) BT_NODISCARD;
/* The same for a tree that is there already (a record about to be written). */
enum bt_code bt_delivery_judge(struct bt_arena *arena, struct bt_node *root, struct bt_delivery_reading *reading,
                               struct bt_error *err) BT_NODISCARD;

/* A reading that says corrupt for `reason`, for a store that could not even be read. */
void bt_delivery_unreadable(struct bt_arena *arena, const char *reason, struct bt_delivery_reading *reading);

#endif
