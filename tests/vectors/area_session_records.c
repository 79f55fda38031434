/* tests/vectors/area_session_records.c - whole command lines of `baton records` over a folder of transcripts. */
#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/utf8.h"
#include "core/records/manifest.h"
#include "tests/vectors/cli_child.h"
#include "tests/vectors/records_match.h"

#define WORDS_MAX 64

struct stage {
  const struct vec_case *vec;
  struct vec_world world;
  struct records_names names;
  char *skill;
  struct vec_tree inputs; /* what the case itself put there, as it was when it was last put there */
  bool ok;
};

static char *joined(const char *a, const char *b, const char *c) {
  size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
  char *text = malloc(size);
  vec_require(text != NULL, "memory");
  snprintf(text, size, "%s%s%s", a, b, c);
  return text;
}

static void differ(struct stage *stage, const char *what, const char *detail) {
  stage->ok = false;
  (void)vec_fail(stage->vec, "%s: %.600s", what, detail);
}

/* ---- files before a step ---- */

static void put_files(struct stage *stage, const struct bt_json *files, bool append) {
  for (const struct bt_json *file = bt_json_first(files); file != NULL; file = bt_json_next(file)) {
    struct bt_str bytes;
    bt_str_init(&bytes, VEC_TEXT_MAX);
    records_text(&bytes, &stage->names, file);
    if (append) {
      char *path = joined(stage->world.root, "/", bt_json_key(file));
      FILE *out = fopen(path, "ab");
      vec_require(out != NULL && fwrite(bytes.data, 1, bytes.length, out) == bytes.length && fclose(out) == 0,
                  "append");
      free(path);
    } else {
      vec_tree_put(&stage->world, bt_json_key(file), bytes.data, bytes.length);
    }
    bt_str_dispose(&bytes);
  }
}

static int remove_one(const char *path, const struct stat *found, int type, struct FTW *level) {
  (void)found, (void)type, (void)level;
  return remove(path);
}

