/* core/supervise/process.c - one child at a time. */
#define _GNU_SOURCE /* pipe2 */
#include "core/supervise/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/digest.h"
#include "core/base/utf8.h"

#define WORD_MAX ((size_t)8 * 1024 * 1024)
#define START_FAILED 127

extern char **environ;

/* ---- environment ---- */

static bool names_one_of(const char *entry, const char *const *names) {
  for (; *names != NULL; names++) {
    size_t length = strlen(*names);
    if (strncmp(entry, *names, length) == 0 && entry[length] == '=')
      return true;
  }
  return false;
}

static char *copy_of(const char *text, size_t length) {
  char *copy = malloc(length + 1);
  if (copy != NULL) {
    memcpy(copy, text, length);
    copy[length] = '\0';
  }
  return copy;
}

void bt_process_free_environment(char **environment) {
  for (size_t i = 0; environment != NULL && environment[i] != NULL; i++) {
    bt_wipe(environment[i], strlen(environment[i]));
    free(environment[i]);
  }
  free(environment);
}

/* The caller's, less `withheld`, and `added` (taken; NULL: out of memory) at the end. */
static char **environment_without(const char *const *withheld, char *added) {
  size_t count = 0, kept = 0;
  while (environ != NULL && environ[count] != NULL)
    count++;
  char **list = added != NULL ? calloc(count + 2, sizeof *list) : NULL;
  bool whole = list != NULL;
  for (size_t i = 0; whole && i < count; i++) {
    if (names_one_of(environ[i], withheld))
      continue;
    list[kept] = copy_of(environ[i], strlen(environ[i]));
    whole = list[kept++] != NULL;
  }
  if (!whole) {
    if (added != NULL)
      bt_wipe(added, strlen(added)); /* it may be a key */
    free(added);
    bt_process_free_environment(list);
    return NULL;
  }
  list[kept] = added;
  return list;
}

char **bt_process_session_environment(void) {
  static const char *const withheld[] = {"CLAUDECODE",
                                         "CLAUDE_CODE_CHILD_SESSION",
                                         "CLAUDE_CODE_SESSION_ID",
                                         "CLAUDE_CODE_ENTRYPOINT",
                                         "ADLC_MANIFEST_KEY",
                                         "ADLC_ADMIN_KEY",
                                         "ADLC_HANDOFF_SUPERVISED",
                                         NULL};
  static const char mark[] = "ADLC_HANDOFF_SUPERVISED=1";
  return environment_without(withheld, copy_of(mark, sizeof mark - 1));
}

char **bt_process_keyed_environment(const char *key, size_t length) {
  static const char name[] = "ADLC_MANIFEST_KEY=";
  static const char *const withheld[] = {"ADLC_MANIFEST_KEY", NULL};
  char *entry = malloc(sizeof name + length);
  if (entry != NULL) {
    memcpy(entry, name, sizeof name - 1);
    memcpy(entry + sizeof name - 1, key, length);
    entry[sizeof name - 1 + length] = '\0';
  }
  return environment_without(withheld, entry);
}

/* ---- words ---- */

static void free_words(char **words) {
  for (size_t i = 0; words != NULL && words[i] != NULL; i++)
    free(words[i]);
  free(words);
}

/* Real bytes of a word; a NUL, which no argument can hold, becomes U+FFFD. */
static char *word_bytes(const char *text) {
  struct bt_str bytes;
  bt_str_init(&bytes, WORD_MAX);
  for (const char *nul; (nul = strstr(text, "\xC0\x80")) != NULL; text = nul + 2) {
    bt_utf8_encode8(&bytes, text, (size_t)(nul - text));
    bt_str_puts(&bytes, "\xEF\xBF\xBD");
  }
  bt_utf8_encode8(&bytes, text, strlen(text));
  char *word = bt_str_take(&bytes, NULL);
  bt_str_dispose(&bytes);
  return word;
}

