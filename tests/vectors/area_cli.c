/* tests/vectors/area_cli.c - whole command lines, run as an operator would run them. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/store/chain_forest.h"
#include "tests/vectors/cli_child.h"
#include "tests/vectors/support.h"

#define WORDS_MAX 64

struct stage { /* what one case runs on */
  struct vec_world world, home;
  char *environ_[WORDS_MAX];
  size_t environ_count;
};

static char *joined(const char *a, const char *b, const char *c) {
  size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
  char *text = malloc(size);
  vec_require(text != NULL, "memory");
  snprintf(text, size, "%s%s%s", a, b, c);
  return text;
}

static void put_environ(struct stage *stage, char *entry) {
  vec_require(stage->environ_count + 1 < WORDS_MAX, "too many variables");
  stage->environ_[stage->environ_count++] = entry;
}

static void open_stage(struct stage *stage, const struct vec_case *vec) {
  memset(stage, 0, sizeof *stage);
  vec_world_open(&stage->world);
  vec_world_open(&stage->home);
  const char *path = getenv("PATH");
  put_environ(stage, joined("PATH=", path != NULL ? path : "/usr/bin:/bin", ""));
  put_environ(stage, joined("HOME=", stage->home.root, ""));
  put_environ(stage, joined("TZ=UTC", "", ""));
  put_environ(stage, joined("LANG=C", "", ""));
  put_environ(stage, joined("GIT_CONFIG_GLOBAL=/dev/null", "", ""));
  put_environ(stage, joined("GIT_CONFIG_NOSYSTEM=1", "", ""));
  const struct bt_json *given = bt_json_get(vec->input, "env");
  for (const struct bt_json *member = bt_json_first(given); member != NULL; member = bt_json_next(member)) {
    const char *value = bt_json_string(member);
    char *filled = vec_fill(&stage->world, value != NULL ? value : "");
    put_environ(stage, joined(bt_json_key(member), "=", filled));
    free(filled);
  }
  vec_tree_build(&stage->world, bt_json_get(vec->input, "tree"));
}

static void close_stage(struct stage *stage) {
  for (size_t i = 0; i < stage->environ_count; i++)
    free(stage->environ_[i]);
  vec_world_close(&stage->world);
  vec_world_close(&stage->home);
}

/* ---- lock, git, mtimes ---- */

static void put_lock(const struct stage *stage, const struct bt_json *lock) {
  const char *session = bt_json_get_string(lock, "session"), *state = bt_json_get_string(lock, "state");
  if (session == NULL || state == NULL)
    return;
  struct bt_str text;
  bt_str_init(&text, VEC_TEXT_MAX);
  if (strcmp(state, "corrupt") == 0)
    bt_str_puts(&text, "{not a lock");
  else
    bt_str_printf(&text,
                  "{\n  \"schema\": 1,\n  \"session_id\": \"%s\",\n  \"pid\": %s,\n"
                  "  \"started_at\": \"2031-01-01T00:00:00.000Z\",\n  \"host\": \"%s\",\n"
                  "  \"nonce\": \"00112233aabbccdd\"\n}\n",
                  session, strcmp(state, "live") == 0 ? stage->world.live_pid : stage->world.dead_pid,
                  strcmp(state, "foreign") == 0 ? "elsewhere.example" : stage->world.host);
  char *path = joined(".adlc/handoffs/", session, ".lock");
  vec_tree_put(&stage->world, path, text.data, text.length);
  free(path);
  bt_str_dispose(&text);
}

static bool git(const struct stage *stage, const char *const *words) {
  const char *argv[WORDS_MAX] = {
      "/usr/bin/env", "git", "-c", "user.name=v", "-c", "user.email=v@example.org", "-c", "commit.gpgsign=false"};
  size_t count = 8;
  for (size_t i = 0; words[i] != NULL && count + 1 < WORDS_MAX; i++)
    argv[count++] = words[i];
  struct vec_child child;
  vec_child_run(&child, stage->world.root, argv, stage->environ_);
  bool done = child.exit == 0;
  vec_child_dispose(&child);
  return done;
}

static bool set_up_git(const struct stage *stage, const struct bt_json *wanted) {
  if (!vec_get_bool(wanted, "init", false))
    return true;
  const char *branch = bt_json_get_string(wanted, "branch");
  if (!git(stage, (const char *[]){"init", "-q", "-b", branch != NULL ? branch : "main", NULL}))
    return false;
  const struct bt_json *tracked = bt_json_get(wanted, "tracked");
  for (const struct bt_json *path = bt_json_first(tracked); path != NULL; path = bt_json_next(path)) {
    if (!git(stage, (const char *[]){"add", "-f", "--", bt_json_string(path), NULL}))
      return false;
  }
  if (vec_get_bool(wanted, "commit", true) &&
      !git(stage, (const char *[]){"commit", "-q", "--allow-empty", "-m", "start", NULL}))
    return false;
  if (vec_get_bool(wanted, "detach", false) && !git(stage, (const char *[]){"checkout", "-q", "--detach", NULL}))
    return false;
  const struct bt_json *dirty = bt_json_get(wanted, "dirty");
  for (const struct bt_json *path = bt_json_first(dirty); path != NULL; path = bt_json_next(path))
    vec_tree_put(&stage->world, bt_json_string(path), "dirty\n", 6);
  return true;
}

