/* core/delivery/pr.c - the members of a pull request's snapshot. */
#include "core/delivery/pr.h"

#include <string.h>

#include "core/base/clock.h"
#include "core/base/number.h"
#include "core/delivery/fields.h"

struct reading {
  struct bt_arena *arena;
  const struct bt_node *root;
  bool wrong, no_memory;
};

const char *bt_pr_state_word(enum bt_pr_state state) {
  static const char *const words[BT_PR_STATE_COUNT] = {"open",    "closed",  "merged",
                                                       "missing", "unknown", "contradictory"};
  return words[state];
}

void bt_pr_unreadable(struct bt_pr *pr) {
  *pr = (struct bt_pr){.given = true, .fault = "pr:unreadable", .state = BT_PR_UNKNOWN, .age_ms = BT_TIME_UNKNOWN};
}

void bt_pr_not_found(struct bt_pr *pr) {
  *pr = (struct bt_pr){.given = true, .state = BT_PR_MISSING};
}

bool bt_pr_speaks_of(const struct bt_pr *pr, const char *number) {
  if (!pr->given || pr->fault != NULL)
    return false;
  return !pr->has_number || bt_decimal_to_double(number, strlen(number)) == pr->number;
}

/* A string, or null or absent for NULL; anything else is wrong. */
static const char *optional_text(struct reading *reading, const char *key) {
  const struct bt_node *node = bt_node_get(reading->root, key);
  enum bt_json_type type = bt_node_type(node);
  reading->wrong = reading->wrong || (type != BT_JSON_ABSENT && type != BT_JSON_NULL && type != BT_JSON_STRING);
  return bt_node_text(node);
}

/* A full object id in lower case, NULL for NULL. */
static const char *object_id(struct reading *reading, const char *text) {
  if (text == NULL)
    return NULL;
  if (!bt_object_id_valid(text)) {
    reading->wrong = true;
    return NULL;
  }
  char *lower = bt_arena_strdup(reading->arena, text);
  reading->no_memory = reading->no_memory || lower == NULL;
  for (char *at = lower; at != NULL && *at != '\0'; at++)
    *at = bt_ascii_lower(*at);
  return lower;
}

/* An object with `oid`, or the id itself. */
static const char *merge_commit(struct reading *reading) {
  const struct bt_node *node = bt_node_get(reading->root, "mergeCommit");
  enum bt_json_type type = bt_node_type(node);
  if (type == BT_JSON_OBJECT)
    node = bt_node_get(node, "oid");
  else if (type == BT_JSON_ABSENT || type == BT_JSON_NULL)
    return NULL;
  reading->wrong = reading->wrong || bt_node_text(node) == NULL;
  return object_id(reading, bt_node_text(node));
}

static enum bt_pr_state state_of(const char *word, bool merged) {
  if (bt_ascii_word(word, "OPEN"))
    return merged ? BT_PR_CONTRADICTORY : BT_PR_OPEN;
  if (bt_ascii_word(word, "MERGED"))
    return BT_PR_MERGED;
  if (bt_ascii_word(word, "CLOSED"))
    return merged ? BT_PR_MERGED : BT_PR_CLOSED;
  return bt_ascii_word(word, "NOT_FOUND") ? BT_PR_MISSING : BT_PR_UNKNOWN;
}

/* When it was fetched, by its own word or by ours. */
static int64_t fetched_at(struct reading *reading, int64_t taken_ms) {
  const struct bt_node *node = bt_node_get(reading->root, "fetchedAt");
  const char *text = bt_node_text(node);
  if (node == NULL)
    return taken_ms;
  int64_t time_ms = taken_ms;
  reading->wrong = reading->wrong || text == NULL || !bt_utc_time(text, strlen(text), &time_ms);
  return time_ms;
}

static void read_members(struct reading *reading, int64_t taken_ms, int64_t now_ms, struct bt_pr *pr) {
  const struct bt_node *number = bt_node_get(reading->root, "number");
  const char *state = bt_node_text(bt_node_get(reading->root, "state"));
  const char *merged_at = optional_text(reading, "mergedAt");
  bool merged = merged_at != NULL && merged_at[0] != '\0';
  *pr = (struct bt_pr){.given = true};
  pr->merge = merge_commit(reading);
  pr->head = object_id(reading, optional_text(reading, "headRefOid"));
  pr->body = optional_text(reading, "body");
  pr->base = optional_text(reading, "baseRefName");
  if (pr->base != NULL && pr->base[0] == '\0')
    pr->base = NULL;
  const char *reverted = optional_text(reading, "revertedBy");
  pr->reverted = reverted != NULL && reverted[0] != '\0';
  pr->has_number = number != NULL;
  pr->age_ms = now_ms - fetched_at(reading, taken_ms);
  bool bad_number = number != NULL && !bt_node_integer(number, &pr->number);
  bool bad_time = merged && !bt_utc_time(merged_at, strlen(merged_at), NULL);
  reading->wrong = reading->wrong || state == NULL || bad_number || bad_time;
  pr->state = state != NULL ? state_of(state, merged) : BT_PR_UNKNOWN;
}

enum bt_code bt_pr_read(struct bt_arena *arena, const char *bytes, size_t length, int64_t taken_ms, int64_t now_ms,
                        int64_t max_age_s, struct bt_pr *pr, struct bt_error *err) {
  struct bt_node *root = NULL;
  const char *reason = NULL;
  bt_pr_unreadable(pr);
  enum bt_code code = length <= BT_BODY_MAX ? bt_doc_parse(arena, bytes, length, &root, &reason, err) : BT_CORRUPT;
  if (code == BT_NOMEM)
    return code;
  if (code != BT_OK || root->type != BT_JSON_OBJECT)
    return BT_OK;
  struct reading reading = {arena, root, false, false};
  read_members(&reading, taken_ms, now_ms, pr);
  pr->text = bt_arena_strndup(arena, bytes, length);
  if (reading.no_memory || pr->text == NULL)
    return bt_error_set(err, BT_NOMEM, "pull request", "out of memory");
  if (reading.wrong)
    bt_pr_unreadable(pr);
  else if (pr->age_ms > max_age_s * 1000)
    pr->fault = "pr:snapshot-old";
  if (pr->fault != NULL || pr->body == NULL)
    return BT_OK;
  return bt_blocks_find(arena, pr->body, strlen(pr->body), &pr->blocks, err);
}
