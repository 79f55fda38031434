/* core/store/sign_entry.c - the message of a manifest entry and its signature. */
#include <string.h>

#include "core/base/json.h"
#include "core/store/sign.h"

static void put_member(struct bt_str *out, const struct bt_json *entry, const char *name, bool *first) {
  const struct bt_json *value = bt_json_get(entry, name);
  if (value == NULL)
    return;
  bt_str_putc(out, *first ? '{' : ',');
  *first = false;
  bt_json_print_string(out, name, strlen(name));
  bt_str_putc(out, ':');
  bt_json_print_compact(out, value);
}

/* 4.5.3: seven members in a fixed order; nested values keep their own. */
static void payload_v1(struct bt_str *out, const struct bt_json *entry) {
  static const char *const names[] = {"seq", "gate", "ts", "ticket", "data", "files", "prev"};
  bool first = true;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    put_member(out, entry, names[i], &first);
  bt_str_puts(out, first ? "{}" : "}");
}

/* 4.5.4: the whole entry but `sig` and `segment`, canonical. */
static void payload_v2(struct bt_str *out, const struct bt_json *entry) {
  struct bt_json *copy = bt_json_clone(entry);
  if (copy == NULL) {
    out->failed = true;
    return;
  }
  bt_json_remove(copy, "sig");
  bt_json_remove(copy, "segment");
  bt_json_print_canonical(out, copy);
  bt_json_free(copy);
}

void bt_entry_payload(struct bt_str *out, const struct bt_json *entry) {
  double version = 0;
  if (bt_json_number(bt_json_get(entry, "sigVersion"), &version) && version == 2)
    payload_v2(out, entry);
  else
    payload_v1(out, entry);
}

bool bt_entry_verify(const struct bt_json *entry, struct bt_key key, bool *failed) {
  struct bt_str payload;
  bt_str_init(&payload, BT_ENTRY_PAYLOAD_MAX);
  bt_entry_payload(&payload, entry);
  bool valid = bt_sign_matches(key, &payload, bt_json_get_string(entry, "sig"));
  if (failed != NULL)
    *failed = payload.failed;
  bt_str_dispose(&payload);
  return valid;
}
