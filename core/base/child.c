/* core/base/child.c - one child process, watched. */
#define _GNU_SOURCE /* pipe2, a child's own working folder */
#include "core/base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/steady.h"

#define REAP_STEP_NS 200000L

extern char **environ;

struct stream {
  int ends[2]; /* -1 when the stream is discarded */
  struct bt_str *into;
};

/* ---- environment ---- */

static bool is_variable(const char *entry, const char *name) {
  size_t length = strcspn(name, "=");
  return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

static bool is_any(const char *entry, const char *const *names) {
  for (size_t i = 0; names != NULL && names[i] != NULL; i++) {
    if (is_variable(entry, names[i]))
      return true;
  }
  return false;
}

static size_t count_of(const char *const *list) {
  size_t count = 0;
  while (list != NULL && list[count] != NULL)
    count++;
  return count;
}

const char **bt_child_environment(const char *const *added, const char *const *withheld) {
  size_t kept = 0;
  const char **list = calloc(count_of((const char *const *)environ) + count_of(added) + 1, sizeof *list);
  for (size_t i = 0; list != NULL && environ != NULL && environ[i] != NULL; i++) {
    if (!is_any(environ[i], withheld) && !is_any(environ[i], added))
      list[kept++] = environ[i];
  }
  for (size_t i = 0; list != NULL && added != NULL && added[i] != NULL; i++)
    list[kept++] = added[i];
  return list;
}

/* The same without the keys of the ledger's programs, which never reach a child that is watched. */
static const char **watched_environment(const struct bt_child *child) {
  static const char *const keys[] = {"ADLC_MANIFEST_KEY", "ADLC_ADMIN_KEY", NULL};
  const char **list = bt_child_environment(child->added, child->withheld);
  size_t kept = 0;
  for (size_t i = 0; list != NULL && list[i] != NULL; i++) {
    if (!is_any(list[i], keys) || is_any(list[i], child->added))
      list[kept++] = list[i];
  }
  if (list != NULL)
    list[kept] = NULL;
  return list;
}

/* ---- starting ---- */

static int describe_stream(posix_spawn_file_actions_t *actions, const struct stream *stream, int number) {
  if (stream->into == NULL)
    return posix_spawn_file_actions_addopen(actions, number, "/dev/null", O_WRONLY, 0);
  return posix_spawn_file_actions_adddup2(actions, stream->ends[1], number);
}

/* Plain signals, no input, output into the pipes. */
static int describe_child(const struct bt_child *child, const struct stream streams[2],
                          posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes) {
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  sigaddset(&usual, SIGCHLD);
  short flags =
      (short)(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (child->own_group ? POSIX_SPAWN_SETPGROUP : 0));
  int status = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (status == 0)
    status = describe_stream(actions, &streams[0], STDOUT_FILENO);
  if (status == 0)
    status = describe_stream(actions, &streams[1], STDERR_FILENO);
  if (status == 0 && child->dir != NULL)
    status = posix_spawn_file_actions_addchdir_np(actions, child->dir);
  if (status == 0)
    status = posix_spawnattr_setflags(attributes, flags);
  if (status == 0)
    status = posix_spawnattr_setsigmask(attributes, &none);
  return status == 0 ? posix_spawnattr_setsigdefault(attributes, &usual) : status;
}

/* posix_spawn takes pointers to char that it does not write through. */
static char *const *unconst(const char *const *list) {
  char *const *plain;
  memcpy(&plain, &list, sizeof plain);
  return plain;
}

/* An errno, 0 when the child runs. */
static int start(const struct bt_child *child, const struct stream streams[2], pid_t *pid) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  const char **env = watched_environment(child);
  if (env == NULL)
    return ENOMEM;
  int status = posix_spawn_file_actions_init(&actions);
  if (status == 0) {
    status = posix_spawnattr_init(&attributes);
    if (status == 0) {
      status = describe_child(child, streams, &actions, &attributes);
      if (status == 0)
        status = posix_spawnp(pid, child->argv[0], &actions, &attributes, unconst(child->argv), unconst(env));
      (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
  }
  free(env);
  return status;
}

/* ---- watching ---- */

/* One read. 1: go on; 0: this stream has ended; -1: it cannot be read. What is past the ceiling is counted, not kept.
 */
static int read_once(int from, struct bt_str *into, size_t *total, size_t most) {
  static const size_t block = 16 * 1024;
  char bytes[16 * 1024];
  ssize_t got = read(from, bytes, block);
  if (got == 0)
    return 0;
  if (got < 0)
    return errno == EINTR || errno == EAGAIN ? 1 : -1;
  *total += (size_t)got;
  if (*total <= most)
    bt_str_append(into, bytes, (size_t)got);
  return 1;
}

/* Reads until the child has closed its ends; what happened otherwise is the answer. */
static enum bt_child_end drain(const struct bt_child *child, const struct stream streams[2], int64_t deadline) {
  struct pollfd wait[3] = {{.fd = streams[0].ends[0], .events = POLLIN},
                           {.fd = streams[1].ends[0], .events = POLLIN},
                           {.fd = child->give_up != NULL ? *child->give_up : -1, .events = POLLIN}};
  size_t total = 0;
  while (wait[0].fd >= 0 || wait[1].fd >= 0) {
    int64_t left = deadline - bt_steady_ms();
    int ready = left > 0 ? poll(wait, 3, (int)left) : 0; /* a descriptor of -1 is passed over */
    if (ready == 0 || (ready > 0 && wait[2].revents != 0))
      return BT_CHILD_TIMED_OUT;
    if (ready < 0 && errno != EINTR)
      return BT_CHILD_BROKEN;
    for (int i = 0; ready > 0 && i < 2; i++) {
      bool has_more = wait[i].fd >= 0 && wait[i].revents != 0;
      int more = has_more ? read_once(wait[i].fd, streams[i].into, &total, child->output_max) : 1;
      if (more < 0)
        return BT_CHILD_BROKEN;
      if (more == 0)
        wait[i].fd = -1;
    }
    if (total > child->output_max)
      return BT_CHILD_TOO_MUCH;
  }
  return BT_CHILD_EXITED;
}

static void end_child(const struct bt_child *child, pid_t pid) {
  (void)kill(child->own_group ? -pid : pid, SIGKILL);
}

static void reap(const struct bt_child *child, pid_t pid, int64_t deadline, struct bt_child_result *result) {
  int status = 0;
  if (result->end != BT_CHILD_EXITED)
    end_child(child, pid);
  for (;;) {
    pid_t gone = waitpid(pid, &status, result->end == BT_CHILD_EXITED ? WNOHANG : 0);
    if (gone == pid)
      break;
    if (gone < 0 && errno != EINTR) {
      result->end = BT_CHILD_BROKEN; /* somebody else took its status */
      return;
    }
    if (gone == 0 && bt_steady_ms() >= deadline) {
      result->end = BT_CHILD_TIMED_OUT;
      end_child(child, pid);
    } else if (gone == 0) {
      struct timespec step = {.tv_nsec = REAP_STEP_NS};
      (void)nanosleep(&step, NULL);
    }
  }
  if (result->end == BT_CHILD_EXITED && WIFEXITED(status))
    result->exit_status = WEXITSTATUS(status);
  else if (result->end == BT_CHILD_EXITED)
    result->end = BT_CHILD_BROKEN;
}

/* ---- the whole ---- */

static bool open_stream(struct stream *stream) {
  if (stream->into == NULL)
    return true;
  return pipe2(stream->ends, O_CLOEXEC) == 0; /* at once: another thread may start a child in between */
}

static void close_end(struct stream *stream, int which) {
  if (stream->ends[which] >= 0)
    (void)close(stream->ends[which]);
  stream->ends[which] = -1;
}

enum bt_code bt_child_run(const struct bt_child *child, struct bt_child_result *result, struct bt_error *err) {
  struct stream streams[2] = {{{-1, -1}, child->out}, {{-1, -1}, child->err}};
  const char *name = child->argv[0];
  pid_t pid = -1;
  int status = 0;
  *result = (struct bt_child_result){.end = BT_CHILD_ABSENT, .exit_status = -1};
  if (!open_stream(&streams[0]) || !open_stream(&streams[1])) {
    status = errno;
    for (int i = 0; i < 4; i++)
      close_end(&streams[i / 2], i % 2);
    return bt_error_set_errno(err, status, name, "no pipe");
  }
  int64_t deadline = bt_steady_ms() + child->timeout_ms;
  status = start(child, streams, &pid);
  close_end(&streams[0], 1);
  close_end(&streams[1], 1);
  if (status == 0) {
    result->end = drain(child, streams, deadline);
    reap(child, pid, deadline, result);
  }
  close_end(&streams[0], 0);
  close_end(&streams[1], 0);
  result->sys_errno = status;
  if (status == ENOMEM)
    return bt_error_set(err, BT_NOMEM, name, "out of memory");
  if (status == EAGAIN)
    return bt_error_set_errno(err, status, name, "cannot be started");
  if ((child->out != NULL && child->out->failed) || (child->err != NULL && child->err->failed))
    return bt_error_set(err, BT_NOMEM, name, "out of memory");
  return BT_OK;
}
