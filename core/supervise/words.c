/* core/supervise/words.c - sentences. */
#include "core/supervise/words.h"

#include <string.h>

#include "core/base/utf8.h"
#include "core/supervise/signal_name.h"
#include "core/text/continue_line.h"

void bt_sup_say_exit(struct bt_str *out, const struct bt_sup_exit *exit) {
  if (exit->failed_to_start) {
    bt_str_puts(out, "could not be started: ");
    bt_text_visible(out, exit->error != NULL ? exit->error : "", exit->error != NULL ? strlen(exit->error) : 0);
  } else if (exit->signalled) {
    bt_str_printf(out, "was ended by %s", bt_signal_name(exit->signal));
  } else {
    bt_str_printf(out, "exited with %d", exit->code);
  }
}

/* The line that hands a session on needs an open deny; after that it is the successor who is to be started. */
static void say_consumed(struct bt_str *out, const char *session, const char *successor) {
  if (successor == NULL) {
    bt_str_printf(out, ". Its deny is consumed all the same.\n  Who may go on with its work: baton show %s", session);
    return;
  }
  bt_str_printf(
      out,
      ". Its deny was consumed: %s may go on with its work, but was not started.\n"
      "  Once .adlc/handoffs/content/%s.md is again what it was, start %s with what this prints: baton bootstrap %s",
      successor, session, successor, successor);
}

void bt_sup_say_degrade(struct bt_str *out, const struct bt_sup_machine *machine,
                        const struct bt_sup_degrade *degrade) {
  const char *session = bt_sup_session(machine);
  bt_str_printf(out, "supervise: session %s cannot be continued automatically: ", session);
  bt_text_visible(out, degrade->why, strlen(degrade->why));
  bt_str_puts(out, "\n  The session ");
  if (machine->running)
    bt_str_puts(out, "is still running and still denied");
  else if (bt_sup_classify(&machine->child) == BT_SUP_CHILD_EXITED)
    bt_str_puts(out, "has ended");
  else
    bt_sup_say_exit(out, &machine->child);
  if (degrade->consumed) {
    say_consumed(out, session, degrade->successor);
  } else {
    bt_str_puts(out, ". Nothing was consumed.\n  To hand its work on yourself: ");
    bt_continue_line(out, session);
  }
  bt_str_putc(out, '\n');
}
