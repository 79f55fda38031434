/* tui/librarian.c - the thread, its questions and its answers. */
#include "tui/librarian.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/base/arena.h"
#include "core/base/thread.h"
#include "core/records/view.h"
#include "tui/act.h"
#include "tui/thread.h"

#define REQUEST_BYTES ((size_t)16 << 20) /* what the forge said is in it, up to a description of 4 MiB, escaped */
enum { KINDS = LIBRARIAN_DONE + 1 };

enum job { JOB_NONE, JOB_LIST, JOB_PLAN, JOB_EXECUTE };

struct librarian {
  struct bt_env env; /* the caller's, with a way to stop */
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t asked;
  int pipe[2];
  int stop[2]; /* has input while the job that is going on is to end */
  enum job job;
  bool ending, build_stopped;
  /* questions; the newest of each kind */
  bool list_wanted, plan_wanted;
  struct bt_arena *request_arena; /* of `request` */
  struct bt_request request;
  unsigned plan_number;          /* of the newest question for a plan: older answers are nobody's */
  const struct bt_plan *execute; /* NULL: none is to be carried out */
  /* answers, one of a kind */
  bool ready[KINDS];
  struct librarian_answer answers[KINDS];
};

static void drop(struct librarian_answer *answer) {
  bt_records_view_free(answer->view);
  bt_plan_free(answer->plan);
  bt_receipt_free(answer->receipt);
  *answer = (struct librarian_answer){.kind = LIBRARIAN_NOTHING};
}

/* With the mutex held. */
static void forget_plans(struct librarian *librarian) {
  librarian->plan_number++;
  librarian->plan_wanted = false;
  drop(&librarian->answers[LIBRARIAN_PLANNED]);
  librarian->ready[LIBRARIAN_PLANNED] = false;
  bt_arena_free(librarian->request_arena);
  librarian->request_arena = NULL;
}

/* ---- the thread ---- */

/* With the mutex held, which is not held during the job. */
static void begin(struct librarian *librarian, enum job job) {
  wake_drain(librarian->stop); /* meant for an earlier one */
  librarian->job = job;
  pthread_mutex_unlock(&librarian->mutex);
}

static void end(struct librarian *librarian) {
  pthread_mutex_lock(&librarian->mutex);
  librarian->job = JOB_NONE;
}

/* With the mutex held. */
static void post(struct librarian *librarian, struct librarian_answer answer) {
  drop(&librarian->answers[answer.kind]); /* nobody has seen it */
  librarian->answers[answer.kind] = answer;
  librarian->ready[answer.kind] = true;
  wake_poke(librarian->pipe);
}

static void do_execute(struct librarian *librarian) {
  struct librarian_answer answer = {.kind = LIBRARIAN_DONE};
  const struct bt_plan *plan = librarian->execute;
  librarian->execute = NULL;
  begin(librarian, JOB_EXECUTE);
  if (act_execute(&librarian->env, plan, &answer.receipt, &answer.error) != BT_OK)
    answer.receipt = NULL;
  end(librarian);
  librarian->build_stopped = !answer.receipt && answer.error.code == BT_STATE;
  post(librarian, answer);
}

static void do_plan(struct librarian *librarian) {
  struct librarian_answer answer = {.kind = LIBRARIAN_PLANNED, .verb = librarian->request.verb};
  struct bt_arena *arena = librarian->request_arena;
  struct bt_request request = librarian->request;
  unsigned number = librarian->plan_number;
  librarian->request_arena = NULL;
  librarian->plan_wanted = false;
  begin(librarian, JOB_PLAN);
  if (act_plan(&librarian->env, &request, &answer.plan, &answer.error) != BT_OK)
    answer.plan = NULL;
  bt_arena_free(arena);
  end(librarian);
  if (number == librarian->plan_number)
    post(librarian, answer);
  else
    drop(&answer);
}

static void do_list(struct librarian *librarian) {
  struct librarian_answer answer = {.kind = LIBRARIAN_LISTED};
  librarian->list_wanted = false;
  begin(librarian, JOB_LIST);
  if (bt_records_view_load(&librarian->env, &answer.view, &answer.error) != BT_OK)
    answer.view = NULL;
  end(librarian);
  if (!answer.view && answer.error.code == BT_STATE)
    librarian->list_wanted = true; /* it gave way */
  else
    post(librarian, answer);
}

static void *run_jobs(void *context) {
  struct librarian *librarian = context;
  pthread_mutex_lock(&librarian->mutex);
  while (!librarian->ending) {
    if (librarian->execute)
      do_execute(librarian);
    else if (librarian->plan_wanted)
      do_plan(librarian);
    else if (librarian->list_wanted)
      do_list(librarian);
    else
      pthread_cond_wait(&librarian->asked, &librarian->mutex);
  }
  pthread_mutex_unlock(&librarian->mutex);
  return NULL;
}

/* ---- asking and taking ---- */

