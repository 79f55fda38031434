/* core/records/source_file.c - a transcript file as the source of a build (build.h; spec/transcripts.md 2). */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/go_on.h"
#include "core/harness/read_at.h"
#include "core/records/build.h"
#include "core/records/timeline.h"

#define PIECE_BYTES ((size_t)256 << 10)

/* Up to the size it had at the start: bytes that come later belong to the next build. */
static enum bt_code pump(struct bt_build_source *source, struct bt_intake *intake, struct bt_error *err) {
  struct bt_file_source *file = (struct bt_file_source *)source; /* its first member */
  char *piece = malloc(PIECE_BYTES);
  enum bt_code code = piece != NULL ? BT_OK : bt_error_set(err, BT_NOMEM, source->name, "out of memory");
  for (int64_t at = 0; code == BT_OK && at < file->size;) {
    size_t want = file->size - at < (int64_t)PIECE_BYTES ? (size_t)(file->size - at) : PIECE_BYTES;
    ssize_t got = bt_read_at(file->fd, piece, want, at);
    code = bt_go_on(source->give_up, err);
    if (code != BT_OK)
      break;
    if (got < 0)
      code = bt_error_set_errno(err, errno, source->name, "%s cannot be read", source->name);
    else if ((size_t)got < want)
      code = bt_error_set(err, BT_IO, source->name, "%s became shorter while it was read", source->name);
    else
      code = bt_intake_feed(intake, piece, want, err);
    at += (int64_t)want;
  }
  free(piece);
  return code;
}

enum bt_code bt_file_source_open(struct bt_file_source *file, const char *path, const char *name,
                                 struct bt_error *err) {
  struct bt_error why = {0};
  struct stat found;
  *file = (struct bt_file_source){.source = {.name = name, .is_jsonl = bt_intake_is_jsonl(name), .pump = pump},
                                  .path = path};
  file->fd = bt_records_open(path, &why);
  if (file->fd < 0 && why.code == BT_MISSING)
    return bt_error_set(err, BT_INPUT, name, "source not found: %s", name);
  if (file->fd >= 0 && fstat(file->fd, &found) != 0)
    (void)bt_error_set_errno(&why, errno, name, "%s cannot be read", name);
  if (why.code != BT_OK) {
    bt_file_source_close(file);
    if (err != NULL)
      *err = why;
    return why.code;
  }
  file->size = (int64_t)found.st_size;
  file->source.mtime_ms = (int64_t)found.st_mtim.tv_sec * 1000 + found.st_mtim.tv_nsec / 1000000;
  return BT_OK;
}

void bt_file_source_close(struct bt_file_source *file) {
  if (file->fd >= 0)
    (void)close(file->fd);
  file->fd = -1;
}
