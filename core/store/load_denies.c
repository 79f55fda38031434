/* core/store/load_denies.c - deny markers and the health of their store, for a snapshot. Looking never heals. */
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/json.h"
#include "core/base/str.h"
#include "core/base/utf8.h"
#include "core/model/idlist.h"
#include "core/store/deny.h"
#include "core/store/loading.h"
#include "core/store/path.h"

#define INVALID_PREFIX "invalid:"

static enum bt_code add_deny(struct bt_loading *load, const char *id, const char *reason, const struct bt_json *record,
                             bool registered) {
  struct bt_deny *deny = bt_list_add(&load->denies, sizeof(*deny));
  if (!deny || !bt_loading_session(load, id))
    return bt_loading_no_memory(load);
  enum bt_code code = bt_deny_plain(load->arena, id, reason, record, registered, deny, load->err);
  if (code != BT_OK)
    return code;
  deny->plain_binds = record && bt_deny_binds_plain(record);
  return record ? BT_OK : bt_loading_problem(load, deny->path, "deny record does not count: %s", deny->reason);
}

static enum bt_code add_invalid(struct bt_loading *load, const struct bt_json *record, struct bt_idlist *registered,
                                bool *vanished) {
  const char *id = bt_json_get_string(record, "session_id"), *status = bt_json_get_string(record, "status");
  if (!id || !status || strcmp(id, BT_DENY_STORE_ID) == 0)
    return BT_OK;
  const char *reason = bt_starts_with(status, INVALID_PREFIX) ? status + strlen(INVALID_PREFIX) : status;
  *vanished |= strcmp(reason, "missing_registered_marker") == 0;
  return add_deny(load, id, reason, NULL, bt_idlist_has(registered, id));
}

/* Where nothing can be said about the store, every session that it lists is refused for that reason. */
static enum bt_code add_unavailable(struct bt_loading *load, const struct bt_deny_set *set) {
  enum bt_code code = bt_loading_problem(load, BT_PATH_DENIES, "the deny store is unavailable: %s", set->reason);
  const struct bt_json *one = bt_json_first(set->registered);
  for (; one && code == BT_OK; one = bt_json_next(one))
    if (!bt_loading_find(load, bt_json_string(one)))
      code = add_deny(load, bt_json_string(one), set->reason, NULL, true);
  return code;
}

static enum bt_code fill_store(struct bt_loading *load, const struct bt_deny_set *set, bool vanished) {
  struct bt_deny_store *store = &load->snapshot->store;
  size_t count = bt_json_count(set->registered);
  store->ok = set->ok && !vanished;
  store->reason = set->ok ? vanished ? "missing_registered_marker" : NULL : bt_arena_strdup(load->arena, set->reason);
  store->expected = set->sentinel_expected;
  store->legacy = set->legacy;
  store->unavailable = set->unavailable;
  store->heal_due = bt_deny_set_heal_due(set);
  store->registered = BT_ARENA_ARRAY(load->arena, const char *, count ? count : 1);
  if (!store->registered || (!store->ok && !store->reason))
    return bt_loading_no_memory(load);
  for (const struct bt_json *one = bt_json_first(set->registered); one; one = bt_json_next(one)) {
    const char *id = bt_arena_strdup(load->arena, bt_json_string(one));
    if (!id)
      return bt_loading_no_memory(load);
    store->registered[store->registered_count++] = id;
  }
  return BT_OK;
}

static char name_byte(const char *id, size_t length, size_t at) {
  static const char suffix[] = ".json";
  return at < length ? id[at] : at - length < sizeof(suffix) ? suffix[at - length] : '\0';
}

/* Byte order of the file names: `a-b.json` stands before `a.json`. */
static int by_file_name(const void *a, const void *b) {
  const struct bt_deny *x = a, *y = b;
  size_t x_length = strlen(x->session_id), y_length = strlen(y->session_id);
  for (size_t at = 0;; at++) {
    unsigned char left = (unsigned char)name_byte(x->session_id, x_length, at);
    unsigned char right = (unsigned char)name_byte(y->session_id, y_length, at);
    if (left != right)
      return left < right ? -1 : 1;
    if (!left)
      return 0;
  }
}

enum bt_code bt_load_denies(struct bt_loading *load) {
  struct bt_deny_load_options options = {.mode = BT_DENY_AS_IS};
  struct bt_deny_set set;
  struct bt_idlist registered = {0};
  bool vanished = false;
  enum bt_code code = bt_deny_load(load->dir, &options, &set, load->err);
  if (code == BT_OK)
    code = bt_idlist_add_ids(&registered, set.registered, load->err);
  const struct bt_json *one = code == BT_OK ? bt_json_first(set.records) : NULL;
  for (; one && code == BT_OK; one = bt_json_next(one)) {
    const char *id = bt_json_get_string(one, "session_id");
    code = add_deny(load, id, "ok", one, bt_idlist_has(&registered, id));
  }
  one = code == BT_OK ? bt_json_first(set.invalid) : NULL;
  for (; one && code == BT_OK; one = bt_json_next(one))
    code = add_invalid(load, one, &registered, &vanished);
  if (code == BT_OK && set.unavailable)
    code = add_unavailable(load, &set);
  if (code == BT_OK)
    code = fill_store(load, &set, vanished);
  if (code == BT_OK && load->denies.count)
    qsort(load->denies.items, load->denies.count, sizeof(struct bt_deny), by_file_name);
  bt_idlist_dispose(&registered);
  bt_deny_set_dispose(&set);
  return code;
}
