/* cli/cmd_delivery_print.c - a delivery's verdict as JSON and as words. */
#include <stdio.h>
#include <string.h>

#include "cli/cmd_delivery.h"
#include "cli/out.h"
#include "core/base/clock.h"
#include "core/base/utf8.h"
#include "core/delivery/fields.h"
#include "core/model/delivery_words.h"

#define TEXT_MAX ((size_t)64 * 1024 * 1024)

/* ---- JSON: a tree, printed with secrets left out ---- */

struct maker {
  struct bt_arena *arena;
  bool failed;
};

static void put(struct maker *maker, struct bt_node *object, const char *key, struct bt_node *value) {
  maker->failed = maker->failed || object == NULL || !bt_node_set(maker->arena, object, key, value);
}

static void put_text(struct maker *maker, struct bt_node *object, const char *key, const char *text) {
  put(maker, object, key,
      text != NULL ? bt_node_new_string(maker->arena, text) : bt_node_new(maker->arena, BT_JSON_NULL));
}

static void put_integer(struct maker *maker, struct bt_node *object, const char *key, long long value) {
  put(maker, object, key, bt_node_new_integer(maker->arena, value));
}

static void put_codes(struct maker *maker, struct bt_node *object, const char *key, const struct bt_codes *codes) {
  struct bt_texts texts = {codes->items, codes->count};
  put(maker, object, key, bt_texts_node(maker->arena, &texts));
}

static void put_node(struct maker *maker, struct bt_node *object, const char *key, const struct bt_node *node) {
  put(maker, object, key, node != NULL ? bt_node_clone(maker->arena, node) : bt_node_new(maker->arena, BT_JSON_NULL));
}

static struct bt_node *container(struct maker *maker, enum bt_json_type type) {
  struct bt_node *node = bt_node_new(maker->arena, type);
  maker->failed = maker->failed || node == NULL;
  return node;
}

static void put_invalidated(struct maker *maker, struct bt_node *object, const struct bt_evaluation *evaluation) {
  struct bt_node *list = container(maker, BT_JSON_ARRAY), *gates = container(maker, BT_JSON_ARRAY);
  struct bt_codes named;
  bt_codes_init(&named, maker->arena);
  for (size_t i = 0; list != NULL && i < evaluation->invalidated_count; i++)
    maker->failed =
        maker->failed || !bt_node_push(list, bt_node_new_integer(maker->arena, (long long)evaluation->invalidated[i]));
  for (int rank = 0; rank < 7; rank++) { /* known gates in canonical order, then the others, each once */
    for (size_t i = 0; gates != NULL && i < evaluation->invalidated_count; i++) {
      const char *gate = evaluation->delivery->completed[evaluation->invalidated[i]].gate;
      int own = bt_gate_rank(gate);
      struct bt_slice name = bt_trim_blank(gate, strlen(gate));
      char *plain = bt_arena_strndup(maker->arena, name.data, name.length);
      if (plain == NULL || (own != rank && !(rank == 6 && own < 0)) || bt_codes_has(&named, plain))
        continue;
      bt_codes_add(&named, "%s", plain);
      maker->failed = maker->failed || !bt_node_push(gates, bt_node_new_string(maker->arena, plain));
    }
  }
  put(maker, object, "invalidated", list);
  put(maker, object, "reverify", gates);
}

static void put_live(struct maker *maker, struct bt_node *object, const struct bt_evaluation *evaluation) {
  const struct bt_live *live = &evaluation->live;
  const struct bt_pr *pr = &evaluation->pr;
  struct bt_node *node = container(maker, BT_JSON_OBJECT);
  put_text(maker, node, "remote", live->remote_known ? live->remote.name : NULL);
  put_text(maker, node, "repository", live->repository);
  put_text(maker, node, "branch", evaluation->delivery != NULL ? evaluation->delivery->branch : NULL);
  put_text(maker, node, "head", live->head);
  put_text(maker, node, "head_from", bt_head_from_word(live->head_from));
  put_text(maker, node, "base", live->base);
  if (!pr->given || pr->fault != NULL) {
    put_text(maker, node, "pr", NULL);
  } else {
    struct bt_node *inner = container(maker, BT_JSON_OBJECT);
    if (pr->has_number)
      put_integer(maker, inner, "number", (long long)pr->number);
    else
      put_text(maker, inner, "number", NULL);
    put_text(maker, inner, "state", bt_pr_state_word(pr->state));
    put_integer(maker, inner, "age_seconds", pr->age_ms > 0 ? pr->age_ms / 1000 : 0);
    put(maker, node, "pr", inner);
  }
  put(maker, object, "live", node);
}

