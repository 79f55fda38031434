/* core/records/build_old.c - the timeline that is there already, read while the source is. */
#include "core/base/fs.h"
#include "core/base/thread.h"
#include "core/records/build_state.h"

/* Below this a thread costs more than it saves. */
#define THREAD_BYTES_MIN ((int64_t)4 * 1024 * 1024)

static void read_old(struct bt_build *build) {
  struct bt_old_reading *reading = &build->old_reading;
  reading->code = bt_append_begin(&build->append, build->dir, reading->turn_count, reading->keep_extra, &reading->err);
}

static void *on_thread(void *build) {
  read_old(build);
  return NULL;
}

/* A line that is no turn is told only where the source has something new for it (spec 7.7). */
static enum bt_code settle(struct bt_build *build) {
  const struct bt_old_reading *reading = &build->old_reading;
  const struct bt_append *append = &build->append;
  build->old_lines = append->extra_start >= 0 ? (uint64_t)reading->turn_count : append->lines;
  if (reading->code == BT_CORRUPT) {
    build->unsound = reading->err;
    return BT_OK;
  }
  if (reading->code != BT_OK)
    build->err = reading->err;
  return reading->code;
}

static bool is_long(const struct bt_build *build) {
  struct bt_fs_stat found = {.kind = BT_FS_ABSENT};
  if (build->dir >= 0)
    bt_fs_stat_at(build->dir, BT_FILE_TIMELINE, &found);
  return found.kind == BT_FS_FILE && found.size_bytes >= THREAD_BYTES_MIN;
}

enum bt_code bt_build_read_old(struct bt_build *build) {
  struct bt_old_reading *reading = &build->old_reading;
  double count = 0;
  build->has_append = true;
  bt_append_init(&build->append, &build->gist);
  bool counted = build->is_new || bt_json_number(bt_json_get(build->manifest, "turn_count"), &count);
  *reading = (struct bt_old_reading){.turn_count = count, .keep_extra = build->keep_extra || !counted};
  reading->is_running = is_long(build) && bt_thread_start(&reading->thread, on_thread, build) == 0;
  if (reading->is_running)
    return BT_OK;
  read_old(build);
  return settle(build);
}

enum bt_code bt_build_old_is_read(struct bt_build *build) {
  struct bt_old_reading *reading = &build->old_reading;
  if (!reading->is_running)
    return BT_OK;
  (void)pthread_join(reading->thread, NULL);
  reading->is_running = false;
  return settle(build);
}
