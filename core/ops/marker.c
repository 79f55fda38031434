/* core/ops/marker.c - ensures a marker and keeps the sentinel in step with it. */
#include "core/ops/marker.h"

#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/model/id.h"
#include "core/model/idlist.h"
#include "core/model/thresholds.h"
#include "core/ops/quarantine.h"
#include "core/store/path.h"
#include "core/store/sentinel.h"

#define MARKER_MAX_BYTES ((size_t)4 * 1024 * 1024) /* printed; what is read is smaller still */

static enum bt_code no_memory(const char *id, struct bt_error *err) {
  return bt_error_set(err, BT_NOMEM, id, "out of memory");
}

/* ---- sentinel ---- */

/* Registers `id` in memory; *write is set when the file is no longer what it should be. */
static enum bt_code register_in(struct bt_sentinel *sentinel, const char *id, bool *write, struct bt_error *err) {
  struct bt_json *sessions = NULL;
  bool changed = false;
  enum bt_code code = bt_sentinel_plan(sentinel, id, &sessions, &changed, err);
  if (code == BT_OK && changed) {
    bt_json_free(sentinel->sessions);
    *sentinel = (struct bt_sentinel){.expected = true, .file_there = true, .sessions = sessions};
    *write = true;
    return BT_OK;
  }
  bt_json_free(sessions);
  return code;
}

/* Registers every record at once: one by one would sort the list anew for each, and a ledger of thousands would take
 * longer than the gate has, at every call. */
static enum bt_code register_records(struct bt_sentinel *sentinel, const struct bt_json *records, bool *write,
                                     struct bt_error *err) {
  struct bt_idlist known = {0};
  struct bt_json *sessions = NULL;
  bool added = false, changed = false;
  enum bt_code code = bt_idlist_add_ids(&known, sentinel->sessions, err);
  for (const struct bt_json *one = bt_json_first(records); one != NULL && code == BT_OK; one = bt_json_next(one)) {
    const char *id = bt_json_get_string(one, "session_id");
    if (!bt_id_is_safe(id) || bt_idlist_has(&known, id))
      continue;
    added = true;
    if (bt_json_push(sentinel->sessions, bt_json_new_string(id)) != BT_OK)
      code = no_memory(id, err);
  }
  bt_idlist_dispose(&known);
  if (code == BT_OK)
    code = bt_sentinel_plan(sentinel, NULL, &sessions, &changed, err);
  if (code == BT_OK && (added || changed)) {
    bt_json_free(sentinel->sessions);
    *sentinel = (struct bt_sentinel){.expected = true, .file_there = true, .sessions = sessions};
    *write = true;
    return BT_OK;
  }
  bt_json_free(sessions);
  return code;
}

static enum bt_code write_sentinel(struct bt_txn *txn, const struct bt_sentinel *sentinel, struct bt_error *err) {
  struct bt_str bytes;
  bt_str_init(&bytes, BT_MAX_SENTINEL_BYTES);
  bt_sentinel_print(&bytes, sentinel->sessions);
  enum bt_code code = bytes.failed
                          ? bt_error_set(err, BT_TOO_LARGE, BT_PATH_SENTINEL, "the sentinel would be too large")
                          : bt_txn_replace(txn, BT_PATH_SENTINEL, bytes.data, bytes.length, err);
  bt_str_dispose(&bytes);
  return code;
}

/* Registers every record, or the one session where there are none, in what the file says now; writes when `may_write`
 * and a write is due, which *due tells. */
static enum bt_code register_all(struct bt_txn *txn, const char *id, const struct bt_json *records, bool may_write,
                                 bool *due, struct bt_error *err) {
  struct bt_sentinel sentinel;
  *due = false;
  enum bt_code code = bt_sentinel_read(bt_txn_dir(txn), &sentinel, err);
  if (code == BT_OK && records == NULL)
    code = register_in(&sentinel, id, due, err);
  else if (code == BT_OK && bt_json_first(records) != NULL)
    code = register_records(&sentinel, records, due, err);
  if (code == BT_OK && *due && may_write)
    code = write_sentinel(txn, &sentinel, err);
  bt_sentinel_dispose(&sentinel);
  return code;
}

