/* core/harness/card.c - see card.h. */
#include "core/harness/card.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/hashset.h"
#include "core/base/str.h"
#include "core/harness/read_at.h"
#include "core/harness/take.h"
#include "core/harness/tree.h"

#define PROOF_HEAD 4096
#define PROOF_TAIL 4096

static void forget_facts(struct bt_card *card) {
  if (card->has_facts && !card->texts)
    bt_facts_dispose(&card->facts);
  bt_packed_release(card->texts);
  card->texts = NULL;
  card->has_facts = false;
}

bool bt_card_take_facts(struct bt_card *card, struct bt_transcript_facts *facts) {
  struct bt_packed *texts = bt_facts_pack(facts);
  if (!texts)
    return false;
  forget_facts(card);
  card->facts = *facts;
  card->texts = texts;
  card->has_facts = true;
  return true;
}

void bt_card_dispose(struct bt_card *card) {
  free(card->source.path);
  free(card->source.stem);
  free(card->source.parent_id);
  free(card->source.cwd);
  forget_facts(card);
  free(card->problem);
  bt_transcript_free(card->reader);
}

void bt_look_dispose(struct bt_look *look) {
  if (look->has_facts)
    bt_facts_dispose(&look->facts);
  free(look->problem);
  bt_transcript_free(look->reader);
  look->has_facts = false;
  look->problem = NULL;
  look->reader = NULL;
}

/* ---- what the name tells ---- */

#define ID_LENGTH 36

/* `rollout-YYYY-MM-DDThh-mm-ss-`, in local time. */
static int64_t time_of_name(const char *stem, size_t length) {
  char text[20];
  int64_t time_ms;
  if (length != strlen("rollout-") + sizeof text || strncmp(stem, "rollout-", strlen("rollout-")) != 0)
    return BT_TIME_UNKNOWN;
  memcpy(text, stem + strlen("rollout-"), sizeof text - 1);
  text[13] = text[16] = ':';
  return bt_time_parse(text, sizeof text - 1, &time_ms) ? time_ms : BT_TIME_UNKNOWN;
}

enum bt_code bt_card_facts_of_name(const struct bt_source *source, struct bt_transcript_facts *facts) {
  size_t length = strlen(source->stem);
  const char *id = source->stem;
  bt_facts_init(facts, source->harness);
  bool dated = source->harness == BT_HARNESS_CODEX && length > ID_LENGTH &&
               bt_is_uuid(source->stem + length - ID_LENGTH, ID_LENGTH);
  if (dated)
    id = source->stem + length - ID_LENGTH;
  facts->session_id = strdup(id);
  if (dated) /* when it began, not when it was last at work: that is the file's own time */
    facts->started_ms = time_of_name(source->stem, (size_t)(id - source->stem));
  facts->is_subagent = source->is_subagent;
  facts->bytes = source->sys_errno ? BT_COUNT_UNKNOWN : source->size;
  if (source->cwd && !(facts->cwd = strdup(source->cwd)))
    bt_facts_dispose(facts);
  return facts->session_id ? BT_OK : BT_NOMEM;
}

static void fail(struct bt_look *look, const char *words, int sys_errno) {
  struct bt_str text;
  bt_str_init(&text, 512);
  bt_str_puts(&text, words);
  if (sys_errno)
    bt_str_printf(&text, " (%s)", bt_errno_name(sys_errno));
  free(look->problem);
  look->problem = bt_str_take(&text, NULL);
  look->state = BT_CARD_UNREADABLE;
  if (look->has_facts)
    bt_facts_dispose(&look->facts);
  look->has_facts = bt_card_facts_of_name(&look->source, &look->facts) == BT_OK;
}

/* ---- opening ---- */

/* Codex swaps a plain file for a compressed one in two steps: where one name is missing, the other may just have come.
 */
