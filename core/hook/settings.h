/* core/hook/settings.h - puts baton's entries into the text of a harness's settings, and takes them out.
 *
 * Pure: text in, text out. Everything that is not baton's keeps its bytes (core/hook/json_edit.h). Must not know: files.
 * Rules: spec/context-handoff.md A.4 (shape). */
#ifndef BATON_CORE_HOOK_SETTINGS_H
#define BATON_CORE_HOOK_SETTINGS_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/harness/wiring.h"

/* The text with `entries` wired: what is wired already stays where it is, what is outdated is replaced. `text` NULL:
 * there is no file yet. *changed is false when the result is the text as it was. BT_CORRUPT for a text that is no JSON
 * object, BT_STATE where the place of the entries is taken by something else or spelled twice, BT_NOMEM. */
enum bt_code bt_settings_install(const struct bt_str *text, const struct bt_wiring_entry *entries, struct bt_str *out,
                                 bool *changed, struct bt_error *err) BT_NODISCARD;

/* The text without any entry of baton's, whichever baton it calls; groups, lists and `hooks` that are empty thereby go too. */
enum bt_code bt_settings_remove(const struct bt_str *text, const struct bt_wiring_entry *entries, struct bt_str *out,
                                bool *changed, struct bt_error *err) BT_NODISCARD;

#endif
