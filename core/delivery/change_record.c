/* core/delivery/change_record.c - a new record, or one that is brought up to date without widening its boundary. */
#include <string.h>

#include "core/delivery/change.h"
#include "core/delivery/fields.h"
#include "core/delivery/identity.h"

struct draft {
  struct bt_evaluation *evaluation;
  const struct bt_record_wish *wish;
  struct bt_arena *arena;
  struct bt_node *after;
  const struct bt_delivery *old; /* the record that is updated; NULL: a new one */
};

static enum bt_code out_of_memory(struct bt_error *err) {
  return bt_error_set(err, BT_NOMEM, "record", "out of memory");
}

/* ---- may it be written ---- */

/* Sets the refusal, if there is one. */
static void judge_place(struct bt_evaluation *evaluation, const struct bt_record_wish *wish, struct bt_change *change) {
  const char *refusal = NULL;
  bt_change_none(change, evaluation, NULL, 0);
  if (evaluation->delivery != NULL && !wish->update)
    refusal = "refused:open-exists";
  else if (evaluation->verdict == BT_VERDICT_CORRUPT && !wish->replace_corrupt)
    refusal = "refused:corrupt-exists";
  if (refusal != NULL)
    bt_change_none(change, evaluation, refusal, BT_DELIVERY_EXIT_REFUSED);
  else if (evaluation->delivery == NULL && evaluation->verdict == BT_VERDICT_AMBIGUOUS_LIVE_STATE)
    bt_change_none(change, evaluation, bt_verdict_word(evaluation->verdict), bt_verdict_exit(evaluation->verdict));
}

static enum bt_code check_wish(const struct draft *draft, struct bt_error *err) {
  const struct bt_record_wish *wish = draft->wish;
  if (wish->update && draft->old == NULL)
    return bt_error_set(err, BT_USAGE, "--update", "there is no open record to update");
  bool widens = wish->directive != NULL || wish->authorize.count > 0 || wish->withhold.count > 0;
  if (draft->old != NULL && widens)
    return bt_error_set(err, BT_USAGE, "--update",
                        "an update keeps the directive and the boundary: a new directive is a new delivery");
  if (wish->pull_request != NULL && wish->no_pull_request)
    return bt_error_set(err, BT_USAGE, "--pr", "--pr and --no-pr exclude each other");
  if (draft->old != NULL || wish->from != NULL)
    return BT_OK;
  if (wish->directive == NULL || bt_is_blank(wish->directive))
    return bt_error_set(err, BT_USAGE, "--directive", "--directive is needed: what was asked for, word for word");
  if (wish->authorize.count == 0)
    return bt_error_set(err, BT_USAGE, "--authorize", "at least one --authorize is needed");
  if (wish->pending.count == 0)
    return bt_error_set(err, BT_USAGE, "--pending", "at least one --pending is needed");
  if (wish->stop_reason == NULL)
    return bt_error_set(err, BT_USAGE, "--stop-reason", "--stop-reason is needed");
  return BT_OK;
}

/* Evidence without a head of its own counts for the recorded one: that may not become another head under it. */
static bool carries_evidence_over(const struct draft *draft) {
  const struct bt_delivery *old = draft->old;
  const char *head = draft->wish->head_given ? draft->wish->head : NULL;
  bool names_any;
  if (old == NULL || head == NULL || bt_ascii_word(head, old->head))
    return false;
  for (size_t i = 0; i < old->completed_count; i++) {
    const struct bt_delivery_step *step = &old->completed[i];
    if (bt_gate_is_head_bound(step->gate) && !bt_evidence_names(step->evidence, head, &names_any))
      return true;
  }
  return false;
}

/* ---- the members ---- */

static bool set_text(struct draft *draft, const char *key, const char *text) {
  return text == NULL || bt_node_set_string(draft->arena, draft->after, key, text);
}

static bool set_texts(struct draft *draft, const char *key, const struct bt_texts *texts) {
  return texts->count == 0 || bt_node_set(draft->arena, draft->after, key, bt_texts_node(draft->arena, texts));
}

/* In the place of what stands under that name, an empty list where nothing does. */
static bool ensure_list(struct draft *draft, struct bt_node *object, const char *key) {
  return bt_node_get(object, key) != NULL ||
         bt_node_set(draft->arena, object, key, bt_node_new(draft->arena, BT_JSON_ARRAY));
}

static bool set_boundary(struct draft *draft) {
  const struct bt_record_wish *wish = draft->wish;
  struct bt_node *boundary = bt_node_get(draft->after, "authorization_boundary");
  if (draft->old != NULL) {
    const struct bt_node *kept = bt_node_get(draft->old->node, "authorization_boundary");
    return bt_node_set(draft->arena, draft->after, "authorization_boundary", bt_node_clone(draft->arena, kept));
  }
  if (wish->from != NULL && wish->authorize.count == 0 && wish->withhold.count == 0)
    return true;
  if (bt_node_type(boundary) != BT_JSON_OBJECT) {
    boundary = bt_node_new(draft->arena, BT_JSON_OBJECT);
    if (!bt_node_set(draft->arena, draft->after, "authorization_boundary", boundary))
      return false;
  }
  if (wish->authorize.count > 0 &&
      !bt_node_set(draft->arena, boundary, "authorized", bt_texts_node(draft->arena, &wish->authorize)))
    return false;
  if (wish->withhold.count > 0 &&
      !bt_node_set(draft->arena, boundary, "out_of_scope", bt_texts_node(draft->arena, &wish->withhold)))
    return false;
  return ensure_list(draft, boundary, "authorized") && ensure_list(draft, boundary, "out_of_scope");
}

