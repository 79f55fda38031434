/* core/records/deep_renders.c - the renders made again and compared with what is there (deep.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/harness/read_at.h"
#include "core/records/deep.h"
#include "core/records/edit.h"
#include "core/records/json_check.h"
#include "core/records/manifest.h"

#define PIECE_BYTES ((size_t)64 << 10)
#define MEMBER_BYTES_MAX ((int64_t)16 << 20)

/* ---- a file against what it should be ---- */

struct compare {
  struct bt_outlet outlet; /* first: the outlet's functions get it */
  int fd;
  int64_t at, first_difference; /* -1: none so far */
};

static enum bt_code take(struct bt_outlet *outlet, const char *bytes, size_t length, struct bt_error *err) {
  (void)err;
  struct compare *compare = (struct compare *)outlet;
  char there[4096];
  for (size_t done = 0; done < length && compare->first_difference < 0;) {
    size_t want = length - done < sizeof there ? length - done : sizeof there;
    ssize_t got = bt_read_at(compare->fd, there, want, (uint64_t)(compare->at + (int64_t)done));
    size_t same = 0;
    while (got > 0 && same < (size_t)got && there[same] == bytes[done + same])
      same++;
    if (same < want)
      compare->first_difference = compare->at + (int64_t)(done + same);
    done += want;
  }
  compare->at += (int64_t)length;
  return BT_OK;
}

/* False: the file is not there. */
static bool begin(struct compare *compare, int dir, const char *name) {
  bt_outlet_init(&compare->outlet, take, NULL);
  compare->at = 0;
  compare->first_difference = -1;
  compare->fd = bt_fs_open_file_at(dir, name, NULL);
  return compare->fd >= 0;
}

/* The verdict on the whole file. `open` says what nothing covers; may be empty. */
static void conclude(struct bt_deep *deep, struct compare *compare, const char *name, const char *open_words) {
  struct stat found;
  if (compare->fd < 0) {
    bt_deep_add(deep, BT_DEEP_CHANGED, name, "missing");
  } else {
    if (compare->first_difference < 0 && (fstat(compare->fd, &found) != 0 || (int64_t)found.st_size != compare->at))
      compare->first_difference = compare->at;
    if (compare->first_difference >= 0)
      bt_deep_add(deep, BT_DEEP_CHANGED, name, "differs from what the timeline and the manifest give, at byte %lld",
                  (long long)compare->first_difference);
    else
      bt_deep_add(deep, BT_DEEP_PROVED, name, "made again from the timeline%s%s",
                  open_words[0] != '\0' ? "; not covered: " : "", open_words);
    (void)close(compare->fd);
  }
  bt_outlet_dispose(&compare->outlet);
}

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
  struct bt_json *payload_manifest; /* the manifest as the payloads know it */
  char open_words[256];
};

static void leave_open(struct expected *expected, const char *words) {
  size_t length = strlen(expected->open_words);
  snprintf(expected->open_words + length, sizeof expected->open_words - length, "%s%s", length > 0 ? ", " : "", words);
}

static bool is_moved(const struct bt_json *manifest) {
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
  if (at == NULL || !is_moved(manifest) || bt_text_equals(at, bt_json_get_string(manifest, "updated_at")) ||
      revision != other || revision >= bt_manifest_number(manifest, "revisions"))
    return BT_OK;
  leave_open(expected, "generated_at and revision, kept from before a rename");
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
    leave_open(expected, "the session id");
  expected->title = title;
  if (title != NULL && !bt_text_equals(title, folder))
    leave_open(expected, "the title");
  expected->objective = objective != NULL ? objective : derived;
  if (!bt_text_equals(expected->objective, derived))
    leave_open(expected, "the objective, given to the build");
  return expect_times(expected, manifest);
}

/* ---- HANDOFF.md ---- */

/* The value behind `word` at the start of a line, or behind it in that line. Appends nothing where there is none. */
static void value_behind(struct bt_str *out, const char *text, const char *word) {
  const char *at = NULL;
  for (const char *found = strstr(text, word); found != NULL; found = strstr(found + 1, word))
    at = found;
  if (at == NULL)
    return;
  at += strlen(word);
  size_t length = strcspn(at, " |\n");
  bt_str_append(out, at, length);
}

/* Every further retitle leaves one more empty line behind the session-id line. */
static void add_empty_lines(struct bt_str *expected, const char *there) {
  const char *mark = "\n\n*session-id: ";
  const char *ours = strstr(expected->data, mark), *theirs = strstr(there, mark);
  if (ours == NULL || theirs == NULL)
    return;
  size_t at = (size_t)(ours - expected->data) + strlen(mark);
  at += strcspn(expected->data + at, "\n");
  theirs += strlen(mark);
  theirs += strcspn(theirs, "\n");
  size_t more = strspn(theirs, "\n"), have = strspn(expected->data + at, "\n");
  struct bt_str longer;
  bt_str_init(&longer, BT_RENDER_BYTES_MAX);
  bt_str_append(&longer, expected->data, at);
  for (size_t i = have; i < more; i++)
    bt_str_putc(&longer, '\n');
  bt_str_puts(&longer, expected->data + at);
  bt_str_clear(expected);
  bt_str_append(expected, longer.data, longer.length);
  bt_str_dispose(&longer);
}

