/* core/records/deep.c - see deep.h. */
#include "core/records/deep.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/utf8.h"
#include "core/records/manifest.h"
#include "core/records/timeline.h"

const char *bt_deep_word(enum bt_deep_verdict verdict) {
  static const char *const words[] = {"proved", "changed", "not covered"};
  return words[verdict];
}

void bt_deep_init(struct bt_deep *deep) {
  *deep = (struct bt_deep){.count = 0};
}

void bt_deep_dispose(struct bt_deep *deep) {
  for (size_t i = 0; i < deep->count; i++) {
    free(deep->parts[i].name);
    free(deep->parts[i].words);
  }
  bt_deep_init(deep);
}

void bt_deep_add(struct bt_deep *deep, enum bt_deep_verdict verdict, const char *name, const char *fmt, ...) {
  char words[512];
  va_list args;
  va_start(args, fmt);
  (void)vsnprintf(words, sizeof words, fmt, args);
  va_end(args);
  deep->changed += verdict == BT_DEEP_CHANGED;
  if (deep->count == BT_DEEP_PARTS_MAX)
    return;
  struct bt_deep_part *part = &deep->parts[deep->count++];
  *part = (struct bt_deep_part){verdict, strdup(name), strdup(words)};
  deep->failed = deep->failed || part->name == NULL || part->words == NULL;
}

/* ---- the timeline by itself ---- */

struct reading {
  struct bt_record_reader reader;
  struct bt_gist gist;
  uint64_t broken, odd; /* lines that are no turn; lines that no build writes so */
};

static enum bt_code on_line(void *context, const char *line, size_t length, int64_t offset, bool is_open,
                            struct bt_error *err) {
  struct reading *reading = context;
  struct bt_record_turn turn;
  (void)is_open;
  enum bt_code code = bt_record_turn_read(&reading->reader, line, length, &turn);
  if (code == BT_CORRUPT) {
    reading->broken++;
    return BT_OK;
  }
  reading->odd += code == BT_OK && !bt_record_turn_is_plain(&turn, line, length);
  if (code == BT_OK)
    code = bt_gist_add(&reading->gist, &turn, offset, length);
  return code == BT_OK ? BT_OK : bt_error_set(err, code, BT_FILE_TIMELINE, "out of memory");
}

static bool counts_hold(struct bt_deep *deep, const struct bt_json *manifest, const struct bt_gist *gist) {
  struct bt_json *counts = bt_counts_json(gist);
  deep->failed |= counts == NULL;
  bool hold = counts != NULL && bt_json_equals(counts, bt_json_get(manifest, "counts")) &&
              bt_manifest_number(manifest, "turn_count") == (double)gist->turns;
  bt_json_free(counts);
  return hold;
}

/* What can be said without a source: a sound shape, and the numbers of the manifest. True: the renders may be made. */
static bool judge_shape(struct bt_deep *deep, const struct bt_json *manifest, const struct reading *reading,
                        const struct bt_timeline_shape *shape, int64_t size) {
  bool is_empty = reading->gist.turns == 0 && size == 1;
  if (reading->broken > 0)
    bt_deep_add(deep, BT_DEEP_CHANGED, BT_FILE_TIMELINE, "%llu lines are no turn", (unsigned long long)reading->broken);
  else if (!shape->is_normal && !is_empty)
    bt_deep_add(deep, BT_DEEP_CHANGED, BT_FILE_TIMELINE, "empty lines, CR LF, or no line end at the end");
  else if (!counts_hold(deep, manifest, &reading->gist))
    bt_deep_add(deep, BT_DEEP_CHANGED, BT_FILE_TIMELINE, "its turns are not those that the manifest counts");
  else
    return true;
  return reading->broken == 0;
}

/* ---- the source ---- */

