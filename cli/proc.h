/* cli/proc.h - what /proc and signal 0 say about a process of this host.
 *
 * The real answers for core's struct bt_proc_probe; a test gives its own. */
#ifndef BATON_CLI_PROC_H
#define BATON_CLI_PROC_H

#include "core/env.h"

struct bt_proc_probe proc_probe(void);

#endif