/* The manifest as HANDOFF.md knows it: after a rename time, revision and hash are those of before. */
static struct bt_json *brief_manifest(const struct bt_json *manifest, const char *there, bool *is_open) {
  struct bt_json *copy = bt_json_clone(manifest);
  struct bt_str updated, revision, hash;
  double number;
  bt_str_init(&updated, 4096);
  bt_str_init(&revision, 4096);
  bt_str_init(&hash, 4096);
  value_behind(&updated, there, "\n**Updated:** ");
  value_behind(&revision, there, "\n- incremental: revisions=");
  value_behind(&hash, there, "\n- manifest sha256: ");
  number = bt_text_to_number(revision.data, revision.length);
  *is_open = copy != NULL && is_moved(manifest) &&
             !bt_text_equals(hash.data, bt_json_get_string(manifest, "manifest_sha256")) &&
             number < bt_manifest_number(manifest, "revisions");
  if (*is_open && (bt_json_set_string(copy, "updated_at", updated.data) != BT_OK ||
                   bt_json_set_number(copy, "revisions", number) != BT_OK ||
                   bt_json_set_string(copy, "manifest_sha256", hash.data) != BT_OK)) {
    bt_json_free(copy);
    copy = NULL;
  }
  bt_str_dispose(&updated);
  bt_str_dispose(&revision);
  bt_str_dispose(&hash);
  return copy;
}

static enum bt_code check_brief(struct bt_deep *deep, int dir, struct expected *expected,
                                const struct bt_render *like) {
  struct bt_str there, text, retitled, session;
  struct compare compare;
  bool is_open = false;
  bt_str_init(&there, BT_RENDER_BYTES_MAX);
  bt_str_init(&text, BT_RENDER_BYTES_MAX);
  bt_str_init(&retitled, BT_RENDER_BYTES_MAX);
  bt_str_init(&session, BT_MANIFEST_BYTES_MAX);
  bool present = bt_fs_read_at(dir, BT_FILE_BRIEF, &there, NULL) == BT_OK;
  struct bt_render render = *like;
  struct bt_json *manifest = brief_manifest(like->manifest, there.data, &is_open);
  render.manifest = manifest;
  render.title = NULL;
  enum bt_code code = manifest != NULL ? bt_render_brief(&text, &render) : BT_NOMEM;
  bt_json_to_text(&session, bt_json_get(manifest, "session"));
  struct bt_edit edit = {.title = expected->title,
                         .session = session.data,
                         .updated_at = bt_json_get_string(manifest, "updated_at"),
                         .manifest_sha256 = bt_json_get_string(manifest, "manifest_sha256"),
                         .revision = bt_manifest_number(manifest, "revisions")};
  if (code == BT_OK && expected->title != NULL) {
    code = bt_edit_brief(&retitled, text.data, text.length, &edit);
    bt_str_clear(&text);
    bt_str_append(&text, retitled.data, retitled.length);
    if (present)
      add_empty_lines(&text, there.data);
  }
  if (is_open)
    leave_open(expected, "Updated, Revision and manifest sha256, kept from before a rename");
  bool begun = begin(&compare, dir, BT_FILE_BRIEF);
  bt_outlet_put(&compare.outlet, text.data, text.length);
  if (begun && code == BT_OK)
    code = bt_outlet_flush(&compare.outlet);
  conclude(deep, &compare, BT_FILE_BRIEF, expected->open_words);
  bt_json_free(manifest);
  bt_str_dispose(&there);
  bt_str_dispose(&text);
  bt_str_dispose(&retitled);
  bt_str_dispose(&session);
  return code;
}

/* ---- all of them ---- */

static enum bt_code check_payloads(struct bt_deep *deep, int dir, const struct expected *expected,
                                   const struct bt_render *like, struct bt_error *err) {
  struct compare payload, tools, summary;
  struct bt_str text;
  struct bt_render render = *like;
  render.manifest = expected->payload_manifest;
  bt_str_init(&text, BT_RENDER_BYTES_MAX);
  bool has_payload = begin(&payload, dir, BT_FILE_PAYLOAD), has_tools = begin(&tools, dir, BT_FILE_TOOLS);
  bool has_summary = begin(&summary, dir, BT_FILE_SUMMARY);
  payload.first_difference = has_payload ? -1 : 0; /* a missing file is not read */
  tools.first_difference = has_tools ? -1 : 0;
  summary.first_difference = has_summary ? -1 : 0;
  enum bt_code code = bt_render_bodies(&payload.outlet, &tools.outlet, &render, err);
  if (code == BT_OK)
    code = bt_render_summary(&text, &render);
  bt_outlet_put(&summary.outlet, text.data, text.length);
  enum bt_code flushed = bt_outlet_flush(&summary.outlet);
  conclude(deep, &payload, BT_FILE_PAYLOAD, expected->open_words);
  conclude(deep, &summary, BT_FILE_SUMMARY, expected->open_words);
  conclude(deep, &tools, BT_FILE_TOOLS, "");
  bt_str_dispose(&text);
  return code != BT_OK ? code : flushed;
}

enum bt_code bt_deep_renders(struct bt_deep *deep, int dir, const char *folder, const struct bt_json *manifest,
                             const struct bt_gist *gist, int timeline, int64_t timeline_end, struct bt_error *err) {
  struct expected expected = {.open_words = ""};
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
    code = check_brief(deep, dir, &expected, &render);
  dispose_said(&expected.payload);
  dispose_said(&expected.summary);
  bt_json_free(expected.payload_manifest);
  bt_str_dispose(&state);
  return code;
}
