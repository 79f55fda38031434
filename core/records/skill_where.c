/* core/records/skill_where.c - where a global installation goes, and why (skill.h; spec/session-records.md 13.2). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/records/skill.h"

#define STORE_NAME "account-skills"
#define ROOTS_MAX 65536

static const char *variable(const struct bt_env *env, const char *name) {
  const char *value = env->getenv_fn != NULL ? env->getenv_fn(env->getenv_context, name) : NULL;
  return value != NULL && value[0] != '\0' ? value : NULL;
}

static bool is_folder(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

/* A copy goes to the end. False: out of memory. */
static bool push(char ***list, size_t *count, const char *path) {
  if (*count >= ROOTS_MAX)
    return true;
  char **grown = realloc(*list, (*count + 1) * sizeof **list);
  if (grown == NULL)
    return false;
  *list = grown;
  grown[*count] = strdup(path);
  return grown[*count] != NULL && ++*count > 0;
}

/* Calls `visit` for every folder in `path`, in byte order; links are none. False once `visit` says so. */
static bool each_folder(const char *path, bool (*visit)(void *context, const char *path), void *context,
                        bool only_dotted) {
  struct bt_fs_listing listing;
  struct bt_fs_stat found;
  int dir = bt_fs_open_root(path, NULL);
  if (dir < 0)
    return true;
  bool go_on = true;
  if (bt_fs_list_at(dir, ".", &listing, NULL) == BT_OK) {
    for (size_t i = 0; go_on && i < listing.count; i++) {
      bt_fs_stat_at(dir, listing.names[i], &found);
      if (found.kind != BT_FS_FOLDER || (only_dotted && listing.names[i][0] != '.'))
        continue;
      char *child = bt_skill_path(path, listing.names[i]);
      go_on = child != NULL && visit(context, child);
      free(child);
    }
    bt_fs_listing_dispose(&listing);
  }
  (void)close(dir);
  return go_on;
}

struct search {
  struct bt_skill_places *places;
  bool has_profile; /* of the account at hand */
};

static bool add_if_installed(struct bt_skill_places *places, const char *root) {
  char *target = bt_skill_path(root, BT_SKILL_FOLDER);
  bool ok = target != NULL;
  if (ok && bt_skill_is_installed(target))
    ok = push(&places->accounts, &places->account_count, root);
  free(target);
  return ok;
}

static bool visit_profile(void *context, const char *path) {
  struct search *search = context;
  if (bt_ends_with(path, "/" BT_SKILL_FOLDER)) /* an installation right in the account, no profile */
    return true;
  search->has_profile = true;
  return push(&search->places->roots, &search->places->root_count, path) && add_if_installed(search->places, path);
}

static bool visit_account(void *context, const char *path) {
  struct search *search = context;
  search->has_profile = false;
  if (!add_if_installed(search->places, path) || !each_folder(path, visit_profile, search, false))
    return false;
  return search->has_profile || push(&search->places->roots, &search->places->root_count, path);
}

static bool visit_client(void *context, const char *path) {
  char *store = bt_skill_path(path, STORE_NAME);
  struct stat found;
  bool ok = store != NULL;
  if (ok && lstat(store, &found) == 0 && S_ISDIR(found.st_mode))
    ok = each_folder(store, visit_account, context, false);
  free(store);
  return ok;
}

static bool search_accounts(struct bt_skill_places *places) {
  struct search search = {.places = places};
  char *config = bt_skill_path(places->home, ".config"), *share = bt_skill_path(places->home, ".local/share");
  bool ok = config != NULL && share != NULL && each_folder(config, visit_client, &search, false) &&
            each_folder(share, visit_client, &search, false) && each_folder(places->home, visit_client, &search, true);
  free(config);
  free(share);
  return ok;
}

static int64_t changed_at(const char *root) {
  struct stat found;
  char *target = bt_skill_path(root, BT_SKILL_FOLDER);
  int64_t at = target != NULL && stat(target, &found) == 0
                   ? (int64_t)found.st_mtim.tv_sec * 1000000000 + found.st_mtim.tv_nsec
                   : 0;
  free(target);
  return at;
}

static const char *newest_install(const struct bt_skill_places *places) {
  const char *newest = places->accounts[0];
  for (size_t i = 1; i < places->account_count; i++) {
    if (changed_at(places->accounts[i]) > changed_at(newest))
      newest = places->accounts[i];
  }
  return newest;
}

/* The first rule that holds; a NULL `global` is out of memory. */
static void choose(struct bt_skill_places *places, const struct bt_env *env) {
  const char *given = variable(env, "AGENT_HANDOFF_GLOBAL_DIR");
  char *skills = bt_skill_path(places->home, ".agents/skills");
  struct bt_str path;
  bt_str_init(&path, (size_t)1 << 20);
  if (given != NULL) {
    places->reason = "AGENT_HANDOFF_GLOBAL_DIR";
    places->global = bt_path_resolve(&path, env->cwd, given) == BT_OK ? bt_str_take(&path, NULL) : NULL;
  } else if (places->account_count > 0) {
    snprintf(places->reason_text, sizeof places->reason_text,
             "account-skill store, existing install (newest of %zu found)", places->account_count);
    places->reason = places->reason_text;
    places->global = strdup(newest_install(places));
  } else if (skills != NULL && is_folder(skills)) {
    places->reason = "~/.agents/skills (harness skills home)";
    places->global = strdup(skills);
  } else if (places->root_count > 0) {
    places->reason = "account-skill store (no install there yet)";
    places->global = strdup(places->roots[0]);
  } else {
    places->reason = "harness skills home (created on install)";
    places->global = skills != NULL ? strdup(skills) : NULL;
  }
  bt_str_dispose(&path);
  free(skills);
}

enum bt_code bt_skill_places_find(struct bt_skill_places *places, const struct bt_env *env, struct bt_error *err) {
  *places = (struct bt_skill_places){0};
  const char *home = variable(env, "USERPROFILE");
  if (home == NULL)
    home = variable(env, "HOME");
  if (home == NULL)
    home = env->home;
  struct bt_str path;
  bt_str_init(&path, (size_t)1 << 20);
  if (bt_path_resolve(&path, env->cwd, home != NULL ? home : "/") == BT_OK)
    places->home = bt_str_take(&path, NULL);
  bt_str_dispose(&path);
  if (places->home != NULL && search_accounts(places))
    choose(places, env);
  return places->global != NULL ? BT_OK : bt_error_set(err, BT_NOMEM, "", "out of memory");
}

static void free_all(char **list, size_t count) {
  for (size_t i = 0; i < count; i++)
    free(list[i]);
  free(list);
}

void bt_skill_places_dispose(struct bt_skill_places *places) {
  free_all(places->accounts, places->account_count);
  free_all(places->roots, places->root_count);
  free(places->global);
  free(places->home);
  *places = (struct bt_skill_places){0};
}

void bt_skill_where(const struct bt_skill_places *places, struct bt_str *out) {
  bt_str_printf(out, "\nGlobal install root: %s\n  chosen because: %s\n", places->global, places->reason);
  if (places->reason == places->reason_text) {
    for (size_t i = 0; i < places->account_count; i++) {
      if (!bt_text_equals(places->accounts[i], places->global))
        bt_str_printf(out, "  also holds an install: %s\n", places->accounts[i]);
    }
  }
  bt_str_puts(out, "  override with: AGENT_HANDOFF_GLOBAL_DIR=<dir> or --path <dir>\n");
}
