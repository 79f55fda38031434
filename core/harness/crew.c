/* core/harness/crew.c - the looks of a catalog, made on several threads. */
#include <pthread.h>

#include "core/base/thread.h"
#include "core/harness/catalog.h"

#define CREW_MAX 8

struct crew {
  struct bt_catalog *catalog;
  pthread_mutex_t mutex;
};

static void *work(void *context) {
  struct crew *crew = context;
  struct bt_look look;
  pthread_mutex_lock(&crew->mutex);
  while (bt_catalog_next(crew->catalog, &look)) {
    pthread_mutex_unlock(&crew->mutex);
    bt_look_run(&look);
    pthread_mutex_lock(&crew->mutex);
    bt_catalog_put(crew->catalog, &look);
  }
  pthread_mutex_unlock(&crew->mutex);
  return NULL;
}

enum bt_code bt_catalog_read_all(struct bt_catalog *catalog, int threads, struct bt_error *err) {
  struct crew crew = {.catalog = catalog};
  pthread_t helpers[CREW_MAX];
  int count = 0;
  size_t pending = bt_catalog_pending(catalog);
  if (pthread_mutex_init(&crew.mutex, NULL) != 0)
    return bt_error_set(err, BT_NOMEM, "transcripts", "out of memory");
  while (count < threads - 1 && count < CREW_MAX && pending > 8 && bt_thread_start(&helpers[count], work, &crew) == 0)
    count++;
  (void)work(&crew);
  for (int i = 0; i < count; i++)
    pthread_join(helpers[i], NULL);
  (void)work(&crew); /* what the last looks of the others left to do */
  pthread_mutex_destroy(&crew.mutex);
  return BT_OK;
}
