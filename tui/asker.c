/* tui/asker.c - ids in, a table out. */
#include "tui/asker.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/str.h"
#include "core/handover/op.h"
#include "tui/worker.h"

#define PATH_BYTES_MAX ((size_t)64 * 1024)
#define RECENT_MS (INT64_C(7) * 24 * 60 * 60 * 1000)

struct asker {
  const struct bt_env *env;
  struct worker *worker;
  struct bt_handover_table *table; /* the main thread's */

  /* the worker's own */
  struct bt_str projects;
  struct bt_ask_settings settings;
  struct bt_ask_sessions sessions;
  struct bt_handover_table *last;
};

struct order { /* ids, each of them behind the pointers */
  size_t count;
  const char *ids[];
};

static void free_table(void *table) {
  bt_handover_table_free(table);
}

/* A table again for comparison: the one that is given away belongs to the other thread. */
static struct bt_handover_table *made(struct asker *asker) {
  struct bt_handover_table *table = NULL;
  return bt_handover_table_new(asker->env, &asker->sessions, &table, NULL) == BT_OK ? table : NULL;
}

static void *run(void *context, void *order) {
  struct asker *asker = context;
  struct order *ids = order;
  asker->sessions.only = ids->ids;
  asker->sessions.only_count = ids->count;
  bool read = ids->count > 0 && bt_ask_sessions_update(&asker->sessions, NULL) == BT_OK;
  asker->sessions.only = NULL;
  asker->sessions.only_count = 0;
  if (!read)
    return NULL;
  bt_ask_sessions_acknowledge(&asker->sessions);
  struct bt_handover_table *table = made(asker);
  if (!table || bt_handover_table_same(table, asker->last)) {
    bt_handover_table_free(table);
    return NULL;
  }
  bt_handover_table_free(asker->last);
  asker->last = made(asker);
  return table;
}

static const struct worker_kind kind = {run, NULL, free, free_table};

struct asker *asker_new(const struct bt_env *env, struct bt_error *err) {
  struct asker *asker = calloc(1, sizeof *asker);
  if (!asker) {
    (void)bt_error_set(err, BT_NOMEM, "asker", "out of memory");
    return NULL;
  }
  asker->env = env;
  bt_str_init(&asker->projects, PATH_BYTES_MAX);
  bt_ask_projects(&asker->projects, env);
  if (bt_ask_settings_load(&asker->settings, env->config_dir, NULL) == BT_NOMEM || asker->projects.failed) {
    (void)bt_error_set(err, BT_NOMEM, "asker", "out of memory");
    asker_free(asker);
    return NULL;
  }
  asker->sessions = (struct bt_ask_sessions){
      .projects = asker->projects.data, .state_dir = env->state_dir, .settings = &asker->settings};
  asker->worker = worker_new(&kind, asker, err);
  if (!asker->worker) {
    asker_free(asker);
    return NULL;
  }
  return asker;
}

void asker_free(struct asker *asker) {
  if (!asker)
    return;
  worker_free(asker->worker);
  bt_handover_table_free(asker->table);
  bt_handover_table_free(asker->last);
  bt_ask_sessions_dispose(&asker->sessions);
  bt_ask_settings_dispose(&asker->settings);
  bt_str_dispose(&asker->projects);
  free(asker);
}

/* Only the sessions of the one provider whose transcripts are read here, and of those only what may still be at work:
 * nobody asks a session of last month, and its transcript may be long. The others stay unknown. */
static bool is_ours(const struct bt_snapshot *snapshot, const struct bt_session *session) {
  bool fresh = session->running ||
               (session->last_seen_ms != BT_TIME_UNKNOWN && session->last_seen_ms >= snapshot->taken_at_ms - RECENT_MS);
  return fresh && session->transcript && session->transcript->harness == BT_HARNESS_CLAUDE;
}

void asker_ask(struct asker *asker, const struct bt_snapshot *snapshot) {
  size_t count = 0, bytes = 0;
  for (size_t i = 0; i < snapshot->session_count; i++)
    if (is_ours(snapshot, &snapshot->sessions[i])) {
      count++;
      bytes += strlen(snapshot->sessions[i].id) + 1;
    }
  struct order *order = malloc(sizeof *order + count * sizeof order->ids[0] + bytes);
  if (!order)
    return; /* the next snapshot asks again */
  char *at = (char *)(order->ids + count);
  order->count = 0;
  for (size_t i = 0; i < snapshot->session_count; i++) {
    if (!is_ours(snapshot, &snapshot->sessions[i]))
      continue;
    size_t length = strlen(snapshot->sessions[i].id) + 1;
    memcpy(at, snapshot->sessions[i].id, length);
    order->ids[order->count++] = at;
    at += length;
  }
  worker_ask(asker->worker, order);
}

int asker_fd(const struct asker *asker) {
  return worker_fd(asker->worker);
}

bool asker_take(struct asker *asker) {
  struct bt_handover_table *table = worker_take(asker->worker, NULL);
  if (!table)
    return false;
  bt_handover_table_free(asker->table);
  asker->table = table;
  return true;
}

const struct bt_handover_table *asker_table(const struct asker *asker) {
  return asker->table;
}
