/* tests/unit/test_record_build.c - builds that die or fail at every single step, and two builds at once.
 *
 * The calls named in test_record_build.wrap are counted; at a chosen one the process dies (a write is half done then)
 * or the call fails. With a clock that stands still every outcome can be compared byte for byte. */
#define _GNU_SOURCE /* F_OFD_SETLK */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/records/build.h"
#include "core/records/index.h"
#include "core/records/rename.h"
#include "core/records/verify.h"
#include "tests/support/scratch.h"

/* ---- faults ---- */

static struct {
  int at;    /* the call to hit; 0: none */
  int count; /* calls so far */
  bool die;  /* the process ends there */
} fault;

static bool looks_up; /* the builds that follow find their place by themselves */
static bool redacts;  /* the builds that follow take secrets out */

static int waits = -1; /* looks until nobody waits for the build any more; -1: somebody always does */

static bool hit(void) {
  return ++fault.count == fault.at;
}

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout) {
  (void)fds;
  assert_int_equal(count, 1);
  assert_int_equal(timeout, 0);
  return waits > 0 && --waits == 0 ? 1 : 0;
}

ssize_t __real_write(int fd, const void *bytes, size_t length);
ssize_t __wrap_write(int fd, const void *bytes, size_t length);
ssize_t __wrap_write(int fd, const void *bytes, size_t length) {
  if (!hit())
    return __real_write(fd, bytes, length);
  ssize_t ignored = __real_write(fd, bytes, length / 2);
  (void)ignored;
  if (fault.die)
    _exit(9);
  errno = ENOSPC;
  return -1;
}

#define WRAP(name, params, args, sys_errno) \
  int __real_##name params;                 \
  int __wrap_##name params;                 \
  int __wrap_##name params {                \
    if (!hit())                             \
      return __real_##name args;            \
    if (fault.die)                          \
      _exit(9);                             \
    errno = sys_errno;                      \
    return -1;                              \
  }
static int no_sync(int fd) { /* the tests are about order, not about the disk's speed */
  (void)fd;
  return 0;
}
#define __real_fsync no_sync
WRAP(fsync, (int fd), (fd), EIO)
#undef __real_fsync
WRAP(renameat, (int a, const char *from, int b, const char *to), (a, from, b, to), EIO)
WRAP(mkdirat, (int dir, const char *path, mode_t mode), (dir, path, mode), ENOSPC)
WRAP(unlinkat, (int dir, const char *path, int flags), (dir, path, flags), EIO)
WRAP(ftruncate, (int fd, off_t length), (fd, length), EIO)

static void (*before_lock)(void); /* once, before the next lock is taken */

int __real_fcntl(int fd, int command, void *what);
int __wrap_fcntl(int fd, int command, void *what);
int __wrap_fcntl(int fd, int command, void *what) {
  if (command == F_OFD_SETLK && before_lock != NULL) {
    void (*act)(void) = before_lock;
    before_lock = NULL;
    act();
  }
  return __real_fcntl(fd, command, what);
}

/* ---- a source in memory ---- */

struct memory_source {
  struct bt_build_source source;
  const char *text;
  int *gate; /* NULL, or: after the first line a byte is written to [1], and one is read from [0] */
};

static enum bt_code pump(struct bt_build_source *source, struct bt_intake *intake, struct bt_error *err) {
  struct memory_source *memory = (struct memory_source *)source;
  const char *lf = strchr(memory->text, '\n');
  size_t first = lf != NULL ? (size_t)(lf - memory->text) + 1 : strlen(memory->text);
  enum bt_code code = bt_intake_feed(intake, memory->text, first, err);
  char byte;
  if (code == BT_OK && memory->gate != NULL) {
    assert_int_equal(write(memory->gate[1], "x", 1), 1);
    assert_int_equal(read(memory->gate[0], &byte, 1), 1);
  }
  return code == BT_OK ? bt_intake_feed(intake, memory->text + first, strlen(memory->text + first), err) : code;
}

#define TURN(n, role, text) "{\"seq\":" #n ",\"ts\":\"t" #n "\",\"role\":\"" role "\",\"text\":\"" text "\"}\n"
#define FIRST                                                       \
  TURN(0, "user", "Survey the anchor chain near the harbour mouth") \
  TURN(1, "assistant", "TODO: order timber") TURN(2, "tool", "ls -l")