static void set_mtimes(const struct stage *stage, const struct bt_json *mtimes) {
  for (const struct bt_json *member = bt_json_first(mtimes); member != NULL; member = bt_json_next(member)) {
    double offset = 0;
    vec_require(bt_json_number(member, &offset), "mtime");
    int64_t ms = stage->world.now_ms + (int64_t)offset;
    struct timespec times[2] = {{.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}};
    times[1] = times[0];
    char *path = joined(stage->world.root, "/", bt_json_key(member));
    vec_require(utimensat(AT_FDCWD, path, times, 0) == 0, "mtime");
    free(path);
  }
}

/* ---- the call ---- */

static void call(const struct stage *stage, const struct vec_case *vec, struct vec_child *child) {
  const char *argv[WORDS_MAX] = {BATON_BINARY};
  char *owned[WORDS_MAX] = {NULL};
  size_t count = 1;
  const struct bt_json *words = bt_json_get(vec->input, "argv");
  for (const struct bt_json *word = bt_json_first(words); word != NULL; word = bt_json_next(word)) {
    vec_require(count + 1 < WORDS_MAX, "too many words");
    argv[count] = owned[count] = vec_fill(&stage->world, bt_json_string(word));
    count++;
  }
  const char *below = bt_json_get_string(vec->input, "cwd");
  char *cwd = joined(stage->world.root, below != NULL ? "/" : "", below != NULL ? below : "");
  (void)mkdir(cwd, 0777);
  vec_child_run(child, cwd, argv, stage->environ_);
  free(cwd);
  for (size_t i = 1; i < count; i++)
    free(owned[i]);
}

/* ---- what came of it ---- */

static struct bt_json *object_of(const struct bt_str *out) {
  struct bt_json *json = bt_json_parse(out->data, out->length, NULL);
  if (json != NULL && bt_json_type(json) != BT_JSON_OBJECT) {
    bt_json_free(json);
    return NULL;
  }
  return json;
}

/* Where a body that looks like `pattern` ends in `start`; 0: nowhere. It is followed by an empty line. */
static size_t matching_length(const char *start, const char *pattern) {
  for (size_t cut = strlen(start); cut > 1; cut--) {
    if (start[cut - 1] != '\n' || start[cut] != '\n')
      continue;
    char *body = strndup(start, cut);
    vec_require(body != NULL, "memory");
    bool found = vec_match_text(NULL, pattern, body);
    free(body);
    if (found)
      return cut;
  }
  return 0;
}

/* The body in the prompt: by its text where the case gives it, else by its length and digest. */
static bool has_body(const char *prompt, const struct bt_json *body, size_t *at, size_t *length) {
  const char *pattern = bt_json_string(body);
  const char *start = strstr(prompt, "## Ticket\n\n<<<");
  int64_t bytes = 0;
  char hash[BT_SHA256_HEX];
  if (start == NULL)
    return false;
  *at = (size_t)(start - prompt);
  if (pattern != NULL) {
    *length = matching_length(start, pattern);
    return *length > 0;
  }
  if (!vec_get_int(body, "bytes", &bytes) || strlen(start) < (size_t)bytes)
    return false;
  *length = (size_t)bytes;
  bt_sha256_hex(start, *length, hash);
  return bt_text_equals(hash, bt_json_get_string(body, "sha256"));
}

static bool names_outside(const char *prompt, size_t at, size_t length, const char *name) {
  char *rest = strdup(prompt);
  vec_require(rest != NULL, "memory");
  memmove(rest + at, prompt + at + length, strlen(prompt + at + length) + 1);
  bool found = name != NULL && strstr(rest, name) != NULL;
  free(rest);
  return found;
}

static const char *flag_value(const struct bt_json *argv, const char *flag) {
  for (const struct bt_json *word = bt_json_first(argv); word != NULL; word = bt_json_next(word)) {
    if (bt_text_equals(bt_json_string(word), flag))
      return bt_json_string(bt_json_next(word));
  }
  return NULL;
}

