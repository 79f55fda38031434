/* tui/scanner_watch.c - see scanner_watch.h. */
#include "tui/scanner_watch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "core/base/str.h"

#define PATH_BYTES_MAX 65536

static const uint32_t interest =
    IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

void scanner_watch_open(struct scanner_watch *watch, bool use_inotify) {
  *watch = (struct scanner_watch){.fd = use_inotify ? inotify_init1(IN_NONBLOCK | IN_CLOEXEC) : -1};
}

void scanner_watch_close(struct scanner_watch *watch) {
  for (size_t i = 0; i < watch->count; i++)
    free(watch->folders[i].folder);
  if (watch->fd >= 0)
    close(watch->fd);
  watch->fd = -1;
  watch->count = 0;
}

static void add_folder(struct scanner_watch *watch, const char *path, size_t length) {
  if (watch->count == SCANNER_FOLDERS_MAX || length == 0)
    return;
  for (size_t i = watch->count; i-- > 0;)
    if (strncmp(watch->folders[i].folder, path, length) == 0 && watch->folders[i].folder[length] == 0)
      return;
  char *folder = strndup(path, length);
  int wd = folder ? inotify_add_watch(watch->fd, folder, interest) : -1;
  if (wd < 0) {
    free(folder);
    return;
  }
  watch->folders[watch->count].wd = wd;
  watch->folders[watch->count++].folder = folder;
}

void scanner_watch_renew(struct scanner_watch *watch, const struct bt_catalog *catalog) {
  if (watch->fd < 0)
    return;
  for (size_t i = 0; i < catalog->count && watch->count < SCANNER_FOLDERS_MAX; i++) {
    const char *path = catalog->cards[i]->source.path, *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) : 0;
    add_folder(watch, path, folder);
    while (folder > 0 && path[folder - 1] != '/')
      folder--;
    add_folder(watch, path, folder > 1 ? folder - 1 : 0); /* where a new project's folder would come */
  }
}

static const char *folder_of(const struct scanner_watch *watch, int wd) {
  for (size_t i = 0; i < watch->count; i++)
    if (watch->folders[i].wd == wd)
      return watch->folders[i].folder;
  return NULL;
}

static void take_event(struct scanner_watch *watch, struct bt_catalog *catalog, const struct inotify_event *event,
                       bool *touched, bool *relist) {
  const char *folder = folder_of(watch, event->wd);
  struct bt_str path;
  if (!(event->mask & IN_MODIFY) || !folder || event->len == 0) {
    *relist |= !(event->mask & IN_MODIFY);
    return;
  }
  bt_str_init(&path, PATH_BYTES_MAX);
  bt_str_printf(&path, "%s/%s", folder, event->name);
  if (bt_catalog_touch(catalog, path.data))
    *touched = true;
  bt_str_dispose(&path);
}

/* A folder that is gone is watched no more; it may come back under the same name. */
static void forget_folder(struct scanner_watch *watch, int wd) {
  for (size_t i = 0; i < watch->count; i++)
    if (watch->folders[i].wd == wd) {
      free(watch->folders[i].folder);
      watch->folders[i] = watch->folders[--watch->count];
      return;
    }
}

void scanner_watch_take(struct scanner_watch *watch, struct bt_catalog *catalog, bool *touched, bool *relist) {
  _Alignas(struct inotify_event) char buffer[16 * 1024];
  ssize_t length;
  while (watch->fd >= 0 && (length = read(watch->fd, buffer, sizeof buffer)) > 0)
    for (ssize_t at = 0; at < length;) {
      const struct inotify_event *event = (const struct inotify_event *)(const void *)(buffer + at);
      take_event(watch, catalog, event, touched, relist);
      if (event->mask & IN_IGNORED)
        forget_folder(watch, event->wd);
      at += (ssize_t)(sizeof *event + event->len);
    }
}
