/* core/text/redact.h - takes secrets out of text before anybody is told it.
 *
 * Owns: the table of secret shapes, the credential assignments, the entropy rule, the words of a replacement.
 * Must not know: sections, fences, files. The only user of PCRE2.
 * Rules: spec/context-handoff.md 10, 13.8-13.12 and 13.24. Text is internal text (core/base/utf8.h).
 * Time is linear in the length of the text, whatever the text is; where the pattern engine refuses, the passage is
 * redacted rather than let through. */
#ifndef BATON_CORE_TEXT_REDACT_H
#define BATON_CORE_TEXT_REDACT_H

#include <stddef.h>

#include "core/base/error.h"
#include "core/base/str.h"

/* clang-format off */
/*  name                words in the replacement */
#define BT_REDACT_KINDS(X)                                 \
  X(PRIVATE_KEY,        "private key block")               \
  X(JWT,                "JWT")                             \
  X(AWS_KEY,            "AWS access key id")               \
  X(AWS_TEMPORARY_KEY,  "AWS temporary access key id")     \
  X(GITHUB_FINE,        "GitHub fine-grained token")       \
  X(GITHUB,             "GitHub token")                    \
  X(GITLAB,             "GitLab token")                    \
  X(API_KEY,            "API key")                         \
  X(SLACK,              "Slack token")                     \
  X(GOOGLE,             "Google API key")                  \
  X(BEARER,             "bearer token")                    \
  X(CREDENTIAL,         "credential")                      \
  X(HIGH_ENTROPY,       "high-entropy token")
/* clang-format on */

enum bt_redact_kind {
#define BT_REDACT_ENUM(name, words) BT_REDACT_##name,
  BT_REDACT_KINDS(BT_REDACT_ENUM)
#undef BT_REDACT_ENUM
      BT_REDACT_KIND_COUNT
};

#define BT_REDACT_OPEN "[adlc: redacted " /* a replacement is this, the kind's words, and "]" */

const char *bt_redact_kind_words(enum bt_redact_kind kind); /* "GitHub token"; never NULL */

/* What was taken out, in the order it was reported (rule by rule, then place by place). */
struct bt_redact_list {
  unsigned char *kinds; /* enum bt_redact_kind */
  size_t count, capacity;
};
void bt_redact_list_init(struct bt_redact_list *list);
void bt_redact_list_dispose(struct bt_redact_list *list);

/* Appends the redacted text to `out`; `list` (may be NULL) gets the kinds appended. On failure (BT_NOMEM,
 * BT_TOO_LARGE past the ceiling of `out`) nothing was appended to `out`. */
enum bt_code bt_redact(struct bt_str *out, const char *text, size_t length, struct bt_redact_list *list,
                       struct bt_error *err) BT_NODISCARD;

/* How many replacements stand in a text that was redacted before. */
size_t bt_redact_count_marks(const char *text, size_t length);

/* Name and version of the library behind this file. */
void bt_redact_library(char *out, size_t size);

#endif
