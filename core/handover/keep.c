/* core/handover/keep.c - the state file of one session. */
#include "core/handover/keep.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/json.h"

#define FILE_MAX ((size_t)64 * 1024)

bool bt_ask_keep_has(const uint64_t *ordinals, size_t count, uint64_t ordinal) {
  for (size_t i = 0; i < count; i++) {
    if (ordinals[i] == ordinal)
      return true;
  }
  return false;
}

void bt_ask_keep_add(uint64_t *ordinals, size_t *count, uint64_t ordinal) {
  if (bt_ask_keep_has(ordinals, *count, ordinal))
    return;
  if (*count == BT_ASK_KEEP_MAX)
    memmove(ordinals, ordinals + 1, --*count * sizeof *ordinals);
  ordinals[(*count)++] = ordinal;
}

/* In the order of both: those of the other go first, as the older ones. */
static void merge_list(uint64_t *ordinals, size_t *count, const uint64_t *others, size_t other_count) {
  uint64_t merged[BT_ASK_KEEP_MAX];
  size_t merged_count = 0;
  for (size_t i = 0; i < other_count; i++)
    bt_ask_keep_add(merged, &merged_count, others[i]);
  for (size_t i = 0; i < *count; i++)
    bt_ask_keep_add(merged, &merged_count, ordinals[i]);
  memcpy(ordinals, merged, merged_count * sizeof *merged);
  *count = merged_count;
}

void bt_ask_keep_merge(struct bt_ask_keep *keep, const struct bt_ask_keep *other) {
  merge_list(keep->notified, &keep->notified_count, other->notified, other->notified_count);
  merge_list(keep->acked, &keep->acked_count, other->acked, other->acked_count);
}

static bool read_ordinal(const struct bt_json *value, uint64_t *ordinal) {
  double number = 0;
  if (!bt_json_is_integer(value, &number) || number < 0 || number > 9007199254740992.0)
    return false;
  *ordinal = (uint64_t)number;
  return true;
}

static void read_list(const struct bt_json *list, uint64_t *ordinals, size_t *count) {
  uint64_t ordinal;
  for (const struct bt_json *item = bt_json_first(list); item != NULL; item = bt_json_next(item)) {
    if (read_ordinal(item, &ordinal))
      bt_ask_keep_add(ordinals, count, ordinal);
  }
}

void bt_ask_keep_read(const char *state_dir, const char *session, struct bt_ask_keep *keep) {
  char path[600];
  struct bt_str text;
  *keep = (struct bt_ask_keep){.window_ordinal = 0};
  int folder = bt_fs_open_root(state_dir, NULL);
  if (folder < 0)
    return;
  bt_str_init(&text, FILE_MAX);
  (void)snprintf(path, sizeof path, "%s/%s.json", BT_ASK_KEEP_FOLDER, session);
  struct bt_json *json =
      bt_fs_read_at(folder, path, &text, NULL) == BT_OK ? bt_json_parse(text.data, text.length, NULL) : NULL;
  (void)read_ordinal(bt_json_get(json, "window_ordinal"), &keep->window_ordinal);
  read_list(bt_json_get(json, "notified"), keep->notified, &keep->notified_count);
  read_list(bt_json_get(json, "acked"), keep->acked, &keep->acked_count);
  bt_json_free(json);
  bt_str_dispose(&text);
  close(folder);
}

static void print_list(struct bt_str *out, const char *key, const uint64_t *ordinals, size_t count) {
  bt_str_printf(out, "  \"%s\": [", key);
  for (size_t i = 0; i < count; i++)
    bt_str_printf(out, "%s%" PRIu64, i > 0 ? ", " : "", ordinals[i]);
  bt_str_putc(out, ']');
}

void bt_ask_keep_print(struct bt_str *out, const char *session, const struct bt_ask_keep *keep) {
  bt_str_puts(out, "{\n  \"schema\": \"baton/ask-state-v1\",\n  \"session\": ");
  bt_json_print_string(out, session, strlen(session));
  bt_str_printf(out, ",\n  \"window_ordinal\": %" PRIu64 ",\n", keep->window_ordinal);
  print_list(out, "notified", keep->notified, keep->notified_count);
  bt_str_puts(out, ",\n");
  print_list(out, "acked", keep->acked, keep->acked_count);
  bt_str_puts(out, "\n}\n");
}
