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

/* Whether the plain file that `path` (a compressed one) was made from is among `list`, which is sorted by path. */
static bool plain_is_listed(const struct bt_source *list, size_t count, const char *path) {
  size_t length = strlen(path) - strlen(ZST), from = 0, to = count;
  while (from < to) {
    size_t middle = from + (to - from) / 2;
    int order = strncmp(list[middle].path, path, length);
    if (order == 0 && list[middle].path[length] == '\0')
      return list[middle].sys_errno == 0;
    if (order < 0)
      from = middle + 1;
    else
      to = middle;
  }
  return false;
}

/* Marks the compressed ones; one whose plain file is there too is left out. */
static void settle_compressed(struct bt_sources *sources, size_t from) {
  if (sources->count > from)
    qsort(sources->list + from, sources->count - from, sizeof *sources->list, by_path);
  size_t kept = from;
  for (size_t i = from; i < sources->count; i++) {
    struct bt_source *source = &sources->list[i];
    bool compressed = bt_ends_with(source->path, ZST);
    if (compressed && plain_is_listed(sources->list + from, kept - from, source->path)) {
      free(source->path);
      free(source->stem);
      free(source->parent_id);
      free(source->cwd);
      continue;
    }
    if (compressed)
      source->kind = BT_SOURCE_COMPRESSED;
    sources->list[kept++] = *source;
  }
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
