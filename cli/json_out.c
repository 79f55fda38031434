/* cli/json_out.c - one JSON document, piece by piece. */
#include "cli/json_out.h"

#include <stdio.h>
#include <string.h>

#include "cli/out.h"
#include "core/base/clock.h"
#include "core/base/json.h"

#define PIECE ((size_t)64 * 1024)
#define TEXT_MAX ((size_t)16 * 1024 * 1024) /* more than the longest single value */

/* Hands on what has gathered. What cannot be held is lost, and json_end says so. */
static void hand_on(struct json_out *json) {
  if (json->kept || json->text.length < PIECE || json->text.failed)
    return;
  fwrite(json->text.data, 1, json->text.length, stdout);
  bt_str_clear(&json->text);
}

static void new_line(struct json_out *json) {
  if (json->line)
    return;
  bt_str_putc(&json->text, '\n');
  for (unsigned i = 0; i < json->depth; i++)
    bt_str_puts(&json->text, "  ");
}

void json_readable(struct bt_str *printed, size_t from) {
  for (char *at = printed->data != NULL ? printed->data + from : NULL; at != NULL && (at = strchr(at, '\\')) != NULL;
       at += 2) {
    /* whole pairs are printed as the character they are, so that an escape of one is a half */
    if (at[1] == 'u' && at[2] == 'd' && strchr("89abcdef", at[3]) != NULL)
      memcpy(at + 2, "fffd", 4);
  }
}

static void put_string(struct json_out *json, const char *text) {
  size_t from = json->text.length;
  bt_json_print_string(&json->text, text, strlen(text));
  json_readable(&json->text, from);
}

static void start_value(struct json_out *json, const char *key) {
  hand_on(json);
  if (json->depth > 0) {
    bt_str_puts(&json->text, json->first ? "" : ",");
    new_line(json);
  }
  json->first = false;
  if (key) {
    put_string(json, key);
    bt_str_puts(&json->text, json->line ? ":" : ": ");
  }
}

void json_open(struct json_out *json, const char *key, char bracket) {
  start_value(json, key);
  bt_str_putc(&json->text, bracket);
  json->depth++;
  json->first = true;
}

void json_close(struct json_out *json, char bracket) {
  json->depth--;
  if (!json->first)
    new_line(json);
  json->first = false;
  bt_str_putc(&json->text, bracket);
}

static void begin(struct json_out *json, bool line) {
  *json = (struct json_out){.first = true, .line = line};
  bt_str_init(&json->text, TEXT_MAX);
  json_open(json, NULL, '{');
}

void json_begin(struct json_out *json) {
  begin(json, false);
}

void json_begin_line(struct json_out *json) {
  begin(json, true);
}

void json_begin_kept(struct json_out *json) {
  begin(json, false);
  json->kept = true;
}

bool json_end_kept(struct json_out *json, struct bt_str *out) {
  json_close(json, '}');
  bt_str_putc(&json->text, '\n');
  bt_str_append(out, json->text.data, json->text.length);
  bool whole = !json->text.failed && !out->failed;
  bt_str_dispose(&json->text);
  return whole;
}

int json_end(struct json_out *json) {
  json_close(json, '}');
  bt_str_putc(&json->text, '\n');
  struct bt_error err = {0};
  int status = 0;
  if (json->text.failed) {
    (void)bt_error_set(&err, BT_NOMEM, "stdout", "out of memory");
    status = out_error(&err);
  } else {
    status = out_text(&json->text);
  }
  bt_str_dispose(&json->text);
  return status;
}

void json_null(struct json_out *json, const char *key) {
  start_value(json, key);
  bt_str_puts(&json->text, "null");
}

void json_text(struct json_out *json, const char *key, const char *text) {
  if (!text) {
    json_null(json, key);
    return;
  }
  start_value(json, key);
  put_string(json, text);
}

void json_number(struct json_out *json, const char *key, double number) {
  start_value(json, key);
  bt_json_print_number(&json->text, number);
}

void json_integer(struct json_out *json, const char *key, int64_t number) {
  start_value(json, key);
  bt_str_printf(&json->text, "%lld", (long long)number);
}

void json_bool(struct json_out *json, const char *key, bool value) {
  start_value(json, key);
  bt_str_puts(&json->text, value ? "true" : "false");
}

void json_time(struct json_out *json, const char *key, int64_t time_ms) {
  char iso[BT_ISO_MS];
  if (time_ms == BT_TIME_UNKNOWN) {
    json_null(json, key);
    return;
  }
  bt_time_iso(iso, time_ms);
  json_text(json, key, iso);
}

void json_value(struct json_out *json, const char *key, const struct bt_json *value) {
  struct bt_str tree;
  bt_str_init(&tree, TEXT_MAX);
  if (json->line)
    bt_json_print_compact(&tree, value);
  else
    bt_json_print_pretty(&tree, value);
  json_readable(&tree, 0);
  json->text.failed = json->text.failed || tree.failed;
  start_value(json, key);
  for (size_t i = 0; i < tree.length; i++) { /* no string holds a line break of its own: they are escaped */
    bt_str_putc(&json->text, tree.data[i]);
    for (unsigned k = 0; tree.data[i] == '\n' && k < json->depth; k++)
      bt_str_puts(&json->text, "  ");
  }
  bt_str_dispose(&tree);
}
