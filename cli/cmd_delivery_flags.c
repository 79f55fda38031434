/* cli/cmd_delivery_flags.c - the flags of `baton delivery`, and the request that they make. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cmd_delivery.h"
#include "cli/out.h"
#include "core/base/fs.h"
#include "core/delivery/fields.h"

enum { SPECS_MAX = 48 };

/* A flag that may be given again and again: the parser keeps the last value only, all of them are collected afterwards.
 */
struct repeated {
  const char *name, *argument, *help;
  unsigned verbs;
  size_t offset; /* of a bt_texts, or of a bt_steps, in the flags */
  bool is_step;
};

#define ON(verb) (1u << (verb))
#define ALL (ON(DELIVERY_RECORD) | ON(DELIVERY_SHOW) | ON(DELIVERY_VALIDATE) | CHANGING)
#define CHANGING (ON(DELIVERY_RECORD) | ON(DELIVERY_RECONCILE) | ON(DELIVERY_CLOSE))
#define AT(member) offsetof(struct delivery_flags, member)

/* clang-format off */
static const struct repeated repeated[] = {
    {"authorize", "STEP", "a step that may be done; repeat it", ON(DELIVERY_RECORD), AT(authorize), false},
    {"withhold", "STEP", "a step that is out of scope; repeat it", ON(DELIVERY_RECORD), AT(withhold), false},
    {"pending", "STEP", "a step that is still to do, in order; repeat it", ON(DELIVERY_RECORD), AT(pending), false},
    {"completed", "G=V@E", "a step that is done: gate=verdict@evidence; repeat it", ON(DELIVERY_RECORD) | ON(DELIVERY_CLOSE), AT(completed), true},
    {"reverified", "G=V@E", "new evidence that names the new head; repeat it", ON(DELIVERY_RECONCILE), AT(reverified), true},
    {"watcher", "ID", "add a watcher; repeat it", ON(DELIVERY_RECORD) | ON(DELIVERY_RECONCILE), AT(watchers), false},
    {"watcher-live", "ID", "this watcher is known to run; repeat it", ALL, AT(watchers_live), false},
    {"watcher-dead", "ID", "this watcher is known to be gone; repeat it", ALL, AT(watchers_dead), false},
};

struct plain {
  struct option_spec spec;
  unsigned verbs;
};
#define TEXT(name, member, argument, help, verbs) {{name, &flags->member, NULL, argument, help}, verbs}
#define FLAG(name, member, help, verbs) {{name, NULL, &flags->member, NULL, help}, verbs}

