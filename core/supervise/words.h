/* core/supervise/words.h - the sentences of the supervisor's log and of its one long message.
 *
 * Pure text, made visible. Rules: spec/context-handoff.md 11.3 (which events are logged; Degrade). */
#ifndef BATON_CORE_SUPERVISE_WORDS_H
#define BATON_CORE_SUPERVISE_WORDS_H

#include "core/base/str.h"
#include "core/supervise/machine.h"

/* "exited with 3", "was ended by SIGKILL", "could not be started: ENOENT". */
void bt_sup_say_exit(struct bt_str *out, const struct bt_sup_exit *exit);

struct bt_sup_degrade {
  const char *why;
  bool consumed;         /* the session's deny is, by the continue step or by somebody else */
  const char *successor; /* whom the continue step authorised; NULL: nobody, or nobody knows */
};

/* Why there is no automatic continuation, what the child does at this moment, and what the operator can run. */
void bt_sup_say_degrade(struct bt_str *out, const struct bt_sup_machine *machine, const struct bt_sup_degrade *degrade);

#endif
