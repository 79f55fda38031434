/* core/ops/planning.c - the growing lists of a plan, and the fingerprint of what it rests on. */
#include "core/ops/planning.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/ops/command.h"

#define PLAN_MAX (16u << 20) /* a brief, its prompt and the payload that quotes it, escaped */
#define FACT_MAX (8u << 20)  /* no record that a verb rests on comes near it */
#define HASH_ABSENT "absent"

static void request_copy(struct bt_planner *planner, const struct bt_request *request) {
  struct bt_request *own = &planner->plan->request;
  *own = *request;
  const char **texts[] = {&own->session,        &own->deny_session, &own->ticket,  &own->host,  &own->content_hash,
                          &own->unbound_reason, &own->capture_from, &own->pid,     &own->nonce, &own->started_at,
                          &own->ledger_lock,    &own->reason,       &own->subject, &own->tree,  &own->pr_state,
                          &own->detail,         &own->projects};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    if (*texts[i] == NULL)
      continue;
    *texts[i] = bt_arena_strdup(planner->arena, *texts[i]);
    planner->failed = planner->failed || *texts[i] == NULL;
  }
}

enum bt_code bt_planner_init(struct bt_planner *planner, const struct bt_env *env, const struct bt_request *request,
                             struct bt_error *err) {
  memset(planner, 0, sizeof *planner);
  planner->env = env;
  planner->ledger = env->ledger_dir != NULL ? bt_fs_open_root(env->ledger_dir, NULL) : -1;
  planner->arena = bt_arena_new(PLAN_MAX);
  planner->hash = bt_sha256_new();
  if (planner->arena != NULL) {
    planner->plan = BT_ARENA_NEW(planner->arena, struct bt_plan);
    planner->details = BT_ARENA_NEW(planner->arena, struct bt_op_details);
  }
  if (planner->plan == NULL || planner->details == NULL || planner->hash == NULL)
    return bt_error_set(err, BT_NOMEM, bt_verb_word(request->verb), "out of memory");
  planner->plan->arena = planner->arena;
  planner->plan->details = planner->details;
  request_copy(planner, request);
  bt_plan_mix(planner, "verb", bt_verb_word(request->verb));
  return BT_OK;
}

void bt_planner_dispose(struct bt_planner *planner) {
  if (planner->ledger >= 0)
    close(planner->ledger);
  bt_sha256_free(planner->hash);
  bt_arena_free(planner->arena);
  memset(planner, 0, sizeof *planner);
  planner->ledger = -1;
}

/* Every flag of the request takes part: a plan for other flags is another plan. */
static void mix_request(struct bt_planner *planner) {
  const struct bt_request *request = &planner->plan->request;
  bt_plan_mix(planner, "dir", planner->env->ledger_dir);
  bt_plan_mix(planner, "session", request->session);
  bt_plan_mix(planner, "deny-session", request->deny_session);
  bt_plan_mix(planner, "ticket", request->ticket);
  bt_plan_mix(planner, "host", request->host);
  bt_plan_mix(planner, "content-hash", request->content_hash);
  bt_plan_mix(planner, "unbound-reason", request->unbound_reason);
  bt_plan_mix(planner, "capture-from", request->capture_from);
  bt_plan_mix(planner, "pid", request->pid);
  bt_plan_mix(planner, "started-at", request->started_at);
  bt_plan_mix(planner, "nonce", request->nonce);
  bt_plan_mix(planner, "ledger-lock", request->ledger_lock);
  bt_plan_mix(planner, "pid-reused", request->pid_reused ? "yes" : NULL);
  bt_plan_mix(planner, "tree", request->tree);
  bt_plan_mix(planner, "detail", request->detail);
  bt_plan_mix(planner, "resumable", request->resumable ? "yes" : NULL);
}

static const char *command_text(struct bt_planner *planner) {
  struct bt_str line;
  bt_str_init(&line, PLAN_MAX / 4);
  bt_command_line(&line, planner->env, &planner->plan->request);
  const char *text = line.failed ? NULL : bt_arena_strndup(planner->arena, line.data, line.length);
  planner->failed = planner->failed || text == NULL;
  bt_str_dispose(&line);
  return text;
}

/* The lists are const from here on. */
static void hand_lists_over(struct bt_planner *planner) {
  struct bt_plan *plan = planner->plan;
  plan->rows = planner->rows.items;
  plan->row_count = planner->rows.count;
  plan->steps = planner->steps.items;
  plan->step_count = planner->steps.count;
  plan->checks = planner->checks.items;
  plan->check_count = planner->checks.count;
  plan->will = planner->will.items;
  plan->will_count = planner->will.count;
  plan->will_not = planner->will_not.items;
  plan->will_not_count = planner->will_not.count;
  planner->details->facts = planner->facts.items;
  planner->details->fact_count = planner->facts.count;
}

