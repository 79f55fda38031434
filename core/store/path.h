/* core/store/path.h - where each record of a session lies, relative to the ledger directory.
 *
 * Must not know: what is in the files. Layout: spec/context-handoff.md 1.1. */
#ifndef BATON_CORE_STORE_PATH_H
#define BATON_CORE_STORE_PATH_H

#include <stdbool.h>

#include "core/base/str.h"

#define BT_PATH_SENTINEL ".deny-store"
#define BT_PATH_LEGACY_SENTINEL "handoffs/.deny-store"
#define BT_PATH_HANDOFFS "handoffs"
#define BT_PATH_DENIES "handoffs/denies"
#define BT_PATH_QUARANTINE "handoffs/denies/quarantine"
#define BT_PATH_FINALS "handoffs/finals"
#define BT_PATH_CONTENT "handoffs/content"

enum bt_ledger_file {
  BT_FILE_DENY,    /* handoffs/denies/ID.json */
  BT_FILE_FINAL,   /* handoffs/finals/ID.json */
  BT_FILE_CAPTURE, /* handoffs/content/ID.md */
  BT_FILE_AUTH,    /* handoffs/ID.resume-auth.json */
  BT_FILE_GRANT,   /* handoffs/ID.bypass-grant.json */
  BT_FILE_LOCK,    /* handoffs/ID.lock */
  BT_FILE_COUNT
};

#define BT_PATH_MAX_BYTES \
  ((size_t)1 << 20) /* ceiling to give the buffer: more than an argument can hold, so that an overlong id
                                             * fails with the system's own error */

/* A ceiling for the buffer that the path of `id` never reaches, so that a failed buffer means short memory. */
size_t bt_ledger_path_room(const char *id);

/* Appends the path to `out` (initialised by the caller) with `id` as real bytes (encode8). False when no file of
 * that name can exist: the id holds a NUL, or memory was short (then out->failed). The id must be safe. */
bool bt_ledger_path(struct bt_str *out, enum bt_ledger_file file, const char *id);

/* ".json", ".resume-auth.json", ...: what follows the id. */
const char *bt_ledger_suffix(enum bt_ledger_file file);

#endif
