/* tests/vectors/area_delivery.c - recorded deliveries: the whole command line on real repositories, and its parts. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/delivery/exclude.h"
#include "core/delivery/fields.h"
#include "core/delivery/identity.h"
#include "core/delivery/write.h"
#include "tests/vectors/delivery_repo.h"

#define ARENA_MAX ((size_t)256 << 20)
#define USUAL_NOW "2026-03-01T11:00:00Z"

enum { WORDS_MAX = 64 };

/* ---- texts and times ---- */

static enum vec_result verdict_of(bool good) {
  return good ? VEC_PASS : VEC_FAIL;
}

static enum vec_result run_url(const struct vec_case *vec) {
  struct bt_arena *arena = bt_arena_new(ARENA_MAX);
  bool no_memory = false;
  const char *identity = bt_identity_of(arena, bt_json_get_string(vec->json, "url"), &no_memory);
  bool good = vec_expect_text(vec, "identity", bt_json_get_string(vec->json, "identity"), identity);
  bt_arena_free(arena);
  return verdict_of(good);
}

static enum vec_result run_url_pair(const struct vec_case *vec) {
  struct bt_arena *arena = bt_arena_new(ARENA_MAX);
  bool no_memory = false;
  const char *a = bt_identity_of(arena, bt_json_get_string(vec->json, "a"), &no_memory);
  const char *b = bt_identity_of(arena, bt_json_get_string(vec->json, "b"), &no_memory);
  bool same = a != NULL && b != NULL && strcmp(a, b) == 0;
  bt_arena_free(arena);
  return verdict_of(vec_expect_bool(vec, "same", vec_get_bool(vec->json, "same", false), same));
}

static enum vec_result run_timestamp(const struct vec_case *vec) {
  const char *value = bt_json_get_string(vec->json, "value");
  bool valid = value != NULL && bt_utc_time(value, strlen(value), NULL);
  return verdict_of(vec_expect_bool(vec, "valid", vec_get_bool(vec->json, "valid", false), valid));
}

static enum vec_result run_exclude(const struct vec_case *vec) {
  size_t length = 0;
  const char *before = vec_get_text(vec->json, "before", &length);
  struct bt_str after;
  bt_str_init(&after, VEC_TEXT_MAX);
  bt_exclude_with(&after, before != NULL ? before : "", before != NULL ? length : 0, BT_EXCLUDE_PATTERN);
  bool changed = before == NULL || after.length != length;
  bool good = vec_expect_text(vec, "after", bt_json_get_string(vec->json, "after"), after.data);
  good = vec_expect_bool(vec, "changed", vec_get_bool(vec->json, "changed", false), changed) && good;
  bt_str_dispose(&after);
  return verdict_of(good);
}

static enum vec_result run_block(const struct vec_case *vec) {
  static const char *const kinds[] = {"open", "closed", "corrupt"};
  struct bt_arena *arena = bt_arena_new(ARENA_MAX);
  struct bt_blocks blocks;
  size_t length = 0;
  const char *body = vec_get_text(vec->json, "body", &length);
  vec_require(bt_blocks_find(arena, body, length, &blocks, NULL) == BT_OK, "blocks");
  struct bt_json *found = bt_json_new_array();
  for (size_t i = 0; i < blocks.count; i++)
    vec_require(bt_json_push(found, bt_json_new_string(kinds[blocks.items[i].reading.kind])) == BT_OK, "memory");
  bool good = vec_expect_json(vec, NULL, "found", bt_json_get(vec->expected, "found"), found);
  double governing = -1;
  bool wanted = bt_json_number(bt_json_get(vec->expected, "governing"), &governing);
  good = vec_expect_bool(vec, "governs", wanted, blocks.governing < blocks.count) && good;
  if (wanted)
    good = vec_expect_number(vec, "governing", governing, (double)blocks.governing) && good;
  bt_json_free(found);
  bt_arena_free(arena);
  return verdict_of(good);
}

/* ---- watchers ---- */

