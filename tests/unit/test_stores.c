/* Finding session files, reading them into a catalog, and what joins them to a ledger. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/clock.h"
#include "core/base/str.h"
#include "core/harness/catalog.h"
#include "core/harness/folder_name.h"
#include "core/harness/index.h"
#include "core/harness/view.h"
#include "tests/support/scratch.h"

#define UUID(n) "5b1f0c3e-1111-4a2b-8c3d-00000000000" n
#define NOW INT64_C(1767261700000)

struct world {
  struct scratch scratch;
  struct bt_env env;
  char *home, *root, *cache, *config, *claude;
  struct {
    const char *name;
    char *value;
  } variables[8];
  size_t variable_count;
};

static int64_t fixed_now(void *context) {
  (void)context;
  return NOW;
}

static const char *find_variable(void *context, const char *name) {
  const struct world *world = context;
  for (size_t i = 0; i < world->variable_count; i++)
    if (strcmp(world->variables[i].name, name) == 0)
      return world->variables[i].value;
  return NULL;
}

static enum bt_alive alive(void *context, double pid) {
  (void)context;
  return pid < 1000 ? BT_ALIVE_YES : BT_ALIVE_NO;
}

static bool started(void *context, double pid, int64_t *started_ms) {
  (void)context;
  *started_ms = pid == 7 ? NOW : 0; /* 7 began just now */
  return true;
}

static char *below(const struct world *world, const char *path) {
  char whole[256];
  snprintf(whole, sizeof whole, "%s/%s", world->scratch.path, path);
  char *copy = strdup(whole);
  assert_non_null(copy);
  return copy;
}

static void set_variable(struct world *world, const char *name, const char *path) {
  world->variables[world->variable_count].name = name;
  world->variables[world->variable_count++].value = below(world, path);
}

static int begin(void **state) {
  struct world *world = calloc(1, sizeof *world);
  assert_non_null(world);
  scratch_make(&world->scratch);
  world->home = below(world, "home");
  world->root = below(world, "repo");
  world->cache = below(world, "cache/baton");
  world->config = below(world, "config");
  world->claude = below(world, "home/.claude");
  scratch_folder(&world->scratch, "home");
  scratch_folder(&world->scratch, "repo");
  scratch_folder(&world->scratch, "config");
  world->env = (struct bt_env){.cwd = world->root,
                               .root = world->root,
                               .home = world->home,
                               .cache_dir = world->cache,
                               .config_dir = world->config,
                               .claude_dir = world->claude,
                               .now_ms = fixed_now,
                               .getenv_fn = find_variable,
                               .getenv_context = world,
                               .proc = {.alive = alive, .started_ms = started}};
  *state = world;
  return 0;
}

static int end(void **state) {
  struct world *world = *state;
  scratch_remove(&world->scratch);
  for (size_t i = 0; i < world->variable_count; i++)
    free(world->variables[i].value);
  free(world->home);
  free(world->root);
  free(world->cache);
  free(world->config);
  free(world->claude);
  free(world);
  return 0;
}

/* Makes the folders above a file, then the file. `%s` in the text is the root. */
static void put(struct world *world, const char *path, const char *text) {
  char folder[512], body[8192];
  for (const char *slash = path; (slash = strchr(slash, '/')) != NULL; slash++) {
    snprintf(folder, sizeof folder, "%s/%.*s", world->scratch.path, (int)(slash - path), path);
    mkdir(folder, 0777);
  }
  snprintf(body, sizeof body, text, world->root, world->root);
  scratch_text(&world->scratch, path, body);
}

#define CLAUDE(words)                                                                                          \
  "{\"type\":\"user\",\"sessionId\":\"s\",\"cwd\":\"%s\",\"timestamp\":\"2026-01-01T10:00:00Z\",\"message\":{" \
  "\"content\":\"" words "\"}}\n"
#define CODEX(id)                                                                                                     \
  "{\"timestamp\":\"2026-01-01T10:00:00Z\",\"type\":\"session_meta\",\"payload\":{\"id\":\"" id "\",\"cwd\":\"%s\"}}" \
  "\n"

static struct bt_harness_view *load(struct world *world, bool all) {
  struct bt_harness_view *view = bt_harness_view_load(&world->env, all, 2, NULL);
  assert_non_null(view);
  return view;
}

static const struct bt_harness_row *row_of(const struct bt_harness_view *view, const char *id) {
  for (size_t i = 0; i < view->row_count; i++)
    if (strcmp(view->rows[i].session_id, id) == 0)
      return &view->rows[i];
  return NULL;
}

/* ---- stores ---- */

static void nothing_there_is_no_session(void **state) {
  struct bt_harness_view *view = load(*state, true);
  assert_int_equal(view->row_count, 0);
  assert_int_equal(view->note_count, 0);
  assert_int_equal(view->pending, 0);
  bt_harness_view_free(view);
}

