/* core/records/build_finish.c - the end of a build: timeline, renders, manifest last (spec/session-records.md 7.6, 7.8,
 * 8). */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/records/build_state.h"
#include "core/records/manifest.h"
#include "core/records/units.h"

enum { PAYLOAD, TOOLS, BRIEF, SUMMARY, MANIFEST, DRAFTS };

static const char *const names[DRAFTS] = {BT_FILE_PAYLOAD, BT_FILE_TOOLS, BT_FILE_BRIEF, BT_FILE_SUMMARY,
                                          BT_FILE_MANIFEST};

struct telling { /* what the result line says of others */
  unsigned notes;
  struct bt_str suggestion;
};

static enum bt_code no_memory(struct bt_build *build) {
  return bt_error_set(&build->err, BT_NOMEM, "", "out of memory");
}

static const char *filled(const char *value) {
  return value != NULL && value[0] != '\0' ? value : NULL;
}

static enum bt_code finish_manifest(struct bt_build *build) {
  const struct bt_build_request *request = build->request;
  const char *model = filled(request->model) != NULL ? request->model : request->source->model;
  struct bt_provenance given = {.project = build->project_text,
                                .source = request->source->name,
                                .harness = filled(request->harness),
                                .model = filled(model),
                                .force_harness = request->force_harness,
                                .force_model = request->force_model};
  enum bt_code code = bt_manifest_apply(build->manifest, &given);
  if (code == BT_OK)
    code = bt_manifest_finish(build->manifest, build->highest, build->raw_sha256, build->now, &build->gist);
  return code == BT_OK ? BT_OK : no_memory(build);
}

/* The objective for this build, cut, and without secrets where that was asked for. */
static enum bt_code objective_of(struct bt_build *build, struct bt_str *out) {
  const char *given = filled(build->request->objective);
  struct bt_str clean;
  bt_str_init(&clean, BT_RENDER_BYTES_MAX);
  enum bt_code code = BT_OK;
  if (given != NULL && build->request->redact) {
    code = bt_redact(&clean, given, strlen(given), NULL, &build->err);
    given = clean.data;
  }
  const char *text = given != NULL ? given : bt_gist_objective(&build->gist);
  bt_units_head(out, text, strlen(text), BT_OBJECTIVE_UNITS);
  if (code == BT_OK && out->failed)
    code = no_memory(build);
  bt_str_dispose(&clean);
  return code;
}

static enum bt_code put_text(struct bt_build *build, struct bt_draft *draft, struct bt_str *text, enum bt_code made) {
  if (made != BT_OK || text->failed)
    return no_memory(build);
  bt_outlet_put(&draft->outlet, text->data, text->length);
  bt_str_clear(text);
  return draft->outlet.code;
}

static enum bt_code fill_drafts(struct bt_build *build, struct bt_draft *drafts, const struct bt_render *render) {
  struct bt_str text;
  bt_str_init(&text, BT_RENDER_BYTES_MAX);
  enum bt_code code = bt_render_bodies(&drafts[PAYLOAD].outlet, &drafts[TOOLS].outlet, render, &build->err);
  if (code == BT_OK)
    code = put_text(build, &drafts[BRIEF], &text, bt_render_brief(&text, render));
  if (code == BT_OK)
    code = put_text(build, &drafts[SUMMARY], &text, bt_render_summary(&text, render));
  if (code == BT_OK) {
    bt_json_print_pretty(&text, build->manifest);
    code = put_text(build, &drafts[MANIFEST], &text, BT_OK);
  }
  bt_str_dispose(&text);
  return code;
}

/* PROJECT.md and the links, one build at a time. */
static enum bt_code tell_others(struct bt_build *build, const char *objective, struct telling *telling) {
  enum bt_code code = bt_store_lock_take(&build->lock, build->root, BT_LOCK_STORE, true, &build->err);
  if (code == BT_OK)
    code = bt_project_note(build, objective, &telling->notes, &telling->suggestion);
  bt_store_lock_drop(&build->lock, BT_LOCK_STORE);
  return code;
}

/* All drafts are on disk, and all that may fail is done, before the first takes its name; the manifest takes its name
 * last: a build that died before that is made again as a whole, notes to others included. */
