/* core/records/skill.c - install, update, verify, list (skill.h; spec/session-records.md 13.3, 13.4, 13.6). */
#include "core/records/skill.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/child.h"
#include "core/base/fs.h"
#include "core/harness/read_at.h"
#include "core/records/store.h"
#include "core/records/write.h"

#define PIECE_BYTES 65536
#define ENGINE_TIMEOUT_MS 10000
#define ENGINE_OUTPUT_MAX ((size_t)1 << 20)
#define PROBE_NAME ".baton-write-probe"

/* ---- copying ---- */

static enum bt_code put_program(struct bt_draft *draft, const char *path, struct bt_error *err) {
  char piece[PIECE_BYTES];
  int fd = bt_records_open(path != NULL ? path : "", err);
  if (fd < 0)
    return BT_IO;
  enum bt_code code = BT_OK;
  ssize_t got;
  for (int64_t at = 0; code == BT_OK && (got = bt_read_at(fd, piece, sizeof piece, (uint64_t)at)) != 0; at += got) {
    if (got < 0) {
      code = bt_error_set_errno(err, errno, path, "%s cannot be read", path);
      break;
    }
    bt_outlet_put(&draft->outlet, piece, (size_t)got);
    code = draft->outlet.code;
  }
  (void)close(fd);
  return code;
}

static enum bt_code copy_file(int dir, const struct bt_skill_file *file, const struct bt_env *env,
                              struct bt_error *err) {
  struct bt_draft draft;
  enum bt_code code = bt_draft_begin(&draft, dir, file->name, file->mode, err);
  if (code == BT_OK && file->bytes != NULL)
    bt_outlet_put(&draft.outlet, (const char *)file->bytes, file->length);
  else if (code == BT_OK)
    code = put_program(&draft, env->self_path, err);
  if (code == BT_OK)
    code = bt_draft_settle(&draft, err);
  if (code == BT_OK)
    code = bt_draft_commit(&draft, err);
  bt_draft_drop(&draft);
  return code;
}

static size_t present_files(const char *target, struct bt_str *missing) {
  size_t count, present = 0;
  const struct bt_skill_file *files = bt_skill_files(&count);
  for (size_t i = 0; i < count; i++) {
    if (bt_skill_has_file(target, files[i].name))
      present++;
    else if (missing != NULL)
      bt_str_printf(missing, "%s%s", missing->length > 0 ? ", " : "", files[i].name);
  }
  return present;
}

/* The folder is made and can be written. */
static int open_target(const char *target, struct bt_error *err) {
  int dir = bt_write_folders(target, NULL) == BT_OK ? bt_fs_open_root(target, NULL) : -1;
  if (dir >= 0 && bt_write_file(dir, PROBE_NAME, "", 0, NULL) == BT_OK &&
      bt_write_remove_file(dir, PROBE_NAME, NULL) == BT_OK)
    return dir;
  if (dir >= 0)
    (void)close(dir);
  (void)bt_error_set(err, BT_IO, target, "Cannot write to %s", target);
  return -1;
}

/* A folder where a file is to stand is the user's: told before anything is copied. */
static enum bt_code refuse_folders(const struct bt_skill_request *request, int dir, struct bt_error *err) {
  size_t count;
  struct bt_fs_stat found;
  const struct bt_skill_file *files = bt_skill_files(&count);
  for (size_t i = 0; i < count; i++) {
    bt_fs_stat_at(dir, files[i].name, &found);
    if (found.kind == BT_FS_FOLDER)
      return bt_error_set(err, BT_IO, request->target,
                          "Cannot write to %s: %s is a folder there; nothing was installed", request->target,
                          files[i].name);
  }
  return BT_OK;
}

