/* tests/support/fixture.c - a sample ledger under a world that never changes. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "tests/support/fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/clock.h"
#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/harness/view.h"
#include "core/ops/sample.h"
#include "core/store/load.h"
#include "core/store/sample.h"

#define HOUR_MS INT64_C(3600000)
#define SHOWN_ROOT "/home/op/w/payments-api"
#define SAMPLE_PATH ".adlc/" BT_SAMPLE_TRANSCRIPTS "/"
#define PATH_ROOM 4096

static int64_t clock_says(void *context) {
  const struct fixture *fixture = context;
  return fixture->now_ms;
}

static enum bt_alive scripted_alive(void *context, double pid) {
  (void)context;
  if (pid == 1)
    return BT_ALIVE_DENIED;
  return pid == FIXTURE_LIVE_PID || pid == FIXTURE_REUSED_PID ? BT_ALIVE_YES : BT_ALIVE_NO;
}

static bool scripted_started(void *context, double pid, int64_t *started_ms) {
  (void)context;
  if (pid == FIXTURE_LIVE_PID)
    *started_ms = FIXTURE_NOW_MS - 2 * HOUR_MS;
  else if (pid == FIXTURE_REUSED_PID)
    *started_ms = FIXTURE_NOW_MS - 6 * HOUR_MS + HOUR_MS / 6;
  else
    return false;
  return true;
}

static bool scripted_name(void *context, double pid, char *name, size_t size) {
  (void)context;
  if (pid != FIXTURE_LIVE_PID && pid != FIXTURE_REUSED_PID)
    return false;
  snprintf(name, size, "%s", pid == FIXTURE_LIVE_PID ? "codex" : "sshd");
  return true;
}

static const char *no_environment(void *context, const char *name) {
  (void)context;
  (void)name;
  return NULL;
}

struct owned { /* the env's strings; first member so that free() of the fixture frees all */
  struct fixture fixture;
  bool keep; /* the folder is somebody else's to remove */
  char base[512], ledger[600], state[600], cache[600], data[600], config[600], claude[600], sample[640];
};

static void fill_env(struct owned *owned) {
  struct fixture *fixture = &owned->fixture;
  snprintf(owned->ledger, sizeof(owned->ledger), "%s/.adlc", fixture->root);
  snprintf(owned->state, sizeof(owned->state), "%s/.local/state/baton", fixture->home);
  snprintf(owned->cache, sizeof(owned->cache), "%s/.cache/baton", fixture->home);
  snprintf(owned->data, sizeof(owned->data), "%s/.local/share/baton", fixture->home);
  snprintf(owned->config, sizeof(owned->config), "%s/.config/baton", fixture->home);
  snprintf(owned->claude, sizeof(owned->claude), "%s/.claude", fixture->home);
  snprintf(owned->sample, sizeof(owned->sample), "%s/" BT_SAMPLE_TRANSCRIPTS, owned->ledger);
  fixture->now_ms = FIXTURE_NOW_MS;
  fixture->load_flags = BT_LOAD_TICKETS;
  fixture->env = (struct bt_env){
      .cwd = fixture->root,
      .root = fixture->root,
      .ledger_dir = owned->ledger,
      .host = "build-07",
      .pid = 4242,
      .uid = (unsigned)getuid(),
      .user = "op",
      .key = BT_SAMPLE_KEY,
      .key_length = strlen(BT_SAMPLE_KEY),
      .key_is_sample = true,
      .home = fixture->home,
      .state_dir = owned->state,
      .cache_dir = owned->cache,
      .data_dir = owned->data,
      .config_dir = owned->config,
      .claude_dir = owned->claude,
      .self_path = "/usr/bin/baton",
      .clock_context = fixture,
      .now_ms = clock_says,
      .getenv_fn = no_environment,
      .proc = {.alive = scripted_alive, .started_ms = scripted_started, .name = scripted_name},
  };
}

static bool make_ledger(struct fixture *fixture, enum fixture_kind kind) {
  const struct bt_sample_world world = {.now_ms = FIXTURE_NOW_MS,
                                        .host = "build-07",
                                        .root = SHOWN_ROOT,
                                        .live_pid = FIXTURE_LIVE_PID,
                                        .dead_pid = FIXTURE_DEAD_PID,
                                        .reused_pid = FIXTURE_REUSED_PID,
                                        .live_started_ms = FIXTURE_NOW_MS - 2 * HOUR_MS,
                                        .reused_started_ms = FIXTURE_NOW_MS - 6 * HOUR_MS + HOUR_MS / 6};
  struct bt_error err = {0};
  if (kind == FIXTURE_NONE)
    return true;
  if (kind == FIXTURE_EMPTY)
    return mkdir(fixture->env.ledger_dir, 0777) == 0;
  if (bt_sample_write(&fixture->env, &world, &err) == BT_OK)
    return true;
  fprintf(stderr, "fixture: %s: %s\n", err.subject, err.message);
  return false;
}

static bool fill_folder(struct owned *owned, enum fixture_kind kind) {
  struct fixture *fixture = &owned->fixture;
  snprintf(fixture->home, sizeof(fixture->home), "%.440s/home", owned->base);
  snprintf(fixture->root, sizeof(fixture->root), "%.440s/payments-api", owned->base);
  fill_env(owned);
  fixture->env.sample_dir = kind == FIXTURE_SAMPLE ? owned->sample : NULL;
  if (owned->keep && access(fixture->root, F_OK) == 0)
    return true;
  return mkdir(fixture->home, 0777) == 0 && mkdir(fixture->root, 0777) == 0 && make_ledger(fixture, kind);
}

