/* core/ops/sample.c - the one writer of sample ledgers: a new folder, filled from the embedded template. */
#include "core/ops/sample.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/store/auth.h"
#include "core/store/grant.h"
#include "core/store/manifest.h"
#include "core/store/sample.h"
#include "core/store/sign.h"
#include "sample_ledger_embed.h"
#include "sample_transcripts_embed.h"

#define FILE_MAX ((size_t)256 * 1024)
#define FREE_PID_FROM 4194301.0 /* just below the largest pid a 64-bit Linux hands out */
#define FREE_PID_TRIES 1000

struct copying {
  const struct bt_env *env;
  const struct bt_sample_world *world;
  struct bt_key key;
  int dir;
  struct bt_sample_entry entries[BT_SAMPLE_ENTRY_MAX];
  size_t count;
  char root_hash[BT_SHA256_HEX]; /* of the root chain's last line */
  double root_seq;
  struct bt_error *err;
};

void bt_sample_world_of(const struct bt_env *env, struct bt_sample_world *world) {
  *world = (struct bt_sample_world){.now_ms = bt_env_now(env),
                                    .host = env->host,
                                    .root = env->root,
                                    .live_pid = 1,
                                    .reused_pid = 1,
                                    .dead_pid = FREE_PID_FROM,
                                    .live_started_ms = BT_TIME_UNKNOWN};
  int64_t started_ms;
  if (env->proc.started_ms(env->proc.context, 1, &started_ms))
    world->live_started_ms = started_ms;
  world->reused_started_ms = world->live_started_ms;
  for (int i = 0; i < FREE_PID_TRIES && env->proc.alive(env->proc.context, world->dead_pid) != BT_ALIVE_NO; i++)
    world->dead_pid--;
}

static enum bt_code no_memory(struct copying *copy) {
  return bt_error_set(copy->err, BT_NOMEM, "sample ledger", "out of memory");
}

static enum bt_code write_all(int fd, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t put = write(fd, bytes, length);
    if (put < 0 && errno == EINTR)
      continue;
    if (put <= 0)
      return BT_IO;
    bytes += put;
    length -= (size_t)put;
  }
  return BT_OK;
}

