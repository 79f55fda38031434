/* core/store/ticket_active.c - which ticket is being worked on (spec/context-handoff.md 8.9). */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/model/id.h"
#include "core/model/thresholds.h"
#include "core/store/tickets.h"

#define POINTER_PATH "current-ticket.json"

/* At most the first 65536 bytes of a regular file. */
static bool read_head(int dir, struct bt_str *out) {
  int fd = bt_fs_open_file_at(dir, POINTER_PATH, NULL);
  if (fd < 0)
    return false;
  char buffer[4096];
  bool fine = true;
  while (fine && out->length < BT_TICKET_POINTER_BYTES) {
    size_t room = BT_TICKET_POINTER_BYTES - out->length;
    ssize_t got = read(fd, buffer, room < sizeof(buffer) ? room : sizeof(buffer));
    if (got == 0)
      break;
    if (got < 0 && errno == EINTR)
      continue;
    fine = got > 0;
    if (fine)
      bt_str_append(out, buffer, (size_t)got);
  }
  close(fd);
  return fine && !out->failed;
}

/* The id's text in the document, borrowed; NULL when the document names none as it should. */
static const char *pointer_text(const struct bt_json *json) {
  static const char *const keys[] = {"id", "ticket", "ticketId"};
  if (bt_json_type(json) == BT_JSON_STRING)
    return bt_json_string(json);
  if (bt_json_type(json) != BT_JSON_OBJECT)
    return NULL;
  for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
    const struct bt_json *value = bt_json_get(json, keys[i]);
    if (value)
      return bt_json_string(value);
  }
  return NULL;
}

/* The trimmed text in `arena`; NULL for none. */
static const char *trimmed(struct bt_arena *arena, const char *text, bool *failed) {
  struct bt_slice slice = bt_bind_normalise(text);
  const char *copy = slice.data ? bt_arena_strndup(arena, slice.data, slice.length) : NULL;
  *failed |= slice.data && !copy;
  return copy;
}

static const char *from_file(int dir, struct bt_arena *arena, bool *invalid, bool *failed) {
  struct bt_fs_stat st = {.kind = BT_FS_ABSENT};
  struct bt_str bytes;
  struct bt_error why = {0};
  *invalid = false;
  if (dir >= 0)
    bt_fs_stat_at(dir, POINTER_PATH, &st);
  if (st.kind == BT_FS_ABSENT || st.kind == BT_FS_UNKNOWN)
    return NULL;
  bt_str_init(&bytes, BT_TICKET_POINTER_BYTES);
  bool read = read_head(dir, &bytes);
  *failed |= bytes.failed; /* it ends at its ceiling by itself */
  struct bt_json *json = read ? bt_json_parse(bytes.data, bytes.length, &why) : NULL;
  *failed |= why.code == BT_NOMEM;
  const char *id = json ? trimmed(arena, pointer_text(json), failed) : NULL;
  *invalid = !id;
  bt_json_free(json);
  bt_str_dispose(&bytes);
  return id;
}

enum bt_code bt_ticket_active(const struct bt_env *env, int dir, struct bt_arena *arena,
                              struct bt_ticket_pointer *pointer, struct bt_error *err) {
  bool failed = false, invalid = false;
  *pointer = (struct bt_ticket_pointer){0};
  const char *file_id = from_file(dir, arena, &invalid, &failed);
  const char *env_id = trimmed(arena, env->ticket, &failed);
  if (failed)
    return bt_error_set(err, BT_NOMEM, POINTER_PATH, "out of memory");
  if (invalid)
    pointer->error = "INVALID_CURRENT_TICKET";
  else if (file_id && env_id && strcmp(file_id, env_id) != 0)
    pointer->error = "ACTIVE_TICKET_CONFLICT";
  else
    pointer->id = env_id ? env_id : file_id;
  return BT_OK;
}
