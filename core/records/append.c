/* core/records/append.c - see append.h. */
#include "core/harness/read_at.h"
#include "core/records/append.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fs.h"

#define COMPARE_BYTES 4096

void bt_append_init(struct bt_append *append, struct bt_gist *gist) {
  memset(append, 0, sizeof *append);
  append->gist = gist;
  append->dir = append->old = -1;
  bt_record_reader_init(&append->reader);
  bt_str_init(&append->line, BT_TURN_LINE_MAX * 2);
}

static enum bt_code broken(struct bt_append *append, enum bt_code code, struct bt_error *err) {
  if (code == BT_NOMEM)
    return bt_error_set(err, code, BT_FILE_TIMELINE, "out of memory");
  return bt_error_set(err, BT_CORRUPT, BT_FILE_TIMELINE, "line %llu of %s is no turn",
                      (unsigned long long)append->lines + 1, BT_FILE_TIMELINE);
}

/* A line of the old file: checked, and taken into the gist if it stays. */
static enum bt_code check_line(void *context, const char *line, size_t length, int64_t offset, bool is_open,
                               struct bt_error *err) {
  struct bt_append *append = context;
  struct bt_record_turn turn;
  bool is_extra = !append->keep_extra && (double)append->lines >= append->turn_count;
  if (is_extra && append->extra_start < 0)
    append->extra_start = offset;
  enum bt_code code = bt_record_turn_read(&append->reader, line, length, &turn);
  if (code == BT_CORRUPT && is_extra && is_open) {
    append->has_broken_tail = true;
    return BT_OK;
  }
  if (code != BT_OK)
    return broken(append, code, err);
  append->lines++;
  if (is_extra)
    return BT_OK;
  append->is_abnormal = append->is_abnormal || offset != append->expected || is_open;
  append->expected = offset + (int64_t)length + 1;
  code = bt_gist_add(append->gist, &turn, offset, length);
  return code == BT_OK ? BT_OK : broken(append, code, err);
}

static enum bt_code read_old(struct bt_append *append, struct bt_error *err) {
  struct stat found;
  if (fstat(append->old, &found) != 0)
    return bt_error_set_errno(err, errno, BT_FILE_TIMELINE, "cannot be read");
  append->old_end = (int64_t)found.st_size;
  enum bt_code code = bt_timeline_walk(append->old, 0, append->old_end, check_line, append, NULL, err);
  int64_t base_end = append->extra_start >= 0 ? append->extra_start : append->old_end;
  append->is_abnormal = append->is_abnormal || base_end != append->expected;
  return code;
}

/* A kept line goes into the new file. */
static enum bt_code copy_line(void *context, const char *line, size_t length, int64_t offset, bool is_open,
                              struct bt_error *err) {
  (void)offset, (void)is_open;
  struct bt_append *append = context;
  struct bt_record_turn turn;
  enum bt_code code = bt_record_turn_read(&append->reader, line, length, &turn);
  if (code == BT_OK)
    code = bt_gist_add(append->gist, &turn, append->at, length);
  if (code != BT_OK)
    return broken(append, code, err);
  bt_outlet_put(&append->draft.outlet, line, length);
  bt_outlet_put(&append->draft.outlet, "\n", 1);
  append->at += (int64_t)length + 1;
  return append->draft.outlet.code;
}

enum bt_code bt_append_begin(struct bt_append *append, int dir, double turn_count, bool keep_extra,
                             struct bt_error *err) {
  struct bt_error why = {0};
  append->dir = dir;
  append->turn_count = turn_count;
  append->keep_extra = keep_extra;
  append->extra_start = -1;
  append->mode = BT_APPEND_GROW;
  append->old = dir >= 0 ? bt_fs_open_file_at(dir, BT_FILE_TIMELINE, &why) : -1;
  if (append->old < 0) {
    if (dir < 0 || why.code == BT_MISSING)
      return BT_OK;
    if (err != NULL)
      *err = why;
    return why.code;
  }
  enum bt_code code = read_old(append, err);
  if (code != BT_OK)
    return code;
  append->at = append->old_end;
  if (append->extra_start >= 0) {
    append->mode = BT_APPEND_COMPARE;
    append->at = append->extra_start;
  } else if (append->is_abnormal && append->old_end > 0) {
    append->mode = BT_APPEND_REWRITE;
    append->at = 0;
  }
  return BT_OK;
}

bool bt_append_compares(const struct bt_append *append) {
  return append->mode == BT_APPEND_COMPARE && append->at < append->old_end;
}

/* Bytes that should stand in the old file from `at` on. BT_STALE when they do not. `*same`: how many do. */
static enum bt_code compare(struct bt_append *append, const char *bytes, size_t length, size_t *same,
                            struct bt_error *err) {
  char there[COMPARE_BYTES];
  int64_t left = append->old_end - append->at;
  *same = (int64_t)length < left ? length : (size_t)left;
  for (size_t done = 0; done < *same;) {
    size_t want = *same - done < sizeof there ? *same - done : sizeof there;
    ssize_t got = bt_read_at(append->old, there, want, append->at + (int64_t)done);
    if (got < 0)
      return bt_error_set_errno(err, errno, BT_FILE_TIMELINE, "cannot be read");
    if ((size_t)got < want || memcmp(there, bytes + done, want) != 0)
      return BT_STALE;
    done += want;
  }
  return BT_OK;
}

