/* core/hook/recovery.c - the recovery exception. */
#include "core/hook/recovery.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/real_path.h"
#include "core/base/utf8.h"

#define TOKEN_MAX 32 /* a full command has 3 + 2 * 5 + 2 */
#define PATH_BYTES ((size_t)65536)

#define ALNUM "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
static const char path_chars[] = ALNUM "_./=-";
static const char value_chars[] = ALNUM "_./=:-";

bool bt_recovery_is_pwd(const char *command) {
  return strcmp(command, "pwd") == 0;
}

/* Tokens with their quotes; 0 for a command that is not well-formed or too long to be one of ours. */
static size_t tokenise(const char *command, struct bt_slice tokens[TOKEN_MAX]) {
  size_t count = 0;
  const char *begin = command, *at = command;
  if (strpbrk(command, "\r\n") != NULL)
    return 0;
  for (;;) {
    if (*at == '\'') {
      at = strchr(at + 1, '\'');
      if (at == NULL || (at[1] != ' ' && at[1] != '\0'))
        return 0;
      at++;
    } else if (*at != ' ' && *at != '\0') {
      at++;
      continue;
    }
    if (count == TOKEN_MAX)
      return 0;
    tokens[count++] = (struct bt_slice){.data = begin, .length = (size_t)(at - begin)};
    if (*at == '\0')
      return count;
    begin = ++at;
  }
}

static bool made_of(struct bt_slice text, const char *allowed) {
  if (text.length == 0)
    return false;
  for (size_t i = 0; i < text.length; i++) {
    if (text.data[i] == '\0' || strchr(allowed, text.data[i]) == NULL)
      return false;
  }
  return true;
}

/* The path that a token spells, in real bytes, without slashes at its end. NULL: not of the path grammar. */
static char *path_of_token(struct bt_slice token) {
  struct bt_slice inside = token;
  if (token.length >= 2 && token.data[0] == '\'' && token.data[token.length - 1] == '\'')
    inside = (struct bt_slice){.data = token.data + 1, .length = token.length - 2};
  else if (!made_of(token, path_chars))
    return NULL;
  struct bt_str bytes;
  bt_str_init(&bytes, PATH_BYTES);
  bt_utf8_encode8(&bytes, inside.data, inside.length);
  bool holds_nul = !bytes.failed && memchr(bytes.data, '\0', bytes.length) != NULL;
  while (bytes.length > 1 && bytes.data[bytes.length - 1] == '/')
    bt_str_truncate(&bytes, bytes.length - 1);
  if (holds_nul || bytes.data[0] != '/')
    bytes.failed = true;
  char *path = bt_str_take(&bytes, NULL);
  bt_str_dispose(&bytes);
  return path;
}

static bool same_place(const char *path, const char *own_path) {
  char *real = bt_real_path(path);
  char *own = bt_real_path(own_path);
  bool same = real != NULL && own != NULL && strcmp(real, own) == 0;
  free(real);
  free(own);
  return same;
}

static bool token_names(struct bt_slice token, const char *own_path) {
  char *path = own_path != NULL ? path_of_token(token) : NULL;
  bool same = path != NULL && same_place(path, own_path);
  free(path);
  return same;
}

/* ---- subcommands and their flags ---- */

#define FLAGS_MAX 8
struct grammar {
  const char *subcommand;
  const char *values[FLAGS_MAX]; /* take one value each; ended by NULL */
};
static const struct grammar grammars[] = {
    {"bypass", {"--session", "--ticket"}},
    {"unlock", {"--session", "--pid", "--started-at", "--host", "--nonce"}},
    {"repair", {"--session", "--ticket", "--content-hash", "--host"}},
    {"write", {"--session", "--ticket", "--host", "--content-hash"}},
    {"resume", {"--session", "--deny-session"}},
};
static const char *const booleans[] = {"--write", "--json", NULL};

static const struct grammar *grammar_of(struct bt_slice token) {
  for (size_t i = 0; i < sizeof grammars / sizeof *grammars; i++) {
    if (bt_slice_equals(token, grammars[i].subcommand))
      return &grammars[i];
  }
  return NULL;
}

