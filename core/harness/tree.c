/* core/harness/tree.c - see tree.h. Each message becomes one document {info, parts} for the reader of OpenCode's
 * documents. */
#include "core/harness/tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/hashset.h"
#include "core/base/str.h"
#include "core/base/tape.h"
#include "core/harness/opencode.h"

#define FILE_MAX ((size_t)64 << 20)
#define DOCUMENT_ENDS ((size_t)4096) /* room for what the files are put together with */
#define PATH_BYTES_MAX 65536

struct tree {
  int root; /* the storage folder */
  struct bt_turn_reader *reader;
  struct bt_tape tape;
  struct bt_str document;
  int64_t skipped, bytes;
};

/* Appends a file that holds one JSON object; false (and counted) when it holds none, or makes the message too large. */
static bool append_object(struct tree *tree, const char *path, enum bt_code *code) {
  struct bt_str file;
  bt_str_init(&file, FILE_MAX);
  *code = bt_fs_read_at(tree->root, path, &file, NULL);
  bool is_object = *code == BT_OK;
  if (is_object) {
    *code = bt_tape_parse(&tree->tape, file.data, file.length);
    is_object = *code == BT_OK && bt_tape_type(&tree->tape, 0) == BT_JSON_OBJECT;
    is_object = is_object && file.length + DOCUMENT_ENDS < FILE_MAX - tree->document.length; /* else passed over */
  }
  if (is_object) {
    bt_str_append(&tree->document, file.data, file.length);
    tree->bytes += (int64_t)file.length;
  } else {
    tree->skipped++;
  }
  bt_str_dispose(&file);
  return is_object;
}

static enum bt_code feed(struct tree *tree) {
  if (tree->document.failed)
    return BT_NOMEM;
  enum bt_code code = bt_tape_parse(&tree->tape, tree->document.data, tree->document.length);
  return code ? code : bt_opencode_feed(tree->reader, &tree->tape);
}

/* Calls `take` for every *.json of a folder of the tree, in the order of their names. */
static enum bt_code each_file(struct tree *tree, const char *folder,
                              enum bt_code (*take)(struct tree *tree, const char *path, const char *id)) {
  struct bt_fs_listing listing;
  struct bt_str path;
  enum bt_code code = bt_fs_list_at(tree->root, folder, &listing, NULL);
  if (code != BT_OK) /* no messages yet, or no parts */
    return code == BT_NOMEM ? code : BT_OK;
  bt_str_init(&path, PATH_BYTES_MAX);
  for (size_t i = 0; code == BT_OK && i < listing.count; i++) {
    if (!bt_ends_with(listing.names[i], ".json"))
      continue;
    bt_str_clear(&path);
    bt_str_printf(&path, "%s/%s", folder, listing.names[i]);
    listing.names[i][strlen(listing.names[i]) - strlen(".json")] = 0;
    code = path.failed ? BT_NOMEM : take(tree, path.data, listing.names[i]);
  }
  bt_str_dispose(&path);
  bt_fs_listing_dispose(&listing);
  return code;
}

static enum bt_code take_part(struct tree *tree, const char *path, const char *id) {
  (void)id;
  enum bt_code code;
  size_t before = tree->document.length;
  if (tree->document.data[before - 1] != '[')
    bt_str_putc(&tree->document, ',');
  if (!append_object(tree, path, &code))
    bt_str_truncate(&tree->document, before);
  return code == BT_NOMEM ? code : BT_OK;
}

/* Appends a message and its parts as one object; nothing when its file holds none. */
static enum bt_code append_message(struct tree *tree, const char *path, const char *id) {
  enum bt_code code;
  struct bt_str parts;
  size_t before = tree->document.length;
  bt_str_puts(&tree->document, "{\"info\":");
  if (!append_object(tree, path, &code)) {
    bt_str_truncate(&tree->document, before);
    return code == BT_NOMEM ? code : BT_OK;
  }
  bt_str_puts(&tree->document, ",\"parts\":[");
  bt_str_init(&parts, PATH_BYTES_MAX);
  bt_str_printf(&parts, "part/%s", id);
  code = each_file(tree, parts.data, take_part);
  bt_str_dispose(&parts);
  bt_str_puts(&tree->document, "]}");
  return code;
}

static enum bt_code take_message(struct tree *tree, const char *path, const char *id) {
  bt_str_clear(&tree->document);
  enum bt_code code = append_message(tree, path, id);
  return code || tree->document.length == 0 ? code : feed(tree);
}

