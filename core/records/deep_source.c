/* core/records/deep_source.c - what became of a source, and whether it still gives the timeline (deep.h). */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/base/go_on.h"
#include "core/harness/read_at.h"
#include "core/records/adapt.h"
#include "core/records/deep.h"
#include "core/records/locate.h"
#include "core/records/timeline.h"

#define PIECE_BYTES ((size_t)256 << 10)

/* ---- hashing, with a look at every line end: what was read may be a beginning of what is there now ---- */

struct trail {
  struct bt_sha256 *hash;
  const char *wanted;
  bool was_there; /* at some line end, or before one, the hash was the wanted one */
};

static void look(struct trail *trail) {
  char hex[BT_SHA256_HEX];
  bt_sha256_peek_hex(trail->hash, hex);
  trail->was_there = trail->was_there || strcmp(hex, trail->wanted) == 0;
}

static void follow(struct trail *trail, const char *bytes, size_t length) {
  const char *end = bytes + length;
  while (bytes < end && !trail->was_there) {
    const char *lf = memchr(bytes, '\n', (size_t)(end - bytes));
    const char *stop = lf != NULL ? lf : end;
    bt_sha256_update(trail->hash, bytes, (size_t)(stop - bytes));
    if (lf != NULL) {
      look(trail);
      bt_sha256_update(trail->hash, "\n", 1);
      if (!trail->was_there)
        look(trail);
      stop++;
    }
    bytes = stop;
  }
  if (bytes < end)
    bt_sha256_update(trail->hash, bytes, (size_t)(end - bytes));
}

static enum bt_code take_adapted(void *context, const char *line, size_t length, struct bt_error *err) {
  (void)err;
  follow(context, line, length);
  return BT_OK;
}

static bool follow_file(struct trail *trail, int fd, const int *give_up) {
  char *piece = malloc(PIECE_BYTES);
  ssize_t got = -1;
  for (uint64_t at = 0;
       piece != NULL && bt_go_on(give_up, NULL) == BT_OK && (got = bt_read_at(fd, piece, PIECE_BYTES, at)) > 0;
       at += (uint64_t)got)
    follow(trail, piece, (size_t)got);
  free(piece);
  return got == 0;
}

static enum bt_source_state settle(struct trail *trail) {
  char hex[BT_SHA256_HEX];
  bt_sha256_finish_hex(trail->hash, hex);
  enum bt_source_state state = strcmp(hex, trail->wanted) == 0 ? BT_SOURCE_UNCHANGED
                               : trail->was_there              ? BT_SOURCE_GROWN
                                                               : BT_SOURCE_OTHER;
  trail->was_there = false;
  return state;
}

enum bt_code bt_source_look(const struct bt_env *env, const char *path, const char *harness, const char *raw_sha256,
                            enum bt_source_state *state, bool *adapted, struct bt_error *err) {
  struct bt_str full;
  struct trail trail = {.hash = bt_sha256_new(), .wanted = raw_sha256};
  *state = BT_SOURCE_GONE;
  *adapted = false;
  bt_str_init(&full, (size_t)1 << 20);
  enum bt_code code = bt_path_resolve(&full, env->cwd, path);
  if (code != BT_OK || trail.hash == NULL)
    code = bt_error_set(err, BT_NOMEM, path, "out of memory");
  int fd = code == BT_OK ? bt_records_open(full.data, NULL) : -1;
  if (fd >= 0) {
    *state = follow_file(&trail, fd, env->give_up) ? settle(&trail) : BT_SOURCE_OTHER;
    (void)close(fd);
    if (*state == BT_SOURCE_OTHER && harness != NULL && bt_adapt_known(harness)) {
      struct bt_adapt_request request = {.harness = harness, .path = full.data, .name = path, .give_up = env->give_up};
      struct bt_adapt_report report;
      if (bt_adapt(&request, take_adapted, &trail, &report, NULL) == BT_OK)
        *state = settle(&trail);
      *adapted = *state != BT_SOURCE_OTHER;
      bt_adapt_report_dispose(&report);
    }
    if (code == BT_OK)
      code = bt_go_on(env->give_up, err);
  }
  bt_sha256_free(trail.hash);
  bt_str_dispose(&full);
  return code;
}

/* ---- the timeline again, from the source ---- */

struct replay {
  int timeline;
  int64_t at, end;
  bool differs;
  struct bt_str line, there;
};

static enum bt_code on_head(void *context, const char *session, const char *thread, struct bt_error *err) {
  (void)context, (void)session, (void)thread, (void)err;
  return BT_OK;
}

static enum bt_code on_seq(void *context, double seq, bool *wanted, struct bt_error *err) {
  (void)err;
  struct replay *replay = context;
  *wanted = seq > -1 && !replay->differs;
  return BT_OK;
}

static enum bt_code on_turn(void *context, double seq, const struct bt_record_turn *turn, struct bt_error *err) {
  (void)seq;
  struct replay *replay = context;
  bt_str_clear(&replay->line);
  bt_str_clear(&replay->there);
  bt_record_turn_put(&replay->line, turn);
  if (replay->line.failed || !bt_str_reserve(&replay->there, replay->line.length))
    return bt_error_set(err, BT_NOMEM, "", "out of memory");
  size_t length = replay->line.length;
  replay->differs = replay->end - replay->at < (int64_t)length ||
                    bt_read_at(replay->timeline, replay->there.data, length, (uint64_t)replay->at) != (ssize_t)length ||
                    memcmp(replay->there.data, replay->line.data, length) != 0;
  replay->at += (int64_t)length;
  return BT_OK;
}

static enum bt_code run(struct bt_build_source *source, struct replay *replay, struct bt_error *err) {
  static const struct bt_intake_ops ops = {.on_head = on_head, .on_seq = on_seq, .on_turn = on_turn};
  char raw[BT_SHA256_HEX];
  struct bt_intake *intake = bt_intake_new(source->is_jsonl, &ops, replay);
  if (intake == NULL)
    return bt_error_set(err, BT_NOMEM, "", "out of memory");
  enum bt_code code = source->pump(source, intake, err);
  if (code == BT_OK)
    code = bt_intake_finish(intake, raw, err);
  bt_intake_free(intake);
  return code;
}

enum bt_code bt_source_gives(const struct bt_env *env, const char *path, const char *harness, bool adapted,
                             int timeline, int64_t timeline_end, bool *gives, struct bt_error *err) {
  struct replay replay = {.timeline = timeline, .end = timeline_end};
  struct bt_file_source file = {.fd = -1};
  struct bt_store_source store = {0};
  struct bt_str full;
  bt_str_init(&full, (size_t)1 << 20);
  bt_str_init(&replay.line, BT_TURN_LINE_MAX * 2);
  bt_str_init(&replay.there, BT_TURN_LINE_MAX * 2);
  enum bt_code code = bt_path_resolve(&full, env->cwd, path);
  if (code == BT_OK)
    code = adapted ? bt_store_source_open(&store, harness, full.data, path, err)
                   : bt_file_source_open(&file, full.data, path, err);
  if (code == BT_OK)
    code = run(adapted ? &store.source : &file.source, &replay, err);
  *gives = code == BT_OK && !replay.differs && replay.at == replay.end;
  bt_file_source_close(&file);
  bt_store_source_close(&store);
  bt_str_dispose(&replay.line);
  bt_str_dispose(&replay.there);
  bt_str_dispose(&full);
  return code == BT_NOMEM ? code : BT_OK;
}
