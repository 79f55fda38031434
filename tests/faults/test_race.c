/* tests/faults/test_race.c - many processes write, repair, resume and continue the same sessions at once, and some are
 * killed: no torn file, one consumer for each deny, evidence that verifies, no lock but those of the killed.
 *
 * Short by default; BATON_SOAK=1 makes it long (./dev soak): a hundred processes for a minute, 200 of them killed. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/json.h"
#include "tests/faults/scenario.h"

#define SESSIONS 10
#define ROUND_MS 400 /* then everybody moves on to ten new sessions */
#define PROCESSES_MAX 100

struct shared { /* between parent and children */
  _Atomic size_t done, refused, failed;
};

struct race {
  struct fixture *fixture;
  struct shared *shared;
  size_t processes, kills;
  int64_t seconds;
  pid_t children[PROCESSES_MAX];
  int64_t started_ms;
};

static int64_t now_ms(void *context) {
  (void)context;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static enum bt_alive really_alive(void *context, double pid) {
  (void)context;
  if (kill((pid_t)pid, 0) == 0)
    return BT_ALIVE_YES;
  return errno == EPERM ? BT_ALIVE_DENIED : BT_ALIVE_NO;
}

static bool is_soak(void) {
  const char *soak = getenv("BATON_SOAK");
  return soak != NULL && strcmp(soak, "1") == 0;
}

static unsigned next_random(unsigned *seed) {
  *seed = *seed * 1103515245u + 12345u;
  return *seed >> 16;
}

/* ---- one process ---- */

/* A consumer is used once: whoever takes over a second deny holds the authorization for that one only. */
static struct bt_request pick(unsigned *seed, size_t turn, int64_t elapsed_ms, char session[64], char consumer[64],
                              char hash[32]) {
  static const enum bt_verb verbs[] = {BT_VERB_WRITE, BT_VERB_WRITE, BT_VERB_REPAIR, BT_VERB_RESUME, BT_VERB_CONTINUE};
  enum bt_verb verb = verbs[next_random(seed) % 5];
  snprintf(session, 64, "r%lld-%u", (long long)(elapsed_ms / ROUND_MS), next_random(seed) % SESSIONS);
  snprintf(consumer, 64, "c-%ld-%zu", (long)getpid(), turn);
  snprintf(hash, 32, "h-%u", next_random(seed));
  struct bt_request request = {.verb = verb, .session = session, .ticket = "T-1", .content_hash = hash, .terse = true};
  if (verb == BT_VERB_RESUME || verb == BT_VERB_CONTINUE)
    request = (struct bt_request){.verb = verb, .session = consumer, .deny_session = session, .terse = true};
  return request;
}

static void work(struct race *race, unsigned seed) {
  race->fixture->env.pid = getpid();
  int64_t end = race->started_ms + race->seconds * 1000, now;
  for (size_t turn = 0; (now = now_ms(NULL)) < end; turn++) {
    char session[64], consumer[64], hash[32];
    struct bt_request request = pick(&seed, turn, now - race->started_ms, session, consumer, hash);
    struct scenario scenario = {.name = "race", .request = request};
    struct stage stage = {.fixture = race->fixture};
    struct bt_error err = {0};
    enum bt_code code = stage_run(&stage, &scenario, &err);
    if (code == BT_OK)
      race->shared->done++;
    else if (bt_code_exit_status(code) == 2 || code == BT_STATE)
      race->shared->refused++;
    else
      race->shared->failed++;
  }
  _exit(0);
}

static void start(struct race *race, size_t which) {
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0)
    work(race, (unsigned)getpid() * 2654435761u);
  race->children[which] = child;
}

/* ---- afterwards ---- */

static bool ends_with(const char *text, const char *suffix) {
  size_t length = strlen(text), tail = strlen(suffix);
  return length >= tail && strcmp(text + length - tail, suffix) == 0;
}

static struct bt_json *parse(const struct tree_file *file) {
  struct bt_json *json = bt_json_parse(file->bytes, file->length, NULL);
  if (json == NULL)
    fail_msg("%s is torn: %.200s", file->path, file->bytes);
  return json;
}

/* Locks of the killed go by `unlock`, as an operator would do it. */
static void unlock_all(struct race *race, const struct tree *tree) {
  for (size_t i = 0; i < tree->count; i++) {
    const struct tree_file *file = &tree->files[i];
    if (!ends_with(file->path, ".lock"))
      continue;
    if (race->kills == 0)
      fail_msg("%s is left behind: %.200s", file->path, file->bytes);
    struct bt_json *json = parse(file);
    bool ledger = strncmp(file->path, ".adlc/manifest", 14) == 0;
    char pid[32];
    double number = 0;
    (void)bt_json_number(bt_json_get(json, "pid"), &number);
    snprintf(pid, sizeof pid, "%.0f", number);
    struct scenario unlock = {.name = "unlock"};
    unlock.request = (struct bt_request){.verb = BT_VERB_UNLOCK,
                                         .session = ledger ? NULL : bt_json_get_string(json, "session_id"),
                                         .ledger_lock = ledger ? file->path + strlen(".adlc/") : NULL,
                                         .pid = pid,
                                         .started_at = bt_json_get_string(json, ledger ? "startedAt" : "started_at"),
                                         .host = bt_json_get_string(json, ledger ? "hostname" : "host"),
                                         .nonce = bt_json_get_string(json, ledger ? "token" : "nonce")};
    struct stage stage = {.fixture = race->fixture};
    struct bt_error err = {0};
    if (stage_run(&stage, &unlock, &err) != BT_OK)
      fail_msg("%s cannot be unlocked: %s", file->path, err.message);
    bt_json_free(json);
  }
}

