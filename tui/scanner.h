/* tui/scanner.h - reads transcripts on a thread of its own, at low priority, beside the screen.
 *
 * The first frame needs none of it: the list fills in as files are read, newest first. New bytes are noticed by inotify
 * where that works, else by polling: the newest files every two seconds, all of them once a minute (spec/transcripts.md
 * 10, 11). */
#ifndef BATON_TUI_SCANNER_H
#define BATON_TUI_SCANNER_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/env.h"

struct bt_harness_view;
struct scanner;

/* `env` is borrowed and must not change. `all`: the sessions of every repository. NULL with err when the system gives
 * no thread. */
struct scanner *scanner_new(const struct bt_env *env, bool all, bool use_inotify, struct bt_error *err) BT_NODISCARD;
void scanner_free(struct scanner *scanner); /* waits for the file being read; NULL is allowed */

int scanner_fd(const struct scanner *scanner); /* has input when there is news */
void scanner_drain(struct scanner *scanner);   /* takes the news */

/* What is known right now; the caller frees it (bt_harness_view_free). From any thread; NULL when memory is short or
 * nothing was listed yet. */
struct bt_harness_view *scanner_view(struct scanner *scanner);

#endif