#define SECOND FIRST TURN(3, "user", "and the keel?") TURN(4, "assistant", "The keel is sound.")

static int64_t still_clock(void *context) {
  (void)context;
  return INT64_C(1760000000000);
}

static enum bt_code build(const char *root, const char *text, const char *session, int *gate, struct bt_error *err) {
  const int give_up = 0;
  struct bt_env env = {.cwd = root, .now_ms = still_clock, .give_up = &give_up};
  struct bt_records records = {.env = &env, .root = (char *)(uintptr_t)root};
  struct memory_source source = {.source = {.name = "log.jsonl", .is_jsonl = true, .mtime_ms = INT64_MAX, .pump = pump},
                                 .text = text,
                                 .gate = gate};
  struct bt_build_request request = {.source = &source.source,
                                     .session = session,
                                     .project = looks_up ? NULL : "chain",
                                     .has_project_flag = !looks_up,
                                     .redact = redacts,
                                     .program = "baton records"};
  struct bt_build_report report;
  bt_config_init(&records.config);
  bt_build_report_init(&report);
  enum bt_code code = bt_build(&records, &request, &report, err);
  bt_build_report_dispose(&report);
  return code;
}

/* ---- what a store holds ---- */

static void put_tree(struct bt_str *out, const char *path, const char *label) {
  struct bt_fs_listing listing;
  int dir = bt_fs_open_root(path, NULL);
  assert_true(dir >= 0);
  assert_int_equal(bt_fs_list_at(dir, ".", &listing, NULL), BT_OK);
  for (size_t i = 0; i < listing.count; i++) {
    struct bt_fs_stat found;
    struct bt_str child, name, bytes;
    bt_str_init(&child, 4096);
    bt_str_init(&name, 4096);
    bt_str_init(&bytes, 1 << 20);
    bt_fs_stat_at(dir, listing.names[i], &found);
    bt_str_printf(&child, "%s/%s", path, listing.names[i]);
    bt_str_printf(&name, "%s/%s", label, listing.names[i]);
    if (found.kind == BT_FS_FOLDER) {
      put_tree(out, child.data, name.data);
    } else if (strcmp(listing.names[i], ".lock") != 0) {
      assert_int_equal(bt_fs_read_at(dir, listing.names[i], &bytes, NULL), BT_OK);
      bt_str_printf(out, "== %s\n%s\n", name.data, bytes.data);
    }
    bt_str_dispose(&child);
    bt_str_dispose(&name);
    bt_str_dispose(&bytes);
  }
  bt_fs_listing_dispose(&listing);
  close(dir);
}

static char *tree_of(const char *root) {
  struct bt_str out;
  bt_str_init(&out, 1 << 22);
  put_tree(&out, root, "");
  return bt_str_take(&out, NULL);
}

/* The files of the one record, temporary ones left out. */
static char *record_of(const char *root) {
  static const char *const names[] = {"HANDOFF.md",     "HANDOFF.llm.json", "HANDOFF.summary.json",
                                      "timeline.jsonl", "manifest.json",    "TOOLS.md"};
  struct bt_str out;
  bt_str_init(&out, 1 << 22);
  int store = bt_fs_open_root(root, NULL), dir = bt_session_open(store, "chain", "s", NULL);
  assert_true(dir >= 0);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_int_equal(bt_fs_read_at(dir, names[i], &out, NULL), BT_OK);
  close(dir);
  close(store);
  return bt_str_take(&out, NULL);
}

static enum bt_code verify(const char *root) {
  int store = bt_fs_open_root(root, NULL);
  int dir = store >= 0 ? bt_session_open(store, "chain", "s", NULL) : -1;
  struct bt_json *manifest = NULL;
  uint64_t turns;
  enum bt_code code = dir >= 0 ? bt_verify(dir, &turns, &manifest, NULL) : BT_MISSING;
  bt_json_free(manifest);
  if (dir >= 0)
    close(dir);
  if (store >= 0)
    close(store);
  return code;
}

static char *root_in(const struct scratch *scratch, const char *name) {
  struct bt_str path;
  bt_str_init(&path, 4096);
  bt_str_printf(&path, "%s/%s", scratch->path, name);
  return bt_str_take(&path, NULL);
}

