/* tests/vectors/cli_child.h - runs a program in a case's world and keeps what it said. */
#ifndef BATON_TESTS_VECTORS_CLI_CHILD_H
#define BATON_TESTS_VECTORS_CLI_CHILD_H

#include "tests/vectors/support.h"

struct vec_child {
  int exit; /* 128 + signal when it was killed */
  struct bt_str out, err;
};

/* `argv` is NULL-terminated; `environ_` too (NAME=VALUE). The working folder is `cwd`. stdin is /dev/null. Exit 127
 * where the program could not be started. Dispose afterwards. */
void vec_child_run(struct vec_child *child, const char *cwd, const char *const *argv, char *const *environ_);
void vec_child_dispose(struct vec_child *child);

#endif