enum bt_code bt_planner_finish(struct bt_planner *planner, struct bt_plan **plan, struct bt_error *err) {
  struct bt_plan *done = planner->plan;
  hand_lists_over(planner);
  mix_request(planner);
  bt_sha256_finish_hex(planner->hash, done->fingerprint);
  done->command = command_text(planner);
  if (planner->env->readonly)
    done->disabled = "read-only: started with --readonly";
  else if (done->needs_key && planner->env->key == NULL)
    done->disabled = "no signing key: set ADLC_MANIFEST_KEY";
  if (planner->failed)
    return bt_error_set(err, BT_NOMEM, bt_verb_word(done->request.verb), "out of memory");
  planner->arena = NULL; /* the plan is the caller's now */
  *plan = done;
  return BT_OK;
}

/* ---- text in the arena ---- */

static const char *format(struct bt_planner *planner, const char *fmt, va_list args) {
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, fmt, again);
  va_end(again);
  char *text = length < 0 ? NULL : bt_arena_alloc(planner->arena, (size_t)length + 1);
  if (text == NULL) {
    planner->failed = true;
    return NULL;
  }
  vsnprintf(text, (size_t)length + 1, fmt, args);
  return text;
}

const char *bt_planner_text(struct bt_planner *planner, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  const char *text = planner->failed ? NULL : format(planner, fmt, args);
  va_end(args);
  return text;
}

static const char *keep(struct bt_planner *planner, struct bt_str *text) {
  const char *kept = text->failed ? NULL : bt_arena_strndup(planner->arena, text->data, text->length);
  planner->failed = planner->failed || kept == NULL;
  bt_str_dispose(text);
  return kept;
}

const char *bt_planner_visible(struct bt_planner *planner, const char *text) {
  if (text == NULL)
    return "(none)";
  struct bt_str visible;
  bt_str_init(&visible, PLAN_MAX / 4);
  bt_text_visible(&visible, text, strlen(text));
  return keep(planner, &visible);
}

const char *bt_planner_json(struct bt_planner *planner, const struct bt_json *value, bool pretty) {
  struct bt_str text;
  bt_str_init(&text, PLAN_MAX / 2);
  if (pretty)
    bt_json_print_pretty(&text, value);
  else
    bt_json_print_compact(&text, value);
  return keep(planner, &text);
}

const char *bt_planner_path(struct bt_planner *planner, enum bt_ledger_file file, const char *session) {
  struct bt_str path;
  bt_str_init(&path, BT_PATH_MAX_BYTES);
  bt_str_puts(&path, ".adlc/");
  if (!bt_ledger_path(&path, file, session) && !path.failed)
    bt_str_puts(&path, "?");
  return keep(planner, &path);
}

/* ---- facts ---- */

void bt_plan_mix(struct bt_planner *planner, const char *name, const char *text) {
  bt_sha256_update(planner->hash, name, strlen(name) + 1);
  if (text != NULL)
    bt_sha256_update(planner->hash, text, strlen(text));
  bt_sha256_update(planner->hash, text != NULL ? "\0=" : "\0-", 2);
}

/* Hash of the bytes, or a word for why there are none. */
static void hash_file(int ledger, const char *path, char hash[BT_SHA256_HEX]) {
  struct bt_str bytes;
  bt_str_init(&bytes, FACT_MAX);
  enum bt_code code = ledger < 0 ? BT_MISSING : bt_fs_read_at(ledger, path, &bytes, NULL);
  if (code == BT_OK)
    bt_sha256_hex(bytes.data, bytes.length, hash);
  else
    snprintf(hash, BT_SHA256_HEX, "%s", code == BT_MISSING ? HASH_ABSENT : bt_code_words(code));
  bt_str_dispose(&bytes);
}

static void hash_denies(int ledger, char hash[BT_SHA256_HEX]) {
  struct bt_deny_load_options options = {.mode = BT_DENY_AS_IS};
  struct bt_deny_set set;
  struct bt_str text;
  bt_str_init(&text, FACT_MAX);
  if (bt_deny_load(ledger, &options, &set, NULL) == BT_OK) {
    bt_json_print_compact(&text, set.records);
    bt_json_print_compact(&text, set.invalid);
    bt_json_print_compact(&text, set.registered);
    bt_str_puts(&text, set.reason);
  }
  bt_sha256_hex(text.data, text.length, hash);
  bt_str_dispose(&text);
  bt_deny_set_dispose(&set);
}

static void hash_fact(const struct bt_fact *fact, int ledger, char hash[BT_SHA256_HEX]) {
  if (fact->kind == BT_FACT_DENY_STORE)
    hash_denies(ledger, hash);
  else
    hash_file(ledger, fact->path, hash);
}