static int open_source(struct bt_look *look) {
  struct bt_source *source = &look->source;
  struct bt_str plain;
  int fd = -1;
  bt_str_init(&plain, 65536);
  bt_str_puts(&plain, source->path);
  if (source->kind == BT_SOURCE_COMPRESSED)
    bt_str_truncate(&plain, plain.length - strlen(".zst"));
  for (int tries = 0; fd < 0 && tries < 2; tries++) {
    fd = open(plain.data, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 && errno != ENOENT)
      break;
  }
  int sys_errno = errno;
  bt_str_dispose(&plain);
  errno = sys_errno;
  return fd;
}

static bool is_swapped(const struct bt_source *source) {
  struct bt_str packed;
  struct stat st;
  bt_str_init(&packed, 65536);
  bt_str_printf(&packed, "%s.zst", source->path);
  bool there = !packed.failed && stat(packed.data, &st) == 0;
  bt_str_dispose(&packed);
  return there;
}

static void say_unopened(struct bt_look *look, int sys_errno) {
  bool compressed = look->source.kind == BT_SOURCE_COMPRESSED && sys_errno == ENOENT;
  if (compressed || (sys_errno == ENOENT && look->source.harness == BT_HARNESS_CODEX && is_swapped(&look->source)))
    fail(look, "compressed (zstd): not read", 0);
  else
    fail(look, sys_errno == ENOENT ? "the file is gone" : "the file cannot be opened", sys_errno);
}

/* ---- proofs ---- */

static uint64_t hash_at(int fd, uint64_t offset, uint32_t length, bool *ok) {
  char bytes[PROOF_HEAD > PROOF_TAIL ? PROOF_HEAD : PROOF_TAIL];
  *ok = length <= sizeof bytes && bt_read_at(fd, bytes, length, offset) == (ssize_t)length;
  return *ok ? bt_id_hash(bytes, length) : 0;
}

static bool prove(struct bt_card_proof *proof, int fd, int64_t size) {
  bool head_ok, tail_ok;
  *proof = (struct bt_card_proof){.head_length = size < PROOF_HEAD ? (uint32_t)size : PROOF_HEAD,
                                  .tail_length = size < PROOF_TAIL ? (uint32_t)size : PROOF_TAIL};
  proof->head_hash = hash_at(fd, 0, proof->head_length, &head_ok);
  proof->tail_hash = hash_at(fd, (uint64_t)size - proof->tail_length, proof->tail_length, &tail_ok);
  return head_ok && tail_ok;
}

