/* cli/plan_print.c - plans, readable and as JSON. */
#include "cli/plan_print.h"

#include <string.h>

#include "cli/out.h"
#include "core/base/json.h"
#include "core/base/utf8.h"

#define TEXT_MAX (16u << 20)

static const char *check_mark(enum bt_check check) {
  switch (check) {
  case BT_CHECK_OK:
    return "[ok]";
  case BT_CHECK_WARN:
  case BT_CHECK_BAD:
    return "[!!]";
  default:
    return "[??]";
  }
}

static const char *check_word(enum bt_check check) {
  switch (check) {
  case BT_CHECK_OK:
    return "ok";
  case BT_CHECK_WARN:
    return "warn";
  case BT_CHECK_BAD:
    return "bad";
  default:
    return "unknown";
  }
}

/* Paths in a plan are as they are on disk; everything else is visible text already, and stays as it is. */
static void put_visible(struct bt_str *out, const char *text) {
  if (text != NULL)
    bt_text_visible(out, text, strlen(text));
}

static void put_rows(struct bt_str *out, const struct bt_plan *plan) {
  for (size_t i = 0; i < plan->row_count; i++) {
    const struct bt_plan_row *row = &plan->rows[i];
    bt_str_printf(out, "  %-14s ", row->label);
    put_visible(out, row->now);
    if (row->now != NULL && row->after != NULL && !row->differs)
      bt_str_puts(out, " (stays)");
    else if (row->now != NULL && row->after != NULL)
      bt_str_puts(out, " -> ");
    if (row->after != NULL && (row->now == NULL || row->differs))
      put_visible(out, row->after);
    bt_str_putc(out, '\n');
  }
}

static void put_steps(struct bt_str *out, const struct bt_plan *plan) {
  if (plan->step_count > 0)
    bt_str_puts(out, "\nWhat will happen, in this order; a failure puts every earlier step back:\n");
  for (size_t i = 0; i < plan->step_count; i++) {
    const struct bt_plan_step *step = &plan->steps[i];
    bt_str_printf(out, "  %zu  %-13s ", i + 1, step->what);
    put_visible(out, step->path);
    if (step->path != NULL && step->note != NULL)
      bt_str_puts(out, "   ");
    put_visible(out, step->note);
    bt_str_putc(out, '\n');
  }
}

static void put_labelled(struct bt_str *out, const char *label, const char *text) {
  if (text == NULL)
    return;
  bt_str_printf(out, "  %-9s ", label);
  put_visible(out, text);
  bt_str_putc(out, '\n');
}

static void put_sentences(struct bt_str *out, const char *head, const char *const *sentences, size_t count) {
  for (size_t i = 0; i < count; i++)
    put_labelled(out, i == 0 ? head : "", sentences[i]);
}

static void put_tail(struct bt_str *out, const struct bt_plan *plan) {
  for (size_t i = 0; i < plan->check_count; i++) {
    bt_str_printf(out, "%s  %s ", i == 0 ? "\n" : "", check_mark(plan->checks[i].check));
    put_visible(out, plan->checks[i].text);
    bt_str_putc(out, '\n');
  }
  bt_str_putc(out, '\n');
  put_sentences(out, "will", plan->will, plan->will_count);
  put_sentences(out, "will NOT", plan->will_not, plan->will_not_count);
  put_labelled(out, "undo", plan->undo);
  put_labelled(out, "after", plan->after);
  put_labelled(out, "refused", plan->disabled);
  bt_str_puts(out, "\nNothing was changed. To do it:\n  ");
  put_visible(out, plan->command);
  bt_str_putc(out, '\n');
}

int plan_print_text(const struct bt_plan *plan) {
  struct bt_str out;
  bt_str_init(&out, TEXT_MAX);
  put_visible(&out, plan->title);
  bt_str_printf(&out, "\n%s\n\n", plan->summary);
  put_rows(&out, plan);
  put_steps(&out, plan);
  put_tail(&out, plan);
  int status = out.failed ? 1 : out_text(&out);
  bt_str_dispose(&out);
  return status;
}

/* ---- JSON ---- */

