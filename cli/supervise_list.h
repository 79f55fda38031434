/* cli/supervise_list.h - `baton supervise --list`: who is supervised on this host, and which sessions came of it. */
#ifndef BATON_CLI_SUPERVISE_LIST_H
#define BATON_CLI_SUPERVISE_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/env.h"

struct bt_supervised;
struct json_out;

int supervise_list(struct cli_env *cli, bool json); /* returns the exit status */

/* `supervised`: an array of objects, as a member of the open object. */
void supervise_put_json(struct json_out *json, const struct bt_supervised *list, size_t count);

#endif
