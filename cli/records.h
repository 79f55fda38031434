/* cli/records.h - what the files of `baton records` share: its arguments, and how its results and failures are told.
 *
 * Exit statuses, standard output and standard error: spec/session-records.md 5 and 11. */
#ifndef BATON_CLI_RECORDS_H
#define BATON_CLI_RECORDS_H

#include <stdbool.h>

#include "cli/env.h"
#include "core/base/error.h"
#include "core/base/str.h"
#include "core/records/store.h"

struct records_args {
  struct cli_env *cli;
  struct bt_records *records;
  char **words; /* without baton's own flags; words[0] is the verb */
  int count;
  bool json, deep, redact;
  const char *from; /* NULL: not given */
  bool has_from;
};

/* Word `index`, or NULL. An empty one counts as not given. */
const char *records_word(const struct records_args *args, int index);
/* Value behind the first occurrence of a flag, or NULL; whether it stands there at all. */
const char *records_flag(const struct records_args *args, const char *flag);
bool records_has(const struct records_args *args, const char *flag);

/* Writes bytes to standard output; on a terminal control characters are shown as escapes. Returns the exit status. */
int records_print(const struct records_args *args, const struct bt_str *out);
/* `handoff: message` on standard error; returns the exit status of the failure. */
int records_fail(const struct bt_error *err);
int records_usage(const char *text);

/* The verbs with a file of their own. */
int records_build(struct records_args *args);
int records_adapt(struct records_args *args);
int records_list_json(struct records_args *args);
int records_show_json(struct records_args *args);
int records_verify_deep(struct records_args *args);
int records_skill(struct cli_env *cli, int argc, char **argv);

#endif
