/* core/store/log_view_derived.c - what files beside the manifest say: denies, grants that are gone, what was refused. */
#include "core/store/log_view_build.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/hashset.h"
#include "core/store/own_log.h"

#define GATE_BYPASS "context-handoff-bypass"

static struct bt_log_row *add_derived(struct bt_log_build *build, const char *key, const char *what, int64_t ts_ms) {
  struct bt_log_row *row = &build->rows[build->count++];
  *row = (struct bt_log_row){
      .derived = true, .ts_ms = ts_ms, .order_ms = ts_ms, .gate = what, .signature = BT_LOG_NO_ENTRY, .chain_ok = true};
  row->key = bt_log_keep_made(build, bt_arena_printf(build->arena, "%s %s", what, key));
  return row;
}

static struct bt_log_row *add_of_deny(struct bt_log_build *build, const struct bt_deny *deny, const char *what,
                                      int64_t ts_ms) {
  struct bt_log_row *row = add_derived(build, deny->session_id, what, ts_ms);
  row->session = bt_log_keep(build, deny->session_id);
  row->ticket = bt_log_keep(build, deny->ticket_id);
  row->file = bt_log_keep(build, deny->path);
  return row;
}

static void add_deny(struct bt_log_build *build, const struct bt_deny *deny) {
  if (deny->status == BT_DENY_INVALID || deny->session_id == NULL)
    return;
  if (deny->since_ms != BT_TIME_UNKNOWN) {
    struct bt_log_row *row = add_of_deny(build, deny, "(deny opened)", deny->since_ms);
    row->outcome = bt_log_keep(build, deny->host);
    row->read_as = "Told by the deny record itself. Opening a deny leaves no signed entry.";
  }
  if (deny->status == BT_DENY_CONSUMED && deny->consumed_at_ms != BT_TIME_UNKNOWN) {
    struct bt_log_row *row = add_of_deny(build, deny, "(deny consumed)", deny->consumed_at_ms);
    row->successor = bt_log_keep(build, deny->consumed_by);
    row->outcome =
        bt_log_keep_made(build, bt_arena_printf(build->arena, "-> %s", deny->consumed_by ? deny->consumed_by : "?"));
    row->read_as = "Told by the deny record itself: the entry before it says who was authorised.";
  }
}

static bool is_there(const struct bt_snapshot *snapshot, const char *session) {
  for (size_t i = 0; i < snapshot->grant_count; i++)
    if (bt_text_equals(snapshot->grants[i].session_id, session))
      return true;
  return false;
}

/* A gate removes a grant when it uses it, and nothing else does: an expired one stays. So the newest grant of a session that
 * has no grant file was spent; when, no file says. Earlier ones of that session may also have been replaced. */
static enum bt_code add_spent(struct bt_log_build *build, const struct bt_snapshot *snapshot, size_t entries,
                              struct bt_error *err) {
  struct bt_hashset met;
  bool failed = false;
  bt_hashset_init(&met);
  for (size_t i = 0; i < entries && !failed; i++) {
    const struct bt_log_row *entry = &build->rows[i];
    if (!bt_text_equals(entry->gate, GATE_BYPASS) || entry->session == NULL ||
        !bt_hashset_add(&met, bt_id_hash(entry->session, strlen(entry->session)), &failed) || failed ||
        is_there(snapshot, entry->session))
      continue;
    struct bt_log_row *row = add_derived(build, entry->key, "(grant spent)", BT_TIME_UNKNOWN);
    row->order_ms = entry->ts_ms != BT_TIME_UNKNOWN ? entry->ts_ms + 1 : BT_TIME_UNKNOWN;
    row->session = entry->session;
    row->ticket = entry->ticket;
    row->outcome = "used";
    row->read_as = bt_log_keep_made(
        build,
        bt_arena_printf(build->arena,
                        "The grant of entry %s is not there any more: a gate removes it when it lets its one call "
                        "through. When that was, no file says.",
                        entry->seq != NULL ? entry->seq : "?"));
  }
  bt_hashset_dispose(&met);
  return failed ? bt_error_set(err, BT_NOMEM, "evidence", "out of memory") : BT_OK;
}

static enum bt_code add_refusals(struct bt_log_build *build, struct bt_error *err) {
  struct bt_own_refusal *list = BT_ARENA_ARRAY(build->arena, struct bt_own_refusal, BT_OWN_LOG_MAX);
  size_t count = 0;
  if (list == NULL)
    return bt_error_set(err, BT_NOMEM, "evidence", "out of memory");
  enum bt_code code = bt_own_log_refusals(build->env, build->arena, list, &count, err);
  for (size_t i = 0; i < count && code == BT_OK; i++) {
    const struct bt_own_refusal *one = &list[i];
    const char *what = bt_arena_printf(build->arena, "(baton %s)", one->verb);
    const char *about = one->session != NULL ? one->session : one->subject != NULL ? one->subject : "-";
    struct bt_log_row *row = add_derived(build, about, what != NULL ? what : "(baton)", one->ts_ms);
    build->failed |= what == NULL;
    row->key = bt_log_keep_made(build, bt_arena_printf(build->arena, "%s %s %" PRId64, row->gate, about, one->ts_ms));
    row->session = about;
    row->successor = one->successor;
    row->outcome = one->verdict;
    row->signature = BT_LOG_OWN;
    row->read_as = bt_log_keep_made(
        build,
        bt_arena_printf(build->arena, "%s%sAsked for by %s@%s; nothing was changed by it unless the words say so.",
                        one->detail != NULL ? one->detail : "", one->detail != NULL ? ". " : "",
                        one->user != NULL ? one->user : "?", one->host != NULL ? one->host : "?"));
  }
  return code;
}

static int newer_first(const void *a, const void *b) {
  const struct bt_log_row *left = a, *right = b;
  if (left->order_ms != right->order_ms)
    return (left->order_ms < right->order_ms) - (left->order_ms > right->order_ms);
  return left->key != NULL && right->key != NULL ? strcmp(left->key, right->key) : 0;
}

size_t bt_log_derived_max(const struct bt_snapshot *snapshot, size_t entries) {
  return entries + 2 * snapshot->deny_count + BT_OWN_LOG_MAX;
}

enum bt_code bt_log_derived(struct bt_log_build *build, const struct bt_snapshot *snapshot, size_t entries,
                            struct bt_error *err) {
  enum bt_code code = BT_OK;
  for (size_t i = 0; i < snapshot->deny_count; i++)
    add_deny(build, &snapshot->denies[i]);
  if (!snapshot->ledger_error)
    code = add_spent(build, snapshot, entries, err);
  if (code == BT_OK)
    code = add_refusals(build, err);
  qsort(build->rows + entries, build->count - entries, sizeof *build->rows, newer_first);
  return code;
}