static char **words_of(const char *const *argv) {
  size_t count = 0;
  while (argv[count] != NULL)
    count++;
  char **words = calloc(count + 1, sizeof *words);
  for (size_t i = 0; words != NULL && i < count; i++) {
    words[i] = word_bytes(argv[i]);
    if (words[i] == NULL) {
      free_words(words);
      return NULL;
    }
  }
  return words;
}

/* ---- starting ---- */

static bool redirect(const struct bt_process_spec *spec) {
  int null = spec->no_input ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1;
  if (spec->no_input && (null < 0 || dup2(null, STDIN_FILENO) < 0))
    return false;
  return (spec->output < 0 || dup2(spec->output, STDOUT_FILENO) >= 0) &&
         (spec->complaints < 0 || dup2(spec->complaints, STDERR_FILENO) >= 0);
}

/* The child's half: never returns. What went wrong goes through `report`, which a successful exec closes. */
static void become(const struct bt_process_spec *spec, char **words, const char *cwd, int report) {
  sigset_t none;
  struct sigaction usual = {.sa_handler = SIG_DFL};
  sigemptyset(&none);
  sigemptyset(&usual.sa_mask);
  (void)sigaction(SIGPIPE, &usual, NULL);
  (void)sigaction(SIGCHLD, &usual, NULL);
  if (spec->deaf)
    usual.sa_handler = SIG_IGN;
  (void)sigaction(SIGINT, &usual, NULL);
  (void)sigprocmask(SIG_SETMASK, &none, NULL);
  if (chdir(cwd) == 0 && redirect(spec)) {
    environ = spec->environment;
    (void)execvp(words[0], words);
  }
  int problem = errno;
  (void)!write(report, &problem, sizeof problem);
  _exit(START_FAILED);
}

/* 0 when the child has become the program; else its errno, and the child is reaped. */
static int learn_start(int from, pid_t child) {
  int problem = 0;
  ssize_t got;
  do {
    got = read(from, &problem, sizeof problem);
  } while (got < 0 && errno == EINTR);
  if (got != (ssize_t)sizeof problem)
    return 0;
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
  }
  return problem != 0 ? problem : EIO;
}

static int start(const struct bt_process_spec *spec, char **words, const char *cwd, pid_t *child) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return errno;
  *child = fork();
  if (*child == 0)
    become(spec, words, cwd, ends[1]);
  int problem = *child < 0 ? errno : 0;
  close(ends[1]);
  if (problem == 0)
    problem = learn_start(ends[0], *child);
  close(ends[0]);
  return problem;
}

enum bt_code bt_process_start(const struct bt_process_spec *spec, pid_t *child, struct bt_error *err) {
  char **words = words_of(spec->argv);
  char *cwd = word_bytes(spec->cwd);
  enum bt_code code = BT_OK;
  if (words == NULL || cwd == NULL) {
    code = bt_error_set(err, BT_NOMEM, spec->argv[0], "out of memory");
  } else {
    int problem = start(spec, words, cwd, child);
    if (problem != 0) {
      code = bt_error_set(err, BT_IO, spec->argv[0], "spawn %s %s", spec->argv[0], bt_errno_name(problem));
      if (err != NULL)
        err->sys_errno = problem;
    }
  }
  free_words(words);
  free(cwd);
  return code;
}

bool bt_process_ended(pid_t child, bool wait, struct bt_sup_exit *end) {
  int status = 0;
  pid_t gone;
  do {
    gone = waitpid(child, &status, wait ? 0 : WNOHANG);
  } while (gone < 0 && errno == EINTR);
  if (gone == 0)
    return false;
  *end = (struct bt_sup_exit){0};
  if (gone == child && WIFSIGNALED(status)) {
    end->signalled = true;
    end->signal = WTERMSIG(status);
  } else if (gone == child) {
    end->code = WEXITSTATUS(status);
  }
  return true;
}
