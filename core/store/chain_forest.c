/* core/store/chain_forest.c - the root chain, the segments, and how they hang together. */
#include "core/store/chain_forest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fs.h"
#include "core/base/json.h"
#include "core/store/manifest.h"

struct place_of { /* a place that an anchor names, and the chain it is in */
  size_t chain;
  struct bt_chain_place place;
};

static enum bt_code fail(struct bt_forest *forest, const char *file, uint64_t line, double seq, const char *reason) {
  if (forest->reason != NULL)
    return BT_OK;
  forest->file = strdup(file);
  forest->ok = false;
  forest->reason = reason;
  forest->line = line;
  forest->seq = seq;
  return forest->file == NULL ? BT_NOMEM : BT_OK;
}

/* ---- anchors: first read, later compared ---- */

static size_t chain_named(const struct bt_forest *forest, const char *name) {
  for (size_t i = 0; i < forest->count; i++) {
    if (strcmp(forest->chains[i].name, name) == 0)
      return i;
  }
  return SIZE_MAX;
}

static void read_anchor(const struct bt_forest *forest, struct bt_forest_chain *chain, const struct bt_json *entry) {
  const struct bt_json *anchor = bt_json_get(entry, "anchor");
  const char *segment = bt_json_get_string(anchor, "segment"), *hash = bt_json_get_string(anchor, "lineHash");
  if (anchor == NULL)
    return;
  chain->anchor = bt_json_is_nullish(anchor) ? BT_ANCHOR_NULL : BT_ANCHOR_BAD;
  if (bt_json_type(anchor) != BT_JSON_OBJECT || segment == NULL || hash == NULL || hash[0] == '\0' ||
      !bt_json_is_integer(bt_json_get(anchor, "seq"), &chain->anchor_seq) || chain->anchor_seq < 1)
    return;
  chain->anchor_chain = chain_named(forest, segment);
  if (chain->anchor_chain == SIZE_MAX)
    return;
  if (strlen(hash) == BT_SHA256_HEX - 1)
    memcpy(chain->anchor_hash, hash, BT_SHA256_HEX);
  chain->anchor = BT_ANCHOR_AT;
}

/* The first non-blank line of a segment, as far as it is readable; what is wrong with it the chain check tells. */
static enum bt_code first_entry(int ledger, const char *path, struct bt_json **entry, struct bt_error *err) {
  struct bt_error why = {0};
  *entry = NULL;
  int fd = bt_fs_open_file_at(ledger, path, &why);
  struct bt_lines *lines = fd < 0 ? NULL : bt_lines_new(fd);
  if (lines == NULL)
    return fd < 0 && why.code != BT_NOMEM ? BT_OK : bt_error_set(err, BT_NOMEM, path, "out of memory");
  enum bt_code code = BT_OK;
  for (bool more = true; more && code == BT_OK;) {
    struct bt_line line;
    code = bt_lines_next(lines, &line, &more, err);
    if (code != BT_OK || !more || (!line.oversize && bt_line_is_blank(line.bytes, line.length)))
      continue;
    *entry = bt_json_parse(line.bytes, line.length, &why);
    if (*entry == NULL && why.code == BT_NOMEM)
      code = bt_error_set(err, BT_NOMEM, path, "out of memory");
    break;
  }
  bt_lines_free(lines);
  return code;
}

static enum bt_code read_anchors(int ledger, struct bt_forest *forest, struct bt_error *err) {
  for (size_t i = 1; i < forest->count; i++) {
    struct bt_json *entry;
    enum bt_code code = first_entry(ledger, forest->chains[i].path, &entry, err);
    read_anchor(forest, &forest->chains[i], entry);
    bt_json_free(entry);
    if (code != BT_OK)
      return code;
  }
  return BT_OK;
}

static int by_place(const void *left, const void *right) {
  const struct place_of *a = left, *b = right;
  if (a->chain != b->chain)
    return a->chain < b->chain ? -1 : 1;
  return a->place.seq < b->place.seq ? -1 : a->place.seq > b->place.seq;
}

/* ---- the chains ---- */

