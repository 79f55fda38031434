/* core/records/words.h - the names and words that the record store makes out of text.
 *
 * Rules: spec/session-records.md 2.5 (slug), 7.2 (folder name), 7.3 (tag), 8.8 (keywords, suggestions), 8.9 (overlap).
 * All text is internal text (core/base/utf8.h). Where memory is short the output's `failed` is set. */
#ifndef BATON_CORE_RECORDS_WORDS_H
#define BATON_CORE_RECORDS_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/str.h"

#define BT_SLUG_UNITS 48

/* Lower case as far as a slug or a class can see it: A-Z, the Kelvin sign and the dotted capital I. */
void bt_words_lower(struct bt_str *out, const char *text, size_t length);

void bt_words_slug(struct bt_str *out, const char *text, size_t length); /* may append nothing */

/* Folder name of a session id: every unit outside A-Z a-z 0-9 _ . - becomes _. */
void bt_words_folder(struct bt_str *out, const char *text, size_t length);

/* Slug of the tag in `text`, `unsorted` for one without letters. False: there is no tag. */
bool bt_words_tag(struct bt_str *out, const char *text, size_t length);

/* A name that stays in its folder: not empty, not . or .. */
bool bt_words_is_name(const char *name);

/* Distinct keywords of a text, in order. */
struct bt_keywords {
  char **words;
  size_t count, capacity;
  bool failed; /* out of memory: the list is not whole */
};
void bt_keywords_init(struct bt_keywords *keywords);
void bt_keywords_dispose(struct bt_keywords *keywords);
void bt_keywords_add(struct bt_keywords *keywords, const char *text, size_t length);

/* Words that both have, divided by the words of both together; 0 for two empty lists. */
double bt_keywords_overlap(const struct bt_keywords *a, const struct bt_keywords *b);

/* Two decimals, ties upward. `value` is in 0..1. */
void bt_words_overlap_text(char out[8], double value);

/* Whether an id is of a kind that no person would have chosen, so that a name is suggested. */
bool bt_words_is_machine_id(const char *id);

#endif