struct fixture *fixture_new(enum fixture_kind kind) {
  struct owned *owned = calloc(1, sizeof(*owned));
  const char *temporary = getenv("TMPDIR");
  if (!owned)
    return NULL;
  snprintf(owned->base, sizeof(owned->base), "%s/baton-fixture-XXXXXX", temporary && *temporary ? temporary : "/tmp");
  if (!mkdtemp(owned->base) || strlen(owned->base) > 400) {
    fprintf(stderr, "fixture: no folder: %s\n", strerror(errno));
    free(owned);
    return NULL;
  }
  if (!fill_folder(owned, kind)) {
    fixture_free(&owned->fixture);
    return NULL;
  }
  return &owned->fixture;
}

struct fixture *fixture_at(const char *base, enum fixture_kind kind) {
  struct owned *owned = calloc(1, sizeof(*owned));
  if (!owned)
    return NULL;
  owned->keep = true;
  snprintf(owned->base, sizeof(owned->base), "%s", base);
  if (strlen(base) > 400 || !fill_folder(owned, kind)) {
    fixture_free(&owned->fixture);
    return NULL;
  }
  return &owned->fixture;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw) {
  (void)st;
  (void)type;
  (void)ftw;
  (void)remove(path);
  return 0;
}

void fixture_free(struct fixture *fixture) {
  if (!fixture)
    return;
  struct owned *owned = (struct owned *)fixture;
  if (!owned->keep)
    nftw(owned->base, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  free(owned);
}

void fixture_equalise(struct bt_snapshot *snapshot) {
  snapshot->root = SHOWN_ROOT;
  snapshot->ledger_dir = SHOWN_ROOT "/.adlc";
  snapshot->ledger_short = "~/w/payments-api/.adlc";
  snapshot->owner_uid = 1000;
  struct bt_lock *locks = (struct bt_lock *)(uintptr_t)snapshot->locks;
  for (size_t i = 0; i < snapshot->lock_count; i++) {
    locks[i].inode = 918231 + i;
    locks[i].mode = 0644;
  }
  struct bt_session *sessions = (struct bt_session *)(uintptr_t)snapshot->sessions;
  for (size_t i = 0; i < snapshot->session_count; i++) { /* as seen from the root, which is where the players stand */
    const char *below = sessions[i].transcript_path ? strstr(sessions[i].transcript_path, SAMPLE_PATH) : NULL;
    sessions[i].transcript_path = below ? below : sessions[i].transcript_path;
  }
}

struct bt_snapshot *fixture_load(struct fixture *fixture) {
  struct bt_snapshot *snapshot = NULL;
  struct bt_error err = {0};
  struct bt_harness_view *view = bt_harness_view_load(&fixture->env, false, 1, &err);
  if (!view || bt_store_load(&fixture->env, fixture->load_flags, view, &snapshot, &err) != BT_OK)
    fail_msg("the fixture cannot be read: %s: %s", err.subject, err.message);
  bt_harness_view_free(view);
  fixture_equalise(snapshot);
  return snapshot;
}

static void place(const struct fixture *fixture, const char *path, char out[PATH_ROOM]) {
  assert_true(snprintf(out, PATH_ROOM, "%s/%s", fixture->root, path) < PATH_ROOM);
}

static void make_parents(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    (void)mkdir(path, 0777);
    *slash = '/';
  }
}

static void put(const struct fixture *fixture, const char *path, const char *text, const char *mode) {
  char full[PATH_ROOM];
  place(fixture, path, full);
  make_parents(full);
  FILE *file = fopen(full, mode);
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
  assert_int_equal(fclose(file), 0);
}

void fixture_write(const struct fixture *fixture, const char *path, const char *text) {
  put(fixture, path, text, "w");
}

void fixture_append(const struct fixture *fixture, const char *path, const char *text) {
  put(fixture, path, text, "a");
}

void fixture_remove(const struct fixture *fixture, const char *path) {
  char full[PATH_ROOM];
  place(fixture, path, full);
  nftw(full, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void hash_file(struct bt_sha256 *hash, int dir, const char *name) {
  char buffer[4096];
  ssize_t got;
  int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  while (fd >= 0 && (got = read(fd, buffer, sizeof(buffer))) > 0)
    bt_sha256_update(hash, buffer, (size_t)got);
  if (fd >= 0)
    close(fd);
}

static void hash_folder(struct bt_sha256 *hash, int dir, const char *path) {
  struct bt_fs_listing listing = {0};
  if (bt_fs_list_at(dir, path, &listing, NULL) != BT_OK)
    return;
  for (size_t i = 0; i < listing.count; i++) {
    char child[PATH_ROOM], line[PATH_ROOM + 64], target[PATH_ROOM] = "";
    struct stat st;
    if (snprintf(child, sizeof(child), "%s/%s", path, listing.names[i]) >= (int)sizeof(child) ||
        fstatat(dir, child, &st, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    if (S_ISLNK(st.st_mode) && readlinkat(dir, child, target, sizeof(target) - 1) < 0)
      target[0] = '?';
    int length = snprintf(line, sizeof(line), "%s %o %lld\n", child, (unsigned)st.st_mode, (long long)st.st_size);
    bt_sha256_update(hash, line, length > 0 ? (size_t)length : 0);
    bt_sha256_update(hash, target, strlen(target));
    if (S_ISDIR(st.st_mode))
      hash_folder(hash, dir, child);
    else if (S_ISREG(st.st_mode))
      hash_file(hash, dir, child);
  }
  bt_fs_listing_dispose(&listing);
}

void fixture_tree_hash(const struct fixture *fixture, char hex[65]) {
  struct bt_sha256 *hash = bt_sha256_new();
  int root = bt_fs_open_root(fixture->root, NULL);
  assert_non_null(hash);
  assert_true(root >= 0);
  hash_folder(hash, root, ".");
  bt_sha256_finish_hex(hash, hex);
  bt_sha256_free(hash);
  close(root);
}
