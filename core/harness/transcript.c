/* core/harness/transcript.c - what to read of a file that was read before, and what its unfinished end means for now.
 */
#include "core/harness/transcript.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/hashset.h"
#include "core/base/utf8.h"
#include "core/harness/depth.h"
#include "core/harness/lines.h"
#include "core/harness/read_at.h"
#include "core/harness/reader.h"

#define PIECE_BYTES ((size_t)256 << 10)
#define HEAD_BYTES 4096 /* of the file's beginning, hashed to notice a rewrite in place */
#define LAST_BYTES 8192 /* of the last complete line's end, likewise */

struct bt_transcript {
  char *stem;
  enum bt_harness hint;
  const struct bt_reader_ops *ops;
  void *reader; /* NULL until the first object */
  struct bt_lines lines;
  struct bt_tape tape;
  struct bt_transcript_facts facts;
  int64_t skipped;
  bool begun;          /* a line that is not blank was seen */
  bool opens_document; /* that line was a beginning: `{` and no whole object */
  bool no_document;    /* the whole was tried as one and is none */

  /* what was read, as it was then */
  bool known;
  uint64_t device, inode;
  int64_t size, mtime_ns;
  uint64_t offset; /* just after the last LF consumed */
  uint64_t head_hash, last_hash;
  size_t head_length, last_length; /* last: the bytes before `offset` */
  struct bt_depth_scan depth;      /* up to `offset`: what stands behind it may be taken back */
  bool depth_counted;              /* by the read under way, of the one piece that the file is: */
  int64_t depth_now;
};

struct bt_transcript *bt_transcript_new(const char *stem, enum bt_harness hint) {
  struct bt_transcript *transcript = calloc(1, sizeof *transcript);
  if (!transcript)
    return NULL;
  transcript->hint = hint;
  transcript->stem = strdup(stem);
  bt_lines_init(&transcript->lines, BT_LINE_MAX);
  bt_tape_init(&transcript->tape);
  bt_facts_init(&transcript->facts, hint);
  if (!transcript->stem) {
    bt_transcript_free(transcript);
    return NULL;
  }
  return transcript;
}

static void forget(struct bt_transcript *t) {
  if (t->reader)
    t->ops->destroy(t->reader);
  t->reader = NULL;
  t->ops = NULL;
  bt_lines_reset(&t->lines);
  t->skipped = 0;
  t->begun = t->opens_document = t->no_document = false;
  t->known = false;
  t->offset = 0;
  t->head_length = t->last_length = 0;
  t->depth = (struct bt_depth_scan){0};
}

void bt_transcript_free(struct bt_transcript *t) {
  if (!t)
    return;
  forget(t);
  bt_lines_dispose(&t->lines);
  bt_tape_dispose(&t->tape);
  bt_facts_dispose(&t->facts);
  free(t->stem);
  free(t);
}

const struct bt_transcript_facts *bt_transcript_facts(const struct bt_transcript *transcript) {
  return &transcript->facts;
}

/* ---- lines ---- */

/* Whether the line is an object on the tape now; a blank line is neither that nor skipped. */
static enum bt_code parse_line(struct bt_transcript *t, const char *line, size_t length, bool *is_object,
                               bool *is_blank) {
  *is_object = false;
  *is_blank = bt_is_blank_w(line, length);
  if (*is_blank)
    return BT_OK;
  enum bt_code code = bt_tape_parse(&t->tape, line, length);
  *is_object = code == BT_OK && bt_tape_type(&t->tape, 0) == BT_JSON_OBJECT;
  return code == BT_NOMEM ? code : BT_OK;
}

static enum bt_code ensure_reader(struct bt_transcript *t) {
  if (t->reader)
    return BT_OK;
  t->ops = bt_reader_for(&t->tape, t->hint);
  t->reader = t->ops->create(t->stem);
  return t->reader ? BT_OK : BT_NOMEM;
}

static enum bt_code on_line(void *context, const char *line, size_t length) {
  struct bt_transcript *t = context;
  bool is_object = false, is_blank = false;
  if (line) {
    enum bt_code code = parse_line(t, line, length, &is_object, &is_blank);
    if (code)
      return code;
  }
  if (!t->begun && !is_blank) {
    struct bt_slice text = line ? bt_trim_w(line, length) : (struct bt_slice){"", 0};
    t->begun = true;
    t->opens_document = !is_object && text.length && text.data[0] == '{';
  }
  if (!is_object) {
    t->skipped += !is_blank;
    return BT_OK;
  }
  enum bt_code code = ensure_reader(t);
  return code ? code : t->ops->feed(t->reader, &t->tape);
}

