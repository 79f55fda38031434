/* core/harness/source.h - the session files that a listing of the stores found, before any of them is read.
 *
 * Owns: paths (bytes, as the system knows them), what the place and the name tell, what stat says. Must not know: what
 * the files hold. Rules: spec/transcripts.md 1 and 2 (each file once by device and inode, only regular files, a folder
 * that cannot be listed is reported once). */
#ifndef BATON_CORE_HARNESS_SOURCE_H
#define BATON_CORE_HARNESS_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/hashset.h"
#include "core/model/transcript.h"

#define BT_SOURCES_MAX 200000 /* files; past it the listing says that it is cut */

enum bt_source_kind {
  BT_SOURCE_LINES,      /* one file, by content */
  BT_SOURCE_COMPRESSED, /* a .zst file: listed, not read */
  BT_SOURCE_TREE        /* OpenCode: the session's own file; messages and parts lie in folders beside it */
};

struct bt_source {
  enum bt_harness harness; /* whose store it lies in */
  enum bt_source_kind kind;
  char *path;       /* owned */
  char *stem;       /* owned; internal text: the file's name without .jsonl, .json or .jsonl.zst */
  char *parent_id;  /* owned; whose sub-agent the place says it is; NULL: the place says nothing */
  char *cwd;        /* owned; the working folder, where the store says it beside the file; NULL */
  bool is_subagent; /* by its place or name */
  bool archived;
  bool is_sample; /* it came with the sample ledger, and is of it wherever that was copied to */
  uint64_t device, inode;
  int64_t size, mtime_ns;
  int64_t ctime_ns; /* moves with the right to read it, too; of a tree: the mark of all its files */
  int sys_errno;    /* it cannot be looked at; 0: it can */
  bool is_regular;
};

struct bt_source_note { /* of a store, not of a session */
  char *path, *text;    /* owned */
};

struct bt_store { /* one that was listed; an absent folder has no files */
  enum bt_harness harness;
  char *root;           /* owned; bytes */
  const char *variable; /* static; which moved it; NULL: its usual place */
  bool is_sample;       /* it came with the sample ledger */
  size_t files;         /* of sessions that no store before it has too */
};
#define BT_STORES_MAX 8

struct bt_sources {
  struct bt_source *list;
  size_t count, capacity;
  struct bt_source_note *notes;
  size_t note_count, note_capacity;
  struct bt_store stores[BT_STORES_MAX]; /* in the order of their listing */
  size_t store_count;
  struct bt_hashset files, folders; /* device and inode of what was listed */
  bool cut, failed;                 /* over BT_SOURCES_MAX; memory was short */
};

void bt_sources_init(struct bt_sources *sources);
void bt_sources_dispose(struct bt_sources *sources);

/* Adds `folder`/`name` after a look at it; links are followed, a file that is listed already is left out. The strings
 * of `like` are copied (path and stem are set here). NULL when it was left out or memory is short (`failed`). */
struct bt_source *bt_sources_add(struct bt_sources *sources, const char *folder, const char *name,
                                 const struct bt_source *like);
void bt_sources_note(struct bt_sources *sources, const char *path, const char *text);

/* Calls `visit` for every entry of a folder in byte order, at most once for each folder on the disk. An absent folder
 * has none; one that cannot be listed is noted. `folder` may be a link. */
void bt_sources_each(struct bt_sources *sources, const char *folder,
                     void (*visit)(struct bt_sources *sources, const char *folder, const char *name, void *context),
                     void *context);

/* Every session file of every store; BT_OK or BT_NOMEM. */
struct bt_env;
enum bt_code bt_stores_list(struct bt_sources *sources, const struct bt_env *env) BT_NODISCARD;

#endif
