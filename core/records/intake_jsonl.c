/* core/records/intake_jsonl.c - one JSON value a line, and which of them are turns (intake.h; spec 6.1, 6.3). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/number.h"
#include "core/records/intake.h"
#include "core/records/printed.h"
#include "core/records/words.h"

struct bt_jsonl {
  const struct bt_intake_ops *ops;
  void *context;
  uint64_t index; /* of the next line that is not empty */
  struct bt_tape tape;
  struct bt_str ts, text, scratch; /* printed text where the line's own bytes are not in that form */
  struct bt_str lower;
};

struct bt_jsonl *bt_jsonl_new(const struct bt_intake_ops *ops, void *context) {
  struct bt_jsonl *jsonl = calloc(1, sizeof *jsonl);
  if (jsonl == NULL)
    return NULL;
  jsonl->ops = ops;
  jsonl->context = context;
  bt_tape_init(&jsonl->tape);
  bt_str_init(&jsonl->ts, BT_TURN_LINE_MAX);
  bt_str_init(&jsonl->text, BT_TURN_LINE_MAX * 2);
  bt_str_init(&jsonl->scratch, BT_TURN_LINE_MAX * 2);
  bt_str_init(&jsonl->lower, BT_TURN_LINE_MAX);
  return jsonl;
}

void bt_jsonl_free(struct bt_jsonl *jsonl) {
  if (jsonl == NULL)
    return;
  bt_tape_dispose(&jsonl->tape);
  bt_str_dispose(&jsonl->ts);
  bt_str_dispose(&jsonl->text);
  bt_str_dispose(&jsonl->scratch);
  bt_str_dispose(&jsonl->lower);
  free(jsonl);
}

static bool is_truthy(const struct bt_tape *tape, uint32_t token) {
  double number = 0;
  switch (bt_tape_type(tape, token)) {
  case BT_JSON_ABSENT:
  case BT_JSON_NULL:
  case BT_JSON_FALSE:
    return false;
  case BT_JSON_NUMBER:
    return bt_tape_number(tape, token, &number) && number != 0;
  case BT_JSON_STRING:
    return bt_tape_raw(tape, token).length > 0;
  default:
    return true;
  }
}

/* Appends the string form of any value as internal text. */
static void put_value(struct bt_str *out, const struct bt_tape *tape, uint32_t token) {
  if (bt_tape_type(tape, token) == BT_JSON_STRING) {
    bt_tape_text(tape, token, out);
    return;
  }
  struct bt_slice raw = bt_tape_raw(tape, token);
  struct bt_json *value = bt_json_parse(raw.data, raw.length, NULL);
  bt_json_to_text(out, value);
  out->failed = out->failed || value == NULL;
  bt_json_free(value);
}

/* ---- text ---- */

/* The `text` of each part, joined with one space; printed text in jsonl->text. */
static struct bt_slice join_parts(struct bt_jsonl *jsonl, uint32_t parts) {
  const struct bt_tape *tape = &jsonl->tape;
  struct bt_str *joined = &jsonl->scratch;
  bt_str_clear(joined);
  bool is_first = true;
  for (uint32_t part = bt_tape_first(tape, parts); part != BT_TOKEN_NONE; part = bt_tape_next(tape, parts, part)) {
    if (!is_first)
      bt_str_putc(joined, ' ');
    is_first = false;
    uint32_t text = bt_tape_get(tape, part, "text");
    if (is_truthy(tape, text))
      put_value(joined, tape, text);
  }
  bt_str_clear(&jsonl->text);
  bt_printed_put(&jsonl->text, joined->data, joined->length);
  jsonl->text.failed = jsonl->text.failed || joined->failed;
  return (struct bt_slice){jsonl->text.data, jsonl->text.length};
}

/* Where the text of the object stands: a string token, or printed text of its parts. False: there is none. */
static bool find_text(struct bt_jsonl *jsonl, uint32_t *token, struct bt_slice *printed) {
  const struct bt_tape *tape = &jsonl->tape;
  *token = bt_tape_get(tape, 0, "text");
  if (bt_tape_type(tape, *token) != BT_JSON_STRING)
    *token = bt_tape_get(tape, 0, "content");
  if (bt_tape_type(tape, *token) == BT_JSON_STRING)
    return !bt_printed_is_blank(bt_tape_raw(tape, *token));
  *token = BT_TOKEN_NONE;
  uint32_t parts = bt_tape_get(tape, 0, "parts");
  if (bt_tape_type(tape, parts) != BT_JSON_ARRAY)
    return false;
  *printed = join_parts(jsonl, parts);
  return jsonl->text.failed || !bt_printed_is_blank(*printed);
}

/* ---- the rest of a turn ---- */

