/* core/delivery/merged.c - a delivery whose pull request was merged: was it this head, and does it still stand? */
#include <stdlib.h>
#include <string.h>

#include "core/delivery/evaluate.h"
#include "core/delivery/fields.h"
#include "core/store/git_run.h"

enum contained { CONTAINED, EXTRA_COMMITS, CONFLICTING, UNVERIFIABLE };

/* ---- which head was merged ---- */

/* The forge did not say: the merge result itself may. */
static enum bt_code head_of_merge(struct bt_evaluation *out, bool has_merge, bool has_recorded, const char **head,
                                  enum contained *contained, struct bt_error *err) {
  const char *merge = out->pr.merge, *recorded = out->delivery->head;
  struct bt_texts parents = {NULL, 0};
  bool within = false;
  *contained = UNVERIFIABLE;
  if (!has_merge)
    return BT_OK;
  enum bt_code code = bt_work_parents(&out->work, merge, &parents, err);
  if (code != BT_OK)
    return code;
  if (parents.count >= 2)
    *head = parents.items[1];
  if (parents.count != 1)
    return BT_OK;
  if (strcmp(merge, recorded) == 0)
    *head = recorded;
  else if (has_recorded)
    code = bt_work_is_ancestor(&out->work, recorded, merge, &within, err);
  if (within)
    *contained = EXTRA_COMMITS;
  return code;
}

/* The merged head is known and is not the recorded one. */
static enum bt_code compare_heads(struct bt_evaluation *out, const char *head, bool has_merge, bool has_recorded,
                                  enum contained *contained, struct bt_error *err) {
  const char *recorded = out->delivery->head;
  bool has_head = false, within = false;
  enum bt_code code = bt_work_has_commit(&out->work, head, &has_head, err);
  *contained = UNVERIFIABLE;
  if (code == BT_OK && has_head && has_recorded) {
    code = bt_work_is_ancestor(&out->work, recorded, head, &within, err);
    *contained = within ? EXTRA_COMMITS : CONFLICTING;
  } else if (code == BT_OK && has_recorded && has_merge) {
    code = bt_work_is_ancestor(&out->work, recorded, out->pr.merge, &within, err);
    *contained = within ? EXTRA_COMMITS : UNVERIFIABLE;
  }
  return code;
}

static enum bt_code judge_contained(struct bt_evaluation *out, bool has_merge, enum contained *contained,
                                    struct bt_error *err) {
  const char *head = out->pr.head, *recorded = out->delivery->head;
  bool has_recorded = false;
  enum bt_code code = bt_work_has_commit(&out->work, recorded, &has_recorded, err);
  if (code == BT_OK && head == NULL)
    code = head_of_merge(out, has_merge, has_recorded, &head, contained, err);
  if (code != BT_OK || head == NULL)
    return code;
  if (strcmp(head, recorded) != 0)
    return compare_heads(out, head, has_merge, has_recorded, contained, err);
  *contained = CONTAINED;
  return BT_OK;
}

/* ---- was it undone ---- */

struct commit {
  const char *id, *message;
  int undone; /* 0: not looked at, 1: being looked at, 2: stands, 3: undone */
};

struct history {
  struct commit *commits;
  size_t count;
};

/* The next `This reverts commit HEX` of a message; moves *at behind it. */
static bool next_revert(const char **at, struct bt_slice *hex) {
  static const char phrase[] = "This reverts commit ";
  const char *found = strstr(*at, phrase);
  if (found == NULL)
    return false;
  hex->data = found + sizeof phrase - 1;
  hex->length = strspn(hex->data, "0123456789abcdef");
  *at = hex->data + hex->length;
  return true;
}

static bool reverts(const struct commit *commit, const char *id) {
  struct bt_slice hex;
  for (const char *at = commit->message; next_revert(&at, &hex);) {
    if (hex.length >= 7 && hex.length <= strlen(id) && memcmp(hex.data, id, hex.length) == 0)
      return true;
  }
  return false;
}

/* Undone by a commit that still stands itself. Ids are hashes, so that a circle needs forged abbreviations; it is cut.
 */
static bool is_undone(struct history *history, const char *id) {
  bool undone = false;
  for (size_t i = 0; i < history->count && !undone; i++) {
    struct commit *commit = &history->commits[i];
    if (commit->undone == 1 || !reverts(commit, id))
      continue;
    if (commit->undone == 0) {
      commit->undone = 1;
      commit->undone = is_undone(history, commit->id) ? 3 : 2;
    }
    undone = commit->undone == 2;
  }
  return undone;
}

/* `ID LF message NUL` for each commit. */
static bool split_log(struct bt_arena *arena, const struct bt_str *log, struct history *history) {
  size_t room = 0;
  for (size_t i = 0; i < log->length; i++)
    room += log->data[i] == '\0';
  history->commits = BT_ARENA_ARRAY(arena, struct commit, room + 1);
  if (history->commits == NULL)
    return false;
  for (size_t at = 0; at < log->length && history->count < room;) {
    const char *entry = log->data + at;
    size_t id = strcspn(entry, "\n");
    struct commit *commit = &history->commits[history->count];
    commit->id = bt_arena_strndup(arena, entry, id);
    commit->message = entry + id;
    history->count += commit->id != NULL;
    if (commit->id == NULL)
      return false;
    at += strlen(entry) + 1;
  }
  return true;
}

