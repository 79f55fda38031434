/* views/prepare.c - filtered rows, wrapped lines and search hits, kept until what they rest on changes. */
#include "views/prepare.h"

#include <stdlib.h>
#include <string.h>

#include "core/model/filter.h"

#include "views/layout.h"
#include "views/order.h"
#include "views/text.h"
#include "views/view.h"

struct text_key {
  const void *source;
  size_t length;
  int columns;
  bool unicode;
  char search[BT_FIELD_BYTES];
};

struct bt_prepared_key {
  const struct bt_snapshot *snapshot;
  char filter[BT_FIELD_BYTES];
  bool only_problems, sort_reversed;
  enum bt_sort sort;
  const struct bt_log_view *log;
  char log_filter[BT_FIELD_BYTES];
  struct text_key brief, raw, dialog;
};

/* Makes room for one more of `size` bytes each; false when memory is short. */
static bool grow(void **items, size_t count, size_t *room, size_t size) {
  if (count < *room)
    return true;
  size_t wanted = *room ? *room * 2 : 64;
  if (wanted > SIZE_MAX / size)
    return false;
  void *bigger = realloc(*items, wanted * size);
  if (!bigger)
    return false;
  *items = bigger;
  *room = wanted;
  return true;
}

static bool push_index(uint32_t **items, size_t *count, size_t *room, size_t index) {
  void *list = *items;
  if (!grow(&list, *count, room, sizeof **items))
    return false;
  *items = list;
  (*items)[(*count)++] = (uint32_t)index;
  return true;
}

static bool push_line(struct bt_text_rows *rows, struct bt_line line) {
  void *list = rows->lines;
  if (!grow(&list, rows->line_count, &rows->line_room, sizeof *rows->lines))
    return false;
  rows->lines = list;
  rows->lines[rows->line_count++] = line;
  return true;
}

static bool push_hit(struct bt_text_rows *rows, struct bt_hit hit) {
  void *list = rows->hits;
  if (!grow(&list, rows->hit_count, &rows->hit_room, sizeof *rows->hits))
    return false;
  rows->hits = list;
  rows->hits[rows->hit_count++] = hit;
  return true;
}

/* ---- rows of the list and of the locks ---- */

static bool is_shown(const struct bt_snapshot *snapshot, const struct bt_session *session, const char *filter,
                     const struct bt_scene *scene) {
  return (!scene->only_problems || bt_needs_somebody(snapshot, session)) &&
         bt_filter_session(filter, session, snapshot->taken_at_ms);
}

static bool sort_rows(struct bt_prepared *prepared, const struct bt_snapshot *snapshot, const struct bt_scene *scene) {
  size_t count = prepared->session_count;
  bool as_it_is = scene->sort == BT_SORT_TRIAGE && !scene->sort_reversed && bt_snapshot_due(snapshot) == 0;
  if (as_it_is || count < 2)
    return true;
  struct bt_order_item *items = calloc(count, sizeof *items);
  bool sorted = items != NULL;
  if (sorted)
    bt_order_sessions(prepared->sessions, items, count, snapshot, scene->sort, scene->sort_reversed);
  free(items);
  return sorted;
}

static bool fill_rows(struct bt_prepared *prepared, const struct bt_snapshot *snapshot, const char *filter,
                      const struct bt_scene *scene) {
  prepared->session_count = prepared->lock_count = 0;
  for (size_t i = 0; snapshot && i < snapshot->session_count; i++)
    if (is_shown(snapshot, &snapshot->sessions[i], filter, scene) &&
        !push_index(&prepared->sessions, &prepared->session_count, &prepared->session_room, i))
      return false;
  if (!sort_rows(prepared, snapshot, scene))
    return false;
  for (size_t i = 0; snapshot && i < snapshot->lock_count; i++)
    if (bt_filter_lock(filter, &snapshot->locks[i]) &&
        !push_index(&prepared->locks, &prepared->lock_count, &prepared->lock_room, i))
      return false;
  return true;
}

static bool fill_log(struct bt_prepared *prepared, const struct bt_log_view *log, const char *filter) {
  prepared->log_count = 0;
  for (size_t i = 0; log && i < log->count; i++)
    if (bt_filter_log(filter, &log->rows[i]) &&
        !push_index(&prepared->log, &prepared->log_count, &prepared->log_room, i))
      return false;
  return true;
}

