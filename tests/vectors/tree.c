/* tests/vectors/tree.c - building the tree of a case, reading it back, comparing it with what is expected. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/digest.h"
#include "core/base/utf8.h"
#include "tests/vectors/support.h"

static char *path_of(const struct vec_world *world, const char *relative) {
  size_t size = strlen(world->root) + strlen(relative) + 2;
  char *path = malloc(size);
  vec_require(path != NULL, "memory");
  snprintf(path, size, "%s%s%s", world->root, *relative ? "/" : "", relative);
  return path;
}

static void make_parents(const struct vec_world *world, const char *path) {
  for (char *slash = strchr(path + strlen(world->root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    vec_require(mkdir(path, 0777) == 0 || errno == EEXIST, path);
    *slash = '/';
  }
}

static void put(const struct vec_world *world, const char *relative, const void *bytes, size_t length, mode_t mode) {
  char *path = path_of(world, relative);
  make_parents(world, path);
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  vec_require(fd >= 0, path);
  const char *at = bytes;
  while (length) {
    ssize_t wrote = write(fd, at, length);
    vec_require(wrote > 0, path);
    at += wrote;
    length -= (size_t)wrote;
  }
  close(fd);
  free(path);
}

void vec_tree_put(const struct vec_world *world, const char *path, const void *bytes, size_t length) {
  put(world, path, bytes, length, 0666);
}

static void put_text(const struct vec_world *world, const char *relative, const char *text, mode_t mode) {
  char *filled = vec_fill(world, text);
  struct bt_str bytes;
  bt_str_init(&bytes, VEC_TEXT_MAX);
  bt_utf8_encode8(&bytes, filled, strlen(filled));
  vec_require(!bytes.failed, "memory");
  put(world, relative, bytes.data, bytes.length, mode);
  bt_str_dispose(&bytes);
  free(filled);
}

static void put_entry(const struct vec_world *world, const char *relative, const struct bt_json *value) {
  const char *text;
  if ((text = bt_json_string(value))) {
    put_text(world, relative, text, 0666);
  } else if ((text = bt_json_get_string(value, "exec"))) {
    put_text(world, relative, text, 0755);
    char *path = path_of(world, relative);
    vec_require(chmod(path, 0755) == 0, path);
    free(path);
  } else if ((text = bt_json_get_string(value, "base64"))) {
    struct bt_str bytes;
    bt_str_init(&bytes, VEC_TEXT_MAX);
    vec_require(vec_base64(&bytes, text), "base64");
    put(world, relative, bytes.data, bytes.length, 0666);
    bt_str_dispose(&bytes);
  } else {
    char *path = path_of(world, relative);
    make_parents(world, path);
    if ((text = bt_json_get_string(value, "symlink"))) {
      char *target = vec_fill(world, text);
      vec_require(symlink(target, path) == 0, path);
      free(target);
    } else {
      vec_require(vec_get_bool(value, "dir", false), "a kind of file that is not known");
      vec_require(mkdir(path, 0777) == 0 || errno == EEXIST, path);
    }
    free(path);
  }
}

void vec_tree_build(const struct vec_world *world, const struct bt_json *files) {
  for (const struct bt_json *file = bt_json_first(files); file; file = bt_json_next(file)) {
    char *relative = vec_fill(world, bt_json_key(file));
    put_entry(world, relative, file);
    free(relative);
  }
}

/* -------------------------------------------------------------------------- reading ------------ */

static struct vec_node *add_node(struct vec_tree *tree, const char *relative, enum vec_kind kind) {
  tree->nodes = realloc(tree->nodes, (tree->count + 1) * sizeof *tree->nodes);
  vec_require(tree->nodes != NULL, "memory");
  struct vec_node *node = &tree->nodes[tree->count++];
  *node = (struct vec_node){.path = strdup(relative), .kind = kind};
  vec_require(node->path != NULL, "memory");
  return node;
}

static void read_bytes(struct vec_node *node, const char *path) {
  FILE *in = fopen(path, "rb");
  vec_require(in != NULL, path);
  struct bt_str bytes;
  bt_str_init(&bytes, VEC_TEXT_MAX);
  char buffer[65536];
  size_t got;
  while ((got = fread(buffer, 1, sizeof buffer, in)) > 0)
    bt_str_append(&bytes, buffer, got);
  fclose(in);
  node->bytes = bt_str_take(&bytes, &node->length);
  vec_require(node->bytes != NULL, "memory");
}

static void read_link(struct vec_node *node, const char *path) {
  char target[4097];
  ssize_t length = readlink(path, target, sizeof target - 1);
  vec_require(length >= 0, path);
  target[length] = '\0';
  node->bytes = strdup(target);
  node->length = (size_t)length;
  vec_require(node->bytes != NULL, "memory");
}

static void read_folder(struct vec_tree *tree, const struct vec_world *world, const char *relative) {
  char *path = path_of(world, relative);
  DIR *folder = opendir(path);
  vec_require(folder != NULL, path);
  size_t seen = 0;
  for (struct dirent *item; (item = readdir(folder));) {
    if (strcmp(item->d_name, ".") == 0 || strcmp(item->d_name, "..") == 0)
      continue;
    seen++;
    if (strcmp(item->d_name, ".git") == 0)
      continue;
    char inner[8192];
    int length = snprintf(inner, sizeof inner, "%s%s%s", relative, *relative ? "/" : "", item->d_name);
    vec_require(length > 0 && length < (int)sizeof inner, "path too long");
    char *full = path_of(world, inner);
    struct stat st;
    vec_require(lstat(full, &st) == 0, full);
    if (S_ISDIR(st.st_mode))
      read_folder(tree, world, inner);
    else if (S_ISLNK(st.st_mode))
      read_link(add_node(tree, inner, VEC_LINK), full);
    else if (S_ISREG(st.st_mode))
      read_bytes(add_node(tree, inner, st.st_mode & 0111 ? VEC_EXEC : VEC_FILE), full);
    free(full);
  }
  closedir(folder);
  if (!seen && *relative)
    add_node(tree, relative, VEC_FOLDER);
  free(path);
}

static int by_path(const void *a, const void *b) {
  return strcmp(((const struct vec_node *)a)->path, ((const struct vec_node *)b)->path);
}

void vec_tree_read(struct vec_tree *out, const struct vec_world *world) {
  *out = (struct vec_tree){0};
  read_folder(out, world, "");
  if (out->count)
    qsort(out->nodes, out->count, sizeof *out->nodes, by_path);
}

void vec_tree_dispose(struct vec_tree *tree) {
  for (size_t i = 0; i < tree->count; i++) {
    free(tree->nodes[i].path);
    free(tree->nodes[i].bytes);
  }
  free(tree->nodes);
  *tree = (struct vec_tree){0};
}

const struct vec_node *vec_tree_find(const struct vec_tree *tree, const char *path) {
  for (size_t i = 0; i < tree->count; i++)
    if (strcmp(tree->nodes[i].path, path) == 0)
      return &tree->nodes[i];
  return NULL;
}
