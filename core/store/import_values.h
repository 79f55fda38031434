/* core/store/import_values.h - reading one member of an imported document; for core/store/import*.c only.
 *
 * A member of the wrong type counts as absent. When memory is short `failed` says so and everything after is absent. */
#ifndef BATON_CORE_STORE_IMPORT_VALUES_H
#define BATON_CORE_STORE_IMPORT_VALUES_H

#include "core/base/json.h"
#include "core/model/snapshot.h"

struct bt_import {
  struct bt_arena *arena;
  bool failed; /* memory was short */
};

const char *bt_import_keep(struct bt_import *import, const char *text); /* a copy; NULL stays NULL */
const char *bt_import_text(struct bt_import *import, const struct bt_json *object, const char *key);
const char *bt_import_said(struct bt_import *import, const struct bt_json *object, const char *key); /* "?" for none */
int64_t bt_import_time(const struct bt_json *object, const char *key);                /* BT_TIME_UNKNOWN */
bool bt_import_number(const struct bt_json *object, const char *key, double *number); /* false: 0 */
int64_t bt_import_count(const struct bt_json *object, const char *key);               /* 0 for what is none */
bool bt_import_flag(const struct bt_json *object, const char *key);
bool bt_import_is_object(const struct bt_json *value);

/* The value below `count` whose word stands under `key`; `otherwise` for none of them. */
int bt_import_word(const struct bt_json *object, const char *key, const char *(*word)(int value), int count,
                   int otherwise);
/* The words of an enum as such a `word`. */
#define BT_IMPORT_WORDS(name, type, function) \
  static const char *name(int value) {        \
    return function((enum type)value);        \
  }

/* A zeroed array for the elements of the member `key`; *count how many, *first the first of them. NULL: none. */
void *bt_import_array(struct bt_import *import, const struct bt_json *object, const char *key, size_t size,
                      size_t *count, const struct bt_json **first);

/* ---- core/store/import_records.c: NULL where `from` is no object ---- */
void bt_import_deny(struct bt_import *import, const struct bt_json *from, struct bt_deny *deny);
void bt_import_lock(struct bt_import *import, const struct bt_json *from, struct bt_lock *lock);
struct bt_capture *bt_import_capture(struct bt_import *import, const struct bt_json *session);
struct bt_final *bt_import_final(struct bt_import *import, const struct bt_json *from);
struct bt_auth *bt_import_auth(struct bt_import *import, const struct bt_json *from);
struct bt_grant *bt_import_grant(struct bt_import *import, const struct bt_json *from, const char *session);

/* ---- core/store/import_transcript.c: leaves the session as it is where `from` tells of no transcript ---- */
void bt_import_transcript(struct bt_import *import, const struct bt_json *from, struct bt_session *session);

#endif
