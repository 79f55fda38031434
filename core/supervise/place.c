/* core/supervise/place.c - two looks. */
#include "core/supervise/place.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/model/id.h"
#include "core/store/deny.h"

#define PATH_BYTES ((size_t)65536)

static void put_path(struct bt_str *out, const char *folder, const char *below, const char *root, const char *id) {
  bt_str_puts(out, folder);
  bt_str_puts(out, below);
  for (const char *at = root; *at != '\0'; at++)
    bt_str_putc(out, *at == '/' || *at == '.' ? '-' : *at);
  bt_str_putc(out, '/');
  bt_str_puts(out, id);
  bt_str_puts(out, ".jsonl");
}

static bool stat_text(const struct bt_str *path, struct stat *st) {
  struct bt_str bytes;
  bt_str_init(&bytes, PATH_BYTES);
  bt_utf8_encode8(&bytes, path->data, path->length);
  bool there = !path->failed && !bytes.failed && strlen(bytes.data) == bytes.length && stat(bytes.data, st) == 0;
  bt_str_dispose(&bytes);
  return there;
}

bool bt_sup_find_transcript(struct bt_str *out, const struct bt_env *env, const char *id, int64_t *mtime_ns) {
  const struct {
    const char *folder, *below;
  } places[] = {{env->home, "/.claude/projects/"}, {env->claude_dir, "/projects/"}};
  struct stat st;
  if (env->home == NULL || env->home[0] == '\0' || env->root == NULL || env->root[0] == '\0' || !bt_id_is_safe(id))
    return false;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    size_t before = out->length;
    if (places[i].folder == NULL)
      continue;
    put_path(out, places[i].folder, places[i].below, env->root, id);
    if (stat_text(out, &st)) {
      *mtime_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
      return true;
    }
    bt_str_truncate(out, before);
  }
  return false;
}

void bt_sup_probe(const struct bt_env *env, const char *id, struct bt_sup_sample *sample) {
  struct bt_marker marker = {0};
  *sample = (struct bt_sup_sample){0};
  int ledger = bt_fs_open_root(env->ledger_dir, NULL);
  if (ledger >= 0) {
    if (bt_marker_read(ledger, id, &marker, NULL) == BT_OK && marker.ok) {
      const char *status = bt_json_get_string(marker.record, "status");
      sample->deny_open = bt_text_equals(status, "open");
      sample->deny_consumed = bt_text_equals(status, "consumed");
    }
    bt_marker_dispose(&marker);
    close(ledger);
  }
  struct bt_str path;
  bt_str_init(&path, PATH_BYTES);
  sample->transcript_there = bt_sup_find_transcript(&path, env, id, &sample->transcript_ns);
  bt_str_dispose(&path);
}
