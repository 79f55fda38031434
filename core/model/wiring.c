/* core/model/wiring.c - words. */
#include "core/model/wiring.h"

const char *bt_wiring_word(enum bt_wiring_state state) {
  static const char *const words[BT_WIRING_STATE_COUNT] = {
      [BT_WIRING_UNWIRED] = "unwired", [BT_WIRING_UNREADABLE] = "unreadable", [BT_WIRING_OUTDATED] = "outdated",
      [BT_WIRING_FOREIGN] = "foreign", [BT_WIRING_WIRED] = "wired",
  };
  return words[state];
}