/* Commits of the base branch after the merge that say they revert something. */
static enum bt_code search_reverts(struct bt_evaluation *out, bool *undone, bool *checked, struct bt_error *err) {
  const char *without = bt_arena_printf(out->arena, "^%s", out->pr.merge);
  const char *const args[] = {"log",
                              "-z",
                              "--no-show-signature",
                              "--encoding=UTF-8",
                              "--format=%H%n%B",
                              "--fixed-strings",
                              "--grep=This reverts commit ",
                              out->live.base,
                              without,
                              NULL};
  struct history history = {NULL, 0};
  struct bt_str log;
  int status = 0;
  bt_str_init(&log, BT_GIT_OUTPUT_MAX + 1);
  enum bt_code code = without == NULL ? BT_NOMEM : bt_work_ask(&out->work, args, &log, &status, err);
  if (code == BT_OK && status == 0) {
    bt_str_putc(&log, '\0'); /* -z stands between entries, not behind the last one */
    *checked = true;
    if (log.failed || !split_log(out->arena, &log, &history))
      code = BT_NOMEM;
    else
      *undone = is_undone(&history, out->pr.merge);
  }
  if (code == BT_TOO_LARGE)
    code = BT_OK; /* not checked, then */
  bt_str_dispose(&log);
  return code == BT_NOMEM ? bt_error_set(err, BT_NOMEM, "git", "out of memory") : code;
}

static enum bt_code judge_undone(struct bt_evaluation *out, bool has_merge, bool *undone, struct bt_error *err) {
  const char *base = out->live.base;
  bool has_base = false, within = false, checked = false;
  enum bt_code code = BT_OK;
  *undone = out->pr.reverted;
  if (*undone)
    return BT_OK;
  if (base == NULL)
    bt_codes_add(&out->warnings, "base-unknown");
  else
    code = bt_work_has_commit(&out->work, base, &has_base, err);
  if (code == BT_OK && has_base && has_merge) {
    checked = strcmp(base, out->pr.merge) == 0; /* nothing has come after it */
    if (!checked)
      code = bt_work_is_ancestor(&out->work, out->pr.merge, base, &within, err);
  }
  if (code == BT_OK && within)
    code = search_reverts(out, undone, &checked, err);
  if (!checked)
    bt_codes_add(&out->warnings, "rollback-unchecked");
  return code;
}

/* ---- the verdict ---- */

/* The merge is on record and the first thing left to do is to verify it. */
static bool is_reconciled(const struct bt_delivery *delivery) {
  bool recorded = false;
  for (size_t i = 0; i < delivery->completed_count; i++)
    recorded = recorded || (delivery->completed[i].passed && bt_trimmed_equals(delivery->completed[i].gate, "merge"));
  return recorded && delivery->pending.count > 0 && bt_trimmed_equals(delivery->pending.items[0], "post-merge-verify");
}

enum bt_code bt_judge_merged(struct bt_evaluation *out, struct bt_error *err) {
  enum contained contained = UNVERIFIABLE;
  bool has_merge = false, undone = false;
  if (!bt_delivery_is_pending(out->delivery, "post-merge-verify")) {
    out->verdict = bt_evaluation_end(out, BT_VERDICT_STALE_PR_MERGED, "pr:merged-no-post-merge-verify");
    return BT_OK;
  }
  enum bt_code code = bt_live_refs(out, out->delivery->branch, false, err);
  if (code == BT_OK && out->pr.merge != NULL)
    code = bt_work_has_commit(&out->work, out->pr.merge, &has_merge, err);
  if (code == BT_OK)
    code = judge_contained(out, has_merge, &contained, err);
  if (code != BT_OK)
    return code;
  if (contained == CONFLICTING)
    out->verdict = bt_evaluation_end(out, BT_VERDICT_STALE_HEAD, "merge:conflicting-head");
  else if (contained != CONTAINED)
    out->verdict = bt_evaluation_end(out, BT_VERDICT_AMBIGUOUS_LIVE_STATE,
                                     contained == EXTRA_COMMITS ? "merge:extra-commits" : "merge:unverifiable");
  if (contained != CONTAINED)
    return BT_OK;
  code = judge_undone(out, has_merge, &undone, err);
  if (undone)
    out->verdict = bt_evaluation_end(out, BT_VERDICT_STALE_ROLLED_BACK, "merge:reverted");
  else if (is_reconciled(out->delivery))
    out->verdict = BT_VERDICT_USABLE;
  else
    out->verdict = bt_evaluation_end(out, BT_VERDICT_RECONCILE_MERGED, "pr:merged");
  return code;
}
