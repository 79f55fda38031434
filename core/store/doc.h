/* core/store/doc.h - one JSON document of the ledger and, where it cannot be used, the code that says why.
 *
 * The loader that finals and locks share (spec/context-handoff.md 1.2.3, 7): missing, corrupt_json,
 * invalid_shape (no object), an errno name; and, by 15.1 item 4, `unsafe` for a link, FIFO, folder or device
 * in the place of the file, `oversize` past BT_DOC_MAX. Must not know: what any field means. */
#ifndef BATON_CORE_STORE_DOC_H
#define BATON_CORE_STORE_DOC_H

#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/base/str.h"

#define BT_DOC_MAX ((size_t)1024 * 1024)

struct bt_doc {
  struct bt_json *json; /* an object; NULL exactly when `error` is not NULL */
  struct bt_str bytes;  /* as they lie on disk; empty when unreadable */
  const char *error;    /* static text; NULL when readable */
  struct bt_fs_stat of; /* of the file that the bytes are from; BT_FS_ABSENT where none could be opened */
};

/* Reads `path` below the ledger folder `dir` (-1: there is none, so everything is `missing`). BT_OK also when
 * the document cannot be used; only BT_NOMEM fails. Dispose in every case. */
enum bt_code bt_doc_read(int dir, const char *path, struct bt_doc *doc, struct bt_error *err) BT_NODISCARD;
/* The same with another ceiling. */
enum bt_code bt_doc_read_max(int dir, const char *path, size_t ceiling_bytes, struct bt_doc *doc,
                             struct bt_error *err) BT_NODISCARD;
void bt_doc_dispose(struct bt_doc *doc);

/* The code for a failed read of any file of the ledger: "missing", "corrupt_json", "oversize", "unsafe" for a link, a
 * pipe or a device, else the name of the errno (EISDIR for a folder). Static text. */
const char *bt_doc_error_word(enum bt_code code, int sys_errno);

#endif
