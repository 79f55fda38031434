/* tests/unit/test_repo.c - branch and status compared with git itself, in repositories made here. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/arena.h"
#include "core/base/utf8.h"
#include "core/store/repo.h"
#include "core/store/repo_lines.h"
#include "core/store/repo_native.h"
#include "tests/support/chain_box.h"

static const char *process_environment(void *context, const char *name) {
  (void)context;
  return getenv(name);
}

static struct fixture *repository(const char *branch) {
  struct fixture *fixture = fixture_new(FIXTURE_NONE);
  fixture->env.getenv_fn = process_environment;
  git_box(fixture->root, "init", "-q", "-b", branch, NULL);
  return fixture;
}

static void commit_all(const struct fixture *fixture) {
  git_box(fixture->root, "add", "-A", NULL);
  git_box(fixture->root, "commit", "-q", "--allow-empty", "-m", "x", NULL);
}

/* What we say in `folder` is what git says there. */
static void same_as_git(const struct fixture *fixture, const char *folder) {
  struct bt_env env = fixture->env;
  struct bt_str ours, raw, gits;
  enum bt_repo_answer answer;
  bt_str_init(&ours, 1 << 24);
  bt_str_init(&raw, 1 << 24);
  bt_str_init(&gits, 1 << 24);
  env.root = folder;
  bool known = git_box_says(&raw, folder, "status", "--porcelain", NULL);
  bt_utf8_decode8(&gits, raw.data, raw.length);
  assert_int_equal(bt_repo_status(&env, &ours, &answer, NULL), BT_OK);
  assert_int_equal(answer, known ? BT_REPO_KNOWN : BT_REPO_NONE);
  assert_string_equal(ours.data, known ? gits.data : "");
  bt_str_clear(&ours);
  bt_str_clear(&raw);
  known = git_box_says(&raw, folder, "rev-parse", "--abbrev-ref", "HEAD", NULL);
  assert_int_equal(bt_repo_branch(&env, &ours, &answer, NULL), BT_OK);
  struct bt_slice name = bt_trim_w(raw.data, raw.length);
  known = known && name.length > 0; /* an ambiguous HEAD prints nothing and succeeds */
  assert_int_equal(answer, known ? BT_REPO_KNOWN : BT_REPO_NONE);
  if (known)
    assert_true(bt_slice_equals(name, ours.data));
  bt_str_dispose(&ours);
  bt_str_dispose(&raw);
  bt_str_dispose(&gits);
}

/* The way the answer was found: by libgit2 alone, or not. */
static enum bt_native native_status(const struct fixture *fixture) {
  enum bt_native how;
  struct bt_str text;
  bt_str_init(&text, 1 << 24);
  assert_int_equal(bt_native_status(&fixture->env, &text, &how, NULL), BT_OK);
  bt_str_dispose(&text);
  return how;
}

static void names_that_need_quotes(void **state) {
  (void)state;
  struct fixture *fixture = repository("feat/x");
  static const char *const names[] = {"plain",    "two words", "quo\"te", "back\\slash", "new\nline", "t\tab",
                                      "\xc3\xa9", "\x7f",      "-dash",   " lead",       "dir/a b",   "\x01\x1f"};
  same_as_git(fixture, fixture->root); /* no commit yet: there is no branch */
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    fixture_write(fixture, names[i], "1\n");
  same_as_git(fixture, fixture->root);
  commit_all(fixture);
  same_as_git(fixture, fixture->root);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    fixture_write(fixture, names[i], "22\n");
  fixture_write(fixture, "new \xc3\xa9", "");
  same_as_git(fixture, fixture->root);
  assert_int_equal(native_status(fixture), BT_NATIVE_SURE);
  git_box(fixture->root, "config", "core.quotePath", "false", NULL);
  same_as_git(fixture, fixture->root);
  fixture_free(fixture);
}

