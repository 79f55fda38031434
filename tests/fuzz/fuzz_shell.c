/* tests/fuzz/fuzz_shell.c - any bytes as a shell command: candidates are made of its own bytes and hold no separator. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/str.h"
#include "core/base/utf8.h"
#include "core/hook/protected.h"
#include "core/hook/shell.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct bt_str command;
  struct bt_candidates found;
  bt_str_init(&command, size * 3 + 16);
  bt_utf8_decode8(&command, data, size);
  enum bt_code code = bt_shell_candidates(command.data, &found, NULL);
  if (code != BT_OK && code != BT_TOO_LARGE)
    abort();
  for (size_t i = 0; i < found.count; i++) {
    if (found.items[i][0] == '\0' || found.items[i][0] == '-' || strpbrk(found.items[i], " ;|&()<>'\"\\\n") != NULL)
      abort();
    (void)bt_path_is_protected(found.items[i]);
  }
  (void)bt_shell_runs_mutating_cli(command.data);
  bt_candidates_dispose(&found);
  bt_str_dispose(&command);
  return 0;
}