static struct bt_texts texts_of(struct bt_arena *arena, const struct bt_json *list) {
  const char **items = BT_ARENA_ARRAY(arena, const char *, bt_json_count(list) + 1);
  size_t count = 0;
  for (const struct bt_json *item = bt_json_first(list); item != NULL; item = bt_json_next(item))
    items[count++] = bt_json_string(item);
  return (struct bt_texts){items, count};
}

static enum vec_result run_watcher(const struct vec_case *vec) {
  struct bt_arena *arena = bt_arena_new(ARENA_MAX);
  const struct bt_json *liveness = bt_json_get(vec->json, "liveness");
  struct bt_texts recorded = texts_of(arena, bt_json_get(vec->json, "recorded"));
  struct bt_codes live, dead, removed;
  bt_codes_init(&live, arena);
  bt_codes_init(&dead, arena);
  bt_codes_init(&removed, arena);
  for (const struct bt_json *item = bt_json_first(liveness); item != NULL; item = bt_json_next(item)) {
    const char *word = bt_json_string(item);
    if (strcmp(word, "unknown") != 0)
      bt_codes_add(strcmp(word, "live") == 0 ? &live : &dead, "%s", bt_json_key(item));
  }
  struct bt_liveness_facts facts = {{live.items, live.count}, {dead.items, dead.count}, NULL};
  const char *code = bt_watcher_add(&recorded, bt_json_get_string(vec->json, "add"),
                                    bt_json_get_string(vec->json, "supersede"), &facts, &removed);
  bool good = vec_expect_text(vec, "code", bt_json_get_string(vec->expected, "code"), code);
  struct bt_json *after = bt_json_new_array();
  for (size_t i = 0; i < recorded.count; i++)
    vec_require(bt_json_push(after, bt_json_new_string(recorded.items[i])) == BT_OK, "memory");
  good = vec_expect_json(vec, NULL, "after", bt_json_get(vec->expected, "after"), after) && good;
  bt_json_free(after);
  bt_arena_free(arena);
  return verdict_of(good);
}

/* ---- the guard around a write ---- */

static void put_in_tree(const struct delivery_repo *repo, const char *path, const char *text) {
  char full[512];
  snprintf(full, sizeof full, "%s/%s", repo->linked != NULL ? "linked" : "main", path);
  delivery_put(repo, full, text, strlen(text));
}

static void commit_record(const struct delivery_repo *repo, const char *tree) {
  put_in_tree(repo, BT_RECORD_PATH, "{\"old\": 1}\n");
  delivery_git_ok(repo, tree, "add", "-f", BT_RECORD_PATH);
  delivery_git_ok(repo, tree, "commit", "-q", "-m", "record");
}

static void in_tree(const char *tree, const char *path, char *full, size_t size) {
  snprintf(full, size, "%s/%s", tree, path);
}

static void put_exclude(const struct delivery_repo *repo, const char *folder, const char *text) {
  char path[512];
  (void)repo;
  snprintf(path, sizeof path, "%s/info", folder);
  (void)mkdir(path, 0777);
  snprintf(path, sizeof path, "%s/info/exclude", folder);
  FILE *file = fopen(path, "w");
  vec_require(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0, "exclude");
}

/* The word of a path that git names: its folders. */
static char *git_folder(const struct delivery_repo *repo, const char *tree, const char *which) {
  struct bt_str out;
  bt_str_init(&out, VEC_TEXT_MAX);
  vec_require(
      delivery_git(repo, tree, &out, (const char *const[]){"rev-parse", "--path-format=absolute", which, NULL}) == 0,
      "git");
  bt_str_truncate(&out, strcspn(out.data, "\n"));
  char *path = bt_str_take(&out, NULL);
  vec_require(path != NULL, "memory");
  return path;
}

