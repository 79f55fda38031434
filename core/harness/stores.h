/* core/harness/stores.h - one function a store: adds its session files to a listing. Private to core/harness/stores*.c.
 *
 * Rules: spec/transcripts.md 1. `root` is the store's own folder, bytes. Failures are in `sources`. */
#ifndef BATON_CORE_HARNESS_STORES_H
#define BATON_CORE_HARNESS_STORES_H

#include "core/base/str.h"
#include "core/harness/source.h"

void bt_store_claude(struct bt_sources *sources, const char *root);
void bt_store_codex(struct bt_sources *sources, const char *root);
void bt_store_pi(struct bt_sources *sources, const char *root);
void bt_store_gemini(struct bt_sources *sources, const char *root); /* the .gemini folder */
void bt_store_opencode(struct bt_sources *sources, const char *root);

/* `folder`/`name` into `out`, which is cleared first; its text. */
const char *bt_store_path(struct bt_str *out, const char *folder, const char *name);

/* Goes down `depth` levels of folders and adds the files that a store's filter takes. `like` is copied. */
struct bt_store_walk {
  const struct bt_source *like;
  bool (*takes)(const char *name);
  int depth;
};
void bt_store_walk(struct bt_sources *sources, const char *folder, const struct bt_store_walk *walk);

bool bt_store_takes_lines(const char *name); /* *.jsonl */

#endif
