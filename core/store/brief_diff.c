/* core/store/brief_diff.c - two texts in their hashed form, compared line by line. */
#include "core/store/brief_diff.h"

#include <stdio.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/str.h"
#include "core/base/utf8.h"
#include "core/store/capture.h"
#include "core/store/git_run.h"
#include "core/store/path.h"
#include "core/store/repo.h"
#include "core/store/reviewed.h"
#include "core/text/capture.h"

#define TEXT_MAX ((size_t)4 * 1024 * 1024)
#define DIFF_MAX (3 * TEXT_MAX)

struct texts {
  struct bt_str kept, body, before, after, hunks, shown;
};

static void texts_init(struct texts *texts) {
  bt_str_init(&texts->kept, TEXT_MAX);
  bt_str_init(&texts->body, 3 * BT_CAPTURE_MAX_BYTES);
  bt_str_init(&texts->before, TEXT_MAX);
  bt_str_init(&texts->after, TEXT_MAX);
  bt_str_init(&texts->hunks, DIFF_MAX);
  bt_str_init(&texts->shown, DIFF_MAX);
}

static void texts_dispose(struct texts *texts) {
  bt_str_dispose(&texts->kept);
  bt_str_dispose(&texts->body);
  bt_str_dispose(&texts->before);
  bt_str_dispose(&texts->after);
  bt_str_dispose(&texts->hunks);
  bt_str_dispose(&texts->shown);
}

static enum bt_code no_memory(const char *session, struct bt_error *err) {
  return bt_error_set(err, BT_NOMEM, session, "out of memory");
}

static enum bt_code read_brief(int ledger, const char *session, struct bt_str *body, char hash[BT_SHA256_HEX],
                               struct bt_error *err) {
  const char *error = NULL;
  enum bt_code code = ledger < 0 ? bt_error_set(err, BT_STATE, session, "there is no ledger here")
                                 : bt_capture_read(ledger, session, body, hash, &error, err);
  if (code == BT_OK && error)
    code = bt_error_set(err, BT_STATE, session, "the brief on disk cannot be read: %s", error);
  return code;
}

static void canonical_of_bytes(struct bt_str *out, const struct bt_str *bytes) {
  struct bt_str text;
  bt_str_init(&text, DIFF_MAX);
  bt_utf8_decode8(&text, bytes->data, bytes->length);
  bt_capture_canonical(out, text.data, text.length);
  out->failed = out->failed || text.failed;
  bt_str_dispose(&text);
}

/* What git has committed in the place of the brief, where that is the text the records speak of: a ledger may be kept
 * in the repository. False in any other case, also where there is no git, or memory is short (*failed). */
static bool read_committed(const struct bt_env *env, const char *session, const char *expected, struct bt_str *bytes,
                           struct bt_kept_copy *copy, bool *failed) {
  struct bt_str object, text;
  struct bt_git_result result = {BT_GIT_ABSENT, 0};
  char hash[BT_SHA256_HEX] = "";
  struct bt_error why = {0};
  *failed = false;
  if (!expected || !*expected || !env->root)
    return false;
  bt_str_init(&object, BT_PATH_MAX_BYTES);
  bt_str_init(&text, DIFF_MAX);
  bt_str_clear(bytes);
  bt_str_printf(&object, "HEAD:./.adlc/%s/%s%s", BT_PATH_CONTENT, session, bt_ledger_suffix(BT_FILE_CAPTURE));
  const char *const args[] = {"cat-file", "blob", object.data, NULL};
  bool same = !object.failed && bt_git_run(env->root, args, true, bytes, &result, &why) == BT_OK &&
              result.end == BT_GIT_EXITED && result.exit_status == 0;
  if (same)
    bt_utf8_decode8(&text, bytes->data, bytes->length);
  same = same && !text.failed && bt_capture_hash(text.data, text.length, hash, &why) == BT_OK &&
         strcmp(hash, expected) == 0;
  *failed = object.failed || text.failed || why.code == BT_NOMEM;
  bt_str_dispose(&object);
  bt_str_dispose(&text);
  if (same) {
    *copy = (struct bt_kept_copy){.kind = BT_COPY_COMMITTED, .kept_ms = BT_TIME_UNKNOWN};
    snprintf(copy->hash, sizeof copy->hash, "%s", hash);
  }
  return same;
}

