/* core/store/sample.h - the bundled sample ledger: its mark, and the published key that it is signed with.
 *
 * Must not know: what is in it (core/ops/sample.c writes it). The key protects nothing: it is printed here and used only
 * on a marked ledger where no key is set, so that every verb can be tried; the screen says so. */
#ifndef BATON_CORE_STORE_SAMPLE_H
#define BATON_CORE_STORE_SAMPLE_H

#include <stdbool.h>

#define BT_SAMPLE_MARK "baton-sample.json"         /* below the ledger folder; no other program reads it */
#define BT_SAMPLE_TRANSCRIPTS "sample-transcripts" /* below the ledger folder: a folder for each harness */
#define BT_SAMPLE_KEY "baton-sample-key-published-protects-nothing"

/* `dir`: the ledger folder, -1 where there is none. *published_key (may be NULL): it is signed with the key above, not
 * with the one that was set when it was made. */
bool bt_sample_is(int dir, bool *published_key); /* false too when memory is short: then it is only not told */

/* Whether the ledger in this folder is a sample; false too where there is none. */
bool bt_sample_at(const char *ledger_dir);

/* The key to use where none is set: BT_SAMPLE_KEY on a sample ledger that is signed with it, else NULL. */
const char *bt_sample_key_for(const char *ledger_dir);

#endif