static void states_of_files(void **state) {
  (void)state;
  struct fixture *fixture = repository("main");
  char path[700];
  static const char *const names[] = {"kept", "edited", "staged", "both", "gone", "removed", "dir/in", "uncached"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    fixture_write(fixture, names[i], "1\n");
  fixture_write(fixture, ".gitignore", "*.o\n/ignored/\n");
  commit_all(fixture);
  fixture_write(fixture, "edited", "2\n2\n");
  fixture_write(fixture, "staged", "2\n2\n");
  fixture_write(fixture, "both", "2\n2\n");
  git_box(fixture->root, "add", "staged", "both", NULL);
  fixture_write(fixture, "both", "3\n3\n3\n");
  fixture_remove(fixture, "gone");
  fixture_write(fixture, "x.o", "");
  fixture_write(fixture, "ignored/x", "");
  fixture_write(fixture, "new/deep/er", "");
  fixture_write(fixture, "dir/new", "");
  (void)snprintf(path, sizeof path, "%s/empty", fixture->root);
  assert_int_equal(mkdir(path, 0777), 0);
  same_as_git(fixture, fixture->root);
  assert_int_equal(native_status(fixture), BT_NATIVE_SURE);
  git_box(fixture->root, "rm", "-q", "removed", NULL);
  git_box(fixture->root, "rm", "-q", "--cached", "uncached", NULL);
  same_as_git(fixture, fixture->root);
  (void)snprintf(path, sizeof path, "%s/kept", fixture->root);
  assert_int_equal(chmod(path, 0755), 0);
  same_as_git(fixture, fixture->root);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(symlink("edited", path), 0);
  same_as_git(fixture, fixture->root);
  assert_int_equal(unlink(path), 0);
  fixture_write(fixture, "kept/now-a-folder", "");
  same_as_git(fixture, fixture->root);
  static const char *const settings[] = {"no", "all", "normal"};
  for (size_t i = 0; i < 3; i++) {
    git_box(fixture->root, "config", "status.showUntrackedFiles", settings[i], NULL);
    same_as_git(fixture, fixture->root);
  }
  (void)snprintf(path, sizeof path, "%s/dir", fixture->root);
  same_as_git(fixture, path); /* a folder below the top */
  fixture_free(fixture);
}

static void renames_and_conflicts(void **state) {
  (void)state;
  struct fixture *fixture = repository("main");
  fixture_write(fixture, "a", "one\ntwo\nthree\nfour\nfive\n");
  fixture_write(fixture, "c", "base\n");
  commit_all(fixture);
  git_box(fixture->root, "mv", "a", "b c", NULL);
  fixture_append(fixture, "b c", "six\n");
  git_box(fixture->root, "add", "b c", NULL);
  same_as_git(fixture, fixture->root);
  assert_int_equal(native_status(fixture), BT_NATIVE_DOUBTFUL);
  commit_all(fixture);
  git_box(fixture->root, "checkout", "-q", "-b", "other", NULL);
  fixture_write(fixture, "c", "theirs\n");
  commit_all(fixture);
  git_box(fixture->root, "checkout", "-q", "main", NULL);
  fixture_write(fixture, "c", "ours\n");
  commit_all(fixture);
  (void)git_box_says(NULL, fixture->root, "merge", "-q", "other", NULL);
  same_as_git(fixture, fixture->root);
  fixture_free(fixture);
}

static void branches(void **state) {
  (void)state;
  struct fixture *fixture = repository("\xc3\xa9t\xc3\xa9/1");
  commit_all(fixture);
  same_as_git(fixture, fixture->root);
  git_box(fixture->root, "pack-refs", "--all", NULL);
  same_as_git(fixture, fixture->root);
  git_box(fixture->root, "checkout", "-q", "-b", "twice", NULL);
  git_box(fixture->root, "tag", "twice", NULL);
  same_as_git(fixture, fixture->root); /* git writes heads/twice then */
  git_box(fixture->root, "tag", "heads/twice", NULL);
  same_as_git(fixture, fixture->root);
  git_box(fixture->root, "update-ref", "refs/tags/HEAD", "HEAD", NULL);
  same_as_git(fixture, fixture->root);
  git_box(fixture->root, "update-ref", "-d", "refs/tags/HEAD", NULL);
  git_box(fixture->root, "checkout", "-q", "--detach", NULL);
  same_as_git(fixture, fixture->root);
  git_box(fixture->root, "symbolic-ref", "HEAD", "refs/tags/twice", NULL);
  same_as_git(fixture, fixture->root);
  git_box(fixture->root, "symbolic-ref", "HEAD", "refs/heads/unborn", NULL);
  same_as_git(fixture, fixture->root);
  fixture_free(fixture);
}

static void other_kinds_of_repository(void **state) {
  (void)state;
  struct fixture *fixture = repository("main");
  char tree[700], bare[700], sub[700];
  fixture_write(fixture, "dir/a", "1\n");
  fixture_write(fixture, "b", "1\n");
  commit_all(fixture);
  (void)snprintf(tree, sizeof tree, "%s/tree", fixture->home);
  (void)snprintf(bare, sizeof bare, "%s/bare", fixture->home);
  git_box(fixture->root, "worktree", "add", "-q", "-b", "linked", tree, NULL);
  same_as_git(fixture, tree);
  git_box(fixture->root, "clone", "-q", "--bare", ".", bare, NULL);
  same_as_git(fixture, bare);
  git_box(tree, "sparse-checkout", "set", "dir", NULL); /* sets extensions.worktreeConfig */
  same_as_git(fixture, tree);
  same_as_git(fixture, fixture->root);
  assert_int_equal(native_status(fixture), BT_NATIVE_CANNOT);
  (void)snprintf(sub, sizeof sub, "%s/.git", fixture->root);
  same_as_git(fixture, sub);
  fixture_free(fixture);
}

static void sha256_objects(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_NONE);
  if (!git_box_says(NULL, fixture->root, "init", "-q", "-b", "main", "--object-format=sha256", NULL)) {
    fixture_free(fixture);
    print_message("skipped: this git makes no sha256 repositories\n");
    skip();
  }
  fixture_write(fixture, "a", "1\n");
  same_as_git(fixture, fixture->root);
  commit_all(fixture);
  fixture_write(fixture, "a", "2\n");
  same_as_git(fixture, fixture->root);
  fixture_free(fixture);
}

