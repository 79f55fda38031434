/* tests/fuzz/fuzz_recovery.c - any bytes as a recovery command: what matches is one line, begins with the program and
 * names the session. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/str.h"
#include "core/base/utf8.h"
#include "core/hook/recovery.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const struct bt_recovery_self self = {.interpreter = "/bin/sh", .script = "/bin/sh", .program = "/bin/sh"};
  struct bt_str command;
  bt_str_init(&command, size * 3 + 16);
  bt_utf8_decode8(&command, data, size);
  if (bt_recovery_match(command.data, &self, "s1") != NULL) {
    if (strpbrk(command.data, "\r\n;|&<>`$\"") != NULL || strstr(command.data, " --session s1") == NULL)
      abort();
    if (command.data[0] != '/' && command.data[0] != '\'')
      abort();
  }
  bt_str_dispose(&command);
  return 0;
}
