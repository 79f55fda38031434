/* tests/vectors/area_handover.c - the line, the machine, transcripts, the policy switch, and the mod on disk. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/handover/command.h"
#include "core/handover/replay.h"
#include "core/handover/seen.h"
#include "core/handover/write.h"
#include "tests/vectors/cli_child.h"

enum { EVENTS_MAX = 4096 };

static enum vec_result verdict_of(bool good) {
  return good ? VEC_PASS : VEC_FAIL;
}

static struct bt_ask_limits limits_of(const struct vec_case *vec) {
  struct bt_ask_limits limits = bt_ask_limits_usual();
  int64_t value;
  if (vec_get_int(vec->json, "headroom_tokens", &value))
    limits.headroom_tokens = (uint64_t)value;
  if (vec_get_int(vec->json, "max_fill_permille", &value))
    limits.max_fill_permille = (uint64_t)value;
  if (vec_get_int(vec->json, "rearm_permille", &value))
    limits.rearm_permille = (uint64_t)value;
  return limits;
}

static void push_number(struct bt_json *list, double number) {
  vec_require(bt_json_push(list, bt_json_new_number(number)) == BT_OK, "memory");
}

static void push_text(struct bt_json *list, const char *text) {
  vec_require(bt_json_push(list, bt_json_new_string(text)) == BT_OK, "memory");
}

/* A member of the expectation, if it is asked for. */
static bool expect(const struct vec_case *vec, const char *key, const struct bt_json *actual) {
  const struct bt_json *wanted = bt_json_get(vec->expected, key);
  return wanted == NULL || vec_expect_json(vec, NULL, key, wanted, actual);
}

static bool expect_text(const struct vec_case *vec, const char *key, const char *actual) {
  const char *wanted = bt_json_get_string(vec->expected, key);
  return wanted == NULL || vec_expect_text(vec, key, wanted, actual);
}

/* ---- the line and the machine ---- */

static enum vec_result run_line(const struct vec_case *vec) {
  struct bt_ask_limits limits = limits_of(vec);
  int64_t window = 0, line = 0, low = 0;
  bool good = vec_get_int(vec->json, "window", &window) && vec_get_int(vec->json, "line", &line);
  uint64_t found = bt_ask_line(&limits, (uint64_t)window);
  good = good && vec_expect_number(vec, "line", (double)line, (double)found);
  if (good && vec_get_int(vec->json, "rearm_max", &low)) {
    good = vec_expect_bool(vec, "re-arms", true, bt_ask_rearms(&limits, (uint64_t)low, found));
    good = vec_expect_bool(vec, "re-arms one above", false, bt_ask_rearms(&limits, (uint64_t)low + 1, found)) && good;
  }
  return verdict_of(good);
}

static struct bt_ask_event event_of(const struct bt_json *step) {
  static const char *const sources[] = {"startup", "resume", "clear", "compact"};
  struct bt_ask_event event = {.kind = BT_ASK_EVENT_COUNT, .fill = BT_ASK_UNKNOWN, .window = BT_ASK_UNKNOWN};
  const char *word = bt_json_get_string(step, "event"), *source = bt_json_get_string(step, "source");
  for (int i = 0; i < BT_ASK_EVENT_COUNT; i++) {
    if (strcmp(word, bt_ask_event_word((enum bt_ask_event_kind)i)) == 0)
      event.kind = (enum bt_ask_event_kind)i;
  }
  for (int i = 0; source != NULL && i < 4; i++) {
    if (strcmp(source, sources[i]) == 0)
      event.source = (enum bt_ask_source)i;
  }
  (void)vec_get_int(step, "fill", &event.fill);
  (void)vec_get_int(step, "window", &event.window);
  event.value = vec_get_bool(step, "value", false);
  return event;
}

