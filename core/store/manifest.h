/* core/store/manifest.h - a manifest file read line by line, whatever its length.
 *
 * Owns: lines, what counts as blank, what a line hashes to, the last line. Memory is bounded by the longest line,
 * which has a ceiling. Must not know: what an entry means. Rules: spec/context-handoff.md 4.4, 12.2. */
#ifndef BATON_CORE_STORE_MANIFEST_H
#define BATON_CORE_STORE_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/str.h"

#define BT_MANIFEST_ROOT "manifest.jsonl"
#define BT_MANIFEST_FOLDER "manifest.d"
#define BT_MANIFEST_LINE_MAX ((size_t)16 * 1024 * 1024)

struct bt_line {
  const char *bytes; /* raw, without the LF but with a trailing CR; borrowed until the next read */
  size_t length;
  uint64_t number; /* counted from 1, blank lines included */
  int64_t offset;  /* of its first byte in the file */
  int64_t end;     /* behind its last byte, and behind the LF where one follows: there the next line begins */
  bool ended;      /* an LF follows */
  bool oversize;   /* longer than BT_MANIFEST_LINE_MAX: `bytes` holds its beginning only */
};

struct bt_lines; /* reads one file from front to end */

/* Takes over `fd` (an open regular file), which is closed by bt_lines_free. NULL: out of memory, `fd` is closed. */
struct bt_lines *bt_lines_new(int fd) BT_NODISCARD;
void bt_lines_free(struct bt_lines *lines); /* NULL is allowed */

/* Begins at `offset`, behind line `number`, instead of at the front. Only before the first read. BT_IO. */
enum bt_code bt_lines_begin_at(struct bt_lines *lines, int64_t offset, uint64_t number,
                               struct bt_error *err) BT_NODISCARD;

/* The next line, blank ones too: BT_OK with *more true, or false at the end of the file. BT_IO, BT_NOMEM. */
enum bt_code bt_lines_next(struct bt_lines *lines, struct bt_line *line, bool *more, struct bt_error *err) BT_NODISCARD;

/* Blank: nothing but W (12.2). */
bool bt_line_is_blank(const char *bytes, size_t length);

/* `prev` and `lineHash`: SHA-256 of encode8 of decode8 of the raw line. False: out of memory. */
bool bt_line_hash(const char *bytes, size_t length, char hex[BT_SHA256_HEX]) BT_NODISCARD;

/* The last non-blank line of the file `path` below `ledger`, without reading what is before it. *found is false for an
 * absent file (or ledger -1) and for one without such a line. BT_UNSAFE, BT_IO, BT_TOO_LARGE (the line), BT_NOMEM. */
enum bt_code bt_manifest_last_line(int ledger, const char *path, struct bt_str *line, bool *found,
                                   struct bt_error *err) BT_NODISCARD;

#endif
