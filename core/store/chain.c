/* core/store/chain.c - the chain rules, in their order, on one line after the other. */
#include "core/store/chain.h"

#include <string.h>

#include "core/base/fs.h"
#include "core/store/manifest.h"

struct checker {
  const struct bt_chain_options *options;
  struct bt_chain_result *result;
  struct bt_entry_reader reader;
  double previous_seq; /* 0 before the first line and after one without a seq */
  bool seen_valid;     /* an entry of this chain carried a valid signature */
};

/* Rules 3 to 9; the line is an object. */
static const char *broken_rule(const struct checker *check, const struct bt_entry_facts *facts) {
  const struct bt_chain_result *result = check->result;
  bool first = result->entries == 0;
  if (!facts->seq_valid)
    return "invalid seq";
  if (first && facts->prev != BT_PREV_NULL)
    return "first entry prev must be null";
  if (!first && (facts->prev != BT_PREV_HASH || strcmp(facts->prev_hash, result->last_hash) != 0))
    return BT_CHAIN_PREV_MISMATCH;
  if (first && facts->seq != 1)
    return "first entry seq must be 1";
  if (!first && check->previous_seq > 0 && facts->seq != check->previous_seq + 1)
    return "seq not contiguous";
  if (check->options->is_segment && first && !facts->has_anchor)
    return "first entry of a segment must have an anchor";
  if (facts->has_anchor && !(check->options->is_segment && first))
    return check->options->is_segment ? "only the first entry of a segment may have an anchor"
                                      : "an entry of the root chain must not have an anchor";
  if (facts->signed_ == BT_ENTRY_UNSIGNED && check->seen_valid)
    return "unsigned entry";
  return facts->signed_ == BT_ENTRY_SIG_WRONG ? "signature invalid" : NULL;
}

static const char *reason_for(const struct checker *check, const struct bt_line *line,
                              const struct bt_entry_facts *facts) {
  if (line->oversize)
    return "line longer than the limit";
  if (facts->shape == BT_ENTRY_MALFORMED)
    return "malformed JSON";
  if (facts->shape == BT_ENTRY_NOT_OBJECT)
    return "entry must be an object";
  return broken_rule(check, facts);
}

static void count(struct checker *check, const struct bt_entry_facts *facts) {
  struct bt_chain_result *result = check->result;
  if (facts->shape != BT_ENTRY_OBJECT)
    return;
  switch (facts->signed_) {
  case BT_ENTRY_UNSIGNED:
    result->unsigned_++;
    break;
  case BT_ENTRY_SIG_HOLDS:
    result->signed_good++;
    break;
  case BT_ENTRY_SIG_WRONG:
    result->signed_bad++;
    break;
  case BT_ENTRY_SIG_UNCHECKED:
    result->signed_unchecked++;
    break;
  }
}

/* The places are sorted by seq, so that many anchors in one long chain cost little. */
static void note_place(const struct bt_chain_options *options, double seq, const char *hash) {
  size_t low = 0, high = options->place_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (options->places[middle].seq < seq)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < options->place_count && options->places[low].seq == seq; low++) {
    if (!options->places[low].found)
      memcpy(options->places[low].hash, hash, BT_SHA256_HEX);
    options->places[low].found = true;
  }
}

static void step(struct checker *check, const struct bt_entry_facts *facts, const char *hash) {
  struct bt_chain_result *result = check->result;
  bool has_seq = facts->shape == BT_ENTRY_OBJECT && facts->seq_valid;
  if (result->entries == 0 && facts->shape == BT_ENTRY_OBJECT) {
    result->first_is_v2 = facts->is_v2;
    result->first_verified = facts->signed_ == BT_ENTRY_SIG_HOLDS;
  }
  if (has_seq)
    note_place(check->options, facts->seq, hash);
  check->seen_valid = check->seen_valid || (facts->shape == BT_ENTRY_OBJECT && facts->signed_ == BT_ENTRY_SIG_HOLDS);
  check->previous_seq = has_seq ? facts->seq : 0;
  result->last_seq = check->previous_seq;
  memcpy(result->last_hash, hash, BT_SHA256_HEX);
  result->entries++;
}

