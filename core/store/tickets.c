/* core/store/tickets.c - reads a ticket store, of either layout, whole or not at all. */
#include "core/store/tickets.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/arena.h"
#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/store/doc.h"
#include "core/store/ticket_check.h"

#define STORE_MAX ((size_t)8 * 1024 * 1024)
#define STORE_MARK "{\"format\":\"adlc-ticket-directory\",\"version\":1}"
#define SLUG_MAX 48
#define NAME_MAX_BYTES ((size_t)64 * 1024)

struct bt_tickets {
  struct bt_arena *arena;
  struct bt_ticket_list list;
};

void bt_tickets_free(struct bt_tickets *tickets) {
  if (!tickets)
    return;
  bt_arena_free(tickets->arena);
  free(tickets);
}

const char *bt_tickets_title(const struct bt_tickets *tickets, const char *id) {
  const struct bt_ticket *ticket = tickets && id ? bt_tickets_find(&tickets->list, id) : NULL;
  return ticket ? ticket->title : NULL;
}

size_t bt_tickets_count(const struct bt_tickets *tickets) {
  return tickets ? tickets->list.count : 0;
}

const char *bt_tickets_at(const struct bt_tickets *tickets, size_t index, const char **title) {
  *title = tickets->list.items[index].title;
  return tickets->list.items[index].id;
}

/* Lower case without marks, everything else a dash, 48 characters at most. */
static void append_slug(struct bt_str *out, const char *id) {
  struct bt_str decomposed, bare, lower;
  size_t start = out->length;
  bt_str_init(&decomposed, NAME_MAX_BYTES * 64);
  bt_str_init(&bare, NAME_MAX_BYTES * 64);
  bt_str_init(&lower, NAME_MAX_BYTES * 64);
  bt_utf8_nfkd(&decomposed, id, strlen(id));
  for (size_t at = 0; at < decomposed.length;) {
    uint32_t code_point = bt_utf8_next(decomposed.data, decomposed.length, &at);
    if (code_point < 0x300 || code_point > 0x36F)
      bt_utf8_put(&bare, code_point);
  }
  bt_utf8_lower(&lower, bare.data, bare.length);
  for (size_t at = 0; at < lower.length && out->length - start < SLUG_MAX; at++) {
    char c = lower.data[at];
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      bt_str_putc(out, c);
    else if (out->length > start && out->data[out->length - 1] != '-')
      bt_str_putc(out, '-');
  }
  while (out->length > start && out->data[out->length - 1] == '-')
    bt_str_truncate(out, out->length - 1);
  if (out->length == start)
    bt_str_puts(out, "ticket");
  out->failed |= decomposed.failed || bare.failed || lower.failed;
  bt_str_dispose(&decomposed);
  bt_str_dispose(&bare);
  bt_str_dispose(&lower);
}

void bt_ticket_file_name(struct bt_str *out, const char *id) {
  struct bt_str bytes;
  char hash[BT_SHA256_HEX] = "";
  append_slug(out, id);
  bt_str_init(&bytes, strlen(id) + 1);
  bt_utf8_encode8(&bytes, id, strlen(id));
  out->failed |= bytes.failed || bt_digest_load(NULL) != BT_OK;
  if (!out->failed)
    bt_sha256_hex(bytes.data, bytes.length, hash);
  bt_str_dispose(&bytes);
  bt_str_printf(out, "--%s.json", hash);
}

/* The document, or BT_CORRUPT for whatever is wrong with the file. */
static enum bt_code read_object(int dir, const char *path, struct bt_doc *doc, struct bt_error *err) {
  enum bt_code code = bt_doc_read_max(dir, path, STORE_MAX, doc, err);
  if (code == BT_OK && doc->error)
    code = bt_error_set(err, BT_CORRUPT, path, "%s", doc->error);
  if (code == BT_OK && !bt_json_is_finite(doc->json))
    code = bt_error_set(err, BT_CORRUPT, path, "a number is too large");
  return code;
}

static enum bt_code load_legacy(int dir, const char *path, struct bt_ticket_list *list, struct bt_error *err) {
  struct bt_doc doc = {0};
  enum bt_code code = read_object(dir, path, &doc, err);
  const struct bt_json *tickets = code == BT_OK ? bt_json_get(doc.json, "tickets") : NULL;
  if (code == BT_OK && bt_json_type(tickets) != BT_JSON_ARRAY)
    code = bt_error_set(err, BT_CORRUPT, path, "no list of tickets");
  for (const struct bt_json *item = bt_json_first(tickets); item && code == BT_OK; item = bt_json_next(item))
    code = bt_ticket_add(list, item, path, err);
  bt_doc_dispose(&doc);
  return code;
}

static enum bt_code check_mark(int dir, const char *path, struct bt_error *err) {
  struct bt_doc doc = {0};
  struct bt_str canonical;
  bt_str_init(&canonical, STORE_MAX);
  enum bt_code code = read_object(dir, path, &doc, err);
  if (code == BT_OK) {
    bt_json_print_canonical(&canonical, doc.json);
    if (canonical.failed || strcmp(canonical.data, STORE_MARK) != 0)
      code = bt_error_set(err, BT_CORRUPT, path, "not the mark of a ticket directory");
  }
  bt_str_dispose(&canonical);
  bt_doc_dispose(&doc);
  return code;
}

