/* core/delivery/record.c - from bytes to a judged record. */
#include "core/delivery/record.h"

#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/delivery/fields.h"
#include "core/delivery/identity.h"

struct judge {
  struct bt_arena *arena;
  struct bt_node *root;
  struct bt_codes *faults;
  struct bt_delivery *out;
  bool no_memory;
};

#define PATH_MAX_TEXT 96

/* ---- one value ---- */

/* The text of a string that must be there and not blank; otherwise NULL and a fault. */
static const char *required_text(struct judge *judge, const struct bt_node *node, const char *path) {
  const char *text = bt_node_text(node);
  if (node == NULL)
    bt_codes_add(judge->faults, "missing:%s", path);
  else if (text == NULL)
    bt_codes_add(judge->faults, "type:%s", path);
  else if (bt_is_blank(text))
    bt_codes_add(judge->faults, "value:%s", path);
  else
    return text;
  return NULL;
}

static const char *member_text(struct judge *judge, const char *key) {
  return required_text(judge, bt_node_get(judge->root, key), key);
}

/* NULL and a fault unless `good`. */
static const char *only_if(struct judge *judge, const char *text, const char *path, bool good) {
  if (text != NULL && !good)
    bt_codes_add(judge->faults, "value:%s", path);
  return good ? text : NULL;
}

/* An array of non-blank strings; false when anything about it is wrong. */
static bool read_texts(struct judge *judge, const struct bt_node *node, const char *path, struct bt_texts *out) {
  if (bt_node_type(node) != BT_JSON_ARRAY) {
    bt_codes_add(judge->faults, node == NULL ? "missing:%s" : "type:%s", path);
    return false;
  }
  size_t count = bt_node_count(node), index = 0, before = judge->faults->count;
  const char **items = BT_ARENA_ARRAY(judge->arena, const char *, count + 1);
  judge->no_memory = judge->no_memory || items == NULL;
  for (const struct bt_node *item = node->first; items != NULL && item != NULL; item = item->next, index++) {
    char place[PATH_MAX_TEXT];
    (void)snprintf(place, sizeof place, "%s[%zu]", path, index);
    items[index] = required_text(judge, item, place);
  }
  bool good = items != NULL && judge->faults->count == before;
  if (good)
    *out = (struct bt_texts){items, count};
  return good;
}

/* ---- the fields, in the order of the table ---- */

static bool judge_status(struct judge *judge) {
  const char *status = member_text(judge, "status");
  bool good = status != NULL && (strcmp(status, "open") == 0 || strcmp(status, "closed") == 0);
  return only_if(judge, status, "status", good) != NULL && strcmp(status, "open") == 0;
}

static void judge_boundary(struct judge *judge) {
  const struct bt_node *boundary = bt_node_get(judge->root, "authorization_boundary");
  if (bt_node_type(boundary) != BT_JSON_OBJECT) {
    bt_codes_add(judge->faults, boundary == NULL ? "missing:%s" : "type:%s", "authorization_boundary");
    return;
  }
  (void)read_texts(judge, bt_node_get(boundary, "authorized"), "authorization_boundary.authorized",
                   &judge->out->authorized);
  (void)read_texts(judge, bt_node_get(boundary, "out_of_scope"), "authorization_boundary.out_of_scope",
                   &judge->out->out_of_scope);
}

static void judge_repository(struct judge *judge) {
  bool no_memory = false;
  const char *text = member_text(judge, "repository");
  bool good = text != NULL && bt_identity_of(judge->arena, text, &no_memory) != NULL;
  judge->no_memory = judge->no_memory || no_memory;
  judge->out->repository = only_if(judge, text, "repository", good);
}

/* The only field that may be null. True when it is sound. */
static bool judge_pull_request(struct judge *judge) {
  const struct bt_node *node = bt_node_get(judge->root, "pull_request");
  struct bt_slice number = {NULL, 0};
  if (bt_node_type(node) == BT_JSON_NULL)
    return true;
  const char *text = required_text(judge, node, "pull_request");
  bool good = text != NULL && bt_pull_request_number(text, &number);
  judge->out->pull_request = only_if(judge, text, "pull_request", good);
  if (good) {
    judge->out->pr_number = bt_arena_strndup(judge->arena, number.data, number.length);
    judge->no_memory = judge->no_memory || judge->out->pr_number == NULL;
  }
  return good;
}