static size_t make_specs(struct delivery_flags *flags, struct option_spec *specs, const char **last) {
  const struct plain plain[] = {
      TEXT("repo", repo, "DIR", "a folder of the working tree; this one when absent", ALL),
      TEXT("remote", remote, "NAME", "the remote of the delivery", ALL),
      TEXT("pr-state", pr_state, "FILE", "snapshot of the pull request, as `gh pr view --json` prints it; - is stdin", ALL),
      FLAG("gh", gh, "ask gh for that snapshot", ALL),
      TEXT("pr-max-age", pr_max_age, "SECONDS", "an older snapshot is not used; 900 when absent", ALL),
      TEXT("host-store", host_store, "PATH", "also look for a record in this file", ALL),
      TEXT("host-store-name", host_store_name, "LABEL", "how that store is called; file when absent", ALL),
      TEXT("authorization", authorization, "WORD", "current, withdrawn or unknown", ALL),
      TEXT("now", now, "TIME", "the time to go by, for tests; BATON_NOW when absent, else the clock", ALL),
      TEXT("directive", directive, "TEXT", "what was asked for, word for word", ON(DELIVERY_RECORD)),
      TEXT("directive-file", directive_file, "FILE", "the same, from a file; - is stdin", ON(DELIVERY_RECORD)),
      TEXT("pr", pr, "ID", "the pull request", ON(DELIVERY_RECORD)),
      TEXT("pr", pr, "ID", "with --gh: the pull request to ask about where no record here names one",
           ALL & ~ON(DELIVERY_RECORD)),
      FLAG("no-pr", no_pr, "there is no pull request yet", ON(DELIVERY_RECORD)),
      TEXT("branch", branch, "B", "the branch; the one that is checked out when absent", ON(DELIVERY_RECORD)),
      TEXT("head", head, "SHA", "the head, in full; the live one when absent", ON(DELIVERY_RECORD)),
      TEXT("supersede", supersede, "OLD", "the watcher that the new one replaces", ON(DELIVERY_RECORD) | ON(DELIVERY_RECONCILE)),
      TEXT("stop-reason", stop_reason, "R", "tool-limit, context-limit, worker-loss, session-end, user-pause or boundary-stop", ON(DELIVERY_RECORD)),
      TEXT("stop-detail", stop_detail, "T", "what stopped it, with boundary-stop", ON(DELIVERY_RECORD)),
      TEXT("store", store, "S", "file, pr or host; file when absent", ON(DELIVERY_RECORD)),
      TEXT("from", from, "FILE", "a whole record; flags go over it; - is stdin", ON(DELIVERY_RECORD)),
      FLAG("update", update, "bring the open record up to date; directive and boundary stay", ON(DELIVERY_RECORD)),
      FLAG("replace-corrupt", replace_corrupt, "write over an unreadable record, which is copied first", ON(DELIVERY_RECORD)),
      FLAG("delivered", delivered, "every step is done", ON(DELIVERY_CLOSE)),
      TEXT("evidence", evidence, "TEXT", "evidence for the one step that is pending", ON(DELIVERY_CLOSE)),
      FLAG("boundary-stop", boundary_stop, "stopped at the edge of what was authorized", ON(DELIVERY_CLOSE)),
      TEXT("detail", detail, "TEXT", "what stopped it", ON(DELIVERY_CLOSE)),
      FLAG("resumable", resumable, "the record stays open", ON(DELIVERY_CLOSE)),
      FLAG("confirm-publish", confirm_publish, "readers of the forge may see directive and watchers", CHANGING),
      TEXT("body-out", body_out, "FILE", "write the new description here", CHANGING),
      FLAG("write", write, "do it; without it this is a dry run", CHANGING),
      FLAG("json", json, "print one JSON document", ALL),
      FLAG("help", help, "print this help", ALL),
  };
  size_t count = 0;
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
    if (plain[i].verbs & ON(flags->verb))
      specs[count++] = plain[i].spec;
  }
  for (size_t i = 0; i < sizeof repeated / sizeof *repeated; i++) {
    if (repeated[i].verbs & ON(flags->verb))
      specs[count++] = (struct option_spec){repeated[i].name, last, NULL, repeated[i].argument, repeated[i].help};
  }
  return count;
}
/* clang-format on */

static void print_help(enum delivery_verb verb, const struct option_spec *specs, size_t count) {
  static const char *const heads[] = {
      "Usage: baton delivery record [FLAGS]\n\nWrites down where an interrupted delivery stands, so that it can be "
      "resumed.\n",
      "Usage: baton delivery show [FLAGS]\n\nThe record that governs, and where it lies. Nothing is checked.\n",
      "Usage: baton delivery validate [FLAGS]\n\nWhether the recorded delivery may go on, checked against git and the "
      "forge.\n",
      "Usage: baton delivery reconcile [FLAGS]\n\nMakes the record follow a moved head or a merge.\n",
      "Usage: baton delivery close --delivered | --boundary-stop [FLAGS]\n\nEnds a delivery.\n",
  };
  printf("%s\n", heads[verb]);
  options_print_help(specs, count);
  printf("\nExit status: 0 usable or done, 1 error, 2 usage, 3 reconcile, 4 stale, 5 corrupt, 6 authorization,\n"
         "7 live state unknown, 8 closed, 9 absent, 10 refused.\n");
}

/* ---- reading ---- */

static enum bt_code collect_steps(struct bt_arena *arena, const char *name, const char *const *values, size_t count,
                                  struct bt_steps *out, struct bt_error *err) {
  struct bt_delivery_step *steps = BT_ARENA_ARRAY(arena, struct bt_delivery_step, count + 1);
  if (steps == NULL)
    return bt_error_set(err, BT_NOMEM, name, "out of memory");
  for (size_t i = 0; i < count; i++) {
    if (!bt_step_parse(arena, values[i], &steps[i]))
      return bt_error_set(err, BT_USAGE, name, "--%s is GATE=VERDICT@EVIDENCE, not %s", name, values[i]);
  }
  *out = (struct bt_steps){steps, count};
  return BT_OK;
}

