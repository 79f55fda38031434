/* cli/records_json.c - `baton records list --json` and `show --json`. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/json_out.h"
#include "cli/out.h"
#include "cli/records.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/records/listing.h"
#include "core/records/manifest.h"
#include "core/records/verify.h"
#include "core/records/write.h"

#define TEXT_MAX ((size_t)1 << 30)

static int print(struct bt_json *json, enum bt_code code) {
  struct bt_str out;
  bt_str_init(&out, TEXT_MAX);
  bt_json_print_pretty(&out, json);
  bt_str_putc(&out, '\n');
  json_readable(&out, 0);
  bool ok = code == BT_OK && json != NULL && !out.failed;
  int status = ok ? out_text(&out) : records_fail(&(struct bt_error){.code = BT_NOMEM});
  bt_str_dispose(&out);
  bt_json_free(json);
  return status;
}

static struct bt_json *document(void) {
  struct bt_json *json = bt_json_new_object();
  if (json != NULL && bt_json_set_number(json, "schema_version", 1) == BT_OK)
    return json;
  bt_json_free(json);
  return NULL;
}

int records_list_json(struct records_args *args) {
  struct bt_record_index index;
  struct bt_error err = {0};
  const struct bt_record_row **rows = NULL;
  size_t count = 0;
  int root = bt_record_index_open(&index, args->records->root, args->records->env->readonly, &err);
  if (root < 0)
    return records_fail(&err);
  (void)close(root);
  enum bt_code code = bt_listing_rows(&index, records_word(args, 1), &rows, &count, &err);
  if (code != BT_OK) {
    bt_record_index_dispose(&index);
    return records_fail(&err);
  }
  struct bt_json *json = document(), *list = bt_json_new_array();
  for (size_t i = 0; code == BT_OK && i < count; i++)
    code = bt_json_push(list, bt_json_clone(rows[i]->json));
  if (json != NULL && code == BT_OK)
    code = bt_json_set_string(json, "root", args->records->root);
  if (json != NULL && code == BT_OK)
    code = bt_json_set(json, "records", list);
  else
    bt_json_free(list);
  free(rows);
  bt_record_index_dispose(&index);
  return print(json, code);
}

/* HANDOFF.summary.json as it stands, or null. */
static struct bt_json *summary_of(int dir) {
  struct bt_str text;
  bt_str_init(&text, TEXT_MAX);
  struct bt_json *summary = NULL;
  if (bt_fs_read_at(dir, BT_FILE_SUMMARY, &text, NULL) == BT_OK)
    summary = bt_json_parse(text.data, text.length, NULL);
  bt_str_dispose(&text);
  return summary != NULL ? summary : bt_json_new_null();
}

int records_show_json(struct records_args *args) {
  struct bt_record_index index = {0};
  struct bt_error err = {0}, why = {0};
  const struct bt_record_row *row = NULL;
  struct bt_json *manifest = NULL;
  uint64_t turns;
  int root;
  int dir = bt_records_session(args->records, args->words[1], &index, &root, &row, &err);
  int status = dir < 0 ? records_fail(&err) : 0;
  if (dir >= 0) {
    enum bt_code looked = bt_verify_apart(root, row, true, dir, &turns, &manifest, &why);
    struct bt_json *json = document();
    enum bt_code code = json != NULL ? bt_json_set(json, "record", bt_json_clone(row->json)) : BT_NOMEM;
    if (code == BT_OK)
      code = looked == BT_BUSY ? bt_json_set_null(json, "verified") /* nobody can tell yet */
                               : bt_json_set_bool(json, "verified", looked == BT_OK);
    if (code == BT_OK)
      code = bt_json_set_string(json, "why_not", looked == BT_OK ? NULL : why.message);
    if (code == BT_OK)
      code = manifest != NULL ? bt_json_set(json, "manifest", bt_json_clone(manifest))
                              : bt_json_set_null(json, "manifest");
    if (code == BT_OK)
      code = bt_json_set(json, "summary", summary_of(dir));
    status = print(json, code);
  }
  bt_json_free(manifest);
  bt_record_index_dispose(&index);
  if (dir >= 0)
    (void)close(dir);
  if (root >= 0)
    (void)close(root);
  return status;
}
