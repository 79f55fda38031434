/* core/delivery/authority.c - grants, by name. */
#include "core/delivery/authority.h"

#include <string.h>

#include "core/delivery/fields.h"

/* The names that grant a known gate, in canonical order of the gates. */
static const struct {
  const char *names[2];
  bool needs_grant;
} rows[] = {
    {{"change-ready", "implement"}, false},
    {{"pr-open", "open-pr"}, true},
    {{"ci-green", NULL}, false},
    {{"review-satisfied", NULL}, false},
    {{"merge", "merge-when-green"}, true},
    {{"post-merge-verify", "verify-post-merge"}, true},
};

static char loosely(char byte) {
  return byte == '_' || byte == ' ' ? '-' : bt_ascii_lower(byte);
}

/* Walks the loose form of a word: lower case, `_` and blanks as `-`, runs of `-` as one, none at the ends. */
struct loose {
  struct bt_slice text;
  size_t at;
};

static struct loose loose_of(const char *word) {
  struct loose loose = {bt_trim_blank(word, strlen(word)), 0};
  while (loose.text.length > 0 && loosely(loose.text.data[loose.text.length - 1]) == '-')
    loose.text.length--;
  while (loose.at < loose.text.length && loosely(loose.text.data[loose.at]) == '-')
    loose.at++;
  return loose;
}

/* The next character, or NUL at the end. */
static char loose_next(struct loose *loose) {
  if (loose->at >= loose->text.length)
    return '\0';
  char byte = loosely(loose->text.data[loose->at++]);
  while (byte == '-' && loose->at < loose->text.length && loosely(loose->text.data[loose->at]) == '-')
    loose->at++;
  return byte;
}

/* 0: different; 1: the same; 2: `word` goes on behind `stem` with a `-`. */
static int loose_compare(const char *word, const char *stem) {
  struct loose a = loose_of(word), b = loose_of(stem);
  for (;;) {
    char left = loose_next(&a), right = loose_next(&b);
    if (right == '\0')
      return left == '\0' ? 1 : left == '-' ? 2 : 0;
    if (left != right)
      return 0;
  }
}

/* The names that grant `step`: its row, or only itself. */
static void names_of(const char *step, const char *names[2], bool *needs_grant) {
  int rank = bt_gate_rank(step);
  names[0] = rank >= 0 ? rows[rank].names[0] : step;
  names[1] = rank >= 0 ? rows[rank].names[1] : NULL;
  *needs_grant = rank < 0 || rows[rank].needs_grant;
}

static bool any_exact(const struct bt_texts *texts, const char *const names[2]) {
  for (size_t i = 0; i < texts->count; i++) {
    for (size_t k = 0; k < 2 && names[k] != NULL; k++) {
      if (bt_trimmed_equals(texts->items[i], names[k]))
        return true;
    }
  }
  return false;
}

static bool any_loose(const struct bt_texts *texts, const char *const names[2]) {
  for (size_t i = 0; i < texts->count; i++) {
    for (size_t k = 0; k < 2 && names[k] != NULL; k++) {
      if (loose_compare(texts->items[i], names[k]) == 1)
        return true;
    }
  }
  return false;
}

static bool any_longer(const struct bt_texts *texts, const char *step) {
  for (size_t i = 0; i < texts->count; i++) {
    if (loose_compare(texts->items[i], step) == 2)
      return true;
  }
  return false;
}

enum bt_verdict bt_authority_outer(const struct bt_delivery *delivery, enum bt_authority_word word,
                                   struct bt_codes *reasons) {
  if (word == BT_AUTHORITY_WITHDRAWN) {
    bt_codes_add(reasons, "directive:withdrawn");
    return BT_VERDICT_ABSENT_AUTHORIZATION;
  }
  if (word == BT_AUTHORITY_UNKNOWN) {
    bt_codes_add(reasons, "directive:unconfirmed");
    return BT_VERDICT_AMBIGUOUS_AUTHORIZATION;
  }
  if (delivery->authorized.count == 0) {
    bt_codes_add(reasons, "authorized-empty");
    return BT_VERDICT_ABSENT_AUTHORIZATION;
  }
  return BT_VERDICT_USABLE;
}

enum bt_verdict bt_authority_of_step(const struct bt_delivery *delivery, const char *step, struct bt_codes *reasons) {
  const char *names[2];
  bool needs_grant;
  names_of(step, names, &needs_grant);
  bool granted = any_exact(&delivery->authorized, names);
  bool withheld = any_loose(&delivery->out_of_scope, names);
  if (granted && withheld) {
    bt_codes_add(reasons, "step:contradictory:%s", step);
    return BT_VERDICT_AMBIGUOUS_AUTHORIZATION;
  }
  if (withheld) {
    bt_codes_add(reasons, "step:out-of-scope:%s", step);
    return BT_VERDICT_ABSENT_AUTHORIZATION;
  }
  if (granted || !needs_grant)
    return BT_VERDICT_USABLE;
  if (any_loose(&delivery->authorized, names) || any_longer(&delivery->authorized, step)) {
    bt_codes_add(reasons, "step:inexact-grant:%s", step);
    return BT_VERDICT_AMBIGUOUS_AUTHORIZATION;
  }
  bt_codes_add(reasons, "step:not-authorized:%s", step);
  return BT_VERDICT_ABSENT_AUTHORIZATION;
}
