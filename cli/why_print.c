/* cli/why_print.c - rules, steps and notes of an explanation. */
#include "cli/why_print.h"

#include <string.h>

#include "cli/json_out.h"
#include "cli/out.h"
#include "core/base/utf8.h"

#define TEXT_MAX ((size_t)64 << 20)

static int no_memory(void) {
  struct bt_error err = {0};
  (void)bt_error_set(&err, BT_NOMEM, "why", "out of memory");
  return out_error(&err);
}

/* ---- for people ---- */

/* Visible form, padded with blanks to `width` columns. */
static void put(struct bt_str *out, const char *text, int width) {
  bt_text_visible(out, text, strlen(text));
  for (int columns = bt_text_columns(text, strlen(text), false); columns < width; columns++)
    bt_str_putc(out, ' ');
}

static void put_answer(struct bt_str *out, const struct bt_why *why) {
  put(out, why->question, 0);
  if (why->allowed)
    bt_str_printf(out, "\nANSWER  YES%s\n", why->unknown_count > 0 ? " - as far as files can tell" : "");
  else
    bt_str_printf(out, "\nANSWER  NO - %zu rule%s\n", why->refused_count,
                  why->refused_count == 1 ? " refuses" : "s refuse");
}

static void put_rule(struct bt_str *out, const struct bt_why_rule *rule) {
  static const char *const words[] = {"pass", "REFUSE", "UNKNOWN"};
  static const char *const marks[] = {" ", "!", "?"};
  bt_str_printf(out, "%s %-6s  %-7s  ", marks[rule->verdict], rule->id, words[rule->verdict]);
  if (rule->code != NULL) {
    put(out, rule->code, 0);
    bt_str_puts(out, "\n                   ");
  }
  put(out, rule->text, 0);
  if (rule->file != NULL) {
    bt_str_puts(out, "   ");
    put(out, rule->file, 0);
  }
  if (rule->verdict == BT_RULE_REFUSE && rule->blocks > 1)
    bt_str_printf(out, "   keeps %zu known sessions waiting", rule->blocks);
  bt_str_putc(out, '\n');
}

static void put_step(struct bt_str *out, const struct bt_why_step *step) {
  if (step->helps)
    bt_str_printf(out, "%3u  ", step->number);
  else
    bt_str_puts(out, "  -  ");
  if (step->subject != NULL) {
    put(out, step->subject, 0);
    bt_str_puts(out, ": ");
  }
  put(out, step->text, 0);
  bt_str_printf(out, "\n       %s", step->helps ? step->lasts : "DOES NOT HELP");
  if (step->needs != NULL)
    bt_str_printf(out, "; needs %s", step->needs);
  if (step->blocked_by != NULL) {
    bt_str_puts(out, step->helps ? "; not now: " : ": ");
    put(out, step->blocked_by, 0);
  }
  if (step->command != NULL) {
    bt_str_puts(out, "\n       ");
    put(out, step->command, 0);
  }
  bt_str_putc(out, '\n');
}

int why_print_text(const struct bt_why *why) {
  struct bt_str out;
  bt_str_init(&out, TEXT_MAX);
  put_answer(&out, why);
  bt_str_puts(&out, "\nRules, in the order of the gate:\n");
  for (size_t i = 0; i < why->rule_count; i++)
    put_rule(&out, &why->rules[i]);
  if (why->step_count > 0)
    bt_str_puts(&out, "\nWhat would clear it, most durable first (nothing is run from here):\n");
  for (size_t i = 0; i < why->step_count; i++)
    put_step(&out, &why->steps[i]);
  if (why->blocks > 0)
    bt_str_printf(&out, "\n%zu other session%s known here %s refused as well.\n", why->blocks,
                  why->blocks == 1 ? "" : "s", why->blocks == 1 ? "is" : "are");
  for (size_t i = 0; i < why->note_count; i++) {
    bt_str_puts(&out, i == 0 ? "\nNote: " : "Note: ");
    put(&out, why->notes[i], 0);
    bt_str_puts(&out, ".\n");
  }
  int status = out.failed ? no_memory() : out_text(&out);
  bt_str_dispose(&out);
  return status;
}

/* ---- JSON ---- */

static void put_texts(struct json_out *json, const char *key, const char *const *items, size_t count) {
  json_open(json, key, '[');
  for (size_t i = 0; i < count; i++)
    json_text(json, NULL, items[i]);
  json_close(json, ']');
}

static void put_rule_json(struct json_out *json, const struct bt_why_rule *rule) {
  json_open(json, NULL, '{');
  json_text(json, "id", rule->id);
  json_text(json, "verdict", bt_rule_verdict_word(rule->verdict));
  json_text(json, "code", rule->code);
  json_text(json, "text", rule->text);
  json_text(json, "record", rule->record);
  json_text(json, "file", rule->file);
  json_integer(json, "blocks", (int64_t)rule->blocks);
  json_close(json, '}');
}

static void put_step_json(struct json_out *json, const struct bt_why_step *step) {
  json_open(json, NULL, '{');
  if (step->helps)
    json_integer(json, "number", step->number);
  else
    json_null(json, "number");
  json_bool(json, "helps", step->helps);
  json_text(json, "for", step->subject);
  json_text(json, "verb", step->verb == BT_VERB_NONE ? NULL : bt_verb_word(step->verb));
  json_text(json, "step", step->text);
  json_text(json, "lasts", step->helps ? step->lasts : NULL);
  json_text(json, "needs", step->needs);
  json_bool(json, "ready", step->helps && step->blocked_by == NULL);
  json_text(json, "blocked_by", step->blocked_by);
  json_text(json, "command", step->command);
  json_close(json, '}');
}

static void put_why(struct json_out *json, const struct bt_why *why) {
  json_integer(json, "schema_version", 1);
  json_text(json, "session", why->session);
  json_text(json, "question", why->question);
  json_text(json, "answer", why->allowed ? "allowed" : "refused");
  put_texts(json, "reasons", why->reasons, why->reason_count);
  json_open(json, "rules", '[');
  for (size_t i = 0; i < why->rule_count; i++)
    put_rule_json(json, &why->rules[i]);
  json_close(json, ']');
  json_open(json, "steps", '[');
  for (size_t i = 0; i < why->step_count; i++)
    put_step_json(json, &why->steps[i]);
  json_close(json, ']');
  json_integer(json, "blocks", (int64_t)why->blocks);
  json_integer(json, "records_read", (int64_t)why->records_read);
  put_texts(json, "notes", why->notes, why->note_count);
}

int why_print_json(const struct bt_why *why) {
  struct json_out json;
  json_begin(&json);
  put_why(&json, why);
  return json_end(&json);
}

bool why_json(const struct bt_why *why, struct bt_str *out) {
  struct json_out json;
  json_begin_kept(&json);
  put_why(&json, why);
  return json_end_kept(&json, out);
}
