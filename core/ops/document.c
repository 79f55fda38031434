/* core/ops/document.c - one layout for every document that a verb writes. */
#include "core/ops/document.h"

#define DOCUMENT_MAX (4u << 20)

void bt_document_print(struct bt_str *out, const struct bt_json *document) {
  bt_json_print_pretty(out, document);
  bt_str_putc(out, '\n');
}

enum bt_code bt_document_path(struct bt_str *out, enum bt_ledger_file file, const char *session, struct bt_error *err) {
  if (bt_ledger_path(out, file, session))
    return BT_OK;
  if (out->failed)
    return bt_error_set(err, BT_NOMEM, session, "out of memory");
  return bt_error_set(err, BT_INPUT, session, "no file can be named after this session id");
}

enum write_kind { REPLACE, CREATE };

static enum bt_code write_document(struct bt_txn *txn, enum write_kind kind, enum bt_ledger_file file,
                                   const char *session, const struct bt_json *document, struct bt_error *err) {
  struct bt_str path, bytes;
  bt_str_init(&path, BT_PATH_MAX_BYTES);
  bt_str_init(&bytes, DOCUMENT_MAX);
  enum bt_code code = bt_document_path(&path, file, session, err);
  if (code == BT_OK) {
    bt_document_print(&bytes, document);
    if (bytes.failed)
      code = bt_error_set(err, BT_NOMEM, session, "out of memory");
    else if (kind == CREATE)
      code = bt_txn_create(txn, path.data, bytes.data, bytes.length, err);
    else
      code = bt_txn_replace(txn, path.data, bytes.data, bytes.length, err);
  }
  bt_str_dispose(&path);
  bt_str_dispose(&bytes);
  return code;
}

enum bt_code bt_document_replace(struct bt_txn *txn, enum bt_ledger_file file, const char *session,
                                 const struct bt_json *document, struct bt_error *err) {
  return write_document(txn, REPLACE, file, session, document, err);
}

enum bt_code bt_document_create(struct bt_txn *txn, enum bt_ledger_file file, const char *session,
                                const struct bt_json *document, struct bt_error *err) {
  return write_document(txn, CREATE, file, session, document, err);
}

enum bt_code bt_document_watch(struct bt_txn *txn, enum bt_artifact artifact, enum bt_ledger_file file,
                               const char *session, struct bt_error *err) {
  struct bt_str path;
  bt_str_init(&path, BT_PATH_MAX_BYTES);
  enum bt_code code = bt_document_path(&path, file, session, err);
  if (code == BT_OK)
    code = bt_txn_watch(txn, artifact, path.data, err);
  bt_str_dispose(&path);
  return code;
}
