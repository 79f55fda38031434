/* core/store/deny_load.c - all deny markers and the health of their store, with or without healing it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/model/id.h"
#include "core/model/idlist.h"
#include "core/store/deny.h"
#include "core/store/path.h"
#include "core/store/presence.h"
#include "core/store/sentinel.h"

struct loading {
  int ledger;
  const struct bt_deny_load_options *options;
  struct bt_deny_set *set;
  struct bt_sentinel sentinel; /* as on disk, or as it would be after healing */
  struct bt_error *err;
};

static enum bt_code no_memory(struct loading *load) {
  return bt_error_set(load->err, BT_NOMEM, BT_PATH_DENIES, "out of memory");
}

static enum bt_code add_invalid(struct loading *load, const char *id, const char *reason) {
  char status[64];
  (void)snprintf(status, sizeof status, "invalid:%s", reason);
  struct bt_json *record = bt_json_new_object();
  if (record == NULL)
    return no_memory(load);
  if (bt_json_set_string(record, "session_id", id) != BT_OK || bt_json_set_string(record, "status", status) != BT_OK ||
      bt_json_set_null(record, "ticket_id") != BT_OK || bt_json_set_null(record, "content_hash") != BT_OK) {
    bt_json_free(record);
    return no_memory(load);
  }
  return bt_json_push(load->set->invalid, record) == BT_OK ? BT_OK : no_memory(load);
}

/* Steps 3, 4 and 7: nothing can be said about the store. `word` is the reason without an errno. */
static enum bt_code store_is_unavailable(struct loading *load, const char *word, const char *errno_name) {
  load->set->ok = false;
  load->set->unavailable = true;
  (void)snprintf(load->set->reason, sizeof load->set->reason, "%s%s%s", word, errno_name != NULL ? ":" : "",
                 errno_name != NULL ? errno_name : "");
  return add_invalid(load, BT_DENY_STORE_ID, word);
}

/* Registers one session (NULL: nobody) in the way of the mode: for real, or in memory. */
static enum bt_code register_session(struct loading *load, const char *id) {
  if (load->options->mode == BT_DENY_HEAL) {
    (void)load->options->healer->register_session(load->options->healer->context, id); /* result ignored: 5.5 */
    return BT_OK;
  }
  struct bt_json *sessions = NULL;
  bool write = false;
  enum bt_code code = bt_sentinel_plan(&load->sentinel, id, &sessions, &write, load->err);
  if (code != BT_OK)
    return code;
  if (!write) {
    bt_json_free(sessions);
    return BT_OK;
  }
  bt_json_free(load->sentinel.sessions);
  load->sentinel = (struct bt_sentinel){.expected = true, .file_there = true, .sessions = sessions};
  return BT_OK;
}

static enum bt_code reread_sentinel(struct loading *load) {
  if (load->options->mode != BT_DENY_HEAL)
    return BT_OK;
  bt_sentinel_dispose(&load->sentinel);
  return bt_sentinel_read(load->ledger, &load->sentinel, load->err);
}

/* Steps 1 and 2. */
static enum bt_code settle_sentinel(struct loading *load) {
  const struct bt_deny_overlay *overlay = load->options->overlay;
  enum bt_code code = bt_sentinel_read(load->ledger, &load->sentinel, load->err);
  if (code == BT_OK && overlay != NULL)
    code = register_session(load, overlay->id);
  if (code != BT_OK)
    return code;
  load->set->sentinel_expected = load->sentinel.expected;
  load->set->legacy = load->sentinel.legacy;
  if (!load->sentinel.expected || !load->sentinel.legacy)
    return BT_OK;
  load->set->heal_legacy = true;
  if (load->options->mode == BT_DENY_AS_IS)
    return BT_OK;
  code = register_session(load, NULL);
  return code == BT_OK ? reread_sentinel(load) : code;
}

static enum bt_code take_record(struct loading *load, const struct bt_json *record) {
  return bt_json_push(load->set->records, bt_json_clone(record)) == BT_OK ? BT_OK : no_memory(load);
}

