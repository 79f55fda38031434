/* cli/options.h - flags of one command line, read the way the ADLC package reads them.
 *
 * Rules: spec/context-handoff.md 8.2. Errors are found left to right and come before --help. Values are borrowed
 * from argv. Positionals and a lone `-` are ignored unless `positionals` is asked for. */
#ifndef BATON_CLI_OPTIONS_H
#define BATON_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

struct option_spec {
  const char *name;     /* without the dashes: "deny-session" */
  const char **string;  /* where a string flag's value goes, or NULL */
  bool *boolean;        /* where a boolean flag's true goes, or NULL */
  const char *argument; /* word for the help: "ID"; NULL for a boolean */
  const char *help;     /* one line */
};

struct option_rest {                       /* what was not a flag; NULL members are not filled */
  const char **positionals;                /* room for `positional_max` */
  size_t positional_max, positional_count; /* count may exceed max: the surplus is dropped */
  int after;                               /* index in argv behind the first `--`; argc when there was none */
  bool separator;                          /* `--` was there */
};

/* Reads argv[1..argc-1]. `rest` may be NULL. BT_USAGE on the first error, with err set. */
enum bt_code options_parse(int argc, char **argv, const struct option_spec *specs, size_t spec_count,
                           struct option_rest *rest, struct bt_error *err) BT_NODISCARD;

/* Every value that `name` was given on a command line that options_parse has accepted, in order, borrowed; `values` has room for argc
 * of them. Returns how many. */
size_t options_collect(int argc, char **argv, const struct option_spec *specs, size_t spec_count, const char *name,
                       const char **values);

/* Prints the flags as help lines to stdout. */
void options_print_help(const struct option_spec *specs, size_t spec_count);

#endif
