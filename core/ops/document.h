/* core/ops/document.h - writes a session's JSON documents: pretty, with one newline at the end.
 *
 * Inside core/ops. The layout is spec/context-handoff.md 0 ("pretty JSON") and 1.2. Must not know: any field. */
#ifndef BATON_CORE_OPS_DOCUMENT_H
#define BATON_CORE_OPS_DOCUMENT_H

#include "core/base/json.h"
#include "core/ops/txn.h"
#include "core/store/path.h"

/* The document's bytes. A failed `out` says that memory was short. */
void bt_document_print(struct bt_str *out, const struct bt_json *document);

/* The path of a session's file into `out` (initialised by the caller, BT_PATH_MAX_BYTES). BT_INPUT for an id that no
 * file can be named after, BT_NOMEM. */
enum bt_code bt_document_path(struct bt_str *out, enum bt_ledger_file file, const char *session,
                              struct bt_error *err) BT_NODISCARD;

/* Durable replacement / exclusive creation (BT_STATE with EEXIST) of the session's file. */
enum bt_code bt_document_replace(struct bt_txn *txn, enum bt_ledger_file file, const char *session,
                                 const struct bt_json *document, struct bt_error *err) BT_NODISCARD;
enum bt_code bt_document_create(struct bt_txn *txn, enum bt_ledger_file file, const char *session,
                                const struct bt_json *document, struct bt_error *err) BT_NODISCARD;

/* bt_txn_watch for the session's file. */
enum bt_code bt_document_watch(struct bt_txn *txn, enum bt_artifact artifact, enum bt_ledger_file file,
                               const char *session, struct bt_error *err) BT_NODISCARD;

#endif
