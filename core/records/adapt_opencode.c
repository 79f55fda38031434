/* core/records/adapt_opencode.c - OpenCode: the exported document and the JSON tree (adapt.h;
 * spec/session-records.md 12.5). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/records/adapt.h"

#define PATH_MAX_BYTES ((size_t)1 << 16)
#define DOCUMENT_MAX ((size_t)1 << 30)
#define TREE_MARK "/storage/session/"

static void put_part(struct bt_adapt *adapt, uint32_t part, const char *role, bool is_summary) {
  const struct bt_tape *tape = adapt->tape;
  uint32_t type = bt_tape_get(tape, part, "type"), text = bt_tape_get(tape, part, "text");
  if (bt_tape_is(tape, type, "text")) {
    bool is_meta = bt_tape_is_true(tape, bt_tape_get(tape, part, "synthetic")) ||
                   bt_tape_is_true(tape, bt_tape_get(tape, part, "ignored"));
    bt_adapt_text(adapt, is_meta || is_summary ? "system" : role,
                  is_meta      ? "meta"
                  : is_summary ? "summary"
                               : "text",
                  text);
  } else if (bt_tape_is(tape, type, "reasoning")) {
    bt_adapt_text(adapt, "assistant", "thinking", text);
  } else if (bt_tape_is(tape, type, "tool")) {
    uint32_t state = bt_tape_get(tape, part, "state"), status = bt_tape_get(tape, state, "status");
    bool completed = bt_tape_is(tape, status, "completed");
    bt_adapt_call(adapt, "tool_use", BT_TOKEN_NONE, bt_tape_get(tape, part, "tool"), bt_tape_get(tape, state, "input"));
    if (!completed && !bt_tape_is(tape, status, "error"))
      return;
    bt_adapt_begin(adapt);
    bt_adapt_value(adapt, "", bt_tape_get(tape, state, completed ? "output" : "error"));
    bt_adapt_put(adapt, "tool", "tool_result");
  } else if (bt_tape_is(tape, type, "file")) {
    uint32_t mime = bt_tape_get(tape, part, "mime");
    struct bt_slice raw = bt_tape_raw(tape, mime);
    bool is_image = bt_tape_type(tape, mime) == BT_JSON_STRING && raw.length > 6 && memcmp(raw.data, "image/", 6) == 0;
    bt_adapt_begin(adapt);
    bt_adapt_words(adapt, "", is_image ? "[image]" : "[file]");
    bt_adapt_put(adapt, role, "text");
  } else {
    adapt->report->unknown++;
  }
}

struct message { /* what its parts need to know of it */
  const char *role;
  bool is_summary, may_change;
};

static struct message message_of(struct bt_adapt *adapt, uint32_t info) {
  const struct bt_tape *tape = adapt->tape;
  uint32_t time = bt_tape_get(tape, info, "time"), completed = bt_tape_get(tape, time, "completed");
  struct message message = {.role = bt_adapt_role(adapt, bt_tape_get(tape, info, "role"), "user")};
  bool is_assistant = message.role[0] == 'a';
  bt_adapt_first(adapt, &adapt->model, bt_tape_get(tape, info, "modelID"));
  bt_adapt_stamp(adapt, bt_tape_get(tape, time, "created"));
  message.is_summary = is_assistant && bt_tape_is_true(tape, bt_tape_get(tape, info, "summary"));
  message.may_change = is_assistant && bt_tape_type(tape, completed) != BT_JSON_NUMBER && !adapt->request->is_over;
  return message;
}

/* Tokens of a list's elements in the order of their ids; to be freed. NULL: out of memory. */
struct keyed {
  struct bt_slice id;
  uint32_t token;
};

static int by_id(const void *a, const void *b) {
  const struct keyed *x = a, *y = b;
  size_t least = x->id.length < y->id.length ? x->id.length : y->id.length;
  int order = memcmp(x->id.data, y->id.data, least);
  if (order == 0 && x->id.length != y->id.length)
    order = x->id.length < y->id.length ? -1 : 1;
  return order != 0 ? order : x->token < y->token ? -1 : x->token > y->token;
}

static struct keyed *sorted(const struct bt_tape *tape, uint32_t list, bool in_info, size_t *count) {
  size_t capacity = 0;
  *count = 0;
  for (uint32_t item = bt_tape_first(tape, list); item != BT_TOKEN_NONE; item = bt_tape_next(tape, list, item))
    capacity++;
  struct keyed *keyed = calloc(capacity + 1, sizeof *keyed);
  for (uint32_t item = bt_tape_first(tape, list); keyed != NULL && item != BT_TOKEN_NONE;
       item = bt_tape_next(tape, list, item)) {
    uint32_t holder = in_info ? bt_tape_get(tape, item, "info") : item;
    keyed[(*count)++] = (struct keyed){bt_tape_raw(tape, bt_tape_get(tape, holder, "id")), item};
  }
  if (keyed != NULL)
    qsort(keyed, *count, sizeof *keyed, by_id);
  return keyed;
}

static void put_parts(struct bt_adapt *adapt, uint32_t list, const struct message *message) {
  size_t count;
  if (bt_tape_type(adapt->tape, list) != BT_JSON_ARRAY)
    return;
  struct keyed *parts = sorted(adapt->tape, list, false, &count);
  if (parts == NULL)
    adapt->code = BT_NOMEM;
  for (size_t i = 0; parts != NULL && i < count; i++)
    put_part(adapt, parts[i].token, message->role, message->is_summary);
  free(parts);
}

