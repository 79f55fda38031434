/* core/delivery/live.c - the live head and the tip of the base branch. */
#include <string.h>

#include "core/delivery/evaluate.h"
#include "core/delivery/fields.h"

const char *bt_head_from_word(enum bt_head_from from) {
  static const char *const words[] = {NULL, "pr", "local", "remote-tracking"};
  return words[from];
}

enum { LOCAL, TRACKING, BASE_TRACKING, BASE_LOCAL, REMOTE_HEAD, FIRST_USUAL, NAMES = FIRST_USUAL + 4 };

/* NULL when memory is short; a name that cannot be one gives a reference that is never there. */
static const char *full_name(struct bt_arena *arena, const char *space, const char *remote, const char *branch) {
  bool sound = branch != NULL && bt_branch_valid(branch) && (remote == NULL || bt_branch_valid(remote));
  if (!sound)
    return "refs/baton-none";
  return remote != NULL ? bt_arena_printf(arena, "%s/%s/%s", space, remote, branch)
                        : bt_arena_printf(arena, "%s/%s", space, branch);
}

/* The short name of a remote-tracking or local branch; NULL for another reference. */
static const char *short_name(const char *full, const char *remote) {
  static const char heads[] = "refs/heads/", remotes[] = "refs/remotes/";
  if (full == NULL)
    return NULL;
  if (bt_starts_with(full, heads))
    return full + sizeof heads - 1;
  size_t length = remote != NULL ? strlen(remote) : 0;
  bool tracks = bt_starts_with(full, remotes) && remote != NULL &&
                strncmp(full + sizeof remotes - 1, remote, length) == 0 && full[sizeof remotes - 1 + length] == '/';
  return tracks ? full + sizeof remotes + length : NULL;
}

/* The first that is there and is not the delivery's own branch. */
static const char *pick_base(const struct bt_pr *pr, const char *remote, const char *branch, const char *const *names,
                             const char *const *ids, const char *remote_head_target) {
  int first = pr->given && pr->fault == NULL && pr->base != NULL ? BASE_TRACKING : REMOTE_HEAD;
  int last = first == BASE_TRACKING ? BASE_LOCAL : NAMES - 1;
  for (int i = first; i <= last; i++) {
    const char *name = short_name(i == REMOTE_HEAD ? remote_head_target : names[i], remote);
    if (ids[i] != NULL && name != NULL && strcmp(name, branch) != 0)
      return ids[i];
  }
  return NULL;
}

static bool fill_names(struct bt_evaluation *out, const char *branch, const char **names) {
  static const char heads[] = "refs/heads", remotes[] = "refs/remotes";
  struct bt_arena *arena = out->arena;
  const char *remote = out->live.remote.name != NULL ? out->live.remote.name : "";
  names[LOCAL] = full_name(arena, heads, NULL, branch);
  names[TRACKING] = full_name(arena, remotes, remote, branch);
  names[BASE_TRACKING] = full_name(arena, remotes, remote, out->pr.base);
  names[BASE_LOCAL] = full_name(arena, heads, NULL, out->pr.base);
  names[REMOTE_HEAD] =
      bt_branch_valid(remote) ? bt_arena_printf(arena, "%s/%s/HEAD", remotes, remote) : "refs/baton-none";
  names[FIRST_USUAL] = full_name(arena, remotes, remote, "main");
  names[FIRST_USUAL + 1] = full_name(arena, remotes, remote, "master");
  names[FIRST_USUAL + 2] = full_name(arena, heads, NULL, "main");
  names[FIRST_USUAL + 3] = full_name(arena, heads, NULL, "master");
  for (int i = 0; i < NAMES; i++) {
    if (names[i] == NULL)
      return false;
  }
  return true;
}

enum bt_code bt_live_refs(struct bt_evaluation *out, const char *branch, bool pr_is_open, struct bt_error *err) {
  const char *names[NAMES], *ids[NAMES], *targets[NAMES];
  struct bt_live *live = &out->live;
  if (!fill_names(out, branch, names))
    return bt_error_set(err, BT_NOMEM, branch, "out of memory");
  enum bt_code code = bt_work_refs(&out->work, names, NAMES, ids, targets, err);
  if (code != BT_OK)
    return code;
  live->base = pick_base(&out->pr, live->remote.name, branch, names, ids, targets[REMOTE_HEAD]);
  if (pr_is_open && out->pr.head != NULL) {
    live->head = out->pr.head;
    live->head_from = BT_HEAD_PR;
    if (ids[LOCAL] != NULL && strcmp(ids[LOCAL], live->head) != 0)
      bt_codes_add(&out->warnings, "local-differs-from-pr");
    return BT_OK;
  }
  if (pr_is_open)
    bt_codes_add(&out->warnings, "pr-head-unknown");
  live->head = ids[LOCAL] != NULL ? ids[LOCAL] : ids[TRACKING];
  live->head_from = ids[LOCAL] != NULL ? BT_HEAD_LOCAL : live->head != NULL ? BT_HEAD_TRACKING : BT_HEAD_NOWHERE;
  return BT_OK;
}

enum bt_code bt_delivery_present(struct bt_evaluation *out, const struct bt_delivery_request *request,
                                 const char *wanted, const char **branch, struct bt_error *err) {
  bool pr_is_open =
      request->pr_wanted != NULL && bt_pr_speaks_of(&out->pr, request->pr_wanted) && out->pr.state == BT_PR_OPEN;
  enum bt_code code = BT_OK;
  out->live = (struct bt_live){.head = NULL};
  *branch = wanted;
  if (wanted == NULL)
    code = bt_work_branch(&out->work, branch, err);
  if (code == BT_OK)
    code = bt_remote_find(&out->work, *branch, request->remote, &out->live.remote, err);
  if (code != BT_OK)
    return code;
  out->live.remote_known = true;
  out->live.repository = out->live.remote.fault == NULL ? bt_remote_identity(&out->live.remote, NULL) : NULL;
  return *branch != NULL && bt_branch_valid(*branch) ? bt_live_refs(out, *branch, pr_is_open, err) : BT_OK;
}
