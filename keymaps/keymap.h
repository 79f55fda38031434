/* keymaps/keymap.h - which key does what in which mode; reads `bind` and `unbind` lines.
 *
 * Owns: the bindings. Must not know: where a file of the user lies, or what an action means. The defaults are
 * keymaps/default.keymap, embedded and read by the same parser. Rules: dashboard.md rows 89 and 90. */
#ifndef BATON_KEYMAPS_KEYMAP_H
#define BATON_KEYMAPS_KEYMAP_H

#include "core/base/error.h"
#include "keymaps/action.h"
#include "keymaps/key.h"

#define BT_KEYMAP_BYTES_MAX ((size_t)64 * 1024) /* of one file */
#define BT_KEYMAP_BINDINGS_MAX 512

struct bt_keymap;

/* The keymap that comes with the program under that name: `default`, or `vim` or `emacs` read on top of it. NULL: there
 * is none (BT_INPUT), or out of memory. The caller frees it. */
struct bt_keymap *bt_keymap_new_named(const char *name, struct bt_error *err) BT_NODISCARD;
void bt_keymap_free(struct bt_keymap *keymap); /* NULL is allowed */

/* Reads a file's bytes on top of what is there: its lines go before earlier files, but within one file two actions
 * on one key of one mode are refused. `name` is for messages. On failure the keymap is as before and the error is
 * BT_INPUT with subject "NAME:LINE" (or "NAME" when it is about the whole), BT_TOO_LARGE or BT_NOMEM. Refused too:
 * unknown modes, keys and actions, an action that a mode does not have, a printable key in a typing mode, unbinding
 * what is not bound, and whatever leaves quit, cancel or help unreachable. */
enum bt_code bt_keymap_read(struct bt_keymap *keymap, const char *name, const char *bytes, size_t length,
                            struct bt_error *err) BT_NODISCARD;

/* Every problem that bt_keymap_read would refuse the file for, not only the first; how many. The keymap stays. */
size_t bt_keymap_check(const struct bt_keymap *keymap, const char *name, const char *bytes, size_t length,
                       void (*report)(void *context, const struct bt_error *problem), void *context);

/* `mode` is not BT_MODE_ANY. BT_ACTION_NONE when the key does nothing there (in a typing mode a printable key is
 * text then). A binding of the mode goes before one of `any`; a binding of `any` counts where its action exists. */
enum bt_action bt_keymap_lookup(const struct bt_keymap *keymap, enum bt_mode mode, uint32_t key);

/* Keys that do `action` in `mode`, in the order of the files; returns how many, at most `max` are stored. */
size_t bt_keymap_keys(const struct bt_keymap *keymap, enum bt_mode mode, enum bt_action action, uint32_t *keys,
                      size_t max);

/* True when that binding came from a file that is not the program's own. */
bool bt_keymap_rebound(const struct bt_keymap *keymap, enum bt_mode mode, uint32_t key);

/* Where the binding that decides was read. False when the key does nothing there. The name is borrowed. */
struct bt_keymap_origin {
  const char *file;
  unsigned line;
  bool any; /* a binding of `any` */
};
bool bt_keymap_origin(const struct bt_keymap *keymap, enum bt_mode mode, uint32_t key, struct bt_keymap_origin *origin);

/* Some key with Alt is bound: Esc and a character in one piece are that key then. */
bool bt_keymap_has_meta(const struct bt_keymap *keymap);

/* The file of a keymap that comes with the program, for `baton keys`. NULL: no such name. */
const char *bt_keymap_builtin_text(const char *name, size_t *length);

#endif
