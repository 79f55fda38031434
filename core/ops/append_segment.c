/* core/ops/append_segment.c - continues the branch's segment, or mints a new one. */
#include "core/ops/append_segment.h"

#include <stdio.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/store/git_run.h"
#include "core/store/manifest.h"
#include "core/store/repo.h"

#define FIRST_LINE_MAX ((size_t)65536) /* the first line of a segment ends within it */
#define BRANCH_MAX ((size_t)1024 * 1024)

static void set_name(struct bt_segment_choice *choice, const char *name) {
  (void)snprintf(choice->name, sizeof choice->name, "%s", name);
}

static enum bt_code find_branch(const struct bt_env *env, struct bt_segment_choice *choice, struct bt_error *err) {
  enum bt_repo_answer answer;
  enum bt_code code = bt_repo_branch(env, &choice->branch, &answer, err);
  choice->has_branch = code == BT_OK && answer == BT_REPO_KNOWN && choice->branch.length > 0 &&
                       !bt_text_equals(choice->branch.data, "HEAD");
  if (!choice->has_branch)
    bt_str_clear(&choice->branch);
  return code;
}

static enum bt_code by_token(struct bt_txn *txn, const struct bt_forest *forest, struct bt_segment_choice *choice,
                             bool *chosen, struct bt_error *err) {
  struct bt_segment_token token;
  enum bt_code code = bt_segment_token_read(bt_txn_dir(txn), &token, err);
  *chosen = code == BT_OK && token.usable && bt_text_equals(token.branch.data, choice->branch.data) &&
            bt_segments_has(&forest->segments, token.segment.data);
  if (*chosen)
    set_name(choice, token.segment.data);
  bt_segment_token_dispose(&token);
  return code;
}

/* ---- recovery: the segment whose first entry names the branch ---- */

/* Parses the first line of a segment; every way in which it cannot be read refuses. */
static enum bt_code read_first(int ledger, const char *path, struct bt_json **entry, struct bt_error *err) {
  *entry = NULL;
  int fd = bt_fs_open_file_at(ledger, path, err);
  if (fd < 0)
    return bt_error_set(err, BT_EVIDENCE, path, "this segment cannot be read");
  struct bt_lines *lines = bt_lines_new(fd);
  struct bt_line line;
  struct bt_error why = {0};
  bool more = false;
  enum bt_code code =
      lines == NULL ? bt_error_set(err, BT_NOMEM, path, "out of memory") : bt_lines_next(lines, &line, &more, err);
  if (code == BT_OK && !more)
    code = bt_error_set(err, BT_EVIDENCE, path, "this segment is empty");
  if (code == BT_OK && (line.oversize || line.length >= FIRST_LINE_MAX))
    code =
        bt_error_set(err, BT_EVIDENCE, path, "the first line of this segment is longer than %zu bytes", FIRST_LINE_MAX);
  if (code == BT_OK) {
    *entry = bt_json_parse(line.bytes, line.length, &why);
    if (*entry == NULL)
      code = why.code == BT_NOMEM ? bt_error_set(err, BT_NOMEM, path, "out of memory")
                                  : bt_error_set(err, BT_EVIDENCE, path, "the first line of this segment is no JSON");
  }
  bt_lines_free(lines);
  return code;
}

static enum bt_code by_recovery(struct bt_txn *txn, const struct bt_forest *forest, struct bt_segment_choice *choice,
                                bool *chosen, struct bt_error *err) {
  const struct bt_forest_chain *found = NULL;
  for (size_t i = 1; i < forest->count; i++) {
    struct bt_json *entry;
    enum bt_code code = read_first(bt_txn_dir(txn), forest->chains[i].path, &entry, err);
    bool same = code == BT_OK && bt_text_equals(bt_json_get_string(entry, "branch"), choice->branch.data);
    bt_json_free(entry);
    if (code != BT_OK)
      return code;
    if (same && found != NULL)
      return bt_error_set(err, BT_EVIDENCE, forest->chains[i].path,
                          "more than one segment begins on the branch %s: it cannot be told which one goes on",
                          choice->branch.data);
    if (same)
      found = &forest->chains[i];
  }
  *chosen = found != NULL;
  if (found == NULL)
    return BT_OK;
  if (!found->result.first_is_v2 || !found->result.first_verified)
    return bt_error_set(err, BT_EVIDENCE, found->path,
                        "its first entry has no signature of version 2 that holds: it is not continued");
  set_name(choice, found->name);
  return BT_OK;
}