static enum bt_code collect(struct bt_arena *arena, int argc, char **argv, const struct option_spec *specs,
                            size_t spec_count, struct delivery_flags *flags, struct bt_error *err) {
  for (size_t i = 0; i < sizeof repeated / sizeof *repeated; i++) {
    const char **values = BT_ARENA_ARRAY(arena, const char *, (size_t)argc + 1);
    if (values == NULL)
      return bt_error_set(err, BT_NOMEM, repeated[i].name, "out of memory");
    size_t count = options_collect(argc, argv, specs, spec_count, repeated[i].name, values);
    char *place = (char *)flags + repeated[i].offset;
    enum bt_code code = BT_OK;
    if (repeated[i].is_step)
      code = collect_steps(arena, repeated[i].name, values, count, (struct bt_steps *)(void *)place, err);
    else
      *(struct bt_texts *)(void *)place = (struct bt_texts){values, count};
    if (code != BT_OK)
      return code;
  }
  return BT_OK;
}

static enum bt_code check(const struct delivery_flags *flags, struct bt_error *err) {
  if (flags->gh && flags->pr_state != NULL)
    return bt_error_set(err, BT_USAGE, "--gh", "--gh and --pr-state exclude each other");
  if (flags->verb != DELIVERY_RECORD && flags->pr != NULL && !flags->gh)
    return bt_error_set(err, BT_USAGE, "--pr", "--pr says whom to ask about, and goes with --gh");
  if (flags->verb == DELIVERY_CLOSE && flags->delivered == flags->boundary_stop)
    return bt_error_set(err, BT_USAGE, "close", "close takes --delivered or --boundary-stop");
  if (flags->delivered && (flags->detail != NULL || flags->resumable))
    return bt_error_set(err, BT_USAGE, "close", "--detail and --resumable go with --boundary-stop");
  if (flags->boundary_stop && (flags->evidence != NULL || flags->completed.count > 0))
    return bt_error_set(err, BT_USAGE, "close", "--evidence and --completed go with --delivered");
  if (flags->supersede != NULL && flags->watchers.count != 1)
    return bt_error_set(err, BT_USAGE, "--supersede", "--supersede goes with exactly one --watcher");
  if (flags->directive != NULL && flags->directive_file != NULL)
    return bt_error_set(err, BT_USAGE, "--directive", "--directive and --directive-file exclude each other");
  return BT_OK;
}

enum bt_code delivery_flags_read(struct bt_arena *arena, enum delivery_verb verb, int argc, char **argv,
                                 struct delivery_flags *flags, struct bt_error *err) {
  struct option_spec specs[SPECS_MAX];
  struct option_rest rest = {.positional_max = 0};
  const char *last = NULL;
  *flags = (struct delivery_flags){.verb = verb};
  size_t count = make_specs(flags, specs, &last);
  enum bt_code code = options_parse(argc, argv, specs, count, &rest, err);
  if (code == BT_OK && flags->help) {
    print_help(verb, specs, count);
    return BT_OK;
  }
  if (code == BT_OK && (rest.positional_count > 0 || rest.after < argc))
    code = bt_error_set(err, BT_USAGE, "delivery", "there is a word too many");
  if (code == BT_OK)
    code = collect(arena, argc, argv, specs, count, flags, err);
  return code == BT_OK ? check(flags, err) : code;
}

/* ---- the request ---- */

enum bt_code delivery_read_input(struct bt_arena *arena, const char *path, size_t most, int64_t now_ms,
                                 const char **bytes, size_t *length, int64_t *taken_ms, struct bt_error *err) {
  struct bt_str text;
  struct stat found;
  char block[16384];
  ssize_t got = 0;
  bool standard = strcmp(path, "-") == 0;
  int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || fstat(fd, &found) != 0) {
    enum bt_code code = bt_error_set_errno(err, errno, path, "cannot be read");
    if (fd >= 0 && !standard)
      close(fd);
    return code;
  }
  bt_str_init(&text, most + sizeof block); /* one block more, so that too long a text is seen to be one */
  while (text.length <= most && ((got = read(fd, block, sizeof block)) > 0 || (got < 0 && errno == EINTR)))
    bt_str_append(&text, block, got > 0 ? (size_t)got : 0);
  enum bt_code code = BT_OK;
  if (got < 0)
    code = bt_error_set_errno(err, errno, path, "cannot be read");
  *taken_ms = !standard && S_ISREG(found.st_mode)
                  ? (int64_t)found.st_mtim.tv_sec * 1000 + found.st_mtim.tv_nsec / 1000000
                  : now_ms;
  *bytes = code == BT_OK && !text.failed ? bt_arena_strndup(arena, text.data, text.length) : NULL;
  *length = text.length;
  if (code == BT_OK && *bytes == NULL)
    code = bt_error_set(err, BT_NOMEM, path, "out of memory");
  bt_str_dispose(&text);
  if (!standard)
    close(fd);
  return code;
}

