/* core/harness/card.h - what is known of one session file, and the one way to learn more: a look that can be made on
 * any thread.
 *
 * A look works on copies: the card itself changes only when the look's result is put into it (core/harness/catalog.h).
 * Rules: spec/transcripts.md 2, 10. Every failure of the file is a word on its card, never a failure of the catalog. */
#ifndef BATON_CORE_HARNESS_CARD_H
#define BATON_CORE_HARNESS_CARD_H

#include "core/harness/facts.h"
#include "core/harness/packed.h"
#include "core/harness/source.h"
#include "core/harness/transcript.h"

#define BT_CARD_TEXT_BYTES ((size_t)240)   /* of each text that a card keeps */
#define BT_CARD_PEEK_BYTES ((size_t)16384) /* enough for the working folder of nearly every session */

enum bt_card_state {
  BT_CARD_PENDING,   /* not read since it changed; `facts` may still be those of before */
  BT_CARD_PEEKED,    /* its beginning is known, and that was all that was wanted */
  BT_CARD_READ,      /* `facts` are those of the file at `source`'s size and time */
  BT_CARD_UNREADABLE /* `problem` says why; `facts` hold what the name tells */
};

/* What proves, without reading the whole, that a file is still the one that was read (spec/transcripts.md 10). */
struct bt_card_proof {
  uint64_t head_hash, tail_hash;
  uint32_t head_length, tail_length; /* bytes at the beginning, and at the end */
};

struct bt_card {
  struct bt_source source;
  enum bt_card_state state;
  struct bt_transcript_facts facts; /* texts shortened to BT_CARD_TEXT_BYTES */
  struct bt_packed *texts;          /* that `facts` borrow theirs from; NULL: they own them */
  bool has_facts;
  char *problem; /* owned; NULL: none */
  struct bt_card_proof proof;
  int64_t read_ns;              /* the file's own time when it was read */
  struct bt_transcript *reader; /* kept while the file is likely to grow; NULL */
  size_t index;                 /* in the catalog's list */
  bool in_scope, scope_known;   /* belongs to this repository */
  bool looking;                 /* a look is under way */
};

enum bt_look_kind { BT_LOOK_PEEK, BT_LOOK_WHOLE, BT_LOOK_PROVE /* that the facts of the index still hold */ };

struct bt_look {
  struct bt_card *card; /* whose it is; not touched by bt_look_run */
  enum bt_look_kind kind;
  bool keep_reader;
  struct bt_source source;      /* borrowed from the card; stat is renewed by the look */
  struct bt_card_proof proof;   /* in: to be proved; out: of the file as read */
  struct bt_transcript *reader; /* moves in, and out again where it is kept */

  enum bt_card_state state; /* the result */
  bool proved;              /* of BT_LOOK_PROVE: nothing was read, the facts stand */
  struct bt_transcript_facts facts;
  bool has_facts;
  char *problem; /* owned */
};

/* Never fails: what went wrong is in `state` and `problem`. Safe on any thread, one look a card at a time. */
void bt_look_run(struct bt_look *look);
void bt_look_dispose(struct bt_look *look);

void bt_card_dispose(struct bt_card *card);

/* For qsort of an array of pointers to cards, and what is found in one that is so sorted; NULL: no card of that path. */
int bt_card_by_path(const void *a, const void *b);
struct bt_card *bt_card_find(struct bt_card *const *cards, size_t count, const char *path);

/* The facts of a look, or of an index entry, become the card's (moved, packed). False: out of memory, nothing moved. */
bool bt_card_take_facts(struct bt_card *card, struct bt_transcript_facts *facts) BT_NODISCARD;

/* What a file's name tells of a session that cannot be read: its id and, for Codex, when it began. */
enum bt_code bt_card_facts_of_name(const struct bt_source *source, struct bt_transcript_facts *facts) BT_NODISCARD;

#endif
