/* core/records/locate.c - see locate.h. */
#include "core/records/locate.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/fs.h"
#include "core/harness/source.h"
#include "core/records/adapt.h"

#define PATH_BYTES_MAX ((size_t)1 << 20)
#define ID_LENGTH 36

const char *bt_locate_label(enum bt_harness harness) {
  switch (harness) {
  case BT_HARNESS_CLAUDE:
    return "claude-code";
  case BT_HARNESS_CODEX:
    return "codex";
  case BT_HARNESS_GEMINI:
    return "gemini-cli";
  case BT_HARNESS_OPENCODE:
    return "opencode";
  case BT_HARNESS_PI:
    return "pi";
  default:
    return NULL;
  }
}

/* The id that a file's name tells. Gemini's has only the first eight characters of it. */
static const char *id_in(const struct bt_source *source) {
  size_t length = strlen(source->stem);
  const char *mark = source->harness == BT_HARNESS_PI       ? strrchr(source->stem, '_')
                     : source->harness == BT_HARNESS_GEMINI ? strrchr(source->stem, '-')
                                                            : NULL;
  if (mark != NULL)
    return mark + 1;
  return source->harness == BT_HARNESS_CODEX && length > ID_LENGTH ? source->stem + length - ID_LENGTH : source->stem;
}

static bool means(const struct bt_source *source, const char *session) {
  const char *id = id_in(source);
  if (source->is_subagent || source->kind == BT_SOURCE_COMPRESSED)
    return false;
  return bt_starts_with(id, session) ||
         (source->harness == BT_HARNESS_GEMINI && id[0] != '\0' && bt_starts_with(session, id));
}

/* ~/.copilot/session-state/ID/events.jsonl, or the older ID.jsonl; NULL when neither is there. */
static char *copilot_path(const struct bt_env *env, const char *session) {
  static const char *const forms[] = {"%s/.copilot/session-state/%s/events.jsonl",
                                      "%s/.copilot/session-state/%s.jsonl"};
  for (size_t i = 0; i < 2 && env->home != NULL && strchr(session, '/') == NULL && session[0] != '.'; i++) {
    struct bt_str path;
    struct stat found;
    bt_str_init(&path, PATH_BYTES_MAX);
    bt_str_printf(&path, forms[i], env->home, session);
    if (!path.failed && stat(path.data, &found) == 0 && S_ISREG(found.st_mode))
      return bt_str_take(&path, NULL);
    bt_str_dispose(&path);
  }
  return NULL;
}

static enum bt_code find_id(const struct bt_env *env, const struct bt_sources *sources, const char *session,
                            char **path, const char **harness, struct bt_error *err) {
  const struct bt_source *found = NULL;
  size_t hits = 0;
  for (size_t i = 0; i < sources->count; i++) {
    const struct bt_source *source = &sources->list[i];
    if (!means(source, session))
      continue;
    found = source;
    if (bt_text_equals(id_in(source), session)) {
      hits = 1;
      break;
    }
    hits++;
  }
  if (hits == 0 && (*path = copilot_path(env, session)) != NULL) {
    *harness = "copilot-cli";
    return BT_OK;
  }
  if (hits == 0)
    return bt_error_set(err, BT_MISSING, session, "no session of any store is called %s", session);
  if (hits > 1)
    return bt_error_set(err, BT_REFUSED, session, "%zu sessions begin with %s", hits, session);
  *harness = bt_locate_label(found->harness);
  *path = strdup(found->path);
  return *path != NULL ? BT_OK : bt_error_set(err, BT_NOMEM, session, "out of memory");
}

/* Whose store a file lies in. */
static const char *owner_of(const struct bt_sources *sources, const struct stat *file) {
  for (size_t i = 0; i < sources->count; i++) {
    const struct bt_source *source = &sources->list[i];
    if (source->device == (uint64_t)file->st_dev && source->inode == (uint64_t)file->st_ino)
      return bt_locate_label(source->harness);
  }
  return NULL;
}

static enum bt_code find_path(const struct bt_env *env, const struct bt_sources *sources, const char *session,
                              const char *label, const struct stat *file, char **path, const char **harness,
                              struct bt_error *err) {
  struct bt_str out;
  const char *owner = owner_of(sources, file);
  if (owner == NULL && strstr(session, "/session-state/") != NULL)
    owner = "copilot-cli";
  *harness = label != NULL && bt_adapt_known(label) ? label : owner;
  if (*harness == NULL)
    return bt_error_set(err, BT_INPUT, session, "%s lies in no known store: say whose it is with --harness (%s)",
                        session, bt_adapt_labels());
  bt_str_init(&out, PATH_BYTES_MAX);
  enum bt_code code = bt_path_resolve(&out, env->cwd, session);
  *path = bt_str_take(&out, NULL);
  return code == BT_OK && *path != NULL ? BT_OK : bt_error_set(err, BT_NOMEM, session, "out of memory");
}

enum bt_code bt_locate_session(const struct bt_env *env, const char *session, const char *label, char **path,
                               const char **harness, bool *by_path, struct bt_error *err) {
  struct bt_sources sources;
  struct stat file;
  *path = NULL;
  *harness = NULL;
  *by_path = stat(session, &file) == 0 && S_ISREG(file.st_mode);
  bt_sources_init(&sources);
  enum bt_code code = bt_stores_list(&sources, env);
  if (code != BT_OK)
    code = bt_error_set(err, code, session, "out of memory");
  else if (*by_path)
    code = find_path(env, &sources, session, label, &file, path, harness, err);
  else
    code = find_id(env, &sources, session, path, harness, err);
  bt_sources_dispose(&sources);
  return code;
}
