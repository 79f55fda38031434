/* core/ops/append.c - verifies what is there, then adds one line to it. */
#include "core/ops/append.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/ops/append_segment.h"
#include "core/ops/ledger_lock.h"
#include "core/ops/txn.h"
#include "core/store/chain_forest.h"
#include "core/store/manifest.h"
#include "core/store/sign.h"

#define LINE_MAX_BYTES (BT_MANIFEST_LINE_MAX / 2) /* what is written can be read again, escapes and all */

struct append {
  const struct bt_env *env;
  struct bt_txn *txn;
  const char *gate, *ticket;
  const struct bt_json *data;
  char ts[BT_ISO_MS]; /* before any lock */
};

/* Where the new entry stands. */
struct place {
  const char *path;
  double last_seq;                    /* 0: it is the first */
  const char *last_hash;              /* of the line before it */
  bool opens_segment;                 /* then: */
  const struct bt_forest_chain *root; /* what it is anchored in */
  const char *branch;                 /* NULL: unknown */
};

/* ---- one entry ---- */

static enum bt_code put_anchor(struct bt_json *entry, const struct bt_forest_chain *root) {
  if (root->result.entries == 0)
    return bt_json_set_null(entry, "anchor");
  struct bt_json *anchor = bt_json_new_object();
  bool ok = anchor != NULL && bt_json_set_string(anchor, "segment", BT_CHAIN_ROOT) == BT_OK &&
            bt_json_set_number(anchor, "seq", root->result.last_seq) == BT_OK &&
            bt_json_set_string(anchor, "lineHash", root->result.last_hash) == BT_OK;
  if (ok)
    return bt_json_set(entry, "anchor", anchor);
  bt_json_free(anchor);
  return BT_NOMEM;
}

/* Everything but the signature, in the order of 12.3 and 12.5. */
static bool fill_entry(struct bt_json *entry, const struct append *append, const struct place *place) {
  return bt_json_set_number(entry, "seq", place->last_seq + 1) == BT_OK &&
         bt_json_set_string(entry, "gate", append->gate) == BT_OK &&
         bt_json_set_string(entry, "ts", append->ts) == BT_OK &&
         (append->ticket == NULL || bt_json_set_string(entry, "ticket", append->ticket) == BT_OK) &&
         bt_json_set(entry, "data", bt_json_clone(append->data)) == BT_OK &&
         bt_json_set(entry, "files", bt_json_new_object()) == BT_OK &&
         (!place->opens_segment || put_anchor(entry, place->root) == BT_OK) &&
         (place->branch == NULL || bt_json_set_string(entry, "branch", place->branch) == BT_OK) &&
         bt_json_set_string(entry, "prev", place->last_seq > 0 ? place->last_hash : NULL) == BT_OK &&
         (!place->opens_segment || bt_json_set_number(entry, "sigVersion", 2) == BT_OK);
}

static bool sign_entry(struct bt_json *entry, struct bt_key key) {
  struct bt_str payload;
  char sig[BT_SHA256_HEX];
  bt_str_init(&payload, LINE_MAX_BYTES);
  bt_entry_payload(&payload, entry);
  bool ok = bt_sign_hex(key, &payload, sig) && bt_json_set_string(entry, "sig", sig) == BT_OK;
  bt_str_dispose(&payload);
  return ok;
}

static enum bt_code write_entry(const struct append *append, const struct place *place, int64_t *seq,
                                struct bt_error *err) {
  struct bt_str line;
  bt_str_init(&line, LINE_MAX_BYTES);
  struct bt_json *entry = bt_json_new_object();
  bool ok = entry != NULL && fill_entry(entry, append, place) && sign_entry(entry, bt_env_key(append->env));
  if (ok) {
    bt_json_print_compact(&line, entry);
    bt_str_putc(&line, '\n');
    ok = !line.failed;
  }
  enum bt_code code = ok ? bt_txn_append(append->txn, place->path, line.data, line.length, err)
                         : bt_error_set(err, BT_NOMEM, place->path, "out of memory, or an entry past the limit");
  *seq = (int64_t)(place->last_seq + 1);
  bt_json_free(entry);
  bt_str_dispose(&line);
  return code;
}

/* ---- the check that comes first ---- */

static enum bt_code refuse_chain(const char *file, uint64_t line, const char *reason, struct bt_error *err) {
  if (line == 0)
    return bt_error_set(err, BT_EVIDENCE, file, "%s: nothing is added to evidence that does not hold", reason);
  return bt_error_set(err, BT_EVIDENCE, file, "line %" PRIu64 ": %s: nothing is added to evidence that does not hold",
                      line, reason);
}

static enum bt_code verify(const struct append *append, struct bt_forest *forest, struct bt_error *err) {
  struct bt_forest_options options = {.key = bt_env_key(append->env)};
  enum bt_code code = bt_forest_check(bt_txn_dir(append->txn), &options, forest, err);
  return code == BT_OK && !forest->ok ? refuse_chain(forest->file, forest->line, forest->reason, err) : code;
}

/* ---- plain (12.3) ---- */

/* The root chain has no line yet: then no segment may be there; the rest of manifest.d is not looked at. */
static enum bt_code refuse_segments(const struct append *append, struct bt_error *err) {
  struct bt_segments segments;
  enum bt_code code = bt_segments_discover(bt_txn_dir(append->txn), &segments, err);
  if (code == BT_OK && segments.count > 0)
    code = bt_error_set(err, BT_EVIDENCE, BT_MANIFEST_FOLDER,
                        "there are segments, but the ledger does not say that it is kept in segments");
  bt_segments_dispose(&segments);
  return code;
}