/* The key of an id as it is shown: cut first, a URL would keep its user and lose the host that tells it is one. */
static const char *shown_key(struct maker *maker, const char *id) {
  struct bt_str plain;
  bt_str_init(&plain, strlen(id));
  bt_text_without_secrets(&plain, id, strlen(id));
  struct bt_slice key = bt_watcher_key(plain.data);
  const char *shown = plain.failed ? NULL : bt_arena_strndup(maker->arena, key.data, key.length);
  bt_str_dispose(&plain);
  maker->failed = maker->failed || shown == NULL;
  return shown;
}

static void put_watchers(struct maker *maker, struct bt_node *object, const struct delivery_result *result) {
  const struct bt_delivery *delivery = result->evaluation->delivery;
  struct bt_node *list = container(maker, BT_JSON_ARRAY);
  for (size_t i = 0; list != NULL && delivery != NULL && i < delivery->watchers.count; i++) {
    const char *id = delivery->watchers.items[i];
    enum bt_liveness liveness = bt_watcher_liveness(id, result->watchers);
    struct bt_node *node = container(maker, BT_JSON_OBJECT);
    put_text(maker, node, "id", id);
    put_text(maker, node, "key", shown_key(maker, id));
    put_text(maker, node, "liveness", bt_liveness_word(liveness));
    if (liveness != BT_WATCHER_DEAD)
      put_text(maker, node, "action", "wait-or-supersede");
    maker->failed = maker->failed || !bt_node_push(list, node);
  }
  put(maker, object, "watchers", list);
}

static const char *verdict_word(const struct delivery_result *result) {
  bool open = result->open_only && result->evaluation->delivery != NULL;
  return open ? "open" : bt_verdict_word(result->evaluation->verdict);
}

static int print_json(const struct delivery_result *result) {
  const struct bt_evaluation *evaluation = result->evaluation;
  struct maker maker = {evaluation->arena, false};
  struct bt_node *root = container(&maker, BT_JSON_OBJECT);
  put_text(&maker, root, "schema", "baton/delivery-verdict-v1");
  put_text(&maker, root, "verdict", verdict_word(result));
  put_integer(&maker, root, "exit", result->exit_status);
  put_codes(&maker, root, "reasons", &evaluation->reasons);
  put_codes(&maker, root, "warnings", &evaluation->warnings);
  put_text(&maker, root, "source", bt_source_word(evaluation->source));
  put_text(&maker, root, "path", result->source_path);
  put_text(&maker, root, "next_step", evaluation->next_step);
  put_invalidated(&maker, root, evaluation);
  put_live(&maker, root, evaluation);
  put_watchers(&maker, root, result);
  put_node(&maker, root, "record", evaluation->reading != NULL ? evaluation->reading->delivery.node : NULL);
  if (result->code != NULL) {
    put_text(&maker, root, "code", result->code);
    put_node(&maker, root, "after", result->after);
  }
  struct bt_str out;
  bt_str_init(&out, TEXT_MAX);
  if (!maker.failed)
    bt_doc_print(&out, root, 0, BT_DOC_HIDE_SECRETS);
  bt_str_putc(&out, '\n');
  struct bt_error err = {0};
  if (maker.failed || out.failed)
    (void)bt_error_set(&err, BT_NOMEM, "stdout", "out of memory");
  int status = err.code != BT_OK ? out_error(&err) : out_text(&out);
  bt_str_dispose(&out);
  return status != 0 ? status : result->exit_status;
}

/* ---- words ---- */

/* In its visible form and without secrets. */
static void put_words(struct bt_str *out, const char *text) {
  struct bt_str plain;
  bt_str_init(&plain, TEXT_MAX);
  bt_text_without_secrets(&plain, text, strlen(text));
  bt_text_visible(out, plain.data, plain.length);
  bt_str_dispose(&plain);
}

static void line(struct bt_str *out, const char *label, const char *text) {
  bt_str_printf(out, "  %-9s ", label);
  put_words(out, text);
  bt_str_putc(out, '\n');
}

static void lines(struct bt_str *out, const char *label, const struct bt_codes *codes) {
  for (size_t i = 0; codes != NULL && i < codes->count; i++)
    line(out, label, codes->items[i]);
}

/* A text of several lines on as many; only the first has the label, so that none of them can pass for another. Secrets go
 * first: an address may go over no line end. */
static void paragraphs(struct bt_str *out, const char *label, const char *text) {
  struct bt_str plain;
  bt_str_init(&plain, TEXT_MAX);
  bt_text_without_secrets(&plain, text, strlen(text));
  const char *at = plain.data;
  for (bool first = true; first || *at != '\0'; first = false) {
    size_t length = strcspn(at, "\n");
    bt_str_printf(out, "  %-9s ", first ? label : "");
    bt_text_visible(out, at, length);
    bt_str_putc(out, '\n');
    at += length + (at[length] == '\n');
  }
  bt_str_dispose(&plain);
}