/* ---- lines of a text ---- */

struct wrap {
  struct bt_text_rows *rows;
  const char *text;
  size_t length;
  uint16_t file;
  int columns;
  bool unicode;
};

static bool wrap_line(const struct wrap *wrap, size_t offset, size_t length, size_t number) {
  size_t done = 0;
  do {
    size_t skip = 0, take = 0;
    if (length > done)
      take = bt_text_row(wrap->text + offset + done, length - done, wrap->columns, BT_TEXT_TAB, wrap->unicode, &skip);
    struct bt_line line = {(uint32_t)(offset + done), (uint32_t)take, (uint32_t)number, wrap->file, false, done > 0};
    if (!push_line(wrap->rows, line))
      return false;
    done += take + skip;
  } while (done < length && wrap->rows->line_count < BT_TEXT_ROWS_MAX);
  return true;
}

static bool wrap_text(const struct wrap *wrap) {
  size_t offset = 0, number = 0;
  while (offset < wrap->length && wrap->rows->line_count < BT_TEXT_ROWS_MAX) {
    size_t whole, length = bt_text_line(wrap->text + offset, wrap->length - offset, &whole);
    if (!wrap_line(wrap, offset, length, ++number))
      return false;
    offset += whole;
  }
  wrap->rows->cut = wrap->rows->cut || offset < wrap->length;
  wrap->rows->source_lines += number;
  return true;
}

/* Hits of one text; its rows are lines[first..]. The search runs on the text, so a hit may cross a wrapped row, but
 * never a line: a needle holds no newline. */
static bool find_hits(struct bt_text_rows *rows, size_t first, const char *text, size_t length, const char *needle) {
  size_t needle_length = strlen(needle), at = 0, row = first;
  while (rows->hit_count < BT_TEXT_HITS_MAX) {
    size_t found = bt_text_search(text + at, length - at, needle, needle_length);
    if (found == SIZE_MAX)
      return true;
    at += found;
    while (row + 1 < rows->line_count && rows->lines[row + 1].offset <= at)
      row++;
    if (row >= rows->line_count)
      return true;
    if (!push_hit(rows, (struct bt_hit){(uint32_t)row, (uint32_t)at, (uint32_t)needle_length}))
      return false;
    at += needle_length;
  }
  return true;
}

static void empty_text(struct bt_text_rows *rows) {
  rows->line_count = rows->hit_count = rows->source_lines = 0;
  rows->cut = false;
}

static bool same_text(const struct text_key *a, const struct text_key *b) {
  return a->source == b->source && a->length == b->length && a->columns == b->columns && a->unicode == b->unicode &&
         strcmp(a->search, b->search) == 0;
}

static bool fill_text(struct bt_text_rows *rows, const struct text_key *key) {
  empty_text(rows);
  if (!key->source)
    return true;
  struct wrap wrap = {rows, key->source, key->length, 0, key->columns, key->unicode};
  return wrap_text(&wrap) && find_hits(rows, 0, wrap.text, wrap.length, key->search);
}

static bool fill_raw(struct bt_prepared *prepared, const struct bt_scene *scene, const struct text_key *key) {
  struct bt_text_rows *rows = &prepared->raw;
  empty_text(rows);
  for (size_t i = 0; key->source && i < scene->raw_count && i < UINT16_MAX; i++) {
    const struct bt_raw_file *file = &scene->raw[i];
    struct bt_line head = {0, 0, 0, (uint16_t)i, true, false};
    if (!push_line(rows, head))
      return false;
    size_t first = rows->line_count;
    struct wrap wrap = {rows, file->text, file->text ? file->length : 0, (uint16_t)i, key->columns, key->unicode};
    if (!wrap_text(&wrap) || (first < rows->line_count && !find_hits(rows, first, wrap.text, wrap.length, key->search)))
      return false;
  }
  return true;
}

