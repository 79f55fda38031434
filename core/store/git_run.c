/* core/store/git_run.c - one child process, watched. */
#include "core/store/git_run.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define REAP_STEP_NS 200000L

extern char **environ;

static int64_t monotonic_ms(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- environment ---- */

static bool is_variable(const char *entry, const char *name) {
  size_t length = strlen(name);
  return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

/* The keys of the ledger's programs never reach a child. */
static bool is_withheld(const char *entry, bool own_repository) {
  static const char *const names[] = {"ADLC_MANIFEST_KEY", "ADLC_ADMIN_KEY", "GIT_OPTIONAL_LOCKS",
                                      "GIT_DIR",           "GIT_WORK_TREE",  "GIT_INDEX_FILE"};
  size_t count = own_repository ? 6 : 3;
  for (size_t i = 0; i < count; i++) {
    if (is_variable(entry, names[i]))
      return true;
  }
  return false;
}

/* A list of borrowed strings; the list itself is the caller's. NULL: out of memory. */
static char **child_environment(bool own_repository) {
  static const char no_locks[] = "GIT_OPTIONAL_LOCKS=0"; /* `git status` must not refresh the index on disk */
  size_t count = 0, kept = 0;
  while (environ != NULL && environ[count] != NULL)
    count++;
  char **list = calloc(1, (count + 2) * sizeof *list + sizeof no_locks);
  if (list == NULL)
    return NULL;
  for (size_t i = 0; i < count; i++) {
    if (!is_withheld(environ[i], own_repository))
      list[kept++] = environ[i];
  }
  char *last = (char *)(list + count + 2);
  memcpy(last, no_locks, sizeof no_locks);
  list[kept] = last;
  return list;
}

/* ---- starting ---- */

/* argv for posix_spawn, which takes pointers to char that it does not write through. */
static void fill_argv(char *argv[BT_GIT_ARGS_MAX], const char *root, const char *const *args) {
  /* A repository's own fsmonitor setting names a program; looking at it must not run that. */
  const char *head[] = {"git", "-C", root, "-c", "core.fsmonitor=false"};
  size_t count = sizeof head / sizeof *head, more = 0;
  while (args[more] != NULL)
    more++;
  assert(count + more < BT_GIT_ARGS_MAX);
  memcpy(argv, head, sizeof head);
  memcpy(argv + count, args, (more + 1) * sizeof *args);
}

/* Plain signals, no input, no complaints on the terminal, output into `out`. */
static int describe_child(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, int out) {
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  sigaddset(&usual, SIGCHLD);
  int status = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (status == 0)
    status = posix_spawn_file_actions_addopen(actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  if (status == 0)
    status = posix_spawn_file_actions_adddup2(actions, out, STDOUT_FILENO);
  if (status == 0)
    status = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  if (status == 0)
    status = posix_spawnattr_setsigmask(attributes, &none);
  return status == 0 ? posix_spawnattr_setsigdefault(attributes, &usual) : status;
}

/* An errno, 0 when the child runs. */
static int start(const char *root, const char *const *args, bool own_repository, int out, pid_t *child) {
  char *argv[BT_GIT_ARGS_MAX];
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  fill_argv(argv, root, args);
  char **env = child_environment(own_repository);
  if (env == NULL)
    return ENOMEM;
  int status = posix_spawn_file_actions_init(&actions);
  if (status == 0) {
    status = posix_spawnattr_init(&attributes);
    if (status == 0) {
      status = describe_child(&actions, &attributes, out);
      if (status == 0)
        status = posix_spawnp(child, "git", &actions, &attributes, argv, env);
      (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
  }
  free(env);
  return status;
}

/* ---- watching ---- */

/* Reads until the child closes its end; what happened otherwise is in the result. */
static enum bt_git_end drain(int from, struct bt_str *output, int64_t deadline) {
  static const size_t block = 16 * 1024;
  char bytes[16 * 1024];
  size_t total = 0;
  for (;;) {
    int64_t left = deadline - monotonic_ms();
    struct pollfd wait = {.fd = from, .events = POLLIN};
    int ready = left > 0 ? poll(&wait, 1, (int)left) : 0;
    if (ready == 0)
      return BT_GIT_TIMED_OUT;
    if (ready < 0 && errno != EINTR)
      return BT_GIT_BROKEN;
    ssize_t got = ready > 0 ? read(from, bytes, block) : -1;
    if (got == 0)
      return BT_GIT_EXITED;
    if (got < 0 && ready > 0 && errno != EINTR && errno != EAGAIN)
      return BT_GIT_BROKEN;
    if (got < 0)
      continue;
    total += (size_t)got;
    if (total > BT_GIT_OUTPUT_MAX)
      return BT_GIT_TOO_MUCH;
    if (output != NULL)
      bt_str_append(output, bytes, (size_t)got);
  }
}

static void reap(pid_t child, int64_t deadline, struct bt_git_result *result) {
  int status = 0;
  if (result->end != BT_GIT_EXITED)
    (void)kill(child, SIGKILL);
  for (;;) {
    pid_t gone = waitpid(child, &status, result->end == BT_GIT_EXITED ? WNOHANG : 0);
    if (gone == child)
      break;
    if (gone < 0 && errno != EINTR) {
      result->end = BT_GIT_BROKEN; /* somebody else took its status */
      return;
    }
    if (gone == 0 && monotonic_ms() >= deadline) {
      result->end = BT_GIT_TIMED_OUT;
      (void)kill(child, SIGKILL);
    } else if (gone == 0) {
      struct timespec step = {.tv_nsec = REAP_STEP_NS};
      (void)nanosleep(&step, NULL);
    }
  }
  if (result->end == BT_GIT_EXITED && WIFEXITED(status))
    result->exit_status = WEXITSTATUS(status);
  else if (result->end == BT_GIT_EXITED)
    result->end = BT_GIT_BROKEN;
}

enum bt_code bt_git_run(const char *root, const char *const *args, bool own_repository, struct bt_str *output,
                        struct bt_git_result *result, struct bt_error *err) {
  int ends[2];
  pid_t child = -1;
  *result = (struct bt_git_result){.end = BT_GIT_ABSENT, .exit_status = -1};
  if (pipe(ends) != 0)
    return bt_error_set_errno(err, errno, "git", "no pipe");
  (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  int64_t deadline = monotonic_ms() + BT_GIT_TIMEOUT_MS;
  int status = start(root, args, own_repository, ends[1], &child);
  close(ends[1]);
  if (status == 0) {
    result->end = drain(ends[0], output, deadline);
    reap(child, deadline, result);
  }
  close(ends[0]);
  if (status == ENOMEM)
    return bt_error_set(err, BT_NOMEM, "git", "out of memory");
  if (status == EAGAIN)
    return bt_error_set_errno(err, status, "git", "cannot be started");
  if (output != NULL && output->failed)
    return bt_error_set(err, BT_NOMEM, "git", "out of memory");
  return BT_OK;
}
