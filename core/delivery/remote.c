/* core/delivery/remote.c - the remote of a branch. */
#include "core/delivery/remote.h"

#include <string.h>

#include "core/delivery/identity.h"
#include "core/store/git_run.h"

struct settings { /* all that is asked of the configuration; borrowed from its text */
  struct bt_str text;
  struct bt_texts keys, values; /* a value is NULL where the key stands alone */
};

/* The configuration that matters, in git's order: broader scopes first. */
static enum bt_code read_settings(const struct bt_work *work, struct settings *settings, struct bt_error *err) {
  const char *const args[] = {"config", "-z", "--get-regexp", "^(remote\\..*\\.url|branch\\..*\\.remote)$", NULL};
  struct bt_codes keys, values;
  int status = 0;
  bt_codes_init(&keys, work->arena);
  bt_codes_init(&values, work->arena);
  enum bt_code code = bt_work_ask(work, args, &settings->text, &status, err);
  if (code != BT_OK)
    return code;
  if (status > 1)
    return bt_error_set(err, BT_IO, "git", "git cannot read its configuration");
  for (size_t at = 0; at < settings->text.length;) { /* `key LF value NUL`, or `key NUL` */
    const char *entry = settings->text.data + at;
    size_t length = strlen(entry), key = strcspn(entry, "\n");
    bt_codes_add(&keys, "%.*s", (int)key, entry);
    bt_codes_add(&values, "%s", entry[key] == '\n' ? entry + key + 1 : "");
    at += length + 1;
  }
  if (keys.failed || values.failed)
    return bt_error_set(err, BT_NOMEM, "git", "out of memory");
  settings->keys = (struct bt_texts){keys.items, keys.count};
  settings->values = (struct bt_texts){values.items, values.count};
  return BT_OK;
}

/* The middle of `first.MIDDLE.last`; empty when the key is another one. */
static struct bt_slice middle(const char *key, const char *first, const char *last) {
  size_t front = strlen(first), back = strlen(last), length = strlen(key);
  bool fits = length > front + back && bt_starts_with(key, first) && bt_ends_with(key, last);
  return fits ? (struct bt_slice){key + front, length - front - back} : (struct bt_slice){NULL, 0};
}

/* The first URL of a remote; NULL when there is no such remote. */
static const char *url_of(const struct settings *settings, const char *name) {
  for (size_t i = 0; i < settings->keys.count; i++) {
    struct bt_slice found = middle(settings->keys.items[i], "remote.", ".url");
    if (found.length > 0 && bt_slice_equals(found, name))
      return settings->values.items[i];
  }
  return NULL;
}

static const char *remote_of_branch(const struct settings *settings, const char *branch) {
  const char *name = NULL;
  for (size_t i = 0; branch != NULL && i < settings->keys.count; i++) {
    struct bt_slice found = middle(settings->keys.items[i], "branch.", ".remote");
    if (found.length > 0 && bt_slice_equals(found, branch))
      name = settings->values.items[i]; /* of several the last counts */
  }
  return name == NULL || name[0] == '\0' || strcmp(name, ".") == 0 ? NULL : name;
}

/* The name of the only remote; NULL when there is none or another one too. */
static enum bt_code only_remote(const struct bt_work *work, const struct settings *settings, struct bt_remote *remote,
                                struct bt_error *err) {
  struct bt_slice only = {NULL, 0};
  remote->fault = "remote:none";
  for (size_t i = 0; i < settings->keys.count; i++) {
    struct bt_slice found = middle(settings->keys.items[i], "remote.", ".url");
    bool other = only.length != found.length || (only.length > 0 && memcmp(only.data, found.data, only.length) != 0);
    if (found.length == 0)
      continue;
    if (only.length > 0 && other) {
      remote->fault = "remote:ambiguous";
      return BT_OK;
    }
    only = found;
  }
  if (only.length == 0)
    return BT_OK;
  remote->fault = NULL;
  remote->name = bt_arena_strndup(work->arena, only.data, only.length);
  return remote->name != NULL ? BT_OK : bt_error_set(err, BT_NOMEM, "git", "out of memory");
}

