/* core/harness/catalog.h - every session file of every store, and what is known of each so far.
 *
 * Owns the cards (core/harness/card.h). Listing is quick: folders and stat only. Reading is done by looks, handed out
 * newest first and put back when they are done; they may run on other threads while the catalog is used by one (the
 * callers hold a lock of their own around every function here). Must not know the ledger. Rules: spec/transcripts.md 1,
 * 2, 10, 11. */
#ifndef BATON_CORE_HARNESS_CATALOG_H
#define BATON_CORE_HARNESS_CATALOG_H

#include "core/env.h"
#include "core/harness/card.h"
#include "core/harness/scope.h"
#include "core/harness/titles.h"
#include "core/harness/windows.h"

#define BT_CATALOG_READERS 24                      /* files that are followed without being read anew */
#define BT_CATALOG_READER_BYTES ((int64_t)1 << 29) /* of such files together */

struct bt_catalog {
  const struct bt_env *env;
  bool all;                                         /* every session, not only this repository's */
  bool follows;                                     /* readers are kept: somebody watches */
  struct bt_card **cards;                           /* newest first */
  size_t count, cursor;                             /* before the cursor nothing is wanted */
  struct bt_card *followed[BT_CATALOG_READERS + 1]; /* cards that have a reader */
  size_t followed_count;
  struct bt_source_note *notes; /* of stores */
  size_t note_count;
  struct bt_scope *scope;
  struct bt_titles titles;
  struct bt_windows windows;
  char *windows_problem; /* owned; the setting that is not understood; NULL */
  bool moved;            /* the last listing differed from the one before */
  bool vanished;         /* a file that was stated again is gone: it is time for a listing */
  bool changed;          /* something that the index does not hold yet */
};

/* `env` is borrowed. NULL with err: out of memory. */
struct bt_catalog *bt_catalog_new(const struct bt_env *env, bool all, bool follows, struct bt_error *err) BT_NODISCARD;
void bt_catalog_free(struct bt_catalog *catalog);

/* Lists the stores: what is known of a file that is still the same stays, a changed one is to be read again. No look
 * may be under way. BT_NOMEM: as it was before. */
enum bt_code bt_catalog_list(struct bt_catalog *catalog, struct bt_error *err) BT_NODISCARD;

/* Whether the last listing found anything else than the one before, and whether time alone may change what a session is
 * shown as (the staleness overlay, spec/transcripts.md 7). */
bool bt_catalog_moved(const struct bt_catalog *catalog);
bool bt_catalog_ages(const struct bt_catalog *catalog, int64_t now_ms);

/* Stats the newest `count` files again; true when one of them changed (it is to be read). No look may be under way. */
bool bt_catalog_poll(struct bt_catalog *catalog, size_t count);

/* The same for one file by its path; false when it is not listed or as it was. */
bool bt_catalog_touch(struct bt_catalog *catalog, const char *path);

/* The next look to be made, or false when everything wanted is known or under way. */
bool bt_catalog_next(struct bt_catalog *catalog, struct bt_look *look);
/* Takes the result; `look` is disposed of. */
void bt_catalog_put(struct bt_catalog *catalog, struct bt_look *look);

/* Files that may hold a wanted session and are not known yet. */
size_t bt_catalog_pending(const struct bt_catalog *catalog);

/* Makes every look that is due, on `threads` threads, this one included. BT_OK or BT_NOMEM. */
enum bt_code bt_catalog_read_all(struct bt_catalog *catalog, int threads, struct bt_error *err) BT_NODISCARD;

#endif
