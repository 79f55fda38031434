/* views/frame.c - header, totals, notice, hints and message. */
#include "views/frame.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "views/field.h"
#include "views/hint_line.h"
#include "views/parts.h"
#include "views/prepare.h"
#include "views/text.h"

static int width_of(const struct bt_frame *frame, const char *text) {
  return bt_text_width(text, strlen(text), frame->scene->unicode, frame->screen.columns);
}

struct bt_pane bt_frame_body(const struct bt_frame *frame) {
  return bt_pane_cut(frame->screen, frame->layout.body_top, 0, frame->layout.body_rows, frame->screen.columns);
}

void bt_frame_caption(const struct bt_frame *frame, const char *order, const char *noun, size_t count, size_t total) {
  const struct bt_field *filter = &frame->scene->filter;
  char right[BT_FIELD_BYTES + BT_PART_BYTES];
  if (frame->layout.caption_row < 0)
    return;
  if (filter->length)
    snprintf(right, sizeof right, "%zu of %zu   filter: %s", count, total, filter->text);
  else
    snprintf(right, sizeof right, "%zu %s%s", count, noun, count == 1 ? "" : "s");
  struct bt_pane body = bt_frame_body(frame);
  bt_pane_rule(bt_pane_cut(body, 0, 0, body.rows, frame->layout.list_columns), frame->layout.caption_row, order, right);
}

/* ---- header ---- */

struct piece { /* of the right half: drawn from the right, the lowest `rank` leaves first */
  char text[BT_PART_BYTES * 2];
  enum bt_role role;
  int rank;
};

