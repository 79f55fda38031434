/* core/records/intake.c - hashing, cutting lines, the first line (intake.h). */
#include "core/records/intake.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/tape.h"
#include "core/harness/lines.h"

#define TEXT_MAX ((size_t)64 << 20) /* of a session id or thread */

struct bt_intake {
  const struct bt_intake_ops *ops;
  void *context;
  struct bt_sha256 *hash;
  struct bt_lines lines;
  struct bt_jsonl *jsonl; /* one of the two */
  struct bt_marked *marked;
  bool has_head, hash_only;
  struct bt_error *err; /* of the feed that is running */
};

bool bt_intake_is_jsonl(const char *name) {
  static const char wanted[] = ".jsonl";
  size_t length = strlen(name), tail = sizeof wanted - 1;
  if (length < tail)
    return false;
  for (size_t i = 0; i < tail; i++) {
    char c = name[length - tail + i];
    if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != wanted[i])
      return false;
  }
  return true;
}

struct bt_intake *bt_intake_new(bool is_jsonl, const struct bt_intake_ops *ops, void *context) {
  struct bt_intake *intake = calloc(1, sizeof *intake);
  if (intake == NULL)
    return NULL;
  intake->ops = ops;
  intake->context = context;
  intake->hash = bt_sha256_new();
  bt_lines_init(&intake->lines, BT_TURN_LINE_MAX);
  if (is_jsonl)
    intake->jsonl = bt_jsonl_new(ops, context);
  else
    intake->marked = bt_marked_new(ops, context);
  if (intake->hash != NULL && (intake->jsonl != NULL || intake->marked != NULL))
    return intake;
  bt_intake_free(intake);
  return NULL;
}

void bt_intake_free(struct bt_intake *intake) {
  if (intake == NULL)
    return;
  bt_sha256_free(intake->hash);
  bt_lines_dispose(&intake->lines);
  bt_jsonl_free(intake->jsonl);
  bt_marked_free(intake->marked);
  free(intake);
}

void bt_intake_hash_only(struct bt_intake *intake) {
  intake->hash_only = true;
}

/* The string form of a truthy value; NULL in `*text` otherwise. False: out of memory. */
static bool take_text(const struct bt_json *value, char **text) {
  struct bt_str out;
  if (!bt_json_truthy(value))
    return true;
  bt_str_init(&out, TEXT_MAX);
  bt_json_to_text(&out, value);
  *text = bt_str_take(&out, NULL);
  return *text != NULL;
}

static enum bt_code give_head(struct bt_intake *intake, const char *line, size_t length) {
  struct bt_tape tape;
  char *session = NULL, *thread = NULL;
  intake->has_head = true;
  bt_tape_init(&tape);
  enum bt_code code = line != NULL ? bt_tape_parse(&tape, line, length) : BT_CORRUPT;
  bool is_object = code == BT_OK && bt_tape_type(&tape, 0) == BT_JSON_OBJECT;
  bool ok = code != BT_NOMEM;
  static const char *const keys[2] = {"session", "thread"};
  char **const texts[2] = {&session, &thread};
  for (int i = 0; ok && is_object && i < 2; i++) {
    uint32_t token = bt_tape_get(&tape, 0, keys[i]);
    if (token == BT_TOKEN_NONE)
      continue;
    struct bt_slice raw = bt_tape_raw(&tape, token);
    if (bt_tape_type(&tape, token) == BT_JSON_STRING)
      raw = (struct bt_slice){raw.data - 1, raw.length + 2};
    struct bt_json *value = bt_json_parse(raw.data, raw.length, NULL);
    ok = value != NULL && take_text(value, texts[i]);
    bt_json_free(value);
  }
  code = ok ? intake->ops->on_head(intake->context, session, thread, intake->err)
            : bt_error_set(intake->err, BT_NOMEM, "", "out of memory");
  free(session);
  free(thread);
  bt_tape_dispose(&tape);
  return code;
}

/* `line` NULL: one over the ceiling, which counts as one that does not parse. */
static enum bt_code take_line(struct bt_intake *intake, const char *line, size_t length, bool has_lf) {
  if (intake->hash_only)
    return BT_OK;
  if (line != NULL && has_lf && length > 0 && line[length - 1] == '\r')
    length--;
  enum bt_code code = intake->has_head ? BT_OK : give_head(intake, line, length);
  if (code != BT_OK || intake->hash_only)
    return code;
  if (intake->jsonl != NULL)
    return bt_jsonl_line(intake->jsonl, line, length, intake->err);
  if (line == NULL)
    return bt_error_set(intake->err, BT_TOO_LARGE, "", "a line is over 1 GiB");
  return bt_marked_line(intake->marked, line, length, intake->err);
}

static enum bt_code on_line(void *context, const char *line, size_t length) {
  return take_line(context, line, length, true);
}

enum bt_code bt_intake_feed(struct bt_intake *intake, const char *bytes, size_t length, struct bt_error *err) {
  bt_sha256_update(intake->hash, bytes, length);
  if (intake->hash_only)
    return BT_OK;
  struct bt_error none = {0};
  struct bt_error *where = err != NULL ? err : &none;
  intake->err = where;
  where->code = BT_OK;
  enum bt_code code = bt_lines_feed(&intake->lines, bytes, length, on_line, intake);
  if (code == BT_NOMEM && where->code == BT_OK)
    (void)bt_error_set(where, BT_NOMEM, "", "out of memory");
  return code;
}

enum bt_code bt_intake_finish(struct bt_intake *intake, char raw_sha256[BT_SHA256_HEX], struct bt_error *err) {
  enum bt_code code = BT_OK;
  intake->err = err;
  if (!intake->hash_only) {
    const char *rest = intake->lines.passing_over ? NULL : intake->lines.carry.data;
    code = take_line(intake, rest, intake->lines.carry.length, false);
    if (code == BT_OK && intake->marked != NULL && !intake->hash_only)
      code = bt_marked_end(intake->marked, err);
  }
  bt_sha256_finish_hex(intake->hash, raw_sha256);
  return code;
}
