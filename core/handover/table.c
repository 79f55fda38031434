/* core/handover/table.c - copying sessions into a table, a table into a snapshot. */
#include "core/handover/table.h"

#include <string.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/handover/mod.h"
#include "core/handover/records.h"

#define TABLE_MAX ((size_t)64 * 1024 * 1024)

struct bt_handover_table {
  struct bt_arena *arena;
  struct bt_handover *items;
  size_t count;
  struct bt_handover_mod mod;
};

void bt_handover_table_free(struct bt_handover_table *table) {
  if (table != NULL)
    bt_arena_free(table->arena);
}

static int64_t time_of(const char *text) {
  int64_t time_ms;
  return bt_time_parse_utc(text, strlen(text), &time_ms) ? time_ms : BT_TIME_UNKNOWN;
}

/* False: out of memory. */
static bool copy_session(struct bt_arena *arena, struct bt_handover_shelves *shelves,
                         const struct bt_ask_session *session, struct bt_handover *out) {
  const struct bt_ask_replay *replay = &session->replay;
  const struct bt_ask_machine *machine = &replay->machine;
  const struct bt_ask_write *last = replay->write_count > 0 ? &replay->writes[replay->write_count - 1] : NULL;
  enum bt_ask_state state = bt_ask_state_of(machine);
  bool measured = machine->fill != BT_ASK_UNKNOWN;
  *out = (struct bt_handover){.session = bt_arena_strdup(arena, session->id),
                              .state = state,
                              .measured = measured,
                              .fill = measured ? machine->fill : 0,
                              .window = measured ? machine->window : 0,
                              .line = measured ? (int64_t)machine->line : 0,
                              .cause = state == BT_ASK_STATE_REARMED ? bt_ask_cause_word(machine->cause) : NULL,
                              .asked_ms = machine->asked ? time_of(replay->asked_at) : BT_TIME_UNKNOWN,
                              .compacted_before_written = machine->compacted_before_written};
  if (replay->root != NULL)
    out->root = bt_arena_strdup(arena, replay->root);
  if (machine->written && last != NULL && last->path != NULL)
    out->written_path = bt_arena_strdup(arena, last->path);
  bool whole = out->session != NULL && (replay->root == NULL || out->root != NULL);
  return whole && bt_handover_records(arena, shelves, session, BT_HANDOVER_RECORDS_SHOWN, &out->records,
                                      &out->record_count, &out->record_total);
}

/* A request came into one of these sessions after the module was written: the provider has loaded it. */
static bool is_seen_at_work(const struct bt_ask_sessions *sessions, const char *root, int64_t since_ms) {
  bool seen = false;
  for (size_t i = 0; i < sessions->count && !seen; i++) {
    const struct bt_ask_replay *replay = &sessions->items[i]->replay;
    seen = replay->request_marked && replay->root != NULL && strcmp(replay->root, root) == 0 &&
           time_of(replay->marker_at) != BT_TIME_UNKNOWN && time_of(replay->marker_at) >= since_ms;
  }
  return seen;
}

/* What cannot be looked at is not said. */
static struct bt_handover_mod look_at_mod(const struct bt_env *env, const struct bt_ask_sessions *sessions) {
  const struct bt_mod_row *row = bt_mod_row("claude-code");
  struct bt_handover_mod mod = {NULL, NULL};
  struct bt_mod_found found;
  int root = bt_fs_open_root(env->root, NULL);
  if (root < 0)
    return mod;
  struct bt_policy policy = bt_policy_of(root);
  if (bt_mod_look(root, row, &found, NULL) == BT_OK) {
    bool seen = is_seen_at_work(sessions, env->root, found.module_mtime_ns / 1000000);
    struct bt_mod_state state = bt_mod_state_of(row, &found, &policy, seen);
    mod = (struct bt_handover_mod){state.state, state.reason};
  }
  close(root);
  return mod;
}

