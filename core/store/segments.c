/* core/store/segments.c - the folder manifest.d. */
#include "core/store/segments.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/store/manifest.h"

#define LOCK_FILE_MAX 512 /* a genuine lock file is shorter */
#define SUFFIX ".jsonl"

static const char ulid_digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

bool bt_segment_name_parse(const char *name, const char **ulid) {
  size_t length = strlen(name), tail = BT_ULID_LENGTH + strlen(SUFFIX);
  if (length < tail + 2 || !bt_ends_with(name, SUFFIX))
    return false;
  size_t slug = length - tail - 1;
  const char *digits = name + slug + 1;
  if (slug > BT_SEGMENT_SLUG_MAX || name[slug] != '-' || strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") < slug ||
      strspn(digits, ulid_digits) < BT_ULID_LENGTH)
    return false;
  if (ulid != NULL)
    *ulid = digits;
  return true;
}

/* A JSON object in a plain file of fewer than `limit` bytes, or NULL. Short memory is told apart in `code`. */
static struct bt_json *read_small_object(int dir, const char *path, size_t limit, enum bt_code *code) {
  struct bt_str bytes;
  struct bt_error why = {0};
  struct bt_json *json = NULL;
  bt_str_init(&bytes, limit - 1);
  *code = bt_fs_read_at(dir, path, &bytes, &why);
  if (*code == BT_OK) {
    json = bt_json_parse(bytes.data, bytes.length, &why);
    *code = json == NULL && why.code == BT_NOMEM ? BT_NOMEM : BT_OK;
  }
  bt_str_dispose(&bytes);
  if (json != NULL && bt_json_type(json) != BT_JSON_OBJECT) {
    bt_json_free(json);
    json = NULL;
  }
  return json;
}

/* ---- discovery ---- */

static enum bt_code genuine_lock(int folder, const char *name, int64_t size, bool *genuine) {
  enum bt_code code = BT_OK;
  *genuine = size == 0;
  if (size == 0 || size >= LOCK_FILE_MAX)
    return BT_OK;
  struct bt_json *lock = read_small_object(folder, name, LOCK_FILE_MAX, &code);
  *genuine = lock != NULL && bt_json_get_string(lock, "token") != NULL &&
             bt_json_type(bt_json_get(lock, "pid")) == BT_JSON_NUMBER && bt_json_get_string(lock, "hostname") != NULL &&
             bt_json_get_string(lock, "startedAt") != NULL;
  bt_json_free(lock);
  return code == BT_NOMEM ? BT_NOMEM : BT_OK;
}