static bool expect_prompt(const struct vec_case *vec, const struct bt_json *printed) {
  const struct bt_json *body = bt_json_get(vec->expected, "body");
  if (body == NULL)
    return true;
  const char *prompt = bt_json_get_string(printed, "bootstrap_prompt");
  size_t at = 0, length = 0;
  if (prompt == NULL)
    return vec_fail(vec, "no bootstrap_prompt") == VEC_PASS;
  if (!has_body(prompt, body, &at, &length))
    return vec_fail(vec, "the prompt does not hold the body: %.3000s", prompt) == VEC_PASS;
  bool alone = at > 0 && prompt[at - 1] == '\n' && prompt[at + length] == '\n';
  bool names = names_outside(prompt, at, length, bt_json_get_string(printed, "ticket_id")) &&
               names_outside(prompt, at, length, flag_value(bt_json_get(vec->input, "argv"), "--deny-session"));
  return vec_expect_bool(vec, "body between newlines", true, alone) &&
         vec_expect_bool(vec, "ids outside the body", true, names);
}

static bool expect_manifest(const struct vec_case *vec, const struct stage *stage) {
  const struct bt_json *wanted = bt_json_get(vec->expected, "manifest");
  if (wanted == NULL)
    return true;
  const char *key = bt_json_get_string(bt_json_get(vec->input, "env"), "ADLC_MANIFEST_KEY");
  const char *dir = flag_value(bt_json_get(vec->input, "argv"), "--dir");
  const char *below = bt_json_get_string(vec->input, "cwd");
  char *filled = vec_fill(&stage->world, dir != NULL ? dir : ".adlc");
  char *base = joined(stage->world.root, below != NULL ? "/" : "", below != NULL ? below : "");
  char *path = filled[0] == '/' ? joined(filled, "", "") : joined(base, "/", filled);
  int ledger = bt_fs_open_root(path, NULL);
  struct bt_forest_options options = {.key = {key, key != NULL ? strlen(key) : 0}};
  struct bt_forest forest = {0};
  bool ok = bt_forest_check(ledger, &options, &forest, NULL) == BT_OK;
  double count = 0, segments = 0, entries = 0;
  for (size_t i = 0; ok && i < forest.count; i++)
    entries += (double)forest.chains[i].result.entries;
  (void)bt_json_number(bt_json_get(wanted, "count"), &count);
  (void)bt_json_number(bt_json_get(wanted, "segments"), &segments);
  ok = vec_expect_bool(vec, "manifest valid", vec_get_bool(wanted, "valid", true), ok && forest.ok) && ok;
  ok = vec_expect_number(vec, "manifest entries", count, entries) && ok;
  ok = vec_expect_number(vec, "manifest segments", segments, forest.count > 0 ? (double)(forest.count - 1) : 0) && ok;
  bt_forest_dispose(&forest);
  if (ledger >= 0)
    close(ledger);
  free(path);
  free(base);
  free(filled);
  return ok;
}

static bool expect(const struct vec_case *vec, const struct stage *stage, const struct vec_tree *before,
                   const struct vec_child *child) {
  double status = 0;
  (void)bt_json_number(bt_json_get(vec->expected, "exit"), &status);
  bool ok = vec_expect_number(vec, "exit", status, child->exit);
  ok = vec_expect_bool(vec, "stdout empty", vec_get_bool(vec->expected, "stdout_empty", false),
                       child->out.length == 0) &&
       ok;
  ok = vec_expect_bool(vec, "stderr non-empty", vec_get_bool(vec->expected, "stderr_nonempty", false),
                       child->err.length > 0) &&
       ok;
  if (!ok)
    (void)vec_fail(vec, "stderr: %.300s", child->err.data);
  struct bt_json *printed = object_of(&child->out);
  const struct bt_json *wanted = bt_json_get(vec->expected, "stdout_json");
  if (bt_json_is_nullish(wanted))
    ok = vec_expect_bool(vec, "stdout is no JSON object", true, printed == NULL) && ok;
  else
    ok = vec_expect_json(vec, &stage->world, "stdout", wanted, printed) && expect_prompt(vec, printed) && ok;
  ok = vec_tree_check(vec, &stage->world, before, bt_json_get(vec->expected, "tree_after")) && ok;
  bt_json_free(printed);
  return expect_manifest(vec, stage) && ok;
}

enum vec_result vec_run_cli(const struct vec_case *vec) {
  struct stage stage;
  struct vec_tree before;
  struct vec_child child;
  open_stage(&stage, vec);
  put_lock(&stage, bt_json_get(vec->input, "lock"));
  enum vec_result result;
  if (!set_up_git(&stage, bt_json_get(vec->input, "git"))) {
    result = vec_skip(vec, "git cannot set the repository up");
  } else {
    set_mtimes(&stage, bt_json_get(vec->input, "mtimes"));
    vec_tree_read(&before, &stage.world);
    call(&stage, vec, &child);
    result = expect(vec, &stage, &before, &child) ? VEC_PASS : VEC_FAIL;
    vec_child_dispose(&child);
    vec_tree_dispose(&before);
  }
  close_stage(&stage);
  return result;
}
