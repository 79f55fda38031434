/* tui/scanner.c - the scanning thread: list, read, tell, wait. */
#include "tui/scanner.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>

#include "core/base/steady.h"
#include "core/base/thread.h"
#include "core/harness/catalog.h"
#include "core/harness/index.h"
#include "core/harness/view.h"
#include "tui/scanner_watch.h"
#include "tui/thread.h"

#define RECENT_FILES 50
#define RECENT_MS 2000 /* how often these are looked at where there is no inotify */
#define LISTING_MS 60000
#define TELL_BUSY_MS 1000 /* while everything is being read: each telling costs the screen a moment */
#define TELL_MS 300       /* news are told at most so often */
#define RELIST_MS 1000    /* new files are looked for at most so often */
#define SAVE_MS 30000     /* the index is written at most so often while files grow */

struct scanner {
  const struct bt_env *env;
  bool all, use_inotify;
  pthread_t thread;
  pthread_mutex_t mutex; /* around the catalog and the registry */
  struct bt_catalog *catalog;
  struct bt_registry registry;
  bool listed;
  int news[2], wake[2]; /* pipes: to the screen, to the thread */

  /* the thread's own */
  struct scanner_watch watch;
  int64_t recent_at, listing_at, relist_at, tell_at, save_at; /* steady ms; INT64_MAX: not due */
  bool untold, busy;
};

static void tell(struct scanner *scanner, int64_t now) {
  wake_poke(scanner->news);
  scanner->untold = false;
  scanner->tell_at = now + (scanner->busy ? TELL_BUSY_MS : TELL_MS);
}

static void list(struct scanner *scanner) {
  bool first = !scanner->listed;
  struct bt_registry registry = {NULL, 0};
  bool read = bt_registry_load(&registry, scanner->env);
  pthread_mutex_lock(&scanner->mutex);
  if (bt_catalog_list(scanner->catalog, NULL) == BT_OK && first)
    bt_index_load(scanner->catalog);
  bool news =
      first || bt_catalog_moved(scanner->catalog) || bt_catalog_ages(scanner->catalog, bt_env_now(scanner->env));
  if (read) {
    news = news || !bt_registry_same(&scanner->registry, &registry);
    bt_registry_dispose(&scanner->registry);
    scanner->registry = registry;
  }
  scanner->listed = true;
  scanner_watch_renew(&scanner->watch, scanner->catalog);
  pthread_mutex_unlock(&scanner->mutex);
  scanner->listing_at = bt_steady_ms() + LISTING_MS;
  scanner->relist_at = INT64_MAX;
  scanner->untold = scanner->untold || news;
}

/* Reads one file; false when nothing is due. */
static bool read_one(struct scanner *scanner) {
  struct bt_look look;
  pthread_mutex_lock(&scanner->mutex);
  bool due = bt_catalog_next(scanner->catalog, &look);
  pthread_mutex_unlock(&scanner->mutex);
  if (!due)
    return false;
  bt_look_run(&look);
  pthread_mutex_lock(&scanner->mutex);
  bt_catalog_put(scanner->catalog, &look);
  pthread_mutex_unlock(&scanner->mutex);
  scanner->untold = true;
  return true;
}

static void look_for_changes(struct scanner *scanner, bool events) {
  int64_t now = bt_steady_ms();
  bool touched = false, relist = false;
  pthread_mutex_lock(&scanner->mutex);
  if (events)
    scanner_watch_take(&scanner->watch, scanner->catalog, &touched, &relist);
  if (now >= scanner->recent_at) {
    (void)bt_catalog_poll(scanner->catalog, RECENT_FILES);
    relist |= scanner->catalog->vanished;
    scanner->recent_at = now + RECENT_MS;
  }
  pthread_mutex_unlock(&scanner->mutex);
  if (relist && scanner->relist_at == INT64_MAX)
    scanner->relist_at = now + RELIST_MS;
  if (now >= scanner->listing_at || now >= scanner->relist_at)
    list(scanner);
}

