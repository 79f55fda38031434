/* core/delivery/scan.c - the stores in their order: the first open record governs. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/delivery/evaluate.h"
#include "core/delivery/gh.h"
#include "core/delivery/identity.h"

const char *bt_source_word(enum bt_source source) {
  static const char *const words[] = {"none", "file", "pr", "host"};
  return words[source];
}

static enum bt_code out_of_memory(struct bt_error *err) {
  return bt_error_set(err, BT_NOMEM, "record", "out of memory");
}

/* ---- files ---- */

/* Is there anything behind a path that may not be walked? A link whose target is not there holds no record. */
static bool leads_somewhere(int folder, const char *path) {
  struct bt_fs_stat stat;
  bt_fs_stat_at(folder, path, &stat);
  if (stat.kind == BT_FS_ABSENT || (stat.kind == BT_FS_UNKNOWN && stat.sys_errno == ENOTDIR))
    return false;
  return stat.kind != BT_FS_UNKNOWN || faccessat(folder, path, F_OK, 0) == 0 || errno != ENOENT;
}

static enum bt_code read_copy(struct bt_arena *arena, int folder, const char *path, struct bt_store_copy *copy,
                              struct bt_error *err) {
  struct bt_str bytes;
  bt_str_init(&bytes, BT_DELIVERY_BYTES_MAX);
  *copy = (struct bt_store_copy){.present = true};
  enum bt_code code = bt_fs_read_at(folder, path, &bytes, NULL);
  if (code == BT_OK) {
    copy->bytes = bt_arena_strndup(arena, bytes.data, bytes.length);
    copy->length = bytes.length;
    code = copy->bytes == NULL ? BT_NOMEM : bt_delivery_read(arena, copy->bytes, bytes.length, &copy->reading, err);
  } else if (code == BT_TOO_LARGE || code != BT_NOMEM) {
    copy->present = leads_somewhere(folder, path);
    bt_delivery_unreadable(arena, code == BT_TOO_LARGE ? "limit:size" : "store:unreadable", &copy->reading);
    code = BT_OK;
  }
  bt_str_dispose(&bytes);
  return code == BT_NOMEM ? out_of_memory(err) : code;
}

static enum bt_code read_file_store(struct bt_evaluation *out, struct bt_error *err) {
  int tree = bt_fs_open_root(out->work.tree, err);
  if (tree < 0)
    return err != NULL ? err->code : BT_IO;
  enum bt_code code = read_copy(out->arena, tree, BT_RECORD_PATH, &out->file, err);
  close(tree);
  return code;
}

/* The folder of the host store may have been reached by links; its file may not be one. */
static enum bt_code read_host_store(struct bt_evaluation *out, const char *path, struct bt_error *err) {
  const char *name = path != NULL ? bt_path_basename(path) : NULL;
  out->host = (struct bt_store_copy){.present = false};
  if (name == NULL)
    return BT_OK;
  char *parent = bt_arena_strndup(out->arena, path, (size_t)(name - path));
  if (parent == NULL)
    return out_of_memory(err);
  int folder = bt_fs_open_root(parent[0] != '\0' ? parent : ".", NULL);
  if (folder < 0 && errno == ENOENT)
    return BT_OK;
  if (folder < 0 || name[0] == '\0') {
    out->host.present = true;
    bt_delivery_unreadable(out->arena, "store:unreadable", &out->host.reading);
  }
  enum bt_code code = BT_OK;
  if (folder >= 0 && name[0] != '\0')
    code = read_copy(out->arena, folder, name, &out->host, err);
  if (folder >= 0)
    close(folder);
  return code;
}

/* ---- the forge ---- */

/* Whom to ask the forge about: what the first readable record says, or the number that was asked for. */
static enum bt_code ask_gh(struct bt_evaluation *out, const struct bt_delivery_request *request, struct bt_error *err) {
  const struct bt_store_copy *copies[] = {&out->file, &out->host};
  const char *number = request->pr_wanted, *repository = NULL;
  bool no_memory = false;
  for (size_t i = 0; i < 2 && repository == NULL; i++) {
    const struct bt_delivery *delivery = &copies[i]->reading.delivery;
    if (!copies[i]->present || delivery->node == NULL || delivery->repository == NULL)
      continue;
    if (delivery->pr_number == NULL && number == NULL)
      continue;
    repository = bt_identity_of(out->arena, delivery->repository, &no_memory);
    number = number != NULL ? number : delivery->pr_number;
  }
  if (no_memory)
    return out_of_memory(err);
  if (repository == NULL && number != NULL) {
    struct bt_remote remote;
    enum bt_code code = bt_remote_find(&out->work, NULL, request->remote, &remote, err);
    if (code != BT_OK)
      return code;
    repository = bt_remote_identity(&remote, NULL);
  }
  if (repository == NULL || number == NULL) {
    out->forge_note = "no record names a pull request to ask about";
    return BT_OK;
  }
  return bt_gh_view(out->arena, request->env, number, repository, request->now_ms, request->pr_max_age_s, &out->pr,
                    &out->forge_note, err);
}

