/* core/supervise/signal_name.h - SIGKILL and its kin as words (spec/context-handoff.md 11.5). */
#ifndef BATON_CORE_SUPERVISE_SIGNAL_NAME_H
#define BATON_CORE_SUPERVISE_SIGNAL_NAME_H

/* "SIGKILL"; "SIGUNKNOWN" for a number without a name of its own. Static text. */
const char *bt_signal_name(int signal);

#endif
