/* core/handover/seen.h - the provider's transcripts as a folder of files: which there are, and what was asked in them.
 *
 * Reads only. Rules: spec/handover-request.md 6, 7.4. */
#ifndef BATON_CORE_HANDOVER_SEEN_H
#define BATON_CORE_HANDOVER_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

struct bt_ask_file { /* one transcript */
  char *path;        /* below the projects folder */
  char *session;     /* its name without the extension */
  uint64_t inode;
  int64_t size_bytes, mtime_ms;
};
struct bt_ask_files {
  struct bt_ask_file *items; /* in byte order of the path */
  size_t count;
};

/* The session transcripts below `projects` (PROJECT/ID.jsonl); an absent folder holds none. BT_IO, BT_NOMEM. */
enum bt_code bt_ask_files_list(const char *projects, struct bt_ask_files *files, struct bt_error *err) BT_NODISCARD;
void bt_ask_files_dispose(struct bt_ask_files *files);

/* Whether a transcript of `root` holds a request that was recorded at `since_ms` or later. Transcripts that cannot be
 * read hold none. BT_NOMEM; what bt_ask_files_list fails with. */
enum bt_code bt_ask_request_seen(const char *projects, const char *root, int64_t since_ms, bool *seen,
                                 struct bt_error *err) BT_NODISCARD;

#endif
