/* core/harness/index.h - what the last run knew of each session file, so that the next one need not read it again.
 *
 * One file, <cache>/transcripts: safe to delete, never trusted over the session files: an entry counts only for the
 * same path, device, inode, size and time, and only after the first and last bytes of the file were found to be the
 * same (BT_LOOK_PROVE). A damaged, foreign or newer index is as good as none. Bounded by BT_INDEX_BYTES_MAX; the newest
 * files come first. Rules: spec/transcripts.md 10. */
#ifndef BATON_CORE_HARNESS_INDEX_H
#define BATON_CORE_HARNESS_INDEX_H

#include "core/base/str.h"
#include "core/harness/catalog.h"

#define BT_INDEX_NAME "transcripts"
#define BT_INDEX_VERSION 2u /* one more whenever a reader reads anything differently */
#define BT_INDEX_BYTES_MAX ((size_t)32 << 20)

/* Gives the pending cards of a listed catalog what the index holds of them; they stay pending until proved. Never
 * fails. */
void bt_index_load(struct bt_catalog *catalog);

/* Writes what is known, where it differs from what was loaded, through a temporary file. A full disk, a missing folder
 * or a cache that cannot be written is not worth a word: the next run reads more. Nothing when the environment is
 * read-only. */
void bt_index_save(struct bt_catalog *catalog);

/* ---- core/harness/index_code.c: one card as bytes ---- */
void bt_index_put_card(struct bt_str *out, const struct bt_card *card);
/* Reads one entry at `*at`, which moves on. False at the end or when the bytes make no sense; `card` (zeroed) is then
 * to be disposed of all the same. */
bool bt_index_take_card(struct bt_slice bytes, size_t *at, struct bt_card *card);

#endif
