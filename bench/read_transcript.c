/* bench/read_transcript.c - times the reading of one transcript: a full pass, the depth scan of its last window, a
 * refresh after growth.
 *
 *   read_transcript FILE [RECORD_TO_APPEND]
 * Prints: pass_ms depth_ms refresh_ms max_rss_kib. With a record (a file that holds it), a copy of it is appended
 * before each of ten refreshes, of which the median counts. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "core/harness/depth.h"
#include "core/harness/transcript.h"

#define REFRESHES 11

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double update(struct bt_transcript *transcript, int fd) {
  struct bt_error err = {0};
  double begin = now_ms();
  if (bt_transcript_update(transcript, fd, NULL, &err) != BT_OK) {
    fprintf(stderr, "read_transcript: %s: %s\n", err.subject, err.message);
    exit(1);
  }
  return now_ms() - begin;
}

static double refresh(struct bt_transcript *transcript, int fd, const char *record_path) {
  static char record[1 << 16];
  FILE *file = fopen(record_path, "r");
  size_t length = file ? fread(record, 1, sizeof record, file) : 0;
  double spent[REFRESHES];
  if (file)
    fclose(file);
  for (int i = 0; i < REFRESHES; i++) {
    if (length == 0 || write(fd, record, length) != (ssize_t)length)
      exit(1);
    spent[i] = update(transcript, fd);
  }
  qsort(spent, REFRESHES, sizeof *spent, by_size);
  return spent[REFRESHES / 2];
}

/* Of the whole of `bytes`, in one go. */
static int64_t depth_of(const char *bytes, size_t length) {
  struct bt_depth_scan scan = {0};
  return bt_depth_scan_feed(&scan, 0, bytes, length);
}

static double scan(int fd) {
  char *window = malloc(BT_DEPTH_WINDOW);
  off_t size = lseek(fd, 0, SEEK_END), from = size > (off_t)BT_DEPTH_WINDOW ? size - (off_t)BT_DEPTH_WINDOW : 0;
  double begin = now_ms();
  ssize_t got = window ? pread(fd, window, BT_DEPTH_WINDOW, from) : -1;
  volatile int64_t depth = got > 0 ? depth_of(window, (size_t)got) : 0;
  (void)depth;
  free(window);
  return now_ms() - begin;
}

int main(int argc, char **argv) {
  int fd = argc > 1 ? open(argv[1], (argc > 2 ? O_RDWR | O_APPEND : O_RDONLY) | O_CLOEXEC) : -1;
  struct bt_transcript *transcript = bt_transcript_new("5b1f0c3e-1111-4a2b-8c3d-0123456789ab", BT_HARNESS_CLAUDE);
  if (fd < 0 || !transcript)
    return 1;
  struct rusage usage;
  double pass_ms = update(transcript, fd);
  getrusage(RUSAGE_SELF, &usage);
  double depth_ms = scan(fd);
  printf("%.3f %.3f %.3f %ld\n", pass_ms, depth_ms, argc > 2 ? refresh(transcript, fd, argv[2]) : 0.0, usage.ru_maxrss);
  bt_transcript_free(transcript);
  close(fd);
  return 0;
}