static enum bt_code read_now(const struct cli_env *cli, const struct delivery_flags *flags, int64_t *now_ms,
                             struct bt_error *err) {
  const char *text = flags->now != NULL ? flags->now : getenv("BATON_NOW");
  *now_ms = bt_env_now(&cli->env);
  if (text == NULL || text[0] == '\0' || bt_utc_time(text, strlen(text), now_ms))
    return BT_OK;
  return bt_error_set(err, BT_USAGE, "--now", "not a UTC time: %s", text);
}

static enum bt_code read_words(const struct delivery_flags *flags, struct bt_delivery_request *request,
                               struct bt_error *err) {
  static const char *const words[] = {"current", "withdrawn", "unknown"};
  size_t at = 0;
  while (flags->authorization != NULL && at < 3 && strcmp(flags->authorization, words[at]) != 0)
    at++;
  if (at == 3)
    return bt_error_set(err, BT_USAGE, "--authorization", "--authorization is current, withdrawn or unknown");
  request->authorization = (enum bt_authority_word)at;
  request->pr_max_age_s = BT_PR_MAX_AGE_S;
  if (flags->pr_max_age == NULL)
    return BT_OK;
  size_t digits = strspn(flags->pr_max_age, "0123456789");
  if (digits == 0 || digits > 12 || flags->pr_max_age[digits] != '\0')
    return bt_error_set(err, BT_USAGE, "--pr-max-age", "--pr-max-age is a number of seconds");
  request->pr_max_age_s = strtoll(flags->pr_max_age, NULL, 10);
  return BT_OK;
}

static const char *absolute(struct bt_arena *arena, const char *cwd, const char *path) {
  struct bt_str text;
  bt_str_init(&text, 65536);
  bool good = bt_path_resolve(&text, cwd, path) == BT_OK;
  const char *copy = good ? bt_arena_strndup(arena, text.data, text.length) : NULL;
  bt_str_dispose(&text);
  return copy;
}

enum bt_code delivery_request_make(struct cli_env *cli, struct bt_arena *arena, const struct delivery_flags *flags,
                                   struct bt_delivery_request *request, struct bt_error *err) {
  const char *host = flags->host_store != NULL ? flags->host_store : getenv("BATON_HANDOFF_STORE");
  struct bt_slice number;
  bool has_host = host != NULL && host[0] != '\0';
  *request = (struct bt_delivery_request){.env = &cli->env, .remote = flags->remote, .use_gh = flags->gh};
  enum bt_code code = read_now(cli, flags, &request->now_ms, err);
  if (code == BT_OK)
    code = read_words(flags, request, err);
  if (code != BT_OK)
    return code;
  request->directory = absolute(arena, cli->env.cwd, flags->repo != NULL ? flags->repo : ".");
  request->host_path = has_host ? absolute(arena, cli->env.cwd, host) : NULL;
  request->host_label = flags->host_store_name != NULL ? flags->host_store_name : "file";
  request->watchers = (struct bt_liveness_facts){flags->watchers_live, flags->watchers_dead, &cli->env};
  if (flags->pr != NULL && !bt_pull_request_number(flags->pr, &number))
    return bt_error_set(err, BT_USAGE, "--pr", "--pr is not a pull request's number or address");
  if (flags->pr != NULL)
    request->pr_wanted = bt_arena_strndup(arena, number.data, number.length);
  if (request->directory == NULL || (has_host && request->host_path == NULL) ||
      (flags->pr != NULL && request->pr_wanted == NULL))
    return bt_error_set(err, BT_NOMEM, "delivery", "out of memory");
  if (flags->pr_state == NULL)
    return BT_OK;
  struct bt_error why = {0};
  request->pr_given = true;
  code = delivery_read_input(arena, flags->pr_state, BT_BODY_MAX, request->now_ms, &request->pr_bytes,
                             &request->pr_length, &request->pr_taken_ms, &why);
  if (code != BT_OK && code != BT_NOMEM)
    (void)out_error(&why); /* said, and then judged as an unreadable snapshot */
  if (code != BT_OK)
    request->pr_bytes = NULL;
  return code == BT_NOMEM ? bt_error_set(err, BT_NOMEM, flags->pr_state, "out of memory") : BT_OK;
}