/* Who holds an authorization for this deny; NULL nobody. More than one only where a killed run left its own behind. */
static size_t count_auths(const struct tree *tree, const char *denied, const char *consumer, bool *found) {
  size_t count = 0;
  for (size_t i = 0; i < tree->count; i++) {
    if (!ends_with(tree->files[i].path, ".resume-auth.json"))
      continue;
    struct bt_json *auth = parse(&tree->files[i]);
    if (bt_text_equals(bt_json_get_string(auth, "deny_session_id"), denied)) {
      count++;
      *found = *found || bt_text_equals(bt_json_get_string(auth, "consumer_session_id"), consumer);
    }
    bt_json_free(auth);
  }
  return count;
}

static void expect_one_consumer(const struct race *race, const struct tree *tree) {
  size_t consumed = 0;
  for (size_t i = 0; i < tree->count; i++) {
    const struct tree_file *file = &tree->files[i];
    if (strncmp(file->path, ".adlc/handoffs/denies/", 22) != 0 || !ends_with(file->path, ".json"))
      continue;
    struct bt_json *deny = parse(file);
    const char *id = bt_json_get_string(deny, "session_id"), *consumer = bt_json_get_string(deny, "consumed_by");
    bool is_consumed = bt_text_equals(bt_json_get_string(deny, "status"), "consumed"), found = false;
    size_t auths = count_auths(tree, id, consumer, &found);
    consumed += is_consumed;
    if (is_consumed && !found)
      fail_msg("%s is consumed by %s, who holds no authorization", id, consumer);
    if (race->kills == 0 && auths != (is_consumed ? 1u : 0u))
      fail_msg("%s: %zu authorizations, status %s", id, auths, bt_json_get_string(deny, "status"));
    bt_json_free(deny);
  }
  assert_true(consumed > 0);
}

static void expect_sound(struct race *race) {
  struct tree tree;
  tree_take(&tree, race->fixture->root);
  unlock_all(race, &tree);
  for (size_t i = 0; i < tree.count; i++) {
    if (ends_with(tree.files[i].path, ".json"))
      bt_json_free(parse(&tree.files[i]));
  }
  expect_one_consumer(race, &tree);
  tree_dispose(&tree);
  struct stage stage = {.fixture = race->fixture};
  size_t entries = expect_evidence(&stage, "after the race");
  print_message("%zu done, %zu refused, %zu failed, %zu entries\n", (size_t)race->shared->done,
                (size_t)race->shared->refused, (size_t)race->shared->failed, entries);
  assert_true(entries >= race->shared->done); /* an entry may be more than a success, never less */
}

static void kill_some(struct race *race, unsigned *seed) {
  int64_t end = race->started_ms + race->seconds * 1000;
  for (size_t killed = 0; killed < race->kills && now_ms(NULL) + 200 < end; killed++) {
    int64_t pause_ms = race->seconds * 800 / (int64_t)race->kills;
    struct timespec pause = {(time_t)(pause_ms / 1000), (long)(pause_ms % 1000) * 1000000L};
    nanosleep(&pause, NULL);
    size_t which = next_random(seed) % race->processes;
    kill(race->children[which], SIGKILL);
    assert_int_equal(waitpid(race->children[which], NULL, 0), race->children[which]);
    start(race, which);
  }
}

static void run_race(size_t kills) {
  struct race race = {.kills = kills};
  unsigned seed = 1;
  race.seconds = is_soak() ? 60 : 4;
  race.processes = is_soak() ? PROCESSES_MAX : 12;
  race.shared = mmap(NULL, sizeof *race.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(race.shared != MAP_FAILED);
  race.fixture = fixture_new(FIXTURE_EMPTY);
  assert_non_null(race.fixture);
  race.fixture->env.key = FAULT_KEY;
  race.fixture->env.key_length = strlen(FAULT_KEY);
  race.fixture->env.now_ms = now_ms;
  race.fixture->env.proc.alive = really_alive;
  race.started_ms = now_ms(NULL);
  for (size_t i = 0; i < race.processes; i++)
    start(&race, i);
  kill_some(&race, &seed);
  for (size_t i = 0; i < race.processes; i++)
    assert_int_equal(waitpid(race.children[i], NULL, 0), race.children[i]);
  expect_sound(&race);
  fixture_free(race.fixture);
  munmap(race.shared, sizeof *race.shared);
}

static void test_race(void **state) {
  (void)state;
  run_race(0);
}

static void test_race_with_deaths(void **state) {
  (void)state;
  run_race(is_soak() ? 200 : 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_race), cmocka_unit_test(test_race_with_deaths)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
