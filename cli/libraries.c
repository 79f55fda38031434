/* cli/libraries.c - asks each library itself: what runs may be newer than what was compiled against. */
#include "cli/libraries.h"

#include <stdio.h>

#include "cli/ui.h"
#include "core/base/digest.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/store/repo.h"
#include "core/text/redact.h"

static void curses_library(char *out, size_t size) {
  struct ui_terminal terminal;
  ui_terminal(&terminal);
  snprintf(out, size, "%s", terminal.library);
}

bool library_at(size_t index, char *out, size_t size) {
  static void (*const libraries[])(char *, size_t) = {curses_library,  bt_json_library,   bt_digest_library,
                                                      bt_repo_library, bt_redact_library, bt_utf8_library};
  if (index >= sizeof(libraries) / sizeof(libraries[0]))
    return false;
  libraries[index](out, size);
  return true;
}
