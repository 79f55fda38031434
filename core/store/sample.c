/* core/store/sample.c - is this the bundled sample ledger? */
#include "core/store/sample.h"

#include "core/base/json.h"
#include "core/store/doc.h"

bool bt_sample_is(int dir) {
  struct bt_doc doc;
  bool marked = false;
  if (bt_doc_read_max(dir, BT_SAMPLE_MARK, 4096, &doc, NULL) == BT_OK && doc.json)
    (void)bt_json_get_bool(doc.json, "baton_sample", &marked);
  bt_doc_dispose(&doc);
  return marked;
}
