/* core/delivery/block.h - the fenced block in which a pull request's description carries a record.
 *
 * Owns: finding such blocks and putting one in. Pure text; nothing is fetched or written here.
 * Rules: spec/delivery-handoff.md 5. Everything lives in the caller's arena. */
#ifndef BATON_CORE_DELIVERY_BLOCK_H
#define BATON_CORE_DELIVERY_BLOCK_H

#include "core/delivery/record.h"

#define BT_BODY_MAX ((size_t)4 * 1024 * 1024)

struct bt_block {
  size_t start, end; /* byte offsets in the body: from the opening fence's line to behind the closing one's */
  bool dedicated;
  struct bt_delivery_reading reading;
};

struct bt_blocks {
  struct bt_block *items; /* the record blocks, in document order */
  size_t count;
  size_t governing; /* index of the first that is not closed; `count` when there is none */
  char open_fence;  /* the body ends inside a fence of this character; 0: it does not */
  size_t open_fence_length;
};

/* BT_OK or BT_NOMEM. */
enum bt_code bt_blocks_find(struct bt_arena *arena, const char *body, size_t length, struct bt_blocks *blocks,
                            struct bt_error *err) BT_NODISCARD;

/* Appends to `out` the body with the record in it: in the place of the governing block, else of the first dedicated
 * one, else at the end. `payload` is the printed record without a final newline. */
void bt_block_put(struct bt_str *out, const char *body, size_t length, const struct bt_blocks *blocks,
                  const struct bt_str *payload);

#endif
