/* cli/page_json.c - what is on show, in the words of `baton list --json` and its siblings. */
#include "cli/page_json.h"

#include "cli/facts.h"
#include "cli/why_print.h"
#include "core/model/delivery_view.h"
#include "core/model/log_view.h"
#include "core/model/records_view.h"
#include "views/prepare.h"
#include "views/view.h"

static void put_sessions(struct json_out *json, const struct bt_snapshot *snapshot, const struct bt_scene *scene) {
  const struct bt_prepared *rows = scene->prepared;
  facts_totals(json, snapshot);
  json_open(json, "sessions", '[');
  for (size_t i = 0; i < rows->session_count; i++) {
    json_open(json, NULL, '{');
    facts_session(json, snapshot, &snapshot->sessions[rows->sessions[i]]);
    json_close(json, '}');
  }
  json_close(json, ']');
  facts_rest(json, snapshot);
}

static void put_locks(struct json_out *json, const struct bt_snapshot *snapshot, const struct bt_scene *scene) {
  const struct bt_prepared *rows = scene->prepared;
  facts_lock_totals(json, snapshot);
  json_open(json, "locks", '[');
  for (size_t i = 0; i < rows->lock_count; i++)
    facts_lock(json, NULL, &snapshot->locks[rows->locks[i]]);
  json_close(json, ']');
  facts_problems(json, snapshot);
}

static void put_entry(struct json_out *json, const struct bt_log_row *row) {
  json_open(json, NULL, '{');
  json_bool(json, "derived", row->derived); /* told by a file: no signed entry */
  json_text(json, "seq", row->seq);
  json_text(json, "gate", row->gate);
  json_time(json, "ts", row->ts_ms);
  json_text(json, "session", row->session);
  json_text(json, "successor", row->successor);
  json_text(json, "ticket", row->ticket);
  json_text(json, "outcome", row->outcome);
  json_text(json, "file", row->file);
  json_integer(json, "line", (int64_t)row->line);
  json_bool(json, "chain_ok", row->chain_ok);
  json_text(json, "reason", row->chain_reason);
  json_text(json, "signature", bt_log_signature_word(row->signature));
  json_text(json, "read_as", row->read_as);
  json_close(json, '}');
}

static void put_log(struct json_out *json, const struct bt_scene *scene) {
  const struct bt_log_view *log = scene->log;
  const struct bt_prepared *rows = scene->prepared;
  json_integer(json, "entries_known", (int64_t)log->entries);
  json_bool(json, "older_left_out", log->cut);
  json_text(json, "chain_broken", log->chain_broken);
  json_open(json, "entries", '[');
  for (size_t i = 0; i < rows->log_count; i++)
    put_entry(json, &log->rows[rows->log[i]]);
  json_close(json, ']');
}

static void put_count(struct json_out *json, const char *key, double number) { /* negative: not known */
  if (number < 0)
    json_null(json, key);
  else
    json_number(json, key, number);
}

static void put_records(struct json_out *json, const struct bt_records_view *records) {
  json_text(json, "root", records->root);
  json_text(json, "rule", records->rule);
  json_open(json, "records", '[');
  for (size_t i = 0; i < records->count; i++) {
    const struct bt_record_item *item = &records->items[i];
    json_open(json, NULL, '{');
    json_text(json, "id", item->id);
    json_text(json, "session", item->session);
    json_text(json, "project", item->project);
    json_text(json, "harness", item->harness);
    json_text(json, "model", item->model);
    json_text(json, "objective", item->objective);
    json_text(json, "folder", item->folder);
    json_text(json, "source", item->source);
    json_time(json, "updated_at", item->updated_ms);
    put_count(json, "turns", item->turns);
    put_count(json, "revisions", item->revisions);
    json_text(json, "verdict", bt_record_verdict_word(item->verdict));
    json_text(json, "why", item->why);
    json_text(json, "source_state", bt_record_source_word(item->source_state));
    json_close(json, '}');
  }
  json_close(json, ']');
}

