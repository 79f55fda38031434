/* tests/vectors/world.c - one case's outside: root folder, host, processes, clock, placeholders. */
#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "tests/vectors/support.h"

static int64_t wall_ms(void *context) {
  (void)context;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The id of a child that has ended: free, and not handed out again for a long while. */
static pid_t dead_process(void) {
  pid_t child = fork();
  vec_require(child >= 0, "fork");
  if (child == 0)
    _exit(0);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
  }
  return child;
}

static bool inside_repository(const char *folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s", folder);
  for (;;) {
    char probe[4200];
    struct stat st;
    snprintf(probe, sizeof probe, "%s/.git", path);
    if (lstat(probe, &st) == 0)
      return true;
    char *slash = strrchr(path, '/');
    if (!slash || slash == path)
      return false;
    *slash = '\0';
  }
}

static char *make_root(void) {
  const char *places[] = {"/tmp", "/var/tmp", "/dev/shm"};
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    char *place = realpath(places[i], NULL);
    if (!place)
      continue;
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/bv.XXXXXX", place);
    bool usable = length > 0 && length < (int)sizeof path && !inside_repository(place);
    free(place);
    if (usable && mkdtemp(path)) {
      char *root = strdup(path);
      vec_require(root != NULL, "memory");
      return root;
    }
  }
  return NULL;
}

void vec_world_open(struct vec_world *world) {
  memset(world, 0, sizeof *world);
  world->root = make_root();
  vec_require(world->root != NULL, "no folder outside a repository to build trees in");
  vec_require(gethostname(world->host, sizeof world->host - 1) == 0, "host name");
  snprintf(world->live_pid, sizeof world->live_pid, "%ld", (long)getpid());
  snprintf(world->dead_pid, sizeof world->dead_pid, "%ld", (long)dead_process());
  world->now_ms = wall_ms(NULL);
}

/* The code under test may have left folders without permission bits. */
static int open_up(const char *path, const struct stat *st, int type, struct FTW *walk) {
  (void)st;
  (void)walk;
  if (type == FTW_DNR)
    chmod(path, 0700);
  return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *walk) {
  (void)st;
  (void)type;
  (void)walk;
  return remove(path);
}

void vec_world_close(struct vec_world *world) {
  if (!world->root)
    return;
  nftw(world->root, open_up, 16, FTW_PHYS);
  vec_require(nftw(world->root, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0, "removing a tree");
  free(world->root);
  world->root = NULL;
}

/* A placeholder with a number, "<ts:-5000>": its number, and how long it is. 0 when there is none here. */
static size_t offset_placeholder(const char *text, const char *start, int64_t *offset) {
  size_t head = strlen(start);
  if (strncmp(text, start, head) != 0)
    return 0;
  char *end;
  *offset = strtoll(text + head, &end, 10);
  return end != text + head && *end == '>' ? (size_t)(end - text) + 1 : 0;
}

/* Appends what the placeholder at `text` stands for; answers its length, 0 when none stands there. */
static size_t fill_one(const struct vec_world *world, struct bt_str *out, const char *text) {
  const struct {
    const char *name, *value;
  } plain[] = {{"<root>", world->root},
               {"<host>", world->host},
               {"<live-pid>", world->live_pid},
               {"<dead-pid>", world->dead_pid}};
  for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
    if (strncmp(text, plain[i].name, strlen(plain[i].name)) == 0) {
      bt_str_puts(out, plain[i].value);
      return strlen(plain[i].name);
    }
  int64_t offset;
  size_t length = offset_placeholder(text, "<ts:", &offset);
  if (length) {
    char stamp[BT_ISO_MS];
    bt_time_iso(stamp, world->now_ms + offset);
    bt_str_puts(out, stamp);
    return length;
  }
  length = offset_placeholder(text, "<ms:", &offset);
  if (length)
    bt_str_printf(out, "%" PRId64, world->now_ms + offset);
  return length;
}

char *vec_fill(const struct vec_world *world, const char *text) {
  struct bt_str out;
  bt_str_init(&out, VEC_TEXT_MAX);
  while (*text) {
    size_t plain = strcspn(text, "<");
    bt_str_append(&out, text, plain);
    text += plain;
    if (!*text)
      break;
    size_t length = fill_one(world, &out, text);
    if (!length)
      bt_str_putc(&out, *text);
    text += length ? length : 1;
  }
  char *filled = bt_str_take(&out, NULL);
  vec_require(filled != NULL, "memory");
  return filled;
}

struct bt_json *vec_fill_json(const struct vec_world *world, const struct bt_json *value) {
  enum bt_json_type type = bt_json_type(value);
  struct bt_json *copy = NULL;
  if (type == BT_JSON_STRING) {
    char *text = vec_fill(world, bt_json_string(value));
    copy = bt_json_new_string(text);
    free(text);
  } else if (type == BT_JSON_ARRAY) {
    copy = bt_json_new_array();
    for (const struct bt_json *item = bt_json_first(value); item; item = bt_json_next(item))
      vec_require(bt_json_push(copy, vec_fill_json(world, item)) == BT_OK, "memory");
  } else if (type == BT_JSON_OBJECT) {
    copy = bt_json_new_object();
    for (const struct bt_json *member = bt_json_first(value); member; member = bt_json_next(member)) {
      char *key = vec_fill(world, bt_json_key(member));
      vec_require(bt_json_set(copy, key, vec_fill_json(world, member)) == BT_OK, "memory");
      free(key);
    }
  } else {
    copy = type == BT_JSON_ABSENT ? bt_json_new_null() : bt_json_clone(value);
  }
  vec_require(copy != NULL, "memory");
  return copy;
}

static enum bt_alive probe_alive(void *context, double pid) {
  (void)context;
  if (!(pid > 0 && pid < 4194305)) /* beyond what a process id can be */
    return BT_ALIVE_NO;
  if (kill((pid_t)pid, 0) == 0)
    return BT_ALIVE_YES;
  return errno == EPERM ? BT_ALIVE_DENIED : BT_ALIVE_NO;
}

static bool probe_started(void *context, double pid, int64_t *started_ms) {
  (void)context;
  (void)pid;
  (void)started_ms;
  return false;
}

static bool probe_name(void *context, double pid, char *name, size_t size) {
  (void)context;
  (void)pid;
  (void)name;
  (void)size;
  return false;
}

static char *below(const struct vec_world *world, const char *name) {
  size_t size = strlen(world->root) + strlen(name) + 2;
  char *path = malloc(size);
  vec_require(path != NULL, "memory");
  snprintf(path, size, "%s/%s", world->root, name);
  return path;
}

void vec_env_init(struct vec_env *out, const struct vec_world *world, const char *key) {
  memset(out, 0, sizeof *out);
  out->ledger_dir = below(world, ".adlc");
  out->state_dir = below(world, ".state");
  struct bt_env *env = &out->env;
  env->cwd = env->root = world->root;
  env->ledger_dir = out->ledger_dir;
  env->host = world->host;
  env->pid = getpid();
  env->uid = (unsigned)getuid();
  env->user = "vectors";
  env->key = key && *key ? key : NULL;
  env->key_length = env->key ? strlen(env->key) : 0;
  env->home = env->state_dir = env->cache_dir = env->data_dir = env->config_dir = env->claude_dir = out->state_dir;
  env->self_path = "/proc/self/exe";
  env->now_ms = wall_ms;
  env->proc = (struct bt_proc_probe){.alive = probe_alive, .started_ms = probe_started, .name = probe_name};
}

void vec_env_dispose(struct vec_env *out) {
  free(out->ledger_dir);
  free(out->state_dir);
  memset(out, 0, sizeof *out);
}
