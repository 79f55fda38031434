/* core/harness/catalog.c - see catalog.h. */
#include "core/harness/catalog.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/hashset.h"
#include "core/base/str.h"
#include "core/base/utf8.h"
#include "core/harness/place.h"
#include "core/harness/tree.h"

struct bt_catalog *bt_catalog_new(const struct bt_env *env, bool all, bool follows, struct bt_error *err) {
  struct bt_catalog *catalog = calloc(1, sizeof *catalog);
  struct bt_error wrong = {.code = BT_OK};
  if (catalog)
    catalog->scope = bt_scope_new(env->root);
  if (!catalog || !catalog->scope) {
    free(catalog);
    (void)bt_error_set(err, BT_NOMEM, "transcripts", "out of memory");
    return NULL;
  }
  catalog->env = env;
  catalog->all = all;
  catalog->follows = follows;
  if (bt_windows_load(&catalog->windows, env->config_dir, &wrong) != BT_OK)
    catalog->windows_problem = strdup(wrong.message);
  return catalog;
}

static void dispose_notes(struct bt_catalog *catalog) {
  for (size_t i = 0; i < catalog->note_count; i++) {
    free(catalog->notes[i].path);
    free(catalog->notes[i].text);
  }
  free(catalog->notes);
  catalog->notes = NULL;
  catalog->note_count = 0;
}

static void free_card(struct bt_card *card) {
  if (card)
    bt_card_dispose(card);
  free(card);
}

void bt_catalog_free(struct bt_catalog *catalog) {
  if (!catalog)
    return;
  for (size_t i = 0; i < catalog->count; i++)
    free_card(catalog->cards[i]);
  free(catalog->cards);
  dispose_notes(catalog);
  bt_scope_free(catalog->scope);
  bt_titles_dispose(&catalog->titles);
  bt_windows_dispose(&catalog->windows);
  free(catalog->windows_problem);
  free(catalog);
}

/* ---- files that are followed ---- */

static void unfollow(struct bt_catalog *catalog, size_t at) {
  bt_transcript_free(catalog->followed[at]->reader);
  catalog->followed[at]->reader = NULL;
  catalog->followed[at] = catalog->followed[--catalog->followed_count];
}

/* Only the files that moved last are followed; the others are read anew when they move. */
static void follow(struct bt_catalog *catalog, struct bt_card *card) {
  int64_t bytes = 0;
  size_t oldest = 0;
  catalog->followed[catalog->followed_count++] = card;
  for (size_t i = 0; i < catalog->followed_count; i++) {
    bytes += catalog->followed[i]->source.size;
    if (catalog->followed[i]->source.mtime_ns < catalog->followed[oldest]->source.mtime_ns)
      oldest = i;
  }
  if (catalog->followed_count > BT_CATALOG_READERS || (catalog->followed_count > 1 && bytes > BT_CATALOG_READER_BYTES))
    unfollow(catalog, oldest);
}

/* Forgets a card that is looked at, or freed: its reader has moved out. */
static void forget_followed(struct bt_catalog *catalog, const struct bt_card *card) {
  for (size_t i = 0; i < catalog->followed_count; i++)
    if (catalog->followed[i] == card) {
      catalog->followed[i] = catalog->followed[--catalog->followed_count];
      return;
    }
}

/* ---- listing ---- */

static void look_again_from(struct bt_catalog *catalog, size_t index) {
  if (index < catalog->cursor)
    catalog->cursor = index;
}

static int newest_first(const void *a, const void *b) {
  const struct bt_card *x = *(struct bt_card *const *)a, *y = *(struct bt_card *const *)b;
  if (x->source.mtime_ns != y->source.mtime_ns)
    return x->source.mtime_ns > y->source.mtime_ns ? -1 : 1;
  return strcmp(x->source.path, y->source.path);
}

static void sort(struct bt_catalog *catalog) {
  if (catalog->count)
    qsort(catalog->cards, catalog->count, sizeof *catalog->cards, newest_first);
  for (size_t i = 0; i < catalog->count; i++)
    catalog->cards[i]->index = i;
  catalog->cursor = 0;
}

