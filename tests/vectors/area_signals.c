/* tests/vectors/area_signals.c - transcripts in, facts out (spec/transcripts.md 12); with --incremental the file grows
 * in pieces. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/digest.h"
#include "core/base/utf8.h"
#include "core/harness/flail.h"
#include "core/harness/narrative.h"
#include "core/harness/read_at.h"
#include "core/harness/transcript.h"
#include "tests/support/cuts.h"
#include "tests/vectors/support.h"

/* A transcript is a text, {"b64"} or {"repeat": [{"text"|"b64", "n"}]}. */
static void transcript_bytes(struct bt_str *out, const struct bt_json *value) {
  const char *text = bt_json_string(value), *b64 = bt_json_get_string(value, "b64");
  if (text)
    bt_utf8_encode8(out, text, strlen(text));
  else if (b64)
    vec_require(vec_base64(out, b64), "base64");
  for (const struct bt_json *piece = bt_json_first(bt_json_get(value, "repeat")); piece; piece = bt_json_next(piece)) {
    struct bt_str bytes;
    int64_t times = 1;
    bt_str_init(&bytes, VEC_TEXT_MAX);
    text = bt_json_get_string(piece, "text");
    b64 = bt_json_get_string(piece, "b64");
    if (text)
      bt_utf8_encode8(&bytes, text, strlen(text));
    else
      vec_require(b64 && vec_base64(&bytes, b64), "base64");
    vec_get_int(piece, "n", &times);
    for (int64_t n = 0; n < times; n++)
      bt_str_append(out, bytes.data, bytes.length);
    bt_str_dispose(&bytes);
  }
  vec_require(!out->failed, "transcript");
}

static void set(struct bt_json *object, const char *key, struct bt_json *value) {
  vec_require(bt_json_set(object, key, value) == BT_OK, "memory");
}

/* A text of more than 1 KiB is given by size and digest. */
static struct bt_json *text_value(const char *text) {
  struct bt_str bytes;
  struct bt_json *value;
  if (!text)
    return bt_json_new_null();
  bt_str_init(&bytes, VEC_TEXT_MAX);
  bt_utf8_encode8(&bytes, text, strlen(text));
  if (bytes.length <= 1024) {
    value = bt_json_new_string(text);
  } else {
    char hex[BT_SHA256_HEX];
    bt_sha256_hex(bytes.data, bytes.length, hex);
    value = bt_json_new_object();
    set(value, "bytes", bt_json_new_number((double)bytes.length));
    set(value, "sha256", bt_json_new_string(hex));
  }
  bt_str_dispose(&bytes);
  return value;
}

static struct bt_json *count_value(int64_t count) {
  return count == BT_COUNT_UNKNOWN ? bt_json_new_null() : bt_json_new_number((double)count);
}