static char fold(char byte) {
  return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

static bool same_ignoring_case(const char *a, const char *b) {
  while (*a != '\0' && fold(*a) == fold(*b)) {
    a++;
    b++;
  }
  return fold(*a) == fold(*b);
}

/* Why the object `index` of the listing is invalid; NULL: it is a segment or (*skip) nothing of interest. */
static enum bt_code judge(int folder, const struct bt_fs_listing *listing, size_t index, const char **why, bool *skip) {
  const char *name = listing->names[index];
  struct bt_fs_stat stat;
  *why = NULL;
  *skip = strcmp(name, ".store.json") == 0 || strcmp(name, ".lineage") == 0;
  if (*skip)
    return BT_OK;
  bt_fs_stat_at(folder, name, &stat);
  if (stat.kind == BT_FS_ABSENT) { /* gone since the listing: a lock that was released */
    *skip = true;
    return BT_OK;
  }
  if (stat.kind != BT_FS_FILE) {
    *why = stat.kind == BT_FS_LINK ? "a symbolic link" : stat.kind == BT_FS_FOLDER ? "a folder" : "not a plain file";
    return BT_OK;
  }
  if (bt_ends_with(name, ".lock")) {
    bool genuine = false;
    enum bt_code code = genuine_lock(folder, name, stat.size_bytes, &genuine);
    *skip = genuine;
    *why = genuine ? NULL : "not a lock that this ledger's programs write";
    return code;
  }
  if (!bt_segment_name_parse(name, NULL)) {
    *why = "not the name of a segment";
    return BT_OK;
  }
  for (size_t i = 0; i < index; i++) {
    if (same_ignoring_case(listing->names[i], name))
      *why = "a name that another one equals but for case";
  }
  return BT_OK;
}

static enum bt_code note_invalid(struct bt_segments *segments, const char *name, const char *why) {
  segments->invalid_count++;
  if (segments->invalid_name != NULL)
    return BT_OK;
  segments->invalid_name = strdup(name);
  segments->invalid_why = why;
  return segments->invalid_name == NULL ? BT_NOMEM : BT_OK;
}

static enum bt_code sort_out(int folder, struct bt_fs_listing *listing, struct bt_segments *segments) {
  enum bt_code code = BT_OK;
  segments->names = calloc(listing->count + 1, sizeof *segments->names);
  if (segments->names == NULL)
    return BT_NOMEM;
  for (size_t i = 0; i < listing->count && code == BT_OK; i++) {
    const char *why;
    bool skip;
    code = judge(folder, listing, i, &why, &skip);
    if (code == BT_OK && why != NULL)
      code = note_invalid(segments, listing->names[i], why);
    if (code != BT_OK || why != NULL || skip)
      continue;
    char *name = strdup(listing->names[i]);
    if (name == NULL)
      code = BT_NOMEM;
    else
      segments->names[segments->count++] = name;
  }
  return code;
}

enum bt_code bt_segments_discover(int ledger, struct bt_segments *segments, struct bt_error *err) {
  struct bt_fs_stat stat = {.kind = BT_FS_ABSENT};
  struct bt_fs_listing listing = {0};
  enum bt_code code = BT_OK;
  memset(segments, 0, sizeof *segments);
  if (ledger >= 0)
    bt_fs_stat_at(ledger, BT_MANIFEST_FOLDER, &stat);
  if (stat.kind == BT_FS_ABSENT)
    return BT_OK;
  int folder = stat.kind == BT_FS_FOLDER ? bt_fs_open_folder_at(ledger, BT_MANIFEST_FOLDER, NULL) : -1;
  if (folder < 0) {
    code = note_invalid(segments, BT_MANIFEST_FOLDER,
                        stat.kind == BT_FS_LINK     ? "a symbolic link"
                        : stat.kind == BT_FS_FOLDER ? "a folder that cannot be read"
                                                    : "not a folder");
    return code == BT_OK ? BT_OK : bt_error_set(err, BT_NOMEM, BT_MANIFEST_FOLDER, "out of memory");
  }
  code = bt_fs_list_at(ledger, BT_MANIFEST_FOLDER, &listing, NULL);
  if (code == BT_OK)
    code = sort_out(folder, &listing, segments);
  else if (code != BT_NOMEM)
    code = note_invalid(segments, BT_MANIFEST_FOLDER, "a folder that cannot be read");
  bt_fs_listing_dispose(&listing);
  close(folder);
  return code == BT_OK ? BT_OK : bt_error_set(err, BT_NOMEM, BT_MANIFEST_FOLDER, "out of memory");
}

void bt_segments_dispose(struct bt_segments *segments) {
  for (size_t i = 0; i < segments->count; i++)
    free(segments->names[i]);
  free(segments->names);
  free(segments->invalid_name);
  memset(segments, 0, sizeof *segments);
}

bool bt_segments_has(const struct bt_segments *segments, const char *name) {
  for (size_t i = 0; i < segments->count; i++) {
    if (strcmp(segments->names[i], name) == 0)
      return true;
  }
  return false;
}

/* ---- is it segmented? ---- */

static enum bt_code marker_says_so(int ledger, bool *yes) {
  enum bt_code code;
  double version = 0;
  struct bt_json *marker = read_small_object(ledger, BT_SEGMENT_MARKER, BT_SEGMENT_SMALL_FILE, &code);
  *yes = marker != NULL && bt_text_equals(bt_json_get_string(marker, "format"), "adlc-manifest-segments") &&
         bt_json_number(bt_json_get(marker, "version"), &version) && version == 1;
  bt_json_free(marker);
  return code == BT_NOMEM ? BT_NOMEM : BT_OK;
}

static enum bt_code cut_over(int ledger, bool *yes, struct bt_error *err) {
  struct bt_str line;
  bool found = false;
  bt_str_init(&line, BT_MANIFEST_LINE_MAX * 8);
  enum bt_code code = bt_manifest_last_line(ledger, BT_MANIFEST_ROOT, &line, &found, err);
  if (code == BT_OK && found) {
    struct bt_error why = {0};
    struct bt_json *entry = bt_json_parse(line.data, line.length, &why);
    *yes = bt_text_equals(bt_json_get_string(entry, "gate"), "manifest-cutover");
    if (entry == NULL && why.code == BT_NOMEM)
      code = bt_error_set(err, BT_NOMEM, BT_MANIFEST_ROOT, "out of memory");
    bt_json_free(entry);
  }
  bt_str_dispose(&line);
  return code;
}

enum bt_code bt_segments_in_use(int ledger, bool *segmented, struct bt_error *err) {
  struct bt_fs_stat stat;
  *segmented = false;
  if (ledger < 0)
    return BT_OK;
  bt_fs_stat_at(ledger, BT_MANIFEST_FOLDER, &stat);
  if (stat.kind == BT_FS_LINK || stat.kind == BT_FS_OTHER)
    return bt_error_set(err, BT_UNSAFE, BT_MANIFEST_FOLDER, "a link or a device in the place of a folder");
  if (marker_says_so(ledger, segmented) == BT_NOMEM)
    return bt_error_set(err, BT_NOMEM, BT_SEGMENT_MARKER, "out of memory");
  return *segmented ? BT_OK : cut_over(ledger, segmented, err);
}

/* ---- the token ---- */

enum bt_code bt_segment_token_read(int ledger, struct bt_segment_token *token, struct bt_error *err) {
  enum bt_code code = BT_OK;
  const char *ulid;
  token->usable = false;
  bt_str_init(&token->segment, BT_SEGMENT_SMALL_FILE);
  bt_str_init(&token->branch, BT_SEGMENT_SMALL_FILE);
  struct bt_json *json = ledger < 0 ? NULL : read_small_object(ledger, BT_SEGMENT_TOKEN, BT_SEGMENT_SMALL_FILE, &code);
  const char *segment = bt_json_get_string(json, "segment"), *branch = bt_json_get_string(json, "branch");
  const char *stored = bt_json_get_string(json, "ulid");
  if (segment != NULL && branch != NULL && stored != NULL && strlen(stored) == BT_ULID_LENGTH &&
      bt_segment_name_parse(segment, &ulid) && memcmp(ulid, stored, BT_ULID_LENGTH) == 0) {
    bt_str_puts(&token->segment, segment);
    bt_str_puts(&token->branch, branch);
    token->usable = true;
  }
  bt_json_free(json);
  if (code == BT_NOMEM || token->segment.failed || token->branch.failed)
    return bt_error_set(err, BT_NOMEM, BT_SEGMENT_TOKEN, "out of memory");
  return BT_OK;
}

void bt_segment_token_dispose(struct bt_segment_token *token) {
  bt_str_dispose(&token->segment);
  bt_str_dispose(&token->branch);
  token->usable = false;
}

/* ---- names ---- */

enum bt_code bt_segment_slug(char slug[BT_SEGMENT_SLUG_MAX + 1], const char *branch, struct bt_error *err) {
  struct bt_str lower;
  size_t used = 0;
  size_t length = branch != NULL ? strlen(branch) : 0;
  bt_str_init(&lower, 4 * length + 16);
  bt_utf8_lower(&lower, branch != NULL ? branch : "", length);
  bool failed = lower.failed;
  for (size_t i = 0; i < lower.length && used < BT_SEGMENT_SLUG_MAX; i++) {
    char byte = lower.data[i];
    bool kept = (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9');
    if (kept)
      slug[used++] = byte;
    else if (used > 0 && slug[used - 1] != '-') /* runs become one, none leads */
      slug[used++] = '-';
  }
  bt_str_dispose(&lower);
  while (used > 0 && slug[used - 1] == '-')
    used--;
  slug[used] = '\0';
  if (failed)
    return bt_error_set(err, BT_NOMEM, "branch", "out of memory");
  if (used == 0)
    memcpy(slug, "segment", sizeof "segment");
  return BT_OK;
}

void bt_segment_ulid(char ulid[BT_ULID_LENGTH + 1], int64_t time_ms, const unsigned char random[10]) {
  uint64_t time = (uint64_t)time_ms & ((UINT64_C(1) << 48) - 1);
  for (int i = 9; i >= 0; i--) {
    ulid[i] = ulid_digits[time & 31];
    time >>= 5;
  }
  for (int i = 0; i < 16; i++) { /* five bits each, most significant first */
    unsigned bit = (unsigned)i * 5, byte = bit / 8;
    unsigned pair = (unsigned)random[byte] << 8 | (byte + 1 < 10 ? random[byte + 1] : 0);
    ulid[10 + i] = ulid_digits[(pair >> (11 - bit % 8)) & 31];
  }
  ulid[BT_ULID_LENGTH] = '\0';
}