/* A text that is proved to be the one the records speak of goes before any other. */
static enum bt_code find_copy(const struct bt_env *env, const char *session, const char *expected, struct bt_str *bytes,
                              struct bt_kept_copy *copy, struct bt_error *err) {
  struct bt_error none = {0};
  enum bt_code code = bt_reviewed_copy(env, session, expected, bytes, copy, &none);
  bool failed;
  if (code == BT_OK && copy->kind == BT_COPY_EXPECTED)
    return BT_OK;
  if (code == BT_NOMEM || (!read_committed(env, session, expected, bytes, copy, &failed) && failed))
    return bt_error_set(err, BT_NOMEM, session, "out of memory");
  if (copy->kind == BT_COPY_COMMITTED)
    return BT_OK;
  return bt_reviewed_copy(env, session, expected, bytes, copy, err);
}

/* The head names no path: the old side lies in no ledger. */
static void put_head(struct bt_str *out, const struct bt_kept_copy *copy) {
  char when[BT_ISO_MS] = "";
  if (copy->kept_ms != BT_TIME_UNKNOWN)
    bt_time_iso(when, copy->kept_ms);
  bt_str_printf(out, "--- %s", bt_copy_words(copy->kind));
  if (copy->kept_ms != BT_TIME_UNKNOWN)
    bt_str_printf(out, ", kept %s", when);
  bt_str_printf(out, ", sha256 %.12s\n+++ the brief on disk\n", copy->hash);
}

static enum bt_code fill(struct bt_brief_diff *diff, struct texts *texts, const char *session,
                         const struct bt_kept_copy *copy, const char *hash) {
  diff->session = bt_arena_strdup(diff->arena, session);
  diff->against = copy->kind;
  diff->kept_ms = copy->kept_ms;
  diff->old_hash = bt_arena_strdup(diff->arena, copy->hash);
  diff->new_hash = bt_arena_strdup(diff->arena, hash);
  put_head(&texts->shown, copy);
  bt_utf8_decode8(&texts->shown, texts->hunks.data, texts->hunks.length);
  diff->text = texts->shown.failed ? NULL : bt_arena_strndup(diff->arena, texts->shown.data, texts->shown.length);
  diff->length = texts->shown.length;
  return diff->session && diff->old_hash && diff->new_hash && diff->text ? BT_OK : BT_NOMEM;
}

static enum bt_code load(const struct bt_env *env, int ledger, const char *session, const char *expected,
                         struct texts *texts, struct bt_brief_diff *diff, struct bt_error *err) {
  struct bt_kept_copy copy;
  struct bt_difference counts = {0, 0};
  char hash[BT_SHA256_HEX] = "";
  enum bt_code code = read_brief(ledger, session, &texts->body, hash, err);
  if (code == BT_OK)
    code = find_copy(env, session, expected, &texts->kept, &copy, err);
  if (code != BT_OK)
    return code;
  canonical_of_bytes(&texts->before, &texts->kept);
  bt_capture_canonical(&texts->after, texts->body.data, texts->body.length);
  if (texts->before.failed || texts->after.failed)
    return no_memory(session, err);
  code = bt_repo_difference(&texts->before, &texts->after, &texts->hunks, &counts, err);
  if (code == BT_OK && fill(diff, texts, session, &copy, hash) != BT_OK)
    code = no_memory(session, err);
  diff->added = counts.added;
  diff->removed = counts.removed;
  return code;
}

enum bt_code bt_brief_diff_load(const struct bt_env *env, int ledger, const char *session, const char *expected,
                                struct bt_brief_diff **diff, struct bt_error *err) {
  struct texts texts;
  struct bt_arena *arena = bt_arena_new(DIFF_MAX + (size_t)64 * 1024);
  *diff = arena ? BT_ARENA_NEW(arena, struct bt_brief_diff) : NULL;
  if (!*diff) {
    bt_arena_free(arena);
    return no_memory(session, err);
  }
  (*diff)->arena = arena;
  texts_init(&texts);
  enum bt_code code = load(env, ledger, session, expected, &texts, *diff, err);
  texts_dispose(&texts);
  if (code != BT_OK) {
    bt_brief_diff_free(*diff);
    *diff = NULL;
  }
  return code;
}
