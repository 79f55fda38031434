/* core/handover/request.c - words of the request. */
#include "core/handover/request.h"

#include <inttypes.h>

int64_t bt_ask_percent(int64_t fill, int64_t window) {
  return (2 * 100 * fill + window) / (2 * window);
}

void bt_ask_request_text(struct bt_str *out, int64_t fill, int64_t window, uint64_t line, const char *command) {
  bt_str_printf(out, "[baton:handover-request v1 fill=%" PRId64 " window=%" PRId64 " line=%" PRIu64 "]\n", fill, window,
                line);
  bt_str_printf(out,
                "Your context window is %" PRId64 "%% full (%" PRId64 " of %" PRId64
                " tokens) and will be compacted before long.\n",
                bt_ask_percent(fill, window), fill, window);
  bt_str_puts(out,
              "Please write a handover now, while there is room for it.\n"
              "\n"
              "1. Read the live state first, do not write from memory: the branch and the working tree, the recent\n"
              "   commits, and the supervisor's own check.\n");
  bt_str_printf(out,
                "2. Write these three sections, none of them empty, and give them to `%s` on its standard\n"
                "   input:\n"
                "   # Objective\n"
                "   # Current State\n"
                "   # Next Action\n",
                command);
  bt_str_puts(out, "3. Report the path of the record that it wrote. Then stop.\n");
}
