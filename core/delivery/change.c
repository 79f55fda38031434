/* core/delivery/change.c - what all changes have in common, and closing. */
#include "core/delivery/change.h"

#include <string.h>

#include "core/base/clock.h"
#include "core/base/utf8.h"
#include "core/delivery/fields.h"

static enum bt_code out_of_memory(struct bt_error *err) {
  return bt_error_set(err, BT_NOMEM, "record", "out of memory");
}

/* ---- small parts ---- */

bool bt_step_parse(struct bt_arena *arena, const char *text, struct bt_delivery_step *step) {
  const char *equals = strchr(text, '=');
  const char *at = equals != NULL ? strchr(equals, '@') : NULL;
  if (at == NULL)
    return false;
  const char *gate = bt_arena_strndup(arena, text, (size_t)(equals - text));
  const char *verdict = bt_arena_strndup(arena, equals + 1, (size_t)(at - equals - 1));
  const char *evidence = bt_arena_strdup(arena, at + 1);
  if (gate == NULL || verdict == NULL || evidence == NULL)
    return false;
  *step = (struct bt_delivery_step){gate, verdict, evidence, bt_ascii_word(verdict, "pass")};
  return !bt_is_blank(gate) && !bt_is_blank(verdict) && !bt_is_blank(evidence);
}

struct bt_node *bt_step_node(struct bt_arena *arena, const struct bt_delivery_step *step) {
  struct bt_node *node = bt_node_new(arena, BT_JSON_OBJECT);
  bool made = node != NULL && bt_node_set_string(arena, node, "gate", step->gate) &&
              bt_node_set_string(arena, node, "verdict", step->verdict) &&
              bt_node_set_string(arena, node, "evidence", step->evidence);
  return made ? node : NULL;
}

struct bt_node *bt_texts_node(struct bt_arena *arena, const struct bt_texts *texts) {
  struct bt_node *array = bt_node_new(arena, BT_JSON_ARRAY);
  for (size_t i = 0; array != NULL && i < texts->count; i++) {
    if (!bt_node_push(array, bt_node_new_string(arena, texts->items[i])))
      return NULL;
  }
  return array;
}

void bt_time_seconds(char out[32], int64_t now_ms) {
  char iso[BT_ISO_MS];
  bt_time_iso(iso, now_ms);
  memcpy(out, iso, 19);
  memcpy(out + 19, "Z", 2);
}

bool bt_keep_entry(struct bt_arena *arena, struct bt_node *record, const char *key, struct bt_node *entry) {
  struct bt_node *list = bt_node_get(record, key);
  if (bt_node_type(list) != BT_JSON_ARRAY) { /* something else under our name is kept as the first entry */
    struct bt_node *old = list != NULL ? bt_node_clone(arena, list) : NULL;
    struct bt_node *made = bt_node_new(arena, BT_JSON_ARRAY);
    if (made == NULL || (list != NULL && !bt_node_push(made, old)) || !bt_node_set(arena, record, key, made))
      return false;
    list = made;
  }
  return bt_node_push(list, entry);
}

void bt_change_none(struct bt_change *change, struct bt_evaluation *evaluation, const char *code, int exit_status) {
  *change = (struct bt_change){.code = code, .exit_status = exit_status};
  bt_codes_init(&change->notes, evaluation->arena);
}

/* The evaluation ended in a way that nothing can be done about here. */
static void none_but_verdict(struct bt_change *change, struct bt_evaluation *evaluation) {
  bt_change_none(change, evaluation, bt_verdict_word(evaluation->verdict), bt_verdict_exit(evaluation->verdict));
}

/* The name of a member that holds bytes no JSON text can; NULL: none. A branch or an address that git
 * prints may, and would be written as something else. */
static const char *not_utf8(const struct bt_node *node, const char *member) {
  bool number = bt_node_type(node) == BT_JSON_NUMBER;
  if (node->text != NULL && !number && !bt_utf8_is_plain(node->text, strlen(node->text)))
    return member;
  const char *found = NULL;
  for (const struct bt_node *item = node->first; item != NULL && found == NULL; item = item->next)
    found = not_utf8(item, item->key != NULL ? item->key : member);
  return found;
}