/* Name and URL by the rules, or the fault. */
static enum bt_code choose(const struct bt_work *work, const struct settings *settings, const char *branch,
                           const char *wanted, struct bt_remote *remote, const char **url, struct bt_error *err) {
  const char *of_branch = remote_of_branch(settings, branch);
  enum bt_code code = BT_OK;
  *url = NULL;
  if (wanted != NULL) {
    remote->name = wanted;
  } else if (of_branch != NULL) {
    remote->name = of_branch;
    *url = url_of(settings, of_branch);
    if (*url == NULL) { /* a URL in the place of a name */
      *url = of_branch;
      remote->name = "origin";
    }
    return BT_OK;
  } else if (url_of(settings, "origin") != NULL) {
    remote->name = "origin";
  } else {
    code = only_remote(work, settings, remote, err);
  }
  if (code == BT_OK && remote->name != NULL)
    *url = url_of(settings, remote->name);
  if (code == BT_OK && remote->name != NULL && *url == NULL)
    remote->fault = "remote:none";
  return code;
}

/* What git would really connect to; git does the rewriting, and does not connect. */
static enum bt_code rewrite(const struct bt_work *work, const char *url, const char **identity, bool *no_memory,
                            struct bt_error *err) {
  struct bt_str output;
  int status = 0;
  bt_str_init(&output, BT_GIT_OUTPUT_MAX);
  enum bt_code code =
      bt_work_ask(work, (const char *const[]){"ls-remote", "--get-url", "--", url, NULL}, &output, &status, err);
  if (code == BT_OK && status == 0)
    *identity = bt_identity_of(work->arena, output.data, no_memory);
  bt_str_dispose(&output);
  return code;
}

enum bt_code bt_remote_find(const struct bt_work *work, const char *branch, const char *wanted,
                            struct bt_remote *remote, struct bt_error *err) {
  struct settings settings = {.keys = {NULL, 0}};
  const char *url = NULL;
  bool no_memory = false, no_memory_either = false;
  *remote = (struct bt_remote){.name = NULL};
  bt_str_init(&settings.text, BT_GIT_OUTPUT_MAX);
  enum bt_code code = read_settings(work, &settings, err);
  if (code == BT_OK)
    code = choose(work, &settings, branch, wanted, remote, &url, err);
  if (code == BT_OK && remote->fault == NULL) {
    remote->configured = bt_identity_of(work->arena, url, &no_memory);
    if (url[0] != '\0')
      code = rewrite(work, url, &remote->rewritten, &no_memory_either, err);
    if (remote->configured == NULL && remote->rewritten == NULL)
      remote->fault = "remote:unparseable";
  }
  bt_str_dispose(&settings.text);
  if (code == BT_OK && (no_memory || no_memory_either))
    return bt_error_set(err, BT_NOMEM, "git", "out of memory");
  return code;
}

static bool same(const char *identity, const char *recorded) {
  return identity != NULL && recorded != NULL && strcmp(identity, recorded) == 0;
}

const char *bt_remote_differs(const struct bt_remote *remote, const char *recorded_identity) {
  if (remote->fault != NULL)
    return remote->fault;
  if (same(remote->configured, recorded_identity) || same(remote->rewritten, recorded_identity))
    return NULL;
  bool but_case = (remote->configured != NULL && bt_identity_same_but_case(remote->configured, recorded_identity)) ||
                  (remote->rewritten != NULL && bt_identity_same_but_case(remote->rewritten, recorded_identity));
  return but_case ? "repository:case-differs" : "repository:mismatch";
}

const char *bt_remote_identity(const struct bt_remote *remote, const char *recorded_identity) {
  if (same(remote->configured, recorded_identity))
    return remote->configured;
  return remote->rewritten != NULL ? remote->rewritten : remote->configured;
}
