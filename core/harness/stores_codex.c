/* core/harness/stores_codex.c - Codex: dated folders below sessions/, archived_sessions/, and files swapped for
 * compressed ones.
 *
 * Rules: spec/transcripts.md 1.2. */
#include "core/harness/stores.h"

#include <stdlib.h>
#include <string.h>

#define PATH_BYTES_MAX 65536
#define ZST ".zst"

static bool takes(const char *name) {
  return bt_starts_with(name, "rollout-") && (bt_ends_with(name, ".jsonl") || bt_ends_with(name, ".jsonl" ZST));
}

static int by_path(const void *a, const void *b) {
  return strcmp(((const struct bt_source *)a)->path, ((const struct bt_source *)b)->path);
}

/* Whether the plain file that `path` (a compressed one) was made from is listed too; the list is sorted by path, so it
 * lies just before. */
static bool plain_is_listed(const struct bt_sources *sources, size_t at) {
  const char *path = sources->list[at].path;
  size_t length = strlen(path) - strlen(ZST);
  return at > 0 && strlen(sources->list[at - 1].path) == length &&
         memcmp(sources->list[at - 1].path, path, length) == 0 && sources->list[at - 1].sys_errno == 0;
}

/* Marks the compressed ones; one whose plain file is there too is left out. */
static void settle_compressed(struct bt_sources *sources, size_t from) {
  if (sources->count > from)
    qsort(sources->list + from, sources->count - from, sizeof *sources->list, by_path);
  size_t kept = from;
  for (size_t i = from; i < sources->count; i++) {
    struct bt_source *source = &sources->list[i];
    bool compressed = bt_ends_with(source->path, ZST);
    if (compressed && plain_is_listed(sources, i)) {
      free(source->path);
      free(source->stem);
      free(source->parent_id);
      free(source->cwd);
      sources->list[i].path = NULL;
      continue;
    }
    if (compressed)
      source->kind = BT_SOURCE_COMPRESSED;
  }
  for (size_t i = from; i < sources->count; i++)
    if (sources->list[i].path)
      sources->list[kept++] = sources->list[i];
  sources->count = kept;
}

void bt_store_codex(struct bt_sources *sources, const char *root) {
  struct bt_source like = {.harness = BT_HARNESS_CODEX};
  struct bt_str path;
  size_t from = sources->count;
  bt_str_init(&path, PATH_BYTES_MAX);
  bt_store_walk(sources, bt_store_path(&path, root, "sessions"),
                &(struct bt_store_walk){.like = &like, .takes = takes, .depth = 4});
  like.archived = true;
  bt_store_walk(sources, bt_store_path(&path, root, "archived_sessions"),
                &(struct bt_store_walk){.like = &like, .takes = takes, .depth = 1});
  bt_str_dispose(&path);
  settle_compressed(sources, from);
}