static int copy_all(const struct bt_skill_request *request, struct bt_str *out, struct bt_error *err) {
  size_t count;
  const struct bt_skill_file *files = bt_skill_files(&count);
  struct bt_str missing, version;
  int dir = open_target(request->target, err);
  if (dir < 0)
    return 1;
  bt_str_init(&missing, 65536);
  bt_str_init(&version, 65536);
  enum bt_code code = refuse_folders(request, dir, err);
  for (size_t i = count; code == BT_OK && i > 0;
       i--) /* SKILL.md, the first, comes last: with it the skill is installed */
    code = copy_file(dir, &files[i - 1], request->env, err);
  bt_write_sync(dir);
  (void)close(dir);
  size_t present = present_files(request->target, &missing);
  if (code == BT_OK && present < count)
    code = bt_error_set(err, BT_IO, request->target, "Incomplete install: %zu of %zu file(s) missing — %s",
                        count - present, count, missing.data);
  if (code == BT_OK) {
    bt_skill_version(request->target, &version);
    bt_str_printf(out, "Installed version %s: %zu files in %s\n", version.data, count, request->target);
  }
  bt_str_dispose(&missing);
  bt_str_dispose(&version);
  return code == BT_OK ? 0 : 1;
}

/* ---- install, update ---- */

static void put_banner(const struct bt_skill_request *request, struct bt_str *out) {
  const struct bt_skill_places *places = request->places;
  bt_str_printf(out, "baton records skill\n  target: %s\n  global root: %s (%s)\n", request->target, places->global,
                places->reason);
  for (size_t i = 0; i < places->account_count; i++) {
    if (!bt_text_equals(places->accounts[i], places->global))
      bt_str_printf(out, "  also holds an install: %s\n", places->accounts[i]);
  }
  bt_str_printf(out, "  requested version: %s\n", request->wanted_version);
}

static int install(const struct bt_skill_request *request, bool force, struct bt_str *out, struct bt_error *err) {
  struct bt_str version;
  bool latest = bt_text_equals(request->wanted_version, "latest");
  int status = -1;
  bt_str_init(&version, 65536);
  put_banner(request, out);
  if (request->env->readonly) {
    (void)bt_error_set(err, BT_READONLY, "", "baton runs with --readonly: nothing is installed");
    status = 1;
  } else if (!latest && !bt_text_equals(request->wanted_version, request->own_version)) {
    (void)bt_error_set(err, BT_INPUT, request->wanted_version, "version %s cannot be installed: this program is %s",
                       request->wanted_version, request->own_version);
    status = 1;
  } else if (bt_skill_is_installed(request->target)) {
    bt_skill_version(request->target, &version);
    bt_str_printf(out, "Already installed: version %s in %s\n", version.data, request->target);
    if (!latest && bt_text_equals(version.data, request->wanted_version)) {
      bt_str_puts(out, "That is the version asked for: nothing to do.\n");
      status = 0;
    } else if (latest && !force) {
      bt_str_puts(out, "--update upgrades it, --force installs it again.\n");
      status = 0;
    }
  }
  bt_str_dispose(&version);
  return status >= 0 ? status : copy_all(request, out, err);
}

int bt_skill_install(const struct bt_skill_request *request, struct bt_str *out, struct bt_error *err) {
  return install(request, request->force, out, err);
}

int bt_skill_update(const struct bt_skill_request *request, struct bt_str *out, struct bt_error *err) {
  struct bt_str version;
  if (!bt_skill_is_installed(request->target)) {
    (void)bt_error_set(err, BT_MISSING, request->target, "Not installed at %s. Run 'install' first.", request->target);
    return 1;
  }
  bt_str_init(&version, 65536);
  bt_skill_version(request->target, &version);
  bt_str_printf(out, "Current version: %s, requested: %s\n", version.data, request->wanted_version);
  bt_str_dispose(&version);
  return install(request, true, out, err);
}

/* ---- verify ---- */

static bool put_check(struct bt_str *out, bool passed, const char *what, const char *name) {
  bt_str_printf(out, "  %s %s%s\n", passed ? "✓" : "✗", what, name);
  return passed;
}

/* What lies there need not be ours: it gets no key, little time, and may say little. */
static bool engine_answers(const struct bt_skill_request *request) {
  struct bt_str said;
  char *program = bt_skill_path(request->target, BT_SKILL_PROGRAM);
  bt_str_init(&said, ENGINE_OUTPUT_MAX);
  const char *const argv[] = {program, "records", "config", NULL};
  const struct bt_child child = {.argv = argv,
                                 .dir = request->target,
                                 .timeout_ms = ENGINE_TIMEOUT_MS,
                                 .output_max = ENGINE_OUTPUT_MAX,
                                 .own_group = true,
                                 .out = &said};
  struct bt_child_result result = {.end = BT_CHILD_ABSENT};
  bool ran = program != NULL && bt_child_run(&child, &result, NULL) == BT_OK;
  bool answers = ran && result.end == BT_CHILD_EXITED && result.exit_status == 0 &&
                 strstr(said.data, "handoff: config root=") != NULL;
  bt_str_dispose(&said);
  free(program);
  return answers;
}