struct relay { /* hands an entry on with the chain it belongs to */
  const struct bt_forest_options *options;
  const struct bt_forest_chain *chain;
};

static bool relay_entry(void *context, const struct bt_chain_entry *entry) {
  const struct relay *relay = context;
  return relay->options->each(relay->options->context, relay->chain, entry);
}

static enum bt_code check_chain(int ledger, const struct bt_forest_options *options, struct bt_forest *forest,
                                size_t index, struct bt_chain_place *places, size_t place_count, struct bt_error *err) {
  struct bt_forest_chain *chain = &forest->chains[index];
  struct relay relay = {.options = options, .chain = chain};
  struct bt_chain_options one = {.key = options->key,
                                 .is_segment = index > 0,
                                 .keep_going = options->keep_going,
                                 .places = places,
                                 .place_count = place_count,
                                 .context = &relay,
                                 .each = options->each != NULL ? relay_entry : NULL};
  enum bt_code code = bt_chain_check(ledger, chain->path, &one, &chain->result, err);
  if (code == BT_OK && chain->result.reason != NULL &&
      fail(forest, chain->path, chain->result.line, chain->result.failed_seq, chain->result.reason) != BT_OK)
    code = bt_error_set(err, BT_NOMEM, chain->path, "out of memory");
  return code;
}

/* Every chain in order, each looking out for the places that anchors name in it. */
static enum bt_code check_chains(int ledger, const struct bt_forest_options *options, struct bt_forest *forest,
                                 struct place_of *sought, size_t sought_count, struct bt_error *err) {
  struct bt_chain_place *places = calloc(sought_count + 1, sizeof *places);
  enum bt_code code = places == NULL ? bt_error_set(err, BT_NOMEM, "manifest", "out of memory") : BT_OK;
  size_t start = 0;
  for (size_t i = 0; i < forest->count && code == BT_OK && (forest->reason == NULL || options->keep_going); i++) {
    size_t end = start;
    while (end < sought_count && sought[end].chain == i) {
      places[end] = sought[end].place;
      end++;
    }
    code = check_chain(ledger, options, forest, i, places + start, end - start, err);
    for (size_t k = start; k < end; k++)
      sought[k].place = places[k];
    start = end;
  }
  free(places);
  return code;
}

/* ---- anchors compared ---- */

static const char *anchor_problem(const struct bt_forest *forest, const struct bt_forest_chain *chain,
                                  const struct place_of *sought, size_t count) {
  if (chain->anchor == BT_ANCHOR_NULL)
    return forest->chains[0].result.entries == 0 ? NULL : "anchor is null although the root chain has entries";
  if (chain->anchor != BT_ANCHOR_AT)
    return "anchor names no place in a chain";
  struct place_of wanted = {.chain = chain->anchor_chain, .place = {.seq = chain->anchor_seq}};
  const struct place_of *place = bsearch(&wanted, sought, count, sizeof *sought, by_place);
  if (place == NULL || !place->place.found)
    return "anchor names an entry that is not there";
  return strcmp(place->place.hash, chain->anchor_hash) == 0 ? NULL : "anchor hash mismatch";
}

bool bt_anchors_have_cycle(const size_t *target, size_t count, size_t *member) {
  for (size_t i = 0; i < count; i++) {
    size_t at = i;
    for (size_t steps = 0; steps <= count && at < count; steps++) {
      at = target[at];
      if (at == i) {
        *member = i;
        return true;
      }
    }
  }
  return false;
}

static enum bt_code compare_anchors(struct bt_forest *forest, const struct place_of *sought, size_t count) {
  enum bt_code code = BT_OK;
  size_t member;
  size_t *target = calloc(forest->count, sizeof *target);
  if (target == NULL)
    return BT_NOMEM;
  target[0] = SIZE_MAX;
  for (size_t i = 1; i < forest->count && code == BT_OK; i++) {
    const struct bt_forest_chain *chain = &forest->chains[i];
    const char *problem = chain->result.entries > 0 ? anchor_problem(forest, chain, sought, count) : NULL;
    target[i] = chain->anchor == BT_ANCHOR_AT && chain->anchor_chain > 0 ? chain->anchor_chain : SIZE_MAX;
    if (problem != NULL)
      code = fail(forest, chain->path, 1, 1, problem);
  }
  if (code == BT_OK && bt_anchors_have_cycle(target, forest->count, &member))
    code = fail(forest, forest->chains[member].path, 1, 1, "anchors lead in a circle");
  free(target);
  return code;
}