static void put_exported(struct bt_adapt *adapt, uint32_t root) {
  size_t count;
  uint32_t list = bt_tape_get(adapt->tape, root, "messages");
  if (bt_tape_type(adapt->tape, list) != BT_JSON_ARRAY)
    return;
  struct keyed *messages = sorted(adapt->tape, list, true, &count);
  if (messages == NULL)
    adapt->code = BT_NOMEM;
  for (size_t i = 0; messages != NULL && adapt->code == BT_OK && i < count; i++) {
    struct message message = message_of(adapt, bt_tape_get(adapt->tape, messages[i].token, "info"));
    if (message.may_change) {
      adapt->report->left_last = true;
      break;
    }
    put_parts(adapt, bt_tape_get(adapt->tape, messages[i].token, "parts"), &message);
  }
  free(messages);
}

/* ---- the tree: storage/message/SESSION/ID.json, storage/part/MESSAGE/ID.json ---- */

static bool list_folder(const char *storage, const char *kind, const char *owner, struct bt_fs_listing *listing) {
  struct bt_str path;
  bt_str_init(&path, PATH_MAX_BYTES);
  bt_str_printf(&path, "%s/%s/%s", storage, kind, owner);
  int dir = path.failed ? -1 : bt_fs_open_root(path.data, NULL);
  bool ok = dir >= 0 && bt_fs_list_at(dir, ".", listing, NULL) == BT_OK;
  if (dir >= 0)
    (void)close(dir);
  bt_str_dispose(&path);
  return ok;
}

/* One document of the tree, on `tape`; the adapter looks at it from now on. */
static bool open_document(struct bt_adapt *adapt, const char *storage, const char *kind, const char *owner,
                          const char *name, struct bt_str *bytes, struct bt_tape *tape) {
  struct bt_str path;
  bt_str_init(&path, PATH_MAX_BYTES);
  bt_str_printf(&path, "%s/%s/%s/%s", storage, kind, owner, name);
  bool ok = !path.failed && bt_ends_with(name, ".json") && bt_adapt_read_json(path.data, bytes, tape);
  adapt->report->unparsed += !ok && bt_ends_with(name, ".json");
  adapt->tape = tape;
  bt_str_dispose(&path);
  return ok;
}

static void put_tree_parts(struct bt_adapt *adapt, const char *storage, const char *id, const struct message *message) {
  struct bt_fs_listing parts;
  struct bt_str bytes;
  struct bt_tape tape;
  if (!list_folder(storage, "part", id, &parts))
    return;
  bt_str_init(&bytes, DOCUMENT_MAX);
  bt_tape_init(&tape);
  for (size_t i = 0; adapt->code == BT_OK && i < parts.count; i++) {
    if (open_document(adapt, storage, "part", id, parts.names[i], &bytes, &tape))
      put_part(adapt, 0, message->role, message->is_summary);
  }
  bt_tape_dispose(&tape);
  bt_str_dispose(&bytes);
  bt_fs_listing_dispose(&parts);
}

static void put_tree(struct bt_adapt *adapt, const char *storage) {
  struct bt_fs_listing messages;
  struct bt_str bytes;
  struct bt_tape tape;
  if (!list_folder(storage, "message", adapt->stem, &messages))
    return;
  bt_str_init(&bytes, DOCUMENT_MAX);
  bt_tape_init(&tape);
  for (size_t i = 0; adapt->code == BT_OK && i < messages.count; i++) {
    if (!open_document(adapt, storage, "message", adapt->stem, messages.names[i], &bytes, &tape))
      continue;
    struct message message = message_of(adapt, 0);
    if (message.may_change) {
      adapt->report->left_last = true;
      break;
    }
    messages.names[i][strlen(messages.names[i]) - strlen(".json")] = '\0';
    put_tree_parts(adapt, storage, messages.names[i], &message);
  }
  bt_tape_dispose(&tape);
  bt_str_dispose(&bytes);
  bt_fs_listing_dispose(&messages);
}

static void put_document(struct bt_adapt *adapt, uint32_t root) {
  const struct bt_tape *tape = adapt->tape;
  const char *mark = strstr(adapt->request->path, TREE_MARK);
  for (const char *next = mark; next != NULL; next = strstr(next + 1, TREE_MARK))
    mark = next;
  bool is_tree = mark != NULL && bt_tape_get(tape, root, "messages") == BT_TOKEN_NONE;
  uint32_t info = is_tree ? root : bt_tape_get(tape, root, "info");
  if (!is_tree) /* of the tree the path counts: a later move may have left the fields stale */
    bt_adapt_first(adapt, &adapt->session, bt_tape_get(tape, info, "id"));
  bt_adapt_first(adapt, &adapt->cwd, bt_tape_get(tape, info, "directory"));
  if (!is_tree) {
    put_exported(adapt, root);
  } else {
    char *storage = strndup(adapt->request->path, (size_t)(mark - adapt->request->path) + strlen("/storage"));
    if (storage == NULL)
      adapt->code = BT_NOMEM;
    else
      put_tree(adapt, storage);
    free(storage);
  }
  if (adapt->code == BT_NOMEM)
    (void)bt_error_set(adapt->err, BT_NOMEM, adapt->request->name, "out of memory");
}

const struct bt_adapter bt_adapter_opencode = {.label = "opencode", .document = put_document};
