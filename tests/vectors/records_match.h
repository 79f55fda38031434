/* tests/vectors/records_match.h - texts, files and wild cards of the session-records cases. */
#ifndef BATON_TESTS_VECTORS_RECORDS_MATCH_H
#define BATON_TESTS_VECTORS_RECORDS_MATCH_H

#include "core/base/str.h"
#include "tests/vectors/support.h"

struct records_names {
  const char *cwd, *skill; /* what <cwd> and <skill> stand for */
};

/* Appends the bytes of a text (a string, {"repeat"}, {"concat"}, {"base64"}) with <cwd> filled in. */
void records_text(struct bt_str *out, const struct records_names *names, const struct bt_json *text);

/* Whether bytes are what a result says: its text with wild cards, or {"sha256", "bytes"}. */
bool records_match(const struct records_names *names, const struct bt_json *expected, const char *bytes, size_t length);

#endif
