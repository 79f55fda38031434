/* cli/cmd_ui_watch.c - the dashboard's watch and notifications for commands that only print. */
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/out.h"
#include "cli/ui.h"
#include "core/base/steady.h"
#include "tui/notify.h"
#include "tui/watch.h"

struct ui_watch {
  struct watch *watch;
};

struct ui_notify {
  struct notify notify;
};

struct ui_watch *ui_watch_new(const struct cli_env *cli, bool inotify, struct bt_error *err) {
  struct ui_watch *own = calloc(1, sizeof(*own));
  if (own)
    own->watch = watch_new(cli->env.root, cli->env.ledger_dir, inotify, err);
  if (own && own->watch)
    return own;
  free(own);
  (void)bt_error_set(err, BT_NOMEM, "watch", "out of memory");
  return NULL;
}

void ui_watch_free(struct ui_watch *watch) {
  if (watch)
    watch_free(watch->watch);
  free(watch);
}

bool ui_watch_closed(const struct ui_watch *watch) {
  struct pollfd fd = {.fd = STDOUT_FILENO};
  (void)watch;
  return poll(&fd, 1, 0) > 0 && (fd.revents & (POLLERR | POLLNVAL));
}

/* What belongs to one burst is taken together. */
static void let_settle(struct watch *watch) {
  struct pollfd fd = {.fd = watch_fd(watch), .events = POLLIN};
  for (int i = 0; i < 16 && poll(&fd, 1, WATCH_COALESCE_MS) > 0; i++)
    (void)watch_read(watch);
}

bool ui_watch_wait(struct ui_watch *watch, int timeout_ms) {
  int64_t until = bt_steady_ms() + timeout_ms;
  for (int64_t left = timeout_ms; left > 0; left = until - bt_steady_ms()) {
    struct pollfd fds[] = {{.fd = watch_fd(watch->watch), .events = POLLIN}, {.fd = STDOUT_FILENO}};
    int ready = poll(fds, 2, left < WATCH_POLL_MS ? (int)left : WATCH_POLL_MS);
    if (ready > 0 && (fds[1].revents & (POLLERR | POLLNVAL)))
      return false;
    bool told = ready > 0 && (fds[0].revents & POLLIN) && watch_read(watch->watch);
    if (told || (ready == 0 && watch_poll(watch->watch))) {
      let_settle(watch->watch);
      return true;
    }
  }
  return false;
}

struct ui_notify *ui_notify_new(const char *command) {
  struct ui_notify *own = calloc(1, sizeof(*own));
  if (own)
    own->notify.command = command;
  return own;
}

void ui_notify_free(struct ui_notify *notify) {
  free(notify);
}

void ui_notify_changes(struct ui_notify *notify, const struct bt_snapshot *before, const struct bt_snapshot *after) {
  struct bt_error err = {.code = BT_OK};
  if (notify && notify_changes(&notify->notify, before, after, &err) != BT_OK)
    out_warning(err.message);
}