enum bt_code bt_handover_table_new(const struct bt_env *env, const struct bt_ask_sessions *sessions,
                                   struct bt_handover_table **table, struct bt_error *err) {
  struct bt_arena *arena = bt_arena_new(TABLE_MAX);
  struct bt_handover_table *made = arena != NULL ? BT_ARENA_NEW(arena, struct bt_handover_table) : NULL;
  *table = NULL;
  if (made != NULL) {
    made->arena = arena;
    made->items = BT_ARENA_ARRAY(arena, struct bt_handover, sessions->count + 1);
    made->mod = look_at_mod(env, sessions);
  }
  struct bt_handover_shelves *shelves = bt_handover_shelves_new();
  bool whole = made != NULL && made->items != NULL && shelves != NULL;
  for (size_t i = 0; whole && i < sessions->count; i++)
    if (bt_ask_session_is_current(sessions->items[i]))
      whole = copy_session(arena, shelves, sessions->items[i], &made->items[made->count++]);
  bt_handover_shelves_free(shelves);
  if (!whole) {
    bt_arena_free(arena);
    return bt_error_set(err, BT_NOMEM, "handovers", "out of memory");
  }
  *table = made;
  return BT_OK;
}

static bool same_records(const struct bt_handover *a, const struct bt_handover *b) {
  if (a->record_count != b->record_count || a->record_total != b->record_total)
    return false;
  for (size_t i = 0; i < a->record_count; i++)
    if (strcmp(a->records[i].path, b->records[i].path) != 0 || a->records[i].time_ms != b->records[i].time_ms ||
        a->records[i].by_worker != b->records[i].by_worker)
      return false;
  return true;
}

static bool same(const struct bt_handover *a, const struct bt_handover *b) {
  return strcmp(a->session, b->session) == 0 && a->state == b->state && a->measured == b->measured &&
         a->fill == b->fill && a->window == b->window && a->line == b->line && a->asked_ms == b->asked_ms &&
         a->compacted_before_written == b->compacted_before_written && bt_text_equals(a->cause, b->cause) &&
         bt_text_equals(a->written_path, b->written_path) && same_records(a, b);
}

bool bt_handover_table_same(const struct bt_handover_table *a, const struct bt_handover_table *b) {
  if (a == NULL || b == NULL)
    return a == b;
  if (a->count != b->count || !bt_text_equals(a->mod.state, b->mod.state) ||
      !bt_text_equals(a->mod.reason, b->mod.reason))
    return false;
  for (size_t i = 0; i < a->count; i++)
    if (!same(&a->items[i], &b->items[i]))
      return false;
  return true;
}

/* ---- into a snapshot ---- */

static bool copy(struct bt_arena *arena, const struct bt_handover *from, const char *session, struct bt_handover *to) {
  struct bt_handover_record *records = BT_ARENA_ARRAY(arena, struct bt_handover_record, from->record_count + 1);
  *to = *from;
  to->session = session; /* the snapshot's own */
  to->root = from->root != NULL ? bt_arena_strdup(arena, from->root) : NULL;
  to->written_path = from->written_path != NULL ? bt_arena_strdup(arena, from->written_path) : NULL;
  to->records = records;
  for (size_t i = 0; records != NULL && i < from->record_count; i++) {
    records[i] = from->records[i];
    records[i].path = bt_arena_strdup(arena, from->records[i].path);
    if (records[i].path == NULL)
      return false;
  }
  return records != NULL && (to->root != NULL || from->root == NULL) &&
         (to->written_path != NULL || from->written_path == NULL);
}

void bt_handover_attach(struct bt_snapshot *snapshot, const struct bt_handover_table *table) {
  struct bt_handover *items = BT_ARENA_ARRAY(snapshot->arena, struct bt_handover, snapshot->session_count + 1);
  size_t count = 0;
  bool whole = table != NULL && items != NULL;
  snapshot->handovers = NULL;
  snapshot->handover_count = 0;
  snapshot->handovers_shown = false;
  for (size_t i = 0; whole && i < snapshot->session_count; i++) {
    const char *id = snapshot->sessions[i].id;
    for (size_t k = 0; whole && k < table->count; k++) {
      if (strcmp(table->items[k].session, id) != 0)
        continue;
      whole = copy(snapshot->arena, &table->items[k], id, &items[count++]);
      snapshot->handovers_shown = snapshot->handovers_shown || table->items[k].state != BT_ASK_STATE_UNSUPERVISED;
      break;
    }
  }
  if (!whole)
    return;
  snapshot->handovers = items;
  snapshot->handover_count = count;
  snapshot->handover_mod = table->mod;
}