/* The storage folder of a session's path, and the path below it. */
static int open_storage(const char *path, const char **below, struct bt_error *err) {
  char *storage = strdup(path);
  if (!storage) {
    (void)bt_error_set(err, BT_NOMEM, path, "out of memory");
    return -1;
  }
  for (int i = 0; i < 3; i++) {
    char *slash = strrchr(storage, '/');
    if (slash)
      *slash = 0;
  }
  *below = path + strlen(storage) + 1;
  int fd = bt_fs_open_root(storage, err);
  free(storage);
  return fd;
}

static enum bt_code read_tree(struct tree *tree, const char *below, const char *stem, struct bt_error *err) {
  enum bt_code code;
  static const char begin[] = "{\"messages\":[],\"info\":";
  bt_str_puts(&tree->document, begin);
  if (!append_object(tree, below, &code))
    return bt_error_set(err, code ? code : BT_CORRUPT, stem, "the session's file cannot be read as JSON (%s)",
                        bt_code_words(code ? code : BT_CORRUPT));
  size_t length = tree->document.length - (sizeof begin - 1);
  code = bt_tape_parse(&tree->tape, tree->document.data + sizeof begin - 1, length);
  if (code == BT_OK && bt_opencode_fits(&tree->tape)) { /* an exported conversation, put into the tree as it is */
    memmove(tree->document.data, tree->document.data + sizeof begin - 1, length);
    bt_str_truncate(&tree->document, length);
  } else {
    bt_str_putc(&tree->document, '}');
  }
  code = feed(tree);
  if (code == BT_OK) {
    struct bt_str messages;
    bt_str_init(&messages, PATH_BYTES_MAX);
    bt_str_printf(&messages, "message/%s", stem);
    code = each_file(tree, messages.data, take_message);
    bt_str_dispose(&messages);
  }
  return code ? bt_error_set(err, code, stem, "the session cannot be read (%s)", bt_code_words(code)) : BT_OK;
}

enum bt_code bt_tree_read(const char *path, const char *stem, struct bt_transcript_facts *facts, struct bt_error *err) {
  const char *below;
  struct tree tree = {.root = open_storage(path, &below, err)};
  if (tree.root < 0)
    return err ? err->code : BT_IO;
  bt_tape_init(&tree.tape);
  bt_str_init(&tree.document, FILE_MAX);
  tree.reader = bt_turn_reader_new(stem, BT_HARNESS_OPENCODE);
  enum bt_code code =
      tree.reader ? read_tree(&tree, below, stem, err) : bt_error_set(err, BT_NOMEM, stem, "out of memory");
  if (code == BT_OK && bt_opencode_facts(tree.reader, facts) != BT_OK)
    code = bt_error_set(err, BT_NOMEM, stem, "out of memory");
  if (code == BT_OK) {
    char *id = strdup(stem);
    if (id) { /* a later move may have left the fields behind */
      free(facts->session_id);
      facts->session_id = id;
    }
    facts->bytes = tree.bytes;
    facts->skipped_lines = tree.skipped;
    bt_facts_settle_band(facts);
  }
  bt_turn_reader_free(tree.reader);
  bt_str_dispose(&tree.document);
  bt_tape_dispose(&tree.tape);
  close(tree.root);
  return code;
}

/* ---- the end of it ---- */

static enum bt_code add_last_messages(struct tree *tree, const char *folder, size_t count) {
  struct bt_fs_listing listing;
  struct bt_str path;
  enum bt_code code = bt_fs_list_at(tree->root, folder, &listing, NULL);
  if (code != BT_OK)
    return code == BT_NOMEM ? code : BT_OK;
  bt_str_init(&path, PATH_BYTES_MAX);
  for (size_t i = listing.count > count ? listing.count - count : 0; code == BT_OK && i < listing.count; i++) {
    size_t before = tree->document.length;
    if (!bt_ends_with(listing.names[i], ".json"))
      continue;
    bt_str_clear(&path);
    bt_str_printf(&path, "%s/%s", folder, listing.names[i]);
    listing.names[i][strlen(listing.names[i]) - strlen(".json")] = 0;
    if (tree->document.data[before - 1] != '[')
      bt_str_putc(&tree->document, ',');
    size_t comma = tree->document.length;
    code = path.failed ? BT_NOMEM : append_message(tree, path.data, listing.names[i]);
    if (tree->document.length == comma)
      bt_str_truncate(&tree->document, before);
  }
  bt_str_dispose(&path);
  bt_fs_listing_dispose(&listing);
  return code;
}