static enum vec_result run_sequence(const struct vec_case *vec) {
  struct bt_ask_limits limits = limits_of(vec);
  struct bt_ask_machine machine;
  struct bt_json *asks = bt_json_new_array(), *states = bt_json_new_array();
  const struct bt_json *steps = bt_json_get(vec->json, "steps");
  int index = 0;
  bool known = true;
  bt_ask_machine_init(&machine, &limits, vec_get_bool(vec->json, "supervised", true));
  for (const struct bt_json *step = bt_json_first(steps); step != NULL; step = bt_json_next(step), index++) {
    struct bt_ask_event event = event_of(step);
    known = known && event.kind != BT_ASK_EVENT_COUNT;
    if (known && bt_ask_step(&machine, &event))
      push_number(asks, index);
    push_text(states, bt_ask_state_word(bt_ask_state_of(&machine)));
  }
  bool good = vec_expect_bool(vec, "events known", true, known);
  good = expect(vec, "asks", asks) && good;
  good = expect(vec, "states", states) && good;
  good = expect_text(vec, "final", bt_ask_state_word(bt_ask_state_of(&machine))) && good;
  bt_json_free(asks);
  bt_json_free(states);
  return verdict_of(good);
}

static enum vec_result run_command(const struct vec_case *vec) {
  size_t length = 0;
  const char *command = vec_get_text(vec->json, "command", &length);
  static const char *const words[] = {
      [BT_COMMAND_NONE] = "none", [BT_COMMAND_READ] = "read", [BT_COMMAND_WRITE] = "write"};
  const char *kind = words[bt_command_kind_of(command, length)];
  return verdict_of(vec_expect_text(vec, "kind", bt_json_get_string(vec->json, "kind"), kind));
}

static enum vec_result run_policy(const struct vec_case *vec) {
  size_t length = 0;
  const char *text = vec_get_text(vec->json, "text", &length);
  struct bt_policy policy = bt_policy_read(text, length);
  bool good = vec_expect_bool(vec, "on", vec_get_bool(vec->json, "on", false), policy.on);
  good = vec_expect_text(vec, "reason", bt_json_get_string(vec->json, "reason"), policy.reason) && good;
  return verdict_of(good);
}

/* ---- transcripts ---- */

struct heard {
  struct bt_json *fills, *asks;
};

static void hear(void *context, const struct bt_ask_notice *notice) {
  struct heard *heard = context;
  if (notice->event->kind == BT_ASK_MEASURE)
    push_number(heard->fills, (double)notice->event->fill);
  if (notice->asks)
    push_number(heard->asks, (double)notice->line);
}

/* In one piece, or byte by byte where that is asked for. */
static void feed(struct bt_ask_replay *replay, const struct vec_case *vec, const char *bytes, size_t length) {
  size_t piece = vec->incremental ? 1 : length;
  for (size_t at = 0; at < length; at += piece)
    vec_require(bt_ask_replay_feed(replay, bytes + at, length - at < piece ? length - at : piece) == BT_OK, "memory");
}

static enum vec_result run_transcript(const struct vec_case *vec) {
  struct bt_ask_limits limits = limits_of(vec);
  struct bt_ask_replay replay;
  struct heard heard = {bt_json_new_array(), bt_json_new_array()};
  const struct bt_json *lines = bt_json_get(vec->json, "lines");
  int64_t window = 0;
  (void)vec_get_int(vec->json, "window_flag", &window);
  bt_ask_replay_init(&replay, &limits, vec_get_bool(vec->json, "supervised", true), window);
  replay.notice = hear;
  replay.context = &heard;
  for (const struct bt_json *line = bt_json_first(lines); line != NULL; line = bt_json_next(line)) {
    size_t length = 0;
    const char *text = vec_text(line, &length);
    struct bt_json *parsed = bt_json_next(line) == NULL ? bt_json_parse(text, length, NULL) : NULL;
    feed(&replay, vec, text, length);
    if (bt_json_next(line) != NULL || parsed != NULL) /* the last one is complete only if it parses */
      feed(&replay, vec, "\n", 1);
    bt_json_free(parsed);
  }
  bool good = expect(vec, "fills", heard.fills);
  good = expect(vec, "asks", heard.asks) && good;
  good = expect_text(vec, "final", bt_ask_state_word(bt_ask_state_of(&replay.machine))) && good;
  int64_t wanted = 0;
  if (vec_get_int(vec->expected, "window", &wanted))
    good = vec_expect_number(vec, "window", (double)wanted, (double)replay.window) && good;
  bt_json_free(heard.fills);
  bt_json_free(heard.asks);
  bt_ask_replay_dispose(&replay);
  return verdict_of(good);
}

/* ---- the mod on disk ---- */