static enum bt_code judge_sources(struct bt_deep *deep, const struct bt_records *records,
                                  const struct bt_json *manifest, int timeline, int64_t size, bool *gives,
                                  struct bt_error *err) {
  const struct bt_json *paths = bt_json_get(manifest, "source_paths");
  const char *raw = bt_json_get_string(manifest, "raw_sha256"), *harness = bt_json_get_string(manifest, "harness");
  enum bt_code code = BT_OK;
  *gives = false;
  for (const struct bt_json *path = bt_json_first(paths); code == BT_OK && path != NULL; path = bt_json_next(path)) {
    enum bt_source_state state = BT_SOURCE_GONE;
    bool adapted = false;
    struct bt_str name;
    if (bt_json_string(path) == NULL)
      continue;
    bt_str_init(&name, BT_MANIFEST_BYTES_MAX);
    bt_str_printf(&name, "source %s", bt_json_string(path));
    code = bt_source_look(records->env, bt_json_string(path), harness, raw != NULL ? raw : "", &state, &adapted, err);
    if (code == BT_OK && state == BT_SOURCE_UNCHANGED && !*gives)
      code = bt_source_gives(records->env, bt_json_string(path), harness, adapted, timeline, size, gives, err);
    if (state == BT_SOURCE_UNCHANGED)
      bt_deep_add(deep, BT_DEEP_PROVED, name.data, "unchanged: its hash is the manifest's%s",
                  adapted ? ", adapted again" : "");
    else if (state == BT_SOURCE_GROWN)
      bt_deep_add(deep, BT_DEEP_NOT_COVERED, name.data, "grown since: what was read is its beginning");
    else
      bt_deep_add(deep, BT_DEEP_NOT_COVERED, name.data,
                  state != BT_SOURCE_GONE          ? "not the bytes that were read last"
                  : bt_json_string(path)[0] != '/' ? "not found from this folder: its path is relative"
                                                   : "gone");
    bt_str_dispose(&name);
  }
  return code;
}

static void judge_timeline(struct bt_deep *deep, const struct reading *reading, bool gives, size_t changed_renders) {
  char odd[96] = "";
  if (reading->odd > 0)
    snprintf(odd, sizeof odd, "; not covered: %llu lines are not as a build writes them",
             (unsigned long long)reading->odd);
  if (gives)
    bt_deep_add(deep, BT_DEEP_PROVED, BT_FILE_TIMELINE, "%llu turns, line by line as the source gives them",
                (unsigned long long)reading->gist.turns);
  else if (changed_renders == 0)
    bt_deep_add(deep, BT_DEEP_PROVED, BT_FILE_TIMELINE, "%llu turns, the same as in " BT_FILE_PAYLOAD "%s",
                (unsigned long long)reading->gist.turns, odd);
  else
    bt_deep_add(deep, BT_DEEP_NOT_COVERED, BT_FILE_TIMELINE, "it or the renders changed: no source is there to tell%s",
                odd);
}

/* ---- the manifest and the rest ---- */

static bool judge_manifest(struct bt_deep *deep, int dir, const struct bt_json *manifest) {
  struct bt_str there, printed;
  bt_str_init(&there, BT_MANIFEST_BYTES_MAX);
  bt_str_init(&printed, BT_MANIFEST_BYTES_MAX * 6);
  bt_json_print_pretty(&printed, manifest);
  char hex[BT_SHA256_HEX];
  bool hashed = bt_manifest_hash(manifest, hex);
  bool holds = hashed && bt_text_equals(bt_json_get_string(manifest, "manifest_sha256"), hex);
  enum bt_code code = bt_fs_read_at(dir, BT_FILE_MANIFEST, &there, NULL);
  bool as_written =
      code == BT_OK && there.length == printed.length && memcmp(there.data, printed.data, printed.length) == 0;
  deep->failed |= !hashed || printed.failed || code == BT_NOMEM;
  if (!holds)
    bt_deep_add(deep, BT_DEEP_CHANGED, BT_FILE_MANIFEST, "tampered (sha mismatch)");
  else if (!as_written)
    bt_deep_add(deep, BT_DEEP_CHANGED, BT_FILE_MANIFEST,
                "the self-hash holds, but the file is not laid out as it was written");
  else
    bt_deep_add(deep, BT_DEEP_PROVED, BT_FILE_MANIFEST, "the self-hash holds");
  bt_str_dispose(&there);
  bt_str_dispose(&printed);
  return holds;
}

