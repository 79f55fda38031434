/* core/harness/stores_opencode.c - OpenCode: the JSON tree below storage/; a database alone is said, not read.
 *
 * Rules: spec/transcripts.md 1.3. What a session's files look like together (core/harness/tree.h) stands in
 * the place of the one file's times. */
#include "core/harness/stores.h"

#include <string.h>
#include <sys/stat.h>

#include "core/base/error.h"
#include "core/harness/tree.h"

#define PATH_BYTES_MAX 65536

struct tree {
  const char *root;
  size_t sessions;
};

static bool takes_json(const char *name) {
  return bt_ends_with(name, ".json");
}

static void note_unlisted(struct bt_sources *sources, const char *root, const char *stem, int sys_errno) {
  struct bt_str path, text;
  bt_str_init(&path, PATH_BYTES_MAX);
  bt_str_init(&text, 256);
  bt_str_printf(&path, "%s/storage/message/%s", root, stem);
  bt_str_printf(&text, "the folder cannot be listed (%s)", bt_errno_name(sys_errno));
  bt_sources_note(sources, path.data, text.data);
  bt_str_dispose(&path);
  bt_str_dispose(&text);
}

static void take_session(struct bt_sources *sources, const char *folder, const char *name, void *context) {
  struct tree *tree = context;
  const struct bt_source like = {.harness = BT_HARNESS_OPENCODE, .kind = BT_SOURCE_TREE};
  if (!takes_json(name))
    return;
  struct bt_source *source = bt_sources_add(sources, folder, name, &like);
  if (!source)
    return;
  struct bt_tree_stamp stamp = bt_tree_stamp(source->path);
  source->mtime_ns = stamp.newest_ns > source->mtime_ns ? stamp.newest_ns : source->mtime_ns;
  source->ctime_ns = stamp.mark;
  if (stamp.sys_errno)
    note_unlisted(sources, tree->root, source->stem, stamp.sys_errno);
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
