/* core/delivery/guard.h - may the record be written in this working tree? Looks only.
 *
 * Owns the questions that keep the record out of every commit; git answers them. Rules: spec/delivery-handoff.md 11.1,
 * 11.3. A refusal is a static code, "refused:…"; NULL: none. All fail with BT_IO, BT_STATE or BT_NOMEM only. */
#ifndef BATON_CORE_DELIVERY_GUARD_H
#define BATON_CORE_DELIVERY_GUARD_H

#include "core/delivery/work.h"

/* Step 1: folder and file are what they should be, or not there. */
enum bt_code bt_guard_path(const struct bt_work *work, const char **refusal, struct bt_error *err) BT_NODISCARD;
/* Step 2: neither tracked nor staged, hidden flags or not. */
enum bt_code bt_guard_index(const struct bt_work *work, const char **refusal, struct bt_error *err) BT_NODISCARD;
/* Step 4: ignored as git sees it. */
enum bt_code bt_guard_ignored(const struct bt_work *work, const char **refusal, struct bt_error *err) BT_NODISCARD;
/* The same for a dry run, before the exclusion line is there: would it be enough? */
enum bt_code bt_guard_would_be_ignored(const struct bt_work *work, const char **refusal,
                                       struct bt_error *err) BT_NODISCARD;

/* Reads the exclusion file (core/delivery/exclude.h); *is_link: it is a symbolic link, which is read but never
 * replaced. An absent one gives an empty text. */
enum bt_code bt_guard_exclusions(const struct bt_work *work, struct bt_str *text, bool *is_link,
                                 struct bt_error *err) BT_NODISCARD;

#endif
