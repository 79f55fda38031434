/* bench/timeit.c - runs a command N times and prints its median wall time, for side-by-side ratios.
 *
 *   timeit RUNS [-i FILE] -- COMMAND ARGS...
 * FILE is the command's standard input, the empty one where none is given.
 * Prints: median_ms min_ms p99_ms max_rss_kib exit_status (of the last run). Output of the command is discarded.
 * One warm-up run is not counted. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* POSIX has it since 2024; every libc on Linux has it. */
pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage);
extern char **environ;

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double run_once(char **argv, const char *input, long *rss_kib, int *exit_status) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  double begin = now_ms();
  pid_t pid;
  int failed = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed) {
    fprintf(stderr, "timeit: %s: %s\n", argv[0], strerror(failed));
    exit(1);
  }
  int status = 0;
  struct rusage usage;
  while (wait4(pid, &status, 0, &usage) < 0 && errno == EINTR)
    ;
  double spent = now_ms() - begin;
  if (usage.ru_maxrss > *rss_kib)
    *rss_kib = usage.ru_maxrss;
  *exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return spent;
}

int main(int argc, char **argv) {
  const char *input = "/dev/null";
  if (argc > 4 && strcmp(argv[2], "-i") == 0) {
    input = argv[3];
    argv[3] = argv[1];
    argv += 2;
    argc -= 2;
  }
  if (argc < 4 || strcmp(argv[2], "--") != 0) {
    fprintf(stderr, "usage: timeit RUNS [-i FILE] -- COMMAND ARGS...\n");
    return 1;
  }
  long runs = strtol(argv[1], NULL, 10);
  if (runs < 1 || runs > 100000)
    return 1;
  double *spent = calloc((size_t)runs, sizeof *spent);
  if (!spent)
    return 1;
  long rss_kib = 0;
  int exit_status = 0;
  run_once(argv + 3, input, &rss_kib, &exit_status);
  for (long i = 0; i < runs; i++)
    spent[i] = run_once(argv + 3, input, &rss_kib, &exit_status);
  qsort(spent, (size_t)runs, sizeof *spent, compare_doubles);
  printf("%.3f %.3f %.3f %ld %d\n", spent[runs / 2], spent[0],
         spent[(runs * 99) / 100 < runs ? (runs * 99) / 100 : runs - 1], rss_kib, exit_status);
  free(spent);
  return 0;
}