static bool same_file(const struct bt_source *a, const struct bt_source *b) {
  return a->device == b->device && a->inode == b->inode && a->size == b->size && a->mtime_ns == b->mtime_ns &&
         a->ctime_ns == b->ctime_ns && a->sys_errno == b->sys_errno && a->kind == b->kind;
}

/* The source moves into the card, with what the listing says now. */
static bool renew(struct bt_card *card, struct bt_source *source) {
  bool moved = !card->source.path || !same_file(&card->source, source);
  if (moved)
    card->state = BT_CARD_PENDING;
  free(card->source.path);
  free(card->source.stem);
  free(card->source.parent_id);
  free(card->source.cwd);
  card->source = *source;
  *source = (struct bt_source){.path = NULL};
  return moved;
}

/* Cards for all sources: those of before where there are any (marked by `looking` while this goes on), else new ones.
 */
static bool take_sources(struct bt_catalog *catalog, struct bt_sources *sources, struct bt_card **cards) {
  bool ok = true;
  catalog->moved = false;
  if (catalog->count)
    qsort(catalog->cards, catalog->count, sizeof *catalog->cards, bt_card_by_path);
  for (size_t i = 0; i < sources->count; i++) {
    struct bt_card *card = catalog->count ? bt_card_find(catalog->cards, catalog->count, sources->list[i].path) : NULL;
    cards[i] = card ? card : calloc(1, sizeof *card);
    ok &= cards[i] != NULL;
  }
  if (!ok) { /* the new ones go, the old ones stay */
    for (size_t i = 0; i < sources->count; i++)
      if (cards[i] && !cards[i]->source.path)
        free(cards[i]);
    return false;
  }
  for (size_t i = 0; i < sources->count; i++) {
    cards[i]->looking = true;
    catalog->moved |= renew(cards[i], &sources->list[i]);
  }
  catalog->moved |= catalog->count != sources->count;
  for (size_t i = 0; i < catalog->count; i++)
    if (!catalog->cards[i]->looking) {
      forget_followed(catalog, catalog->cards[i]);
      free_card(catalog->cards[i]);
    }
  for (size_t i = 0; i < sources->count; i++)
    cards[i]->looking = false;
  return true;
}

static bool refresh_titles(struct bt_catalog *catalog) {
  const struct bt_env *env = catalog->env;
  const char *override = env->getenv_fn ? env->getenv_fn(env->getenv_context, "CODEX_HOME") : NULL;
  struct bt_str root;
  bt_str_init(&root, 65536);
  if (!override || !*override || bt_path_resolve(&root, env->cwd ? env->cwd : "/", override) != BT_OK) {
    bt_str_clear(&root);
    bt_str_printf(&root, "%s/.codex", env->home ? env->home : "");
  }
  bool ok = bt_titles_refresh(&catalog->titles, root.data);
  bt_str_dispose(&root);
  return ok;
}

/* Older Gemini projects name their folder by a digest of the path, and nothing in them says it. */
static void name_projects(struct bt_sources *sources, const struct bt_scope *scope) {
  for (size_t i = 0; i < sources->count; i++) {
    struct bt_source *source = &sources->list[i];
    const char *cwd = source->harness == BT_HARNESS_GEMINI && !source->cwd ? bt_place_gemini_cwd(source, scope) : NULL;
    struct bt_str text;
    if (!cwd)
      continue;
    bt_str_init(&text, 65536);
    bt_utf8_decode8(&text, cwd, strlen(cwd));
    source->cwd = bt_str_take(&text, NULL);
    sources->failed |= !source->cwd;
  }
}