static enum bt_code take_marker(struct loading *load, const char *name, const char *id) {
  struct bt_marker marker;
  enum bt_code code = bt_marker_read(load->ledger, id, &marker, load->err);
  if (code == BT_OK && marker.ok) {
    struct bt_json *record = marker.record;
    marker.record = NULL;
    code = bt_json_push(load->set->records, record) == BT_OK ? BT_OK : no_memory(load);
  } else if (code == BT_OK && strcmp(marker.reason, "missing_marker") != 0 &&
             !bt_entry_is_folder(load->ledger, BT_PATH_DENIES, name)) {
    code = add_invalid(load, id, marker.reason);
  }
  bt_marker_dispose(&marker);
  return code;
}

/* One name of the folder; whatever is no marker is passed over. */
static enum bt_code take_entry(struct loading *load, const char *name) {
  if (strcmp(name, "quarantine") == 0 || bt_ends_with(name, ".tmp") || !bt_ends_with(name, ".json"))
    return BT_OK;
  struct bt_str id; /* a name that is not UTF-8 reads with U+FFFD, and then names no file */
  bt_str_init(&id, BT_PATH_MAX_BYTES);
  bt_utf8_decode8(&id, name, strlen(name) - strlen(".json"));
  enum bt_code code = BT_OK;
  if (id.failed)
    code = no_memory(load);
  else if (bt_id_is_safe(id.data))
    code = take_marker(load, name, id.data);
  bt_str_dispose(&id);
  return code;
}

/* Step 5, with the overlay's marker in its place. */
static enum bt_code take_entries(struct loading *load, const struct bt_fs_listing *listing) {
  enum bt_code code = BT_OK;
  const struct bt_deny_overlay *overlay = load->options->overlay;
  const struct bt_json *pending = overlay != NULL ? overlay->record : NULL;
  struct bt_str name;
  bt_str_init(&name, BT_PATH_MAX_BYTES);
  if (pending != NULL) {
    bt_utf8_encode8(&name, overlay->id, strlen(overlay->id));
    bt_str_puts(&name, ".json");
    if (name.failed)
      code = no_memory(load);
  }
  for (size_t i = 0; i < listing->count && code == BT_OK; i++) {
    int order = pending != NULL ? strcmp(name.data, listing->names[i]) : 1;
    if (order <= 0) {
      code = take_record(load, pending);
      pending = NULL;
    }
    if (order != 0 && code == BT_OK)
      code = take_entry(load, listing->names[i]);
  }
  if (pending != NULL && code == BT_OK)
    code = take_record(load, pending);
  bt_str_dispose(&name);
  return code;
}

/* Step 6. */
static enum bt_code heal_registration(struct loading *load) {
  struct bt_idlist listed = {0};
  enum bt_code code = bt_idlist_add_ids(&listed, load->sentinel.sessions, load->err);
  bool due = !load->sentinel.file_there;
  const struct bt_json *first = bt_json_first(load->set->records);
  for (const struct bt_json *one = first; one != NULL && code == BT_OK && !due; one = bt_json_next(one))
    due = !bt_idlist_has(&listed, bt_json_get_string(one, "session_id"));
  bt_idlist_dispose(&listed);
  if (code != BT_OK || first == NULL || !due)
    return code;
  load->set->heal_register = true;
  if (load->options->mode == BT_DENY_AS_IS)
    return BT_OK;
  const struct bt_deny_healer *healer = load->options->mode == BT_DENY_HEAL ? load->options->healer : NULL;
  if (healer != NULL && healer->register_records != NULL) {
    (void)healer->register_records(healer->context, load->set->records); /* result ignored: 5.5 */
    return reread_sentinel(load);
  }
  for (const struct bt_json *one = first; one != NULL && code == BT_OK; one = bt_json_next(one))
    code = register_session(load, bt_json_get_string(one, "session_id"));
  return code == BT_OK ? reread_sentinel(load) : code;
}

