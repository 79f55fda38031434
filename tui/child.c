/* tui/child.c - posix_spawn, in front of the screen and behind it. */
#define _GNU_SOURCE /* pipe2 */
#include "tui/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/child.h"
#include "tui/term.h"

extern char **environ;

/* One word moved together in place: what quotes and backslashes held, without them. NULL when a quote is not closed. */
static char *take_word(char **at) {
  char *from = *at, *to = *at, *word = *at, quote = '\0';
  for (; *from && (quote || !strchr(" \t", *from)); from++)
    if (quote && *from == quote)
      quote = '\0';
    else if (!quote && (*from == '"' || *from == '\''))
      quote = *from;
    else if (*from == '\\' && quote != '\'' && from[1])
      *to++ = *++from;
    else
      *to++ = *from;
  *at = *from ? from + 1 : from;
  *to = '\0';
  return quote ? NULL : word;
}

bool child_split(char *command, char *words[CHILD_WORDS_MAX + 1]) {
  size_t count = 0;
  for (char *at = command + strspn(command, " \t"); *at; at += strspn(at, " \t")) {
    char *word = count < CHILD_WORDS_MAX ? take_word(&at) : NULL;
    words[count] = word;
    if (!word)
      return false;
    count++;
  }
  words[count] = NULL;
  return true;
}

static void feed(int fd, const struct bt_str *text) {
  size_t at = 0;
  while (at < text->length) {
    ssize_t written = write(fd, text->data + at, text->length - at);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return; /* the child has seen enough */
    at += (size_t)written;
  }
}

/* posix_spawn takes pointers to char that it does not write through. */
static char *const *unconst(const char **list) {
  char *const *plain;
  memcpy(&plain, &list, sizeof plain);
  return plain;
}

/* Returns an errno, 0 when it runs. */
static int spawn(pid_t *pid, char *const words[], char *const *environment, posix_spawn_file_actions_t *actions) {
  posix_spawnattr_t attributes;
  sigset_t none, usual;
  const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGPIPE, SIGWINCH};
  sigemptyset(&none);
  sigemptyset(&usual);
  for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
    sigaddset(&usual, signals[i]);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  int failure = posix_spawnp(pid, words[0], actions, &attributes, words, environment);
  posix_spawnattr_destroy(&attributes);
  return failure;
}

static enum bt_code take_command(const char *subject, const char *wanted, char command[CHILD_COMMAND_MAX],
                                 char *words[CHILD_WORDS_MAX + 1], struct bt_error *err) {
  if (strlen(wanted) >= CHILD_COMMAND_MAX)
    return bt_error_set(err, BT_INPUT, subject, "%s is too long", subject);
  memcpy(command, wanted, strlen(wanted) + 1);
  if (!child_split(command, words))
    return bt_error_set(err, BT_INPUT, subject, "%s has a quote that is not closed, or too many words: %s", subject,
                        wanted);
  if (!words[0])
    return bt_error_set(err, BT_INPUT, subject, "%s is blank", subject);
  return BT_OK;
}

static enum bt_code run_in_front(const char *subject, char *const words[], const struct bt_str *input,
                                 struct bt_error *err) {
  int ends[2] = {-1, -1};
  if (input && pipe2(ends, O_CLOEXEC) != 0)
    return bt_error_set_errno(err, errno, subject, "no pipe for %s", words[0]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (input)
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  pid_t pid;
  term_lend();
  int failure = spawn(&pid, words, environ, &actions);
  posix_spawn_file_actions_destroy(&actions);
  if (input) {
    close(ends[0]);
    if (failure == 0)
      feed(ends[1], input);
    close(ends[1]);
  }
  int status = 0;
  while (failure == 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
    continue;
  term_resume();
  if (failure != 0)
    return bt_error_set_errno(err, failure, subject, "%s cannot be started", words[0]);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return bt_error_set(err, BT_IO, subject, "%s cannot be started", words[0]);
  if (WIFSIGNALED(status))
    return bt_error_set(err, BT_IO, subject, "%s was ended by signal %d", words[0], WTERMSIG(status));
  if (WEXITSTATUS(status) != 0)
    return bt_error_set(err, BT_IO, subject, "%s failed: exit status %d", words[0], WEXITSTATUS(status));
  return BT_OK;
}

enum bt_code child_in_front(const char *variable, const char *fallback, char *argument, const struct bt_str *input,
                            struct bt_error *err) {
  char command[CHILD_COMMAND_MAX];
  char *words[CHILD_WORDS_MAX + 2];
  const char *wanted = getenv(variable);
  enum bt_code code = take_command(variable, wanted && *wanted ? wanted : fallback, command, words, err);
  if (code != BT_OK)
    return code;
  if (argument) {
    size_t count = 0;
    while (words[count])
      count++;
    words[count] = argument;
    words[count + 1] = NULL;
  }
  return run_in_front(variable, words, input, err);
}

enum bt_code child_behind(const char *command, char *const facts[], pid_t *pid, struct bt_error *err) {
  char copy[CHILD_COMMAND_MAX];
  char *words[CHILD_WORDS_MAX + 1];
  enum bt_code code = take_command("on_blocked", command, copy, words, err);
  if (code != BT_OK)
    return code;
  const char **environment = bt_child_environment((const char *const *)facts, NULL);
  if (!environment)
    return bt_error_set(err, BT_NOMEM, "on_blocked", "out of memory");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  int failure = spawn(pid, words, unconst(environment), &actions);
  posix_spawn_file_actions_destroy(&actions);
  free(environment);
  return failure == 0 ? BT_OK
                      : bt_error_set_errno(err, failure, "on_blocked", "on_blocked: %s cannot be started", words[0]);
}
