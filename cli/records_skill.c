/* cli/records_skill.c - `baton records skill`: the installer's command line (spec/session-records.md 13.1). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/out.h"
#include "cli/records.h"
#include "core/base/fs.h"
#include "core/records/skill.h"

enum verb { INSTALL, UPDATE, REMOVE, VERIFY, LIST, WHERE, HELP, VERB_COUNT };

static const struct word {
  const char *word;
  enum verb verb;
} words[] = {
    {"install", INSTALL}, {"i", INSTALL},       {"--install", INSTALL}, {"update", UPDATE},   {"u", UPDATE},
    {"--update", UPDATE}, {"remove", REMOVE},   {"rm", REMOVE},         {"--remove", REMOVE}, {"verify", VERIFY},
    {"v", VERIFY},        {"--verify", VERIFY}, {"list", LIST},         {"ls", LIST},         {"--list", LIST},
    {"where", WHERE},     {"help", HELP},       {"--help", HELP},       {"-h", HELP}};

struct options {
  enum verb verb;
  bool force;
  const char *location, *path, *version;
};

static bool verb_of(const char *word, enum verb *verb) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (bt_text_equals(words[i].word, word)) {
      *verb = words[i].verb;
      return true;
    }
  }
  return false;
}

/* The value behind flag `at`, which moves onto it; NULL with a message when there is none. An empty one is none: it
 * comes of an unset variable, and the working folder is not what was meant. */
static const char *value_of(int argc, char **argv, int *at) {
  if (*at + 1 < argc && argv[*at + 1][0] != '\0')
    return argv[++*at];
  fprintf(stderr, "handoff: %s needs a value\n", argv[*at]);
  return NULL;
}

static bool is_location(const char *word) {
  return bt_text_equals(word, "global") || bt_text_equals(word, "local") || bt_text_equals(word, "project");
}

/* False: told on standard error. */
static bool parse(struct options *options, int argc, char **argv) {
  enum verb found;
  int first = 1;
  *options = (struct options){.verb = INSTALL, .location = "global", .version = "latest"};
  if (argc > 1 && verb_of(argv[1], &options->verb))
    first = 2;
  for (int i = first; i < argc; i++) {
    const char **value = bt_text_equals(argv[i], "--location")  ? &options->location
                         : bt_text_equals(argv[i], "--path")    ? &options->path
                         : bt_text_equals(argv[i], "--version") ? &options->version
                                                                : NULL;
    if (value != NULL) {
      if ((*value = value_of(argc, argv, &i)) == NULL)
        return false;
    } else if (bt_text_equals(argv[i], "--force") || bt_text_equals(argv[i], "-f")) {
      options->force = true;
    } else if (argv[i][0] == '-' && verb_of(argv[i], &found)) {
      if (found == HELP || first == 1)
        options->verb = options->verb == HELP ? HELP : found;
    } else {
      out_say("handoff: unknown word %s; try baton records skill help", argv[i]);
      return false;
    }
  }
  if (options->verb != HELP && !is_location(options->location)) {
    fprintf(stderr, "handoff: --location is global, local or project\n");
    return false;
  }
  return true;
}

static int print_help(void) {
  return out_line("Usage: baton records skill install|update|remove|verify|list|where [FLAGS]\n\n"
                  "  --location global|local|project   where (global)\n"
                  "  --path DIR                        the installation itself; wins over the location\n"
                  "  --version V                       latest, or this program's own version\n"
                  "  --force, -f                       install again; remove without asking");
}

/* The installation that the options mean, to be freed; NULL: told on standard error. */
static char *target_of(const struct cli_env *cli, const struct bt_skill_places *places, const struct options *options) {
  struct bt_str path;
  bt_str_init(&path, (size_t)1 << 20);
  bool is_global = bt_text_equals(options->location, "global"), is_local = bt_text_equals(options->location, "local");
  const char *folder = is_global ? places->global : is_local ? "local/skills" : "skills";
  char *joined = options->path == NULL ? bt_skill_path(folder, BT_SKILL_FOLDER) : NULL;
  const char *given = options->path != NULL ? cli_env_raw(cli, options->path) : joined;
  if (given == NULL || bt_path_resolve(&path, cli->env.cwd, given) != BT_OK) {
    fprintf(stderr, "handoff: out of memory\n");
    bt_str_dispose(&path);
  }
  free(joined);
  return bt_str_take(&path, NULL);
}

/* ---- what core cannot do itself ---- */

static bool confirm(void *context, const struct bt_str *question, bool *asked) {
  const struct cli_env *cli = context;
  char answer[16] = "";
  *asked = cli->stdin_tty;
  if (!*asked)
    return false;
  (void)out_text_visible(question);
  fputs("Continue? (y/N) ", stdout);
  (void)fflush(stdout);
  return fgets(answer, sizeof answer, stdin) != NULL && (answer[0] == 'y' || answer[0] == 'Y');
}

static int run(struct cli_env *cli, const struct bt_skill_places *places, const struct options *options,
               struct bt_str *out, struct bt_error *err) {
  if (options->verb == WHERE) {
    bt_skill_where(places, out);
    return 0;
  }
  if (options->verb == LIST)
    return bt_skill_list(&cli->env, places, out, err);
  char *target = target_of(cli, places, options);
  if (target == NULL)
    return 1;
  struct bt_skill_request request = {.env = &cli->env,
                                     .places = places,
                                     .target = target,
                                     .wanted_version = options->version,
                                     .own_version = BATON_VERSION,
                                     .force = options->force,
                                     .confirm = confirm,
                                     .context = cli};
  int status = options->verb == INSTALL  ? bt_skill_install(&request, out, err)
               : options->verb == UPDATE ? bt_skill_update(&request, out, err)
               : options->verb == REMOVE ? bt_skill_remove(&request, out, err)
                                         : bt_skill_verify(&request, out, err);
  free(target);
  return status;
}

int records_skill(struct cli_env *cli, int argc, char **argv) {
  struct options options;
  struct bt_skill_places places;
  struct bt_error err = {0};
  struct bt_str out;
  if (!parse(&options, argc, argv))
    return 1;
  if (options.verb == HELP)
    return print_help();
  bt_str_init(&out, (size_t)16 << 20);
  int status = bt_skill_places_find(&places, &cli->env, &err) == BT_OK ? run(cli, &places, &options, &out, &err) : 1;
  struct records_args args = {.cli = cli};
  int printed = records_print(&args, &out);
  if (err.message[0] != '\0')
    (void)records_fail(&err);
  bt_skill_places_dispose(&places);
  bt_str_dispose(&out);
  return status != 0 ? 1 : printed;
}
