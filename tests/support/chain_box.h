/* tests/support/chain_box.h - evidence made by hand: lines with good and bad links and signatures, and git to go with
 * it. */
#ifndef BATON_TESTS_SUPPORT_CHAIN_BOX_H
#define BATON_TESTS_SUPPORT_CHAIN_BOX_H

#include <stdbool.h>

#include "core/base/digest.h"
#include "core/base/str.h"
#include "tests/support/fixture.h"

#define CHAIN_KEY "chain test key"

/* A chain being written; every line follows the one before it unless the test says otherwise. */
struct chain_box {
  struct bt_str text;       /* the file so far */
  double seq;               /* of the last line */
  char hash[BT_SHA256_HEX]; /* of the last line, "" before the first */
  const char *eol;          /* "\n" at first */
};
void chain_box_init(struct chain_box *box);
void chain_box_dispose(struct chain_box *box);

/* Adds the entry {"seq":..,"gate":..,"ts":..,"data":..,"files":{},<more>"prev":..,"sig":..}. `more` is JSON text of
 * further members, each followed by a comma, or NULL. `key` NULL: unsigned. A `sigVersion` of 2 in `more` gives a v2
 * signature. */
void chain_box_add(struct chain_box *box, const char *more, const char *key);
/* Adds a line as it is and goes on from it. */
void chain_box_add_raw(struct chain_box *box, const char *line);

/* The text of one entry with the given seq and prev ("null" or a quoted hash), signed with `key` (NULL: not). */
void chain_entry_text(struct bt_str *out, const char *seq, const char *prev, const char *more, const char *key);

/* Writes the chain to `path` below the fixture's root. */
void chain_box_write(const struct chain_box *box, const struct fixture *fixture, const char *path);

/* Runs `git ARGS...` in `folder` (NULL-terminated) with a fixed identity and no outside configuration; fails the
 * running test when git fails. */
void git_box(const char *folder, ...) __attribute__((sentinel));
/* Appends what git prints; false when it fails. */
bool git_box_says(struct bt_str *out, const char *folder, ...) __attribute__((sentinel));

/* An open descriptor of the fixture's ledger dir; the test closes it. */
int open_ledger(const struct fixture *fixture);

#endif
