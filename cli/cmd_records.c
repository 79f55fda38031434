/* cli/cmd_records.c - `baton records`: session records, and the skill that lets other programs make them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/out.h"
#include "cli/records.h"
#include "core/base/utf8.h"
#include "core/records/listing.h"
#include "core/records/rename.h"

#define OUT_MAX ((size_t)1 << 31)
#define FAULTS_MAX ((size_t)1 << 20)

#define COMMANDS                                                                                                    \
  "commands: build --source F [--session id] [--harness n] [--model m] [--project p] [--objective t] [--redact] | " \
  "build --from SESSION | --handoff | list [X] | show P | verify P [--deep] | retitle P NAME | rename P PROJECT | " \
  "config | adapt --harness H FILE | skill install|update|remove|verify|list|where"

/* Behind the line of commands; to standard error, since asking for help is a usage error here (5). */
static const char help[] =
    "\nA session record is a folder that a person reads, a program parses and anyone can check: made from one "
    "transcript,\n"
    "and kept up to date as that grows. These commands act at once; P is the beginning of a record's name or "
    "session.\n\n"
    "  build       make or refresh the record of a transcript: JSONL, or a text with role markers\n"
    "  list        every record, newest first; with X those of project X or whose name begins so\n"
    "  show        the brief of a record\n"
    "  verify      do its manifest, its timeline and its payload agree\n"
    "  retitle     give a record another name\n"
    "  rename      move a record to another project\n"
    "  config      where the store is, and by which rule\n"
    "  adapt       the lines that the transcript of a harness comes to\n"
    "  skill       put this program where agents look for skills; look after what is there\n\n"
    "  --source FILE       the transcript\n"
    "  --from SESSION      a session of a harness's own store, or its file; adapted while it is read\n"
    "  --session ID        the session's id; else the transcript's own, else the file's name\n"
    "  --project NAME      the project; else what configuration or transcript say\n"
    "  --harness LABEL     whose transcript it is; for adapt and --from also which adapter reads it\n"
    "  --model NAME        a label\n"
    "  --objective TEXT    the objective, for this build only\n"
    "  --force-harness     let a label that is set be replaced\n"
    "  --force-model       the same\n"
    "  --redact            take secrets out of each new turn; counts go to standard error\n"
    "  --deep              verify: make every file again and compare, hash the source again\n"
    "  --json              list, show and verify --deep as JSON\n\n"
    "The store: HANDOFFS_ROOT; else what the nearest handoff.config.json names or the nearest folder handoffs, up to "
    "ten\n"
    "folders above; else $XDG_DATA_HOME/baton/records.\n\n"
    "Exit status: 0 done, 1 failed or damaged, 2 usage or configuration, 3 several match, or another build is "
    "running,\n"
    "4 nothing there, or the name is taken.\n";

const char *records_word(const struct records_args *args, int index) {
  return index < args->count && args->words[index][0] != '\0' ? args->words[index] : NULL;
}

static int flag_at(const struct records_args *args, const char *flag) {
  for (int i = 0; i < args->count; i++) {
    if (bt_text_equals(args->words[i], flag))
      return i;
  }
  return -1;
}

bool records_has(const struct records_args *args, const char *flag) {
  return flag_at(args, flag) >= 0;
}

const char *records_flag(const struct records_args *args, const char *flag) {
  int at = flag_at(args, flag);
  return at >= 0 && at + 1 < args->count ? args->words[at + 1] : NULL;
}

int records_print(const struct records_args *args, const struct bt_str *out) {
  return args->cli->stdout_tty ? out_text_visible(out) : out_text(out);
}

int records_fail(const struct bt_error *err) {
  const char *words = err->message[0] != '\0' ? err->message : bt_code_words(err->code);
  bool is_named =
      err->sys_errno == 0 || strstr(words, err->subject) != NULL; /* a failed call without its file helps nobody */
  fprintf(stderr, "handoff: %s%s%s\n", is_named ? "" : err->subject, is_named ? "" : ": ", words);
  return bt_records_exit(err->code);
}

int records_usage(const char *text) {
  fprintf(stderr, "handoff: %s\n", text);
  return 2;
}

/* ---- verbs that print what core made ---- */

static int say(const struct records_args *args, enum bt_code code, const struct bt_str *out,
               const struct bt_error *err) {
  int status = code == BT_OK ? 0 : records_fail(err);
  int printed = code == BT_OK ? records_print(args, out) : 0;
  return status != 0 ? status : printed;
}

static int run_config(struct records_args *args) {
  struct bt_str out;
  bt_str_init(&out, OUT_MAX);
  bt_records_config(args->records, &out);
  int status = records_print(args, &out);
  bt_str_dispose(&out);
  return status;
}

static int run_list(struct records_args *args) {
  struct bt_str out;
  struct bt_error err = {0};
  if (args->json)
    return records_list_json(args);
  bt_str_init(&out, OUT_MAX);
  enum bt_code code = bt_records_list(args->records, records_word(args, 1), &out, &err);
  int status = say(args, code, &out, &err);
  bt_str_dispose(&out);
  return status;
}