/* Read, and where a write is due, once more in turn with our other writers, so that none forgets what another has just
 * registered. What registering one by one would come to is written once: a ledger of many unregistered records must
 * not take the gate two fsyncs for each. */
static enum bt_code register_in_turn(struct bt_txn *txn, const char *id, const struct bt_json *records,
                                     struct bt_error *err) {
  bool due;
  enum bt_code code = register_all(txn, id, records, false, &due, err);
  if (code != BT_OK || !due)
    return code;
  bool held = bt_txn_hold(txn);
  code = register_all(txn, id, records, true, &due, err);
  if (held)
    bt_txn_let_go(txn);
  return code;
}

enum bt_code bt_sentinel_register(struct bt_txn *txn, const char *id, struct bt_error *err) {
  return register_in_turn(txn, id, NULL, err);
}

static struct bt_txn *healing_txn(const struct bt_marker_healing *healing) {
  if (*healing->txn == NULL)
    *healing->txn = bt_txn_open(healing->env, false, NULL);
  return *healing->txn;
}

static bool heal(void *context, const char *id) {
  struct bt_txn *txn = healing_txn(context);
  return txn != NULL && bt_sentinel_register(txn, id, NULL) == BT_OK;
}

static bool heal_records(void *context, const struct bt_json *records) {
  struct bt_txn *txn = healing_txn(context);
  return txn != NULL && register_in_turn(txn, NULL, records, NULL) == BT_OK;
}

struct bt_deny_healer bt_marker_healer(struct bt_marker_healing *healing) {
  return (struct bt_deny_healer){.context = healing, .register_session = heal, .register_records = heal_records};
}

/* ---- ensure ---- */

static void verdict(struct bt_ensure *out, bool ok, const char *reason, const char *detail) {
  out->ok = ok;
  (void)snprintf(out->reason, sizeof out->reason, "%s%s%s", reason, detail != NULL ? ":" : "",
                 detail != NULL ? detail : "");
}

static bool is_junk(const char *reason) {
  return strcmp(reason, "corrupt_json") == 0 || strcmp(reason, "invalid_shape") == 0;
}

static bool set_bind(struct bt_json *record, const char *key, const char *value) {
  struct bt_slice bind = bt_bind_normalise(value);
  if (bind.data == NULL)
    return bt_json_set_null(record, key) == BT_OK;
  struct bt_str text;
  bt_str_init(&text, MARKER_MAX_BYTES);
  bt_str_append(&text, bind.data, bind.length);
  bool done = !text.failed && bt_json_set_string(record, key, text.data) == BT_OK;
  bt_str_dispose(&text);
  return done;
}

struct bt_json *bt_marker_fresh(const struct bt_ensure_request *request, int64_t now_ms) {
  char since[BT_ISO_MS];
  bt_time_iso(since, now_ms);
  struct bt_json *record = bt_json_new_object();
  if (record != NULL && bt_json_set_string(record, "session_id", request->session_id) == BT_OK &&
      set_bind(record, "ticket_id", request->ticket_id) && set_bind(record, "content_hash", request->content_hash) &&
      bt_json_set_string(record, "status", "open") == BT_OK && bt_json_set_string(record, "since", since) == BT_OK &&
      bt_json_set_string(record, "host", request->host) == BT_OK && bt_json_set_number(record, "schema", 1) == BT_OK)
    return record;
  bt_json_free(record);
  return NULL;
}

/* The errno name with which writing a marker would fail for what is in the place of its folders; NULL: none. */
static const char *folder_fault(int ledger) {
  static const struct {
    const char *path, *fault;
  } folders[] = {{BT_PATH_HANDOFFS, "ENOTDIR"}, {BT_PATH_DENIES, "EEXIST"}}; /* as mkdir -p says it, 13.21 */
  for (size_t i = 0; i < sizeof folders / sizeof *folders && ledger >= 0; i++) {
    struct bt_fs_stat stat;
    bt_fs_stat_at(ledger, folders[i].path, &stat);
    if (stat.kind == BT_FS_FILE)
      return folders[i].fault;
    if (stat.kind == BT_FS_LINK || stat.kind == BT_FS_OTHER)
      return "ELOOP";
  }
  return NULL;
}

