/* core/delivery/verdict.c - words and exit statuses of verdicts. */
#include "core/delivery/verdict.h"

const char *bt_verdict_word(enum bt_verdict verdict) {
  static const char *const words[] = {
#define WORD(name, word, exit_status) word,
      BT_VERDICTS(WORD)
#undef WORD
  };
  return words[verdict];
}

int bt_verdict_exit(enum bt_verdict verdict) {
  static const int statuses[] = {
#define STATUS(name, word, exit_status) exit_status,
      BT_VERDICTS(STATUS)
#undef STATUS
  };
  return statuses[verdict];
}
