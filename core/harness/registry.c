/* core/harness/registry.c - see registry.h. */
#include "core/harness/registry.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/base/str.h"
#include "core/env.h"

#define ENTRY_BYTES_MAX 65536
#define ENTRIES_MAX 4096
#define START_SLACK_MS 2000 /* /proc counts in ticks since boot */

/* Whether the process that has the pid now is the one that wrote the entry. */
static bool is_alive(const struct bt_env *env, double pid, int64_t started_ms) {
  int64_t began_ms;
  if (env->proc.alive(env->proc.context, pid) == BT_ALIVE_NO)
    return false;
  return started_ms == BT_TIME_UNKNOWN || !env->proc.started_ms(env->proc.context, pid, &began_ms) ||
         began_ms <= started_ms + START_SLACK_MS;
}

static int64_t time_of(const struct bt_json *value) {
  const char *text = bt_json_string(value);
  double number;
  int64_t time_ms;
  if (text && bt_time_parse_utc(text, strlen(text), &time_ms))
    return time_ms;
  return bt_json_number(value, &number) && number > 0 && number < 8.64e15 ? (int64_t)number : BT_TIME_UNKNOWN;
}

static bool add(struct bt_registry *registry, const struct bt_env *env, const struct bt_json *entry) {
  const char *id = bt_json_get_string(entry, "sessionId");
  double pid;
  if (!id || !*id || !bt_json_is_integer(bt_json_get(entry, "pid"), &pid) || pid <= 0 || registry->count >= ENTRIES_MAX)
    return true;
  struct bt_registry_entry *list = realloc(registry->list, (registry->count + 1) * sizeof *list);
  char *copy = strdup(id);
  if (list)
    registry->list = list;
  if (!list || !copy) {
    free(copy);
    return false;
  }
  list[registry->count++] = (struct bt_registry_entry){
      .session_id = copy, .pid = pid, .alive = is_alive(env, pid, time_of(bt_json_get(entry, "startedAt")))};
  return true;
}

bool bt_registry_load(struct bt_registry *registry, const struct bt_env *env) {
  struct bt_fs_listing listing;
  bool ok = true;
  *registry = (struct bt_registry){NULL, 0};
  int dir = env->claude_dir && env->proc.alive && env->proc.started_ms ? bt_fs_open_root(env->claude_dir, NULL) : -1;
  if (dir < 0)
    return true;
  if (bt_fs_list_at(dir, "sessions", &listing, NULL) == BT_OK) {
    for (size_t i = 0; ok && i < listing.count; i++) {
      struct bt_str path, text;
      bt_str_init(&path, ENTRY_BYTES_MAX);
      bt_str_init(&text, ENTRY_BYTES_MAX);
      bt_str_printf(&path, "sessions/%s", listing.names[i]);
      if (bt_ends_with(listing.names[i], ".json") && bt_fs_read_at(dir, path.data, &text, NULL) == BT_OK) {
        struct bt_json *entry = bt_json_parse(text.data, text.length, NULL);
        ok = add(registry, env, entry);
        bt_json_free(entry);
      }
      bt_str_dispose(&path);
      bt_str_dispose(&text);
    }
    bt_fs_listing_dispose(&listing);
  }
  close(dir);
  return ok;
}

void bt_registry_dispose(struct bt_registry *registry) {
  for (size_t i = 0; i < registry->count; i++)
    free(registry->list[i].session_id);
  free(registry->list);
  *registry = (struct bt_registry){NULL, 0};
}

bool bt_registry_same(const struct bt_registry *a, const struct bt_registry *b) {
  bool same = a->count == b->count;
  for (size_t i = 0; same && i < a->count; i++)
    same = a->list[i].pid == b->list[i].pid && a->list[i].alive == b->list[i].alive &&
           strcmp(a->list[i].session_id, b->list[i].session_id) == 0;
  return same;
}

void bt_registry_find(const struct bt_registry *registry, const char *session_id, size_t *living, size_t *stale,
                      double *pid) {
  double stale_pid = 0, last = 0;
  *living = *stale = 0;
  for (size_t i = 0; i < registry->count; i++) {
    const struct bt_registry_entry *entry = &registry->list[i];
    if (strcmp(entry->session_id, session_id) != 0)
      continue;
    *living += entry->alive;
    *stale += !entry->alive;
    last = entry->pid;
    stale_pid = entry->alive ? stale_pid : entry->pid;
  }
  if (pid)
    *pid = stale_pid > 0 ? stale_pid : last;
}