static struct bt_json *facts_json(const struct bt_transcript_facts *facts) {
  struct bt_json *out = bt_json_new_object();
  set(out, "depth", count_value(facts->depth));
  set(out, "truncated", bt_json_new_bool(facts->truncated));
  set(out, "bytes", count_value(facts->bytes));
  set(out, "host_band", bt_json_new_string(bt_host_band_word(facts->host_band)));
  const struct {
    const char *key, *text;
  } texts[] = {{"session_id", facts->session_id},
               {"parent_session_id", facts->parent_session_id},
               {"cwd", facts->cwd},
               {"last_cwd", facts->last_cwd},
               {"git_branch", facts->git_branch},
               {"model", facts->model},
               {"version", facts->version},
               {"title", facts->title},
               {"first_prompt", facts->first_prompt},
               {"last_prompt", facts->last_prompt},
               {"last_assistant", facts->last_assistant},
               {"last_tool", facts->last_tool},
               {"window_source", facts->window_source}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    set(out, texts[i].key, text_value(texts[i].text));
  const struct {
    const char *key;
    int64_t count;
  } counts[] = {{"started_ms", facts->started_ms},
                {"last_activity_ms", facts->last_activity_ms},
                {"user_messages", facts->user_messages},
                {"assistant_messages", facts->assistant_messages},
                {"messages", facts->user_messages + facts->assistant_messages},
                {"tools", facts->tools},
                {"pct_tokens_used", facts->used},
                {"window", facts->window},
                {"pct_centi", facts->pct_centi},
                {"compactions", facts->compactions},
                {"sidechain_records", facts->sidechain_records},
                {"skipped_lines", facts->skipped_lines}};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    set(out, counts[i].key, count_value(counts[i].count));
  set(out, "is_subagent", bt_json_new_bool(facts->is_subagent));
  set(out, "last_tool_pending", bt_json_new_bool(facts->last_tool_pending));
  set(out, "partial_tail", bt_json_new_bool(facts->partial_tail));
  set(out, "error", bt_json_new_bool(facts->error));
  set(out, "state", bt_json_new_string(bt_agent_state_word(facts->state)));
  struct bt_json *last = bt_json_new_null();
  if (facts->has_last_compaction) {
    bt_json_free(last);
    last = bt_json_new_object();
    set(last, "trigger", text_value(facts->compaction_trigger));
    set(last, "pre_tokens", count_value(facts->compaction_pre_tokens));
    set(last, "post_tokens", count_value(facts->compaction_post_tokens));
  }
  set(out, "last_compaction", last);
  return out;
}

/* Section 8 reads the last MiB and no more; what `continue` reads beyond it is another document's rule. */
static bool read_narrative(struct bt_narrative *narrative, int fd) {
  struct stat st;
  vec_require(fstat(fd, &st) == 0, "stat");
  uint64_t from = st.st_size > (off_t)BT_NARRATIVE_WINDOW ? (uint64_t)st.st_size - BT_NARRATIVE_WINDOW : 0;
  char *bytes = malloc(BT_NARRATIVE_WINDOW);
  vec_require(bytes != NULL, "memory");
  ssize_t got = bt_read_at(fd, bytes, BT_NARRATIVE_WINDOW, from);
  vec_require(got >= 0, "read");
  const char *lf = from ? memchr(bytes, '\n', (size_t)got) : NULL;
  size_t cut = !from ? 0 : lf ? (size_t)(lf - bytes) + 1 : (size_t)got;
  struct bt_str text;
  bt_str_init(&text, VEC_TEXT_MAX);
  bt_utf8_decode8(&text, bytes + cut, (size_t)got - cut);
  bool ok = bt_narrative_parse(narrative, text.data, text.length, NULL) == BT_OK;
  bt_str_dispose(&text);
  free(bytes);
  return ok;
}

static void add_narrative(struct bt_json *out, int fd, enum bt_harness harness) {
  struct bt_narrative narrative;
  char hex[BT_SHA256_HEX];
  bool any = harness == BT_HARNESS_CLAUDE && read_narrative(&narrative, fd);
  if (any && narrative.text) {
    struct bt_str bytes;
    bt_str_init(&bytes, VEC_TEXT_MAX);
    bt_utf8_encode8(&bytes, narrative.text, strlen(narrative.text));
    bt_sha256_hex(bytes.data, bytes.length, hex);
    set(out, "narrative_bytes", bt_json_new_number((double)bytes.length));
    set(out, "narrative_sha256", bt_json_new_string(hex));
    bt_str_dispose(&bytes);
  } else {
    set(out, "narrative_bytes", bt_json_new_null());
    set(out, "narrative_sha256", bt_json_new_null());
  }
  if (any)
    bt_narrative_dispose(&narrative);
}

static struct bt_json *flail_signal(const char *type, const char *label, const struct bt_flail_list *list) {
  struct bt_json *signal = bt_json_new_object(), *entries = bt_json_new_array();
  for (size_t i = 0; i < list->count; i++) {
    struct bt_json *entry = bt_json_new_object();
    set(entry, label, bt_json_new_string(list->entries[i].text));
    set(entry, "count", bt_json_new_number((double)list->entries[i].count));
    vec_require(bt_json_push(entries, entry) == BT_OK, "memory");
  }
  set(signal, "type", bt_json_new_string(type));
  set(signal, "entries", entries);
  return signal;
}

/* What the window at the end of the file says. */
static void find_flail(struct bt_flail *flail, int fd) {
  struct stat st;
  vec_require(fstat(fd, &st) == 0, "stat");
  bool is_tail = st.st_size > (off_t)BT_FLAIL_WINDOW;
  char *bytes = malloc(BT_FLAIL_WINDOW);
  ssize_t got =
      bytes ? bt_read_at(fd, bytes, BT_FLAIL_WINDOW, is_tail ? (uint64_t)st.st_size - BT_FLAIL_WINDOW : 0) : -1;
  vec_require(got >= 0 && bt_flail_find(flail, bytes, (size_t)got, is_tail) == BT_OK, "flail");
  free(bytes);
}

static void add_flail(struct bt_json *out, int fd) {
  struct bt_flail flail;
  struct bt_json *value = bt_json_new_object(), *signals = bt_json_new_array();
  find_flail(&flail, fd);
  set(value, "verdict", bt_json_new_string(bt_flail_is(&flail) ? "flail" : "clean"));
  if (flail.repeated_errors.count)
    vec_require(bt_json_push(signals, flail_signal("repeated-error", "signature", &flail.repeated_errors)) == BT_OK,
                "memory");
  if (flail.edit_churn.count)
    vec_require(bt_json_push(signals, flail_signal("edit-churn", "path", &flail.edit_churn)) == BT_OK, "memory");
  set(value, "signals", signals);
  set(out, "flail", value);
  bt_flail_dispose(&flail);
}

static enum bt_harness harness_of(const char *word) {
  return !strcmp(word, "codex")      ? BT_HARNESS_CODEX
         : !strcmp(word, "opencode") ? BT_HARNESS_OPENCODE
         : !strcmp(word, "gemini")   ? BT_HARNESS_GEMINI
         : !strcmp(word, "pi")       ? BT_HARNESS_PI
                                     : BT_HARNESS_CLAUDE;
}

/* Lets the file grow to `bytes` in a few uneven pieces, updating after each. */
static void grow(struct bt_transcript *transcript, int fd, const struct bt_str *bytes, bool in_pieces) {
  size_t done = 0, step = in_pieces ? 1 + bytes->length / 97 : bytes->length;
  do {
    size_t n = bytes->length - done < step ? bytes->length - done : step;
    vec_require(write(fd, bytes->data + done, n) == (ssize_t)n, "write");
    done += n;
    step += in_pieces ? 7 : 0;
    vec_require(bt_transcript_update(transcript, fd, NULL, NULL) == BT_OK, "update");
  } while (done < bytes->length);
}

#define CUT_LINES 24
#define CUT_SEEDED 16

/* Wherever the file is cut, growing from there must end in the same facts; large files are cut at some places only. */
static bool cuts_agree(const struct vec_case *vec, int fd, const char *stem, enum bt_harness harness,
                       const struct bt_str *bytes) {
  size_t at;
  const char *difference = all_cuts(fd, stem, harness, bytes->data, bytes->length, CUT_LINES, CUT_SEEDED, &at);
  if (difference)
    (void)vec_fail(vec, "cut at %zu: %s differs from a full read", at, difference);
  return !difference;
}

enum vec_result vec_run_signals(const struct vec_case *vec) {
  const char *file = bt_json_get_string(vec->json, "file");
  enum bt_harness harness = harness_of(bt_json_get_string(vec->json, "harness"));
  struct vec_world world;
  struct bt_str bytes;
  vec_world_open(&world);
  bt_str_init(&bytes, VEC_TEXT_MAX);
  transcript_bytes(&bytes, bt_json_get(vec->json, "transcript"));
  vec_tree_put(&world, file, "", 0);
  struct bt_str path;
  bt_str_init(&path, 8192);
  bt_str_printf(&path, "%s/%s", world.root, file);
  int fd = open(path.data, O_RDWR | O_CLOEXEC | O_APPEND);
  vec_require(fd >= 0, "open");

