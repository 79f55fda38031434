/* tests/fuzz/fuzz_import.c - any bytes as an imported snapshot: refused, or drawn on every page without a byte out of place. */
#include <string.h>

#include "core/store/import.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/picture.h"
#include "views/prepare.h"
#include "views/view.h"

enum { ROWS = 36, COLUMNS = 120 };

static void draw(const struct bt_snapshot *snapshot, enum bt_page page, enum bt_tab tab) {
  static struct bt_cell cells[ROWS * COLUMNS];
  struct bt_prepared prepared = {0};
  struct bt_scene scene = {.rows = ROWS, .columns = COLUMNS, .page = page, .tab = tab, .prepared = &prepared};
  struct bt_surface surface;
  struct bt_view_cursor cursor;
  scene.session_id = snapshot->session_count ? snapshot->sessions[0].id : NULL;
  bt_surface_init(&surface, cells, ROWS, COLUMNS, false);
  FUZZ_CHECK(bt_prepared_update(&prepared, snapshot, &scene, NULL) == BT_OK);
  bt_view_settle(&scene, snapshot);
  bt_view_draw(&surface, snapshot, &scene, &cursor);
  FUZZ_CHECK(picture_is_sound(&surface));
  bt_prepared_dispose(&prepared);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct bt_snapshot *snapshot;
  struct bt_error err;
  if (bt_snapshot_import("input", (const char *)data, size, &snapshot, &err) != BT_OK) {
    FUZZ_CHECK(err.code != BT_OK && err.message[0]);
    return 0;
  }
  FUZZ_CHECK(snapshot->imported && snapshot->readonly);
  for (int page = 0; page < BT_PAGE_COUNT; page++)
    for (int tab = 0; tab < BT_TAB_COUNT; tab++)
      draw(snapshot, (enum bt_page)page, (enum bt_tab)tab);
  bt_snapshot_free(snapshot);
  return 0;
}
