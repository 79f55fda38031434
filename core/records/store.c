/* core/records/store.c - see store.h. */
#include "core/harness/read_at.h"
#include "core/records/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/records/timeline.h"

#define PATH_BYTES_MAX ((size_t)1 << 20)
#define LEVELS_ABOVE 10
#define ROOT_VARIABLE "HANDOFFS_ROOT"

const char *bt_store_rule_word(enum bt_store_rule rule) {
  static const char *const words[] = {"env", "config", "discover", "default"};
  return words[rule];
}

int bt_records_exit(enum bt_code code) {
  switch (code) {
  case BT_OK:
    return 0;
  case BT_USAGE:
  case BT_INPUT:
    return 2;
  case BT_REFUSED: /* the prefix says more than one session */
  case BT_BUSY:
    return 3;
  case BT_MISSING:
  case BT_STATE:
    return 4;
  default:
    return 1;
  }
}

int bt_records_open(const char *path, struct bt_error *err) {
  struct stat found;
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) {
    int reason = errno;
    (void)bt_error_set_errno(err, reason, path, "%s cannot be opened", path);
    if (err != NULL)
      err->code = reason == ENOENT || reason == ENOTDIR || reason == ENAMETOOLONG ? BT_MISSING : BT_IO;
    return -1;
  }
  if (fstat(fd, &found) == 0 && S_ISREG(found.st_mode))
    return fd;
  (void)close(fd);
  (void)bt_error_set(err, BT_UNSAFE, path, "%s is no regular file", path);
  return -1;
}

enum bt_code bt_records_read(const char *path, struct bt_str *out, struct bt_error *err) {
  struct bt_error why = {0};
  struct stat found;
  int fd = bt_records_open(path, &why);
  enum bt_code code = fd < 0 ? why.code : BT_OK;
  if (code == BT_OK && fstat(fd, &found) != 0)
    code = bt_error_set_errno(&why, errno, path, "%s cannot be read", path);
  if (code == BT_OK && (uint64_t)found.st_size > out->ceiling)
    code = bt_error_set(&why, BT_TOO_LARGE, path, "%s is larger than the limit", path);
  if (code == BT_OK && !bt_str_reserve(out, (size_t)found.st_size))
    code = bt_error_set(&why, BT_NOMEM, path, "out of memory");
  if (code == BT_OK && found.st_size > 0) {
    ssize_t got = bt_read_at(fd, out->data + out->length, (size_t)found.st_size, 0);
    if (got < 0)
      code = bt_error_set_errno(&why, errno, path, "%s cannot be read", path);
    else
      out->length += (size_t)got;
    out->data[out->length] = '\0';
  }
  if (fd >= 0)
    (void)close(fd);
  if (code != BT_OK && err != NULL)
    *err = why;
  return code;
}

/* `base` resolved with `path`, to be freed. NULL: out of memory. */
static char *resolved(const char *base, const char *path) {
  struct bt_str out;
  bt_str_init(&out, PATH_BYTES_MAX);
  if (bt_path_resolve(&out, base, path) != BT_OK) {
    bt_str_dispose(&out);
    return NULL;
  }
  return bt_str_take(&out, NULL);
}

