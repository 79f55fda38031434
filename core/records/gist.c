/* core/records/gist.c - see gist.h. */
#include "core/records/gist.h"

#include <string.h>

#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/records/printed.h"

#define OBJECTIVE_LEAST_UNITS 20
#define OBJECTIVE_BYTES ((size_t)BT_OBJECTIVE_UNITS * 3)
#define NOTICE_UNITS 32 /* enough for the longest beginning of a notice */
#define VALUE_BYTES BT_TURN_LINE_MAX

void bt_gist_init(struct bt_gist *gist) {
  *gist = (struct bt_gist){.user_offset = -1, .agent_offset = -1};
  bt_str_init(&gist->chosen, OBJECTIVE_BYTES);
  bt_str_init(&gist->first_user, OBJECTIVE_BYTES);
  bt_str_init(&gist->first_agent, OBJECTIVE_BYTES);
  bt_loops_init(&gist->loops);
  for (size_t i = 0; i < BT_GIST_ROWS; i++) {
    bt_str_init(&gist->rows[i].seq, VALUE_BYTES);
    bt_str_init(&gist->rows[i].class_word, VALUE_BYTES);
    bt_str_init(&gist->rows[i].digest, VALUE_BYTES);
  }
}

void bt_gist_dispose(struct bt_gist *gist) {
  bt_str_dispose(&gist->chosen);
  bt_str_dispose(&gist->first_user);
  bt_str_dispose(&gist->first_agent);
  bt_loops_dispose(&gist->loops);
  for (size_t i = 0; i < BT_GIST_ROWS; i++) {
    bt_str_dispose(&gist->rows[i].seq);
    bt_str_dispose(&gist->rows[i].class_word);
    bt_str_dispose(&gist->rows[i].digest);
  }
  bt_gist_init(gist);
}

/* ---- objective ---- */

static bool starts(const char *text, const char *lower_word) {
  for (; *lower_word != '\0'; text++, lower_word++) {
    char c = *text >= 'A' && *text <= 'Z' ? (char)(*text + 32) : *text;
    if (c != *lower_word)
      return false;
  }
  return true;
}

static bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* `head` is the beginning of the trimmed text. */
static bool is_notice(const char *head) {
  if (starts(head, "the "))
    head += 4;
  if (starts(head, "approval") || starts(head, "policy changed") || starts(head, "context low"))
    return true;
  if (starts(head, "system") && (head[6] == ':' || head[6] == ' '))
    return true;
  if (starts(head, "notice") && !is_word_char(head[6]))
    return true;
  return head[0] == '<' && is_word_char(head[1]);
}

static struct bt_slice without_space(struct bt_slice printed) {
  for (size_t at = 0; at < printed.length;) {
    size_t from = at;
    if (!bt_is_w(bt_printed_next(printed, &at)))
      return (struct bt_slice){printed.data + from, printed.length - from};
  }
  return (struct bt_slice){printed.data, 0};
}

/* At least 20 units, and no notice. */
static bool is_objective(struct bt_slice printed, struct bt_str *head) {
  bt_str_clear(head);
  bt_printed_head(head, printed, OBJECTIVE_LEAST_UNITS);
  if (bt_utf16_length(head->data, head->length) < OBJECTIVE_LEAST_UNITS)
    return false;
  bt_str_clear(head);
  bt_printed_head(head, without_space(printed), NOTICE_UNITS);
  return !is_notice(head->data);
}

static void add_objective(struct bt_gist *gist, const struct bt_record_turn *turn) {
  if (turn->class_ == BT_CLASS_AGENT && !gist->has_agent) {
    gist->has_agent = true;
    bt_printed_head(&gist->first_agent, turn->text, BT_OBJECTIVE_UNITS);
  }
  if (turn->class_ != BT_CLASS_USER || gist->has_chosen)
    return;
  if (!gist->has_user) {
    gist->has_user = true;
    bt_printed_head(&gist->first_user, turn->text, BT_OBJECTIVE_UNITS);
  }
  struct bt_str head;
  bt_str_init(&head, NOTICE_UNITS * 4);
  gist->has_chosen = is_objective(turn->text, &head);
  gist->chosen.failed = gist->chosen.failed || head.failed;
  bt_str_dispose(&head);
  if (gist->has_chosen)
    bt_printed_head(&gist->chosen, turn->text, BT_OBJECTIVE_UNITS);
}

