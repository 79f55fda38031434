/* core/harness/place.c - see place.h. */
#include "core/harness/place.h"

#include <string.h>

#include "core/base/digest.h"
#include "core/base/str.h"
#include "core/base/utf8.h"
#include "core/harness/folder_name.h"

#define NAME_MAX_BYTES ((size_t)65536)

/* The part of a path that follows the last `above` in it, up to the next slash. */
static struct bt_slice below(const char *path, const char *above) {
  const char *found = NULL;
  for (const char *at = path; (at = strstr(at, above)) != NULL; at++)
    found = at;
  if (!found)
    return (struct bt_slice){"", 0};
  found += strlen(above);
  const char *slash = strchr(found, '/');
  return (struct bt_slice){found, slash ? (size_t)(slash - found) : 0};
}

/* The harness's own name, and the narrow one that the hosts' supervisor uses: only `/` and `.` replaced. */
static enum bt_place claude_place(const char *name, const char *cwd) {
  struct bt_str whole;
  bt_str_init(&whole, NAME_MAX_BYTES);
  bt_folder_name(&whole, cwd);
  bool same = !whole.failed && whole.length < BT_FOLDER_NAME_UNITS && strcmp(whole.data, name) == 0;
  bt_str_clear(&whole);
  bt_str_puts(&whole, cwd);
  for (size_t i = 0; i < whole.length; i++)
    if (whole.data[i] == '/' || whole.data[i] == '.')
      whole.data[i] = '-';
  same |= !whole.failed && strcmp(whole.data, name) == 0;
  bt_str_dispose(&whole);
  return same ? BT_PLACE_HERE : bt_folder_name_may_hold(name, cwd) ? BT_PLACE_NEAR : BT_PLACE_ELSEWHERE;
}

/* `--<dir>--`: without the leading slash, every `/`, `\` and `:` a dash. */
static enum bt_place pi_place(const char *name, const char *cwd) {
  struct bt_str own;
  bt_str_init(&own, NAME_MAX_BYTES);
  bt_str_printf(&own, "--%s", cwd + strspn(cwd, "/"));
  for (size_t i = 2; i < own.length; i++)
    if (strchr("/\\:", own.data[i]))
      own.data[i] = '-';
  bool begins = !own.failed && bt_starts_with(name, own.data);
  bool same = begins && strcmp(name + own.length, "--") == 0;
  bool near = begins && name[own.length] == '-';
  bt_str_dispose(&own);
  return same ? BT_PLACE_HERE : near ? BT_PLACE_NEAR : BT_PLACE_ELSEWHERE;
}

bool bt_place_is_digest_of(const char *name, const char *path) {
  char hex[BT_SHA256_HEX];
  bt_sha256_hex(path, strlen(path), hex);
  return strcmp(hex, name) == 0;
}

static bool copy_name(struct bt_str *name, struct bt_slice part) {
  bt_str_init(name, NAME_MAX_BYTES);
  bt_str_append(name, part.data, part.length);
  return !name->failed && name->length > 0;
}

const char *bt_place_gemini_cwd(const struct bt_source *source, const struct bt_scope *scope) {
  struct bt_str name;
  const char *found = NULL;
  bool named = copy_name(&name, below(source->path, "/.gemini/tmp/"));
  for (size_t i = 0; named && name.length == BT_SHA256_HEX - 1 && !found && i < bt_scope_root_count(scope); i++)
    if (bt_place_is_digest_of(name.data, bt_scope_root(scope, i)))
      found = bt_scope_root(scope, i);
  bt_str_dispose(&name);
  return found;
}

static int rank(enum bt_place place) {
  return place == BT_PLACE_HERE ? 2 : place == BT_PLACE_NEAR;
}

enum bt_place bt_place_of(const struct bt_source *source, const struct bt_scope *scope) {
  bool is_claude = source->harness == BT_HARNESS_CLAUDE, is_pi = source->harness == BT_HARNESS_PI;
  struct bt_str name;
  enum bt_place best = BT_PLACE_ELSEWHERE;
  bool named = (is_claude || is_pi) && copy_name(&name, below(source->path, is_claude ? "/projects/" : "/sessions/"));
  if (!is_claude && !is_pi)
    return BT_PLACE_SILENT;
  for (size_t i = 0; named && i < bt_scope_root_count(scope); i++) {
    struct bt_str cwd;
    bt_str_init(&cwd, NAME_MAX_BYTES);
    bt_utf8_decode8(&cwd, bt_scope_root(scope, i), strlen(bt_scope_root(scope, i)));
    enum bt_place place = is_claude ? claude_place(name.data, cwd.data) : pi_place(name.data, cwd.data);
    best = rank(place) > rank(best) ? place : best;
    bt_str_dispose(&cwd);
  }
  bt_str_dispose(&name);
  return named ? best : BT_PLACE_SILENT;
}
