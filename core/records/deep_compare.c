/* core/records/deep_compare.c - see deep_parts.h. */
#include "core/records/deep_parts.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/harness/read_at.h"

void bt_open_words_add(struct bt_open_words *open, const char *words) {
  size_t length = strlen(open->text);
  snprintf(open->text + length, sizeof open->text - length, "%s%s", length > 0 ? ", " : "", words);
}

/* ---- a file against what it should be ---- */

static enum bt_code take(struct bt_outlet *outlet, const char *bytes, size_t length, struct bt_error *err) {
  (void)err;
  struct bt_compare *compare = (struct bt_compare *)outlet;
  char there[4096];
  for (size_t done = 0; done < length && compare->first_difference < 0;) {
    size_t want = length - done < sizeof there ? length - done : sizeof there;
    ssize_t got = bt_read_at(compare->fd, there, want, (uint64_t)(compare->at + (int64_t)done));
    size_t same = 0;
    while (got > 0 && same < (size_t)got && there[same] == bytes[done + same])
      same++;
    if (same < want)
      compare->first_difference = compare->at + (int64_t)(done + same);
    done += want;
  }
  compare->at += (int64_t)length;
  return BT_OK;
}

void bt_compare_begin(struct bt_compare *compare, int dir, const char *name) {
  bt_outlet_init(&compare->outlet, take, NULL);
  compare->at = 0;
  compare->first_difference = -1;
  compare->fd = bt_fs_open_file_at(dir, name, NULL);
  if (compare->fd < 0)
    compare->first_difference = 0; /* nothing is read */
}

void bt_compare_end(struct bt_deep *deep, struct bt_compare *compare, const char *name, const char *open_words) {
  struct stat found;
  if (compare->fd < 0) {
    bt_deep_add(deep, BT_DEEP_CHANGED, name, "missing");
  } else {
    if (compare->first_difference < 0 && (fstat(compare->fd, &found) != 0 || (int64_t)found.st_size != compare->at))
      compare->first_difference = compare->at;
    if (compare->first_difference >= 0)
      bt_deep_add(deep, BT_DEEP_CHANGED, name, "differs from what the timeline and the manifest give, at byte %lld",
                  (long long)compare->first_difference);
    else
      bt_deep_add(deep, BT_DEEP_PROVED, name, "made again from the timeline%s%s",
                  open_words[0] != '\0' ? "; not covered: " : "", open_words);
    (void)close(compare->fd);
  }
  bt_outlet_dispose(&compare->outlet);
}