const char *bt_gist_objective(const struct bt_gist *gist) {
  if (gist->has_chosen)
    return gist->chosen.data;
  if (gist->has_user)
    return gist->first_user.data;
  return gist->has_agent ? gist->first_agent.data : "(none)";
}

/* ---- table ---- */

void bt_gist_value_text(struct bt_str *out, struct bt_slice json, const char *absent) {
  if (json.data == NULL) {
    bt_str_puts(out, absent);
  } else if (json.data[0] == '"') {
    bt_printed_bytes(out, (struct bt_slice){json.data + 1, json.length - 2});
  } else if (json.data[0] == '[' || json.data[0] == '{') {
    struct bt_json *tree = bt_json_parse(json.data, json.length, NULL);
    struct bt_str text;
    bt_str_init(&text, VALUE_BYTES);
    bt_json_to_text(&text, tree);
    bt_utf8_encode8(out, text.data, text.length);
    out->failed = out->failed || text.failed || tree == NULL;
    bt_str_dispose(&text);
    bt_json_free(tree);
  } else if (bt_slice_equals(json, BT_TURN_INFINITE) || bt_slice_equals(json, "-" BT_TURN_INFINITE)) {
    bt_str_puts(out, json.data[0] == '-' ? "-Infinity" : "Infinity");
  } else {
    bt_str_append(out, json.data, json.length);
  }
}

static void put_digest(struct bt_str *out, struct bt_slice printed) {
  struct bt_str head;
  bt_str_init(&head, BT_DIGEST_UNITS * 4);
  bt_printed_head(&head, printed, BT_DIGEST_UNITS);
  struct bt_str bytes;
  bt_str_init(&bytes, BT_DIGEST_UNITS * 4);
  bt_utf8_encode8(&bytes, head.data, head.length);
  for (size_t i = 0; i < bytes.length; i++) {
    if (bytes.data[i] == '|')
      bt_str_putc(out, '\\');
    bt_str_putc(out, bytes.data[i] == '\n' ? ' ' : bytes.data[i]);
  }
  out->failed = out->failed || head.failed || bytes.failed;
  bt_str_dispose(&head);
  bt_str_dispose(&bytes);
}

static bool add_row(struct bt_gist *gist, const struct bt_record_turn *turn) {
  size_t slot = (gist->row_first + gist->row_count) % BT_GIST_ROWS;
  if (gist->row_count == BT_GIST_ROWS)
    gist->row_first = (gist->row_first + 1) % BT_GIST_ROWS;
  else
    gist->row_count++;
  struct bt_gist_row *row = &gist->rows[slot];
  bt_str_clear(&row->seq);
  bt_str_clear(&row->class_word);
  bt_str_clear(&row->digest);
  bt_gist_value_text(&row->seq, turn->seq, "undefined");
  bt_printed_bytes(&row->class_word, turn->class_word);
  put_digest(&row->digest, turn->text);
  return !row->seq.failed && !row->class_word.failed && !row->digest.failed;
}

/* ---- all of it ---- */

enum bt_code bt_gist_add(struct bt_gist *gist, const struct bt_record_turn *turn, int64_t offset, size_t length) {
  gist->turns++;
  gist->counts[turn->class_]++;
  if (turn->class_ == BT_CLASS_USER) {
    gist->user_offset = offset;
    gist->user_length = length;
  } else if (turn->class_ == BT_CLASS_AGENT) {
    gist->agent_offset = offset;
    gist->agent_length = length;
  }
  add_objective(gist, turn);
  bool ok = !gist->chosen.failed && !gist->first_user.failed && !gist->first_agent.failed;
  ok = ok && (turn->class_ == BT_CLASS_OTHER || add_row(gist, turn));
  return ok && bt_loops_add(&gist->loops, turn->text) ? BT_OK : BT_NOMEM;
}

bool bt_gist_state_line(const struct bt_gist *gist, int64_t *offset, size_t *length) {
  bool by_agent = gist->agent_offset >= 0;
  *offset = by_agent ? gist->agent_offset : gist->user_offset;
  *length = by_agent ? gist->agent_length : gist->user_length;
  return *offset >= 0;
}
