/* core/store/path.c - the ledger's layout. */
#include "core/store/path.h"

#include <string.h>

#include "core/base/utf8.h"

struct place {
  const char *folder, *suffix;
};

static const struct place *place_of(enum bt_ledger_file file) {
  static const struct place places[BT_FILE_COUNT] = {
      [BT_FILE_DENY] = {BT_PATH_DENIES, ".json"},
      [BT_FILE_FINAL] = {BT_PATH_FINALS, ".json"},
      [BT_FILE_CAPTURE] = {BT_PATH_CONTENT, ".md"},
      [BT_FILE_AUTH] = {BT_PATH_HANDOFFS, ".resume-auth.json"},
      [BT_FILE_GRANT] = {BT_PATH_HANDOFFS, ".bypass-grant.json"},
      [BT_FILE_LOCK] = {BT_PATH_HANDOFFS, ".lock"},
  };
  return &places[file];
}

const char *bt_ledger_suffix(enum bt_ledger_file file) {
  return place_of(file)->suffix;
}

size_t bt_ledger_path_room(const char *id) {
  return 3 * strlen(id) + 64; /* encode8 makes at most three bytes of one */
}

bool bt_ledger_path(struct bt_str *out, enum bt_ledger_file file, const char *id) {
  const struct place *place = place_of(file);
  size_t before = out->length;
  bt_str_puts(out, place->folder);
  bt_str_putc(out, '/');
  bt_utf8_encode8(out, id, strlen(id));
  bt_str_puts(out, place->suffix);
  return !out->failed && strlen(out->data + before) == out->length - before;
}