static void judge_strangers(struct bt_deep *deep, int dir) {
  static const char *const own[] = {BT_FILE_MANIFEST, BT_FILE_TIMELINE, BT_FILE_BRIEF,
                                    BT_FILE_SUMMARY,  BT_FILE_PAYLOAD,  BT_FILE_TOOLS};
  struct bt_fs_listing listing;
  if (bt_fs_list_at(dir, ".", &listing, NULL) != BT_OK)
    return;
  for (size_t i = 0; i < listing.count; i++) {
    bool is_own = false;
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
      is_own = is_own || strcmp(listing.names[i], own[k]) == 0;
    if (!is_own)
      bt_deep_add(deep, BT_DEEP_NOT_COVERED, listing.names[i], "no file of a record");
  }
  bt_fs_listing_dispose(&listing);
}

static enum bt_code judge_all(struct bt_deep *deep, const struct bt_records *records, int dir, const char *folder,
                              const struct bt_json *manifest, struct bt_error *err) {
  struct reading reading = {.broken = 0};
  struct bt_timeline_shape shape;
  struct stat found;
  bool gives = false;
  int timeline = bt_fs_open_file_at(dir, BT_FILE_TIMELINE, NULL);
  if (timeline < 0 || fstat(timeline, &found) != 0) {
    bt_deep_add(deep, BT_DEEP_CHANGED, BT_FILE_TIMELINE, "missing");
    if (timeline >= 0)
      (void)close(timeline);
    return BT_OK;
  }
  int64_t size = (int64_t)found.st_size;
  bt_record_reader_init(&reading.reader);
  bt_gist_init(&reading.gist);
  enum bt_code code = bt_timeline_walk(timeline, 0, size, on_line, &reading, &shape, err);
  bool sound = code == BT_OK && judge_shape(deep, manifest, &reading, &shape, size);
  size_t before = deep->changed;
  if (sound)
    code = bt_deep_renders(deep, dir, folder, manifest, &reading.gist, timeline, size, err);
  size_t changed = deep->changed - before;
  if (code == BT_OK)
    code = judge_sources(deep, records, manifest, timeline, size, &gives, err);
  if (sound && before == 0)
    judge_timeline(deep, &reading, gives, changed);
  bt_gist_dispose(&reading.gist);
  bt_record_reader_dispose(&reading.reader);
  (void)close(timeline);
  return code;
}

enum bt_code bt_deep_look(struct bt_deep *deep, const struct bt_records *records, int dir, const char *folder,
                          struct bt_error *err) {
  enum bt_code code;
  struct bt_json *manifest = bt_manifest_read(dir, BT_FILE_MANIFEST, &code, err);
  if (manifest == NULL) {
    if (code == BT_NOMEM)
      return code;
    bt_deep_add(deep, BT_DEEP_CHANGED, BT_FILE_MANIFEST,
                "it cannot be read as a manifest; nothing else can be checked");
    return BT_OK;
  }
  code = BT_OK;
  if (judge_manifest(deep, dir, manifest))
    code = judge_all(deep, records, dir, folder, manifest, err);
  else
    bt_deep_add(deep, BT_DEEP_NOT_COVERED, "every other file", "the manifest says what they should hold");
  if (code == BT_OK)
    judge_strangers(deep, dir);
  bt_deep_add(deep, BT_DEEP_NOT_COVERED, "PROJECT.md, links, INDEX.json",
              "they lie outside the record; the index is remade by every verb");
  bt_json_free(manifest);
  return code == BT_OK && deep->failed ? bt_error_set(err, BT_NOMEM, "", "out of memory") : code;
}
