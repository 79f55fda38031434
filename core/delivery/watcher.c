/* core/delivery/watcher.c - the table of watchers. */
#include "core/delivery/watcher.h"

#include <stdlib.h>
#include <string.h>

#include "core/delivery/fields.h"

const char *bt_liveness_word(enum bt_liveness liveness) {
  static const char *const words[] = {"unknown", "live", "dead"};
  return words[liveness];
}

static struct bt_slice trimmed(const char *id) {
  return bt_trim_blank(id, strlen(id));
}

static bool same(struct bt_slice a, struct bt_slice b) {
  return a.length == b.length && (a.length == 0 || memcmp(a.data, b.data, a.length) == 0);
}

static bool is_listed(const struct bt_texts *texts, const char *id) {
  for (size_t i = 0; i < texts->count; i++) {
    if (same(trimmed(texts->items[i]), trimmed(id)))
      return true;
  }
  return false;
}

struct bt_slice bt_watcher_key(const char *id) {
  struct bt_slice key = trimmed(id);
  for (size_t i = key.length; i > 1; i--) {
    if (key.data[i - 1] == '@')
      return (struct bt_slice){key.data, i - 1};
  }
  return key;
}

/* `pid:N` or `pid:N@HOST` of this host; 0 otherwise. */
static double pid_of(const char *id, const char *host) {
  struct bt_slice text = trimmed(id);
  double pid = 0;
  size_t at = 4;
  if (text.length < 5 || memcmp(text.data, "pid:", 4) != 0)
    return 0;
  for (; at < text.length && text.data[at] >= '0' && text.data[at] <= '9'; at++)
    pid = pid * 10 + (text.data[at] - '0');
  if (at == 4 || at > 20)
    return 0;
  if (at == text.length)
    return pid;
  bool here =
      text.data[at] == '@' && bt_slice_equals((struct bt_slice){text.data + at + 1, text.length - at - 1}, host);
  return here ? pid : 0;
}

enum bt_liveness bt_watcher_liveness(const char *id, const struct bt_liveness_facts *facts) {
  if (is_listed(&facts->live, id))
    return BT_WATCHER_LIVE;
  if (is_listed(&facts->dead, id))
    return BT_WATCHER_DEAD;
  double pid = facts->env != NULL ? pid_of(id, facts->env->host) : 0;
  if (pid < 1)
    return BT_WATCHER_UNKNOWN;
  return facts->env->proc.alive(facts->env->proc.context, pid) == BT_ALIVE_NO ? BT_WATCHER_DEAD : BT_WATCHER_LIVE;
}

/* Recorded ids that are `id` or watch the same thing, but for `except`. */
static bool is_rival(const char *recorded, const char *id, const char *except) {
  if (except != NULL && same(trimmed(recorded), trimmed(except)))
    return false;
  return same(trimmed(recorded), trimmed(id)) || same(bt_watcher_key(recorded), bt_watcher_key(id));
}

const char *bt_watcher_add(struct bt_texts *list, const char *id, const char *supersede,
                           const struct bt_liveness_facts *facts, struct bt_codes *removed) {
  bool any_rival = false;
  if (supersede != NULL && !is_listed(list, supersede))
    return "refused:watcher-unknown";
  for (size_t i = 0; i < list->count; i++) {
    if (!is_rival(list->items[i], id, supersede))
      continue;
    any_rival = true;
    if (bt_watcher_liveness(list->items[i], facts) != BT_WATCHER_DEAD)
      return "refused:watcher-duplicate";
  }
  const char **items = BT_ARENA_ARRAY(removed->arena, const char *, list->count + 1);
  struct bt_slice plain = trimmed(id);
  char *added = bt_arena_strndup(removed->arena, plain.data, plain.length);
  size_t count = 0;
  if (items == NULL || added == NULL)
    return NULL;
  for (size_t i = 0; i < list->count; i++) {
    bool replaced = supersede != NULL && same(trimmed(list->items[i]), trimmed(supersede));
    if (replaced || is_rival(list->items[i], id, supersede))
      bt_codes_add(removed, "%s", list->items[i]);
    else
      items[count++] = list->items[i];
  }
  items[count++] = added;
  *list = (struct bt_texts){items, count};
  if (removed->failed)
    return NULL;
  return supersede != NULL ? "superseded" : any_rival ? "replaced-dead" : "added";
}
