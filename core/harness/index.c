/* core/harness/index.c - see index.h. The file: magic, version, bytes of a card's fixed part, digest of the rest,
 * entries. */
#include "core/harness/index.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/fs.h"
#include "core/base/hashset.h"
#include "core/harness/index_file.h"

/* Moves what the entry knows into the card when both speak of the same file. */
static bool give(struct bt_card *card, struct bt_card *entry) {
  if (!card || card->has_facts || card->state != BT_CARD_PENDING || card->source.kind == BT_SOURCE_COMPRESSED ||
      card->source.device != entry->source.device || card->source.inode != entry->source.inode ||
      card->source.size != entry->source.size || card->source.mtime_ns != entry->source.mtime_ns)
    return false;
  if (!bt_card_take_facts(card, &entry->facts))
    return false;
  card->proof = entry->proof;
  card->read_ns = entry->source.mtime_ns;
  /* The beginning of a file that was only looked at so far does not change: whether it belongs here can be judged by
   * it. */
  if (entry->state == BT_CARD_PEEKED)
    card->state = BT_CARD_PEEKED;
  entry->has_facts = false;
  return true;
}

static void take_entries(struct bt_catalog *catalog, struct bt_card **cards, struct bt_slice entries) {
  for (size_t at = 0; at < entries.length;) {
    struct bt_card entry = {.source = {.path = NULL}};
    bool ok = bt_index_take_card(entries, &at, &entry);
    bool given = ok && give(bt_card_find(cards, catalog->count, entry.source.path), &entry);
    catalog->changed |= !given; /* an entry of a file that is gone or not the same */
    bt_card_dispose(&entry);
    if (!ok)
      return;
  }
}

void bt_index_load(struct bt_catalog *catalog) {
  struct bt_str file;
  struct bt_slice entries;
  bt_str_init(&file, BT_INDEX_BYTES_MAX);
  struct bt_card **cards = malloc((catalog->count + 1) * sizeof *cards);
  int dir = catalog->env->cache_dir ? bt_fs_open_root(catalog->env->cache_dir, NULL) : -1;
  bool read =
      cards && dir >= 0 && bt_fs_read_at(dir, BT_INDEX_NAME, &file, NULL) == BT_OK && bt_index_open(&file, &entries);
  catalog->changed = !read;
  if (read && catalog->count) {
    memcpy(cards, catalog->cards, catalog->count * sizeof *cards);
    qsort(cards, catalog->count, sizeof *cards, bt_card_by_path);
    take_entries(catalog, cards, entries);
  }
  if (dir >= 0)
    close(dir);
  free(cards);
  bt_str_dispose(&file);
}

void bt_index_save(struct bt_catalog *catalog) {
  struct bt_str file;
  if (!catalog->changed || catalog->env->readonly || !catalog->env->cache_dir)
    return;
  bt_str_init(&file, BT_INDEX_BYTES_MAX);
  bt_index_begin(&file);
  for (size_t i = 0; i < catalog->count && !file.failed; i++) {
    const struct bt_card *card = catalog->cards[i];
    bool worth = (card->state == BT_CARD_READ && card->proof.head_length > 0) || card->state == BT_CARD_PEEKED;
    size_t before = file.length;
    if (!worth || !card->has_facts || !card->facts.session_id)
      continue;
    bt_index_put_card(&file, card);
    if (file.length > BT_INDEX_BYTES_MAX - (1u << 20)) { /* the older files are left out */
      bt_str_truncate(&file, before);
      break;
    }
  }
  if (!file.failed && bt_index_write(catalog->env, &file))
    catalog->changed = false;
  bt_str_dispose(&file);
}
