/* cli/env.c - reads the environment once. */
#include "cli/env.h"

#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "cli/proc.h"
#include "core/base/arena.h"
#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/store/sample.h"

#define STRINGS_MAX (1u << 20)
#define KEY_MAX (1u << 20)
#define KEY_NAME "ADLC_MANIFEST_KEY"
#define ADMIN_KEY_NAME "ADLC_ADMIN_KEY"

static int64_t wall_clock(void *context) {
  (void)context;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static const char *real_getenv(void *context, const char *name) {
  (void)context;
  return getenv(name);
}

/* Text of an environment value (decode8) in the arena; NULL when unset, empty or memory is short. */
static const char *text_of(struct bt_arena *arena, const char *value) {
  if (value == NULL || value[0] == '\0')
    return NULL;
  struct bt_str text;
  bt_str_init(&text, STRINGS_MAX);
  bt_utf8_decode8(&text, value, strlen(value));
  const char *copy = text.failed ? NULL : bt_arena_strndup(arena, text.data, text.length);
  bt_str_dispose(&text);
  return copy;
}

/* Key bytes = encode8 of the value after decode8 (spec/context-handoff.md 4.5). */
enum bt_code cli_env_set_key(struct cli_env *cli, const char *key, bool is_sample, struct bt_error *err) {
  struct bt_str text, bytes;
  bt_str_init(&text, KEY_MAX * 3);
  bt_str_init(&bytes, KEY_MAX * 3);
  (void)bt_str_reserve(&text,
                       3 * strlen(key)); /* growing would leave pieces of the key behind, and nothing wipes those */
  (void)bt_str_reserve(&bytes, 3 * strlen(key));
  bt_utf8_decode8(&text, key, strlen(key));
  bt_utf8_encode8(&bytes, text.data, text.length);
  enum bt_code code = BT_OK;
  if (text.failed || bytes.failed)
    code = bt_error_set(err, BT_NOMEM, KEY_NAME, "out of memory");
  char *copy = NULL;
  size_t length = bytes.length;
  if (code == BT_OK && (copy = malloc(length + 1)) == NULL)
    code = bt_error_set(err, BT_NOMEM, KEY_NAME, "out of memory");
  if (code == BT_OK) {
    memcpy(copy, bytes.data, length + 1);
    if (cli->key != NULL)
      bt_wipe(cli->key, cli->env.key_length);
    free(cli->key);
    cli->key = copy;
    cli->env.key = length > 0 ? copy : NULL;
    cli->env.key_length = length;
    cli->env.key_is_sample = is_sample;
  }
  bt_wipe(text.data, text.length);
  bt_wipe(bytes.data, bytes.length);
  bt_str_dispose(&text);
  bt_str_dispose(&bytes);
  return code;
}

/* A secret leaves the environment for good: overwritten where it stands, then unset. */
static void forget_variable(const char *name) {
  char *value = getenv(name);
  if (value != NULL)
    bt_wipe(value, strlen(value));
  unsetenv(name);
}

static enum bt_code take_key(struct cli_env *cli, struct bt_error *err) {
  const char *value = getenv(KEY_NAME);
  enum bt_code code = BT_OK;
  if (value != NULL && value[0] != '\0')
    code = cli_env_set_key(cli, value, false, err);
  forget_variable(KEY_NAME);
  return code;
}

void cli_env_guard(void) {
  forget_variable(ADMIN_KEY_NAME);
  (void)prctl(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L);
}

/* A relative HOME is taken from the working directory: whatever is made of it is absolute. */
static const char *home_of(struct bt_arena *arena, const char *cwd, const struct passwd *user) {
  const char *home = text_of(arena, getenv("HOME"));
  if (home != NULL && home[0] != '/')
    return bt_arena_printf(arena, "%s/%s", cwd, home);
  return home != NULL ? home : text_of(arena, user != NULL ? user->pw_dir : NULL);
}

/* $NAME/baton where the variable holds an absolute path, else <home>/<fallback>/baton. */
static const char *xdg_dir(struct bt_arena *arena, const char *variable, const char *home, const char *fallback) {
  const char *base = text_of(arena, getenv(variable));
  if (base != NULL && base[0] == '/')
    return bt_arena_printf(arena, "%s/baton", base);
  return bt_arena_printf(arena, "%s/%s/baton", home != NULL ? home : "", fallback);
}

static const char *self_path(struct bt_arena *arena) {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  return length > 0 ? bt_arena_strndup(arena, path, (size_t)length) : NULL;
}

static const char *working_dir(struct bt_arena *arena) {
  char path[PATH_MAX];
  return getcwd(path, sizeof path) != NULL ? bt_arena_strdup(arena, path) : NULL;
}

static const char *host_name(struct bt_arena *arena) {
  char host[HOST_NAME_MAX + 1] = "";
  if (gethostname(host, sizeof host) != 0)
    return "";
  host[HOST_NAME_MAX] = '\0';
  const char *text = text_of(arena, host);
  return text != NULL ? text : "";
}

enum bt_code cli_env_init(struct cli_env *cli, bool in_haste, struct bt_error *err) {
  memset(cli, 0, sizeof *cli);
  cli->arena = bt_arena_new(STRINGS_MAX * 8);
  enum bt_code code = take_key(cli, err);
  if (code != BT_OK)
    return code;
  struct bt_env *env = &cli->env;
  struct bt_arena *arena = cli->arena;
  if (arena == NULL)
    return bt_error_set(err, BT_NOMEM, "environment", "out of memory");
  env->cwd = working_dir(arena);
  if (env->cwd == NULL)
    return bt_error_set_errno(err, errno, ".", "cannot tell the working directory");
  const char *home = getenv("HOME");
  const struct passwd *user = in_haste && home != NULL && home[0] != '\0' ? NULL : getpwuid(getuid());
  env->host = host_name(arena);
  env->pid = getpid();
  env->uid = (unsigned)getuid();
  env->user = text_of(arena, user != NULL ? user->pw_name : NULL);
  if (env->user == NULL)
    env->user = bt_arena_printf(arena, "%u", env->uid);
  env->ticket = text_of(arena, getenv("ADLC_TICKET"));
  env->home = home_of(arena, env->cwd, user);
  env->state_dir = xdg_dir(arena, "XDG_STATE_HOME", env->home, ".local/state");
  env->cache_dir = xdg_dir(arena, "XDG_CACHE_HOME", env->home, ".cache");
  env->data_dir = xdg_dir(arena, "XDG_DATA_HOME", env->home, ".local/share");
  env->config_dir = xdg_dir(arena, "XDG_CONFIG_HOME", env->home, ".config");
  env->claude_dir = text_of(arena, getenv("CLAUDE_CONFIG_DIR"));
  if (env->claude_dir == NULL)
    env->claude_dir = bt_arena_printf(arena, "%s/.claude", env->home != NULL ? env->home : "");
  env->self_path = self_path(arena);
  env->now_ms = wall_clock;
  env->getenv_fn = real_getenv;
  env->proc = proc_probe();
  cli->stdin_tty = isatty(STDIN_FILENO) == 1;
  cli->stdout_tty = isatty(STDOUT_FILENO) == 1;
  if (env->user == NULL || env->state_dir == NULL || env->cache_dir == NULL || env->data_dir == NULL ||
      env->config_dir == NULL || env->claude_dir == NULL)
    return bt_error_set(err, BT_NOMEM, "environment", "out of memory");
  return cli_env_set_dir(cli, NULL, err);
}

const char *cli_env_raw(const struct cli_env *cli, const char *argument) {
  for (int i = 0; i < cli->argument_count; i++) {
    if (cli->arguments[i] == argument)
      return cli->raw_arguments[i];
  }
  return argument;
}

void cli_env_dispose(struct cli_env *cli) {
  if (cli->key != NULL)
    bt_wipe(cli->key, cli->env.key_length);
  free(cli->key);
  bt_arena_free(cli->arena);
  memset(cli, 0, sizeof *cli);
}

/* A sample ledger's own transcripts are read too. Where no key is set it is read and signed with its published one; no
 * other ledger has either. */
static enum bt_code settle_sample(struct cli_env *cli, struct bt_error *err) {
  cli->env.sample_dir = NULL;
  if (bt_sample_at(cli->env.ledger_dir)) {
    cli->env.sample_dir = bt_arena_printf(cli->arena, "%s/" BT_SAMPLE_TRANSCRIPTS, cli->env.ledger_dir);
    if (cli->env.sample_dir == NULL)
      return bt_error_set(err, BT_NOMEM, cli->env.ledger_dir, "out of memory");
  }
  if (cli->env.key != NULL && !cli->env.key_is_sample)
    return BT_OK;
  const char *key = bt_sample_key_for(cli->env.ledger_dir);
  return key != NULL || cli->env.key_is_sample ? cli_env_set_key(cli, key != NULL ? key : "", key != NULL, err) : BT_OK;
}

enum bt_code cli_env_set_dir(struct cli_env *cli, const char *dir, struct bt_error *err) {
  struct bt_str path;
  bt_str_init(&path, STRINGS_MAX);
  enum bt_code code = bt_path_resolve(&path, cli->env.cwd, dir != NULL ? dir : ".adlc");
  if (code != BT_OK) {
    code = bt_error_set(err, code, "--dir", "--dir cannot be used: %s", bt_code_words(code));
  } else if (strcmp(bt_path_basename(path.data), ".adlc") != 0) {
    code = bt_error_set(err, BT_INPUT, path.data, "--dir must end in .adlc: %s", path.data);
  } else {
    size_t root = path.length - strlen("/.adlc");
    cli->env.ledger_dir = bt_arena_strndup(cli->arena, path.data, path.length);
    cli->env.root = root > 0 ? bt_arena_strndup(cli->arena, path.data, root) : bt_arena_strdup(cli->arena, "/");
    if (cli->env.ledger_dir == NULL || cli->env.root == NULL)
      code = bt_error_set(err, BT_NOMEM, path.data, "out of memory");
    else
      code = settle_sample(cli, err);
  }
  bt_str_dispose(&path);
  return code;
}
