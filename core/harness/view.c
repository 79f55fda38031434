/* core/harness/view.c - see view.h. */
#include "core/harness/view.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/hashset.h"
#include "core/base/str.h"
#include "core/base/utf8.h"
#include "core/harness/index.h"

#define ARENA_MAX ((size_t)256 << 20)

struct making {
  const struct bt_catalog *catalog;
  const struct bt_registry *registry;
  int64_t now_ms;
  struct bt_harness_view *view;
  struct bt_harness_row *rows;
  struct bt_harness_note *notes;
  uint64_t *parents; /* hashes of the ids that sub-agents name, sorted */
  size_t parent_count;
};

static const char *text_of(struct bt_arena *arena, const char *bytes) {
  struct bt_str text;
  bt_str_init(&text, (size_t)1 << 20);
  bt_utf8_decode8(&text, bytes, strlen(bytes));
  const char *copy = text.failed ? NULL : bt_arena_strdup(arena, text.data);
  bt_str_dispose(&text);
  return copy;
}

static bool is_settled(const struct bt_card *card) {
  return card->state == BT_CARD_READ || card->state == BT_CARD_UNREADABLE;
}

static bool is_subagent(const struct bt_card *card) {
  return card->source.is_subagent || (card->has_facts && card->facts.is_subagent);
}

/* ---- sub-agents ---- */

static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* The place is surer than what the records say. */
static const char *parent_of(const struct bt_card *card) {
  return card->source.parent_id ? card->source.parent_id : card->has_facts ? card->facts.parent_session_id : NULL;
}

static bool collect_parents(struct making *making) {
  making->parents = malloc((making->catalog->count + 1) * sizeof *making->parents);
  if (!making->parents)
    return false;
  for (size_t i = 0; i < making->catalog->count; i++) {
    const struct bt_card *card = making->catalog->cards[i];
    const char *parent = is_subagent(card) ? parent_of(card) : NULL;
    if (parent)
      making->parents[making->parent_count++] = bt_id_hash(parent, strlen(parent));
  }
  qsort(making->parents, making->parent_count, sizeof *making->parents, by_value);
  return true;
}

static size_t children_of(const struct making *making, const char *id) {
  uint64_t hash = bt_id_hash(id, strlen(id));
  size_t from = 0, to = making->parent_count, count = 0;
  while (from < to) {
    size_t middle = from + (to - from) / 2;
    if (making->parents[middle] < hash)
      from = middle + 1;
    else
      to = middle;
  }
  while (from + count < making->parent_count && making->parents[from + count] == hash)
    count++;
  return count;
}

/* ---- rows ---- */

static void settle(struct making *making, const struct bt_card *card, struct bt_transcript_facts *facts,
                   struct bt_harness_row *row) {
  const struct bt_catalog *catalog = making->catalog;
  int64_t tokens = bt_windows_find(&catalog->windows, facts->session_id, facts->model);
  if (tokens > 0)
    bt_facts_set_window(facts, tokens);
  facts->archived = card->source.archived;
  if (making->registry)
    bt_registry_find(making->registry, facts->session_id, &row->living, &row->stale, &row->pid);
  bt_facts_settle_state(facts, making->now_ms, row->living > 0);
  if (row->stale && !row->living && facts->state == BT_AGENT_RUNNING) /* the process that was at it is gone */
    facts->state = BT_AGENT_INTERRUPTED;
}

/* The card's facts, or what the name tells, with texts that the view holds on to. */
static bool borrow_facts(struct bt_harness_view *view, const struct bt_card *card, struct bt_transcript_facts *facts) {
  struct bt_packed *texts;
  if (card->has_facts) {
    *facts = card->facts;
    texts = bt_packed_hold(card->texts);
  } else {
    if (bt_card_facts_of_name(&card->source, facts) != BT_OK)
      return false;
    texts = bt_facts_pack(facts);
    if (!texts) {
      bt_facts_dispose(facts);
      return false;
    }
  }
  view->texts[view->text_count++] = texts;
  return true;
}

static bool add_row(struct making *making, const struct bt_card *card) {
  struct bt_arena *arena = making->view->arena;
  struct bt_harness_row *row = &making->rows[making->view->row_count];
  struct bt_transcript_facts *facts = BT_ARENA_NEW(arena, struct bt_transcript_facts);
  *row = (struct bt_harness_row){.problem = bt_arena_strdup(arena, card->problem),
                                 .is_pending = !is_settled(card),
                                 .is_unread = !card->has_facts || card->state == BT_CARD_UNREADABLE,
                                 .is_compressed =
                                     card->source.kind == BT_SOURCE_COMPRESSED && card->state == BT_CARD_UNREADABLE,
                                 .mtime_ms = card->source.sys_errno ? BT_TIME_UNKNOWN : card->source.mtime_ns / 1000000,
                                 .path = text_of(arena, card->source.path)};
  if (!facts || !borrow_facts(making->view, card, facts))
    return false;
  if (!row->path || (card->problem && !row->problem))
    return false;
  const char *title = facts->title || facts->harness != BT_HARNESS_CODEX
                          ? NULL
                          : bt_titles_find(&making->catalog->titles, facts->session_id);
  if (title && !(facts->title = bt_arena_strdup(arena, title)))
    return false;
  settle(making, card, facts, row);
  row->facts = facts;
  row->session_id = facts->session_id;
  row->subagents = children_of(making, facts->session_id);
  making->view->row_count++;
  return true;
}

