/* core/store/load.c - one snapshot of everything under the ledger folder, in one arena. */
#include "core/store/load.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/harness/wiring.h"
#include "core/store/loading.h"
#include "core/store/repo.h"
#include "core/store/sample.h"

#define ARENA_MAX ((size_t)256 * 1024 * 1024) /* a ledger beyond this is no ledger that a person could triage */

/* The ledger's path with the home directory as ~. */
static const char *shorten(struct bt_arena *arena, const struct bt_env *env) {
  size_t length = env->home ? strlen(env->home) : 0;
  if (length > 1 && strncmp(env->ledger_dir, env->home, length) == 0 && env->ledger_dir[length] == '/')
    return bt_arena_printf(arena, "~%s", env->ledger_dir + length);
  return bt_arena_strdup(arena, env->ledger_dir);
}

static bool describe_place(struct bt_loading *load) {
  const struct bt_env *env = load->env;
  struct bt_snapshot *snapshot = load->snapshot;
  snapshot->taken_at_ms = bt_env_now(env);
  snapshot->root = bt_arena_strdup(load->arena, env->root);
  snapshot->ledger_dir = bt_arena_strdup(load->arena, env->ledger_dir);
  snapshot->ledger_short = shorten(load->arena, env);
  snapshot->project = bt_arena_strdup(load->arena, bt_path_basename(env->root));
  snapshot->host = bt_arena_strdup(load->arena, env->host);
  snapshot->user = bt_arena_strdup(load->arena, env->user ? env->user : "?");
  snapshot->key_loaded = env->key && env->key_length > 0;
  snapshot->key_is_sample = env->key_is_sample;
  snapshot->readonly = env->readonly;
  snapshot->deny_switch_on = bt_gate_is_on(env);
  return snapshot->root && snapshot->ledger_dir && snapshot->ledger_short && snapshot->project && snapshot->host &&
         snapshot->user;
}

/* Opens the ledger folder; its absence is an answer too. */
static enum bt_code open_ledger(struct bt_loading *load) {
  struct bt_error why = {0};
  struct stat st;
  load->dir = bt_fs_open_root(load->env->ledger_dir, &why);
  if (load->dir < 0) {
    if (why.code == BT_MISSING || why.sys_errno == ENOENT)
      return BT_OK;
    if (load->err)
      *load->err = why;
    return why.code ? why.code : BT_IO;
  }
  load->snapshot->ledger_present = true;
  if (fstat(load->dir, &st) == 0) {
    load->snapshot->owner_uid = (unsigned)st.st_uid;
    load->snapshot->foreign_owner = st.st_uid != load->env->uid;
  }
  load->snapshot->sample = bt_sample_is(load->dir, NULL);
  return BT_OK;
}

static enum bt_code fill(struct bt_loading *load) {
  if (!describe_place(load))
    return bt_loading_no_memory(load);
  enum bt_code code = open_ledger(load);
  if (code == BT_OK)
    code = bt_load_denies(load);
  if (code == BT_OK)
    code = bt_load_folders(load);
  if (code == BT_OK)
    code = bt_load_gates(load);
  if (code == BT_OK)
    code = bt_load_join(load);
  if (code == BT_OK && (load->flags & BT_LOAD_GIT))
    code = bt_repo_load(load->env, load->arena, &load->snapshot->repo, load->err);
  if (code != BT_OK)
    return code;
  load->snapshot->problems = bt_list_freeze(&load->problems, sizeof(struct bt_problem), load->arena);
  load->snapshot->problem_count = load->problems.count;
  return load->snapshot->problems ? BT_OK : bt_loading_no_memory(load);
}

enum bt_code bt_store_load(const struct bt_env *env, unsigned flags, struct bt_harness_view *harness,
                           struct bt_snapshot **snapshot, struct bt_error *err) {
  struct bt_loading load = {.env = env, .harness = harness, .flags = flags, .dir = -1, .err = err};
  *snapshot = NULL;
  load.arena = bt_arena_new(ARENA_MAX);
  load.snapshot = load.arena ? BT_ARENA_NEW(load.arena, struct bt_snapshot) : NULL;
  if (!load.snapshot) {
    bt_arena_free(load.arena);
    return bt_loading_no_memory(&load);
  }
  load.snapshot->arena = load.arena;
  enum bt_code code = fill(&load);
  if (load.dir >= 0)
    close(load.dir);
  bt_loading_dispose(&load);
  if (code == BT_OK)
    *snapshot = load.snapshot;
  else
    bt_snapshot_free(load.snapshot);
  return code;
}
