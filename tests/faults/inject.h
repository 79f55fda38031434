/* tests/faults/inject.h - makes the Nth call of one kind fail, or the process die after it.
 *
 * Only calls between inject_begin and inject_end count. fsync never reaches the disk: the tests are about order and
 * undo, not about the disk's speed. */
#ifndef BATON_TESTS_FAULTS_INJECT_H
#define BATON_TESTS_FAULTS_INJECT_H

#include <stdbool.h>
#include <stddef.h>

enum inject_kind {
  INJECT_WRITE,
  INJECT_FSYNC,
  INJECT_RENAME,
  INJECT_LINK,
  INJECT_UNLINK,
  INJECT_TRUNCATE,
  INJECT_MKDIR,
  INJECT_OPEN,
  INJECT_MEMORY,
  INJECT_KIND_COUNT
};
const char *inject_word(enum inject_kind kind);

enum inject_mode {
  INJECT_COUNT,      /* nothing fails */
  INJECT_FAIL_ONCE,  /* the Nth call fails */
  INJECT_FAIL_ON,    /* the Nth and every later one */
  INJECT_HALF_WRITE, /* the Nth write writes half of its bytes and fails */
  INJECT_KILL_AFTER, /* the process is killed after the Nth call that changes a file, whatever its kind */
  INJECT_CALL_AFTER  /* the neighbour acts after the Nth call that changes a file; its own calls do not count */
};

void inject_begin(enum inject_mode mode, enum inject_kind kind, size_t nth);
void inject_neighbour(void (*act)(void *context), void *context); /* for INJECT_CALL_AFTER; before inject_begin */
void inject_end(void);
size_t inject_count(enum inject_kind kind); /* calls since inject_begin */
size_t inject_changes(void);                /* calls that change a file, since inject_begin */

#endif