enum bt_code bt_marker_ensure_plan(int ledger, const struct bt_ensure_request *request, struct bt_ensure_plan *out,
                                   struct bt_error *err) {
  struct bt_marker marker;
  *out = (struct bt_ensure_plan){0};
  enum bt_code code = bt_marker_read(ledger, request->session_id, &marker, err);
  if (code != BT_OK)
    return code;
  if (marker.ok) {
    struct bt_sentinel sentinel;
    struct bt_json *sessions = NULL;
    verdict(&out->verdict, true, "already_present", NULL);
    code = bt_sentinel_read(ledger, &sentinel, err);
    if (code == BT_OK)
      code = bt_sentinel_plan(&sentinel, request->session_id, &sessions, &out->writes, err);
    bt_json_free(sessions);
    bt_sentinel_dispose(&sentinel);
  } else if (is_junk(marker.reason) || strcmp(marker.reason, "missing_marker") == 0) {
    const char *fault = folder_fault(ledger);
    verdict(&out->verdict, fault == NULL, fault == NULL ? "ok" : "write_failed", fault);
    out->writes = out->fresh = true;
  } else {
    verdict(&out->verdict, false, marker.reason, NULL);
  }
  bt_marker_dispose(&marker);
  return code;
}

/* Moves a marker that is no JSON object out of the way. */
static enum bt_code set_aside(struct bt_txn *txn, const char *id, const char *reason, int64_t now_ms,
                              struct bt_ensure *out, struct bt_error *err) {
  struct bt_str name;
  struct bt_error problem = {0};
  bt_str_init(&name, bt_ledger_path_room(id));
  bt_utf8_encode8(&name, id, strlen(id));
  bt_str_puts(&name, ".json");
  enum bt_code code = name.failed ? BT_NOMEM : bt_quarantine_move(txn, name.data, reason, now_ms, &problem);
  bt_str_dispose(&name);
  if (code == BT_NOMEM)
    return no_memory(id, err);
  if (code == BT_OK)
    out->ok = true;
  else
    verdict(out, false, "quarantine_failed", reason);
  return BT_OK;
}

static enum bt_code write_document(struct bt_txn *txn, const char *id, const struct bt_json *record,
                                   struct bt_error *err) {
  struct bt_str path, bytes;
  bt_str_init(&path, bt_ledger_path_room(id));
  bt_str_init(&bytes, MARKER_MAX_BYTES);
  bt_json_print_pretty(&bytes, record);
  bt_str_putc(&bytes, '\n');
  enum bt_code code = BT_OK;
  if (!bt_ledger_path(&path, BT_FILE_DENY, id))
    code = path.failed ? no_memory(id, err) : bt_error_set(err, BT_INPUT, id, "no file can have this name: EINVAL");
  else if (bytes.failed)
    code = no_memory(id, err);
  else
    code = bt_txn_replace(txn, path.data, bytes.data, bytes.length, err);
  bt_str_dispose(&bytes);
  bt_str_dispose(&path);
  return code;
}

static enum bt_code write_fresh(struct bt_txn *txn, const struct bt_ensure_request *request, int64_t now_ms,
                                struct bt_ensure *out, struct bt_error *err) {
  struct bt_error problem = {0};
  struct bt_json *record = bt_marker_fresh(request, now_ms);
  if (record == NULL)
    return no_memory(request->session_id, err);
  enum bt_code code = write_document(txn, request->session_id, record, &problem);
  bt_json_free(record);
  if (code != BT_OK) {
    verdict(out, false, "write_failed", bt_reason_errno(&problem));
    return BT_OK;
  }
  struct bt_marker marker;
  code = bt_marker_read(bt_txn_dir(txn), request->session_id, &marker, err);
  if (code == BT_OK)
    verdict(out, marker.ok, marker.reason, NULL);
  bt_marker_dispose(&marker);
  return code;
}

