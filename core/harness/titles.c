/* core/harness/titles.c - see titles.h. */
#include "core/harness/titles.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/hashset.h"
#include "core/harness/lines.h"
#include "core/harness/read_at.h"
#include "core/harness/take.h"

#define INDEX_BYTES_MAX ((int64_t)32 << 20) /* of a longer one the end is read: later lines win anyway */
#define LINE_BYTES_MAX ((size_t)65536)
#define PIECE_BYTES ((size_t)65536)

struct load {
  struct bt_titles *titles;
  size_t capacity;
  struct bt_tape tape;
};

void bt_titles_dispose(struct bt_titles *titles) {
  for (size_t i = 0; i < titles->count; i++)
    free(titles->list[i].name);
  free(titles->list);
  *titles = (struct bt_titles){.list = NULL};
}

static enum bt_code take_line(void *context, const char *line, size_t length) {
  struct load *load = context;
  struct bt_titles *titles = load->titles;
  if (!line || bt_tape_parse(&load->tape, line, length) != BT_OK)
    return BT_OK;
  uint64_t id = bt_take_id(&load->tape, bt_tape_get(&load->tape, 0, "id"));
  char *name = NULL;
  if (!bt_take_string(&load->tape, bt_tape_get(&load->tape, 0, "thread_name"), &name))
    return BT_NOMEM;
  if (!id || !name) {
    free(name);
    return BT_OK;
  }
  if (titles->count == load->capacity) {
    size_t capacity = load->capacity ? load->capacity * 2 : 64;
    struct bt_title *list = realloc(titles->list, capacity * sizeof *list);
    if (!list) {
      free(name);
      return BT_NOMEM;
    }
    titles->list = list;
    load->capacity = capacity;
  }
  titles->list[titles->count++] = (struct bt_title){id, name};
  return BT_OK;
}

static enum bt_code read_index(struct load *load, int fd, int64_t size) {
  struct bt_lines lines;
  char *piece = malloc(PIECE_BYTES);
  enum bt_code code = piece ? BT_OK : BT_NOMEM;
  bt_lines_init(&lines, LINE_BYTES_MAX);
  for (int64_t at = size > INDEX_BYTES_MAX ? size - INDEX_BYTES_MAX : 0; code == BT_OK && at < size;) {
    ssize_t got = bt_read_at(fd, piece, PIECE_BYTES, (uint64_t)at);
    if (got <= 0)
      break;
    code = bt_lines_feed(&lines, piece, (size_t)got, take_line, load);
    at += got;
  }
  if (code == BT_OK && lines.carry.length)
    code = take_line(load, lines.carry.data, lines.carry.length);
  bt_lines_dispose(&lines);
  free(piece);
  return code;
}

struct place {
  uint64_t id;
  size_t at;
};

static int by_id(const void *a, const void *b) {
  const struct place *x = a, *y = b;
  if (x->id != y->id)
    return x->id < y->id ? -1 : 1;
  return x->at < y->at ? -1 : x->at > y->at;
}

/* Sorts by id and keeps the last line of each. */
static bool settle(struct bt_titles *titles) {
  struct place *places = malloc((titles->count + 1) * sizeof *places);
  struct bt_title *list = malloc((titles->count + 1) * sizeof *list);
  size_t kept = 0;
  if (places && list) {
    for (size_t i = 0; i < titles->count; i++)
      places[i] = (struct place){titles->list[i].id, i};
    qsort(places, titles->count, sizeof *places, by_id);
    for (size_t i = 0; i < titles->count; i++) {
      if (i + 1 < titles->count && places[i + 1].id == places[i].id)
        free(titles->list[places[i].at].name);
      else
        list[kept++] = titles->list[places[i].at];
    }
    free(titles->list);
    titles->list = list;
    titles->count = kept;
    list = NULL;
  }
  bool ok = places && !list;
  free(places);
  free(list);
  return ok;
}

bool bt_titles_refresh(struct bt_titles *titles, const char *codex_root) {
  struct bt_str path;
  struct stat st;
  bt_str_init(&path, 65536);
  bt_str_printf(&path, "%s/session_index.jsonl", codex_root);
  int fd = path.failed ? -1 : open(path.data, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  bt_str_dispose(&path);
  bool there = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode), ok = true;
  int64_t mtime_ns = there ? (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec : 0;
  if (!there) {
    bt_titles_dispose(titles);
  } else if (titles->size != (int64_t)st.st_size || titles->mtime_ns != mtime_ns) {
    struct load load = {.titles = titles};
    bt_titles_dispose(titles);
    bt_tape_init(&load.tape);
    ok = read_index(&load, fd, (int64_t)st.st_size) == BT_OK && settle(titles);
    bt_tape_dispose(&load.tape);
    if (!ok)
      bt_titles_dispose(titles);
    titles->size = ok ? (int64_t)st.st_size : 0;
    titles->mtime_ns = ok ? mtime_ns : 0;
  }
  if (fd >= 0)
    close(fd);
  return ok;
}

const char *bt_titles_find(const struct bt_titles *titles, const char *session_id) {
  uint64_t id = bt_id_hash(session_id, strlen(session_id));
  size_t from = 0, to = titles->count;
  while (from < to) {
    size_t middle = from + (to - from) / 2;
    if (titles->list[middle].id < id)
      from = middle + 1;
    else
      to = middle;
  }
  return from < titles->count && titles->list[from].id == id ? titles->list[from].name : NULL;
}
