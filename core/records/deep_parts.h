/* core/records/deep_parts.h - a file against what it should be, and what nothing covers. For core/records/deep*.c only.
 */
#ifndef BATON_CORE_RECORDS_DEEP_PARTS_H
#define BATON_CORE_RECORDS_DEEP_PARTS_H

#include "core/records/deep.h"
#include "core/records/render.h"

/* A file that is compared with what is put into the outlet. */
struct bt_compare {
  struct bt_outlet outlet; /* first: the outlet's functions get it */
  int fd;
  int64_t at, first_difference; /* -1: none so far */
};
void bt_compare_begin(struct bt_compare *compare, int dir, const char *name);
/* The verdict on the whole file. `open_words` says what nothing covers; may be empty. */
void bt_compare_end(struct bt_deep *deep, struct bt_compare *compare, const char *name, const char *open_words);

struct bt_open_words { /* what a render says that neither timeline nor manifest knows */
  char text[256];
};
void bt_open_words_add(struct bt_open_words *open, const char *words);

bool bt_deep_is_moved(const struct bt_json *manifest); /* a rename left old values in the renders */

/* HANDOFF.md; `like` says what the other renders are made of, its manifest being the one on disk. */
enum bt_code bt_deep_brief(struct bt_deep *deep, int dir, const char *title, const struct bt_render *like,
                           struct bt_open_words open) BT_NODISCARD;

#endif