static void keys_of(struct bt_prepared_key *key, const struct bt_snapshot *snapshot, const struct bt_scene *scene) {
  const struct bt_session *session =
      snapshot && scene->session_id ? bt_snapshot_session(snapshot, scene->session_id) : NULL;
  bool reading = scene->page == BT_PAGE_SESSION;
  int columns = bt_layout_text_columns(scene);
  memset(key, 0, sizeof *key);
  key->snapshot = snapshot;
  memcpy(key->filter, scene->filter.text, sizeof key->filter);
  key->only_problems = scene->only_problems;
  key->sort = scene->sort;
  key->sort_reversed = scene->sort_reversed;
  key->log = scene->log;
  memcpy(key->log_filter, scene->log_filter.text, sizeof key->log_filter);
  const struct bt_capture *capture = session ? session->capture : NULL;
  if (reading && scene->tab == BT_TAB_BRIEF && scene->diff) {
    key->brief.source = scene->diff->text;
    key->brief.length = scene->diff->length;
  } else if (reading && scene->tab == BT_TAB_BRIEF && capture && capture->text) {
    key->brief.source = capture->text;
    key->brief.length = capture->text_length;
  }
  if (scene->overlay == BT_OVERLAY_DIALOG) {
    key->dialog.source = scene->dialog.reading.text;
    key->dialog.length = scene->dialog.reading.length;
  }
  key->dialog.columns = bt_layout_dialog_text_columns(scene);
  key->dialog.unicode = scene->unicode;
  if (reading && bt_tab_has_files(scene->tab) && scene->tab == scene->raw_for && scene->raw) {
    key->raw.source = scene->raw;
    key->raw.length = scene->raw_count;
  }
  key->brief.columns = key->raw.columns = columns;
  key->brief.unicode = key->raw.unicode = scene->unicode;
  memcpy(key->brief.search, scene->search.text, sizeof key->brief.search);
  memcpy(key->raw.search, scene->search.text, sizeof key->raw.search);
}

enum bt_code bt_prepared_update(struct bt_prepared *prepared, const struct bt_snapshot *snapshot,
                                const struct bt_scene *scene, struct bt_error *err) {
  struct bt_prepared_key now;
  struct bt_prepared_key *old = prepared->key;
  bool whole = true;
  keys_of(&now, snapshot, scene);
  if (!old || old->snapshot != now.snapshot || strcmp(old->filter, now.filter) != 0 ||
      old->only_problems != now.only_problems || old->sort != now.sort || old->sort_reversed != now.sort_reversed)
    whole = fill_rows(prepared, snapshot, now.filter, scene) && whole;
  if (!old || old->log != now.log || strcmp(old->log_filter, now.log_filter) != 0)
    whole = fill_log(prepared, scene->log, now.log_filter) && whole;
  if (!old || !same_text(&old->brief, &now.brief))
    whole = fill_text(&prepared->brief, &now.brief) && whole;
  if (!old || !same_text(&old->dialog, &now.dialog))
    whole = fill_text(&prepared->dialog, &now.dialog) && whole;
  if (!old || !same_text(&old->raw, &now.raw))
    whole = fill_raw(prepared, scene, &now.raw) && whole;
  prepared->snapshot = snapshot;
  if (!old)
    old = prepared->key = malloc(sizeof *old);
  if (!old || !whole) {
    bt_prepared_forget(prepared);
    return bt_error_set(err, BT_NOMEM, NULL, "the screen cannot be prepared");
  }
  *old = now;
  return BT_OK;
}

void bt_prepared_forget(struct bt_prepared *prepared) {
  free(prepared->key);
  prepared->key = NULL;
}

void bt_prepared_dispose(struct bt_prepared *prepared) {
  bt_prepared_forget(prepared);
  free(prepared->sessions);
  free(prepared->locks);
  free(prepared->log);
  free(prepared->brief.lines);
  free(prepared->brief.hits);
  free(prepared->dialog.lines);
  free(prepared->dialog.hits);
  free(prepared->raw.lines);
  free(prepared->raw.hits);
  memset(prepared, 0, sizeof *prepared);
}

const struct bt_text_rows *bt_prepared_text(const struct bt_scene *scene) {
  if (scene->page != BT_PAGE_SESSION || !scene->prepared)
    return NULL;
  return scene->tab == BT_TAB_BRIEF     ? &scene->prepared->brief
         : bt_tab_has_files(scene->tab) ? &scene->prepared->raw
                                        : NULL;
}