static void every_store_is_found(void **state) {
  struct world *world = *state;
  put(world, "home/.claude/projects/-any-name/" UUID("1") ".jsonl", CLAUDE("one"));
  put(world, "home/.claude/projects/-any-name/sessions-index.json", "{}");
  put(world, "home/.config/claude/projects/-x/" UUID("2") ".jsonl", CLAUDE("two"));
  put(world, "home/.codex/sessions/2026/01/01/rollout-2026-01-01T10-00-00-" UUID("3") ".jsonl", CODEX("c3"));
  put(world, "home/.codex/archived_sessions/rollout-2026-01-01T10-00-00-" UUID("4") ".jsonl", CODEX("c4"));
  put(world, "home/.codex/session_index.jsonl",
      "{\"id\":\"c3\",\"thread_name\":\"old\"}\nbroken\n{\"id\":\"c3\",\"thread_name\":\"Named\"}\n");
  put(world, "home/.pi/agent/sessions/--x--/t_p.jsonl", "{\"type\":\"session\",\"id\":\"p5\",\"cwd\":\"%s\"}\n");
  put(world, "home/.gemini/tmp/short/.project_root", "%s\n");
  put(world, "home/.gemini/tmp/short/chats/session-t-abc.jsonl", "{\"sessionId\":\"g6\",\"projectHash\":\"h\"}\n");
  put(world, "home/.gemini/tmp/short/chats/parent/kid.jsonl", "{\"sessionId\":\"kid\",\"projectHash\":\"h\"}\n");
  put(world, "home/.gemini/tmp/named/chats/session-t-def.json",
      "{\n\"sessionId\":\"g7\",\"projectHash\":\"h\",\"messages\":[]}\n");
  put(world, "home/.gemini/projects.json", "{\"projects\":{\"%s\":\"named\"}}");
  put(world, "home/.local/share/opencode/storage/session/p/ses8.json",
      "{\"id\":\"stale\",\"directory\":\"%s\",\"title\":\"T\"}");
  put(world, "home/.local/share/opencode/storage/message/ses8/m2.json",
      "{\"role\":\"assistant\",\"time\":{\"completed\":2}}");
  put(world, "home/.local/share/opencode/storage/message/ses8/m1.json", "{\"role\":\"user\"}");
  put(world, "home/.local/share/opencode/storage/message/ses8/m3.json", "{broken");
  put(world, "home/.local/share/opencode/storage/part/m1/a.json", "{\"type\":\"text\",\"text\":\"from a part\"}");
  put(world, "home/.local/share/opencode/storage/part/m2/a.json",
      "{\"type\":\"tool\",\"callID\":\"c\",\"tool\":\"edit\",\"state\":{\"status\":\"completed\"}}");
  struct bt_harness_view *view = load(world, false);
  assert_int_equal(view->row_count, 8);
  assert_int_equal(view->known, 8);
  assert_int_equal(view->pending, 0);
  assert_string_equal(row_of(view, "c3")->facts->title, "Named");
  assert_int_equal(row_of(view, "c4")->facts->state, BT_AGENT_ENDED);
  assert_string_equal(row_of(view, "g6")->facts->cwd, world->root);
  assert_int_equal(row_of(view, "g7")->facts->harness, BT_HARNESS_GEMINI);
  const struct bt_transcript_facts *tree = row_of(view, "ses8")->facts; /* the id of the path */
  assert_string_equal(tree->last_prompt, "from a part");
  assert_int_equal(tree->tools, 1);
  assert_int_equal(tree->skipped_lines, 1);
  assert_int_equal(tree->state, BT_AGENT_ENDED); /* by its times it is decades old */
  bt_harness_view_free(view);
}

/* More output in one message than is held at a time: what does not fit is passed over and counted, the rest stays. */
static void an_enormous_part_is_passed_over(void **state) {
  struct world *world = *state;
  const size_t filler = (size_t)40 << 20;
  put(world, "home/.local/share/opencode/storage/session/p/ses1.json", "{\"directory\":\"%s\",\"title\":\"T\"}");
  put(world, "home/.local/share/opencode/storage/message/ses1/m1.json", "{\"role\":\"assistant\"}");
  put(world, "home/.local/share/opencode/storage/part/m1/p9.json", "{\"type\":\"text\",\"text\":\"last\"}");
  char *part = malloc(filler + 16);
  assert_non_null(part);
  memset(part, 'x', filler + 16);
  memcpy(part, "{\"output\":\"", 11);
  memcpy(part + filler, "\"}", 2);
  scratch_file(&world->scratch, "home/.local/share/opencode/storage/part/m1/p1.json", part, filler + 2);
  scratch_file(&world->scratch, "home/.local/share/opencode/storage/part/m1/p2.json", part, filler + 2);
  free(part);
  struct bt_harness_view *view = load(world, false);
  assert_int_equal(view->row_count, 1);
  assert_null(view->rows[0].problem);
  assert_string_equal(view->rows[0].facts->last_assistant, "last");
  assert_int_equal(view->rows[0].facts->skipped_lines, 1);
  bt_harness_view_free(view);
}

