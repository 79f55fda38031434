/* core/model/explain.h - why a session stands where it stands, and the safest thing to do about it, in words.
 *
 * Pure: reads one triaged session and its snapshot, writes `reasons`, `next` and `others`. Views and JSON both print
 * these words, so they cannot disagree. Ids and paths in them are raw text: whoever prints makes them visible.
 * Rules: spec/context-handoff.md 5.2, 5.8, 6.3, 6.4, 7, 8.3-8.9 (what each verb would accept); dashboard.md 6.1, 6.2. */
#ifndef BATON_CORE_MODEL_EXPLAIN_H
#define BATON_CORE_MODEL_EXPLAIN_H

#include <stdarg.h>
#include <stdbool.h>

#include "core/model/snapshot.h"

struct bt_arena;

/* Fills session->reasons, worst first. False when memory is short. */
bool bt_explain_session(struct bt_arena *arena, const struct bt_snapshot *snapshot, struct bt_session *session);

/* Fills session->next and session->others (core/model/advice.c). A verb is named only where its own checks would let
 * it through, or with what stands in its way. False when memory is short. */
bool bt_advise_session(struct bt_arena *arena, const struct bt_snapshot *snapshot, struct bt_session *session);

/* One line of words in `arena`, cut at a character past 4095 bytes. NULL when memory is short. */
const char *bt_words_vprintf(struct bt_arena *arena, const char *fmt, va_list args);
/* "2026-10-09 14:10Z"; "an unknown time". */
void bt_stamp_short(char out[24], int64_t time_ms);
/* "4.1 KiB", "148 bytes". */
void bt_size_short(char out[24], int64_t bytes);
/* "3f9c..a017" of a long hash, else the whole of it (up to 24 bytes); "none" for NULL. */
void bt_hash_short(char out[32], const char *hash);

#endif
