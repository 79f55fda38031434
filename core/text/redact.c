/* core/text/redact.c - secret shapes and credential assignments; entropy.c holds the third pass.
 *
 * Patterns see bytes, not characters: internal text may hold forms that are not UTF-8 (C0 80, lone halves), and every
 * class here is ASCII. Each pattern is written so that a text is walked a bounded number of times: runs that cannot
 * end differently are possessive, and a failed run is skipped as a whole. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"
#include "core/text/entropy.h"
#include "core/text/find.h"
#include "core/text/redact.h"

/* W (spec/context-handoff.md 0) as bytes. */
#define W                                                                                                    \
  "(?:[\\x09-\\x0d\\x20]|\\xc2\\xa0|\\xe1\\x9a\\x80|\\xe2\\x80[\\x80-\\x8a\\xa8\\xa9\\xaf]|\\xe2\\x81\\x9f|" \
  "\\xe3\\x80\\x80|\\xef\\xbb\\xbf)"

#define KEY_HEADER "-----BEGIN [A-Z ]*PRIVATE KEY-----"
#define KEY_FOOTER "-----END [A-Z ]*PRIVATE KEY-----"
/* To the end of the line: LF, CR, U+2028 and U+2029 end one. */
#define REST_OF_LINE "[^\\n\\r\\xe2]*+(?:\\xe2(?!\\x80[\\xa8\\xa9])[^\\n\\r\\xe2]*+)*+"
#define B64URL "[A-Za-z0-9_-]"

struct rule {
  enum bt_redact_kind kind;
  uint32_t options;
  const char *pattern;
  const char *until; /* the match goes on to the end of the first of these; without one the rule is through */
};

static const struct rule rules[] = {
    {BT_REDACT_PRIVATE_KEY, 0, KEY_HEADER, KEY_FOOTER},
    {BT_REDACT_PRIVATE_KEY, 0, KEY_HEADER REST_OF_LINE, NULL},
    /* Every start inside a first run shares the run's end, so what fails there fails for all of them. */
    {BT_REDACT_JWT, 0, "\\beyJ" B64URL "{10,}+(*SKIP)\\." B64URL "{10,}+\\." B64URL "*+", NULL},
    {BT_REDACT_AWS_KEY, 0, "\\bAKIA[0-9A-Z]{16}\\b", NULL},
    {BT_REDACT_AWS_TEMPORARY_KEY, 0, "\\bASIA[0-9A-Z]{16}\\b", NULL},
    {BT_REDACT_GITHUB_FINE, 0, "\\bgithub_pat_[A-Za-z0-9_]{20,}+\\b", NULL},
    {BT_REDACT_GITHUB, 0, "\\bgh[pousr]_[A-Za-z0-9]{20,}+\\b", NULL},
    {BT_REDACT_GITLAB, 0, "\\bglpat-" B64URL "{20,}\\b", NULL},
    {BT_REDACT_API_KEY, 0, "\\bsk-" B64URL "{20,}\\b", NULL},
    {BT_REDACT_SLACK, 0, "\\bxox[abprs]-[A-Za-z0-9-]{10,}\\b", NULL},
    {BT_REDACT_GOOGLE, 0, "\\bAIza" B64URL "{35}\\b", NULL},
    {BT_REDACT_BEARER, PCRE2_CASELESS, "\\bBearer" W "++[A-Za-z0-9._~+/-]{20,}+=*+", NULL},
};

/* Keyword and separator of pass 2; the value behind it is judged in UTF-16 units, which bytes cannot count. */
#define ASSIGNMENT \
  "\\b(?:api[-_]?key|secret|passwd|password|token|access[-_]?key|client[-_]?secret)\\b" W "*+[:=]" W "*+"
#define VALUE_UNITS 8

static const char *const kind_words[BT_REDACT_KIND_COUNT] = {
#define KIND_WORDS(name, words) words,
    BT_REDACT_KINDS(KIND_WORDS)
#undef KIND_WORDS
};

const char *bt_redact_kind_words(enum bt_redact_kind kind) {
  return (unsigned)kind < BT_REDACT_KIND_COUNT ? kind_words[kind] : "secret";
}

/* ------------------------------------------------------------------------ patterns ------------- */

struct pattern {
  pcre2_code *code;
  pcre2_match_data *match;
};

static void pattern_close(struct pattern *pattern) {
  pcre2_match_data_free(pattern->match);
  pcre2_code_free(pattern->code);
  *pattern = (struct pattern){NULL, NULL};
}