/* Index of the flag in a list ended by NULL; -1 when it is not there. */
static int index_in(const char *const *flags, struct bt_slice token) {
  for (int i = 0; i < FLAGS_MAX && flags[i] != NULL; i++) {
    if (bt_slice_equals(token, flags[i]))
      return i;
  }
  return -1;
}

static bool is_value(struct bt_slice token) {
  bool looks_like_flag = token.length >= 2 && token.data[0] == '-' && token.data[1] == '-';
  return made_of(token, value_chars) && !looks_like_flag;
}

/* Each flag at most once, and --session with the caller's own id. */
static bool flags_match(const struct grammar *grammar, const struct bt_slice *tokens, size_t count,
                        const char *session_id) {
  unsigned seen = 0;
  bool own_session = false;
  for (size_t i = 0; i < count; i++) {
    int value = index_in(grammar->values, tokens[i]);
    int boolean = value < 0 ? index_in(booleans, tokens[i]) : -1;
    if (value < 0 && boolean < 0)
      return false;
    unsigned bit = 1u << (value >= 0 ? value : FLAGS_MAX + boolean);
    if ((seen & bit) != 0)
      return false;
    seen |= bit;
    if (value < 0)
      continue;
    if (++i == count || !is_value(tokens[i]))
      return false;
    if (value == 0) /* --session is the first of every list */
      own_session = bt_slice_equals(tokens[i], session_id);
  }
  return own_session;
}

/* `begin`: how many tokens name the program. */
static const char *match_from(const struct bt_slice *tokens, size_t count, size_t begin, const char *session_id) {
  if (count <= begin)
    return NULL;
  const struct grammar *grammar = grammar_of(tokens[begin]);
  if (grammar == NULL || !flags_match(grammar, tokens + begin + 1, count - begin - 1, session_id))
    return NULL;
  return grammar->subcommand;
}

const char *bt_recovery_match(const char *command, const struct bt_recovery_self *self, const char *session_id) {
  struct bt_slice tokens[TOKEN_MAX];
  if (session_id == NULL || session_id[0] == '\0')
    return NULL;
  size_t count = tokenise(command, tokens);
  if (count < 2)
    return NULL;
  const char *verb = match_from(tokens, count, 2, session_id);
  if (verb != NULL && token_names(tokens[0], self->interpreter) && token_names(tokens[1], self->script))
    return verb;
  verb = match_from(tokens, count, 1, session_id);
  return verb != NULL && token_names(tokens[0], self->program) ? verb : NULL;
}

/* ---- display ---- */

static void put_path(struct bt_str *out, const char *path) {
  bool bare = made_of(bt_slice_of(path), path_chars);
  if (bare)
    bt_str_puts(out, path);
  else
    bt_str_printf(out, "'%s'", path);
}

enum bt_recovery_kind bt_recovery_format(struct bt_str *out, const struct bt_recovery_self *self,
                                         const char *session_id) {
  const char *first = self->program != NULL ? self->program : self->interpreter;
  const char *second = self->program != NULL ? NULL : self->script;
  if (session_id == NULL || !made_of(bt_slice_of(session_id), value_chars)) {
    bt_str_puts(out, "no session id could be resolved for this session, so no recovery command can be given: end this "
                     "session and start a new one; `pwd` stays usable");
    return BT_RECOVERY_NO_SESSION;
  }
  if (first == NULL || strpbrk(first, "'\r\n") != NULL || (second != NULL && strpbrk(second, "'\r\n") != NULL)) {
    bt_str_puts(out,
                "to recover, run the `bypass` subcommand of the handoff program for this session; its program is at ");
    bt_text_visible(out, first != NULL ? first : "?", first != NULL ? strlen(first) : 1);
    if (second != NULL) {
      bt_str_puts(out, " and its script at ");
      bt_text_visible(out, second, strlen(second));
    }
    bt_str_puts(out, "; the path holds characters that cannot be quoted safely, so no line to copy is given");
    return BT_RECOVERY_UNSAFE_PATH;
  }
  put_path(out, first);
  if (second != NULL) {
    bt_str_putc(out, ' ');
    put_path(out, second);
  }
  bt_str_printf(out, " bypass --session %s --write", session_id);
  return BT_RECOVERY_COMMAND;
}
