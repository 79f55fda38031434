/* tests/faults/tree.c - folders of small files in memory. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "tests/faults/tree.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define PATH_ROOM 4096

static struct tree *taking; /* nftw has no context */
static size_t taking_prefix;

static void read_whole(const char *path, struct tree_file *file) {
  FILE *in = fopen(path, "rb");
  assert_non_null(in);
  assert_int_equal(fseek(in, 0, SEEK_END), 0);
  long length = ftell(in);
  assert_true(length >= 0);
  rewind(in);
  file->length = (size_t)length;
  file->bytes = malloc(file->length + 1);
  assert_non_null(file->bytes);
  assert_int_equal(fread(file->bytes, 1, file->length, in), file->length);
  file->bytes[file->length] = '\0';
  fclose(in);
}

static int take_one(const char *path, const struct stat *st, int type, struct FTW *walk) {
  (void)st;
  (void)walk;
  if (type != FTW_F)
    return 0;
  taking->files = realloc(taking->files, (taking->count + 1) * sizeof *taking->files);
  assert_non_null(taking->files);
  struct tree_file *file = &taking->files[taking->count++];
  file->path = strdup(path + taking_prefix);
  assert_non_null(file->path);
  read_whole(path, file);
  return 0;
}

static int by_path(const void *a, const void *b) {
  return strcmp(((const struct tree_file *)a)->path, ((const struct tree_file *)b)->path);
}

void tree_take(struct tree *tree, const char *root) {
  *tree = (struct tree){0};
  taking = tree;
  taking_prefix = strlen(root) + 1;
  assert_int_equal(nftw(root, take_one, 16, FTW_PHYS), 0);
  if (tree->count > 0)
    qsort(tree->files, tree->count, sizeof *tree->files, by_path);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *walk) {
  (void)st;
  (void)type;
  return walk->level == 0 ? 0 : remove(path);
}

static void make_parents(char *path, size_t from) {
  for (char *slash = strchr(path + from, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    (void)mkdir(path, 0777);
    *slash = '/';
  }
}

void tree_put(const struct tree *tree, const char *root) {
  assert_int_equal(nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
  for (size_t i = 0; i < tree->count; i++) {
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/%s", root, tree->files[i].path);
    make_parents(path, strlen(root) + 1);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(tree->files[i].bytes, 1, tree->files[i].length, out), tree->files[i].length);
    assert_int_equal(fclose(out), 0);
  }
}

void tree_dispose(struct tree *tree) {
  for (size_t i = 0; i < tree->count; i++) {
    free(tree->files[i].path);
    free(tree->files[i].bytes);
  }
  free(tree->files);
  *tree = (struct tree){0};
}

const struct tree_file *tree_find(const struct tree *tree, const char *path) {
  for (size_t i = 0; i < tree->count; i++) {
    if (strcmp(tree->files[i].path, path) == 0)
      return &tree->files[i];
  }
  return NULL;
}

bool tree_same_file(const struct tree *a, const struct tree *b, const char *path) {
  const struct tree_file *one = tree_find(a, path), *other = tree_find(b, path);
  if (one == NULL || other == NULL)
    return one == other;
  return one->length == other->length && memcmp(one->bytes, other->bytes, one->length) == 0;
}

bool tree_same(const struct tree *a, const struct tree *b) {
  if (a->count != b->count)
    return false;
  for (size_t i = 0; i < a->count; i++) {
    if (!tree_same_file(a, b, a->files[i].path))
      return false;
  }
  return true;
}

bool tree_holds(const struct tree *tree, const char *bytes) {
  size_t length = strlen(bytes);
  for (size_t i = 0; i < tree->count; i++) {
    for (size_t at = 0; at + length <= tree->files[i].length; at++) {
      if (memcmp(tree->files[i].bytes + at, bytes, length) == 0)
        return true;
    }
  }
  return false;
}
