/* core/records/source_store.c - a session of a store as the source of a build (locate.h): what `adapt` would print, and
 * never written anywhere. */
#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"
#include "core/records/adapt.h"
#include "core/records/locate.h"

#define PIECE_BYTES ((size_t)256 << 10)

struct collect { /* lines gathered into pieces worth hashing */
  struct bt_intake *intake;
  struct bt_str piece;
};

static enum bt_code hand_on(struct collect *collect, struct bt_error *err) {
  enum bt_code code = bt_intake_feed(collect->intake, collect->piece.data, collect->piece.length, err);
  bt_str_clear(&collect->piece);
  return code;
}

static enum bt_code take_line(void *context, const char *line, size_t length, struct bt_error *err) {
  struct collect *collect = context;
  enum bt_code code = BT_OK;
  if (length > PIECE_BYTES - collect->piece.length)
    code = hand_on(collect, err);
  if (code == BT_OK && length > PIECE_BYTES)
    return bt_intake_feed(collect->intake, line, length, err);
  bt_str_append(&collect->piece, line, length);
  return code == BT_OK && collect->piece.failed ? bt_error_set(err, BT_NOMEM, "", "out of memory") : code;
}

static enum bt_code pump(struct bt_build_source *source, struct bt_intake *intake, struct bt_error *err) {
  struct bt_store_source *store = (struct bt_store_source *)source; /* its first member */
  struct bt_adapt_request request = {
      .harness = store->harness, .path = store->path, .name = store->name, .give_up = source->give_up};
  struct bt_adapt_report report;
  struct collect collect = {.intake = intake};
  bt_str_init(&collect.piece, PIECE_BYTES);
  enum bt_code code = bt_adapt(&request, take_line, &collect, &report, err);
  if (code == BT_OK)
    code = hand_on(&collect, err);
  store->unparsed = report.unparsed;
  store->unknown = report.unknown;
  store->left_last = report.left_last;
  free(store->model);
  store->model = report.model;
  report.model = NULL;
  source->model = store->model;
  bt_adapt_report_dispose(&report);
  bt_str_dispose(&collect.piece);
  return code;
}

enum bt_code bt_store_source_open(struct bt_store_source *store, const char *harness, const char *path,
                                  const char *name, struct bt_error *err) {
  struct bt_str text;
  bt_str_init(&text, (size_t)1 << 20);
  if (name == NULL)
    bt_utf8_decode8(&text, path, strlen(path));
  else
    bt_str_puts(&text, name);
  *store = (struct bt_store_source){.harness = harness, .path = path, .name = bt_str_take(&text, NULL)};
  if (store->name == NULL)
    return bt_error_set(err, BT_NOMEM, "", "out of memory");
  store->source = (struct bt_build_source){.name = store->name, .is_jsonl = true, .mtime_ms = INT64_MAX, .pump = pump};
  return BT_OK;
}

void bt_store_source_close(struct bt_store_source *store) {
  free(store->name);
  free(store->model);
  *store = (struct bt_store_source){0};
}
