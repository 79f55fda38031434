/* tui/capture.c - standard error in a file without a name. */
#define _GNU_SOURCE /* F_DUPFD_CLOEXEC */
#include "tui/capture.h"

#include <fcntl.h>
#include <unistd.h>

enum { KEPT_BYTES_MAX = 64 * 1024 };

void capture_start(struct capture *capture) {
  fflush(stderr);
  capture->kept = tmpfile();
  capture->fd = capture->kept ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0) : -1; /* no child is to hold the terminal */
  if (capture->fd >= 0)
    dup2(fileno(capture->kept), STDERR_FILENO);
}

void capture_stop(struct capture *capture) {
  if (capture->fd >= 0) {
    char chunk[1024];
    size_t got, total = 0;
    fflush(stderr);
    dup2(capture->fd, STDERR_FILENO);
    close(capture->fd);
    rewind(capture->kept);
    while (total < KEPT_BYTES_MAX && (got = fread(chunk, 1, sizeof(chunk), capture->kept)) > 0)
      total += fwrite(chunk, 1, got, stderr);
  }
  if (capture->kept)
    fclose(capture->kept);
  capture->kept = NULL;
  capture->fd = -1;
}
