/* core/harness/stores_small.c - pi (folders of lines below sessions/) and Gemini (chats below tmp/<project>).
 *
 * Rules: spec/transcripts.md 1.4, 1.5. */
#include "core/harness/stores.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/harness/place.h"

#define PATH_BYTES_MAX 65536
#define PROJECTS_BYTES_MAX ((size_t)4 << 20)

void bt_store_pi(struct bt_sources *sources, const char *root) {
  const struct bt_source like = {.harness = BT_HARNESS_PI};
  struct bt_str path;
  bt_str_init(&path, PATH_BYTES_MAX);
  bt_store_walk(sources, bt_store_path(&path, root, "sessions"),
                &(struct bt_store_walk){.like = &like, .takes = bt_store_takes_lines, .depth = 1});
  bt_str_dispose(&path);
}

/* ---- Gemini ---- */

struct gemini {
  struct bt_json *projects; /* path of a project to its short name; NULL: not told */
  char *cwd;                /* of the project under way */
};

static bool takes_chat(const char *name) {
  return bt_starts_with(name, "session-") && (bt_ends_with(name, ".jsonl") || bt_ends_with(name, ".json"));
}

static bool takes_any_chat(const char *name) {
  return bt_ends_with(name, ".jsonl") || bt_ends_with(name, ".json");
}

/* A small file's text, or an empty one. */
static void read_small(struct bt_str *out, const char *folder, const char *name) {
  struct bt_str bytes;
  bt_str_init(&bytes, PROJECTS_BYTES_MAX);
  int dir = bt_fs_open_root(folder, NULL);
  if (dir >= 0) {
    if (bt_fs_read_at(dir, name, &bytes, NULL) != BT_OK)
      bt_str_clear(&bytes);
    close(dir);
  }
  bt_utf8_decode8(out, bytes.data, bytes.length);
  bt_str_dispose(&bytes);
}

static const char *told_by_projects(const struct bt_json *projects, const char *name) {
  for (const struct bt_json *project = bt_json_first(projects); project; project = bt_json_next(project))
    if (bt_text_equals(bt_json_string(project), name) || bt_place_is_digest_of(name, bt_json_key(project)))
      return bt_json_key(project);
  return NULL;
}

static void take_chat(struct bt_sources *sources, const char *folder, const char *name, void *context) {
  const struct gemini *gemini = context;
  struct bt_source like = {.harness = BT_HARNESS_GEMINI, .cwd = gemini->cwd};
  if (takes_chat(name)) {
    (void)bt_sources_add(sources, folder, name, &like);
    return;
  }
  if (takes_any_chat(name))
    return;
  struct bt_str path, parent; /* chats/<parent-id>/<id>.jsonl */
  bt_str_init(&path, PATH_BYTES_MAX);
  bt_str_init(&parent, PATH_BYTES_MAX);
  bt_utf8_decode8(&parent, name, strlen(name));
  like.is_subagent = true;
  like.parent_id = parent.data;
  bt_store_walk(sources, bt_store_path(&path, folder, name),
                &(struct bt_store_walk){.like = &like, .takes = takes_any_chat});
  bt_str_dispose(&path);
  bt_str_dispose(&parent);
}

static void take_project(struct bt_sources *sources, const char *folder, const char *name, void *context) {
  struct gemini *gemini = context;
  struct bt_str path, root;
  bt_str_init(&path, PATH_BYTES_MAX);
  bt_str_init(&root, PROJECTS_BYTES_MAX);
  read_small(&root, bt_store_path(&path, folder, name), ".project_root");
  struct bt_slice trimmed = bt_trim_w(root.data, root.length);
  const char *told = told_by_projects(gemini->projects, name);
  free(gemini->cwd);
  gemini->cwd = trimmed.length ? strndup(trimmed.data, trimmed.length) : told ? strdup(told) : NULL;
  bt_str_puts(&path, "/chats");
  bt_sources_each(sources, path.data, take_chat, gemini);
  bt_str_dispose(&path);
  bt_str_dispose(&root);
}

void bt_store_gemini(struct bt_sources *sources, const char *root) {
  struct gemini gemini = {NULL, NULL};
  struct bt_str path, text;
  bt_str_init(&path, PATH_BYTES_MAX);
  bt_str_init(&text, PROJECTS_BYTES_MAX * 3);
  read_small(&text, root, "projects.json");
  struct bt_json *document = text.length ? bt_json_parse_text(text.data, text.length, NULL) : NULL;
  gemini.projects = bt_json_clone(bt_json_get(document, "projects"));
  bt_sources_each(sources, bt_store_path(&path, root, "tmp"), take_project, &gemini);
  bt_json_free(document);
  bt_json_free(gemini.projects);
  free(gemini.cwd);
  bt_str_dispose(&path);
  bt_str_dispose(&text);
}