static void variables_move_the_stores(void **state) {
  struct world *world = *state;
  put(world, "a/projects/-x/" UUID("1") ".jsonl", CLAUDE("one"));
  put(world, "home/.config/claude/projects/-x/" UUID("9") ".jsonl", CLAUDE("not looked for now"));
  put(world, "b/sessions/2026/01/01/rollout-2026-01-01T10-00-00-" UUID("3") ".jsonl", CODEX("c3"));
  put(world, "c/.gemini/tmp/p/.project_root", "%s");
  put(world, "c/.gemini/tmp/p/chats/session-1.jsonl", "{\"sessionId\":\"g6\",\"projectHash\":\"h\"}\n");
  put(world, "d/sessions/--x--/t_p.jsonl", "{\"type\":\"session\",\"id\":\"p5\",\"cwd\":\"%s\"}\n");
  put(world, "e/opencode/opencode.db", "SQLite");
  set_variable(world, "CLAUDE_CONFIG_DIR", "a");
  set_variable(world, "CODEX_HOME", "b");
  set_variable(world, "GEMINI_CLI_HOME", "c");
  set_variable(world, "PI_CODING_AGENT_DIR", "d");
  set_variable(world, "XDG_DATA_HOME", "e");
  struct bt_harness_view *view = load(world, false);
  assert_int_equal(view->row_count, 4);
  assert_int_equal(view->note_count, 1); /* a database alone is said */
  assert_non_null(strstr(view->notes[0].path, "opencode.db"));
  bt_harness_view_free(view);
  world->variables[0].value[0] = 0; /* empty counts as unset */
  view = load(world, false);
  assert_null(row_of(view, UUID("1")));
  assert_non_null(row_of(view, UUID("9")));
  bt_harness_view_free(view);
}

static void sub_agents_are_counted_on_their_parent(void **state) {
  struct world *world = *state;
  put(world, "home/.claude/projects/-x/" UUID("1") ".jsonl", CLAUDE("one"));
  put(world, "home/.claude/projects/-x/" UUID("1") "/subagents/agent-a.jsonl", CLAUDE("sub"));
  put(world, "home/.claude/projects/-x/" UUID("1") "/subagents/workflows/run/agent-b.jsonl", CLAUDE("sub"));
  put(world, "home/.claude/projects/-x/" UUID("1") "/subagents/workflows/run/agent-b.meta.json", "{}");
  put(world, "home/.claude/projects/-x/agent-c.jsonl", CLAUDE("an older one, beside its parent"));
  struct bt_harness_view *view = load(world, false);
  assert_int_equal(view->row_count, 1);
  assert_int_equal(view->rows[0].subagents, 2);
  bt_harness_view_free(view);
}

static void compressed_files_are_listed_and_plain_ones_win(void **state) {
  struct world *world = *state;
  put(world, "home/.codex/sessions/2026/01/01/rollout-2026-01-01T10-00-00-" UUID("3") ".jsonl.zst", "x");
  put(world, "home/.codex/sessions/2026/01/01/rollout-2026-01-01T10-00-00-" UUID("4") ".jsonl", CODEX("c4"));
  put(world, "home/.codex/sessions/2026/01/01/rollout-2026-01-01T10-00-00-" UUID("4") ".jsonl.zst", "x");
  put(world, "home/.codex/sessions/2026/01/01/rollout-2026-01-01T10-00-00-" UUID("5") ".jsonl.zst", "x");
  struct bt_harness_view *view = load(world, true);
  assert_int_equal(view->row_count, 3);
  assert_true(row_of(view, UUID("5"))->is_compressed);
  const struct bt_harness_row *packed = row_of(view, UUID("3"));
  assert_non_null(packed->problem);
  assert_true(packed->is_compressed);
  assert_int_not_equal(packed->facts->started_ms, BT_TIME_UNKNOWN);
  assert_int_equal(packed->facts->last_activity_ms, BT_TIME_UNKNOWN);
  assert_null(row_of(view, "c4")->problem);
  bt_harness_view_free(view);
  view = load(world, false); /* where it belongs is not known: one note */
  assert_int_equal(view->row_count, 1);
  assert_int_equal(view->note_count, 1);
  bt_harness_view_free(view);
}

static void what_cannot_be_read_is_listed_with_the_reason(void **state) {
  struct world *world = *state;
  put(world, "home/.claude/projects/-x/" UUID("1") ".jsonl", CLAUDE("one"));
  scratch_fifo(&world->scratch, "home/.claude/projects/-x/" UUID("2") ".jsonl");
  scratch_folder(&world->scratch, "home/.claude/projects/-x/" UUID("3") ".jsonl");
  scratch_link(&world->scratch, "home/.claude/projects/-x/" UUID("4") ".jsonl", UUID("4") ".jsonl"); /* to itself */
  scratch_link(&world->scratch, "home/.claude/projects/-x/" UUID("5") ".jsonl",
               UUID("1") ".jsonl"); /* the first once more */
  scratch_link(&world->scratch, "home/.claude/projects/-loop", ".");
  scratch_socket(&world->scratch, "home/.claude/projects/-x/" UUID("6") ".jsonl");
  put(world, "home/.pi/agent/sessions/--x--/no.jsonl", "{\"type\":\"message\"}\n");
  struct bt_harness_view *view = load(world, true);
  size_t problems = 0;
  for (size_t i = 0; i < view->row_count; i++)
    problems += view->rows[i].problem != NULL;
  assert_int_equal(view->row_count, 6);
  assert_int_equal(problems, 5);
  assert_non_null(strstr(row_of(view, UUID("4"))->problem, "ELOOP"));
  bt_harness_view_free(view);
}