/* Whether a card becomes a row now. One that may belong here or not waits until it is known. */
static bool is_wanted(const struct making *making, const struct bt_card *card) {
  if (is_subagent(card))
    return false;
  return making->catalog->all || (card->scope_known && card->in_scope && card->has_facts);
}

static bool add_note(struct making *making, const char *path, const char *text) {
  struct bt_arena *arena = making->view->arena;
  struct bt_harness_note *note = &making->notes[making->view->note_count++];
  *note = (struct bt_harness_note){text_of(arena, path), bt_arena_strdup(arena, text)};
  return note->path && note->text;
}

/* Files that cannot be read and do not say where they belong. */
static bool note_unreadable(struct making *making) {
  size_t count = 0;
  const char *path = NULL, *problem = NULL;
  char text[512];
  for (size_t i = 0; i < making->catalog->count; i++) {
    const struct bt_card *card = making->catalog->cards[i];
    if (making->catalog->all || card->state != BT_CARD_UNREADABLE || card->scope_known || is_subagent(card))
      continue;
    path = path ? path : card->source.path;
    problem = problem ? problem : card->problem;
    count++;
  }
  if (count == 0)
    return true;
  struct bt_str words;
  bt_str_init(&words, sizeof text);
  bt_str_printf(&words, "%s", problem ? problem : "cannot be read");
  if (count > 1)
    bt_str_printf(&words, "; %zu more session files that may belong here cannot be read either (list --all names them)",
                  count - 1);
  bool ok = add_note(making, path, words.data);
  bt_str_dispose(&words);
  return ok;
}

static bool fill(struct making *making) {
  const struct bt_catalog *catalog = making->catalog;
  struct bt_arena *arena = making->view->arena;
  making->rows = bt_arena_calloc(arena, catalog->count + 1, sizeof *making->rows);
  making->notes = bt_arena_calloc(arena, catalog->note_count + 2, sizeof *making->notes);
  making->view->texts = bt_arena_calloc(arena, catalog->count + 1, sizeof *making->view->texts);
  bool ok = making->rows && making->notes && making->view->texts && collect_parents(making);
  for (size_t i = 0; ok && i < catalog->count; i++) {
    making->view->known += is_wanted(making, catalog->cards[i]) && is_settled(catalog->cards[i]);
    ok = !is_wanted(making, catalog->cards[i]) || add_row(making, catalog->cards[i]);
  }
  for (size_t i = 0; ok && i < catalog->note_count; i++)
    ok = add_note(making, catalog->notes[i].path, catalog->notes[i].text);
  if (ok && catalog->windows_problem)
    ok = add_note(making, "windows", catalog->windows_problem);
  ok = ok && note_unreadable(making);
  making->view->rows = making->rows;
  making->view->notes = making->notes;
  making->view->pending = bt_catalog_pending(catalog);
  return ok;
}

struct bt_harness_view *bt_harness_view_new(const struct bt_catalog *catalog, const struct bt_registry *registry,
                                            int64_t now_ms, struct bt_error *err) {
  struct bt_arena *arena = bt_arena_new(ARENA_MAX);
  struct making making = {.catalog = catalog, .registry = registry, .now_ms = now_ms};
  making.view = arena ? BT_ARENA_NEW(arena, struct bt_harness_view) : NULL;
  bool ok = making.view != NULL;
  if (ok) {
    making.view->arena = arena;
    atomic_init(&making.view->holders, 1);
    ok = fill(&making);
  }
  free(making.parents);
  if (ok)
    return making.view;
  if (making.view)
    bt_harness_view_free(making.view);
  else
    bt_arena_free(arena);
  (void)bt_error_set(err, BT_NOMEM, "transcripts", "out of memory");
  return NULL;
}

struct bt_harness_view *bt_harness_view_hold(struct bt_harness_view *view) {
  atomic_fetch_add(&view->holders, 1);
  return view;
}

void bt_harness_view_free(struct bt_harness_view *view) {
  if (!view || atomic_fetch_sub(&view->holders, 1) != 1)
    return;
  for (size_t i = 0; i < view->text_count; i++)
    bt_packed_release(view->texts[i]);
  bt_arena_free(view->arena);
}

struct bt_harness_view *bt_harness_view_load(const struct bt_env *env, bool all, int threads, struct bt_error *err) {
  struct bt_registry registry = {NULL, 0};
  struct bt_harness_view *view = NULL;
  struct bt_catalog *catalog = bt_catalog_new(env, all, false, err);
  if (catalog && bt_catalog_list(catalog, err) == BT_OK) {
    bt_index_load(catalog);
    if (bt_catalog_read_all(catalog, threads, err) == BT_OK && bt_registry_load(&registry, env)) {
      bt_index_save(catalog);
      view = bt_harness_view_new(catalog, &registry, bt_env_now(env), err);
    }
  }
  bt_registry_dispose(&registry);
  bt_catalog_free(catalog);
  return view;
}