/* False only when memory is short: the patterns are constants. */
static bool pattern_open(struct pattern *pattern, const char *text, uint32_t options) {
  int error;
  PCRE2_SIZE at;
  pattern->code = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, options | PCRE2_NEVER_UTF | PCRE2_NEVER_UCP,
                                &error, &at, NULL);
  pattern->match = pattern->code ? pcre2_match_data_create(1, NULL) : NULL;
  if (!pattern->match)
    pattern_close(pattern);
  return pattern->match != NULL;
}

enum found { FOUND_NONE, FOUND_HERE, FOUND_REFUSED };

struct span {
  size_t start, end;
};

/* FOUND_REFUSED: the engine gave up (a limit), so nothing is known of the text from `from` on. */
static enum found pattern_find(const struct pattern *pattern, const struct bt_str *text, size_t from,
                               struct span *span) {
  int result = pcre2_match(pattern->code, (PCRE2_SPTR)text->data, text->length, from, 0, pattern->match, NULL);
  if (result == PCRE2_ERROR_NOMATCH)
    return FOUND_NONE;
  if (result < 0)
    return FOUND_REFUSED;
  const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(pattern->match);
  *span = (struct span){ends[0], ends[1]};
  return FOUND_HERE;
}

/* ------------------------------------------------------------------------- passes -------------- */

struct pass {
  struct bt_str text, spare; /* what the pass reads, what it writes */
  struct bt_redact_list *list;
};

void bt_redact_mark(struct bt_str *out, enum bt_redact_kind kind, struct bt_redact_list *list) {
  bt_str_puts(out, BT_REDACT_OPEN);
  bt_str_puts(out, bt_redact_kind_words(kind));
  bt_str_putc(out, ']');
  if (!list)
    return;
  if (list->count == list->capacity) {
    size_t capacity = list->capacity ? list->capacity * 2 : 32;
    unsigned char *kinds = realloc(list->kinds, capacity);
    if (!kinds) {
      out->failed = true;
      return;
    }
    list->kinds = kinds;
    list->capacity = capacity;
  }
  list->kinds[list->count++] = (unsigned char)kind;
}

/* What was written becomes what is read next. */
static void pass_turn(struct pass *pass) {
  struct bt_str written = pass->spare;
  pass->spare = pass->text;
  pass->text = written;
  bt_str_clear(&pass->spare);
}

static void copy(struct pass *pass, size_t from, size_t to) {
  bt_str_append(&pass->spare, pass->text.data + from, to - from);
}

static enum found rule_find(const struct pattern *begin, const struct pattern *until, const struct bt_str *text,
                            size_t from, struct span *span) {
  enum found found = pattern_find(begin, text, from, span);
  if (found == FOUND_HERE && until->code) {
    struct span end;
    found = pattern_find(until, text, span->end, &end);
    if (found == FOUND_HERE)
      span->end = end.end;
  }
  return found;
}

/* One shape over the whole text. Where the engine gives up, the rest of the text goes: a secret must not get through
 * because its neighbourhood was built to exhaust the search. */
static void rule_apply(struct pass *pass, const struct rule *rule, const struct pattern *begin,
                       const struct pattern *until) {
  size_t from = 0;
  struct span span;
  enum found found;
  while ((found = rule_find(begin, until, &pass->text, from, &span)) == FOUND_HERE) {
    copy(pass, from, span.start);
    bt_redact_mark(&pass->spare, rule->kind, pass->list);
    from = span.end;
  }
  if (found == FOUND_REFUSED)
    bt_redact_mark(&pass->spare, rule->kind, pass->list);
  else if (from == 0)
    return; /* nothing found: the text stays where it is */
  else
    copy(pass, from, pass->text.length);
  pass_turn(pass);
}

static bool pass_shapes(struct pass *pass) {
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    struct pattern begin = {NULL, NULL}, until = {NULL, NULL};
    bool open = pattern_open(&begin, rules[i].pattern, rules[i].options) &&
                (!rules[i].until || pattern_open(&until, rules[i].until, rules[i].options));
    if (open)
      rule_apply(pass, &rules[i], &begin, &until);
    pattern_close(&begin);
    pattern_close(&until);
    if (!open || pass->text.failed)
      return false;
  }
  return true;
}

