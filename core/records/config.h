/* core/records/config.h - handoff.config.json: is it valid, and what does it say.
 *
 * Rules: spec/session-records.md 4. Every fault is told, not only the first. Texts are internal text. */
#ifndef BATON_CORE_RECORDS_CONFIG_H
#define BATON_CORE_RECORDS_CONFIG_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/str.h"

#define BT_CONFIG_NAME "handoff.config.json"
#define BT_CONFIG_SCHEMA_NAME "handoff.config.schema.json"
#define BT_CONFIG_BYTES_MAX ((size_t)16 << 20)

struct bt_config {
  char *directory;    /* storage.path, else handoff_dir; NULL: none is named */
  char *project_name; /* trimmed; NULL for none */
  bool linking;       /* true unless linking.enabled is false */
};
void bt_config_init(struct bt_config *config);
void bt_config_dispose(struct bt_config *config);

/* Reads the text of a config. BT_INPUT when it is not valid: `faults` has one line a fault, each `  - where: what`;
 * BT_NOMEM. */
enum bt_code bt_config_parse(struct bt_config *config, const char *bytes, size_t length, struct bt_str *faults,
                             struct bt_error *err) BT_NODISCARD;

#endif