/* ---- the whole ---- */

static enum bt_code name_chains(struct bt_forest *forest) {
  forest->count = forest->segments.count + 1;
  forest->chains = calloc(forest->count, sizeof *forest->chains);
  if (forest->chains == NULL)
    return BT_NOMEM;
  for (size_t i = 0; i < forest->count; i++) {
    struct bt_forest_chain *chain = &forest->chains[i];
    chain->name = i == 0 ? BT_CHAIN_ROOT : forest->segments.names[i - 1];
    size_t size = sizeof BT_MANIFEST_FOLDER + 1 + strlen(i == 0 ? BT_MANIFEST_ROOT : chain->name);
    chain->path = malloc(size);
    if (chain->path == NULL)
      return BT_NOMEM;
    (void)snprintf(chain->path, size, "%s%s", i == 0 ? "" : BT_MANIFEST_FOLDER "/",
                   i == 0 ? BT_MANIFEST_ROOT : chain->name);
  }
  return BT_OK;
}

static enum bt_code check_all(int ledger, const struct bt_forest_options *options, struct bt_forest *forest,
                              struct bt_error *err) {
  size_t count = 0;
  struct place_of *sought = calloc(forest->count, sizeof *sought);
  if (sought == NULL)
    return bt_error_set(err, BT_NOMEM, "manifest", "out of memory");
  enum bt_code code = read_anchors(ledger, forest, err);
  for (size_t i = 1; i < forest->count; i++) {
    const struct bt_forest_chain *chain = &forest->chains[i];
    if (chain->anchor == BT_ANCHOR_AT)
      sought[count++] = (struct place_of){.chain = chain->anchor_chain, .place = {.seq = chain->anchor_seq}};
  }
  qsort(sought, count, sizeof *sought, by_place);
  if (code == BT_OK)
    code = check_chains(ledger, options, forest, sought, count, err);
  if (code == BT_OK && (forest->reason == NULL || options->keep_going) &&
      compare_anchors(forest, sought, count) == BT_NOMEM)
    code = bt_error_set(err, BT_NOMEM, "manifest", "out of memory");
  free(sought);
  return code;
}

enum bt_code bt_forest_check(int ledger, const struct bt_forest_options *options, struct bt_forest *forest,
                             struct bt_error *err) {
  memset(forest, 0, sizeof *forest);
  enum bt_code code = bt_segments_discover(ledger, &forest->segments, err);
  if (code != BT_OK)
    return code;
  forest->ok = true;
  if (forest->segments.invalid_count > 0) {
    struct bt_str file;
    const char *name = forest->segments.invalid_name;
    bt_str_init(&file, 8192);
    bt_str_printf(&file, "%s%s", strcmp(name, BT_MANIFEST_FOLDER) == 0 ? "" : BT_MANIFEST_FOLDER "/", name);
    code = file.failed ? BT_NOMEM : fail(forest, file.data, 0, 0, forest->segments.invalid_why);
    bt_str_dispose(&file);
  }
  if (code == BT_OK)
    code = name_chains(forest);
  if (code != BT_OK)
    return bt_error_set(err, BT_NOMEM, "manifest", "out of memory");
  if (!forest->ok && !options->keep_going)
    return BT_OK;
  return check_all(ledger, options, forest, err);
}

void bt_forest_dispose(struct bt_forest *forest) {
  bt_segments_dispose(&forest->segments);
  for (size_t i = 0; i < forest->count && forest->chains != NULL; i++)
    free(forest->chains[i].path);
  free(forest->chains);
  free(forest->file);
  memset(forest, 0, sizeof *forest);
}
