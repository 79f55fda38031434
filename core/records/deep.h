/* core/records/deep.h - the deeper look at a session's folder: every render made again from the timeline and compared,
 * the source hashed again where it is.
 *
 * Reads only, in bounded memory. Says of each file whether it is proved, changed, or what of it nothing covers. */
#ifndef BATON_CORE_RECORDS_DEEP_H
#define BATON_CORE_RECORDS_DEEP_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/records/store.h"

enum bt_deep_verdict { BT_DEEP_PROVED, BT_DEEP_CHANGED, BT_DEEP_NOT_COVERED };
const char *bt_deep_word(enum bt_deep_verdict verdict); /* "proved", "changed", "not covered" */

#define BT_DEEP_PARTS_MAX 64
struct bt_deep_part {
  enum bt_deep_verdict verdict;
  char *name;  /* internal text; a file of the folder, or `source …` */
  char *words; /* why; what of it is not covered */
};
struct bt_deep {
  struct bt_deep_part parts[BT_DEEP_PARTS_MAX];
  size_t count;
  size_t changed;
  bool failed; /* memory was short */
};
void bt_deep_init(struct bt_deep *deep);
void bt_deep_dispose(struct bt_deep *deep);

/* Looks at an open session folder called `folder`. BT_OK whatever was found; BT_NOMEM, BT_IO. `records` gives the
 * working folder that relative source paths are taken from. */
enum bt_code bt_deep_look(struct bt_deep *deep, const struct bt_records *records, int dir, const char *folder,
                          struct bt_error *err) BT_NODISCARD;

/* ---- the source alone (core/records/deep_source.c) ---- */

enum bt_source_state { BT_SOURCE_UNCHANGED, BT_SOURCE_GROWN, BT_SOURCE_OTHER, BT_SOURCE_GONE, BT_SOURCE_STATE_COUNT };

/* What became of the source `path` (as the manifest holds it) whose bytes had this hash when they were last read.
 * `harness`: the manifest's label; a file that an adapter of that label read is adapted again. BT_NOMEM only. */
enum bt_code bt_source_look(const struct bt_env *env, const char *path, const char *harness, const char *raw_sha256,
                            enum bt_source_state *state, bool *adapted, struct bt_error *err) BT_NODISCARD;

/* ---- for core/records/deep*.c only ---- */

void bt_deep_add(struct bt_deep *deep, enum bt_deep_verdict verdict, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Whether the source gives the timeline line by line. */
enum bt_code bt_source_gives(const struct bt_env *env, const char *path, const char *harness, bool adapted,
                             int timeline, int64_t timeline_end, bool *gives, struct bt_error *err) BT_NODISCARD;

/* core/records/deep_renders.c */
struct bt_json;
struct bt_gist;
enum bt_code bt_deep_renders(struct bt_deep *deep, int dir, const char *folder, const struct bt_json *manifest,
                             const struct bt_gist *gist, int timeline, int64_t timeline_end,
                             struct bt_error *err) BT_NODISCARD;

#endif
