/* cli/why_print.c - rules, steps and notes of an explanation. */
#include "cli/why_print.h"

#include <string.h>

#include "cli/out.h"
#include "core/base/json.h"
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
    bt_str_printf(out, "\nANSWER  NO - %zu rule%s\n", why->refused_count, why->refused_count == 1 ? " refuses" : "s refuse");
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

/* ---- JSON: a tree that remembers whether memory was short ---- */

struct tree {
  struct bt_json *root;
  bool failed;
};

static struct bt_json *object(struct tree *tree) {
  struct bt_json *made = bt_json_new_object();
  tree->failed |= made == NULL;
  return made;
}

static void set(struct tree *tree, struct bt_json *in, const char *key, struct bt_json *value) {
  if (in != NULL)
    tree->failed |= bt_json_set(in, key, value) != BT_OK;
  else
    bt_json_free(value);
}

static void set_text(struct tree *tree, struct bt_json *in, const char *key, const char *text) {
  set(tree, in, key, bt_json_new_string(text));
}

static void set_number(struct tree *tree, struct bt_json *in, const char *key, double number) {
  set(tree, in, key, bt_json_new_number(number));
}

static void push(struct tree *tree, struct bt_json *list, struct bt_json *value) {
  if (list != NULL)
    tree->failed |= bt_json_push(list, value) != BT_OK;
  else
    bt_json_free(value);
}

static struct bt_json *texts(struct tree *tree, const char *const *items, size_t count) {
  struct bt_json *list = bt_json_new_array();
  tree->failed |= list == NULL;
  for (size_t i = 0; i < count; i++)
    push(tree, list, bt_json_new_string(items[i]));
  return list;
}

static struct bt_json *rule_json(struct tree *tree, const struct bt_why_rule *rule) {
  struct bt_json *made = object(tree);
  set_text(tree, made, "id", rule->id);
  set_text(tree, made, "verdict", bt_rule_verdict_word(rule->verdict));
  set_text(tree, made, "code", rule->code);
  set_text(tree, made, "text", rule->text);
  set_text(tree, made, "record", rule->record);
  set_text(tree, made, "file", rule->file);
  set_number(tree, made, "blocks", (double)rule->blocks);
  return made;
}

static struct bt_json *step_json(struct tree *tree, const struct bt_why_step *step) {
  struct bt_json *made = object(tree);
  set(tree, made, "number", step->helps ? bt_json_new_number(step->number) : bt_json_new_null());
  set(tree, made, "helps", bt_json_new_bool(step->helps));
  set_text(tree, made, "for", step->subject);
  set_text(tree, made, "verb", step->verb == BT_VERB_NONE ? NULL : bt_verb_word(step->verb));
  set_text(tree, made, "step", step->text);
  set_text(tree, made, "lasts", step->helps ? step->lasts : NULL);
  set_text(tree, made, "needs", step->needs);
  set(tree, made, "ready", bt_json_new_bool(step->helps && step->blocked_by == NULL));
  set_text(tree, made, "blocked_by", step->blocked_by);
  set_text(tree, made, "command", step->command);
  return made;
}

static void build(struct tree *tree, const struct bt_why *why) {
  struct bt_json *root = tree->root = object(tree);
  set_number(tree, root, "schema_version", 1);
  set_text(tree, root, "session", why->session);
  set_text(tree, root, "question", why->question);
  set_text(tree, root, "answer", why->allowed ? "allowed" : "refused");
  set(tree, root, "reasons", texts(tree, why->reasons, why->reason_count));
  struct bt_json *rules = texts(tree, NULL, 0);
  for (size_t i = 0; i < why->rule_count; i++)
    push(tree, rules, rule_json(tree, &why->rules[i]));
  set(tree, root, "rules", rules);
  struct bt_json *steps = texts(tree, NULL, 0);
  for (size_t i = 0; i < why->step_count; i++)
    push(tree, steps, step_json(tree, &why->steps[i]));
  set(tree, root, "steps", steps);
  set_number(tree, root, "blocks", (double)why->blocks);
  set_number(tree, root, "records_read", (double)why->records_read);
  set(tree, root, "notes", texts(tree, why->notes, why->note_count));
}

int why_print_json(const struct bt_why *why) {
  struct tree tree = {0};
  struct bt_str out;
  build(&tree, why);
  bt_str_init(&out, TEXT_MAX);
  if (!tree.failed)
    bt_json_print_pretty(&out, tree.root);
  bt_str_putc(&out, '\n');
  int status = tree.failed || out.failed ? no_memory() : out_text(&out);
  bt_str_dispose(&out);
  bt_json_free(tree.root);
  return status;
}
