/* core/store/doc.c - one JSON document of the ledger, or the code that says why not. */
#include "core/store/doc.h"

#include <errno.h>

#include "core/base/fs.h"

const char *bt_doc_error_word(enum bt_code code, int sys_errno) {
  switch (code) {
  case BT_MISSING:
    return "missing";
  case BT_UNSAFE:
    return sys_errno == EISDIR ? "EISDIR"
                               : "unsafe"; /* a folder is what any reader stumbles over; the rest we refuse */
  case BT_TOO_LARGE:
    return "oversize";
  case BT_CORRUPT:
    return "corrupt_json";
  default:
    return bt_errno_name(sys_errno);
  }
}

enum bt_code bt_doc_read(int dir, const char *path, struct bt_doc *doc, struct bt_error *err) {
  return bt_doc_read_max(dir, path, BT_DOC_MAX, doc, err);
}

enum bt_code bt_doc_read_max(int dir, const char *path, size_t ceiling_bytes, struct bt_doc *doc,
                             struct bt_error *err) {
  struct bt_error why = {0};
  *doc = (struct bt_doc){0};
  bt_str_init(&doc->bytes, ceiling_bytes);
  if (dir < 0) {
    doc->error = "missing";
    return BT_OK;
  }
  enum bt_code code = bt_fs_read_and_stat_at(dir, path, &doc->bytes, &doc->of, &why);
  if (code == BT_OK) {
    doc->json = bt_json_parse(doc->bytes.data, doc->bytes.length, &why);
    code = doc->json ? BT_OK : why.code;
  }
  if (code == BT_NOMEM)
    return bt_error_set(err, BT_NOMEM, path, "out of memory");
  if (code != BT_OK) {
    doc->error = bt_doc_error_word(code, why.sys_errno);
  } else if (bt_json_type(doc->json) != BT_JSON_OBJECT) {
    bt_json_free(doc->json);
    doc->json = NULL;
    doc->error = "invalid_shape";
  }
  return BT_OK;
}

void bt_doc_dispose(struct bt_doc *doc) {
  bt_json_free(doc->json);
  doc->json = NULL;
  bt_str_dispose(&doc->bytes);
}
