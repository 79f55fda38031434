/* core/handover/mod.h - the provider's mod in a working tree: whose is it, is it what we would write, is it in use?
 *
 * Owns: the table of providers, the distribution files, the five states. Looks only; core/handover/write.c changes.
 * Rules: spec/handover-request.md 7. */
#ifndef BATON_CORE_HANDOVER_MOD_H
#define BATON_CORE_HANDOVER_MOD_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/handover/policy.h"

#define BT_MOD_MARKER "Written by `baton ask install`"
#define BT_MOD_MODULE "hooks/register.ts"
#define BT_MOD_TYPES ".claude-plugin/types"

struct bt_mod_row { /* one mod of one provider */
  const char *provider, *name, *folder, *key;
  const char *other; /* the mod that would ask beside it, and its folder */
  const char *other_folder;
};
const struct bt_mod_row *bt_mod_row(const char *provider); /* NULL: no adapter */

struct bt_mod_file {
  const char *path; /* below the mod's folder */
  const void *bytes;
  size_t length;
};
const struct bt_mod_file *bt_mod_files(size_t *count);

enum bt_mod_condition {
  BT_MOD_ABSENT, /* or an empty folder, or one with nothing but our own empty folders */
  BT_MOD_IDENTICAL,
  BT_MOD_DIFFERS, /* ours, changed or incomplete */
  BT_MOD_FOREIGN,
  BT_MOD_UNSAFE /* a link, or no folder, on the way to it */
};

struct bt_mod_found {
  enum bt_mod_condition condition;
  bool other_there;        /* the other mod is installed beside it, carrying its own marker */
  int64_t module_mtime_ns; /* of ours; 0 otherwise */
  bool types_seen;         /* the provider laid its types down no earlier than our module */
};

/* `root`: open folder of the repository's root. BT_OK, BT_IO, BT_NOMEM. */
enum bt_code bt_mod_look(int root, const struct bt_mod_row *row, struct bt_mod_found *found,
                         struct bt_error *err) BT_NODISCARD;

struct bt_mod_state {
  const char *state, *reason; /* static */
};
/* spec 7.4. `row` NULL: no adapter. `request_seen`: a request is in a transcript of this root, written after the module
 * was. */
struct bt_mod_state bt_mod_state_of(const struct bt_mod_row *row, const struct bt_mod_found *found,
                                    const struct bt_policy *policy, bool request_seen);

/* What install or remove would come to: the result's word, static. `refused:…` changes nothing. */
const char *bt_mod_install_result(const struct bt_mod_found *found, const struct bt_policy *policy, bool alongside);
const char *bt_mod_remove_result(const struct bt_mod_found *found);

#endif