/* Step 8. */
static enum bt_code add_vanished(struct loading *load) {
  struct bt_idlist seen = {0};
  enum bt_code code = bt_idlist_add_records(&seen, load->set->records, load->err);
  if (code == BT_OK)
    code = bt_idlist_add_records(&seen, load->set->invalid, load->err);
  const struct bt_json *one = bt_json_first(load->sentinel.sessions);
  for (; one != NULL && code == BT_OK; one = bt_json_next(one)) {
    if (!bt_idlist_has(&seen, bt_json_string(one)))
      code = add_invalid(load, bt_json_string(one), "missing_registered_marker");
  }
  bt_idlist_dispose(&seen);
  return code;
}

static enum bt_code list_markers(struct loading *load, struct bt_fs_listing *listing, bool *listed) {
  struct bt_error problem = {0};
  const char *errno_name = "ELOOP";
  if (bt_presence_of(load->ledger, BT_PATH_DENIES) == BT_THERE) {
    enum bt_code code = bt_fs_list_at(load->ledger, BT_PATH_DENIES, listing, &problem);
    *listed = code == BT_OK;
    if (code == BT_OK || code == BT_NOMEM)
      return code == BT_OK ? BT_OK : no_memory(load);
    errno_name = problem.sys_errno != 0 ? bt_errno_name(problem.sys_errno) : "ENOTDIR";
  }
  return store_is_unavailable(load, "readdir_failed", errno_name);
}

static enum bt_code load_all(struct loading *load) {
  const struct bt_deny_overlay *overlay = load->options->overlay;
  bool written = overlay != NULL && overlay->record != NULL; /* ensure makes the folder */
  enum bt_code code = settle_sentinel(load);
  if (code != BT_OK)
    return code;
  bool expected = load->options->expected_given ? load->options->expected : load->set->sentinel_expected;
  bool absent = bt_presence_of(load->ledger, BT_PATH_DENIES) == BT_ABSENT;
  if (absent && !written)
    return expected ? store_is_unavailable(load, "missing_deny_store", NULL) : BT_OK;

  struct bt_fs_listing listing = {0};
  bool listed = absent;
  if (!absent)
    code = list_markers(load, &listing, &listed);
  if (code == BT_OK && listed)
    code = take_entries(load, &listing);
  bt_fs_listing_dispose(&listing);
  if (code == BT_OK && listed)
    code = heal_registration(load);
  if (code != BT_OK || !listed)
    return code;
  if (expected && bt_json_first(load->set->records) == NULL && bt_json_first(load->set->invalid) == NULL)
    return store_is_unavailable(load, "emptied_deny_store", NULL);
  return add_vanished(load);
}

enum bt_code bt_deny_load(int ledger, const struct bt_deny_load_options *options, struct bt_deny_set *out,
                          struct bt_error *err) {
  *out = (struct bt_deny_set){.ok = true, .records = bt_json_new_array(), .invalid = bt_json_new_array()};
  struct loading load = {.ledger = ledger, .options = options, .set = out, .err = err};
  enum bt_code code = BT_OK;
  if (out->records == NULL || out->invalid == NULL)
    code = no_memory(&load);
  else
    code = load_all(&load);
  out->registered = load.sentinel.sessions; /* moves */
  load.sentinel.sessions = NULL;
  if (code == BT_OK && out->registered == NULL)
    code = no_memory(&load);
  bt_sentinel_dispose(&load.sentinel);
  return code;
}

void bt_deny_set_dispose(struct bt_deny_set *set) {
  bt_json_free(set->records);
  bt_json_free(set->invalid);
  bt_json_free(set->registered);
  *set = (struct bt_deny_set){0};
}

bool bt_deny_set_is_hot(const struct bt_deny_set *set) {
  return !set->ok || set->unavailable || bt_json_first(set->records) != NULL || bt_json_first(set->invalid) != NULL ||
         bt_json_first(set->registered) != NULL;
}

const char *bt_deny_set_heal_due(const struct bt_deny_set *set) {
  if (set->heal_legacy)
    return "the sentinel is in its old place; the next gate evaluation writes it anew at .deny-store";
  if (set->heal_register)
    return "the sentinel does not list every marker; the next gate evaluation registers them";
  return NULL;
}
