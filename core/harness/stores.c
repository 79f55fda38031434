/* core/harness/stores.c - where the stores are, with every variable that moves one, and what their walks share. */
#include "core/harness/stores.h"

#include <stdlib.h>
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

/* Lists the store below `root` and notes it; nothing is listed where memory is short. */
static struct bt_store *list(struct bt_sources *sources, enum bt_harness harness, const struct bt_str *root,
                             void (*store)(struct bt_sources *sources, const char *root)) {
  char *copy = root->failed || sources->store_count == BT_STORES_MAX ? NULL : strdup(root->data);
  if (!copy) {
    sources->failed = true;
    return NULL;
  }
  struct bt_store *listed = &sources->stores[sources->store_count++];
  *listed = (struct bt_store){.harness = harness, .root = copy};
  size_t before = sources->count;
  store(sources, copy);
  listed->files = sources->count - before;
  return listed;
}

struct root {                   /* how one is found */
  const char *variable, *below; /* that moves it, and what lies below its value */
  const char *usual;            /* below the home folder, or absolute */
};

/* The variable's value (against the working folder), else the usual place. True: the variable moved it. */
static bool find_root(struct bt_str *out, const struct bt_env *env, const struct root *root) {
  const char *value = root->variable ? override_of(env, root->variable) : NULL;
  bt_str_clear(out);
  if (value && bt_path_resolve(out, env->cwd ? env->cwd : "/", value) == BT_OK) {
    bt_str_puts(out, root->below + (bt_ends_with(out->data, "/") && *root->below ? 1 : 0));
    return true;
  }
  bt_str_clear(out);
  if (root->usual[0] == '/')
    bt_str_puts(out, root->usual);
  else
    bt_str_printf(out, "%s/%s", env->home ? env->home : "", root->usual);
  return false;
}

/* Whether a variable moved it. */
static bool list_at(struct bt_sources *sources, const struct bt_env *env, enum bt_harness harness, struct root root,
                    void (*store)(struct bt_sources *sources, const char *root)) {
  struct bt_str path;
  bt_str_init(&path, PATH_BYTES_MAX);
  bool moved = find_root(&path, env, &root);
  struct bt_store *listed = list(sources, harness, &path, store);
  if (listed && moved)
    listed->variable = root.variable;
  bt_str_dispose(&path);
  return moved;
}

static void list_sample(struct bt_sources *sources, const char *folder, enum bt_harness harness, const char *name,
                        void (*store)(struct bt_sources *sources, const char *root)) {
  struct bt_str path;
  bt_str_init(&path, PATH_BYTES_MAX);
  (void)bt_store_path(&path, folder, name);
  size_t before = sources->count;
  struct bt_store *listed = list(sources, harness, &path, store);
  if (listed)
    listed->is_sample = true;
  for (size_t i = before; i < sources->count; i++)
    sources->list[i].is_sample = true;
  bt_str_dispose(&path);
}

enum bt_code bt_stores_list(struct bt_sources *sources, const struct bt_env *env) {
  const char *claude = env->claude_dir ? env->claude_dir : ".claude";
  const char *data = override_of(env, "XDG_DATA_HOME"); /* a relative one does not count */
  if (!list_at(sources, env, BT_HARNESS_CLAUDE, (struct root){"CLAUDE_CONFIG_DIR", "", claude}, bt_store_claude))
    (void)list_at(sources, env, BT_HARNESS_CLAUDE,
                  (struct root){NULL, "", ".config/claude"}, /* for some weeks of 2025 */
                  bt_store_claude);
  (void)list_at(sources, env, BT_HARNESS_CODEX, (struct root){"CODEX_HOME", "", ".codex"}, bt_store_codex);
  (void)list_at(sources, env, BT_HARNESS_GEMINI, (struct root){"GEMINI_CLI_HOME", "/.gemini", ".gemini"},
                bt_store_gemini);
  (void)list_at(sources, env, BT_HARNESS_PI, (struct root){"PI_CODING_AGENT_DIR", "", ".pi/agent"}, bt_store_pi);
  (void)list_at(sources, env, BT_HARNESS_OPENCODE,
                (struct root){data && data[0] == '/' ? "XDG_DATA_HOME" : NULL, "/opencode", ".local/share/opencode"},
                bt_store_opencode);
  if (env->sample_dir) {
    list_sample(sources, env->sample_dir, BT_HARNESS_CLAUDE, "claude", bt_store_claude);
    list_sample(sources, env->sample_dir, BT_HARNESS_CODEX, "codex", bt_store_codex);
  }
  return sources->failed ? BT_NOMEM : BT_OK;
}