/* The store that builds of these texts make when nothing goes wrong. */
static char *undisturbed(const struct scratch *scratch, const char *name, const char *first, const char *second) {
  char *root = root_in(scratch, name);
  fault.at = 0;
  assert_int_equal(build(root, first, "s", NULL, NULL), BT_OK);
  if (second != NULL)
    assert_int_equal(build(root, second, "s", NULL, NULL), BT_OK);
  char *tree = tree_of(root);
  free(root);
  return tree;
}

/* Hits call N of a build of `text` over a store that holds `before` (NULL: none). True while N was still hit. */
static bool disturb(const struct scratch *scratch, int n, bool die, const char *before, const char *text,
                    const char *wanted) {
  char name[32];
  struct bt_error err = {0};
  snprintf(name, sizeof name, "%c%d%c", die ? 'k' : 'f', n, before != NULL ? 'b' : 'a');
  char *root = root_in(scratch, name);
  fault.at = 0;
  if (before != NULL)
    assert_int_equal(build(root, before, "s", NULL, NULL), BT_OK);
  char *old = before != NULL ? record_of(root) : NULL;
  int status = 0;
  bool was_hit, failed = false;
  fault.count = 0;
  fault.at = n;
  fault.die = die;
  if (die) {
    pid_t child = fork();
    if (child == 0) {
      enum bt_code code = build(root, text, "s", NULL, NULL);
      _exit(code == BT_OK ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    was_hit = WIFEXITED(status) && WEXITSTATUS(status) == 9;
    assert_true(was_hit || status == 0);
  } else {
    failed = build(root, text, "s", NULL, &err) != BT_OK;
    was_hit = fault.count >= n;
  }
  fault.at = 0;
  if (failed) /* what was there still holds; the message says why */
    assert_true(err.message[0] != '\0');
  if (failed && old != NULL) { /* the old revision or the new one is whole, or verify says that it is not */
    char *now = record_of(root);
    assert_true(verify(root) == BT_CORRUPT || strcmp(now, old) == 0 || strstr(now, "\"revisions\": 2,") != NULL);
    free(now);
  }
  free(old);
  /* Whatever is there now, the next build completes it, to the byte. */
  assert_int_equal(build(root, text, "s", NULL, &err), BT_OK);
  assert_int_equal(verify(root), BT_OK);
  char *tree = tree_of(root);
  assert_string_equal(tree, wanted);
  free(tree);
  free(root);
  return was_hit;
}

static void sweep(bool die, const char *before, const char *text) {
  struct scratch scratch;
  scratch_make(&scratch);
  char *wanted = undisturbed(&scratch, "wanted", before != NULL ? before : text, before != NULL ? text : NULL);
  int n = 1;
  while (disturb(&scratch, n, die, before, text, wanted))
    n++;
  assert_true(n > 20); /* it did step through something */
  free(wanted);
  scratch_remove(&scratch);
}

/* A build that nobody waits for any more leaves what was there before it, byte for byte. */
static void a_build_may_be_stopped(void **state) {
  (void)state;
  struct scratch scratch;
  scratch_make(&scratch);
  char *first = root_in(&scratch, "stopped"), *second = root_in(&scratch, "kept");
  struct bt_error err = {0};
  assert_int_equal(mkdir(first, 0777), 0);
  assert_int_equal(build(second, FIRST, "s", NULL, NULL), BT_OK);
  char *before = tree_of(second);
  int looks = 1;
  for (enum bt_code code = BT_STATE; code != BT_OK; looks++) {
    waits = looks;
    code = build(first, FIRST, "s", NULL, &err);
    if (code == BT_OK)
      break;
    assert_int_equal(code, BT_STATE);
    char *after = tree_of(first);
    assert_string_equal(after, "");
    free(after);
    waits = looks;
    assert_int_equal(build(second, SECOND, "s", NULL, &err), BT_STATE);
    after = tree_of(second);
    assert_string_equal(after, before);
    free(after);
  }
  waits = -1;
  assert_true(looks > 5); /* each of its files may be the one at which it ends */
  assert_int_equal(build(second, SECOND, "s", NULL, NULL), BT_OK);
  free(before);
  free(first);
  free(second);
  scratch_remove(&scratch);
}

static void a_first_build_may_die_anywhere(void **state) {
  (void)state;
  sweep(true, NULL, FIRST);
}

static void a_rebuild_may_die_anywhere(void **state) {
  (void)state;
  sweep(true, FIRST, SECOND);
}

static void a_first_build_may_fail_anywhere(void **state) {
  (void)state;
  sweep(false, NULL, FIRST);
}

static void a_rebuild_may_fail_anywhere(void **state) {
  (void)state;
  sweep(false, FIRST, SECOND);
}

/* A build that dies and is made again in the other way, with secrets or without them: no line is doubled, and none that
 * was not sealed keeps what it should not hold. */
static void change_kind(bool last_redacts, const char *before, const char *text) {
  struct scratch scratch;
  struct bt_error err = {0};
  scratch_make(&scratch);
  redacts = last_redacts;
  char *wanted = undisturbed(&scratch, "wanted", before != NULL ? before : text, before != NULL ? text : NULL);
  int n = 0, status = 9;
  while (WEXITSTATUS(status) == 9 || n == 0) {
    char name[32];
    snprintf(name, sizeof name, "r%d", ++n);
    char *root = root_in(&scratch, name);
    fault.at = 0;
    redacts = last_redacts;
    if (before != NULL)
      assert_int_equal(build(root, before, "s", NULL, NULL), BT_OK);
    redacts = !last_redacts;
    fault.count = 0;
    fault.at = n;
    fault.die = true;
    pid_t child = fork();
    if (child == 0)
      _exit(build(root, text, "s", NULL, NULL) == BT_OK ? 0 : 1);
    assert_int_equal(waitpid(child, &status, 0), child);
    fault.at = 0;
    redacts = last_redacts;
    char *tree = tree_of(root);
    bool is_sealed = strstr(tree, "\"turn_count\": 6") != NULL;
    free(tree);
    assert_int_equal(build(root, text, "s", NULL, &err), BT_OK);
    assert_int_equal(verify(root), BT_OK);
    tree = tree_of(root);
    assert_true(is_sealed || strcmp(tree, wanted) == 0);
    free(tree);
    free(root);
  }
  assert_true(n > 20);
  free(wanted);
  redacts = false;
  scratch_remove(&scratch);
}

#define SECRET \
  "ghp_"       \
  "0123456789abcdefghijABCDEFGHIJ012345"
static void a_killed_build_is_made_again_in_the_other_way(void **state) {
  (void)state;
  static const char with_secrets[] = FIRST TURN(3, "user", "the key is " SECRET " my friend")
      TURN(4, "assistant", "I see") TURN(5, "tool", SECRET " and " SECRET);
  change_kind(true, NULL, with_secrets);
  change_kind(true, FIRST, with_secrets);
  change_kind(false, NULL, with_secrets);
  change_kind(false, FIRST, with_secrets);
}

/* ---- retitle and rename ---- */

static enum bt_code move(const char *root, bool is_retitle, struct bt_error *err) {
  struct bt_env env = {.cwd = root, .now_ms = still_clock};
  struct bt_records records = {.env = &env, .root = (char *)(uintptr_t)root};
  struct bt_str out;
  bt_str_init(&out, 4096);
  enum bt_code code = is_retitle ? bt_records_retitle(&records, "s", "Tide Tables", &out, err)
                                 : bt_records_rename(&records, "s", "Tide Tables", &out, err);
  bt_str_dispose(&out);
  return code;
}

/* The one record of the store, wherever it is now. */
static enum bt_code verify_the_one(const char *root, char folder[64]) {
  struct bt_record_index index = {0};
  struct bt_json *manifest = NULL;
  uint64_t turns;
  int store = bt_fs_open_root(root, NULL);
  assert_true(store >= 0);
  assert_int_equal(bt_record_index_make(&index, store, NULL), BT_OK);
  assert_int_equal(index.count, 1);
  snprintf(folder, 64, "%s/%s", index.rows[0].project, index.rows[0].folder);
  int dir = bt_session_open(store, index.rows[0].project, index.rows[0].folder, NULL);
  enum bt_code code = bt_verify(dir, &turns, &manifest, NULL);
  assert_int_equal(turns, 3);
  bt_json_free(manifest);
  bt_record_index_dispose(&index);
  close(dir);
  close(store);
  return code;
}

/* Whatever step it ends at, the record is whole under the old name or the new one, and can be built upon. */
static void sweep_move(bool is_retitle, bool die) {
  struct scratch scratch;
  bool was_hit = true;
  int n = 1;
  scratch_make(&scratch);
  for (; was_hit; n++) {
    char name[32], folder[64];
    struct bt_error err = {0};
    int status = 0;
    snprintf(name, sizeof name, "m%d", n);
    char *root = root_in(&scratch, name);
    fault.at = 0;
    assert_int_equal(build(root, FIRST, "s", NULL, NULL), BT_OK);
    fault.count = 0;
    fault.at = n;
    fault.die = die;
    pid_t child = fork();
    if (child == 0) {
      enum bt_code code = move(root, is_retitle, &err);
      _exit(code != BT_OK ? 1 : fault.count >= n ? 2 : 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    was_hit = WEXITSTATUS(status) != 0;
    fault.at = 0;
    assert_int_equal(verify_the_one(root, folder), BT_OK);
    bool is_new = strcmp(folder, is_retitle ? "chain/tide-tables" : "tide-tables/s") == 0;
    assert_true(is_new || strcmp(folder, "chain/s") == 0);
    if (!was_hit)
      assert_true(is_new);
    enum bt_code again = move(root, is_retitle, &err);
    assert_true(again == BT_OK || (is_new && again == BT_STATE)); /* a name that is there already is taken */
    assert_int_equal(verify_the_one(root, folder), BT_OK);
    free(root);
  }
  assert_true(n > 10);
  scratch_remove(&scratch);
}

static void a_retitle_may_fail_or_die_anywhere(void **state) {
  (void)state;
  sweep_move(true, false);
  sweep_move(true, true);
}

static void a_rename_may_fail_or_die_anywhere(void **state) {
  (void)state;
  sweep_move(false, false);
  sweep_move(false, true);
}

/* A build that waits in the middle of its source holds the session; another one is told, and changes nothing. */
static void two_builds_of_one_session(void **state) {
  (void)state;
  struct scratch scratch;
  struct bt_error err = {0};
  int to_child[2], to_parent[2], status;
  char byte;
  scratch_make(&scratch);
  char *root = root_in(&scratch, "store");
  fault.at = 0;
  assert_int_equal(build(root, FIRST, "s", NULL, NULL), BT_OK);
  char *before = tree_of(root);
  assert_int_equal(pipe(to_child), 0);
  assert_int_equal(pipe(to_parent), 0);
  pid_t child = fork();
  if (child == 0) {
    int gate[2] = {to_child[0], to_parent[1]};
    _exit(build(root, SECOND, "s", gate, NULL) == BT_OK ? 0 : 1);
  }
  assert_int_equal(read(to_parent[0], &byte, 1), 1);
  enum bt_code code = build(root, FIRST, "s", NULL, &err);
  assert_int_equal(code, BT_BUSY);
  assert_int_equal(bt_records_exit(code), 3);
  assert_non_null(strstr(err.message, "another build"));
  char *during = tree_of(root);
  assert_string_equal(before, during);
  assert_int_equal(build(root, FIRST, "other", NULL, &err), BT_OK); /* another session is not in the way */
  assert_int_equal(write(to_child[1], "x", 1), 1);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  assert_int_equal(verify(root), BT_OK);
  for (int i = 0; i < 2; i++) {
    close(to_child[i]);
    close(to_parent[i]);
  }
  free(before);
  free(during);
  free(root);
  scratch_remove(&scratch);
}

/* A record that is given another name while it is verified, and then built upon: its lock goes by the new name, so what
 * seems damaged may be that build's doing. */
static void a_record_renamed_while_it_is_verified(void **state) {
  (void)state;
  struct scratch scratch;
  struct bt_record_index index = {0};
  struct bt_error err = {0};
  struct bt_json *manifest = NULL;
  uint64_t turns;
  scratch_make(&scratch);
  char *root = root_in(&scratch, "store"), *path = root_in(&scratch, "store/projects/tide-tables/s/timeline.jsonl");
  fault.at = 0;
  assert_int_equal(build(root, FIRST, "s", NULL, NULL), BT_OK);
  int store = bt_fs_open_root(root, NULL), dir = bt_session_open(store, "chain", "s", NULL);
  assert_int_equal(bt_record_index_make(&index, store, NULL), BT_OK);
  assert_int_equal(move(root, false, NULL), BT_OK);
  FILE *file = fopen(path, "ab"); /* the lines of a build that has not sealed them yet */
  assert_non_null(file);
  fputs(TURN(3, "user", "and the keel?"), file);
  fclose(file);
  assert_int_equal(bt_verify_apart(store, &index.rows[0], true, dir, &turns, &manifest, &err), BT_BUSY);
  assert_non_null(strstr(err.message, "another name"));
  bt_json_free(manifest);
  bt_record_index_dispose(&index);
  close(dir);
  close(store);
  free(path);
  free(root);
  scratch_remove(&scratch);
}

static char *moved_root;
static void move_it(void) {
  assert_int_equal(move(moved_root, false, NULL), BT_OK);
}

/* A record that is given another name between a build's look for it and its lock: it is found there, not built twice. */
static void a_record_renamed_before_it_is_locked(void **state) {
  (void)state;
  struct scratch scratch;
  struct bt_record_index index = {0};
  struct bt_error err = {0};
  scratch_make(&scratch);
  moved_root = root_in(&scratch, "store");
  fault.at = 0;
  assert_int_equal(build(moved_root, FIRST, "s", NULL, NULL), BT_OK);
  looks_up = true;
  before_lock = move_it;
  enum bt_code code = build(moved_root, SECOND, "s", NULL, &err);
  looks_up = false;
  assert_int_equal(code, BT_OK);
  int store = bt_fs_open_root(moved_root, NULL);
  assert_int_equal(bt_record_index_make(&index, store, NULL), BT_OK);
  assert_int_equal(index.count, 1);
  assert_string_equal(index.rows[0].project, "tide-tables");
  bt_record_index_dispose(&index);
  char *path = root_in(&scratch, "store/projects/chain/s");
  struct stat found;
  assert_int_not_equal(stat(path, &found), 0);
  close(store);
  free(path);
  free(moved_root);
  scratch_remove(&scratch);
}

/* Lines beyond the manifest's count that are not what this build adds were put there by somebody: they stay. */
static void lines_edited_by_hand_stay(void **state) {
  (void)state;
  struct scratch scratch;
  struct bt_str text;
  scratch_make(&scratch);
  char *root = root_in(&scratch, "store");
  fault.at = 0;
  assert_int_equal(build(root, FIRST, "s", NULL, NULL), BT_OK);
  char *path = root_in(&scratch, "store/projects/chain/s/timeline.jsonl");
  FILE *file = fopen(path, "ab");
  fputs("{\"seq\":9,\"class\":\"USER\",\"text\":\"by hand\"}\n", file);
  fclose(file);
  assert_int_equal(build(root, SECOND, "s", NULL, NULL), BT_OK);
  bt_str_init(&text, 1 << 20);
  assert_int_equal(bt_fs_read_at(scratch.dir, "store/projects/chain/s/timeline.jsonl", &text, NULL), BT_OK);
  assert_non_null(strstr(text.data, "by hand\"}\n{\"seq\":3,"));
  assert_int_equal(verify(root), BT_OK);
  bt_str_dispose(&text);
  /* An unfinished line that is no beginning of what comes next stops the build, and nothing changes. */
  file = fopen(path, "ab");
  fputs("{\"mine", file);
  fclose(file);
  char *before = tree_of(root);
  assert_int_equal(build(root, SECOND TURN(5, "user", "more"), "s", NULL, NULL), BT_CORRUPT);
  char *after = tree_of(root);
  assert_string_equal(before, after);
  free(before);
  free(after);
  free(path);
  free(root);
  scratch_remove(&scratch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_build_may_be_stopped),
      cmocka_unit_test(a_first_build_may_die_anywhere),
      cmocka_unit_test(a_rebuild_may_die_anywhere),
      cmocka_unit_test(a_first_build_may_fail_anywhere),
      cmocka_unit_test(a_rebuild_may_fail_anywhere),
      cmocka_unit_test(a_retitle_may_fail_or_die_anywhere),
      cmocka_unit_test(a_rename_may_fail_or_die_anywhere),
      cmocka_unit_test(a_killed_build_is_made_again_in_the_other_way),
      cmocka_unit_test(a_record_renamed_while_it_is_verified),
      cmocka_unit_test(a_record_renamed_before_it_is_locked),
      cmocka_unit_test(two_builds_of_one_session),
      cmocka_unit_test(lines_edited_by_hand_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
