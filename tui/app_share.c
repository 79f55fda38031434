/* tui/app_share.c - what leaves the dashboard: the screen as text, a file to read in an editor; and how times are shown. */
#include "tui/app_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"
#include "views/prepare.h"

void app_toggle_times(struct app *app) {
  struct bt_scene *scene = &app->scene;
  scene->utc = !scene->utc;
  scene->utc_offset_s = scene->utc ? 0 : app->local_offset_s;
  app_say(app, BT_SEVERITY_INFO, scene->utc ? "times are UTC" : "times are local");
}

/* Without the blanks at the end of each row. */
static void put_row(struct bt_str *out, const struct bt_surface *surface, int row) {
  size_t end = out->length;
  for (int column = 0; column < surface->columns; column++) {
    const struct bt_cell *cell = bt_surface_cell(surface, row, column);
    if (!cell || cell->width == 0)
      continue;
    bt_str_puts(out, cell->bytes);
    if (strcmp(cell->bytes, " ") != 0)
      end = out->length;
  }
  bt_str_truncate(out, end);
  bt_str_putc(out, '\n');
}

void app_write_view(struct app *app, struct effects *effects) {
  const struct bt_scene *scene = &app->scene;
  struct bt_view_cursor cursor;
  struct bt_surface surface;
  struct bt_cell *cells = calloc(bt_surface_cells_needed(scene->rows, scene->columns), sizeof(*cells));
  bt_str_clear(&app->copied);
  if (cells) {
    bt_surface_init(&surface, cells, scene->rows, scene->columns, scene->unicode);
    app_draw(app, &surface, &cursor);
    for (int row = 0; row < surface.rows; row++)
      put_row(&app->copied, &surface, row);
  }
  if (!cells || app->copied.failed) {
    app_say(app, BT_SEVERITY_ERROR, "the screen could not be written down");
  } else {
    struct effect *effect = app_effect(effects, EFFECT_WRITE_VIEW);
    effect->text = app->copied.data;
    effect->length = app->copied.length;
  }
  free(cells);
}

struct effects app_wrote(struct app *app, const char *path, const struct bt_error *err) {
  if (path) {
    snprintf(app->message, sizeof(app->message), "written to %s", path);
    app_say(app, BT_SEVERITY_GOOD, app->message);
  } else {
    app_say(app, BT_SEVERITY_WARN, err->message[0] ? err->message : bt_code_words(err->code));
  }
  return (struct effects){.changed = true};
}

/* The raw file at the top of its tab; NULL on any other tab. */
static const struct bt_raw_file *file_in_sight(const struct bt_scene *scene) {
  const struct bt_text_rows *rows =
      scene->page == BT_PAGE_SESSION && scene->tab == BT_TAB_RAW ? bt_prepared_text(scene) : NULL;
  size_t top = scene->tabs[BT_TAB_RAW].top;
  if (!rows || top >= rows->line_count || rows->lines[top].file >= scene->raw_count)
    return NULL;
  return &scene->raw[rows->lines[top].file];
}

void app_edit_copy(struct app *app, struct effects *effects) {
  const struct bt_raw_file *file = file_in_sight(&app->scene);
  const struct bt_session *session = app->snapshot ? bt_view_session(&app->scene, app->snapshot) : NULL;
  const struct bt_capture *brief = session ? session->capture : NULL;
  const char *path = file ? file->path : brief ? brief->path : NULL;
  const char *text = file ? file->text : brief ? brief->text : NULL;
  if (!path || !text) {
    app_say(app, BT_SEVERITY_INFO, "there is no file to open here");
    return;
  }
  struct effect *effect = app_effect(effects, EFFECT_EDITOR);
  effect->paths[effect->path_count++] = path;
  effect->text = text;
  effect->length = file ? file->length : brief->text_length;
}

void app_title(const struct app *app, char out[APP_TITLE_BYTES]) {
  const struct bt_snapshot *snapshot = app->snapshot;
  struct bt_str project;
  bt_str_init(&project, (size_t)64 * 1024);
  if (snapshot && snapshot->project)
    bt_text_visible(&project, snapshot->project, strlen(snapshot->project));
  size_t blocked = snapshot ? snapshot->state_counts[BT_STATE_BLOCKED] : 0;
  size_t stale = snapshot ? snapshot->state_counts[BT_STATE_STALE_LOCK] : 0;
  char counts[64] = "";
  if (blocked)
    snprintf(counts, sizeof(counts), " %zu %s", blocked, bt_state_word(BT_STATE_BLOCKED));
  if (stale)
    snprintf(counts + strlen(counts), sizeof(counts) - strlen(counts), " %zu %s", stale,
             bt_state_word(BT_STATE_STALE_LOCK));
  snprintf(out, APP_TITLE_BYTES, "baton%s%s%.60s", counts, project.length ? " - " : "", project.data);
  bt_str_dispose(&project);
}