struct place {
  struct vec_world world;
  const struct bt_mod_row *row;
  int root;
};

static void put(const struct place *place, const char *name, const char *text) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", place->row->folder, name);
  vec_tree_put(&place->world, path, text, strlen(text));
}

static void absolute(const struct place *place, const char *name, char path[1024]) {
  snprintf(path, 1024, "%s/%s%s%s", place->world.root, place->row->folder, name[0] != '\0' ? "/" : "", name);
}

static void make_folder(const struct place *place, const char *name) {
  char path[1024];
  absolute(place, name, path);
  for (char *at = path + strlen(place->world.root) + 1; (at = strchr(at, '/')) != NULL; *at++ = '/') {
    *at = '\0';
    (void)mkdir(path, 0777);
  }
  vec_require(mkdir(path, 0777) == 0, "folder");
}

static void lay_down(const struct place *place) {
  size_t count;
  const struct bt_mod_file *files = bt_mod_files(&count);
  char path[512];
  for (size_t i = 0; i < count; i++) {
    snprintf(path, sizeof path, "%s/%s", place->row->folder, files[i].path);
    vec_tree_put(&place->world, path, files[i].bytes, files[i].length);
  }
}

static void append_to_module(const struct place *place) {
  char path[1024];
  absolute(place, BT_MOD_MODULE, path);
  FILE *file = fopen(path, "a");
  vec_require(file != NULL && fputs("// changed\n", file) >= 0 && fclose(file) == 0, "append");
}

static void set_time(const struct place *place, const char *name, int64_t offset_s) {
  char path[1024];
  struct timespec times[2] = {{.tv_sec = place->world.now_ms / 1000 + offset_s}};
  times[1] = times[0];
  absolute(place, name, path);
  vec_require(utimensat(AT_FDCWD, path, times, 0) == 0, "time");
}

/* Moves what has been laid down elsewhere and puts a link in its place. */
static void link_away(const struct place *place, const char *relative) {
  char from[1024], to[1024];
  snprintf(from, sizeof from, "%s/%s", place->world.root, relative);
  snprintf(to, sizeof to, "%s/elsewhere", place->world.root);
  vec_require(rename(from, to) == 0 && symlink(to, from) == 0, "link");
}

static bool is_word_in(const char *condition, const char *word) {
  return strstr(condition, word) != NULL;
}

static void set_up_types(const struct place *place, const char *condition) {
  if (is_word_in(condition, "with-empty-types")) {
    make_folder(place, BT_MOD_TYPES);
  } else if (is_word_in(condition, "with-types") || is_word_in(condition, "with-old-types")) {
    put(place, BT_MOD_TYPES "/claude-code.d.ts", "declare module 'claude-code' {}\n");
    set_time(place, BT_MOD_TYPES "/claude-code.d.ts", is_word_in(condition, "old-types") ? -7200 : 0);
  }
}

static bool set_up_ours(const struct place *place, const char *condition) {
  if (strncmp(condition, "ours-", 5) != 0)
    return false;
  lay_down(place);
  if (is_word_in(condition, "edited"))
    append_to_module(place);
  if (is_word_in(condition, "with-extra"))
    put(place, "notes.md", "mine\n");
  if (strcmp(condition, "ours-missing-file") == 0) {
    char path[1024];
    absolute(place, "hooks/hooks.json", path);
    vec_require(unlink(path) == 0, "unlink");
  }
  set_time(place, BT_MOD_MODULE, -3600);
  set_up_types(place, condition);
  return true;
}