/* Not every identity reads back as itself; what is written down has to. */
static bool set_identity(struct draft *draft, const char *identity) {
  bool no_memory = false;
  const char *text = identity != NULL ? bt_identity_text(draft->arena, identity, &no_memory) : NULL;
  return !no_memory && set_text(draft, "repository", text != NULL ? text : identity);
}

/* A secret in the recorded address is not written on: what the address means is. */
static bool set_repository(struct draft *draft) {
  const struct bt_node *node = bt_node_get(draft->after, "repository");
  bool no_memory = false;
  if (node == NULL)
    return set_identity(draft, draft->wish->repository);
  struct bt_str plain;
  const char *text = bt_node_text(node);
  bt_str_init(&plain, text != NULL ? strlen(text) : 0);
  if (text != NULL)
    bt_text_without_secrets(&plain, bt_repository_without_user(text), strlen(bt_repository_without_user(text)));
  bool secret = text != NULL && strcmp(plain.data, text) != 0;
  bool failed = plain.failed;
  bt_str_dispose(&plain);
  const char *identity = secret ? bt_identity_of(draft->arena, text, &no_memory) : NULL;
  return !failed && !no_memory && set_identity(draft, identity);
}

static bool set_pull_request(struct draft *draft) {
  const struct bt_record_wish *wish = draft->wish;
  bool there = bt_node_get(draft->after, "pull_request") != NULL;
  if (wish->pull_request != NULL)
    return set_text(draft, "pull_request", wish->pull_request);
  if (there && !wish->no_pull_request)
    return true;
  return bt_node_set(draft->arena, draft->after, "pull_request", bt_node_new(draft->arena, BT_JSON_NULL));
}

static bool add_completed(struct draft *draft) {
  if (!ensure_list(draft, draft->after, "completed_steps"))
    return false;
  struct bt_node *list = bt_node_get(draft->after, "completed_steps");
  for (size_t i = 0; bt_node_type(list) == BT_JSON_ARRAY && i < draft->wish->completed.count; i++) {
    if (!bt_node_push(list, bt_step_node(draft->arena, &draft->wish->completed.items[i])))
      return false;
  }
  return true;
}

/* What is given, else what is there already, else what is live. */
static bool set_or_default(struct draft *draft, const char *key, const char *value, bool given) {
  return given || bt_node_get(draft->after, key) == NULL ? set_text(draft, key, value) : true;
}

/* In the order of the table, which is the order of a new record. */
static bool fill_in(struct draft *draft) {
  const struct bt_record_wish *wish = draft->wish;
  const char *kept = draft->old != NULL ? draft->old->directive : wish->directive;
  return set_text(draft, "schema", BT_DELIVERY_SCHEMA) && set_text(draft, "status", "open") &&
         set_text(draft, "store", wish->store) && set_text(draft, "directive", kept) && set_boundary(draft) &&
         set_repository(draft) && set_pull_request(draft) &&
         set_or_default(draft, "branch", wish->branch, wish->branch_given) &&
         set_or_default(draft, "head_sha", wish->head, wish->head_given) && add_completed(draft) &&
         set_texts(draft, "pending_steps", &wish->pending) && ensure_list(draft, draft->after, "watchers") &&
         set_text(draft, "stop_reason", wish->stop_reason) && set_text(draft, "stop_detail", wish->stop_detail);
}

/* ---- the verb ---- */

static bool start(struct draft *draft) {
  const struct bt_node *like = draft->wish->from;
  if (like == NULL && draft->old != NULL)
    like = draft->old->node;
  draft->after = like != NULL ? bt_node_clone(draft->arena, like) : bt_node_new(draft->arena, BT_JSON_OBJECT);
  return draft->after != NULL;
}

/* The watchers that the draft holds before any is added. */
static enum bt_code recorded_watchers(const struct draft *draft, struct bt_texts *watchers, struct bt_error *err) {
  const struct bt_node *list = bt_node_get(draft->after, "watchers");
  struct bt_codes found;
  bt_codes_init(&found, draft->arena);
  for (const struct bt_node *item = bt_node_type(list) == BT_JSON_ARRAY ? list->first : NULL; item != NULL;
       item = item->next) {
    if (bt_node_text(item) != NULL)
      bt_codes_add(&found, "%s", item->text);
  }
  *watchers = (struct bt_texts){found.items, found.count};
  return found.failed ? out_of_memory(err) : BT_OK;
}

enum bt_code bt_change_record(struct bt_evaluation *evaluation, const struct bt_record_wish *wish, int64_t now_ms,
                              struct bt_change *change, struct bt_error *err) {
  struct draft draft = {.evaluation = evaluation, .wish = wish, .arena = evaluation->arena};
  struct bt_texts watchers;
  const char *refusal = NULL;
  draft.old = wish->update ? evaluation->delivery : NULL;
  judge_place(evaluation, wish, change);
  if (change->code != NULL)
    return BT_OK;
  enum bt_code code = check_wish(&draft, err);
  if (code != BT_OK)
    return code;
  if (carries_evidence_over(&draft)) {
    bt_change_none(change, evaluation, "refused:reconcile-first", BT_DELIVERY_EXIT_REFUSED);
    return BT_OK;
  }
  if (!start(&draft) || !fill_in(&draft))
    return out_of_memory(err);
  code = recorded_watchers(&draft, &watchers, err);
  if (code == BT_OK)
    code = bt_change_watchers(evaluation, draft.after, watchers, &wish->watchers, now_ms, &refusal, err);
  if (code != BT_OK)
    return code;
  if (refusal != NULL) {
    bt_change_none(change, evaluation, refusal, BT_DELIVERY_EXIT_REFUSED);
    return BT_OK;
  }
  return bt_change_finish(evaluation, draft.after, now_ms, change, err);
}
