/* core/records/manifest.c - see manifest.h. */
#include "core/records/manifest.h"

#include <string.h>

#include "core/base/fs.h"

struct bt_json *bt_manifest_read(int dir, const char *name, enum bt_code *code, struct bt_error *err) {
  struct bt_str bytes;
  struct bt_json *manifest = NULL;
  bt_str_init(&bytes, BT_MANIFEST_BYTES_MAX);
  *code = bt_fs_read_at(dir, name, &bytes, err);
  if (*code == BT_OK) {
    struct bt_error why = {0};
    manifest = bt_json_parse(bytes.data, bytes.length, &why);
    if (manifest == NULL && why.code == BT_NOMEM) {
      *code = bt_error_set(err, BT_NOMEM, name, "out of memory");
    } else if (bt_json_type(manifest) != BT_JSON_OBJECT) {
      bt_json_free(manifest);
      manifest = NULL;
      *code = bt_error_set(err, BT_CORRUPT, name, "%s is no JSON object", name);
    }
  }
  bt_str_dispose(&bytes);
  return manifest;
}

struct bt_json *bt_manifest_new(const char *session, const char *project, const char *harness, const char *model,
                                const char *now) {
  struct bt_json *manifest = bt_json_new_object();
  if (manifest != NULL && bt_json_set_string(manifest, "session", session) == BT_OK &&
      bt_json_set_string(manifest, "project", project) == BT_OK &&
      bt_json_set_string(manifest, "harness", harness != NULL ? harness : "unknown") == BT_OK &&
      bt_json_set_string(manifest, "model", model != NULL ? model : "") == BT_OK &&
      bt_json_set_string(manifest, "created_at", now) == BT_OK &&
      bt_json_set(manifest, "source_paths", bt_json_new_array()) == BT_OK &&
      bt_json_set_number(manifest, "watermark", -1) == BT_OK && bt_json_set_null(manifest, "raw_sha256") == BT_OK &&
      bt_json_set_number(manifest, "revisions", 0) == BT_OK)
    return manifest;
  bt_json_free(manifest);
  return NULL;
}

bool bt_manifest_is_sound(const struct bt_json *manifest) {
  return bt_json_type(bt_json_get(manifest, "source_paths")) == BT_JSON_ARRAY &&
         bt_json_type(bt_json_get(manifest, "watermark")) == BT_JSON_NUMBER &&
         bt_json_type(bt_json_get(manifest, "revisions")) == BT_JSON_NUMBER;
}

bool bt_manifest_hash(const struct bt_json *manifest, char hex[BT_SHA256_HEX]) {
  struct bt_json *rest = bt_json_clone(manifest);
  struct bt_str text;
  bt_str_init(&text, BT_MANIFEST_BYTES_MAX * 6);
  if (rest != NULL) {
    bt_json_remove(rest, "manifest_sha256");
    bt_json_print_compact(&text, rest);
    bt_sha256_hex(text.data, text.length, hex);
  }
  bool ok = rest != NULL && !text.failed;
  bt_json_free(rest);
  bt_str_dispose(&text);
  return ok;
}

bool bt_manifest_hash_holds(const struct bt_json *manifest) {
  char hex[BT_SHA256_HEX];
  const char *said = bt_json_get_string(manifest, "manifest_sha256");
  return said != NULL && bt_manifest_hash(manifest, hex) && strcmp(said, hex) == 0;
}

enum bt_code bt_manifest_seal(struct bt_json *manifest) {
  char hex[BT_SHA256_HEX];
  return bt_manifest_hash(manifest, hex) ? bt_json_set_string(manifest, "manifest_sha256", hex) : BT_NOMEM;
}

double bt_manifest_number(const struct bt_json *manifest, const char *key) {
  double number = 0;
  return bt_json_number(bt_json_get(manifest, key), &number) ? number : 0;
}

static enum bt_code apply_project(struct bt_json *manifest, const char *project) {
  const struct bt_json *old = bt_json_get(manifest, "project");
  if (bt_text_equals(bt_json_string(old), project))
    return BT_OK;
  if (old != NULL) {
    enum bt_code code = bt_json_set(manifest, "prev_project", bt_json_clone(old));
    if (code != BT_OK)
      return code;
  }
  return bt_json_set_string(manifest, "project", project);
}

static enum bt_code add_source(struct bt_json *manifest, const char *source) {
  const struct bt_json *paths = bt_json_get(manifest, "source_paths");
  for (const struct bt_json *path = bt_json_first(paths); path != NULL; path = bt_json_next(path)) {
    if (bt_text_equals(bt_json_string(path), source))
      return BT_OK;
  }
  struct bt_json *more = bt_json_clone(paths);
  enum bt_code code = more != NULL ? bt_json_push(more, bt_json_new_string(source)) : BT_NOMEM;
  if (code != BT_OK) {
    bt_json_free(more);
    return code;
  }
  return bt_json_set(manifest, "source_paths", more);
}

static enum bt_code apply_label(struct bt_json *manifest, const char *key, const char *value, const char *unset,
                                bool force) {
  if (value == NULL || (!force && !bt_text_equals(bt_json_get_string(manifest, key), unset)))
    return BT_OK;
  return bt_json_set_string(manifest, key, value);
}

enum bt_code bt_manifest_apply(struct bt_json *manifest, const struct bt_provenance *given) {
  enum bt_code code = apply_project(manifest, given->project);
  if (code == BT_OK)
    code = add_source(manifest, given->source);
  if (code == BT_OK)
    code = apply_label(manifest, "harness", given->harness, "unknown", given->force_harness);
  if (code == BT_OK)
    code = apply_label(manifest, "model", given->model, "", given->force_model);
  return code;
}

struct bt_json *bt_counts_json(const struct bt_gist *gist) {
  struct bt_json *counts = bt_json_new_object();
  for (int class_ = BT_CLASS_USER; class_ <= BT_CLASS_TOOL; class_++) {
    if (counts != NULL &&
        bt_json_set_number(counts, bt_class_word((enum bt_class)class_), (double)gist->counts[class_]) != BT_OK) {
      bt_json_free(counts);
      return NULL;
    }
  }
  return counts;
}

enum bt_code bt_manifest_bump(struct bt_json *manifest, const char *now) {
  enum bt_code code = bt_json_set_number(manifest, "revisions", bt_manifest_number(manifest, "revisions") + 1);
  return code == BT_OK ? bt_json_set_string(manifest, "updated_at", now) : code;
}

enum bt_code bt_manifest_finish(struct bt_json *manifest, double watermark, const char *raw_sha256, const char *now,
                                const struct bt_gist *gist) {
  enum bt_code code = bt_json_set_number(manifest, "watermark", watermark);
  if (code == BT_OK)
    code = bt_json_set_string(manifest, "raw_sha256", raw_sha256);
  if (code == BT_OK)
    code = bt_manifest_bump(manifest, now);
  if (code == BT_OK)
    code = bt_json_set_number(manifest, "turn_count", (double)gist->turns);
  if (code == BT_OK)
    code = bt_json_set(manifest, "counts", bt_counts_json(gist));
  return code == BT_OK ? bt_manifest_seal(manifest) : code;
}
