/* tests/fuzz/fuzz_transcript.c - any bytes as a transcript: the first byte says in whose store and under which name,
 * the second where it was cut when it was read before, the rest is the file. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "core/base/utf8.h"
#include "core/harness/flail.h"
#include "core/harness/tail.h"
#include "core/harness/transcript.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/cuts.h"

#define TAIL_ARENA ((size_t)64 << 20)

static const char *const stems[] = {"5b1f0c3e-1111-4a2b-8c3d-0123456789ab", "agent-77aa",
                                    "rollout-2026-01-01T10-00-00-019b0000-0000-7000-8000-000000000001", "s"};

static bool is_count(int64_t count) {
  return count == BT_COUNT_UNKNOWN || count >= 0;
}

static bool is_text(const char *text) {
  if (!text)
    return true;
  size_t length = strlen(text);
  for (size_t at = 0; at < length;) {
    size_t from = at;
    uint32_t c = bt_utf8_next(text, length, &at);
    FUZZ_CHECK(at > from);
    if (c == 0xFFFD && memcmp(text + from, "\xEF\xBF\xBD", 3) != 0) /* a byte that is no text was kept */
      return (unsigned char)text[from] == 0xC0 && (unsigned char)text[from + 1] == 0x80; /* but for NUL */
  }
  return true;
}

static void check_facts(const struct bt_transcript_facts *facts, size_t size) {
  const char *const texts[] = {facts->session_id, facts->cwd,         facts->model,          facts->title,
                               facts->last_tool,  facts->last_prompt, facts->last_assistant, facts->compaction_trigger};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    FUZZ_CHECK(is_text(texts[i]));
  FUZZ_CHECK(facts->session_id != NULL);
  FUZZ_CHECK(is_count(facts->used) && is_count(facts->window) && is_count(facts->depth));
  FUZZ_CHECK(is_count(facts->compaction_pre_tokens) && is_count(facts->compaction_post_tokens));
  FUZZ_CHECK(facts->pct_centi == BT_COUNT_UNKNOWN || (facts->pct_centi >= 0 && facts->pct_centi <= 10000));
  FUZZ_CHECK((facts->pct_centi == BT_COUNT_UNKNOWN) == (facts->used < 0 || facts->window <= 0));
  FUZZ_CHECK((facts->window == BT_COUNT_UNKNOWN) == (facts->window_source == NULL));
  FUZZ_CHECK(facts->bytes == (int64_t)size);
  FUZZ_CHECK(facts->skipped_lines >= 0 && (size_t)facts->skipped_lines <= size);
  FUZZ_CHECK(facts->tools >= 0 && facts->user_messages >= 0 && facts->assistant_messages >= 0);
  FUZZ_CHECK(facts->first_prompt == NULL || strchr(facts->first_prompt, '\n') == NULL);
}

static void read_whole(int fd, const char *stem, enum bt_harness harness, size_t size) {
  struct bt_transcript *transcript = bt_transcript_new(stem, harness);
  FUZZ_CHECK(transcript && bt_transcript_update(transcript, fd, NULL, NULL) == BT_OK);
  check_facts(bt_transcript_facts(transcript), size);
  bool whole;
  FUZZ_CHECK(bt_transcript_peek(transcript, fd, size / 2, &whole, NULL) == BT_OK);
  bt_transcript_free(transcript);
  struct bt_flail flail;
  char *bytes = malloc(size + 1);
  FUZZ_CHECK(bytes && pread(fd, bytes, size, 0) == (ssize_t)size);
  FUZZ_CHECK(bt_flail_find(&flail, bytes, size, false) == BT_OK);
  bt_flail_dispose(&flail);
  free(bytes);
}

static void read_tail(const char *path) {
  struct bt_arena *arena = bt_arena_new(TAIL_ARENA);
  struct bt_tail tail;
  FUZZ_CHECK(arena != NULL);
  FUZZ_CHECK(bt_tail_read(&tail, arena, path, NULL) != BT_NOMEM);
  FUZZ_CHECK(tail.count <= BT_TAIL_ENTRIES);
  bt_arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[] = "/dev/shm/baton-fuzz-XXXXXX";
  if (size < 2)
    return 0;
  enum bt_harness harness = (enum bt_harness)(data[0] % BT_HARNESS_COUNT);
  const char *stem = stems[data[0] / BT_HARNESS_COUNT % (sizeof stems / sizeof *stems)];
  const char *bytes = (const char *)data + 2;
  size -= 2;
  int fd = mkstemp(path);
  FUZZ_CHECK(fd >= 0);
  const char *difference = cut_difference(fd, stem, harness, bytes, size, size * data[1] / 255);
  if (difference)
    fprintf(stderr, "after growing, %s differs\n", difference);
  FUZZ_CHECK(!difference);
  read_whole(fd, stem, harness, size);
  read_tail(path);
  close(fd);
  unlink(path);
  return 0;
}
