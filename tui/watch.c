/* tui/watch.c - inotify and the poll behind it. */
#include "tui/watch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/str.h"

/* Below the ledger directory, and what lies beside it that is shown. */
static const char *const folders[] = {
    "", "handoffs", "handoffs/denies", "handoffs/finals", "handoffs/content", "manifest.d", "tickets",
};
#define FOLDER_COUNT (sizeof(folders) / sizeof(folders[0]))
enum { ROOT = FOLDER_COUNT, GIT, WATCH_COUNT };

static const uint32_t interest = IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB |
                                 IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

struct watch {
  const char *root, *ledger_dir;
  int fd;
  int wd[WATCH_COUNT]; /* -1: not watched */
  bool remote;         /* a file system that tells nothing */
  uint64_t signature;  /* of the last poll */
};

/* File systems whose other clients change files without a word to us. */
static bool tells_nothing(const char *path) {
  static const unsigned long silent[] = {0x6969 /* NFS */,      0x517B /* SMB */,      0xFF534D42 /* CIFS */,
                                         0xFE534D42 /* SMB2 */, 0x65735546 /* FUSE */, 0x01021997 /* 9P */,
                                         0x5346414F /* AFS */,  0x73757245 /* Coda */, 0x00c36400 /* Ceph */};
  struct statfs fs;
  if (statfs(path, &fs) != 0)
    return false;
  for (size_t i = 0; i < sizeof(silent) / sizeof(silent[0]); i++)
    if (((unsigned long)fs.f_type & 0xffffffffUL) == silent[i])
      return true;
  return false;
}

static bool place(const struct watch *watch, int index, struct bt_str *path) {
  bt_str_clear(path);
  if (index == ROOT)
    bt_str_puts(path, watch->root);
  else if (index == GIT)
    bt_str_printf(path, "%s/.git", watch->root);
  else
    bt_str_printf(path, "%s/%s", watch->ledger_dir, folders[index]);
  return !path->failed;
}

/* Adding a folder that is watched already changes nothing. */
static void add_watches(struct watch *watch) {
  struct bt_str path;
  bt_str_init(&path, 64 * 1024);
  for (int i = 0; watch->fd >= 0 && i < WATCH_COUNT; i++)
    watch->wd[i] = place(watch, i, &path) ? inotify_add_watch(watch->fd, path.data, interest) : -1;
  bt_str_dispose(&path);
}

struct watch *watch_new(const char *root, const char *ledger_dir, bool use_inotify, struct bt_error *err) {
  struct watch *watch = calloc(1, sizeof(*watch));
  if (!watch) {
    (void)bt_error_set(err, BT_NOMEM, ledger_dir, "out of memory");
    return NULL;
  }
  watch->root = root;
  watch->ledger_dir = ledger_dir;
  watch->fd = use_inotify ? inotify_init1(IN_NONBLOCK | IN_CLOEXEC) : -1;
  for (int i = 0; i < WATCH_COUNT; i++)
    watch->wd[i] = -1;
  watch->remote = tells_nothing(ledger_dir);
  (void)watch_poll(watch);
  return watch;
}

void watch_free(struct watch *watch) {
  if (!watch)
    return;
  if (watch->fd >= 0)
    close(watch->fd);
  free(watch);
}

int watch_fd(const struct watch *watch) {
  return watch->fd;
}

bool watch_healthy(const struct watch *watch) {
  return watch->fd >= 0 && !watch->remote && (watch->wd[0] >= 0 || watch->wd[ROOT] >= 0);
}

/* The work tree and .git see much that is not shown. */
static bool matters(const struct watch *watch, const struct inotify_event *event) {
  if (event->wd == watch->wd[0] || event->mask & (IN_Q_OVERFLOW | IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF))
    return true;
  if (event->wd == watch->wd[ROOT])
    return event->len > 0 &&
           (strcmp(event->name, bt_path_basename(watch->ledger_dir)) == 0 || strcmp(event->name, ".git") == 0);
  if (event->wd == watch->wd[GIT])
    return event->len > 0 && (strcmp(event->name, "index.lock") == 0 || strcmp(event->name, "HEAD") == 0);
  return true;
}

bool watch_read(struct watch *watch) {
  _Alignas(struct inotify_event) char buffer[16 * 1024];
  bool changed = false, lost = false;
  ssize_t length;
  while ((length = read(watch->fd, buffer, sizeof(buffer))) > 0)
    for (ssize_t at = 0; at < length;) {
      const struct inotify_event *event = (const struct inotify_event *)(const void *)(buffer + at);
      changed = changed || matters(watch, event);
      lost = lost || (event->mask & (IN_Q_OVERFLOW | IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF | IN_ISDIR));
      at += (ssize_t)(sizeof(*event) + event->len);
    }
  if (lost)
    add_watches(watch);
  return changed;
}

/* ---------------------------------------------------------------- the poll --------------------- */

static void mix(uint64_t *hash, uint64_t value) {
  for (int i = 0; i < 8; i++, value >>= 8)
    *hash = (*hash ^ (value & 0xff)) * UINT64_C(0x100000001b3);
}

static void mix_stat(uint64_t *hash, int dir, const char *path) {
  struct bt_fs_stat stat;
  bt_fs_stat_at(dir, path, &stat);
  mix(hash, (uint64_t)stat.kind);
  mix(hash, stat.inode);
  mix(hash, (uint64_t)stat.size_bytes);
  mix(hash, (uint64_t)stat.mtime_ns);
  mix(hash, (uint64_t)stat.ctime_ns);
}

static void mix_files(uint64_t *hash, int dir, const char *folder) {
  struct bt_fs_listing listing;
  if (bt_fs_list_at(dir, *folder ? folder : ".", &listing, NULL) != BT_OK)
    return;
  struct bt_str path;
  bt_str_init(&path, 64 * 1024);
  for (size_t i = 0; i < listing.count; i++) {
    bt_str_clear(&path);
    bt_str_printf(&path, "%s%s%s", folder, *folder ? "/" : "", listing.names[i]);
    for (const char *byte = listing.names[i]; *byte; byte++)
      mix(hash, (unsigned char)*byte);
    mix_stat(hash, dir, path.data);
  }
  bt_str_dispose(&path);
  bt_fs_listing_dispose(&listing);
}

static uint64_t take_signature(const struct watch *watch) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  int dir = bt_fs_open_root(watch->ledger_dir, NULL);
  if (dir < 0)
    return hash;
  for (size_t i = 0; i < FOLDER_COUNT; i++) {
    mix_stat(&hash, dir, folders[i][0] ? folders[i] : ".");
    if (!watch_healthy(watch))
      mix_files(&hash, dir, folders[i]);
  }
  close(dir);
  int root = bt_fs_open_root(watch->root, NULL);
  if (root >= 0) {
    mix_stat(&hash, root, ".git/index.lock");
    close(root);
  }
  return hash;
}

bool watch_poll(struct watch *watch) {
  bool was_healthy = watch_healthy(watch);
  if (watch->fd >= 0)
    add_watches(watch);
  uint64_t signature = take_signature(watch);
  bool changed = signature != watch->signature || was_healthy != watch_healthy(watch);
  watch->signature = signature;
  return changed;
}
