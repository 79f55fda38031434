/* tests/support/app_world.c - a made-up ledger and core for tests of the state machine. */
#include "tests/support/app_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/str.h"
#include "core/hook/why.h"
#include "core/model/log_view.h"
#include "tests/support/beside.h"
#include "tui/bulk.h"

#define NOW_MS INT64_C(1791555727000)

static const char brief_text[] = "## Ticket\n- id: T-1\n\n## State\nrotate.c is half done\nrotate the keys next\n";

static struct bt_session *add_session(struct bt_snapshot *snapshot, const char *id, enum bt_state state) {
  struct bt_session *session = (struct bt_session *)(uintptr_t)&snapshot->sessions[snapshot->session_count++];
  session->id = session->id_short = id;
  session->state = state;
  session->since_ms = session->last_seen_ms = NOW_MS - 60000;
  session->next.text = "wait";
  snapshot->state_counts[state]++;
  return session;
}

static struct bt_deny *add_deny(struct bt_snapshot *snapshot, struct bt_session *session, const char *ticket,
                                const char *hash) {
  struct bt_deny *deny = BT_ARENA_NEW(snapshot->arena, struct bt_deny);
  deny->session_id = session->id;
  deny->path = bt_arena_printf(snapshot->arena, "handoffs/denies/%s.json", session->id);
  deny->reason = "ok";
  deny->status = BT_DENY_OPEN;
  deny->class_ = ticket ? BT_DENY_CLASS_BOUND : BT_DENY_CLASS_UNBOUND;
  deny->ticket_id = ticket;
  deny->content_hash = hash;
  deny->ticket_bound = ticket != NULL;
  deny->hash_bound = hash != NULL;
  session->deny = deny;
  session->ticket_id = ticket;
  return deny;
}

static void add_lock(struct bt_snapshot *snapshot, struct bt_session *session, enum bt_lock_verdict verdict) {
  struct bt_lock *lock = (struct bt_lock *)(uintptr_t)&snapshot->locks[snapshot->lock_count++];
  *lock = (struct bt_lock){.kind = BT_LOCK_SESSION,
                           .name = session->id,
                           .path = bt_arena_printf(snapshot->arena, "handoffs/%s.lock", session->id),
                           .verdict = verdict,
                           .why = "no such process",
                           .pid_text = "48211",
                           .pid = 48211,
                           .started_at = "2026-10-09T12:20:14.031Z",
                           .host = "build-07",
                           .nonce = "8e1f0c44a9d2b310",
                           .started_at_ms = NOW_MS - 7200000,
                           .mtime_ms = NOW_MS - 7200000};
  session->lock = lock;
  snapshot->lock_counts[verdict]++;
}

static struct bt_snapshot *make_snapshot(const struct world *world) {
  struct bt_arena *arena = bt_arena_new(1 << 20);
  assert_non_null(arena);
  struct bt_snapshot *snapshot = BT_ARENA_NEW(arena, struct bt_snapshot);
  snapshot->arena = arena;
  snapshot->taken_at_ms = NOW_MS;
  snapshot->root = "/home/op/w/payments-api";
  snapshot->ledger_dir = "/home/op/w/payments-api/.adlc";
  snapshot->ledger_short = "~/w/payments-api/.adlc";
  snapshot->project = "payments-api";
  snapshot->host = "build-07";
  snapshot->user = "op";
  snapshot->ledger_present = snapshot->key_loaded = snapshot->store.ok = true;
  snapshot->sessions = BT_ARENA_ARRAY(arena, struct bt_session, WORLD_SESSIONS);
  snapshot->locks = BT_ARENA_ARRAY(arena, struct bt_lock, WORLD_SESSIONS);

  struct bt_known_ticket *tickets = BT_ARENA_ARRAY(arena, struct bt_known_ticket, 2);
  tickets[0] = (struct bt_known_ticket){"T-1", "Rotate"};
  tickets[1] = (struct bt_known_ticket){"T-2", "Move"};
  snapshot->tickets = tickets;
  snapshot->ticket_count = world->no_tickets ? 0 : 2;
  snapshot->active_ticket.id = world->active_ticket;