static bool set_up_links(const struct delivery_repo *repo, const char *tree, const char *step) {
  char folder[512], file[512], elsewhere[512];
  in_tree(tree, BT_RECORD_FOLDER, folder, sizeof folder);
  in_tree(tree, BT_RECORD_PATH, file, sizeof file);
  snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", repo->world.root);
  if (strcmp(step, "symlink-dir") == 0) {
    vec_require(mkdir(elsewhere, 0777) == 0 && symlink(elsewhere, folder) == 0, "link");
  } else if (strcmp(step, "symlink-file") == 0) {
    delivery_put(repo, "elsewhere.json", "{}", 2);
    vec_require(mkdir(folder, 0777) == 0 && symlink("../../elsewhere.json", file) == 0, "link");
  } else if (strcmp(step, "dir-is-file") == 0) {
    put_in_tree(repo, BT_RECORD_FOLDER, "x");
  } else if (strcmp(step, "file-is-dir") == 0) {
    vec_require(mkdir(folder, 0777) == 0 && mkdir(file, 0777) == 0, "folder");
  } else {
    return false;
  }
  return true;
}

static bool set_up_ignores(const struct delivery_repo *repo, const char *tree, const char *step) {
  static const char *const files[][3] = {
      {"gitignore-negation", ".gitignore", "!.verified-delivery/handoff.json\n"},
      {"nested-gitignore-negation", ".verified-delivery/.gitignore", "!handoff.json\n"},
      {"gitignore-negates-all-json", ".gitignore", "*.json\n!*.json\n"},
      {"gitignore-unrelated-negation", ".gitignore", "*.log\n!keep.log\n"},
      {"gitignore-ignores-dir", ".gitignore", ".verified-delivery/\n"},
  };
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    if (strcmp(step, files[i][0]) == 0) {
      put_in_tree(repo, files[i][1], files[i][2]);
      return true;
    }
  }
  char *common = git_folder(repo, tree, "--git-common-dir"), *own = git_folder(repo, tree, "--git-dir");
  bool known = true;
  if (strcmp(step, "exclude-negation") == 0) {
    put_exclude(repo, common, BT_EXCLUDE_PATTERN "\n!" BT_EXCLUDE_PATTERN "\n");
  } else if (strcmp(step, "private-gitdir-exclude") == 0) {
    put_exclude(repo, own, BT_EXCLUDE_PATTERN "\n");
  } else if (strcmp(step, "no-info-dir") == 0) {
    char path[512];
    snprintf(path, sizeof path, "%s/info/exclude", common);
    (void)unlink(path);
    snprintf(path, sizeof path, "%s/info", common);
    vec_require(rmdir(path) == 0, "info");
  } else {
    known = false;
  }
  free(common);
  free(own);
  return known;
}

static bool set_up_index(const struct delivery_repo *repo, const char *tree, const char *step) {
  if (strcmp(step, "present-untracked") == 0) {
    put_in_tree(repo, BT_RECORD_PATH, "{\"old\": 1}\n");
  } else if (strcmp(step, "tracked-clean") == 0) {
    commit_record(repo, tree);
  } else if (strcmp(step, "skip-worktree") == 0 || strcmp(step, "assume-unchanged") == 0) {
    char flag[32];
    snprintf(flag, sizeof flag, "--%s", step);
    commit_record(repo, tree);
    delivery_git_ok(repo, tree, "update-index", flag, BT_RECORD_PATH);
    put_in_tree(repo, BT_RECORD_PATH, "{\"changed\": 1}\n");
  } else if (strcmp(step, "staged-new") == 0 || strcmp(step, "intent-to-add") == 0) {
    put_in_tree(repo, BT_RECORD_PATH, "{\"old\": 1}\n");
    delivery_git_ok(repo, tree, "add", "-f", strcmp(step, "staged-new") == 0 ? "-v" : "-N", BT_RECORD_PATH);
  } else if (strcmp(step, "staged-deletion") == 0 || strcmp(step, "removed-in-commit") == 0) {
    commit_record(repo, tree);
    delivery_git_ok(repo, tree, "rm", "-q", "--cached", BT_RECORD_PATH);
    if (strcmp(step, "removed-in-commit") == 0)
      delivery_git_ok(repo, tree, "commit", "-q", "-m", "without");
  } else {
    return false;
  }
  return true;
}

/* git must agree with what was done: after a write the record is neither tracked nor seen. */
static bool unseen_by_git(const struct vec_case *vec, const struct delivery_repo *repo, const char *tree) {
  struct bt_str out;
  bt_str_init(&out, VEC_TEXT_MAX);
  (void)delivery_git(repo, tree, &out, (const char *const[]){"status", "--porcelain", "--untracked-files=all", NULL});
  bool unseen = strstr(out.data, "handoff.json") == NULL;
  bt_str_dispose(&out);
  return vec_expect_bool(vec, "unseen by git", true, unseen);
}

