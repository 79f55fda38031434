/* core/store/import.h - a snapshot from the document that `baton scan --json` printed, perhaps on another host.
 *
 * What the document does not hold (texts of briefs, signed records, transcripts) is not there; nothing on this host is
 * looked at. Values of the wrong type count as absent; words that are not known get the least certain meaning. The result is
 * `imported`: nothing can be changed from it. Rules: dashboard.md row 100. */
#ifndef BATON_CORE_STORE_IMPORT_H
#define BATON_CORE_STORE_IMPORT_H

#include <stddef.h>

#include "core/base/error.h"
#include "core/model/snapshot.h"

#define BT_IMPORT_BYTES_MAX ((size_t)64 * 1024 * 1024)
#define BT_IMPORT_SCHEMA_VERSION 1

/* `name` is for messages. BT_CORRUPT when it is no JSON, BT_INPUT when it is no such document or of a newer version,
 * BT_TOO_LARGE, BT_NOMEM. The caller frees the snapshot. */
enum bt_code bt_snapshot_import(const char *name, const char *bytes, size_t length, struct bt_snapshot **snapshot,
                                struct bt_error *err) BT_NODISCARD;

#endif