static enum bt_code append_plain_locked(const struct append *append, int64_t *seq, struct bt_error *err) {
  int ledger = bt_txn_dir(append->txn);
  struct bt_forest forest = {0};
  struct bt_str last;
  struct place place = {.path = BT_MANIFEST_ROOT};
  bool segmented = false, has_lines = false;
  bt_str_init(&last, BT_MANIFEST_LINE_MAX * 8);
  enum bt_code code = bt_segments_in_use(ledger, &segmented, err);
  if (code == BT_OK && segmented)
    code =
        bt_error_set(err, BT_EVIDENCE, BT_MANIFEST_FOLDER, "the ledger was changed to segments meanwhile: run again");
  if (code == BT_OK)
    code = bt_manifest_last_line(ledger, BT_MANIFEST_ROOT, &last, &has_lines, err);
  if (code == BT_OK && !has_lines)
    code = refuse_segments(append, err);
  if (code == BT_OK && has_lines) {
    code = verify(append, &forest, err);
    if (code == BT_OK) {
      place.last_seq = forest.chains[0].result.last_seq;
      place.last_hash = forest.chains[0].result.last_hash;
    }
  }
  if (code == BT_OK)
    code = write_entry(append, &place, seq, err);
  bt_forest_dispose(&forest);
  bt_str_dispose(&last);
  return code;
}

static enum bt_code append_plain(const struct append *append, int64_t *seq, struct bt_error *err) {
  struct bt_ledger_lock lock;
  enum bt_code code = bt_ledger_lock_take(&lock, append->env, append->txn, BT_MANIFEST_ROOT, err);
  if (code == BT_OK)
    code = append_plain_locked(append, seq, err);
  bt_ledger_lock_release(&lock, append->txn);
  return code;
}

/* ---- segmented (12.5) ---- */

/* The chosen file as it is under its own lock. */
static enum bt_code append_to_segment(const struct append *append, const struct bt_forest *forest,
                                      const struct bt_segment_choice *choice, const char *path, int64_t *seq,
                                      struct bt_error *err) {
  struct bt_chain_result now;
  struct bt_chain_options options = {.is_segment = true}; /* signatures were judged with the forest */
  enum bt_code code = bt_chain_check(bt_txn_dir(append->txn), path, &options, &now, err);
  if (code != BT_OK)
    return code;
  if (choice->minted && now.entries > 0)
    return bt_error_set(err, BT_EVIDENCE, path, "this new segment is there already");
  if (!choice->minted && now.reason != NULL)
    return refuse_chain(path, now.line, now.reason, err);
  struct place place = {.path = path,
                        .last_seq = now.last_seq,
                        .last_hash = now.last_hash,
                        .opens_segment = choice->minted,
                        .root = &forest->chains[0],
                        .branch = choice->minted && choice->has_branch ? choice->branch.data : NULL};
  return write_entry(append, &place, seq, err);
}

static enum bt_code append_segmented_locked(const struct append *append, int64_t *seq, struct bt_error *err) {
  struct bt_forest forest;
  struct bt_segment_choice choice;
  struct bt_ledger_lock lock;
  char path[sizeof BT_MANIFEST_FOLDER "/" + sizeof choice.name];
  enum bt_code code = verify(append, &forest, err);
  if (code != BT_OK) {
    bt_forest_dispose(&forest);
    return code;
  }
  code = bt_segment_choose(append->env, append->txn, &forest, &choice, err);
  if (code == BT_OK) {
    (void)snprintf(path, sizeof path, "%s/%s", BT_MANIFEST_FOLDER, choice.name);
    code = bt_ledger_lock_take(&lock, append->env, append->txn, path, err);
    if (code == BT_OK)
      code = append_to_segment(append, &forest, &choice, path, seq, err);
    bt_ledger_lock_release(&lock, append->txn);
  }
  bt_segment_choice_dispose(&choice);
  bt_forest_dispose(&forest);
  return code;
}

static enum bt_code append_segmented(const struct append *append, int64_t *seq, struct bt_error *err) {
  struct bt_ledger_lock lock;
  enum bt_code code = bt_ledger_lock_take(&lock, append->env, append->txn, BT_SEGMENT_TOKEN, err);
  if (code == BT_OK)
    code = append_segmented_locked(append, seq, err);
  bt_ledger_lock_release(&lock, append->txn);
  return code;
}

/* Whatever a step says, for the verb it is one thing: the evidence could not be recorded. */
static enum bt_code as_evidence_failure(enum bt_code code, struct bt_error *err) {
  if (code == BT_OK || code == BT_NOMEM || code == BT_KEY || code == BT_READONLY)
    return code;
  if (err != NULL)
    err->code = BT_EVIDENCE;
  return BT_EVIDENCE;
}

enum bt_code bt_evidence_append(const struct bt_env *env, const char *gate, const char *ticket,
                                const struct bt_json *data, int64_t *seq, struct bt_error *err) {
  struct append append = {.env = env, .gate = gate, .ticket = ticket, .data = data};
  bool segmented = false;
  *seq = 0;
  if (env->key == NULL || env->key_length == 0)
    return bt_error_set(err, BT_KEY, "ADLC_MANIFEST_KEY", "no signing key: evidence cannot be signed");
  bt_time_iso(append.ts, bt_env_now(env));
  append.txn = bt_txn_open(env, true, err);
  if (append.txn == NULL)
    return as_evidence_failure(err != NULL ? err->code : BT_IO, err);
  enum bt_code code = bt_segments_in_use(bt_txn_dir(append.txn), &segmented, err);
  if (code == BT_OK)
    code = segmented ? append_segmented(&append, seq, err) : append_plain(&append, seq, err);
  bt_txn_close(append.txn);
  return as_evidence_failure(code, err);
}