static void put_words(struct json_out *json, const char *key, const struct bt_delivery_words *words) {
  json_open(json, key, '[');
  for (size_t i = 0; i < words->count; i++)
    json_text(json, NULL, words->items[i]);
  json_close(json, ']');
}

static void put_delivery(struct json_out *json, const struct bt_delivery_row *row) {
  json_open(json, NULL, '{');
  json_text(json, "tree", row->tree);
  json_text(json, "error", row->error);
  json_text(json, "source", row->error ? NULL : row->source);
  json_text(json, "path", row->error ? NULL : row->path);
  json_text(json, "verdict", row->error ? NULL : row->verdict);
  if (!row->error && row->governed) {
    json_text(json, "directive", row->directive);
    json_text(json, "repository", row->repository);
    json_text(json, "branch", row->branch);
    json_text(json, "head", row->head);
    json_text(json, "live_head", row->live_head);
    put_words(json, "authorized", &row->authorized);
    put_words(json, "out_of_scope", &row->withheld);
    json_text(json, "stop_reason", row->stop_reason);
    json_text(json, "stop_detail", row->stop_detail);
    json_text(json, "next_step", row->next_step);
    json_text(json, "pr_number", row->pr_number);
    json_text(json, "pr_state", row->pr_state);
    json_time(json, "updated_at", row->updated_ms);
    put_words(json, "pending", &row->pending);
    json_open(json, "done", '[');
    for (size_t i = 0; i < row->done_count; i++) {
      json_open(json, NULL, '{');
      json_text(json, "gate", row->done[i].gate);
      json_text(json, "verdict", row->done[i].verdict);
      json_text(json, "evidence", row->done[i].evidence);
      json_bool(json, "invalid", row->done[i].invalid);
      json_close(json, '}');
    }
    json_close(json, ']');
  }
  if (!row->error) {
    put_words(json, "reasons", &row->reasons);
    put_words(json, "warnings", &row->warnings);
  }
  json_close(json, '}');
}

static void put_deliveries(struct json_out *json, const struct bt_delivery_view *view) {
  json_time(json, "taken_at", view->taken_at_ms);
  json_bool(json, "forge_asked", view->forge_asked);
  json_open(json, "deliveries", '[');
  for (size_t i = 0; i < view->count; i++)
    put_delivery(json, &view->rows[i]);
  json_close(json, ']');
}

/* Of the ledger, with its head; false: there is no such session any more. */
static bool put_ledger(struct json_out *json, const struct bt_snapshot *snapshot, const struct bt_scene *scene) {
  const struct bt_session *session = scene->page == BT_PAGE_SESSION ? bt_view_session(scene, snapshot) : NULL;
  facts_head(json, snapshot);
  if (session)
    facts_session(json, snapshot, session);
  else if (scene->page == BT_PAGE_LOCKS)
    put_locks(json, snapshot, scene);
  else
    put_sessions(json, snapshot, scene);
  return session || scene->page != BT_PAGE_SESSION;
}

bool page_json(const struct bt_snapshot *snapshot, const struct bt_scene *scene, struct bt_str *out) {
  struct json_out json;
  bool shown = true;
  if (scene->page == BT_PAGE_WHY)
    return scene->why && why_json(scene->why, out);
  json_begin_kept(&json);
  if (scene->page == BT_PAGE_LOG || scene->page == BT_PAGE_RECORDS || scene->page == BT_PAGE_DELIVERIES)
    json_integer(&json, "schema_version", FACTS_SCHEMA_VERSION);
  if (scene->page == BT_PAGE_LOG && scene->log)
    put_log(&json, scene);
  else if (scene->page == BT_PAGE_RECORDS && scene->records)
    put_records(&json, scene->records);
  else if (scene->page == BT_PAGE_DELIVERIES && scene->deliveries)
    put_deliveries(&json, scene->deliveries);
  else if (snapshot && (scene->page == BT_PAGE_LIST || scene->page == BT_PAGE_SESSION || scene->page == BT_PAGE_LOCKS))
    shown = put_ledger(&json, snapshot, scene);
  else
    shown = false;
  return json_end_kept(&json, out) && shown;
}