int bt_skill_verify(const struct bt_skill_request *request, struct bt_str *out, struct bt_error *err) {
  size_t count;
  const struct bt_skill_file *files = bt_skill_files(&count);
  struct bt_str version;
  if (!bt_skill_is_installed(request->target)) {
    (void)bt_error_set(err, BT_MISSING, request->target, "Not installed at %s. Run 'install' first.", request->target);
    return 1;
  }
  bool ok = true;
  for (size_t i = 0; i < count; i++)
    ok = put_check(out, bt_skill_has_file(request->target, files[i].name), "File: ", files[i].name) && ok;
  ok = put_check(out, bt_skill_has_line(request->target, "version:"), BT_SKILL_WORDS ": has version", "") && ok;
  ok = put_check(out, bt_skill_has_line(request->target, "name:"), BT_SKILL_WORDS ": has name", "") && ok;
  ok = put_check(out, engine_answers(request), "Engine: runs and tells its configuration", "") && ok;
  if (!ok) {
    (void)bt_error_set(err, BT_CORRUPT, request->target,
                       "The installation in %s is not sound: install again with --force", request->target);
    return 1;
  }
  bt_str_init(&version, 65536);
  bt_skill_version(request->target, &version);
  bt_str_printf(out, "All checks passed: version %s in %s\n", version.data, request->target);
  bt_str_dispose(&version);
  return 0;
}

/* ---- list ---- */

struct shown {
  char *paths[256];
  size_t count;
};

static void put_installation(struct shown *shown, const char *name, const char *folder, struct bt_str *out) {
  char *target = bt_skill_path(folder, BT_SKILL_FOLDER);
  bool seen =
      target == NULL || shown->count == sizeof shown->paths / sizeof *shown->paths || !bt_skill_is_installed(target);
  for (size_t i = 0; i < shown->count; i++)
    seen = seen || bt_text_equals(shown->paths[i], target);
  if (seen) {
    free(target);
    return;
  }
  size_t count;
  struct bt_str version;
  bt_str_init(&version, 65536);
  (void)bt_skill_files(&count);
  bt_skill_version(target, &version);
  bt_str_printf(out, "%s\n  Path: %s\n  Version: %s\n  Files from the manifest: %zu/%zu\n", name, target, version.data,
                present_files(target, NULL), count);
  bt_str_dispose(&version);
  shown->paths[shown->count++] = target;
}

int bt_skill_list(const struct bt_env *env, const struct bt_skill_places *places, struct bt_str *out,
                  struct bt_error *err) {
  struct shown shown = {.count = 0};
  struct stat found;
  char *local = bt_skill_path(env->cwd, "local/skills"), *project = bt_skill_path(env->cwd, "skills");
  char *home = bt_skill_path(places->home, ".agents/skills"), *git = bt_skill_path(env->cwd, ".git");
  bool ok = local != NULL && project != NULL && home != NULL && git != NULL;
  if (ok) {
    put_installation(&shown, "global", places->global, out);
    put_installation(&shown, "local", local, out);
    for (size_t i = 0; i < places->account_count; i++)
      put_installation(&shown, "account", places->accounts[i], out);
    put_installation(&shown, "home", home, out);
    if (lstat(git, &found) == 0)
      put_installation(&shown, "project", project, out);
    if (shown.count == 0)
      bt_str_puts(out, "No installations found.\nInstall with: baton records skill install\n");
  } else {
    (void)bt_error_set(err, BT_NOMEM, "", "out of memory");
  }
  for (size_t i = 0; i < shown.count; i++)
    free(shown.paths[i]);
  free(local);
  free(project);
  free(home);
  free(git);
  return ok ? 0 : 1;
}
