/* core/hook/answer.c - the words of a denial, and the two documents. */
#include "core/hook/answer.h"

#include <string.h>

#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/hook/recovery.h"

/* A call may name thousands of files; the agent needs to see that it was refused, and a pipe must hold all of it. */
#define SHOWN_REASONS 40
#define SHOWN_BYTES 600

#define ACTIVE \
  "A context handoff is active: this session may not change anything any more. Do not look for a way around it. "
#define UNSURE                                                                                                    \
  "The gate could not see enough to let this call go on. Try it once more; if it is refused again, work in this " \
  "session is over. "
#define SUMMARY                                                                                  \
  "Your final message must be a summary for the session that goes on with the work, covering:\n" \
  "  1. the state of the work\n  2. what is done\n  3. what remains\n  4. the next steps\n"      \
  "  5. the dead ends: what was tried and does not work\n"                                       \
  "Write that message, then stop.\n"
#define HANDS_OFF                                                                                                     \
  "These files belong to the gate itself, and only its own commands change them. Go on without touching them. Where " \
  "you cannot, work in this session is over. "

static void put_line(struct bt_str *out, const char *text) {
  struct bt_str visible;
  bt_str_init(&visible, BT_ANSWER_MAX);
  bt_text_visible(&visible, text, strlen(text));
  bool cut = visible.length > SHOWN_BYTES;
  size_t length = cut ? SHOWN_BYTES : visible.length;
  while (cut && ((unsigned char)visible.data[length] & 0xC0) == 0x80)
    length--;
  bt_str_puts(out, "  ");
  bt_str_append(out, visible.data, length);
  bt_str_puts(out, cut || visible.failed ? " (cut)\n" : "\n");
  bt_str_dispose(&visible);
}

static void put_recovery(struct bt_str *out, const struct bt_denial *denial) {
  struct bt_str line;
  bt_str_init(&line, BT_ANSWER_MAX);
  const struct bt_recovery_self self = {.program = denial->program};
  const char *session = denial->session_id != NULL ? denial->session_id : "";
  enum bt_recovery_kind kind =
      denial->program != NULL ? bt_recovery_format(&line, &self, session) : BT_RECOVERY_UNSAFE_PATH;
  if (denial->program == NULL)
    bt_str_puts(&line, "an operator can let one call of this session through with the bypass command of baton");
  bt_str_puts(out, kind == BT_RECOVERY_COMMAND ? "For the operator, one gated call can be let through with:\n  "
                                               : "For the operator: ");
  bt_text_visible(out, line.data, line.length);
  bt_str_putc(out, '\n');
  out->failed |= line.failed;
  bt_str_dispose(&line);
}

void bt_answer_reason(struct bt_str *out, const struct bt_denial *denial) {
  bt_str_puts(out, "Refused by the handoff gate:\n");
  for (size_t i = 0; i < denial->count && i < SHOWN_REASONS; i++)
    put_line(out, denial->reasons[i]);
  if (denial->count > SHOWN_REASONS)
    bt_str_printf(out, "  and %zu more\n", denial->count - SHOWN_REASONS);
  if (denial->detail != NULL && denial->detail[0] != '\0')
    put_line(out, denial->detail);
  static const char *const advice[] = {ACTIVE SUMMARY, HANDS_OFF SUMMARY, UNSURE SUMMARY};
  bt_str_puts(out, advice[denial->kind]);
  put_recovery(out, denial);
}

static void put_document(struct bt_str *out, const char *event, const char *decision, const char *key,
                         const char *text) {
  bt_str_printf(out, "{\"hookSpecificOutput\":{\"hookEventName\":\"%s\",%s\"%s\":", event, decision, key);
  bt_json_print_string(out, text, strlen(text));
  bt_str_puts(out, "}}\n");
}

void bt_answer_deny(struct bt_str *out, const char *reason) {
  put_document(out, "PreToolUse", "\"permissionDecision\":\"deny\",", "permissionDecisionReason", reason);
}

void bt_answer_session_start(struct bt_str *out, const char *context) {
  put_document(out, "SessionStart", "", "additionalContext", context);
}
