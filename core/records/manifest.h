/* core/records/manifest.h - the manifest of a session: the record that everything else is checked against.
 *
 * A manifest is a JSON tree whose unknown keys and order stay. Rules: spec/session-records.md 7.5, 7.6, 7.8, 8.1. */
#ifndef BATON_CORE_RECORDS_MANIFEST_H
#define BATON_CORE_RECORDS_MANIFEST_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/records/gist.h"
#include "core/records/names.h"

#define BT_MANIFEST_BYTES_MAX ((size_t)64 << 20)

/* Reads `name` below `dir`. NULL: `*code` is BT_MISSING (absent), BT_CORRUPT (does not parse to an object), or what
 * reading it said. The caller frees the result. */
struct bt_json *bt_manifest_read(int dir, const char *name, enum bt_code *code, struct bt_error *err) BT_NODISCARD;

/* A new one (7.5). `harness` and `model` may be NULL. NULL: out of memory. */
struct bt_json *bt_manifest_new(const char *session, const char *project, const char *harness, const char *model,
                                const char *now) BT_NODISCARD;

/* Whether a loaded manifest can be built on: source_paths is a list, watermark and revisions are numbers. */
bool bt_manifest_is_sound(const struct bt_json *manifest);

/* The self-hash over the manifest as it is. False: out of memory. */
bool bt_manifest_hash(const struct bt_json *manifest, char hex[BT_SHA256_HEX]) BT_NODISCARD;
bool bt_manifest_hash_holds(const struct bt_json *manifest);

/* Sets manifest_sha256 to the self-hash. BT_NOMEM. */
enum bt_code bt_manifest_seal(struct bt_json *manifest) BT_NODISCARD;

double bt_manifest_number(const struct bt_json *manifest, const char *key); /* 0 where it is none */

/* What the flags of a build change before it is known whether there is anything to do (7.6). NULL: not given. */
struct bt_provenance {
  const char *project, *source, *harness, *model;
  bool force_harness, force_model;
};
enum bt_code bt_manifest_apply(struct bt_json *manifest, const struct bt_provenance *given) BT_NODISCARD;

/* What a finished build says (7.8), sealed. `watermark` is already the larger one. */
enum bt_code bt_manifest_finish(struct bt_json *manifest, double watermark, const char *raw_sha256, const char *now,
                                const struct bt_gist *gist) BT_NODISCARD;

/* revisions + 1 and updated_at, for retitle and rename; not sealed. */
enum bt_code bt_manifest_bump(struct bt_json *manifest, const char *now) BT_NODISCARD;

/* {"USER":…,"AGENT":…,"THOUGHT":…,"TOOL":…}; NULL: out of memory. */
struct bt_json *bt_counts_json(const struct bt_gist *gist) BT_NODISCARD;

#endif
