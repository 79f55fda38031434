/* core/records/render_head.h - the part that the two payloads share. For core/records/render*.c only. */
#ifndef BATON_CORE_RECORDS_RENDER_HEAD_H
#define BATON_CORE_RECORDS_RENDER_HEAD_H

#include "core/records/render.h"

/* Everything from schema_version to provenance (spec/session-records.md 8.3). NULL: out of memory. */
struct bt_json *bt_render_head(const struct bt_render *render, const char *schema_version,
                               size_t state_units) BT_NODISCARD;

#endif