static struct bt_json *list_of(const struct bt_plan *plan, struct bt_json *(*item)(const struct bt_plan *, size_t),
                               size_t count) {
  struct bt_json *list = bt_json_new_array();
  for (size_t i = 0; list != NULL && i < count; i++) {
    if (bt_json_push(list, item(plan, i)) != BT_OK) {
      bt_json_free(list);
      return NULL;
    }
  }
  return list;
}

static struct bt_json *row_json(const struct bt_plan *plan, size_t i) {
  const struct bt_plan_row *row = &plan->rows[i];
  struct bt_json *json = bt_json_new_object();
  if (json == NULL || bt_json_set_string(json, "label", row->label) != BT_OK ||
      bt_json_set_string(json, "now", row->now) != BT_OK || bt_json_set_string(json, "after", row->after) != BT_OK ||
      bt_json_set_bool(json, "differs", row->differs) != BT_OK) {
    bt_json_free(json);
    return NULL;
  }
  return json;
}

static struct bt_json *step_json(const struct bt_plan *plan, size_t i) {
  const struct bt_plan_step *step = &plan->steps[i];
  struct bt_json *json = bt_json_new_object();
  if (json == NULL || bt_json_set_number(json, "step", (double)(i + 1)) != BT_OK ||
      bt_json_set_string(json, "what", step->what) != BT_OK || bt_json_set_string(json, "path", step->path) != BT_OK ||
      bt_json_set_string(json, "note", step->note) != BT_OK) {
    bt_json_free(json);
    return NULL;
  }
  return json;
}

static struct bt_json *check_json(const struct bt_plan *plan, size_t i) {
  struct bt_json *json = bt_json_new_object();
  if (json == NULL || bt_json_set_string(json, "check", check_word(plan->checks[i].check)) != BT_OK ||
      bt_json_set_string(json, "text", plan->checks[i].text) != BT_OK) {
    bt_json_free(json);
    return NULL;
  }
  return json;
}

static struct bt_json *will_json(const struct bt_plan *plan, size_t i) {
  return bt_json_new_string(plan->will[i]);
}

static struct bt_json *will_not_json(const struct bt_plan *plan, size_t i) {
  return bt_json_new_string(plan->will_not[i]);
}

static struct bt_json *plan_json(const struct bt_plan *plan) {
  struct bt_json *json = bt_json_new_object();
  if (json == NULL || bt_json_set_number(json, "schema_version", 1) != BT_OK ||
      bt_json_set_string(json, "verb", bt_verb_word(plan->request.verb)) != BT_OK ||
      bt_json_set_string(json, "title", plan->title) != BT_OK ||
      bt_json_set_string(json, "summary", plan->summary) != BT_OK ||
      bt_json_set(json, "rows", list_of(plan, row_json, plan->row_count)) != BT_OK ||
      bt_json_set(json, "plan", list_of(plan, step_json, plan->step_count)) != BT_OK ||
      bt_json_set(json, "checks", list_of(plan, check_json, plan->check_count)) != BT_OK ||
      bt_json_set(json, "will", list_of(plan, will_json, plan->will_count)) != BT_OK ||
      bt_json_set(json, "will_not", list_of(plan, will_not_json, plan->will_not_count)) != BT_OK ||
      bt_json_set_string(json, "after", plan->after) != BT_OK ||
      bt_json_set_string(json, "undo", plan->undo) != BT_OK ||
      bt_json_set_string(json, "confirm_word", plan->confirm_word) != BT_OK ||
      bt_json_set_string(json, "disabled", plan->disabled) != BT_OK ||
      bt_json_set_string(json, "command", plan->command) != BT_OK ||
      bt_json_set_string(json, "fingerprint", plan->fingerprint) != BT_OK) {
    bt_json_free(json);
    return NULL;
  }
  return json;
}

int plan_print_json(const struct bt_plan *plan) {
  struct bt_str out;
  bt_str_init(&out, TEXT_MAX);
  struct bt_json *json = plan_json(plan);
  struct bt_error err = {0};
  int status;
  if (json != NULL)
    bt_json_print_pretty(&out, json);
  bt_str_putc(&out, '\n');
  if (json == NULL || out.failed) {
    (void)bt_error_set(&err, BT_NOMEM, "plan", "out of memory");
    status = out_error(&err);
  } else {
    status = out_text(&out);
  }
  bt_json_free(json);
  bt_str_dispose(&out);
  return status;
}