static bool still_proved(const struct bt_look *look, int fd, const struct stat *st) {
  const struct bt_source *source = &look->source;
  struct bt_card_proof now;
  return source->device == (uint64_t)st->st_dev && source->inode == (uint64_t)st->st_ino &&
         source->size == (int64_t)st->st_size &&
         source->mtime_ns == (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec &&
         prove(&now, fd, source->size) && now.head_hash == look->proof.head_hash &&
         now.tail_hash == look->proof.tail_hash && now.head_length == look->proof.head_length &&
         now.tail_length == look->proof.tail_length;
}

/* ---- reading ---- */

static bool is_session(const struct bt_transcript_facts *facts, const struct bt_source *source) {
  return !facts->no_session && !(source->harness == BT_HARNESS_PI && facts->harness == BT_HARNESS_PI &&
                                 facts->started_ms == BT_TIME_UNKNOWN && !facts->cwd &&
                                 facts->user_messages + facts->assistant_messages == 0);
}

static void keep_facts(struct bt_look *look, const struct bt_transcript_facts *facts) {
  const struct bt_source *source = &look->source;
  look->has_facts = bt_facts_copy(&look->facts, facts) == BT_OK;
  bool ok = look->has_facts;
  if (ok && !look->facts.cwd && source->cwd)
    ok = (look->facts.cwd = strdup(source->cwd)) != NULL;
  if (ok && source->parent_id && !look->facts.parent_session_id)
    ok = (look->facts.parent_session_id = strdup(source->parent_id)) != NULL;
  if (ok)
    look->facts.is_subagent |= source->is_subagent;
  ok = ok && bt_facts_shorten(&look->facts, BT_CARD_TEXT_BYTES);
  if (!ok)
    fail(look, "out of memory", 0);
}

static void read_lines(struct bt_look *look, int fd) {
  struct bt_source *source = &look->source;
  struct bt_error err = {.code = BT_OK};
  struct stat st;
  bool whole = true;
  if (!look->reader)
    look->reader = bt_transcript_new(source->stem, source->harness);
  if (!look->reader || fstat(fd, &st) != 0) {
    fail(look, "out of memory", 0);
    return;
  }
  enum bt_code code = look->kind == BT_LOOK_PEEK
                          ? bt_transcript_peek(look->reader, fd, BT_CARD_PEEK_BYTES, &whole, &err)
                          : bt_transcript_update(look->reader, fd, NULL, &err);
  if (code != BT_OK) {
    fail(look, err.message, 0);
    return;
  }
  source->device = (uint64_t)st.st_dev;
  source->inode = (uint64_t)st.st_ino;
  source->size = (int64_t)st.st_size;
  source->mtime_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
  source->ctime_ns = (int64_t)st.st_ctim.tv_sec * 1000000000 + st.st_ctim.tv_nsec;
  look->state = whole ? BT_CARD_READ : BT_CARD_PEEKED;
  keep_facts(look, bt_transcript_facts(look->reader));
  if (whole && look->has_facts && !is_session(&look->facts, source))
    fail(look, "not a session: its first line is no session header", 0);
  if (whole && !prove(&look->proof, fd, source->size))
    look->proof = (struct bt_card_proof){0}; /* it shrank meanwhile: nothing to go by next time */
}

static void read_tree(struct bt_look *look) {
  struct bt_transcript_facts facts;
  struct bt_error err = {.code = BT_OK};
  if (bt_tree_read(look->source.path, look->source.stem, &facts, &err) != BT_OK) {
    fail(look, err.message, 0);
    return;
  }
  look->state = BT_CARD_READ;
  keep_facts(look, &facts);
  bt_facts_dispose(&facts);
}

void bt_look_run(struct bt_look *look) {
  const struct bt_source *source = &look->source;
  struct stat st;
  look->proved = false;
  if (source->kind == BT_SOURCE_TREE) {
    read_tree(look);
    return;
  }
  bool is_special = source->sys_errno == 0 && !source->is_regular; /* not even opened */
  int fd = is_special ? -1 : open_source(look), sys_errno = errno;
  if (is_special) {
    fail(look, "not a regular file", 0);
  } else if (fd < 0) {
    say_unopened(look, sys_errno);
  } else if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
    fail(look, "not a regular file", 0);
  } else if (look->kind == BT_LOOK_PROVE && still_proved(look, fd, &st)) {
    look->proved = true;
  } else {
    look->kind = look->kind == BT_LOOK_PROVE ? BT_LOOK_WHOLE : look->kind;
    read_lines(look, fd);
  }
  if (fd >= 0)
    close(fd);
  if (!look->keep_reader || look->state != BT_CARD_READ || look->proved) {
    bt_transcript_free(look->reader);
    look->reader = NULL;
  }
}

int bt_card_by_path(const void *a, const void *b) {
  return strcmp((*(struct bt_card *const *)a)->source.path, (*(struct bt_card *const *)b)->source.path);
}

struct bt_card *bt_card_find(struct bt_card *const *cards, size_t count, const char *path) {
  size_t from = 0, to = count;
  while (from < to) {
    size_t middle = from + (to - from) / 2;
    if (strcmp(cards[middle]->source.path, path) < 0)
      from = middle + 1;
    else
      to = middle;
  }
  return from < count && strcmp(cards[from]->source.path, path) == 0 ? cards[from] : NULL;
}
