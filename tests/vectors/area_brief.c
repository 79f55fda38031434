/* tests/vectors/area_brief.c - brief bodies, fences, bootstrap prompts. */
#include <stdlib.h>
#include <string.h>

#include "core/text/bootstrap.h"
#include "core/text/brief.h"
#include "core/text/fence.h"
#include "tests/vectors/support.h"

/* A list input: strings and numbers of an array, or one string. */
struct list {
  char **items;
  size_t count;
};

static void add_item(struct list *list, const struct bt_json *value) {
  enum bt_json_type type = bt_json_type(value);
  if (type != BT_JSON_STRING && type != BT_JSON_NUMBER)
    return;
  struct bt_str text;
  bt_str_init(&text, VEC_TEXT_MAX);
  bt_json_to_text(&text, value);
  list->items = realloc(list->items, (list->count + 1) * sizeof *list->items);
  vec_require(list->items != NULL, "memory");
  list->items[list->count] = bt_str_take(&text, NULL);
  vec_require(list->items[list->count++] != NULL, "memory");
}

static struct bt_text_list list_of(struct list *list, const struct bt_json *inputs, const char *key) {
  const struct bt_json *value = bt_json_get(inputs, key);
  *list = (struct list){0};
  if (bt_json_type(value) == BT_JSON_ARRAY)
    for (const struct bt_json *item = bt_json_first(value); item; item = bt_json_next(item))
      add_item(list, item);
  else
    add_item(list, value);
  return (struct bt_text_list){(const char *const *)list->items, list->count};
}

static void free_list(struct list *list) {
  for (size_t i = 0; i < list->count; i++)
    free(list->items[i]);
  free(list->items);
}

static bool run_brief(const struct vec_case *vec) {
  const struct bt_json *in = bt_json_get(vec->input, "inputs");
  struct list status, flails, evidence;
  const struct bt_brief_inputs inputs = {
      .ticket_id = bt_json_get_string(in, "ticketId"),
      .ticket_title = bt_json_get_string(in, "ticketTitle"),
      .branch = bt_json_get_string(in, "gitBranch"),
      .status = list_of(&status, in, "gitStatus"),
      .flails = list_of(&flails, in, "flailSignals"),
      .evidence = list_of(&evidence, in, "evidenceTail"),
      .narrative = bt_json_get_string(in, "modelNarrative"),
      .narrative_note = bt_json_get_string(in, "narrativeNote"),
  };
  struct bt_str body;
  bt_str_init(&body, VEC_TEXT_MAX);
  vec_require(bt_brief_compose(&body, &inputs, NULL, NULL) == BT_OK, "memory");
  bool ok = vec_expect_text(vec, "body", bt_json_get_string(vec->expected, "body"), body.data);
  bt_str_dispose(&body);
  free_list(&status);
  free_list(&flails);
  free_list(&evidence);
  return ok;
}

static bool run_fence(const struct vec_case *vec) {
  const struct bt_json *value = bt_json_get(vec->input, "body");
  struct bt_str content, fenced;
  bt_str_init(&content, VEC_TEXT_MAX);
  bt_str_init(&fenced, VEC_TEXT_MAX);
  if (!bt_json_is_nullish(value))
    bt_json_to_text(&content, value);
  vec_require(bt_fence(&fenced, content.data, content.length, NULL, NULL) == BT_OK, "memory");
  bool ok = vec_expect_text(vec, "fenced", bt_json_get_string(vec->expected, "fenced"), fenced.data);
  bt_str_dispose(&content);
  bt_str_dispose(&fenced);
  return ok;
}

/* The prompt without the body that stands in it between newlines; false when it does not stand there. */
static bool cut_out_body(struct bt_str *outside, const struct bt_str *prompt, const char *body) {
  size_t length = strlen(body);
  for (const char *at = prompt->data; (at = strstr(at, body)); at++) {
    bool alone = at > prompt->data && at[-1] == '\n' && at[length] == '\n';
    if (!alone)
      continue;
    bt_str_append(outside, prompt->data, (size_t)(at - prompt->data));
    bt_str_puts(outside, at + length);
    return true;
  }
  bt_str_append(outside, prompt->data, prompt->length);
  return false;
}

static bool run_bootstrap(const struct vec_case *vec) {
  const char *session = bt_json_get_string(vec->input, "deny_session_id");
  const char *ticket = bt_json_get_string(vec->input, "ticket_id");
  const char *body = bt_json_get_string(vec->input, "body");
  struct bt_str prompt, outside;
  bt_str_init(&prompt, VEC_TEXT_MAX);
  bt_str_init(&outside, VEC_TEXT_MAX);
  enum bt_code code = bt_bootstrap_prompt(&prompt, session, ticket, body ? body : "", body ? strlen(body) : 0,
                                          vec_get_bool(vec->input, "verified", true), NULL);
  bool ok = vec_expect_bool(vec, "ok", vec_get_bool(vec->expected, "ok", false), code == BT_OK);
  if (ok && code == BT_OK) {
    bool whole = cut_out_body(&outside, &prompt, body ? body : "");
    bool ids = strstr(outside.data, session) && strstr(outside.data, ticket);
    bool marks = strstr(outside.data, BT_FENCE_OPEN) && strstr(outside.data, BT_FENCE_CLOSE);
    const struct bt_json *expected = vec->expected;
    ok = vec_expect_bool(vec, "contains_body", vec_get_bool(expected, "contains_body", true), whole) &&
         vec_expect_bool(vec, "names_ids", vec_get_bool(expected, "names_ids_outside_body", true), ids) &&
         vec_expect_bool(vec, "names_fence_markers", vec_get_bool(expected, "names_fence_markers_outside_body", true),
                         marks);
  }
  bt_str_dispose(&prompt);
  bt_str_dispose(&outside);
  return ok;
}

enum vec_result vec_run_brief(const struct vec_case *vec) {
  const char *op = bt_json_get_string(vec->input, "op");
  bool ok;
  if (bt_text_equals(op, "brief"))
    ok = run_brief(vec);
  else if (bt_text_equals(op, "fence"))
    ok = run_fence(vec);
  else if (bt_text_equals(op, "bootstrap"))
    ok = run_bootstrap(vec);
  else
    return vec_skip(vec, "the operation %s is not known", op ? op : "(none)");
  return ok ? VEC_PASS : VEC_FAIL;
}
