/* core/records/outlet.c - bytes collected into pieces worth handing on (render.h). */
#include "core/base/go_on.h"
#include "core/records/render.h"

#define PIECE_BYTES ((size_t)256 << 10)

void bt_outlet_init(struct bt_outlet *outlet,
                    enum bt_code (*take)(struct bt_outlet *outlet, const char *bytes, size_t length,
                                         struct bt_error *err),
                    struct bt_error *err) {
  outlet->take = take;
  outlet->code = BT_OK;
  outlet->err = err;
  outlet->give_up = NULL;
  bt_str_init(&outlet->buffer, PIECE_BYTES);
}

static void empty(struct bt_outlet *outlet) {
  if (outlet->code == BT_OK)
    outlet->code = bt_go_on(outlet->give_up, outlet->err);
  if (outlet->code == BT_OK && outlet->buffer.length > 0)
    outlet->code = outlet->take(outlet, outlet->buffer.data, outlet->buffer.length, outlet->err);
  bt_str_clear(&outlet->buffer);
}

void bt_outlet_put(struct bt_outlet *outlet, const char *bytes, size_t length) {
  if (length > PIECE_BYTES - outlet->buffer.length)
    empty(outlet);
  if (outlet->code != BT_OK)
    return;
  if (length >= PIECE_BYTES) {
    outlet->code = outlet->take(outlet, bytes, length, outlet->err);
    return;
  }
  bt_str_append(&outlet->buffer, bytes, length);
  if (outlet->buffer.failed)
    outlet->code = bt_error_set(outlet->err, BT_NOMEM, "", "out of memory");
}

void bt_outlet_puts(struct bt_outlet *outlet, const char *text) {
  struct bt_slice slice = bt_slice_of(text);
  bt_outlet_put(outlet, slice.data, slice.length);
}

enum bt_code bt_outlet_flush(struct bt_outlet *outlet) {
  empty(outlet);
  return outlet->code;
}

void bt_outlet_dispose(struct bt_outlet *outlet) {
  bt_str_dispose(&outlet->buffer);
}