/* One non-blank line. *go_on is false when the reading ends here. */
static enum bt_code check_line(struct checker *check, const char *path, const struct bt_line *line, bool *go_on,
                               struct bt_error *err) {
  struct bt_chain_result *result = check->result;
  struct bt_entry_facts facts = {.shape = BT_ENTRY_MALFORMED};
  char hash[BT_SHA256_HEX] = "";
  if (!line->oversize) {
    enum bt_code code = bt_entry_read(&check->reader, line->bytes, line->length, &facts, err);
    if (code != BT_OK)
      return code;
    if (!bt_line_hash(line->bytes, line->length, hash))
      return bt_error_set(err, BT_NOMEM, path, "out of memory");
  }
  const char *reason = reason_for(check, line, &facts);
  count(check, &facts);
  if (reason != NULL && result->breaks++ == 0) {
    result->reason = reason;
    result->line = line->number;
    result->failed_seq = facts.shape == BT_ENTRY_OBJECT && facts.seq_valid ? facts.seq : 0;
  }
  result->last_is_open = !line->ended;
  struct bt_chain_entry entry = {.line = line, .facts = &facts, .hash = hash, .reason = reason};
  step(check, &facts, hash);
  *go_on = (reason == NULL || check->options->keep_going) &&
           (check->options->each == NULL || check->options->each(check->options->context, &entry));
  return BT_OK;
}

/* Takes up, and puts down again, what the rules carry from one line to the next. */
static void load_cursor(struct checker *check, const struct bt_chain_cursor *cursor) {
  check->previous_seq = cursor->previous_seq;
  check->seen_valid = cursor->seen_valid;
  check->result->entries = cursor->entries;
  memcpy(check->result->last_hash, cursor->last_hash, BT_SHA256_HEX);
}

/* The place and what is carried move as one, after each line: a reading that fails halfway is taken up where it failed. */
static void move_cursor(const struct checker *check, const struct bt_line *line, struct bt_chain_cursor *cursor) {
  cursor->offset = line->end;
  cursor->line = line->number;
  cursor->previous_seq = check->previous_seq;
  cursor->seen_valid = check->seen_valid;
  cursor->entries = check->result->entries;
  memcpy(cursor->last_hash, check->result->last_hash, BT_SHA256_HEX);
}

static enum bt_code read_all(struct checker *check, const char *path, struct bt_lines *lines, struct bt_error *err) {
  for (bool go_on = true; go_on;) {
    struct bt_line line;
    bool more = false;
    enum bt_code code = bt_lines_next(lines, &line, &more, err);
    if (code != BT_OK || !more || (check->options->cursor != NULL && !line.ended))
      return code;
    if (line.oversize || !bt_line_is_blank(line.bytes, line.length))
      code = check_line(check, path, &line, &go_on, err);
    if (code != BT_OK)
      return code;
    if (check->options->cursor != NULL)
      move_cursor(check, &line, check->options->cursor);
  }
  return BT_OK;
}

static enum bt_code read_file(struct checker *check, const char *path, int fd, struct bt_error *err) {
  struct bt_chain_cursor *cursor = check->options->cursor;
  struct bt_lines *lines = bt_lines_new(fd);
  if (lines == NULL)
    return bt_error_set(err, BT_NOMEM, path, "out of memory");
  enum bt_code code = BT_OK;
  if (cursor != NULL) {
    load_cursor(check, cursor);
    code = bt_lines_begin_at(lines, cursor->offset, cursor->line, err);
  }
  bt_entry_reader_init(&check->reader, check->options->key);
  if (code == BT_OK)
    code = read_all(check, path, lines, err);
  bt_entry_reader_dispose(&check->reader);
  bt_lines_free(lines);
  return code;
}

enum bt_code bt_chain_check(int ledger, const char *path, const struct bt_chain_options *options,
                            struct bt_chain_result *result, struct bt_error *err) {
  struct bt_error why = {.code = BT_MISSING};
  memset(result, 0, sizeof *result);
  int fd = ledger < 0 ? -1 : bt_fs_open_file_at(ledger, path, &why);
  if (fd < 0 && why.code != BT_MISSING) {
    if (err != NULL)
      *err = why;
    return why.code;
  }
  if (fd >= 0) {
    struct checker check = {.options = options, .result = result};
    enum bt_code code = read_file(&check, path, fd, err);
    if (code != BT_OK)
      return code;
  }
  if (options->is_segment && result->entries == 0) {
    result->reason = "empty segment file";
    result->breaks = 1;
  }
  return BT_OK;
}