static enum vec_result run_guard(const struct vec_case *vec) {
  static const char content[] = "{\"new\": 1}\n";
  struct delivery_repo repo;
  delivery_repo_open(&repo, NULL, vec_get_bool(vec->json, "linked_worktree", false));
  const char *tree = delivery_repo_tree(&repo);
  const struct bt_json *setup = bt_json_get(vec->json, "setup");
  for (const struct bt_json *step = bt_json_first(setup); step != NULL; step = bt_json_next(step)) {
    const char *word = bt_json_string(step);
    if (!set_up_index(&repo, tree, word) && !set_up_ignores(&repo, tree, word) && !set_up_links(&repo, tree, word)) {
      delivery_repo_close(&repo);
      return vec_fail(vec, "unknown setup %s", word);
    }
  }
  struct bt_arena *arena = bt_arena_new(ARENA_MAX);
  struct bt_delivery_request request = {.directory = tree, .host_label = "file"};
  struct bt_evaluation evaluation;
  struct bt_delivery_outcome dry, wet;
  struct bt_error err = {0};
  bool good =
      bt_delivery_scan(arena, &request, &evaluation, &err) == BT_OK &&
      bt_delivery_write_record(&evaluation.work, &evaluation.file, content, strlen(content), false, &dry, &err) ==
          BT_OK &&
      bt_delivery_write_record(&evaluation.work, &evaluation.file, content, strlen(content), true, &wet, &err) == BT_OK;
  if (!good)
    (void)vec_fail(vec, "the write failed: %s", err.message);
  const char *code = good && wet.refusal != NULL ? wet.refusal : "ok";
  good = good && vec_expect_text(vec, "code", bt_json_get_string(vec->expected, "code"), code);
  good = good && vec_expect_text(vec, "dry run", code, dry.refusal != NULL ? dry.refusal : "ok");
  if (bt_json_get(vec->expected, "ok") != NULL)
    good = vec_expect_bool(vec, "ok", vec_get_bool(vec->expected, "ok", false), strcmp(code, "ok") == 0) && good;
  double status = 0;
  if (bt_json_number(bt_json_get(vec->expected, "exit"), &status))
    good = vec_expect_number(vec, "exit", status, strcmp(code, "ok") == 0 ? 0 : BT_DELIVERY_EXIT_REFUSED) && good;
  if (good && strcmp(code, "ok") == 0)
    good = unseen_by_git(vec, &repo, tree);
  bt_arena_free(arena);
  delivery_repo_close(&repo);
  return verdict_of(good);
}

/* ---- whole command lines ---- */

struct call {
  struct delivery_repo repo;
  char *words[WORDS_MAX];
  size_t count;
  char pr_path[512], host_path[512];
  int64_t now_ms;
  const char *now;
  struct vec_child child;
};

static void add_word(struct call *call, const char *word) {
  vec_require(call->count + 1 < WORDS_MAX, "too many words");
  call->words[call->count] = strdup(word);
  vec_require(call->words[call->count++] != NULL, "memory");
}

static void add_flag(struct call *call, const char *name, const char *value) {
  struct bt_str word;
  bt_str_init(&word, VEC_TEXT_MAX);
  bt_str_printf(&word, "--%s=%s", name, value);
  add_word(call, word.data);
  bt_str_dispose(&word);
}

/* A text of the case, filled in, in the place that `path` names. */
static void put_filled(const struct call *call, const char *path, const char *text, size_t length, int64_t pad_to) {
  size_t filled = 0;
  char *plain = delivery_fill(&call->repo, text, length, &filled);
  if (pad_to > (int64_t)filled) {
    plain = realloc(plain, (size_t)pad_to + 1);
    vec_require(plain != NULL, "memory");
    memset(plain + filled, ' ', (size_t)pad_to - filled);
    filled = (size_t)pad_to;
  }
  delivery_put(&call->repo, path, plain, filled);
  free(plain);
}