static void submodules_and_nested_repositories(void **state) {
  (void)state;
  struct fixture *fixture = repository("main");
  char inner[700], module[700];
  commit_all(fixture);
  (void)snprintf(inner, sizeof inner, "%s/inner", fixture->root);
  (void)snprintf(module, sizeof module, "%s/module", fixture->root);
  assert_int_equal(mkdir(inner, 0777), 0);
  git_box(inner, "init", "-q", NULL);
  same_as_git(fixture, fixture->root); /* a repository without a commit inside this one */
  fixture_write(fixture, "inner/f", "1\n");
  same_as_git(fixture, fixture->root);
  git_box(inner, "add", "f", NULL);
  git_box(inner, "commit", "-q", "-m", "x", NULL);
  same_as_git(fixture, fixture->root);
  git_box(fixture->root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "module", NULL);
  same_as_git(fixture, fixture->root);
  git_box(fixture->root, "commit", "-q", "-m", "x", NULL);
  fixture_write(fixture, "module/f", "2\n");
  same_as_git(fixture, fixture->root);
  assert_int_equal(native_status(fixture), BT_NATIVE_CANNOT);
  same_as_git(fixture, module);
  fixture_free(fixture);
}

static void no_repository(void **state) {
  (void)state;
  struct fixture *fixture = fixture_new(FIXTURE_EMPTY);
  struct bt_arena *arena = bt_arena_new(1 << 20);
  struct bt_repo repo;
  same_as_git(fixture, fixture->root);
  assert_int_equal(bt_repo_load(&fixture->env, arena, &repo, NULL), BT_OK);
  assert_true(repo.known);
  assert_false(repo.is_repository);
  assert_null(repo.branch);
  fixture_write(fixture, ".git", "gitdir: nowhere\n");
  same_as_git(fixture, fixture->root);
  bt_arena_free(arena);
  fixture_free(fixture);
}

static void a_snapshot_of_both(void **state) {
  (void)state;
  struct fixture *fixture = repository("main");
  struct bt_arena *arena = bt_arena_new(1 << 20);
  struct bt_repo repo;
  commit_all(fixture);
  fixture_write(fixture, "a", "");
  fixture_write(fixture, "b c", "");
  assert_int_equal(bt_repo_load(&fixture->env, arena, &repo, NULL), BT_OK);
  assert_true(repo.known && repo.is_repository);
  assert_string_equal(repo.branch, "main");
  assert_int_equal(repo.dirty_count, 2);
  bt_arena_free(arena);
  fixture_free(fixture);
}

static void looking_leaves_the_index_alone(void **state) {
  (void)state;
  struct fixture *fixture = repository("main");
  struct stat before, after;
  char index[700];
  fixture_write(fixture, "a", "1\n");
  commit_all(fixture);
  (void)snprintf(index, sizeof index, "%s/.git/index", fixture->root);
  fixture_write(fixture, "a", "1\n"); /* touched: git would refresh its entry */
  git_box(fixture->root, "config", "extensions.worktreeConfig", "true", NULL); /* so git itself is asked */
  assert_int_equal(stat(index, &before), 0);
  struct bt_str status;
  enum bt_repo_answer answer;
  bt_str_init(&status, 1 << 20);
  assert_int_equal(bt_repo_status(&fixture->env, &status, &answer, NULL), BT_OK);
  assert_int_equal(answer, BT_REPO_KNOWN);
  assert_string_equal(status.data, "");
  assert_int_equal(stat(index, &after), 0);
  assert_true(before.st_ino == after.st_ino && before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
  bt_str_dispose(&status);
  fixture_free(fixture);
}

static void the_list_in_a_brief(void **state) {
  (void)state;
  struct bt_str status, brief;
  bt_str_init(&status, 65536);
  bt_str_init(&brief, 65536);
  bt_status_brief(&brief, "", 0, 40);
  assert_string_equal(brief.data, "");
  bt_str_puts(&status, " M a\n\n?? b\n");
  bt_status_brief(&brief, status.data, status.length, 40);
  assert_string_equal(brief.data, " M a\n?? b\n");
  bt_str_clear(&brief);
  bt_status_brief(&brief, status.data, status.length, 1);
  assert_string_equal(brief.data, " M a\n\xe2\x80\xa6 1 more changed path(s)\n");
  bt_str_dispose(&status);
  bt_str_dispose(&brief);
}

int main(void) {
  /* What surrounds this test must not reach the git it compares with. */
  (void)setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
  (void)setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
  const struct CMUnitTest tests[] = {cmocka_unit_test(names_that_need_quotes),
                                     cmocka_unit_test(states_of_files),
                                     cmocka_unit_test(renames_and_conflicts),
                                     cmocka_unit_test(branches),
                                     cmocka_unit_test(other_kinds_of_repository),
                                     cmocka_unit_test(sha256_objects),
                                     cmocka_unit_test(submodules_and_nested_repositories),
                                     cmocka_unit_test(no_repository),
                                     cmocka_unit_test(a_snapshot_of_both),
                                     cmocka_unit_test(looking_leaves_the_index_alone),
                                     cmocka_unit_test(the_list_in_a_brief)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
