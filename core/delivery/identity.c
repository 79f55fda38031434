/* core/delivery/identity.c - the forms of a repository's name, one after the other. */
#include "core/delivery/identity.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/str.h"
#include "core/base/utf8.h"
#include "core/delivery/fields.h"

#define TEXT_MAX ((size_t)1024 * 1024)

struct name {
  struct bt_str host; /* empty for a local path */
  struct bt_str path; /* as written, or percent-decoded */
  struct bt_str result;
  unsigned port; /* 0: none */
};

static bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

static void fold_case(struct bt_str *text) {
  for (size_t i = 0; i < text->length; i++)
    text->data[i] = bt_ascii_lower(text->data[i]);
}

static const char *last_at(const char *text, size_t length) {
  const char *found = NULL;
  for (size_t i = 0; i < length; i++)
    found = text[i] == '@' ? text + i : found;
  return found;
}

/* ---- parts ---- */

static int hex_value(char byte) {
  if (is_digit(byte))
    return byte - '0';
  byte = bt_ascii_lower(byte);
  return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

/* A triplet may not smuggle in a separator, a control character or broken UTF-8. */
static bool percent_decode(struct bt_str *out, const char *text) {
  for (size_t i = 0; text[i] != '\0'; i++) {
    if (text[i] != '%') {
      bt_str_putc(out, text[i]);
      continue;
    }
    int high = hex_value(text[i + 1]), low = high >= 0 ? hex_value(text[i + 2]) : -1;
    int byte = high * 16 + low;
    if (low < 0 || byte == '/' || byte < 0x20 || byte == 0x7F)
      return false;
    bt_str_putc(out, (char)byte);
    i += 2;
  }
  return bt_utf8_is_plain(out->data, out->length);
}

/* 1 to 5 digits, 1 to 65535. */
static bool read_port(const char *text, size_t length, unsigned *port) {
  unsigned value = 0;
  if (length == 0 || length > 5)
    return false;
  for (size_t i = 0; i < length; i++) {
    if (!is_digit(text[i]))
      return false;
    value = value * 10 + (unsigned)(text[i] - '0');
  }
  *port = value;
  return value >= 1 && value <= 65535;
}

/* `[user@]host[:port]`; an empty port counts as none. */
static bool read_authority(struct name *name, const char *text, size_t length) {
  const char *at = last_at(text, length);
  if (at != NULL) {
    length -= (size_t)(at + 1 - text);
    text = at + 1;
  }
  size_t host = 0;
  if (length > 0 && text[0] == '[') {
    const char *end = memchr(text, ']', length);
    if (end == NULL || end == text + 1)
      return false;
    host = (size_t)(end + 1 - text);
  } else {
    const char *colon = memchr(text, ':', length);
    host = colon != NULL ? (size_t)(colon - text) : length;
  }
  bt_str_append(&name->host, text, host);
  if (host == length)
    return true;
  if (text[host] != ':')
    return false;
  return host + 1 == length || read_port(text + host + 1, length - host - 1, &name->port);
}

/* ---- forms ---- */

static bool read_file_url(struct name *name, const char *rest) {
  const char *slash = strchr(rest, '/');
  bool here = slash == rest || (slash != NULL && slash - rest == 9 && bt_ascii_same(rest, "localhost", 9));
  return here && percent_decode(&name->path, slash);
}

/* The scheme's own port; 0 for a scheme that is not known. */
static unsigned scheme_port(const char *scheme, size_t length) {
  static const struct {
    const char *word;
    unsigned port;
  } schemes[] = {{"https", 443},     {"http", 80},     {"ssh", 22},     {"git", 9418},
                 {"git+https", 443}, {"git+http", 80}, {"git+ssh", 22}, {"ssh+git", 22}};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    if (strlen(schemes[i].word) == length && bt_ascii_same(scheme, schemes[i].word, length))
      return schemes[i].port;
  }
  return 0;
}

static bool read_url(struct name *name, const char *text, size_t scheme_length) {
  unsigned usual = scheme_port(text, scheme_length);
  const char *authority = text + scheme_length + 3;
  size_t length = strcspn(authority, "/");
  if (usual == 0 || !read_authority(name, authority, length))
    return false;
  if (name->port == usual)
    name->port = 0;
  return percent_decode(&name->path, authority + length);
}