/* The facts with the unfinished last line taken in, where it is an object already; the reader itself stays as it is. */
static enum bt_code facts_now(struct bt_transcript *t, struct bt_transcript_facts *facts) {
  const struct bt_str *tail = &t->lines.carry;
  bool is_object = false, is_blank = true;
  enum bt_code code = BT_OK;
  if (tail->length && !t->lines.passing_over)
    code = parse_line(t, tail->data, tail->length, &is_object, &is_blank);
  if (code)
    return code;
  if (is_object) {
    const struct bt_reader_ops *ops = t->reader ? t->ops : bt_reader_for(&t->tape, t->hint);
    void *copy = t->reader ? ops->copy(t->reader) : ops->create(t->stem);
    code = copy ? ops->feed(copy, &t->tape) : BT_NOMEM;
    if (code == BT_OK)
      code = ops->facts(copy, facts);
    if (copy)
      ops->destroy(copy);
  } else if (t->reader) {
    code = t->ops->facts(t->reader, facts);
  } else {
    const struct bt_reader_ops *ops = bt_reader_of(t->hint);
    void *empty = ops->create(t->stem);
    code = empty ? ops->facts(empty, facts) : BT_NOMEM;
    if (empty)
      ops->destroy(empty);
  }
  if (code == BT_OK) {
    facts->skipped_lines = t->skipped;
    facts->partial_tail = (!is_object && !is_blank) || t->lines.passing_over;
  }
  return code;
}

/* ---- documents ---- */

/* A file whose first line is only the beginning of an object may be one document over many lines: it is read whole,
 * each time it changes. Where lines are the rule, one failed try is enough once a line was an object. */
static bool may_be_document(const struct bt_transcript *t) {
  bool lines_rule = t->hint == BT_HARNESS_CLAUDE || t->hint == BT_HARNESS_CODEX || t->hint == BT_HARNESS_PI;
  return t->opens_document && !(t->no_document && t->reader && lines_rule);
}

static enum bt_code facts_of_document(struct bt_transcript *t, int fd, uint64_t size, bool *is_document,
                                      struct bt_transcript_facts *facts) {
  *is_document = false;
  if (size == 0 || size > BT_LINE_MAX)
    return BT_OK;
  char *bytes = malloc((size_t)size);
  if (!bytes)
    return BT_NOMEM;
  ssize_t got = bt_read_at(fd, bytes, (size_t)size, 0);
  bool is_object = false, is_blank = false;
  enum bt_code code = got > 0 ? parse_line(t, bytes, (size_t)got, &is_object, &is_blank) : BT_OK;
  if (code == BT_OK && is_object) {
    const struct bt_reader_ops *ops = bt_reader_for(&t->tape, t->hint);
    void *reader = ops->create(t->stem);
    code = reader ? ops->feed(reader, &t->tape) : BT_NOMEM;
    if (code == BT_OK)
      code = ops->facts(reader, facts);
    if (reader)
      ops->destroy(reader);
    *is_document = code == BT_OK;
  }
  t->no_document = !*is_document;
  free(bytes);
  return code;
}

/* ---- depth ---- */

/* Feeds `scan` the file from `base + needs` to `size`, piece by piece; offsets of the scan count from `base`.
 * `*short_read`: fewer bytes came than the size promised. */
static enum bt_code scan_pieces(struct bt_depth_scan *scan, int fd, uint64_t base, uint64_t size, int64_t *depth,
                                bool *short_read) {
  size_t room = PIECE_BYTES;
  char *piece = malloc(room);
  enum bt_code code = piece ? BT_OK : BT_NOMEM;
  *depth = scan->count;
  for (uint64_t end = base + bt_depth_scan_needs(scan); code == BT_OK && end < size;) {
    uint64_t from = base + bt_depth_scan_needs(scan);
    if (end - from + PIECE_BYTES / 2 >
        room) { /* a judgement that needs more than a piece: a run of blanks or of one long word */
      char *larger = realloc(piece, room *= 2);
      if (!larger) {
        code = BT_NOMEM;
        break;
      }
      piece = larger;
    }
    size_t want = size - from < room ? (size_t)(size - from) : room;
    ssize_t got = bt_read_at(fd, piece, want, from);
    if (got < 0) {
      code = BT_IO;
      break;
    }
    *depth = bt_depth_scan_feed(scan, from - base, piece, (size_t)got);
    end = from + (uint64_t)got;
    if ((size_t)got < want) {
      *short_read = true;
      break;
    }
  }
  free(piece);
  return code;
}