enum bt_code bt_marker_ensure(struct bt_txn *txn, const struct bt_ensure_request *request, int64_t now_ms,
                              struct bt_ensure *out, struct bt_error *err) {
  struct bt_marker marker;
  *out = (struct bt_ensure){0};
  enum bt_code code = bt_marker_read(bt_txn_dir(txn), request->session_id, &marker, err);
  if (code != BT_OK)
    return code;
  const char *reason = marker.reason; /* static text */
  bool present = marker.ok;
  bt_marker_dispose(&marker);
  if (present) {
    verdict(out, true, "already_present", NULL);
  } else {
    bool missing = strcmp(reason, "missing_marker") == 0;
    verdict(out, missing, reason, NULL);
    if (is_junk(reason))
      code = set_aside(txn, request->session_id, reason, now_ms, out, err);
    if (code == BT_OK && out->ok)
      code = write_fresh(txn, request, now_ms, out, err);
  }
  if (code == BT_OK && out->ok && bt_sentinel_register(txn, request->session_id, NULL) != BT_OK)
    verdict(out, false, "sentinel_write_failed", NULL);
  return code;
}

/* ---- privileged writes ---- */

static bool has_status(const struct bt_json *record, const char *word) {
  const char *status = bt_json_get_string(record, "status");
  return status != NULL && strcmp(status, word) == 0;
}

enum bt_code bt_marker_write(struct bt_txn *txn, const struct bt_json *record, struct bt_json **stored,
                             struct bt_error *err) {
  if (stored != NULL)
    *stored = NULL;
  const char *id = bt_json_get_string(record, "session_id");
  if (!bt_id_is_safe(id))
    return bt_error_set(err, BT_INPUT, id, "unsafe sessionId: path traversal");
  if (!has_status(record, "open") && !has_status(record, "consumed"))
    return bt_error_set(err, BT_INPUT, id, "a deny record is open or consumed, nothing else");
  struct bt_json *copy = bt_json_clone(record);
  enum bt_code code = BT_OK;
  if (copy == NULL || !set_bind(copy, "ticket_id", bt_json_get_string(record, "ticket_id")) ||
      !set_bind(copy, "content_hash", bt_json_get_string(record, "content_hash")) ||
      (bt_json_is_nullish(bt_json_get(record, "schema")) && bt_json_set_number(copy, "schema", 1) != BT_OK))
    code = no_memory(id, err);
  if (code == BT_OK)
    code = write_document(txn, id, copy, err);
  if (code == BT_OK && stored != NULL)
    *stored = copy;
  else
    bt_json_free(copy);
  return code;
}

/* The open record with its new binds, not yet written. */
static enum bt_code rebind(struct bt_json *record, const char *id, const char *ticket_id, const char *content_hash,
                           const char *kind, const char *host, struct bt_error *err) {
  bool whole = set_bind(record, "ticket_id", ticket_id) && set_bind(record, "content_hash", content_hash) &&
               bt_json_set_string(record, "status", "open") == BT_OK &&
               (host == NULL || bt_json_set_string(record, "host", host) == BT_OK);
  if (bt_bind_is_bound(kind))
    whole = whole && set_bind(record, "content_kind", kind);
  else
    bt_json_remove(record, "content_kind");
  return whole ? BT_OK : no_memory(id, err);
}

enum bt_code bt_marker_repair(struct bt_txn *txn, const char *id, const char *ticket_id, const char *content_hash,
                              const char *kind, const char *host, struct bt_json **stored, struct bt_error *err) {
  struct bt_marker marker;
  if (stored != NULL)
    *stored = NULL;
  enum bt_code code = bt_marker_read(bt_txn_dir(txn), id, &marker, err);
  if (code != BT_OK)
    return code;
  if (!marker.ok)
    code = bt_error_set(err, strcmp(marker.reason, "missing_marker") == 0 ? BT_MISSING : BT_CORRUPT, id,
                        "deny marker: %s", marker.reason);
  else if (!has_status(marker.record, "open"))
    code = bt_error_set(err, BT_STATE, id, "the deny is consumed already");
  else if (!bt_bind_is_bound(ticket_id) || !bt_bind_is_bound(content_hash))
    code = bt_error_set(err, BT_INPUT, id, "a bind needs a ticket and a content hash");
  else
    code = rebind(marker.record, id, ticket_id, content_hash, kind, host, err);
  if (code == BT_OK)
    code = bt_marker_write(txn, marker.record, stored, err);
  bt_marker_dispose(&marker);
  return code;
}
