/* core/ops/command.c - words for sh, and the flags of a request. */
#include "core/ops/command.h"

#include <string.h>

static bool is_plain(unsigned char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
         (byte != '\0' && strchr("_./:=@%+,-", byte) != NULL);
}

static bool is_control(const char *text, size_t length, size_t at) {
  unsigned char byte = (unsigned char)text[at];
  if (byte < 0x20 || byte == 0x7f)
    return true;
  /* C1 controls are C2 80..9F in UTF-8. */
  unsigned char next = at + 1 < length ? (unsigned char)text[at + 1] : 0;
  unsigned char before = at > 0 ? (unsigned char)text[at - 1] : 0;
  return (byte == 0xc2 && next >= 0x80 && next <= 0x9f) || (before == 0xc2 && byte >= 0x80 && byte <= 0x9f);
}

/* Inside "$(printf '...')": octal for what sh or a terminal would act on. */
static void put_printf(struct bt_str *out, const char *text, size_t length) {
  bt_str_puts(out, "\"$(printf '");
  for (size_t i = 0; i < length; i++) {
    unsigned char byte = (unsigned char)text[i];
    if (is_control(text, length, i) || byte == '\'' || byte == '\\')
      bt_str_printf(out, "\\%03o", byte);
    else if (byte == '%')
      bt_str_puts(out, "%%");
    else
      bt_str_putc(out, (char)byte);
  }
  bt_str_puts(out, "')\"");
}

static void put_quoted(struct bt_str *out, const char *text, size_t length) {
  bt_str_putc(out, '\'');
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '\'')
      bt_str_puts(out, "'\\''");
    else
      bt_str_putc(out, text[i]);
  }
  bt_str_putc(out, '\'');
}

void bt_shell_word(struct bt_str *out, const char *text) {
  size_t length = strlen(text);
  bool plain = length > 0, control = false;
  for (size_t i = 0; i < length; i++) {
    plain = plain && is_plain((unsigned char)text[i]);
    control = control || is_control(text, length, i);
  }
  if (plain)
    bt_str_append(out, text, length);
  else if (control)
    put_printf(out, text, length);
  else
    put_quoted(out, text, length);
}

void bt_start_command(struct bt_str *out, const char *session, const char *ledger_dir) {
  bt_str_puts(out, "claude --session-id ");
  bt_shell_word(out, session);
  bt_str_puts(out, " \"$(baton bootstrap ");
  bt_shell_word(out, session);
  bt_str_puts(out, " --dir ");
  bt_shell_word(out, ledger_dir);
  bt_str_puts(out, ")\"");
}

/* A value that starts with a dash must be joined to its flag (spec/context-handoff.md 8.2). */
void bt_shell_flag(struct bt_str *out, const char *name, const char *value) {
  if (value == NULL)
    return;
  bt_str_printf(out, " --%s%c", name, value[0] == '-' && value[1] != '\0' ? '=' : ' ');
  bt_shell_word(out, value);
}

void bt_command_line(struct bt_str *out, const struct bt_env *env, const struct bt_request *request) {
  bt_str_printf(out, "baton %s", bt_verb_word(request->verb));
  bt_shell_flag(out, "dir", env->ledger_dir);
  bt_shell_flag(out, "deny-session", request->deny_session);
  bt_shell_flag(out, "session", request->session);
  bt_shell_flag(out, "ledger-lock", request->ledger_lock);
  bt_shell_flag(out, "ticket", request->ticket);
  bt_shell_flag(out, "content-hash", request->content_hash);
  bt_shell_flag(out, "unbound-reason", request->unbound_reason);
  bt_shell_flag(out, "capture-from", request->capture_from);
  bt_shell_flag(out, "pid", request->pid);
  bt_shell_flag(out, "started-at", request->started_at);
  bt_shell_flag(out, "host", request->host);
  bt_shell_flag(out, "nonce", request->nonce);
  if (request->pid_reused)
    bt_str_puts(out, " --pid-reused");
  bt_str_puts(out, " --write");
}