static void judge_head(struct judge *judge) {
  const char *text = member_text(judge, "head_sha");
  if (only_if(judge, text, "head_sha", text != NULL && bt_object_id_valid(text)) == NULL)
    return;
  char *lower = bt_arena_strdup(judge->arena, text);
  judge->no_memory = judge->no_memory || lower == NULL;
  for (char *at = lower; at != NULL && *at != '\0'; at++)
    *at = bt_ascii_lower(*at);
  judge->out->head = lower;
}

static void judge_step(struct judge *judge, const struct bt_node *node, size_t index, struct bt_delivery_step *out) {
  static const char *const keys[] = {"gate", "verdict", "evidence"};
  const char *texts[3];
  char path[PATH_MAX_TEXT];
  if (node->type != BT_JSON_OBJECT) {
    bt_codes_add(judge->faults, "type:completed_steps[%zu]", index);
    return;
  }
  for (size_t i = 0; i < 3; i++) {
    (void)snprintf(path, sizeof path, "completed_steps[%zu].%s", index, keys[i]);
    texts[i] = required_text(judge, bt_node_get(node, keys[i]), path);
  }
  *out = (struct bt_delivery_step){texts[0], texts[1], texts[2], texts[1] != NULL && bt_ascii_word(texts[1], "pass")};
}

/* True when every entry is sound. */
static bool judge_completed(struct judge *judge) {
  const struct bt_node *node = bt_node_get(judge->root, "completed_steps");
  if (bt_node_type(node) != BT_JSON_ARRAY) {
    bt_codes_add(judge->faults, node == NULL ? "missing:%s" : "type:%s", "completed_steps");
    return false;
  }
  size_t count = bt_node_count(node), index = 0, before = judge->faults->count;
  struct bt_delivery_step *steps = BT_ARENA_ARRAY(judge->arena, struct bt_delivery_step, count + 1);
  judge->no_memory = judge->no_memory || steps == NULL;
  for (const struct bt_node *item = node->first; steps != NULL && item != NULL; item = item->next, index++)
    judge_step(judge, item, index, &steps[index]);
  if (steps == NULL || judge->faults->count != before)
    return false;
  judge->out->completed = steps;
  judge->out->completed_count = count;
  return true;
}

static void judge_stop(struct judge *judge) {
  static const char *const reasons[] = {"tool-limit",  "context-limit", "worker-loss",
                                        "session-end", "user-pause",    "boundary-stop"};
  const char *text = member_text(judge, "stop_reason");
  bool good = false;
  for (size_t i = 0; text != NULL && i < sizeof reasons / sizeof *reasons; i++)
    good = good || strcmp(text, reasons[i]) == 0;
  judge->out->stop_reason = only_if(judge, text, "stop_reason", good);
  bool needs_detail = judge->out->stop_reason != NULL && strcmp(text, "boundary-stop") == 0;
  const struct bt_node *detail = bt_node_get(judge->root, "stop_detail");
  enum bt_json_type type = bt_node_type(detail);
  if (type != BT_JSON_ABSENT && type != BT_JSON_NULL && type != BT_JSON_STRING)
    bt_codes_add(judge->faults, "type:stop_detail");
  else if (needs_detail && type != BT_JSON_STRING)
    bt_codes_add(judge->faults, "missing:stop_detail");
  else if (needs_detail && bt_is_blank(detail->text))
    bt_codes_add(judge->faults, "value:stop_detail");
  else if (type == BT_JSON_STRING && !bt_is_blank(detail->text))
    judge->out->stop_detail = detail->text;
}

static void judge_time(struct judge *judge) {
  const char *text = member_text(judge, "updated_at");
  bool good = text != NULL && bt_utc_time(text, strlen(text), &judge->out->updated_ms);
  judge->out->updated_at = only_if(judge, text, "updated_at", good);
}

