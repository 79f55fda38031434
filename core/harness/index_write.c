/* core/harness/index_write.c - the frame of the index, and the one place that writes it. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/hashset.h"
#include "core/harness/index.h"
#include "core/harness/index_file.h"

struct frame {
  char magic[8];
  uint32_t version, facts_bytes; /* another layout of the facts is another index */
  uint64_t length, digest;       /* of the entries */
};

static const char magic[8] = {'b', 't', 'n', 'i', 'n', 'd', 'e', 'x'};

void bt_index_begin(struct bt_str *file) {
  struct frame frame = {.version = BT_INDEX_VERSION, .facts_bytes = sizeof(struct bt_transcript_facts)};
  memcpy(frame.magic, magic, sizeof magic);
  bt_str_append(file, &frame, sizeof frame);
}

bool bt_index_open(const struct bt_str *file, struct bt_slice *entries) {
  struct frame frame;
  if (file->length < sizeof frame)
    return false;
  memcpy(&frame, file->data, sizeof frame);
  *entries = (struct bt_slice){file->data + sizeof frame, file->length - sizeof frame};
  return memcmp(frame.magic, magic, sizeof magic) == 0 && frame.version == BT_INDEX_VERSION &&
         frame.facts_bytes == sizeof(struct bt_transcript_facts) && frame.length == entries->length &&
         frame.digest == bt_id_hash(entries->data, entries->length);
}

/* The cache folder, made below the nearest of its parents that is there. */
static int open_cache(const char *cache_dir) {
  int dir = bt_fs_open_root(cache_dir, NULL);
  if (dir >= 0)
    return dir;
  int root = bt_fs_open_root("/", NULL);
  if (root < 0)
    return -1;
  struct bt_str parent;
  bt_str_init(&parent, 65536);
  bt_str_puts(&parent, cache_dir);
  const char *name = bt_path_basename(cache_dir);
  bt_str_truncate(&parent, (size_t)(name - cache_dir));
  int above = parent.failed ? -1 : bt_fs_open_root(parent.data, NULL);
  bool made = above >= 0 ? bt_fs_make_folders_at(above, name, NULL) == BT_OK
                         : bt_fs_make_folders_at(root, cache_dir + strspn(cache_dir, "/"), NULL) == BT_OK;
  if (above >= 0)
    close(above);
  close(root);
  bt_str_dispose(&parent);
  dir = made ? bt_fs_open_root(cache_dir, NULL) : -1;
  if (dir >= 0)
    (void)fchmod(dir, 0700);
  return dir;
}

/* What a run that died in the middle of its writing has left: `transcripts.<pid>.<nonce>.tmp`. */
static void sweep(const struct bt_env *env, int dir) {
  struct bt_fs_listing listing;
  if (!env->proc.alive || bt_fs_list_at(dir, ".", &listing, NULL) != BT_OK)
    return;
  for (size_t i = 0; i < listing.count; i++) {
    const char *name = listing.names[i], *pid = name + strlen(BT_INDEX_NAME ".");
    if (!bt_starts_with(name, BT_INDEX_NAME ".") || !bt_ends_with(name, ".tmp") || *pid < '1' || *pid > '9')
      continue;
    if (env->proc.alive(env->proc.context, strtod(pid, NULL)) == BT_ALIVE_NO)
      (void)unlinkat(dir, name, 0);
  }
  bt_fs_listing_dispose(&listing);
}

bool bt_index_write(const struct bt_env *env, struct bt_str *file) {
  struct frame frame;
  memcpy(&frame, file->data, sizeof frame);
  frame.length = file->length - sizeof frame;
  frame.digest = bt_id_hash(file->data + sizeof frame, file->length - sizeof frame);
  memcpy(file->data, &frame, sizeof frame);
  int dir = open_cache(env->cache_dir);
  if (dir < 0)
    return false;
  /* It tells what was talked about: for its owner only, as the transcripts are. */
  bool ok = bt_fs_replace_as_at(dir, BT_INDEX_NAME, file->data, file->length, BT_FS_MODE_PRIVATE, NULL) == BT_OK;
  sweep(env, dir);
  close(dir);
  return ok;
}
