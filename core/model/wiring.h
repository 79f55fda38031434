/* core/model/wiring.h - whether a gate is wired into a harness, as plain data. */
#ifndef BATON_CORE_MODEL_WIRING_H
#define BATON_CORE_MODEL_WIRING_H

/* The later one counts where several files speak. */
enum bt_wiring_state {
  BT_WIRING_UNWIRED,
  BT_WIRING_UNREADABLE, /* the settings cannot be read, so nobody can tell */
  BT_WIRING_OUTDATED,   /* baton's hook, but not as this program would wire it */
  BT_WIRING_FOREIGN,    /* another program's hook before the tools, and not baton's */
  BT_WIRING_WIRED,
  BT_WIRING_STATE_COUNT
};
const char *bt_wiring_word(enum bt_wiring_state state); /* "unwired", "unreadable", ... */

struct bt_wiring {
  enum bt_wiring_state state;
  const char *file; /* the settings it was found in, or the one looked at first; absolute; NULL: not looked at */
  const char *note; /* what is unusual about it; static; NULL */
};

#endif
