/* tests/vectors/area_store.c - reading, healing and changing the deny store, over a tree of files. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "core/ops/marker.h"
#include "core/ops/quarantine.h"
#include "core/store/auth.h"
#include "core/store/binding.h"
#include "core/store/final.h"
#include "core/store/grant.h"
#include "tests/support/inputs.h"
#include "tests/support/sweep.h"
#include "tests/vectors/gate_support.h"

struct store { /* one case while its calls run */
  const struct vec_world *world;
  struct vec_env env;
  struct bt_txn *txn;
  int ledger;
};

static void set(struct bt_json *object, const char *key, struct bt_json *value) {
  vec_require(bt_json_set(object, key, value) == BT_OK, "memory");
}
static void set_bool(struct bt_json *object, const char *key, bool value) {
  set(object, key, bt_json_new_bool(value));
}
static void set_text(struct bt_json *object, const char *key, const char *text) {
  set(object, key, bt_json_new_string(text));
}

static const char *text_of(const struct bt_json *call, const char *key) {
  return bt_json_get_string(call, key);
}

static struct bt_key key_of(const struct bt_json *call, const char *name) {
  const char *key = text_of(call, name);
  return (struct bt_key){.bytes = key, .length = key ? strlen(key) : 0};
}

static int ledger(struct store *store) {
  if (store->ledger < 0)
    store->ledger = open(store->env.env.ledger_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return store->ledger;
}

static struct bt_txn *txn(struct store *store) {
  if (!store->txn)
    store->txn = bt_txn_open(&store->env.env, true, NULL);
  vec_require(store->txn != NULL, "a transaction");
  return store->txn;
}

/* A refusal that upstream throws; anything else must have worked. False: it was refused. */
static bool settle(enum bt_code code, struct bt_json *result) {
  if (code == BT_UNSAFE)
    set_bool(result, "throws", true);
  else
    vec_require(code == BT_OK, bt_code_words(code));
  return code == BT_OK;
}

static void load_set(struct store *store, const struct bt_json *call, struct bt_deny_set *out) {
  const struct bt_json *given = bt_json_get(call, "store_expected");
  struct bt_marker_healing healing = {.env = &store->env.env, .txn = &store->txn};
  struct bt_deny_healer healer = bt_marker_healer(&healing);
  struct bt_deny_load_options options = {.mode = BT_DENY_HEAL, .healer = &healer};
  options.expected_given = !bt_json_is_nullish(given);
  options.expected = bt_json_type(given) != BT_JSON_FALSE;
  vec_require(bt_deny_load(ledger(store), &options, out, NULL) == BT_OK, "memory");
}

static void do_load(struct store *store, const struct bt_json *call, struct bt_json *result) {
  struct bt_deny_set found;
  load_set(store, call, &found);
  set_bool(result, "ok", found.ok);
  if (found.reason[0])
    set_text(result, "reason", found.reason);
  set(result, "records", bt_json_clone(found.records));
  set(result, "invalidRecords", bt_json_clone(found.invalid));
  set(result, "registeredSessions", bt_json_clone(found.registered));
  set_bool(result, "denyStoreUnavailable", found.unavailable);
  set_bool(result, "hot", bt_deny_set_is_hot(&found));
  bt_deny_set_dispose(&found);
}

static void do_read(struct store *store, const struct bt_json *call, struct bt_json *result) {
  struct bt_marker marker;
  if (settle(bt_marker_read(ledger(store), text_of(call, "session"), &marker, NULL), result)) {
    set_bool(result, "ok", marker.ok);
    set_bool(result, "deny", !marker.ok);
    if (marker.record)
      set(result, "record", bt_json_clone(marker.record));
    set_text(result, "reason", marker.reason);
  }
  bt_marker_dispose(&marker);
}

static void do_ensure(struct store *store, const struct bt_json *call, struct bt_json *result) {
  const char *host = text_of(call, "host");
  struct bt_ensure_request request = {.session_id = text_of(call, "session"),
                                      .ticket_id = text_of(call, "ticket_id"),
                                      .content_hash = text_of(call, "content_hash"),
                                      .host = host ? host : "local"};
  struct bt_ensure_plan plan;
  struct bt_ensure done;
  if (!settle(bt_marker_ensure_plan(ledger(store), &request, &plan, NULL), result))
    return;
  vec_require(bt_marker_ensure(txn(store), &request, bt_env_now(&store->env.env), &done, NULL) == BT_OK, "memory");
  set_bool(result, "ok", done.ok);
  set_bool(result, "processSticky", !done.ok);
  set_text(result, "reason", done.reason);
}

static void do_quarantine(struct store *store, const struct bt_json *call, struct bt_json *result) {
  struct sweep sweep;
  (void)call;
  vec_require(sweep_denies(txn(store), bt_env_now(&store->env.env), &sweep, NULL) == BT_OK, "memory");
  set_bool(result, "ok", sweep.ok);
  if (!sweep.ok)
    set_text(result, "reason", sweep.reason);
  set(result, "quarantined", bt_json_clone(sweep.quarantined));
  set(result, "kept", bt_json_clone(sweep.kept));
  set(result, "retainedForDeny", bt_json_clone(sweep.retained));
  if (bt_json_count(sweep.failed) > 0)
    set(result, "failed", bt_json_clone(sweep.failed));
  sweep_dispose(&sweep);
}

static void do_reentry(struct store *store, const struct bt_json *call, struct bt_json *result) {
  bool handoff = false;
  enum bt_handoff_signal signal = BT_HANDOFF_NOT_BOOLEAN;
  if (bt_json_get_bool(call, "absolute_handoff", &handoff))
    signal = handoff ? BT_HANDOFF_YES : BT_HANDOFF_NO;
  struct bt_reentry found;
  if (!settle(bt_marker_reentry(ledger(store), text_of(call, "session"), signal,
                                vec_get_bool(call, "deny_ever_written", false), &found, NULL),
              result))
    return;
  set_bool(result, "deny", found.deny);
  set_bool(result, "processSticky", found.process_sticky);
  set_text(result, "reason", found.reason);
  if (found.retry_write)
    set_bool(result, "retryWrite", true);
}

static void do_capture_bindings(struct store *store, const struct bt_json *call, struct bt_json *result) {
  struct bt_deny_set found = {0};
  const struct bt_json *records = bt_json_get(call, "records");
  if (!records) {
    load_set(store, call, &found);
    records = found.records;
  }
  struct bt_reasons reasons = {.arena = bt_arena_new(VEC_TEXT_MAX)};
  vec_require(bt_capture_bindings(ledger(store), records, &reasons, NULL, NULL) == BT_OK, "memory");
  set(result, "reasons", vec_reasons_json(&reasons));
  bt_arena_free(reasons.arena);
  bt_deny_set_dispose(&found);
}

static void do_gate(struct store *store, const struct bt_json *call, struct bt_json *result) {
  struct bt_deny_set found;
  struct bt_auth_doc auth = {0};
  const char *session = text_of(call, "session");
  load_set(store, call, &found);
  if (bt_json_get(call, "resume_key"))
    vec_require(bt_auth_read(ledger(store), session, key_of(call, "resume_key"), &auth, NULL) == BT_OK, "memory");
  struct bt_reasons reasons = {.arena = bt_arena_new(VEC_TEXT_MAX)};
  struct bt_gate_input input = {.current_session_id = session,
                                .auth = auth.present ? &auth.gate : NULL,
                                .bypass = bypass_of_json(bt_json_get(call, "bypass"))};
  vec_require(bt_deny_gate_input(&found, reasons.arena, &input, NULL) == BT_OK, "memory");
  set_bool(result, "deny", bt_gate_evaluate(&input, &reasons));
  set(result, "reasons", vec_reasons_json(&reasons));
  bt_arena_free(reasons.arena);
  bt_auth_dispose(&auth);
  bt_deny_set_dispose(&found);
}

static void do_read_auth(struct store *store, const struct bt_json *call, struct bt_json *result) {
  struct bt_auth_doc auth;
  if (settle(bt_auth_read(ledger(store), text_of(call, "session"), key_of(call, "key"), &auth, NULL), result)) {
    struct bt_json *found = auth.present ? bt_json_new_object() : bt_json_new_null();
    if (auth.present) {
      set_text(found, "ticket_id", auth.gate.ticket_id);
      set_text(found, "content_hash", auth.gate.content_hash);
      set_text(found, "deny_session_id", auth.gate.deny_session_id);
      set_text(found, "consumer_session_id", auth.consumer_session_id);
      set_bool(found, "verified", auth.gate.verified);
    }
    set(result, "auth", found);
  }
  bt_auth_dispose(&auth);
}

static void do_read_grant(struct store *store, const struct bt_json *call, struct bt_json *result) {
  struct bt_grant_doc grant;
  if (settle(bt_grant_read(ledger(store), text_of(call, "session"), key_of(call, "key"), bt_env_now(&store->env.env),
                           &grant, NULL),
             result)) {
    struct bt_json *found = grant.present ? bt_json_new_object() : bt_json_new_null();
    if (grant.present) {
      set_text(found, "session_id", grant.session_id);
      set_text(found, "unbound_reason", grant.unbound_reason);
      set_text(found, "written_at", grant.written_at);
      set_bool(found, "verified", grant.verified);
    }
    set(result, "grant", found);
  }
  bt_grant_dispose(&grant);
}

static void do_read_final(struct store *store, const struct bt_json *call, struct bt_json *result) {
  struct bt_arena *arena = bt_arena_new(VEC_TEXT_MAX);
  struct bt_final final_;
  struct bt_json *document = NULL;
  if (settle(bt_final_read(ledger(store), text_of(call, "session"), arena, &final_, &document, NULL), result)) {
    set_bool(result, "ok", final_.error == NULL);
    if (final_.error)
      set_text(result, "error", final_.error);
    else
      set(result, "final", bt_json_clone(document));
  }
  bt_json_free(document);
  bt_arena_free(arena);
}

static void settle_write(enum bt_code code, struct bt_json *stored, struct bt_json *result) {
  set_bool(result, "ok", code == BT_OK);
  if (code == BT_OK)
    set(result, "record", stored);
}

static void do_repair(struct store *store, const struct bt_json *call, struct bt_json *result) {
  struct bt_json *stored = NULL;
  enum bt_code code =
      bt_marker_repair(txn(store), text_of(call, "session"), text_of(call, "ticket_id"), text_of(call, "content_hash"),
                       text_of(call, "content_kind"), text_of(call, "host"), &stored, NULL);
  settle_write(code, stored, result);
}

static void do_write_record(struct store *store, const struct bt_json *call, struct bt_json *result) {
  struct bt_json *stored = NULL;
  enum bt_code code = bt_marker_write(txn(store), bt_json_get(call, "record"), &stored, NULL);
  settle_write(code, stored, result);
}

static const struct {
  const char *op;
  void (*run)(struct store *store, const struct bt_json *call, struct bt_json *result);
} ops[] = {{"load", do_load},
           {"read", do_read},
           {"ensure", do_ensure},
           {"quarantine", do_quarantine},
           {"reentry", do_reentry},
           {"capture_bindings", do_capture_bindings},
           {"gate", do_gate},
           {"read_resume_auth", do_read_auth},
           {"read_grant", do_read_grant},
           {"read_final", do_read_final},
           {"repair", do_repair},
           {"write_record", do_write_record}};

/* Where a case gives only `ok`, the rest is free. */
static void keep_only_ok(const struct bt_json *expected, struct bt_json *result) {
  if (bt_json_count(expected) != 1 || !bt_json_get(expected, "ok"))
    return;
  const struct bt_json *member = bt_json_first(result);
  while (member) {
    const char *key = bt_json_key(member);
    member = bt_json_next(member);
    if (strcmp(key, "ok") != 0)
      bt_json_remove(result, key);
  }
}

static bool run_call(const struct vec_case *vec, struct store *store, const struct bt_json *call,
                     const struct bt_json *expected) {
  struct bt_json *result = bt_json_new_object();
  struct bt_json *filled = vec_fill_json(store->world, call);
  const char *op = text_of(call, "op");
  bool known = false;
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    if (bt_text_equals(op, ops[i].op)) {
      ops[i].run(store, filled, result);
      known = true;
    }
  }
  keep_only_ok(expected, result);
  bool ok =
      known ? vec_expect_json(vec, store->world, op, expected, result) : vec_fail(vec, "unknown call") == VEC_PASS;
  bt_json_free(filled);
  bt_json_free(result);
  return ok;
}

