/* core/records/store.h - where the record store is, and which rule said so.
 *
 * Rules: spec/session-records.md 3. Nothing is written, and the root need not exist. */
#ifndef BATON_CORE_RECORDS_STORE_H
#define BATON_CORE_RECORDS_STORE_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/env.h"
#include "core/records/config.h"

enum bt_store_rule { BT_STORE_ENV, BT_STORE_CONFIG, BT_STORE_DISCOVER, BT_STORE_DEFAULT };
const char *bt_store_rule_word(enum bt_store_rule rule); /* "env", … */

struct bt_records {
  const struct bt_env *env;
  enum bt_store_rule rule;
  char *root;        /* absolute; links are not resolved */
  char *config_file; /* whose options hold; NULL: none */
  char *skill_dir;   /* the installed skill this program runs from, else its data folder */
  struct bt_config config;
};

/* BT_INPUT for a configuration that is there and not valid: `faults` says why, one line a fault, and err names the
 * file. BT_NOMEM, BT_IO. `records` is set in every case; dispose it. */
enum bt_code bt_records_find(struct bt_records *records, const struct bt_env *env, struct bt_str *faults,
                             struct bt_error *err) BT_NODISCARD;
void bt_records_dispose(struct bt_records *records);

/* Exit status of a failure (spec/session-records.md 11). */
int bt_records_exit(enum bt_code code);

/* Opens a regular file by any path, links followed, never waiting. -1: err is BT_MISSING (nothing there), BT_UNSAFE
 * (no regular file) or BT_IO. The caller closes. */
int bt_records_open(const char *path, struct bt_error *err) BT_NODISCARD;
/* All of such a file, up to the ceiling of `out`. */
enum bt_code bt_records_read(const char *path, struct bt_str *out, struct bt_error *err) BT_NODISCARD;

#endif
