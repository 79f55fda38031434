/* core/store/presence.h - is something there, and may it be looked at?
 *
 * The ledger's other programs ask `stat` and follow links; this one refuses a symbolic link, FIFO, socket or
 * device in the place of a file or folder below the ledger directory, dangling links included
 * (spec/context-handoff.md 0 "Exists", 15.1 item 4). */
#ifndef BATON_CORE_STORE_PRESENCE_H
#define BATON_CORE_STORE_PRESENCE_H

#include <stdbool.h>

enum bt_presence {
  BT_ABSENT,       /* nothing, or not to be seen (a file among the parents, no permission) */
  BT_THERE,        /* a file or a folder */
  BT_THERE_REFUSED /* a link, FIFO, socket or device, there or among the parents */
};

/* `path` is relative to the ledger folder `ledger` (-1: there is none). */
enum bt_presence bt_presence_of(int ledger, const char *path);

/* Is the entry `name` of `folder` a folder itself, and not a link to one? */
bool bt_entry_is_folder(int ledger, const char *folder, const char *name);

#endif