static enum bt_code scan_depth(struct bt_transcript *t, int fd, uint64_t size, int64_t *depth, bool *short_read) {
  if (t->depth_counted) {
    *depth = t->depth_now;
    return BT_OK;
  }
  if (size <= BT_DEPTH_WINDOW) { /* kept for the next round: no more than the lines that are complete */
    enum bt_code code = t->offset ? scan_pieces(&t->depth, fd, 0, t->offset, depth, short_read) : BT_OK;
    struct bt_depth_scan with_tail = t->depth;
    return code ? code : scan_pieces(&with_tail, fd, 0, size, depth, short_read);
  }
  struct bt_depth_scan window = {0};
  return scan_pieces(&window, fd, size - BT_DEPTH_WINDOW, size, depth, short_read);
}

static bool scans_depth(enum bt_harness harness) {
  return harness == BT_HARNESS_CLAUDE || harness == BT_HARNESS_CODEX;
}

/* ---- what changed ---- */

static uint64_t hash_at(int fd, uint64_t offset, size_t length, bool *ok) {
  char *bytes = malloc(length + 1);
  ssize_t got = bytes ? bt_read_at(fd, bytes, length, offset) : -1;
  *ok = got >= 0 && (size_t)got == length;
  uint64_t hash = *ok ? bt_id_hash(bytes, length) : 0;
  free(bytes);
  return hash;
}

