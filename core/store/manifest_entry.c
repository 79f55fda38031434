/* core/store/manifest_entry.c - the facts of one line, by the short way or by the tree. */
#include "core/store/manifest_entry.h"

#include <string.h>

#include "core/base/json.h"
#include "core/store/manifest_scan.h"

void bt_entry_reader_init(struct bt_entry_reader *reader, struct bt_key key) {
  *reader = (struct bt_entry_reader){.key = key};
  bt_str_init(&reader->message, BT_ENTRY_PAYLOAD_MAX);
}

void bt_entry_reader_dispose(struct bt_entry_reader *reader) {
  bt_str_dispose(&reader->message);
}

static bool has_key(const struct bt_entry_reader *reader) {
  return reader->key.bytes != NULL && reader->key.length > 0;
}

/* Anything but 64 lower-case hex digits can equal no hash. */
static void set_prev_text(struct bt_entry_facts *facts, const char *text, size_t length) {
  facts->prev = BT_PREV_OTHER;
  if (length != BT_SHA256_HEX - 1 || strspn(text, "0123456789abcdef") < length)
    return;
  facts->prev = BT_PREV_HASH;
  memcpy(facts->prev_hash, text, length);
  facts->prev_hash[length] = '\0';
}

/* ---- the short way ---- */

static bool is_text(struct bt_slice raw) {
  return raw.length >= 2 && raw.data[0] == '"';
}

/* A plain short integer; anything else is left to the tree. */
static bool scan_seq(struct bt_slice raw, struct bt_entry_facts *facts) {
  double value = 0;
  if (raw.length == 0 || raw.length > 15)
    return false;
  for (size_t i = 0; i < raw.length; i++) {
    if (raw.data[i] < '0' || raw.data[i] > '9')
      return false;
    value = value * 10 + (raw.data[i] - '0');
  }
  facts->seq = value;
  facts->seq_valid = value >= 1;
  return true;
}

static void scan_prev(struct bt_slice raw, struct bt_entry_facts *facts) {
  if (raw.data == NULL) {
    facts->prev = BT_PREV_ABSENT;
  } else if (bt_slice_equals(raw, "null")) {
    facts->prev = BT_PREV_NULL;
  } else if (is_text(raw)) {
    set_prev_text(facts, raw.data + 1, raw.length - 2); /* the closing quote stops strspn */
  } else {
    facts->prev = BT_PREV_OTHER;
  }
}

static void message_v1(struct bt_str *out, const struct bt_entry_scan *scan) {
  bool first = true;
  bt_str_clear(out);
  for (int i = 0; i < BT_MEMBER_SIGNED_V1; i++) {
    struct bt_slice value = scan->members[i];
    if (value.data == NULL)
      continue;
    bt_str_puts(out, first ? "{\"" : ",\"");
    first = false;
    bt_str_puts(out, bt_entry_member_name((enum bt_entry_member)i));
    bt_str_puts(out, "\":");
    bt_str_append(out, value.data, value.length);
  }
  bt_str_puts(out, first ? "{}" : "}");
}

/* False where the tree has to say. */
static bool read_short(struct bt_entry_reader *reader, const char *line, size_t length, struct bt_entry_facts *facts) {
  struct bt_entry_scan scan;
  if (!bt_entry_scan(&scan, line, length) || scan.members[BT_MEMBER_SIG_VERSION].data != NULL ||
      !scan_seq(scan.members[BT_MEMBER_SEQ], facts))
    return false;
  struct bt_slice sig = scan.members[BT_MEMBER_SIG];
  scan_prev(scan.members[BT_MEMBER_PREV], facts);
  facts->has_anchor = scan.members[BT_MEMBER_ANCHOR].data != NULL;
  if (sig.data == NULL || bt_slice_equals(sig, "null")) {
    facts->signed_ = BT_ENTRY_UNSIGNED;
  } else if (!has_key(reader)) {
    facts->signed_ = BT_ENTRY_SIG_UNCHECKED;
  } else if (!is_text(sig) || sig.length != BT_SHA256_HEX + 1) {
    facts->signed_ = BT_ENTRY_SIG_WRONG;
  } else {
    char text[BT_SHA256_HEX];
    memcpy(text, sig.data + 1, BT_SHA256_HEX - 1);
    text[BT_SHA256_HEX - 1] = '\0';
    message_v1(&reader->message, &scan);
    facts->signed_ = bt_sign_matches(reader->key, &reader->message, text) ? BT_ENTRY_SIG_HOLDS : BT_ENTRY_SIG_WRONG;
  }
  return true;
}

/* ---- the tree ---- */

static void tree_prev(const struct bt_json *prev, struct bt_entry_facts *facts) {
  const char *text = bt_json_string(prev);
  if (text != NULL)
    set_prev_text(facts, text, strlen(text));
  else
    facts->prev = prev == NULL ? BT_PREV_ABSENT : bt_json_is_nullish(prev) ? BT_PREV_NULL : BT_PREV_OTHER;
}

static void tree_facts(struct bt_entry_reader *reader, const struct bt_json *entry, struct bt_entry_facts *facts) {
  double version = 0;
  facts->seq_valid = bt_json_is_integer(bt_json_get(entry, "seq"), &facts->seq) && facts->seq >= 1;
  facts->has_anchor = bt_json_get(entry, "anchor") != NULL;
  facts->is_v2 = bt_json_number(bt_json_get(entry, "sigVersion"), &version) && version == 2;
  tree_prev(bt_json_get(entry, "prev"), facts);
  const struct bt_json *sig = bt_json_get(entry, "sig");
  if (bt_json_is_nullish(sig)) {
    facts->signed_ = BT_ENTRY_UNSIGNED;
  } else if (!has_key(reader)) {
    facts->signed_ = BT_ENTRY_SIG_UNCHECKED;
  } else {
    bt_str_clear(&reader->message);
    bt_entry_payload(&reader->message, entry);
    bool holds = bt_sign_matches(reader->key, &reader->message, bt_json_string(sig));
    facts->signed_ = holds ? BT_ENTRY_SIG_HOLDS : BT_ENTRY_SIG_WRONG;
  }
}

static enum bt_code read_tree(struct bt_entry_reader *reader, const char *line, size_t length,
                              struct bt_entry_facts *facts, struct bt_error *err) {
  struct bt_error parse = {0};
  struct bt_json *entry = bt_json_parse(line, length, &parse);
  if (entry == NULL && parse.code == BT_NOMEM)
    return bt_error_set(err, BT_NOMEM, "manifest", "out of memory");
  if (entry == NULL)
    facts->shape = BT_ENTRY_MALFORMED;
  else if (bt_json_type(entry) != BT_JSON_OBJECT)
    facts->shape = BT_ENTRY_NOT_OBJECT;
  else
    tree_facts(reader, entry, facts);
  bt_json_free(entry);
  return BT_OK;
}

enum bt_code bt_entry_read(struct bt_entry_reader *reader, const char *line, size_t length,
                           struct bt_entry_facts *facts, struct bt_error *err) {
  enum bt_code code = BT_OK;
  memset(facts, 0, sizeof *facts);
  if (reader->always_parse || !read_short(reader, line, length, facts)) {
    memset(facts, 0, sizeof *facts);
    code = read_tree(reader, line, length, facts, err);
  }
  if (code == BT_OK && reader->message.failed)
    code = bt_error_set(err, BT_NOMEM, "manifest", "out of memory");
  if (reader->message.failed)
    bt_str_clear(&reader->message);
  return code;
}