/* A zeroed slot for one more element; NULL when memory is short. */
static void *push(struct bt_planner *planner, struct bt_planner_list *list, size_t size) {
  if (planner->failed)
    return NULL;
  if (list->count == list->room) {
    size_t room = list->room == 0 ? 8 : list->room * 2;
    void *moved = bt_arena_calloc(planner->arena, room, size);
    if (moved == NULL) {
      planner->failed = true;
      return NULL;
    }
    if (list->count > 0)
      memcpy(moved, list->items, list->count * size);
    list->items = moved;
    list->room = room;
  }
  return (char *)list->items + size * list->count++;
}

static void add_fact(struct bt_planner *planner, struct bt_fact fact) {
  hash_fact(&fact, planner->ledger, fact.hash);
  bt_plan_mix(planner, fact.path, fact.hash);
  struct bt_fact *slot = push(planner, &planner->facts, sizeof *slot);
  if (slot != NULL)
    *slot = fact;
}

void bt_plan_fact_path(struct bt_planner *planner, const char *path, bool recheck) {
  const char *own = bt_planner_text(planner, "%s", path);
  if (own != NULL)
    add_fact(planner, (struct bt_fact){.kind = BT_FACT_FILE, .path = own, .recheck = recheck});
}

void bt_plan_fact(struct bt_planner *planner, enum bt_ledger_file file, const char *session, bool recheck) {
  const char *path = bt_planner_path(planner, file, session);
  if (path != NULL)
    bt_plan_fact_path(planner, path + strlen(".adlc/"), recheck);
}

void bt_plan_fact_denies(struct bt_planner *planner) {
  add_fact(planner, (struct bt_fact){.kind = BT_FACT_DENY_STORE, .path = BT_PATH_DENIES, .recheck = true});
}

enum bt_code bt_facts_recheck(const struct bt_plan *plan, int ledger, struct bt_error *err) {
  const struct bt_op_details *details = plan->details;
  for (size_t i = 0; i < details->fact_count; i++) {
    const struct bt_fact *fact = &details->facts[i];
    char hash[BT_SHA256_HEX];
    if (!fact->recheck)
      continue;
    hash_fact(fact, ledger, hash);
    if (strcmp(hash, fact->hash) != 0)
      return bt_error_set(err, BT_STALE, fact->path, "%s changed under this command; nothing was changed", fact->path);
  }
  return BT_OK;
}

/* ---- for the dialogs ---- */

void bt_plan_row(struct bt_planner *planner, const char *label, const char *now, const char *after) {
  struct bt_plan_row *row = planner->plan->request.terse ? NULL : push(planner, &planner->rows, sizeof *row);
  if (row == NULL)
    return;
  bool differs = after != NULL && (now == NULL || strcmp(now, after) != 0);
  *row = (struct bt_plan_row){.label = label, .now = now, .after = after, .differs = differs};
}

void bt_plan_step(struct bt_planner *planner, const char *what, const char *path, const char *note) {
  struct bt_plan_step *step = planner->plan->request.terse ? NULL : push(planner, &planner->steps, sizeof *step);
  if (step != NULL)
    *step = (struct bt_plan_step){.what = what, .path = path, .note = note};
}

void bt_plan_check(struct bt_planner *planner, enum bt_check check, const char *fmt, ...) {
  struct bt_plan_check *line = planner->plan->request.terse ? NULL : push(planner, &planner->checks, sizeof *line);
  if (line == NULL)
    return;
  va_list args;
  va_start(args, fmt);
  *line = (struct bt_plan_check){.check = check, .text = format(planner, fmt, args)};
  va_end(args);
}

static void add_sentence(struct bt_planner *planner, struct bt_planner_list *list, const char *fmt, va_list args) {
  const char **sentence = planner->plan->request.terse ? NULL : push(planner, list, sizeof *sentence);
  if (sentence != NULL)
    *sentence = format(planner, fmt, args);
}

void bt_plan_will(struct bt_planner *planner, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  add_sentence(planner, &planner->will, fmt, args);
  va_end(args);
}

void bt_plan_will_not(struct bt_planner *planner, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  add_sentence(planner, &planner->will_not, fmt, args);
  va_end(args);
}

void bt_plan_answer(struct bt_planner *planner, struct bt_json *payload, const char *fmt, ...) {
  if (payload == NULL) {
    planner->failed = true;
    return;
  }
  planner->plan->payload = bt_planner_json(planner, payload, true);
  bt_json_free(payload);
  va_list args;
  va_start(args, fmt);
  const char *human = format(planner, fmt, args);
  va_end(args);
  planner->plan->human = human != NULL ? bt_planner_visible(planner, human) : NULL;
}