static void judge_fields(struct judge *judge) {
  struct bt_delivery *out = judge->out;
  bool open = judge_status(judge);
  out->store = member_text(judge, "store");
  out->directive = member_text(judge, "directive");
  judge_boundary(judge);
  judge_repository(judge);
  bool pr_sound = judge_pull_request(judge);
  const char *branch = member_text(judge, "branch");
  out->branch = only_if(judge, branch, "branch", branch != NULL && bt_branch_valid(branch));
  judge_head(judge);
  bool completed_sound = judge_completed(judge);
  bool pending_sound = read_texts(judge, bt_node_get(judge->root, "pending_steps"), "pending_steps", &out->pending);
  (void)read_texts(judge, bt_node_get(judge->root, "watchers"), "watchers", &out->watchers);
  judge_stop(judge);
  judge_time(judge);
  if (open && pending_sound && out->pending.count == 0)
    bt_codes_add(judge->faults, "inconsistent:open-without-pending");
  bool opened = false;
  for (size_t i = 0; i < out->completed_count; i++)
    opened = opened || (out->completed[i].passed && bt_trimmed_equals(out->completed[i].gate, "pr-open"));
  if (pr_sound && completed_sound && out->pull_request == NULL && opened)
    bt_codes_add(judge->faults, "inconsistent:pr-open-without-pr");
}

/* ---- the whole ---- */

void bt_delivery_unreadable(struct bt_arena *arena, const char *reason, struct bt_delivery_reading *reading) {
  *reading = (struct bt_delivery_reading){.kind = BT_DELIVERY_CORRUPT, .foreign = true};
  reading->delivery.updated_ms = BT_TIME_UNKNOWN;
  bt_codes_init(&reading->faults, arena);
  bt_codes_add(&reading->faults, "%s", reason);
}

/* The schema member, on which all else depends. NULL: it is this one. */
static const char *schema_fault(const struct bt_node *root) {
  const struct bt_node *schema = bt_node_get(root, "schema");
  if (root->type != BT_JSON_OBJECT)
    return "type:$";
  if (schema == NULL)
    return "missing:schema";
  if (schema->type != BT_JSON_STRING)
    return "type:schema";
  return strcmp(schema->text, BT_DELIVERY_SCHEMA) == 0 ? NULL : "schema:unsupported";
}

enum bt_code bt_delivery_judge(struct bt_arena *arena, struct bt_node *root, struct bt_delivery_reading *reading,
                               struct bt_error *err) {
  const char *fault = schema_fault(root);
  if (fault != NULL) {
    bt_delivery_unreadable(arena, fault, reading);
    return reading->faults.failed ? bt_error_set(err, BT_NOMEM, "record", "out of memory") : BT_OK;
  }
  *reading = (struct bt_delivery_reading){.kind = BT_DELIVERY_OPEN};
  bt_codes_init(&reading->faults, arena);
  reading->delivery.node = root;
  reading->delivery.updated_ms = BT_TIME_UNKNOWN;
  struct judge judge = {arena, root, &reading->faults, &reading->delivery, false};
  judge_fields(&judge);
  const char *status = bt_node_text(bt_node_get(root, "status"));
  if (status != NULL && strcmp(status, "closed") == 0)
    reading->kind = BT_DELIVERY_CLOSED;
  else if (reading->faults.count > 0)
    reading->kind = BT_DELIVERY_CORRUPT;
  if (judge.no_memory || reading->faults.failed)
    return bt_error_set(err, BT_NOMEM, "record", "out of memory");
  return BT_OK;
}

enum bt_code bt_delivery_read(struct bt_arena *arena, const char *bytes, size_t length,
                              struct bt_delivery_reading *reading, struct bt_error *err) {
  struct bt_node *root = NULL;
  const char *reason = "limit:size";
  enum bt_code code = BT_CORRUPT;
  if (length <= BT_DELIVERY_BYTES_MAX)
    code = bt_doc_parse(arena, bytes, length, &root, &reason, err);
  if (code == BT_OK)
    return bt_delivery_judge(arena, root, reading, err);
  if (code == BT_NOMEM)
    return code;
  bt_delivery_unreadable(arena, reason, reading);
  return reading->faults.failed ? bt_error_set(err, BT_NOMEM, "record", "out of memory") : BT_OK;
}
