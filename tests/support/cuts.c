/* tests/support/cuts.c - see cuts.h. */
#include "tests/support/cuts.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/str.h"
#include "core/harness/transcript.h"

#define EVERY_OFFSET ((size_t)65536)

const char *facts_difference(const struct bt_transcript_facts *a, const struct bt_transcript_facts *b) {
  const struct {
    const char *name, *a, *b;
  } texts[] = {{"session_id", a->session_id, b->session_id},
               {"parent_session_id", a->parent_session_id, b->parent_session_id},
               {"cwd", a->cwd, b->cwd},
               {"last_cwd", a->last_cwd, b->last_cwd},
               {"git_branch", a->git_branch, b->git_branch},
               {"model", a->model, b->model},
               {"version", a->version, b->version},
               {"title", a->title, b->title},
               {"first_prompt", a->first_prompt, b->first_prompt},
               {"last_prompt", a->last_prompt, b->last_prompt},
               {"last_assistant", a->last_assistant, b->last_assistant},
               {"last_tool", a->last_tool, b->last_tool},
               {"compaction_trigger", a->compaction_trigger, b->compaction_trigger},
               {"window_source", a->window_source, b->window_source}};
  const struct {
    const char *name;
    int64_t a, b;
  } numbers[] = {{"harness", a->harness, b->harness},
                 {"depth", a->depth, b->depth},
                 {"depth_invalid", a->depth_invalid, b->depth_invalid},
                 {"truncated", a->truncated, b->truncated},
                 {"host_band", a->host_band, b->host_band},
                 {"is_subagent", a->is_subagent, b->is_subagent},
                 {"user_messages", a->user_messages, b->user_messages},
                 {"assistant_messages", a->assistant_messages, b->assistant_messages},
                 {"tools", a->tools, b->tools},
                 {"last_tool_pending", a->last_tool_pending, b->last_tool_pending},
                 {"state", a->state, b->state},
                 {"error", a->error, b->error},
                 {"compactions", a->compactions, b->compactions},
                 {"has_last_compaction", a->has_last_compaction, b->has_last_compaction},
                 {"pre_tokens", a->compaction_pre_tokens, b->compaction_pre_tokens},
                 {"post_tokens", a->compaction_post_tokens, b->compaction_post_tokens},
                 {"last_compaction_ms", a->last_compaction_ms, b->last_compaction_ms},
                 {"sidechain_records", a->sidechain_records, b->sidechain_records},
                 {"started_ms", a->started_ms, b->started_ms},
                 {"last_activity_ms", a->last_activity_ms, b->last_activity_ms},
                 {"used", a->used, b->used},
                 {"window", a->window, b->window},
                 {"pct_centi", a->pct_centi, b->pct_centi},
                 {"trail_count", a->trail_count, b->trail_count},
                 {"skipped_lines", a->skipped_lines, b->skipped_lines},
                 {"bytes", a->bytes, b->bytes},
                 {"no_session", a->no_session, b->no_session},
                 {"partial_tail", a->partial_tail, b->partial_tail}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (!bt_text_equals(texts[i].a, texts[i].b))
      return texts[i].name;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (numbers[i].a != numbers[i].b)
      return numbers[i].name;
  return NULL;
}

static bool grow_to(int fd, const char *bytes, size_t from, size_t to) {
  return pwrite(fd, bytes + from, to - from, (off_t)from) == (ssize_t)(to - from);
}

/* The facts of `grown` against those of a reader that sees the file for the first time. */
static const char *against_fresh(const struct bt_transcript *grown, int fd, const char *stem, enum bt_harness harness) {
  struct bt_transcript *fresh = bt_transcript_new(stem, harness);
  const char *difference = !fresh || bt_transcript_update(fresh, fd, NULL, NULL) != BT_OK
                               ? "the full read failed"
                               : facts_difference(bt_transcript_facts(grown), bt_transcript_facts(fresh));
  bt_transcript_free(fresh);
  return difference;
}

const char *cut_difference(int fd, const char *stem, enum bt_harness harness, const char *bytes, size_t length,
                           size_t cut) {
  struct bt_transcript *grown = bt_transcript_new(stem, harness);
  const char *difference = "a write failed";
  if (grown && ftruncate(fd, 0) == 0 && grow_to(fd, bytes, 0, cut)) {
    difference = bt_transcript_update(grown, fd, NULL, NULL) == BT_OK ? against_fresh(grown, fd, stem, harness)
                                                                      : "the first read failed";
    if (!difference && grow_to(fd, bytes, cut, length))
      difference = bt_transcript_update(grown, fd, NULL, NULL) == BT_OK ? against_fresh(grown, fd, stem, harness)
                                                                        : "the second read failed";
  }
  bt_transcript_free(grown);
  return difference;
}

static uint64_t next_random(uint64_t *seed) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return *seed;
}

const char *all_cuts(int fd, const char *stem, enum bt_harness harness, const char *bytes, size_t length,
                     size_t lines_max, size_t seeded, size_t *at) {
  uint64_t seed = UINT64_C(0x2545f4914f6cdd1d) ^ length;
  const char *difference = NULL;
  for (*at = 0; length <= EVERY_OFFSET && !difference && *at <= length;) {
    difference = cut_difference(fd, stem, harness, bytes, length, *at);
    *at += !difference;
  }
  if (length <= EVERY_OFFSET || difference)
    return difference;
  for (const char *lf = memchr(bytes, '\n', length); lf && lines_max-- > 0;
       lf = memchr(lf + 1, '\n', length - (size_t)(lf + 1 - bytes)))
    for (int off = -2; off <= 2; off++) {
      int64_t cut = lf - bytes + off;
      *at = cut < 0 ? 0 : (size_t)cut > length ? length : (size_t)cut;
      if ((difference = cut_difference(fd, stem, harness, bytes, length, *at)) != NULL)
        return difference;
    }
  while (seeded-- > 0) {
    *at = (size_t)(next_random(&seed) % (length + 1));
    if ((difference = cut_difference(fd, stem, harness, bytes, length, *at)) != NULL)
      return difference;
  }
  return NULL;
}