static bool set_up(const struct place *place, const char *condition) {
  static const char marked[] = "// " BT_MOD_MARKER "\n", plain[] = "export const register = () => {};\n";
  char path[1024];
  if (set_up_ours(place, condition) || strcmp(condition, "absent") == 0)
    return true;
  if (strcmp(condition, "empty-dir") == 0) {
    make_folder(place, "");
  } else if (strcmp(condition, "extra-only") == 0) {
    put(place, "notes.md", "mine\n");
  } else if (strcmp(condition, "foreign") == 0) {
    put(place, BT_MOD_MODULE, plain);
  } else if (strcmp(condition, "foreign-no-module") == 0) {
    put(place, "SKILL.md", "# a skill\n");
  } else if (strcmp(condition, "marker-in-other-file") == 0) {
    put(place, "README.md", marked);
    put(place, BT_MOD_MODULE, plain);
  } else if (strcmp(condition, "file-in-place") == 0) {
    vec_tree_put(&place->world, place->row->folder, "x", 1);
  } else if (strcmp(condition, "symlink-dir") == 0) {
    lay_down(place);
    link_away(place, place->row->folder);
  } else if (strcmp(condition, "symlink-parent") == 0) {
    lay_down(place);
    link_away(place, ".claude/skills");
  } else if (strcmp(condition, "module-is-symlink") == 0) {
    vec_tree_put(&place->world, "elsewhere.ts", marked, strlen(marked));
    put(place, "hooks/hooks.json", "{}\n");
    absolute(place, BT_MOD_MODULE, path);
    vec_require(symlink("../../../../elsewhere.ts", path) == 0, "link");
  } else {
    return false;
  }
  return true;
}

static void open_place(struct place *place, const struct vec_case *vec) {
  static const char other[] = "// Written by `majordomus init`\n";
  memset(place, 0, sizeof *place);
  vec_world_open(&place->world);
  place->row = bt_mod_row("claude-code");
  if (vec_get_bool(vec->json, "manifest", true))
    vec_tree_put(&place->world, BT_MANIFEST_PATH, "version: 1\n", 11);
  const char *policy = vec_get_bool(vec->json, "policy_on", false) ? "session:\n  handover_on_fill: true\n"
                                                                   : "session:\n  handover_on_fill: false\n";
  vec_tree_put(&place->world, BT_POLICY_PATH, policy, strlen(policy));
  if (vec_get_bool(vec->json, "other_mod", false)) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", place->row->other_folder, BT_MOD_MODULE);
    vec_tree_put(&place->world, path, other, strlen(other));
  }
  place->root = bt_fs_open_root(place->world.root, NULL);
  vec_require(place->root >= 0, "root");
}

static void close_place(struct place *place) {
  close(place->root);
  vec_world_close(&place->world);
}

/* Everything below .claude and elsewhere, one line an entry, for comparing two places. */
static void describe(const struct place *place, struct bt_str *out) {
  struct vec_tree tree;
  vec_tree_read(&tree, &place->world);
  for (size_t i = 0; i < tree.count; i++) {
    const struct vec_node *node = &tree.nodes[i];
    if (strncmp(node->path, ".ai/", 4) == 0 || strncmp(node->path, "projects/", 9) == 0 || node->kind == VEC_FOLDER)
      continue;
    if (node->kind == VEC_LINK)
      bt_str_printf(out, "%s -> link\n", node->path);
    else
      bt_str_printf(out, "%s %zu %.*s\n", node->path, node->length, (int)node->length, node->bytes);
  }
  vec_tree_dispose(&tree);
}

/* What is there now is what `condition` describes; of "absent" also that the folder is gone. */
static bool is_as(const struct vec_case *vec, const struct place *place, const char *condition) {
  struct place wanted;
  struct bt_str expected, actual;
  bool good = true;
  bt_str_init(&expected, VEC_TEXT_MAX);
  bt_str_init(&actual, VEC_TEXT_MAX);
  open_place(&wanted, vec);
  vec_require(set_up(&wanted, condition), "condition");
  describe(&wanted, &expected);
  describe(place, &actual);
  good = vec_expect_text(vec, "after", expected.data, actual.data);
  struct bt_fs_stat stat;
  bt_fs_stat_at(place->root, place->row->folder, &stat);
  if (strcmp(condition, "absent") == 0)
    good = vec_expect_bool(vec, "folder gone", true, stat.kind == BT_FS_ABSENT) && good;
  if (strcmp(condition, "empty-dir") == 0)
    good = vec_expect_bool(vec, "folder kept", true, stat.kind == BT_FS_FOLDER) && good;
  close_place(&wanted);
  bt_str_dispose(&expected);
  bt_str_dispose(&actual);
  return good;
}

