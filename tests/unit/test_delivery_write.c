/* tests/unit/test_delivery_write.c - the writer of delivery records: killed at every step, across file systems, raced.
 */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/delivery/exclude.h"
#include "core/delivery/write.h"
#include "tests/support/chain_box.h"
#include "tests/support/fixture.h"

static const char old_text[] = "{\"old\": true}\n", new_text[] = "{\"new\": true}\n";

/* ---- faults: a step at which the process dies, and a border between file systems ---- */

static int steps_left = -1; /* -1: never */
static bool other_file_system;
static void (*before_move)(void); /* what somebody else does in between */

static void step(void) {
  if (steps_left >= 0 && steps_left-- == 0)
    _exit(9);
}

int __real_linkat(int from, const char *a, int to, const char *b, int flags);
int __real_renameat(int from, const char *a, int to, const char *b);
int __real_unlinkat(int folder, const char *name, int flags);
int __real_mkdirat(int folder, const char *name, mode_t mode);
int __real_mkdir(const char *path, mode_t mode);
int __real_fsync(int fd);
int __real_fchmod(int fd, mode_t mode);
int __wrap_linkat(int from, const char *a, int to, const char *b, int flags);
int __wrap_renameat(int from, const char *a, int to, const char *b);
int __wrap_unlinkat(int folder, const char *name, int flags);
int __wrap_mkdirat(int folder, const char *name, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode);
int __wrap_fsync(int fd);
int __wrap_fchmod(int fd, mode_t mode);

static bool crosses(int from, int to) {
  if (before_move != NULL) {
    void (*once)(void) = before_move;
    before_move = NULL;
    once();
  }
  step();
  return other_file_system && from != to;
}

int __wrap_linkat(int from, const char *a, int to, const char *b, int flags) {
  if (crosses(from, to)) {
    errno = EXDEV;
    return -1;
  }
  return __real_linkat(from, a, to, b, flags);
}

int __wrap_renameat(int from, const char *a, int to, const char *b) {
  if (crosses(from, to)) {
    errno = EXDEV;
    return -1;
  }
  return __real_renameat(from, a, to, b);
}

int __wrap_unlinkat(int folder, const char *name, int flags) {
  step();
  return __real_unlinkat(folder, name, flags);
}

int __wrap_mkdirat(int folder, const char *name, mode_t mode) {
  step();
  return __real_mkdirat(folder, name, mode);
}

int __wrap_mkdir(const char *path, mode_t mode) {
  step();
  return __real_mkdir(path, mode);
}

int __wrap_fsync(int fd) {
  step();
  return __real_fsync(fd);
}

int __wrap_fchmod(int fd, mode_t mode) {
  step();
  return __real_fchmod(fd, mode);
}

/* ---- a repository ---- */

static struct fixture *repository(bool with_record) {
  struct fixture *fixture = fixture_new(FIXTURE_NONE);
  git_box(fixture->root, "init", "-q", "-b", "main", NULL);
  fixture_write(fixture, "a", "1\n");
  git_box(fixture->root, "add", "a", NULL);
  git_box(fixture->root, "commit", "-q", "-m", "x", NULL);
  if (with_record)
    fixture_write(fixture, BT_RECORD_PATH, old_text);
  return fixture;
}

/* Looks at the repository, as every writer does before it writes. */
static void scan(struct bt_arena *arena, const struct fixture *fixture, struct bt_evaluation *evaluation) {
  struct bt_delivery_request request = {.directory = fixture->root, .host_label = "file"};
  assert_int_equal(bt_delivery_scan(arena, &request, evaluation, NULL), BT_OK);
}

static enum bt_code write_after(const struct bt_evaluation *evaluation, struct bt_delivery_outcome *outcome) {
  return bt_delivery_write_record(&evaluation->work, &evaluation->file, new_text, strlen(new_text), true, outcome,
                                  NULL);
}

static enum bt_code write_new(const struct fixture *fixture, struct bt_delivery_outcome *outcome) {
  struct bt_arena *arena = bt_arena_new(1 << 26);
  struct bt_evaluation evaluation;
  scan(arena, fixture, &evaluation);
  enum bt_code code = write_after(&evaluation, outcome);
  bt_arena_free(arena);
  return code;
}