static bool is_folder(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

/* `handoffs` of a ledger holds that ledger's files, and nobody who stands in it means it to be a record store. */
static bool is_ledger(const char *dir) {
  return bt_text_equals(bt_path_basename(dir), ".adlc");
}

static bool is_there(const char *path) {
  struct stat found;
  return stat(path, &found) == 0;
}

/* Folder of the program if a skill is installed there (13.2: SKILL.md is there): never one that a package manager or a
 * build fills. */
static char *installed_skill(const struct bt_env *env) {
  if (env->self_path == NULL || strrchr(env->self_path, '/') == NULL)
    return NULL;
  char *folder = resolved(env->self_path, "..");
  char *skill = folder != NULL ? resolved(folder, "SKILL.md") : NULL;
  struct stat found;
  bool installed = skill != NULL && stat(skill, &found) == 0 && S_ISREG(found.st_mode);
  free(skill);
  if (installed)
    return folder;
  free(folder);
  return NULL;
}

/* One level of the walk. `*found` when the root is decided. */
static enum bt_code look_at(struct bt_records *records, const char *dir, bool *found, struct bt_str *faults,
                            struct bt_error *err) {
  char *file = resolved(dir, BT_CONFIG_NAME), *folder = resolved(dir, "handoffs");
  struct bt_str bytes;
  bt_str_init(&bytes, BT_CONFIG_BYTES_MAX);
  enum bt_code code = file != NULL && folder != NULL ? BT_OK : bt_error_set(err, BT_NOMEM, dir, "out of memory");
  if (code == BT_OK && is_there(file)) {
    bt_config_dispose(&records->config);
    code = bt_records_read(file, &bytes, err);
    if (code == BT_OK)
      code = bt_config_parse(&records->config, bytes.data, bytes.length, faults, err);
    if (code != BT_OK && code != BT_NOMEM)
      code = bt_error_set(err, BT_INPUT, file, "%s is not a valid configuration%s%s", file,
                          code == BT_INPUT ? "" : ": ", code == BT_INPUT ? "" : bt_code_words(code));
    free(records->config_file);
    records->config_file = file;
    file = NULL;
    if (code == BT_OK && records->config.directory != NULL) {
      records->rule = BT_STORE_CONFIG;
      records->root = resolved(dir, records->config.directory);
      *found = true;
    }
  }
  if (code == BT_OK && !*found && !is_ledger(dir) && is_folder(folder)) {
    records->rule = BT_STORE_DISCOVER;
    records->root = folder;
    folder = NULL;
    *found = true;
  }
  if (code == BT_OK && *found && records->root == NULL)
    code = bt_error_set(err, BT_NOMEM, dir, "out of memory");
  free(file);
  free(folder);
  bt_str_dispose(&bytes);
  return code;
}

static enum bt_code walk_up(struct bt_records *records, bool *found, struct bt_str *faults, struct bt_error *err) {
  char *dir = resolved(records->env->cwd, ".");
  enum bt_code code = dir != NULL ? BT_OK : bt_error_set(err, BT_NOMEM, records->env->cwd, "out of memory");
  for (int level = 0; code == BT_OK && !*found && level <= LEVELS_ABOVE; level++) {
    code = look_at(records, dir, found, faults, err);
    if (code != BT_OK || *found || strcmp(dir, "/") == 0)
      break;
    char *above = resolved(dir, "..");
    free(dir);
    dir = above;
    if (dir == NULL)
      code = bt_error_set(err, BT_NOMEM, records->env->cwd, "out of memory");
  }
  free(dir);
  return code;
}

enum bt_code bt_records_find(struct bt_records *records, const struct bt_env *env, struct bt_str *faults,
                             struct bt_error *err) {
  *records = (struct bt_records){.env = env};
  bt_config_init(&records->config);
  char *skill = installed_skill(env);
  records->skill_dir = skill != NULL ? skill : resolved(env->data_dir, "records");
  const char *given = env->getenv_fn != NULL ? env->getenv_fn(env->getenv_context, ROOT_VARIABLE) : NULL;
  bool found = given != NULL && given[0] != '\0';
  enum bt_code code = BT_OK;
  if (found) {
    records->rule = BT_STORE_ENV;
    records->root = resolved(env->cwd, given);
  } else {
    code = walk_up(records, &found, faults, err);
  }
  if (code == BT_OK && !found) {
    records->rule = BT_STORE_DEFAULT;
    records->root = records->skill_dir != NULL ? strdup(records->skill_dir) : NULL;
  }
  if (code == BT_OK && (records->root == NULL || records->skill_dir == NULL))
    code = bt_error_set(err, BT_NOMEM, "records", "out of memory");
  return code;
}

void bt_records_dispose(struct bt_records *records) {
  free(records->root);
  free(records->config_file);
  free(records->skill_dir);
  bt_config_dispose(&records->config);
  *records = (struct bt_records){0};
}
