/* core/handover/sessions.c - reading on. */
#include "core/handover/sessions.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/handover/policy.h"
#include "core/harness/read_at.h"
#include "core/model/id.h"

#define READ_BLOCK ((size_t)256 * 1024)

static enum bt_code out_of_memory(struct bt_error *err) {
  return bt_error_set(err, BT_NOMEM, "transcripts", "out of memory");
}

/* ---- one session ---- */

static bool look_for_manifest(void *context, const char *root) {
  (void)context;
  return root[0] == '/' && bt_is_supervised(root);
}

static void pass_on(void *context, const struct bt_ask_notice *notice) {
  struct bt_ask_session *session = context;
  if (session->owner->notice != NULL)
    session->owner->notice(session->owner->context, session, notice);
}

static void start_replay(struct bt_ask_session *session) {
  struct bt_ask_limits limits = bt_ask_settings_limits(session->owner->settings, NULL);
  bt_ask_replay_init(&session->replay, &limits, false, session->owner->window_flag);
  session->replay.is_supervised = look_for_manifest;
  session->replay.notice = pass_on;
  session->replay.context = session;
  session->replay.settings = session->owner->settings;
  session->acks = (struct bt_ask_acks){session->keep.acked, session->keep.acked_count};
  session->replay.acks = &session->acks;
  session->offset = 0;
  session->fresh = session->anew = true;
}

static void free_session(struct bt_ask_session *session) {
  if (session == NULL)
    return;
  bt_ask_replay_dispose(&session->replay);
  free(session->id);
  free(session->path);
  free(session);
}

static struct bt_ask_session *new_session(struct bt_ask_sessions *sessions, const struct bt_ask_file *file) {
  struct bt_ask_session *session = calloc(1, sizeof *session);
  if (session == NULL)
    return NULL;
  session->owner = sessions;
  session->id = strdup(file->session);
  session->path = strdup(file->path);
  session->inode = file->inode;
  if (session->id == NULL || session->path == NULL) {
    free_session(session);
    return NULL;
  }
  bt_ask_keep_read(sessions->state_dir, session->id, &session->keep);
  start_replay(session);
  return session;
}

static enum bt_code read_on(struct bt_ask_session *session, int folder, struct bt_error *err) {
  char *block = malloc(READ_BLOCK);
  int fd = bt_fs_open_file_at(folder, session->path, NULL);
  enum bt_code code = block != NULL ? BT_OK : out_of_memory(err);
  session->acks.count = session->keep.acked_count;
  while (code == BT_OK && fd >= 0) {
    ssize_t got = bt_read_at(fd, block, READ_BLOCK, session->offset);
    if (got <= 0)
      break;
    session->offset += (uint64_t)got;
    if (bt_ask_replay_feed(&session->replay, block, (size_t)got) != BT_OK)
      code = out_of_memory(err);
  }
  session->fresh = false;
  bt_ask_replay_rest(&session->replay);
  if (fd >= 0)
    close(fd);
  free(block);
  return code;
}

/* ---- all of them ---- */

static struct bt_ask_session *find_path(const struct bt_ask_sessions *sessions, const char *path) {
  for (size_t i = 0; i < sessions->count; i++) {
    if (strcmp(sessions->items[i]->path, path) == 0)
      return sessions->items[i];
  }
  return NULL;
}

static bool is_wanted(const struct bt_ask_sessions *sessions, const char *id) {
  bool wanted = sessions->only_count == 0;
  for (size_t i = 0; i < sessions->only_count; i++)
    wanted = wanted || strcmp(sessions->only[i], id) == 0;
  return wanted && bt_id_is_safe(id);
}

static void join_ring(struct bt_ask_sessions *sessions, struct bt_ask_session *session) {
  for (size_t i = 0; i < sessions->count; i++) {
    struct bt_ask_session *other = sessions->items[i];
    if (strcmp(other->id, session->id) != 0)
      continue;
    session->twin = other->twin != NULL ? other->twin : other;
    other->twin = session;
    return;
  }
}