enum bt_code bt_catalog_list(struct bt_catalog *catalog, struct bt_error *err) {
  struct bt_sources sources;
  bt_sources_init(&sources);
  catalog->vanished = false;
  bool ok = bt_stores_list(&sources, catalog->env) == BT_OK && refresh_titles(catalog);
  name_projects(&sources, catalog->scope);
  ok = ok && !sources.failed;
  if (sources.cut)
    bt_sources_note(&sources, "transcripts", "there are more session files than are listed");
  struct bt_card **cards = ok ? calloc(sources.count + 1, sizeof *cards) : NULL;
  ok = cards && take_sources(catalog, &sources, cards);
  if (ok) {
    dispose_notes(catalog);
    catalog->notes = sources.notes;
    catalog->note_count = sources.note_count;
    sources.notes = NULL;
    sources.note_count = 0;
    free(catalog->cards);
    catalog->cards = cards;
    catalog->count = sources.count;
  } else {
    free(cards);
  }
  sort(catalog);
  bt_sources_dispose(&sources);
  return ok ? BT_OK : bt_error_set(err, BT_NOMEM, "transcripts", "out of memory");
}

bool bt_catalog_moved(const struct bt_catalog *catalog) {
  return catalog->moved;
}

#define AGELESS_MS INT64_C(50400000) /* after 14 hours nothing but a record changes a session */

bool bt_catalog_ages(const struct bt_catalog *catalog, int64_t now_ms) {
  for (size_t i = 0; i < catalog->count; i++) {
    const struct bt_card *card = catalog->cards[i];
    bool shown = card->has_facts && (catalog->all || card->in_scope);
    if (shown && card->facts.last_activity_ms != BT_TIME_UNKNOWN && card->facts.last_activity_ms > now_ms - AGELESS_MS)
      return true;
  }
  return false;
}

/* Whether the file is not as the card has it; what stat says goes to the card. */
static bool has_moved(struct bt_card *card) {
  struct stat st;
  if (card->source.kind == BT_SOURCE_TREE) {
    struct bt_tree_stamp stamp = bt_tree_stamp(card->source.path);
    if (stamp.mark == card->source.ctime_ns)
      return false;
    card->source.mtime_ns = stamp.newest_ns;
    card->source.ctime_ns = stamp.mark;
    card->state = BT_CARD_PENDING;
    return true;
  }
  if (stat(card->source.path, &st) != 0)
    return false;
  int64_t mtime_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
  int64_t ctime_ns = (int64_t)st.st_ctim.tv_sec * 1000000000 + st.st_ctim.tv_nsec;
  if (card->source.size == (int64_t)st.st_size && card->source.mtime_ns == mtime_ns &&
      card->source.ctime_ns == ctime_ns && card->source.inode == (uint64_t)st.st_ino)
    return false;
  card->source.sys_errno = 0;
  card->source.is_regular = S_ISREG(st.st_mode);
  card->source.ctime_ns = ctime_ns;
  card->source.size = (int64_t)st.st_size;
  card->source.mtime_ns = mtime_ns;
  card->source.device = (uint64_t)st.st_dev;
  card->source.inode = (uint64_t)st.st_ino;
  card->state = BT_CARD_PENDING;
  return true;
}

bool bt_catalog_poll(struct bt_catalog *catalog, size_t count) {
  bool changed = false;
  for (size_t i = 0; i < catalog->count && i < count; i++) {
    const struct bt_source *source = &catalog->cards[i]->source;
    changed |= has_moved(catalog->cards[i]);
    catalog->vanished |= source->sys_errno == 0 && access(source->path, F_OK) != 0;
  }
  if (changed)
    sort(catalog);
  return changed;
}

bool bt_catalog_touch(struct bt_catalog *catalog, const char *path) {
  for (size_t i = 0; i < catalog->count; i++)
    if (strcmp(catalog->cards[i]->source.path, path) == 0) {
      bool moved = has_moved(catalog->cards[i]);
      if (moved)
        look_again_from(catalog, i); /* its place in the order is set right by the next listing */
      return moved;
    }
  return false;
}

/* ---- looks ---- */

/* Lines were passed over: what is missing may be the very one that says where the session belongs. */
static bool is_damaged(const struct bt_card *card) {
  return card->state == BT_CARD_READ && card->has_facts && (card->facts.skipped_lines > 0 || card->facts.partial_tail);
}