static void run_verb(const struct vec_case *vec, const struct place *place, struct vec_child *child) {
  static char path[4096], home[4096];
  const char *provider = bt_json_get_string(vec->json, "provider"), *verb = bt_json_get_string(vec->json, "verb");
  const char *argv[16] = {BATON_BINARY, "ask", verb != NULL ? verb : "install", "--write", "--root", place->world.root};
  size_t count = 6;
  if (provider != NULL) {
    argv[count++] = "--provider";
    argv[count++] = provider;
  }
  if (vec_get_bool(vec->json, "alongside", false))
    argv[count++] = "--alongside";
  const char *search = getenv("PATH");
  snprintf(path, sizeof path, "PATH=%s", search != NULL ? search : "/usr/bin:/bin");
  snprintf(home, sizeof home, "HOME=%s/no-home", place->world.root);
  char *const environ_[] = {path, home, NULL};
  vec_child_run(child, place->world.root, argv, environ_);
}

static enum vec_result run_install(const struct vec_case *vec) {
  const char *before = bt_json_get_string(vec->json, "before"), *after = bt_json_get_string(vec->expected, "after");
  struct place place;
  struct vec_child child;
  double status = 0;
  open_place(&place, vec);
  if (!set_up(&place, before)) {
    close_place(&place);
    return vec_fail(vec, "unknown condition %s", before);
  }
  run_verb(vec, &place, &child);
  child.out.data[strcspn(child.out.data, "\n")] = '\0';
  bool good = expect_text(vec, "result", child.out.data);
  if (bt_json_number(bt_json_get(vec->expected, "exit"), &status))
    good = vec_expect_number(vec, "exit", status, child.exit) && good;
  if (after != NULL)
    good = is_as(vec, &place, after) && good;
  if (!good)
    (void)vec_fail(vec, "stderr: %s", child.err.data);
  vec_child_dispose(&child);
  close_place(&place);
  return verdict_of(good);
}

/* A transcript of this root that holds the marker, recorded after the module was written. */
static void put_request(const struct place *place) {
  struct bt_str text;
  char *now = vec_fill(&place->world, "<ts:0>");
  bt_str_init(&text, VEC_TEXT_MAX);
  bt_str_printf(&text,
                "{\"type\":\"user\",\"cwd\":\"%s\",\"timestamp\":\"%s\",\"message\":{\"role\":\"user\",\"content\":"
                "\"[baton:handover-request v1 fill=1 window=2 line=3]\"}}\n",
                place->world.root, now);
  vec_tree_put(&place->world, "projects/p/s1.jsonl", text.data, text.length);
  free(now);
  bt_str_dispose(&text);
}

static enum vec_result run_status(const struct vec_case *vec) {
  const char *before = bt_json_get_string(vec->json, "before"), *provider = bt_json_get_string(vec->json, "provider");
  struct place place;
  struct bt_mod_found found = {.condition = BT_MOD_ABSENT};
  char projects[1024];
  bool seen = false;
  open_place(&place, vec);
  if (!set_up(&place, before)) {
    close_place(&place);
    return vec_fail(vec, "unknown condition %s", before);
  }
  if (vec_get_bool(vec->json, "request_seen_after_install", false))
    put_request(&place);
  const struct bt_mod_row *row = bt_mod_row(provider != NULL ? provider : "claude-code");
  snprintf(projects, sizeof projects, "%s/projects", place.world.root);
  if (row != NULL) {
    vec_require(bt_mod_look(place.root, row, &found, NULL) == BT_OK, "look");
    vec_require(bt_ask_request_seen(projects, place.world.root, found.module_mtime_ns / 1000000, &seen, NULL) == BT_OK,
                "seen");
  }
  struct bt_policy policy = bt_policy_of(place.root);
  struct bt_mod_state state = bt_mod_state_of(row, &found, &policy, seen);
  bool good = expect_text(vec, "state", state.state);
  good = expect_text(vec, "reason", state.reason) && good;
  close_place(&place);
  return verdict_of(good);
}

enum vec_result vec_run_handover(const struct vec_case *vec) {
  static const struct {
    const char *list;
    enum vec_result (*run)(const struct vec_case *vec);
  } lists[] = {{"sequences", run_sequence}, {"lines", run_line},    {"transcripts", run_transcript},
               {"commands", run_command},   {"policy", run_policy}, {"install", run_install},
               {"status", run_status}};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    if (strcmp(vec->list, lists[i].list) == 0)
      return lists[i].run(vec);
  }
  return vec_fail(vec, "unknown list %s", vec->list);
}