bool bt_ask_session_is_current(const struct bt_ask_session *session) {
  for (const struct bt_ask_session *other = session->twin; other != NULL && other != session; other = other->twin) {
    bool later = other->mtime_ms != session->mtime_ms ? other->mtime_ms > session->mtime_ms
                                                      : strcmp(other->path, session->path) > 0;
    if (!other->gone && later)
      return false;
  }
  return !session->gone;
}

static struct bt_ask_session *add_session(struct bt_ask_sessions *sessions, const struct bt_ask_file *file) {
  struct bt_ask_session **grown = realloc(sessions->items, (sessions->count + 1) * sizeof(struct bt_ask_session *));
  if (grown == NULL)
    return NULL;
  sessions->items = grown;
  struct bt_ask_session *made = new_session(sessions, file);
  if (made == NULL)
    return NULL;
  join_ring(sessions, made);
  return grown[sessions->count++] = made;
}

static enum bt_code update_one(struct bt_ask_sessions *sessions, int folder, const struct bt_ask_file *file,
                               struct bt_error *err) {
  if (!is_wanted(sessions, file->session))
    return BT_OK;
  struct bt_ask_session *session = find_path(sessions, file->path);
  if (session == NULL)
    session = add_session(sessions, file);
  if (session == NULL)
    return out_of_memory(err);
  session->gone = false;
  session->mtime_ms = file->mtime_ms;
  if (session->inode != file->inode || (uint64_t)file->size_bytes < session->offset) {
    bt_ask_replay_dispose(&session->replay);
    start_replay(session);
    session->inode = file->inode;
  }
  return (uint64_t)file->size_bytes > session->offset || session->fresh ? read_on(session, folder, err) : BT_OK;
}

enum bt_code bt_ask_sessions_update(struct bt_ask_sessions *sessions, struct bt_error *err) {
  struct bt_ask_files files;
  enum bt_code code = bt_ask_files_list(sessions->projects, &files, err);
  if (code != BT_OK)
    return code;
  for (size_t i = 0; i < sessions->count; i++)
    sessions->items[i]->gone = true;
  int folder = files.count > 0 ? bt_fs_open_root(sessions->projects, err) : -1;
  if (files.count > 0 && folder < 0)
    code = BT_IO;
  for (size_t i = 0; code == BT_OK && i < files.count; i++)
    code = update_one(sessions, folder, &files.items[i], err);
  if (folder >= 0)
    close(folder);
  bt_ask_files_dispose(&files);
  return code;
}

void bt_ask_sessions_acknowledge(struct bt_ask_sessions *sessions) {
  for (size_t i = 0; i < sessions->count; i++) {
    struct bt_ask_session *session = sessions->items[i];
    const struct bt_ask_machine *machine = &session->replay.machine;
    struct bt_ask_keep now;
    if (bt_ask_state_of(machine) != BT_ASK_STATE_DUE)
      continue;
    bt_ask_keep_read(sessions->state_dir, session->id, &now);
    bt_ask_keep_merge(&session->keep, &now);
    session->acks.count = session->keep.acked_count;
    if (bt_ask_keep_has(session->keep.acked, session->keep.acked_count, machine->ordinal))
      bt_ask_replay_acknowledge(&session->replay);
  }
}

void bt_ask_sessions_dispose(struct bt_ask_sessions *sessions) {
  for (size_t i = 0; i < sessions->count; i++)
    free_session(sessions->items[i]);
  free(sessions->items);
  sessions->items = NULL;
  sessions->count = 0;
}

struct bt_ask_session *bt_ask_sessions_find(const struct bt_ask_sessions *sessions, const char *id) {
  for (size_t i = 0; i < sessions->count; i++) {
    if (strcmp(sessions->items[i]->id, id) == 0 && bt_ask_session_is_current(sessions->items[i]))
      return sessions->items[i];
  }
  return NULL;
}
