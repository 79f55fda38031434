/* core/records/edit.h - small changes in renders that stay as they are otherwise.
 *
 * Rules: spec/session-records.md 10.1, 10.2. For core/records/rename.c. Texts are internal text. */
#ifndef BATON_CORE_RECORDS_EDIT_H
#define BATON_CORE_RECORDS_EDIT_H

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/records/write.h"

struct bt_edit {
  const char *title;      /* session.title, the heading; NULL: a rename */
  const char *session;    /* for the session-id line */
  const char *project;    /* NULL: a retitle */
  const char *updated_at; /* of a retitle */
  const char *manifest_sha256;
  double revision; /* of a retitle */
};

/* Fills a begun draft with the changed content of `name` below `dir`. BT_CORRUPT when it does not parse to an object.
 * A payload of any size is edited in bounded memory. */
enum bt_code bt_edit_payload(struct bt_draft *draft, int dir, const char *name, const struct bt_edit *edit,
                             struct bt_error *err) BT_NODISCARD;

/* The changed brief. */
enum bt_code bt_edit_brief(struct bt_str *out, const char *text, size_t length,
                           const struct bt_edit *edit) BT_NODISCARD;

#endif
