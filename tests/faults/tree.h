/* tests/faults/tree.h - all files below a folder as bytes: taken, put back, looked up. */
#ifndef BATON_TESTS_FAULTS_TREE_H
#define BATON_TESTS_FAULTS_TREE_H

#include <stdbool.h>
#include <stddef.h>

struct tree_file {
  char *path; /* relative */
  char *bytes;
  size_t length;
};
struct tree {
  struct tree_file *files;
  size_t count;
};

/* Fails the running test when the system refuses. Folders are not kept. */
void tree_take(struct tree *tree, const char *root);
void tree_put(const struct tree *tree, const char *root); /* what is there goes first */
void tree_dispose(struct tree *tree);

const struct tree_file *tree_find(const struct tree *tree, const char *path);
bool tree_same_file(const struct tree *a, const struct tree *b, const char *path); /* absent equals absent */
bool tree_same(const struct tree *a, const struct tree *b);

/* Whether any file holds these bytes. */
bool tree_holds(const struct tree *tree, const char *bytes);

#endif
