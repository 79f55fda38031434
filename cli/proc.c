/* cli/proc.c - processes of this host, by signal 0 and /proc. */
#include "cli/proc.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/str.h"
#include "core/base/utf8.h"

#define PID_MAX 2147483647.0 /* beyond it no process can be: dead (spec/context-handoff.md 7) */

static enum bt_alive alive(void *context, double pid) {
  (void)context;
  if (!(pid > 0) || pid > PID_MAX)
    return BT_ALIVE_NO;
  if (kill((pid_t)pid, 0) == 0)
    return BT_ALIVE_YES;
  return errno == EPERM ? BT_ALIVE_DENIED : BT_ALIVE_NO;
}

static bool read_proc(double pid, const char *name, char *out, size_t size) {
  char path[64];
  if (!(pid > 0) || pid > PID_MAX)
    return false;
  if (snprintf(path, sizeof path, "/proc/%.0f/%s", pid, name) >= (int)sizeof path)
    return false;
  FILE *file = fopen(path, "re");
  if (file == NULL)
    return false;
  size_t length = fread(out, 1, size - 1, file);
  fclose(file);
  out[length] = '\0';
  return length > 0;
}

/* Seconds since 1970 at which this machine was started, by the clock as it is set now: a clock that is set moves it, and
 * with it the start of every process. False when /proc/stat does not say. */
static bool boot_time(int64_t *seconds) {
  FILE *file = fopen("/proc/stat", "re");
  if (file == NULL)
    return false;
  char *line = NULL;
  size_t room = 0;
  bool found = false;
  while (!found && getline(&line, &room, file) >= 0) {
    if (bt_starts_with(line, "btime ")) {
      *seconds = strtoll(line + 6, NULL, 10);
      found = *seconds > 0;
    }
  }
  free(line);
  fclose(file);
  return found;
}

/* Field 22 of /proc/<pid>/stat. The command name (field 2) may hold blanks and parentheses: count from its end. */
static bool started_ms(void *context, double pid, int64_t *result) {
  (void)context;
  char stat[1024];
  int64_t boot = 0;
  long ticks_per_second = sysconf(_SC_CLK_TCK);
  if (ticks_per_second <= 0 || !read_proc(pid, "stat", stat, sizeof stat) || !boot_time(&boot))
    return false;
  const char *at = strrchr(stat, ')');
  for (int field = 2; at != NULL && field < 22; field++)
    at = strchr(at + 1, ' ');
  if (at == NULL)
    return false;
  char *end = NULL;
  errno = 0;
  long long ticks = strtoll(at + 1, &end, 10);
  if (errno != 0 || end == at + 1 || ticks < 0)
    return false;
  *result = boot * 1000 + (int64_t)ticks * 1000 / ticks_per_second;
  return true;
}

/* Field 3 of /proc/<pid>/stat. */
static bool is_zombie(void *context, double pid) {
  (void)context;
  char stat[1024];
  const char *end = read_proc(pid, "stat", stat, sizeof stat) ? strrchr(stat, ')') : NULL;
  return end != NULL && end[1] == ' ' && (end[2] == 'Z' || end[2] == 'X');
}

static bool name(void *context, double pid, char *out, size_t size) {
  (void)context;
  char raw[64];
  if (size == 0 || !read_proc(pid, "comm", raw, sizeof raw))
    return false;
  raw[strcspn(raw, "\n")] = '\0';
  struct bt_str visible;
  bt_str_init(&visible, size - 1);
  bt_text_visible(&visible, raw, strlen(raw));
  bool fits = !visible.failed;
  snprintf(out, size, "%s", visible.data);
  bt_str_dispose(&visible);
  return fits;
}

struct bt_proc_probe proc_probe(void) {
  return (struct bt_proc_probe){
      .context = NULL, .alive = alive, .started_ms = started_ms, .is_zombie = is_zombie, .name = name};
}
