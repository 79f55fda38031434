/* core/store/segments.h - what lies in manifest.d, and whether the evidence is kept in segments.
 *
 * Owns: discovery (spec/context-handoff.md 12.6), the question of 12.4, the branch token `.lineage` (12.5).
 * Must not know: chains (core/store/chain.h). Reads only. `ledger` is a descriptor of the ledger dir, -1: there is
 * none. */
#ifndef BATON_CORE_STORE_SEGMENTS_H
#define BATON_CORE_STORE_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/str.h"

#define BT_SEGMENT_MARKER "manifest.d/.store.json"
#define BT_SEGMENT_TOKEN "manifest.d/.lineage"
#define BT_SEGMENT_SMALL_FILE 4096 /* marker and token must be shorter */
#define BT_ULID_LENGTH 26
#define BT_SEGMENT_SLUG_MAX 40

struct bt_segments {
  char **names; /* valid segments, byte order; file names inside manifest.d */
  size_t count;
  size_t invalid_count;    /* objects that make the whole forest invalid */
  char *invalid_name;      /* the first of them ("manifest.d" itself when the folder is one), NULL: none */
  const char *invalid_why; /* static text */
};

/* BT_OK whatever lies there; BT_NOMEM. Dispose in every case. */
enum bt_code bt_segments_discover(int ledger, struct bt_segments *segments, struct bt_error *err) BT_NODISCARD;
void bt_segments_dispose(struct bt_segments *segments);
bool bt_segments_has(const struct bt_segments *segments, const char *name);

/* Whether `name` has the form <slug>-<ULID>.jsonl; *ulid (may be NULL) then points at its 26 characters. */
bool bt_segment_name_parse(const char *name, const char **ulid);

/* 12.4. BT_UNSAFE when a link or a device stands for manifest.d, or anything but a file for manifest.jsonl. Also BT_IO,
 * BT_TOO_LARGE, BT_NOMEM. */
enum bt_code bt_segments_in_use(int ledger, bool *segmented, struct bt_error *err) BT_NODISCARD;

struct bt_segment_token {
  bool usable;                   /* readable, the right shape, and the ULID fits the segment's name */
  struct bt_str segment, branch; /* internal text */
};
/* BT_OK also when there is none or it cannot be used; BT_NOMEM. Dispose in every case. */
enum bt_code bt_segment_token_read(int ledger, struct bt_segment_token *token, struct bt_error *err) BT_NODISCARD;
void bt_segment_token_dispose(struct bt_segment_token *token);

/* The slug of a branch, NULL or empty for none: 12.5 "Mint", never empty. BT_NOMEM. */
enum bt_code bt_segment_slug(char slug[BT_SEGMENT_SLUG_MAX + 1], const char *branch, struct bt_error *err) BT_NODISCARD;

/* 26 characters for a time (48 bits are used) and ten random bytes. */
void bt_segment_ulid(char ulid[BT_ULID_LENGTH + 1], int64_t time_ms, const unsigned char random[10]);

#endif