static enum bt_code read_forge(struct bt_evaluation *out, const struct bt_delivery_request *request,
                               struct bt_error *err) {
  out->pr = (struct bt_pr){.given = false};
  if (request->use_gh)
    return ask_gh(out, request, err);
  if (!request->pr_given)
    return BT_OK;
  if (request->pr_bytes == NULL) {
    bt_pr_unreadable(&out->pr);
    return BT_OK;
  }
  return bt_pr_read(out->arena, request->pr_bytes, request->pr_length, request->pr_taken_ms, request->now_ms,
                    request->pr_max_age_s, &out->pr, err);
}

/* ---- the scan ---- */

enum bt_verdict bt_evaluation_end(struct bt_evaluation *out, enum bt_verdict verdict, const char *reason) {
  bt_codes_add(&out->reasons, "%s", reason);
  return verdict;
}

/* Takes one record into account; true when the scan ends with it. */
static bool meet(struct bt_evaluation *out, enum bt_source source, const struct bt_delivery_reading *reading) {
  if (reading->kind == BT_DELIVERY_CLOSED) {
    if (out->verdict == BT_VERDICT_ABSENT) { /* the first closed one is what is shown */
      out->verdict = BT_VERDICT_CLOSED;
      out->source = source;
      out->reading = reading;
    }
    if (reading->faults.count > 0 && !bt_codes_has(&out->warnings, "closed-with-faults"))
      bt_codes_add(&out->warnings, "closed-with-faults");
    return false;
  }
  out->source = source;
  out->reading = reading;
  if (reading->kind == BT_DELIVERY_OPEN) {
    out->delivery = &reading->delivery;
    out->verdict = BT_VERDICT_USABLE;
    return true;
  }
  out->verdict = BT_VERDICT_CORRUPT;
  for (size_t i = 0; i < reading->faults.count; i++)
    bt_codes_add(&out->reasons, "%s", reading->faults.items[i]);
  return true;
}

static bool scan_blocks(struct bt_evaluation *out) {
  const struct bt_pr *pr = &out->pr;
  if (!pr->given) {
    bt_codes_add(&out->warnings, "pr-store-unchecked");
    return false;
  }
  if (pr->fault != NULL) {
    out->source = BT_SOURCE_NONE;
    out->reading = NULL;
    out->verdict = bt_evaluation_end(out, BT_VERDICT_AMBIGUOUS_LIVE_STATE, pr->fault);
    return true;
  }
  for (size_t i = 0; i < pr->blocks.count; i++) {
    if (meet(out, BT_SOURCE_PR, &pr->blocks.items[i].reading))
      return true;
  }
  return false;
}

/* What lies in the stores behind the one that governs. */
static void look_further(struct bt_evaluation *out) {
  const struct bt_blocks *blocks = &out->pr.blocks;
  bool other = out->source != BT_SOURCE_HOST && out->host.present && out->host.reading.kind == BT_DELIVERY_OPEN;
  for (size_t i = 0; out->source == BT_SOURCE_FILE && i < blocks->count; i++)
    other = other || blocks->items[i].reading.kind == BT_DELIVERY_OPEN;
  if (out->delivery != NULL && other)
    bt_codes_add(&out->warnings, "other-open-store");
  if (blocks->count > 1)
    bt_codes_add(&out->warnings, "multiple-blocks");
}

enum bt_code bt_delivery_scan(struct bt_arena *arena, const struct bt_delivery_request *request,
                              struct bt_evaluation *out, struct bt_error *err) {
  *out = (struct bt_evaluation){.arena = arena, .verdict = BT_VERDICT_ABSENT};
  bt_codes_init(&out->reasons, arena);
  bt_codes_init(&out->warnings, arena);
  enum bt_code code = bt_work_open(arena, request->directory, &out->work, err);
  if (code == BT_OK)
    code = read_file_store(out, err);
  if (code == BT_OK)
    code = read_host_store(out, request->host_path, err);
  if (code == BT_OK)
    code = read_forge(out, request, err);
  if (code != BT_OK)
    return code;
  bool ended = out->file.present && meet(out, BT_SOURCE_FILE, &out->file.reading);
  ended = ended || scan_blocks(out);
  ended = ended || (out->host.present && meet(out, BT_SOURCE_HOST, &out->host.reading));
  (void)ended;
  look_further(out);
  return out->reasons.failed || out->warnings.failed ? out_of_memory(err) : BT_OK;
}