static void remove_paths(const struct stage *stage, const struct bt_json *paths) {
  for (const struct bt_json *path = bt_json_first(paths); path != NULL; path = bt_json_next(path)) {
    char *full = joined(stage->world.root, "/", bt_json_string(path));
    (void)nftw(full, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(full);
  }
}

static void replace_first(struct stage *stage, const struct bt_json *changes) {
  for (const struct bt_json *change = bt_json_first(changes); change != NULL; change = bt_json_next(change)) {
    struct vec_tree tree;
    const char *from = bt_json_string(bt_json_first(change));
    const char *to = bt_json_string(bt_json_next(bt_json_first(change)));
    vec_tree_read(&tree, &stage->world);
    const struct vec_node *node = vec_tree_find(&tree, bt_json_key(change));
    vec_require(node != NULL && from != NULL && to != NULL, "a file to change");
    const char *at = strstr(node->bytes, from);
    vec_require(at != NULL, "a text to change");
    struct bt_str bytes;
    bt_str_init(&bytes, VEC_TEXT_MAX);
    bt_str_append(&bytes, node->bytes, (size_t)(at - node->bytes));
    bt_str_puts(&bytes, to);
    bt_str_puts(&bytes, at + strlen(from));
    vec_tree_put(&stage->world, bt_json_key(change), bytes.data, bytes.length);
    bt_str_dispose(&bytes);
    vec_tree_dispose(&tree);
  }
}

static void forget_inputs(struct stage *stage, const struct bt_json *paths) {
  for (const struct bt_json *path = bt_json_first(paths); path != NULL; path = bt_json_next(path)) {
    size_t length = strlen(bt_json_string(path));
    for (size_t i = stage->inputs.count; i > 0; i--) {
      struct vec_node *node = &stage->inputs.nodes[i - 1];
      if (strncmp(node->path, bt_json_string(path), length) != 0 ||
          (node->path[length] != '\0' && node->path[length] != '/'))
        continue;
      free(node->path);
      free(node->bytes);
      *node = stage->inputs.nodes[--stage->inputs.count];
    }
  }
}

/* Takes the files that an action named into the inputs, as they are now. */
static void note_inputs(struct stage *stage, const struct bt_json *files) {
  struct vec_tree now;
  vec_tree_read(&now, &stage->world);
  for (const struct bt_json *file = bt_json_first(files); file != NULL; file = bt_json_next(file)) {
    const struct vec_node *node = vec_tree_find(&now, bt_json_key(file));
    if (node == NULL)
      continue;
    struct vec_node *old = NULL;
    for (size_t i = 0; i < stage->inputs.count; i++)
      old = strcmp(stage->inputs.nodes[i].path, node->path) == 0 ? &stage->inputs.nodes[i] : old;
    if (old == NULL) {
      stage->inputs.nodes = realloc(stage->inputs.nodes, (stage->inputs.count + 1) * sizeof *stage->inputs.nodes);
      vec_require(stage->inputs.nodes != NULL, "memory");
      old = &stage->inputs.nodes[stage->inputs.count++];
      *old = (struct vec_node){.path = strdup(node->path)};
    }
    free(old->bytes);
    old->kind = node->kind;
    old->length = node->length;
    old->bytes = malloc(node->length + 1);
    vec_require(old->path != NULL && old->bytes != NULL, "memory");
    memcpy(old->bytes, node->bytes, node->length + 1);
  }
  vec_tree_dispose(&now);
}

static void do_before(struct stage *stage, const struct bt_json *before) {
  for (const struct bt_json *action = bt_json_first(before); action != NULL; action = bt_json_next(action)) {
    put_files(stage, bt_json_get(action, "write"), false);
    put_files(stage, bt_json_get(action, "append"), true);
    remove_paths(stage, bt_json_get(action, "remove"));
    replace_first(stage, bt_json_get(action, "replace"));
    forget_inputs(stage, bt_json_get(action, "remove"));
    note_inputs(stage, bt_json_get(action, "write"));
    note_inputs(stage, bt_json_get(action, "append"));
    note_inputs(stage, bt_json_get(action, "replace"));
  }
}

/* ---- a step ---- */

static void put_environ(const struct stage *stage, char **environ_, size_t *count, const struct bt_json *variables) {
  for (const struct bt_json *variable = bt_json_first(variables); variable != NULL; variable = bt_json_next(variable)) {
    struct bt_str text;
    size_t name = strlen(bt_json_key(variable));
    bt_str_init(&text, VEC_TEXT_MAX);
    bt_str_printf(&text, "%s=", bt_json_key(variable));
    records_text(&text, &stage->names, variable);
    for (size_t i = 0; i < *count; i++) {
      if (strncmp(environ_[i], text.data, name + 1) == 0) {
        free(environ_[i]);
        environ_[i] = environ_[--*count];
      }
    }
    vec_require(*count + 1 < WORDS_MAX, "too many variables");
    environ_[(*count)++] = bt_str_take(&text, NULL);
  }
}

static void compare_lines(struct stage *stage, const struct bt_json *lines, const struct bt_str *out) {
  const char *at = out->data, *end = out->data + out->length;
  for (const struct bt_json *line = bt_json_first(lines); line != NULL; line = bt_json_next(line)) {
    const char *lf = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    size_t length = lf != NULL ? (size_t)(lf - at) : (size_t)(end - at);
    if (at > end || !records_match(&stage->names, line, at, length))
      differ(stage, "standard output differs", out->data);
    at = lf != NULL ? lf + 1 : end + 1;
  }
  if (at < end)
    differ(stage, "standard output has more lines", at);
}

static void run_step(struct stage *stage, const struct bt_json *step) {
  const char *argv[WORDS_MAX] = {BATON_BINARY, "records"};
  char *owned[WORDS_MAX] = {NULL}, *environ_[WORDS_MAX] = {NULL};
  size_t count = 2, variables = 0;
  if (bt_text_equals(bt_json_get_string(step, "program"), "installer"))
    argv[count++] = "skill";
  const struct bt_json *words = bt_json_get(step, "argv");
  for (const struct bt_json *word = bt_json_first(words); word != NULL; word = bt_json_next(word)) {
    struct bt_str text;
    bt_str_init(&text, VEC_TEXT_MAX);
    records_text(&text, &stage->names, word);
    vec_require(count + 1 < WORDS_MAX, "too many words");
    argv[count] = owned[count] = bt_str_take(&text, NULL);
    count++;
  }
  const char *path = getenv("PATH");
  environ_[variables++] = joined("PATH=", path != NULL ? path : "/usr/bin:/bin", "");
  environ_[variables++] = joined("HOME=", stage->names.cwd, "/home");
  put_environ(stage, environ_, &variables, bt_json_get(stage->vec->json, "env"));
  put_environ(stage, environ_, &variables, bt_json_get(step, "env"));
  do_before(stage, bt_json_get(step, "before"));
  const char *below = bt_json_get_string(step, "cwd");
  char *cwd = joined(stage->world.root, below != NULL ? "/" : "", below != NULL ? below : "");
  struct vec_child child;
  int64_t status = 0;
  vec_child_run(&child, cwd, argv, environ_);
  (void)vec_get_int(step, "exit", &status);
  if (child.exit != (int)status) {
    char text[800];
    snprintf(text, sizeof text, "%d instead of %d, and said %.600s", child.exit, (int)status, child.err.data);
    differ(stage, "exit status", text);
  }
  if (status != 0 && child.err.length == 0)
    differ(stage, "a failure", "said nothing on standard error");
  if (bt_json_get(step, "stdout_lines") != NULL)
    compare_lines(stage, bt_json_get(step, "stdout_lines"), &child.out);
  vec_child_dispose(&child);
  free(cwd);
  for (size_t i = 0; i < WORDS_MAX; i++) {
    free(owned[i]);
    free(environ_[i]);
  }
}

/* ---- what came of it ---- */

static bool is_under_root_dot(const char *path) { /* such files are no contract: <store>/.name */
  const char *slash = strchr(path, '/');
  return slash != NULL && slash[1] == '.' && strchr(slash + 1, '/') == NULL;
}

static void check_self_hash(struct stage *stage, const struct bt_json *expected, const struct vec_node *node) {
  const char *text = bt_json_string(expected);
  if (text == NULL || !bt_ends_with(node->path, "/manifest.json") ||
      strstr(text, "\"manifest_sha256\": \"<sha>\"") == NULL)
    return;
  struct bt_json *manifest = bt_json_parse(node->bytes, node->length, NULL);
  if (!bt_manifest_hash_holds(manifest))
    differ(stage, "self-hash is wrong", node->path);
  bt_json_free(manifest);
}

static const struct vec_node *input_of(const struct vec_tree *inputs, const char *path) {
  for (size_t i = 0; i < inputs->count; i++) { /* no longer in order */
    if (strcmp(inputs->nodes[i].path, path) == 0)
      return &inputs->nodes[i];
  }
  return NULL;
}

static void check_tree(struct stage *stage) {
  const struct vec_tree *before = &stage->inputs;
  const struct bt_json *wanted = bt_json_get(stage->vec->json, "tree_after"),
                       *gone = bt_json_get(stage->vec->json, "gone_after");
  bool partial = vec_get_bool(stage->vec->json, "tree_partial", false);
  struct vec_tree after;
  vec_tree_read(&after, &stage->world);
  for (const struct bt_json *file = bt_json_first(wanted); file != NULL; file = bt_json_next(file)) {
    const struct vec_node *node = vec_tree_find(&after, bt_json_key(file));
    if (node == NULL || node->kind != VEC_FILE) {
      differ(stage, "not there", bt_json_key(file));
    } else if (!records_match(&stage->names, file, node->bytes, node->length)) {
      differ(stage, bt_json_key(file), node->bytes);
    } else {
      check_self_hash(stage, file, node);
    }
  }
  for (const struct bt_json *path = bt_json_first(gone); path != NULL; path = bt_json_next(path)) {
    if (vec_tree_find(&after, bt_json_string(path)) != NULL)
      differ(stage, "still there", bt_json_string(path));
  }
  for (size_t i = 0; !partial && i < after.count; i++) {
    const struct vec_node *node = &after.nodes[i], *old = input_of(before, node->path);
    if (node->kind == VEC_FOLDER || bt_json_get(wanted, node->path) != NULL || is_under_root_dot(node->path))
      continue;
    if (old == NULL || old->length != node->length || memcmp(old->bytes, node->bytes, node->length) != 0)
      differ(stage, old == NULL ? "unexpected file" : "changed input", node->path);
  }
  for (size_t i = 0; i < before->count; i++) {
    const char *path = before->nodes[i].path;
    bool is_gone = false;
    for (const struct bt_json *item = bt_json_first(gone); item != NULL; item = bt_json_next(item))
      is_gone = is_gone || bt_text_equals(bt_json_string(item), path);
    if (!is_gone && before->nodes[i].kind == VEC_FILE && bt_json_get(wanted, path) == NULL &&
        vec_tree_find(&after, path) == NULL)
      differ(stage, "input is gone", path);
  }
  vec_tree_dispose(&after);
}

enum vec_result vec_run_session_records(const struct vec_case *vec) {
  struct stage stage = {.vec = vec, .ok = true};
  vec_world_open(&stage.world);
  stage.skill = joined(stage.world.root, "/home/.local/share/baton/records", "");
  stage.names = (struct records_names){stage.world.root, stage.skill};
  put_files(&stage, bt_json_get(vec->json, "files"), false);
  vec_tree_read(&stage.inputs, &stage.world);
  const struct bt_json *steps = bt_json_get(vec->json, "steps");
  for (const struct bt_json *step = bt_json_first(steps); step != NULL; step = bt_json_next(step))
    run_step(&stage, step);
  check_tree(&stage);
  vec_tree_dispose(&stage.inputs);
  vec_world_close(&stage.world);
  free(stage.skill);
  return stage.ok ? VEC_PASS : VEC_FAIL;
}