static enum bt_code load_one(int dir, const char *path, const char *name, struct bt_ticket_list *list,
                             struct bt_error *err) {
  struct bt_doc doc = {0};
  struct bt_str wanted;
  bt_str_init(&wanted, NAME_MAX_BYTES);
  enum bt_code code = bt_ends_with(name, ".json") ? read_object(dir, path, &doc, err)
                                                  : bt_error_set(err, BT_CORRUPT, path, "not a ticket file");
  const char *id = code == BT_OK ? bt_json_get_string(doc.json, "id") : NULL;
  if (code == BT_OK && !id)
    code = bt_error_set(err, BT_CORRUPT, path, "a ticket has no id");
  if (code == BT_OK) {
    bt_ticket_file_name(&wanted, id);
    if (wanted.failed || strcmp(wanted.data, name) != 0)
      code = bt_error_set(err, BT_CORRUPT, path, "the name does not belong to the id");
  }
  if (code == BT_OK)
    code = bt_ticket_add(list, doc.json, path, err);
  bt_str_dispose(&wanted);
  bt_doc_dispose(&doc);
  return code;
}

static int by_text(const void *a, const void *b) {
  const char *const *x = a, *const *y = b;
  return strcmp(*x, *y);
}

/* No two names may be equal once lower-cased: such a store does not survive every file system. */
static enum bt_code check_names(const struct bt_fs_listing *listing, const char *path, struct bt_error *err) {
  char **lower = calloc(listing->count + 1, sizeof(*lower));
  enum bt_code code = lower ? BT_OK : bt_error_set(err, BT_NOMEM, path, "out of memory");
  for (size_t i = 0; i < listing->count && code == BT_OK; i++) {
    struct bt_str one;
    bt_str_init(&one, NAME_MAX_BYTES);
    bt_utf8_lower(&one, listing->names[i], strlen(listing->names[i]));
    lower[i] = bt_str_take(&one, NULL);
    if (!lower[i])
      code = bt_error_set(err, BT_NOMEM, path, "out of memory");
  }
  if (code == BT_OK) {
    qsort(lower, listing->count, sizeof(*lower), by_text);
    for (size_t i = 1; i < listing->count; i++)
      if (strcmp(lower[i - 1], lower[i]) == 0)
        code = bt_error_set(err, BT_CORRUPT, path, "two names differ in case only");
  }
  for (size_t i = 0; lower && i < listing->count; i++)
    free(lower[i]);
  free(lower);
  return code;
}

static enum bt_code load_directory(int dir, const char *path, struct bt_ticket_list *list, struct bt_error *err) {
  struct bt_fs_listing listing = {0};
  struct bt_error why = {0};
  enum bt_code code = bt_fs_list_at(dir, path, &listing, &why);
  if (code != BT_OK)
    return bt_error_set(err, code == BT_NOMEM ? BT_NOMEM : BT_CORRUPT, path, "%s", why.message);
  bool marked = false;
  code = check_names(&listing, path, err);
  for (size_t i = 0; i < listing.count && code == BT_OK; i++) {
    struct bt_str file;
    bt_str_init(&file, NAME_MAX_BYTES);
    bt_str_printf(&file, "%s/%s", path, listing.names[i]);
    if (strcmp(listing.names[i], ".store.json") == 0) {
      marked = true;
      code = check_mark(dir, file.data, err);
    } else {
      code = load_one(dir, file.data, listing.names[i], list, err);
    }
    bt_str_dispose(&file);
  }
  if (code == BT_OK && !marked)
    code = bt_error_set(err, BT_CORRUPT, path, "no .store.json");
  bt_fs_listing_dispose(&listing);
  return code;
}

static enum bt_code load_into(const struct bt_env *env, int dir, bool *found, struct bt_ticket_list *list,
                              struct bt_error *err) {
  struct bt_fs_stat legacy, folder = {0};
  struct stat parent;
  enum bt_code code;
  bt_fs_stat_at(dir, "tickets.json", &legacy);
  if (legacy.kind == BT_FS_ABSENT || legacy.kind == BT_FS_UNKNOWN)
    bt_fs_stat_at(dir, "tickets", &folder);
  bool in_file = legacy.kind != BT_FS_ABSENT && legacy.kind != BT_FS_UNKNOWN;
  *found = in_file || (folder.kind != BT_FS_ABSENT && folder.kind != BT_FS_UNKNOWN);
  if (!*found)
    return BT_OK;
  if (lstat(env->ledger_dir, &parent) != 0 || !S_ISDIR(parent.st_mode))
    return bt_error_set(err, BT_CORRUPT, env->ledger_dir, "a ticket store wants a real folder around it");
  if (in_file && legacy.kind != BT_FS_FOLDER)
    code = load_legacy(dir, "tickets.json", list, err);
  else
    code = load_directory(dir, in_file ? "tickets.json" : "tickets", list, err);
  return code == BT_OK ? bt_tickets_check(list, err) : code;
}

enum bt_code bt_tickets_load(const struct bt_env *env, int dir, struct bt_tickets **tickets, struct bt_error *err) {
  bool found = false;
  *tickets = NULL;
  if (dir < 0)
    return BT_OK;
  struct bt_tickets *loaded = calloc(1, sizeof(*loaded));
  if (!loaded || !(loaded->arena = bt_arena_new(STORE_MAX * 2))) {
    free(loaded);
    return bt_error_set(err, BT_NOMEM, "tickets", "out of memory");
  }
  loaded->list.arena = loaded->arena;
  enum bt_code code = load_into(env, dir, &found, &loaded->list, err);
  if (code == BT_OK && found)
    *tickets = loaded;
  else
    bt_tickets_free(loaded);
  return code;
}
