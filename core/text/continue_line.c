/* core/text/continue_line.c - a command, or where its id is to be read. */
#include "core/text/continue_line.h"

#include "core/model/id.h"

void bt_continue_line(struct bt_str *out, const char *deny_session_id) {
  if (bt_id_is_prompt_safe(deny_session_id)) {
    bt_str_puts(out, "ADLC_MANIFEST_KEY=\xE2\x80\xA6 adlc handoff continue --deny-session ");
    bt_str_puts(out, deny_session_id);
    bt_str_puts(out, " --write");
  } else {
    bt_str_puts(out,
                "read the session's id from the file names in .adlc/handoffs/denies and run, with the signing key set, "
                "adlc handoff continue for it");
  }
}