static void judge_scope(struct bt_catalog *catalog, struct bt_card *card) {
  const char *cwd = card->has_facts && card->facts.cwd ? card->facts.cwd : card->source.cwd;
  if (card->scope_known)
    return;
  if (card->source.is_sample) {
    card->in_scope = card->scope_known = true;
    return;
  }
  if (!cwd && (card->state == BT_CARD_UNREADABLE || is_damaged(card))) { /* its place says it, where that is plain */
    enum bt_place place = bt_place_of(&card->source, catalog->scope);
    card->scope_known = place == BT_PLACE_HERE || place == BT_PLACE_ELSEWHERE;
    card->in_scope = place == BT_PLACE_HERE;
  }
  if (!cwd)
    return;
  card->in_scope = bt_scope_has(catalog->scope, cwd);
  card->scope_known = true;
}

/* Whether the card is to be looked at, and how closely. */
static bool wants(struct bt_catalog *catalog, struct bt_card *card, enum bt_look_kind *kind) {
  bool proof = card->state == BT_CARD_PENDING && card->has_facts && !card->reader && card->proof.head_length > 0 &&
               card->read_ns == card->source.mtime_ns;
  if (card->looking || card->state == BT_CARD_READ || card->state == BT_CARD_UNREADABLE)
    return false;
  judge_scope(catalog, card);
  if (!catalog->all && card->scope_known && !card->in_scope)
    return false;
  *kind = proof                                                                ? BT_LOOK_PROVE
          : catalog->all || card->scope_known || card->state == BT_CARD_PEEKED ? BT_LOOK_WHOLE
                                                                               : BT_LOOK_PEEK;
  return true;
}

bool bt_catalog_next(struct bt_catalog *catalog, struct bt_look *look) {
  for (; catalog->cursor < catalog->count; catalog->cursor++) {
    struct bt_card *card = catalog->cards[catalog->cursor];
    enum bt_look_kind kind;
    if (!wants(catalog, card, &kind))
      continue;
    card->looking = true;
    *look = (struct bt_look){.card = card,
                             .kind = kind,
                             .keep_reader = catalog->follows && kind != BT_LOOK_PEEK,
                             .source = card->source,
                             .proof = card->proof,
                             .reader = card->reader};
    card->reader = NULL;
    forget_followed(catalog, card);
    return true;
  }
  return false;
}

void bt_catalog_put(struct bt_catalog *catalog, struct bt_look *look) {
  struct bt_card *card = look->card;
  card->looking = false;
  if (look->proved) {
    card->state = BT_CARD_READ;
    judge_scope(catalog, card);
    bt_look_dispose(look);
    return;
  }
  card->source.device = look->source.device;
  card->source.inode = look->source.inode;
  card->source.size = look->source.size;
  card->source.mtime_ns = look->source.mtime_ns;
  card->source.ctime_ns = look->source.ctime_ns;
  card->state = look->state;
  card->proof = look->state == BT_CARD_READ ? look->proof : (struct bt_card_proof){0};
  card->read_ns = look->source.mtime_ns;
  if (look->has_facts && bt_card_take_facts(card, &look->facts)) {
    look->has_facts = false;
    card->scope_known = false;
  }
  free(card->problem);
  card->problem = look->problem;
  look->problem = NULL;
  bt_transcript_free(card->reader);
  card->reader = look->reader;
  look->reader = NULL;
  catalog->changed = true;
  judge_scope(catalog, card);
  if (card->state == BT_CARD_PEEKED && !card->scope_known) { /* a beginning without a folder: the rest must tell */
    card->state = BT_CARD_PENDING;
    card->scope_known = card->in_scope = true;
  }
  if (card->state == BT_CARD_PENDING || card->state == BT_CARD_PEEKED)
    look_again_from(catalog, card->index);
  if (card->reader)
    follow(catalog, card);
  bt_look_dispose(look);
}

size_t bt_catalog_pending(const struct bt_catalog *catalog) {
  size_t pending = 0;
  for (size_t i = 0; i < catalog->count; i++) {
    const struct bt_card *card = catalog->cards[i];
    bool settled = card->state == BT_CARD_READ || card->state == BT_CARD_UNREADABLE;
    pending += !settled && (catalog->all || !card->scope_known || card->in_scope);
  }
  return pending;
}
