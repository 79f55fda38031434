/* core/harness/stores_claude.c - Claude Code: projects/<dir>/<session>.jsonl, sub-agents below <session>/subagents.
 *
 * Rules: spec/transcripts.md 1.1. The folder's name is never decoded: the working folder comes from the records. */
#include "core/harness/stores.h"

#include <string.h>

#include "core/base/utf8.h"

#define PATH_BYTES_MAX 65536
#define SUBAGENT_DEPTH 6

static bool takes_agents(const char *name) {
  return bt_starts_with(name, "agent-") && bt_ends_with(name, ".jsonl");
}

static void take_entry(struct bt_sources *sources, const char *folder, const char *name, void *context) {
  (void)context;
  struct bt_source like = {.harness = BT_HARNESS_CLAUDE, .is_subagent = takes_agents(name)};
  if (bt_store_takes_lines(name)) {
    (void)bt_sources_add(sources, folder, name, &like);
    return;
  }
  struct bt_str path, parent;
  bt_str_init(&path, PATH_BYTES_MAX);
  bt_str_init(&parent, PATH_BYTES_MAX);
  bt_utf8_decode8(&parent, name, strlen(name));
  bt_str_printf(&path, "%s/%s/subagents", folder, name);
  like.is_subagent = true;
  like.parent_id = parent.data;
  bt_store_walk(sources, path.data,
                &(struct bt_store_walk){.like = &like, .takes = takes_agents, .depth = SUBAGENT_DEPTH});
  bt_str_dispose(&path);
  bt_str_dispose(&parent);
}

static void take_project(struct bt_sources *sources, const char *folder, const char *name, void *context) {
  struct bt_str path;
  bt_str_init(&path, PATH_BYTES_MAX);
  bt_sources_each(sources, bt_store_path(&path, folder, name), take_entry, context);
  bt_str_dispose(&path);
}

void bt_store_claude(struct bt_sources *sources, const char *root) {
  struct bt_str path;
  bt_str_init(&path, PATH_BYTES_MAX);
  bt_sources_each(sources, bt_store_path(&path, root, "projects"), take_project, NULL);
  bt_str_dispose(&path);
}