/* Each with what it means, where that is more than it says. */
static void lines_explained(struct bt_str *out, const char *label, const struct bt_codes *codes) {
  struct bt_str text;
  bt_str_init(&text, TEXT_MAX);
  for (size_t i = 0; i < codes->count; i++) {
    const char *means = bt_delivery_code_means(codes->items[i]);
    bt_str_clear(&text);
    bt_str_printf(&text, "%s%s%s", codes->items[i], means != NULL ? ": " : "", means != NULL ? means : "");
    line(out, label, text.data);
  }
  bt_str_dispose(&text);
}

static void list(struct bt_str *out, const char *label, const struct bt_texts *texts) {
  for (size_t i = 0; i < texts->count; i++)
    line(out, i == 0 ? label : "", texts->items[i]);
}

/* What whoever goes on has to know: what he may do, and what is done and how that was shown. */
static void describe_terms(struct bt_str *out, const struct bt_delivery *delivery) {
  struct bt_str text;
  bt_str_init(&text, TEXT_MAX);
  if (delivery->authorized.count == 0)
    line(out, "granted", "nothing");
  list(out, "granted", &delivery->authorized);
  list(out, "withheld", &delivery->out_of_scope);
  for (size_t i = 0; i < delivery->completed_count; i++) {
    const struct bt_delivery_step *step = &delivery->completed[i];
    bt_str_clear(&text);
    bt_str_printf(&text, "%s %s: %s", step->gate, step->verdict, step->evidence);
    line(out, i == 0 ? "done" : "", text.data);
  }
  bt_str_dispose(&text);
}

/* A closed one may lack anything. */
static void describe_closed(struct bt_str *out, const struct bt_delivery *closed) {
  if (closed->directive != NULL)
    paragraphs(out, "directive", closed->directive);
  if (closed->updated_at != NULL)
    line(out, "updated", closed->updated_at);
  if (closed->stop_detail != NULL)
    line(out, "stopped", closed->stop_detail);
}

static void describe_record(struct bt_str *out, const struct delivery_result *result) {
  const struct bt_evaluation *evaluation = result->evaluation;
  const struct bt_delivery *delivery = evaluation->delivery;
  struct bt_str text;
  char age[16];
  bt_str_init(&text, TEXT_MAX);
  const char *path = result->source_path;
  bt_str_printf(&text, "%s%s%s", bt_source_word(evaluation->source), path != NULL ? " " : "", path != NULL ? path : "");
  line(out, "record", text.data);
  bt_str_clear(&text);
  if (delivery != NULL) {
    bt_age_short(age, result->now_ms - delivery->updated_ms);
    paragraphs(out, "directive", delivery->directive);
    bt_str_printf(&text, "%s (%s ago), stopped: %s%s%s", delivery->updated_at, age, delivery->stop_reason,
                  delivery->stop_detail != NULL ? ": " : "",
                  delivery->stop_detail != NULL ? delivery->stop_detail : "");
    line(out, "updated", text.data);
    bt_str_clear(&text);
    bt_str_printf(&text, "%s on %s at %.12s", bt_repository_without_user(delivery->repository), delivery->branch,
                  delivery->head);
    line(out, "of", text.data);
    describe_terms(out, delivery);
    list(out, "pending", &delivery->pending);
  } else if (evaluation->reading != NULL && evaluation->reading->kind == BT_DELIVERY_CLOSED) {
    describe_closed(out, &evaluation->reading->delivery);
  }
  bt_str_dispose(&text);
}

static void describe_live(struct bt_str *out, const struct delivery_result *result) {
  const struct bt_evaluation *evaluation = result->evaluation;
  const struct bt_pr *pr = &evaluation->pr;
  const struct bt_live *live = &evaluation->live;
  struct bt_str text;
  bt_str_init(&text, TEXT_MAX);
  bool elsewhere =
      evaluation->delivery != NULL && live->repository != NULL && evaluation->verdict == BT_VERDICT_STALE_REPOSITORY;
  bool moved =
      evaluation->delivery != NULL && live->head != NULL && strcmp(live->head, evaluation->delivery->head) != 0;
  if (elsewhere)
    line(out, "live", bt_repository_without_user(live->repository));
  if (moved) {
    bt_str_printf(&text, "head %.12s, from %s", live->head, bt_head_from_word(live->head_from));
    line(out, "live", text.data);
  }
  for (size_t i = 0; i < evaluation->invalidated_count; i++) {
    size_t index = evaluation->invalidated[i];
    bt_str_clear(&text);
    bt_str_printf(&text, "completed_steps[%zu] %s", index, evaluation->delivery->completed[index].gate);
    line(out, "invalid", text.data);
  }
  if (pr->given && pr->fault == NULL) {
    bt_str_clear(&text);
    if (pr->has_number)
      bt_str_printf(&text, "#%.0f ", pr->number);
    bt_str_puts(&text, bt_pr_state_word(pr->state));
    line(out, "pr", text.data);
  }
  for (size_t i = 0; evaluation->delivery != NULL && i < evaluation->delivery->watchers.count; i++) {
    const char *id = evaluation->delivery->watchers.items[i];
    enum bt_liveness liveness = bt_watcher_liveness(id, result->watchers);
    bt_str_clear(&text);
    bt_str_printf(&text, "%s: %s%s", id, bt_liveness_word(liveness),
                  liveness != BT_WATCHER_DEAD ? ", wait for it or supersede it" : "");
    line(out, "watcher", text.data);
  }
  bt_str_dispose(&text);
}

