/* core/records/deep_renders.c - the renders made again and compared with what is there (deep.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/harness/read_at.h"
#include "core/records/deep_parts.h"
#include "core/records/json_check.h"
#include "core/records/manifest.h"

#define PIECE_BYTES ((size_t)64 << 10)
#define MEMBER_BYTES_MAX ((int64_t)16 << 20)

/* ---- what a render may say that neither timeline nor manifest knows ---- */

struct said { /* of one payload; all may be NULL */
  struct bt_json *session, *objective, *generated_at, *provenance;
};

static void dispose_said(struct said *said) {
  bt_json_free(said->session);
  bt_json_free(said->objective);
  bt_json_free(said->generated_at);
  bt_json_free(said->provenance);
}

static struct bt_json *member_of(int fd, const struct bt_json_check *check, const char *key) {
  const struct bt_json_member_span *span = bt_json_check_member(check, key);
  if (span == NULL || span->end - span->start > MEMBER_BYTES_MAX)
    return NULL;
  size_t length = (size_t)(span->end - span->start);
  char *bytes = malloc(length + 1);
  struct bt_json *value = NULL;
  if (bytes != NULL && bt_read_at(fd, bytes, length, (uint64_t)span->start) == (ssize_t)length)
    value = bt_json_parse(bytes, length, NULL);
  free(bytes);
  return value;
}

static void read_said(struct said *said, int dir, const char *name) {
  struct bt_json_check *check = malloc(sizeof *check);
  struct stat found;
  int fd = bt_fs_open_file_at(dir, name, NULL);
  *said = (struct said){0};
  if (fd >= 0 && check != NULL && fstat(fd, &found) == 0) {
    enum bt_code code = bt_json_check_file(check, fd, (int64_t)found.st_size, name, NULL);
    if (code == BT_OK) {
      said->session = member_of(fd, check, "session");
      said->objective = member_of(fd, check, "objective");
      said->generated_at = member_of(fd, check, "generated_at");
      said->provenance = member_of(fd, check, "provenance");
    }
  }
  if (fd >= 0)
    (void)close(fd);
  free(check);
}

/* A text that both payloads give alike, or NULL. */
static const char *agreed(const struct bt_json *a, const struct bt_json *b) {
  const char *text = bt_json_string(a);
  return bt_text_equals(text, bt_json_string(b)) ? text : NULL;
}

struct expected {
  const char *id, *title, *objective; /* borrowed from below or from the manifest */
  struct said payload, summary;
  struct bt_json *payload_manifest;      /* the manifest as the payloads know it */
  struct bt_open_words open, brief_open; /* of the payloads, and of HANDOFF.md so far */
};

bool bt_deep_is_moved(const struct bt_json *manifest) {
  return bt_json_get(manifest, "prev_project") != NULL;
}

/* After a rename the payloads keep the time and the revision of the build before it. */
static enum bt_code expect_times(struct expected *expected, const struct bt_json *manifest) {
  const char *at = agreed(expected->payload.generated_at, expected->summary.generated_at);
  double revision = bt_manifest_number(expected->payload.provenance, "revision");
  double other = bt_manifest_number(expected->summary.provenance, "revision");
  expected->payload_manifest = bt_json_clone(manifest);
  if (expected->payload_manifest == NULL)
    return BT_NOMEM;
  if (at == NULL || !bt_deep_is_moved(manifest) || bt_text_equals(at, bt_json_get_string(manifest, "updated_at")) ||
      revision != other || revision >= bt_manifest_number(manifest, "revisions"))
    return BT_OK;
  bt_open_words_add(&expected->open, "generated_at and revision, kept from before a rename");
  enum bt_code code = bt_json_set_string(expected->payload_manifest, "updated_at", at);
  return code == BT_OK ? bt_json_set_number(expected->payload_manifest, "revisions", revision) : code;
}

static enum bt_code expect(struct expected *expected, int dir, const char *folder, const struct bt_json *manifest,
                           const struct bt_gist *gist) {
  read_said(&expected->payload, dir, BT_FILE_PAYLOAD);
  read_said(&expected->summary, dir, BT_FILE_SUMMARY);
  const struct bt_json *ours = expected->payload.session, *theirs = expected->summary.session;
  const char *id = agreed(bt_json_get(ours, "id"), bt_json_get(theirs, "id"));
  const char *title = agreed(bt_json_get(ours, "title"), bt_json_get(theirs, "title"));
  const char *objective = agreed(expected->payload.objective, expected->summary.objective);
  const char *own_id = bt_json_get_string(manifest, "session"), *derived = bt_gist_objective(gist);
  expected->id = id != NULL ? id : own_id != NULL ? own_id : "";
  if (!bt_text_equals(expected->id, own_id) && !bt_text_equals(expected->id, folder))
    bt_open_words_add(&expected->open, "the session id");
  expected->title = title;
  if (title != NULL && !bt_text_equals(title, folder))
    bt_open_words_add(&expected->open, "the title");
  expected->objective = objective != NULL ? objective : derived;
  if (!bt_text_equals(expected->objective, derived))
    bt_open_words_add(&expected->open, "the objective, given to the build");
  expected->brief_open = expected->open;
  return expect_times(expected, manifest);
}

/* ---- all of them ---- */

static enum bt_code check_payloads(struct bt_deep *deep, int dir, const struct expected *expected,
                                   const struct bt_render *like, struct bt_error *err) {
  struct bt_compare payload, tools, summary;
  struct bt_str text;
  struct bt_render render = *like;
  render.manifest = expected->payload_manifest;
  bt_str_init(&text, BT_RENDER_BYTES_MAX);
  bt_compare_begin(&payload, dir, BT_FILE_PAYLOAD);
  bt_compare_begin(&tools, dir, BT_FILE_TOOLS);
  bt_compare_begin(&summary, dir, BT_FILE_SUMMARY);
  enum bt_code code = bt_render_bodies(&payload.outlet, &tools.outlet, &render, err);
  if (code == BT_OK)
    code = bt_render_summary(&text, &render);
  bt_outlet_put(&summary.outlet, text.data, text.length);
  enum bt_code flushed = bt_outlet_flush(&summary.outlet);
  bt_compare_end(deep, &payload, BT_FILE_PAYLOAD, expected->open.text);
  bt_compare_end(deep, &summary, BT_FILE_SUMMARY, expected->open.text);
  bt_compare_end(deep, &tools, BT_FILE_TOOLS, "");
  bt_str_dispose(&text);
  return code != BT_OK ? code : flushed;
}

enum bt_code bt_deep_renders(struct bt_deep *deep, int dir, const char *folder, const struct bt_json *manifest,
                             const struct bt_gist *gist, int timeline, int64_t timeline_end, struct bt_error *err) {
  struct expected expected = {.id = NULL};
  struct bt_str state;
  bt_str_init(&state, BT_STATE_UNITS * 3);
  enum bt_code code = expect(&expected, dir, folder, manifest, gist);
  if (code == BT_OK)
    code = bt_render_state(&state, gist, timeline, err);
  struct bt_render render = {.manifest = manifest,
                             .id = expected.id,
                             .title = expected.title,
                             .objective = expected.objective,
                             .state = state.data,
                             .gist = gist,
                             .timeline = timeline,
                             .timeline_end = timeline_end};
  if (code == BT_OK)
    code = check_payloads(deep, dir, &expected, &render, err);
  if (code == BT_OK)
    code = bt_deep_brief(deep, dir, expected.title, &render, expected.brief_open);
  dispose_said(&expected.payload);
  dispose_said(&expected.summary);
  bt_json_free(expected.payload_manifest);
  bt_str_dispose(&state);
  return code;
}
