/* bench/keyframe.c - drives the real program on a pseudo terminal: first frame, key to frame, idle cost.
 *
 *   keyframe COLUMNS ROWS KEYS IDLE_SECONDS -- COMMAND ARGS...
 * Sends KEYS alternating j and k keypresses, one at a time, and takes the time from the write to the end of the burst
 * of output that follows it. Then stays idle. Prints:
 *   first_frame_ms key_median_ms key_p99_ms idle_cpu_ms idle_bytes rss_kib
 * A key that draws nothing within 200 ms is not counted (the cursor may be at an end of the list). */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Reads until nothing comes for quiet_ms; the time of the last byte, or 0 when nothing came within wait_ms. */
static double drain(int fd, int wait_ms, int quiet_ms, size_t *bytes) {
  char buffer[65536];
  double last = 0;
  struct pollfd p = {.fd = fd, .events = POLLIN};
  while (poll(&p, 1, last > 0 ? quiet_ms : wait_ms) > 0) {
    ssize_t n = read(fd, buffer, sizeof buffer);
    if (n <= 0)
      break;
    last = now_ms();
    *bytes += (size_t)n;
  }
  return last;
}

static double cpu_ms(pid_t pid) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  FILE *file = fopen(path, "r");
  if (!file)
    return -1;
  size_t n = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[n] = 0;
  char *at = strrchr(text, ')');
  unsigned long user = 0, system_ = 0;
  if (!at || sscanf(at + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system_) != 2)
    return -1;
  return (double)(user + system_) * 1000.0 / (double)sysconf(_SC_CLK_TCK);
}

static long rss_kib(pid_t pid) {
  char path[64], line[256];
  long kib = -1;
  snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "VmHWM: %ld", &kib) == 1)
      break;
  if (file)
    fclose(file);
  return kib;
}

int main(int argc, char **argv) {
  if (argc < 7 || strcmp(argv[5], "--") != 0) {
    fprintf(stderr, "usage: keyframe COLUMNS ROWS KEYS IDLE_SECONDS -- COMMAND ARGS...\n");
    return 1;
  }
  struct winsize size = {.ws_col = (unsigned short)strtol(argv[1], NULL, 10),
                         .ws_row = (unsigned short)strtol(argv[2], NULL, 10)};
  long keys = strtol(argv[3], NULL, 10), idle_s = strtol(argv[4], NULL, 10);
  int master = posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0 || grantpt(master) || unlockpt(master))
    return 1;
  ioctl(master, TIOCSWINSZ, &size);
  double begin = now_ms();
  pid_t pid = fork();
  if (pid == 0) {
    setsid();
    int slave = open(ptsname(master), O_RDWR);
    ioctl(slave, TIOCSCTTY, 0);
    dup2(slave, 0), dup2(slave, 1), dup2(slave, 2);
    close(master);
    setenv("TERM", "xterm-256color", 1);
    execvp(argv[6], argv + 6);
    _exit(127);
  }
  size_t bytes = 0;
  double first = drain(master, 5000, 150, &bytes);
  size_t counted = 0;
  double *spent = calloc((size_t)(keys > 0 ? keys : 1), sizeof *spent);
  for (long i = 0; spent && i < keys; i++) {
    double sent = now_ms();
    if (write(master, (i / 10) % 2 ? "k" : "j", 1) != 1)
      break;
    double last = drain(master, 200, 4, &bytes);
    if (last > 0)
      spent[counted++] = last - sent;
  }
  qsort(spent, counted, sizeof *spent, compare_doubles);
  /* Let anything pending settle, then watch it do nothing. */
  drain(master, 1500, 1500, &bytes);
  double cpu = cpu_ms(pid);
  size_t idle_bytes = 0;
  double until = now_ms() + (double)idle_s * 1e3;
  while (now_ms() < until)
    drain(master, (int)(until - now_ms()) + 1, 1, &idle_bytes);
  double idle_cpu = cpu_ms(pid) - cpu;
  long rss = rss_kib(pid);
  printf("%.3f %.3f %.3f %.0f %zu %ld\n", first > 0 ? first - begin : -1, counted ? spent[counted / 2] : -1,
         counted ? spent[counted * 99 / 100] : -1, idle_cpu, idle_bytes, rss);
  if (write(master, "q", 1) != 1)
    kill(pid, SIGTERM);
  drain(master, 300, 100, &bytes);
  kill(pid, SIGTERM);
  waitpid(pid, NULL, 0);
  free(spent);
  return 0;
}
