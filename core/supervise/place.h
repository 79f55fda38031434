/* core/supervise/place.h - what a supervisor looks at between two ticks: the session's marker and its transcript.
 *
 * Reads only. Rules: spec/context-handoff.md 11.1. */
#ifndef BATON_CORE_SUPERVISE_PLACE_H
#define BATON_CORE_SUPERVISE_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/str.h"
#include "core/env.h"

/* Appends the transcript of session `id`, which works in env->root, as Claude Code keeps it: below ~/.claude, or below
 * CLAUDE_CONFIG_DIR where only that one has it. *mtime_ns is its time. False when there is none: no home, an id that is
 * not safe, no such file, or it cannot be looked at. Look at out->failed. */
bool bt_sup_find_transcript(struct bt_str *out, const struct bt_env *env, const char *id, int64_t *mtime_ns);

struct bt_sup_sample {
  bool deny_open, deny_consumed, transcript_there;
  int64_t transcript_ns; /* mtime */
};
void bt_sup_probe(const struct bt_env *env, const char *id, struct bt_sup_sample *sample);

#endif