bool bt_tree_is(const char *path) {
  const char *at = strstr(path, "/storage/session/");
  return at && bt_ends_with(path, ".json");
}

/* ---- how its files are right now ---- */

#define STAMP_MESSAGES 4 /* the last ones: what is under way, and what was queued meanwhile */
#define STAMP_PARTS 64   /* of each of these */

static void stamp_stat(struct bt_tree_stamp *stamp, int root, const char *path) {
  struct stat st;
  uint64_t seen[4] = {(uint64_t)stamp->mark};
  if (fstatat(root, path, &st, 0) == 0) {
    int64_t mtime_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
    stamp->newest_ns = mtime_ns > stamp->newest_ns ? mtime_ns : stamp->newest_ns;
    seen[1] = (uint64_t)mtime_ns;
    seen[2] = (uint64_t)st.st_size;
    seen[3] = (uint64_t)st.st_ino;
  }
  stamp->mark = (int64_t)bt_id_hash((const char *)seen, sizeof seen);
}

/* Stamps the folder and its last `count` documents; for each of these calls `below`, where there is one. */
static void stamp_folder(struct bt_tree_stamp *stamp, int root, const char *folder, size_t count,
                         void (*below)(struct bt_tree_stamp *stamp, int root, const char *id)) {
  struct bt_fs_listing listing;
  struct bt_error why = {.code = BT_OK};
  struct bt_str path;
  stamp_stat(stamp, root, folder);
  if (bt_fs_list_at(root, folder, &listing, &why) != BT_OK) {
    if (below && why.code != BT_MISSING)
      stamp->sys_errno = why.sys_errno ? why.sys_errno : EIO;
    return;
  }
  bt_str_init(&path, PATH_BYTES_MAX);
  for (size_t i = listing.count > count ? listing.count - count : 0; i < listing.count; i++) {
    if (!bt_ends_with(listing.names[i], ".json"))
      continue;
    bt_str_clear(&path);
    bt_str_printf(&path, "%s/%s", folder, listing.names[i]);
    stamp_stat(stamp, root, path.data);
    listing.names[i][strlen(listing.names[i]) - strlen(".json")] = 0;
    if (below)
      below(stamp, root, listing.names[i]);
  }
  bt_str_dispose(&path);
  bt_fs_listing_dispose(&listing);
}

static void stamp_parts(struct bt_tree_stamp *stamp, int root, const char *id) {
  struct bt_str folder;
  bt_str_init(&folder, PATH_BYTES_MAX);
  bt_str_printf(&folder, "part/%s", id);
  stamp_folder(stamp, root, folder.data, STAMP_PARTS, NULL);
  bt_str_dispose(&folder);
}

struct bt_tree_stamp bt_tree_stamp(const char *path) {
  struct bt_tree_stamp stamp = {.mark = 1};
  const char *below, *name = bt_path_basename(path);
  int root = bt_tree_is(path) ? open_storage(path, &below, NULL) : -1;
  if (root < 0)
    return stamp;
  struct bt_str messages;
  bt_str_init(&messages, PATH_BYTES_MAX);
  bt_str_printf(&messages, "message/%.*s", (int)(strlen(name) - strlen(".json")), name);
  stamp_stat(&stamp, root, below);
  stamp_folder(&stamp, root, messages.data, STAMP_MESSAGES, stamp_parts);
  bt_str_dispose(&messages);
  close(root);
  return stamp;
}

enum bt_code bt_tree_last_messages(const char *path, size_t count, struct bt_str *document, struct bt_error *err) {
  const char *below, *name = bt_path_basename(path);
  struct tree tree = {.root = open_storage(path, &below, err)};
  struct bt_str folder;
  if (tree.root < 0)
    return err ? err->code : BT_IO;
  bt_tape_init(&tree.tape);
  bt_str_init(&tree.document, FILE_MAX);
  bt_str_init(&folder, PATH_BYTES_MAX);
  bt_str_printf(&folder, "message/%.*s", (int)(strlen(name) - strlen(".json")), name);
  bt_str_puts(&tree.document, "{\"messages\":[");
  enum bt_code code = add_last_messages(&tree, folder.data, count);
  bt_str_puts(&tree.document, "]}");
  bt_str_clear(document);
  bt_str_append(document, tree.document.data, tree.document.length);
  if (code != BT_OK || tree.document.failed || document->failed)
    code = bt_error_set(err, BT_NOMEM, name, "out of memory");
  bt_str_dispose(&folder);
  bt_str_dispose(&tree.document);
  bt_tape_dispose(&tree.tape);
  close(tree.root);
  return code;
}
