/* tests/fuzz/fuzz_delivery.c - any bytes as a delivery record and as a pull request's snapshot: judged the same again
 * once printed, never with a secret when it is shown, and a block put into a body is found in it. */
#include <string.h>

#include "core/delivery/block.h"
#include "core/delivery/pr.h"
#include "core/delivery/record.h"
#include "tests/fuzz/fuzz.h"

#define ARENA_MAX ((size_t)64 << 20)

static bool same_faults(const struct bt_codes *a, const struct bt_codes *b) {
  if (a->count != b->count)
    return false;
  for (size_t i = 0; i < a->count; i++)
    if (strcmp(a->items[i], b->items[i]) != 0)
      return false;
  return true;
}

/* Printed and read again it is the same record. */
static void check_round_trip(struct bt_arena *arena, const struct bt_delivery_reading *reading) {
  struct bt_delivery_reading again;
  struct bt_str text;
  bt_str_init(&text, 4 * BT_DELIVERY_BYTES_MAX);
  bt_doc_print(&text, reading->delivery.node, 0, 0);
  FUZZ_CHECK(!text.failed);
  if (text.length <= BT_DELIVERY_BYTES_MAX) {
    FUZZ_CHECK(bt_delivery_read(arena, text.data, text.length, &again, NULL) == BT_OK);
    FUZZ_CHECK(again.kind == reading->kind && same_faults(&again.faults, &reading->faults));
    FUZZ_CHECK(bt_node_equals(again.delivery.node, reading->delivery.node));
  }
  bt_str_clear(&text);
  bt_doc_print(&text, reading->delivery.node, 0, BT_DOC_HIDE_SECRETS);
  FUZZ_CHECK(!text.failed);
  bt_str_dispose(&text);
}

/* An open record has all that an evaluation takes for granted. */
static void check_open(const struct bt_delivery *delivery) {
  FUZZ_CHECK(delivery->store && delivery->directive && delivery->repository && delivery->branch && delivery->head);
  FUZZ_CHECK(delivery->stop_reason && delivery->updated_at && delivery->pending.count > 0);
  FUZZ_CHECK((delivery->pull_request == NULL) == (delivery->pr_number == NULL));
  for (size_t i = 0; i < delivery->completed_count; i++)
    FUZZ_CHECK(delivery->completed[i].gate && delivery->completed[i].verdict && delivery->completed[i].evidence);
}

static void check_record(struct bt_arena *arena, const char *bytes, size_t length) {
  struct bt_delivery_reading reading;
  FUZZ_CHECK(bt_delivery_read(arena, bytes, length, &reading, NULL) == BT_OK);
  FUZZ_CHECK(reading.kind != BT_DELIVERY_CORRUPT || reading.faults.count > 0);
  FUZZ_CHECK(!reading.foreign || reading.faults.count == 1);
  if (reading.kind == BT_DELIVERY_OPEN) {
    FUZZ_CHECK(reading.faults.count == 0);
    check_open(&reading.delivery);
  }
  if (reading.delivery.node != NULL)
    check_round_trip(arena, &reading);
}

/* A dedicated block that is written into a body, whatever that is, governs in it where nothing open or corrupt did. */
static void check_block(struct bt_arena *arena, const char *bytes, size_t length) {
  static const char payload[] = "{\n  \"schema\": \"verified-delivery/handoff-v1\",\n  \"x\": \"```\"\n}";
  struct bt_blocks blocks, again;
  struct bt_str body, record;
  FUZZ_CHECK(bt_blocks_find(arena, bytes, length, &blocks, NULL) == BT_OK);
  bt_str_init(&body, length + 4096);
  bt_str_init(&record, sizeof payload);
  bt_str_puts(&record, payload);
  bt_block_put(&body, bytes, length, &blocks, &record);
  FUZZ_CHECK(!body.failed);
  FUZZ_CHECK(bt_blocks_find(arena, body.data, body.length, &again, NULL) == BT_OK);
  bool found = false;
  for (size_t i = 0; i < again.count; i++) {
    const struct bt_delivery_reading *reading = &again.items[i].reading;
    found = found || (again.items[i].dedicated && reading->delivery.node != NULL &&
                      bt_node_get(reading->delivery.node, "x") != NULL);
  }
  FUZZ_CHECK(found);
  FUZZ_CHECK(again.count == blocks.count || again.count == blocks.count + 1);
  bt_str_dispose(&body);
  bt_str_dispose(&record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct bt_arena *arena = bt_arena_new(ARENA_MAX);
  struct bt_pr pr;
  if (size > 65536 || arena == NULL) {
    bt_arena_free(arena);
    return 0;
  }
  char *bytes = bt_arena_strndup(arena, (const char *)data, size);
  check_record(arena, bytes, size);
  FUZZ_CHECK(bt_pr_read(arena, bytes, size, 0, 0, BT_PR_MAX_AGE_S, &pr, NULL) == BT_OK);
  FUZZ_CHECK(pr.given && (pr.fault == NULL || pr.blocks.count == 0));
  if (memchr(data, '\0', size) == NULL)
    check_block(arena, bytes, size);
  bt_arena_free(arena);
  return 0;
}
