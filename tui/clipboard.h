/* tui/clipboard.h - the OSC 52 string that asks a terminal to take a text onto its clipboard. Pure. */
#ifndef BATON_TUI_CLIPBOARD_H
#define BATON_TUI_CLIPBOARD_H

#include <stddef.h>

#include "core/base/str.h"

#define CLIPBOARD_BYTES_MAX ((size_t)64 * 1024) /* terminals drop longer strings */

/* Appends the string; nothing when `length` is over the limit. */
void clipboard_osc52(struct bt_str *out, const char *text, size_t length);

#endif
