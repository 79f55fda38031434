/* core/harness/stores.c - where the stores are, with every variable that moves one, and what their walks share. */
#include "core/harness/stores.h"

#include <string.h>
#include <sys/stat.h>

#include "core/base/fs.h"
#include "core/env.h"

#define PATH_BYTES_MAX 65536

const char *bt_store_path(struct bt_str *out, const char *folder, const char *name) {
  bt_str_clear(out);
  bt_str_printf(out, "%s/%s", folder, name);
  return out->data;
}

bool bt_store_takes_lines(const char *name) {
  return bt_ends_with(name, ".jsonl");
}

static bool is_folder(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void walk_entry(struct bt_sources *sources, const char *folder, const char *name, void *context) {
  const struct bt_store_walk *walk = context;
  if (walk->takes(name)) {
    (void)bt_sources_add(sources, folder, name, walk->like);
    return;
  }
  struct bt_str path;
  bt_str_init(&path, PATH_BYTES_MAX);
  if (walk->depth > 0 && is_folder(bt_store_path(&path, folder, name))) {
    struct bt_store_walk below = *walk;
    below.depth--;
    bt_store_walk(sources, path.data, &below);
  }
  bt_str_dispose(&path);
}

void bt_store_walk(struct bt_sources *sources, const char *folder, const struct bt_store_walk *walk) {
  struct bt_store_walk copy = *walk;
  bt_sources_each(sources, folder, walk_entry, &copy);
}

/* ---- roots ---- */

/* An override that is set and not empty; NULL otherwise. */
static const char *override_of(const struct bt_env *env, const char *name) {
  const char *value = env->getenv_fn ? env->getenv_fn(env->getenv_context, name) : NULL;
  return value && *value ? value : NULL;
}

/* The override (against the working folder), else `home`/`fallback`. */
static void root_of(struct bt_str *out, const struct bt_env *env, const char *override, const char *fallback) {
  bt_str_clear(out);
  if (override && bt_path_resolve(out, env->cwd ? env->cwd : "/", override) == BT_OK)
    return;
  bt_str_clear(out);
  if (fallback[0] == '/')
    bt_str_puts(out, fallback);
  else
    bt_str_printf(out, "%s/%s", env->home ? env->home : "", fallback);
}

static void list_claude(struct bt_sources *sources, const struct bt_env *env, struct bt_str *root) {
  const char *override = override_of(env, "CLAUDE_CONFIG_DIR");
  root_of(root, env, override, env->claude_dir ? env->claude_dir : ".claude");
  bt_store_claude(sources, root->data);
  if (override)
    return;
  root_of(root, env, NULL, ".config/claude"); /* for some weeks of 2025 */
  bt_store_claude(sources, root->data);
}

static void list_opencode(struct bt_sources *sources, const struct bt_env *env, struct bt_str *root) {
  const char *data = override_of(env, "XDG_DATA_HOME");
  root_of(root, env, data && data[0] == '/' ? data : NULL, ".local/share");
  bt_str_puts(root, "/opencode");
  bt_store_opencode(sources, root->data);
}

enum bt_code bt_stores_list(struct bt_sources *sources, const struct bt_env *env) {
  struct bt_str root;
  bt_str_init(&root, PATH_BYTES_MAX);
  list_claude(sources, env, &root);
  root_of(&root, env, override_of(env, "CODEX_HOME"), ".codex");
  bt_store_codex(sources, root.data);
  root_of(&root, env, override_of(env, "GEMINI_CLI_HOME"), "");
  bt_str_puts(&root, bt_ends_with(root.data, "/") ? ".gemini" : "/.gemini");
  bt_store_gemini(sources, root.data);
  root_of(&root, env, override_of(env, "PI_CODING_AGENT_DIR"), ".pi/agent");
  bt_store_pi(sources, root.data);
  list_opencode(sources, env, &root);
  if (env->sample_dir) {
    size_t others = sources->count;
    bt_store_claude(sources, bt_store_path(&root, env->sample_dir, "claude"));
    bt_store_codex(sources, bt_store_path(&root, env->sample_dir, "codex"));
    for (size_t i = others; i < sources->count; i++)
      sources->list[i].is_sample = true;
  }
  bool failed = sources->failed || root.failed;
  bt_str_dispose(&root);
  return failed ? BT_NOMEM : BT_OK;
}