/* Removes what lies in a folder: all of it, or the temporaries. */
static void sweep(const struct fixture *fixture, const char *folder, bool all) {
  char path[1200];
  (void)snprintf(path, sizeof path, "%s/%s", fixture->root, folder);
  DIR *dir = opendir(path);
  for (struct dirent *entry = dir != NULL ? readdir(dir) : NULL; entry != NULL; entry = readdir(dir)) {
    size_t length = strlen(entry->d_name);
    bool temporary = length > 4 && strcmp(entry->d_name + length - 4, ".tmp") == 0;
    bool dots = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    (void)snprintf(path, sizeof path, "%s/%s/%s", fixture->root, folder, entry->d_name);
    if (!dots && (all || temporary))
      assert_int_equal(unlink(path), 0);
  }
  if (dir != NULL)
    (void)closedir(dir);
  (void)snprintf(path, sizeof path, "%s/%s", fixture->root, folder);
  if (all && rmdir(path) != 0)
    assert_int_equal(errno, ENOENT);
}

/* The repository as it was before anybody wrote: without the record's folder, the exclusion file and what a dead
 * writer left. So the next death costs no new repository. */
static void put_back(const struct fixture *fixture, bool had_record) {
  sweep(fixture, BT_RECORD_FOLDER, true);
  sweep(fixture, ".git/info", true);
  sweep(fixture, ".git", false);
  if (had_record)
    fixture_write(fixture, BT_RECORD_PATH, old_text);
}

/* The record's text, NULL when there is none. The caller frees. */
static char *record_of(const struct fixture *fixture) {
  char path[700], text[256];
  (void)snprintf(path, sizeof path, "%s/%s", fixture->root, BT_RECORD_PATH);
  FILE *file = fopen(path, "r");
  if (file == NULL)
    return NULL;
  size_t length = fread(text, 1, sizeof text - 1, file);
  (void)fclose(file);
  text[length] = '\0';
  return strdup(text);
}

static void git_says(const struct fixture *fixture, struct bt_str *out) {
  bt_str_init(out, 1 << 20);
  assert_true(git_box_says(out, fixture->root, "status", "--porcelain", "--untracked-files=all", NULL));
}

/* Whole and old, or whole and new; never in the index; once the new one is there, never seen by git. What git lists of
 * the working tree and of the index is one question: an entry of the index would be told as added. */
static bool is_sound(const struct fixture *fixture, bool had_record) {
  struct bt_str seen;
  char *text = record_of(fixture);
  bool is_new = text != NULL && strcmp(text, new_text) == 0;
  bool is_old = had_record ? text != NULL && strcmp(text, old_text) == 0 : text == NULL;
  assert_true(is_new || is_old);
  free(text);
  git_says(fixture, &seen);
  bool listed = strcmp(seen.data, "?? " BT_RECORD_PATH "\n") == 0; /* the old one, before the line was written */
  assert_true(seen.length == 0 || (listed && had_record && !is_new));
  bt_str_dispose(&seen);
  return is_new;
}

/* The last step at which there was something left to do; the writer came to its end at the next one. */
static int killed_at_every_step(bool had_record, bool border) {
  struct fixture *fixture = repository(had_record);
  struct bt_arena *arena = bt_arena_new(1 << 26);
  struct bt_evaluation evaluation;
  bool finished = false;
  int steps = 0;
  put_back(fixture, had_record);
  scan(arena, fixture, &evaluation); /* looking is no step: nothing is changed by it */
  for (; !finished; steps++) {
    int status = 0;
    put_back(fixture, had_record);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
      struct bt_delivery_outcome outcome;
      steps_left = steps;
      other_file_system = border;
      _exit(write_after(&evaluation, &outcome) == BT_OK && outcome.refusal == NULL ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 9));
    finished = WEXITSTATUS(status) == 0;
    bool is_new = is_sound(fixture, had_record);
    assert_true(is_new || !finished);
    if (!finished && steps % 3 == 0) { /* the next one is not kept from its work by what is left */
      struct bt_delivery_outcome outcome;
      assert_int_equal(write_new(fixture, &outcome), BT_OK);
      assert_null(outcome.refusal);
      assert_true(is_sound(fixture, had_record));
    }
    assert_true(steps < 100);
  }
  assert_true(steps > 5); /* there were steps to die at */
  bt_arena_free(arena);
  fixture_free(fixture);
  return steps;
}

static int steps_here;

static void a_first_record(void **state) {
  (void)state;
  steps_here = killed_at_every_step(false, false);
}

static void another_record(void **state) {
  (void)state;
  killed_at_every_step(true, false);
}

static void across_file_systems(void **state) {
  (void)state;
  assert_true(killed_at_every_step(false, true) > steps_here); /* the border brings steps of its own */
  killed_at_every_step(true, true);
}

