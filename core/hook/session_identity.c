/* core/hook/session_identity.c - candidates, then the transcript's stem. */
#include "core/hook/session_identity.h"

#include <string.h>

#include "core/model/id.h"

/* Basename without its extension; slashes at the end do not count. */
static struct bt_slice stem_of(const char *path) {
  size_t end = strlen(path);
  while (end > 0 && path[end - 1] == '/')
    end--;
  size_t begin = end;
  while (begin > 0 && path[begin - 1] != '/')
    begin--;
  struct bt_slice base = {.data = path + begin, .length = end - begin};
  if (bt_slice_equals(base, ".."))
    return base;
  for (size_t i = base.length; i > 1; i--) {
    if (base.data[i - 1] == '.')
      return (struct bt_slice){.data = base.data, .length = i - 1};
  }
  return base;
}

void bt_session_identify(struct bt_str *out, const char *const *candidates, size_t count, const char *transcript_path) {
  bt_str_clear(out);
  for (size_t i = 0; i < count; i++) {
    if (bt_id_is_safe(candidates[i])) {
      bt_str_puts(out, candidates[i]);
      return;
    }
  }
  if (transcript_path == NULL || transcript_path[0] == '\0')
    return;
  struct bt_slice stem = stem_of(transcript_path);
  bt_str_append(out, stem.data, stem.length);
  if (!bt_id_is_safe(out->data))
    bt_str_clear(out);
}
