/* core/model/brief_diff.c - the words for kept copies. */
#include "core/model/brief_diff.h"

#include "core/base/arena.h"

const char *bt_copy_word(enum bt_copy_kind kind) {
  static const char *const words[] = {"expected", "committed", "verified", "read"};
  return words[kind];
}

const char *bt_copy_words(enum bt_copy_kind kind) {
  static const char *const words[] = {"the verified copy", "the committed text, which verifies",
                                      "the copy verified when it was kept", "the copy marked as read, never verified"};
  return words[kind];
}

void bt_brief_diff_free(struct bt_brief_diff *diff) {
  if (diff)
    bt_arena_free(diff->arena);
}
