/* tui/loader.h - reads the ledger on a thread of its own, so that a key never waits for a disk or for git.
 *
 * One load at a time; what is asked for meanwhile is one more load. The quick load comes first; git's part, which is
 * slow to start, follows as a second snapshot where it was asked for. */
#ifndef BATON_TUI_LOADER_H
#define BATON_TUI_LOADER_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/env.h"
#include "core/model/snapshot.h"

struct loader;
struct scanner;

/* `env` and `scanner` are borrowed and outlive it; `scanner` (what transcripts tell) may be NULL. NULL with err when the
 * system gives no thread. */
struct loader *loader_new(const struct bt_env *env, struct scanner *scanner, struct bt_error *err) BT_NODISCARD;
/* Waits for a load that is going on. NULL is allowed. */
void loader_free(struct loader *loader);

void loader_ask(struct loader *loader, bool with_git);

int loader_fd(const struct loader *loader); /* has input when loader_take has something */

enum loader_answer { LOADER_NOTHING, LOADER_SNAPSHOT, LOADER_FAILED };
/* The newest snapshot since the last call (moves out), or why the newest load failed. */
enum loader_answer loader_take(struct loader *loader, struct bt_snapshot **snapshot, struct bt_error *err);

#endif
