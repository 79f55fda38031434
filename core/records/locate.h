/* core/records/locate.h - the store file that a session id or a path means, and which adapter reads it.
 *
 * Rules: spec/transcripts.md 1. Never a guess: a path outside every known store needs a label. */
#ifndef BATON_CORE_RECORDS_LOCATE_H
#define BATON_CORE_RECORDS_LOCATE_H

#include "core/base/error.h"
#include "core/env.h"
#include "core/model/transcript.h"
#include "core/records/build.h"

/* `session`: an id, the beginning of one that is alone, or a path (bytes). `label`: --harness, or NULL. `*path`
 * (absolute, to be freed) and `*harness` (static) are set on success, and whether it was a path that was given.
 * BT_MISSING, BT_REFUSED (several), BT_INPUT (no adapter). */
enum bt_code bt_locate_session(const struct bt_env *env, const char *session, const char *label, char **path,
                               const char **harness, bool *by_path, struct bt_error *err) BT_NODISCARD;

/* The label of a harness's adapter; NULL: there is none. */
const char *bt_locate_label(enum bt_harness harness);

/* A session of a store as the source of a build: adapted while it is read. */
struct bt_store_source {
  struct bt_build_source source;
  const char *harness, *path;
  char *name, *model;
  uint64_t unparsed, unknown; /* of the last pass */
  bool left_last;
};
/* `name`: the path as it was given, as text; NULL: the path itself. All but the error are borrowed. */
enum bt_code bt_store_source_open(struct bt_store_source *store, const char *harness, const char *path,
                                  const char *name, struct bt_error *err) BT_NODISCARD;
void bt_store_source_close(struct bt_store_source *store);

#endif