/* A colon stands before the first slash: scp-like, or a host with a port. */
static bool read_colon_form(struct name *name, const char *text, size_t colon) {
  const char *right = text + colon + 1;
  const char *at = last_at(text, colon);
  size_t digits = strspn(right, "0123456789");
  if (at == NULL && digits >= 1 && digits <= 5 && right[digits] == '/' && right[digits + 1] != '\0') {
    if (!read_port(right, digits, &name->port))
      return false;
    if (name->port == 22 || name->port == 443)
      name->port = 0;
    right += digits;
  }
  const char *host = at != NULL ? at + 1 : text;
  bt_str_append(&name->host, host, (size_t)(text + colon - host));
  bt_str_puts(&name->path, right);
  return true;
}

/* Where `[user@][v6]` opens its bracket, before the first slash; NULL when it is not one. A user may hold a colon. */
static const char *bracket_of(const char *text) {
  const char *at = strstr(text, "@[");
  if (text[0] == '[')
    return text;
  return at != NULL && strcspn(text, "/") > (size_t)(at - text) ? at + 1 : NULL;
}

/* `[v6]:PATH`. False when it is not one. */
static bool read_bracket_form(struct name *name, const char *text) {
  const char *end = strchr(text, ']');
  if (end == NULL || end == text + 1 || end[1] != ':')
    return false;
  bt_str_append(&name->host, text, (size_t)(end + 1 - text));
  bt_str_puts(&name->path, end + 2);
  return true;
}

static bool read_bare(struct name *name, const char *text) {
  size_t length = strcspn(text, "/");
  const char *at = last_at(text, length);
  const char *host = at != NULL ? at + 1 : text;
  bt_str_append(&name->host, host, (size_t)(text + length - host));
  bt_str_puts(&name->path, text + length);
  bool local = name->host.length == 9 && bt_ascii_same(name->host.data, "localhost", 9);
  return local || strchr(name->host.data, '.') != NULL;
}

static bool is_drive(const char *text) {
  char letter = bt_ascii_lower(text[0]);
  return letter >= 'a' && letter <= 'z' && text[1] == ':' && (text[2] == '\\' || text[2] == '/');
}

/* Decides on the form. `text` is trimmed, not empty and free of control characters. */
static bool read_name(struct name *name, const char *text) {
  if (strlen(text) >= 7 && bt_ascii_same(text, "file://", 7))
    return read_file_url(name, text + 7);
  if (text[0] == '/') {
    bt_str_puts(&name->path, text);
    return true;
  }
  if (strpbrk(text, " ?#") != NULL || text[0] == '.' || text[0] == '~' || is_drive(text))
    return false;
  size_t colon = strcspn(text, ":/");
  const char *bracket = bracket_of(text);
  if (text[colon] == ':' && bt_starts_with(text + colon, "://") && memchr(text, '@', colon) == NULL)
    return read_url(name, text, colon);
  if (bracket != NULL)
    return read_bracket_form(name, bracket);
  return text[colon] == ':' ? read_colon_form(name, text, colon) : read_bare(name, text);
}

/* ---- putting it together ---- */

static bool settle_host(struct name *name) {
  struct bt_str *host = &name->host;
  static const char *const aliases[][2] = {{"ssh.github.com", "github.com"},
                                           {"www.github.com", "github.com"},
                                           {"altssh.gitlab.com", "gitlab.com"},
                                           {"altssh.bitbucket.org", "bitbucket.org"}};
  fold_case(host);
  if (host->length > 0 && host->data[host->length - 1] == '.')
    bt_str_truncate(host, host->length - 1);
  for (size_t i = 0; i < sizeof aliases / sizeof *aliases && (name->port == 0 || name->port == 443); i++) {
    if (strcmp(host->data, aliases[i][0]) == 0) {
      bt_str_clear(host);
      bt_str_puts(host, aliases[i][1]);
      name->port = 0;
      break;
    }
  }
  return host->length > 0;
}

/* These forges do not tell paths apart by case. */
static bool folds_paths(const struct name *name) {
  static const char *const hosts[] = {"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"};
  for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
    if (name->port == 0 && strcmp(name->host.data, hosts[i]) == 0)
      return true;
  }
  return false;
}

