/* tests/support/scratch.h - a folder of its own for a test that needs real files.
 *
 * Every function fails the running test when the system refuses. Paths are relative to the folder. */
#ifndef BATON_TESTS_SUPPORT_SCRATCH_H
#define BATON_TESTS_SUPPORT_SCRATCH_H

#include <stddef.h>

struct scratch {
  char path[64]; /* absolute */
  int dir;       /* open descriptor of it */
};

void scratch_make(struct scratch *scratch);
void scratch_remove(struct scratch *scratch); /* with all that is in it */

void scratch_folder(const struct scratch *scratch, const char *path);
void scratch_file(const struct scratch *scratch, const char *path, const void *bytes, size_t length);
void scratch_text(const struct scratch *scratch, const char *path, const char *text);
void scratch_link(const struct scratch *scratch, const char *path, const char *target);
void scratch_fifo(const struct scratch *scratch, const char *path);
void scratch_socket(const struct scratch *scratch, const char *path);

/* The file holds exactly this text. */
void scratch_expect_text(const struct scratch *scratch, const char *path, const char *text);
/* How many entries a folder has. */
size_t scratch_count(const struct scratch *scratch, const char *path);

#endif
