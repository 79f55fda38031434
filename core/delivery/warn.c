/* core/delivery/warn.c - what is odd about a record that governs, and is no error. */
#include <string.h>

#include "core/delivery/evaluate.h"
#include "core/delivery/fields.h"
#include "core/delivery/identity.h"

static void warn_about_store(struct bt_evaluation *out, const struct bt_delivery_request *request) {
  const struct bt_delivery *delivery = out->delivery;
  const char *expected = BT_RECORD_PATH;
  if (out->source == BT_SOURCE_PR && out->pr.has_number)
    expected = bt_arena_printf(out->arena, "pull-request-description:%.0f", out->pr.number);
  else if (out->source == BT_SOURCE_PR)
    expected = bt_arena_printf(out->arena, "pull-request-description:%s",
                               delivery->pr_number != NULL ? delivery->pr_number : "");
  else if (out->source == BT_SOURCE_HOST)
    expected = bt_arena_printf(out->arena, "host:%s", request->host_label);
  if (expected == NULL || strcmp(delivery->store, expected) != 0)
    bt_codes_add(&out->warnings, "store-mismatch");
}

static void warn_about_steps(struct bt_evaluation *out) {
  const struct bt_delivery *delivery = out->delivery;
  struct bt_codes ignored;
  bt_codes_init(&ignored, out->arena);
  for (size_t i = 0; i < delivery->completed_count; i++) {
    bool names_any;
    (void)bt_evidence_names(delivery->completed[i].evidence, "", &names_any);
    if (!delivery->completed[i].passed)
      bt_codes_add(&out->warnings, "completed-not-pass:completed_steps[%zu]", i);
    if (!names_any)
      bt_codes_add(&out->warnings, "evidence-unbound:completed_steps[%zu]", i);
  }
  bool behind = false; /* behind the step that is next */
  for (size_t i = 0; i < delivery->pending.count; i++) {
    struct bt_slice step = bt_trim_blank(delivery->pending.items[i], strlen(delivery->pending.items[i]));
    const char *name = bt_arena_strndup(out->arena, step.data, step.length);
    bool is_next = name != NULL && out->next_step != NULL && strcmp(name, out->next_step) == 0;
    if (name != NULL && behind && !is_next && delivery->authorized.count > 0 &&
        bt_authority_of_step(delivery, name, &ignored) != BT_VERDICT_USABLE)
      bt_codes_add(&out->warnings, "later-step-unauthorized:%s", name);
    behind = behind || is_next;
  }
}

static void warn_about_watchers(struct bt_evaluation *out) {
  const struct bt_texts *watchers = &out->delivery->watchers;
  for (size_t i = 1; i < watchers->count; i++) {
    struct bt_slice id = bt_trim_blank(watchers->items[i], strlen(watchers->items[i]));
    char *plain = bt_arena_strndup(out->arena, id.data, id.length);
    bool repeated = false;
    for (size_t k = 0; plain != NULL && k < i; k++)
      repeated = repeated || bt_trimmed_equals(watchers->items[k], plain);
    char *code = repeated ? bt_arena_printf(out->arena, "watcher-duplicate:%s", plain) : NULL;
    if (code != NULL && !bt_codes_has(&out->warnings, code))
      bt_codes_add(&out->warnings, "%s", code);
  }
}

/* Where a `pull_request` of a longer form says another repository than the record does. */
static void warn_about_pr_repository(struct bt_evaluation *out) {
  const char *text = out->delivery->pull_request;
  bool no_memory = false;
  const char *recorded = text != NULL ? bt_identity_of(out->arena, out->delivery->repository, &no_memory) : NULL;
  const char *path = recorded != NULL ? strchr(recorded, '/') : NULL;
  if (path == NULL)
    return;
  const char *hash = strchr(text, '#');
  bool differs = false;
  if (strstr(text, "://") != NULL) { /* what comes before the word for pull requests, `/-` left out */
    static const char *const words[] = {"/pull/", "/pulls/", "/pull-requests/", "/merge_requests/"};
    const char *end = NULL;
    for (size_t i = 0; end == NULL && i < sizeof words / sizeof *words; i++)
      end = strstr(text, words[i]);
    size_t length = end != NULL ? (size_t)(end - text) : 0;
    if (length >= 2 && memcmp(text + length - 2, "/-", 2) == 0)
      length -= 2;
    char *url = bt_arena_strndup(out->arena, text, length);
    const char *identity = url != NULL ? bt_identity_of(out->arena, url, &no_memory) : NULL;
    differs = identity == NULL || !bt_identity_same_but_case(identity, recorded);
  } else if (hash != NULL && hash != text && memchr(text, '/', (size_t)(hash - text)) != NULL) {
    size_t length = (size_t)(hash - text);
    differs = strlen(path + 1) != length || !bt_ascii_same(path + 1, text, length);
  }
  if (differs)
    bt_codes_add(&out->warnings, "repository-of-pr-differs");
}

void bt_warn_about(struct bt_evaluation *out, const struct bt_delivery_request *request) {
  const struct bt_delivery *delivery = out->delivery;
  if (delivery == NULL)
    return;
  warn_about_store(out, request);
  if (delivery->pull_request == NULL && out->pr.given)
    bt_codes_add(&out->warnings, "pr-unrecorded");
  warn_about_steps(out);
  warn_about_watchers(out);
  warn_about_pr_repository(out);
  if (delivery->updated_ms > request->now_ms)
    bt_codes_add(&out->warnings, "updated-in-future");
}
