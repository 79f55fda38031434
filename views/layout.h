/* views/layout.h - which rows of the screen belong to what, at every size.
 *
 * One answer for drawing, for scrolling (settle) and for wrapping (prepare). Pure. From the top: header, totals or
 * tabs, at most one standing notice, the body; from the bottom: message, key hints, rule. Below 14 rows the message
 * and the hints share a row, below 11 the rule and the captions go (dashboard.md 6.11, rows 69-71). */
#ifndef BATON_VIEWS_LAYOUT_H
#define BATON_VIEWS_LAYOUT_H

#include "views/scene.h"

struct bt_layout {
  int rows, columns;
  bool too_small;
  int notice_row; /* -1: none */
  int body_top, body_rows;
  int rule_row;               /* -1: none */
  int hints_row, message_row; /* may be the same row */
  /* inside the body, counted from its top; -1: not shown */
  int caption_row, head_row;
  int list_top, list_rows, list_columns;    /* columns: all, but for the list with its preview on the right */
  int detail_rule, detail_top, detail_rows; /* preview, evidence of a lock, next step of a session */
  int detail_column;                        /* where it begins; 0: below the list */
  bool detail_compact;                      /* few rows: the reasons and the next step only */
};

struct bt_layout bt_layout_of(const struct bt_scene *scene, const struct bt_snapshot *snapshot);

/* Columns that a brief or a raw file is wrapped to on its tab, >= 1. */
#define BT_TEXT_GUTTER 3 /* blank, bar, blank */
int bt_layout_text_columns(const struct bt_scene *scene);
int bt_layout_dialog_columns(const struct bt_scene *scene);      /* of a dialog with its border */
int bt_layout_dialog_text_columns(const struct bt_scene *scene); /* of a text that is read in it, >= 1 */

/* The one standing notice: what is wrong with the ledger as a whole. False when nothing is. */
bool bt_notice(const struct bt_snapshot *snapshot, char *out, size_t size, bool *bad);

#endif
