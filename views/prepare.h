/* views/prepare.h - what is costly to derive from snapshot and scene, done once per change, not per frame.
 *
 * Owns: the rows that pass the filter, the wrapped lines and search hits of the open text. The app holds one
 * struct bt_prepared, calls bt_prepared_update after every change of snapshot or scene (nothing is done where
 * nothing it depends on has changed) and then bt_view_settle. Drawing then costs what is visible. */
#ifndef BATON_VIEWS_PREPARE_H
#define BATON_VIEWS_PREPARE_H

#include "core/base/error.h"
#include "views/scene.h"

#define BT_TEXT_ROWS_MAX 100000 /* rows of one text; what is beyond is not shown, and the view says so */
#define BT_TEXT_HITS_MAX 9999

struct bt_line {           /* one row of a text on the screen */
  uint32_t offset, length; /* in the text of `file` */
  uint32_t number;         /* line of the source, from 1; wrapped rows repeat it; 0: no line of a text */
  uint16_t file;           /* index into scene->raw; 0 for the brief */
  bool head;               /* raw files: the row that names the file */
  bool continued;          /* not the first row of its line */
};
struct bt_hit {
  uint32_t row;            /* index into lines */
  uint32_t offset, length; /* in the text of the row's file; may run on into the next row */
};
struct bt_text_rows {
  struct bt_line *lines;
  size_t line_count, line_room;
  size_t source_lines; /* of the source, unwrapped */
  struct bt_hit *hits; /* in order */
  size_t hit_count, hit_room;
  bool cut; /* longer than BT_TEXT_ROWS_MAX */
};

struct bt_prepared {
  const struct bt_snapshot *snapshot; /* what it was derived from */
  uint32_t *sessions;                 /* indexes into snapshot->sessions, in order */
  size_t session_count, session_room;
  uint32_t *locks;
  size_t lock_count, lock_room;
  uint32_t *log; /* indexes into scene->log->rows */
  size_t log_count, log_room;
  struct bt_text_rows brief, raw, dialog; /* dialog: the text that is read in the open one */
  struct bt_prepared_key *key;            /* what the rest was derived from; private */
};

/* `prepared` starts zeroed. BT_NOMEM leaves it usable: empty where it could not be filled. */
enum bt_code bt_prepared_update(struct bt_prepared *prepared, const struct bt_snapshot *snapshot,
                                const struct bt_scene *scene, struct bt_error *err) BT_NODISCARD;

/* To be called when a snapshot or the raw files are freed: the next update derives everything anew. */
void bt_prepared_forget(struct bt_prepared *prepared);
void bt_prepared_dispose(struct bt_prepared *prepared); /* leaves it zeroed */

/* Rows and hits of the tab that is open; NULL on any other tab. Borrowed. */
const struct bt_text_rows *bt_prepared_text(const struct bt_scene *scene);

#endif