  struct bt_session *alpha = add_session(snapshot, "sess-alpha", BT_STATE_BLOCKED);
  add_deny(snapshot, alpha, "T-1", "aaaa");
  struct bt_capture *brief = BT_ARENA_NEW(arena, struct bt_capture);
  brief->path = "handoffs/content/sess-alpha.md";
  brief->status = BT_BRIEF_VERIFIED;
  brief->expected_hash = brief->actual_hash = "aaaa";
  brief->text = bt_arena_strdup(arena, brief_text);
  brief->text_length = strlen(brief_text);
  brief->reviewed = world->reviewed;
  alpha->capture = brief;
  if (world->transcript_known) {
    struct bt_transcript_facts *said = BT_ARENA_NEW(arena, struct bt_transcript_facts);
    said->harness = BT_HARNESS_CLAUDE;
    alpha->transcript = said;
    alpha->transcript_path = "/home/op/.claude/projects/p/sess-alpha.jsonl";
  }
  alpha->next = (struct bt_next_step){.verb = BT_VERB_CONTINUE, .text = "continue into one new session"};
  add_deny(snapshot, add_session(snapshot, "sess-beta", BT_STATE_BLOCKED), NULL, NULL);
  add_lock(snapshot, add_session(snapshot, "sess-gamma", BT_STATE_STALE_LOCK), BT_LOCK_STALE);
  add_lock(snapshot, add_session(snapshot, "sess-delta", BT_STATE_STALE_LOCK), BT_LOCK_PID_REUSE);
  struct bt_session *idle = add_session(snapshot, "sess-idle", BT_STATE_IDLE);
  struct bt_transcript_facts *facts = BT_ARENA_NEW(arena, struct bt_transcript_facts);
  facts->harness = BT_HARNESS_CLAUDE;
  idle->transcript = facts;
  idle->transcript_path = "/home/op/.claude/projects/p/sess-idle.jsonl";
  return snapshot;
}

/* ---------------------------------------------------------------- the core --------------------- */

static const char *word_of(const struct bt_request *request) {
  if (request->verb == BT_VERB_BYPASS)
    return "bypass";
  if (request->verb == BT_VERB_CONTINUE)
    return request->deny_session + strlen(request->deny_session) - 4;
  return request->pid_reused ? "unlock" : NULL;
}

static struct bt_plan *make_plan(const struct world *world, const struct bt_request *request) {
  struct bt_arena *arena = bt_arena_new(1 << 20);
  assert_non_null(arena);
  struct bt_plan *plan = BT_ARENA_NEW(arena, struct bt_plan);
  plan->arena = arena;
  plan->request = *request;
  plan->request.session = bt_arena_strdup(arena, request->session ? request->session : "minted");
  plan->title = bt_arena_strdup(arena, bt_verb_word(request->verb));
  plan->summary = "what it does";
  plan->undo = "cannot be undone";
  plan->confirm_word = bt_arena_strdup(arena, word_of(request));
  plan->confirm_label = "do it";
  plan->disabled = world->disabled;
  plan->command = bt_arena_printf(arena, "baton %s --write", bt_verb_word(request->verb));
  if (request->verb == BT_VERB_CONTINUE)
    plan->brief = (struct bt_plan_brief){
        .text = brief_text, .length = strlen(brief_text), .hash = "aaaa", .reviewed = world->reviewed};
  plan->reason_for = request->verb == BT_VERB_REPAIR ? world->reason_for : NULL;
  plan->payload = "{}";
  plan->human = "dry run";
  snprintf(plan->fingerprint, sizeof(plan->fingerprint), "%064u", world->facts);
  return plan;
}

static void remember(struct world *world, const struct bt_request *request) {
  const char **slots[] = {&world->request.session,      &world->request.deny_session, &world->request.ticket,
                          &world->request.content_hash, &world->request.host,         &world->request.unbound_reason,
                          &world->request.nonce,        &world->request.reason};
  world->request = *request;
  for (size_t i = 0; i < 8; i++)
    if (*slots[i]) {
      snprintf(world->request_text[i], sizeof(world->request_text[i]), "%s", *slots[i]);
      *slots[i] = world->request_text[i];
    }
}

static void plan(struct world *world, const struct effect *effect) {
  struct bt_error err = {.code = BT_OK};
  struct bt_plan *made = NULL;
  remember(world, &effect->request);
  if (world->refuse_plan)
    (void)bt_error_set(&err, BT_REFUSED, "session", "%s", world->refuse_plan);
  else
    made = make_plan(world, &effect->request);
  if (effect->kind == EFFECT_PLAN) {
    world->plans++;
    world_run(world, app_planned(world->app, made, &err));
  } else {
    world->plans_to_copy++;
    world_run(world, app_planned_to_copy(world->app, made, &err));
  }
}