/* A value on as many lines as it takes, each with the sign in front. */
static void describe_value(struct bt_str *out, char sign, const char *key, const struct bt_node *node) {
  struct bt_str text;
  bt_str_init(&text, TEXT_MAX);
  bt_doc_print(&text, node, 0, BT_DOC_HIDE_SECRETS);
  const char *at = text.data;
  for (bool first = true; first || *at != '\0'; first = false) {
    size_t length = strcspn(at, "\n");
    bt_str_printf(out, "  %c ", sign);
    put_words(out, first ? key : "");
    bt_str_puts(out, first ? ": " : "");
    bt_text_visible(out, at, length);
    bt_str_putc(out, '\n');
    at += length + (at[length] == '\n');
  }
  bt_str_dispose(&text);
}

/* Only what differs, member by member. */
static void describe_change(struct bt_str *out, const struct bt_node *before, const struct bt_node *after) {
  for (const struct bt_node *member = after->first; member != NULL; member = member->next) {
    const struct bt_node *old = bt_node_get(before, member->key);
    if (old != NULL && bt_node_equals(old, member))
      continue;
    if (old != NULL)
      describe_value(out, '-', member->key, old);
    describe_value(out, '+', member->key, member);
  }
  for (const struct bt_node *member = before != NULL ? before->first : NULL; member != NULL; member = member->next) {
    if (bt_node_get(after, member->key) == NULL)
      describe_value(out, '-', member->key, member);
  }
}

/* What to do about it: of what was written only where somebody may go on with it. */
static const char *what_next(const struct delivery_result *result) {
  const struct bt_evaluation *evaluation = result->evaluation;
  const char *reason = evaluation->reasons.count > 0 ? evaluation->reasons.items[0] : NULL;
  bool goes_on = result->written && bt_text_equals(bt_node_text(bt_node_get(result->after, "status")), "open");
  if (result->after != NULL && !goes_on)
    return NULL;
  return bt_delivery_what_next(result->code != NULL ? result->code : verdict_word(result), reason);
}

static int print_words(const struct delivery_result *result) {
  const struct bt_evaluation *evaluation = result->evaluation;
  struct bt_str out;
  bt_str_init(&out, TEXT_MAX);
  put_words(&out, result->code != NULL ? result->code : verdict_word(result));
  if (result->code == NULL && evaluation->delivery != NULL && evaluation->verdict == BT_VERDICT_USABLE &&
      !result->open_only) {
    bt_str_puts(&out, ": resume with ");
    put_words(&out, evaluation->next_step);
  }
  bt_str_putc(&out, '\n');
  const char *refusal = result->code != NULL ? bt_delivery_code_means(result->code) : NULL;
  const char *next = what_next(result);
  if (refusal != NULL)
    line(&out, "means", refusal);
  else if (result->code == NULL)
    line(&out, "means", bt_delivery_verdict_means(verdict_word(result)));
  if (result->code != NULL)
    line(&out, result->after != NULL ? "before" : "verdict", verdict_word(result));
  lines_explained(&out, "reason", &evaluation->reasons);
  lines_explained(&out, "warning", &evaluation->warnings);
  lines(&out, "note", result->notes);
  if (evaluation->forge_note != NULL)
    line(&out, "forge", evaluation->forge_note);
  describe_record(&out, result);
  describe_live(&out, result);
  if (result->after != NULL) {
    line(&out, result->written ? "written" : "to write", result->target != NULL ? result->target : "");
    describe_change(&out, result->before, result->after);
    if (result->exclusion_needed)
      line(&out, result->written ? "excluded" : "exclude", "/" BT_RECORD_PATH " in info/exclude");
    if (!result->written && strcmp(result->code, "would-write") == 0)
      bt_str_puts(&out, "dry-run: nothing was written; pass --write to do it\n");
  }
  if (next != NULL)
    line(&out, "next", next);
  int status = out_text(&out);
  bt_str_dispose(&out);
  return status != 0 ? status : result->exit_status;
}

int delivery_print(const struct delivery_result *result, bool json) {
  return json ? print_json(result) : print_words(result);
}
