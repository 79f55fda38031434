/* core/handover/settings.h - baton's own settings for asking: never those of the repository's policy file.
 *
 * `ask.json` in the configuration folder:
 *   {"headroom_tokens": N, "max_fill_permille": N, "rearm_permille": N, "writers": ["tool note"],
 *    "roots": {"/path/of/a/root": {"headroom_tokens": N}}}
 * Rules: spec/handover-request.md 2, 4. */
#ifndef BATON_CORE_HANDOVER_SETTINGS_H
#define BATON_CORE_HANDOVER_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/handover/line.h"

struct bt_json;

struct bt_ask_settings {
  struct bt_json *json; /* NULL: there is no file */
};

/* An absent file is fine. BT_CORRUPT for one that cannot be read: then the usual settings are in force, and the caller
 * says so; BT_NOMEM. Dispose either way. */
enum bt_code bt_ask_settings_load(struct bt_ask_settings *settings, const char *config_dir,
                                  struct bt_error *err) BT_NODISCARD;
void bt_ask_settings_dispose(struct bt_ask_settings *settings);

/* Figures that are out of range count as not given. `settings` may be NULL. */
struct bt_ask_limits bt_ask_settings_limits(const struct bt_ask_settings *settings, const char *root);

/* Whether a shell command writes a handover, by the built-in words or by the configured ones. `settings` may be NULL.
 */
bool bt_ask_settings_writes(const struct bt_ask_settings *settings, const char *command, size_t length);

#endif
