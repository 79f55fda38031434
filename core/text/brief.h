/* core/text/brief.h - the text a successor gets: four fenced sections.
 *
 * Owns: the headings, the order, how lists and absent values look. Must not know: where the inputs come from.
 * Rules: spec/context-handoff.md 9.5, 9.6. The same inputs always give the same text: no clock, no host. */
#ifndef BATON_CORE_TEXT_BRIEF_H
#define BATON_CORE_TEXT_BRIEF_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/base/str.h"
#include "core/text/redact.h"

/* Items may hold line breaks (each line is an entry of its own) and may be NULL or blank (left out). */
struct bt_text_list {
  const char *const *items;
  size_t count;
};

/* Borrowed internal text; NULL and blank mean none. */
struct bt_brief_inputs {
  const char *ticket_id;
  const char *ticket_title;
  const char *branch;
  struct bt_text_list status;   /* `git status --porcelain` lines, at most 40 and the line that counts the rest */
  struct bt_text_list flails;   /* signals that the session was stuck */
  struct bt_text_list evidence; /* lines "seq=.. gate=.. ts=.." */
  const char *narrative;        /* last words of the session, capped already */
  const char *narrative_note;   /* why there is no narrative; shown only without one */
};

/* Appends the whole body, not capped. `list` (may be NULL) gets what was redacted. */
enum bt_code bt_brief_compose(struct bt_str *out, const struct bt_brief_inputs *inputs, struct bt_redact_list *list,
                              struct bt_error *err) BT_NODISCARD;

/* The body as it is stored: composed, then cut to BT_CAPTURE_MAX_BYTES. *was_cut may be NULL. */
enum bt_code bt_brief_capture(struct bt_str *out, const struct bt_brief_inputs *inputs, bool *was_cut,
                              struct bt_error *err) BT_NODISCARD;

#endif