enum bt_code bt_change_finish(struct bt_evaluation *evaluation, struct bt_node *after, int64_t now_ms,
                              struct bt_change *change, struct bt_error *err) {
  struct bt_arena *arena = evaluation->arena;
  struct bt_delivery_reading reading;
  struct bt_str printed;
  char now[32];
  bt_time_seconds(now, now_ms);
  if (after == NULL || !bt_node_set_string(arena, after, "updated_at", now))
    return out_of_memory(err);
  const char *broken = not_utf8(after, "record");
  if (broken != NULL)
    return bt_error_set(err, BT_USAGE, "record", "%s is not UTF-8 text: a record cannot hold it", broken);
  enum bt_code code = bt_delivery_judge(arena, after, &reading, err);
  if (code != BT_OK)
    return code;
  if (reading.faults.count > 0)
    return bt_error_set(err, BT_USAGE, "record", "that would not be a sound record: %s", reading.faults.items[0]);
  bt_str_init(&printed, BT_DELIVERY_BYTES_MAX);
  bt_doc_print(&printed, after, 0, 0);
  bt_str_putc(&printed, '\n');
  bool failed = printed.failed, full = printed.full;
  bt_str_dispose(&printed);
  if (failed && !full)
    return out_of_memory(err);
  if (failed)
    return bt_error_set(err, BT_USAGE, "record", "that would be more than %zu bytes", BT_DELIVERY_BYTES_MAX);
  change->code = "would-write";
  change->exit_status = 0;
  change->after = after;
  return BT_OK;
}

/* ---- watchers ---- */

static bool keep_replacement(struct bt_arena *arena, struct bt_node *record, const char *old, const char *new,
                             const char *why, const char *at) {
  struct bt_node *entry = bt_node_new(arena, BT_JSON_OBJECT);
  return entry != NULL && bt_node_set_string(arena, entry, "old", old) &&
         bt_node_set_string(arena, entry, "new", new) && bt_node_set_string(arena, entry, "why", why) &&
         bt_node_set_string(arena, entry, "at", at) && bt_keep_entry(arena, record, "x-baton-watchers", entry);
}

enum bt_code bt_change_watchers(struct bt_evaluation *evaluation, struct bt_node *after, struct bt_texts recorded,
                                const struct bt_watcher_change *watchers, int64_t now_ms, const char **refusal,
                                struct bt_error *err) {
  struct bt_arena *arena = evaluation->arena;
  char now[32];
  bt_time_seconds(now, now_ms);
  *refusal = NULL;
  for (size_t i = 0; i < watchers->add.count; i++) {
    const char *id = watchers->add.items[i];
    struct bt_codes removed;
    bt_codes_init(&removed, arena);
    if (bt_is_blank(id))
      return bt_error_set(err, BT_USAGE, "--watcher", "a watcher needs a name");
    const char *code = bt_watcher_add(&recorded, id, watchers->supersede, watchers->facts, &removed);
    if (code == NULL)
      return out_of_memory(err);
    if (bt_starts_with(code, "refused:")) {
      *refusal = code;
      return BT_OK;
    }
    for (size_t k = 0; k < removed.count; k++) {
      const char *new = recorded.items[recorded.count - 1];
      if (!keep_replacement(arena, after, removed.items[k], new, code, now))
        return out_of_memory(err);
    }
  }
  if (watchers->add.count == 0)
    return BT_OK;
  return bt_node_set(arena, after, "watchers", bt_texts_node(arena, &recorded)) ? BT_OK : out_of_memory(err);
}

/* ---- closing ---- */

/* The passing entry that was given for a step; NULL when there is none. */
static const struct bt_delivery_step *entry_for(const char *step, const struct bt_steps *completed) {
  for (size_t i = 0; i < completed->count; i++) {
    struct bt_slice gate = bt_trim_blank(completed->items[i].gate, strlen(completed->items[i].gate));
    struct bt_slice wanted = bt_trim_blank(step, strlen(step));
    bool same = gate.length == wanted.length && memcmp(gate.data, wanted.data, gate.length) == 0;
    if (same && completed->items[i].passed)
      return &completed->items[i];
  }
  return NULL;
}