static int run_show(struct records_args *args) {
  struct bt_str out;
  struct bt_error err = {0};
  if (records_word(args, 1) == NULL)
    return records_usage("usage: show <id-prefix>");
  if (args->json)
    return records_show_json(args);
  bt_str_init(&out, OUT_MAX);
  enum bt_code code = bt_records_show(args->records, args->words[1], &out, &err);
  int status = say(args, code, &out, &err);
  bt_str_dispose(&out);
  return status;
}

static int run_verify(struct records_args *args) {
  struct bt_str out;
  struct bt_error err = {0};
  if (records_word(args, 1) == NULL)
    return records_usage("usage: verify <id-prefix> [--deep]");
  if (args->deep)
    return records_verify_deep(args);
  bt_str_init(&out, OUT_MAX);
  enum bt_code code = bt_records_verify(args->records, args->words[1], &out, &err);
  int status = say(args, code, &out, &err);
  bt_str_dispose(&out);
  return status;
}

static int run_rename(struct records_args *args, bool is_retitle) {
  const char *prefix = records_word(args, 1), *name = records_word(args, 2);
  struct bt_str out;
  struct bt_error err = {0};
  bt_str_init(&out, OUT_MAX);
  enum bt_code code =
      is_retitle ? bt_records_retitle(args->records, prefix != NULL ? prefix : "", name != NULL ? name : "", &out, &err)
                 : bt_records_rename(args->records, prefix != NULL ? prefix : "", name != NULL ? name : "", &out, &err);
  int status = say(args, code, &out, &err);
  bt_str_dispose(&out);
  return status;
}

static int run_retitle_verb(struct records_args *args) {
  return run_rename(args, true);
}
static int run_rename_verb(struct records_args *args) {
  return run_rename(args, false);
}

/* ---- the command line ---- */

/* A word behind one of these is its value, whatever it looks like. */
static bool takes_value(const char *word) {
  static const char *const flags[] = {"--source", "--session", "--project", "--harness", "--model", "--objective"};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
    if (bt_text_equals(word, flags[i]))
      return true;
  }
  return false;
}

/* Takes baton's own flags out. */
static void sort_words(struct records_args *args, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    bool is_value = args->count > 0 && takes_value(args->words[args->count - 1]);
    bool *flag = bt_text_equals(argv[i], "--json")     ? &args->json
                 : bt_text_equals(argv[i], "--deep")   ? &args->deep
                 : bt_text_equals(argv[i], "--redact") ? &args->redact
                 : bt_text_equals(argv[i], "--from")   ? &args->has_from
                                                       : NULL;
    if (flag == NULL || is_value) {
      args->words[args->count++] = argv[i];
      continue;
    }
    *flag = true;
    if (flag == &args->has_from && args->from == NULL && i + 1 < argc)
      args->from = argv[++i];
  }
}

static const struct verb {
  const char *word;
  int (*run)(struct records_args *args);
} verbs[] = {{"build", records_build},    {"config", run_config},  {"list", run_list},
             {"show", run_show},          {"verify", run_verify},  {"retitle", run_retitle_verb},
             {"rename", run_rename_verb}, {"adapt", records_adapt}};

static const struct verb *verb_of(const struct records_args *args) {
  const char *word = records_has(args, "--handoff") ? "build" : records_word(args, 0);
  for (size_t i = 0; word != NULL && i < sizeof verbs / sizeof *verbs; i++) {
    if (bt_text_equals(verbs[i].word, word))
      return &verbs[i];
  }
  return NULL;
}

static int run(struct records_args *args) {
  struct bt_records records;
  struct bt_str faults;
  struct bt_error err = {0};
  int status;
  bt_str_init(&faults, FAULTS_MAX);
  enum bt_code code = bt_records_find(&records, &args->cli->env, &faults, &err);
  args->records = &records;
  const struct verb *verb = verb_of(args);
  if (code != BT_OK) {
    status = records_fail(&err);
    fputs(faults.data, stderr);
  } else if (verb == NULL) {
    status = records_usage(COMMANDS);
    if (bt_text_equals(records_word(args, 0), "--help"))
      fputs(help, stderr);
  } else {
    status = verb->run(args);
  }
  bt_records_dispose(&records);
  bt_str_dispose(&faults);
  return status;
}

int cmd_records(struct cli_env *cli, int argc, char **argv) {
  struct records_args args = {.cli = cli};
  if (argc > 1 && bt_text_equals(argv[1], "skill"))
    return records_skill(cli, argc - 1, argv + 1);
  args.words = calloc((size_t)argc + 1, sizeof *args.words);
  if (args.words == NULL)
    return records_fail(&(struct bt_error){.code = BT_NOMEM});
  sort_words(&args, argc, argv);
  int status = run(&args);
  free(args.words);
  return status;
}