static double seq_of(struct bt_jsonl *jsonl, double index) {
  const struct bt_tape *tape = &jsonl->tape;
  uint32_t token = bt_tape_get(tape, 0, "seq");
  double number = NAN;
  if (bt_tape_number(tape, token, &number))
    return isfinite(number) ? number : index;
  if (bt_tape_type(tape, token) != BT_JSON_STRING || bt_printed_is_blank(bt_tape_raw(tape, token)))
    return index;
  bt_str_clear(&jsonl->lower);
  bt_tape_text(tape, token, &jsonl->lower);
  number = bt_text_to_number(jsonl->lower.data, jsonl->lower.length);
  return isfinite(number) ? number : index;
}

/* `ts` or `timestamp` as JSON. */
static struct bt_slice ts_of(struct bt_jsonl *jsonl) {
  const struct bt_tape *tape = &jsonl->tape;
  uint32_t token = bt_tape_get(tape, 0, "ts");
  if (!is_truthy(tape, token))
    token = bt_tape_get(tape, 0, "timestamp");
  if (!is_truthy(tape, token))
    return (struct bt_slice){"\"\"", 2};
  struct bt_slice raw = bt_tape_raw(tape, token);
  if (bt_tape_type(tape, token) == BT_JSON_STRING && bt_printed_is(raw))
    return (struct bt_slice){raw.data - 1, raw.length + 2};
  struct bt_str text;
  bt_str_init(&text, BT_TURN_LINE_MAX);
  put_value(&text, tape, token);
  bt_str_clear(&jsonl->ts);
  bt_json_print_string(&jsonl->ts, text.data, text.length);
  jsonl->ts.failed = jsonl->ts.failed || text.failed;
  bt_str_dispose(&text);
  return (struct bt_slice){jsonl->ts.data, jsonl->ts.length};
}

/* The lower-cased string form of a truthy member, else nothing. */
static void put_lower(struct bt_jsonl *jsonl, struct bt_str *out, const char *key) {
  uint32_t token = bt_tape_get(&jsonl->tape, 0, key);
  bt_str_clear(&jsonl->lower);
  if (is_truthy(&jsonl->tape, token))
    put_value(&jsonl->lower, &jsonl->tape, token);
  bt_words_lower(out, jsonl->lower.data, jsonl->lower.length);
  out->failed = out->failed || jsonl->lower.failed;
}

static enum bt_class class_of(struct bt_jsonl *jsonl, bool *failed) {
  struct bt_str kind, role;
  bt_str_init(&kind, BT_TURN_LINE_MAX);
  bt_str_init(&role, BT_TURN_LINE_MAX);
  put_lower(jsonl, &kind, "kind");
  put_lower(jsonl, &role, "role");
  *failed = kind.failed || role.failed;
  enum bt_class class_ = BT_CLASS_OTHER;
  if (strstr(kind.data, "tool") != NULL || strcmp(role.data, "tool") == 0)
    class_ = BT_CLASS_TOOL;
  else if (strstr(kind.data, "reason") != NULL || strstr(kind.data, "think") != NULL)
    class_ = BT_CLASS_THOUGHT;
  else if (strcmp(role.data, "user") == 0 || strcmp(kind.data, "human") == 0)
    class_ = BT_CLASS_USER;
  else if (strcmp(role.data, "assistant") == 0 || strcmp(kind.data, "ai") == 0)
    class_ = BT_CLASS_AGENT;
  bt_str_dispose(&kind);
  bt_str_dispose(&role);
  return class_;
}

static enum bt_code give_turn(struct bt_jsonl *jsonl, double seq, uint32_t text, struct bt_slice printed,
                              struct bt_error *err) {
  char digits[BT_NUMBER_TEXT];
  bool failed;
  enum bt_class class_ = class_of(jsonl, &failed);
  struct bt_record_turn turn = {.seq = {digits, bt_double_to_text(digits, seq)},
                                .ts = ts_of(jsonl),
                                .class_word = bt_slice_of(bt_class_word(class_)),
                                .text =
                                    text != BT_TOKEN_NONE ? bt_printed_of(&jsonl->tape, text, &jsonl->text) : printed,
                                .class_ = class_};
  if (failed || jsonl->ts.failed || jsonl->text.failed)
    return bt_error_set(err, BT_NOMEM, "", "out of memory");
  return jsonl->ops->on_turn(jsonl->context, seq, &turn, err);
}

enum bt_code bt_jsonl_line(struct bt_jsonl *jsonl, const char *line, size_t length, struct bt_error *err) {
  uint32_t text;
  struct bt_slice printed = {"", 0};
  bool wanted = false;
  if (line != NULL && length == 0)
    return BT_OK;
  double index = (double)jsonl->index++;
  enum bt_code code = line != NULL ? bt_tape_parse(&jsonl->tape, line, length) : BT_CORRUPT;
  if (code == BT_NOMEM)
    return bt_error_set(err, code, "", "out of memory");
  if (code != BT_OK || bt_tape_type(&jsonl->tape, 0) != BT_JSON_OBJECT || !find_text(jsonl, &text, &printed))
    return BT_OK;
  double seq = seq_of(jsonl, index);
  code = jsonl->ops->on_seq(jsonl->context, seq, &wanted, err);
  return code == BT_OK && wanted ? give_turn(jsonl, seq, text, printed, err) : code;
}
