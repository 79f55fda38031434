/* core/base/real_path.c - realpath, which glibc hides from plain POSIX.1-2008. */
#define _XOPEN_SOURCE 700 /* NOLINT: before the first include */
#include "core/base/real_path.h"

#include <stdlib.h>

char *bt_real_path(const char *path) {
  return realpath(path, NULL);
}