static void execute(struct world *world, const struct effect *effect) {
  struct bt_error err = {.code = BT_OK};
  struct bt_receipt receipt = {.human = "done"};
  world->executes++;
  world->executed = effect->plan->request.verb;
  world->executed_facts = (unsigned)strtoul(effect->plan->fingerprint, NULL, 10);
  if (world->on_execute)
    world->on_execute(world, effect->plan);
  if (world->execute_code != BT_OK)
    (void)bt_error_set(&err, world->execute_code, "session", "not done");
  world_run(world, app_executed(world->app, world->execute_code == BT_OK ? &receipt : NULL, &err));
}

static void plan_bulk(struct world *world) {
  struct bulk *bulk = app_bulk(world->app);
  for (size_t i = 0; i < bulk->count; i++) {
    const struct bt_request *request = bulk_wants_plan(bulk, i);
    struct bt_error err = {.code = BT_OK};
    if (!request)
      continue;
    world->plans++;
    if (world->refuse_plan)
      (void)bt_error_set(&err, BT_REFUSED, "session", "%s", world->refuse_plan);
    bulk_planned(bulk, i, world->refuse_plan ? NULL : make_plan(world, request), &err);
  }
  world_run(world, app_bulk_planned(world->app));
}

static void execute_bulk(struct world *world) {
  struct bulk *bulk = app_bulk(world->app);
  size_t at;
  for (const struct bt_plan *plan = bulk_next(bulk, &at); plan; plan = bulk_next(bulk, &at)) {
    struct bt_error err = {.code = BT_OK};
    struct bt_receipt receipt = {.human = "done"};
    world->executes++;
    world->executed = plan->request.verb;
    world->executed_facts = (unsigned)strtoul(plan->fingerprint, NULL, 10);
    if (world->on_execute)
      world->on_execute(world, plan);
    if (world->execute_code != BT_OK)
      (void)bt_error_set(&err, world->execute_code, "session", "not done");
    bulk_executed(bulk, at, world->execute_code == BT_OK ? &receipt : NULL, &err);
  }
  world_run(world, app_bulk_executed(world->app));
}

static void raw(struct world *world, const struct effect *effect) {
  struct bt_arena *arena = bt_arena_new(1 << 16);
  struct bt_raw_file *files = BT_ARENA_ARRAY(arena, struct bt_raw_file, APP_RAW_MAX);
  for (size_t i = 0; i < effect->path_count; i++)
    files[i] = (struct bt_raw_file){bt_arena_strdup(arena, effect->paths[i]), "{\n}\n", 4, NULL};
  world->raws++;
  world_run(world, app_raw(world->app, arena, files, effect->path_count));
}

static void why(struct world *world, const struct effect *effect) {
  struct bt_arena *arena = bt_arena_new(1 << 16);
  struct bt_why *made = BT_ARENA_NEW(arena, struct bt_why);
  struct bt_why_rule *rules = BT_ARENA_ARRAY(arena, struct bt_why_rule, 1);
  struct bt_why_step *steps = BT_ARENA_ARRAY(arena, struct bt_why_step, 3);
  rules[0] = (struct bt_why_rule){.id = "D3", .verdict = BT_RULE_REFUSE, .code = "D3:x", .text = "open", .blocks = 2};
  steps[0] = (struct bt_why_step){1, "sess-alpha", BT_VERB_CONTINUE, "continue", "for good", "key", true, NULL, NULL};
  steps[1] = (struct bt_why_step){2, NULL, BT_VERB_BYPASS, "bypass", "one call", "key", true, NULL, "baton bypass"};
  steps[2] = (struct bt_why_step){0, NULL, BT_VERB_NONE, "wait", "does not help", NULL, false, "no", NULL};
  *made = (struct bt_why){.arena = arena,
                          .session = bt_arena_strdup(arena, effect->text),
                          .question = "may it?",
                          .rules = rules,
                          .rule_count = 1,
                          .refused_count = 1,
                          .steps = steps,
                          .step_count = 3,
                          .told = "no\nstop\n",
                          .command = "baton why"};
  world->whys++;
  snprintf(world->asked, sizeof(world->asked), "%s|%s", effect->text, effect->path_count ? effect->paths[0] : "");
  world_run(world, app_explained(world->app, made, NULL));
}

