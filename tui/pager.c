/* tui/pager.c - starting the pager and feeding it. */
#include "tui/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/str.h"
#include "core/base/utf8.h"
#include "tui/term.h"

#define SHOWN_BYTES_MAX ((size_t)16 * 1024 * 1024)

extern char **environ;

size_t pager_split(char *command, char *words[PAGER_WORDS_MAX + 1]) {
  size_t count = 0;
  char *at = command;
  while (count < PAGER_WORDS_MAX) {
    at += strspn(at, " \t");
    if (!*at)
      break;
    words[count++] = at;
    at += strcspn(at, " \t");
    if (*at)
      *at++ = '\0';
  }
  words[count] = NULL;
  return count;
}

/* Line by line: only line breaks and tabs stay what they are. */
static void make_visible(struct bt_str *out, const char *text, size_t length) {
  for (size_t at = 0; at < length;) {
    size_t run = 0;
    while (at + run < length && text[at + run] != '\n' && text[at + run] != '\t')
      run++;
    bt_text_visible(out, text + at, run);
    at += run;
    if (at < length)
      bt_str_putc(out, text[at++]);
  }
  if (out->length > 0 && out->data[out->length - 1] != '\n')
    bt_str_putc(out, '\n');
}

static void feed(int fd, const struct bt_str *text) {
  size_t at = 0;
  while (at < text->length) {
    ssize_t written = write(fd, text->data + at, text->length - at);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return; /* the pager has seen enough */
    at += (size_t)written;
  }
}

/* The child starts with no signal blocked or ignored. */
static int start(pid_t *pid, char *const words[], int read_end) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGPIPE, SIGWINCH};
  for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
    sigaddset(&usual, signals[i]);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, read_end, STDIN_FILENO);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  int failure = posix_spawnp(pid, words[0], &actions, &attributes, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return failure;
}

static enum bt_code run(char *const words[], const struct bt_str *text, struct bt_error *err) {
  int ends[2];
  if (pipe(ends) != 0)
    return bt_error_set_errno(err, errno, "PAGER", "no pipe for %s", words[0]);
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  pid_t pid;
  term_lend();
  int failure = start(&pid, words, ends[0]);
  close(ends[0]);
  if (failure == 0)
    feed(ends[1], text);
  close(ends[1]);
  int status = 0;
  while (failure == 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
    continue;
  term_resume();
  if (failure != 0)
    return bt_error_set_errno(err, failure, "PAGER", "%s cannot be started", words[0]);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return bt_error_set(err, BT_IO, "PAGER", "%s cannot be started", words[0]);
  return BT_OK;
}

enum bt_code pager_show(const char *text, size_t length, struct bt_error *err) {
  const char *wanted = getenv("PAGER");
  char command[512];
  char *words[PAGER_WORDS_MAX + 1];
  if (!wanted || !*wanted)
    wanted = "less";
  if (strlen(wanted) >= sizeof(command))
    return bt_error_set(err, BT_INPUT, "PAGER", "PAGER is too long");
  memcpy(command, wanted, strlen(wanted) + 1);
  if (pager_split(command, words) == 0)
    return bt_error_set(err, BT_INPUT, "PAGER", "PAGER is blank");
  struct bt_str shown;
  bt_str_init(&shown, SHOWN_BYTES_MAX);
  make_visible(&shown, text, length);
  enum bt_code code = shown.failed ? bt_error_set(err, BT_TOO_LARGE, "PAGER", "the text is too long for a pager")
                                   : run(words, &shown, err);
  bt_str_dispose(&shown);
  return code;
}
