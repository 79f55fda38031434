/* core/store/sentinel.h - which sessions the ledger remembers to have denied.
 *
 * Reads only; the one writer is core/ops/marker.c. A `ledger` is a descriptor of the ledger directory, -1 where
 * there is none. Rules: spec/context-handoff.md 1.2.1, 5.4. */
#ifndef BATON_CORE_STORE_SENTINEL_H
#define BATON_CORE_STORE_SENTINEL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/base/str.h"

struct bt_json;

struct bt_sentinel {
  bool expected;            /* a sentinel is there */
  bool legacy;              /* the one of the old place, and readable */
  bool file_there;          /* something is at the new place */
  struct bt_json *sessions; /* array of safe ids, file order, duplicates kept; never NULL on BT_OK */
};

/* BT_NOMEM only: whatever is on disk is an answer. Dispose in every case. */
enum bt_code bt_sentinel_read(int ledger, struct bt_sentinel *out, struct bt_error *err) BT_NODISCARD;
/* The same of bytes already read from the new place. */
enum bt_code bt_sentinel_parse(const char *bytes, size_t length, struct bt_sentinel *out,
                               struct bt_error *err) BT_NODISCARD;
void bt_sentinel_dispose(struct bt_sentinel *sentinel);

bool bt_sentinel_has(const struct bt_sentinel *sentinel, const char *id);

/* What registering `id` (NULL: nobody; unsafe: nobody) would make of it. *sessions is the new sorted list, the
 * caller's; *write says whether the file must be written at all. BT_NOMEM only. */
enum bt_code bt_sentinel_plan(const struct bt_sentinel *sentinel, const char *id, struct bt_json **sessions,
                              bool *write, struct bt_error *err) BT_NODISCARD;

/* The file's bytes for such a list: compact JSON and a newline. */
void bt_sentinel_print(struct bt_str *out, const struct bt_json *sessions);

#endif