static void put_text_of(const struct call *call, const struct bt_json *json, const char *key, const char *path) {
  size_t length = 0;
  int64_t pad_to = 0;
  const char *text = vec_get_text(json, key, &length);
  if (strcmp(key, "record") == 0)
    (void)vec_get_int(json, "record_pad_to", &pad_to);
  if (text != NULL)
    put_filled(call, path, text, length, pad_to);
}

static void put_records(const struct call *call, const struct bt_json *json) {
  const char *encoded = bt_json_get_string(json, "record_b64");
  const char *path = call->repo.linked != NULL ? "linked/" BT_RECORD_PATH : "main/" BT_RECORD_PATH;
  put_text_of(call, json, "record", path);
  if (call->repo.linked != NULL)
    put_text_of(call, json, "other_record", "main/" BT_RECORD_PATH);
  if (encoded != NULL) {
    struct bt_str bytes;
    bt_str_init(&bytes, VEC_TEXT_MAX);
    vec_require(vec_base64(&bytes, encoded), "base64");
    put_filled(call, path, bytes.data, bytes.length, 0);
    bt_str_dispose(&bytes);
  }
  put_text_of(call, json, "host_store", "host.json");
}

/* The snapshot counts as just fetched: its file is as old as the clock of the case says. */
static void put_pr(struct call *call, const struct bt_json *json) {
  const struct bt_json *pr = bt_json_get(json, "pr");
  put_text_of(call, json, "pr_raw", "pr.json");
  if (bt_json_type(pr) == BT_JSON_OBJECT) {
    struct bt_str text;
    bt_str_init(&text, VEC_TEXT_MAX);
    bt_json_print_compact(&text, pr);
    put_filled(call, "pr.json", text.data, text.length, 0);
    bt_str_dispose(&text);
  }
  snprintf(call->pr_path, sizeof call->pr_path, "%s/pr.json", call->repo.world.root);
  struct timespec times[2] = {{.tv_sec = call->now_ms / 1000}, {.tv_sec = call->now_ms / 1000}};
  if (utimensat(AT_FDCWD, call->pr_path, times, 0) == 0)
    add_flag(call, "pr-state", call->pr_path);
}

static void open_call(struct call *call, const struct bt_json *json, const char *verb) {
  const struct bt_json *git = bt_json_get(json, "git"), *flags = bt_json_get(json, "flags");
  memset(call, 0, sizeof *call);
  call->now = bt_json_get_string(json, "now");
  if (call->now == NULL)
    call->now = USUAL_NOW;
  vec_require(bt_utc_time(call->now, strlen(call->now), &call->now_ms), "now");
  delivery_repo_open(&call->repo, git, vec_get_bool(git, "linked_worktree", false));
  add_word(call, BATON_BINARY);
  add_word(call, "delivery");
  add_word(call, verb);
  add_flag(call, "repo", delivery_repo_tree(&call->repo));
  add_word(call, "--json");
  put_records(call, json);
  put_pr(call, json);
  snprintf(call->host_path, sizeof call->host_path, "%s/host.json", call->repo.world.root);
  if (access(call->host_path, F_OK) == 0)
    add_flag(call, "host-store", call->host_path);
  for (const struct bt_json *flag = bt_json_first(flags); flag != NULL; flag = bt_json_next(flag)) {
    char name[64];
    struct bt_str value;
    snprintf(name, sizeof name, "%s", bt_json_key(flag));
    for (char *at = name; *at != '\0'; at++)
      *at = *at == '_' ? '-' : *at;
    bt_str_init(&value, VEC_TEXT_MAX);
    bt_json_to_text(&value, flag);
    add_flag(call, name, value.data);
    bt_str_dispose(&value);
  }
}

