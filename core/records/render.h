/* core/records/render.h - a session's renders, made from its manifest, its gist and its timeline.
 *
 * Pure output: what takes the bytes (a file, a comparison) is the caller's. Rules: spec/session-records.md 8.3-8.6. */
#ifndef BATON_CORE_RECORDS_RENDER_H
#define BATON_CORE_RECORDS_RENDER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/records/gist.h"
#include "core/records/names.h"

#define BT_RENDER_BYTES_MAX ((size_t)1 << 30) /* of a render that is made in memory */

/* Takes bytes. The first failure is kept, and everything after it is dropped. */
struct bt_outlet {
  enum bt_code (*take)(struct bt_outlet *outlet, const char *bytes, size_t length, struct bt_error *err);
  struct bt_str buffer;
  enum bt_code code;
  struct bt_error *err;
  const int *give_up; /* BT_STATE once it says so (core/base/go_on.h); NULL, as after bt_outlet_init: never */
};
void bt_outlet_init(struct bt_outlet *outlet,
                    enum bt_code (*take)(struct bt_outlet *outlet, const char *bytes, size_t length,
                                         struct bt_error *err),
                    struct bt_error *err);
void bt_outlet_put(struct bt_outlet *outlet, const char *bytes, size_t length);
void bt_outlet_puts(struct bt_outlet *outlet, const char *text);
enum bt_code bt_outlet_flush(struct bt_outlet *outlet) BT_NODISCARD; /* gives the first failure */
void bt_outlet_dispose(struct bt_outlet *outlet);

/* What the renders are made of. All borrowed; texts are internal text. */
struct bt_render {
  const struct bt_json *manifest; /* sealed */
  const char *id;                 /* session id as given to this build */
  const char *title;              /* NULL, or the name a retitle gave */
  const char *objective;          /* already cut */
  const char *state;              /* already cut to BT_STATE_UNITS */
  const struct bt_gist *gist;
  int timeline;         /* descriptor for reading, */
  int64_t timeline_end; /* and how much of it counts */
};

/* The last BT_STATE_UNITS of the state line, or `(none)`. */
enum bt_code bt_render_state(struct bt_str *out, const struct bt_gist *gist, int timeline,
                             struct bt_error *err) BT_NODISCARD;

enum bt_code bt_render_summary(struct bt_str *out, const struct bt_render *render) BT_NODISCARD;
enum bt_code bt_render_brief(struct bt_str *out, const struct bt_render *render) BT_NODISCARD; /* HANDOFF.md */

/* The payload and TOOLS.md in two walks over the timeline. */
enum bt_code bt_render_bodies(struct bt_outlet *payload, struct bt_outlet *tools, const struct bt_render *render,
                              struct bt_error *err) BT_NODISCARD;

#endif