/* End of a value in quotes that begins at `at`; 0 when it is none, or shorter than eight units. */
static size_t quoted_value_end(const struct bt_str *text, size_t at) {
  char quote = text->data[at];
  if (quote != '"' && quote != '\'')
    return 0;
  const char *close = memchr(text->data + at + 1, quote, text->length - at - 1);
  if (!close)
    return 0;
  size_t length = (size_t)(close - text->data) - at - 1;
  return bt_utf16_length(text->data + at + 1, length) >= VALUE_UNITS ? at + length + 2 : 0;
}

/* End of the run of non-W characters at `at`; 0 when it is shorter than eight units. */
static size_t bare_value_end(const struct bt_str *text, size_t at) {
  size_t end = at;
  for (size_t next = at; next < text->length; end = next)
    if (bt_is_w(bt_utf8_next(text->data, text->length, &next)))
      break;
  return bt_utf16_length(text->data + at, end - at) >= VALUE_UNITS ? end : 0;
}

static size_t value_end(const struct bt_str *text, size_t at) {
  if (at >= text->length)
    return 0;
  size_t end = quoted_value_end(text, at);
  return end ? end : bare_value_end(text, at);
}

static bool is_redacted_value(const struct bt_str *text, size_t at) {
  while (at < text->length && strchr("\"'`", text->data[at]) && text->data[at])
    at++;
  return bt_starts_with(text->data + at, "[adlc:");
}

static bool pass_assignments(struct pass *pass) {
  struct pattern assignment;
  if (!pattern_open(&assignment, ASSIGNMENT, PCRE2_CASELESS))
    return false;
  size_t copied = 0, from = 0;
  struct span head;
  enum found found;
  while ((found = pattern_find(&assignment, &pass->text, from, &head)) == FOUND_HERE) {
    size_t end = value_end(&pass->text, head.end);
    from = end ? end : head.start + 1;
    if (!end || is_redacted_value(&pass->text, head.end))
      continue;
    copy(pass, copied, head.end);
    bt_redact_mark(&pass->spare, BT_REDACT_CREDENTIAL, pass->list);
    copied = end;
  }
  if (found == FOUND_REFUSED) {
    copy(pass, copied, from);
    bt_redact_mark(&pass->spare, BT_REDACT_CREDENTIAL, pass->list);
  } else {
    copy(pass, copied, pass->text.length);
  }
  pattern_close(&assignment);
  pass_turn(pass);
  return !pass->text.failed;
}

static bool pass_entropy(struct pass *pass) {
  bool ok = bt_redact_entropy(&pass->spare, pass->text.data, pass->text.length, pass->list);
  pass_turn(pass);
  return ok && !pass->text.failed;
}

enum bt_code bt_redact(struct bt_str *out, const char *text, size_t length, struct bt_redact_list *list,
                       struct bt_error *err) {
  struct pass pass = {.list = list};
  size_t ceiling = length > SIZE_MAX / 16 ? SIZE_MAX / 2 : length * 8 + 64; /* marks outgrow what they replace */
  size_t reported = list ? list->count : 0;
  bt_str_init(&pass.text, ceiling);
  bt_str_init(&pass.spare, ceiling);
  bt_str_append(&pass.text, text ? text : "", text ? length : 0);
  enum bt_code code = BT_OK;
  if (pass.text.failed || !pass_shapes(&pass) || !pass_assignments(&pass) || !pass_entropy(&pass)) {
    code = bt_error_set(err, BT_NOMEM, "redaction", "out of memory");
  } else {
    size_t before = out->length;
    bt_str_append(out, pass.text.data, pass.text.length);
    if (out->failed && out->length == before)
      code = bt_error_set(err, BT_TOO_LARGE, "redaction", "the redacted text is past its limit");
  }
  if (code != BT_OK && list)
    list->count = reported;
  bt_str_dispose(&pass.text);
  bt_str_dispose(&pass.spare);
  return code;
}

size_t bt_redact_count_marks(const char *text, size_t length) {
  return bt_text_count(text, length, BT_REDACT_OPEN);
}

void bt_redact_list_init(struct bt_redact_list *list) {
  *list = (struct bt_redact_list){NULL, 0, 0};
}

void bt_redact_list_dispose(struct bt_redact_list *list) {
  free(list->kinds);
  bt_redact_list_init(list);
}

void bt_redact_library(char *out, size_t size) {
  char version[64] = "?";
  (void)pcre2_config(PCRE2_CONFIG_VERSION, version); /* at most 24 bytes, its manual says */
  snprintf(out, size, "PCRE2 %.60s", version);
}
