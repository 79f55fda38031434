/* core/store/supervised.c - state files of supervisors. */
#include "core/store/supervised.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/json.h"

#define PROC_CLOCK_SLACK_MS 2000 /* the boot time in /proc/stat moves by a second when the wall clock is set */
#define SESSIONS_MAX 100000

bool bt_supervised_is_alive(const struct bt_env *env, double pid, int64_t started_ms) {
  int64_t began;
  if (!(pid > 0) || pid != floor(pid) || env->proc.alive == NULL || env->proc.started_ms == NULL)
    return false;
  if (env->proc.alive(env->proc.context, pid) == BT_ALIVE_NO ||
      (env->proc.is_zombie != NULL && env->proc.is_zombie(env->proc.context, pid)))
    return false;
  if (!env->proc.started_ms(env->proc.context, pid, &began))
    return false;
  return began - started_ms <= PROC_CLOCK_SLACK_MS && started_ms - began <= PROC_CLOCK_SLACK_MS;
}

static bool get_number(const struct bt_json *json, const char *key, double *number) {
  return bt_json_number(bt_json_get(json, key), number) && isfinite(*number);
}

static bool get_count(const struct bt_json *json, const char *key, double *number) {
  return get_number(json, key, number) && *number >= 0 && *number < 9e15;
}

/* NULL where it is no string; *failed when memory is short. */
static const char *get_text(struct bt_arena *arena, const struct bt_json *json, const char *key, bool *failed) {
  const char *text = bt_json_get_string(json, key);
  const char *copy = text != NULL ? bt_arena_strdup(arena, text) : NULL;
  *failed |= text != NULL && copy == NULL;
  return copy;
}

static bool fill_sessions(struct bt_arena *arena, const struct bt_json *json, struct bt_supervised *out, bool *failed) {
  const struct bt_json *list = bt_json_get(json, "sessions");
  if (bt_json_type(list) != BT_JSON_ARRAY || bt_json_count(list) > SESSIONS_MAX)
    return false;
  const char **ids = BT_ARENA_ARRAY(arena, const char *, bt_json_count(list) + 1);
  *failed |= ids == NULL;
  for (const struct bt_json *id = bt_json_first(list); id != NULL && !*failed; id = bt_json_next(id)) {
    if (bt_json_string(id) == NULL)
      return false;
    ids[out->session_count] = bt_arena_strdup(arena, bt_json_string(id));
    *failed |= ids[out->session_count++] == NULL;
  }
  out->sessions = ids;
  return !*failed;
}

/* False for a file that is not one of ours, or that is not believed. */
static bool fill(const struct bt_env *env, struct bt_arena *arena, const struct bt_json *json,
                 struct bt_supervised *out, bool *failed) {
  double started, updated, continuations;
  *out = (struct bt_supervised){0};
  if (!bt_text_equals(bt_json_get_string(json, "host"), env->host) || !get_count(json, "pid", &out->pid) ||
      !get_count(json, "started_ms", &started) || !get_count(json, "updated_ms", &updated) ||
      !get_count(json, "continuations", &continuations))
    return false;
  out->started_ms = (int64_t)started;
  out->updated_ms = (int64_t)updated;
  out->continuations = (size_t)continuations;
  out->child_known = get_count(json, "child_pid", &out->child_pid);
  if (!bt_supervised_is_alive(env, out->pid, out->started_ms) || !fill_sessions(arena, json, out, failed))
    return false;
  out->root = get_text(arena, json, "root", failed);
  out->ledger_dir = get_text(arena, json, "ledger_dir", failed);
  out->program = get_text(arena, json, "program", failed);
  out->state = get_text(arena, json, "state", failed);
  return out->root != NULL && out->ledger_dir != NULL && out->program != NULL && out->state != NULL;
}

static bool read_one(const struct bt_env *env, int dir, const char *name, struct bt_arena *arena,
                     struct bt_supervised *out, bool *failed) {
  struct bt_str text;
  bt_str_init(&text, BT_SUPERVISED_FILE_MAX);
  struct bt_json *json = NULL;
  if (bt_ends_with(name, ".json") && bt_fs_read_at(dir, name, &text, NULL) == BT_OK)
    json = bt_json_parse(text.data, text.length, NULL);
  bool believed = json != NULL && fill(env, arena, json, out, failed);
  bt_json_free(json);
  bt_str_dispose(&text);
  return believed;
}

enum bt_code bt_supervised_load(const struct bt_env *env, struct bt_arena *arena, const struct bt_supervised **list,
                                size_t *count, struct bt_error *err) {
  struct bt_fs_listing names = {0};
  bool failed = false;
  *list = NULL;
  *count = 0;
  int state = env->state_dir != NULL ? bt_fs_open_root(env->state_dir, NULL) : -1;
  int dir = state >= 0 ? bt_fs_open_folder_at(state, BT_SUPERVISED_FOLDER, NULL) : -1;
  if (dir >= 0 && bt_fs_list_at(dir, ".", &names, NULL) == BT_OK) {
    struct bt_supervised *found = BT_ARENA_ARRAY(arena, struct bt_supervised, names.count + 1);
    failed = found == NULL;
    for (size_t i = 0; i < names.count && !failed; i++)
      *count += read_one(env, dir, names.names[i], arena, &found[*count], &failed);
    *list = found;
  }
  bt_fs_listing_dispose(&names);
  if (dir >= 0)
    close(dir);
  if (state >= 0)
    close(state);
  return failed ? bt_error_set(err, BT_NOMEM, BT_SUPERVISED_FOLDER, "out of memory") : BT_OK;
}
