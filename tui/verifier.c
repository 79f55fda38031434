/* tui/verifier.c - one source after the other. */
#include "tui/verifier.h"

#include <stdlib.h>
#include <string.h>

#include "core/store/log_view.h"
#include "tui/worker.h"

struct verifier {
  struct bt_env env; /* a copy that knows when nobody waits any more */
  struct worker *worker;
  char last[BT_LOG_STAMP]; /* of what was handed out last; the thread's alone */
};

struct answer {
  struct bt_log_source *source;
  struct bt_error error;
};

static void free_answer(void *result) {
  struct answer *answer = result;
  bt_log_source_free(answer->source);
  free(answer);
}

/* NULL where the last answer still holds. */
static void *run(void *context, void *order) {
  struct verifier *verifier = context;
  (void)order;
  struct answer *answer = calloc(1, sizeof *answer);
  if (!answer)
    return NULL;
  answer->source = bt_log_source_new();
  enum bt_code code = !answer->source
                          ? bt_error_set(&answer->error, BT_NOMEM, "evidence", "out of memory")
                          : bt_log_source_check(&verifier->env, answer->source, verifier->last, &answer->error);
  if (code == BT_OK && bt_log_source_stamp(answer->source)[0] == '\0') {
    free_answer(answer);
    return NULL;
  }
  verifier->last[0] = '\0';
  if (code == BT_OK) {
    memcpy(verifier->last, bt_log_source_stamp(answer->source), sizeof verifier->last);
  } else {
    bt_log_source_free(answer->source);
    answer->source = NULL;
  }
  return answer;
}

static const struct worker_kind kind = {run, NULL, free, free_answer};

struct verifier *verifier_new(const struct bt_env *env, struct bt_error *err) {
  struct verifier *verifier = calloc(1, sizeof *verifier);
  if (!verifier) {
    (void)bt_error_set(err, BT_NOMEM, "evidence", "out of memory");
    return NULL;
  }
  verifier->env = *env;
  verifier->worker = worker_new(&kind, verifier, err);
  if (!verifier->worker) {
    free(verifier);
    return NULL;
  }
  verifier->env.give_up = worker_give_up(verifier->worker); /* before the first order: nothing runs yet */
  return verifier;
}

void verifier_free(struct verifier *verifier) {
  if (!verifier)
    return;
  worker_free(verifier->worker);
  free(verifier);
}

void verifier_ask(struct verifier *verifier) {
  char *order = malloc(1); /* there is nothing to say; without memory the next refresh asks again */
  if (order)
    worker_ask(verifier->worker, order);
}

int verifier_fd(const struct verifier *verifier) {
  return worker_fd(verifier->worker);
}

bool verifier_take(struct verifier *verifier, struct bt_log_source **source, struct bt_error *err) {
  struct answer *answer = worker_take(verifier->worker, NULL);
  if (!answer)
    return false;
  *source = answer->source;
  *err = answer->error;
  free(answer);
  return true;
}