struct librarian *librarian_new(const struct bt_env *env, struct bt_error *err) {
  struct librarian *librarian = calloc(1, sizeof(*librarian));
  if (!librarian) {
    (void)bt_error_set(err, BT_NOMEM, "librarian", "out of memory");
    return NULL;
  }
  librarian->env = *env;
  librarian->env.give_up = &librarian->stop[0];
  librarian->stop[0] = librarian->stop[1] = -1;
  if (!wake_open(librarian->pipe) || !wake_open(librarian->stop)) {
    (void)bt_error_set(err, BT_IO, "librarian", "no pipe");
    wake_close(librarian->pipe);
    free(librarian);
    return NULL;
  }
  int failure = thread_lock_init(&librarian->mutex, &librarian->asked);
  bool locks = failure == 0;
  if (locks)
    failure = bt_thread_start(&librarian->thread, run_jobs, librarian);
  if (failure == 0)
    return librarian;
  (void)bt_error_set_errno(err, failure, "librarian", "no thread");
  if (locks)
    thread_lock_dispose(&librarian->mutex, &librarian->asked);
  wake_close(librarian->pipe);
  wake_close(librarian->stop);
  free(librarian);
  return NULL;
}

bool librarian_free(struct librarian *librarian) {
  if (!librarian)
    return false;
  pthread_mutex_lock(&librarian->mutex);
  librarian->ending = true;
  librarian->build_stopped = false;
  wake_poke(librarian->stop);
  pthread_cond_signal(&librarian->asked);
  pthread_mutex_unlock(&librarian->mutex);
  pthread_join(librarian->thread, NULL);
  forget_plans(librarian);
  for (int kind = 0; kind < KINDS; kind++)
    drop(&librarian->answers[kind]);
  thread_lock_dispose(&librarian->mutex, &librarian->asked);
  wake_close(librarian->pipe);
  wake_close(librarian->stop);
  bool stopped = librarian->build_stopped;
  free(librarian);
  return stopped;
}

void librarian_stop(struct librarian *librarian) {
  pthread_mutex_lock(&librarian->mutex);
  if (librarian->job == JOB_PLAN || librarian->job == JOB_EXECUTE)
    wake_poke(librarian->stop);
  librarian->plan_wanted = false;
  if (librarian->execute) { /* not begun yet */
    struct librarian_answer answer = {.kind = LIBRARIAN_DONE, .error = {.code = BT_STATE}};
    librarian->execute = NULL;
    post(librarian, answer);
  }
  pthread_mutex_unlock(&librarian->mutex);
}

/* With the mutex held: what only fills a page gives way. */
static void make_way(struct librarian *librarian) {
  if (librarian->job == JOB_LIST || librarian->job == JOB_PLAN)
    wake_poke(librarian->stop);
}

void librarian_list(struct librarian *librarian) {
  pthread_mutex_lock(&librarian->mutex);
  librarian->list_wanted = true;
  pthread_cond_signal(&librarian->asked);
  pthread_mutex_unlock(&librarian->mutex);
}

static const char *keep(struct bt_arena *arena, const char *text, bool *failed) {
  const char *kept = text ? bt_arena_strdup(arena, text) : NULL;
  *failed = *failed || (text && !kept);
  return kept;
}

bool librarian_plan(struct librarian *librarian, const struct bt_request *request) {
  struct bt_arena *arena = bt_arena_new(REQUEST_BYTES);
  bool failed = arena == NULL;
  struct bt_request copy = {
      .verb = request->verb, .pr_taken_ms = request->pr_taken_ms, .resumable = request->resumable};
  if (!failed) { /* what a record's or a delivery's plan asks for */
    copy.session = keep(arena, request->session, &failed);
    copy.transcript = keep(arena, request->transcript, &failed);
    copy.harness = keep(arena, request->harness, &failed);
    copy.tree = keep(arena, request->tree, &failed);
    copy.pr_state = keep(arena, request->pr_state, &failed);
    copy.detail = keep(arena, request->detail, &failed);
  }
  if (failed) {
    bt_arena_free(arena);
    return false;
  }
  pthread_mutex_lock(&librarian->mutex);
  forget_plans(librarian);
  librarian->request_arena = arena;
  librarian->request = copy;
  librarian->plan_wanted = true;
  make_way(librarian);
  pthread_cond_signal(&librarian->asked);
  pthread_mutex_unlock(&librarian->mutex);
  return true;
}

void librarian_execute(struct librarian *librarian, const struct bt_plan *plan) {
  pthread_mutex_lock(&librarian->mutex);
  forget_plans(librarian);
  librarian->execute = plan;
  make_way(librarian);
  pthread_cond_signal(&librarian->asked);
  pthread_mutex_unlock(&librarian->mutex);
}

int librarian_fd(const struct librarian *librarian) {
  return librarian->pipe[0];
}

struct librarian_answer librarian_take(struct librarian *librarian) {
  static const enum librarian_kind order[] = {LIBRARIAN_DONE, LIBRARIAN_PLANNED, LIBRARIAN_LISTED};
  struct librarian_answer answer = {.kind = LIBRARIAN_NOTHING};
  wake_drain(librarian->pipe);
  pthread_mutex_lock(&librarian->mutex);
  for (size_t i = 0; i < sizeof(order) / sizeof(order[0]) && answer.kind == LIBRARIAN_NOTHING; i++)
    if (librarian->ready[order[i]]) {
      librarian->ready[order[i]] = false;
      answer = librarian->answers[order[i]];
      librarian->answers[order[i]] = (struct librarian_answer){.kind = LIBRARIAN_NOTHING};
    }
  pthread_mutex_unlock(&librarian->mutex);
  return answer;
}
