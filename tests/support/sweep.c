/* tests/support/sweep.c - see sweep.h. */
#include "tests/support/sweep.h"

#include <stdio.h>
#include <string.h>

#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/model/id.h"
#include "core/ops/quarantine.h"
#include "core/store/deny.h"
#include "core/store/path.h"
#include "core/store/presence.h"

void sweep_dispose(struct sweep *sweep) {
  bt_json_free(sweep->quarantined);
  bt_json_free(sweep->kept);
  bt_json_free(sweep->retained);
  bt_json_free(sweep->failed);
  *sweep = (struct sweep){0};
}

static enum bt_code note_name(struct bt_json *list, const struct bt_str *name, struct bt_error *err) {
  if (!name->failed && bt_json_push(list, bt_json_new_string(name->data)) == BT_OK)
    return BT_OK;
  return bt_error_set(err, BT_NOMEM, BT_PATH_DENIES, "out of memory");
}

static enum bt_code move_junk(struct bt_txn *txn, const char *name, const struct bt_str *text, const char *reason,
                              int64_t now_ms, struct sweep *out, struct bt_error *err) {
  struct bt_error problem = {0};
  enum bt_code code = bt_quarantine_move(txn, name, reason, now_ms, &problem);
  if (code == BT_OK)
    return note_name(out->quarantined, text, err);
  out->ok = false;
  (void)snprintf(out->reason, sizeof out->reason, "quarantine_failed:%s", bt_reason_errno(&problem));
  return note_name(out->failed, text, err);
}

/* One entry that is neither a folder nor a temporary file. */
static enum bt_code sweep_entry(struct bt_txn *txn, const char *name, int64_t now_ms, struct sweep *out,
                                struct bt_error *err) {
  struct bt_str text, id;
  bt_str_init(&text, BT_PATH_MAX_BYTES);
  bt_str_init(&id, BT_PATH_MAX_BYTES);
  bt_utf8_decode8(&text, name, strlen(name));
  enum bt_code code = BT_OK;
  if (!bt_ends_with(name, ".json")) {
    code = move_junk(txn, name, &text, "non_json", now_ms, out, err);
    goto out;
  }
  bt_utf8_decode8(&id, name, strlen(name) - strlen(".json"));
  if (id.failed) {
    code = bt_error_set(err, BT_NOMEM, BT_PATH_DENIES, "out of memory");
  } else if (!bt_id_is_safe(id.data)) {
    code = move_junk(txn, name, &text, "unsafe_session_id", now_ms, out, err);
  } else {
    struct bt_marker marker;
    code = bt_marker_read(bt_txn_dir(txn), id.data, &marker, err);
    if (code == BT_OK)
      code = note_name(marker.ok ? out->kept : out->retained, &text, err);
    bt_marker_dispose(&marker);
  }
out:
  bt_str_dispose(&id);
  bt_str_dispose(&text);
  return code;
}

enum bt_code sweep_denies(struct bt_txn *txn, int64_t now_ms, struct sweep *out, struct bt_error *err) {
  *out = (struct sweep){.ok = true,
                        .quarantined = bt_json_new_array(),
                        .kept = bt_json_new_array(),
                        .retained = bt_json_new_array(),
                        .failed = bt_json_new_array()};
  if (out->quarantined == NULL || out->kept == NULL || out->retained == NULL || out->failed == NULL)
    return bt_error_set(err, BT_NOMEM, BT_PATH_DENIES, "out of memory");
  if (bt_presence_of(bt_txn_dir(txn), BT_PATH_DENIES) == BT_ABSENT)
    return BT_OK;
  struct bt_fs_listing listing = {0};
  struct bt_error problem = {0};
  enum bt_code code = bt_fs_list_at(bt_txn_dir(txn), BT_PATH_DENIES, &listing, &problem);
  if (code == BT_NOMEM)
    return bt_error_set(err, BT_NOMEM, BT_PATH_DENIES, "out of memory");
  if (code != BT_OK) {
    out->ok = false;
    (void)snprintf(out->reason, sizeof out->reason, "readdir_failed:%s", bt_reason_errno(&problem));
    return BT_OK;
  }
  for (size_t i = 0; i < listing.count && code == BT_OK; i++) {
    const char *name = listing.names[i];
    if (strcmp(name, "quarantine") != 0 && !bt_ends_with(name, ".tmp") &&
        !bt_entry_is_folder(bt_txn_dir(txn), BT_PATH_DENIES, name))
      code = sweep_entry(txn, name, now_ms, out, err);
  }
  bt_fs_listing_dispose(&listing);
  return code;
}
