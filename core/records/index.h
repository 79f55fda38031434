/* core/records/index.h - INDEX.json: one row a session, made from the manifests alone.
 *
 * Rules: spec/session-records.md 8.7, 9.3. */
#ifndef BATON_CORE_RECORDS_INDEX_H
#define BATON_CORE_RECORDS_INDEX_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/base/json.h"

struct bt_store_lock;

#define BT_INDEX_NAME "INDEX.json"
#define BT_PROJECTS_NAME "projects"

struct bt_record_row {
  char *project, *folder; /* names as the file system has them */
  struct bt_json *json;   /* the row; `id` and `project` are those names as text */
};

struct bt_record_index {
  struct bt_record_row *rows; /* in the order of the file */
  size_t count, capacity;
};

void bt_record_index_dispose(struct bt_record_index *index); /* of a zeroed or a made one */

/* Reads every manifest below the open root; sessions whose manifest cannot be used are passed over. A store without
 * projects gives an empty index. BT_NOMEM, BT_IO. */
enum bt_code bt_record_index_make(struct bt_record_index *index, int root, struct bt_error *err) BT_NODISCARD;

/* Makes INDEX.json say so, and the projects folder exist; writes nothing where it says so already. `lock` holds
 * BT_LOCK_STORE (core/records/write.h), or is not held because there can be none. BT_NOMEM, BT_IO. */
enum bt_code bt_record_index_write(const struct bt_record_index *index, int root, const struct bt_store_lock *lock,
                                   struct bt_error *err) BT_NODISCARD;
enum bt_code bt_record_index_remake(int root, const struct bt_store_lock *lock,
                                    struct bt_error *err) BT_NODISCARD; /* make and write */

/* Opens the root, made if absent, and remakes its index; `readonly` makes and writes nothing, and a store that cannot
 * be written is read as it is. -1 on failure. The caller closes and disposes, and must not hold a lock of this store.
 */
int bt_record_index_open(struct bt_record_index *index, const char *root, bool readonly,
                         struct bt_error *err) BT_NODISCARD;

/* The one row that a prefix means. NULL: BT_MISSING (none) or BT_REFUSED (several). */
const struct bt_record_row *bt_record_index_find(const struct bt_record_index *index, const char *prefix,
                                                 struct bt_error *err) BT_NODISCARD;

/* The first row whose id or uuid is `session`, or NULL. */
const struct bt_record_row *bt_record_index_exact(const struct bt_record_index *index, const char *session);

/* Opens the folder of a session (or of a project, with `folder` NULL). -1 on failure. */
int bt_session_open(int root, const char *project, const char *folder, struct bt_error *err) BT_NODISCARD;

#endif