static void note_unused(struct bt_change *change, const struct bt_delivery *delivery,
                        const struct bt_steps *completed) {
  for (size_t i = 0; i < completed->count; i++) {
    struct bt_slice gate = bt_trim_blank(completed->items[i].gate, strlen(completed->items[i].gate));
    char *name = bt_arena_strndup(change->notes.arena, gate.data, gate.length);
    if (name != NULL && !bt_delivery_is_pending(delivery, name))
      bt_codes_add(&change->notes, "not pending, left out: %s", name);
  }
}

/* Appends an entry for every pending step; false with *missing when one has none. */
static bool complete_all(struct bt_evaluation *evaluation, const struct bt_steps *completed, const char *evidence,
                         struct bt_node *list, bool *missing) {
  const struct bt_texts *pending = &evaluation->delivery->pending;
  *missing = false;
  for (size_t i = 0; i < pending->count; i++) {
    const struct bt_delivery_step *given = entry_for(pending->items[i], completed);
    struct bt_slice step = bt_trim_blank(pending->items[i], strlen(pending->items[i]));
    const char *name = bt_arena_strndup(evaluation->arena, step.data, step.length);
    struct bt_delivery_step own = {name, "pass", evidence, true};
    *missing = given == NULL && (evidence == NULL || pending->count != 1);
    if (*missing || name == NULL)
      return false;
    if (given != NULL)
      own = (struct bt_delivery_step){name, given->verdict, given->evidence, true};
    if (!bt_node_push(list, bt_step_node(evaluation->arena, &own)))
      return false;
  }
  return true;
}

enum bt_code bt_change_close_delivered(struct bt_evaluation *evaluation, const struct bt_steps *completed,
                                       const char *evidence, int64_t now_ms, struct bt_change *change,
                                       struct bt_error *err) {
  struct bt_arena *arena = evaluation->arena;
  bool to_reconcile =
      evaluation->verdict == BT_VERDICT_RECONCILE_HEAD || evaluation->verdict == BT_VERDICT_RECONCILE_MERGED;
  bool missing = false;
  none_but_verdict(change, evaluation);
  if (evidence != NULL && bt_is_blank(evidence))
    return bt_error_set(err, BT_USAGE, "--evidence", "the evidence is blank");
  if (to_reconcile)
    bt_change_none(change, evaluation, "refused:reconcile-first", BT_DELIVERY_EXIT_REFUSED);
  if (evaluation->verdict != BT_VERDICT_USABLE)
    return BT_OK;
  struct bt_node *after = bt_node_clone(arena, evaluation->delivery->node);
  struct bt_node *list = after != NULL ? bt_node_get(after, "completed_steps") : NULL;
  if (list == NULL)
    return out_of_memory(err);
  if (!complete_all(evaluation, completed, evidence, list, &missing)) {
    if (!missing)
      return out_of_memory(err);
    bt_change_none(change, evaluation, "refused:steps-remain", BT_DELIVERY_EXIT_REFUSED);
    return BT_OK;
  }
  note_unused(change, evaluation->delivery, completed);
  if (!bt_node_set(arena, after, "pending_steps", bt_node_new(arena, BT_JSON_ARRAY)) ||
      !bt_node_set_string(arena, after, "status", "closed"))
    return out_of_memory(err);
  return bt_change_finish(evaluation, after, now_ms, change, err);
}

enum bt_code bt_change_close_boundary(struct bt_evaluation *evaluation, const char *detail, bool resumable,
                                      int64_t now_ms, struct bt_change *change, struct bt_error *err) {
  struct bt_arena *arena = evaluation->arena;
  none_but_verdict(change, evaluation);
  if (detail == NULL || bt_is_blank(detail))
    return bt_error_set(err, BT_USAGE, "--detail", "a boundary stop needs --detail: what stopped it");
  if (evaluation->delivery == NULL)
    return BT_OK;
  struct bt_node *after = bt_node_clone(arena, evaluation->delivery->node);
  if (after == NULL || !bt_node_set_string(arena, after, "stop_reason", "boundary-stop") ||
      !bt_node_set_string(arena, after, "stop_detail", detail) ||
      !bt_node_set_string(arena, after, "status", resumable ? "open" : "closed"))
    return out_of_memory(err);
  return bt_change_finish(evaluation, after, now_ms, change, err);
}
