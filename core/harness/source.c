/* core/harness/source.c - see source.h. */
#include "core/harness/source.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/str.h"
#include "core/base/utf8.h"

#define PATH_BYTES_MAX 65536

void bt_sources_init(struct bt_sources *sources) {
  *sources = (struct bt_sources){.list = NULL};
  bt_hashset_init(&sources->files);
  bt_hashset_init(&sources->folders);
}

static void dispose_source(struct bt_source *source) {
  free(source->path);
  free(source->stem);
  free(source->parent_id);
  free(source->cwd);
}

void bt_sources_dispose(struct bt_sources *sources) {
  for (size_t i = 0; i < sources->store_count; i++)
    free(sources->stores[i].root);
  for (size_t i = 0; i < sources->count; i++)
    dispose_source(&sources->list[i]);
  for (size_t i = 0; i < sources->note_count; i++) {
    free(sources->notes[i].path);
    free(sources->notes[i].text);
  }
  free(sources->list);
  free(sources->notes);
  bt_hashset_dispose(&sources->files);
  bt_hashset_dispose(&sources->folders);
  bt_sources_init(sources);
}

static char *copy_text(struct bt_sources *sources, const char *text) {
  char *copy = text ? strdup(text) : NULL;
  sources->failed |= text && !copy;
  return copy;
}

/* One more item at the end of a list, or false. */
static bool grow(struct bt_sources *sources, void **list, size_t count, size_t *capacity, size_t item_size) {
  if (count < *capacity)
    return true;
  size_t more = *capacity ? *capacity * 2 : 64;
  void *items = realloc(*list, more * item_size);
  if (!items) {
    sources->failed = true;
    return false;
  }
  *list = items;
  *capacity = more;
  return true;
}

static uint64_t identity(const struct stat *st) {
  uint64_t both[2] = {(uint64_t)st->st_dev, (uint64_t)st->st_ino};
  return bt_id_hash((const char *)both, sizeof both);
}

static char *join(struct bt_sources *sources, const char *folder, const char *name) {
  struct bt_str path;
  bt_str_init(&path, PATH_BYTES_MAX);
  bt_str_puts(&path, folder);
  bt_str_putc(&path, '/');
  bt_str_puts(&path, name);
  char *joined = bt_str_take(&path, NULL);
  sources->failed |= !joined;
  return joined;
}

static char *stem_of(struct bt_sources *sources, const char *name) {
  static const char *const ends[] = {".jsonl.zst", ".jsonl", ".json"};
  size_t length = strlen(name);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (bt_ends_with(name, ends[i])) {
      length -= strlen(ends[i]);
      break;
    }
  struct bt_str stem;
  bt_str_init(&stem, PATH_BYTES_MAX);
  bt_utf8_decode8(&stem, name, length);
  char *text = bt_str_take(&stem, NULL);
  sources->failed |= !text;
  return text;
}

static bool look(struct bt_sources *sources, struct bt_source *source) {
  struct stat st;
  if (stat(source->path, &st) != 0) {
    source->sys_errno = errno;
    return true;
  }
  source->device = (uint64_t)st.st_dev;
  source->inode = (uint64_t)st.st_ino;
  source->size = (int64_t)st.st_size;
  source->mtime_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
  source->ctime_ns = (int64_t)st.st_ctim.tv_sec * 1000000000 + st.st_ctim.tv_nsec;
  source->is_regular = S_ISREG(st.st_mode);
  return bt_hashset_add(&sources->files, identity(&st), &sources->failed);
}

struct bt_source *bt_sources_add(struct bt_sources *sources, const char *folder, const char *name,
                                 const struct bt_source *like) {
  if (sources->count >= BT_SOURCES_MAX) {
    sources->cut = true;
    return NULL;
  }
  if (!grow(sources, (void **)&sources->list, sources->count, &sources->capacity, sizeof *sources->list))
    return NULL;
  struct bt_source *source = &sources->list[sources->count];
  *source = *like;
  source->path = join(sources, folder, name);
  source->stem = stem_of(sources, name);
  source->parent_id = copy_text(sources, like->parent_id);
  source->cwd = copy_text(sources, like->cwd);
  if (!source->path || !source->stem || !look(sources, source)) {
    dispose_source(source);
    return NULL;
  }
  sources->count++;
  return source;
}

void bt_sources_note(struct bt_sources *sources, const char *path, const char *text) {
  if (!grow(sources, (void **)&sources->notes, sources->note_count, &sources->note_capacity, sizeof *sources->notes))
    return;
  sources->notes[sources->note_count++] = (struct bt_source_note){copy_text(sources, path), copy_text(sources, text)};
}

/* ---- folders ---- */

static int by_bytes(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in a folder, in byte order; the caller frees each and the list. */
static char **names_in(struct bt_sources *sources, DIR *dir, size_t *count) {
  char **names = NULL;
  size_t capacity = 0;
  *count = 0;
  for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
      continue;
    if (!grow(sources, (void **)&names, *count, &capacity, sizeof *names))
      break;
    char *name = copy_text(sources, entry->d_name);
    if (!name)
      break;
    names[(*count)++] = name;
  }
  if (names)
    qsort(names, *count, sizeof *names, by_bytes);
  return names;
}

/* An open folder that was not listed before, or NULL. */
static DIR *open_folder(struct bt_sources *sources, const char *folder) {
  int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC);
  struct stat st;
  if (fd < 0) {
    if (errno != ENOENT && errno != ENOTDIR) {
      struct bt_str text;
      bt_str_init(&text, 256);
      bt_str_printf(&text, "the folder cannot be listed (%s)", bt_errno_name(errno));
      bt_sources_note(sources, folder, text.data);
      bt_str_dispose(&text);
    }
    return NULL;
  }
  bool is_new = fstat(fd, &st) == 0 && bt_hashset_add(&sources->folders, identity(&st), &sources->failed);
  DIR *dir = is_new ? fdopendir(fd) : NULL;
  if (!dir)
    close(fd);
  return dir;
}

void bt_sources_each(struct bt_sources *sources, const char *folder,
                     void (*visit)(struct bt_sources *sources, const char *folder, const char *name, void *context),
                     void *context) {
  DIR *dir = open_folder(sources, folder);
  if (!dir)
    return;
  size_t count;
  char **names = names_in(sources, dir, &count);
  closedir(dir);
  for (size_t i = 0; i < count; i++) {
    if (!sources->failed)
      visit(sources, folder, names[i], context);
    free(names[i]);
  }
  free(names);
}
