/* core/store/sample.c - is this the bundled sample ledger? */
#include "core/store/sample.h"

#include <stddef.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/store/doc.h"

#define MARK_MAX 4096

bool bt_sample_is(int dir, bool *published_key) {
  struct bt_doc doc;
  bool marked = false, published = false;
  if (bt_doc_read_max(dir, BT_SAMPLE_MARK, MARK_MAX, &doc, NULL) == BT_OK && doc.json) {
    (void)bt_json_get_bool(doc.json, "baton_sample", &marked);
    (void)bt_json_get_bool(doc.json, "published_key", &published);
  }
  bt_doc_dispose(&doc);
  if (published_key)
    *published_key = marked && published;
  return marked;
}

static bool is_at(const char *ledger_dir, bool *published_key) {
  int dir = bt_fs_open_root(ledger_dir, NULL);
  if (dir < 0)
    return false;
  bool marked = bt_sample_is(dir, published_key);
  close(dir);
  return marked;
}

bool bt_sample_at(const char *ledger_dir) {
  return is_at(ledger_dir, NULL);
}

const char *bt_sample_key_for(const char *ledger_dir) {
  bool published = false;
  return is_at(ledger_dir, &published) && published ? BT_SAMPLE_KEY : NULL;
}