static void the_second_line(void **state) {
  (void)state;
  struct fixture *fixture = repository(false);
  struct bt_delivery_outcome outcome;
  struct bt_str text;
  other_file_system = true;
  assert_int_equal(write_new(fixture, &outcome), BT_OK);
  other_file_system = false;
  assert_null(outcome.refusal);
  bt_str_init(&text, 1 << 20);
  fixture_write(fixture, ".verified-delivery/.handoff.json.tmp", "left behind");
  git_says(fixture, &text);
  assert_string_equal(text.data, ""); /* the temporary's place is excluded too */
  bt_str_dispose(&text);
  fixture_free(fixture);
}

/* ---- somebody else in between ---- */

static struct fixture *raced;

static void write_between(void) {
  fixture_write(raced, BT_RECORD_PATH, "{\"theirs\": true}\n");
}

static void stage_between(void) {
  git_box(raced->root, "update-index", "--add", "--cacheinfo",
          "100644,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391," BT_RECORD_PATH, NULL);
}

static void a_first_record_is_never_written_over_another(void **state) {
  (void)state;
  struct bt_delivery_outcome outcome;
  raced = repository(false);
  fixture_write(raced, ".git/info/exclude", BT_EXCLUDE_PATTERN "\n"); /* so that the first move is the record's */
  before_move = write_between;
  assert_int_equal(write_new(raced, &outcome), BT_OK);
  assert_string_equal(outcome.refusal, "refused:changed-meanwhile");
  char *text = record_of(raced);
  assert_string_equal(text, "{\"theirs\": true}\n");
  free(text);
  fixture_free(raced);
}

static void entered_the_index_meanwhile(void **state) {
  (void)state;
  struct bt_delivery_outcome outcome;
  raced = repository(true);
  fixture_write(raced, "empty", "");
  git_box(raced->root, "hash-object", "-w", "empty", NULL);
  fixture_write(raced, ".git/info/exclude", BT_EXCLUDE_PATTERN "\n");
  before_move = stage_between;
  assert_int_equal(write_new(raced, &outcome), BT_OK);
  assert_string_equal(outcome.refusal, "refused:staged");
  char *text = record_of(raced);
  assert_string_equal(text, new_text); /* the file stays */
  free(text);
  fixture_free(raced);
}

/* ---- the exclusion file ---- */

static void bytes_and_mode_of_the_exclusion_file(void **state) {
  (void)state;
  struct fixture *fixture = repository(false);
  struct bt_delivery_outcome outcome;
  struct stat found;
  char path[700], text[128] = "";
  (void)snprintf(path, sizeof path, "%s/.git/info/exclude", fixture->root);
  fixture_write(fixture, ".git/info/exclude", "*.tmp\r\n# no end");
  assert_int_equal(chmod(path, 0640), 0);
  assert_int_equal(write_new(fixture, &outcome), BT_OK);
  assert_true(outcome.exclusion_needed);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_true(fread(text, 1, sizeof text - 1, file) > 0);
  (void)fclose(file);
  assert_string_equal(text, "*.tmp\r\n# no end\n" BT_EXCLUDE_PATTERN "\n");
  assert_int_equal(stat(path, &found), 0);
  assert_int_equal(found.st_mode & 07777, 0640);
  assert_int_equal(write_new(fixture, &outcome), BT_OK);
  assert_false(outcome.exclusion_needed);
  fixture_free(fixture);
}

static void an_exclusion_file_that_is_a_link_is_left_alone(void **state) {
  (void)state;
  struct fixture *fixture = repository(false);
  struct bt_delivery_outcome outcome;
  char path[700], target[700];
  (void)snprintf(path, sizeof path, "%s/.git/info/exclude", fixture->root);
  (void)snprintf(target, sizeof target, "%s/.git/elsewhere", fixture->root);
  fixture_write(fixture, ".git/elsewhere", "*.tmp\n");
  assert_int_equal(unlink(path), 0);
  assert_int_equal(symlink(target, path), 0);
  assert_int_equal(write_new(fixture, &outcome), BT_UNSAFE);
  assert_null(record_of(fixture));
  fixture_write(fixture, ".git/elsewhere", BT_EXCLUDE_PATTERN "\n");
  assert_int_equal(write_new(fixture, &outcome), BT_OK);
  assert_true(is_sound(fixture, false));
  fixture_free(fixture);
}

int main(void) {
  (void)setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
  (void)setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_first_record),
                                     cmocka_unit_test(another_record),
                                     cmocka_unit_test(across_file_systems),
                                     cmocka_unit_test(the_second_line),
                                     cmocka_unit_test(a_first_record_is_never_written_over_another),
                                     cmocka_unit_test(entered_the_index_meanwhile),
                                     cmocka_unit_test(bytes_and_mode_of_the_exclusion_file),
                                     cmocka_unit_test(an_exclusion_file_that_is_a_link_is_left_alone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