static void compare(struct world *world, const struct effect *effect) {
  struct bt_arena *arena = bt_arena_new(1 << 16);
  struct bt_brief_diff *diff = BT_ARENA_NEW(arena, struct bt_brief_diff);
  struct bt_error err = {.code = BT_OK};
  const char *text = "--- the verified copy\n+++ the brief on disk\n@@ -1 +1 @@\n-old\n+new\n";
  *diff = (struct bt_brief_diff){.arena = arena,
                                 .session = bt_arena_strdup(arena, effect->text),
                                 .text = text,
                                 .length = strlen(text),
                                 .added = 1,
                                 .removed = 1};
  world->diffs++;
  if (world->no_copy) {
    (void)bt_error_set(&err, BT_MISSING, effect->text, "no copy is kept");
    bt_brief_diff_free(diff);
    diff = NULL;
  }
  world_run(world, app_compared(world->app, diff, &err));
}

static void log_view(struct world *world) {
  struct bt_arena *arena = bt_arena_new(1 << 16);
  struct bt_log_view *log = BT_ARENA_NEW(arena, struct bt_log_view);
  size_t count = 2 + world->facts % 16; /* each change in the ledger is one entry more */
  struct bt_log_row *rows = BT_ARENA_ARRAY(arena, struct bt_log_row, count);
  for (size_t i = 0; i < count; i++)
    rows[i] = (struct bt_log_row){.key = bt_arena_printf(arena, "m:%zu", count - i),
                                  .gate = i % 2 ? "write" : "resume",
                                  .session = "sess-beta",
                                  .signature = BT_LOG_SIGNED,
                                  .chain_ok = true,
                                  .file = "manifest.jsonl",
                                  .line = count - i};
  *log = (struct bt_log_view){.arena = arena, .rows = rows, .count = count, .entries = count};
  world_run(world, app_logged(world->app, log, NULL));
}

static bool comes_late(enum bt_verb verb) {
  return verb == BT_VERB_RECORD || verb == BT_VERB_RECONCILE || verb == BT_VERB_STOP;
}

static void run_one(struct world *world, const struct effect *effect) {
  if (world->on_effect)
    world->on_effect(world, effect);
  switch (effect->kind) {
  case EFFECT_PLAN:
  case EFFECT_PLAN_TO_COPY:
    if (world->hold_records && comes_late(effect->request.verb))
      world->plans++;
    else
      plan(world, effect);
    break;
  case EFFECT_EXECUTE:
    if (world->hold_records && comes_late(effect->plan->request.verb))
      world->executes++;
    else
      execute(world, effect);
    break;
  case EFFECT_STOP:
    world->stops++;
    break;
  case EFFECT_BULK_PLAN:
    plan_bulk(world);
    break;
  case EFFECT_BULK_EXECUTE:
    execute_bulk(world);
    break;
  case EFFECT_REFRESH:
    world->refreshes++;
    world_refresh(world);
    break;
  case EFFECT_RAW:
  case EFFECT_TAIL:
    raw(world, effect);
    break;
  case EFFECT_KEEP_ORDER:
    snprintf(world->copied, sizeof(world->copied), "%s %zu", effect->text, effect->length);
    break;
  case EFFECT_KEEP_PREVIEW:
    snprintf(world->copied, sizeof(world->copied), "preview %s", effect->text);
    break;
  case EFFECT_REVIEW:
    world->reviewed = effect->length > 0;
    world_run(world, app_reviewed(world->app, world->reviewed, NULL));
    break;
  case EFFECT_REVIEW_BRIEF:
    world->reviewed = true;
    world_run(world, app_reviewed(world->app, true, NULL));
    break;
  case EFFECT_DIFF:
    compare(world, effect);
    break;
  case EFFECT_LOG:
    log_view(world);
    break;
  case EFFECT_RECORDS: /* answered by world_recorded, as late as the real one */
    world->records_asked++;
    break;
  case EFFECT_RECORD_BRIEF:
    world->pagers++;
    snprintf(world->copied, sizeof(world->copied), "%s", effect->paths[0]);
    world_run(world, app_paged(world->app, NULL));
    break;
  case EFFECT_DELIVERIES:
    world->looks++;
    world->forges += effect->length == 1;
    if (!world->keep_waiting)
      world_run(world, app_delivered(world->app, beside_deliveries(NOW_MS, effect->length == 1), false, NULL));
    break;
  case EFFECT_WHY:
    why(world, effect);
    break;
  case EFFECT_COPY_PAGE:
    world->copies++;
    snprintf(world->copied, sizeof(world->copied), "JSON of page %d", (int)app_scene(world->app)->page);
    world_run(world, app_copied(world->app, strlen(world->copied), NULL));
    break;
  case EFFECT_COPY:
    world->copies++;
    snprintf(world->copied, sizeof(world->copied), "%s", effect->text);
    break;
  case EFFECT_PAGER:
    world->pagers++;
    world_run(world, app_paged(world->app, NULL));
    break;
  case EFFECT_EDITOR:
    world->editors++;
    world_run(world, app_paged(world->app, NULL));
    break;
  case EFFECT_WRITE_VIEW:
    world->views++;
    snprintf(world->copied, sizeof(world->copied), "%.*s", (int)sizeof(world->copied) - 1, effect->text);
    world_run(world, app_wrote(world->app, "/state/views/screen.txt", NULL));
    break;
  case EFFECT_SUSPEND:
    world->suspends++;
    break;
  case EFFECT_QUIT:
    world->quits++;
    break;
  case EFFECT_REDRAW:
    break;
  }
}

