/* core/records/keywords.c - the keywords of a text, and how much two texts share (words.h). */
#include <stdlib.h>
#include <string.h>

#include "core/records/words.h"

#define WORD_BYTES 4 /* shorter pieces are no keywords */

static const char *const stop_words[] = {"with", "this", "that", "from", "will", "shall",
                                         "into", "your", "when", "what", "were"};

void bt_keywords_init(struct bt_keywords *keywords) {
  *keywords = (struct bt_keywords){0};
}

void bt_keywords_dispose(struct bt_keywords *keywords) {
  for (size_t i = 0; i < keywords->count; i++)
    free(keywords->words[i]);
  free(keywords->words);
  bt_keywords_init(keywords);
}

static bool has(const struct bt_keywords *keywords, const char *word, size_t length) {
  for (size_t i = 0; i < keywords->count; i++) {
    if (strlen(keywords->words[i]) == length && memcmp(keywords->words[i], word, length) == 0)
      return true;
  }
  return false;
}

static bool is_stop_word(const char *word, size_t length) {
  for (size_t i = 0; i < sizeof stop_words / sizeof *stop_words; i++) {
    if (strlen(stop_words[i]) == length && memcmp(stop_words[i], word, length) == 0)
      return true;
  }
  return false;
}

static void add(struct bt_keywords *keywords, const char *word, size_t length) {
  if (length < WORD_BYTES || is_stop_word(word, length) || has(keywords, word, length))
    return;
  if (keywords->count == keywords->capacity) {
    size_t capacity = keywords->capacity > 0 ? keywords->capacity * 2 : 32;
    char **grown = realloc(keywords->words, capacity * sizeof *grown);
    if (grown == NULL) {
      keywords->failed = true;
      return;
    }
    keywords->words = grown;
    keywords->capacity = capacity;
  }
  char *copy = strndup(word, length);
  if (copy == NULL)
    keywords->failed = true;
  else
    keywords->words[keywords->count++] = copy;
}

static bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

void bt_keywords_add(struct bt_keywords *keywords, const char *text, size_t length) {
  struct bt_str lower;
  bt_str_init(&lower, length * 2 + 1);
  bt_words_lower(&lower, text, length);
  keywords->failed = keywords->failed || lower.failed;
  for (size_t at = 0; at < lower.length;) {
    size_t end = at;
    while (end < lower.length && is_word_char(lower.data[end]))
      end++;
    add(keywords, lower.data + at, end - at);
    at = end + 1;
  }
  bt_str_dispose(&lower);
}

double bt_keywords_overlap(const struct bt_keywords *a, const struct bt_keywords *b) {
  size_t shared = 0;
  for (size_t i = 0; i < a->count; i++)
    shared += has(b, a->words[i], strlen(a->words[i]));
  size_t all = a->count + b->count - shared;
  return all > 0 ? (double)shared / (double)all : 0;
}
