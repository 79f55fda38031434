/* cli/json_out.h - writes one JSON document to stdout as it is made, without building a tree of it.
 *
 * Pretty, two spaces, as spec/context-handoff.md 4.2 prints. Strings are internal text and come out as real UTF-8:
 * JSON carries what is there, only terminals see escapes. A key of NULL stands for an element of an array. */
#ifndef BATON_CLI_JSON_OUT_H
#define BATON_CLI_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/str.h"

struct json_out {
  struct bt_str text;
  unsigned depth;
  bool line;  /* all of it on one line */
  bool kept;  /* nothing of it goes to stdout */
  bool first; /* nothing has been put into the open container yet */
};

void json_begin(struct json_out *json);      /* opens the outermost object */
void json_begin_line(struct json_out *json); /* the same for one line of JSONL */
int json_end(struct json_out *json);         /* closes it; returns the exit status */

/* The same document kept in memory: json_end_kept closes it and appends it to `out`; false when memory is short. */
void json_begin_kept(struct json_out *json);
bool json_end_kept(struct json_out *json, struct bt_str *out);

void json_open(struct json_out *json, const char *key, char bracket); /* '{' or '[' */
void json_close(struct json_out *json, char bracket);                 /* '}' or ']' */

void json_text(struct json_out *json, const char *key, const char *text); /* NULL: null */
void json_number(struct json_out *json, const char *key, double number);  /* not finite: null */
void json_integer(struct json_out *json, const char *key, int64_t number);
void json_bool(struct json_out *json, const char *key, bool value);
void json_null(struct json_out *json, const char *key);
void json_time(struct json_out *json, const char *key, int64_t time_ms); /* ISO-ms; unknown: null */

/* Takes halves of surrogate pairs out of what was printed from `from` on: U+FFFD, as in every text. Our own documents
 * are for any reader, and some refuse all of one that holds a half. All of the above does so by itself. */
void json_readable(struct bt_str *printed, size_t from);

struct bt_json;
void json_value(struct json_out *json, const char *key, const struct bt_json *value); /* a whole tree */

#endif
