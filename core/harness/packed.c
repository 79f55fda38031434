/* core/harness/packed.c - see packed.h. */
#include "core/harness/packed.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct bt_packed {
  atomic_uint holders;
  char bytes[];
};

struct bt_packed *bt_facts_pack(struct bt_transcript_facts *facts) {
  char **slots[BT_FACTS_TEXTS];
  size_t length = 0;
  bt_facts_texts(facts, slots);
  for (size_t i = 0; i < BT_FACTS_TEXTS; i++)
    length += *slots[i] ? strlen(*slots[i]) + 1 : 0;
  struct bt_packed *packed = malloc(sizeof *packed + length);
  if (!packed)
    return NULL;
  atomic_init(&packed->holders, 1);
  char *at = packed->bytes;
  for (size_t i = 0; i < BT_FACTS_TEXTS; i++) {
    char *text = *slots[i];
    if (!text)
      continue;
    size_t size = strlen(text) + 1;
    memcpy(at, text, size);
    free(text);
    *slots[i] = at;
    at += size;
  }
  return packed;
}

struct bt_packed *bt_packed_hold(struct bt_packed *packed) {
  atomic_fetch_add(&packed->holders, 1);
  return packed;
}

void bt_packed_release(struct bt_packed *packed) {
  if (packed && atomic_fetch_sub(&packed->holders, 1) == 1)
    free(packed);
}
