/* cli/records_deep.c - `baton records verify --deep`: a line for each file, and what it came to. */
#include <stdio.h>
#include <unistd.h>

#include "cli/json_out.h"
#include "cli/out.h"
#include "cli/records.h"
#include "core/base/json.h"
#include "core/records/deep.h"
#include "core/records/listing.h"
#include "core/records/verify.h"
#include "core/records/write.h"

#define TEXT_MAX ((size_t)1 << 30)

static enum bt_code put_json(struct bt_str *out, const struct bt_deep *deep, const char *session) {
  struct bt_json *json = bt_json_new_object(), *list = bt_json_new_array();
  enum bt_code code = json != NULL && list != NULL ? bt_json_set_number(json, "schema_version", 1) : BT_NOMEM;
  for (size_t i = 0; code == BT_OK && i < deep->count; i++) {
    struct bt_json *part = bt_json_new_object();
    code = part != NULL ? bt_json_set_string(part, "name", deep->parts[i].name) : BT_NOMEM;
    if (code == BT_OK)
      code = bt_json_set_string(part, "verdict", bt_deep_word(deep->parts[i].verdict));
    if (code == BT_OK)
      code = bt_json_set_string(part, "why", deep->parts[i].words);
    if (code == BT_OK)
      code = bt_json_push(list, part);
    else
      bt_json_free(part);
  }
  if (code == BT_OK)
    code = bt_json_set_string(json, "session", session);
  if (code == BT_OK)
    code = bt_json_set_bool(json, "ok", deep->changed == 0);
  if (code == BT_OK)
    code = bt_json_set(json, "files", list);
  else
    bt_json_free(list);
  bt_json_print_pretty(out, json);
  bt_str_putc(out, '\n');
  json_readable(out, 0);
  bt_json_free(json);
  return code;
}

static void put_lines(struct bt_str *out, const struct bt_deep *deep, const char *session) {
  for (size_t i = 0; i < deep->count; i++)
    bt_str_printf(out, "%-11s  %s: %s\n", bt_deep_word(deep->parts[i].verdict), deep->parts[i].name,
                  deep->parts[i].words);
  if (deep->changed == 0)
    bt_str_printf(out, "PASS %s: nothing that is covered has changed\n", session);
}

static int report(const struct records_args *args, const struct bt_deep *deep, const char *session) {
  struct bt_str out;
  bt_str_init(&out, TEXT_MAX);
  enum bt_code code = BT_OK;
  if (args->json)
    code = put_json(&out, deep, session);
  else
    put_lines(&out, deep, session);
  int status =
      code == BT_OK && !out.failed ? records_print(args, &out) : records_fail(&(struct bt_error){.code = BT_NOMEM});
  bt_str_dispose(&out);
  if (status == 0 && deep->changed > 0) {
    out_say("handoff: FAIL %s: %zu changed", session, deep->changed);
    status = 1;
  }
  return status;
}

/* What seems changed is looked at once more with the record's lock: a build in progress is no damage. */
static enum bt_code look(const struct records_args *args, struct bt_deep *deep, int root,
                         const struct bt_record_row *row, int dir, struct bt_error *err) {
  struct bt_store_lock lock;
  enum bt_code code = bt_deep_look(deep, args->records, dir, row->folder, err);
  if (code != BT_OK || deep->changed == 0)
    return code;
  code = bt_verify_hold(&lock, root, row, dir, true, err);
  bt_deep_dispose(deep);
  if (code == BT_OK)
    code = bt_deep_look(deep, args->records, dir, row->folder, err);
  bt_store_lock_release(&lock);
  return code;
}

int records_verify_deep(struct records_args *args) {
  struct bt_record_index index = {0};
  const struct bt_record_row *row = NULL;
  struct bt_error err = {0};
  struct bt_deep deep;
  struct bt_str out;
  int root;
  bt_deep_init(&deep);
  bt_str_init(&out, TEXT_MAX);
  int dir = bt_records_session(args->records, args->words[1], &index, &root, &row, &err);
  int status;
  if (dir < 0 && err.code == BT_MISSING)
    status = bt_records_verify(args->records, args->words[1], &out, &err) == BT_OK
                 ? 0
                 : records_fail(&err); /* tells a broken manifest from none */
  else if (dir < 0 || look(args, &deep, root, row, dir, &err) != BT_OK)
    status = records_fail(&err);
  else
    status = report(args, &deep, row->folder);
  bt_str_dispose(&out);
  bt_deep_dispose(&deep);
  bt_record_index_dispose(&index);
  if (dir >= 0)
    (void)close(dir);
  if (root >= 0)
    (void)close(root);
  return status;
}