static bool append_path(struct bt_str *out, const char *path) {
  size_t before = out->length;
  while (*path != '\0') {
    path += strspn(path, "/");
    size_t length = strcspn(path, "/");
    if (length == 0)
      break;
    if ((length == 1 && path[0] == '.') || (length == 2 && path[0] == '.' && path[1] == '.'))
      return false;
    const char *rest = path + length + strspn(path + length, "/");
    if (*rest == '\0' && length > 4 && memcmp(path + length - 4, ".git", 4) == 0)
      length -= 4;
    bt_str_putc(out, '/');
    bt_str_append(out, path, length);
    path = rest;
  }
  return out->length > before;
}

static bool put_together(struct name *name, bool local) {
  if (local) {
    bt_str_puts(&name->result, "file:");
    return append_path(&name->result, name->path.data);
  }
  if (!settle_host(name))
    return false;
  bt_str_puts(&name->result, name->host.data);
  if (name->port != 0)
    bt_str_printf(&name->result, ":%u", name->port);
  bool good = append_path(&name->result, name->path.data);
  if (folds_paths(name)) /* only now: `.GIT` is no suffix that is dropped */
    fold_case(&name->result);
  return good;
}

static bool has_control(const char *text) {
  for (; *text != '\0'; text++) {
    if ((unsigned char)*text < 0x20 || *text == 0x7F)
      return true;
  }
  return false;
}

const char *bt_identity_of(struct bt_arena *arena, const char *text, bool *no_memory) {
  struct name name = {.port = 0};
  struct bt_slice trimmed = bt_trim_blank(text, strlen(text));
  const char *plain = bt_arena_strndup(arena, trimmed.data, trimmed.length);
  const char *identity = NULL;
  *no_memory = plain == NULL;
  if (plain == NULL || plain[0] == '\0' || has_control(plain))
    return NULL;
  bt_str_init(&name.host, TEXT_MAX);
  bt_str_init(&name.path, TEXT_MAX);
  bt_str_init(&name.result, 2 * TEXT_MAX);
  bool good = read_name(&name, plain);
  bool local = plain[0] == '/' || (strlen(plain) >= 7 && bt_ascii_same(plain, "file://", 7));
  good = good && put_together(&name, local);
  *no_memory = name.host.failed || name.path.failed || name.result.failed;
  if (good && !*no_memory) {
    identity = bt_arena_strdup(arena, name.result.data);
    *no_memory = identity == NULL;
  }
  bt_str_dispose(&name.host);
  bt_str_dispose(&name.path);
  bt_str_dispose(&name.result);
  return identity;
}

/* `front`, then `text` with what a URL would read otherwise escaped when `escapes`, then `back`. */
static bool compose(struct bt_str *out, const char *front, const char *text, bool escapes, const char *back) {
  bt_str_clear(out);
  bt_str_puts(out, front);
  for (; *text != '\0'; text++) {
    if (escapes && strchr(" ?#%", *text) != NULL)
      bt_str_printf(out, "%%%02X", (unsigned)(unsigned char)*text);
    else
      bt_str_putc(out, *text);
  }
  bt_str_puts(out, back);
  return !out->failed;
}

const char *bt_identity_text(struct bt_arena *arena, const char *identity, bool *no_memory) {
  static const char *const fronts[] = {"", "https://", "ssh://"}, *const local_fronts[] = {"", "file://"};
  /* The second takes the place of the suffix that is dropped. */
  static const char *const backs[] = {"", ".git"};
  bool local = bt_starts_with(identity, "file:/");
  const char *rest = local ? identity + strlen("file:") : identity;
  const char *found = NULL;
  struct bt_str text;
  *no_memory = false;
  bt_str_init(&text, 4 * TEXT_MAX);
  for (size_t i = 0; i < (local ? 4 : 6) && found == NULL && !*no_memory; i++) {
    const char *front = local ? local_fronts[i / 2] : fronts[i / 2];
    *no_memory = !compose(&text, front, rest, front[0] != '\0', backs[i % 2]);
    const char *back = *no_memory ? NULL : bt_identity_of(arena, text.data, no_memory);
    if (back == NULL || strcmp(back, identity) != 0)
      continue;
    found = bt_arena_strdup(arena, text.data);
    *no_memory = found == NULL;
  }
  bt_str_dispose(&text);
  return found;
}

bool bt_identity_same_but_case(const char *a, const char *b) {
  size_t length = strlen(a);
  return length == strlen(b) && bt_ascii_same(a, b, length);
}
