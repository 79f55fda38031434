/* core/supervise/status.c - a small file, whole or not at all. */
#include "core/supervise/status.h"

#include <stdio.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/ops/txn.h"
#include "core/store/supervised.h"

#define PATH_BYTES ((size_t)65536)

/* ---- files of supervisors that are gone ---- */

static bool is_dead(const struct bt_env *env, int dir, const char *name) {
  struct bt_str text;
  bt_str_init(&text, BT_SUPERVISED_FILE_MAX);
  struct bt_json *json = NULL;
  double pid = 0, started = 0;
  if (bt_ends_with(name, ".json") && bt_fs_read_at(dir, name, &text, NULL) == BT_OK)
    json = bt_json_parse(text.data, text.length, NULL);
  bool dead = bt_text_equals(bt_json_get_string(json, "host"), env->host) &&
              bt_json_number(bt_json_get(json, "pid"), &pid) &&
              bt_json_number(bt_json_get(json, "started_ms"), &started) && started >= 0 && started < 9e15 &&
              !bt_supervised_is_alive(env, pid, (int64_t)started);
  bt_json_free(json);
  bt_str_dispose(&text);
  return dead;
}

static void sweep(const struct bt_env *env, int dir) {
  struct bt_fs_listing names = {0};
  if (bt_fs_list_at(dir, ".", &names, NULL) == BT_OK) {
    for (size_t i = 0; i < names.count; i++) {
      if (is_dead(env, dir, names.names[i]))
        (void)!bt_fs_unlink_at(dir, names.names[i], NULL);
    }
  }
  bt_fs_listing_dispose(&names);
}

/* ---- our own ---- */

enum bt_code bt_sup_status_begin(struct bt_sup_status *status, const struct bt_env *env, const char *program,
                                 struct bt_error *err) {
  struct bt_str path;
  *status = (struct bt_sup_status){.dir = -1, .program = program};
  if (env->readonly)
    return bt_error_set(err, BT_READONLY, "supervise", "read-only: no state file");
  if (!env->proc.started_ms(env->proc.context, (double)env->pid, &status->started_ms))
    return bt_error_set(err, BT_IO, "supervise", "/proc does not say when this process began");
  bt_str_init(&path, PATH_BYTES);
  bt_str_printf(&path, "%s/%s", env->state_dir, BT_SUPERVISED_FOLDER);
  (void)snprintf(status->name, sizeof status->name, "%ld.json", (long)env->pid);
  struct bt_error failed = {0};
  status->dir = path.failed ? -1 : bt_txn_make_root(path.data, &failed);
  bt_str_dispose(&path);
  if (status->dir < 0) {
    if (err != NULL)
      *err = failed;
    return failed.code != BT_OK ? failed.code : BT_NOMEM;
  }
  sweep(env, status->dir);
  return BT_OK;
}

static struct bt_json *sessions_json(const struct bt_sup_machine *machine) {
  struct bt_json *list = bt_json_new_array();
  for (size_t i = 0; list != NULL && i < machine->session_count; i++) {
    struct bt_json *id = bt_json_new_string(machine->sessions[i]);
    if (id == NULL || bt_json_push(list, id) != BT_OK) {
      bt_json_free(list);
      return NULL;
    }
  }
  return list;
}

static bool fill(struct bt_json *json, const struct bt_sup_status *status, const struct bt_env *env,
                 const struct bt_sup_machine *machine, pid_t child) {
  return json != NULL && bt_json_set_number(json, "schema", 1) == BT_OK &&
         bt_json_set_number(json, "pid", (double)env->pid) == BT_OK &&
         bt_json_set_number(json, "started_ms", (double)status->started_ms) == BT_OK &&
         bt_json_set_number(json, "updated_ms", (double)bt_env_now(env)) == BT_OK &&
         bt_json_set_string(json, "host", env->host) == BT_OK && bt_json_set_string(json, "root", env->root) == BT_OK &&
         bt_json_set_string(json, "ledger_dir", env->ledger_dir) == BT_OK &&
         bt_json_set_string(json, "program", status->program) == BT_OK &&
         bt_json_set_string(json, "state", bt_sup_state_word(machine->state)) == BT_OK &&
         bt_json_set(json, "sessions", sessions_json(machine)) == BT_OK &&
         bt_json_set_number(json, "continuations", (double)machine->continuations) == BT_OK &&
         (child > 0 ? bt_json_set_number(json, "child_pid", (double)child) : bt_json_set_null(json, "child_pid")) ==
             BT_OK;
}

void bt_sup_status_note(struct bt_sup_status *status, const struct bt_env *env, const struct bt_sup_machine *machine,
                        pid_t child) {
  if (status->dir < 0 || (status->written && status->state == machine->state &&
                          status->session_count == machine->session_count && status->child == child))
    return;
  struct bt_str text;
  struct bt_json *json = bt_json_new_object();
  bt_str_init(&text, BT_SUPERVISED_FILE_MAX);
  if (fill(json, status, env, machine, child)) {
    bt_json_print_compact(&text, json);
    bt_str_putc(&text, '\n');
    if (!text.failed && bt_fs_replace_at(status->dir, status->name, text.data, text.length, NULL) == BT_OK) {
      status->written = true;
      status->state = machine->state;
      status->session_count = machine->session_count;
      status->child = child;
    }
  }
  bt_json_free(json);
  bt_str_dispose(&text);
}

void bt_sup_status_end(struct bt_sup_status *status) {
  if (status->dir < 0)
    return;
  if (status->written)
    (void)!bt_fs_unlink_at(status->dir, status->name, NULL);
  close(status->dir);
  status->dir = -1;
}
