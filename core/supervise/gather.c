/* core/supervise/gather.c - a program that is run to its end, and the two signals that a loop waits for. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "core/supervise/process.h"

#define READ_BLOCK 16384

/* ---- gathering ---- */

/* Reads once from a pipe; closes it at its end. False when the buffer is full. */
static bool drain(struct pollfd *end, struct bt_str *into) {
  char block[READ_BLOCK];
  ssize_t got = read(end->fd, block, sizeof block);
  if (got > 0)
    bt_str_append(into, block, (size_t)got);
  if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) {
    close(end->fd);
    end->fd = -1;
  }
  return !into->failed;
}

static bool drain_both(int out, int complaints, struct bt_str *output, struct bt_str *words) {
  struct pollfd ends[2] = {{.fd = out, .events = POLLIN}, {.fd = complaints, .events = POLLIN}};
  bool fits = true;
  while (fits && (ends[0].fd >= 0 || ends[1].fd >= 0)) {
    if (poll(ends, 2, -1) < 0 && errno != EINTR)
      break;
    for (int i = 0; i < 2; i++) {
      if (ends[i].fd >= 0 && ends[i].revents != 0)
        fits &= drain(&ends[i], i == 0 ? output : words);
    }
  }
  for (int i = 0; i < 2; i++) {
    if (ends[i].fd >= 0)
      close(ends[i].fd);
  }
  return fits;
}

static bool open_pipe(int ends[2]) {
  if (pipe(ends) != 0)
    return false;
  (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return true;
}

enum bt_code bt_process_gather(struct bt_process_spec *spec, struct bt_str *output, struct bt_str *complaints,
                               struct bt_sup_exit *end, struct bt_error *err) {
  int out[2], words[2];
  pid_t child = -1;
  if (!open_pipe(out))
    return bt_error_set_errno(err, errno, spec->argv[0], "no pipe");
  if (!open_pipe(words)) {
    enum bt_code failed = bt_error_set_errno(err, errno, spec->argv[0], "no pipe");
    close(out[0]);
    close(out[1]);
    return failed;
  }
  spec->output = out[1];
  spec->complaints = words[1];
  enum bt_code code = bt_process_start(spec, &child, err);
  close(out[1]);
  close(words[1]);
  if (code != BT_OK) {
    close(out[0]);
    close(words[0]);
    return code;
  }
  if (!drain_both(out[0], words[0], output, complaints)) {
    (void)kill(child, SIGKILL);
    code = bt_error_set(err, BT_TOO_LARGE, spec->argv[0], "it printed more than is read");
  }
  (void)bt_process_ended(child, true, end);
  return code;
}

/* ---- signals ---- */

struct bt_process_signals {
  int fd;
  sigset_t before;
};

struct bt_process_signals *bt_process_signals_take(struct bt_error *err) {
  struct bt_process_signals *signals = malloc(sizeof *signals);
  sigset_t wanted;
  if (signals == NULL) {
    (void)bt_error_set(err, BT_NOMEM, "signals", "out of memory");
    return NULL;
  }
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGINT);
  sigaddset(&wanted, SIGCHLD);
  (void)sigprocmask(SIG_BLOCK, &wanted, &signals->before);
  signals->fd = signalfd(-1, &wanted, SFD_NONBLOCK | SFD_CLOEXEC);
  if (signals->fd < 0) {
    (void)bt_error_set_errno(err, errno, "signals", "they cannot be waited for");
    (void)sigprocmask(SIG_SETMASK, &signals->before, NULL);
    free(signals);
    return NULL;
  }
  return signals;
}

/* Takes what is pending off the list, so that it does not strike once the mask is as before. */
static bool read_pending(const struct bt_process_signals *signals) {
  struct signalfd_siginfo info;
  bool interrupted = false;
  while (read(signals->fd, &info, sizeof info) == (ssize_t)sizeof info)
    interrupted |= info.ssi_signo == SIGINT;
  return interrupted;
}

void bt_process_signals_give_back(struct bt_process_signals *signals) {
  if (signals == NULL)
    return;
  (void)read_pending(signals);
  close(signals->fd);
  (void)sigprocmask(SIG_SETMASK, &signals->before, NULL);
  free(signals);
}

bool bt_process_signals_wait(struct bt_process_signals *signals, int64_t timeout_ms) {
  struct pollfd wait = {.fd = signals->fd, .events = POLLIN};
  (void)poll(&wait, 1, timeout_ms < 0 ? -1 : timeout_ms > INT_MAX ? INT_MAX : (int)timeout_ms);
  return read_pending(signals);
}
