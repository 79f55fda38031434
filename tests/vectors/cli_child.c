/* tests/vectors/cli_child.c - one child process with two pipes, read together so that neither fills up. */
#include "tests/vectors/cli_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

static void start(const char *cwd, const char *const *argv, char *const *environ_, const int out[2], const int err[2]) {
  int null = open("/dev/null", O_RDONLY);
  if (null < 0 || chdir(cwd) != 0 || dup2(null, 0) < 0 || dup2(out[1], 1) < 0 || dup2(err[1], 2) < 0)
    _exit(127);
  for (int fd = 3; fd < 64; fd++)
    close(fd);
  execve(argv[0], (char *const *)(uintptr_t)argv, environ_);
  _exit(127);
}

/* Reads once; false at the end. */
static bool drain(int fd, struct bt_str *into) {
  char buffer[65536];
  ssize_t got = read(fd, buffer, sizeof buffer);
  if (got > 0)
    bt_str_append(into, buffer, (size_t)got);
  return got > 0 || (got < 0 && errno == EINTR);
}

void vec_child_run(struct vec_child *child, const char *cwd, const char *const *argv, char *const *environ_) {
  int out[2], err[2];
  bt_str_init(&child->out, VEC_TEXT_MAX);
  bt_str_init(&child->err, VEC_TEXT_MAX);
  vec_require(pipe(out) == 0 && pipe(err) == 0, "pipe");
  pid_t pid = fork();
  vec_require(pid >= 0, "fork");
  if (pid == 0)
    start(cwd, argv, environ_, out, err);
  close(out[1]);
  close(err[1]);
  struct pollfd ends[2] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (poll(ends, 2, -1) < 0)
      continue;
    for (int i = 0; i < 2; i++) {
      if (ends[i].fd >= 0 && ends[i].revents != 0 && !drain(ends[i].fd, i == 0 ? &child->out : &child->err)) {
        close(ends[i].fd);
        ends[i].fd = -1;
      }
    }
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  child->exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void vec_child_dispose(struct vec_child *child) {
  bt_str_dispose(&child->out);
  bt_str_dispose(&child->err);
}