static int64_t mtime_ns(const struct stat *st) {
  return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

/* Whether what was read is still the beginning of this file. */
static bool still_begins_so(const struct bt_transcript *t, int fd, const struct stat *st) {
  bool ok;
  if (!t->known || t->device != (uint64_t)st->st_dev || t->inode != (uint64_t)st->st_ino ||
      (uint64_t)st->st_size < t->offset)
    return false;
  if (hash_at(fd, 0, t->head_length, &ok) != t->head_hash || !ok)
    return false;
  return hash_at(fd, t->offset - t->last_length, t->last_length, &ok) == t->last_hash && ok;
}

static bool remember(struct bt_transcript *t, int fd, const struct stat *st) {
  bool head_ok, last_ok;
  t->head_length = t->offset < HEAD_BYTES ? (size_t)t->offset : HEAD_BYTES;
  t->last_length = t->offset < LAST_BYTES ? (size_t)t->offset : LAST_BYTES;
  t->head_hash = hash_at(fd, 0, t->head_length, &head_ok);
  t->last_hash = hash_at(fd, t->offset - t->last_length, t->last_length, &last_ok);
  t->device = (uint64_t)st->st_dev;
  t->inode = (uint64_t)st->st_ino;
  t->size = (int64_t)st->st_size;
  t->mtime_ns = mtime_ns(st);
  return t->known = head_ok && last_ok;
}

/* Feeds everything from `offset` to `size`; the unfinished rest stays in the carry. */
static enum bt_code read_on(struct bt_transcript *t, int fd, uint64_t size, bool *short_read, struct bt_error *err) {
  char *piece = malloc(PIECE_BYTES);
  if (!piece)
    return bt_error_set(err, BT_NOMEM, t->stem, "out of memory");
  uint64_t at = t->offset;
  enum bt_code code = BT_OK;
  t->depth_counted = false;
  while (at < size && code == BT_OK) {
    size_t want = size - at < PIECE_BYTES ? (size_t)(size - at) : PIECE_BYTES;
    ssize_t got = bt_read_at(fd, piece, want, at);
    if (got < 0) {
      code = bt_error_set_errno(err, errno, t->stem, "cannot read the transcript");
      break;
    }
    bool is_whole = at == 0 && (uint64_t)got == size;
    code = bt_lines_feed(&t->lines, piece, (size_t)got, on_line, t);
    if (code)
      bt_error_set(err, code, t->stem, "out of memory while reading the transcript");
    for (size_t i = (size_t)got; i-- > 0;)
      if (piece[i] == '\n') {
        t->offset = at + i + 1;
        break;
      }
    if (is_whole) { /* small files are read once only */
      (void)bt_depth_scan_feed(&t->depth, 0, piece, (size_t)t->offset);
      struct bt_depth_scan with_tail = t->depth;
      t->depth_counted = true;
      t->depth_now = bt_depth_scan_feed(&with_tail, 0, piece, (size_t)got);
    }
    at += (uint64_t)got;
    if ((size_t)got < want) {
      *short_read = true;
      break;
    }
  }
  free(piece);
  return code;
}

enum bt_code bt_transcript_update(struct bt_transcript *t, int fd, bool *changed, struct bt_error *err) {
  struct stat st, after;
  if (changed)
    *changed = false;
  if (fstat(fd, &st) < 0)
    return bt_error_set_errno(err, errno, t->stem, "cannot stat the transcript");
  if (!S_ISREG(st.st_mode))
    return bt_error_set(err, BT_UNSAFE, t->stem, "not a regular file");
  if (t->known && t->device == (uint64_t)st.st_dev && t->inode == (uint64_t)st.st_ino &&
      t->size == (int64_t)st.st_size && t->mtime_ns == mtime_ns(&st))
    return BT_OK;
  if (!still_begins_so(t, fd, &st))
    forget(t);
  bt_lines_reset(&t->lines); /* the unfinished line is read again, from its first byte */

  bool short_read = false, short_scan = false, is_document = false;
  uint64_t size = (uint64_t)st.st_size;
  struct bt_transcript_facts facts;
  enum bt_code code = read_on(t, fd, size, &short_read, err);
  if (code == BT_OK && (code = facts_now(t, &facts)) != BT_OK)
    bt_error_set(err, code, t->stem, "out of memory while reading the transcript");
  if (code == BT_OK && may_be_document(t)) {
    struct bt_transcript_facts whole;
    code = facts_of_document(t, fd, size, &is_document, &whole);
    if (code != BT_OK)
      bt_error_set(err, code, t->stem, "out of memory while reading the transcript");
    if (code != BT_OK || is_document)
      bt_facts_dispose(&facts);
    if (is_document)
      facts = whole;
  }
  if (code != BT_OK) {
    forget(t);
    return code;
  }
  if (scans_depth(facts.harness)) {
    code = scan_depth(t, fd, size, &facts.depth, &short_scan);
    facts.depth_invalid = code != BT_OK;
    facts.truncated = size > BT_DEPTH_WINDOW || short_scan || fstat(fd, &after) < 0 || after.st_size != st.st_size;
  } else {
    facts.truncated = short_read;
  }
  facts.bytes = (int64_t)size;
  bt_facts_settle_band(&facts);
  bt_facts_dispose(&t->facts);
  t->facts = facts;
  if (changed)
    *changed = true;
  /* A file that shrank under the read is read anew next time. */
  if (short_read || short_scan || !remember(t, fd, &st))
    forget(t);
  else if (is_document)
    t->offset = UINT64_MAX; /* whatever it becomes, it is read from the beginning */
  return BT_OK;
}

enum bt_code bt_transcript_peek(struct bt_transcript *t, int fd, size_t bytes, bool *whole, struct bt_error *err) {
  struct stat st;
  *whole = false;
  if (fstat(fd, &st) < 0)
    return bt_error_set_errno(err, errno, t->stem, "cannot stat the transcript");
  if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size <= bytes) {
    *whole = true;
    return bt_transcript_update(t, fd, NULL, err);
  }
  bool short_read = false;
  struct bt_transcript_facts facts;
  forget(t);
  enum bt_code code = read_on(t, fd, bytes, &short_read, err);
  bt_lines_reset(&t->lines); /* the line that the cut goes through */
  if (code == BT_OK && (code = facts_now(t, &facts)) != BT_OK)
    bt_error_set(err, code, t->stem, "out of memory while reading the transcript");
  if (code == BT_OK) {
    facts.bytes = (int64_t)st.st_size;
    bt_facts_dispose(&t->facts);
    t->facts = facts;
  }
  forget(t);
  return code;
}