static enum bt_code start_rewrite(struct bt_append *append, struct bt_error *err) {
  if (append->is_drafting)
    return BT_OK;
  enum bt_code code = bt_draft_begin(&append->draft, append->dir, BT_FILE_TIMELINE, 0666, err);
  append->is_drafting = true;
  bt_gist_dispose(append->gist);
  return code == BT_OK ? bt_timeline_walk(append->old, 0, append->old_end, copy_line, append, NULL, err) : code;
}

static enum bt_code start_growth(struct bt_append *append, struct bt_error *err) {
  if (append->is_growing)
    return BT_OK;
  enum bt_code code = bt_growth_begin(&append->growth, append->dir, BT_FILE_TIMELINE, err);
  append->is_growing = true;
  if (code == BT_OK && append->growth.begun != append->old_end)
    code = bt_error_set(err, BT_BUSY, BT_FILE_TIMELINE, "%s changed while it was read", BT_FILE_TIMELINE);
  return code;
}

/* What is beyond the manifest's count is what this build adds, in the other form: it is made anew. BT_STALE: it is. */
static enum bt_code cut_extra(struct bt_append *append, struct bt_error *err) {
  enum bt_code code = start_growth(append, err);
  if (code != BT_OK)
    return code;
  code = bt_growth_cut(&append->growth, append->extra_start, err);
  if (code != BT_OK)
    return code;
  append->was_cut = true;
  return BT_STALE;
}

static enum bt_code put(struct bt_append *append, const char *bytes, size_t length, struct bt_error *err) {
  size_t same = 0;
  enum bt_code code;
  if (append->mode == BT_APPEND_REWRITE) {
    code = start_rewrite(append, err);
    if (code == BT_OK) {
      bt_outlet_put(&append->draft.outlet, bytes, length);
      code = append->draft.outlet.code;
    }
    return code;
  }
  if (append->mode == BT_APPEND_COMPARE) {
    code = compare(append, bytes, length, &same, err);
    if (code != BT_OK || same == length)
      return code;
    if (append->is_other)
      return cut_extra(append, err);
    append->mode = BT_APPEND_GROW;
  }
  code = start_growth(append, err);
  if (code == BT_OK) {
    bt_outlet_put(&append->growth.outlet, bytes + same, length - same);
    code = append->growth.outlet.code;
  }
  return code;
}

static enum bt_code put_turn(struct bt_append *append, const struct bt_record_turn *turn, struct bt_error *err) {
  bt_str_clear(&append->line);
  bt_record_turn_put(&append->line, turn);
  return append->line.failed ? bt_error_set(err, BT_NOMEM, BT_FILE_TIMELINE, "out of memory")
                             : put(append, append->line.data, append->line.length, err);
}

enum bt_code bt_append_turn(struct bt_append *append, const struct bt_record_turn *turn,
                            const struct bt_record_turn *other, struct bt_error *err) {
  if (append->mode == BT_APPEND_COMPARE && append->is_abnormal)
    return BT_STALE;
  enum bt_code code = put_turn(append, turn, err);
  if (code == BT_STALE && other != NULL && !append->was_cut) {
    append->is_other = true;
    code = put_turn(append, other, err);
  }
  if (code != BT_OK)
    return code;
  code = bt_gist_add(append->gist, turn, append->at, append->line.length - 1);
  append->at += (int64_t)append->line.length;
  return code == BT_OK ? BT_OK : bt_error_set(err, code, BT_FILE_TIMELINE, "out of memory");
}

enum bt_code bt_append_commit(struct bt_append *append, struct bt_error *err) {
  enum bt_code code = BT_OK;
  if (append->mode == BT_APPEND_COMPARE && append->at != append->old_end)
    return BT_STALE;
  if (append->mode == BT_APPEND_COMPARE && append->is_other)
    return cut_extra(append, err);
  if (append->mode == BT_APPEND_REWRITE)
    code = start_rewrite(append, err); /* nothing new, and still to be put in order */
  if (code == BT_OK && append->gist->turns == 0)
    code = put(append, "\n", 1, err);
  if (code == BT_OK && append->is_growing)
    code = bt_growth_settle(&append->growth, err);
  if (code == BT_OK && append->is_drafting)
    code = bt_draft_settle(&append->draft, err);
  if (code == BT_OK && append->is_drafting)
    code = bt_draft_commit(&append->draft, err);
  return code;
}

void bt_append_dispose(struct bt_append *append, bool keep) {
  if (append->is_growing)
    bt_growth_drop(&append->growth, keep);
  if (append->is_drafting)
    bt_draft_drop(&append->draft);
  if (append->old >= 0)
    (void)close(append->old);
  bt_record_reader_dispose(&append->reader);
  bt_str_dispose(&append->line);
  append->is_growing = append->is_drafting = false;
  append->old = -1;
}