  char *stem = strdup(file);
  vec_require(stem != NULL, "memory");
  if (strrchr(stem, '.'))
    *strrchr(stem, '.') = 0;
  struct bt_transcript *transcript = bt_transcript_new(stem, harness);
  vec_require(transcript != NULL, "memory");
  grow(transcript, fd, &bytes, vec->incremental);
  struct bt_transcript_facts facts;
  vec_require(bt_facts_copy(&facts, bt_transcript_facts(transcript)) == BT_OK, "memory");
  int64_t now_ms = BT_TIME_UNKNOWN;
  vec_get_int(vec->json, "now_ms", &now_ms);
  (void)bt_json_get_bool(vec->json, "archived", &facts.archived);
  bt_facts_settle_state(&facts, now_ms, false);
  struct bt_json *actual = facts_json(&facts);
  add_narrative(actual, fd, facts.harness);
  if (bt_json_get(vec->expected, "flail"))
    add_flail(actual, fd);

  bool same = true;
  for (const struct bt_json *want = bt_json_first(vec->expected); want; want = bt_json_next(want))
    same &= vec_expect_json(vec, NULL, bt_json_key(want), want, bt_json_get(actual, bt_json_key(want)));
  bt_json_free(actual);
  bt_facts_dispose(&facts);
  bt_transcript_free(transcript);
  close(fd);
  int scratch = vec->incremental ? open(path.data, O_RDWR | O_CLOEXEC | O_TRUNC) : -1;
  if (scratch >= 0) {
    same &= cuts_agree(vec, scratch, stem, harness, &bytes);
    close(scratch);
  }
  free(stem);
  bt_str_dispose(&path);
  bt_str_dispose(&bytes);
  vec_world_close(&world);
  return same ? VEC_PASS : VEC_FAIL;
}