static void folders_that_are_closed_to_us_are_said_once(void **state) {
  struct world *world = *state;
  if (getuid() == 0) {
    print_message("skipped: root may read every folder (tests/cli runs the same as somebody else)\n");
    return;
  }
  put(world, "home/.claude/projects/-x/" UUID("1") ".jsonl", CLAUDE("one"));
  assert_int_equal(fchmodat(world->scratch.dir, "home/.claude/projects/-x", 0, 0), 0);
  struct bt_harness_view *view = load(world, true);
  assert_int_equal(view->note_count, 1);
  assert_int_equal(view->row_count, 0);
  bt_harness_view_free(view);
  assert_int_equal(fchmodat(world->scratch.dir, "home/.claude/projects/-x", 0700, 0), 0);
}

/* ---- scope ---- */

static void only_this_repositorys_sessions_are_shown(void **state) {
  struct world *world = *state;
  scratch_folder(&world->scratch, "repo/.git");
  scratch_folder(&world->scratch, "repo/.git/worktrees");
  scratch_folder(&world->scratch, "repo/.git/worktrees/w");
  char gitdir[256];
  snprintf(gitdir, sizeof gitdir, "%s/linked/.git\n", world->scratch.path);
  scratch_text(&world->scratch, "repo/.git/worktrees/w/gitdir", gitdir);
  scratch_folder(&world->scratch, "linked");
  scratch_folder(&world->scratch, "repo/sub");
  scratch_folder(&world->scratch, "repo/nested");
  scratch_folder(&world->scratch, "repo/nested/.git");
  scratch_folder(&world->scratch, "repository-beside");
  static const struct {
    const char *id, *cwd;
    bool in;
  } cases[] = {{UUID("1"), "repo", true},
               {UUID("2"), "repo/sub", true},
               {UUID("3"), "linked", true},
               {UUID("4"), "repo/gone/away", true},
               {UUID("5"), "repo/nested", false},
               {UUID("6"), "", false},
               {UUID("7"), "repository-beside", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char path[256], text[1024];
    snprintf(path, sizeof path, "home/.claude/projects/-x/%s.jsonl", cases[i].id);
    snprintf(text, sizeof text, "{\"type\":\"user\",\"cwd\":\"%s/%s\",\"message\":{\"content\":\"x\"}}\n",
             world->scratch.path, cases[i].cwd);
    put(world, path, text);
  }
  struct bt_harness_view *view = load(world, false);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_int_equal(row_of(view, cases[i].id) != NULL, cases[i].in);
  bt_harness_view_free(view);
  view = load(world, true);
  assert_int_equal(view->row_count, 7);
  bt_harness_view_free(view);
  free(world->root);
  world->env.cwd = world->env.root = world->root = below(world, "linked"); /* the same from a linked worktree */
  snprintf(gitdir, sizeof gitdir, "gitdir: %s/repo/.git/worktrees/w\n", world->scratch.path);
  scratch_text(&world->scratch, "linked/.git", gitdir);
  scratch_text(&world->scratch, "repo/.git/worktrees/w/commondir", "../..\n");
  view = load(world, false);
  assert_non_null(row_of(view, UUID("2")));
  assert_non_null(row_of(view, UUID("3")));
  assert_null(row_of(view, UUID("7")));
  bt_harness_view_free(view);
}

static void put_session(struct world *world, const char *id, const char *cwd) {
  char path[256], text[1024];
  snprintf(path, sizeof path, "home/.claude/projects/-x/%s.jsonl", id);
  snprintf(text, sizeof text, "{\"type\":\"user\",\"cwd\":\"%s/%s\",\"message\":{\"content\":\"x\"}}\n",
           world->scratch.path, cwd);
  put(world, path, text);
}

/* A bare repository in a folder of its own, the worktrees beside it, and a file that leads there. */
static void a_bare_repository_has_the_sessions_of_its_worktrees(void **state) {
  struct world *world = *state;
  char text[256];
  scratch_folder(&world->scratch, "all");
  scratch_folder(&world->scratch, "all/.bare");
  scratch_folder(&world->scratch, "all/.bare/objects");
  scratch_folder(&world->scratch, "all/.bare/refs");
  scratch_folder(&world->scratch, "all/.bare/worktrees");
  scratch_folder(&world->scratch, "all/.bare/worktrees/w");
  scratch_text(&world->scratch, "all/.bare/HEAD", "ref: refs/heads/main\n");
  scratch_text(&world->scratch, "all/.git", "gitdir: ./.bare\n");
  scratch_folder(&world->scratch, "all/w");
  scratch_folder(&world->scratch, "all/other");
  scratch_folder(&world->scratch, "all/other/.git");
  snprintf(text, sizeof text, "%s/all/w/.git\n", world->scratch.path);
  scratch_text(&world->scratch, "all/.bare/worktrees/w/gitdir", text);
  scratch_text(&world->scratch, "all/.bare/worktrees/w/commondir", "../..\n");
  snprintf(text, sizeof text, "gitdir: %s/all/.bare/worktrees/w\n", world->scratch.path);
  scratch_text(&world->scratch, "all/w/.git", text);
  put_session(world, UUID("1"), "all");
  put_session(world, UUID("2"), "all/.bare");
  put_session(world, UUID("3"), "all/w");
  put_session(world, UUID("4"), "all/other");
  static const char *const places[] = {"all", "all/.bare", "all/w"};
  for (size_t i = 0; i < 3; i++) {
    free(world->root);
    world->env.cwd = world->env.root = world->root = below(world, places[i]);
    struct bt_harness_view *view = load(world, false);
    assert_non_null(row_of(view, UUID("1")));
    assert_non_null(row_of(view, UUID("2")));
    assert_non_null(row_of(view, UUID("3")));
    assert_null(row_of(view, UUID("4")));
    bt_harness_view_free(view);
  }
}

static void a_folder_that_is_gone_is_found_through_a_link(void **state) {
  struct world *world = *state;
  scratch_folder(&world->scratch, "repo/.git");
  assert_int_equal(symlinkat("repo", world->scratch.dir, "link"), 0);
  put_session(world, UUID("1"), "link/gone/away");
  put_session(world, UUID("2"), "link-not/gone");
  put_session(world, UUID("3"), "link");
  struct bt_harness_view *view = load(world, false);
  assert_non_null(row_of(view, UUID("1")));
  assert_null(row_of(view, UUID("2")));
  assert_non_null(row_of(view, UUID("3")));
  bt_harness_view_free(view);
}

static void folder_names_follow_the_whole_rule(void **state) {
  (void)state;
  static const struct {
    const char *cwd, *name;
  } cases[] = {{"/home/dev/my_app.v2", "-home-dev-my-app-v2"},
               {"/a b:c", "-a-b-c"},
               {"/caf\xC3\xA9", "-caf-"},
               {"/cafe\xCC\x81", "-caf-"},
               {"/\xF0\x9F\x9A\x80x", "---x"},
               {"//a", "--a"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct bt_str name;
    bt_str_init(&name, 1024);
    bt_folder_name(&name, cases[i].cwd);
    assert_string_equal(name.data, cases[i].name);
    bt_str_dispose(&name);
  }
  assert_true(bt_folder_name_may_hold("-w-repo", "/w/repo"));
  assert_true(bt_folder_name_may_hold("-w-repo-sub", "/w/repo"));
  assert_false(bt_folder_name_may_hold("-w-repository", "/w/repo"));
  char longest[400] = "/";
  memset(longest + 1, 'x', 300);
  char name[256] = "-";
  memset(name + 1, 'x', 199);
  strcpy(name + 200, "-1a2b3c");
  assert_true(bt_folder_name_may_hold(name, longest));
}

/* ---- processes, windows ---- */

static void the_registry_is_checked_against_the_processes(void **state) {
  struct world *world = *state;
  static const char running[] =
      "{\"type\":\"user\",\"cwd\":\"%s\",\"timestamp\":1767261600000,\"message\":{\"content\":\"x\"}}\n";
  put(world, "home/.claude/projects/-x/" UUID("1") ".jsonl", running);
  put(world, "home/.claude/projects/-x/" UUID("2") ".jsonl", running);
  put(world, "home/.claude/projects/-x/" UUID("3") ".jsonl", running);
  put(world, "home/.claude/sessions/5.json", "{\"pid\":5,\"sessionId\":\"" UUID("1") "\",\"startedAt\":1767261600000}");
  put(world, "home/.claude/sessions/6.json", "{\"pid\":6,\"sessionId\":\"" UUID("1") "\",\"startedAt\":1767261600000}");
  put(world, "home/.claude/sessions/7.json",
      "{\"pid\":7,\"sessionId\":\"" UUID("2") "\",\"startedAt\":1767261600000}"); /* another process has the pid now */
  put(world, "home/.claude/sessions/4000.json", "{\"pid\":4000,\"sessionId\":\"" UUID("3") "\"}");
  put(world, "home/.claude/sessions/8.json", "{\"pid\":\"8\",\"sessionId\":7}");
  put(world, "home/.claude/sessions/9.json", "{");
  struct bt_harness_view *view = load(world, false);
  assert_int_equal(row_of(view, UUID("1"))->living, 2);
  assert_int_equal(row_of(view, UUID("1"))->facts->state, BT_AGENT_RUNNING);
  assert_int_equal(row_of(view, UUID("2"))->stale, 1);
  assert_int_equal(row_of(view, UUID("2"))->facts->state, BT_AGENT_INTERRUPTED);
  assert_int_equal(row_of(view, UUID("3"))->stale, 1);
  bt_harness_view_free(view);
}

static void the_user_sets_windows(void **state) {
  struct world *world = *state;
  static const char text[] = "{\"type\":\"assistant\",\"cwd\":\"%s\",\"message\":{\"id\":\"m\",\"model\":\"big-2\","
                             "\"usage\":{\"input_tokens\":50}}}\n";
  put(world, "home/.claude/projects/-x/" UUID("1") ".jsonl", text);
  put(world, "home/.claude/projects/-x/" UUID("2") ".jsonl", text);
  put(world, "config/windows", "# mine\nbig-* 1_000 # all of them\n" UUID("2") " 100\nother 5\n");
  struct bt_harness_view *view = load(world, false);
  assert_int_equal(row_of(view, UUID("1"))->facts->window, 1000);
  assert_string_equal(row_of(view, UUID("1"))->facts->window_source, "config");
  assert_int_equal(row_of(view, UUID("2"))->facts->pct_centi, 5000);
  assert_int_equal(view->note_count, 0);
  bt_harness_view_free(view);
  put(world, "config/windows", "big-2\n" UUID("2") " 100\n");
  view = load(world, false);
  assert_int_equal(view->note_count, 1); /* the line that is not understood */
  assert_int_equal(row_of(view, UUID("2"))->facts->window, 100);
  bt_harness_view_free(view);
}

/* ---- the index ---- */

static size_t index_size(struct world *world) {
  char path[128];
  struct stat st;
  snprintf(path, sizeof path, "%s/" BT_INDEX_NAME, world->cache);
  return stat(path, &st) == 0 ? (size_t)st.st_size : 0;
}

static struct bt_catalog *open_catalog(struct world *world) {
  struct bt_catalog *catalog = bt_catalog_new(&world->env, true, false, NULL);
  assert_non_null(catalog);
  assert_int_equal(bt_catalog_list(catalog, NULL), BT_OK);
  bt_index_load(catalog);
  return catalog;
}

/* How many of the looks were proofs that held. */
static size_t read_catalog(struct bt_catalog *catalog) {
  struct bt_look look;
  size_t proved = 0;
  while (bt_catalog_next(catalog, &look)) {
    bt_look_run(&look);
    proved += look.proved;
    bt_catalog_put(catalog, &look);
  }
  assert_int_equal(bt_catalog_pending(catalog), 0);
  return proved;
}

static void the_index_saves_the_second_reading(void **state) {
  struct world *world = *state;
  put(world, "home/.claude/projects/-x/" UUID("1") ".jsonl", CLAUDE("one"));
  put(world, "home/.claude/projects/-x/" UUID("2") ".jsonl", CLAUDE("two") CLAUDE("again"));
  bt_harness_view_free(load(world, true));
  assert_true(index_size(world) > 0);
  struct bt_catalog *catalog = open_catalog(world);
  assert_int_equal(read_catalog(catalog), 2);
  assert_int_equal(catalog->cards[0]->facts.user_messages + catalog->cards[1]->facts.user_messages, 3);
  assert_false(catalog->changed);
  bt_catalog_free(catalog);
}

static void the_index_is_not_believed_over_the_file(void **state) {
  struct world *world = *state;
  struct stat st;
  char path[256];
  put(world, "home/.claude/projects/-x/" UUID("1") ".jsonl", CLAUDE("one"));
  bt_harness_view_free(load(world, true));
  snprintf(path, sizeof path, "%s/home/.claude/projects/-x/" UUID("1") ".jsonl", world->scratch.path);
  assert_int_equal(stat(path, &st), 0);
  FILE *file = fopen(path, "r+"); /* same inode, same size, same time, other words */
  assert_non_null(file);
  fseek(file, -7, SEEK_END);
  fputs("1ne", file);
  fclose(file);
  const struct timespec times[2] = {st.st_atim, st.st_mtim};
  assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
  struct bt_harness_view *view = load(world, true);
  assert_string_equal(view->rows[0].facts->last_prompt, "1ne");
  bt_harness_view_free(view);
}

static void a_damaged_index_is_as_good_as_none(void **state) {
  struct world *world = *state;
  put(world, "home/.claude/projects/-x/" UUID("1") ".jsonl", CLAUDE("one"));
  bt_harness_view_free(load(world, true));
  size_t size = index_size(world);
  char path[160];
  snprintf(path, sizeof path, "%s/" BT_INDEX_NAME, world->cache);
  for (size_t at = 0; at < size; at += 13) { /* one byte is wrong, or the end is missing */
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    fseek(file, (long)at, SEEK_SET);
    int byte = fgetc(file);
    fseek(file, (long)at, SEEK_SET);
    fputc(byte ^ 0x55, file);
    fclose(file);
    struct bt_catalog *catalog = open_catalog(world);
    assert_int_equal(read_catalog(catalog), 0);
    assert_string_equal(catalog->cards[0]->facts.last_prompt, "one");
    if (at % 2)
      bt_index_save(catalog);
    bt_catalog_free(catalog);
    assert_int_equal(truncate(path, (off_t)at), 0);
    bt_harness_view_free(load(world, true)); /* and writes a sound one again */
    assert_int_equal(index_size(world), size);
  }
  unlink(path);
  bt_harness_view_free(load(world, true));
  assert_int_equal(index_size(world), size);
}

static bool is_there(const struct world *world, const char *path) {
  return faccessat(world->scratch.dir, path, F_OK, 0) == 0;
}

static void what_a_dead_run_left_beside_the_index_goes(void **state) {
  struct world *world = *state;
  put(world, "home/.claude/projects/-x/" UUID("1") ".jsonl", CLAUDE("one"));
  put(world, "cache/baton/transcripts.5000.00ff.tmp", "of a process that is gone");
  put(world, "cache/baton/transcripts.7.00ff.tmp", "of one that is at it");
  put(world, "cache/baton/transcripts.note", "something else");
  put(world, "cache/baton/other.5000.00ff.tmp", "of another file");
  bt_harness_view_free(load(world, true));
  assert_false(is_there(world, "cache/baton/transcripts.5000.00ff.tmp"));
  assert_true(is_there(world, "cache/baton/transcripts.7.00ff.tmp"));
  assert_true(is_there(world, "cache/baton/transcripts.note"));
  assert_true(is_there(world, "cache/baton/other.5000.00ff.tmp"));
}

static void the_index_is_never_written_where_nothing_may_be(void **state) {
  struct world *world = *state;
  put(world, "home/.claude/projects/-x/" UUID("1") ".jsonl", CLAUDE("one"));
  world->env.readonly = true;
  bt_harness_view_free(load(world, true));
  assert_int_equal(index_size(world), 0);
  world->env.readonly = false;
  put(world, "cache", "a file in the place of the folder");
  bt_harness_view_free(load(world, true));
  assert_int_equal(index_size(world), 0);
}

/* ---- following ---- */

static void a_catalog_follows_what_grows_comes_and_goes(void **state) {
  struct world *world = *state;
  char path[256];
  put(world, "home/.claude/projects/-x/" UUID("1") ".jsonl", CLAUDE("one"));
  struct bt_catalog *catalog = bt_catalog_new(&world->env, true, true, NULL);
  assert_int_equal(bt_catalog_list(catalog, NULL), BT_OK);
  assert_int_equal(bt_catalog_pending(catalog), 1);
  read_catalog(catalog);
  assert_false(bt_catalog_poll(catalog, 50));
  snprintf(path, sizeof path, "%s/home/.claude/projects/-x/" UUID("1") ".jsonl", world->scratch.path);
  FILE *file = fopen(path, "a");
  fputs("{\"type\":\"user\",\"message\":{\"content\":\"two\"}}\n", file);
  fclose(file);
  assert_false(bt_catalog_touch(catalog, "/not/listed"));
  assert_true(bt_catalog_touch(catalog, path));
  assert_int_equal(bt_catalog_pending(catalog), 1);
  read_catalog(catalog);
  assert_int_equal(catalog->cards[0]->facts.user_messages, 2);
  put(world, "home/.claude/projects/-x/" UUID("2") ".jsonl", CLAUDE("new"));
  assert_int_equal(bt_catalog_list(catalog, NULL), BT_OK);
  assert_int_equal(catalog->count, 2);
  assert_int_equal(bt_catalog_pending(catalog), 1); /* the other is known */
  unlink(path);
  assert_int_equal(bt_catalog_list(catalog, NULL), BT_OK);
  assert_int_equal(catalog->count, 1);
  read_catalog(catalog);
  assert_string_equal(catalog->cards[0]->facts.session_id, UUID("2"));
  bt_catalog_free(catalog);
}

static void a_catalog_looks_again_at_what_could_not_be_read(void **state) {
  struct world *world = *state;
  char path[256];
  put(world, "home/.claude/projects/-x/none", "");
  snprintf(path, sizeof path, "%s/home/.claude/projects/-x/" UUID("1") ".jsonl", world->scratch.path);
  assert_int_equal(mkfifo(path, 0600), 0);
  struct bt_catalog *catalog = bt_catalog_new(&world->env, true, true, NULL);
  assert_int_equal(bt_catalog_list(catalog, NULL), BT_OK);
  read_catalog(catalog);
  assert_int_equal(catalog->cards[0]->state, BT_CARD_UNREADABLE);
  assert_false(bt_catalog_poll(catalog, 50));
  assert_int_equal(unlink(path), 0);
  put(world, "home/.claude/projects/-x/" UUID("1") ".jsonl", CLAUDE("one"));
  assert_true(bt_catalog_poll(catalog, 50));
  read_catalog(catalog);
  assert_int_equal(catalog->cards[0]->state, BT_CARD_READ);
  assert_false(bt_catalog_poll(catalog, 50));
  assert_int_equal(chmod(path, 0640), 0); /* who may read it has changed, and nothing else */
  assert_true(bt_catalog_poll(catalog, 50));
  read_catalog(catalog);
  assert_int_equal(catalog->cards[0]->facts.user_messages, 1);
  assert_int_equal(bt_catalog_list(catalog, NULL), BT_OK);
  assert_int_equal(bt_catalog_pending(catalog), 0);
  bt_catalog_free(catalog);
}

static void a_catalog_follows_a_session_in_pieces(void **state) {
  struct world *world = *state;
  const char *storage = "home/.local/share/opencode/storage/";
  char path[256];
  struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
  put(world, "home/.local/share/opencode/storage/session/p/ses1.json", "{\"directory\":\"%s\"}");
  put(world, "home/.local/share/opencode/storage/message/ses1/m1.json", "{\"role\":\"assistant\"}");
  snprintf(path, sizeof path, "%smessage/ses1", storage);
  assert_int_equal(utimensat(world->scratch.dir, path, old, 0), 0);
  struct bt_catalog *catalog = bt_catalog_new(&world->env, true, true, NULL);
  assert_int_equal(bt_catalog_list(catalog, NULL), BT_OK);
  read_catalog(catalog);
  assert_int_equal(catalog->cards[0]->facts.assistant_messages, 1);
  assert_false(bt_catalog_poll(catalog, 50));
  put(world, "home/.local/share/opencode/storage/message/ses1/m2.json", "{\"role\":\"assistant\"}");
  old[0].tv_sec = old[1].tv_sec = 4000000000; /* later than the clock can have been, however coarse it is */
  assert_int_equal(utimensat(world->scratch.dir, path, old, 0), 0);
  assert_true(bt_catalog_poll(catalog, 50));
  read_catalog(catalog);
  assert_int_equal(catalog->cards[0]->facts.assistant_messages, 2);
  assert_false(bt_catalog_poll(catalog, 50));
  bt_catalog_free(catalog);
}

/* A reply that is under way while the user has queued the next prompt already: its files are written in place. */
static void a_catalog_sees_what_is_written_in_place(void **state) {
  struct world *world = *state;
  put(world, "home/.local/share/opencode/storage/session/p/ses1.json", "{\"directory\":\"%s\"}");
  put(world, "home/.local/share/opencode/storage/message/ses1/m1.json", "{\"role\":\"assistant\"}");
  put(world, "home/.local/share/opencode/storage/part/m1/p1.json", "{\"type\":\"text\",\"text\":\"begun\"}");
  put(world, "home/.local/share/opencode/storage/part/m1/p2.json", "{\"type\":\"step\"}");
  put(world, "home/.local/share/opencode/storage/message/ses1/m2.json", "{\"role\":\"user\"}");
  put(world, "home/.local/share/opencode/storage/part/m2/p1.json", "{\"type\":\"text\",\"text\":\"queued\"}");
  struct bt_catalog *catalog = bt_catalog_new(&world->env, true, true, NULL);
  assert_int_equal(bt_catalog_list(catalog, NULL), BT_OK);
  read_catalog(catalog);
  assert_string_equal(catalog->cards[0]->facts.last_assistant, "begun");
  assert_false(bt_catalog_poll(catalog, 50));
  put(world, "home/.local/share/opencode/storage/part/m1/p1.json", "{\"type\":\"text\",\"text\":\"completed\"}");
  assert_true(bt_catalog_poll(catalog, 50));
  read_catalog(catalog);
  assert_string_equal(catalog->cards[0]->facts.last_assistant, "completed");
  put(world, "home/.local/share/opencode/storage/message/ses1/m1.json",
      "{\"role\":\"assistant\",\"modelID\":\"told later\"}");
  assert_int_equal(bt_catalog_list(catalog, NULL), BT_OK); /* a listing sees it as well */
  assert_true(bt_catalog_moved(catalog));
  read_catalog(catalog);
  assert_string_equal(catalog->cards[0]->facts.model, "told later");
  assert_false(bt_catalog_poll(catalog, 50));
  bt_catalog_free(catalog);
}

static void a_file_that_goes_between_listing_and_reading_says_so(void **state) {
  struct world *world = *state;
  char path[256];
  put(world, "home/.claude/projects/-x/" UUID("1") ".jsonl", CLAUDE("one"));
  struct bt_catalog *catalog = open_catalog(world);
  snprintf(path, sizeof path, "%s/home/.claude/projects/-x/" UUID("1") ".jsonl", world->scratch.path);
  unlink(path);
  read_catalog(catalog);
  assert_int_equal(catalog->cards[0]->state, BT_CARD_UNREADABLE);
  assert_non_null(strstr(catalog->cards[0]->problem, "gone"));
  assert_false(catalog->vanished);
  (void)bt_catalog_poll(catalog, 50);
  assert_true(catalog->vanished); /* a listing will take its row away, whether or not anything else tells of it */
  assert_int_equal(bt_catalog_list(catalog, NULL), BT_OK);
  assert_false(catalog->vanished);
  assert_int_equal(catalog->count, 0);
  bt_catalog_free(catalog);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(nothing_there_is_no_session, begin, end),
      cmocka_unit_test_setup_teardown(every_store_is_found, begin, end),
      cmocka_unit_test_setup_teardown(an_enormous_part_is_passed_over, begin, end),
      cmocka_unit_test_setup_teardown(variables_move_the_stores, begin, end),
      cmocka_unit_test_setup_teardown(sub_agents_are_counted_on_their_parent, begin, end),
      cmocka_unit_test_setup_teardown(compressed_files_are_listed_and_plain_ones_win, begin, end),
      cmocka_unit_test_setup_teardown(what_cannot_be_read_is_listed_with_the_reason, begin, end),
      cmocka_unit_test_setup_teardown(folders_that_are_closed_to_us_are_said_once, begin, end),
      cmocka_unit_test_setup_teardown(only_this_repositorys_sessions_are_shown, begin, end),
      cmocka_unit_test_setup_teardown(a_bare_repository_has_the_sessions_of_its_worktrees, begin, end),
      cmocka_unit_test_setup_teardown(a_folder_that_is_gone_is_found_through_a_link, begin, end),
      cmocka_unit_test(folder_names_follow_the_whole_rule),
      cmocka_unit_test_setup_teardown(the_registry_is_checked_against_the_processes, begin, end),
      cmocka_unit_test_setup_teardown(the_user_sets_windows, begin, end),
      cmocka_unit_test_setup_teardown(the_index_saves_the_second_reading, begin, end),
      cmocka_unit_test_setup_teardown(the_index_is_not_believed_over_the_file, begin, end),
      cmocka_unit_test_setup_teardown(a_damaged_index_is_as_good_as_none, begin, end),
      cmocka_unit_test_setup_teardown(what_a_dead_run_left_beside_the_index_goes, begin, end),
      cmocka_unit_test_setup_teardown(the_index_is_never_written_where_nothing_may_be, begin, end),
      cmocka_unit_test_setup_teardown(a_catalog_follows_what_grows_comes_and_goes, begin, end),
      cmocka_unit_test_setup_teardown(a_catalog_looks_again_at_what_could_not_be_read, begin, end),
      cmocka_unit_test_setup_teardown(a_catalog_follows_a_session_in_pieces, begin, end),
      cmocka_unit_test_setup_teardown(a_catalog_sees_what_is_written_in_place, begin, end),
      cmocka_unit_test_setup_teardown(a_file_that_goes_between_listing_and_reading_says_so, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