enum vec_result vec_run_store(const struct vec_case *vec) {
  struct vec_world world;
  struct vec_tree before;
  vec_world_open(&world);
  struct store store = {.world = &world, .ledger = -1};
  vec_env_init(&store.env, &world, NULL);
  vec_tree_build(&world, bt_json_get(vec->input, "files"));
  vec_tree_read(&before, &world);

  bool ok = true;
  const struct bt_json *expected = bt_json_get(vec->expected, "result");
  const struct bt_json *calls = bt_json_get(vec->input, "calls");
  if (calls) {
    const struct bt_json *want = bt_json_first(expected);
    for (const struct bt_json *call = bt_json_first(calls); call; call = bt_json_next(call)) {
      ok = run_call(vec, &store, call, want) && ok;
      want = bt_json_next(want);
    }
  } else {
    ok = run_call(vec, &store, bt_json_get(vec->input, "call"), expected);
  }
  ok = vec_tree_check(vec, &world, &before, bt_json_get(vec->expected, "tree_after")) && ok;

  bt_txn_close(store.txn);
  if (store.ledger >= 0)
    close(store.ledger);
  vec_tree_dispose(&before);
  vec_env_dispose(&store.env);
  vec_world_close(&world);
  return ok ? VEC_PASS : VEC_FAIL;
}
