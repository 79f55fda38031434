/* tui/loader.c - the loading thread and its mailbox. */
#include "tui/loader.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/base/thread.h"
#include "core/harness/view.h"
#include "core/store/load.h"
#include "tui/scanner.h"
#include "tui/thread.h"

struct loader {
  const struct bt_env *env;
  struct scanner *scanner;
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t asked;
  int pipe[2];
  bool quick_wanted, git_wanted, ending;
  /* mailbox */
  struct bt_snapshot *snapshot;
  bool failed;
  struct bt_error error;
};

static void post(struct loader *loader, struct bt_snapshot *snapshot, const struct bt_error *error) {
  pthread_mutex_lock(&loader->mutex);
  struct bt_snapshot *unseen = loader->snapshot;
  loader->snapshot = snapshot;
  loader->failed = !snapshot;
  if (!snapshot)
    loader->error = *error;
  pthread_mutex_unlock(&loader->mutex);
  wake_poke(loader->pipe);
  bt_snapshot_free(unseen); /* not under the lock: thousands of sessions take a while, and a key may be waiting */
}

static void load(struct loader *loader, unsigned flags) {
  struct bt_snapshot *snapshot = NULL;
  struct bt_error error = {.code = BT_OK};
  struct bt_harness_view *view = loader->scanner ? scanner_view(loader->scanner) : NULL;
  if (bt_store_load(loader->env, flags, view, &snapshot, &error) != BT_OK)
    snapshot = NULL;
  bt_harness_view_free(view);
  post(loader, snapshot, &error);
}

static void *work(void *context) {
  struct loader *loader = context;
  pthread_mutex_lock(&loader->mutex);
  while (!loader->ending) {
    if (!loader->quick_wanted && !loader->git_wanted) {
      pthread_cond_wait(&loader->asked, &loader->mutex);
      continue;
    }
    bool quick = loader->quick_wanted;
    loader->quick_wanted = false;
    if (!quick)
      loader->git_wanted = false;
    pthread_mutex_unlock(&loader->mutex);
    load(loader, quick ? BT_LOAD_TICKETS : BT_LOAD_TICKETS | BT_LOAD_GIT);
    pthread_mutex_lock(&loader->mutex);
  }
  pthread_mutex_unlock(&loader->mutex);
  return NULL;
}

struct loader *loader_new(const struct bt_env *env, struct scanner *scanner, struct bt_error *err) {
  struct loader *loader = calloc(1, sizeof(*loader));
  if (!loader) {
    (void)bt_error_set(err, BT_NOMEM, "loader", "out of memory");
    return NULL;
  }
  loader->env = env;
  loader->scanner = scanner;
  if (!wake_open(loader->pipe)) {
    (void)bt_error_set(err, BT_IO, "loader", "no pipe");
    free(loader);
    return NULL;
  }
  int failure = thread_lock_init(&loader->mutex, &loader->asked);
  bool locks = failure == 0;
  if (locks)
    failure = bt_thread_start(&loader->thread, work, loader);
  if (failure == 0)
    return loader;
  (void)bt_error_set_errno(err, failure, "loader", "no thread");
  if (locks)
    thread_lock_dispose(&loader->mutex, &loader->asked);
  wake_close(loader->pipe);
  free(loader);
  return NULL;
}

void loader_free(struct loader *loader) {
  if (!loader)
    return;
  pthread_mutex_lock(&loader->mutex);
  loader->ending = true;
  pthread_cond_signal(&loader->asked);
  pthread_mutex_unlock(&loader->mutex);
  pthread_join(loader->thread, NULL);
  thread_lock_dispose(&loader->mutex, &loader->asked);
  wake_close(loader->pipe);
  bt_snapshot_free(loader->snapshot);
  free(loader);
}

void loader_ask(struct loader *loader, bool with_git) {
  pthread_mutex_lock(&loader->mutex);
  loader->quick_wanted = true;
  loader->git_wanted = loader->git_wanted || with_git;
  pthread_cond_signal(&loader->asked);
  pthread_mutex_unlock(&loader->mutex);
}

int loader_fd(const struct loader *loader) {
  return loader->pipe[0];
}

enum loader_answer loader_take(struct loader *loader, struct bt_snapshot **snapshot, struct bt_error *err) {
  wake_drain(loader->pipe);
  enum loader_answer answer = LOADER_NOTHING;
  pthread_mutex_lock(&loader->mutex);
  if (loader->snapshot) {
    *snapshot = loader->snapshot;
    loader->snapshot = NULL;
    answer = LOADER_SNAPSHOT;
  } else if (loader->failed) {
    *err = loader->error;
    loader->failed = false;
    answer = LOADER_FAILED;
  }
  pthread_mutex_unlock(&loader->mutex);
  return answer;
}