/* ---- mint ---- */

/* A segment that git ignores would be lost with the working tree. */
static enum bt_code refuse_ignored(const struct bt_env *env, const char *name, struct bt_error *err) {
  static const char *const inside[] = {"rev-parse", "--is-inside-work-tree", NULL};
  char path[sizeof ".adlc/" BT_MANIFEST_FOLDER "/" + sizeof((struct bt_segment_choice *)0)->name];
  struct bt_git_result result;
  (void)snprintf(path, sizeof path, ".adlc/%s/%s", BT_MANIFEST_FOLDER, name);
  const char *const ignored[] = {"check-ignore", "-q", "--", path, NULL};
  enum bt_code code = bt_git_run(env->root, inside, true, NULL, &result, err);
  if (code != BT_OK || result.end != BT_GIT_EXITED || result.exit_status != 0)
    return code;
  code = bt_git_run(env->root, ignored, true, NULL, &result, err);
  if (code != BT_OK || (result.end == BT_GIT_EXITED && result.exit_status == 1))
    return code;
  bool says_so = result.end == BT_GIT_EXITED && result.exit_status == 0;
  return bt_error_set(err, BT_EVIDENCE, path,
                      says_so ? "git ignores this new segment: its entries would not be kept"
                              : "git could not say whether this new segment is ignored");
}

static enum bt_code write_token(struct bt_txn *txn, const struct bt_segment_choice *choice, const char *ulid,
                                struct bt_error *err) {
  struct bt_fs_stat stat;
  struct bt_str text;
  enum bt_code code = BT_OK;
  bt_fs_stat_at(bt_txn_dir(txn), BT_SEGMENT_TOKEN, &stat);
  if (stat.kind == BT_FS_LINK || stat.kind == BT_FS_OTHER)
    code = bt_txn_unlink(txn, BT_SEGMENT_TOKEN, err);
  if (code != BT_OK)
    return code;
  bt_str_init(&text, BRANCH_MAX * 4);
  struct bt_json *token = bt_json_new_object();
  bool ok = token != NULL && bt_json_set_string(token, "segment", choice->name) == BT_OK &&
            bt_json_set_string(token, "ulid", ulid) == BT_OK &&
            bt_json_set_string(token, "branch", choice->branch.data) == BT_OK;
  if (ok)
    bt_json_print_compact(&text, token);
  code = ok && !text.failed ? bt_txn_overwrite(txn, BT_SEGMENT_TOKEN, text.data, text.length, err)
                            : bt_error_set(err, BT_NOMEM, BT_SEGMENT_TOKEN, "out of memory");
  bt_json_free(token);
  bt_str_dispose(&text);
  return code;
}

static enum bt_code mint(const struct bt_env *env, struct bt_txn *txn, struct bt_segment_choice *choice,
                         struct bt_error *err) {
  unsigned char random[10];
  char slug[BT_SEGMENT_SLUG_MAX + 1], ulid[BT_ULID_LENGTH + 1];
  enum bt_code code = bt_random_bytes(random, sizeof random, err);
  if (code == BT_OK)
    code = bt_segment_slug(slug, choice->branch.data, err);
  if (code != BT_OK)
    return code;
  bt_segment_ulid(ulid, bt_env_now(env), random);
  (void)snprintf(choice->name, sizeof choice->name, "%s-%s.jsonl", slug, ulid);
  choice->minted = true;
  code = refuse_ignored(env, choice->name, err);
  return code == BT_OK && choice->has_branch ? write_token(txn, choice, ulid, err) : code;
}

enum bt_code bt_segment_choose(const struct bt_env *env, struct bt_txn *txn, const struct bt_forest *forest,
                               struct bt_segment_choice *choice, struct bt_error *err) {
  bool chosen = false;
  memset(choice, 0, sizeof *choice);
  bt_str_init(&choice->branch, BRANCH_MAX);
  enum bt_code code = find_branch(env, choice, err);
  if (code == BT_OK && choice->has_branch)
    code = by_token(txn, forest, choice, &chosen, err);
  if (code == BT_OK && choice->has_branch && !chosen)
    code = by_recovery(txn, forest, choice, &chosen, err);
  return code == BT_OK && !chosen ? mint(env, txn, choice, err) : code;
}

void bt_segment_choice_dispose(struct bt_segment_choice *choice) {
  bt_str_dispose(&choice->branch);
}
