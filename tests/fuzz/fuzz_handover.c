/* tests/fuzz/fuzz_handover.c - any bytes as a transcript that is watched, as a command line and as the figures of a
 * window: however the bytes are cut the same comes of them, never two asks in a window, and the line is where the rule
 * says. */
#include <string.h>

#include "core/handover/command.h"
#include "core/handover/replay.h"
#include "tests/fuzz/fuzz.h"

struct seen {
  uint64_t asks, asked_at; /* how many, and the window of the last */
  bool any;
  const struct bt_ask_replay *replay;
};

static void notice(void *context, const struct bt_ask_notice *told) {
  struct seen *seen = context;
  if (!told->asks)
    return;
  FUZZ_CHECK(told->after == BT_ASK_STATE_DUE);
  FUZZ_CHECK(!seen->any || seen->replay->machine.ordinal > seen->asked_at);
  seen->any = true;
  seen->asks++;
  seen->asked_at = seen->replay->machine.ordinal;
}

static void replay_all(struct bt_ask_replay *replay, struct seen *seen, const uint8_t *data, size_t size, size_t cut) {
  struct bt_ask_limits limits = bt_ask_limits_usual();
  bt_ask_replay_init(replay, &limits, true, 0);
  *seen = (struct seen){.replay = replay};
  replay->notice = notice;
  replay->context = seen;
  for (size_t at = 0; at < size; at += cut) {
    size_t length = size - at < cut ? size - at : cut;
    FUZZ_CHECK(bt_ask_replay_feed(replay, (const char *)data + at, length) == BT_OK);
  }
}

static void check_transcript(const uint8_t *data, size_t size) {
  struct bt_ask_replay whole, cut;
  struct seen of_whole, of_cut;
  replay_all(&whole, &of_whole, data, size, size > 0 ? size : 1);
  replay_all(&cut, &of_cut, data, size, size > 0 ? data[0] % 61 + 1u : 1);
  FUZZ_CHECK(bt_ask_state_of(&whole.machine) == bt_ask_state_of(&cut.machine));
  FUZZ_CHECK(whole.machine.fill == cut.machine.fill && whole.machine.window == cut.machine.window);
  FUZZ_CHECK(whole.lines == cut.lines && whole.skipped == cut.skipped && of_whole.asks == of_cut.asks);
  FUZZ_CHECK(whole.write_count == cut.write_count && whole.skipped <= whole.lines);
  bt_ask_replay_dispose(&whole);
  bt_ask_replay_dispose(&cut);
}

static void check_line(const uint8_t *data, size_t size) {
  uint64_t window = 0, fill = 0;
  struct bt_ask_limits limits = bt_ask_limits_usual();
  for (size_t i = 0; i < 5 && i < size; i++)
    window = window << 8 | data[i];
  for (size_t i = 5; i < 10 && i < size; i++)
    fill = fill << 8 | data[i];
  uint64_t line = bt_ask_line(&limits, window);
  FUZZ_CHECK(2 * line >= window && line <= window + 1);
  FUZZ_CHECK(window < 120000 || line + limits.headroom_tokens <= window || line == (window + 1) / 2);
  FUZZ_CHECK(!bt_ask_rearms(&limits, fill, line) || fill < line);
  FUZZ_CHECK(bt_ask_rearms(&limits, fill, line) == (2 * fill < line));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 65536)
    return 0;
  check_transcript(data, size);
  check_line(data, size);
  enum bt_command_kind kind = bt_command_kind_of((const char *)data, size);
  FUZZ_CHECK(kind == BT_COMMAND_NONE || kind == BT_COMMAND_READ || kind == BT_COMMAND_WRITE);
  return 0;
}