void world_run(struct world *world, struct effects effects) {
  for (size_t i = 0; i < effects.count; i++)
    run_one(world, &effects.list[i]);
}

/* ---------------------------------------------------------------- the hands -------------------- */

void world_init(struct world *world) {
  struct bt_error err;
  memset(world, 0, sizeof(*world));
  world->reviewed = true;
  world->keymap = bt_keymap_new_named("default", &err);
  assert_non_null(world->keymap);
  const struct app_options options = {.keymap = world->keymap, .keymap_name = "default"};
  world->app = app_new(&options);
  assert_non_null(world->app);
  world_run(world, app_resize(world->app, 36, 120));
  world_run(world, app_tick(world->app, NOW_MS, 0));
  world_refresh(world);
}

void world_dispose(struct world *world) {
  app_free(world->app);
  bt_keymap_free(world->keymap);
}

int world_set_up(void **state) {
  static struct world world;
  world_init(&world);
  *state = &world;
  return 0;
}

int world_tear_down(void **state) {
  world_dispose(*state);
  return 0;
}

void world_key(struct world *world, uint32_t key) {
  world_run(world, app_key(world->app, key));
}

void world_keys(struct world *world, const char *names) {
  while (*names) {
    size_t length = strcspn(names, " ");
    uint32_t key;
    if (!bt_key_parse(names, length, &key))
      fail_msg("no key: %s", names);
    world_key(world, key);
    names += length + (names[length] == ' ');
  }
}

void world_type(struct world *world, const char *text) {
  for (; *text; text++)
    world_key(world, (unsigned char)*text);
}

void world_paste(struct world *world, const char *text) {
  world_run(world, app_paste(world->app, text, strlen(text)));
}

void world_refresh(struct world *world) {
  struct bt_error err = {.code = BT_OK};
  struct bt_snapshot *snapshot = world->read ? world->read(world) : make_snapshot(world);
  if (!snapshot)
    (void)bt_error_set(&err, BT_IO, "ledger", "it cannot be read");
  if (snapshot && world->with_handovers)
    beside_handovers(snapshot);
  world_run(world, snapshot ? app_refreshed(world->app, snapshot) : app_refresh_failed(world->app, &err));
}

void world_select(struct world *world, const char *id) {
  world_keys(world, "g");
  for (int i = 0; i < WORLD_SESSIONS && !bt_text_equals(app_scene(world->app)->selected_id, id); i++)
    world_keys(world, "j");
  assert_string_equal(app_scene(world->app)->selected_id, id);
}

const struct bt_dialog *world_dialog(const struct world *world) {
  return app_scene(world->app)->overlay == BT_OVERLAY_DIALOG ? &app_scene(world->app)->dialog : NULL;
}

const struct bt_item *world_focused(const struct world *world) {
  const struct bt_dialog *dialog = world_dialog(world);
  return dialog ? &dialog->items[dialog->focus] : NULL;
}

struct bt_snapshot *world_bare_snapshot(void) {
  struct bt_arena *arena = bt_arena_new(1 << 16);
  assert_non_null(arena);
  struct bt_snapshot *snapshot = BT_ARENA_NEW(arena, struct bt_snapshot);
  snapshot->arena = arena;
  snapshot->ledger_present = true;
  snapshot->root = snapshot->ledger_dir = snapshot->ledger_short = "";
  snapshot->project = snapshot->host = snapshot->user = "";
  return snapshot;
}