static enum bt_code swap_in(struct bt_build *build, const struct bt_render *render, struct telling *telling) {
  struct bt_draft drafts[DRAFTS];
  enum bt_code code = BT_OK;
  int begun = 0;
  bt_write_sweep(build->dir, &build->lock);
  for (; code == BT_OK && begun < DRAFTS; begun++)
    code = bt_draft_begin(&drafts[begun], build->dir, names[begun], 0666, &build->err);
  for (int i = 0; i < begun; i++) /* until all of them are whole the build may be stopped; then they are swapped in */
    drafts[i].outlet.give_up = build->records->env->give_up;
  if (code == BT_OK)
    code = fill_drafts(build, drafts, render);
  for (int i = 0; code == BT_OK && i < DRAFTS; i++)
    code = bt_draft_settle(&drafts[i], &build->err);
  if (code == BT_OK)
    code = tell_others(build, render->objective, telling);
  for (int i = 0; code == BT_OK && i < DRAFTS; i++) {
    if (i == MANIFEST)
      bt_write_sync(build->dir);
    code = bt_draft_commit(&drafts[i], &build->err);
    build->is_torn = i > 0 && code != BT_OK;
  }
  for (int i = 0; i < begun; i++) {
    if (build->is_torn)
      bt_draft_leave(&drafts[i]);
    else
      bt_draft_drop(&drafts[i]);
  }
  bt_write_sync(build->dir);
  return code;
}

static void put(struct bt_str *out, const char *text) {
  bt_utf8_encode8(out, text, strlen(text));
}

static void say_built(struct bt_build *build, const struct telling *telling) {
  struct bt_str *out = &build->report->out;
  bt_str_puts(out, "handoff: built ");
  put(out, build->id);
  bt_str_puts(out, " project=");
  put(out, build->project_text);
  bt_str_printf(out, " turns=%llu new=%llu rev=", (unsigned long long)build->gist.turns,
                (unsigned long long)build->report->fresh);
  bt_json_print_number(out, bt_manifest_number(build->manifest, "revisions"));
  if (telling->notes > 0)
    bt_str_printf(out, " xlink-notes=%u", telling->notes);
  if (telling->suggestion.length > 0) {
    bt_str_printf(out, " suggest: %s retitle ", build->request->program);
    struct bt_str head;
    bt_str_init(&head, 64);
    bt_units_head(&head, build->id, strlen(build->id), 12);
    put(out, head.data);
    bt_str_dispose(&head);
    bt_str_printf(out, " %s", telling->suggestion.data);
  }
  bt_str_puts(out, " -> ");
  bt_str_puts(out, build->report->folder);
  bt_str_putc(out, '\n');
}

enum bt_code bt_build_index(struct bt_build *build) {
  enum bt_code code = bt_store_lock_take(&build->lock, build->root, BT_LOCK_STORE, true, &build->err);
  if (code == BT_OK || code == BT_READONLY)
    code = bt_record_index_remake(build->root, &build->lock, &build->err);
  bt_store_lock_drop(&build->lock, BT_LOCK_STORE);
  return code;
}

enum bt_code bt_build_finish(struct bt_build *build) {
  struct bt_str state, objective;
  struct bt_render render = {.id = build->id, .gist = &build->gist, .timeline = -1};
  struct telling telling = {.notes = 0};
  struct stat found;
  bt_str_init(&telling.suggestion, 65536);
  bt_str_init(&state, BT_STATE_UNITS * 3);
  bt_str_init(&objective, BT_OBJECTIVE_UNITS * 3);
  enum bt_code code = bt_build_claim(build);
  if (code == BT_OK)
    code = bt_append_commit(&build->append, &build->err);
  if (code == BT_OK && (render.timeline = bt_fs_open_file_at(build->dir, BT_FILE_TIMELINE, &build->err)) < 0)
    code = build->err.code;
  if (code == BT_OK)
    code = fstat(render.timeline, &found) == 0 ? finish_manifest(build)
                                               : bt_error_set(&build->err, BT_IO, BT_FILE_TIMELINE, "cannot be read");
  if (code == BT_OK)
    code = objective_of(build, &objective);
  if (code == BT_OK)
    code = bt_render_state(&state, &build->gist, render.timeline, &build->err);
  if (code == BT_OK) {
    render.manifest = build->manifest;
    render.objective = objective.data;
    render.state = state.data;
    render.timeline_end = (int64_t)found.st_size;
    code = swap_in(build, &render, &telling);
  }
  bool is_sealed = code == BT_OK;
  if (is_sealed) { /* from here on nothing is taken back */
    bt_append_dispose(&build->append, true);
    build->has_append = false;
    code = bt_build_index(build);
  }
  if (code == BT_OK)
    say_built(build, &telling);
  if (render.timeline >= 0)
    (void)close(render.timeline);
  bt_str_dispose(&state);
  bt_str_dispose(&objective);
  bt_str_dispose(&telling.suggestion);
  return code;
}
