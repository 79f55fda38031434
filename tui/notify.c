/* tui/notify.c - one child a transition, collected when the next one comes. */
#include "tui/notify.h"

#include <stdlib.h>
#include <sys/wait.h>

#include "core/base/str.h"
#include "core/model/changes.h"
#include "tui/child.h"

#define FACT_BYTES_MAX ((size_t)64 * 1024)
enum { FACTS = 4 };

static void collect(struct notify *notify) {
  size_t kept = 0;
  for (size_t i = 0; i < notify->count; i++)
    if (waitpid(notify->children[i], NULL, WNOHANG) == 0)
      notify->children[kept++] = notify->children[i];
  notify->count = kept;
}

static enum bt_code start(struct notify *notify, const struct bt_change *change, const struct bt_snapshot *after,
                          struct bt_error *err) {
  struct bt_str facts[FACTS];
  char *list[FACTS + 1] = {NULL};
  for (size_t i = 0; i < FACTS; i++)
    bt_str_init(&facts[i], FACT_BYTES_MAX);
  bt_str_printf(&facts[0], "BATON_SESSION=%s", change->after->id);
  bt_str_printf(&facts[1], "BATON_STATE=%s", bt_state_word(change->after->state));
  bt_str_printf(&facts[2], "BATON_BEFORE=%s", change->before ? bt_state_word(change->before->state) : "new");
  bt_str_printf(&facts[3], "BATON_LEDGER=%s", after->ledger_dir ? after->ledger_dir : "");
  bool failed = false;
  for (size_t i = 0; i < FACTS; i++) {
    list[i] = facts[i].data;
    failed = failed || facts[i].failed;
  }
  enum bt_code code = failed ? bt_error_set(err, BT_NOMEM, "on_blocked", "out of memory")
                             : child_behind(notify->command, list, &notify->children[notify->count], err);
  notify->count += code == BT_OK;
  for (size_t i = 0; i < FACTS; i++)
    bt_str_dispose(&facts[i]);
  return code;
}

enum bt_code notify_changes(struct notify *notify, const struct bt_snapshot *before, const struct bt_snapshot *after,
                            struct bt_error *err) {
  struct bt_changes changes;
  size_t due = 0, started = 0;
  if (!notify->command || !*notify->command || !before)
    return BT_OK;
  collect(notify);
  enum bt_code code = bt_changes_between(before, after, &changes, err);
  for (size_t i = 0; code == BT_OK && i < changes.count; i++)
    if (bt_change_blocks(&changes.items[i]) && due++ < NOTIFY_AT_ONCE && notify->count < NOTIFY_CHILDREN) {
      code = start(notify, &changes.items[i], after, err);
      started += code == BT_OK;
    }
  bt_changes_dispose(&changes);
  if (code == BT_OK && started < due)
    return bt_error_set(err, BT_STATE, "on_blocked", "on_blocked was run for %zu of %zu sessions: %s", started, due,
                        due > NOTIFY_AT_ONCE ? "so many at once" : "its earlier commands still run");
  return code;
}