static struct bt_json *run_call(struct call *call) {
  char path[4096], home[4096], now[64];
  const char *search = getenv("PATH");
  snprintf(path, sizeof path, "PATH=%s", search != NULL ? search : "/usr/bin:/bin");
  snprintf(home, sizeof home, "HOME=%s", call->repo.world.root);
  snprintf(now, sizeof now, "BATON_NOW=%s", call->now);
  char no_global[] = "GIT_CONFIG_GLOBAL=/dev/null", no_system[] = "GIT_CONFIG_NOSYSTEM=1", zone[] = "TZ=UTC";
  char *const environ_[] = {path, home, now, no_global, no_system, zone, NULL};
  const char *argv[WORDS_MAX + 1] = {NULL};
  for (size_t i = 0; i < call->count; i++)
    argv[i] = call->words[i];
  vec_child_run(&call->child, call->repo.world.root, argv, environ_);
  return bt_json_parse(call->child.out.data, call->child.out.length, NULL);
}

static void close_call(struct call *call) {
  for (size_t i = 0; i < call->count; i++)
    free(call->words[i]);
  vec_child_dispose(&call->child);
  delivery_repo_close(&call->repo);
}

/* A member of the expectation against one of the output; not asked for is fine. */
static bool expect_member(const struct vec_case *vec, const struct bt_json *said, const char *expected,
                          const char *actual) {
  const struct bt_json *wanted = bt_json_get(vec->expected, expected);
  return wanted == NULL || vec_expect_json(vec, NULL, expected, wanted, bt_json_get(said, actual));
}

static enum vec_result run_validate(const struct vec_case *vec) {
  struct call call;
  open_call(&call, vec->json, "validate");
  struct bt_json *said = run_call(&call);
  double status = 0;
  (void)bt_json_number(bt_json_get(vec->expected, "exit"), &status);
  bool good = vec_expect_number(vec, "exit", status, call.child.exit);
  good = expect_member(vec, said, "verdict", "verdict") && good;
  good = expect_member(vec, said, "exit", "exit") && good;
  good = expect_member(vec, said, "reasons", "reasons") && good;
  good = expect_member(vec, said, "source", "source") && good;
  good = expect_member(vec, said, "invalidated", "invalidated") && good;
  good = expect_member(vec, said, "next", "next_step") && good;
  good = expect_member(vec, said, "warnings", "warnings") && good;
  if (!good)
    (void)vec_fail(vec, "stderr: %s", call.child.err.data);
  bt_json_free(said);
  close_call(&call);
  return verdict_of(good);
}

/* ---- transitions ---- */

static void add_filled(struct call *call, const char *name, const char *text) {
  char *plain = delivery_fill(&call->repo, text, strlen(text), NULL);
  add_flag(call, name, plain);
  free(plain);
}

static void add_steps(struct call *call, const char *name, const struct bt_json *steps) {
  for (const struct bt_json *step = bt_json_first(steps); step != NULL; step = bt_json_next(step)) {
    struct bt_str text;
    bt_str_init(&text, VEC_TEXT_MAX);
    bt_str_printf(&text, "%s=%s@%s", bt_json_get_string(step, "gate"), bt_json_get_string(step, "verdict"),
                  bt_json_get_string(step, "evidence"));
    add_filled(call, name, text.data);
    bt_str_dispose(&text);
  }
}

static void add_operation(struct call *call, const struct bt_json *op) {
  const char *mode = bt_json_get_string(op, "mode"), *evidence = bt_json_get_string(op, "evidence");
  const char *detail = bt_json_get_string(op, "detail");
  if (mode != NULL)
    add_word(call, strcmp(mode, "delivered") == 0 ? "--delivered" : "--boundary-stop");
  if (evidence != NULL)
    add_filled(call, "evidence", evidence);
  if (detail != NULL)
    add_filled(call, "detail", detail);
  if (vec_get_bool(op, "resumable", false))
    add_word(call, "--resumable");
  add_steps(call, "completed", bt_json_get(op, "completed"));
  add_steps(call, "reverified", bt_json_get(op, "reverified"));
  add_word(call, "--write");
}

static struct bt_json *read_record(const struct call *call, struct bt_str *bytes) {
  int tree = bt_fs_open_root(delivery_repo_tree(&call->repo), NULL);
  bt_str_init(bytes, VEC_TEXT_MAX);
  vec_require(tree >= 0, "tree");
  enum bt_code code = bt_fs_read_at(tree, BT_RECORD_PATH, bytes, NULL);
  close(tree);
  return code == BT_OK ? bt_json_parse(bytes->data, bytes->length, NULL) : NULL;
}

