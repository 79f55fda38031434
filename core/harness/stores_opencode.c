/* core/harness/stores_opencode.c - OpenCode: the JSON tree below storage/; a database alone is said, not read.
 *
 * Rules: spec/transcripts.md 1.3. A session's stamp is the newest of its own file, its folder of messages, the last
 * message and the last part of that: OpenCode writes what is under way in place. */
#include "core/harness/stores.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PATH_BYTES_MAX 65536

struct tree {
  const char *root;
  size_t sessions;
};

static bool takes_json(const char *name) {
  return bt_ends_with(name, ".json");
}

static void newer(struct bt_source *source, const char *path) {
  struct stat st;
  if (stat(path, &st) != 0)
    return;
  int64_t mtime_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
  if (mtime_ns > source->mtime_ns)
    source->mtime_ns = mtime_ns;
}

struct last {
  char *name; /* owned */
};

static void take_last(struct bt_sources *sources, const char *folder, const char *name, void *context) {
  (void)sources;
  (void)folder;
  struct last *last = context;
  if (!takes_json(name))
    return;
  free(last->name);
  last->name = strdup(name); /* names come in byte order */
}

/* Counts the folder and the last file in it; that file's name goes to `last`. */
static void newest_in(struct bt_sources *sources, struct bt_source *source, const char *folder, struct last *last) {
  struct bt_str path;
  bt_str_init(&path, PATH_BYTES_MAX);
  newer(source, folder);
  bt_sources_each(sources, folder, take_last, last);
  if (last->name)
    newer(source, bt_store_path(&path, folder, last->name));
  bt_str_dispose(&path);
}

static void take_session(struct bt_sources *sources, const char *folder, const char *name, void *context) {
  struct tree *tree = context;
  const struct bt_source like = {.harness = BT_HARNESS_OPENCODE, .kind = BT_SOURCE_TREE};
  if (!takes_json(name))
    return;
  struct bt_source *source = bt_sources_add(sources, folder, name, &like);
  if (!source)
    return;
  struct bt_str path;
  bt_str_init(&path, PATH_BYTES_MAX);
  bt_str_printf(&path, "%s/storage/message/%s", tree->root, source->stem);
  struct last message = {NULL}, part = {NULL};
  newest_in(sources, source, path.data, &message);
  if (message.name) {
    bt_str_clear(&path);
    bt_str_printf(&path, "%s/storage/part/%.*s", tree->root, (int)(strlen(message.name) - strlen(".json")),
                  message.name);
    newest_in(sources, source, path.data, &part);
  }
  free(message.name);
  free(part.name);
  bt_str_dispose(&path);
  tree->sessions++;
}

static void take_project(struct bt_sources *sources, const char *folder, const char *name, void *context) {
  struct bt_str path;
  bt_str_init(&path, PATH_BYTES_MAX);
  bt_sources_each(sources, bt_store_path(&path, folder, name), take_session, context);
  bt_str_dispose(&path);
}

void bt_store_opencode(struct bt_sources *sources, const char *root) {
  struct tree tree = {.root = root};
  struct bt_str path;
  struct stat st;
  bt_str_init(&path, PATH_BYTES_MAX);
  bt_sources_each(sources, bt_store_path(&path, root, "storage/session"), take_project, &tree);
  if (stat(bt_store_path(&path, root, "opencode.db"), &st) == 0)
    bt_sources_note(sources, path.data,
                    tree.sessions
                        ? "newer sessions are in this database, which is not read"
                        : "the sessions are in this database, which is not read (opencode export prints one)");
  bt_str_dispose(&path);
}