/* A new file that looks `age_ms` old. Not made durable: there is nothing to lose. */
static enum bt_code put_file(struct copying *copy, const char *path, const struct bt_str *text, int64_t age_ms) {
  const char *slash = strrchr(path, '/');
  enum bt_code code = BT_OK;
  if (slash) {
    struct bt_str folder;
    bt_str_init(&folder, FILE_MAX);
    bt_str_append(&folder, path, (size_t)(slash - path));
    code = folder.failed ? no_memory(copy) : bt_fs_make_folders_at(copy->dir, folder.data, copy->err);
    bt_str_dispose(&folder);
  }
  if (code != BT_OK)
    return code;
  int fd = openat(copy->dir, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (fd < 0)
    return bt_error_set_errno(copy->err, errno, path, "cannot be made");
  int64_t time_ms = copy->world->now_ms - age_ms;
  struct timespec stamp = {.tv_sec = (time_t)(time_ms / 1000), .tv_nsec = (long)(time_ms % 1000) * 1000000};
  struct timespec times[2] = {stamp, stamp};
  code = write_all(fd, text->data, text->length);
  if (code != BT_OK)
    code = bt_error_set_errno(copy->err, errno, path, "cannot be written");
  (void)futimens(fd, times); /* a wrong age spoils nothing */
  close(fd);
  return code;
}

/* Authorizations and grants: the template leaves `sig` empty. */
static enum bt_code sign_document(struct copying *copy, struct bt_str *text, bool is_auth) {
  struct bt_json *doc = bt_json_parse(text->data, text->length, copy->err);
  if (!doc)
    return copy->err ? copy->err->code : BT_CORRUPT;
  bool made = bt_sign_document(doc, is_auth ? bt_auth_payload : bt_grant_payload, copy->key);
  if (made) {
    bt_str_clear(text);
    bt_json_print_pretty(text, doc);
    bt_str_putc(text, '\n');
  }
  bt_json_free(doc);
  return made && !text->failed ? BT_OK : no_memory(copy);
}

static enum bt_code set_clone(struct bt_json *object, const char *key, const struct bt_json *value) {
  return value ? bt_json_set(object, key, bt_json_clone(value)) : BT_OK;
}

static enum bt_code set_anchor(struct copying *copy, struct bt_json *entry) {
  struct bt_json *anchor = bt_json_new_object();
  if (!anchor)
    return BT_NOMEM;
  if (bt_json_set_string(anchor, "segment", "root") != BT_OK ||
      bt_json_set_number(anchor, "seq", copy->root_seq) != BT_OK ||
      bt_json_set_string(anchor, "lineHash", copy->root_hash) != BT_OK) {
    bt_json_free(anchor);
    return BT_NOMEM;
  }
  return bt_json_set(entry, "anchor", anchor);
}

/* One signed line in the key order of spec 12.3 and 12.5. `prev` is the hash of the line before, "" for none. */
static enum bt_code put_line(struct copying *copy, const struct bt_sample_entry *chain, const struct bt_json *given,
                             double seq, const char *prev, struct bt_str *line) {
  struct bt_str message;
  char branch[64], sig[BT_SHA256_HEX];
  bool first_of_segment = chain->kind == BT_SAMPLE_SEGMENT && seq == 1;
  struct bt_json *entry = bt_json_new_object();
  bt_str_init(&message, FILE_MAX);
  bool fine = entry && bt_json_set_number(entry, "seq", seq) == BT_OK &&
              set_clone(entry, "gate", bt_json_get(given, "gate")) == BT_OK &&
              set_clone(entry, "ts", bt_json_get(given, "ts")) == BT_OK &&
              set_clone(entry, "ticket", bt_json_get(given, "ticket")) == BT_OK &&
              set_clone(entry, "data", bt_json_get(given, "data")) == BT_OK &&
              bt_json_set(entry, "files", bt_json_new_object()) == BT_OK;
  if (fine && first_of_segment) {
    memcpy(branch, chain->branch.data, chain->branch.length < 63 ? chain->branch.length : 63);
    branch[chain->branch.length < 63 ? chain->branch.length : 63] = '\0';
    fine = set_anchor(copy, entry) == BT_OK && bt_json_set_string(entry, "branch", branch) == BT_OK;
  }
  fine = fine && bt_json_set_string(entry, "prev", *prev ? prev : NULL) == BT_OK;
  if (fine && first_of_segment) {
    fine = bt_json_set_number(entry, "sigVersion", 2) == BT_OK;
    bt_json_print_canonical(&message, entry);
  } else if (fine) {
    bt_json_print_compact(&message, entry);
  }
  fine = fine && bt_sign_hex(copy->key, &message, sig) && bt_json_set_string(entry, "sig", sig) == BT_OK;
  if (fine)
    bt_json_print_compact(line, entry);
  bt_str_dispose(&message);
  bt_json_free(entry);
  return fine && !line->failed ? BT_OK : no_memory(copy);
}

/* Turns the template's lines, one JSON object each, into a chain. */
static enum bt_code sign_chain(struct copying *copy, const struct bt_sample_entry *chain, const struct bt_str *text,
                               struct bt_str *out) {
  char prev[BT_SHA256_HEX] = "";
  double seq = 0;
  enum bt_code code = BT_OK;
  for (size_t at = 0; at < text->length && code == BT_OK;) {
    const char *end = memchr(text->data + at, '\n', text->length - at);
    size_t length = end ? (size_t)(end - text->data) - at : text->length - at;
    struct bt_json *given = bt_json_parse(text->data + at, length, copy->err);
    struct bt_str line;
    bt_str_init(&line, FILE_MAX);
    code = given ? put_line(copy, chain, given, ++seq, prev, &line) : BT_CORRUPT;
    if (code == BT_OK && !bt_line_hash(line.data, line.length, prev))
      code = no_memory(copy);
    bt_str_append(out, line.data, line.length);
    bt_str_putc(out, '\n');
    bt_str_dispose(&line);
    bt_json_free(given);
    at += length + 1;
  }
  if (chain->kind == BT_SAMPLE_CHAIN) {
    copy->root_seq = seq;
    memcpy(copy->root_hash, prev, sizeof(prev));
  }
  return code;
}

static enum bt_code put_entry(struct copying *copy, const struct bt_sample_entry *entry) {
  struct bt_str text, chain, path;
  bt_str_init(&text, FILE_MAX);
  bt_str_init(&chain, FILE_MAX);
  bt_str_init(&path, FILE_MAX);
  bt_str_append(&path, entry->path.data, entry->path.length);
  enum bt_code code = bt_sample_expand(&text, entry->text, copy->entries, copy->count, copy->world, copy->err);
  if (code == BT_OK && entry->kind != BT_SAMPLE_FILE) {
    code = sign_chain(copy, entry, &text, &chain);
    if (code == BT_OK)
      code = put_file(copy, path.data, &chain, entry->age_ms);
  } else if (code == BT_OK) {
    bool is_auth = bt_ends_with(path.data, ".resume-auth.json");
    if (is_auth || bt_ends_with(path.data, ".bypass-grant.json"))
      code = sign_document(copy, &text, is_auth);
    if (code == BT_OK)
      code = put_file(copy, path.data, &text, entry->age_ms);
  }
  bt_str_dispose(&path);
  bt_str_dispose(&chain);
  bt_str_dispose(&text);
  return code;
}

static enum bt_code put_mark(struct copying *copy, bool published_key) {
  struct bt_str text;
  bt_str_init(&text, FILE_MAX);
  bt_str_printf(&text, "{\"baton_sample\":true,\"published_key\":%s}\n", published_key ? "true" : "false");
  enum bt_code code = text.failed ? no_memory(copy) : put_file(copy, BT_SAMPLE_MARK, &text, 0);
  bt_str_dispose(&text);
  return code;
}

/* The ledger folder must be new; its parent is made when it is not there. */
static enum bt_code make_ledger(struct copying *copy) {
  const struct bt_env *env = copy->env;
  if (mkdir(env->root, 0777) != 0 && errno != EEXIST)
    return bt_error_set_errno(copy->err, errno, env->root, "cannot be made");
  if (mkdir(env->ledger_dir, 0777) != 0)
    return errno == EEXIST ? bt_error_set(copy->err, BT_STATE, env->ledger_dir, "there is a ledger already")
                           : bt_error_set_errno(copy->err, errno, env->ledger_dir, "cannot be made");
  copy->dir = bt_fs_open_root(env->ledger_dir, copy->err);
  return copy->dir >= 0 ? BT_OK : BT_IO;
}

static enum bt_code put_entries(struct copying *copy, const unsigned char *text, size_t length) {
  struct bt_slice slice = {(const char *)text, length};
  enum bt_code code = bt_sample_split(slice, copy->entries, &copy->count, copy->err);
  for (size_t i = 0; i < copy->count && code == BT_OK; i++)
    code = put_entry(copy, &copy->entries[i]);
  return code;
}

enum bt_code bt_sample_write(const struct bt_env *env, const struct bt_sample_world *world, struct bt_error *err) {
  bool own_key = env->key && env->key_length > 0 && !env->key_is_sample;
  struct copying copy = {.env = env, .world = world, .dir = -1, .err = err};
  copy.key = own_key ? bt_env_key(env) : (struct bt_key){BT_SAMPLE_KEY, strlen(BT_SAMPLE_KEY)};
  if (env->readonly)
    return bt_error_set(err, BT_READONLY, env->ledger_dir, "read-only: no sample ledger is written");
  enum bt_code code = make_ledger(&copy);
  if (code == BT_OK)
    code = put_entries(&copy, sample_ledger, sample_ledger_length);
  if (code == BT_OK)
    code = put_entries(&copy, sample_transcripts, sample_transcripts_length);
  if (code == BT_OK)
    code = put_mark(&copy, !own_key);
  if (copy.dir >= 0)
    close(copy.dir);
  return code;
}
