/* core/records/intake.h - a transcript's bytes in, its turns out, while they are read.
 *
 * Owns: hashing the bytes, cutting lines, the first line, and what a turn is in JSONL and in marked text. Memory
 * follows the longest line. Must not know: files, the store. Rules: spec/session-records.md 6. */
#ifndef BATON_CORE_RECORDS_INTAKE_H
#define BATON_CORE_RECORDS_INTAKE_H

#include <stdbool.h>

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/records/turn.h"

struct bt_intake; /* one source being read */

struct bt_intake_ops {
  /* Once, before any turn: `session` and `thread` of the first line as internal text, NULL where falsy or absent. */
  enum bt_code (*on_head)(void *context, const char *session, const char *thread, struct bt_error *err);
  /* A usable turn with this seq. `*wanted`: give it whole. */
  enum bt_code (*on_seq)(void *context, double seq, bool *wanted, struct bt_error *err);
  /* The turn; borrowed for the call. */
  enum bt_code (*on_turn)(void *context, double seq, const struct bt_record_turn *turn, struct bt_error *err);
};

/* Whether a source of this name is read as JSONL. */
bool bt_intake_is_jsonl(const char *name);

/* `ops` and `context` are borrowed. NULL: out of memory. */
struct bt_intake *bt_intake_new(bool is_jsonl, const struct bt_intake_ops *ops, void *context) BT_NODISCARD;
void bt_intake_free(struct bt_intake *intake);

/* The next bytes. BT_NOMEM, BT_TOO_LARGE (a text turn over BT_TURN_LINE_MAX), or the first failure of an op. */
enum bt_code bt_intake_feed(struct bt_intake *intake, const char *bytes, size_t length,
                            struct bt_error *err) BT_NODISCARD;
/* The end of the source: the last line, the last turn. `raw_sha256` is over all bytes. */
enum bt_code bt_intake_finish(struct bt_intake *intake, char raw_sha256[BT_SHA256_HEX],
                              struct bt_error *err) BT_NODISCARD;

/* From now on bytes are hashed and not looked at (on_head may ask for that). */
void bt_intake_hash_only(struct bt_intake *intake);

/* ---- for core/records/intake*.c only ---- */

struct bt_jsonl;
struct bt_jsonl *bt_jsonl_new(const struct bt_intake_ops *ops, void *context) BT_NODISCARD;
void bt_jsonl_free(struct bt_jsonl *jsonl);
enum bt_code bt_jsonl_line(struct bt_jsonl *jsonl, const char *line, size_t length, struct bt_error *err) BT_NODISCARD;

struct bt_marked;
struct bt_marked *bt_marked_new(const struct bt_intake_ops *ops, void *context) BT_NODISCARD;
void bt_marked_free(struct bt_marked *marked);
enum bt_code bt_marked_line(struct bt_marked *marked, const char *line, size_t length,
                            struct bt_error *err) BT_NODISCARD;
enum bt_code bt_marked_end(struct bt_marked *marked, struct bt_error *err) BT_NODISCARD;

#endif
