/* core/records/render_brief.c - HANDOFF.md, the brief for people (render.h; spec/session-records.md 8.5). */
#include <string.h>

#include "core/base/utf8.h"
#include "core/records/render.h"

#define FENCE "```\n"

static void put_text(struct bt_str *out, const char *text) {
  bt_utf8_encode8(out, text, strlen(text));
}

/* A value of the manifest in its string form. */
static void put_value(struct bt_str *out, const struct bt_json *manifest, const char *key) {
  struct bt_str text;
  bt_str_init(&text, out->ceiling);
  bt_json_to_text(&text, bt_json_get(manifest, key));
  bt_utf8_encode8(out, text.data, text.length);
  out->failed = out->failed || text.failed;
  bt_str_dispose(&text);
}

static void put_head(struct bt_str *out, const struct bt_render *render) {
  const struct bt_json *manifest = render->manifest;
  bt_str_puts(out, "# Handoff: ");
  put_text(out, render->title != NULL ? render->title : render->id);
  bt_str_puts(out, "\n\n**Project:** ");
  put_value(out, manifest, "project");
  bt_str_puts(out, "  |  **Harness:** ");
  put_value(out, manifest, "harness");
  if (bt_json_truthy(bt_json_get(manifest, "model"))) {
    bt_str_puts(out, "  |  **Model:** ");
    put_value(out, manifest, "model");
  }
  bt_str_puts(out, "\n**Updated:** ");
  put_value(out, manifest, "updated_at");
  bt_str_puts(out, "  |  **Turns:** ");
  put_value(out, manifest, "turn_count");
  bt_str_puts(out, "  |  **Revision:** ");
  put_value(out, manifest, "revisions");
  bt_str_puts(out, "  |  **Watermark:** seq <= ");
  put_value(out, manifest, "watermark");
  bt_str_puts(out, "\n\n");
}

static void put_fenced(struct bt_str *out, const char *heading, const char *text) {
  bt_str_puts(out, heading);
  bt_str_puts(out, "\n\n" FENCE);
  put_text(out, text);
  bt_str_puts(out, "\n" FENCE "\n");
}

static void put_loops(struct bt_str *out, const struct bt_loops *loops) {
  if (loops->count == 0)
    return;
  bt_str_puts(out, "## Open loops / next steps\n");
  for (size_t i = 0; i < loops->count; i++) {
    bt_str_puts(out, "- ");
    put_text(out, loops->lines[i]);
    bt_str_putc(out, '\n');
  }
  bt_str_putc(out, '\n');
}

static void put_table(struct bt_str *out, const struct bt_render *render) {
  const struct bt_gist *gist = render->gist;
  bt_str_puts(out, "## Recent timeline (last 40 of ");
  put_value(out, render->manifest, "turn_count");
  bt_str_puts(out, " turns)\n\n| seq | class | text (head 120) |\n|---:|---|---|\n");
  for (size_t i = 0; i < gist->row_count; i++) {
    const struct bt_gist_row *row = &gist->rows[(gist->row_first + i) % BT_GIST_ROWS];
    bt_str_puts(out, "| ");
    bt_str_append(out, row->seq.data, row->seq.length);
    bt_str_puts(out, " | ");
    bt_str_append(out, row->class_word.data, row->class_word.length);
    bt_str_puts(out, " | ");
    bt_str_append(out, row->digest.data, row->digest.length);
    bt_str_puts(out, " |\n");
  }
  bt_str_putc(out, '\n');
}

static void put_places(struct bt_str *out, const struct bt_render *render) {
  bt_str_puts(out, "## Where everything lives\n- Full timeline (append-only): timeline.jsonl (");
  put_value(out, render->manifest, "turn_count");
  bt_str_printf(out, " turns)\n- All %llu tool calls verbatim: TOOLS.md\n",
                (unsigned long long)render->gist->counts[BT_CLASS_TOOL]);
  bt_str_puts(out, "- Machine payload: HANDOFF.llm.json / Compact payload: HANDOFF.summary.json\n\n");
}

static void put_provenance(struct bt_str *out, const struct bt_json *manifest) {
  bt_str_puts(out, "## Provenance\n- sources: ");
  const struct bt_json *paths = bt_json_get(manifest, "source_paths");
  for (const struct bt_json *path = bt_json_first(paths); path != NULL; path = bt_json_next(path)) {
    struct bt_str text;
    bt_str_init(&text, out->ceiling);
    if (!bt_json_is_nullish(path))
      bt_json_to_text(&text, path);
    bt_utf8_encode8(out, text.data, text.length);
    bt_str_puts(out, bt_json_next(path) != NULL ? ", " : "");
    out->failed = out->failed || text.failed;
    bt_str_dispose(&text);
  }
  bt_str_puts(out, "\n- raw sha256: ");
  put_value(out, manifest, "raw_sha256");
  bt_str_puts(out, "\n- manifest sha256: ");
  put_value(out, manifest, "manifest_sha256");
  bt_str_puts(out, "\n- incremental: revisions=");
  put_value(out, manifest, "revisions");
  bt_str_puts(out, " (update-not-recreate)\n");
}

enum bt_code bt_render_brief(struct bt_str *out, const struct bt_render *render) {
  put_head(out, render);
  put_fenced(out, "## Objective (verbatim)", render->objective);
  put_fenced(out, "## State right now (verbatim tail)", render->state);
  put_loops(out, &render->gist->loops);
  put_table(out, render);
  put_places(out, render);
  put_provenance(out, render->manifest);
  return out->failed ? BT_NOMEM : BT_OK;
}
