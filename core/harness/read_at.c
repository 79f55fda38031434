/* core/harness/read_at.c - see read_at.h. */
#include "core/harness/read_at.h"

#include <errno.h>
#include <unistd.h>

ssize_t bt_read_at(int fd, char *bytes, size_t length, uint64_t offset) {
  size_t done = 0;
  while (done < length) {
    ssize_t n = pread(fd, bytes + done, length - done, (off_t)(offset + done));
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return -1;
    if (n == 0)
      break;
    done += (size_t)n;
  }
  return (ssize_t)done;
}