/* The gates of the completed steps, in order. */
static struct bt_json *gates_of(const struct bt_json *record) {
  const struct bt_json *steps = bt_json_get(record, "completed_steps");
  struct bt_json *gates = bt_json_new_array();
  for (const struct bt_json *step = bt_json_first(steps); step != NULL; step = bt_json_next(step))
    vec_require(bt_json_push(gates, bt_json_clone(bt_json_get(step, "gate"))) == BT_OK, "memory");
  return gates;
}

static bool check_after(const struct vec_case *vec, const struct call *call, const struct bt_json *record) {
  const struct bt_json *after = bt_json_get(vec->expected, "after");
  bool good = true;
  for (const struct bt_json *member = bt_json_first(after); member != NULL; member = bt_json_next(member)) {
    struct bt_str text;
    bt_str_init(&text, VEC_TEXT_MAX);
    bt_json_print_compact(&text, member);
    char *plain = delivery_fill(&call->repo, text.data, text.length, NULL);
    struct bt_json *wanted = bt_json_parse(plain, strlen(plain), NULL);
    bool gates = strcmp(bt_json_key(member), "completed_gates") == 0;
    struct bt_json *made = gates ? gates_of(record) : NULL;
    const struct bt_json *actual = gates ? made : bt_json_get(record, bt_json_key(member));
    good = vec_expect_json(vec, NULL, bt_json_key(member), wanted, actual) && good;
    bt_json_free(made);
    bt_json_free(wanted);
    free(plain);
    bt_str_dispose(&text);
  }
  return good;
}

static enum vec_result run_transition(const struct vec_case *vec) {
  const struct bt_json *op = bt_json_get(vec->json, "op");
  const char *wanted = bt_json_get_string(vec->expected, "code");
  struct call call;
  struct bt_str before, after;
  open_call(&call, vec->json, bt_json_get_string(op, "verb"));
  add_operation(&call, op);
  bt_json_free(read_record(&call, &before));
  struct bt_json *said = run_call(&call);
  struct bt_json *record = read_record(&call, &after);
  double status = 0;
  (void)bt_json_number(bt_json_get(vec->expected, "exit"), &status);
  bool usage = wanted != NULL && strcmp(wanted, "usage") == 0;
  bool good = vec_expect_number(vec, "exit", status, call.child.exit);
  if (!usage)
    good = expect_member(vec, said, "code", "code") && good;
  bool written = wanted != NULL && strcmp(wanted, "written") == 0;
  bool changed = before.length != after.length || memcmp(before.data, after.data, before.length) != 0;
  good = vec_expect_bool(vec, "changed on disk", written, changed) && good;
  good = check_after(vec, &call, record) && good;
  if (written)
    good = vec_expect_json(vec, NULL, "what it said", record, bt_json_get(said, "after")) && good;
  if (written)
    good = unseen_by_git(vec, &call.repo, delivery_repo_tree(&call.repo)) && good;
  if (!good)
    (void)vec_fail(vec, "stderr: %s", call.child.err.data);
  bt_str_dispose(&before);
  bt_str_dispose(&after);
  bt_json_free(said);
  bt_json_free(record);
  close_call(&call);
  return verdict_of(good);
}

enum vec_result vec_run_delivery(const struct vec_case *vec) {
  static const struct {
    const char *list;
    enum vec_result (*run)(const struct vec_case *vec);
  } lists[] = {{"cases", run_validate},     {"transitions", run_transition}, {"urls", run_url},
               {"url_pairs", run_url_pair}, {"timestamps", run_timestamp},   {"pr_blocks", run_block},
               {"exclude", run_exclude},    {"write_guard", run_guard},      {"watchers", run_watcher}};
  /* Code under test asks git in this process too. */
  vec_require(setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1) == 0 && setenv("GIT_CONFIG_NOSYSTEM", "1", 1) == 0, "setenv");
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    if (strcmp(vec->list, lists[i].list) == 0)
      return lists[i].run(vec);
  }
  return vec_fail(vec, "unknown list %s", vec->list);
}