static void add(struct piece *pieces, size_t *count, int rank, enum bt_role role, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
static void add(struct piece *pieces, size_t *count, int rank, enum bt_role role, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  vsnprintf(pieces[*count].text, sizeof pieces[*count].text, fmt, args);
  va_end(args);
  pieces[*count].role = role;
  pieces[*count].rank = rank;
  (*count)++;
}

static size_t header_pieces(const struct bt_frame *frame, struct piece *pieces, bool brief) {
  const struct bt_snapshot *snapshot = frame->snapshot;
  char clock[BT_PART_BYTES];
  size_t count = 0;
  if (snapshot->sample)
    add(pieces, &count, 7, BT_ROLE_NOTICE, brief ? "SAMPLE" : "SAMPLE LEDGER");
  if (snapshot->imported)
    add(pieces, &count, 10, BT_ROLE_NOTICE, "SNAPSHOT");
  else if (snapshot->readonly)
    add(pieces, &count, 8, BT_ROLE_NOTICE, "read-only");
  add(pieces, &count, 3, BT_ROLE_DIM, brief ? "%.60s" : "host %.60s", snapshot->host ? snapshot->host : "?");
  if (!snapshot->key_loaded)
    add(pieces, &count, 9, BT_ROLE_NOTICE, "key missing");
  else if (snapshot->evidence.refused_count && !snapshot->evidence.accepted_count)
    add(pieces, &count, 9, BT_ROLE_NOTICE, "key does not fit");
  else if (snapshot->key_is_sample)
    add(pieces, &count, 6, BT_ROLE_NOTICE, "sample key");
  else
    add(pieces, &count, 1, BT_ROLE_DIM, "key loaded");
  if (frame->scene->live == BT_LIVE_OFF)
    add(pieces, &count, 6, BT_ROLE_NOTICE, "not live");
  else
    add(pieces, &count, 2, BT_ROLE_DIM, frame->scene->live == BT_LIVE_POLLING ? "polling" : "live");
  bt_clock_minute(clock, frame->scene, frame->now_ms);
  add(pieces, &count, 4, BT_ROLE_DEFAULT, "%s", clock);
  return count;
}

static int pieces_width(const struct bt_frame *frame, const struct piece *pieces, size_t count, int gap) {
  int width = 0;
  for (size_t i = 0; i < count; i++)
    if (pieces[i].rank)
      width += width_of(frame, pieces[i].text) + gap;
  return width;
}

static void drop_lowest(struct piece *pieces, size_t count) {
  size_t lowest = count;
  for (size_t i = 0; i < count; i++)
    if (pieces[i].rank && (lowest == count || pieces[i].rank < pieces[lowest].rank))
      lowest = i;
  if (lowest < count)
    pieces[lowest].rank = 0;
}

static const char *page_name(const struct bt_scene *scene) {
  if (scene->overlay == BT_OVERLAY_HELP)
    return "help";
  static const char *const names[BT_PAGE_COUNT] = {[BT_PAGE_LIST] = "sessions",        [BT_PAGE_SESSION] = "session",
                                                   [BT_PAGE_LOCKS] = "locks",          [BT_PAGE_WHY] = "why",
                                                   [BT_PAGE_LOG] = "evidence",         [BT_PAGE_RECORDS] = "records",
                                                   [BT_PAGE_DELIVERIES] = "deliveries"};
  return names[scene->page];
}

void bt_frame_header(const struct bt_frame *frame) {
  struct piece pieces[8];
  const char *project = frame->snapshot->project ? frame->snapshot->project : "";
  const char *path = frame->snapshot->ledger_short ? frame->snapshot->ledger_short : "";
  int columns = frame->screen.columns;
  bool brief = columns < 100;
  int gap = brief ? 2 : 3;
  size_t count = header_pieces(frame, pieces, brief);
  int left = 1 + 5 + 2 + 9 + (width_of(frame, project) < 20 ? width_of(frame, project) : 20) + 2;
  if (left > columns / 2)
    left = columns / 2;
  while (pieces_width(frame, pieces, count, gap) > columns - left && pieces_width(frame, pieces, count, gap) > 0)
    drop_lowest(pieces, count);

  int right = columns - pieces_width(frame, pieces, count, gap);
  struct bt_pane room = bt_pane_cut(frame->screen, 0, 0, 1, right);
  int at = 1 + bt_pane_text(room, 0, 1, BT_ROLE_TITLE, "baton");
  at += 2;
  at += bt_pane_text(room, 0, at, BT_ROLE_DEFAULT, page_name(frame->scene));
  at = at < 18 && !brief ? 18 : at + 2;
  if (at < right)
    at += bt_pane_field(room, 0, at, right - at < width_of(frame, project) ? right - at : width_of(frame, project),
                        BT_ALIGN_LEFT, BT_ROLE_TITLE, project);
  if (at + 2 + width_of(frame, path) <= right)
    bt_pane_text(room, 0, at + 2, BT_ROLE_DIM, path);
  at = right;
  for (size_t i = 0; i < count; i++)
    if (pieces[i].rank)
      at += gap - 1 + bt_pane_text(frame->screen, 0, at + gap - 1, pieces[i].role, pieces[i].text) + 1;
}

/* ---- totals ---- */

struct total {
  const char *word;
  size_t count;
  enum bt_role role;
};

/* The calm ones, at the end, make room for `right`; then a "+" says that there are more. */
static void draw_totals(const struct bt_frame *frame, const struct total *totals, size_t count, const char *right,
                        enum bt_role right_role) {
  int columns = frame->screen.columns, gap = columns < 100 ? 2 : 3;
  int right_columns = right[0] && columns >= 56 ? width_of(frame, right) : 0;
  int at = 1, end = columns - 1 - (right_columns ? right_columns + 2 : 0);
  for (size_t i = 0; i < count; i++) {
    char text[BT_PART_BYTES];
    snprintf(text, sizeof text, "%s %zu", totals[i].word, totals[i].count);
    int width = width_of(frame, text), mark = i + 1 < count ? 2 : 0;
    if (at + width + mark > end) {
      bt_pane_text(frame->screen, 1, at > 1 ? at - gap + 1 : 1, BT_ROLE_DIM, "+");
      break;
    }
    bt_pane_text(frame->screen, 1, at, totals[i].count ? totals[i].role : BT_ROLE_DIM, text);
    at += width + gap;
  }
  if (right_columns)
    bt_pane_text(frame->screen, 1, columns - right_columns - 1, right_role, right);
}

/* First, where there are any: what is marked is never the part that is left out. */
static size_t mark_total(const struct bt_frame *frame, struct total *totals) {
  totals[0] = (struct total){"marked", frame->scene->mark_count, BT_ROLE_MARK};
  return frame->scene->mark_count > 0;
}

static void lock_totals(const struct bt_frame *frame) {
  struct total totals[BT_LOCK_VERDICT_COUNT + 1];
  size_t marks = mark_total(frame, totals);
  for (size_t i = 0; i < BT_LOCK_VERDICT_COUNT; i++)
    totals[marks + i] = (struct total){bt_lock_verdict_word((enum bt_lock_verdict)i), frame->snapshot->lock_counts[i],
                                       bt_role_of_verdict((enum bt_lock_verdict)i)};
  draw_totals(frame, totals, marks + BT_LOCK_VERDICT_COUNT,
              frame->screen.columns >= 110 ? "nothing is removed without asking" : "", BT_ROLE_DIM);
}

void bt_frame_totals(const struct bt_frame *frame) {
  const struct bt_snapshot *snapshot = frame->snapshot;
  struct total totals[BT_STATE_COUNT + 2];
  char right[BT_PART_BYTES * 2] = "", left_time[BT_PART_BYTES];
  size_t live;
  if (frame->scene->page == BT_PAGE_LOCKS) {
    lock_totals(frame);
    return;
  }
  size_t marks = mark_total(frame, totals), due = bt_snapshot_due(snapshot);
  if (due)
    totals[marks++] = (struct total){"HANDOVER DUE", due, BT_ROLE_WARNING};
  for (size_t i = 0; i < BT_STATE_COUNT; i++)
    totals[marks + i] =
        (struct total){bt_state_word((enum bt_state)i), snapshot->state_counts[i], bt_role_of_state((enum bt_state)i)};
  const struct bt_grant *grant = bt_live_grant(snapshot, frame->now_ms, &live);
  if (grant) {
    bt_countdown(left_time, grant->expires_at_ms - frame->now_ms);
    if (frame->screen.columns >= 110)
      snprintf(right, sizeof right, "%zu bypass grant%s live, %s left", live, live == 1 ? "" : "s", left_time);
    else
      snprintf(right, sizeof right, "grant %s", left_time);
    if (snapshot->transcripts_pending)
      snprintf(right + strlen(right), sizeof right - strlen(right), ", %zu unread", snapshot->transcripts_pending);
  } else if (snapshot->transcripts_pending) {
    snprintf(right, sizeof right, frame->screen.columns >= 100 ? "%zu transcripts still to be read" : "%zu unread",
             snapshot->transcripts_pending);
  } else if (frame->screen.columns >= 100) {
    snprintf(right, sizeof right, "%zu session%s", snapshot->session_count, snapshot->session_count == 1 ? "" : "s");
  }
  draw_totals(frame, totals, marks + BT_STATE_COUNT, right, grant ? BT_ROLE_WARNING : BT_ROLE_DIM);
}

void bt_frame_notice(const struct bt_frame *frame) {
  char text[512];
  bool bad;
  if (frame->layout.notice_row < 0 || !bt_notice(frame->snapshot, text, sizeof text, &bad))
    return;
  int at = 1 + bt_pane_text(frame->screen, frame->layout.notice_row, 1, bad ? BT_ROLE_WARNING : BT_ROLE_DIM,
                            bad ? "[!!]" : "[..]");
  bt_pane_field(frame->screen, frame->layout.notice_row, at + 1, frame->screen.columns - at - 2, BT_ALIGN_LEFT,
                bad ? BT_ROLE_BOLD : BT_ROLE_DIM, text);
}

/* ---- footer ---- */

/* What may be typed, as long as nothing is. */
static void draw_placeholder(const struct bt_frame *frame, int row, const struct bt_field *field, const char *words) {
  int at = frame->cursor->column + 2, room = frame->screen.columns - at - 1;
  if (field->length == 0 && room > 0)
    bt_pane_field(frame->screen, row, at, room, BT_ALIGN_LEFT, BT_ROLE_DIM, words);
}

/* The typed text with its end, and so the cursor, in sight. */
static void draw_prompt(const struct bt_frame *frame, int row, const char *label, const struct bt_field *field,
                        int right) {
  struct bt_pane line = bt_pane_cut(frame->screen, row, 0, 1, frame->screen.columns - right);
  bt_pane_fill(line, BT_ROLE_DEFAULT);
  int at = 1 + bt_pane_text(line, 0, 1, BT_ROLE_KEY, label);
  bt_field_draw(bt_pane_cut(line, 0, at + 1, 1, line.columns - at - 2), field, true, frame->cursor);
}

static void draw_match_count(const struct bt_frame *frame, int row) {
  const struct bt_text_rows *text = bt_prepared_text(frame->scene);
  char found[BT_PART_BYTES];
  if (!text || !frame->scene->search.length)
    return;
  if (!text->hit_count)
    snprintf(found, sizeof found, "not found");
  else
    snprintf(found, sizeof found, "%zu of %zu%s", frame->scene->hit + 1, text->hit_count,
             text->hit_count == BT_TEXT_HITS_MAX ? "+" : "");
  int width = width_of(frame, found);
  bt_pane_text(frame->screen, row, frame->screen.columns - width - 1,
               text->hit_count ? BT_ROLE_DIM : BT_ROLE_MESSAGE_WARN, found);
}

/* The letters that choose a column, in the row of the hints as well where one is too short for them; those that do not
 * fit even so work all the same. */
static void draw_sorts(const struct bt_frame *frame, int row) {
  enum { LEAVE = 12 }; /* of the row of the hints: how to leave */
  int width = 9, at = 1, columns = frame->screen.columns;
  for (int sort = 0; sort < BT_SORT_COUNT; sort++)
    width += 3 + width_of(frame, bt_sort_spelling((enum bt_sort)sort));
  bool two = width > columns && frame->layout.hints_row == row - 1 && columns > 2 * LEAVE;
  bt_pane_fill(bt_pane_cut(frame->screen, row, 0, 1, columns), BT_ROLE_DEFAULT);
  struct bt_pane line = bt_pane_cut(frame->screen, two ? row - 1 : row, 0, 1, two ? columns - LEAVE : columns);
  at += bt_pane_text(line, 0, 1, BT_ROLE_KEY, "sort by:");
  for (int sort = 0; sort < BT_SORT_COUNT; sort++) {
    char letter[2] = {bt_sort_letter((enum bt_sort)sort), 0};
    const char *word = bt_sort_spelling((enum bt_sort)sort);
    if (two && line.row == frame->screen.row + row - 1 && at + 3 + width_of(frame, word) > line.columns) {
      line = bt_pane_cut(frame->screen, row, 0, 1, columns);
      at = 0;
    }
    at += 1 + bt_pane_text(line, 0, at + 1, BT_ROLE_KEY, letter);
    at += 1 + bt_pane_text(line, 0, at + 1, BT_ROLE_DEFAULT, word);
  }
}

void bt_frame_no_match(struct bt_pane list, const char *what, const char *filter, enum bt_filter_rows rows) {
  struct bt_slice doubt = bt_filter_doubt(filter, rows);
  int row = list.rows > 2;
  char text[160];
  snprintf(text, sizeof text, "No %s matches the filter. Esc clears it.", what);
  bt_pane_text(list, row, 2, BT_ROLE_DIM, text);
  if (!doubt.data || row + 1 >= list.rows)
    return;
  snprintf(text, sizeof text, "%.*s is searched as plain text: no such field%s.",
           doubt.length < 40 ? (int)doubt.length : 40, doubt.data,
           rows == BT_FILTER_SESSIONS ? ", or no age (age>90m, age<2d)" : "");
  bt_pane_field(list, row + 1, 2, list.columns - 3, BT_ALIGN_LEFT, BT_ROLE_DIM, text);
}

/* A message wider than its row: what it says last, a path, is often what is wanted. */
static bool message_is_long(const struct bt_frame *frame) {
  const struct bt_scene *scene = frame->scene;
  return scene->prompt == BT_PROMPT_NONE && scene->message &&
         frame->layout.hints_row == frame->layout.message_row - 1 &&
         bt_text_width(scene->message, strlen(scene->message), scene->unicode, frame->screen.columns) >
             frame->screen.columns - 2;
}

bool bt_frame_hints_covered(const struct bt_frame *frame) {
  if (frame->layout.hints_row == frame->layout.message_row)
    return frame->scene->message || frame->scene->prompt;
  return message_is_long(frame);
}

/* From the row of the hints on; what does not fit into both rows ends in the sign for that. */
static void draw_long_message(const struct bt_frame *frame) {
  const struct bt_scene *scene = frame->scene;
  int room = frame->screen.columns - 2, row = frame->layout.hints_row;
  enum bt_role role = bt_role_of_severity(scene->severity);
  size_t skip, taken = bt_text_row(scene->message, strlen(scene->message), room, 1, scene->unicode, &skip);
  bt_pane_slice(frame->screen, row, 1, role, scene->message, taken);
  bt_pane_field(frame->screen, row + 1, 1, room, BT_ALIGN_LEFT, role, scene->message + taken + skip);
}

void bt_frame_footer(const struct bt_frame *frame) {
  const struct bt_scene *scene = frame->scene;
  const struct bt_layout *layout = &frame->layout;
  bool message = scene->message && *scene->message;
  if (layout->rule_row >= 0)
    bt_pane_rule(bt_pane_cut(frame->screen, layout->rule_row, 0, 1, frame->screen.columns), 0, NULL, NULL);
  if (message_is_long(frame)) {
    draw_long_message(frame);
    return;
  }
  if (layout->hints_row != layout->message_row || (!message && scene->prompt == BT_PROMPT_NONE))
    bt_hint_line_draw(frame, layout->hints_row);
  if (scene->prompt == BT_PROMPT_FILTER) {
    draw_prompt(frame, layout->message_row, "filter:", &scene->filter, 0);
    draw_placeholder(frame, layout->message_row, &scene->filter,
                     bt_filter_words(scene->page == BT_PAGE_LOCKS ? BT_FILTER_LOCKS : BT_FILTER_SESSIONS));
  } else if (scene->prompt == BT_PROMPT_COMMAND) {
    draw_prompt(frame, layout->message_row, ":", &scene->command, 0);
  } else if (scene->prompt == BT_PROMPT_ASK) {
    draw_prompt(frame, layout->message_row, "session or path:", &scene->ask, 0);
  } else if (scene->prompt == BT_PROMPT_SORT) {
    draw_sorts(frame, layout->message_row);
  } else if (scene->prompt == BT_PROMPT_LOG) {
    draw_prompt(frame, layout->message_row, "filter:", &scene->log_filter, 0);
    draw_placeholder(frame, layout->message_row, &scene->log_filter, bt_filter_words(BT_FILTER_LOG));
  } else if (scene->prompt == BT_PROMPT_SEARCH) {
    draw_prompt(frame, layout->message_row, "search:", &scene->search, 14);
    draw_match_count(frame, layout->message_row);
  } else if (scene->prompt == BT_PROMPT_HELP) {
    draw_prompt(frame, layout->message_row, "find:", &scene->help_filter, 0);
  } else if (message) {
    bt_pane_field(frame->screen, layout->message_row, 1, frame->screen.columns - 2, BT_ALIGN_LEFT,
                  bt_role_of_severity(scene->severity), scene->message);
  }
}