static void save(struct scanner *scanner, int64_t now) {
  pthread_mutex_lock(&scanner->mutex);
  bt_index_save(scanner->catalog);
  pthread_mutex_unlock(&scanner->mutex);
  scanner->save_at = now + SAVE_MS;
}

static int64_t least(int64_t a, int64_t b) {
  return a < b ? a : b;
}

/* Sleeps until something is due. False when it is time to end. */
static bool wait(struct scanner *scanner, bool busy) {
  struct pollfd fds[2] = {{.fd = scanner->wake[0], .events = POLLIN}, {.fd = scanner->watch.fd, .events = POLLIN}};
  int64_t now = bt_steady_ms(), until = least(least(scanner->recent_at, scanner->listing_at), scanner->relist_at);
  if (scanner->untold)
    until = least(until, scanner->tell_at);
  int timeout = busy || until <= now ? 0 : (int)(until - now);
  int ready = poll(fds, 2, timeout);
  if (fds[0].revents)
    return false;
  look_for_changes(scanner, ready > 0 && fds[1].revents);
  return true;
}

static void *work(void *context) {
  struct scanner *scanner = context;
  thread_step_back();
  list(scanner);
  for (scanner->busy = true; wait(scanner, scanner->busy);) {
    bool was_busy = scanner->busy;
    scanner->busy = read_one(scanner);
    int64_t now = bt_steady_ms();
    if (scanner->untold && (now >= scanner->tell_at || (was_busy && !scanner->busy)))
      tell(scanner, now);
    if (!scanner->busy && now >= scanner->save_at)
      save(scanner, now);
  }
  return NULL;
}

/* ---- for the screen's threads ---- */

static void dispose(struct scanner *scanner) {
  scanner_watch_close(&scanner->watch);
  bt_catalog_free(scanner->catalog);
  bt_registry_dispose(&scanner->registry);
  wake_close(scanner->news);
  wake_close(scanner->wake);
  thread_lock_dispose(&scanner->mutex, NULL);
  free(scanner);
}

struct scanner *scanner_new(const struct bt_env *env, bool all, bool use_inotify, struct bt_error *err) {
  struct scanner *scanner = calloc(1, sizeof *scanner);
  if (!scanner) {
    (void)bt_error_set(err, BT_NOMEM, "scanner", "out of memory");
    return NULL;
  }
  *scanner = (struct scanner){
      .env = env, .all = all, .use_inotify = use_inotify, .news = {-1, -1}, .wake = {-1, -1}, .relist_at = INT64_MAX};
  int failure = thread_lock_init(&scanner->mutex, NULL);
  if (failure != 0) {
    (void)bt_error_set_errno(err, failure, "scanner", "no lock");
    free(scanner);
    return NULL;
  }
  scanner_watch_open(&scanner->watch, use_inotify);
  scanner->catalog = bt_catalog_new(env, all, true, err);
  bool ok = scanner->catalog != NULL;
  if (ok && (!wake_open(scanner->news) || !wake_open(scanner->wake))) {
    (void)bt_error_set(err, BT_IO, "scanner", "no pipe");
    ok = false;
  }
  failure = ok ? bt_thread_start(&scanner->thread, work, scanner) : 0;
  if (failure)
    (void)bt_error_set_errno(err, failure, "scanner", "no thread");
  if (ok && !failure)
    return scanner;
  dispose(scanner);
  return NULL;
}

void scanner_free(struct scanner *scanner) {
  if (!scanner)
    return;
  wake_poke(scanner->wake);
  pthread_join(scanner->thread, NULL);
  bt_index_save(scanner->catalog);
  dispose(scanner);
}

int scanner_fd(const struct scanner *scanner) {
  return scanner->news[0];
}

void scanner_drain(struct scanner *scanner) {
  wake_drain(scanner->news);
}

struct bt_harness_view *scanner_view(struct scanner *scanner) {
  pthread_mutex_lock(&scanner->mutex);
  struct bt_harness_view *view =
      scanner->listed ? bt_harness_view_new(scanner->catalog, &scanner->registry, bt_env_now(scanner->env), NULL)
                      : NULL;
  pthread_mutex_unlock(&scanner->mutex);
  return view;
}
