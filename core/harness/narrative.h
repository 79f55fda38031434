/* core/harness/narrative.h - the last words of a session, from the tail of its transcript.
 *
 * Owns: which lines of a JSON Lines transcript make up the final message, how old the transcript is.
 * Must not know: harness formats (claude.c, codex.c), captures, the ledger.
 * Rules: spec/context-handoff.md 9.2 and 15.1 item 2. Hostile sizes: at most BT_NARRATIVE_WINDOW_MAX is read. */
#ifndef BATON_CORE_HARNESS_NARRATIVE_H
#define BATON_CORE_HARNESS_NARRATIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/clock.h"
#include "core/base/error.h"

#define BT_NARRATIVE_WINDOW ((size_t)1048576)     /* bytes of the tail that are read */
#define BT_NARRATIVE_WINDOW_MAX ((size_t)8388608) /* widened up to this until the tail holds a whole line */
#define BT_NARRATIVE_STALE_HOURS 72

struct bt_narrative {
  size_t entries;       /* lines that are JSON objects; 0: the transcript is of no use */
  size_t skipped;       /* other lines that are not blank */
  char *text;           /* owned; final message, trimmed and capped; NULL: there is none */
  bool was_cut;         /* `text` ends in BT_NARRATIVE_CUT_MARK */
  int64_t timestamp_ms; /* newest time stamp of all entries; from a file without one, its mtime; else BT_TIME_UNKNOWN */
  char *note;           /* owned; why `text` was left out: the source is stale; NULL otherwise */
};

void bt_narrative_dispose(struct bt_narrative *narrative);

/* Pure: over JSON Lines as internal text (bytes of a file go through bt_utf8_decode8 first). No entries is not a
 * failure here. BT_NOMEM only; `out` needs no disposing then. */
enum bt_code bt_narrative_parse(struct bt_narrative *out, const char *jsonl, size_t length,
                                struct bt_error *err) BT_NODISCARD;

/* Reads the tail behind `fd` (stays open; any kind but a regular file is BT_UNSAFE with the message
 * "not_a_file"), and falls back to the file's mtime for the time stamp. No entries: BT_CORRUPT. `name` is for errors.
 * On failure `out` needs no disposing. */
enum bt_code bt_narrative_read_fd(struct bt_narrative *out, int fd, const char *name,
                                  struct bt_error *err) BT_NODISCARD;

/* Opens `path` (resolved against `cwd`, links are followed, O_NONBLOCK), reads it, and when it is stale against
 * `now_ms` replaces the text by a note. BT_MISSING, BT_UNSAFE ("not_a_file"), BT_IO with sys_errno, BT_CORRUPT. */
enum bt_code bt_narrative_load(struct bt_narrative *out, const char *cwd, const char *path, int64_t now_ms,
                               struct bt_error *err) BT_NODISCARD;

/* Drops the text of a transcript older than BT_NARRATIVE_STALE_HOURS and sets `note`. A time stamp in the future is
 * fresh, an unknown one too. */
enum bt_code bt_narrative_drop_stale(struct bt_narrative *narrative, int64_t now_ms, struct bt_error *err) BT_NODISCARD;

#endif
