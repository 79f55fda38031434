/* core/ops/undo.c - puts the lock file that was removed last back, from the trash to where it was.
 *
 * The only thing that is ever undone: a continuation is not (dashboard.md, decisions and row 54). By exclusive
 * creation: a lock that somebody has taken since is left alone. Needs no key and records nothing in the manifest. */
#include "core/base/fs.h"
#include "core/ops/trash.h"
#include "core/ops/verb.h"

#define SCHEMA_VERSION 1

enum bt_code bt_undo_check(const struct bt_request *request, struct bt_error *err) {
  (void)request;
  (void)err;
  return BT_OK;
}

/* Only a lock can be put back: a note in the trash is not trusted to name any other file. */
static bool is_lock_path(const char *path) {
  return bt_ends_with(path, ".lock") && (bt_starts_with(path, "handoffs/") || bt_starts_with(path, "manifest."));
}

static enum bt_code taken(const char *path, struct bt_error *err) {
  return bt_error_set(err, BT_REFUSED, path, "%s is there again: nothing was put back", path);
}

static struct bt_json *payload_of(bool dry_run, const char *path, const char *removed_at) {
  struct bt_json *payload = bt_json_new_object();
  if (payload == NULL || bt_json_set_number(payload, "schema_version", SCHEMA_VERSION) != BT_OK ||
      bt_json_set_bool(payload, "dry_run", dry_run) != BT_OK || bt_json_set_string(payload, "path", path) != BT_OK ||
      bt_json_set_string(payload, "removed_at", removed_at) != BT_OK) {
    bt_json_free(payload);
    return NULL;
  }
  return payload;
}

static void describe(struct bt_planner *planner, const struct bt_trash_item *item) {
  struct bt_plan *plan = planner->plan;
  const char *path = bt_planner_visible(planner, item->path.data);
  plan->title = bt_planner_text(planner, "Put %s back", path);
  plan->summary = "Puts the lock file that was removed last back, as it was. Nothing else is ever undone.";
  plan->confirm_label = "put back";
  plan->undo = "unlock removes it again";
  bt_plan_row(planner, "file", NULL, bt_planner_text(planner, ".adlc/%s", path));
  bt_plan_row(planner, "removed", NULL, bt_planner_visible(planner, item->removed_at.data));
  bt_plan_row(planner, "bytes", NULL, bt_planner_text(planner, "%zu", item->bytes.length));
  bt_plan_check(planner, BT_CHECK_OK, "its place is still free");
  bt_plan_check(planner, BT_CHECK_WARN, "its process is as gone as it was: the lock will be stale again");
  bt_plan_step(planner, "create lock", bt_planner_text(planner, ".adlc/%s", path), "only where nothing is");
  bt_plan_step(planner, "forget copy", NULL, bt_planner_text(planner, "%s/trash", planner->env->state_dir));
  bt_plan_will(planner, "Creates this one lock file, byte for byte.");
  bt_plan_will_not(planner, "It does NOT undo a repair, a bypass or a continuation.");
}

static void keep_for_execute(struct bt_planner *planner, const struct bt_trash_item *item) {
  struct bt_op_details *details = planner->details;
  details->lock_path = bt_planner_text(planner, "%s", item->path.data);
  details->trash_name = bt_planner_text(planner, "%s", item->name.data);
  planner->plan->request.subject = details->lock_path;
  bt_plan_mix(planner, "copy", item->name.data);
  bt_plan_fact_path(planner, item->path.data, true);
}

static enum bt_code check_item(const struct bt_planner *planner, const struct bt_trash_item *item,
                               struct bt_error *err) {
  const char *path = item->path.data;
  struct bt_fs_stat stat = {.kind = BT_FS_ABSENT};
  if (!is_lock_path(path))
    return bt_error_set(err, BT_UNSAFE, path, "the trash names a file that is no lock: %s", path);
  if (planner->ledger >= 0)
    bt_fs_stat_at(planner->ledger, path, &stat);
  return stat.kind == BT_FS_ABSENT ? BT_OK : taken(path, err);
}

enum bt_code bt_undo_plan(struct bt_planner *planner, struct bt_error *err) {
  struct bt_trash_item item;
  enum bt_code code = bt_trash_newest(planner->env, &item, err);
  if (code == BT_OK)
    code = check_item(planner, &item, err);
  if (code == BT_OK) {
    keep_for_execute(planner, &item);
    describe(planner, &item);
    bt_plan_answer(planner, payload_of(true, item.path.data, item.removed_at.data),
                   "dry-run: would put %s back (removed %s); pass --write to do it", item.path.data,
                   item.removed_at.data);
  }
  bt_trash_item_dispose(&item);
  return code;
}

/* The newest copy is still the one that was planned with. */
static enum bt_code same_item(const struct bt_run *run, const struct bt_trash_item *item, struct bt_error *err) {
  if (bt_text_equals(item->name.data, run->plan->details->trash_name))
    return BT_OK;
  return bt_error_set(err, BT_STALE, item->path.data, "another lock was removed meanwhile; nothing was changed");
}

enum bt_code bt_undo_run(struct bt_run *run, struct bt_error *err) {
  struct bt_trash_item item;
  struct bt_error failed = {0};
  enum bt_code code = bt_trash_newest(run->env, &item, err);
  if (code == BT_OK)
    code = same_item(run, &item, err);
  if (code == BT_OK) /* the words first: once the lock is there nothing may fail any more */
    code = bt_run_answer(run, payload_of(false, item.path.data, item.removed_at.data), err, "put %s back (removed %s)",
                         item.path.data, item.removed_at.data);
  if (code == BT_OK) {
    code = bt_txn_create(run->txn, item.path.data, item.bytes.data, item.bytes.length, err);
    if (code == BT_STATE)
      code = taken(item.path.data, err);
  }
  if (code == BT_OK && bt_trash_forget(run->env, item.name.data, &failed) != BT_OK)
    run->receipt->warning = bt_arena_printf(run->arena, "the copy stays in the trash: %s", failed.message);
  bt_trash_item_dispose(&item);
  return code;
}
